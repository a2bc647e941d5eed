"""Prepares responses for the comparison with their samples, in the same way for every method.

A sample is left out if it says nothing on any claim, if it is in another language than the response, or if its claims
cannot be extracted. A response that says nothing is not compared at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graph_eval.consistency.bare import openings
from graph_eval.consistency.method import STAGE, Consistency, Method, SampleTask, SentenceScore
from graph_eval.consistency.refusals import BARE, EMPTY, FAULT, REFUSAL, says_nothing
from graph_eval.extractors.extractor import Extractor
from graph_eval.isolation import isolated
from graph_eval.text.language import ENGLISH, OTHER, TELLING, WORD, is_english
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Example, ItemError, Span, Text

LANGUAGE, FAILED = "language", "failed"
MEANING = {
    EMPTY: "empty",
    REFUSAL: "a refusal",
    BARE: "only yes or no",
    FAULT: "an error message",
    LANGUAGE: "in another language",
    FAILED: "without claims, because their extraction failed",
}


class LeftOut(NamedTuple):
    """`sample`: the place among the samples of the record, from 0. `reason`: a key of `MEANING`. `error`: of the
    extraction of its claims."""

    sample: int
    reason: str
    error: ItemError | None = None


class Prepared(NamedTuple):
    """A response with the samples that can be compared. `places`: those of the task's samples in the record. `silent`:
    why the response itself says nothing, a key of `MEANING`; None if it can be compared."""

    task: SampleTask
    places: list[int]
    left_out: list[LeftOut]
    silent: str | None = None

    def nothing(self) -> Consistency:
        """What every method finds of a response that says nothing: no score."""
        return Consistency(None, tuple(SentenceScore(span, None) for span in self.task.sentences))


def prepare(
    examples: Sequence[Example], claims: Sequence[Sequence[Claim]], method: Method, extractor: Extractor
) -> list[Prepared]:
    """The tasks of a method. `claims`: those of each response, if the method compares claims. `extractor`: finds those
    of the samples. A task may have no sample."""
    responses = [Text.of(example) for example in examples]
    samples = [Text.of_samples(example) for example in examples]
    opened = openings(STAGE, [text for pair in zip(responses, samples, strict=True) for text in (pair[0], *pair[1])])
    known = iter(opened)
    prepared = []
    for example, response, texts, own in zip(examples, responses, samples, claims, strict=True):
        opening, theirs = next(known), [next(known) for _ in texts]
        spans = tuple(sentence.span for sentence in sentences(response.text))
        reasons = [
            _reason(text.text, completed is not None)
            or (LANGUAGE if in_another_language(text.text, example, method.english_only) else None)
            for text, completed in zip(texts, theirs, strict=True)
        ]
        task = SampleTask(
            response,
            spans,
            texts,
            tuple(own) if method.needs_claims else (),
            (),
            opening[1] if opening is not None else None,
            tuple(_completed(text.text, found) for text, found in zip(texts, theirs, strict=True)),
        )
        kept = [place for place, reason in enumerate(reasons) if reason is None]
        left_out = [LeftOut(place, reason) for place, reason in enumerate(reasons) if reason is not None]
        silent = _reason(response.text, opening is not None)
        prepared.append(Prepared(task.only(kept), kept, left_out, silent))
    return _with_claims(prepared, extractor) if method.needs_claims else prepared


def _reason(text: str, completed: bool) -> str | None:
    """Why a text says nothing. A yes or no that completes its question says something."""
    reason = says_nothing(text)
    return None if reason == BARE and completed else reason


def _completed(text: str, opening: tuple[Span, str] | None) -> str:
    return text if opening is None else opening[1] + text[opening[0].end :]


def _with_claims(prepared: Sequence[Prepared], extractor: Extractor) -> list[Prepared]:
    """With the claims of the samples, without those whose extraction fails."""
    texts = [sample for entry in prepared if entry.silent is None for sample in entry.task.samples]
    claims = dict(zip([text.id for text in texts], isolated(STAGE, texts, extractor.extract), strict=True))
    return [entry if entry.silent is not None else _readable(entry, claims) for entry in prepared]


def _readable(entry: Prepared, claims: dict[str, list[Claim] | ItemError]) -> Prepared:
    found = [claims[sample.id] for sample in entry.task.samples]
    kept = [number for number, of_sample in enumerate(found) if not isinstance(of_sample, ItemError)]
    task = entry.task.only(kept, tuple(tuple(of_sample) for of_sample in found if not isinstance(of_sample, ItemError)))
    failed = [
        LeftOut(place, FAILED, of_sample)
        for place, of_sample in zip(entry.places, found, strict=True)
        if isinstance(of_sample, ItemError)
    ]
    left_out = sorted([*entry.left_out, *failed], key=lambda item: item.sample)
    return Prepared(task, [entry.places[number] for number in kept], left_out)


def in_another_language(sample: str, example: Example, english_only: bool) -> bool:
    """Whether a sample is in another language than the response, as far as English can be told from others.

    A response of a few names tells no language. Then its question does, or `english_only`: the method reads no other.
    """
    if not is_english(example.response):
        return says_english(sample, example.response)
    known = english_only or says_english(example.response) or says_english(example.question or "")
    return known and not is_english(sample)


def says_english(text: str, beside: str = "") -> bool:
    """Whether a text is certainly English: it has function words of English, and more than of other languages.

    `beside`: a text in another language, whose words are none of English here ("is" in Dutch).
    """
    if not is_english(text):
        return False
    words = [word for word in WORD.findall(text) if word == word.lower()]
    here = ENGLISH - set(WORD.findall(beside.lower()))
    return sum(word in here for word in words) > sum(word in OTHER or word in TELLING for word in words)


def none_usable(example: Example, left_out: Sequence[LeftOut]) -> ItemError:
    """The error of a record without a sample that can be compared."""
    if not example.samples:
        hint = 'pass --sample-with MODEL, or add the field "samples" with further answers to the question'
        return ItemError(STAGE, "the record has no samples", hint, id=example.id)
    count = len(example.samples)
    errors = [entry.error for entry in left_out if entry.error is not None]
    if errors:
        message = f"the claims of {len(errors)} of {count} samples could not be extracted: {errors[0].message}"
        return ItemError(STAGE, message, errors[0].hint, id=example.id)
    reasons = list(dict.fromkeys(MEANING[entry.reason] for entry in left_out))
    subject = "the only sample is" if count == 1 else f"all {count} samples are"
    return ItemError(STAGE, f"{subject} {' or '.join(reasons)}", "sample the model again", id=example.id)
