"""The confidence that a triplet is right: complete, bound to the right words, and asserted by its sentence.

It is a logistic regression on what the parser was sure of, on the form of the triplet, and on how far the NLI model
believes that the text entails it. The model does not read triplets in their own words whose form alone makes them
sure. The weights were fitted on triplets of written answers and of answers of language models that strict readers had
marked one by one (`training/extractor/fit_confidence.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import LIMITS
from graph_eval.extractors.rules.logistic import Logistic
from graph_eval.extractors.rules.tree import Tree

LEAST = 1e-3  # certainty of a word
MAX_DEPTH, MAX_DISORDER = 4, 3
SURE = 0.96  # by form; 2% of such triplets are wrong, and reading them as well moves the AUC from .813 to .844
BY_FORM = ("table", "pair", "list", "question")  # rules that read the form of the line, not its parse


FORM = Logistic(
    3.23,
    {
        "sentence_certainty": 6.7,
        "certainty": 6.0,
        "depth": -0.25,
        "disorder": -0.99,
        "reported": -2.47,
        "resolved_subject": -0.52,
        "resolved_rest": -0.05,
        "by_form": -0.21,
        "limits": 0.13,
        "share": 0.96,
    },
)
BELIEVED = Logistic(
    1.24,
    {
        "sentence_certainty": 6.28,
        "certainty": 4.13,
        "depth": -0.18,
        "disorder": -0.69,
        "reported": -1.97,
        "resolved_subject": 0.18,
        "resolved_rest": 0.32,
        "by_form": -0.61,
        "limits": 0.19,
        "share": 0.42,
        "belief": 0.61,
    },
)


def is_sure(draft: Draft, found: Mapping[str, float]) -> bool:
    """Whether its form makes the draft sure. It says nothing of words that stand elsewhere: what a reference was
    resolved to, or words of the question. Of a cell of a table it says all.

    `found`: its features.
    """
    if draft.rule == "table":
        return True
    return not draft.resolved and draft.rule != "question" and FORM.probability(found) >= SURE


def confidence(found: Mapping[str, float], belief: float | None) -> float:
    """In (0, 1), rounded to 3 digits.

    `found`: the features. `belief`: log odds that the text entails the draft. None: by the features alone.
    """
    p = FORM.probability(found) if belief is None else BELIEVED.probability({**found, "belief": belief})
    return round(p, 3)


def features(draft: Draft, tree: Tree) -> dict[str, float]:
    """By name, in the order of the weights, without the belief.

    sentence_certainty, certainty: mean log certainty of the parser, of all words and of the triplet's, 0 for a rule
    that reads no parse. depth: how many heads lie above its verb. disorder: how often a span stands in front of the
    one before it. reported: its clause is the complement of a verb. resolved_subject, resolved_rest: references were
    resolved. by_form: the form of the line was read. limits: its words that limit what is said ("if", "only", "not").
    share: of the sentence's words.
    """
    parts = (draft.subject, draft.predicate, draft.object)
    spans = [span for part in parts for span in part.spans]
    words = tree.within(spans)
    by_form = draft.rule in BY_FORM
    logs = [0.0 if by_form else math.log(max(LEAST, certainty)) for certainty in tree.certainty]
    starts = [span.start for span in spans]
    verb = _verb(draft, tree)
    return {
        "sentence_certainty": sum(logs) / max(1, len(logs)),
        "certainty": sum(logs[word] for word in words) / max(1, len(words)),
        "depth": float(min(MAX_DEPTH, _depth(tree, verb))),
        "disorder": float(min(MAX_DISORDER, sum(b < a for a, b in pairwise(starts)))),
        "reported": float(tree.relation[verb] == "ccomp"),
        "resolved_subject": float(draft.subject.resolved),
        "resolved_rest": float(draft.predicate.resolved or draft.object.resolved),
        "by_form": float(by_form),
        "limits": math.log1p(sum(tree.lower[word] in LIMITS for word in words)),
        "share": len(words) / max(1, tree.size),
    }


def _verb(draft: Draft, tree: Tree) -> int:
    """The word that heads the clause of the predicate. The root if the predicate has no words."""
    words = tree.within(draft.predicate.spans)
    verbs = [word for word in words if tree.upos[word] in ("VERB", "AUX")]
    head = (verbs or words or [tree.root() or 0])[-1]
    return tree.head[head] if tree.relation[head] in ("cop", "aux", "aux:pass") else head


def _depth(tree: Tree, word: int) -> int:
    depth = 0
    while tree.head[word] != word and depth < MAX_DEPTH:
        word = tree.head[word]
        depth += 1
    return depth
