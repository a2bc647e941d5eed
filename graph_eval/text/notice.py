"""The notice that a part which knows only English reads another language."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from graph_eval.errors import GraphEvalWarning
from graph_eval.stage import example_of
from graph_eval.text.language import SAMPLE, is_english
from graph_eval.types import Result


class LanguageNotice:
    """Warns once if a part that knows only English reads another language. `instead`: the option for another part."""

    def __init__(self, wanted: bool, instead: str = "--extractor llm:MODEL and --checker llm:MODEL") -> None:
        self._wanted = wanted
        self._instead = instead

    def read(self, results: Sequence[Result]) -> None:
        if self._wanted and not all(map(_in_english, results)):
            self._wanted = False
            warnings.warn(
                "some texts seem to be in another language than English, and the builtin parts read only English: "
                f"pass {self._instead}, or do not rely on the verdicts",
                GraphEvalWarning,
                stacklevel=2,
            )


def _in_english(result: Result) -> bool:
    example = example_of(result)
    context = " ".join(passage.text[:SAMPLE] for passage in example.passages[:3])
    return is_english(example.response) and is_english(context)
