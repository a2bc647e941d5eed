"""How far a triplet can be trusted to mean what its sentence means.

A prior for each clause rule, lowered for what tends to go wrong. The priors were set by reading triplets of
development texts, not fitted.
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
LONG = 15  # words of a slot that no longer reads as one thing


def confidence(draft: Draft) -> float:
    value = PRIOR[draft.rule]
    parts = (draft.subject, draft.predicate, draft.object)
    if draft.subject.text.lower() in DEICTIC:
        value *= 0.8  # a pronoun that was not resolved
    if any(part.resolved for part in parts):
        value *= 0.9
    if any(len(part.text.split()) > LONG for part in parts):
        value *= 0.7
    return round(value, 3)
