"""The response as one claim: the baseline of a checker without a graph (GraphEval, arXiv 2407.10793, table 2)."""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.extractors.extractor import Extractor
from graph_eval.registry import extractor
from graph_eval.text.normalise import readable
from graph_eval.types import Claim, Span, Text


@extractor("response")
class ResponseExtractor(Extractor):
    """One sentence claim that spans the whole text. A text without a letter or digit has no claim."""

    fingerprint = "whole-1"

    def extract(self, texts: Sequence[Text]) -> list[list[Claim]]:
        return [self._claims(text) for text in texts]

    @staticmethod
    def _claims(text: Text) -> list[Claim]:
        stripped = text.text.strip()
        if not any(character.isalnum() for character in stripped):
            return []
        start = text.text.index(stripped)
        return [Claim.whole(text.id, readable(stripped), Span(start, start + len(stripped)))]
