"""A triplet before it becomes a claim."""

from __future__ import annotations

from dataclasses import dataclass

from graph_eval.extractors.rules.phrases import Phrase
from graph_eval.extractors.wording import joined


@dataclass(frozen=True, slots=True)
class Draft:
    """`rule`: the rule that found it."""

    subject: Phrase
    predicate: Phrase
    object: Phrase
    rule: str

    @property
    def wording(self) -> str:
        """Its words as a text, before `wording.as_sentence`."""
        return joined(part.wording for part in (self.subject, self.predicate, self.object) if part.text)

    @property
    def resolved(self) -> bool:
        """Whether a part has other words than its sentence."""
        return self.subject.resolved or self.predicate.resolved or self.object.resolved

    @property
    def complete(self) -> bool:
        """Whether it has a subject and a predicate. The object may be empty ("He | slept")."""
        return bool(self.subject.text and self.predicate.text)
