"""Enumerations inside an object: a claim for each of their parts, or for each instance of a general term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import GROUP_NOUNS
from graph_eval.extractors.rules.lists import subject_of_items
from graph_eval.extractors.rules.phrases import Phrase, coordinated, noun_words, phrase
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.wording import INCLUDE

OF_OBJECT = ("object", "oblique", "agent")  # rules whose object an instance of it can replace
AND_SO_ON = ("etc", "others", "more")
FUNCTION = ("punct", "case", "cc", "mark", "det", "amod", "nummod")
OF_ONE = ("a", "an", "the", "this", "that")
REFERRING = frozenset("it its them their they he his him she her these those".split())
NEGATIVE = frozenset("no not n't never neither without any both little".split())


def instances(tree: Tree, drafts: Sequence[Draft]) -> list[Draft]:
    """The claims of the instances of "has vitamins such as A, B and C".

    An instance takes the place of its general term ("vitamins") in the draft whose object or subject that is. Without
    such a draft the general term is its subject.
    """
    added: list[Draft] = []
    for first in range(2, tree.size):
        marker = _example_marker(tree, first)
        if marker is None or len(heads := coordinated(tree, first)) < 2:
            continue
        general = tree.head[first] if tree.relation[first] == "nmod" else marker[0] - 1
        while general >= 0 and tree.upos[general] == "PUNCT":
            general -= 1
        while general >= 0 and tree.relation[general] in ("flat", "compound") and tree.head[general] < general:
            general = tree.head[general]
        if general < 0 or tree.upos[general] not in NOMINAL:
            continue
        kind = _last_before(tree, general, marker[0])
        if not _has_instances(tree, kind) or any(tree.lower[case] == "without" for case in tree.kids(kind, "case")):
            continue
        if any(tree.upos[head] == "VERB" for head in heads):
            continue
        items = [phrase(tree, noun_words(tree, head)) for head in heads if not _ends_list(tree, head)]
        own = [draft for draft in drafts if draft.rule in OF_OBJECT and _heads(tree, general, draft.object)]
        of_subject = [draft for draft in drafts if _heads(tree, general, draft.subject)]
        if own:
            added += [Draft(own[0].subject, own[0].predicate, item, "list") for item in items]
        elif of_subject:
            added += [Draft(item, draft.predicate, draft.object, "list") for draft in of_subject for item in items]
        elif tree.lower[marker[0]] == "including" and (
            tree.relation[kind] == "conj" or any(kid < first for kid in tree.kids(kind, "conj"))
        ):
            continue  # "heating and hot water, including the boiler": of both
        else:
            subject = phrase(tree, [word for word in noun_words(tree, kind, without=("acl",)) if word < marker[0]])
            subject = subject_of_items(subject)
            if subject.text:
                include = phrase(tree, marker).as_resolved(INCLUDE)
                added += [Draft(subject, include, item, "list") for item in items]
    return added


def each_purpose(tree: Tree, drafts: Sequence[Draft]) -> list[Draft]:
    """One draft for each verb of an object such as "the ability to record calls, translate messages and block spam"."""
    found = []
    for draft in drafts:
        words = tree.within(draft.object.spans)
        verbs = next((verbs for word in words if (verbs := _purposes(tree, word, words))), [])
        verbs = verbs if verbs and _heads(tree, tree.head[verbs[0]], draft.object) else []
        said = tree.within(draft.predicate.spans)
        if not verbs or draft.object.resolved or any(tree.lower[word] in NEGATIVE for word in said):
            found.append(draft)
            continue
        below = set(tree.subtree(verbs[0]))
        marks = [kid for kid in tree.kids(verbs[0], "mark") if tree.lower[kid] == "to"]
        outer = [word for word in words if word not in below] + tree.kids(tree.head[verbs[0]], "det")
        for verb in verbs:
            own = tree.subtree(verb, ("conj", "cc"))
            to = [] if any(tree.lower[word] == "to" for word in tree.kids(verb, "mark")) else marks
            found.append(replace(draft, object=phrase(tree, [*outer, *to, *own])))
    return found


def _purposes(tree: Tree, verb: int, words: Sequence[int]) -> list[int]:
    """The verbs of "the ability to A, B and C", each with words of its own. [] for anything else."""
    others = tree.kids(verb, "conj")
    if tree.relation[verb] != "acl" or not others or tree.head[verb] not in words:
        return []
    joints = {tree.lower[kid] for other in others for kid in tree.kids(other, "cc")}
    led = any(tree.lower[kid] == "to" for kid in tree.kids(verb, "mark"))
    verbs = [verb, *others]
    whole = all(tree.upos[one] == "VERB" and tree.has(one, "obj", "obl", "xcomp", "ccomp") for one in verbs)
    ends = max(tree.subtree(verb)) <= max(words)
    refused = any(tree.lower[word] in NEGATIVE for word in words if word < verb)
    refused = refused or any(tree.lower[word] in REFERRING for one in others for word in tree.subtree(one))
    return verbs if led and whole and ends and not refused and joints == {"and"} else []


def _last_before(tree: Tree, general: int, marker: int) -> int:
    """Of a list the examples follow, its last noun: "shrimp, garlic and vegetables such as ...".

    Two bare plurals ("fruits and vegetables") stay one general term.
    """
    others = [kid for kid in tree.kids(general, "conj") if kid < marker and tree.upos[kid] in NOMINAL]
    modifiers = ("amod", "compound", "nmod", "det", "nmod:poss", "nummod")
    bare = all(
        tree.xpos[noun] == "NNS" and not any(kid < marker for kid in tree.kids(noun, *modifiers))
        for noun in (general, *others)
    )
    return others[-1] if others and not (bare and len(others) == 1) else general


def _has_instances(tree: Tree, noun: int) -> bool:
    """Whether it is a kind: not a name, nor one thing ("the skin, including both ends and the center")."""
    one = tree.xpos[noun] == "NN" and tree.lower[noun] not in GROUP_NOUNS
    definite = tree.has(noun, "nmod:poss") or any(tree.lower[kid] in OF_ONE for kid in tree.kids(noun, "det"))
    return tree.upos[noun] != "PROPN" and not (one and definite)


def _example_marker(tree: Tree, first: int) -> list[int] | None:
    """The words "such as" or "including" in front of the first example."""
    for kid in tree.kids(first, "case", "mark"):
        words = sorted(tree.with_fixed([kid]))
        if kid < first and [tree.lower[word] for word in words] in (["including"], ["such", "as"]):
            return words
    return None


def _ends_list(tree: Tree, head: int) -> bool:
    """Whether it is no item: "etc.", "as well as other fruit"."""
    words = [word for word in tree.subtree(head, ("conj",)) if tree.upos[word] != "PUNCT"]
    return tree.lower[head].strip(".") in (*AND_SO_ON, "") or tree.lower[words[0] : words[0] + 2] == ["as", "well"]


def _heads(tree: Tree, noun: int, slot: Phrase) -> bool:
    """Whether the noun is the head of the phrase in the slot: the first of its words that depends on no other of it."""
    words = [word for span in slot.spans for word in tree.within([span])]
    tops = [word for word in words if tree.head[word] not in words or tree.head[word] == word]
    return [word for word in tops if tree.relation[word] not in FUNCTION][:1] == [noun]
