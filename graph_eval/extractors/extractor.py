"""The base class of extractors, which turn texts into claims. A new extractor needs only this file.

    from graph_eval.extractors.extractor import Extractor
    from graph_eval.registry import extractor

    @extractor("lines")                                   # graph-eval extract --extractor lines
    class LineExtractor(Extractor):
        fingerprint = "lines-1"                           # change it whenever the same text could give other claims

        def extract(self, texts):
            return [[Claim.whole(text.id, text.text, Span(0, len(text.text)))] for text in texts]

A class in this folder is registered by its decorator. Another package declares its class as an entry point of the
group `graph_eval.extractors`. In Python an object with `extract`, or a function from a Text to a list of claims, is an
extractor too. Test a new one with `graph_eval.testing.extractors.ExtractorContract`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.foreign import ForeignPart
from graph_eval.part import Part
from graph_eval.types import Claim, ItemError, Text

if TYPE_CHECKING:
    pass


class Extractor(Part):
    """Base class. `fingerprint` changes whenever the same text could give other claims.

    `reads`: the names of the settings that it reads. `extract` may be called by several threads at once. It may raise
    any exception: the caller isolates it (`graph_eval.isolation`), so that only the text that caused it fails.
    `english_only`: it knows no other language.
    """

    english_only = False

    @abstractmethod
    def extract(self, texts: Sequence[Text]) -> Sequence[list[Claim] | ItemError]:
        """One entry for each text, in order: its claims, or the error of a text that has none."""


class ForeignExtractor(ForeignPart, Extractor):
    """An object of any class with `extract`. Its `fingerprint`, `reads` and `models` are optional."""

    def extract(self, texts: Sequence[Text]) -> Sequence[list[Claim] | ItemError]:
        claims: Sequence[list[Claim] | ItemError] = self._call(self.part.extract, texts)
        return claims


class FunctionExtractor(ForeignPart, Extractor):
    """A function from a Text to its list of claims. Different functions have different fingerprints."""

    def extract(self, texts: Sequence[Text]) -> list[list[Claim] | ItemError]:
        return [self._call(self.part, text) for text in texts]


def as_extractor(part: Any) -> Extractor:
    """An object or a function as an extractor. Raises UsageError for anything else."""
    if isinstance(part, Extractor):
        return part
    if hasattr(part, "extract"):
        return ForeignExtractor(part)
    if callable(part):
        return FunctionExtractor(part)
    raise UsageError(f"{part!r} is not an extractor", "pass a name, an object with .extract, or a function")


def distinct(claims: list[Claim]) -> list[Claim]:
    """The claims in order, each id once."""
    return list({claim.id: claim for claim in claims}.values())
