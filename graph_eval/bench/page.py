"""The page of all figures in Markdown, made from a file of the tables alone.

`graph-eval bench all --page docs/benchmarks.md` writes both. The same file gives the same page, so a test can tell
whether a page is stale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graph_eval.bench.sets import PUBLISHED
from graph_eval.bench.suite import Outcome
from graph_eval.bench.tables import body, columns_of, escaped, markdown
from graph_eval.errors import UsageError

PARTS = ("checker", "threshold", "corrector")  # settings that a section names
REFERENCE = "flags"  # the section whose figures the README shows
BEGIN, END = "<!-- which checker: begin -->", "<!-- which checker: end -->"
QUOTED = (
    (
        "GraphEval, arXiv 2407.10793",
        (
            "mean gain of three checkers by the graph, in balanced accuracy, weighted by the number of responses: "
            "6.2 points (standard error 1.3). HHEM with the graph: SummEval .715, QAGS-CNN/DM .722, QAGS-XSum .752. "
            "TrueTeacher on SummEval: .749 whole, .792 with the graph. The claims are those of Claude 2"
        ),
    ),
    (
        "SelfCheckGPT, arXiv 2303.08896",
        (
            "WikiBio-GPT3, 238 passages, 20 samples; NonFact / Factual AUC-PR / Pearson: "
            "BERTScore 81.96 / 44.23 / 58.18, unigram (max) 85.63 / 58.47 / 64.71, "
            "NLI 92.50 / 66.08 / 74.14, prompt 93.42 / 67.09 / 78.32"
        ),
    ),
    (
        "Bespoke-MiniCheck-7B, documentation",
        (
            "LLM-AggreFact, mean balanced accuracy: .774, the best of 39 models in September 2026, most of which are "
            "of 2024 or before"
        ),
    ),
    (
        "LettuceDetect, model cards",
        "RAGTruth over its three tasks, F1 by response: .72 with 32 million parameters, .75 with 68, .79 with 395",
    ),
)


def content(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """What the page shows, without the items."""
    return {"benchmarks": [_entry(outcome) for outcome in outcomes]}


def _entry(outcome: Outcome) -> dict[str, Any]:
    entry = {"name": outcome.entry.name, "command": f"graph-eval bench {outcome.entry.arguments} --data DIR"}
    if outcome.value is None:
        return entry | {"problem": outcome.problem.splitlines()[0]}
    value = outcome.value
    return entry | {
        "title": value["title"],
        "tables": [_shown(table) for table in value["tables"]],
        "settings": {name: value["settings"][name] for name in PARTS if name in value["settings"]},
        "fingerprints": value["fingerprints"] | _methods(value),
        "versions": value["versions"],
        "machine": value["machine"],
        "data": value["data"],
    }


def _methods(value: Mapping[str, Any]) -> dict[str, str]:
    """The fingerprints of the methods that a benchmark compares, beside that of its first plan."""
    plans = value.get("plans", {})
    return {f"method {name}": found for name, plan in plans.items() if (found := plan["fingerprints"].get("method"))}


def _shown(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table with the printed columns of its rows only."""
    columns = columns_of(table)
    rows = [{name: row[name] for name in columns if name in row} for row in table["rows"]]
    return {**table, "columns": columns, "rows": rows}


def page(shown: Mapping[str, Any]) -> str:
    """The page. `shown`: the output of `content`, also read back from JSON."""
    return "\n\n".join(_blocks(shown)) + "\n"


def inserted(text: str, shown: Mapping[str, Any]) -> str:
    """The text of another page with the table "Which checker for me" between its two marks.

    Raises UsageError if the page lacks the marks, or the table was not measured.
    """
    found = [
        table
        for entry in shown["benchmarks"]
        for table in entry.get("tables", ())
        if entry["name"] == REFERENCE and table["name"] == "which_checker"
    ]
    require_marks(text)
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not found:
        raise UsageError("bench flags was not measured", "omit --readme, or run it too")
    table = body({**found[0], "note": ""})
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def require_marks(text: str | None) -> None:
    """Raises UsageError for the text of a page without the two marks."""
    if text is not None and END not in text.partition(BEGIN)[2]:
        raise UsageError(f"the page lacks the lines {BEGIN} and {END}", "add them where the table should stand")


def _blocks(shown: Mapping[str, Any]) -> Iterator[str]:
    yield "# Benchmarks"
    yield (
        "This page is written by `graph-eval bench all --data DIR -o FOLDER --page docs/benchmarks.md`. "
        "Do not edit it.\n"
        "How to run one benchmark, compare two runs and draw plots: [bench-tools.md](bench-tools.md)."
    )
    measured = [entry for entry in shown["benchmarks"] if "tables" in entry]
    if measured:
        yield _about(measured[0])
    yield "| benchmark | |\n|---|---|\n" + "\n".join(
        f"| [{entry['name']}](#{entry['name']}) | {escaped(entry.get('title') or entry['problem'])} |"
        for entry in shown["benchmarks"]
    )
    for entry in shown["benchmarks"]:
        yield f"## {entry['name']}"
        if "tables" not in entry:
            yield f"`{entry['command']}` was {escaped(entry['problem'])}"
            continue
        parts = ", ".join(f"{name} {value}" for name, value in entry["settings"].items() if value is not None)
        yield (
            f"{entry['title']}: `{entry['command']}`" + (f" ({parts})" if parts else "") + _on_other(entry, measured[0])
        )
        if changed := _parts_that_changed(entry, measured):
            yield f"Measured with another version of: {', '.join(changed)}. `{REFERENCE}` has the one to compare with."
        yield from map(markdown, entry["tables"])
    yield "## Sets"
    yield "\n".join(_sets())
    yield "## Published figures that were not run again"
    yield "These are quoted. Their models, samples or data differ from ours, so they are no comparison by themselves."
    yield "\n".join(f"* {source}: {figures}." for source, figures in QUOTED)


def _about(entry: Mapping[str, Any]) -> str:
    machine, known = entry["machine"], entry["versions"]
    software = ", ".join(f"{name} {known[name]}" for name in sorted(known) if known[name])
    return (
        f"Measured on {machine['system']}, {machine['processor'] or machine['machine']}, {machine['cores']} cores, "
        f"{software}. Checkers ran on the processor. Intervals are 95% by bootstrap over what the responses are "
        "about. A GPU or another version of onnxruntime changes some scores a little."
    )


def _on_other(entry: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    same = all(entry[name] == first[name] for name in ("machine", "versions"))
    return "" if same else "\n\n" + _about(entry)


def _parts_that_changed(entry: Mapping[str, Any], measured: Sequence[Mapping[str, Any]]) -> list[str]:
    """The parts of a section that are of the same kind as in the section `REFERENCE`, but of another version."""
    reference: Mapping[str, str] = next((other["fingerprints"] for other in measured if other["name"] == REFERENCE), {})
    return sorted(
        part
        for part, found in entry["fingerprints"].items()
        if found != (known := reference.get(part, found)) and _kind(found) == _kind(known)
    )


def _kind(fingerprint: str) -> str:
    """The name of a part in its fingerprint: "rules" of "rules-17:…"."""
    return fingerprint.partition("-")[0]


def _sets() -> Iterator[str]:
    yield "| set | kind of text | licence | from | seen in training |"
    yield "|---|---|---|---|---|"
    for published in PUBLISHED.values():
        seen = published.trained_on or "no"
        yield f"| {published.title} | {published.kind} | {published.licence} | {published.origin} | {seen} |"
