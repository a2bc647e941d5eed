"""The transactions on a claim graph. Each function receives `ask`, which runs a statement in the transaction.

Ids are sorted, so that concurrent transactions acquire their locks in the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from graph_eval.graph import library
from graph_eval.graph.connection import Ask, Row
from graph_eval.graph.rows import HUMAN, PLACE, VERDICT, Rows, places_of, record_row, run_row
from graph_eval.types import Origin, Run, content_hash, now


def write(ask: Ask, run: Run, rows: Rows, first: bool) -> None:
    """Writes a chunk of a run. `first`: write the run's node too, as the last one loaded."""
    if first:
        ask(library.text("write/run"), {"run": run_row(run), "now": now()})

    def send(statement: str, selected: list[Row] | None = None) -> list[Row]:
        batch = rows.of(statement) if selected is None else selected
        return ask(library.text(f"write/{statement}"), {"rows": batch, "run": run.id}) if batch else []

    human = str(run.settings.get("checker", "")).startswith(HUMAN)
    verdicts = {} if human else {row["claim"]: _shown_verdict(run.id, row["verdict"]) for row in rows.of("judged")}
    if stale := send("responses"):
        gone = [{"id": row["id"], "fields": dict.fromkeys(row["stale"])} for row in stale]
        ask(library.text("write/current_responses"), {"rows": gone})
    for statement in ("passages", "contexts", "samples", "entities"):
        send(statement)
    claims = [
        {**row, "own": row["own"] | rows.places.get(row["id"], {}) | verdicts.get(row["id"], {})}
        for row in rows.of("claims")
    ]
    known = {identity for row in send("claims", claims) for identity in row["known"]}
    evidence = grouped(rows.of("evidence"), "claim")
    judged = {row["claim"]: [row | {"evidence": evidence.get(row["claim"], [])}] for row in rows.of("judged")}
    fresh = [row for row in rows.of("statements") if row["id"] not in known]
    send("statements", [row | {"judged": judged.get(row["id"], [])} for row in fresh])
    send("stated", [row for row in rows.of("stated") if row["id"] not in known])
    relations = [row for row in rows.of("relations") if row["claim_id"] not in known]
    of_responses = {row["claim_id"] for row in relations if row["origin"] == Origin.RESPONSE}
    shown = {claim: verdict for claim, verdict in verdicts.items() if claim in of_responses}
    send("relations", [row | {"verdict": shown.get(row["claim_id"], {})} for row in relations])
    send("mentions", [row for row in rows.of("mentions") if row["claim"] not in known])
    send("produced", rows.of("responses"))
    for statement in ("judged", "evidence"):
        send(statement, [row for row in rows.of(statement) if row["claim"] in known])
    for statement in ("revisions", "corrections", "refuted", "supported", "compared"):
        send(statement)
    for statement in ("searches", "asked", "found"):
        send(statement, [row | {"id": content_hash("search", run.id, row["search"])} for row in rows.of(statement)])
    _set_shown(ask, sorted(rows.responses), verdicts or None, rows.places, known)


def show(ask: Ask, run: str, responses: list[str]) -> None:
    """Makes the responses show a run that is in the graph: its verdicts, and what it has of their records.

    A run without verdicts leaves those of other runs, and a person's run leaves the records.
    """
    show_verdicts(ask, run, responses)
    show_records(ask, run, responses)


def show_verdicts(ask: Ask, run: str, responses: list[str]) -> None:
    rows = ask(library.text("export/verdicts"), {"ids": responses, "run": run})
    if rows:
        _set_shown(ask, responses, {row["claim"]: _shown_verdict(run, row) for row in rows}, None)


def show_records(ask: Ask, run: str, responses: list[str]) -> None:
    rows = ask(library.text("export/records"), {"ids": responses, "run": run})
    if not rows:
        return
    records = [record_row(row) for row in rows]
    ask(library.text("write/current_responses"), {"rows": records})
    ask(library.text("write/current_sources"), {"rows": records})
    places = {
        claim: place
        for row in rows
        for claim, place in places_of(row["claims"] or (), row["confidences"] or ()).items()
    }
    _set_shown(ask, [row["id"] for row in rows], None, places)


def forget(ask: Ask, run: str, responses: list[str]) -> None:
    """Removes a run's verdicts on the responses, and whatever belongs to no other run.

    Responses that showed it show the run loaded before.
    """
    params = {"run": run, "ids": responses}
    for statement in ("verdicts", "evidence", "corrections", "links", "compared", "searches", "revisions", "produced"):
        ask(library.text(f"delete/{statement}"), params)
    remaining = ask(library.text("delete/remaining"), params)
    for column, show_again in (("judge", show_verdicts), ("maker", show_records)):
        for other, rows in grouped(remaining, column).items():
            if other is not None:
                show_again(ask, other, [row["id"] for row in rows])
    unjudged = [row["id"] for row in remaining if row["judge"] is None]
    _set_shown(ask, unjudged, {}, None)
    for statement in ("orphans", "unlinked"):
        _delete_claims(ask, [row["id"] for row in ask(library.text(f"delete/{statement}"), params)])
    parts = ask(library.text("delete/parts"), {"ids": responses})
    _delete_unused_statements(ask, sorted({passage for row in parts for passage in row["passages"]}))
    delete_responses(ask, sorted(set(responses) - {row["id"] for row in remaining}))


def delete_responses(ask: Ask, responses: list[str]) -> None:
    """Removes responses with their samples and revisions, and the passages that no other response has as context."""
    if not responses:
        return
    dependents = ask(library.text("delete/dependents"), {"ids": responses})
    ids = sorted({*responses, *(row["id"] for row in dependents)})
    parts = ask(library.text("delete/parts"), {"ids": ids})
    _delete_claims(ask, sorted({claim for row in parts for claim in row["claims"]}))
    passages = sorted({passage for row in parts for passage in row["passages"]})
    ask(library.text("delete/searches"), {"ids": ids, "run": None})
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
    """The properties by which a claim and its edge show a run's verdict."""
    return {**{name: verdict[name] for name in VERDICT}, "run_id": run}


def _set_shown(
    ask: Ask,
    responses: Sequence[str],
    verdicts: Mapping[str, Row] | None,
    places: Mapping[str, Row] | None,
    changed: Collection[str] | None = None,
) -> None:
    """Makes the responses show these verdicts and places only. None of them leaves those that they show.

    `changed`: the claims whose properties have to be written.
    """
    if not responses:
        return
    (before,) = ask(library.text("write/shown"), {"ids": list(responses)})
    updates: dict[str, Row] = {}
    judged: dict[str, Row] = {}
    if verdicts is not None:
        judged |= dict.fromkeys(set(before["judged"]) - verdicts.keys(), _shown_verdict(None, dict.fromkeys(VERDICT)))
        judged |= {claim: verdict for claim, verdict in verdicts.items() if changed is None or claim in changed}
        updates |= judged
    if places is not None:
        moved = dict.fromkeys(set(before["placed"]) - places.keys(), dict.fromkeys(PLACE))
        moved |= {claim: place for claim, place in places.items() if changed is None or claim in changed}
        updates |= {claim: updates.get(claim, {}) | place for claim, place in moved.items()}
    for statement, properties in (("current_claims", updates), ("current_relations", judged)):
        if properties:
            ask(library.text(f"write/{statement}"), {"ids": sorted(properties), "verdicts": properties})


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
