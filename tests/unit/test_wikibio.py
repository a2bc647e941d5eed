"""The benchmark of self-checking: its metrics, the set that it reads, and the table that it makes."""

import gzip
import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from graph_eval.bench import record
from graph_eval.bench.benchmark import Bench, run
from graph_eval.bench.pieces import pieces_in
from graph_eval.bench.wikibio import (
    PIECES,
    Remembering,
    Scored,
    WikiBio,
    calibrated,
    first,
    located,
    measured,
    read,
    shortened,
    statistics,
)
from graph_eval.cli.main import main
from graph_eval.consistency.cosine import CosineMethod
from graph_eval.consistency.ensemble import EnsembleMethod
from graph_eval.consistency.graph import GraphMethod
from graph_eval.consistency.method import Consistency, Method, SampleTask, SentenceScore, by_sample
from graph_eval.consistency.ngram import NgramMethod
from graph_eval.errors import InputError, RunError, UsageError
from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.metrics import auc_pr, pearson, weights
from graph_eval.settings import Settings
from graph_eval.types import ItemError, Span, Text

TRUE, FALSE = "Curie was born in Warsaw.", "She was a queen of Spain."


def tabled(data: Path, settings: Settings, *options: Sequence[Any]) -> dict[str, Any]:
    """The benchmark's file, with the rows of its table as `rows`."""
    value = json.loads(json.dumps(run(WikiBio(*options), Bench(settings, data))))
    return value | {"rows": value["tables"][0]["rows"]}


def items_of(value: dict[str, Any], route: str) -> list[dict[str, Any]]:
    return [item for item in value["items"] if item["route"] == route]


def folder(path: Path, passages: Sequence[dict[str, Any]] | None = None) -> Path:
    """A data folder with made passages: the first sentence is in every sample, the second in none."""
    made = passages or [
        {
            "id": f"p{n}",
            "response": f"{TRUE} {FALSE}" if n % 3 else TRUE,
            "sentences": [TRUE, FALSE] if n % 3 else [TRUE],
            "annotation": ["accurate", ("major_inaccurate", "minor_inaccurate")[n % 2]] if n % 3 else ["accurate"],
            "samples": [f"{TRUE} She won prizes.", TRUE, f"In {1890 + n}. {TRUE}"],
        }
        for n in range(6)
    ]
    target = path / "wikibio_gpt3"
    target.mkdir(parents=True)
    scores = [
        {"id": row["id"], "scores": {name: [0.5] * len(row["sentences"]) for name in ("bert", "prompt", "nli")}}
        for row in made
    ]
    for name, rows in (("wikibio_passages", made), ("selfcheck_scores", scores)):
        with gzip.open(target / f"{name}.jsonl.gz", "wt") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def test_auc_pr_is_scikit_learns_average_precision_also_with_equal_scores() -> None:
    generator = np.random.default_rng(1)
    labels = generator.integers(0, 2, 200).astype(float)
    scores = np.round(generator.random(200) + labels / 3, 1)
    found = auc_pr(labels, scores, weights(200, 5))
    assert found.values[0] == pytest.approx(average_precision_score(labels, scores))
    drawn = weights(200, 5)[3]
    weighted = average_precision_score(labels, scores, sample_weight=drawn)
    assert found.values[3] == pytest.approx(weighted)


def test_pearson_is_numpys() -> None:
    generator = np.random.default_rng(2)
    one, other = generator.random(50), generator.random(50)
    drawn = weights(50, 3)
    found = pearson(one, other, drawn)
    assert found.values[0] == pytest.approx(np.corrcoef(one, other)[0, 1])
    again = np.repeat(np.arange(50), drawn[2].astype(int))
    assert found.values[2] == pytest.approx(np.corrcoef(one[again], other[again])[0, 1])


def test_sentences_of_a_passage_are_drawn_together() -> None:
    drawn = np.array([[1.0, 1.0], [2.0, 0.0]])
    scores = [Scored((0.9, 0.1), 0.5), Scored((0.8, 0.2), 0.5)]
    found = statistics([(1.0, 0.0), (0.0, 1.0)], scores, drawn)
    assert found["nonfact"].values[1] == 1.0  # only the first passage, where the order is right
    assert found["nonfact"].values[0] < 1.0


def test_scores_are_measured_as_chances() -> None:
    scores = [Scored((0.9, 0.1), 0.5), Scored((0.8, 0.2), 0.5)]
    found = calibrated([(1.0, 0.0), (0.5, 0.5)], scores)
    assert found == {"calibration_error": 0.3, "brier": round((0.01 + 0.01 + 0.04 + 0.64) / 4, 4)}
    assert calibrated([(1.0, 0.0)], [Scored((1.1, 0.1), 0.5)]) == {}
    assert calibrated([(1.0, 0.0)], [Scored((0.5, 0.5), 0.5, without_score=2)]) == {}


def test_annotated_sentences_are_found_in_order() -> None:
    assert list(located("A b. A b. C.", ["A b.", "A b. ", "C."])) == [Span(0, 4), Span(5, 9), Span(10, 12)]
    with pytest.raises(ValueError, match="substring"):
        list(located("A b.", ["A b.", "A b."]))


def test_a_stepwise_score_over_fewer_samples_is_the_mean_of_the_first() -> None:
    whole = Consistency(0.5, (SentenceScore(Span(0, 1), 0.5, (1.0, 0.5, 0.0)), SentenceScore(Span(2, 3), None)))
    short = shortened(whole, 2)
    assert isinstance(short, Consistency)
    assert (short.score, short.sentences[0].score, short.sentences[1].score) == (0.75, 0.75, None)
    single = shortened(whole, 1)
    assert isinstance(single, Consistency)
    assert (single.score, single.sentences[0].by_sample) == (1.0, (1.0,))


@pytest.mark.parametrize(
    "whole",
    [
        ItemError("selfcheck", "no"),  # fewer samples can succeed
        Consistency(0.5, (SentenceScore(Span(0, 1), 0.5),)),  # a comparison with one of the samples failed
        Consistency(0.9, (SentenceScore(Span(0, 1), 0.5, (1.0, 0.0)),)),  # the response has a score of its own
    ],
)
def test_what_does_not_follow_from_more_samples_is_compared_again(whole: Any) -> None:
    assert shortened(whole, 1) is None


class Counting(Method):
    """A sentence scores the share of the samples without it. Each call moves the clock by `pause` seconds."""

    fingerprint = "counting-1"

    def __init__(self, clock: list[float] | None = None, pause: float = 0.0) -> None:
        self.clock, self.pause = clock or [0.0], pause
        self.calls: list[int] = []

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        self.calls += [len(task.samples) for task in tasks]
        self.clock[0] += self.pause
        return [
            by_sample(task, [[float(own not in sample) for sample in task.theirs()] for own in task.own()])
            for task in tasks
        ]


def tasks_of(path: Path) -> list[SampleTask]:
    return [passage.task({}) for passage in read(folder(path))]


def test_a_stepwise_method_compares_once_for_all_numbers_of_samples(tmp_path: Path) -> None:
    method, tasks = Counting(), tasks_of(tmp_path)
    found = measured(Remembering(method), tasks, (1, 3, 2), lambda items, _total, _name: items, "counting")
    assert method.calls == [3] * 6
    for count in (1, 2, 3):
        assert found[count] == Counting().compare([first(task, count) for task in tasks])


@pytest.mark.parametrize("name", ["cosine", "nli", "graph", "ngram", "ensemble:cosine+graph"])
def test_the_scores_over_fewer_samples_are_those_of_comparing_these(tmp_path: Path, name: str) -> None:
    value = tabled(folder(tmp_path), Settings(), (name,), (3, 1))
    alone = tabled(tmp_path, Settings(), (name,), (1,))
    items, others = (items_of(found, f"{name}, 1 samples") for found in (value, alone))
    assert len(items) == len(others) == 6
    for field in ("scores", "passage_score"):
        one, other = (np.hstack([item[field] for item in some]) for some in (items, others))
        assert np.allclose(one, other, atol=1e-5), field


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_time_of_an_ensemble_is_that_of_its_members_in_any_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...]
) -> None:
    clock = [0.0]
    monkeypatch.setattr("graph_eval.bench.pieces.monotonic", lambda: clock[0])
    one, other = Remembering(Counting(clock, 2.0)), Remembering(Counting(clock, 3.0))
    both = Remembering(EnsembleMethod([one, other]), (one, other))
    methods, tasks = (one, other, both), tasks_of(tmp_path)
    for place in order:
        measured(methods[place], tasks, (1, 3), lambda items, _total, _name: items, "")
    assert [method.seconds(3) for method in methods] == [4.0, 6.0, 10.0]  # each in two calls, of four and two passages
    assert [method.seconds(1) for method in methods] == [0.0, 0.0, 0.0]


METHODS = ("cosine", "ngram", "ensemble:cosine+graph")


class Attempt:
    """One attempt at the benchmark, which Ctrl-C interrupts at the call `stop`. `calls`: what parts were asked for."""

    def __init__(self, data: Path, runs: Path | None, stop: int = 0, limit: int | None = None) -> None:
        self.calls: list[str] = []
        self.stop = stop
        self.value: dict[str, Any] = {}
        with pytest.MonkeyPatch.context() as patch:
            for kind, name in ((RulesExtractor, "extract"), (CosineMethod, "compare"), (GraphMethod, "compare")):
                patch.setattr(kind, name, self._counted(kind.__name__, getattr(kind, name)))
            bench = Bench(Settings(), data, limit=limit, runs=runs)
            if stop:
                with pytest.raises(KeyboardInterrupt):
                    run(WikiBio(METHODS, (3, 1)), bench)
                self.calls.pop()
            else:
                self.value = run(WikiBio(METHODS, (3, 1)), bench)

    def _counted(self, name: str, asked: Any) -> Any:
        def counting(part: Any, items: Sequence[Any]) -> Any:
            self.calls.append(f"{name} {[item.text if isinstance(item, Text) else item.text.text for item in items]}")
            if len(self.calls) == self.stop:
                raise KeyboardInterrupt
            return asked(part, items)

        return counting

    @property
    def figures(self) -> dict[str, Any]:
        return {name: value for name, value in self.value.items() if name != "seconds"}


@pytest.mark.parametrize("stop", [1, 4, 8, 10, 11])
def test_it_continues_where_it_stopped_with_the_same_figures(tmp_path: Path, stop: int) -> None:
    """Six passages: an extraction of each, then for each method a comparison of four and one of two."""
    data, runs = folder(tmp_path / "data"), tmp_path / "runs"
    whole = Attempt(data, None)
    kinds = [call.split()[0] for call in whole.calls]
    assert kinds == ["RulesExtractor"] * 6 + ["CosineMethod"] * 4 + ["GraphMethod"] * 2  # cosine: with 3 samples and 1
    first, second, third = Attempt(data, runs, stop), Attempt(data, runs), Attempt(data, runs)
    assert first.calls + second.calls == whole.calls
    assert third.calls == []
    assert first.figures == {}
    assert second.figures == third.figures == whole.figures
    assert second.value["seconds"] == third.value["seconds"]


def test_a_piece_that_a_kill_tore_is_made_again(tmp_path: Path) -> None:
    data, runs = folder(tmp_path / "data"), tmp_path / "runs"
    whole = Attempt(data, runs)
    file = runs / PIECES
    lines = file.read_bytes().splitlines(keepends=True)
    made = [place for place, line in enumerate(lines) if b'"text_id"' in line]
    kept = made[4]  # of the extraction of a passage
    file.write_bytes(b"".join(lines[:kept]) + lines[kept][:-9])
    again = Attempt(data, runs)
    assert again.calls == whole.calls[kept:]
    assert again.figures == whole.figures
    restored = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert [(key, value) for key, _, value in restored] == [(key, value) for key, _, value in map(json.loads, lines)]


def test_pieces_of_other_texts_or_parts_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, runs = folder(tmp_path / "data"), tmp_path / "runs"
    whole = Attempt(data, runs)
    assert len(Attempt(data, runs, limit=5).calls) == 2 + 1, "the last passages of each method are others"
    monkeypatch.setattr(CosineMethod, "fingerprint", "cosine-changed")
    assert Attempt(data, runs).calls == whole.calls[6:10]
    other = {
        "id": "p0",
        "response": TRUE,
        "sentences": [TRUE],
        "annotation": ["accurate"],
        "samples": [TRUE, FALSE, TRUE],
    }
    kinds = [call.split()[0] for call in Attempt(folder(tmp_path / "other", [other]), runs).calls]
    assert set(kinds) == {"RulesExtractor", "CosineMethod", "GraphMethod"}


def test_the_seconds_of_stored_pieces_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, tasks = [0.0], tasks_of(tmp_path)
    monkeypatch.setattr("graph_eval.bench.pieces.monotonic", lambda: clock[0])
    for attempt in range(2):
        one, other = Counting(clock, 2.0), Counting(clock, 3.0)
        one.fingerprint = "counting-2"
        with pieces_in(tmp_path / "runs" / PIECES) as pieces:
            members = [Remembering(method, (), pieces) for method in (one, other)]
            both = Remembering(EnsembleMethod(members), members, pieces)
            measured(members[0], tasks, (3,), lambda items, _total, _name: items, "")
            measured(both, tasks[: 4 if attempt == 0 else 6], (3,), lambda items, _total, _name: items, "")
        assert members[0].seconds(3) == 4.0
        assert both.seconds(3) == (7.0, 10.0)[attempt]
        assert len(other.calls) == (4, 2)[attempt], "the second attempt compares the last two passages"


def test_a_file_of_pieces_that_cannot_be_used_is_a_named_error(tmp_path: Path) -> None:
    file = tmp_path / PIECES
    with pieces_in(file), pytest.raises(RunError, match="another process"), pieces_in(file):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="cannot be written"), pieces_in(tmp_path / "file" / PIECES):
        pass
    for damaged in (b"{}\n", b"no\n", b"[[], 1, 2]\n", b"3\n"):
        file.write_bytes(damaged)
        with pytest.raises(RunError, match="is damaged"), pieces_in(file):
            pass


def test_a_stored_value_of_another_form_is_made_again(tmp_path: Path) -> None:
    file = tmp_path / PIECES
    for kind, value in ((str, "old"), (list[int], [1]), (list[int], [1])):
        with pieces_in(file) as pieces:
            assert pieces.made("key", kind, lambda value=value: value)[0] == value
    assert len(file.read_bytes().splitlines()) == 2, "the later one counts"


def test_the_passage_has_the_score_of_the_response(tmp_path: Path) -> None:
    data = folder(tmp_path)
    value = tabled(data, Settings(), ("cosine",), (3,))
    items = items_of(value, "cosine, 3 samples")
    expected = [
        found.score for found in CosineMethod().compare(tasks_of(tmp_path / "again")) if isinstance(found, Consistency)
    ]
    found = [item["passage_score"] for item in items]
    assert found == pytest.approx(expected)
    assert found != pytest.approx([np.mean(item["scores"]) for item in items])


def test_a_method_of_whole_responses_has_no_figure_for_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        CosineMethod,
        "compare",
        lambda _, tasks: [
            Consistency(len(task.text.text) / 100, tuple(SentenceScore(span, None) for span in task.sentences))
            for task in tasks
        ],
    )
    value = tabled(folder(tmp_path), Settings(), ("cosine",), (3, 1))
    row = value["rows"][-1]
    assert row["nonfact"]["value"] is row["factual"]["value"] is row["nonfact_above_bert"]["value"] is None
    assert row["pearson"]["value"] > 0.5


def test_the_table_has_a_row_for_each_method_and_number_of_samples(tmp_path: Path) -> None:
    value = tabled(folder(tmp_path), Settings(), ("cosine", "graph", "ensemble:cosine+graph"), (1, 3))
    rows = {(row["method"], row["samples"]): row for row in value["rows"]}
    assert len(rows) == 3 + 3 * 2
    for name in ("cosine", "graph", "ensemble:cosine+graph"):
        assert rows[name, 3]["nonfact"]["value"] == 1.0
        assert rows[name, 3]["pearson"]["value"] > 0.8
        assert rows[name, 3]["nonfact_above_bert"]["value"] > 0
    assert rows["bert", None]["source"] == "replication"
    assert set(value["seconds"]) == {"cosine", "graph", "ensemble:cosine+graph", "extraction"}
    assert (value["passages"], value["sentences"]) == (6, 10)
    assert value["plans"]["graph"]["settings"]["method"] == "graph"
    assert set(value["plans"]["graph"]["fingerprints"]) == {"method", "extractor"}
    both = [items_of(value, f"{name}, 3 samples") for name in ("cosine", "graph", "ensemble:cosine+graph")]
    one, other, joined = (items[1]["scores"][1] for items in both)
    assert joined == pytest.approx((one + other) / 2, abs=1e-5)


def test_the_figures_are_made_of_the_items_of_the_file(tmp_path: Path) -> None:
    value = tabled(folder(tmp_path), Settings(), ("cosine", "ngram"), (1, 3))
    for row in value["rows"]:
        route = f"{row['method']}, {row['samples']} samples" if row["samples"] else f"{row['method']} (replication)"
        items = items_of(value, route)
        scores = [Scored(*(item[name] for name in ("scores", "passage_score", "without_score"))) for item in items]
        again = statistics([item["labels"] for item in items], scores, weights(6))
        for metric in ("nonfact", "factual", "pearson"):
            found, figure = again[metric].figure(), row[metric]
            for part, end in zip(found, figure.values(), strict=True):
                assert part == pytest.approx(end, abs=0.02), route  # scores are rounded in the file


def test_the_file_is_one_that_other_commands_read(tmp_path: Path) -> None:
    value = run(WikiBio(("cosine",), (1,)), Bench(data=folder(tmp_path / "data")))
    record.write(value, tmp_path / "w.json")
    assert record.read(tmp_path / "w.json")["tables"] == json.loads(json.dumps(value["tables"]))


def test_the_command_prints_the_table_and_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, file = folder(tmp_path / "data"), tmp_path / "out.json"
    arguments = ["bench", "wikibio", "--data", str(data), "--method", "ngram", "-n", "2", "--limit", "4"]
    assert main([*arguments, "-o", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:2] == ["bert", "replication"]
    assert lines[-2].split()[:3] == ["ngram", "graph_eval", "2"]
    assert lines[-1].startswith("ngram, published scale")
    assert json.loads(file.read_text())["passages"] == 4


@pytest.mark.parametrize("change", [{"annotation": ["wrong"]}, {"sentences": ["Not there."]}, {"samples": None}])
def test_another_file_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    row = {"id": "p", "response": TRUE, "sentences": [TRUE], "annotation": ["accurate"], "samples": [TRUE], **change}
    with pytest.raises(InputError, match="unexpected record"):
        list(read(folder(tmp_path, [row])))


@pytest.mark.parametrize("content", [b"{not json}\n", b"[]\n", gzip.compress(b'{"id": "p"}\n', mtime=0)[:-9], b"plain"])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    data = folder(tmp_path)
    packed = content if content[:1] == b"\x1f" or content == b"plain" else gzip.compress(content)
    (data / "wikibio_gpt3/wikibio_passages.jsonl.gz").write_bytes(packed)
    with pytest.raises(InputError, match=r"wikibio_passages\.jsonl\.gz"):
        list(read(data))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    data = folder(tmp_path)
    (data / "wikibio_gpt3/wikibio_passages.jsonl.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(InputError, match="is empty"):
        list(read(data))


def test_a_passage_that_cannot_be_compared_is_counted_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(task: SampleTask) -> Consistency:
        if "1892" in "".join(sample.text for sample in task.samples):
            raise ValueError("no")
        return by_sample(task, [[0.5] * len(task.samples) for _ in task.sentences])

    monkeypatch.setattr(NgramMethod, "compare", lambda _, tasks: [broken(task) for task in tasks])
    value = tabled(folder(tmp_path), Settings(), ("ngram",), (3,))
    assert [row["errors"] for row in value["rows"] if row["method"] == "ngram"] == [1]


def test_what_cannot_be_measured_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        tabled(tmp_path, Settings())
    with pytest.raises(UsageError, match="invalid number of samples: 4"):
        tabled(folder(tmp_path / "data"), Settings(), ("ngram",), (4,))


def test_a_piece_with_an_error_is_made_again(tmp_path: Path) -> None:
    kind = list[str | ItemError]
    with pieces_in(tmp_path / "pieces.jsonl") as pieces:
        pieces.made("failed", kind, lambda: ["a", ItemError("selfcheck", "the model is down")])
        pieces.made("whole", kind, lambda: ["b"])
    with pieces_in(tmp_path / "pieces.jsonl") as pieces:
        assert pieces.made("failed", kind, lambda: ["again"])[0] == ["again"]
        assert pieces.made("whole", kind, lambda: ["again"])[0] == ["b"]
