"""Plans and jobs: stages of one's own, isolation, identity, sinks, and mappers that change nothing."""

import json
import logging
import pickle
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import pytest

from graph_eval import GraphEval
from graph_eval.errors import MissingPartError, RunError, StoreError, UsageError
from graph_eval.formats.results import to_json
from graph_eval.jobs import Job
from graph_eval.mappers import Mapper, processes, serial, threads
from graph_eval.plan import Plan
from graph_eval.runs.directory import read_results, read_run
from graph_eval.runs.resume import RunDirectory, differences
from graph_eval.settings import Settings
from graph_eval.sinks import Sink, StoreSink
from graph_eval.sources import Records, RunFiles
from graph_eval.stages import Stage
from graph_eval.types import CheckTask, ItemError, Judgement, Label, Passage, Result, Run

CONTEXT = "The tower was opened in 1889. It is 38 metres tall."
RECORDS = [
    {"id": str(n), "response": f"The tower was opened in {1885 + n}. It is {35 + n} metres tall.", "context": CONTEXT}
    for n in range(9)
]


class WordCount(Stage):
    """A stage of one's own: a field with the number of words of each response."""

    name = "words"
    fingerprint = "words-1"

    def __init__(self, minimum: int = 0) -> None:
        self.minimum = minimum

    @property
    def settings(self) -> dict[str, int]:
        return {"words.minimum": self.minimum}

    def run(self, results: Sequence[Result]) -> list[Result]:
        return [replace(result, fields={"words": self._count(result)}) for result in results]

    def _count(self, result: Result) -> int:
        return max(self.minimum, len(result.example.response.split())) if result.example else 0


def small() -> GraphEval:
    return GraphEval(settings=Settings.of(chunk=2))


def with_words(minimum: int = 0) -> Plan:
    plan = small().plan()
    return Plan((*plan.stages, WordCount(minimum)), plan.chunk)


def test_a_new_stage_runs_from_python_resumes_and_identifies_the_run(tmp_path: Path) -> None:
    def job(plan: Plan) -> Job:
        return Job(Records(RECORDS, "nine"), plan, [RunDirectory(tmp_path)])

    results = list(job(with_words()).results())
    assert [result.fields["words"] for result in results] == [11] * 9
    whole = (tmp_path / "results.jsonl").read_bytes()
    run = read_run(tmp_path)
    assert run.stage == "words"
    assert run.fingerprints["words"] == "words-1"
    assert run.settings["words.minimum"] == 0
    assert list(read_results(tmp_path)) == results

    lines = whole.splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:40])
    meta = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**meta, "finished": False}))
    assert list(job(with_words()).results()) == results
    assert (tmp_path / "results.jsonl").read_bytes() == whole
    with pytest.raises(Exception, match=r"settings.words.minimum: 0 in RUN, 5 in this command"):
        list(job(with_words(5)).results())


class KeywordRetriever:
    """The sentences of a corpus that share a number with a query."""

    fingerprint = "keyword-1"

    def __init__(self, corpus: str) -> None:
        self._sentences = corpus.split(". ")

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Passage]]:
        return [
            [Passage.of(s) for s in self._sentences if set(s.split()) & set(query.split())][:k] for query in queries
        ]


class GroundStage(Stage):
    """A retriever-like part: it finds the passages of records that have none."""

    name = "ground"

    def __init__(self, retriever: KeywordRetriever, k: int = 3) -> None:
        self._retriever, self._k = retriever, k

    @property
    def settings(self) -> dict[str, int]:
        return {"ground.k": self._k}

    @property
    def fingerprint(self) -> str:
        return self._retriever.fingerprint

    def run(self, results: Sequence[Result]) -> list[Result]:
        examples = [result.example for result in results if result.example]
        passages = self._retriever.retrieve([example.response for example in examples], self._k)
        grounded = [replace(e, passages=tuple(own)) for e, own in zip(examples, passages, strict=True)]
        return [replace(result, example=e) for result, e in zip(results, grounded, strict=True)]


def test_a_stage_that_finds_passages_runs_before_the_check(tmp_path: Path) -> None:
    ge = small()
    plan = Plan((GroundStage(KeywordRetriever(CONTEXT)), *ge.plan().stages), 2)
    records = [{**record, "context": []} for record in RECORDS]
    results = list(Job(Records(records, "nine"), plan, [RunDirectory(tmp_path)]).results())
    assert all(result.example and result.example.passages for result in results)
    assert all(result.judgements[0].reason != "no_passage" for result in results)
    assert any(result.label is Label.CONTRADICTION for result in results)
    assert read_run(tmp_path).fingerprints["ground"] == "keyword-1"
    assert read_run(tmp_path).settings["ground.k"] == 3


def test_without_fields_a_line_of_results_has_none() -> None:
    assert '"fields"' not in to_json(small().check("It is 38 metres tall.", context=CONTEXT))


def test_two_stages_that_differ_about_a_setting_make_no_plan() -> None:
    plan = Plan((WordCount(1), WordCount(2)))
    with pytest.raises(UsageError, match=r"stage words: words.minimum is 2, and 1 in a stage before"):
        _ = plan.settings


def test_a_plan_without_a_stage_leaves_results_as_they_are() -> None:
    results = small().extract(RECORDS)
    assert Plan(()).run(results) == results


class Fragile(Stage):
    name = "fragile"
    fingerprint = "fragile-1"

    def run(self, results: Sequence[Result]) -> list[Result]:
        for result in results:
            if result.example and result.example.id == "3":
                raise KeyError("x")
        return [replace(result, fields={"seen": True}) for result in results]


def test_one_result_that_fails_never_stops_the_others_and_names_the_line(caplog: pytest.LogCaptureFixture) -> None:
    plan = Plan((*small().plan("extract").stages, Fragile()), 4)
    with caplog.at_level(logging.ERROR, "graph_eval"):
        results = list(Job(Records(RECORDS), plan).results())
    assert [bool(result.fields) for result in results] == [n != 3 for n in range(9)]
    error = results[3].error
    assert error is not None
    assert (error.stage, error.id) == ("fragile", "3")
    assert error.message.startswith("KeyError: 'x' (")
    assert "test_plan.py, line" in error.message
    assert error.traceback is not None
    assert "in run: raise KeyError" in error.traceback
    assert [record.exc_info is not None for record in caplog.records] == [True]
    assert "fragile failed for 3" in caplog.text
    assert results[3].claims  # what was done before stays


class Missing(Fragile):
    def run(self, results: Sequence[Result]) -> list[Result]:  # noqa: ARG002
        raise MissingPartError("weights are missing")


class Forgetful(Fragile):
    def run(self, results: Sequence[Result]) -> list[Result]:
        return list(results)[:-1]


def test_what_no_item_could_survive_ends_the_job() -> None:
    with pytest.raises(MissingPartError):
        list(Job(Records(RECORDS), Plan((Missing(),))).results())


def test_a_stage_that_loses_a_result_is_found_out() -> None:
    results = list(Job(Records(RECORDS[:2]), Plan((Forgetful(),))).results())
    assert all(result.error and "0 results for 1 items" in result.error.message for result in results)


@cache
def corrected_one_by_one() -> list[str]:
    ge = small()
    return [to_json(result) for result in map(ge.correct, ge.pipe(RECORDS))]


@pytest.mark.parametrize("mapper", [serial, threads(3), processes(2)], ids=["serial", "threads", "processes"])
def test_results_do_not_depend_on_the_mapper(mapper: Mapper, tmp_path: Path) -> None:
    plan = small().plan("extract", "check", "correct")
    list(Job(Records(RECORDS), plan, [RunDirectory(tmp_path)], mapper).results())
    assert (tmp_path / "results.jsonl").read_text().splitlines() == corrected_one_by_one()


def test_what_cannot_be_sent_to_another_process_says_so() -> None:
    ge = GraphEval(extractor=lambda _: [])
    with pytest.raises(UsageError, match="cannot be sent to another process"):
        list(ge.pipe(RECORDS, mapper=processes(2)))


def test_an_early_end_stops_the_workers() -> None:
    stream = small().pipe(RECORDS, mapper=threads(2))
    assert next(stream).n == 0
    stream.close()  # type: ignore[attr-defined]


class Kept(Sink):
    def __init__(self) -> None:
        self.calls: list[object] = []

    def begin(self, run, chunk):  # type: ignore[no-untyped-def]
        self.calls.append(("begin", run().stage, chunk))

    def add(self, results: Sequence[Result]) -> None:
        self.calls.append([result.n for result in results])

    def finish(self) -> None:
        self.calls.append("finish")

    def close(self) -> None:
        self.calls.append("close")


def test_every_sink_gets_every_chunk_also_those_that_a_run_directory_held(tmp_path: Path) -> None:
    plan = small().plan("extract")
    begun = Job(Records(RECORDS[:4], "d"), plan, [RunDirectory(tmp_path)]).results()
    next(begun)
    begun.close()  # type: ignore[attr-defined]
    kept = Kept()
    list(Job(Records(RECORDS[:4], "d"), plan, [RunDirectory(tmp_path), kept]).results())
    assert kept.calls == [("begin", "extract", 2), [0, 1], [2, 3], "finish", "close"]


def test_a_sink_is_closed_but_not_finished_after_an_error() -> None:
    kept = Kept()
    with pytest.raises(MissingPartError):
        list(Job(Records(RECORDS), Plan((Missing(),)), [kept]).results())
    assert kept.calls[-1] == "close"
    assert "finish" not in kept.calls


class FullGraph:
    """A graph store whose disk is full after the first chunk."""

    def __init__(self) -> None:
        self.written = 0

    def setup(self) -> None: ...

    def write(self, run: Run, results: Sequence[Result]) -> None:  # noqa: ARG002
        if self.written:
            raise StoreError("the disk is full")
        self.written += len(results)


def test_a_store_that_fails_stops_the_loading_not_the_job() -> None:
    sink = StoreSink(FullGraph())  # type: ignore[arg-type]
    assert len(list(Job(Records(RECORDS), small().plan("extract"), [sink]).results())) == 9
    assert sink.problem is not None
    assert sink.written == 2


def test_a_run_that_is_judged_again_names_the_parts_that_made_it(tmp_path: Path) -> None:
    ge = small()
    list(Job(Records(RECORDS), ge.plan("extract"), [RunDirectory(tmp_path / "claims")]).results())
    claims = read_run(tmp_path / "claims")
    assert set(claims.settings) == {"extractor", "chunk"}
    source = RunFiles(tmp_path / "claims")
    assert (source.extracted, source.judged) == (True, False)
    job = Job(source, ge.plan_for(source), [RunDirectory(tmp_path / "judged")])
    list(job.results())
    judged = read_run(tmp_path / "judged")
    assert judged.fingerprints == {**claims.fingerprints, "checker": ge.checker.fingerprint}
    assert judged.settings["extractor"] == "rules"
    again = RunFiles(tmp_path / "judged")
    assert again.judged
    assert [stage.name for stage in ge.plan_for(again, correct=True).stages] == ["correct"]
    assert [stage.name for stage in ge.plan_for(again, correct=True, recheck=True).stages] == ["check", "correct"]


def test_a_run_of_corrections_names_every_part() -> None:
    ge = GraphEval(settings=Settings.of(second_checker="ensemble:builtin+builtin", tries=7, rounds=3))
    run = ge.plan("extract", "check", "correct").describe("digest")
    assert set(run.fingerprints) == {"extractor", "checker", "corrector", "second_checker"}
    expected = {"corrector": "builtin", "second_checker": "ensemble:builtin+builtin", "tries": 7, "rounds": 3}
    assert expected.items() <= run.settings.items()
    assert "threads" not in run.settings


def test_a_plan_can_be_pickled() -> None:
    plan = pickle.loads(pickle.dumps(small().plan("extract", "check", "correct")))  # noqa: S301
    assert plan.fingerprints == small().plan("extract", "check", "correct").fingerprints


def test_a_plan_for_what_is_done_already_does_nothing_more(tmp_path: Path) -> None:
    ge = small()
    list(Job(Records(RECORDS), ge.plan(), [RunDirectory(tmp_path)]).results())
    judged = RunFiles(tmp_path)
    assert ge.plan_for(judged, check=False).stages == ()
    assert ge.plan_for(judged).stages == ()
    job = Job(judged, ge.plan_for(judged))
    assert list(job.results()) == list(read_results(tmp_path))
    assert job.run.stage == "check"


def test_two_inputs_are_never_taken_for_one(tmp_path: Path) -> None:
    plan = small().plan("extract")
    list(Job(Records(RECORDS[:1]), plan, [RunDirectory(tmp_path)]).results())
    with pytest.raises(RunError, match="input: "):
        list(Job(Records(RECORDS[1:2]), plan, [RunDirectory(tmp_path)]).results())
    with pytest.raises(UsageError, match="no digest"):
        list(Job(Records(iter(RECORDS)), plan, [RunDirectory(tmp_path / "other")]).results())
    assert len(list(Job(Records(iter(RECORDS)), plan).results())) == 9


class Named(Fragile):
    def __init__(self, name: str, fingerprint: str) -> None:
        self.name, self._fingerprint = name, fingerprint

    @property
    def fingerprint(self) -> str:  # type: ignore[override]
        return self._fingerprint

    def run(self, results: Sequence[Result]) -> list[Result]:
        return list(results)


def test_no_stage_is_forgotten_by_the_identity() -> None:
    with pytest.raises(UsageError, match=r"another stage has 'a' already"):
        Plan((Named("a", "1"), Named("a", "2"))).describe()
    with pytest.raises(UsageError, match=r"another stage has 'checker' already"):
        Plan((*small().plan().stages, Named("checker", "1"))).describe()
    a, b, c = (Named(name, "1") for name in "abc")
    assert Plan((a, b, c)).describe().settings["stages"] == ["a", "b", "c"]
    assert differences(Plan((a, b, c)).describe(), asdict(Plan((b, a, c)).describe()))
    assert "stages" not in small().plan("extract", "check", "correct").settings


def test_parts_that_no_longer_take_part_are_not_named(tmp_path: Path) -> None:
    with_second = GraphEval(settings=Settings.of(second_checker="builtin", chunk=2))
    list(Job(Records(RECORDS), with_second.plan("extract", "check", "correct"), [RunDirectory(tmp_path)]).results())
    source = RunFiles(tmp_path)
    assert "second_checker" in read_run(tmp_path).fingerprints
    ge = small()
    run = Job(source, ge.plan_for(source, correct=True)).run
    assert "second_checker" not in run.fingerprints
    assert run.settings["second_checker"] is None


def test_a_correction_that_is_made_again_leaves_nothing_of_the_one_before() -> None:
    ge = small()
    judged = ge.check("The tower was opened in 1899.", context=CONTEXT)
    corrected = ge.correct(judged)
    assert corrected.context_claims
    unflagged = GraphEval(threshold=1.0).judge([corrected])
    again = ge.correct_chunk(unflagged)[0]
    assert not again.flagged
    assert (again.context_claims, again.links) == ((), ())
    failed = replace(judged, error=ItemError("correct", "broken"))
    assert ge.correct(failed).error is None
    assert ge.judge([failed])[0].error is None


def test_one_run_directory_for_a_job(tmp_path: Path) -> None:
    sinks = [RunDirectory(tmp_path / "a"), RunDirectory(tmp_path / "b")]
    with pytest.raises(UsageError, match="two run directories"):
        list(Job(Records(RECORDS), small().plan("extract"), sinks).results())


class Interrupted(Fragile):
    """Native code that turns Ctrl-C into an exception of its own."""

    def run(self, results: Sequence[Result]) -> list[Result]:  # noqa: ARG002
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as problem:
            raise RuntimeError("a native call failed") from problem


def test_ctrl_c_is_no_error_of_an_item() -> None:
    with pytest.raises(RuntimeError, match="a native call failed"):
        list(Job(Records(RECORDS), Plan((Interrupted(),))).results())


class Crowded:
    """An object of a user that must not be called twice at once."""

    fingerprint, threshold = "crowded", 0.5

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.01)
        self.inside -= 1
        return [[Judgement(c.id, Label.ENTAILMENT, 0.1, flagged=False) for c in task.claims] for task in tasks]


def test_an_object_of_a_user_is_called_by_one_thread_at_a_time() -> None:
    checker = Crowded()
    list(GraphEval(checker=checker, settings=Settings.of(chunk=1)).pipe(RECORDS, mapper=threads(6)))
    assert checker.most == 1
