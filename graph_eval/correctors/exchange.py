"""Two phrases of a sentence change places: "the manager pays the buddy" becomes "the buddy pays the manager".

To put one of them in the place of the other alone would name it twice, and the other never.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_eval.correctors.candidates import Candidate, Token, occurrences
from graph_eval.text.normalise import ARTICLES

NAME_PARTS = frozenset({"compound", "flat", "amod", "nummod", "nmod:desc"})  # relations of words before a noun to it
HYPHENS = frozenset("-–—/")


def exchanged(candidate: Candidate, sentence: str, words: Sequence[Token]) -> Candidate | None:
    """Where the sentence has the new words already: both phrases change places. None if it does not, or they cannot.

    "Metroway accused Mayor Coates", in which "Coates" is to replace "Metroway", is "Mayor Coates accused Metroway".
    Features and place are those of the candidate. Only whole phrases of a noun change places, and only where no word
    around them would have to change.
    """
    new = candidate.new_words
    new = new[1:] if new and new[0] in ARTICLES else new
    if not new:
        return None
    places = [at for at in occurrences(new, words) if at + len(new) <= candidate.first or candidate.end <= at]
    if len(places) != 1:
        return None
    old, present = Phrase.of(words, candidate.first, candidate.end), Phrase.of(words, places[0], places[0] + len(new))
    if old is None or present is None or not _may_change_places(words, old, present):
        return None
    if old.article(words) != present.article(words):  # "The owner beat Ann", "Ann beat the owner"
        old, present = old.with_article(words), present.with_article(words)
    opening = next((at for at, word in enumerate(words) if any(map(str.isalnum, word.text))), 0)
    first, second = present.inside(sentence, words, opening), old.inside(sentence, words, opening)
    if first is None or second is None:
        return None
    if old.first == opening:
        first = first[:1].upper() + first[1:]
    if present.first == opening:
        second = second[:1].upper() + second[1:]
    other = Candidate(present.first, present.end, second, candidate.kind)
    return replace(candidate, first=old.first, end=old.end, new=first, second=other)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun with the words of its name or compound before it, from `first` to before `end`. `head`: the noun."""

    first: int
    end: int
    head: int

    @classmethod
    def of(cls, words: Sequence[Token], first: int, end: int) -> Phrase | None:
        """The phrase of the words from `first` to before `end`. None if these are no noun, or only a part of a phrase:
        "Coates" of "Coates of Metroway", "his daughter", "some nurses", "the boy's"."""
        first += words[first].text.lower() in ARTICLES
        heads = [at for at in range(first, end) if not first <= words[at].head < end]
        if len(heads) != 1 or words[heads[0]].upos not in ("NOUN", "PROPN"):
            return None
        head = heads[0]
        while first and words[first - 1].relation in NAME_PARTS and first <= words[first - 1].head < end:
            first -= 1
        around = [words[at] for at in (first - 1, end) if 0 <= at < len(words)]
        dependent = [
            word
            for at, word in enumerate(words)
            if first <= word.head < end and not first <= at < end and not _is_loose(word)
        ]
        joined = any(word.xpos == "POS" or word.text in HYPHENS for word in around)
        part = words[head].relation in (*NAME_PARTS, "appos")
        return None if dependent or joined or part else cls(first, end, head)

    def article(self, words: Sequence[Token]) -> str:
        before = words[self.first - 1] if self.first else None
        return before.text.lower() if before and before.relation == "det" else ""

    def with_article(self, words: Sequence[Token]) -> Phrase:
        return replace(self, first=self.first - bool(self.article(words)))

    def inside(self, sentence: str, words: Sequence[Token], opening: int) -> str | None:
        """Its text as it stands inside a sentence. None where the capital of the first word of all may be its own."""
        text = sentence[words[self.first].span.start : words[self.end - 1].span.end]
        if self.first != opening or words[self.first].upos == "PROPN":
            return text
        word = words[self.first].text
        lower = word[:1].islower() or not word[:1].isalpha()
        plain = word in ("A", "An", "The") or (words[self.first].upos == "NOUN" and word[1:].islower())
        return text if lower else text[:1].lower() + text[1:] if plain else None


def _is_loose(word: Token) -> bool:
    """Whether a word that belongs to a noun may stay where it is: an article, a preposition, a mark."""
    return word.relation in ("case", "cc", "punct") or (word.relation == "det" and word.text.lower() in ARTICLES)


def _may_change_places(words: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    """Whether neither holds the other, and a verb fits both."""
    noun, second = words[one.head], words[other.head]
    if noun.subtree[0] <= other.head <= noun.subtree[1] or second.subtree[0] <= one.head <= second.subtree[1]:
        return False
    same_number = noun.xpos.endswith("S") == second.xpos.endswith("S")
    return same_number or not (noun.relation.startswith("nsubj") or second.relation.startswith("nsubj"))
