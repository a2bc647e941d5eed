"""Where the words of a phrase stand in a text, and which of them it lacks.

A phrase is looked up exactly, then normalised (case, quotes, articles, spelling of numbers), then word by word (same
stem, same number, or nearly the same spelling).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph_eval.text.normalise import ARTICLES, STOP_WORDS, stem, words
from graph_eval.text.quantities import numbers
from graph_eval.types import Location, Match, Span

HALF = 0.5  # of a slot's content words have to be found for it to count as similar
ALIKE = 0.75  # Dice coefficient of letter pairs: "Lindqvist" is "Lindquist", "Austria" is not "Australia"
SHORTEST = 5  # letters; shorter words are alike too easily


@dataclass(frozen=True, slots=True)
class Word:
    """`form`: folded, a number by its value. `key`: what two spellings of one word share."""

    form: str
    key: str
    span: Span
    content: bool


@dataclass(frozen=True, slots=True)
class IndexedWords:
    """The words of a text without articles, with the places of every form and key."""

    words: tuple[Word, ...]
    forms: dict[str, list[int]]
    keys: dict[str, list[int]]
    pairs: dict[str, frozenset[str]]  # letter pairs of the longer content words' keys


def locate(part: str, text: str, pieces: Sequence[str], passage: str, window: Span) -> Location:
    """The best match of `text` in the passage; `pieces` are its parts that need not stand together."""
    found = _indexed(passage)
    wanted = _words(text)
    nearest = _nearest(window)
    if not any(word.content for word in wanted):
        inside = [span for piece in pieces for span in _exact(piece, passage) if span.overlaps(window)][:1]
        return Location(part, Match.EXACT if inside else Match.EMPTY, tuple(inside))
    places = [min(_exact(piece, passage), key=nearest, default=None) for piece in pieces]
    exact = [span for span in places if span is not None]
    if len(exact) == len(places):
        return Location(part, Match.EXACT, tuple(sorted(set(exact))))
    if spans := list(_runs([word.form for word in wanted], found)):
        return Location(part, Match.NORMALISED, (min(spans, key=nearest),))
    return _by_words(part, text, wanted, passage, found, nearest)


def _nearest(window: Span) -> Callable[[Span], tuple[int, int]]:
    def distance(span: Span) -> tuple[int, int]:
        return max(window.start - span.start, span.end - window.end, 0), span.start

    return distance


def _exact(piece: str, passage: str) -> Iterator[Span]:
    """Every place where the piece stands as whole words."""
    piece = piece.strip()
    start = passage.find(piece) if piece else -1
    while start >= 0:
        end = start + len(piece)
        if not (_inside_word(passage, start) or _inside_word(passage, end)):
            yield Span(start, end)
        start = passage.find(piece, start + 1)


def _inside_word(text: str, place: int) -> bool:
    """Whether a word goes on across the place between two characters."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _runs(forms: Sequence[str], found: IndexedWords) -> Iterator[Span]:
    """Every place where the words follow each other."""
    for start in found.forms.get(forms[0], ()):
        run = found.words[start : start + len(forms)]
        if [word.form for word in run] == list(forms):
            yield Span(run[0].span.start, run[-1].span.end)


def _by_words(
    part: str,
    text: str,
    wanted: Sequence[Word],
    passage: str,
    found: IndexedWords,
    nearest: Callable[[Span], tuple[int, int]],
) -> Location:
    spans, missing = [], []
    content = [word for word in wanted if word.content]
    for word in content:
        places = found.keys.get(word.key) or _alike(word, found)
        if places:
            spans.append(min((found.words[place].span for place in places), key=nearest))
        else:
            missing.append(word.span.of(text))
    similar = len(content) - len(missing) >= HALF * len(content)
    merged = tuple(_merged(spans, passage))
    return Location(part, Match.SIMILAR if similar else Match.MISSING, merged, tuple(dict.fromkeys(missing)))


def _alike(word: Word, found: IndexedWords) -> list[int]:
    """Places of the word that is spelt most like this one, if it is alike enough."""
    mine = _letter_pairs(word.key)
    best, key = 0.0, None
    for other, theirs in found.pairs.items() if mine else ():
        if other[0] == word.key[0]:
            share = 2 * len(mine & theirs) / (len(mine) + len(theirs))
            if share > best:
                best, key = share, other
    return found.keys[key] if key is not None and best >= ALIKE else []


def _letter_pairs(key: str) -> frozenset[str]:
    if len(key) < SHORTEST or not key.isalpha():
        return frozenset()
    return frozenset(key[place : place + 2] for place in range(len(key) - 1))


def _merged(spans: Iterable[Span], text: str) -> Iterator[Span]:
    """Spans in order; neighbours with nothing but blanks or marks between them become one."""
    current: Span | None = None
    for span in sorted(set(spans)):
        if current is None:
            current = span
        elif not any(character.isalnum() for character in text[current.end : span.start]):
            current = Span(current.start, max(current.end, span.end))
        else:
            yield current
            current = span
    if current is not None:
        yield current


@lru_cache(maxsize=512)
def _indexed(passage: str) -> IndexedWords:
    found = _words(passage)
    forms, keys = defaultdict(list), defaultdict(list)
    for place, word in enumerate(found):
        forms[word.form].append(place)
        if word.content:
            keys[word.key].append(place)
    pairs = {key: letters for key in keys if (letters := _letter_pairs(key))}
    return IndexedWords(tuple(found), dict(forms), dict(keys), pairs)


def _words(text: str) -> list[Word]:
    """The words of a text without articles; all words of one number ("2.4 million") are one."""
    values = numbers(text)
    found: list[Word] = []
    for form, span in words(text):
        while values and values[0].span.end <= span.start:
            values.pop(0)
        if values and values[0].span.overlaps(span):
            value = f"#{values[0].value.normalize():f}"
            if not found or found[-1].span != values[0].span:
                found.append(Word(value, value, values[0].span, content=True))
        elif form not in ARTICLES:
            found.append(Word(form, stem(form), span, len(form) > 1 and form not in STOP_WORDS))
    return found
