"""The confidence that a triplet means what its sentence means.

Most errors are errors of the parse. So the confidence is the probability that the triplet is the one which the right
parse would give, by the parser's certainty of its words, times a factor for the rules that guess. The weights were
fitted on the 2,033 triplets of UD English EWT dev, each compared with those of the treebank's own parse
(`training/parser/confidence.py`); the factors are set, not fitted.
"""

from __future__ import annotations

import math

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.tree import Tree

BIAS, LOWEST, MEAN = 2.2, 0.9, 4.9  # of the log certainty of its words
LEAST = 1e-3  # certainty
FACTOR = {
    "fragment": 0.6,
    "topic": 0.7,
    "outer": 0.7,
    "existential-oblique": 0.7,
    "question": 0.9,
    "list": 0.8,
    "pair": 0.8,
    "bracket": 0.8,
}
WITHOUT_PARSE = ("table", "pair", "list", "question")  # rules that read the form of the line
UNPARSED = 0.9
RESOLVED = 0.9
MAX_SLOT_WORDS = 20  # a longer slot is often misread
LONG = 0.8


def confidence(draft: Draft, tree: Tree) -> float:
    """In (0, 1), rounded to 3 digits."""
    parts = (draft.subject, draft.predicate, draft.object)
    parsed = UNPARSED if draft.rule in WITHOUT_PARSE else as_parsed(draft, tree)
    value = parsed * FACTOR.get(draft.rule, 1.0)
    if any(part.resolved for part in parts):
        value *= RESOLVED
    if any(len(part.text.split()) > MAX_SLOT_WORDS for part in parts):
        value *= LONG
    return round(value, 3)


def as_parsed(draft: Draft, tree: Tree) -> float:
    """The probability that the right parse gives the same triplet."""
    logs = log_certainties(draft, tree)
    score = BIAS + LOWEST * min(logs) + MEAN * sum(logs) / len(logs)
    return 1 / (1 + math.exp(-score))


def log_certainties(draft: Draft, tree: Tree) -> list[float]:
    """How certain the parser is of each word of the triplet, at least one number, each at most 0."""
    spans = [span for part in (draft.subject, draft.predicate, draft.object) for span in part.spans]
    words = [word for word in range(tree.size) if any(tree.spans[word].overlaps(span) for span in spans)]
    return [math.log(max(LEAST, tree.certainty[word])) for word in words] or [0.0]
