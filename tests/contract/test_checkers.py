"""Every checker that runs without torch keeps the promises of checkers, every scorer those of scorers."""

import json
import pickle
import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from graph_eval import registry
from graph_eval.checkers.cascade import CascadeChecker
from graph_eval.checkers.checker import Checker, PairScorer
from graph_eval.checkers.ensemble import EnsembleChecker
from graph_eval.checkers.llm import LLMChecker
from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.pairs import PairChecker
from graph_eval.checkers.profile import FittedOn, Profile, ProfileChecker
from graph_eval.checkers.threshold import ThresholdChecker, as_checker
from graph_eval.checkers.windows import WindowSelector
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.resources import folder
from graph_eval.settings import DECLARED, Ensemble
from graph_eval.testing.checkers import (
    PAIRS,
    PASSAGES,
    CheckerContract,
    PairScorerContract,
    checked,
    probabilities,
    task,
    tasks,
)
from graph_eval.types import CheckTask, Judgement, Label, Scores
from tests.models import fenced, verdict


class LengthScorer:
    """The smallest scorer that fits the protocol: the longer the premise, the more it entails."""

    fingerprint = "length"
    max_tokens = 512

    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        entailment = np.array([min(len(premise), 400) / 400 for premise, _ in pairs])
        return np.stack([entailment, 1 - entailment, np.zeros(len(pairs))], axis=1)


class WordChecker:
    """A user's object with `check` and nothing that is optional, but the name of its rules."""

    fingerprint = "word-1"

    def check(self, to_check: Sequence[CheckTask]) -> list[list[Judgement]]:
        return [[self.judgement(task, claim.id, claim.text) for claim in task.claims] for task in to_check]

    def judgement(self, task: CheckTask, claim_id: str, text: str) -> Judgement:
        (windows,) = WindowSelector((1,)).select(task.passages, [text])
        first_word = text.split()[0]
        scored = [
            (window, Scores(*((0.9, 0.1) if first_word in window.text else (0.1, 0.9)), 0.0)) for window in windows
        ]
        return judgement_from(claim_id, scored, 0.5)


def scripted(prompt: str) -> str:
    """A model that calls a claim entailed if a passage holds all its longer words."""
    parts = fenced(prompt)
    passages = [text for name, text in parts if name.startswith("passage")]
    claims = [(name.removeprefix("claim").strip(), text) for name, text in parts if name.startswith("claim")]
    if claims[0][0] == "":
        return verdict(claims[0][1], passages)
    return json.dumps({name: verdict(text, passages) for name, text in claims})


BUILTIN = registry.create("checker", "builtin")
PROFILE = Profile(FittedOn("builtin", BUILTIN.fingerprint), None, 0.7, -0.4, {"warn": 0.3, "block": 0.8})
PAIRWISE = PairChecker(LengthScorer())
JOINT = LLMChecker(scripted)
CHECKERS: dict[str, Checker] = {
    "builtin": BUILTIN,
    "builtin, threshold 0.3": ThresholdChecker(BUILTIN, 0.3),
    "builtin, profile": ProfileChecker(BUILTIN, PROFILE),
    "builtin, profile, threshold 0.3": ThresholdChecker(ProfileChecker(BUILTIN, PROFILE), 0.3),
    "pairs": PAIRWISE,
    "onnx": registry.create("checker", f"onnx:{folder('weights/nli')}"),
    "llm joint": JOINT,
    "llm single": LLMChecker(scripted, "single"),
    **{f"ensemble {rule}": EnsembleChecker([PAIRWISE, JOINT], rule) for rule in get_args(Ensemble)},
    "ensemble with the builtin one": EnsembleChecker([BUILTIN, JOINT]),
    "cascade": CascadeChecker([BUILTIN, JOINT]),
    "a user's object": as_checker(WordChecker()),
    "a user's scorer": as_checker(LengthScorer(), 0.3),
}
SCORERS: dict[str, PairScorer] = {"length": LengthScorer(), "onnx": OnnxScorer(folder("weights/nli"))}


class TestCheckers(CheckerContract):
    @pytest.fixture(params=CHECKERS)
    def checker(self, request: pytest.FixtureRequest) -> Checker:
        return CHECKERS[request.param]

    def test_a_pickled_copy_judges_the_same(self, checker: Checker) -> None:
        checked(checker, tasks()[:1])  # what is loaded now is not copied
        data = pickle.dumps(checker)
        assert len(data) < 10_000
        copy = pickle.loads(data)  # noqa: S301
        assert copy.fingerprint == checker.fingerprint
        assert copy.threshold == checker.threshold
        assert probabilities(checked(copy, tasks())) == probabilities(checked(checker, tasks()))


class TestScorers(PairScorerContract):
    @pytest.fixture(params=SCORERS)
    def scorer(self, request: pytest.FixtureRequest) -> PairScorer:
        return SCORERS[request.param]

    def test_a_pickled_copy_scores_the_same(self, scorer: PairScorer) -> None:
        expected = scorer.score(PAIRS)
        copy = pickle.loads(pickle.dumps(scorer))  # noqa: S301
        assert copy.fingerprint == scorer.fingerprint
        assert (copy.score(PAIRS) == expected).all()


def test_a_checker_that_is_loaded_by_eight_threads_at_once() -> None:
    CheckerContract().test_one_checker_gives_equal_judgements_in_eight_threads(registry.create("checker", "builtin"))


def test_a_pickled_checker_of_a_model_makes_its_client_from_the_models_name() -> None:
    pytest.importorskip("litellm")
    ensemble = registry.create("checker", "ensemble:builtin+llm:openai/gpt-4o-mini")
    copy = pickle.loads(pickle.dumps(ensemble))  # noqa: S301
    assert copy.fingerprint == ensemble.fingerprint
    assert copy.models[0].name == "openai/gpt-4o-mini"


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("The lighthouse was built in 1861.", Label.ENTAILMENT),
        ("The lamp became automatic in 1979.", Label.ENTAILMENT),
        ("The lighthouse is 48 metres tall.", Label.CONTRADICTION),
        ("The keeper had three children.", Label.NEUTRAL),
    ],
)
def test_the_builtin_checker_tells_supported_claims_from_others(claim: str, label: Label) -> None:
    (judgement,) = checked(BUILTIN, [task("t", [claim], PASSAGES[:1])])[0]
    assert (judgement.label is Label.ENTAILMENT) is (label is Label.ENTAILMENT)


def test_every_declared_checker_reads_settings_that_exist() -> None:
    for name, part in registry.parts("checker").items():
        reads = part.factory.__self__.reads  # type: ignore[attr-defined]
        assert set(reads) <= set(DECLARED), name
        assert len(set(reads)) == len(reads), name


def test_the_declared_checkers_are_those_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checkers.md").read_text("utf-8")
    table = page.split("| `--checker` | |\n")[1].split("\n\n")[0]
    names = {
        name for row in table.splitlines() for name in re.findall(r"`([a-z0-9.-]+)(?::[A-Z+>]+)?`", row.split("|")[1])
    }
    assert names | {"builtin"} == set(registry.parts("checker"))
    written = {
        (name, argument)
        for row in table.splitlines()
        for name, argument in re.findall(r"`([a-z0-9.-]+):([A-Z+>]+)`", row.split("|")[1])
    }
    required = {
        (name, part.argument)
        for name, part in registry.parts("checker").items()
        if part.argument and not part.argument.startswith("[")
    }
    assert written == required


def test_the_declared_checkers_have_examples_that_fit_and_known_extras() -> None:
    for name, part in registry.parts("checker").items():
        assert part.name == name
        module = part.factory.__self__.__module__  # type: ignore[attr-defined]
        assert part.extra == ("hf" if ".checkers.hf." in module else "llm" if name == "llm" else None)
        if part.argument is not None and not part.argument.startswith("["):
            assert part.example is not None
            assert part.example.startswith(f"{name}:")
