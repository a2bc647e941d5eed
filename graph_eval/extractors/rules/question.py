"""Bare answers, completed with the words of their question.

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
from graph_eval.extractors.talk import HEDGED
from graph_eval.extractors.wording import INCLUDE, IS, negated

TO_ALL = r"(?: to (?:both|all)(?: questions)?)?"
YES = re.compile(rf"(?:yes{TO_ALL}|yeah|yep|correct|true|right|it is|they are|it does|they do)[\s.!]*", re.IGNORECASE)
NO = re.compile(
    rf"(?:no{TO_ALL}|nope|false|incorrect|it is not|it isn't|they are not|it does not)[\s.!]*", re.IGNORECASE
)
REPLY = re.compile(HEDGED, re.IGNORECASE | re.VERBOSE)
AUXILIARIES = frozenset(
    "is are was were am do does did has have had can could will would should shall may might must".split()
)
NAMES = ("NOUN", "PROPN", "NUM")
WH_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the frame of its answer: `subject`, `predicate` and `rest` are words of the question.

    `asks_subject`: the answer is the subject ("Who invented ..."). Otherwise it is the object. `polar`: the answer is
    yes or no.
    """

    subject: str
    predicate: str
    rest: str = ""
    asks_subject: bool = False
    polar: bool = False

    def answered(self, answer: Phrase) -> Draft:
        """The claim of a bare answer."""
        if self.polar and is_polar(answer.text):
            reply = REPLY.fullmatch(answer.text)
            no = NO.fullmatch(answer.text) or (reply and "no" in (reply["reply"] or reply["said"]).lower())
            hedge = (reply["hedge"] or reply["limit"]).lower() if reply else ""
            predicate = _marked(negated(self.predicate) if no else self.predicate, answer)
            rest = " ".join(filter(None, (self.rest, hedge)))
            return Draft(inferred(self.subject), predicate, inferred(rest), "question")
        if self.asks_subject:
            return Draft(answer, inferred(self.predicate), inferred(self.rest) if self.rest else NOTHING, "question")
        return Draft(inferred(self.subject), inferred(self.predicate), answer, "question")


def _marked(predicate: str, answer: Phrase) -> Phrase:
    return Phrase(predicate, answer.spans, predicate, resolved=True)


def is_polar(text: str) -> bool:
    """Whether the text is a bare yes or no, or one with a hedge: "Generally yes."."""
    return bool(YES.fullmatch(text) or NO.fullmatch(text) or REPLY.fullmatch(text))


def read(tree: Tree, text: str) -> Question | None:
    """The question as the frame of its answer. A question of an unknown form becomes the subject as a whole.

    None for a question that begins with a verb whose subject is not clear: "Should I rent or buy?"

    English questions have a fixed word order, which is more reliable than their parse.
    """
    plain = Question(" ".join(text.split()).rstrip(" ?.:"), IS)
    words = _first_question([word for word in range(tree.size) if tree.upos[word] != "PUNCT"], tree)
    if len(words) < 3:
        return plain
    if tree.lower[words[0]] in AUXILIARIES:
        return _inverted(tree, words, polar=True)
    if imperative := _imperative(tree):
        return imperative
    wh_place = next((place for place, word in enumerate(words) if _is_wh_word(tree, word)), None)
    if wh_place is None:
        return plain
    for place in range(wh_place + 1, len(words)):
        word = words[place]
        if tree.lower[word] in AUXILIARIES:
            following = words[place + 1 :]
            if following and tree.upos[following[0]] == "VERB":
                return Question("", _words(tree, [word, following[0]]), _words(tree, following[1:]), asks_subject=True)
            return _inverted(tree, words[place:]) or plain
        if tree.upos[word] == "VERB":
            return Question("", _words(tree, [word]), _words(tree, words[place + 1 :]), asks_subject=True)
    return plain


def _first_question(words: list[int], tree: Tree) -> list[int]:
    """The words of the first of two questions: "Did they approve it, | and when will it start?"."""
    for place in range(3, len(words) - 1):
        joined = tree.lower[words[place]] in ("and", "or") and tree.words[words[place] - 1] == ","
        if joined and (_is_wh_word(tree, words[place + 1]) or tree.lower[words[place + 1]] in AUXILIARIES):
            return words[:place]
    return words


def _inverted(tree: Tree, words: list[int], polar: bool = False) -> Question | None:
    """Auxiliary, subject, rest: "was | Andre Weiss | at the University of Dijon"."""
    auxiliary, following = words[0], words[1:]
    end = _nominal_end(tree, following)
    if end == 0:
        return None
    if end == len(following) and tree.lower[auxiliary] in ("do", "does", "did"):
        end -= 1  # "did marie curie die": a do-question ends with its verb at the earliest
    end = _placed_end(tree, following, end)
    subject, rest = following[:end], following[end:]
    if not subject or (polar and not rest) or tree.lower[subject[0]] in ("i", "we", "my", "you", "your", "there"):
        return None
    predicate = f"{tree.lower[auxiliary]} {_words(tree, rest)}".strip()
    return Question(_words(tree, subject), predicate, polar=polar)


def _placed_end(tree: Tree, words: list[int], end: int) -> int:
    """The end of a subject with its place: "was the bridge at Vesk | built by monks", "... | safe for lorries"."""
    if end == len(words) or tree.upos[words[end]] != "ADP" or tree.upos[words[end - 1]] not in NAMES:
        return end
    following = end + 1 + _nominal_end(tree, words[end + 1 :])
    verb = next((place for place in range(following, len(words)) if tree.upos[words[place]] != "ADV"), len(words))
    if verb == len(words):
        return end
    return following if tree.upos[words[verb]] == "VERB" or _describes(tree, words[verb]) else end


def _describes(tree: Tree, word: int) -> bool:
    """Whether the word is what the question asks of its subject: "is the bridge | safe"."""
    return tree.upos[word] == "ADJ" and tree.relation[word] == "ROOT" and tree.has(word, "cop")


def _nominal_end(tree: Tree, words: list[int]) -> int:
    """The number of words in the first noun phrase. A second article begins another ("is gdansk | the main port")."""
    end = 0
    for place, word in enumerate(words):
        upos = tree.upos[word]
        last = tree.upos[words[place - 1]] if place else ""
        if tree.lower[word] == "of" and last in NAMES:
            end = place + 1
        elif last in NAMES and (upos == "DET" or _describes(tree, word)):
            break
        elif upos in (*NAMES, "DET", "ADJ", "PRON", "PART") or (upos == "VERB" and tree.relation[word] == "amod"):
            end = place + 1
        else:
            break
    return end


def _is_wh_word(tree: Tree, word: int) -> bool:
    return tree.xpos[word] in WH_TAGS and tree.lower[word] != "that"


def _imperative(tree: Tree) -> Question | None:
    """The frame of "List the states of India": each answer is one of the objects that it asks for."""
    root = tree.root()
    if root is None or tree.xpos[root] not in ("VB", "VBP") or tree.has(root, "nsubj", "nsubj:pass"):
        return None
    head = next(iter(tree.kids(root, "obj")), None)
    if head is None:
        return None
    target = phrase(tree, noun_words(tree, head, without=("acl",)))
    subject = LEADING_QUANTITY.sub("", target.text)
    return Question(subject, INCLUDE) if subject else None


def _words(tree: Tree, words: list[int]) -> str:
    return " ".join(tree.words[word] for word in words).replace(" 's", "'s").replace(" n't", "n't")
