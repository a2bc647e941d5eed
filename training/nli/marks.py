"""Which words of a claim are wrong: by comparison with its right version."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from graph_eval.text.normalise import words
from graph_eval.types import Span

MOST_CHANGED = 0.6  # share of words; a text that changed more was written anew


def changed(right: str, wrong: str) -> list[Span] | None:
    """The words of `wrong` that `right` has not, as spans. None: only words were left out, or nearly all are others."""
    before, after = words(right), words(wrong)
    steps = SequenceMatcher(
        None, [word for word, _ in before], [word for word, _ in after], autojunk=False
    ).get_opcodes()
    runs = [(first, last) for step, _, _, first, last in steps if step != "equal" and last > first]
    if not runs or sum(last - first for first, last in runs) > MOST_CHANGED * len(after):
        return None
    return [Span(after[first][1].start, after[last - 1][1].end) for first, last in runs]


def marked(rows: Sequence[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Rows of a claim and its near misses with their "w"; the first is the claim that the misses were made from."""
    right = str(rows[0]["h"])
    for row in rows:
        spans = [] if row["l"] == 0 else changed(right, str(row["h"]))
        yield row if spans is None else row | {"w": spans}
