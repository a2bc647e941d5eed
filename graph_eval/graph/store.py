"""The seam of a graph store, what every store does alike, and how one is opened.

A store runs Cypher; what is run stands in cypher/. The same files run on Neo4j and on the embedded store.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import urlsplit

from graph_eval.errors import UsageError
from graph_eval.graph import library
from graph_eval.graph.rows import HUMAN, VERDICT, Rows, add_judgement, result, rows, run_row
from graph_eval.types import Judgement, Result, Run

Row = dict[str, Any]
Ask = Callable[[str, Mapping[str, Any]], list[Row]]
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
BATCH = 400  # responses that one transaction of a load, a deletion or a switch takes


class GraphStore(Protocol):
    """A graph of claims. `setup` can be called at any time; a `write` is all or nothing, and writing again changes
    nothing. Raises StoreError where the store cannot do what it is asked, UsageError for a query that is wrong."""

    def setup(self) -> None: ...

    def write(self, run: Run, results: Iterable[Result]) -> None: ...

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]: ...

    def delete(self, *, run: str | None = None, response: str | None = None) -> None: ...

    def close(self) -> None: ...


class CypherStore(ABC):
    """What all stores share. A store adds how a query and a transaction run there."""

    def __init__(self) -> None:
        self._begun: set[str] = set()

    @abstractmethod
    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]:
        """Rows of one query in a transaction of its own; without `write` nothing can be changed."""

    @abstractmethod
    def _transact(self, work: Callable[[Ask], None]) -> None:
        """Runs `work` in one transaction, all or nothing, again where the store asks for it."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> CypherStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def setup(self) -> None:
        for name in ("schema/setup", "schema/vocabulary"):
            for statement in library.statements(name):
                self.query(statement, write=True)

    def write(self, run: Run, results: Iterable[Result]) -> None:
        """One chunk in one transaction. The run's first chunk makes it the last one loaded."""
        found = rows(results)
        first = run.id not in self._begun
        self._transact(lambda ask: _write(ask, run, found, first))
        self._begun.add(run.id)

    def results(self, run: str) -> Iterator[Result]:
        """What a run holds, as it was written, in the order of its input."""
        after = -1
        while responses := self.query(library.text("export/responses"), {"run": run, "after": after, "limit": BATCH}):
            ids = [row["id"] for row in responses]
            passages = _grouped(self.query(library.text("export/passages"), {"ids": ids}))
            samples = _grouped(self.query(library.text("export/samples"), {"ids": ids}))
            evidence = _grouped(self.query(library.text("export/evidence"), {"ids": ids, "run": run}), "claim")
            claims = _grouped(self.query(library.text("export/claims"), {"ids": ids, "run": run}))
            for row in responses:
                key = row["id"]
                row["samples"] = [sample["text"] for sample in samples.get(key, ())]
                own = [{**claim, "evidence": evidence.get(claim["id"], [])} for claim in claims.get(key, ())]
                yield result(row, passages.get(key, []), own)
            after = responses[-1]["n"]

    def run(self, identity: str | None = None) -> Run:
        """The run of that id, or the last one loaded. Raises UsageError if there is none."""
        if identity is None:
            last = self.query(library.text("export/last_run"))
            if not last:
                raise UsageError("the store holds no run", "load one: graph-eval load RUN --store ...")
            identity = last[0]["id"]
        found = self.query(library.text("export/run"), {"run": identity})
        if not found:
            raise UsageError(f"the store holds no run {identity}", "graph-eval query runs lists them")
        row = found[0]
        settings, fingerprints, versions = (json.loads(row[name]) for name in ("settings", "fingerprints", "versions"))
        return Run(row["stage"], settings, fingerprints, versions, row["input"])

    def label(self, run: Run, verdicts: Mapping[str, Judgement]) -> set[str]:
        """A person's verdicts, by claim. Returns the ids of claims that the graph does not know."""
        found = Rows()
        for judgement in verdicts.values():
            add_judgement(found, judgement, {})
        known: set[str] = set()

        def work(ask: Ask) -> None:
            ask(library.text("write/person"), {"run": run_row(run)})
            for row in ask(library.text("write/labelled"), {"rows": found.of("judged"), "run": run.id}):
                known.update(row["known"])
            ask(library.text("write/judged"), {"rows": found.of("judged"), "run": run.id})

        self._transact(work)
        return set(verdicts) - known

    def make_current(self, run: str) -> None:
        """The flags on the graph become those of this run, for all that it judged."""
        after = -1
        while found := self.query(library.text("export/responses"), {"run": run, "after": after, "limit": BATCH}):
            ids = [row["id"] for row in found]
            self._transact(lambda ask, ids=ids: _show(ask, run, ids))  # type: ignore[misc]
            after = found[-1]["n"]
        self.query(library.text("write/last"), {"run": run}, write=True)

    def delete(self, *, run: str | None = None, response: str | None = None) -> None:
        """Removes a run's verdicts, or a response, and what nothing else refers to."""
        if run is not None and response is None:
            self._delete_run(run)
        elif response is not None and run is None:
            self._transact(lambda ask: _delete_responses(ask, [response]))
        else:
            raise UsageError("delete takes a run or a response", "give one of them")

    def _delete_run(self, run: str) -> None:
        while found := self.query(library.text("delete/of_run"), {"run": run, "limit": BATCH}):
            ids = [row["id"] for row in found]
            self._transact(lambda ask, ids=ids: _forget(ask, run, ids))  # type: ignore[misc]
        self.query(library.text("delete/run"), {"run": run}, write=True)
        self._begun.discard(run)


def _write(ask: Ask, run: Run, found: Rows, first: bool) -> None:
    if first:
        ask(library.text("write/run"), {"run": run_row(run)})

    def send(statement: str, chosen: list[Row] | None = None) -> list[Row]:
        sent = found.of(statement) if chosen is None else chosen
        return ask(library.text(f"write/{statement}"), {"rows": sent, "run": run.id}) if sent else []

    human = str(run.settings.get("checker", "")).startswith(HUMAN)
    verdicts = {} if human else {row["claim"]: _current(run.id, row["verdict"]) for row in found.of("judged")}
    for statement in ("responses", "passages", "contexts", "samples", "entities"):
        send(statement)
    claims = [{**row, "own": row["own"] | verdicts.get(row["id"], {})} for row in found.of("claims")]
    known = {identity for row in send("claims", claims) for identity in row["known"]}
    send("statements", [row for row in found.of("statements") if row["id"] not in known])
    triplets = [row for row in found.of("triplets") if row["claim_id"] not in known]
    send("triplets", [{**row, "verdict": verdicts.get(row["claim_id"], {})} for row in triplets])
    for statement in ("judged", "evidence", "revisions", "corrections"):
        send(statement)
    if verdicts:
        _set_current(ask, sorted(found.responses), verdicts, known)


def _current(run: str | None, verdict: Mapping[str, Any]) -> Row:
    return {**{name: verdict[name] for name in VERDICT}, "run_id": run}


def _set_current(
    ask: Ask, responses: Sequence[str], verdicts: Mapping[str, Row], changed: Collection[str] | None = None
) -> None:
    """These responses show these verdicts and no other ones. `changed`: the claims that do not show theirs yet."""
    outdated = ask(library.text("write/outdated"), {"responses": list(responses), "claims": sorted(verdicts)})
    shown = {identity: row for identity, row in verdicts.items() if changed is None or identity in changed}
    shown |= {identity: _current(None, dict.fromkeys(VERDICT)) for row in outdated for identity in row["ids"]}
    if shown:
        for statement in ("current_claims", "current_relations"):
            ask(library.text(f"write/{statement}"), {"ids": sorted(shown), "verdicts": shown})


def _show(ask: Ask, run: str, responses: list[str]) -> None:
    """The responses show the verdicts of a run that is in the graph."""
    judged = ask(library.text("export/claims"), {"ids": responses, "run": run})
    verdicts = {row["id"]: _current(run, row) for row in judged if row["flagged"] is not None}
    if verdicts:
        _set_current(ask, responses, verdicts)


def _forget(ask: Ask, run: str, responses: list[str]) -> None:
    """The responses without the run; what only it held is gone, what showed its verdicts shows the run before."""
    params = {"run": run, "ids": responses}
    for statement in ("verdicts", "evidence", "corrections", "revisions", "produced"):
        ask(library.text(f"delete/{statement}"), params)
    left = {row["id"]: row["run"] for row in ask(library.text("delete/remaining"), params)}
    for identity, other in left.items():
        if other is not None:
            _show(ask, other, [identity])
        else:
            _set_current(ask, [identity], {})
    unclaimed = ask(library.text("delete/unjudged"), params)
    _remove_claims(ask, [row["id"] for row in unclaimed])
    _delete_responses(ask, [identity for identity in responses if identity not in left])


def _delete_responses(ask: Ask, responses: list[str]) -> None:
    """The responses with their samples and revisions, and the passages that nothing else has as its context."""
    if not responses:
        return
    dependent = ask(library.text("delete/dependents"), {"ids": responses})
    ids = sorted({*responses, *(row["id"] for row in dependent)})
    found = ask(library.text("delete/parts"), {"ids": ids})
    _remove_claims(ask, sorted({identity for row in found for identity in row["claims"]}))
    passages = sorted({identity for row in found for identity in row["passages"]})
    ask(library.text("delete/responses"), {"ids": ids})
    ask(library.text("delete/passages"), {"ids": passages})


def _remove_claims(ask: Ask, ids: list[str]) -> None:
    """Claims with the entities that nothing else speaks of."""
    if ids:
        entities = sorted(row["id"] for row in ask(library.text("delete/entities_of"), {"ids": ids}))
        for statement in ("relations", "claims"):
            ask(library.text(f"delete/{statement}"), {"ids": ids})
        ask(library.text("delete/entities"), {"ids": entities})


def _grouped(found: Iterable[Row], by: str = "response") -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in found:
        groups.setdefault(row[by], []).append(row)
    return groups


def is_uri(name: str) -> bool:
    return urlsplit(name).scheme in SCHEMES


def open_store(name: str) -> CypherStore:
    """The store behind a bolt or neo4j URI, or in a folder. Raises StoreError if it cannot be opened."""
    if is_uri(name):
        from graph_eval.graph.neo4j import Neo4jStore

        return Neo4jStore(name)
    if "://" in name:
        raise UsageError(f"store {name}", f"give a folder, or a URI that begins with {', '.join(SCHEMES)}")
    from graph_eval.graph.embedded import EmbeddedStore

    return EmbeddedStore(name)
