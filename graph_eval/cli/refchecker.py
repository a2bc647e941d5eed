"""graph-eval refchecker: RefChecker's command line, options and files, over the parts of this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.messages import tell
from graph_eval.cli.options import OutputFile, published_options
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.refchecker.checkers import CheckerBase
    from graph_eval.retrieve.stage import GroundStage
    from graph_eval.settings import Settings

MODES = ("extract", "check", "extract-check")
MAX_SHOWN = 5  # failed items whose errors are printed
CLASSIFIERS = ("svm", "svm_ensemble", "nn", "nn_ensemble")


@click.command("refchecker", short_help="Run with RefChecker's files and options.")
@click.argument("mode", type=click.Choice(MODES))
@click.option(
    "--input_path", type=click.Path(path_type=Path), required=True, help="Read this JSON file: a list of items."
)
@click.option(
    "--output_path",
    type=OutputFile(),
    required=True,
    help="Write the items with their results to this file.",
)
@click.option(
    "--extractor_name", default="rules", metavar="NAME", help="Extract with rules (default), or a litellm model."
)
@click.option(
    "--extractor_max_new_tokens",
    type=int,
    default=500,
    metavar="N",
    help="Limit each model answer to N tokens (default 500).",
)
@click.option(
    "--claim_format",
    type=click.Choice(("triplet", "subsentence")),
    default="triplet",
    help="Extract claims of this form (default triplet).",
)
@click.option("--extractor_api_base", metavar="URL", help="Send the requests of the extractor to URL, e.g. vLLM.")
@click.option(
    "--checker_name", default="builtin", metavar="NAME",
    help="Judge with builtin (default), nli, nli:MODEL, alignscore, repc, any --checker of graph-eval check, or a "
    "litellm model.",
)  # fmt: skip
@click.option("--checker_api_base", metavar="URL", help="Send the requests of the checker to URL, e.g. vLLM.")
@click.option(
    "--repc_classifier_name",
    type=click.Choice(CLASSIFIERS),
    default="nn_ensemble",
    help="Use this classifier with the checker repc (default nn_ensemble).",
)
@click.option(
    "--aggregator_name",
    type=click.Choice(("strict", "soft", "major")),
    default="soft",
    help="Choose the rule for a response's label (default soft).",
)
@click.option(
    "--batch_size_extractor",
    type=click.IntRange(1),
    default=16,
    metavar="N",
    help="Send up to N requests of the extractor at once (default 16).",
)
@click.option(
    "--batch_size_checker",
    type=click.IntRange(1),
    default=16,
    metavar="N",
    help="Send up to N requests of the checker at once (default 16).",
)
@click.option(
    "--cache_dir", type=click.Path(path_type=Path), metavar="DIR", help="Cache model answers in a file in this folder."
)
@click.option(
    "--use_retriever", "--use_retrieval", "retrieve", is_flag=True, help="Search for the reference of each response."
)
@click.option(
    "--retriever_name",
    default="google",
    metavar="NAME",
    help="Search with google (default; by Serper), or any --ground of graph-eval check, e.g. bm25:FOLDER.",
)
@click.option(
    "--serper_api_key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read the key of Serper from FILE (default: the variable SERPER_API_KEY).",
)
@click.option("--allow-errors", is_flag=True, help="Exit with 0 even if some items fail.")
@published_options
def command(
    mode: str,
    input_path: Path,
    output_path: Path,
    extractor_name: str,
    extractor_max_new_tokens: int,
    claim_format: str,
    extractor_api_base: str | None,
    checker_name: str,
    checker_api_base: str | None,
    repc_classifier_name: str,
    aggregator_name: str,
    batch_size_extractor: int,
    batch_size_checker: int,
    cache_dir: Path | None,
    retriever_name: str,
    retrieve: bool,
    serper_api_key: Path | None,
    allow_errors: bool,
    **flags: Any,
) -> int:
    """Run with RefChecker's options: read a JSON list, add "claims", "ys" and "Y" to each item, write it.

    \b
    graph-eval refchecker extract-check --input_path in.json --output_path out.json
    graph-eval refchecker check --input_path in.json --output_path out.json --checker_name gpt-4o

    Items: response, question (optional), reference (a text or a list; --use_retriever writes it), claims (for check:
    triplets or texts). Other keys are kept. With several references "ys" has a list of labels for each claim. The
    defaults work offline.
    """
    from graph_eval.cli.terminal import progress
    from graph_eval.refchecker import files
    from graph_eval.refchecker.aggregators import AGGREGATORS
    from graph_eval.refchecker.extractors import LLMExtractor, PartExtractor
    from graph_eval.settings import load

    if retrieve and mode == "extract":
        raise UsageError("--use_retriever cannot be used with extract", "use it with check or extract-check")
    cache = None if cache_dir is None else str(cache_dir / "answers.sqlite")
    settings = load({**flags, "cache": cache})
    items = files.read(input_path)
    stream = iter(items)
    if mode != "check":
        extractor: files.Extracting = (
            PartExtractor(extractor_name, claim_format, settings)
            if _is_part("extractor", extractor_name)
            else LLMExtractor(claim_format, extractor_name, batch_size_extractor, extractor_api_base, settings)
        )
        stream = files.extract(stream, extractor, settings.chunk, extractor_max_new_tokens)
    if retrieve:
        stream = files.ground(stream, _ground_stage(retriever_name, serper_api_key, settings), settings.chunk)
    if mode != "extract":
        checker = _checker(checker_name, batch_size_checker, checker_api_base, repc_classifier_name, settings)
        stream = files.check(stream, checker, AGGREGATORS[aggregator_name], settings.chunk)
    name = "extracting" if mode == "extract" else "checking"
    with progress(stream, len(items), None, name) as shown:
        results = list(shown)
    files.write(results, output_path)
    errors = {number: item["error"] for number, item in enumerate(results, 1) if "error" in item}
    _show(errors)
    return 3 if errors and not allow_errors else 0


def _show(errors: dict[int, str]) -> None:
    """Prints the first errors, by number of the item."""
    for number, error in list(errors.items())[:MAX_SHOWN]:
        tell(f"item {number}: {error}")
    rest = len(errors) - MAX_SHOWN
    if rest > 0:
        tell(f"{rest} more {'item' if rest == 1 else 'items'} failed")


def _is_part(seam: str, name: str) -> bool:
    """Whether the name is a part of this package. Otherwise it is a model."""
    from graph_eval.registry import names

    return name.partition(":")[0] in names(seam)


def _ground_stage(name: str, key: Path | None, settings: Settings) -> GroundStage:
    """The search for each response as a whole, as RefChecker searches."""
    from graph_eval.retrieve.stage import GroundStage, named_retriever
    from graph_eval.retrieve.transform.chain import TransformChain

    if name == "google":
        name = "serper" if key is None else f"serper:{key}"
    elif key is not None:
        raise UsageError(f"--serper_api_key cannot be used with --retriever_name {name}", "leave out one of them")
    settings = settings.replace(ground=name, ground_by="response", ground_hops=1)
    transform = TransformChain.named(settings.retrieval.transform, settings)
    return GroundStage(named_retriever(name, settings), transform, settings)


def _checker(name: str, batch: int, api_base: str | None, classifier: str, settings: Settings) -> CheckerBase:
    from graph_eval.refchecker import checkers

    kind, _, argument = name.partition(":")
    if kind == "nli":
        return checkers.NLIChecker(argument or checkers.NLI, settings=settings)
    if kind == "alignscore":
        return checkers.AlignScoreChecker(argument or checkers.ALIGNSCORE, settings=settings)
    if kind == "repc":
        return checkers.RepCChecker(classifier, argument or checkers.REPC, settings=settings)
    if _is_part("checker", name):
        return checkers.PartChecker(name, settings)
    return checkers.LLMChecker(name, batch, api_base, settings)
