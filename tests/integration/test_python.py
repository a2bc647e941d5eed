"""The Python interface."""

import threading

import numpy as np
import pytest

import graph_eval
from graph_eval import Claim, GraphEval, Label, Settings, Span
from graph_eval.checkers.builtin import BuiltinChecker
from graph_eval.checkers.calibration import Calibration
from graph_eval.checkers.pairs import PairChecker
from graph_eval.errors import UsageError
from graph_eval.pipeline import default
from graph_eval.types import CheckTask, ItemError, Judgement, Text

CONTEXT = "The tower was opened in 1889."


def test_check_is_a_function_whatever_was_imported_first() -> None:
    assert graph_eval.check("The tower was opened in 1889.", context=CONTEXT).label is Label.ENTAILMENT
    import graph_eval.checkers.pairs as room

    assert room.PairChecker is PairChecker
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
    assert ge.fingerprints["extractor"].endswith("whole")


def test_an_extractor_that_breaks_gives_an_item_error() -> None:
    results = list(
        GraphEval(extractor=whole, checker=Never()).pipe([{"response": r, "context": "c"} for r in ("break", "ok")])
    )
    assert results[0].error is not None
    assert results[0].error.stage == "extract"
    assert results[0].label is None
    assert results[1].error is None


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
    assert partly.error.message == "1 of 1 claims could not be judged"
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


def test_threads_share_one_instance() -> None:
    found: list[Label | None] = []

    def work() -> None:
        found.append(default().check("The tower was opened in 1899.", context=CONTEXT).label)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Label.CONTRADICTION] * 8


def test_a_threshold_may_be_named_by_the_checker() -> None:
    checker = BuiltinChecker(calibration=Calibration({"entailment": 1.0}, 0.0, 0.5, {"loose": 0.7}))
    ge = GraphEval(checker=checker, threshold="loose")
    assert ge.settings.threshold == ge.checker.threshold == 0.7
    assert BuiltinChecker(threshold="loose", calibration=checker.calibration).threshold == 0.7
    with pytest.raises(UsageError, match=r"(?s)unknown threshold 'poetry'.*give one of loose"):
        GraphEval(checker=checker, threshold="poetry")
    with pytest.raises(UsageError, match=r"(?s)unknown threshold 'poetry'.*between 0 and 1"):
        GraphEval(checker=Never(), threshold="poetry")
