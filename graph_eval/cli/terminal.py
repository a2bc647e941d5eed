"""Prints results to a terminal or to a pipe.

Texts are untrusted: they are never interpreted as markup, and control characters are escaped.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from graph_eval.cli.messages import visible
from graph_eval.graph.searches import Search, by_claim, without_passage
from graph_eval.text.excerpt import excerpt
from graph_eval.text.normalise import ARTICLES
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Correction, Edit, Evidence, Finding, Kind, Label, Result, Span, Status

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

Item = TypeVar("Item")
STYLES = {
    Label.ENTAILMENT: "green",
    Label.NEUTRAL: "yellow",
    Label.CONTRADICTION: "red",
    Label.ABSTAIN: "dim",
}
UNCERTAIN_MARK = "~"  # of a claim that is not flagged, but uncertain
OPEN, CLOSE = "[[", "]]"  # around flagged words where there is no colour
MOST_UNSUPPORTED = 0.9  # share of a claim's characters; a list of all its words would repeat the claim
MANY = 100  # steps of a part that are worth showing
WIDE = 240  # characters a line of a table may have in a pipe


def console() -> Console:
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False, soft_wrap=not sys.stdout.isatty())


def print_result(out: Console, result: Result, everything: bool = False) -> None:
    """Prints one response with flagged words marked, then its flagged claims (or all) with their evidence."""
    from rich.text import Text

    out.print(_heading(result), style="bold")
    if result.error is not None:
        out.print(Text(f"  failed: {visible(str(result.error))}", style="red"))
    if result.example is None:
        out.print()
        return
    judged = bool(result.judgements)
    _print_response(out, annotated(result, out.is_terminal and not out.no_color))
    if judged:
        searches = by_claim(result)
        for finding in result.findings if everything else result.flagged:
            _print_finding(out, finding, result, searches.get(finding.claim.id, ()))
    else:
        for claim in result.claims:
            out.print(_indented(out, Text(_graph_text(claim))))
    out.print()


def _print_response(out: Console, text: Text) -> None:
    """A text of several lines stands behind a bar, so that none of its lines looks like one of ours."""
    from rich.text import Text

    lines = text.split("\n")
    bar = "│ " if len(lines) > 1 else ""
    for line in lines:
        out.print(_indented(out, Text(bar).append_text(line)))


def print_correction(out: Console, result: Result, everything: bool = False) -> None:
    """Prints the response, its flagged claims, and their corrections."""
    from rich.text import Text

    print_result(out, result, everything)
    revision = result.revision
    while revision is not None:
        claims = {claim.id: claim.text for claim in result.claims}
        # Claims that share an edit share its line.
        lines = (_correction(correction, claims[correction.claim_id]) for correction in revision.corrections)
        for line in dict.fromkeys(lines):
            out.print(Text(f"  {line}"))
        if revision.result is not None:
            out.print(Text(f"  corrected: {visible(revision.text)}"))
        if revision.result is None:
            break
        result, revision = revision.result, revision.result.revision
    out.print()


def _correction(correction: Correction, claim: str) -> str:
    """One line: what became of a flagged claim, or a question with the edits that are offered."""
    if correction.status is Status.SUGGESTED:
        chance = "" if correction.probability is None else f" ({correction.probability:.2f})"
        return f"? {' and '.join(map(question, correction.edits))}{chance}"
    if correction.status is Status.UNSUPPORTED and correction.is_made and not any(e.new for e in correction.edits):
        left_out = ", ".join(f"“{visible(edit.old.strip())}”" for edit in correction.edits)
        return f"✓ left out: {left_out} ({visible(correction.reason or '')})"
    mark = {"applied": "✓", "unsupported": "·"}.get(correction.status, "✗")
    edits = ", ".join(f"“{visible(edit.old)}” → “{visible(edit.new)}”" for edit in correction.edits)
    reason = f" ({visible(correction.reason)})" if correction.reason else ""
    return f"{mark} {correction.status}: {edits or visible(claim)}{reason}"


def question(edit: Edit) -> str:
    """A suggested edit as a question."""
    old, new = visible(edit.old.strip()), visible(edit.new.strip())
    if not new:
        return f"leave out “{old}”?"
    if not old:
        return f"add “{new}”?"
    return f"did you mean “{new}” instead of “{old}”?"


def _heading(result: Result) -> str:
    example = result.example
    parts = [visible((result.error and not example and result.error.place) or result.name or str(result.n + 1))]
    if example and example.model:
        parts.append(visible(example.model))
    if result.label is not None:
        verdict = f"{result.label.mark} {result.label}"
        if result.p_inconsistent is not None:
            verdict += f", p(inconsistent) {result.p_inconsistent:.2f}"
        flagged = len(result.flagged)
        uncertain = len(result.uncertain)
        counted = f"{flagged} of {len(result.claims)} claims flagged" + f", {uncertain} uncertain" * bool(uncertain)
        parts += [verdict, counted if result.claims else "no claims"]
    return " · ".join(parts)


def annotated(result: Result, colour: bool) -> Text:
    """The response with the words of its flagged claims coloured, or in [[ ]] without colours."""
    from rich.text import Text

    text = Text()
    if result.example is None:
        return text
    response = result.example.response
    position = 0
    for span, label in flagged_spans(result, apart=colour):
        text.append(visible_part(response, position, span.start))
        words = visible(span.of(response))
        text.append(words if colour else f"{OPEN}{words}{CLOSE}", style=f"{STYLES[label]} underline" if colour else "")
        position = span.end
    text.append(visible_part(response, position, len(response)))
    return text


def visible_part(text: str, start: int, end: int) -> str:
    """`visible`, with the line breaks of a part, and one blank if it begins or ends with other white space."""
    part = text[start:end]
    lines = [visible(line) for line in part.split("\n")]
    first, *rest = (line for place, line in enumerate(lines) if line or place in (0, len(lines) - 1))
    shown = "\n".join([first, *rest])
    before = " " if part[:1].isspace() and part[:1] != "\n" and start > 0 and not shown.startswith("\n") else ""
    after = " " if part[-1:].isspace() and part.strip() and end < len(text) and not shown.endswith("\n") else ""
    return before + shown + after


def flagged_spans(result: Result, apart: bool = True) -> list[tuple[Span, Label]]:
    """The words of flagged claims, from the first character of a run to the last. Words of one sentence with only
    blanks, Markdown marks or an article between them are one run. `apart`: words of different labels are not. Words of
    several claims get the worse label."""
    worst: dict[int, Label] = {}
    response = result.example.response if result.example else ""
    ends = {sentence.span.end for sentence in sentences(response)}
    for finding in result.flagged:
        label = finding.judgement.label or Label.NEUTRAL
        for span in finding.claim.spans:
            for place in range(span.start, span.end):
                if worst.get(place) is not Label.CONTRADICTION:
                    worst[place] = label
    merged: list[tuple[Span, Label]] = []
    for place in sorted(worst):
        label = worst[place]
        if response[place].isspace():
            continue
        between = response[merged[-1][0].end : place] if merged else "\n"
        joined = merged and _joins(between) and (place == merged[-1][0].end or merged[-1][0].end not in ends)
        if joined and (merged[-1][1] is label or not apart):
            span, before = merged[-1]
            merged[-1] = (Span(span.start, place + 1), label if label is Label.CONTRADICTION else before)
        else:
            merged.append((Span(place, place + 1), label))
    return merged


def _joins(between: str) -> bool:
    """Whether what stands between marked words is only blanks of one line, Markdown marks or an article."""
    return "\n" not in between and between.strip(" *_").casefold() in ("", *ARTICLES)


def _print_finding(out: Console, finding: Finding, result: Result, searches: Sequence[Search]) -> None:
    from rich.text import Text

    judgement = finding.judgement
    line = Text("  ")
    if judgement.label is None:
        line.append(f"! failed: {visible(str(judgement.error))}  ", style="red")
    else:
        mark, style = (
            (UNCERTAIN_MARK, "yellow") if finding.uncertain else (judgement.label.mark, STYLES[judgement.label])
        )
        line.append(f"{mark} {judgement.label:<13} ", style=style)
        line.append(f"{judgement.p_inconsistent:.2f}  ")
    line.append(_graph_text(finding.claim))
    out.print(line)
    if result.example and (words := unsupported_words(finding, result.example.response)):
        out.print(_indented(out, Text(f"unsupported: {', '.join(words)}", style="bold"), 6))
    passages = {passage.id: passage for passage in result.example.passages} if result.example else {}
    if judgement.reason == "no_passage":
        out.print(Text(f"      {without_passage(result)}", style="dim"))
    if finding.judgement.flagged:
        for search in searches:
            out.print(_indented(out, Text(searched(search), style="dim"), 6))
    for evidence in judgement.evidence[:1]:
        if passage := passages.get(evidence.passage_id):
            cited = visible(quote(passage.text, evidence))
            source = f" ({visible(passage.source)})" if passage.source else ""
            # The context does not decide about a neutral claim: what is shown is only the nearest to it.
            title = "closest" if judgement.label is Label.NEUTRAL else "context"
            out.print(_indented(out, Text(f"{title}: “{cited}”{source}", style="dim"), 6))


def searched(search: Search) -> str:
    """One line: what was asked, and what was found."""
    again = f" again (hop {search.hop})" if search.hop > 1 else ""
    asked = ", ".join(f"“{visible(query)}”" for query in search.queries)
    count = len(search.passages)
    found = f"failed: {visible(search.error)}" if search.error else f"{count} passage{'s' * (count != 1)}"
    after = f", then {search.label}" if search.label else ""
    return f"searched{again} for {asked}: {found}{after}"


def quote(text: str, evidence: Evidence) -> str:
    """The words of the evidence. Of long evidence an excerpt."""
    shown = excerpt(text, evidence)
    before, after = shown.start > evidence.span.start, shown.end < evidence.span.end
    return "… " * before + shown.of(text) + " …" * after


def unsupported_words(finding: Finding, response: str) -> list[str]:
    """The unsupported words of a flagged claim, in quotation marks. [] if nearly all of its words are unsupported."""
    found = finding.judgement.unsupported if finding.judgement.flagged else ()
    size = sum(span.end - span.start for span in finding.claim.spans)
    if sum(span.end - span.start for span in found) > MOST_UNSUPPORTED * size:
        return []
    return [f"“{visible(span.of(response))}”" for span in found]


def _graph_text(claim: Claim) -> str:
    if claim.kind is Kind.SENTENCE:
        return visible(claim.text)
    return " → ".join(visible(slot.text) for slot in claim.slots if slot.text)


def _indented(out: Console, text: Text, width: int = 2) -> RenderableType:
    """Prints the text, with all its lines indented."""
    from rich.padding import Padding
    from rich.text import Text

    if out.is_terminal:
        return Padding(text, (0, 0, 0, width))
    return Text(" " * width).append_text(text)


class Summary:
    """Counts of results, printed at the end."""

    def __init__(self) -> None:
        self.labels: Counter[str] = Counter()
        self.results = self.claims = self.flagged = self.uncertain = self.errors = self.failed_flagged = 0

    def add(self, result: Result) -> None:
        self.results += 1
        self.claims += len(result.claims)
        self.flagged += len(result.flagged)
        self.uncertain += len(result.uncertain)
        self.errors += result.error is not None
        self.failed_flagged += result.error is not None and bool(result.flagged)
        if result.label is not None:
            self.labels[result.label] += 1

    @property
    def judged(self) -> int:
        return sum(self.labels.values())

    @property
    def inconsistent(self) -> int:
        return self.labels[Label.NEUTRAL] + self.labels[Label.CONTRADICTION]

    def print(self, out: Console) -> None:
        from rich.table import Table

        table = Table(title="Summary", title_justify="left", show_header=False, box=None)
        rows = [
            ("responses judged", self.judged),
            ("  inconsistent with their context", self.inconsistent),
            ("  consistent", self.labels[Label.ENTAILMENT]),
            ("  without a claim (Abstain)", self.labels[Label.ABSTAIN]),
            ("failed", self.errors),
            ("claims", self.claims),
            ("  flagged", self.flagged),
            ("  uncertain", self.uncertain),
        ]
        for name, value in rows:
            table.add_row(name, str(value))
        out.print(table)


@contextmanager
def progress(
    items: Iterator[Item], total: int | None, results: Console | None, name: str = "checking"
) -> Iterator[Iterable[Item]]:
    """The items, with a progress bar and the remaining time on stderr. Without a terminal there is no bar.

    `results`: the console that prints the results. If it is a terminal, it also draws the bar, because two consoles
    would overwrite each other. Beside the bar stands what the parts report of a long chunk. A single item has a bar
    once its parts report MANY steps.
    """
    if not sys.stderr.isatty():
        yield items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from graph_eval.progress import listening

    shared = results if results is not None and results.is_terminal else Console(stderr=True)
    described = TextColumn("{task.description}", markup=False)
    columns = (described, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=shared, transient=True, redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task(name, total=total)

    def show(what: str, done: int, of: int) -> None:
        if of >= MANY:
            bar.start()
            bar.update(task, description=f"{name}: {done:,} of {of:,} {what}" if done < of else name)

    if total is None or total > 1:
        bar.start()
    try:
        with listening(show):
            yield bar.track(items, total=total, task_id=task)
    finally:
        if bar.live.is_started:
            bar.stop()


def print_table(out: Console, columns: Sequence[str], rows: Sequence[Sequence[object]], right: bool = True) -> None:
    """Prints a table. In a pipe columns have their full width. On a terminal wide columns are folded.

    `right`: align all columns but the first to the right.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place and right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    if not out.is_terminal:
        out.width = WIDE
    out.print(table)
