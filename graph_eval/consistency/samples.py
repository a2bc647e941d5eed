"""Which samples of a response can be compared. An empty one, a refusal, a bare yes or no and one in another language
say nothing on a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from graph_eval.consistency.method import STAGE
from graph_eval.extractors.statement import states_something
from graph_eval.text.language import is_english
from graph_eval.text.sentences import sentences
from graph_eval.types import Example, ItemError, Text

EMPTY, REFUSAL, BARE, LANGUAGE, FAILED = "empty", "refusal", "yes or no", "language", "failed"
MEANING = {
    EMPTY: "empty",
    REFUSAL: "a refusal",
    BARE: "only yes or no",
    LANGUAGE: "in another language",
    FAILED: "not readable",
}
YES_OR_NO = re.compile(r"\W*(?:yes|no|yep|nope|yeah|true|false|correct|incorrect)\W*", re.IGNORECASE)
# Sentences that no answer of facts consists of. In a leaflet they can be claims, so only samples are read by them.
EVASIVE = re.compile(
    r"\W*(?:(?:that|this|it)(?:'s| is| was)? )?(?:unknown|unclear|uncertain|n/?a"
    r"|not (?:known|sure|certain|available|applicable|specified|provided|mentioned)"
    r"|no (?:idea|answer|information|data|comment)(?: available)?)\W*"
    r"|\W*(?:please |you (?:should|could|may|might) "
    r"|i(?:'d| would) (?:recommend|suggest|advise) (?:that you |you |to )?)+"
    r"(?:consult|contact|ask|see|check|refer to|speak (?:to|with)|talk to|visit|look (?:at|up|for)|search|verify|try)"
    r"(?:ing)?\b.*",
    re.IGNORECASE | re.DOTALL,
)


class LeftOut(NamedTuple):
    """`sample`: the place among the samples of the record, from 0. `reason`: a key of `MEANING`."""

    sample: int
    reason: str


def usable(example: Example, samples: Sequence[Text], english_only: bool) -> tuple[list[int], list[LeftOut]]:
    """The places of the samples that can be compared, and the others with the reason.

    `english_only`: the method knows no other language, so a sample must be in English if the response is.
    """
    kept: list[int] = []
    left_out: list[LeftOut] = []
    english = english_only and is_english(example.response)
    for place, sample in enumerate(samples):
        reason = _reason(sample.text, english)
        if reason is None:
            kept.append(place)
        else:
            left_out.append(LeftOut(place, reason))
    return kept, left_out


def _reason(text: str, english: bool) -> str | None:
    if not text.strip():
        return EMPTY
    if english and not is_english(text):
        return LANGUAGE
    if YES_OR_NO.fullmatch(text):
        return BARE
    if not any(_states_something(sentence.span.of(text)) for sentence in sentences(text)):
        return REFUSAL
    return None


def _states_something(sentence: str) -> bool:
    return states_something(sentence) and not EVASIVE.fullmatch(sentence.replace("’", "'").strip())


def none_usable(example: Example, left_out: Sequence[LeftOut]) -> ItemError:
    """The error of a record without a sample that can be compared."""
    if not example.samples:
        hint = 'pass --sample-with MODEL, or add the field "samples" with further answers to the question'
        return ItemError(STAGE, "the record has no samples", hint, id=example.id)
    reasons = list(dict.fromkeys(MEANING[entry.reason] for entry in left_out))
    count = len(example.samples)
    subject = "the only sample is" if count == 1 else f"all {count} samples are"
    return ItemError(STAGE, f"{subject} {' or '.join(reasons)}", "sample the model again", id=example.id)
