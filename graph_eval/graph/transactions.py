"""The transactions on a claim graph. Each function receives `ask`, which runs a statement in the transaction.

Ids are sorted, so that concurrent transactions acquire their locks in the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from graph_eval.graph import library
from graph_eval.graph.connection import Ask, Row
from graph_eval.graph.rows import HUMAN, OF_RUN, VERDICT, Rows, run_row
from graph_eval.types import Origin, Run, now


def write(ask: Ask, run: Run, rows: Rows, first: bool) -> None:
    """Writes a chunk of a run. `first`: write the run's node too, as the last one loaded."""
    if first:
        ask(library.text("write/run"), {"run": run_row(run), "now": now()})

    def send(statement: str, selected: list[Row] | None = None) -> list[Row]:
        batch = rows.of(statement) if selected is None else selected
        return ask(library.text(f"write/{statement}"), {"rows": batch, "run": run.id}) if batch else []

    human = str(run.settings.get("checker", "")).startswith(HUMAN)
    verdicts = {} if human else {row["claim"]: _shown_verdict(run.id, row["verdict"]) for row in rows.of("judged")}
    on_edges = _on_edges(verdicts)
    for statement in ("responses", "passages", "contexts", "samples", "entities"):
        send(statement)
    claims = [{**row, "own": row["own"] | verdicts.get(row["id"], {})} for row in rows.of("claims")]
    known = {identity for row in send("claims", claims) for identity in row["known"]}
    evidence = grouped(rows.of("evidence"), "claim")
    judged = {row["claim"]: [row | {"evidence": evidence.get(row["claim"], [])}] for row in rows.of("judged")}
    fresh = [row for row in rows.of("statements") if row["id"] not in known]
    send("statements", [row | {"judged": judged.get(row["id"], [])} for row in fresh])
    send("stated", [row for row in rows.of("stated") if row["id"] not in known])
    relations = [row for row in rows.of("relations") if row["claim_id"] not in known]
    of_responses = {row["claim_id"] for row in relations if row["origin"] == Origin.RESPONSE}
    shown = {claim: verdict for claim, verdict in on_edges.items() if claim in of_responses}
    send("relations", [row | {"verdict": shown.get(row["claim_id"], {})} for row in relations])
    send("mentions", [row for row in rows.of("mentions") if row["claim"] not in known])
    send("produced", rows.of("responses"))
    for statement in ("judged", "evidence"):
        send(statement, [row for row in rows.of(statement) if row["claim"] in known])
    for statement in ("revisions", "corrections", "refuted", "supported"):
        send(statement)
    if verdicts:
        _set_shown(ask, sorted(rows.responses), verdicts, known)


def show(ask: Ask, run: str, responses: list[str]) -> None:
    """Makes the responses show the verdicts of a run that is in the graph."""
    rows = ask(library.text("export/verdicts"), {"ids": responses, "run": run})
    verdicts = {row["claim"]: _shown_verdict(run, row) for row in rows}
    if verdicts:
        _set_shown(ask, responses, verdicts)


def forget(ask: Ask, run: str, responses: list[str]) -> None:
    """Removes a run's verdicts on the responses, and whatever belongs to no other run.

    Responses that showed its verdicts show those of the run loaded before.
    """
    params = {"run": run, "ids": responses}
    for statement in ("verdicts", "evidence", "corrections", "links", "revisions", "produced"):
        ask(library.text(f"delete/{statement}"), params)
    remaining = {row["id"]: row["run"] for row in ask(library.text("delete/remaining"), params)}
    for response, other in remaining.items():
        if other is not None:
            show(ask, other, [response])
        else:
            _set_shown(ask, [response], {})
    orphans = ask(library.text("delete/orphans"), params)
    _delete_claims(ask, [row["id"] for row in orphans])
    parts = ask(library.text("delete/parts"), {"ids": responses})
    _delete_unused_statements(ask, sorted({passage for row in parts for passage in row["passages"]}))
    delete_responses(ask, [response for response in responses if response not in remaining])


def delete_responses(ask: Ask, responses: list[str]) -> None:
    """Removes responses with their samples and revisions, and the passages that no other response has as context."""
    if not responses:
        return
    dependents = ask(library.text("delete/dependents"), {"ids": responses})
    ids = sorted({*responses, *(row["id"] for row in dependents)})
    parts = ask(library.text("delete/parts"), {"ids": ids})
    _delete_claims(ask, sorted({claim for row in parts for claim in row["claims"]}))
    passages = sorted({passage for row in parts for passage in row["passages"]})
    ask(library.text("delete/responses"), {"ids": ids})
    _delete_unused_statements(ask, passages)
    ask(library.text("delete/passages"), {"ids": passages})


def grouped(rows: Iterable[Row], column: str) -> dict[str, list[Row]]:
    """The rows by their value in a column."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[column], []).append(row)
    return groups


def _shown_verdict(run: str | None, verdict: Mapping[str, Any]) -> Row:
    """The properties of a claim that show a run's verdict."""
    of_run = {name: verdict[name] for name in OF_RUN if verdict.get(name) is not None}
    return {**{name: verdict[name] for name in VERDICT}, "run_id": run, **of_run}


def _on_edges(verdicts: Mapping[str, Row]) -> dict[str, Row]:
    """The properties of the edges that show these verdicts."""
    return {
        claim: {name: value for name, value in verdict.items() if name not in OF_RUN}
        for claim, verdict in verdicts.items()
    }


def _set_shown(
    ask: Ask, responses: Sequence[str], verdicts: Mapping[str, Row], changed: Collection[str] | None = None
) -> None:
    """Makes the responses show these verdicts only. `changed`: the claims whose properties have to be written."""
    before = {claim for row in ask(library.text("write/shown"), {"ids": list(responses)}) for claim in row["ids"]}
    updates = {claim: verdict for claim, verdict in verdicts.items() if changed is None or claim in changed}
    updates |= dict.fromkeys(before - verdicts.keys(), _shown_verdict(None, dict.fromkeys(VERDICT)))
    if updates:
        ids = sorted(updates)
        ask(library.text("write/current_claims"), {"ids": ids, "verdicts": updates})
        ask(library.text("write/current_relations"), {"ids": ids, "verdicts": _on_edges(updates)})


def _delete_unused_statements(ask: Ask, passages: list[str]) -> None:
    """Removes claims of these passages that belong to no run any more."""
    if passages:
        rows = ask(library.text("delete/unasked"), {"ids": passages})
        _delete_claims(ask, sorted(row["id"] for row in rows))


def _delete_claims(ask: Ask, ids: list[str]) -> None:
    """Removes claims, and the entities that no other claim names."""
    if ids:
        entities = sorted(row["id"] for row in ask(library.text("delete/entities_of"), {"ids": ids}))
        for statement in ("relations", "claims"):
            ask(library.text(f"delete/{statement}"), {"ids": ids})
        ask(library.text("delete/entities"), {"ids": entities})
