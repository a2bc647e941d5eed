"""The base class of the methods that compare a response with samples: further answers of the same model to the same
question (SelfCheckGPT, arXiv 2303.08896). A new method needs only this file.

    from graph_eval.consistency.method import Method, by_sample
    from graph_eval.registry import method

    @method("overlap")                                    # its name: graph-eval selfcheck --method overlap
    class OverlapMethod(Method):
        fingerprint = "overlap-1"                         # change it whenever the same texts could get another score

        def compare(self, tasks):
            return [by_sample(task, [self._row(sentence, task) for sentence in task.own()]) for task in tasks]

        def _row(self, sentence, task):                   # one score for each sample, in [0, 1], high = made up
            words = set(sentence.lower().split())
            return [1 - len(words & set(sample.lower().split())) / len(words) for sample in task.theirs()]

A file in this folder is found by its decorator; another package names its class as an entry point of the group
`graph_eval.methods`. In Python an object with `compare` is a method too, and `consistency.foreign.as_method` makes one
from a scorer of pairs, an embedder, a checker, a language model, or a function.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from graph_eval.part import Part
from graph_eval.types import Claim, ItemError, Relation, Span, Text

if TYPE_CHECKING:
    from graph_eval.checkers.hf.engine import Engine
    from graph_eval.llm.model import LLM

STAGE = "selfcheck"
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class SampleTask:
    """A response with its sentences and its samples, of which there is at least one.

    `claims` and `sample_claims` (those of each sample, in the order of `samples`) are empty unless the method needs
    claims. `opening`: what the first sentence states if it is a bare answer to the question. `sample_statements`: the
    samples, with their bare answers completed in the same way; () if there are none.
    """

    text: Text
    sentences: tuple[Span, ...]
    samples: tuple[Text, ...]
    claims: tuple[Claim, ...] = ()
    sample_claims: tuple[tuple[Claim, ...], ...] = ()
    opening: str | None = None
    sample_statements: tuple[str, ...] = ()

    def own(self) -> list[str]:
        """What each sentence states, to be read without the question."""
        texts = [span.of(self.text.text) for span in self.sentences]
        return texts if self.opening is None or not texts else [self.opening, *texts[1:]]

    def theirs(self) -> tuple[str, ...]:
        """What each sample states, to be read without the question."""
        return self.sample_statements or tuple(sample.text for sample in self.samples)

    def whole(self) -> str:
        """What the response states, to be read without the question."""
        if self.opening is None or not self.sentences:
            return self.text.text
        return self.opening + self.text.text[self.sentences[0].end :]

    def only(self, places: Sequence[int], claims: tuple[tuple[Claim, ...], ...] | None = None) -> SampleTask:
        """The task with the samples at these places. `claims`: theirs, if the task has none yet."""
        return replace(
            self,
            samples=tuple(self.samples[place] for place in places),
            sample_claims=_at(self.sample_claims, places) if claims is None else claims,
            sample_statements=_at(self.sample_statements, places),
        )


def _at(items: tuple[Item, ...], places: Sequence[int]) -> tuple[Item, ...]:
    return tuple(items[place] for place in places) if items else ()


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """A score in [0, 1]; a high one says that the sentence is probably made up. None: nothing in it could be compared.

    `by_sample`: the score against each sample, in order, whose mean is the score. () if the method compares with all
    samples at once.
    """

    span: Span
    score: float | None
    by_sample: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class SampleLink:
    """What a sample says on a claim: `sample` is its place among the samples of the task, `claim` is the sample's."""

    sample: int
    relation: Relation
    claim: Claim


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """The consistency of one claim: supported by `supported` and contradicted by `contradicted` of `samples` samples.

    `score` in [0, 1], high = made up; None if no sample could be compared. `error`: why some could not; `samples` and
    the score leave these out. `by_sample`: the score against each sample; () if one is missing.
    """

    claim_id: str
    score: float | None
    supported: int
    contradicted: int
    samples: int
    links: tuple[SampleLink, ...] = ()
    by_sample: tuple[float, ...] = ()
    error: ItemError | None = None


@dataclass(frozen=True, slots=True)
class Consistency:
    """What a method says of one response. `score`: of the response, in [0, 1], high = made up; None if no sentence has
    one. By default it is the mean of the sentences' scores, as in SelfCheckGPT."""

    score: float | None
    sentences: tuple[SentenceScore, ...]
    claims: tuple[ClaimScore, ...] = ()


class Method(Part):
    """Compares responses with their samples. Safe to use from several threads.

    `threshold`: a sentence or a response is flagged if its score is larger. `parts`: what it runs itself: scorers,
    embedders, checkers, methods. `reads`: the names of the settings that it reads. `needs_claims`: whether it compares
    claims, so that response and samples have to be extracted. `stepwise`: whether a score is the mean of scores against
    each sample by itself, so that a gate can stop early. `english_only`: it knows no other language. `compare` may
    raise any exception: the caller isolates it (`graph_eval.isolation`), so that only the task that caused it fails.
    """

    parts: tuple[Any, ...] = ()
    needs_claims = False
    stepwise = True
    english_only = False

    @property
    def models(self) -> tuple[LLM, ...]:
        return tuple(model for part in self.parts for model in getattr(part, "models", ()))

    @property
    def engines(self) -> tuple[Engine, ...]:
        """The engines that run its published models."""
        return tuple(engine for part in self.parts for engine in getattr(part, "engines", ()))

    @property
    def threshold(self) -> float:
        return 0.5

    @abstractmethod
    def compare(self, tasks: Sequence[SampleTask]) -> Sequence[Consistency | ItemError]:
        """One entry for each task, in order: the scores, or the error that prevented them."""


def sound(found: Consistency | ItemError, task: SampleTask) -> Consistency | ItemError:
    """What a method found for a task, or an error where a score is no number in [0, 1], which would pass as a low one,
    or where it has other sentences or claims than the task."""
    if isinstance(found, ItemError):
        return found
    if len(found.sentences) != len(task.sentences):
        message = f"the method gave {len(found.sentences)} sentences for {len(task.sentences)}"
        return ItemError(STAGE, message, "give a score, or None, for each sentence of the task")
    known = {claim.id for claim in task.claims}
    if any(item.claim_id not in known for item in found.claims):
        return ItemError(
            STAGE, "the method gave a score of a claim that the task does not have", "keep the claims' ids"
        )
    scores = [found.score, *(item.score for item in found.sentences), *(item.score for item in found.claims)]
    wrong = [score for score in scores if score is not None and not 0.0 <= score <= 1.0]
    return ItemError(STAGE, f"the method gave a score of {wrong[0]}", "give scores from 0 to 1") if wrong else found


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, rounded to six digits, so that it does not depend on the shape of a batch."""
    return round(sum(values) / len(values), 6)


def by_sample(task: SampleTask, rows: Sequence[Sequence[float]]) -> Consistency:
    """The scores of a task from one row for each sentence: the scores against each sample, in order."""
    sentences = [
        SentenceScore(span, mean(row), tuple(round(float(score), 6) for score in row))
        for span, row in zip(task.sentences, rows, strict=True)
    ]
    return of_sentences(sentences)


def of_sentences(sentences: Sequence[SentenceScore], claims: Sequence[ClaimScore] = ()) -> Consistency:
    """Sentences and claims with the response's score: the mean of the sentences that have one."""
    scores = [sentence.score for sentence in sentences if sentence.score is not None]
    return Consistency(mean(scores) if scores else None, tuple(sentences), tuple(claims))
