"""What an NLI model believes of a wording, given the text that it was read in: for pronouns and for whole triplets.

A pronoun can be replaced by the phrase that it stands for, and the text up to its sentence's end entails the result. A
triplet can be read as a sentence, which its own sentence entails. So the model of the checker tells the right phrase or
triplet from the wrong one. It was trained on sentences with right and wrong phrases in place of their pronouns, and on
right and wrong triplets (`graph_eval/weights/nli/README.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from graph_eval.nli.scorer import OnnxScorer
from graph_eval.nli.scores import log_odds
from graph_eval.resources import folder
from graph_eval.text.normalise import readable
from graph_eval.types import Span

BEFORE = 3  # sentences that are read in front of one with a resolved reference: as far as a pronoun reaches back
MOST_WORDS = 160  # of what stands in front; its end is kept
AT_ONCE = 1000  # pairs in memory
LIMIT = 6.0  # of log odds, on either side


class Belief:
    """Log odds that a text entails a wording of its last sentence."""

    def __init__(self, scorer: OnnxScorer) -> None:
        self._scorer = scorer

    @classmethod
    def builtin(cls, threads: int = 0) -> Belief:
        """With the model that ships in the package: one for each process and number of threads."""
        return _builtin(threads)

    @property
    def fingerprint(self) -> str:
        return self._scorer.fingerprint

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each (text, wording). Every pair is read once."""
        distinct = list(dict.fromkeys(pairs))
        found: dict[tuple[str, str], float] = {}
        for start in range(0, len(distinct), AT_ONCE):
            part = distinct[start : start + AT_ONCE]
            found |= dict(zip(part, self._scorer.score(part)[:, 0].tolist(), strict=True))
        return [log_odds(found[pair], LIMIT) for pair in pairs]


@cache
def _builtin(threads: int) -> Belief:
    return Belief(OnnxScorer(folder("weights/nli"), threads, keep_end=True))


def text_before(question: str, text: str, start: int, sentence: Span, lead: Span | None = None) -> str:
    """The question, the line that leads in the list, and the text from `start` to the sentence's end.

    `lead`: the line, if `sentence` is an item of a list.
    """
    opening = lead.of(text) if lead is not None and lead.start < start else ""
    words = f"{question} {opening} {text[start : sentence.end]}".split()
    return " ".join(words[-MOST_WORDS - len(sentence.of(text).split()) :])


def replaced(text: str, sentence: Span, place: Span, words: str) -> str:
    """The sentence with `words` at the place of the text instead of its own, as a line."""
    before = text[sentence.start : place.start]
    if not any(map(str.isalpha, before)):
        words = words[:1].upper() + words[1:]
    return readable(before + words + text[place.end : sentence.end])
