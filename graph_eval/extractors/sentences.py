"""The sentence baseline: every sentence that states something is a claim."""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.extractors.extractor import Extractor, distinct
from graph_eval.extractors.statement import states_something
from graph_eval.registry import extractor
from graph_eval.text.normalise import readable
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Text


@extractor("sentences")
class SentenceExtractor(Extractor):
    """One sentence claim for each sentence that states something."""

    fingerprint = "sentences-2"

    def extract(self, texts: Sequence[Text]) -> list[list[Claim]]:
        return [sentence_claims(text) for text in texts]


def sentence_claims(text: Text) -> list[Claim]:
    """The sentences in focus that state something, as claims."""
    return distinct(
        [
            Claim.whole(text.id, readable(sentence.span.of(text.text)), sentence.span)
            for sentence in sentences(text.text)
            if text.in_focus(sentence.span) and states_something(sentence.span.of(text.text))
        ]
    )
