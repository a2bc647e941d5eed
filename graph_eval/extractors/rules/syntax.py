"""Predicates over a tree: clauses, their subjects, whether they are asserted, and what relative clauses omit."""

from __future__ import annotations

from graph_eval.extractors.rules.lexicon import NOT_ASSERTING, RELATIVE
from graph_eval.extractors.rules.tree import NOMINAL, Tree

LIGHT_NOUNS = frozenset({"place", "part", "care", "advantage", "effect", "office"})
MAX_SUBJECT_DEPTH = 6  # clauses between a verb and the clause that names its subject


def is_clause(tree: Tree, word: int) -> bool:
    """Whether the word heads a clause: a verb, or a noun or adjective with a copula."""
    if tree.has(word, "cop", "aux:pass"):
        return True
    if tree.upos[word] not in ("VERB", "AUX"):
        with_subject = tree.has(word, "aux") and tree.has(word, "nsubj", "nsubj:pass")
        return with_subject or (tree.relation[word] == "ROOT" and tree.has(word, "obj"))
    return tree.relation[word] not in (
        "aux",
        "aux:pass",
        "cop",
        "amod",
        "case",
        "mark",
        "compound",
        "fixed",
        "flat",
    )


def is_skipped(tree: Tree, verb: int) -> bool:
    """Whether the clause makes no claim: purposes ("a plan to ..."), conditions, complements that are not asserted."""
    markers = [tree.lower[kid] for kid in tree.kids(verb, "mark")]
    if tree.relation[verb] == "acl" and (tree.xpos[verb] == "VB" or "to" in markers):
        return True
    if tree.relation[verb] == "advcl" and any(word in ("if", "unless", "whether") for word in markers):
        return True
    return is_unasserted(tree, verb)


def is_unasserted(tree: Tree, verb: int) -> bool:
    """Whether the clause is inside a complement that the sentence does not assert."""
    word = verb
    while tree.head[word] != word:
        head, relation = tree.head[word], tree.relation[word]
        markers = [tree.lower[kid] for kid in tree.kids(word, "mark")]
        if relation in ("ccomp", "csubj", "csubj:pass", "acl") and (
            NOT_ASSERTING.match(tree.lower[head]) or (relation != "acl" and tree.is_negated(head))
        ):
            return True
        if "whether" in markers or (relation == "acl" and "to" in markers):
            return True
        if relation == "acl:relcl" and (
            tree.is_negated(head) or any(tree.lower[kid] in ("no", "not") for kid in tree.children[head])
        ):
            return True
        if relation in ("ccomp", "advcl") and any(mark in ("if", "unless") for mark in markers):
            return True
        word = head
    return False


def subject_heads(tree: Tree, verb: int, depth: int = 0) -> list[int]:
    """The head of the clause's subject, also where a governing clause names it. [] if there is none."""
    relation, head = tree.relation[verb], tree.head[verb]
    if depth > MAX_SUBJECT_DEPTH:
        return []
    if subjects := tree.kids(verb, "nsubj", "nsubj:pass"):
        return [relative_to_antecedent(tree, verb, subjects[0])]
    if relation == "conj" or relation == "advcl":
        return subject_heads(tree, head, depth + 1)
    if relation == "xcomp":
        controller = tree.kids(head, "obj", "iobj")
        if controller and not tree.lower[head].startswith("promise"):
            return controller[:1]
        return subject_heads(tree, head, depth + 1)
    if relation == "acl":
        return [head]
    if relation == "acl:relcl" and tree.xpos[verb] in ("VBN", "VBG") and not tree.has(verb, "csubj"):
        return [head]
    return []


def relative_to_antecedent(tree: Tree, verb: int, subject: int) -> int:
    """The antecedent of a relative pronoun ("who", "which"), or the subject itself."""
    if tree.lower[subject] not in RELATIVE:
        return subject
    if tree.relation[verb] == "acl:relcl":
        return tree.head[verb]
    governor = tree.head[verb]
    if tree.relation[verb] == "conj" and tree.relation[governor] == "acl:relcl":
        return tree.head[governor]
    for word in range(subject - 1, -1, -1):
        if tree.upos[word] in NOMINAL:
            while tree.relation[word] in ("flat", "compound", "amod", "nmod:poss"):
                word = tree.head[word]
            return min(word, subject)
    return subject


def in_chain(tree: Tree, verb: int, copula: int | None) -> bool:
    """Whether the verb is an open complement: its governing verb makes the claim ("began to work")."""
    head = tree.head[verb]
    return (
        tree.relation[verb] == "xcomp"
        and tree.upos[head] in ("VERB", "AUX", "ADJ")
        and (tree.upos[verb] == "VERB" or copula is not None)
        and is_clause(tree, head)
    )


def relative_gap(tree: Tree, verb: int, objects: list[int], oblique: list[int]) -> int | None:
    """The noun that a relative clause modifies, if it is the object that the clause omits."""
    head = tree.head[verb]
    if tree.relation[verb] != "acl:relcl" or subject_heads(tree, verb) in ([], [head]):
        return None
    if any(tree.lower[word] in RELATIVE for word in objects):
        return head
    if objects or tree.has(verb, "ccomp") or any(tree.lower[word] in RELATIVE for word in oblique):
        return None
    if any(tree.lower[kid] in ("where", "when", "why") for kid in tree.children[verb]):
        return None
    return head


def is_light(tree: Tree, verb: int, objects: list[int], oblique: list[int]) -> bool:
    """Whether the noun belongs to the predicate: "took place in"."""
    is_take = tree.lower[verb] in ("take", "takes", "took", "taken", "taking")
    return is_take and len(objects) == 1 and tree.lower[objects[0]] in LIGHT_NOUNS and bool(oblique)
