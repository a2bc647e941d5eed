"""Every extractor keeps the same promises."""

import json
from collections.abc import Sequence

import pytest

from graph_eval import registry
from graph_eval.extractors.statements import states_something
from graph_eval.extractors.extractor import FunctionExtractor
from graph_eval.extractors.llm import LLMExtractor
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, ItemError, Kind, Span, Text
from tests.models import claims_of, fenced

TEXTS = [
    "Marie Curie was born in Warsaw in 1867. She won the Nobel Prize in Physics in 1903, and she shared it.",
    "the us were beaten 3-2 as williams and riske were thrashed 6-0 6-3 by errani and pennetta .",
    'Ingredients:\n- 500 g of flour\n- **7 g** of dry yeast [1]\n\nHe said: "I Have a Dream" is famous.',
    "Eleanor Arnason (born 1945) is a writer. Her novel (1991) won the prize.",
    "Key: value\n1. First (53%)\n2. Second (13%)",
    "😀 Émile Zola's\u00a0book\u2028was  published.\tIt sold.",
    "مرحبا بالعالم. שלום עולם.",
    "x" * 5000,
    "(" * 400 + "he ran" + ")" * 400,
    "MATCH (n) DETACH DELETE n; <script>alert(1)</script> {{ 7*7 }} %s",
    "a\x00b was here. \x1b[31mRed\x1b[0m is a colour.",
    "",
    "   ",
    "...",
]


def whole(text: Text) -> list[Claim]:
    return [Claim.whole(text.id, text.text, Span(0, len(text.text)))] if text.text.strip() else []


def scripted(prompt: str) -> str:
    """A model that makes a triple of every sentence's words, or none where there are too few."""
    return json.dumps(claims_of(dict(fenced(prompt))["text"]))


EXTRACTORS = {
    **{name: registry.create("extractor", name) for name in ("rules", "sentences", "subsentences", "response")},
    "function": FunctionExtractor(whole),
    "llm": LLMExtractor(scripted),
}


@pytest.fixture(params=sorted(EXTRACTORS))
def extractor(request: pytest.FixtureRequest) -> object:
    return EXTRACTORS[request.param]


def extract(extractor: object, texts: Sequence[Text]) -> list[list[Claim]]:
    found = extractor.extract(texts)  # type: ignore[attr-defined]
    assert not any(isinstance(item, ItemError) for item in found), found
    return found


def test_one_list_a_text_in_order(extractor: object) -> None:
    texts = [Text(str(n), text) for n, text in enumerate(TEXTS)]
    for text, claims in zip(texts, extract(extractor, texts), strict=True):
        assert all(claim.text_id == text.id for claim in claims)


def test_spans_lie_in_the_text_and_literal_slots_are_its_words(extractor: object) -> None:
    texts = [Text(str(n), text) for n, text in enumerate(TEXTS)]
    for text, claims in zip(texts, extract(extractor, texts), strict=True):
        for claim in claims:
            assert all(0 <= span.start < span.end <= len(text.text) for span in [claim.sentence, *claim.spans])
            for slot in claim.slots:
                if not (slot.resolved or slot.inferred):
                    assert slot.verbatim(text.text) == slot.text


def test_ids_are_distinct_and_texts_are_not_empty(extractor: object) -> None:
    for claims in extract(extractor, [Text(str(n), text) for n, text in enumerate(TEXTS)]):
        assert len({claim.id for claim in claims}) == len(claims)
        assert all(claim.text.strip() for claim in claims)
        assert all(0.0 < claim.confidence <= 1.0 for claim in claims)


def test_alone_or_in_a_batch_the_claims_are_the_same(extractor: object) -> None:
    texts = [Text(str(n), text) for n, text in enumerate(TEXTS)]
    assert extract(extractor, texts) == [extract(extractor, [text])[0] for text in texts]


def test_no_text_no_claims(extractor: object) -> None:
    assert extract(extractor, []) == []
    assert extract(extractor, [Text("t", ""), Text("t", "  \n")]) == [[], []]


def test_a_fingerprint_is_stable(extractor: object) -> None:
    assert extractor.fingerprint == extractor.fingerprint  # type: ignore[attr-defined]
    assert isinstance(extractor.fingerprint, str)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["rules", "sentences", "subsentences", "llm"])
def test_focus_limits_the_claims_not_the_reading(name: str) -> None:
    text = "Ada Lovelace was a mathematician. She wrote notes on the engine."
    focus = (Span(34, 40),)
    claims = extract(EXTRACTORS[name], [Text("t", text, focus=focus)])[0]
    assert claims
    assert all(claim.sentence.start >= 34 for claim in claims)
    if name == "rules":
        assert claims[0].subject is not None
        assert claims[0].subject.text == "Ada Lovelace"


@pytest.mark.parametrize("name", ["rules", "sentences", "subsentences", "llm"])
@pytest.mark.parametrize("text", [text for text in TEXTS if text.strip()])
def test_every_sentence_that_states_something_has_a_claim(name: str, text: str) -> None:
    claims = extract(EXTRACTORS[name], [Text("t", text)])[0]
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
    assert extract(EXTRACTORS[name], [Text("t", text)])[0] == []


@pytest.mark.parametrize(
    "text", ["I do not eat meat.", "Sorry is a board game by Hasbro.", "The text was written in 1990."]
)
def test_what_only_looks_like_a_refusal_is_a_claim(text: str) -> None:
    assert states_something(text)


def test_one_bad_text_never_stops_the_others() -> None:
    good, bad = Text("good", "It ran."), Text("bad", None)  # type: ignore[arg-type]
    for name in ("rules", "sentences", "subsentences", "llm"):
        found = EXTRACTORS[name].extract([bad, good])
        assert isinstance(found[0], ItemError)
        assert isinstance(found[1], list)
        assert found[1]
        assert found[1][0].kind in (Kind.TRIPLET, Kind.SENTENCE)
