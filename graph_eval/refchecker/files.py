"""RefChecker's files: a JSON array of items, each with what was there and what was found.

`extract` adds `claims`; `check` adds `ys`, a label a claim, and `Y`, the response's. An item that could not be done has
`error` instead, and the others go on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from graph_eval.chunks import chunks
from graph_eval.errors import UsageError
from graph_eval.refchecker.aggregators import Labels
from graph_eval.refchecker.checkers import CheckerBase
from graph_eval.refchecker.claims import ExtractionResult, content_of

Item = dict[str, Any]
Done = Callable[[int], None]


class Extracting(Protocol):
    def extract(
        self, batch_responses: Sequence[str], batch_questions: Sequence[str | None], max_new_tokens: int
    ) -> list[ExtractionResult]: ...


def read(path: Path) -> list[Item]:
    """Raises UsageError for what is no JSON array of objects."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as problem:
        raise UsageError(f"{path} cannot be read: {problem}", "give a JSON file that holds a list of items") from None
    if not isinstance(value, list):
        raise UsageError(f"{path} holds no list", "give a JSON file that holds a list of items")
    for n, item in enumerate(value):
        if not isinstance(item, dict):
            raise UsageError(f"{path}: item {n + 1} is no object", 'each item is {"response": ..., "reference": ...}')
    return value


def write(items: Sequence[Item], path: Path) -> None:
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_text(json.dumps(items, indent=2, ensure_ascii=False) + "\n", "utf-8")
        temporary.replace(path)
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}", "choose another --output_path") from None


def extract(items: Iterable[Item], extractor: Extracting, chunk: int, max_new_tokens: int) -> Iterator[Item]:
    """The items with `claims`."""

    def work(wanted: Sequence[Item]) -> Iterator[Item]:
        responses, questions = [item["response"] for item in wanted], [item.get("question") for item in wanted]
        for item, result in zip(wanted, extractor.extract(responses, questions, max_new_tokens), strict=True):
            if result.error is not None:
                yield {**item, "error": str(result.error)}
            else:
                yield {**clean(item), "claims": [claim.content for claim in result.claims]}

    return _worked(items, chunk, response_problem, work)


def check(
    items: Iterable[Item], checker: CheckerBase, aggregate: Callable[[Sequence[Labels]], Any], chunk: int
) -> Iterator[Item]:
    """The items with `ys` and `Y`. References of one item count together: one that entails a claim is enough."""

    def work(wanted: Sequence[Item]) -> Iterator[Item]:
        claims, references = [item["claims"] for item in wanted], [item["reference"] for item in wanted]
        found = checker.check(claims, references, [item.get("question") for item in wanted], merge_psg=True)
        for item, labels, errors in zip(wanted, found, checker.failures, strict=True):
            done = {**clean(item), "Y": aggregate(labels), "ys": labels}
            yield {**done, "error": str(errors[0])} if None in labels else done

    return _worked(items, chunk, check_problem, work)


def _worked(
    items: Iterable[Item],
    chunk: int,
    problem_of: Callable[[Item], str | None],
    work: Callable[[Sequence[Item]], Iterator[Item]],
) -> Iterator[Item]:
    """The items in order: those without a problem worked on, the others with it."""
    for part in chunks(items, chunk):
        problems = [problem_of(item) for item in part]
        wanted = [item for item, problem in zip(part, problems, strict=True) if problem is None]
        done = work(wanted) if wanted else iter(())
        for item, problem in zip(part, problems, strict=True):
            yield next(done) if problem is None else {**item, "error": problem}


def response_problem(item: Mapping[str, Any]) -> str | None:
    if not isinstance(item.get("response"), str):
        return '"response" is missing or no text'
    return None if isinstance(item.get("question", ""), str | None) else '"question" is no text'


def check_problem(item: Mapping[str, Any]) -> str | None:
    """Why an item cannot be checked."""
    if "claims" not in item and "error" in item:
        return str(item["error"])  # of its extraction
    claims, reference = item.get("claims"), item.get("reference")
    if not isinstance(claims, list):
        return '"claims" is missing: graph-eval refchecker extract adds it'
    if not isinstance(reference, str) and not (
        isinstance(reference, list) and all(isinstance(passage, str) for passage in reference)
    ):
        return '"reference" is missing: a text, or a list of texts'
    if not isinstance(item.get("question", ""), str | None):
        return '"question" is no text'
    try:
        for claim in claims:
            content_of(claim)
    except UsageError as problem:
        return str(problem)
    return None


def clean(item: Item) -> Item:
    """Without the error of an earlier run."""
    return {name: value for name, value in item.items() if name != "error"}
