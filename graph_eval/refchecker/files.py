"""RefChecker's files: a JSON array of items that keep their keys and get new ones.

`extract` adds `claims`. `ground` writes `reference`. `check` adds `ys` and `Y`, the label of the response. `ys` has for
each claim a label, or for an item with a list of several references a list with a label for each. An item that failed
gets `error`, and the others go on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from graph_eval.chunks import chunks
from graph_eval.errors import InputError, UsageError
from graph_eval.formats.streams import text_stream
from graph_eval.output import write_text
from graph_eval.refchecker.aggregators import Labels
from graph_eval.refchecker.base import ExtractionResult
from graph_eval.refchecker.checkers import CheckerBase
from graph_eval.refchecker.claims import content_of
from graph_eval.retrieve.stage import GroundStage
from graph_eval.stage import run_stage
from graph_eval.types import Example, Result

Item = dict[str, Any]
EMPTY = '"reference" is an empty list: add a text to it, because without one no claim can be checked'


class Extracting(Protocol):
    def extract(
        self, batch_responses: Sequence[str], batch_questions: Sequence[str | None], max_new_tokens: int
    ) -> list[ExtractionResult]: ...


def read(path: Path) -> list[Item]:
    """The items of a file. Raises UsageError for anything but a JSON array of objects."""
    try:
        with path.open("rb") as file, text_stream(str(path), file) as stream:
            value = json.loads(stream.read())
    except InputError as problem:
        raise UsageError(problem.message, problem.hint) from None
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"reading {path} failed: {problem}", "pass a JSON file with a list of items") from None
    if not isinstance(value, list):
        raise UsageError(f"{path} is not a JSON list", "pass a JSON file with a list of items")
    for number, item in enumerate(value, 1):
        if not isinstance(item, dict):
            hint = 'write each item as {"response": ..., "reference": ...}'
            raise UsageError(f"{path}: item {number} is not a JSON object", hint)
    return value


def write(items: Sequence[Item], path: Path) -> None:
    """Replaces the file at once. Raises UsageError where it cannot be written."""
    write_text(path, json.dumps(items, indent=2, ensure_ascii=False) + "\n", "choose another --output_path")


def extract(items: Iterable[Item], extractor: Extracting, chunk: int, max_new_tokens: int) -> Iterator[Item]:
    """The items with `claims`."""

    def work(batch: Sequence[Item]) -> Iterator[Item]:
        responses, questions = [item["response"] for item in batch], [item.get("question") for item in batch]
        for item, result in zip(batch, extractor.extract(responses, questions, max_new_tokens), strict=True):
            if result.error is not None:
                yield {**item, "error": str(result.error)}
            else:
                yield {**clean(item), "claims": [claim.content for claim in result.claims]}

    return _by_chunks(items, chunk, response_problem, work)


def ground(items: Iterable[Item], stage: GroundStage, chunk: int) -> Iterator[Item]:
    """The items with the passages that were found for them as `reference`, in place of one that they have."""

    def work(batch: Sequence[Item]) -> Iterator[Item]:
        records = (Example(str(n), "", item["response"], question=item.get("question")) for n, item in enumerate(batch))
        results = run_stage(stage, [Result(n, record) for n, record in enumerate(records)])
        for item, result in zip(batch, results, strict=True):
            if result.error is not None or result.example is None:
                failed = {name: value for name, value in item.items() if name != "reference"}
                yield {**failed, "error": str(result.error)}
            else:
                yield {**clean(item), "reference": [passage.text for passage in result.example.passages]}

    def problem_of(item: Item) -> str | None:
        failed = str(item["error"]) if "claims" not in item and "error" in item else None  # of its extraction
        return failed or response_problem(item)

    return _by_chunks(items, chunk, problem_of, work)


def check(
    items: Iterable[Item], checker: CheckerBase, aggregate: Callable[[Sequence[Labels]], Any], chunk: int
) -> Iterator[Item]:
    """The items with `ys` and `Y`. An item with claims and an empty list of references has no label: `Y` is None."""

    def work(batch: Sequence[Item]) -> Iterator[Item]:
        claims, references = [item["claims"] for item in batch], [item["reference"] for item in batch]
        by_item = checker.check(claims, references, [item.get("question") for item in batch])
        for item, labels, errors in zip(batch, by_item, checker.failures, strict=True):
            checked = {**clean(item), "Y": aggregate(labels), "ys": labels_in_file(labels)}
            if errors:
                checked["error"] = str(errors[0])
            elif item["claims"] and item["reference"] == []:
                checked["error"] = EMPTY
            yield checked

    return _by_chunks(items, chunk, check_problem, work)


def labels_in_file(labels: Sequence[Sequence[str | None]]) -> list[Any]:
    """The labels by claim and reference as `ys`: where every claim has one, without the inner lists."""
    if all(len(of_claim) == 1 for of_claim in labels):
        return [of_claim[0] for of_claim in labels]
    return list(labels)


def _by_chunks(
    items: Iterable[Item],
    chunk: int,
    problem_of: Callable[[Item], str | None],
    work: Callable[[Sequence[Item]], Iterator[Item]],
) -> Iterator[Item]:
    """The items in order: the outputs of `work` for valid items, the others with their problem."""
    for part in chunks(items, chunk):
        problems = [problem_of(item) for item in part]
        valid = [item for item, problem in zip(part, problems, strict=True) if problem is None]
        outputs = work(valid) if valid else iter(())
        for item, problem in zip(part, problems, strict=True):
            yield next(outputs) if problem is None else {**item, "error": problem}


def response_problem(item: Mapping[str, Any]) -> str | None:
    """Why an item cannot be extracted from, or None."""
    if not isinstance(item.get("response"), str):
        return '"response" is missing or not a text'
    return None if isinstance(item.get("question", ""), str | None) else '"question" is not a text'


def check_problem(item: Mapping[str, Any]) -> str | None:
    """Why an item cannot be checked, or None."""
    if not {"claims", "reference"} <= item.keys() and "error" in item:
        return str(item["error"])  # of its extraction, or of the search for its reference
    claims, reference = item.get("claims"), item.get("reference")
    if not isinstance(claims, list):
        return '"claims" is missing: run graph-eval refchecker extract first'
    if not isinstance(reference, str) and not (
        isinstance(reference, list) and all(isinstance(passage, str) for passage in reference)
    ):
        return '"reference" is missing or not a text or a list of texts'
    if not isinstance(item.get("question", ""), str | None):
        return '"question" is not a text'
    try:
        for claim in claims:
            content_of(claim)
    except UsageError as problem:
        return str(problem)
    return None


def clean(item: Item) -> Item:
    """The item without the error of an earlier run."""
    return {name: value for name, value in item.items() if name != "error"}
