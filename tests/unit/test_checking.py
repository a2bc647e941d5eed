"""Windows, verbatim claims, merging over passages, and the pair checker with any scorer."""

import gc
import pickle
import re
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.checkers.hf.engine import DoesNotFitError, Engine, NoNumberError, Stats, input_error
from graph_eval.checkers.hf.published import PromptedClassifier
from graph_eval.checkers.merge import NO_PASSAGE, judgement_from, labelled
from graph_eval.checkers.pairs import PairChecker
from graph_eval.checkers.verbatim import verbatim_span
from graph_eval.checkers.windows import Window, WindowSelector, index, terms
from graph_eval.errors import MissingPartError
from graph_eval.isolation import isolated
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.nli.scores import softmax
from graph_eval.onnx_model import batches, padded
from graph_eval.refchecker.checkers import _largest
from graph_eval.resources import folder
from graph_eval.text.normalise import readable
from graph_eval.types import CheckTask, Claim, ItemError, Label, Passage, Scores, Span, Text

ARTICLE = Passage.of(
    "The tower was opened in 1889. It is made of iron. Two million people visit it every year. "
    "A lift takes them to the top. The view is famous."
)


def selected(query: str, *passages: Passage, sizes: tuple[int, ...] = (1, 3), limit: int = 3) -> list[str]:
    return [window.text for window in WindowSelector(sizes, limit).select(passages, [query])[0]]


def test_the_window_with_the_claims_words_is_chosen() -> None:
    assert selected("Two million people visited the tower.", ARTICLE, sizes=(1,)) == [
        "Two million people visit it every year."
    ]


def test_a_number_is_found_in_either_spelling() -> None:
    assert "#2000000" in terms("2,000,000 people") & terms("two million people")


def test_window_spans_point_into_the_passage() -> None:
    window = WindowSelector((3,), 1).select([ARTICLE], ["iron visitors lift"])[0][0]
    assert window.span.of(ARTICLE.text).startswith("It is made of iron.")
    assert window.span.of(ARTICLE.text).endswith("to the top.")


def test_short_passages_are_one_window() -> None:
    assert selected("opened", Passage.of("It opened. It closed.")) == ["It opened.", "It opened. It closed."]


def test_only_passages_that_share_words_are_read() -> None:
    others = [Passage.of(f"Nothing about number {n} here.") for n in range(5)]
    assert selected("The tower was opened.", *others, ARTICLE, sizes=(1,), limit=2) == ["The tower was opened in 1889."]


def test_a_claim_that_shares_nothing_still_gets_a_window() -> None:
    assert len(selected("Zebras gallop.", ARTICLE, sizes=(1,))) == 1


@pytest.mark.parametrize("passages", [(), (Passage.of("  "),), (Passage.of("..."),)])
def test_without_words_in_the_context_there_is_at_most_the_context_itself(passages: tuple[Passage, ...]) -> None:
    assert len(selected("The tower.", *passages)) <= 1


def test_a_passage_without_sentences_is_one_window() -> None:
    assert index(Passage.of("...")).spans == (Span(0, 3),)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The tower was opened in 1889.", "The tower was opened in 1889."),
        ("Tower was opened in 1889.", "tower was opened in 1889"),
        ("The tower was opened in 1899.", None),
        ("The tower was not opened in 1889.", None),
        ("made of iron", None),
        ("It is made of iron", "It is made of iron."),
        ("THE VIEW  IS FAMOUS", "The view is famous."),
        ("The view", None),
        ("It is made of gold.", None),
    ],
)
def test_what_a_passage_states_word_for_word(claim: str, expected: str | None) -> None:
    span = verbatim_span(claim, ARTICLE)
    assert (span and span.of(ARTICLE.text)) == expected


@pytest.mark.parametrize("text", ["A`²", "IS`µ", "The lamp is `` old '' ."])
def test_a_readable_copy_of_odd_text_is_stated(text: str) -> None:
    assert verbatim_span(readable(text), Passage.of(text))


@pytest.mark.parametrize(
    ("claim", "passage", "stated"),
    [
        ("The pass costs $20 a month.", "The pass costs $20 a month.", True),
        ("The pass costs $20 a month.", "The pass costs €20 a month.", False),
        ("The pass costs 20 a month.", "The pass costs €20 a month.", False),
        ("The tax on food is 5%.", "The tax on food is 5 %.", True),
        ("The tax on food is 5%.", "The tax on food is\n5\n%.", True),
        ("The tax on food is 5%.", "The tax on food is 5.", False),
        ("It was -5 °C in the valley.", "It was 5 °C in the valley.", False),
        ("It was -5 °C in the valley.", "It was −5 °C in the valley.", True),
        ("The price fell to € 20.", "The price fell to €20.", True),
        ("The team wrote it in C++ last year.", "The team wrote it in C last year.", False),
        ("The fine is > 5 a day.", "The fine is < 5 a day.", False),
        ("The (old) tower was opened in 1889.", "The old tower was opened in 1889.", True),
        ("The price is €20 here.", "The price is $20 here. The price is €20 here.", True),
        ("The tower was opened in 1889.", "<p>The tower was opened in 1889.</p>", True),
        ("The tower was opened in 1889.", "> The tower was opened in 1889.", True),
        ("The tower of the old town is tall.", "# The tower of the old town is tall.", True),
        ("Rooms in May cost 20", "Rooms in May cost 20\n\n$ 30 is the fee.", True),
        ("The tower was opened in 1889.", "The tower [1] was opened in 1889.", True),
        ("The tower was opened in 1889.", "The tower was opened in 1889.[1] It is old.", True),
        ("The use of half a cup is 1/2 a day.", "The use of half a cup is 1-2 a day.", False),
        ("It was -5 °C in the valley.", "It was –5 °C in the valley.", True),
        ("A ticket costs #20 there.", "A ticket costs £20 there.", True),
        ("A ticket costs ₽20 there.", "A ticket costs ₩20 there.", False),
        ("The tower - once red - was opened in 1889.", "The tower, once red, was opened in 1889.", True),
    ],
)
def test_signs_at_numbers_are_part_of_a_statement(claim: str, passage: str, stated: bool) -> None:
    assert (verbatim_span(claim, Passage.of(passage)) is not None) is stated


@pytest.mark.parametrize(
    ("claim", "passage", "stated"),
    [
        ("Five people were hurt in the fire.", "Twenty-five people were hurt in the fire.", False),
        ("Members may use the pool on Mondays.", "Non-members may use the pool on Mondays.", False),
        ("Ada Berg was born in 1975.", "The mother of Ada Berg was born in 1975.", False),
        ("20 people came to the party.", "Fewer than 20 people came to the party.", False),
        ("20 people came to the party.", "Between 10 and 20 people came to the party.", False),
        ("The pool is open on Mondays.", "The pool is open on Mondays if it is a holiday.", False),
        ("The fee in May is 20.", "The fee in May is 20 percent of the price.", False),
        ("The tower was opened in 1889.", "It is a myth that the tower was opened in 1889.", False),
        ("The tower was opened in 1889.", "It is known that the tower was opened in 1889.", True),
        ("The tower was opened in 1889.", "In May, the tower was opened in 1889, and it is old.", True),
        ("The pool is open on Mondays.", "The pool is open on Mondays and closed on Sundays.", True),
    ],
)
def test_a_clause_is_stated_only_as_a_whole(claim: str, passage: str, stated: bool) -> None:
    assert (verbatim_span(claim, Passage.of(passage)) is not None) is stated


@pytest.mark.parametrize("word", ["All", "Only", "Most", "More", "Few", "Before", "Her"])
def test_a_word_that_changes_the_meaning_is_not_left_out(word: str) -> None:
    statement = "members of the club may enter the old archive on weekdays"
    assert verbatim_span(f"The {statement}.", Passage.of(f"Also, {statement}."))
    assert verbatim_span(f"{word} {statement}.", Passage.of(f"{statement.capitalize()}.")) is None


@pytest.mark.parametrize(
    "before", ["He denied that", "It is not true that", "Ask whether", "They didn't say that", "Few know whether"]
)
def test_a_statement_that_is_turned_around_is_none(before: str) -> None:
    assert verbatim_span("The tower was opened in 1889.", Passage.of(f"{before} the tower was opened in 1889.")) is None


def test_queries_are_read_in_blocks_with_the_same_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    queries = [f"{word} visitors {number}" for word in ("iron", "lift", "tower") for number in range(1880, 1890)]
    whole = WindowSelector().select([ARTICLE], queries)
    monkeypatch.setattr("graph_eval.checkers.windows.MAX_QUERIES", 7)
    assert WindowSelector().select([ARTICLE], queries) == whole


def test_a_selector_is_used_from_threads_while_its_cache_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph_eval.checkers.windows.MAX_CACHED", 0)
    selector = WindowSelector()
    queries = ["iron visitors lift", "The tower was opened.", "two million people"]
    expected = selector.select([ARTICLE], queries)
    start = threading.Barrier(8)

    def work(_: int) -> list[list[list[Window]]]:
        start.wait()
        return [selector.select([ARTICLE], queries) for _ in range(100)]

    with ThreadPoolExecutor(8) as pool:
        assert all(output == expected for outputs in pool.map(work, range(8)) for output in outputs)


def test_a_pickled_selector_has_its_settings_and_no_windows() -> None:
    selector = WindowSelector((2,), 1)
    selector.select([ARTICLE], ["iron"])
    copy = pickle.loads(pickle.dumps(selector))  # noqa: S301
    assert copy == selector
    assert not copy._windows


def window(passage: str, start: int = 0) -> Window:
    return Window(passage, Span(start, start + 1), "text")


ENTAILS, REFUTES, SILENT = Scores(0.9, 0.08, 0.02), Scores(0.05, 0.15, 0.8), Scores(0.02, 0.97, 0.01)


@pytest.mark.parametrize(
    ("scores", "label", "p"),
    [
        ([("a", ENTAILS), ("b", REFUTES)], Label.ENTAILMENT, 0.1),
        ([("a", SILENT), ("b", REFUTES)], Label.CONTRADICTION, 0.95),
        ([("a", SILENT), ("b", SILENT)], Label.NEUTRAL, 0.98),
    ],
)
def test_one_entailing_passage_is_enough_else_one_contradiction(
    scores: list[tuple[str, Scores]], label: Label, p: float
) -> None:
    judgement = judgement_from("c", [(window(passage), item) for passage, item in scores], 0.5)
    assert judgement.label is label
    assert judgement.p_inconsistent == pytest.approx(p)
    assert judgement.flagged is (label is not Label.ENTAILMENT)
    assert len(judgement.evidence) == 2


def test_the_evidence_of_a_flagged_claim_is_the_window_that_says_most() -> None:
    judgement = judgement_from("c", [(window("a", 0), SILENT), (window("a", 7), REFUTES)], 0.5)
    assert [item.span.start for item in judgement.evidence] == [7]


def test_without_a_passage_a_claim_is_neutral_flagged_and_says_why() -> None:
    judgement = judgement_from("c", [], 0.5)
    assert (judgement.label, judgement.flagged, judgement.reason) == (Label.NEUTRAL, True, NO_PASSAGE)
    assert labelled(judgement, 1.0) == judgement


def test_a_checkers_own_probability_decides() -> None:
    judgement = judgement_from("c", [(window("a"), ENTAILS)], 0.5, 0.7, "own")
    assert (judgement.label, judgement.p_inconsistent, judgement.reason) == (Label.NEUTRAL, 0.7, "own")
    assert judgement.evidence[0].scores == ENTAILS


def test_equal_passages_rank_by_id_not_by_place() -> None:
    passages = [Passage.of(f"Nothing in number {n}.") for n in range(5)]
    query = "Zebras gallop in number."
    assert selected(query, *passages, sizes=(1,)) == selected(query, *reversed(passages), sizes=(1,))


def test_another_threshold_gives_another_label() -> None:
    judgement = judgement_from("c", [(window("a"), Scores(0.4, 0.5, 0.1))], 0.5)
    assert judgement.label is Label.NEUTRAL
    assert labelled(judgement, 0.6).label is Label.ENTAILMENT
    assert not labelled(judgement, 0.6).flagged


class WordScorer:
    """A deterministic scorer: entailment is the share of the hypothesis' words that the premise holds."""

    fingerprint = "words"
    max_tokens = 100

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, str]]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.calls.append(list(pairs))
        rows = []
        for premise, hypothesis in pairs:
            words = hypothesis.lower().rstrip(".").split()
            share = sum(word in premise.lower() for word in words) / len(words)
            rows.append((share, 1 - share, 0.0))
        return np.array(rows)


def task(text: str, *passages: Passage) -> CheckTask:
    claims = (Claim.whole("t", text, Span(0, len(text))),)
    return CheckTask(Text("t", text), claims, passages)


def test_equal_pairs_are_scored_once_and_all_tasks_in_one_call_a_window_size() -> None:
    scorer = WordScorer()
    tasks = [task("The tower was opened in 1889.", ARTICLE), task("The tower was opened in 1889.", ARTICLE)]
    PairChecker(scorer).check(tasks)
    assert [len(call) for call in scorer.calls] == [1, 1]


@pytest.mark.parametrize(("early_exit", "calls"), [(1.01, 2), (0.5, 1)])
def test_larger_windows_are_read_only_while_the_claim_is_undecided(early_exit: float, calls: int) -> None:
    scorer = WordScorer()
    PairChecker(scorer, early_exit_entailment=early_exit).check([task("The tower opened late.", ARTICLE)])
    assert len(scorer.calls) == calls


class Choking(WordScorer):
    """Cannot score one word."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        if any("choke" in hypothesis for _, hypothesis in pairs):
            raise RuntimeError("no")
        return super().score(pairs)


def test_a_pair_that_breaks_the_model_fails_its_task_alone() -> None:
    tasks = [task("It is iron.", ARTICLE), task("choke", ARTICLE)]
    judgements, error = isolated("check", tasks, PairChecker(Choking()).check)
    assert isinstance(judgements, list)
    assert isinstance(error, ItemError)
    assert error.stage == "check"
    assert re.fullmatch(r"RuntimeError: no \(.*test_checking\.py, line \d+\)", error.message)
    assert error.traceback


class Missing(WordScorer):
    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:  # noqa: ARG002
        raise MissingPartError("no weights", "get them")


def test_a_missing_part_is_no_items_error() -> None:
    with pytest.raises(MissingPartError):
        isolated("check", [task("It is iron.", ARTICLE)] * 2, PairChecker(Missing()).check)


def test_a_stricter_threshold_reads_on() -> None:
    scorer = WordScorer()
    PairChecker(scorer, threshold=0.1, early_exit_entailment=0.6).check([task("The tower opened late again.", ARTICLE)])
    assert len(scorer.calls) == 2


def test_a_task_that_breaks_is_an_error_of_its_own() -> None:
    broken = CheckTask(Text("t", "x"), (None,), ())  # type: ignore[arg-type]
    checker = PairChecker(WordScorer())
    with pytest.raises(AttributeError):
        checker.check([broken])
    error, judgements = isolated("check", [broken, task("It is made of iron.", ARTICLE)], checker.check)
    assert isinstance(error, ItemError)
    assert isinstance(judgements, list)


@given(st.lists(st.integers(1, 400), max_size=60), st.integers(1, 600))
def test_batches_hold_every_item_once_within_the_budget(lengths: list[int], budget: int) -> None:
    planned = list(batches(lengths, budget))
    assert sorted(index for batch in planned for index in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or max(lengths[index] for index in batch) * len(batch) <= budget for batch in planned)


def test_padding_is_masked() -> None:
    feed = padded([([1, 2, 3], [0, 0, 1]), ([4], [0])])
    assert feed["attention_mask"].tolist() == [[1, 1, 1], [1, 0, 0]]
    assert feed["input_ids"].tolist() == [[1, 2, 3], [4, 0, 0]]


def test_softmax_survives_large_logits() -> None:
    assert softmax(np.array([[1000.0, 0.0, 0.0]])).tolist() == [[1.0, 0.0, 0.0]]


def test_a_long_premise_is_cut_never_the_claim() -> None:
    scorer = OnnxScorer(folder("weights/nli"))
    tokenizer = scorer.load().tokenizer
    claim = "The tower was opened in 1889."
    ids, types, *_ = scorer._cut(tokenizer.encode("word " * 1000, claim))
    assert len(ids) == len(types) == scorer.max_tokens
    assert claim.lower().rstrip(".") in tokenizer.decode(ids)
    ids, types, *_ = scorer._cut(tokenizer.encode("premise", "word " * 1000))
    assert len(ids) == len(types) == scorer.max_tokens
    assert tokenizer.decode(ids).startswith("premise")


# Published checkers, apart from torch


class Tokenizer:
    """A token for each word."""

    pad_token_id = 0

    def __call__(self, texts: str | list[str], **_: object) -> dict[str, list]:
        if isinstance(texts, str):
            return {"input_ids": list(range(len(texts.split())))}
        return {"input_ids": [list(range(len(text.split()))) for text in texts]}


class Prompted(PromptedClassifier):
    """A published checker whose model is a list of rows."""

    repository = "nobody/nothing"

    def load_tokenizer(self) -> Tokenizer:
        return Tokenizer()

    def prompt(self, premise: str, hypothesis: str) -> str:
        return f"{premise} {hypothesis}"

    def rows(self, pairs: Sequence[tuple[str, str]]) -> list:
        return [
            DoesNotFitError("30 tokens do not fit into the memory of cpu")
            if "long" in claim
            else OverflowError("too much")
            if "odd" in claim
            else np.array([0.0, 2.0])
            for _, claim in pairs
        ]


def test_an_input_that_does_not_fit_fails_its_claim_with_a_plain_message_and_a_hint() -> None:
    (good,), (long,), (odd,) = Prompted().check([task(text, ARTICLE) for text in ("It is iron.", "A long one.", "odd")])
    assert good.label is Label.ENTAILMENT
    assert long.error == ItemError("check", "30 tokens do not fit into the memory of cpu", DoesNotFitError.hint)
    assert odd.error is not None
    assert odd.error.message.startswith("OverflowError: too much")
    assert odd.error.traceback


@pytest.mark.parametrize("kind", [DoesNotFitError, NoNumberError])
def test_known_errors_of_inputs_have_no_place_and_no_traceback(kind: type[DoesNotFitError | NoNumberError]) -> None:
    with pytest.raises(kind) as caught:
        raise kind("a reason")
    error = input_error(caught.value)
    assert _largest([caught.value, Scores(0.1, 0.8, 0.1)]) == error
    assert _largest([caught.value, Scores(0.8, 0.1, 0.1)]) == "Entailment"
    assert (error.stage, error.message, error.hint, error.traceback) == ("check", "a reason", kind.hint, None)


def test_a_pickled_published_checker_has_its_own_lock_and_an_engine_that_loads_its_model() -> None:
    checker = Prompted()
    checker.limit = 64
    checker.engine.stats.inputs = 9
    checker.engine._models["cpu"] = threading.Lock()  # cannot be pickled, as sessions cannot
    copy = pickle.loads(pickle.dumps(checker))  # noqa: S301
    assert (copy.fingerprint, copy.limit, copy.threshold) == (checker.fingerprint, 64, 0.5)
    assert isinstance(copy.engine, Engine)
    assert copy.engine.load.__self__ is copy
    assert (copy.engine.stats, copy.engine._models) == (Stats(), {})
    assert copy.check([task("It is iron.", ARTICLE)]) == checker.check([task("It is iron.", ARTICLE)])
    engine = pickle.loads(pickle.dumps(checker.engine))  # noqa: S301
    assert engine.load.__self__.engine is engine


def test_a_heading_is_no_evidence_by_itself() -> None:
    passage = Passage("p", "## Refunds within 90 days\nCosmetics are refunded within 14 days.\n\n**Contact**\nCall us.")
    spans = index(passage).spans
    assert [span.of(passage.text) for span in spans] == [
        "## Refunds within 90 days\nCosmetics are refunded within 14 days.",
        "**Contact**\nCall us.",
    ]
    assert [span.of("## Alone") for span in index(Passage("q", "## Alone")).spans] == ["## Alone"]


def test_models_of_the_same_files_share_what_they_load(tmp_path: Path) -> None:
    weights = folder("weights/nli")
    first, second = OnnxScorer(weights), OnnxScorer(weights, threads=1, keep_end=True)
    assert first.load() is second.load()
    for name in ("model.onnx", "tokenizer.json"):
        copyfile(weights / name, tmp_path / name)
    copied = OnnxScorer(tmp_path)
    loaded = copied.load()
    assert loaded is not first.load()
    copyfile(weights / "tokenizer.json", tmp_path / "changed.json")
    (tmp_path / "changed.json").replace(tmp_path / "tokenizer.json")
    assert OnnxScorer(tmp_path).load() is not loaded
    kept = weakref.ref(loaded)
    del copied, loaded
    gc.collect()
    assert kept() is None
