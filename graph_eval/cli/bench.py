"""graph-eval bench: published tables, claims, retrieval, corrections and speed, one command each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.options import (
    OutputFile,
    check_model_options,
    correct_options,
    file_options,
    model_options,
    profile_option,
    published_options,
    stacked,
)
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.bench.sets import Labelled
    from graph_eval.settings import Settings

data_option = click.option(
    "--data", type=click.Path(path_type=Path), metavar="DIR", help="Read the published sets from DIR."
)
common_options = stacked(
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Read only the first N responses of each set."),
    click.option(
        "-o",
        "--output",
        type=OutputFile(),
        metavar="FILE.json",
        help="Write the results and the score of each response to FILE.json.",
    ),
    click.option("--extractor", metavar="NAME", help="Extract triplets with this extractor (default rules)."),
    click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core)."),
    model_options,
)
set_options = stacked(
    click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
    data_option,
    click.option("--set", "names", multiple=True, metavar="NAME", help="Use this published set. Repeatable."),
    file_options,
    click.option("--checker", metavar="NAME", help="Judge with builtin (default), llm:MODEL, or another checker."),
    check_model_options,
)


@click.group("bench", short_help="Measure accuracy, extraction, retrieval, correction and speed.")
def command() -> None:
    """Measure accuracy (against human labels), extraction, retrieval, correction and speed, or train RepC classifiers.

    The JSON file of -o contains the results with settings, versions, machine and one score for each response. They can
    be recomputed from it.
    """


@command.command("table2", short_help="Compare a checker on whole responses and on claims.")
@set_options
@common_options
@click.option("--threshold", metavar="P|NAME", help="Use this threshold (default: that of the checker).")
@profile_option
@click.option(
    "--route",
    "routes",
    multiple=True,
    type=click.Choice(("response", "sentences", "triplets", "both")),
    help="Measure only this route. Repeatable (default: all).",
)
def table2_command(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    input_format: str | None,
    checker: str | None,
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    threads: int | None,
    threshold: str | None,
    profile: str | None,
    routes: tuple[str, ...],
    **of_models: Any,
) -> None:
    """Compare a checker on whole responses with the same checker on their claims (GraphEval, table 2).

    \b
    graph-eval bench table2 --data DIR -o table2.json
    graph-eval bench table2 answers.jsonl --map label=hallucinated

    The default sets are summeval, qags-c and qags-x. Use factcc, polytope and wice for development. INPUT: your own
    records with a label (1 or inconsistent, 0 or consistent). With -o an interrupted benchmark continues: FILE.runs/
    contains a run for each set and route.
    """
    from graph_eval.bench import record, table2
    from graph_eval.bench.sets import TABLE2
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    flags = {"extractor": extractor, "checker": checker, "threshold": threshold, "profile": profile}
    settings = load({**flags, "threads": threads, **of_models})
    sets = _sets(inputs, data, names, mapping, limit, TABLE2, input_format, settings)
    value = table2.table2(sets, settings, routes or table2.ROUTES, _runs(output), _track)
    if output:
        record.write(value, output)
    columns = ("set", "route", "n", "errors", "balanced accuracy", "AUC", "gain over response")
    rows = [
        [
            *(row[name] for name in ("title", "route", "n", "errors")),
            *(_figure(row[name]) for name in ("balanced_accuracy", "auc")),
            _figure(row.get("gain"), sign=True),
        ]
        for row in value["rows"]
    ]
    print_table(console(), columns, rows)


@command.command("extraction", short_help="Compare claims with human-checked triplets.")
@data_option
@common_options
def extraction_command(
    data: Path | None,
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    threads: int | None,
    **of_models: Any,
) -> None:
    """Compare extracted claims with RefChecker's human-checked triplets, and measure their coverage."""
    from graph_eval.bench import extraction, record
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    settings = load({"extractor": extractor, "threads": threads, **of_models})
    value = extraction.extraction(data, settings, limit, _track, _runs(output))
    if output:
        record.write(value, output)
    out, agreement, coverage = console(), value["agreement"], value["coverage"]
    print_table(out, list(agreement[0]), [list(row.values()) for row in agreement])
    names = [name for name in coverage[0] if name != "set"]
    print_table(out, ["", *(row["set"] for row in coverage)], [[n, *(row[n] for row in coverage)] for n in names])


@command.command("correction", short_help="Measure corrections of known errors.")
@data_option
@common_options
@correct_options
@click.option("--checker", metavar="NAME", help="Flag claims and judge edits with this checker.")
@check_model_options
@click.option(
    "--set",
    "name",
    type=click.Choice(("summedits", "defacto", "bump", "ragtruth")),
    default="summedits",
    help="Use this published set (default summedits).",
)
@click.option(
    "--part",
    type=click.Choice(("a", "b", "train", "dev")),
    help="Use this part of the set: a or b of summedits (default b), train or dev of the others (default dev). "
    "a and train are for training and for choosing settings.",
)
@click.option(
    "--independent",
    metavar="NAME",
    help="Also judge the edited sentences with this checker, which plays no part in them.",
)
def correction_command(
    data: Path | None,
    limit: int | None,
    output: Path | None,
    name: str,
    part: str | None,
    independent: str | None,
    **flags: Any,
) -> None:
    """Measure how much the corrector restores and damages, on texts with an error whose right version is known.

    summedits, defacto and bump hold each text with the error and without it. ragtruth holds answers in which annotators
    marked the unsupported words.
    """
    from graph_eval.bench import correction, record
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    value = correction.correction(data, load(flags), name, part, limit, independent, _track)
    if output:
        record.write(value, output)
    out = console()
    for row in value.get("marked", ()):
        print_table(out, ["end to end", ""], [[label.replace("_", " "), figure] for label, figure in row.items()])
    for route in ("given", "end_to_end"):
        rows = value.get(route, [])
        if not rows:
            continue
        print_table(
            out,
            [route, *(row["edits"] for row in rows)],
            [
                [name.replace("_", " "), *(row.get(name) for row in rows)]
                for name in dict.fromkeys(name for row in rows for name in row)
                if name != "edits"
            ],
        )
    if needs := value.get("given_by_need", []):
        print_table(out, list(needs[0]), [list(row.values()) for row in needs])
    consistent = value["consistent"]
    print_table(out, ["consistent", ""], [[name, figure] for name, figure in consistent.items()])


@command.command("graphcorrect", short_help="Measure corrections of flagged summaries.")
@data_option
@common_options
@correct_options
@click.option("--set", "names", multiple=True, metavar="NAME", help="Use this published set. Repeatable.")
@click.option("--checker", metavar="NAME", help="Flag claims and judge edits with this checker.")
@check_model_options
@click.option(
    "--model", metavar="MODEL", help="Also run the correctors llm:MODEL, graphcorrect:MODEL and direct:MODEL."
)
@click.option(
    "--independent", metavar="NAME", help="Also judge the corrections with this checker, which plays no part in them."
)
def graphcorrect_command(
    data: Path | None,
    names: tuple[str, ...],
    model: str | None,
    independent: str | None,
    limit: int | None,
    output: Path | None,
    **flags: Any,
) -> None:
    """Measure how many flagged summaries are no longer flagged after correction, and their ROUGE with the uncorrected
    text (GraphCorrect's table).

    The default sets are summeval, qags-c and qags-x.
    """
    from graph_eval.bench import graphcorrect, record
    from graph_eval.bench.sets import TABLE2
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    settings = load(flags)
    chosen = [item.name for item in _sets((), data, names, (), limit, TABLE2, None, settings)]
    value = graphcorrect.graphcorrect(data or Path(), settings, chosen, model, independent, limit, _track)
    if output:
        record.write(value, output)
    rows = value["rows"]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    print_table(
        console(),
        ["", *(f"{row['set']} {row['corrector']}" for row in rows)],
        [[name.replace("_", " "), *(row.get(name, "") for row in rows)] for name in columns[2:]],
    )


@command.command("speed", short_help="Measure speed and peak memory.")
@set_options
@common_options
@click.option(
    "--repeats", type=click.IntRange(1), default=3, metavar="N", help="Repeat that comparison N times (default 3)."
)
def speed_command(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    input_format: str | None,
    checker: str | None,
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    threads: int | None,
    repeats: int,
    **of_models: Any,
) -> None:
    """Measure responses per second, seconds by stage, pairs per second compared with the ONNX session alone, and peak
    memory.

    The default set is qags-c. INPUT: your own records.
    """
    from graph_eval.bench import record, speed
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    settings = load({"extractor": extractor, "checker": checker, "threads": threads, **of_models})
    sets = _sets(inputs, data, names, mapping, limit, ("qags-c",), input_format, settings)
    if len(sets) > 1:
        raise UsageError("speed measures one set", "pass one --set, or INPUT")
    value = speed.speed(sets[0], settings, repeats, _track)
    if output:
        record.write(value, output)
    shown = {name: value[name] for name in ("responses", "claims", "errors", "loading_seconds", "responses_per_second")}
    shown |= {f"seconds: {name}": seconds for name, seconds in value["stage_seconds"].items()}
    shown |= {name.replace("_", " "): figure for name, figure in value.get("pairs", {}).items()}
    shown["peak memory, MB"] = value["peak_memory_mb"]
    print_table(console(), ("", ""), [[name.replace("_", " "), figure] for name, figure in shown.items()])


@command.command("wikibio", short_help="Measure self-checking by samples.")
@data_option
@common_options
@click.option(
    "--method",
    "names",
    multiple=True,
    metavar="NAME",
    help="Measure this method. Repeatable (default: all that run offline).",
)
@click.option(
    "-n", "--samples", "counts", multiple=True, type=int, metavar="N", help="Use the first N samples. Repeatable."
)
@published_options
def wikibio_command(
    data: Path | None,
    limit: int | None,
    output: Path | None,
    names: tuple[str, ...],
    counts: tuple[int, ...],
    extractor: str | None,
    threads: int | None,
    **of_models: Any,
) -> None:
    """Measure methods of self-checking on WikiBio-GPT3: 119 passages with 10 samples and people's labels.

    The scores of a replication of SelfCheckGPT on the same samples stand beside them. Nothing is fitted on these
    passages.
    """
    from graph_eval.bench import record, wikibio
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    settings = load({"extractor": extractor, "threads": threads, **of_models})
    value = wikibio.wikibio(data, settings, names or wikibio.METHODS, counts or wikibio.COUNTS, limit, _track)
    if output:
        record.write(value, output)
    columns = ("method", "samples", "errors", "NonFact AUC-PR", "Factual AUC-PR", "passage Pearson")
    rows = [
        [
            f"{row['method']} (replication)" if row["source"] == "replication" else row["method"],
            row["samples"],
            row.get("errors", 0),
            *(_figure(row[name]) for name in ("nonfact", "factual", "pearson")),
        ]
        for row in value["rows"]
    ]
    print_table(console(), columns, rows)


@command.command("retrieval", short_help="Measure the search for passages.")
@data_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Read only the first N questions.")
@click.option(
    "-o", "--output", type=OutputFile(), metavar="FILE.json", help="Write the results and the score of each claim."
)
@click.option("--checker", metavar="NAME", help="Judge with builtin (default), llm:MODEL, or another checker.")
@click.option("--threshold", metavar="P|NAME", help="Use this threshold (default: that of the checker).")
@click.option("--ground-encoder", metavar="MODEL", help="Use this model of sentence-transformers for dense retrieval.")
@click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core).")
@click.option(
    "--scale",
    "passages",
    type=click.IntRange(1),
    metavar="N",
    help="Measure the index of a corpus of N passages instead: time, size and memory.",
)
@check_model_options
@model_options
def retrieval_command(
    data: Path | None, limit: int | None, output: Path | None, passages: int | None, **flags: Any
) -> None:
    """Measure retrieval on RefChecker's noisy questions, whose passages are one corpus.

    The first table is recall of the passages of a claim's question. The second has the verdicts on what was found
    beside those on the given passages.

    \b
    graph-eval bench retrieval --data DIR -o retrieval.json
    graph-eval bench retrieval --data DIR --scale 100000
    """
    from graph_eval.bench import record, retrieval, retrieval_scale
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    settings = load(flags)
    if passages:
        value = retrieval_scale.scale(data, settings, passages, track=_track)
    else:
        value = retrieval.retrieval(data, settings, limit, _track)
    if output:
        record.write(value, output)
    if passages:
        columns = list(value["rows"][0])
        print_table(
            console(),
            ["", *(row["retriever"] for row in value["rows"])],
            [[name.replace("_", " "), *(row[name] for row in value["rows"])] for name in columns[1:]],
        )
        outcome = value["killed"]
        again = "answers as before" if outcome["same_answers"] else "answers otherwise"
        console().print(f"killed after {outcome['after_seconds']} s of indexing: the next run {again}")
        return
    metrics = [*(f"recall@{depth}" for depth in retrieval.DEPTHS), f"precision@{retrieval.K}"]
    print_table(
        console(),
        ("retriever", "query", *metrics),
        [[row["retriever"], row["query"], *(_figure(row[name]) for name in metrics)] for row in value["recall"]],
    )
    console().print()
    print_table(
        console(),
        ("passages", "k", "of a", "errors", "AUC", "accuracy", "AUC above given"),
        [
            [
                *(row[name] for name in ("passages", "k", "by", "errors")),
                _figure(row["auc"]),
                _figure(row["accuracy"]),
                _figure(row.get("above_given", {}).get("auc"), sign=True),
            ]
            for row in value["verdicts"]
        ],
    )


@command.command("repc-train", short_help="Train the classifier of --checker repc:DIR.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Write the classifier to DIR."
)
@click.option(
    "--model", metavar="NAME|DIR", help="Use this language model (default teknium/OpenHermes-2.5-Mistral-7B)."
)
@click.option(
    "--classifier",
    "kind",
    default="nn_ensemble",
    metavar="KIND",
    help="Train svm, svm_ensemble, nn or nn_ensemble (default).",
)
@click.option("--layer", type=int, metavar="N", help="Train on hidden layer N, counted from 0 (svm and nn only).")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed all random choices (default 0).")
@click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core).")
@published_options
def repc_train_command(
    inputs: tuple[str, ...],
    output: Path,
    model: str | None,
    kind: str,
    layer: int | None,
    seed: int,
    **flags: Any,
) -> None:
    """Train the classifier of --checker repc:DIR on labelled claims (RefChecker's RepC).

    INPUT: records with "claims" and "ys", as in RefChecker's checked files, and "reference" or "context". "ys" has a
    label for each claim, or a list with one for each reference. One record in five is held out. The results are
    measured on these records.
    """
    from graph_eval.bench import repc
    from graph_eval.checkers.hf.repc import KINDS, MODEL
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.formats import files
    from graph_eval.settings import load

    if kind not in KINDS:
        raise UsageError(f"unknown classifier {kind!r}", f"known classifiers: {', '.join(KINDS)}")
    settings = load(flags)
    records = files.read(files.sources(inputs, limits=settings.limits), {})
    trained = repc.train(records, kind, model or MODEL, layer, output, settings, seed)
    shown = [[name.replace("_", " "), value] for name, value in trained.items() if not isinstance(value, dict)]
    shown += [[f"held out recall, {label}", value] for label, value in trained["held_out_recall"].items()]
    print_table(console(), ("", ""), shown)


def _runs(output: Path | None) -> Path | None:
    """The folder for the runs of an interrupted benchmark, next to its JSON file."""
    return output.with_suffix(".runs") if output else None


def _sets(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    limit: int | None,
    default: tuple[str, ...],
    input_format: str | None,
    settings: Settings,
) -> list[Labelled]:
    from graph_eval.bench import sets

    if inputs and (data or names):
        raise UsageError(
            f"INPUT and {'--data' if data else '--set'} cannot be combined",
            "pass your own records, or the folder of the published sets",
        )
    if inputs:
        return [sets.labelled_files(inputs, mapping, limit, input_format, settings.limits)]
    if data is None:
        raise UsageError("missing input", "give --data DIR, or INPUT with labels")
    for name in names:
        if name not in sets.PUBLISHED:
            raise UsageError(f"unknown set {name!r}", f"known sets: {', '.join(sets.PUBLISHED)}")
    return [sets.published_set(data, name, limit) for name in names or default]


def _track(items: Iterator[Any], total: int, name: str) -> Iterable[Any]:
    """The items, with a progress bar on stderr."""
    from graph_eval.cli.terminal import progress

    with progress(items, total, None, name) as shown:
        yield from shown


def _figure(value: dict[str, float | None] | None, sign: bool = False) -> str:
    if value is None or value["value"] is None:
        return ""
    form = "+.3f" if sign else ".3f"
    return f"{value['value']:{form}} [{value['low']:{form}}, {value['high']:{form}}]"
