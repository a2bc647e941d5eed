"""RefChecker's extractor over the extractors of this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.extractors.extractor import Extractor
from graph_eval.extractors.llm import LLMExtractor as LLMPart
from graph_eval.isolation import isolated
from graph_eval.refchecker.base import ExtractionResult, RCClaim, RCText
from graph_eval.registry import create
from graph_eval.settings import ExtractMode, Settings, load
from graph_eval.types import Claim, ItemError, Kind, Text, content_hash

MODES: dict[str, ExtractMode] = {"triplet": "triplets", "subsentence": "subsentences"}
FORM = ("subject", "predicate", "object")
Answering = Callable[[list[str]], list[str]]


class PartExtractor:
    """Any extractor of this package by its name: rules, subsentences, llm:MODEL."""

    def __init__(self, name: str = "rules", claim_format: str = "triplet", settings: Settings | None = None) -> None:
        self.claim_format = checked_format(claim_format)
        part = "subsentences" if claim_format == "subsentence" and name == "rules" else name
        self._part: Extractor = create("extractor", part, settings or load())

    def extract(
        self,
        batch_responses: Sequence[str],
        batch_questions: Sequence[str | None] | None = None,
        max_new_tokens: int | None = None,  # noqa: ARG002
    ) -> list[ExtractionResult]:
        return extracted(self._part, self.claim_format, batch_responses, batch_questions)


class LLMExtractor:
    """`model`: a litellm name. `batch_size`: the number of requests at the same time."""

    def __init__(
        self,
        claim_format: str = "triplet",
        model: str = "",
        batch_size: int = 16,
        api_base: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.claim_format = checked_format(claim_format)
        self.model = checked_model(model)
        self._settings = model_settings(settings, batch_size, api_base)

    def extract(
        self,
        batch_responses: Sequence[str],
        batch_questions: Sequence[str | None] | None = None,
        max_new_tokens: int | None = 500,
        custom_llm_api_func: Answering | None = None,
        **unknown: Any,
    ) -> list[ExtractionResult]:
        """`custom_llm_api_func`: prompts -> answers, used instead of the model."""
        refuse(unknown)
        settings = self._settings.replace(max_tokens=max_new_tokens)
        part = LLMPart(model_or_function(self.model, custom_llm_api_func), MODES[self.claim_format], settings)
        return extracted(part, self.claim_format, batch_responses, batch_questions)


def extracted(
    part: Extractor, claim_format: str, responses: Sequence[str], questions: Sequence[str | None] | None
) -> list[ExtractionResult]:
    """One result for each response, in order. The format selects triplets or texts. Equal triplets count once."""
    questions = questions or [None] * len(responses)
    if len(questions) != len(responses):
        raise UsageError(
            f"{len(responses)} responses and {len(questions)} questions", "pass a question or None for each response"
        )
    texts = [Text(content_hash(*pair), *pair) for pair in zip(responses, questions, strict=True)]
    results = []
    for text, claims in zip(texts, isolated("extract", texts, part.extract), strict=True):
        if isinstance(claims, ItemError):
            results.append(ExtractionResult(response=text.text, extractor_response=claims.answer, error=claims))
            continue
        if claim_format == "triplet":
            results.append(ExtractionResult(_triplets(claims), text.text))
        else:
            response = RCText(text.text)
            results.append(ExtractionResult(_subsentences(claims, response), response))
    return results


def _triplets(claims: Sequence[Claim]) -> list[RCClaim]:
    """The first of equal triplets, without the name of the form itself, which models repeat from a prompt."""
    contents = dict.fromkeys(tuple(slot.text for slot in claim.slots) for claim in claims if claim.kind is Kind.TRIPLET)
    return [RCClaim("triplet", list(content)) for content in contents if content != FORM]


def _subsentences(claims: Sequence[Claim], response: RCText) -> list[RCClaim]:
    """The claims that are texts, with the sentences of the response that they were taken from."""
    return [
        RCClaim("subsentence", claim.text, response.ids_at(claim.sentence))
        for claim in claims
        if claim.kind is Kind.SENTENCE
    ]


def checked_format(claim_format: str) -> str:
    """The format itself. Raises UsageError for an unknown one."""
    if claim_format not in MODES:
        raise UsageError(f"unknown claim format {claim_format!r}", f"known formats: {', '.join(MODES)}")
    return claim_format


def checked_model(model: str) -> str:
    """The name itself. Raises UsageError for an empty one."""
    if not model:
        raise UsageError("missing model", "pass a litellm name, e.g. openai/gpt-4o-mini")
    return model


def model_settings(settings: Settings | None, batch_size: int, api_base: str | None) -> Settings:
    """The settings with RefChecker's arguments in them."""
    settings = settings or load()
    return settings.replace(concurrency=batch_size, api_base=api_base or settings.llm.api_base)


def model_or_function(model: str, function: Answering | None) -> Any:
    """The model's name, or RefChecker's function of many prompts as a function of one prompt."""
    return model if function is None else lambda prompt: function([prompt])[0]


def refuse(arguments: dict[str, Any]) -> None:
    """Raises UsageError for unknown arguments, e.g. a sagemaker client. None counts as not given."""
    names = sorted(name for name, value in arguments.items() if value is not None)
    if names:
        raise UsageError(f"unsupported argument {names[0]}", "name the provider in the model, e.g. sagemaker/ENDPOINT")
