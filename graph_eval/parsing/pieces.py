"""Words as the parser's encoder reads them: word pieces, and the case that the uncased tokenizer leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

CLS, SEP, UNKNOWN = 101, 102, 100  # token ids
LONGEST_WORD = 40  # characters that are read of a word: a web address is no more than its beginning
LOWER, CAPITALISED, UPPER, LETTER, DIGITS, MARK, MIXED, SPECIAL = range(8)  # cases


@dataclass(frozen=True, slots=True)
class Pieces:
    """`ids` and `cases` of the pieces, [CLS] first and [SEP] last. Word i has the pieces `starts[i]:starts[i + 1]`."""

    ids: list[int]
    cases: list[int]
    starts: list[int]

    def part(self, first: int, end: int) -> Pieces:
        """The pieces of the words [first, end)."""
        if first == 0 and end == len(self.starts) - 1:
            return self
        begin, stop = self.starts[first], self.starts[end]
        return Pieces(
            [CLS, *self.ids[begin:stop], SEP],
            [SPECIAL, *self.cases[begin:stop], SPECIAL],
            [start - begin + 1 for start in self.starts[first : end + 1]],
        )


def pieces(sentences: Sequence[Sequence[str]], tokenizer: Tokenizer) -> list[Pieces]:
    """The word pieces of each sentence's words. Every word has at least one."""
    words = [word[:LONGEST_WORD] for sentence in sentences for word in sentence]
    encoded = iter(tokenizer.encode_batch_fast(words, add_special_tokens=False))
    return [_joined(sentence, encoded) for sentence in sentences]


def _joined(sentence: Sequence[str], encoded: Iterator[Encoding]) -> Pieces:
    ids, cases, starts = [CLS], [SPECIAL], [1]
    for word, item in zip(sentence, encoded, strict=False):
        found = item.ids or [UNKNOWN]
        ids += found
        cases += [case_of(word)] * len(found)
        starts.append(len(ids))
    return Pieces([*ids, SEP], [*cases, SPECIAL], starts)


def case_of(word: str) -> int:
    """The class of a word's characters."""
    if any(map(str.isdigit, word)):
        return DIGITS
    if not any(map(str.isalpha, word)):
        return MARK
    if word.islower():
        return LOWER
    if word.isupper():
        return UPPER if len(word) > 1 else LETTER
    return CAPITALISED if word[:1].isupper() and word[1:].islower() else MIXED
