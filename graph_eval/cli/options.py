"""Options that several commands share, and the settings, inputs and stores that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.graph.claims import ClaimGraph
    from graph_eval.sources import Source
    from graph_eval.types import Result

Command = TypeVar("Command", bound=Callable[..., Any])


def stacked(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    def apply(function: Command) -> Command:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


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


debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, callback=show_tracebacks, help="Show the traceback of every error."
)
input_options = stacked(
    click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
    click.option("--response", metavar="TEXT", help="Check one response: its text, or @FILE."),
    click.option(
        "--context", multiple=True, metavar="TEXT", help="The context of --response: text, or @FILE; repeatable."
    ),
    click.option("--question", metavar="TEXT", help="The question that --response answers."),
    click.option("--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Read FIELD from COLUMN; repeatable."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Read only the first N records."),
)
run_options = stacked(
    click.option(
        "-o", "--output", type=click.Path(path_type=Path), metavar="RUN", help="Write a run directory, or resume it."
    ),
    click.option(
        "--extractor",
        metavar="NAME",
        help="Extract claims with rules (default), sentences, subsentences, llm:MODEL, ...",
    ),
    click.option("--chunk", type=int, metavar="N", help="Process N records at a time (default 32)."),
    click.option("--threads", type=int, metavar="N", help="Run models in N threads; 0: one for each core (default)."),
    click.option("--allow-errors", is_flag=True, help="Exit with 0 even if single records failed."),
    debug_option,
)


model_options = stacked(
    click.option("--api-base", metavar="URL", help="Send language model requests to URL, e.g. vLLM or Ollama."),
    click.option("--preset", metavar="NAME", help="Sample as a paper does: grapheval (1 / 1 / 250)."),
    click.option("--temperature", type=float, metavar="T", help="Set the model's temperature (default 0)."),
    click.option("--top-p", type=float, metavar="P", help="Set the model's top_p."),
    click.option("--top-k", type=int, metavar="K", help="Set the model's top_k."),
    click.option("--max-tokens", type=int, metavar="N", help="Limit an answer to N tokens."),
    click.option("--seed", type=int, metavar="N", help="Seed the model's sampling, if the provider takes a seed."),
    click.option("--timeout", type=float, metavar="SECONDS", help="Give up one try after SECONDS (default 120)."),
    click.option("--retries", type=int, metavar="N", help="Try N times more after 429, 5xx and timeouts (default 4)."),
    click.option("--concurrency", type=int, metavar="N", help="Send up to N requests at once (default 32)."),
    click.option(
        "--structured", metavar="auto|on|off", help="Ask for answers by JSON Schema; auto: if the model can (default)."
    ),
    click.option("--prompts", metavar="DIR", help="Use the prompt files in DIR instead of those of the package."),
    click.option("--cache", metavar="FILE|off", help="Keep answers in FILE (default: see graph-eval cache info)."),
    click.option(
        "--extract-mode", metavar="MODE", help="Extract with a model by grapheval (default), triplets, subsentences."
    ),
    click.option(
        "--part-words", type=int, metavar="N", help="Give a model longer responses in parts of N words (default 600)."
    ),
)
published_options = stacked(
    click.option("--device", metavar="NAME,...", help="Run published checkers on auto (default), cpu, cuda:0,cuda:1."),
    click.option("--dtype", metavar="NAME", help="Run published checkers in auto (default), float32, bfloat16, int8."),
    click.option(
        "--batch-tokens", type=int, metavar="N", help="Batch N tokens in published checkers; 0: by device (default)."
    ),
)
check_model_options = stacked(
    click.option(
        "--check-mode",
        metavar="MODE",
        help="Ask a model about joint (default: all claims of a response) or single claims.",
    ),
    click.option("--check-batch", type=int, metavar="N", help="Ask about N claims in a joint call; 0: all (default)."),
    published_options,
    click.option("--ensemble", metavar="RULE", help="Combine an ensemble by mean (default), vote, any."),
)


correct_options = stacked(
    click.option(
        "--corrector",
        metavar="NAME",
        help="Correct with builtin (default), llm:MODEL, graphcorrect:MODEL, direct:MODEL.",
    ),
    click.option("--second-checker", metavar="NAME", help="Keep an edit only if this checker accepts it too."),
    click.option(
        "--on-unsupported",
        metavar="keep|drop|hedge",
        help="What to do with a claim that the context does not mention (default keep).",
    ),
    click.option("--tries", type=int, metavar="N", help="Try up to N proposals for each claim (default 3)."),
    click.option("--rounds", type=int, metavar="N", help="Correct the corrected text up to N times (default 1)."),
)


store_option = click.option(
    "--store",
    metavar="PATH-or-URI",
    help="Use the graph store in a folder, or at bolt:// or neo4j:// (default: NEO4J_URI).",
)
shown_options = stacked(
    click.argument("run", type=click.Path(path_type=Path), required=False),
    store_option,
    click.option("--run-id", metavar="ID", help="Choose a run of the store; default: the one that was loaded last."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Show only the first N responses."),
)


def plural(count: int, noun: str) -> str:
    """ "1 claim", "2 claims"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def source_of(
    inputs: Sequence[str],
    response: str | None,
    context: Sequence[str],
    question: str | None,
    mapping: Sequence[str],
    limit: int | None,
) -> Source:
    """The source of the input options. Raises UsageError if they contradict each other."""
    from graph_eval.sources import one_off, open_source

    if response is not None:
        if inputs:
            raise UsageError("--response and INPUT exclude each other", "give one of them")
        return one_off(text_or_file(response), [text_or_file(item) for item in context], question)
    if context or question:
        raise UsageError("--context and --question need --response", "give --response, or records in a file")
    return open_source(inputs, mapping, limit)


def text_or_file(value: str) -> str:
    """A text, or the content of the file behind "@"."""
    if not value.startswith("@"):
        return value
    path = Path(value[1:])
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"{path} cannot be read: {problem}", "if the text itself begins with @, put a blank before it"
        ) from None


@contextmanager
def opened_store(name: str | None) -> Iterator[ClaimGraph]:
    """The store that --store or NEO4J_URI names. Raises UsageError if neither does."""
    import os

    from graph_eval.graph.open import open_graph

    name = name or os.environ.get("NEO4J_URI")
    if not name:
        raise UsageError("missing store", "give --store PATH-or-URI, or set NEO4J_URI")
    with open_graph(name) as graph:
        yield graph


@contextmanager
def shown_results(
    run: Path | None, store: str | None, run_id: str | None, limit: int | None
) -> Iterator[tuple[Iterator[Result], str, dict[str, Any]]]:
    """Results to be shown, their title and settings: of a run directory, or of a run in a store."""
    from itertools import islice

    from graph_eval.sources import RunFiles

    if run is not None:
        if store is not None or run_id is not None:
            raise UsageError("RUN and --store exclude each other", "give one of them")
        source = RunFiles(run, limit)
        yield source.results(), run.resolve().name, dict(source.run.settings)
        return
    with opened_store(store) as graph:
        chosen = graph.run(run_id)
        yield islice(graph.results(chosen.id), limit), f"run {chosen.id}", dict(chosen.settings)
