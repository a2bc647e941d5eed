"""The contract of an extractor as tests. Subclass it in a test file of your own and provide the extractor:

    import pytest
    from graph_eval.testing.extractors import ExtractorContract

    class TestLineExtractor(ExtractorContract):
        @pytest.fixture
        def extractor(self):
            return LineExtractor()

pytest then runs every test of the contract on it. An object or a function is made an extractor by
`graph_eval.extractors.extractor.as_extractor`. A fixture with `params` tests several extractors.
"""
# ruff: noqa: S101

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph_eval.extractors.extractor import Extractor
from graph_eval.isolation import isolated
from graph_eval.types import Claim, ItemError, Text

THREADS = 4
TEXTS = (
    "Marie Curie was born in Warsaw in 1867. She won the Nobel Prize in Physics in 1903, and she shared it.",
    "the us were beaten 3-2 as williams and riske were thrashed 6-0 6-3 by errani and pennetta .",
    'Ingredients:\n- 500 g of flour\n- **7 g** of dry yeast [1]\n\nHe said: "I Have a Dream" is famous.',
    "Eleanor Arnason (born 1945) is a writer. Her novel (1991) won the prize.",
    "Key: value\n1. First (53%)\n2. Second (13%)",
    "😀 Émile Zola's\u00a0book\u2028was  published.\tIt sold.",
    "مرحبا بالعالم. שלום עולם.",
    "x" * 5000,
    "(" * 400 + "he ran" + ")" * 400,
    "'; DROP TABLE claims; -- <script>alert(1)</script> {{ 7*7 }} %s",
    "a\x00b was here. \x1b[31mRed\x1b[0m is a colour.",
    "",
    "   ",
    "...",
)


def claims_of(extractor: Extractor, texts: Sequence[Text]) -> list[list[Claim]]:
    """The claims of each text. Fails the test if a text has an error instead."""
    claims: list[list[Claim]] = []
    for text, outcome in zip(texts, extractor.extract(texts), strict=True):
        assert not isinstance(outcome, ItemError), f"text {text.id!r} failed: {outcome}"
        claims.append(list(outcome))
    return claims


class ExtractorContract:
    """The contract of extractors. `inputs`: the texts of the tests, also unusual ones.

    `bad`: a text on which `extract` raises, or for which it returns an ItemError.
    """

    inputs: Sequence[str] = TEXTS
    bad = Text("bad", None)  # type: ignore[arg-type]

    @pytest.fixture
    def extractor(self) -> Extractor:
        """The extractor under test."""
        raise NotImplementedError(f"{type(self).__name__} needs a fixture named extractor")

    @pytest.fixture
    def texts(self) -> list[Text]:
        """The inputs as texts with the ids "0", "1", ..."""
        return [Text(str(n), text) for n, text in enumerate(self.inputs)]

    def test_there_is_one_list_of_claims_for_each_text_in_order(self, extractor: Extractor, texts: list[Text]) -> None:
        for text, claims in zip(texts, claims_of(extractor, texts), strict=True):
            for claim in claims:
                assert claim.text_id == text.id, f"claim {claim.text!r} of text {text.id} names text {claim.text_id}"

    def test_spans_lie_in_the_text(self, extractor: Extractor, texts: list[Text]) -> None:
        for text, claims in zip(texts, claims_of(extractor, texts), strict=True):
            for claim in claims:
                for span in [claim.sentence, *claim.spans]:
                    assert 0 <= span.start < span.end <= len(text.text), f"{span} of claim {claim.text!r}"

    def test_slots_are_words_of_the_text(self, extractor: Extractor, texts: list[Text]) -> None:
        for text, claims in zip(texts, claims_of(extractor, texts), strict=True):
            for slot in (slot for claim in claims for slot in claim.slots):
                if not (slot.resolved or slot.inferred):
                    words = slot.verbatim(text.text)
                    # A capital letter that only begins the sentence is no part of the slot.
                    assert words.lower() == slot.text.lower(), f"slot {slot.text!r} has spans of {words!r}"

    def test_ids_are_distinct(self, extractor: Extractor, texts: list[Text]) -> None:
        for text, claims in zip(texts, claims_of(extractor, texts), strict=True):
            assert len({claim.id for claim in claims}) == len(claims), f"text {text.id} has claims of the same id"

    def test_claims_have_words_and_a_confidence(self, extractor: Extractor, texts: list[Text]) -> None:
        for claim in (claim for claims in claims_of(extractor, texts) for claim in claims):
            assert claim.text.strip(), f"claim {claim.id} is empty"
            assert 0.0 < claim.confidence <= 1.0, f"claim {claim.text!r} has confidence {claim.confidence}"

    def test_a_text_alone_has_the_claims_that_it_has_in_a_batch(self, extractor: Extractor, texts: list[Text]) -> None:
        for text, claims in zip(texts, claims_of(extractor, texts), strict=True):
            assert claims_of(extractor, [text]) == [claims], f"text {text.id} has other claims alone"

    def test_no_text_has_no_claims(self, extractor: Extractor) -> None:
        assert claims_of(extractor, []) == []
        assert claims_of(extractor, [Text("a", ""), Text("b", "  \n")]) == [[], []]

    def test_the_fingerprint_is_stable(self, extractor: Extractor, texts: list[Text]) -> None:
        fingerprint = extractor.fingerprint
        assert isinstance(fingerprint, str)
        assert fingerprint, "the fingerprint is empty"
        extractor.extract(texts)
        assert extractor.fingerprint == fingerprint, "extract changed the fingerprint"

    def test_threads_share_the_extractor(self, extractor: Extractor, texts: list[Text]) -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            outcomes = list(pool.map(lambda _: claims_of(extractor, texts), range(THREADS)))
        expected = claims_of(extractor, texts)
        assert all(claims == expected for claims in outcomes), f"{THREADS} threads got different claims"

    def test_a_text_that_raises_fails_alone(self, extractor: Extractor) -> None:
        before, after = Text("before", "Marie Curie was born in Warsaw."), Text("after", "She won a prize in 1903.")
        outcomes = isolated("extract", [before, self.bad, after], extractor.extract)
        assert isinstance(outcomes[1], ItemError), "extract returned claims of a text that is not a string"
        assert [outcomes[0], outcomes[2]] == claims_of(extractor, [before, after])
