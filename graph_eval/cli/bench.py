"""graph-eval bench: the published tables, the extractor, the speed, each with one command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.options import (
    check_model_options,
    correct_options,
    model_options,
    published_options,
    stacked,
)
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.bench.sets import Labelled

data_option = click.option(
    "--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder that holds the published sets."
)
common_options = stacked(
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N responses of each set."),
    click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE.json", help="Figures and items."),
    click.option("--extractor", metavar="NAME", help="What makes the triplets; rules by default."),
    click.option("--threads", type=int, metavar="N", help="Threads of the model; 0: one a core (default)."),
    model_options,
)
own_options = stacked(
    click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
    data_option,
    click.option("--set", "names", multiple=True, metavar="NAME", help="A published set; repeatable."),
    click.option("--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Read FIELD of INPUT from COLUMN."),
    click.option("--checker", metavar="NAME", help="builtin (default), llm:MODEL, or another."),
    check_model_options,
)


@click.group("bench")
def command() -> None:
    """Measure: balanced accuracy against human labels, the extracted claims, the speed.

    The JSON file of -o holds the figures with settings, versions, machine and one score an item, so that anyone can
    recompute them.
    """


@command.command("table2")
@own_options
@common_options
@click.option("--threshold", metavar="P|NAME", help="Another threshold than the checker's own.")
@click.option("--route", "routes", multiple=True, type=click.Choice(("response", "sentences", "triplets", "both")))
def table2_command(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    checker: str | None,
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    threads: int | None,
    threshold: str | None,
    routes: tuple[str, ...],
    **of_models: Any,
) -> None:
    """A checker on whole responses beside the same checker on their claims (GraphEval, table 2).

    \b
    graph-eval bench table2 --data DIR -o table2.json
    graph-eval bench table2 answers.jsonl --map label=hallucinated

    By default the sets are summeval, qags-c and qags-x; factcc, polytope and wice are for development. INPUT: own
    records with a label (1 or inconsistent, 0 or consistent). With -o an interrupted run goes on where it stopped:
    FILE.runs/ holds a run for every set and route.
    """
    from graph_eval.bench import record, table2
    from graph_eval.bench.sets import TABLE2
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    sets = _sets(inputs, data, names, mapping, limit, TABLE2)
    own = {"extractor": extractor, "checker": checker, "threshold": threshold, "threads": threads}
    settings = load({**own, **of_models})
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


@command.command("extraction")
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
    """The extracted claims against RefChecker's human-checked triplets, and how much of each response they cover."""
    from graph_eval.bench import extraction, record
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("--data is missing", "name the folder that holds the published sets")
    settings = load({"extractor": extractor, "threads": threads, **of_models})
    value = extraction.extraction(data, settings, limit, _track, _runs(output))
    if output:
        record.write(value, output)
    out, agreement, coverage = console(), value["agreement"], value["coverage"]
    print_table(out, list(agreement[0]), [list(row.values()) for row in agreement])
    names = [name for name in coverage[0] if name != "set"]
    print_table(out, ["", *(row["set"] for row in coverage)], [[n, *(row[n] for row in coverage)] for n in names])


@command.command("correction")
@data_option
@common_options
@correct_options
@click.option("--checker", metavar="NAME", help="Flags claims and judges edits.")
@check_model_options
@click.option("--half", type=click.Choice(("a", "b")), default="b", help="Of the documents; b is the one to report.")
def correction_command(data: Path | None, limit: int | None, output: Path | None, half: str, **flags: Any) -> None:
    """Corrections on SummEdits, which has every summary before it was edited: what was restored, what was hurt."""
    from graph_eval.bench import correction, record
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("--data is missing", "name the folder that holds the published sets")
    value = correction.correction(data, load(flags), half, limit, _track)
    if output:
        record.write(value, output)
    out = console()
    for route in ("given", "end_to_end"):
        rows = value[route]
        print_table(
            out,
            [route, *(row["edits"] for row in rows)],
            [[name.replace("_", " "), *(row[name] for row in rows)] for name in rows[0] if name != "edits"],
        )
    needs = value["given_by_need"]
    print_table(out, list(needs[0]) if needs else [], [list(row.values()) for row in needs])
    consistent = value["consistent"]
    print_table(out, ["consistent", ""], [[name, found] for name, found in consistent.items()])


@command.command("graphcorrect")
@data_option
@common_options
@correct_options
@click.option("--set", "names", multiple=True, metavar="NAME", help="A published set; repeatable.")
@click.option("--checker", metavar="NAME", help="Flags claims and judges edits.")
@check_model_options
@click.option("--model", metavar="MODEL", help="Also correct by llm:, graphcorrect: and direct: with this model.")
@click.option("--independent", metavar="NAME", help="A checker that took no part: what does it believe?")
def graphcorrect_command(
    data: Path | None,
    names: tuple[str, ...],
    model: str | None,
    independent: str | None,
    limit: int | None,
    output: Path | None,
    **flags: Any,
) -> None:
    """Flagged summaries that are believed corrected, and ROUGE with what they were (GraphCorrect's table).

    By default the sets are summeval, qags-c and qags-x.
    """
    from graph_eval.bench import graphcorrect, record
    from graph_eval.bench.sets import TABLE2
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    sets = _sets((), data, names, (), limit, TABLE2)
    found = [item.name for item in sets]
    value = graphcorrect.graphcorrect(data or Path(), load(flags), found, model, independent, limit, _track)
    if output:
        record.write(value, output)
    rows = value["rows"]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    print_table(
        console(),
        ["", *(f"{row['set']} {row['corrector']}" for row in rows)],
        [[name.replace("_", " "), *(row.get(name, "") for row in rows)] for name in columns[2:]],
    )


@command.command("speed")
@own_options
@common_options
@click.option("--repeats", type=click.IntRange(1), default=3, help="Of the comparison with the bare session.")
def speed_command(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    checker: str | None,
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    threads: int | None,
    repeats: int,
    **of_models: Any,
) -> None:
    """Responses a second, seconds by stage, pairs a second beside the bare model session, peak memory.

    The set is qags-c by default, or own records.
    """
    from graph_eval.bench import record, speed
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    sets = _sets(inputs, data, names, mapping, limit, ("qags-c",))
    if len(sets) > 1:
        raise UsageError("speed takes one set", "give one --set, or INPUT")
    settings = load({"extractor": extractor, "checker": checker, "threads": threads, **of_models})
    value = speed.speed(sets[0], settings, repeats, _track)
    if output:
        record.write(value, output)
    shown = {name: value[name] for name in ("responses", "claims", "errors", "loading_seconds", "responses_per_second")}
    shown |= {f"seconds: {name}": seconds for name, seconds in value["stage_seconds"].items()}
    shown |= {name.replace("_", " "): found for name, found in value.get("pairs", {}).items()}
    shown["peak memory, MB"] = value["peak_memory_mb"]
    print_table(console(), ("", ""), [[name.replace("_", " "), found] for name, found in shown.items()])


@command.command("repc-train")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The classifier.")
@click.option("--model", metavar="NAME|DIR", help="The language model (teknium/OpenHermes-2.5-Mistral-7B).")
@click.option("--classifier", "kind", default="nn_ensemble", metavar="KIND", help="svm, svm_ensemble, nn, nn_ensemble.")
@click.option("--layer", type=int, metavar="N", help="Of svm and nn, from 0.")
@click.option("--seed", type=int, default=0, metavar="N", help="Of everything that is drawn (0).")
@click.option("--threads", type=int, metavar="N", help="Threads of the model; 0: one a core (default).")
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

    INPUT: records with "claims" and "ys", as RefChecker's checked files have them, and "reference" or "context". A
    fifth of the records is held out; the figures are on these.
    """
    from graph_eval.bench import repc
    from graph_eval.checkers.hf.repc import KINDS, MODEL
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.formats import files
    from graph_eval.settings import load

    if kind not in KINDS:
        raise UsageError(f"there is no classifier {kind!r}", f"known: {', '.join(KINDS)}")
    records = files.read(files.sources(inputs), {})
    found = repc.train(records, kind, model or MODEL, layer, output, load(flags), seed)
    shown = [[name.replace("_", " "), value] for name, value in found.items() if not isinstance(value, dict)]
    shown += [[f"held out recall, {label}", value] for label, value in found["held_out_recall"].items()]
    print_table(console(), ("", ""), shown)


def _runs(output: Path | None) -> Path | None:
    """Where an interrupted benchmark finds what it has done: beside its JSON file."""
    return output.with_suffix(".runs") if output else None


def _sets(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    limit: int | None,
    default: tuple[str, ...],
) -> list[Labelled]:
    from graph_eval.bench import sets

    if inputs and (data or names):
        raise UsageError("INPUT and --data exclude each other", "give own records, or the folder of the published sets")
    if inputs:
        return [sets.own(inputs, mapping, limit)]
    if data is None:
        raise UsageError("there is nothing to measure on", "give --data DIR, or INPUT with labels")
    for name in names:
        if name not in sets.KNOWN:
            raise UsageError(f"there is no set {name!r}", f"known: {', '.join(sets.KNOWN)}")
    return [sets.known(data, name, limit) for name in names or default]


def _track(items: Iterator[Any], total: int, name: str) -> Iterable[Any]:
    """The items behind a progress bar on stderr."""
    from graph_eval.cli.terminal import progress

    with progress(items, total, None, name) as shown:
        yield from shown


def _figure(value: dict[str, float | None] | None, sign: bool = False) -> str:
    if value is None or value["value"] is None:
        return ""
    form = "+.3f" if sign else ".3f"
    return f"{value['value']:{form}} [{value['low']:{form}}, {value['high']:{form}}]"
