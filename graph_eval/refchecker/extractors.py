"""RefChecker's extractor over ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.extractors.extractor import Extractor
from graph_eval.extractors.llm import LLMExtractor as OurLLMExtractor
from graph_eval.isolation import isolated
from graph_eval.refchecker.claims import ExtractionResult, from_claim
from graph_eval.registry import create
from graph_eval.settings import ExtractMode, Settings, load
from graph_eval.text.sentences import sentences
from graph_eval.types import ItemError, Kind, Text, content_hash

MODES: dict[str, ExtractMode] = {"triplet": "triplets", "subsentence": "subsentences"}
Answering = Callable[[list[str]], list[str]]


class PartExtractor:
    """Any extractor of ours by its name: rules, subsentences, llm:MODEL."""

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
    """`model`: a litellm name. `batch_size`: requests at once."""

    def __init__(
        self,
        claim_format: str = "triplet",
        model: str = "",
        batch_size: int = 16,
        api_base: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.claim_format = checked_format(claim_format)
        self.model = needed(model)
        self._settings = of_model(settings, batch_size, api_base)

    def extract(
        self,
        batch_responses: Sequence[str],
        batch_questions: Sequence[str | None] | None = None,
        max_new_tokens: int | None = 500,
        custom_llm_api_func: Answering | None = None,
        **unknown: Any,
    ) -> list[ExtractionResult]:
        """`custom_llm_api_func`: prompts -> answers, in place of the model."""
        refuse(unknown)
        settings = self._settings.replace(max_tokens=max_new_tokens)
        part = OurLLMExtractor(answering(self.model, custom_llm_api_func), MODES[self.claim_format], settings)
        return extracted(part, self.claim_format, batch_responses, batch_questions)


def extracted(
    part: Extractor, claim_format: str, responses: Sequence[str], questions: Sequence[str | None] | None
) -> list[ExtractionResult]:
    """One result a response, in order. Triplets only, or texts only, as the format says."""
    asked = questions or [None] * len(responses)
    if len(asked) != len(responses):
        raise UsageError(f"{len(responses)} responses and {len(asked)} questions", "give a question or None for each")
    texts = [Text(content_hash(*pair), *pair) for pair in zip(responses, asked, strict=True)]
    results = []
    for text, claims in zip(texts, isolated("extract", texts, part.extract), strict=True):
        if isinstance(claims, ItemError):
            results.append(ExtractionResult(response=text.text, extractor_response=claims.answer, error=claims))
            continue
        spans = [sentence.span for sentence in sentences(text.text)]
        wanted = Kind.TRIPLET if claim_format == "triplet" else Kind.SENTENCE
        found = [from_claim(claim, spans) for claim in claims if claim.kind is wanted]
        results.append(ExtractionResult(found, text.text))
    return results


def checked_format(claim_format: str) -> str:
    if claim_format not in MODES:
        raise UsageError(f"there is no claim format {claim_format!r}", f"known: {', '.join(MODES)}")
    return claim_format


def needed(model: str) -> str:
    if not model:
        raise UsageError("the model is missing", "give a litellm name, e.g. openai/gpt-4o-mini")
    return model


def of_model(settings: Settings | None, batch_size: int, api_base: str | None) -> Settings:
    settings = settings or load()
    return settings.replace(concurrency=batch_size, api_base=api_base or settings.llm.api_base)


def answering(model: str, function: Answering | None) -> Any:
    """The model, or RefChecker's function of many prompts as one of a single prompt."""
    return model if function is None else lambda prompt: function([prompt])[0]


def refuse(unknown: dict[str, Any]) -> None:
    """Sagemaker clients and whatever else is not known. None means not given."""
    given = sorted(name for name, value in unknown.items() if value is not None)
    if given:
        raise UsageError(f"{given[0]} is not taken", "litellm names every provider, e.g. sagemaker/ENDPOINT")
