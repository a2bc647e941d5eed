"""The spans of a phrase's words in a passage, and the words that the passage does not contain.

A phrase is searched exactly, then normalised (case, quotes, articles, spelling of numbers), then word by word (same
stem, same number, or similar spelling).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph_eval.text.normalise import ARTICLES, STOP_WORDS, stem, words
from graph_eval.text.quantities import numbers
from graph_eval.types import Location, Match, Span

MIN_SHARE = 0.5  # of a phrase's content words that are found, for Match.SIMILAR
MIN_DICE = 0.75  # Dice coefficient of letter pairs: "Lindqvist" is like "Lindquist", "Austria" not like "Australia"
MIN_LETTERS = 5  # of a word that is compared by letter pairs; shorter ones are similar by chance


@dataclass(frozen=True, slots=True)
class Word:
    """`form`: the folded word, or the value of a number. `key`: the stem, or the value. `content`: no stop word."""

    form: str
    key: str
    span: Span
    content: bool


@dataclass(frozen=True, slots=True)
class IndexedWords:
    """The words of a text without articles, with the indices of every form and key in `words`."""

    words: tuple[Word, ...]
    forms: dict[str, list[int]]
    keys: dict[str, list[int]]
    pairs: dict[str, frozenset[str]]  # key -> letter pairs, for content words of MIN_LETTERS or more


def locate(part: str, text: str, pieces: Sequence[str], passage: str, window: Span) -> Location:
    """The best match of `text` in the passage, as the location of the claim's `part`.

    `pieces`: its parts, which may stand apart from each other. Of several places the one nearest to `window` is taken.
    """
    index = _indexed(passage)
    phrase = _words(text)
    nearest = _nearest(window)
    if not any(word.content for word in phrase):
        inside = [span for piece in pieces for span in _exact(piece, passage) if span.overlaps(window)][:1]
        return Location(part, Match.EXACT if inside else Match.EMPTY, tuple(inside))
    places = [min(_exact(piece, passage), key=nearest, default=None) for piece in pieces]
    exact = [span for span in places if span is not None]
    if len(exact) == len(places):
        return Location(part, Match.EXACT, tuple(sorted(set(exact))))
    if spans := list(_runs([word.form for word in phrase], index)):
        return Location(part, Match.NORMALISED, (min(spans, key=nearest),))
    return _by_words(part, text, phrase, passage, index, nearest)


def _nearest(window: Span) -> Callable[[Span], tuple[int, int]]:
    def distance(span: Span) -> tuple[int, int]:
        return max(window.start - span.start, span.end - window.end, 0), span.start

    return distance


def _exact(piece: str, passage: str) -> Iterator[Span]:
    """The spans where the piece occurs as whole words."""
    piece = piece.strip()
    start = passage.find(piece) if piece else -1
    while start >= 0:
        end = start + len(piece)
        if not (_inside_word(passage, start) or _inside_word(passage, end)):
            yield Span(start, end)
        start = passage.find(piece, start + 1)


def _inside_word(text: str, place: int) -> bool:
    """Whether the place between two characters is inside a word."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _runs(forms: Sequence[str], index: IndexedWords) -> Iterator[Span]:
    """The spans where the words of these forms follow each other."""
    for start in index.forms.get(forms[0], ()):
        run = index.words[start : start + len(forms)]
        if [word.form for word in run] == list(forms):
            yield Span(run[0].span.start, run[-1].span.end)


def _by_words(
    part: str,
    text: str,
    phrase: Sequence[Word],
    passage: str,
    index: IndexedWords,
    nearest: Callable[[Span], tuple[int, int]],
) -> Location:
    spans, missing = [], []
    content = [word for word in phrase if word.content]
    for word in content:
        places = index.keys.get(word.key) or _alike(word, index)
        if places:
            spans.append(min((index.words[place].span for place in places), key=nearest))
        else:
            missing.append(word.span.of(text))
    similar = len(content) - len(missing) >= MIN_SHARE * len(content)
    merged = tuple(_merged(spans, passage))
    return Location(part, Match.SIMILAR if similar else Match.MISSING, merged, tuple(dict.fromkeys(missing)))


def _alike(word: Word, index: IndexedWords) -> list[int]:
    """The places of the key with the most similar spelling, or [] if none is similar enough."""
    pairs = _letter_pairs(word.key)
    best, key = 0.0, None
    for other, other_pairs in index.pairs.items() if pairs else ():
        if other[0] == word.key[0]:
            dice = 2 * len(pairs & other_pairs) / (len(pairs) + len(other_pairs))
            if dice > best:
                best, key = dice, other
    return index.keys[key] if key is not None and best >= MIN_DICE else []


def _letter_pairs(key: str) -> frozenset[str]:
    if len(key) < MIN_LETTERS or not key.isalpha():
        return frozenset()
    return frozenset(key[place : place + 2] for place in range(len(key) - 1))


def _merged(spans: Iterable[Span], text: str) -> Iterator[Span]:
    """The spans in order. Neighbours without a letter or digit between them are merged."""
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
    passage_words = _words(passage)
    forms, keys = defaultdict(list), defaultdict(list)
    for place, word in enumerate(passage_words):
        forms[word.form].append(place)
        if word.content:
            keys[word.key].append(place)
    pairs = {key: letters for key in keys if (letters := _letter_pairs(key))}
    return IndexedWords(tuple(passage_words), dict(forms), dict(keys), pairs)


def _words(text: str) -> list[Word]:
    """The words of a text without articles. All words of one number ("2.4 million") are one word."""
    values = numbers(text)
    merged: list[Word] = []
    for form, span in words(text):
        while values and values[0].span.end <= span.start:
            values.pop(0)
        if values and values[0].span.overlaps(span):
            value = f"#{values[0].value.normalize():f}"
            if not merged or merged[-1].span != values[0].span:
                merged.append(Word(value, value, values[0].span, content=True))
        elif form not in ARTICLES:
            merged.append(Word(form, stem(form), span, len(form) > 1 and form not in STOP_WORDS))
    return merged
