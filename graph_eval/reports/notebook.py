"""How a result, or several, show themselves in a notebook: an HTML fragment without script, as displaCy makes.

Texts are untrusted: `element` escapes whatever it did not make itself. Text has the notebook's own colour. The tones of
the labels have a contrast of 3:1 or more on white and on black, and each label also has a mark and a line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from graph_eval.graph.searches import without_passage
from graph_eval.results import FAILED, UNJUDGED, claims_flagged, outcome
from graph_eval.text.excerpt import excerpt
from graph_eval.types import Correction, Finding, Label, Passage, Result, Span, Status, writable

if TYPE_CHECKING:
    from graph_eval.results import Results

MAX_ROWS = 50  # of a table
LONGEST_TEXT = 160  # characters of a piece of evidence, and of an id or a claim in the table of several results
UNSUPPORTED = "unsupported"  # counted beside the verdicts


class Look(NamedTuple):
    """How a verdict looks: its mark, its tone, and the line under its words."""

    mark: str
    tone: str
    line: str


LOOKS = {  # worst first
    Label.CONTRADICTION: Look(Label.CONTRADICTION.mark, "#dd2a5b", "wavy 1.5px #dd2a5b;background:rgba(221,42,91,.16)"),
    Label.NEUTRAL: Look(
        Label.NEUTRAL.mark,
        "#b06a00",
        "dashed 2px #b06a00;"
        "background:repeating-linear-gradient(135deg,rgba(200,130,0,.24) 0 6px,rgba(200,130,0,.1) 6px 10px)",
    ),
    FAILED: Look("!", "#767f8d", "dotted 2px #767f8d"),
    Label.ENTAILMENT: Look(Label.ENTAILMENT.mark, "#0f8a6c", "solid 1px #0f8a6c"),
    UNJUDGED: Look("", "#767f8d", "dotted 2px #767f8d"),
    Label.ABSTAIN: Look(Label.ABSTAIN.mark, "#767f8d", ""),
}
# Jupyter would read "$5 ... $9" as a formula.
BOX = (
    '<div class="tex2jax_ignore mathjax_ignore" '
    'style="max-width:64rem;line-height:1.5;font-size:14px;overflow-x:auto">{}</div>'
)
SOFT = "opacity:.75"
BLOCK = "overflow-wrap:anywhere;unicode-bidi:plaintext"
TEXT = f"margin:.5em 0;font-size:15px;line-height:1.8;white-space:pre-wrap;{BLOCK}"
QUESTION = f"margin:.4em 0;padding-left:.7em;border-left:3px solid rgba(128,128,128,.4);{BLOCK}"
ERROR = f"margin:.4em 0;padding-left:.7em;border-left:3px solid {LOOKS[Label.CONTRADICTION].tone};{BLOCK}"
TABLE = "border-collapse:collapse;margin:.5em 0;font-size:13px"
CELL = "text-align:{align};vertical-align:top;padding:.3em .6em;border-bottom:1px solid rgba(128,128,128,.3);{more}"
WORDS = f"white-space:normal;max-width:none;min-width:8em;{BLOCK}"
ONE_LINE = "white-space:nowrap"
NUMBERS = {"p", "flagged"}  # columns aligned to the right
NARROW = {"label", "p", "flagged"}


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()


class Piece(NamedTuple):
    """Words of a response and the worst verdict on them, "" if they belong to no claim.

    `bold`: the checker judges these words unsupported. `last`: they end a claim with this verdict.
    """

    words: str
    verdict: str
    bold: bool
    last: bool


def element(name: str, *content: str, style: str = "") -> Html:
    """An HTML element. Content is escaped unless it is `Html`. Nobody's text may be a name or a style."""
    inside = "".join(part if isinstance(part, Html) else escape(writable(part)) for part in content)
    return Html(f'<{name} style="{style}">{inside}</{name}>' if style else f"<{name}>{inside}</{name}>")


def result_html(result: Result) -> str:
    """The verdict, the response with the words of its claims marked, and a table of the flagged claims."""
    parts = [_heading(result)]
    if result.error is not None:
        parts.append(element("div", element("b", "! failed: "), str(result.error), style=ERROR))
    if result.example is not None:
        if result.example.question:
            parts.append(element("div", result.example.question, style=QUESTION))
        parts.append(element("div", *_response(result), style=TEXT))
        if result.revision is not None and result.revision.final_text != result.example.response:
            parts.append(element("div", element("b", "✓ corrected: "), result.revision.final_text, style=TEXT))
    if result.flagged:
        parts.append(_flagged_claims(result))
    return BOX.format("".join(parts))


def results_html(results: Results) -> str:
    """The counts, and a table of the responses, worst first."""
    named = element("b", f"{len(results)} result{'s' * (len(results) != 1)}")
    counts = [f" · {LOOKS[name].mark} {count} {name}" for name, count in results.counts.items()]
    parts = [element("div", named, *counts, f" · {claims_flagged(results)}")]
    if results:
        columns = ["id", *(["model"] if any(_model(result) for result in results) else [])]
        columns += ["label", "p", "flagged", "first flagged claim"]
        rows = (_row(result) for result in sorted(results, key=_badness))
        parts.append(_table(columns, rows, len(results), "responses"))
    return BOX.format("".join(parts))


def _badness(result: Result) -> tuple[int, float, int]:
    """A sort key, worst first: inconsistent responses, failed ones, the others. Of each kind the highest p first."""
    kind = 0 if result.inconsistent else 1 if result.error is not None else 2
    return kind, -(result.p_inconsistent or 0.0), -len(result.flagged)


def _heading(result: Result) -> Html:
    parts = []
    if result.label:
        parts.append(element("b", *_verdict(result.label)))
    if result.p_inconsistent is not None:
        parts.append(Html(f"p(inconsistent) {result.p_inconsistent:.2f}"))
    if result.judgements:
        parts.append(Html(claims_flagged([result])))
    elif result.claims:
        parts.append(Html(f"{len(result.claims)} claim{'s' * (len(result.claims) != 1)}, {UNJUDGED}"))
    parts += [element("bdi", _cut(name), style=SOFT) for name in (result.name, _model(result)) if name]
    return element("div", Html(" · ".join(parts)))


def _verdict(verdict: str) -> list[Html]:
    look = LOOKS[verdict]
    mark = [element("span", look.mark, style=f"color:{look.tone};font-weight:700"), Html(" ")] if look.mark else []
    return [*mark, element("span", verdict)]


def _model(result: Result) -> str:
    return (result.example.model if result.example else None) or ""


# ---- the response ----


def _response(result: Result) -> Iterator[str]:
    """The response: the words of claims underlined as their worst verdict. Unless it is good, its mark ends a claim."""
    for verdict, pieces in groupby(_pieces(result), lambda piece: piece.verdict):
        run = list(pieces)
        words = [element("b", piece.words) if piece.bold else piece.words for piece in run]
        if not verdict:
            yield from words
            continue
        look = LOOKS[verdict]
        yield element("span", *words, style=f"text-underline-offset:.22em;text-decoration:underline {look.line}")
        if look.mark and verdict != Label.ENTAILMENT and any(piece.last for piece in run):
            yield element("sup", look.mark, style=f"color:{look.tone};font-weight:700;font-size:.75em;line-height:0")


def _pieces(result: Result) -> list[Piece]:
    """The response in order, cut wherever the worst verdict on its words changes. Blanks within a run belong to it."""
    response = result.example.response if result.example else ""
    changes: dict[int, Counter[str]] = {0: Counter(), len(response): Counter()}
    ends: set[tuple[int, str]] = set()

    def count(spans: Sequence[Span], verdict: str) -> None:
        for span in spans:
            changes.setdefault(span.start, Counter())[verdict] += 1
            changes.setdefault(span.end, Counter())[verdict] -= 1
        ends.update((span.end, verdict) for span in spans[-1:])

    for claim in () if result.judgements else result.claims:
        count(claim.spans, UNJUDGED)
    for finding in result.findings:
        count(finding.claim.spans, finding.judgement.label or FAILED)
        if finding.judgement.flagged:
            count(finding.judgement.unsupported, UNSUPPORTED)
    active: Counter[str] = Counter()
    pieces: list[Piece] = []
    places = sorted(changes)
    for start, end in pairwise(places):
        active.update(changes[start])
        verdict = next((name for name in LOOKS if active[name]), "")
        pieces.append(Piece(response[start:end], verdict, active[UNSUPPORTED] > 0, (end, verdict) in ends))
    for place in range(1, len(pieces) - 1):
        before, piece, after = pieces[place - 1 : place + 2]
        if not piece.words.strip() and before.verdict == after.verdict:
            pieces[place] = piece._replace(verdict=before.verdict)
    return pieces


# ---- tables ----


def _table(columns: list[str], rows: Iterable[dict[str, str]], count: int, noun: str) -> Html:
    """A table of at most MAX_ROWS rows, which says how many are left out."""

    def cell(name: str, column: str, content: str) -> Html:
        more = ONE_LINE if name == "th" or column in NARROW else WORDS
        return element(name, content, style=CELL.format(align="right" if column in NUMBERS else "left", more=more))

    head = element("thead", element("tr", *(cell("th", column, column) for column in columns)))
    body = [element("tr", *(cell("td", column, row[column]) for column in columns)) for row in islice(rows, MAX_ROWS)]
    table = element("table", head, element("tbody", *body), style=TABLE)
    if count <= MAX_ROWS:
        return table
    return Html(table + element("div", f"and {count - MAX_ROWS} more {noun}", style=SOFT))


def _row(result: Result) -> dict[str, str]:
    """One response in the table of several."""
    verdict = outcome(result)
    flagged = result.flagged
    first = str(result.error) if verdict == FAILED else flagged[0].claim.text if flagged else ""
    return {
        "id": _cut(result.name),
        "model": _cut(_model(result)),
        "label": _joined(_verdict(verdict)),
        "p": "" if result.p_inconsistent is None else f"{result.p_inconsistent:.2f}",
        "flagged": f"{len(flagged)}/{len(result.claims)}" if result.judgements else "",
        "first flagged claim": _cut(first),
    }


def _flagged_claims(result: Result) -> Html:
    passages = {passage.id: passage for passage in result.example.passages} if result.example else {}
    corrections = {item.claim_id: item for item in result.revision.corrections} if result.revision else {}
    columns = ["label", "p", "flagged claim", "evidence"]
    columns += ["correction"] if any(finding.claim.id in corrections for finding in result.flagged) else []
    without = without_passage(result)
    rows = (_flagged_claim(finding, passages, without, corrections.get(finding.claim.id)) for finding in result.flagged)
    return _table(columns, rows, len(result.flagged), "flagged claims")


def _flagged_claim(
    finding: Finding, passages: dict[str, Passage], without: str, correction: Correction | None
) -> dict[str, str]:
    """A row of the table. `without`: what stands for the evidence where there is no passage."""
    judgement = finding.judgement
    no_passage = judgement.reason == "no_passage"
    return {
        "label": _joined(_verdict(judgement.label or FAILED)),
        "p": "" if judgement.p_inconsistent is None else f"{judgement.p_inconsistent:.2f}",
        "flagged claim": finding.claim.text,
        "evidence": without if no_passage else _evidence(finding, passages),
        "correction": _correction(correction) if correction else "",
    }


def _evidence(finding: Finding, passages: dict[str, Passage]) -> str:
    """The words of the context that decided, or the closest ones of a neutral claim, cut if they are long.

    The words of the claim among them are underlined.
    """
    for evidence in finding.judgement.evidence[:1]:
        if (passage := passages.get(evidence.passage_id)) is None:
            continue
        shown = excerpt(passage.text, evidence, LONGEST_TEXT)
        found = sorted(span for item in evidence.locations for span in item.spans if span.overlaps(shown))
        closest = [element("span", "closest: ", style=SOFT)] if finding.judgement.label is Label.NEUTRAL else []
        parts: list[str] = [*closest, "… " * (shown.start > evidence.span.start)]
        position = shown.start
        for span in found:
            start, end = max(span.start, position), min(span.end, shown.end)
            if start < end:
                parts += [passage.text[position:start], element("u", passage.text[start:end])]
                position = end
        parts += [passage.text[position : shown.end], " …" * (shown.end < evidence.span.end)]
        source = [element("div", passage.source, style=SOFT)] if passage.source else []
        return _joined([element("span", *parts), *source])
    return ""


def _correction(correction: Correction) -> str:
    edits = [element("div", element("del", edit.old), " → ", element("ins", edit.new)) for edit in correction.edits]
    if correction.status is not Status.APPLIED:
        status = str(correction.status) + (f": {correction.reason}" if correction.reason else "")
        edits.insert(0, element("div", status))
    return _joined(edits)


def _joined(parts: Iterable[Html]) -> Html:
    return Html("".join(parts))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
