"""The part of long evidence that is worth showing."""

from __future__ import annotations

from graph_eval.types import Evidence, Span

LONGEST = 240  # characters of an excerpt, give or take a word
LONGEST_WORD = 40  # a longer one may be cut


def excerpt(text: str, evidence: Evidence, longest: int = LONGEST) -> Span:
    """The evidence in its passage. Of long evidence the part with most of the words that the claim was located at."""
    start, end = evidence.span
    if end - start <= longest:
        return evidence.span
    places = sorted(span for location in evidence.locations for span in location.spans if span.overlaps(evidence.span))
    windows = [(max(start, min(span.start - longest // 4, end - longest)), span) for span in places]
    covered = {
        first: sum(first <= span.start and span.end <= first + longest for span in places) for first, _ in windows
    }
    first = max(covered, key=lambda place: (covered[place], -place), default=start)
    # Whole words, where the text has words.
    first = next(
        (place for place in range(first, max(start, first - LONGEST_WORD), -1) if text[place - 1].isspace()), first
    )
    last = min(end, first + longest)
    unbroken = end if end - last <= LONGEST_WORD else last
    last = next((place for place in range(last, min(end, last + LONGEST_WORD)) if text[place].isspace()), unbroken)
    return Span(first, last)
