"""The names that a record writes with capitals, and which of its phrases mean the same name.

A response may write its names in lower case, or shorten them. Its passages often tell what they are: "merson" is the
Paul Merson of the passage. A name joins another one only where the record knows one that it can mean.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from graph_eval.text.normalise import ARTICLES, STOP_WORDS, fold, words

Key = tuple[str, ...]  # folded words

CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter spring summer autumn winter""".split()
)
PARTICLES = frozenset("of de la le du des da di del van von der den bin ibn al el y".split())  # inside a name
TITLES = frozenset("mr mrs ms miss dr sir dame prof professor".split())
# Titles of one person are not those of another: a woman's and a man's, a wife's and a daughter's.
PERSONS = {
    **dict.fromkeys(("mr", "sir", "lord"), frozenset("m")),
    **dict.fromkeys(("ms", "dame", "lady"), frozenset("wd")),
    "mrs": frozenset("w"),
    "miss": frozenset("d"),
}
OFFICES = frozenset(
    """president prime minister chancellor senator governor mayor captain sergeant judge justice secretary general
    chief executive manager coach director chairman""".split()
)
# A place of this name is another one: "Northern Ireland" is not Ireland.
MODIFIERS = frozenset(
    """new north northern south southern east eastern west western central greater upper lower inner outer mid great
    united royal national international""".split()
)
SUFFIXES = frozenset("fc afc inc ltd plc corp co llc gmbh ag sa".split())  # of companies and clubs
TEAMS = frozenset(
    """united city town rovers wanderers albion county athletic hotspur rangers fc afc ladies women university college
    airport bridge castle cathedral court council hospital police street road park river lake island islands bay beach
    news times post house hall school church museum palace stadium station""".split()
)
BREAKS = re.compile(r"[^\S\r\n]*[-/&][^\S\r\n]*|\s+")  # between the words of a name
MOST_WORDS = 6  # of a name: a longer run of capitals is a headline, which tells nothing
MOST_LIKE = 50  # names that share a word: with more of them none is meant
PLACE = re.compile(r"\b[Ii]n ([^\W\d_a-z][\w’'-]*)(?! [A-Z])")
LEAST_INSIDE = 0.3  # share of a place's mentions that stand behind "in"
DEMONYM = re.compile(r"(?:ian|ean|can|ish|ese|french|dutch|welsh|german)\Z")
LIST_MARK = re.compile(r"(?:\A|[\n\r])[ \t>]*(?:[-–—+·‣◦▪]|\(?(?:\d{1,3}|[a-z])[.)])\Z", re.IGNORECASE)  # of a line
LONGEST_ACRONYM = 6
POSSESSIVE = re.compile(r"['’]s\Z")
OPENERS = frozenset(
    """former police officials two three four five six new local last first second third many several some most
    meanwhile earlier later today yesterday however although though despite since until according speaking asked
    striker defender midfielder actor actress singer cyclist sprinter author writer comedian presenter""".split()
)


@dataclass(frozen=True, slots=True)
class Name:
    """`key`: by which it is compared. `text`: its fullest spelling with capitals."""

    key: Key
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring words with capitals. `opens`: it starts a sentence, where every word has one."""

    key: Key
    text: str
    opens: bool


class Names:
    """The names in some texts of one record."""

    def __init__(self, texts: Iterable[str]) -> None:
        texts = tuple(texts)
        by_text = [[*_runs(text)] for text in texts]
        # A text without capitals tells nothing about its words.
        cased = [text for text, found in zip(texts, by_text, strict=True) if any(not run.opens for run in found)]
        self._lower = Counter(word for text in cased for word in _in_lower_case(text))
        self._small = {word for text in texts if text != text.lower() for word in _in_lower_case(text)}
        inside = Counter(fold(match[1]) for text in texts for match in PLACE.finditer(text))
        total = Counter(word for text in texts for word, _ in words(text))
        self._places = {word for word, count in inside.items() if LEAST_INSIDE * total[word] <= count}
        self._divided = _divided(texts)
        runs = [run for found in by_text for run in found]
        self._spellings: dict[Key, str] = {}
        for run in runs:
            if not run.opens:
                self._add(run.key, run.text)
        for run in runs:
            if run.opens:
                self._add_opening(run)
        self._join()

    @classmethod
    def of(cls, spellings: Iterable[str]) -> Names:
        """The names with these spellings, whatever texts write them."""
        names = cls(())
        for text in spellings:
            names._add(tuple(word for word, _ in words(text)), text)
        names._join()
        return names

    def _join(self) -> None:
        """Finds the long form of every name."""
        self._by_end: defaultdict[str, list[Key]] = defaultdict(list)  # long names by their first and last words
        self._by_initials: defaultdict[str, list[Key]] = defaultdict(list)
        for key in self._spellings:
            if len(key) > 1:
                self._by_initials[_initials(key)].append(key)
                for word in {key[0], key[-1]}:
                    self._by_end[word].append(key)
        self._joined = {key: self._long_form(self._person(key)) for key in self._spellings}
        self._words = {word for key in self._joined for word in key}
        self._longest = max(map(len, self._joined), default=0)

    def name(self, key: Key) -> Name | None:
        """The name that these folded words are."""
        long = self._joined.get(key)
        if long is None:
            # "merson", where the record writes no short form with a capital
            long = self._longer(key) if len(key) == 1 and self._may_be_name(key[0]) else key
        return Name(long, self._spellings[long]) if long in self._spellings else None

    def titled(self, key: Key) -> Name | None:
        """The name that a title and a surname are, if the record has persons with other titles of that surname."""
        if len(key) == 2 and key[0] in PERSONS and key[1] in self._divided:
            return Name(key, " ".join(word.capitalize() for word in key))
        return None

    def inside(self, key: Sequence[str]) -> Iterator[tuple[int, int, Name]]:
        """The longest names in these words, with their places: (start, end, name)."""
        start = 0
        while start < len(key):
            size = 0
            if person := self.titled(tuple(key[start : start + 2])):
                yield start, start + 2, person
                start += 2
                continue
            if key[start] in self._words:
                sizes = range(min(self._longest, len(key) - start), 0, -1)
                size = next((size for size in sizes if self._is_meant(tuple(key[start : start + size]))), 0)
            if size:
                found = self.name(tuple(key[start : start + size]))
                if found is not None:
                    yield start, start + size, found
            start += size or 1

    def _may_be_name(self, word: str) -> bool:
        return len(word) > 2 and word not in STOP_WORDS and word not in CALENDAR and not self._lower[word]

    def _is_meant(self, key: Key) -> bool:
        """Whether the words are a name wherever they stand: "will" and "apple" may be words."""
        if len(key) > 1:
            return key in self._joined
        return self._may_be_name(key[0]) and self.name(key) is not None

    def _add(self, key: Key, text: str) -> None:
        key, text = _trimmed(key, text)
        if key and not all(word in STOP_WORDS or word in CALENDAR or "'" in word for word in key) and len(key[-1]) > 1:
            self._spellings.setdefault(key, text)

    def _add_opening(self, run: Run) -> None:
        """The name at the start of a sentence: its first word may be any word."""
        key, text = _trimmed(run.key, run.text)
        rest = key[1:]
        if len(key) < len(run.key) or (not rest and self._is_acronym(text)):
            self._add(key, text)
        if not rest:
            return
        known = rest in self._spellings and (len(rest) > 1 or key[0].endswith(("er", "or", "ist")))
        if (known or key[0] in STOP_WORDS or key[0] in OPENERS or self._lower[key[0]]) and key not in self._spellings:
            self._add(rest, text.split(None, 1)[-1])
        else:
            self._add(key, text)

    def _is_acronym(self, text: str) -> bool:
        """Whether a word is written in capitals alone, in a text that has others: "BBC said"."""
        return text.isupper() and text.isalpha() and 1 < len(text) <= LONGEST_ACRONYM and fold(text) not in self._small

    def _person(self, key: Key) -> Key:
        """A name without the nationality before it, if the record writes it without one too."""
        return key[1:] if len(key) > 2 and DEMONYM.search(key[0]) and key[1:] in self._spellings else key

    def _long_form(self, key: Key) -> Key:
        """The only longer name that an acronym or a short form can mean, or itself."""
        spelled = self._by_initials[key[0]] if len(key) == 1 else []
        return spelled[0] if len(spelled) == 1 else self._longer(key)

    def _longer(self, key: Key) -> Key:
        """The only longer name that a short form can mean, or itself."""
        if len(key) == 1 and key[0] in self._divided:
            return key
        alike = {*self._by_end[key[-1]], *self._by_end[key[0]]}
        if len(alike) > MOST_LIKE:
            return key
        longer = [other for other in alike if len(other) > len(key) and self._shortens(key, other)]
        # of nested ones ("Paul Merson", "Paul Charles Merson") the longest counts if it holds the others
        longest = max(longer, key=len, default=key)
        return longest if all(_is_within(other, longest) for other in longer) else key

    def _shortens(self, key: Key, other: Key) -> bool:
        rest = other[len(key) :]
        if other[: len(key)] == key and (rest == ("football", "club") or SUFFIXES.issuperset(rest)):
            return True
        if len(key) > 1:
            return other[-len(key) :] == key and other[0] not in MODIFIERS and not DEMONYM.search(other[0])
        word = key[0]
        if word in self._places or any(part in MODIFIERS or part in PARTICLES for part in other) or len(word) < 3:
            return False
        if other[-1] == word:
            return True
        # a first name, where the record uses the last name alone
        return other[0] == word and len(other) == 2 and (other[-1],) in self._spellings and other[-1] not in TEAMS


def _is_within(one: Key, other: Key) -> bool:
    return any(other[start : start + len(one)] == one for start in range(len(other) - len(one) + 1))


def _initials(key: Key) -> str:
    return "".join(word[0] for word in key if word not in PARTICLES and word not in ARTICLES)


def _trimmed(key: Key, text: str) -> tuple[Key, str]:
    """Without articles, titles and offices at the start."""
    parts = text.split()
    while len(key) > 1 and len(parts) > 1 and key[0] in ARTICLES | TITLES | OFFICES:
        key, parts = key[1:], parts[1:]
    return key, " ".join(parts)


def _in_lower_case(text: str) -> Iterator[str]:
    return (word for word, span in words(text) if text[span.start].islower())


def _runs(text: str) -> Iterator[Run]:
    """The runs of words with capitals in a text, outside of headlines."""
    found = words(text)
    start = 0
    while start < len(found):
        span = found[start][1]
        if not text[span.start].isupper():
            start += 1
            continue
        end = start + 1
        last = end
        while (
            end - start <= MOST_WORDS
            and end < len(found)
            and BREAKS.fullmatch(text[found[end - 1][1].end : found[end][1].start])
        ):
            if POSSESSIVE.search(found[end - 1][1].of(text)):
                break
            if text[found[end][1].start].isupper():
                last = end + 1
            elif found[end][0] not in PARTICLES:
                break
            end += 1
        if last - start > MOST_WORDS:
            while last < len(found) and text[found[last][1].start].isupper():
                last += 1
            start = last
            continue
        spans = [span for _, span in found[start:last]]
        whole = POSSESSIVE.sub("", text[spans[0].start : spans[-1].end])
        yield Run(
            tuple(word for word, _ in found[start:last]), " ".join(whole.split()), opens_sentence(text, spans[0].start)
        )
        start = last


def opens_sentence(text: str, start: int) -> bool:
    """Whether a word at this place starts a sentence or a line of a list, where every word has a capital letter."""
    end = start
    while end and text[end - 1] in "\"“”'‘([*_` ":
        end -= 1
    return not end or text[end - 1] in ".!?:\n\r…•" or LIST_MARK.search(text, max(0, end - 20), end) is not None


def _divided(texts: Iterable[str]) -> set[str]:
    """Surnames that stand behind titles of different persons: "Mr Smith" and "Mrs Smith"."""
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        found = [word for word, _ in words(text)]
        for title, surname in pairwise(found):
            if title in PERSONS:
                titles[surname].add(title)
    return {surname for surname, found in titles.items() if not frozenset.intersection(*(PERSONS[t] for t in found))}


@lru_cache(maxsize=64)
def names_in(texts: tuple[str, ...]) -> Names:
    """The names in the texts of a record. The claims of one record are asked about in a row."""
    return Names(texts)
