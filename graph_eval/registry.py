"""Names of parts: "name" or "name:argument" -> an object that fits a seam.

A built-in part is a line in `PARTS`; nothing is imported before it is asked for. Its class makes itself from the
argument and the settings by `of`, if it has one. Another package adds parts by entry points in the groups
`graph_eval.extractors`, `graph_eval.checkers` and `graph_eval.correctors`: callables that take the argument (a str or
None) and return the part.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.settings import Settings

PARTS: dict[str, dict[str, str]] = {
    "extractor": {
        "rules": "graph_eval.extractors.rules.extractor:RulesExtractor",
        "sentences": "graph_eval.extractors.sentences:SentenceExtractor",
        "subsentences": "graph_eval.extractors.subsentences:SubsentenceExtractor",
        "response": "graph_eval.extractors.response:WholeExtractor",
        "llm": "graph_eval.extractors.llm:LLMExtractor",
    },
    "checker": {
        "builtin": "graph_eval.checkers.builtin:BuiltinChecker",
        "llm": "graph_eval.checkers.llm:LLMChecker",
        "ensemble": "graph_eval.checkers.ensemble:EnsembleChecker",
        "onnx": "graph_eval.checkers.onnx:OnnxChecker",
        "nli": "graph_eval.checkers.hf.nli:NLIChecker",
        "hhem-1.0": "graph_eval.checkers.hf.hhem:HHEM1Checker",
        "hhem-2.1": "graph_eval.checkers.hf.hhem:HHEM2Checker",
        "true": "graph_eval.checkers.hf.t5:TrueChecker",
        "trueteacher": "graph_eval.checkers.hf.t5:TrueTeacherChecker",
        "alignscore": "graph_eval.checkers.hf.alignscore:AlignScoreChecker",
        "minicheck": "graph_eval.checkers.hf.minicheck:MiniCheckChecker",
        "minicheck-roberta": "graph_eval.checkers.hf.minicheck:MiniCheckRobertaChecker",
        "minicheck-deberta": "graph_eval.checkers.hf.minicheck:MiniCheckDebertaChecker",
        "factcg": "graph_eval.checkers.hf.factcg:FactCGChecker",
        "repc": "graph_eval.checkers.hf.repc:RepCChecker",
    },
    "corrector": {
        "builtin": "graph_eval.correctors.builtin:BuiltinCorrector",
        "llm": "graph_eval.correctors.llm:LLMCorrector",
        "graphcorrect": "graph_eval.correctors.llm:GraphCorrector",
        "direct": "graph_eval.correctors.llm:DirectCorrector",
    },
}
ARGUMENTS = {  # of those that need one: how it is written
    "llm": "llm:MODEL, e.g. llm:openai/gpt-4o-mini",
    "graphcorrect": "graphcorrect:MODEL, e.g. graphcorrect:openai/gpt-4o-mini",
    "direct": "direct:MODEL, e.g. direct:openai/gpt-4o-mini",
    "nli": "nli:MODEL, a name on the hub or a folder",
    "repc": "repc:FOLDER, as graph-eval bench repc-train writes it",
    "onnx": "onnx:FOLDER, with model.onnx and tokenizer.json",
    "ensemble": "ensemble:A+B, e.g. ensemble:builtin+llm:openai/gpt-4o-mini",
}
FOLDERS = {name for name, path in PARTS["checker"].items() if ".check.hf." in path} - ARGUMENTS.keys()  # or no argument


def names(seam: str) -> list[str]:
    """Every name that `create` takes for the seam, built-in and installed."""
    return sorted({*PARTS[seam], *(point.name for point in entry_points(group=f"graph_eval.{seam}s"))})


def create(seam: str, spec: str, settings: Settings | None = None) -> Any:
    """The part that `spec` names. Raises UsageError for an unknown name or a wrong argument.

    Only built-in parts see the settings.
    """
    name, colon, argument = spec.partition(":")
    path = PARTS[seam].get(name)
    if path is not None:
        if colon and name not in ARGUMENTS and name not in FOLDERS:
            raise UsageError(f"{seam} {spec!r}: {name} takes no argument", f"write {name}")
        if name in ARGUMENTS and not argument.strip():
            raise UsageError(f"{seam} {spec!r} lacks its argument", f"write {ARGUMENTS[name]}")
        module, attribute = path.split(":")
        part = getattr(import_module(module), attribute)
        return part.of(argument.strip(), settings or Settings()) if hasattr(part, "of") else part()
    for point in entry_points(group=f"graph_eval.{seam}s", name=name):
        return point.load()(argument if colon else None)
    near = difflib.get_close_matches(name, names(seam), n=1)
    hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(names(seam))}"
    raise UsageError(f"there is no {seam} {name!r}", hint)
