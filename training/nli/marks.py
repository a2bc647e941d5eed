"""Which words of a claim are wrong: by comparison with its right version, or by [[ ]] around them."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from graph_eval.text.normalise import words
from graph_eval.types import Span

MARK = re.compile(r"\[\[|\]\]")
MOST_CHANGED = 0.6  # share of words; a text that changed more was written anew


def unmarked(text: str) -> tuple[str, list[Span]]:
    """The text without its [[ ]], and what stood in them as spans. Raises ValueError for marks that are no pairs."""
    parts = MARK.split(text)
    if MARK.findall(text) != ["[[", "]]"] * (len(parts) // 2):
        raise ValueError(f"marks of {text!r}")
    plain, spans = "", []
    for place, part in enumerate(parts):
        if place % 2:
            spans.append(Span(len(plain), len(plain) + len(part)))
        plain += part
    return plain, spans


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
