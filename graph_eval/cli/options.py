"""Options that several commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from graph_eval.errors import GraphEvalError, UsageError

if TYPE_CHECKING:
    from graph_eval.graph.store import CypherStore
    from graph_eval.pipeline import GraphEval
    from graph_eval.settings import Settings
    from graph_eval.types import Result, Run

Command = TypeVar("Command", bound=Callable[..., Any])


def stacked(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    def apply(function: Command) -> Command:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


input_options = stacked(
    click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
    click.option("--response", metavar="TEXT", help="One-off: the response itself, or @FILE."),
    click.option("--context", multiple=True, metavar="TEXT", help="One-off: its context, or @FILE; repeatable."),
    click.option("--question", metavar="TEXT", help="One-off: what the response answers."),
    click.option("--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Read FIELD from COLUMN."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N records."),
)
run_options = stacked(
    click.option("-o", "--output", type=click.Path(path_type=Path), metavar="RUN", help="Run directory; resumes."),
    click.option("--extractor", metavar="NAME", help="rules (default), sentences, subsentences, response, llm:MODEL."),
    click.option("--chunk", type=int, metavar="N", help="Records worked on at once (default 32)."),
    click.option("--threads", type=int, metavar="N", help="Threads of the model; 0: one a core (default)."),
    click.option("--allow-errors", is_flag=True, help="Exit 0 even if single records could not be done."),
)


model_options = stacked(
    click.option("--api-base", metavar="URL", help="Language models: a server of one's own, e.g. vLLM or Ollama."),
    click.option("--preset", metavar="NAME", help="Sampling of a paper: grapheval (1 / 1 / 250)."),
    click.option("--temperature", type=float, metavar="T", help="Of the model; 0 by default."),
    click.option("--top-p", type=float, metavar="P", help="Of the model."),
    click.option("--top-k", type=int, metavar="K", help="Of the model."),
    click.option("--max-tokens", type=int, metavar="N", help="Longest answer."),
    click.option("--seed", type=int, metavar="N", help="Of the model's sampling, where the provider takes one."),
    click.option("--timeout", type=float, metavar="SECONDS", help="Of one try (default 120)."),
    click.option("--retries", type=int, metavar="N", help="Tries after the first: 429, 5xx, timeouts (default 4)."),
    click.option("--concurrency", type=int, metavar="N", help="Requests at once (default 32)."),
    click.option("--structured", metavar="auto|on|off", help="Answers by JSON Schema; auto: where the model can."),
    click.option("--prompts", metavar="DIR", help="Your own prompt files; what DIR lacks is the package's."),
    click.option("--cache", metavar="FILE|off", help="Where answers are kept (default: see graph-eval cache info)."),
    click.option("--extract-mode", metavar="MODE", help="llm: grapheval (default), triplets, subsentences."),
    click.option("--part-words", type=int, metavar="N", help="llm: longer responses are read in parts (default 600)."),
)
published_options = stacked(
    click.option("--device", metavar="NAME,...", help="Of published checkers: auto (default), cpu, cuda:0,cuda:1."),
    click.option("--dtype", metavar="NAME", help="Of published checkers: auto (default), float32, bfloat16, int8."),
    click.option("--batch-tokens", type=int, metavar="N", help="Of published checkers; 0: by device (default)."),
)
check_model_options = stacked(
    click.option("--check-mode", metavar="MODE", help="llm: joint (default: all claims of a response), single."),
    click.option("--check-batch", type=int, metavar="N", help="llm: claims a joint call; 0: all (default)."),
    published_options,
    click.option("--ensemble", metavar="RULE", help="ensemble: mean (default), vote, any."),
)


correct_options = stacked(
    click.option("--corrector", metavar="NAME", help="builtin (default), llm:MODEL, graphcorrect:MODEL, direct:MODEL."),
    click.option("--second-checker", metavar="NAME", help="Has to accept an edit too."),
    click.option("--on-unsupported", metavar="keep|drop|hedge", help="A claim the context says nothing about (keep)."),
    click.option("--tries", type=int, metavar="N", help="Proposals that are tried for a claim (default 3)."),
    click.option("--rounds", type=int, metavar="N", help="Until nothing is flagged or nothing changes (default 1)."),
)


store_option = click.option(
    "--store", metavar="PATH-or-URI", help="A folder, or bolt:// or neo4j:// (default: NEO4J_URI)."
)


@dataclass(frozen=True, slots=True)
class Job:
    """What a command is to work on: a stream of items, how many (if known), and the input's digest."""

    items: Iterator[Any]
    total: int | None
    digest: str
    from_run: Path | None = None


def job(
    inputs: Sequence[str],
    response: str | None,
    context: Sequence[str],
    question: str | None,
    mapping: Sequence[str],
    limit: int | None,
) -> Job:
    """The records that the input options name. Raises UsageError where they contradict each other."""
    from itertools import islice

    from graph_eval.formats import files
    from graph_eval.runs import directory
    from graph_eval.types import content_hash

    if response is not None:
        if inputs:
            raise UsageError("--response and INPUT exclude each other", "give one of them")
        record = {
            "response": text_or_file(response),
            "context": [text_or_file(item) for item in context],
            "question": question,
        }
        return Job(iter([record]), 1, content_hash("one-off", record))
    if context or question:
        raise UsageError("--context and --question need --response", "or give records in a file")
    if not inputs:
        raise UsageError("there is nothing to read", "give INPUT, or --response TEXT --context TEXT")
    if directory.is_run(Path(inputs[0])):
        if len(inputs) > 1:
            raise UsageError("one run at a time", f"only {inputs[0]}")
        path = Path(inputs[0])
        results = path / directory.RESULTS
        with results.open("rb") as lines:
            total = sum(1 for _ in lines)
        source = files.Source(str(results), ".jsonl", "run", results)
        items: Iterator[Any] = directory.results_of(path)
        digest = source.digest()
        from_run: Path | None = path
    else:
        sources = files.sources(inputs)
        renamed = files.field_map(mapping)
        total = files.count(sources)
        items = files.read(sources, renamed)
        digest = content_hash(files.digest(sources), sorted(renamed.items()))
        from_run = None
    if limit is not None:
        items, total, digest = islice(items, limit), min(total, limit), content_hash(digest, limit)
    return Job(items, total, digest, from_run)


@contextmanager
def telling(ge: GraphEval) -> Iterator[Callable[[Result], None]]:
    """Says at the end, also of an interruption, what models did. Takes the results as they come."""
    found = slots = 0

    def add(result: Result) -> None:
        nonlocal found, slots
        if ge.settings.extractor.startswith("llm:"):
            from graph_eval.extractors.llm import alignment

            own, of = alignment(result.claims)
            found, slots = found + own, slots + of

    try:
        yield add
    finally:
        for line in told(ge):
            click.echo(line, err=True)
        if slots:
            click.echo(f"words found: {found} of {slots} parts of triples ({found / slots:.1%})", err=True)


def told(ge: GraphEval) -> Iterator[str]:
    """A line a model: of a language model answers, tokens, cost; of a published checker pairs and padding."""
    for engine in ge.engines:
        done = engine.stats
        if done.inputs:
            halved = f", {done.halved} times out of memory" if done.halved else ""
            yield (
                f"{', '.join(engine.names())}: {done.inputs:,} pairs in {done.batches:,} batches, "
                f"{done.tokens:,} tokens, {done.waste:.1%} padding{halved}"
            )
    for model in ge.models:
        totals = getattr(model, "totals", None)
        if totals is None or not totals.requests:
            continue
        cost = f", ${totals.dollars:.4f}" if totals.priced else ", no price known"
        failed = f", {totals.failed} failed" if totals.failed else ""
        again = f" in {totals.tries} tries" if totals.tries > totals.answers + totals.failed else ""
        name = getattr(model, "name", "model")
        yield (
            f"{name}: {totals.answers} answers{again}, {totals.cached} from the cache{failed}; "
            f"{totals.prompt_tokens} + {totals.answer_tokens} tokens{cost}"
        )


def text_or_file(value: str) -> str:
    """A text, or the content of the file behind "@"."""
    if not value.startswith("@"):
        return value
    path = Path(value[1:])
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"{path} cannot be read: {problem}", "a text that begins with @? put a blank before it"
        ) from None


@contextmanager
def opened_store(name: str | None) -> Iterator[CypherStore]:
    """The store that --store or NEO4J_URI names. Raises UsageError if neither does."""
    import os

    from graph_eval.graph.store import open_store

    name = name or os.environ.get("NEO4J_URI")
    if not name:
        raise UsageError("there is no store", "give --store PATH-or-URI, or set NEO4J_URI")
    with open_store(name) as store:
        yield store


@contextmanager
def looked_at(
    run: Path | None, store: str | None, identity: str | None, limit: int | None
) -> Iterator[tuple[Iterator[Result], str, dict[str, Any]]]:
    """Results to be shown, their title and settings: of a run directory, or of a run in a store."""
    from itertools import islice

    from graph_eval.runs import directory

    if run is not None:
        if store is not None or identity is not None:
            raise UsageError("RUN and --store exclude each other", "give one of them")
        path = run_of(run)
        settings = directory.meta_of(path).get("settings", {})
        yield islice(directory.results_of(path), limit), path.resolve().name, settings
        return
    with opened_store(store) as opened:
        found = opened.run(identity)
        yield islice(opened.results(found.id), limit), f"run {found.id}", dict(found.settings)


def run_of(name: Path) -> Path:
    """The run directory of that name. Raises UsageError if it is none."""
    from graph_eval.runs import directory

    if not directory.is_run(name):
        raise UsageError(f"{name} is no run directory", f"make one: graph-eval check FILE.jsonl -o {name}")
    return name


@contextmanager
def results(
    stage: str, work: Job, ge: GraphEval, settings: Settings, output: Path | None, judged: bool = False
) -> Iterator[Iterator[Result]]:
    """The results of a stage (extract, check or correct) over a job, written to `output` where it is given.

    `judged`: the job is a run whose verdicts stand.
    """
    from graph_eval.pipeline import as_example
    from graph_eval.runs import directory
    from graph_eval.runs.execute import execute

    def run_chunk(part: Sequence[tuple[int, Any]]) -> list[Result]:
        if work.from_run is not None:
            found = [result for _, result in part]
        else:
            found = ge.extract([(n, as_example(item, n)) for n, item in part])
        if stage == "extract":
            return found
        found = found if judged else ge.judge(found)
        return ge.correct_chunk(found) if stage == "correct" else found

    if output is not None and work.from_run is not None and output.resolve() == work.from_run.resolve():
        raise UsageError(f"{output} is the input itself", "choose another -o")
    with directory.opened_if(output, lambda: described(stage, work, ge), settings.chunk) as run:
        yield execute(work.items, run_chunk, settings.chunk, run)


def described(stage: str, work: Job, ge: GraphEval) -> Run:
    """The run that this job makes. Its fingerprints read all weights: only what is kept needs them."""
    from graph_eval.runs import directory

    fingerprints = ge.fingerprints
    if stage == "extract":
        del fingerprints["checker"]
    if stage == "correct":
        fingerprints["corrector"] = ge.corrector.fingerprint
    if work.from_run is not None:
        del fingerprints["extractor"]
    return directory.describe(stage, ge.settings, fingerprints, work.digest)


class Loading:
    """Results on their way into a store, chunk by chunk. A store that fails stops the loading, not the checking."""

    def __init__(self, store: CypherStore, run: Run, chunk: int) -> None:
        self._store, self._run, self._chunk = store, run, chunk
        self._waiting: list[Result] = []
        self._written = 0
        self.problem: GraphEvalError | None = None

    def add(self, result: Result) -> None:
        self._waiting.append(result)
        if len(self._waiting) >= self._chunk:
            self._tried(self._write)

    def finish(self) -> None:
        self._tried(self._write)
        self._tried(lambda: tell_of_twins(self._store, self._run, self._written))

    def _write(self) -> None:
        if self._waiting:
            self._store.write(self._run, self._waiting)
            self._written += len(self._waiting)

    def _tried(self, step: Callable[[], None]) -> None:
        from graph_eval.errors import StoreError

        if self.problem is None:
            try:
                step()
            except StoreError as problem:
                self.problem = problem
        self._waiting.clear()


def tell_of_twins(store: CypherStore, run: Run, written: int) -> None:
    """Says so where the graph holds fewer responses than records were written."""
    twins = written - store.held(run.id)
    if twins > 0:
        click.echo(
            f"graph-eval: {twins} of {written} records are equal to another one in id, model, question and response; "
            "the graph holds them as one response",
            err=True,
        )


@contextmanager
def loading(name: str | None, work: Job, ge: GraphEval, stage: str = "check") -> Iterator[Loading | None]:
    """Where `check --store` and `correct --store` send their results; None without a store."""
    if name is None:
        yield None
        return
    with opened_store(name) as store:
        store.setup()
        found = Loading(store, described(stage, work, ge), ge.settings.chunk)
        yield found
        found.finish()
