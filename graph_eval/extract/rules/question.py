"""Bare answers made whole with the words of their question.

"11 years", asked how many years Andre Weiss was at the University of Dijon, becomes (Andre Weiss, was at the
University of Dijon, 11 years); "No", asked whether Skype is monitored, (skype, is not monitored). The words of the
question are inferred: they have no place in the response.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph_eval.extract.rules.clauses import Draft
from graph_eval.extract.rules.lists import LEADING_QUANTITY
from graph_eval.extract.rules.phrases import NOTHING, Phrase, inferred, noun_words, phrase
from graph_eval.extract.rules.tree import NOMINAL, Tree

YES = re.compile(r"(?:yes|yeah|yep|correct|true|right|it is|they are|it does|they do)[\s.!]*", re.IGNORECASE)
NO = re.compile(r"(?:no|nope|false|incorrect|it is not|it isn't|they are not|it does not)[\s.!]*", re.IGNORECASE)
WH_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, as the subject and predicate of its answer; `asks_subject` where the answer is the subject."""

    subject: str
    predicate: str
    rest: str = ""
    asks_subject: bool = False
    polar: bool = False

    def answered(self, answer: Phrase) -> Draft:
        """The claim that a bare answer makes."""
        if self.polar and YES.fullmatch(answer.text):
            return Draft(inferred(self.subject), _marked(self.predicate, answer), inferred(self.rest), "question")
        if self.polar and NO.fullmatch(answer.text):
            verb, _, tail = self.predicate.partition(" ")
            negated = f"{verb} not {tail}".strip()
            return Draft(inferred(self.subject), _marked(negated, answer), inferred(self.rest), "question")
        if self.asks_subject:
            return Draft(answer, inferred(self.predicate), inferred(self.rest) if self.rest else NOTHING, "question")
        return Draft(inferred(self.subject), inferred(self.predicate), answer, "question")


def _marked(predicate: str, answer: Phrase) -> Phrase:
    return Phrase(predicate, answer.spans, predicate, resolved=True)


def is_polar(text: str) -> bool:
    return bool(YES.fullmatch(text) or NO.fullmatch(text))


def read(tree: Tree, text: str) -> Question:
    """The question as the frame of its answer; the whole question is the subject where its form is not known."""
    plain = Question(" ".join(text.split()).rstrip(" ?.:"), "is")
    root = tree.root()
    if root is None:
        return plain
    if tree.xpos[root] in ("VB", "VBP") and not subjects_of(tree, root):
        return _ordered(tree, root) or plain
    asked = next((word for word in range(tree.size) if tree.xpos[word] in WH_TAGS), None)
    subjects = subjects_of(tree, root)
    helpers = sorted(tree.kids(root, "aux", "aux:pass", "cop"))
    if asked is None:
        if subjects and helpers and helpers[0] == 0:
            return _polar(tree, root, subjects[0], helpers)
        return plain
    phrase_head = _phrase_head(tree, asked, root)
    gone = set(tree.subtree(phrase_head)) if phrase_head != root else {asked}
    if phrase_head == root and tree.has(root, "cop") and subjects:
        helper = phrase(tree, tree.kids(root, "cop")).text
        return Question(_words(tree, tree.subtree(subjects[0])), helper)
    if inverted := _inverted(tree, gone):
        return inverted
    if subjects and subjects[0] == phrase_head:
        predicate = [word for word in (*helpers, root) if word not in gone]
        spent = gone | set(predicate)
        rest = [word for word in tree.subtree(root) if word not in spent]
        if predicate:
            return Question("", _words(tree, predicate), _words(tree, rest), asks_subject=True)
        return plain
    if not subjects:
        return plain
    subject = tree.subtree(subjects[0])
    spent = gone | set(subject)
    predicate = [word for word in tree.subtree(root) if word not in spent]
    if not predicate or not subject:
        return plain
    return Question(_words(tree, subject), _words(tree, predicate))


def _inverted(tree: Tree, asked: set[int]) -> Question | None:
    """ "How many years was X at Y": the subject stands behind the auxiliary that follows the question phrase."""
    helper = max(asked) + 1
    if helper + 1 >= tree.size or tree.upos[helper] != "AUX":
        return None
    first = helper + 1
    if tree.upos[first] not in (*NOMINAL, "DET", "PRON", "ADJ", "NUM"):
        return None
    head = first
    while tree.head[head] > head and tree.relation[head] in ("det", "compound", "amod", "nummod", "nmod:poss"):
        head = tree.head[head]
    if tree.upos[head] not in (*NOMINAL, "PRON"):
        return None
    inside = ("acl", "nmod", "obl", "cop", "aux", "obj", "nummod")
    subject = [word for word in noun_words(tree, head, without=inside) if word >= first]
    last = max(subject, default=first)
    rest = [helper, *(word for word in range(last + 1, tree.size))]
    return Question(_words(tree, list(range(first, last + 1))), _words(tree, rest)) if subject else None


def subjects_of(tree: Tree, verb: int) -> list[int]:
    return tree.kids(verb, "nsubj", "nsubj:pass")


def _ordered(tree: Tree, root: int) -> Question | None:
    """ "List the states of India": the answer is one of what is asked for."""
    wanted = next(iter(tree.kids(root, "obj")), None)
    if wanted is None:
        return None
    words = phrase(tree, noun_words(tree, wanted, without=("acl",)))
    subject = LEADING_QUANTITY.sub("", words.text)
    return Question(subject, "include") if subject else None


def _polar(tree: Tree, root: int, subject: int, helpers: list[int]) -> Question:
    names = tree.subtree(subject)
    rest = [word for word in tree.subtree(root) if word not in names and word not in helpers]
    verb = " ".join([_words(tree, helpers), _words(tree, rest)]).strip()
    return Question(_words(tree, names), verb, polar=True)


def _phrase_head(tree: Tree, asked: int, root: int) -> int:
    """The head of the phrase that asks: "years" of "how many years"."""
    word = asked
    while (
        tree.head[word] != word
        and tree.head[word] != root
        and tree.relation[word]
        in (
            "det",
            "advmod",
            "amod",
            "nmod:poss",
            "nmod",
            "compound",
            "nummod",
            "obl",
        )
    ):
        word = tree.head[word]
    return word


def _words(tree: Tree, words: list[int]) -> str:
    kept = [tree.words[word] for word in sorted(words) if tree.upos[word] != "PUNCT"]
    return " ".join(kept).replace(" 's", "'s").replace(" n't", "n't")
