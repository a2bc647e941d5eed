"""Which words of a text its triplets cover. An uncovered sentence becomes a claim itself, so that it is checked too."""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable

from graph_eval.text.normalise import content_words, words
from graph_eval.types import Span

MIN_COVERAGE = 0.85  # share of a sentence's content words; below it the sentence becomes a claim


class Coverage:
    """The characters of a text that lie in a slot of some triplet. `spans`: the spans of each slot."""

    def __init__(self, spans: Iterable[Iterable[Span]]) -> None:
        merged: list[Span] = []
        for span in sorted(span for group in spans for span in group):
            if merged and span.start <= merged[-1].end:
                merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
            else:
                merged.append(span)
        self._merged = merged

    def holds(self, position: int) -> bool:
        """Whether the character at the position is covered."""
        index = bisect.bisect_right(self._merged, (position, float("inf"))) - 1
        return index >= 0 and self._merged[index].end > position

    def leaves_number(self, text: str, stated: Span, kept: Collection[int] | None = None) -> bool:
        """Whether a number in `stated` is not covered: "33 in favour, 5 against". `kept`: as for `share`."""
        places = [stated.start + span.start for word, span in words(stated.of(text)) if word[0].isdigit()]
        return not all(self.holds(place) for place in places if kept is None or place in kept)

    def share(self, text: str, stated: Span, kept: Collection[int] | None = None) -> float:
        """The share of the content words in `stated` whose first character is covered, in [0, 1].

        Without content words: 1.0 if the first character is covered, else 0.0. `kept`: the positions that count. Others
        were dropped as markup or citations.
        """
        places = [stated.start + span.start for _, span in content_words(stated.of(text))]
        if kept is not None:
            places = [place for place in places if place in kept]
        return sum(map(self.holds, places)) / len(places) if places else float(self.holds(stated.start))
