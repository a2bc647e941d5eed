"""RefChecker's names over the parts of this package. A program for refchecker 0.2.17 runs after changing its import.

    from graph_eval.refchecker import LLMExtractor, LLMChecker, NLIChecker, AlignScoreChecker, RepCChecker

Names, arguments and shapes of results are RefChecker's. Extraction and checking are those of this package, so that what
crashes or mislabels in RefChecker works here. Three differences are intended. A label that a model did not give is
None, where RefChecker fills in Neutral. A reference longer than the model's limit is read in parts, where RefChecker
cuts it. A response that was checked against an empty list of references has no label, where RefChecker fails or says
Entailment.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph_eval.refchecker.aggregators import major_agg, soft_agg, strict_agg
    from graph_eval.refchecker.base import ExtractionResult, RCClaim, RCSentence, RCText
    from graph_eval.refchecker.checkers import AlignScoreChecker, LLMChecker, NLIChecker, PartChecker, RepCChecker
    from graph_eval.refchecker.extractors import LLMExtractor, PartExtractor
    from graph_eval.refchecker.localizer import EmbedLocalizer, NaiveEmbedLocalizer

NAMES = {
    **dict.fromkeys(("strict_agg", "soft_agg", "major_agg"), "aggregators"),
    **dict.fromkeys(("LLMChecker", "NLIChecker", "AlignScoreChecker", "RepCChecker", "PartChecker"), "checkers"),
    **dict.fromkeys(("RCText", "RCSentence", "RCClaim", "ExtractionResult"), "base"),
    **dict.fromkeys(("LLMExtractor", "PartExtractor"), "extractors"),
    **dict.fromkeys(("EmbedLocalizer", "NaiveEmbedLocalizer"), "localizer"),
}
__all__ = [
    "AlignScoreChecker",
    "EmbedLocalizer",
    "ExtractionResult",
    "LLMChecker",
    "LLMExtractor",
    "NLIChecker",
    "NaiveEmbedLocalizer",
    "PartChecker",
    "PartExtractor",
    "RCClaim",
    "RCSentence",
    "RCText",
    "RepCChecker",
    "major_agg",
    "soft_agg",
    "strict_agg",
]


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{NAMES[name]}"), name)
