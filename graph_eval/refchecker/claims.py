"""Claims of RefChecker as claims of this package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.extractors.wording import as_sentence
from graph_eval.refchecker.base import RCClaim
from graph_eval.text.normalise import readable
from graph_eval.types import Claim, Slot, Span, Text, content_hash

ClaimLike = Any  # a triplet, a text, or an RCClaim


def content_of(claim: ClaimLike) -> str | list[str]:
    """Three texts or one. Raises UsageError for anything else."""
    content = claim.content if isinstance(claim, RCClaim) else claim
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple) and len(content) == 3 and all(isinstance(part, str) for part in content):
        return list(content)
    raise UsageError(f"invalid claim {str(content)[:80]!r}", "pass a text, or three texts: subject, predicate, object")


def text_of(claim: ClaimLike, preserve_triplet_form: bool = False) -> str:
    """The claim as RefChecker's models read it: classifiers the parts of a triplet joined by blanks, language models
    with `preserve_triplet_form` ("subject", "predicate", "object")."""
    content = content_of(claim)
    if isinstance(content, str):
        return content
    return RCClaim("triplet", content).get_content(preserve_triplet_form)


def as_claims(
    claims: Sequence[ClaimLike], question: str | None, preserve_triplet_form: bool
) -> tuple[Text, tuple[Claim, ...]]:
    """The claims as `Claim`s of one text, in which each is a sentence: checkers read the sentence of a claim.

    `preserve_triplet_form`: `Claim.text` of a triplet is ("subject", "predicate", "object"), else its sentence.
    """
    contents = list(map(content_of, claims))
    wordings = [
        readable(content) if isinstance(content, str) else as_sentence(text_of(content)) for content in contents
    ]
    whole = "\n".join(wordings)
    text = Text(content_hash(question, whole), whole, question)
    made = []
    start = 0
    for content, wording in zip(contents, wordings, strict=True):
        sentence = Span(start, start + len(wording))
        start = sentence.end + 1
        if isinstance(content, str):
            made.append(Claim.whole(text.id, wording, sentence))
        else:
            subject, predicate, object_ = (Slot(part, inferred=True) for part in content)
            shown = text_of(content, preserve_triplet_form=True) if preserve_triplet_form else wording
            made.append(Claim.triplet(text.id, (subject, predicate, object_), shown, sentence))
    return text, tuple(made)
