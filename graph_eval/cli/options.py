"""Options that several commands share, and the settings, inputs and stores that they name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from graph_eval.cli.interrupt import is_interrupted
from graph_eval.cli.messages import tell
from graph_eval.errors import UsageError
from graph_eval.output import is_stream

if TYPE_CHECKING:
    from graph_eval.graph.claims import ClaimGraph
    from graph_eval.graph.rows import Scope
    from graph_eval.settings import LimitSettings, Settings
    from graph_eval.sinks import Sink, StoreSink
    from graph_eval.sources import Source
    from graph_eval.types import Result

Command = TypeVar("Command", bound=Callable[..., Any])


def stacked(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """One decorator that applies these, the last one first."""

    def apply(function: Command) -> Command:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


SECTIONS = (  # of the help of commands with many options, in this order
    INPUT := "Input",
    SAMPLES := "Samples",
    CLAIMS := "Claims and verdicts",
    RESULTS := "Results",
    PASSAGES := "Search for passages",
    CORRECTION := "Correction",
    MODELS := "Language models",
    PUBLISHED := "Published checkers and combinations",
    OTHERS := "Run",
)


def section(title: str, *decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """As `stacked`. The help of a SectionedCommand lists the options under this title, if they have none yet."""

    def apply(function: Command) -> Command:
        before = {id(parameter) for parameter in getattr(function, "__click_params__", ())}
        function = stacked(*decorators)(function)
        for parameter in getattr(function, "__click_params__", ()):
            if id(parameter) not in before and not hasattr(parameter, "section"):
                parameter.section = title
        return function

    return apply


class SectionedCommand(click.Command):
    """A command whose help lists its options by section; those without one come last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None:
                records[getattr(parameter, "section", OTHERS)].append(record)
        for title, own in records.items():
            if own:
                with formatter.section(title):
                    formatter.write_dl(own)


def show_tracebacks(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: ARG001
    """Sends the log of the package, which holds the traceback of every failed item, to stderr."""
    if value:
        import logging

        logger = logging.getLogger("graph_eval")
        if not debugging():
            logger.addHandler(logging.StreamHandler())


def debugging() -> bool:
    """Whether --debug was given."""
    import logging

    return any(type(handler) is logging.StreamHandler for handler in logging.getLogger("graph_eval").handlers)


class OutputFile(click.Path):
    """A file to write. Raises UsageError, before any work is done, for a folder and for a path below a file."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ARG002
        path = Path(value)
        if os.path.isdir(path):
            raise UsageError(f"{path} is a folder, not a file", "name a file in it")
        if above := next((parent for parent in path.parents if os.path.isfile(parent)), None):
            raise UsageError(f"{path} cannot be written: {above} is a file", "choose another file")
        return path


def echo_file(path: Path) -> None:
    """Prints the name of a file that was written, unless the file is where the name would go (/dev/stdout)."""
    if not is_stream(path):
        click.echo(path)


debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, callback=show_tracebacks, help="Show the traceback of every error."
)
map_option = click.option(
    "--map",
    "mapping",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Read record field FIELD from COLUMN. Repeatable.",
)
file_options = section(
    INPUT,
    map_option,
    click.option(
        "--input-format",
        type=click.Choice(("jsonl", "json", "csv")),
        help="Read INPUT in this format (default: by the name of the file; jsonl on standard input).",
    ),
    click.option("--max-line", metavar="SIZE", help="Limit a line of INPUT or one of its records (default 50MB)."),
    click.option("--max-passage", metavar="SIZE", help="Limit a passage of the context (default 10MB)."),
    click.option("--max-depth", type=int, metavar="N", help="Limit lists and objects in each other (default 100)."),
    click.option("--max-unpacked", metavar="SIZE", help="Limit a .gz file, unpacked (default 2GB)."),
)


class Given(NamedTuple):
    """The values of `input_options`."""

    inputs: tuple[str, ...]
    response: str | None
    context: tuple[str, ...]
    question: str | None
    mapping: tuple[str, ...]
    limit: int | None
    input_format: str | None

    @property
    def title(self) -> str:
        """Of a report: the names of the files."""
        return ", ".join(Path(name).name for name in self.inputs) or "one response"


def packed(kind: Any, parameter: str) -> Callable[[Command], Command]:
    """Passes the options that the NamedTuple `kind` names as one parameter of the command, with this name."""

    def apply(function: Command) -> Command:
        @wraps(function)
        def command(**values: Any) -> Any:
            values[parameter] = kind(**{name: values.pop(name) for name in kind._fields})
            return function(**values)

        return cast(Command, command)

    return apply


input_options = section(
    INPUT,
    click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
    click.option("--response", metavar="TEXT", help="Read one response: its text, or @FILE."),
    click.option(
        "--context", multiple=True, metavar="TEXT", help="Read the context of --response: text, or @FILE. Repeatable."
    ),
    click.option("--question", metavar="TEXT", help="Set the question that --response answers."),
    file_options,
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Read only the first N records."),
    packed(Given, "given"),
)
work_options = stacked(
    click.option("--chunk", type=int, metavar="N", help="Process N records at a time (default 32)."),
    click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core)."),
)
run_options = stacked(
    section(
        RESULTS,
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            metavar="RUN",
            help="Write a run directory, or resume it.",
        ),
    ),
    section(
        CLAIMS,
        click.option(
            "--extractor",
            metavar="NAME",
            help="Extract claims with rules (default), sentences, subsentences, llm:MODEL, ...",
        ),
    ),
    work_options,
    click.option("--allow-errors", is_flag=True, help="Exit with 0 even if some records fail."),
    debug_option,
)


sending_options = section(
    MODELS,  # of every request, without its temperature
    click.option("--api-base", metavar="URL", help="Send language model requests to URL, e.g. vLLM or Ollama."),
    click.option(
        "--preset",
        metavar="NAME",
        help="Use a paper's sampling settings: grapheval (temperature 1, top_p 1, top_k 250).",
    ),
    click.option("--top-p", type=float, metavar="P", help="Set the top_p sampling parameter of the language model."),
    click.option("--top-k", type=int, metavar="K", help="Set the top_k sampling parameter of the language model."),
    click.option("--max-tokens", type=int, metavar="N", help="Limit each model answer to N tokens."),
    click.option("--seed", type=int, metavar="N", help="Set the sampling seed, if the provider supports it."),
    click.option(
        "--reasoning-effort",
        metavar="EFFORT",
        help="Set how long the model reasons: none, minimal, low, medium, high, xhigh (default: the provider's).",
    ),
    click.option("--timeout", type=float, metavar="SECONDS", help="Time out each request after SECONDS (default 120)."),
    click.option(
        "--retries",
        type=int,
        metavar="N",
        help="Retry a request up to N times after HTTP 429, 5xx or a timeout (default 4).",
    ),
    click.option("--concurrency", type=int, metavar="N", help="Send up to N requests at once (default 32)."),
    click.option(
        "--batch/--no-batch",
        default=None,
        help="Send the requests of a chunk by the provider's batch API: cheaper, answered within a day (default: no).",
    ),
    click.option(
        "--structured",
        metavar="auto|on|off",
        help="Request answers that follow a JSON Schema: auto (default: if supported), on, off.",
    ),
    click.option("--prompts", metavar="DIR", help="Use the prompt files in DIR instead of those of the package."),
    click.option(
        "--cache", metavar="FILE|off", help="Cache model answers in FILE, or off (default: see graph-eval cache info)."
    ),
)
request_options = section(
    MODELS,
    sending_options,
    click.option(
        "--extract-mode",
        metavar="MODE",
        help="Choose the extraction prompt: grapheval (default), triplets, subsentences.",
    ),
    click.option(
        "--part-words",
        type=int,
        metavar="N",
        help="Split longer responses into parts of N words for the model (default 600).",
    ),
)
temperature_option = click.option(
    "--temperature", type=float, metavar="T", help="Set the temperature of the language model (default 0)."
)
model_options = section(MODELS, temperature_option, request_options)
published_options = section(
    PUBLISHED,
    click.option(
        "--device", metavar="NAME,...", help="Run published checkers on these devices: auto (default), cpu, cuda:0, ..."
    ),
    click.option(
        "--dtype",
        metavar="NAME",
        help="Run published checkers with this number type: auto (default), float32, bfloat16, float16, int8.",
    ),
    click.option(
        "--batch-tokens",
        type=int,
        metavar="N",
        help="Put up to N tokens in one batch (default 0: chosen for the device).",
    ),
)
check_model_options = section(
    PUBLISHED,
    section(
        MODELS,
        click.option(
            "--check-mode",
            metavar="MODE",
            help="Send all claims of a response in one request (joint, default) or one claim per request (single).",
        ),
        click.option(
            "--check-batch", type=int, metavar="N", help="Put at most N claims in a joint request (default 0: all)."
        ),
    ),
    published_options,
    click.option(
        "--ensemble", metavar="RULE", help="Combine the checkers of an ensemble by mean (default), vote or any."
    ),
    click.option(
        "--doubtful",
        metavar="LOW,HIGH",
        help="In a cascade, send claims with p_inconsistent between LOW and HIGH on to the next checker "
        "(default: the bounds of each checker).",
    ),
)


profile_option = section(
    CLAIMS,
    click.option(
        "--profile",
        metavar="FILE",
        help="Fit p(inconsistent) to your own labels, with the profile that graph-eval calibrate wrote. "
        "It has the thresholds warn and block.",
    ),
)
acceptance_options = section(
    CORRECTION,
    click.option("--second-checker", metavar="NAME", help="Keep an edit only if this checker accepts it too."),
    click.option(
        "--on-unsupported",
        metavar="keep|drop|hedge",
        help="Keep (default), drop or hedge a claim that the context does not mention and that no edit corrects.",
    ),
    click.option(
        "--min-probability",
        type=float,
        metavar="P",
        help="Apply edits from this probability on and show the others as suggestions (default: the corrector's own).",
    ),
    click.option(
        "--tries", type=int, metavar="N", help="Test up to N proposed corrections for each claim (default 3)."
    ),
    click.option(
        "--rounds", type=int, metavar="N", help="Repeat correction on the corrected text, up to N rounds (default 1)."
    ),
)
correct_options = section(
    CORRECTION,
    click.option(
        "--corrector",
        metavar="NAME",
        help="Correct with builtin (default), llm:MODEL, graphcorrect:MODEL, direct:MODEL.",
    ),
    acceptance_options,
)


ground_options = section(
    PASSAGES,
    click.option(
        "--ground",
        metavar="CORPUS",
        help="Search for passages for responses without a context: in a file or folder (by BM25), or with "
        "bm25:CORPUS, dense:CORPUS, hybrid:CORPUS, serper[:KEYFILE], neo4j:INDEX.",
    ),
    click.option(
        "--ground-by", metavar="claim|response", help="Search for each claim (default), or once for each response."
    ),
    click.option("--ground-passages", type=int, metavar="N", help="Use the best N passages of a search (default 5)."),
    click.option(
        "--ground-hops",
        type=int,
        metavar="N",
        help="Search up to N times for a claim that stays Neutral, in other words each time (default 1).",
    ),
    click.option("--ground-index", metavar="DIR", help="Keep the index of the corpus in the folder DIR."),
    click.option(
        "--ground-encoder",
        metavar="MODEL",
        help="Encode texts for dense and hybrid with this model of sentence-transformers (default: one offline).",
    ),
    click.option(
        "--transform",
        metavar="NAME,...",
        help="Transform queries, one after the other: claim, rewrite, step_back, multi_query, condense, filter.",
    ),
    click.option("--transform-with", metavar="MODEL", help="Let this language model transform queries."),
    click.option(
        "--fusion-k", type=float, metavar="K", help="Join rankings by the sum of 1 / (rank + K) (default 60)."
    ),
)


store_option = click.option(
    "--store",
    metavar="PATH-or-URI",
    help="Use this graph store: a folder, or a bolt:// or neo4j:// URI (default: $NEO4J_URI).",
)
names_option = click.option(
    "--share-names",
    type=click.Choice(["dataset", "response"]),
    default="dataset",
    help="Make a name one entity of the graph in each dataset (default), or only in each response.",
)
load_option = section(
    RESULTS,
    click.option(
        "--store",
        metavar="PATH-or-URI",
        help="Also load the results into this graph store: a folder, or a bolt:// or neo4j:// URI.",
    ),
    names_option,
)
shown_options = stacked(
    click.argument("run", type=click.Path(path_type=Path), required=False),
    store_option,
    click.option("--run-id", metavar="ID", help="Choose a run of the store (default: the last one loaded)."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Show only the first N responses."),
)


def plural(count: int, noun: str) -> str:
    """ "1 claim", "2 claims"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def source_of(
    given: Given, limits: LimitSettings, required: Sequence[str] | None = None, samples: Sequence[str] = ()
) -> Source:
    """The input that the options name. `required`: the fields that no record may lack, None: response and context.
    `samples`: of --response.

    Raises UsageError for options that cannot be combined.
    """
    from graph_eval.formats.records import REQUIRED
    from graph_eval.sources import one_off, open_source

    context, question = given.context, given.question
    if given.response is not None:
        if given.inputs:
            raise UsageError("--response and INPUT cannot be combined", "pass only one of them")
        contexts, further = map(text_or_file, context), map(text_or_file, samples)
        return one_off(text_or_file(given.response), list(contexts), question, limits, list(further))
    if context or question or samples:
        options = (("--context", context), ("--question", question), ("--sample", samples))
        names = [name for name, value in options if value]
        verb = "needs" if len(names) == 1 else "need"
        raise UsageError(f"{' and '.join(names)} {verb} --response", "pass --response, or records in a file")
    return open_source(given.inputs, given.mapping, given.limit, given.input_format, limits, required or REQUIRED)


def refuse_extractor(source: Source, extractor: str | None) -> None:
    """Raises UsageError for --extractor with a run directory."""
    if source.extracted and extractor is not None:
        raise UsageError("a run directory already contains claims", "omit --extractor")


def require_ground(settings: Settings, flags: Mapping[str, Any]) -> None:
    """Raises UsageError for an option of a search without --ground."""
    given = [field.name for field in fields(settings.retrieval) if flags.get(field.name) is not None]
    if given and settings.retrieval.ground is None:
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} needs --ground", "pass --ground CORPUS, for example a folder of documents")


def text_or_file(value: str) -> str:
    """A text, or the content of the file behind "@"."""
    if not value.startswith("@"):
        return value
    import io

    from graph_eval.formats.streams import text_stream

    path = Path(value[1:])
    try:
        with path.open("rb") as file, text_stream(str(path), file) as stream:
            return io.TextIOWrapper(stream, "utf-8").read()
    except (OSError, ValueError) as problem:
        raise UsageError(
            f"{path} cannot be read: {problem}", "if the text itself begins with @, put a space before it"
        ) from None


@contextmanager
def opened_store(name: str | None, share_names: Scope = "dataset", *, create: bool = False) -> Iterator[ClaimGraph]:
    """The store that --store or NEO4J_URI names. Raises UsageError if neither does.

    `create`: make the folder of an embedded store if it does not exist. Otherwise this is a UsageError, too.
    """
    from graph_eval.graph.open import open_graph

    name = name or os.environ.get("NEO4J_URI")
    if not name:
        raise UsageError("missing store", "pass --store PATH-or-URI, or set NEO4J_URI")
    with open_graph(name, share_names, create=create) as graph:
        yield graph


@contextmanager
def opened_sinks(
    output: Path | None, store: str | None, share_names: Scope = "dataset"
) -> Iterator[tuple[list[Sink], StoreSink | None]]:
    """The sinks that -o and --store name, and that of the store once more, for what it has to say at the end."""
    from graph_eval.runs.resume import RunDirectory
    from graph_eval.sinks import StoreSink

    directory = RunDirectory(output) if output else None
    sinks: list[Sink] = [directory] if directory else []
    try:
        if store is None:
            yield sinks, None
            return
        with opened_store(store, share_names, create=True) as graph:
            loading = StoreSink(graph, directory.manifest if directory else None)
            yield [*sinks, loading], loading
    except BaseException as problem:
        stopped = isinstance(problem, KeyboardInterrupt) or is_interrupted()
        if stopped and output is not None and output.exists():
            tell(f"run the same command again to complete {output}")
        raise


class Shown(NamedTuple):
    """A run to be shown. `results`: each call reads them again from the first."""

    results: Callable[[], Iterator[Result]]
    title: str
    settings: dict[str, Any]


@contextmanager
def shown_runs(
    run: Path | None, store: str | None, run_id: str | None, limit: int | None, others: Sequence[str] = ()
) -> Iterator[list[Shown]]:
    """A run directory or a run in a store, and others of the same kind: directories, or ids of the same store."""
    from itertools import islice

    from graph_eval.sources import RunFiles

    if run is not None:
        if store is not None or run_id is not None:
            option = "--run-id" if store is None else "--store"
            raise UsageError(f"RUN and {option} cannot be combined", "pass only one of them")
        files = [(path, RunFiles(path, limit)) for path in (run, *map(Path, others))]
        yield [Shown(source.results, path.resolve().name, dict(source.run.settings)) for path, source in files]
        return
    with opened_store(store) as graph:  # once: the embedded store cannot be opened twice

        def shown(name: str | None) -> Shown:
            chosen = graph.run(name)
            return Shown(lambda: islice(graph.results(chosen.id), limit), f"run {chosen.id}", dict(chosen.settings))

        yield [shown(name) for name in (run_id, *others)]
