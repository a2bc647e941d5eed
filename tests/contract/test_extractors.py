"""Every extractor keeps the same contract. What only some of them guarantee is tested below it."""

import json
import pickle
import re
from collections.abc import Sequence

import pytest

from graph_eval import registry
from graph_eval.extractors.extractor import Extractor, ForeignExtractor, FunctionExtractor, as_extractor
from graph_eval.extractors.llm import LLMExtractor
from graph_eval.extractors.statement import states_something
from graph_eval.isolation import isolated
from graph_eval.testing.extractors import TEXTS as CONTRACT_TEXTS
from graph_eval.testing.extractors import ExtractorContract, claims_of
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, ItemError, Kind, Span, Text
from tests import models

TEXTS = (*CONTRACT_TEXTS, "MATCH (n) DETACH DELETE n; <script>alert(1)</script> {{ 7*7 }} %s")


def whole(text: Text) -> list[Claim]:
    return [Claim.whole(text.id, text.text, Span(0, len(text.text)))] if text.text.strip() else []


def scripted(prompt: str) -> str:
    """A model that makes a triple of every sentence's words, or none where there are too few."""
    return json.dumps(models.claims_of(dict(models.fenced(prompt))["text"]))


class Lines:
    """An extractor of a user: an object with `extract`, and no class of ours."""

    def extract(self, texts: Sequence[Text]) -> list[list[Claim]]:
        return [whole(text) for text in texts]


EXTRACTORS: dict[str, Extractor] = {
    **{name: registry.create("extractor", name) for name in ("rules", "sentences", "subsentences", "response")},
    "function": as_extractor(whole),
    "object": as_extractor(Lines()),
    "llm": LLMExtractor(scripted),
}


class TestExtractors(ExtractorContract):
    inputs = TEXTS

    @pytest.fixture(params=sorted(EXTRACTORS))
    def extractor(self, request: pytest.FixtureRequest) -> Extractor:
        return EXTRACTORS[request.param]


def test_every_extractor_of_the_package_is_tested() -> None:
    assert set(registry.parts("extractor")) <= set(EXTRACTORS)
    assert isinstance(EXTRACTORS["function"], FunctionExtractor)
    assert isinstance(EXTRACTORS["object"], ForeignExtractor)


@pytest.mark.parametrize("name", sorted(EXTRACTORS))
def test_a_pickled_extractor_extracts_the_same(name: str) -> None:
    texts = [Text(str(n), text) for n, text in enumerate(TEXTS)]
    again = pickle.loads(pickle.dumps(EXTRACTORS[name]))  # noqa: S301
    assert again.fingerprint == EXTRACTORS[name].fingerprint
    assert claims_of(again, texts) == claims_of(EXTRACTORS[name], texts)


@pytest.mark.parametrize("name", ["rules", "sentences", "subsentences", "llm"])
def test_focus_limits_the_claims_not_the_reading(name: str) -> None:
    text = "Ada Lovelace was a mathematician. She wrote notes on the engine."
    focus = (Span(34, 40),)
    claims = claims_of(EXTRACTORS[name], [Text("t", text, focus=focus)])[0]
    assert claims
    assert all(claim.sentence.start >= 34 for claim in claims)
    if name == "rules":
        assert claims[0].subject is not None
        assert claims[0].subject.text == "Ada Lovelace"


@pytest.mark.parametrize("name", ["rules", "sentences", "subsentences", "llm"])
@pytest.mark.parametrize("text", [text for text in TEXTS if text.strip()])
def test_every_sentence_that_states_something_has_a_claim(name: str, text: str) -> None:
    claims = claims_of(EXTRACTORS[name], [Text("t", text)])[0]
    words = [span for claim in claims for span in [claim.sentence, *claim.spans]]
    for sentence in sentences(text):
        if states_something(sentence.span.of(text)):
            assert any(span.overlaps(sentence.span) for span in words), sentence.span.of(text)


@pytest.mark.parametrize("name", ["rules", "sentences", "subsentences"])
@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I cannot answer that.",
        "Sure! I hope this helps. Let me know if you need anything else.",
        "As an AI, I do not have opinions.",
        "The context does not mention who won.",
        "Who won the prize?",
    ],
)
def test_refusals_and_questions_claim_nothing(name: str, text: str) -> None:
    assert claims_of(EXTRACTORS[name], [Text("t", text)])[0] == []


@pytest.mark.parametrize(
    "text", ["I do not eat meat.", "Sorry is a board game by Hasbro.", "The text was written in 1990."]
)
def test_what_only_looks_like_a_refusal_is_a_claim(text: str) -> None:
    assert states_something(text)


def test_one_bad_text_never_stops_the_others() -> None:
    good, bad = Text("good", "It ran."), Text("bad", None)  # type: ignore[arg-type]
    for name in ("rules", "sentences", "subsentences", "llm"):
        error, claims = isolated("extract", [bad, good], EXTRACTORS[name].extract)
        assert isinstance(error, ItemError)
        assert error.stage == "extract"
        assert error.message.startswith("TypeError: ")
        assert re.search(r" \(\S+\.py, line \d+\)$", error.message), error.message
        assert error.traceback
        assert "graph_eval/extractors/" in error.traceback
        assert error.traceback.splitlines()[-1].startswith("TypeError: ")
        assert isinstance(claims, list)
        assert claims
        assert claims[0].kind in (Kind.TRIPLET, Kind.SENTENCE)
