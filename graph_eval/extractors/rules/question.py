"""Bare answers made whole with the words of their question.

"11 years", asked how many years Andre Weiss was at the University of Dijon, becomes (Andre Weiss, was at the
University of Dijon, 11 years); "No", asked whether Skype is monitored, (skype, is not monitored). The words of the
question are inferred: they have no place in the response.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lists import LEADING_QUANTITY
from graph_eval.extractors.rules.phrases import NOTHING, Phrase, inferred, noun_words, phrase
from graph_eval.extractors.rules.tree import Tree

YES = re.compile(r"(?:yes|yeah|yep|correct|true|right|it is|they are|it does|they do)[\s.!]*", re.IGNORECASE)
NO = re.compile(r"(?:no|nope|false|incorrect|it is not|it isn't|they are not|it does not)[\s.!]*", re.IGNORECASE)
AUXILIARIES = frozenset(
    "is are was were am do does did has have had can could will would should shall may might must".split()
)
NAMES = ("NOUN", "PROPN", "NUM")
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
    """The question as the frame of its answer; the whole question is the subject where its form is not known.

    English questions have a rigid order of words, which is read more safely than their parse.
    """
    plain = Question(" ".join(text.split()).rstrip(" ?.:"), "is")
    words = [word for word in range(tree.size) if tree.upos[word] != "PUNCT"]
    if len(words) < 3:
        return plain
    if tree.lower[words[0]] in AUXILIARIES:
        return _inverted(tree, words, polar=True) or plain
    if ordered := _ordered(tree):
        return ordered
    asked = next((place for place, word in enumerate(words) if _asks(tree, word)), None)
    if asked is None:
        return plain
    for place in range(asked + 1, len(words)):
        word = words[place]
        if tree.lower[word] in AUXILIARIES:
            following = words[place + 1 :]
            if following and tree.upos[following[0]] == "VERB":
                return Question("", _words(tree, [word, following[0]]), _words(tree, following[1:]), asks_subject=True)
            return _inverted(tree, words[place:]) or plain
        if tree.upos[word] == "VERB":
            return Question("", _words(tree, [word]), _words(tree, words[place + 1 :]), asks_subject=True)
    return plain


def _inverted(tree: Tree, words: list[int], polar: bool = False) -> Question | None:
    """Auxiliary, subject, rest: "was | Andre Weiss | at the University of Dijon"."""
    helper, following = words[0], words[1:]
    end = _nominal_end(tree, following)
    if end == 0:
        return None
    if end == len(following) and tree.lower[helper] in ("do", "does", "did"):
        end -= 1  # "did marie curie die": a do-question ends with its verb at the earliest
    subject, rest = following[:end], following[end:]
    if not subject or (polar and not rest):
        return None
    predicate = f"{tree.lower[helper]} {_words(tree, rest)}".strip()
    return Question(_words(tree, subject), predicate, polar=polar)


def _nominal_end(tree: Tree, words: list[int]) -> int:
    """How many of the words are one noun phrase; a second article begins another ("is gdansk | the main port")."""
    end = 0
    for place, word in enumerate(words):
        upos = tree.upos[word]
        last = tree.upos[words[place - 1]] if place else ""
        if tree.lower[word] == "of" and last in NAMES:
            end = place + 1
        elif upos == "DET" and last in NAMES:
            break
        elif upos in (*NAMES, "DET", "ADJ", "PRON", "PART"):
            end = place + 1
        else:
            break
    return end


def _asks(tree: Tree, word: int) -> bool:
    return tree.xpos[word] in WH_TAGS and tree.lower[word] != "that"


def _ordered(tree: Tree) -> Question | None:
    """The answer to an order ("List the states of India") is one of what is asked for."""
    root = tree.root()
    if root is None or tree.xpos[root] not in ("VB", "VBP") or tree.has(root, "nsubj", "nsubj:pass"):
        return None
    wanted = next(iter(tree.kids(root, "obj")), None)
    if wanted is None:
        return None
    asked_for = phrase(tree, noun_words(tree, wanted, without=("acl",)))
    subject = LEADING_QUANTITY.sub("", asked_for.text)
    return Question(subject, "include") if subject else None


def _words(tree: Tree, words: list[int]) -> str:
    return " ".join(tree.words[word] for word in words).replace(" 's", "'s").replace(" n't", "n't")
