"""Which words of a text lie in some claim: a sentence left over becomes a claim, so that nothing stays unchecked."""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable

from graph_eval.text.normalise import content_words
from graph_eval.types import Span

COVERED = 0.85  # share of a sentence's content words that its triplets must hold to do without a sentence claim


class Cover:
    """The words of a text that lie in a slot of some triplet."""

    def __init__(self, spans: Iterable[Iterable[Span]]) -> None:
        merged: list[Span] = []
        for span in sorted(span for group in spans for span in group):
            if merged and span.start <= merged[-1].end:
                merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
            else:
                merged.append(span)
        self._merged = merged

    def holds(self, position: int) -> bool:
        index = bisect.bisect_right(self._merged, (position, float("inf"))) - 1
        return index >= 0 and self._merged[index].end > position

    def share(self, text: str, stated: Span, kept: Collection[int] | None = None) -> float:
        """Share of the content words at `stated` that are covered; of its first word if it has none.

        `kept`: places of what counts; the rest was dropped as markup or citation.
        """
        words = [stated.start + span.start for _, span in content_words(stated.of(text))]
        if kept is not None:
            words = [position for position in words if position in kept]
        return sum(map(self.holds, words)) / len(words) if words else float(self.holds(stated.start))
