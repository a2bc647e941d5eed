"""The sentence baseline: every sentence that states something is a claim."""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.chunks import isolated
from graph_eval.extractors.asserting import states_something
from graph_eval.extractors.extractor import distinct, failed
from graph_eval.text.normalise import readable
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, ItemError, Text


class SentenceExtractor:
    fingerprint = "sentences-1"

    def extract(self, texts: Sequence[Text]) -> list[list[Claim] | ItemError]:
        return isolated(texts, lambda batch: [sentence_claims(text) for text in batch], failed)


def sentence_claims(text: Text) -> list[Claim]:
    return distinct(
        [
            Claim.whole(text.id, readable(sentence.span.of(text.text)), sentence.span)
            for sentence in sentences(text.text)
            if text.in_focus(sentence.span) and states_something(sentence.span.of(text.text))
        ]
    )
