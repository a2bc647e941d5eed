"""A triplet in the making."""

from __future__ import annotations

from dataclasses import dataclass

from graph_eval.extractors.rules.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Draft:
    """Named by the rule that made it."""

    subject: Phrase
    predicate: Phrase
    object: Phrase
    rule: str

    @property
    def reading(self) -> str:
        return " ".join(part.reading for part in (self.subject, self.predicate, self.object) if part.text)

    @property
    def complete(self) -> bool:
        return bool(self.subject.text and self.predicate.text)
