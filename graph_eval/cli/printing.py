"""Prints jobs: results in a format, usage of models, and errors of loading into the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from graph_eval.cli.messages import tell
from graph_eval.cli.terminal import Summary, console, print_correction, print_result, progress

if TYPE_CHECKING:
    from graph_eval.jobs import Job
    from graph_eval.llm.model import LLM
    from graph_eval.pipeline import GraphEval
    from graph_eval.sinks import StoreSink
    from graph_eval.types import Result


class Printer(Protocol):
    def add(self, result: Result) -> None: ...

    def close(self) -> None: ...


class TextPrinter:
    """Prints results as text: the response with flagged words marked, claims with their evidence, and corrections.

    `all_claims`: also print supported claims. `summarise`: print counts at the end, unless there is only one result.
    `corrections`: print the outcome for each flagged claim, even where no claim is flagged.
    """

    def __init__(self, all_claims: bool = False, summarise: bool = False, corrections: bool = False) -> None:
        self.console = console()
        self.summary = Summary()
        self._all_claims, self._summarise, self._corrections = all_claims, summarise, corrections

    def add(self, result: Result) -> None:
        show = print_correction if self._corrections or result.revision is not None else print_result
        show(self.console, result, self._all_claims)

    def close(self) -> None:
        if self._summarise and self.summary.results != 1:
            self.summary.print(self.console)


class LinePrinter:
    """Prints `text_of` each result, unchanged."""

    def __init__(self, text_of: Callable[[Result], str]) -> None:
        self._text_of = text_of

    def add(self, result: Result) -> None:
        _echo(self._text_of(result))

    def close(self) -> None:
        """Nothing is left to print."""


def printer(form: str, all_claims: bool = False, summarise: bool = False, corrections: bool = False) -> Printer:
    """The printer of a format: text, json, jsonl, csv, records or patch."""
    if form == "text":
        return TextPrinter(all_claims, summarise, corrections)
    from graph_eval.formats import writers

    if form in writers.WRITERS:
        return writers.WRITERS[form](_echo)
    if form == "patch":
        return LinePrinter(writers.patch)
    return LinePrinter(lambda result: writers.corrected_record(result) + "\n")


def _echo(text: str) -> None:
    click.echo(text, nl=False)


def print_job(job: Job, ge: GraphEval, output: Printer) -> Summary:
    """Runs the job and prints its results as they come. Returns their counts."""
    shown = output if isinstance(output, TextPrinter) else None
    summary, terminal = (shown.summary, shown.console) if shown else (Summary(), None)
    usage = Usage(ge)
    try:
        with (
            closing(job.results()) as stream,  # so that its sinks are closed before a store is
            progress(stream, job.source.total, terminal) as results,
        ):
            for result in results:
                summary.add(result)
                usage.add(result)
                output.add(result)
    finally:
        for line in usage.lines():
            click.echo(line, err=True)
    output.close()
    return summary


class Usage:
    """Usage of the models of a job, also of an interrupted one."""

    def __init__(self, ge: GraphEval) -> None:
        self._ge = ge
        self._aligned = self._slots = 0
        self._deciders: Counter[str] = Counter()  # claims by the checker of a cascade that decided
        self._extracts_with_model = bool(ge.extractor.models)

    def add(self, result: Result) -> None:
        self._deciders.update(verdict.decided_by for verdict in result.judgements if verdict.decided_by)
        if self._extracts_with_model:
            from graph_eval.extractors.llm import alignment

            aligned, slots = alignment(result.claims)
            self._aligned, self._slots = self._aligned + aligned, self._slots + slots

    def lines(self) -> Iterator[str]:
        """One line per model: answers, tokens and cost of a language model, or pairs and padding of a published
        checker."""
        for engine in self._ge.engines:
            stats = engine.stats
            if stats.inputs:
                batches = "batch" if stats.halved == 1 else "batches"
                halved = f", {stats.halved} {batches} halved (out of memory)" if stats.halved else ""
                yield (
                    f"{', '.join(engine.names())}: {stats.inputs:,} pairs in {stats.batches:,} batches, "
                    f"{stats.tokens:,} tokens, {stats.waste:.1%} padding{halved}"
                )
        reached = sum(self._deciders.values())
        for name, following in pairwise(self._ge.checker.stages):
            before, reached = reached, reached - self._deciders[name]
            if before:
                yield f"{name}: {reached:,} of {before:,} claims ({reached / before:.0%}) sent on to {following}"
        yield from model_lines(self._ge.models)
        if self._slots:
            share = self._aligned / self._slots
            yield f"located in the response: {self._aligned} of {self._slots} triplet parts ({share:.1%})"


def model_lines(models: Iterable[LLM]) -> Iterator[str]:
    """The answers, tokens and cost of each language model that was asked, and which parameters it does not take."""
    from graph_eval.llm.client import LiteLLM

    for model in models:
        if not isinstance(model, LiteLLM) or not model.totals.requests:
            continue
        totals = model.totals
        cost = f", ${totals.dollars:.4f}" if totals.priced else ", cost unknown"
        failed = f", {totals.failed} failed" if totals.failed else ""
        again = f" in {totals.tries} tries" if totals.tries > totals.answers + totals.failed else ""
        yield (
            f"{model.name}: {totals.answers} answers{again}, {totals.cached} from the cache{failed}; "
            f"{totals.prompt_tokens} + {totals.answer_tokens} tokens{cost}"
        )
        if model.left_out:
            yield f"{model.name}: the model does not take {', '.join(model.left_out)}; sent without"


def print_store(store: StoreSink | None, name: str | None, output: Path | None) -> bool:
    """Prints errors of loading into the store. Returns whether loading failed."""
    if store is None:
        return False
    print_duplicates(store.duplicates, store.written)
    if store.problem is None:
        return False
    then = f"graph-eval load {output} --store {name}" if output else "check again, with -o RUN to keep the results"
    tell(store.problem.message, f"{store.problem.hint}; then: {then}")
    return True


def print_duplicates(duplicates: int, written: int) -> None:
    """Prints a warning if several loaded records are one response in the graph."""
    if duplicates > 0:
        verb = "has" if duplicates == 1 else "have"
        click.echo(
            f"graph-eval: {duplicates} of {written} records {verb} the same id, model, question, response and "
            "context as another record. The graph stores them as one response.",
            err=True,
        )
