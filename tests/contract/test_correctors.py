"""Every corrector keeps the promises of the contract."""

import json
import multiprocessing
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pytest

from graph_eval.correctors.builtin import BuiltinCorrector
from graph_eval.correctors.corrector import Corrector, as_corrector
from graph_eval.correctors.llm import DirectCorrector, GraphCorrector, LLMCorrector, parts_of
from graph_eval.isolation import isolated
from graph_eval.testing.correctors import CorrectorContract, assert_same, propose, tasks
from graph_eval.types import CorrectTask, ItemError, Proposal, SlotProposal, Unsupported
from tests.models import fenced


def corrected(text: str) -> str:
    return text.replace("1899", "1889").replace("83", "38").replace("Greta", "Marta")


def scripted(prompt: str) -> str:
    """A model that knows three facts."""
    parts = dict(fenced(prompt))
    if "text" in parts:
        return corrected(parts["text"])
    return json.dumps([corrected(text) for name, text in parts.items() if name.startswith("part")])


class KnowingObject:
    """What a user may hand over: an object with `propose` and nothing else."""

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal]]:
        return [[SlotProposal(tuple(map(corrected, parts_of(task.claim))))] for task in tasks]


class SilentObject:
    """It corrects nothing."""

    fingerprint = "silent-1"

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal]]:
        return [[Unsupported()] for _ in tasks]


CORRECTORS: dict[str, Callable[[], Corrector]] = {
    "builtin": BuiltinCorrector,
    "llm": lambda: LLMCorrector(scripted),
    "graphcorrect": lambda: GraphCorrector(scripted),
    "direct": lambda: DirectCorrector(scripted),
    "object": lambda: as_corrector(KnowingObject()),
}


class TestCorrectors(CorrectorContract):
    @pytest.fixture(params=sorted(CORRECTORS))
    def corrector(self, request: pytest.FixtureRequest) -> Corrector:
        return CORRECTORS[request.param]()

    def test_a_bad_task_has_an_error_of_its_own(self, corrector: Corrector) -> None:
        good = tasks()[0]
        bad = replace(good, text=None, claim=None)  # type: ignore[arg-type]
        before, failed, after = isolated("correct", [good, bad, good], corrector.propose)
        assert isinstance(failed, ItemError)
        assert failed.stage == "correct"
        assert before == after


class TestSilentObject(CorrectorContract):
    corrects = False

    @pytest.fixture
    def corrector(self) -> Corrector:
        return as_corrector(SilentObject())


def test_a_copy_of_the_builtin_corrector_proposes_the_same() -> None:
    """Its sessions and locks stay behind. The copy loads its weights itself."""
    batch = tasks()[:6]
    corrector = BuiltinCorrector(threads=1)
    expected = propose(corrector, batch)
    copy = pickle.loads(pickle.dumps(corrector))  # noqa: S301
    assert isinstance(copy, BuiltinCorrector)
    assert copy.fingerprint == corrector.fingerprint
    for one, other in zip(propose(copy, batch), expected, strict=True):
        assert_same(one, other)


def test_the_builtin_corrector_works_in_another_process() -> None:
    batch = tasks()[:6]
    corrector = BuiltinCorrector(threads=1)
    expected = propose(corrector, batch)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        proposals = pool.submit(corrector.propose, batch).result(timeout=120)
    for one, other in zip(proposals, expected, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("part", ["not mentioned in the context", "N/A", "null", "unknown", "(not in the passages)"])
def test_a_part_that_says_that_nothing_is_known_is_no_correction(part: str) -> None:
    task = tasks()[0]
    answer = json.dumps([*parts_of(task.claim)[:-1], part])
    assert LLMCorrector(lambda _: answer).propose([task]) == [[Unsupported()]]
