"""The Python interface."""

import multiprocessing
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import graph_eval
from graph_eval import Claim, GraphEval, Label, Settings, Span
from graph_eval.checkers.builtin import BuiltinChecker
from graph_eval.checkers.calibration import Calibration
from graph_eval.checkers.pairs import PairChecker
from graph_eval.errors import UsageError
from graph_eval.pipeline import default
from graph_eval.types import CheckTask, CorrectTask, ItemError, Judgement, Proposal, SlotProposal, Status, Text

CONTEXT = "The tower was opened in 1889."


def test_check_is_a_function_whatever_was_imported_first() -> None:
    assert graph_eval.check("The tower was opened in 1889.", context=CONTEXT).label is Label.ENTAILMENT
    import graph_eval.checkers.pairs as module

    assert module.PairChecker is PairChecker
    assert callable(graph_eval.check)


def test_flagged_claims_with_spans_and_evidence() -> None:
    response = "The tower was opened in 1899."
    result = graph_eval.check(response, context=[CONTEXT], id="a", model="m")
    finding = result.flagged[0]
    assert [span.of(response) for span in finding.claim.spans] == ["tower", "was opened in", "1899"]
    assert finding.judgement.evidence[0].span.of(CONTEXT) == CONTEXT
    assert result.example is not None
    assert (result.example.id, result.example.model) == ("a", "m")


@pytest.mark.parametrize("context", [None, [], ""])
def test_without_context_everything_is_flagged_and_said_so(context: object) -> None:
    result = graph_eval.check("The tower was opened in 1889.", context=context)  # type: ignore[arg-type]
    assert {judgement.reason for judgement in result.judgements} == {"no_passage"}
    assert result.inconsistent


def test_pipe_streams_in_order_and_bad_records_stay_in_place() -> None:
    records = [
        {"response": "It ran.", "context": "It ran."},
        {"response": 1, "context": ""},
        {"response": "", "context": ""},
    ]
    results = list(default().pipe(records))
    assert [result.n for result in results] == [0, 1, 2]
    assert results[1].error is not None
    assert results[1].error.place == "record 2"
    assert results[2].label is Label.ABSTAIN


def test_check_all_holds_what_pipe_yields() -> None:
    records = [{"response": "The tower was opened in 1899.", "context": CONTEXT}, {"response": 1, "context": ""}]
    results = default().check_all(records, correct=True)
    assert isinstance(results, graph_eval.Results)
    assert results == graph_eval.Results(default().pipe(records, correct=True))
    assert results.counts == {"Contradiction": 1, "failed": 1}
    assert results[0].revision is not None


def test_names_in_the_public_interface() -> None:
    assert set(graph_eval.__all__) <= set(dir(graph_eval))
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        _ = graph_eval.chek


def whole(text: Text) -> list[Claim]:
    if "break" in text.text:
        raise RuntimeError("broken on purpose")
    return [Claim.whole(text.id, text.text, Span(0, len(text.text)))]


class Never:
    """A scorer that believes nothing."""

    fingerprint = "never"
    max_tokens = 10

    def score(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        return np.tile([0.0, 1.0, 0.0], (len(pairs), 1))


def test_own_parts() -> None:
    ge = GraphEval(extractor=whole, checker=Never(), threshold=0.5)
    assert ge.check("a", context="b").label is Label.NEUTRAL
    assert GraphEval(extractor=whole, checker=Never(), threshold=1.0).check("a", context="b").label is Label.ENTAILMENT
    assert ge.settings.extractor == f"object:{__name__}.whole"
    assert ge.settings.checker == f"object:{__name__}.Never"
    assert f"{__name__}.whole:" in ge.plan().fingerprints["extractor"]
    assert ge.plan().settings["checker"] == f"object:{__name__}.Never"


def test_two_functions_are_never_taken_for_one() -> None:
    parts = [lambda text, year=year: [Claim.whole(text.id, f"{year}", Span(0, 1))] for year in (1889, 1899)]
    prints = [GraphEval(extractor=part).plan().fingerprints["extractor"] for part in parts]
    assert prints[0] != prints[1]
    assert GraphEval(extractor=parts[0]).plan().fingerprints["extractor"] == prints[0]


def test_an_object_cannot_be_made_again_from_its_settings() -> None:
    settings = GraphEval(extractor=whole).settings
    with pytest.raises(UsageError, match=r"was an object in Python"):
        GraphEval(settings=settings)
    assert GraphEval(extractor=whole, settings=settings).check("a", context="a").claims


class Proposes:
    """A corrector that knows the year."""

    fingerprint = "proposes"

    def propose(self, tasks: list[CorrectTask]) -> list[list[Proposal]]:
        return [[SlotProposal((*(slot.text for slot in task.claim.slots[:2]), "1889"))] for task in tasks]


def test_an_own_corrector() -> None:
    ge = GraphEval(corrector=Proposes())
    result = ge.correct(ge.check("The tower was opened in 1899.", context=CONTEXT))
    assert result.revision is not None
    assert result.revision.final_text == "The tower was opened in 1889."
    assert ge.settings.corrector == f"object:{__name__}.Proposes"
    with pytest.raises(UsageError, match="is not a corrector"):
        _ = GraphEval(corrector=3).corrector


def test_an_extractor_that_breaks_gives_an_item_error() -> None:
    results = list(
        GraphEval(extractor=whole, checker=Never()).pipe([{"response": r, "context": "c"} for r in ("break", "ok")])
    )
    assert results[0].error is not None
    assert results[0].error.stage == "extract"
    assert results[0].label is None
    assert results[1].error is None


class Breaks:
    """A checker with a bug."""

    fingerprint = "breaks"
    threshold = 0.5

    def check(self, tasks: list[CheckTask]) -> list[list[Judgement]]:
        if any("two" in task.text.text for task in tasks):
            raise KeyError("x")
        return [[Judgement(claim.id, Label.ENTAILMENT, 0.1, flagged=False) for claim in task.claims] for task in tasks]


def test_an_object_that_raises_never_ends_the_stream() -> None:
    ge = GraphEval(extractor=whole, checker=Breaks())
    one, two, three = ge.pipe([{"response": r, "context": "c"} for r in ("one", "two", "three")])
    assert (one.label, three.label) == (Label.ENTAILMENT, Label.ENTAILMENT)
    assert two.error is not None
    assert two.error.message.startswith("KeyError: 'x' (")
    assert "test_python.py, line" in two.error.message
    assert two.error.traceback is not None
    assert two.judgements[0].error is not None


class BrokenProposals(Proposes):
    def propose(self, tasks: list[CorrectTask]) -> list[list[Proposal]]:
        if any("1899" in task.claim.text for task in tasks):
            raise RuntimeError("broken on purpose")
        return super().propose(tasks)


def test_a_corrector_that_raises_fails_its_claim_alone() -> None:
    ge = GraphEval(corrector=BrokenProposals())
    texts = ["The tower was opened in 1899.", "The tower was opened in 1869."]
    broken, mended = ge.correct_chunk([ge.check(text, context=CONTEXT) for text in texts])
    assert broken.revision is not None
    assert [item.status for item in broken.revision.corrections] == [Status.FAILED]
    assert mended.revision is not None
    assert mended.revision.text == CONTEXT


class Partly:
    """A checker that cannot judge every claim, and some tasks not at all."""

    fingerprint = "partly"
    threshold = 0.5

    def check(self, tasks: list[CheckTask]) -> list[list[Judgement] | ItemError]:
        found: list[list[Judgement] | ItemError] = []
        for task in tasks:
            if "down" in task.text.text:
                found.append(ItemError("check", "the model is down"))
            else:
                found.append([Judgement.failed(claim.id, ItemError("check", "no answer")) for claim in task.claims])
        return found


def test_what_could_not_be_judged_has_no_verdict() -> None:
    ge = GraphEval(extractor=whole, checker=Partly())
    partly, down = ge.pipe([{"response": r, "context": "c"} for r in ("one", "down")])
    assert partly.error is not None
    assert partly.error.message == "1 of 1 claims could not be judged: no answer"
    assert (partly.label, partly.p_inconsistent) == (None, None)
    assert down.error is not None
    assert down.error.message == "the model is down"
    assert down.judgements[0].error is not None
    assert GraphEval(extractor=whole, checker=Partly(), threshold=0.4).pipe([{"response": "down", "context": ""}])


@pytest.mark.parametrize("part", [{"extractor": 3}, {"checker": 3}, {"aggregate": "none"}, {"extractor": "none"}])
def test_what_is_no_part_is_refused(part: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        GraphEval(**part)  # type: ignore[arg-type]


def test_chunks_do_not_change_results() -> None:
    records = [{"id": str(n), "response": f"The tower was opened in {1880 + n}.", "context": CONTEXT} for n in range(7)]
    small = list(GraphEval(settings=Settings.of(chunk=2)).pipe(records))
    large = list(GraphEval(settings=Settings.of(chunk=7)).pipe(records))
    for a, b in zip(small, large, strict=True):
        assert a.claims == b.claims
        assert [j.p_inconsistent for j in a.judgements] == pytest.approx(
            [j.p_inconsistent for j in b.judgements], abs=1e-3
        )


YEARS = [{"response": f"The tower was opened in {1885 + n}. It is red.", "context": CONTEXT} for n in range(12)]


def in_threads(work: Callable[[], object], count: int = 8) -> list[object]:
    """What each of so many threads, begun at once, gives."""
    with ThreadPoolExecutor(count) as pool:
        barrier = threading.Barrier(count)

        def begun_together() -> object:
            barrier.wait()
            return work()

        return [future.result() for future in [pool.submit(begun_together) for _ in range(count)]]


def test_eight_threads_share_one_instance_with_equal_results() -> None:
    ge = GraphEval(settings=Settings.of(chunk=5))
    expected = list(ge.pipe(YEARS, correct=True))
    assert any(result.revision for result in expected)
    assert in_threads(lambda: list(ge.pipe(YEARS, correct=True))) == [expected] * 8
    claims = [result.claims for result in expected]
    assert in_threads(lambda: [result.claims for result in ge.extract(YEARS)]) == [claims] * 8


def test_eight_threads_that_find_nothing_loaded_yet() -> None:
    ge = GraphEval(settings=Settings.of(chunk=5))
    found = in_threads(lambda: list(ge.pipe(YEARS[:4], correct=True)))
    assert found == [found[0]] * 8


def test_a_revision_belongs_to_its_result() -> None:
    """One-off results all have n = 0."""
    ge = GraphEval()
    texts = ["The tower was opened in 1899.", "The tower was opened in 1869 in Orsa."]
    first, second = ge.correct_chunk([ge.check(text, context=CONTEXT) for text in texts])
    assert first.revision is not None
    assert second.revision is not None
    assert first.revision.text == "The tower was opened in 1889."
    assert second.revision.text.endswith("in Orsa.")

    def work() -> list[str]:
        judged = [ge.check(text, context=CONTEXT) for text in texts]
        return [result.revision.text for result in ge.correct_chunk(judged) if result.revision]

    assert in_threads(work) == [[first.revision.text, second.revision.text]] * 8


def test_a_graph_eval_is_made_again_in_another_process() -> None:
    settings = Settings.of(extractor="sentences", threshold=0.4, aggregate="rate:0.3", chunk=3)
    for ge in (GraphEval(settings=settings), GraphEval(extractor=whole, checker=Never())):
        copy = pickle.loads(pickle.dumps(ge))  # noqa: S301
        assert copy.settings == ge.settings
        assert copy.plan().describe() == ge.plan().describe()
        assert list(copy.pipe(YEARS)) == list(ge.pipe(YEARS))
    code = pickle.dumps(GraphEval(settings=settings))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(labels, code).result() == labels(code)


def labels(pickled: bytes) -> list[Label | None]:
    ge = pickle.loads(pickled)  # noqa: S301
    return [result.label for result in ge.pipe(YEARS)]


def test_a_threshold_may_be_named_by_the_checker() -> None:
    checker = BuiltinChecker(calibration=Calibration({"entailment": 1.0}, 0.0, {"loose": 0.7}))
    ge = GraphEval(checker=checker, threshold="loose")
    assert ge.settings.threshold == ge.checker.threshold == 0.7
    assert BuiltinChecker(threshold="loose", calibration=checker.calibration).threshold == 0.7
    with pytest.raises(UsageError, match=r"(?s)unknown threshold 'poetry'.*use one of loose"):
        GraphEval(checker=checker, threshold="poetry")
    with pytest.raises(UsageError, match=r"(?s)unknown threshold 'poetry'.*between 0 and 1"):
        GraphEval(checker=Never(), threshold="poetry")
