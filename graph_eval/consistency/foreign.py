"""Objects of a user as methods: a method of any class, or what a method of this package can be made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_eval.consistency.method import Consistency, Method, SampleTask, by_sample
from graph_eval.errors import UsageError
from graph_eval.foreign import ForeignPart
from graph_eval.types import ItemError


class ForeignMethod(ForeignPart, Method):
    """An object of any class with `compare`. Its `threshold`, `needs_claims`, `stepwise`, `fingerprint`, `reads` and
    `models` are optional."""

    def __init__(self, part: Any) -> None:
        super().__init__(part)
        self.needs_claims = bool(getattr(part, "needs_claims", False))
        self.stepwise = bool(getattr(part, "stepwise", False))

    @property
    def threshold(self) -> float:
        return float(getattr(self.part, "threshold", 0.5))

    def compare(self, tasks: Sequence[SampleTask]) -> Sequence[Consistency | ItemError]:
        found: Sequence[Consistency | ItemError] = self._call(self.part.compare, tasks)
        return found


class FunctionMethod(ForeignPart, Method):
    """A function from a sentence and a sample to a score in [0, 1], high = made up."""

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [
            by_sample(
                task,
                [
                    [float(self._call(self.part, sentence, sample)) for sample in task.theirs()]
                    for sentence in task.own()
                ],
            )
            for task in tasks
        ]


def as_method(part: Any) -> Method:
    """An object as a method. Raises UsageError for anything that none can be made from.

    A scorer of pairs becomes `nli`, an embedder `cosine`, an embedder of tokens `bertscore`, a checker `graph`, a
    language model `prompt`.
    """
    if isinstance(part, Method):
        return part
    if hasattr(part, "compare"):
        return ForeignMethod(part)
    if hasattr(part, "check"):
        from graph_eval.consistency.graph import GraphMethod

        return GraphMethod(part)
    if hasattr(part, "score"):
        from graph_eval.checkers.checker import ForeignScorer
        from graph_eval.consistency.nli import NLIMethod

        return NLIMethod(ForeignScorer(part))
    if hasattr(part, "embed_tokens"):
        from graph_eval.consistency.bertscore import BERTScoreMethod

        return BERTScoreMethod(part)
    if hasattr(part, "embed"):
        from graph_eval.consistency.cosine import CosineMethod

        return CosineMethod(part)
    if hasattr(part, "complete"):
        from graph_eval.consistency.prompt import PromptMethod

        return PromptMethod(part)
    if callable(part):
        return FunctionMethod(part)
    raise UsageError(
        f"{part!r} is not a method",
        "pass a name, an object with .compare, a scorer of pairs, an embedder, a checker, a model, or a function",
    )
