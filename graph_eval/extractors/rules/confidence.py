"""The confidence that a triplet means what its sentence means.

Each clause rule has a prior, which is lowered for frequent sources of error. The priors were set by reading triplets
of development texts. They are not fitted.
"""

from __future__ import annotations

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import DEICTIC

PRIOR = {
    "object": 0.9,
    "copula": 0.9,
    "agent": 0.9,
    "oblique": 0.85,
    "apposition": 0.85,
    "copula-oblique": 0.8,
    "complement": 0.8,
    "time": 0.8,
    "question": 0.8,
    "adverb": 0.7,
    "intransitive": 0.7,
    "adverbial": 0.7,
    "reported": 0.7,
    "list": 0.7,
    "pair": 0.7,
    "bracket": 0.7,
    "fragment": 0.5,
    "outer": 0.6,
    "topic": 0.6,
    "existential": 0.5,
    "existential-oblique": 0.5,
}
MAX_SLOT_WORDS = 15  # a longer slot is often misread


def confidence(draft: Draft) -> float:
    """In (0, 1], rounded to 3 digits."""
    value = PRIOR[draft.rule]
    parts = (draft.subject, draft.predicate, draft.object)
    if draft.subject.text.lower() in DEICTIC:
        value *= 0.8  # an unresolved pronoun
    if any(part.resolved for part in parts):
        value *= 0.9
    if any(len(part.text.split()) > MAX_SLOT_WORDS for part in parts):
        value *= 0.7
    return round(value, 3)
