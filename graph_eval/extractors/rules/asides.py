"""Claims from outside the clauses: appositions and brackets."""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.extractors.rules.coreference import Discourse
from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.phrases import function_phrase, inferred, noun_words, phrase
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.wording import IS, bracket_predicate

LIFE_EVENTS = frozenset({"born", "died", "founded", "established", "formed", "released", "published"})


def appositions(tree: Tree, discourse: Discourse) -> list[Draft]:
    """Of two phrases in apposition ("Jorge Jesus, the manager") the second describes the first."""
    drafts = []
    for word in range(tree.size):
        head = tree.head[word]
        if tree.upos[word] not in NOMINAL or tree.upos[head] not in NOMINAL:
            continue
        below = tree.subtree(word)
        if tree.relation[word] == "appos:bracket":
            named = tree.upos[word] == "PROPN" or tree.has(word, "det") or tree.words[below[0]][:1].isupper()
            digits = any(character.isdigit() for character in tree.words[word])
            if len(below) < 2 or tree.xpos[word] == "CD" or digits or not named:
                continue
        elif tree.relation[word] != "appos":
            continue
        first = phrase(tree, [other for other in noun_words(tree, head) if other not in below])
        second = phrase(tree, noun_words(tree, word))
        if first.text and second.text and first.text != second.text:
            drafts.append(Draft(discourse.resolve(tree, head, first), inferred(IS), second, "apposition"))
    return drafts


def brackets(tree: Tree, discourse: Discourse, drafts: Sequence[Draft]) -> list[Draft]:
    """Words in brackets describe the phrase before them: "Eleanor Arnason (born 1945)".

    `drafts`: the triplets of the sentence so far. Brackets whose words are the object of one give no second claim.
    """
    asides = []
    for opened in range(1, tree.size):
        if tree.words[opened] != "(" or tree.upos[opened - 1] not in (*NOMINAL, "NUM", "X"):
            continue
        closed = next((word for word in range(opened + 1, tree.size) if tree.words[word] == ")"), None)
        if closed is None or closed == opened + 1:
            continue
        head = _head_before(tree, opened)
        inside = list(range(opened + 1, closed))
        named = [word for word in noun_words(tree, head) if word < opened]
        subject = discourse.resolve(tree, head, phrase(tree, named))
        acronym = len(inside) == 1 and tree.words[inside[0]].isupper()
        aside = tree.upos[inside[0]] in ("ADP", "SCONJ", "VERB") and tree.lower[inside[0]] not in LIFE_EVENTS
        if not subject.text or acronym or aside or _is_claimed(tree, inside, drafts):
            continue
        if tree.lower[inside[0]] in LIFE_EVENTS and len(inside) > 1:
            asides.append(Draft(subject, function_phrase(tree, inside[:1]), phrase(tree, inside[1:]), "bracket"))
        else:
            content = phrase(tree, inside)
            asides.append(Draft(subject, inferred(bracket_predicate(content.text)), content, "bracket"))
    return asides


def _head_before(tree: Tree, opened: int) -> int:
    """The head of the nominal that ends right before the bracket."""
    word = opened - 1
    while tree.relation[word] in ("flat", "compound", "nummod") and tree.head[word] < opened:
        word = tree.head[word]
    return word


def _is_claimed(tree: Tree, inside: list[int], drafts: Sequence[Draft]) -> bool:
    """Whether an apposition or a clause inside the brackets is the object of a draft."""
    places = {tree.spans[word].start for word in inside}
    return any(
        span.start in places
        for draft in drafts
        if draft.rule in ("apposition", "object", "oblique", "copula")
        for span in draft.object.spans
    )
