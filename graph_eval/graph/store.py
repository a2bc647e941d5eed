"""The seam of a graph store, what every store does alike, and how one is opened.

A store runs Cypher; what is run stands in cypher/. The same files run on Neo4j and on the embedded store.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import urlsplit

from graph_eval.chunks import ahead, chunks
from graph_eval.errors import UsageError
from graph_eval.graph import library
from graph_eval.graph.rows import HUMAN, VERDICT, Rows, add_judgement, result, rows, run_row
from graph_eval.types import Judgement, Result, Run

Row = dict[str, Any]
Ask = Callable[[str, Mapping[str, Any]], list[Row]]
Chunk = tuple[list[Result], Rows]
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
BATCH = 200  # responses that one transaction of a load, a deletion or a switch takes


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
        self._put(run, rows(results))

    def load(self, run: Run, results: Iterable[Result]) -> Iterator[Result]:
        """Writes a run chunk by chunk. A result is yielded when it is in the graph.

        While the store is busy the next chunk is read and turned into rows.
        """
        with ahead((part, rows(part)) for part in chunks(results, BATCH)) as parts:
            for part in self._put_all(run, parts):
                yield from part

    def _put_all(self, run: Run, parts: Iterable[Chunk]) -> Iterator[list[Result]]:
        for part, found in parts:
            self._put(run, found)
            yield part

    def _put(self, run: Run, found: Rows, executed: Callable[[], object] = lambda: None) -> None:
        """`executed` is called when only the commit is left."""
        first = run.id not in self._begun

        def work(ask: Ask) -> None:
            _write(ask, run, found, first)
            executed()

        self._transact(work)
        self._begun.add(run.id)

    def results(self, run: str) -> Iterator[Result]:
        """What a run holds, as it was written, in the order of its input."""
        for part in chunks(self._produced(run), BATCH):
            found = self._revised(run, self._responses(run, part))
            yield from (result(found[identity]) for identity in part)

    def _revised(self, run: str, found: dict[str, Row]) -> dict[str, Row]:
        """The responses with their revisions, and the revisions of those: each round of correction is one."""
        wanted = [row["revision"] for key, row in found.items() if row["revision"] and row["revision"] != key]
        revised = self._revised(run, self._responses(run, wanted)) if wanted else {}
        for key, row in found.items():
            row["revised"] = revised.get(row["revision"]) if row["revision"] != key else None
        return found

    def held(self, run: str) -> int:
        """How many of the run's records are in the graph; records that are one response count once."""
        found: int = self.query(library.text("export/held"), {"run": run})[0]["responses"]
        return found

    def _produced(self, run: str) -> list[str]:
        found: list[str] = self.query(library.text("export/produced"), {"run": run})[0]["ids"]
        return found

    def _responses(self, run: str, ids: Sequence[str]) -> dict[str, Row]:
        """Responses by id, with what `graph.rows.result` needs of them."""

        def asked(name: str, by: str = "response") -> dict[str, list[Row]]:
            return _grouped(self.query(library.text(f"export/{name}"), {"ids": ids, "run": run}), by)

        found = {row["id"]: row for row in self.query(library.text("export/responses"), {"ids": ids, "run": run})}
        passages, samples, corrections = asked("passages"), asked("samples"), asked("corrections")
        claims, verdicts, evidence = asked("claims", "id"), asked("verdicts", "claim"), asked("evidence", "claim")
        stated, links = asked("stated", "id"), asked("links")
        for key, row in found.items():
            own = row["claims"] or ()
            row["claims"] = [claims[identity][0] for identity in own]
            row["verdicts"] = [
                verdict | {"evidence": evidence.get(identity, ())}
                for identity in own
                for verdict in verdicts.get(identity, ())
            ]
            row["passages"], row["samples"] = passages.get(key, ()), samples.get(key, ())
            row["stated"] = [stated[identity][0] for identity in row["stated"] or ()]
            row["links"] = links.get(key, ())
            row["corrections"], row["revised"] = corrections.get(key, ()), None
        return found

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
        for ids in chunks(self._produced(run), BATCH):
            self._transact(lambda ask, ids=ids: _show(ask, run, ids))  # type: ignore[misc]
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
    run_id = run.id
    if first:
        ask(library.text("write/run"), {"run": run_row(run)})

    def send(statement: str, chosen: list[Row] | None = None) -> list[Row]:
        sent = found.of(statement) if chosen is None else chosen
        return ask(library.text(f"write/{statement}"), {"rows": sent, "run": run_id}) if sent else []

    human = str(run.settings.get("checker", "")).startswith(HUMAN)
    verdicts = {} if human else {row["claim"]: _current(run_id, row["verdict"]) for row in found.of("judged")}
    for statement in ("responses", "passages", "contexts", "samples", "entities"):
        send(statement)
    claims = [{**row, "own": row["own"] | verdicts.get(row["id"], {})} for row in found.of("claims")]
    known = {identity for row in send("claims", claims) for identity in row["known"]}
    evidence = _grouped(found.of("evidence"), "claim")
    judged = {row["claim"]: [row | {"evidence": evidence.get(row["claim"], [])}] for row in found.of("judged")}
    fresh = [row for row in found.of("statements") if row["id"] not in known]
    send("statements", [row | {"judged": judged.get(row["id"], [])} for row in fresh])
    send("stated", [row for row in found.of("stated") if row["id"] not in known])
    triplets = [row for row in found.of("triplets") if row["claim_id"] not in known]
    send("triplets", [row | {"verdict": verdicts.get(row["claim_id"], {})} for row in triplets])
    send("produced", found.of("responses"))
    for statement in ("judged", "evidence"):
        send(statement, [row for row in found.of(statement) if row["claim"] in known])
    for statement in ("revisions", "corrections", "refuted", "supported"):
        send(statement)
    if verdicts:
        _set_current(ask, sorted(found.responses), verdicts, known)


def _current(run: str | None, verdict: Mapping[str, Any]) -> Row:
    return {**{name: verdict[name] for name in VERDICT}, "run_id": run}


def _set_current(
    ask: Ask, responses: Sequence[str], verdicts: Mapping[str, Row], changed: Collection[str] | None = None
) -> None:
    """These responses show these verdicts and no other ones. `changed`: the claims that do not show theirs yet."""
    before = {identity for row in ask(library.text("write/shown"), {"ids": list(responses)}) for identity in row["ids"]}
    shown = {identity: row for identity, row in verdicts.items() if changed is None or identity in changed}
    shown |= dict.fromkeys(before - verdicts.keys(), _current(None, dict.fromkeys(VERDICT)))
    if shown:
        for statement in ("current_claims", "current_relations"):
            ask(library.text(f"write/{statement}"), {"ids": sorted(shown), "verdicts": shown})


def _show(ask: Ask, run: str, responses: list[str]) -> None:
    """The responses show the verdicts of a run that is in the graph."""
    judged = ask(library.text("export/verdicts"), {"ids": responses, "run": run})
    verdicts = {row["claim"]: _current(run, row) for row in judged}
    if verdicts:
        _set_current(ask, responses, verdicts)


def _forget(ask: Ask, run: str, responses: list[str]) -> None:
    """The responses without the run; what only it held is gone, what showed its verdicts shows the run before."""
    params = {"run": run, "ids": responses}
    for statement in ("verdicts", "evidence", "corrections", "links", "revisions", "produced"):
        ask(library.text(f"delete/{statement}"), params)
    left = {row["id"]: row["run"] for row in ask(library.text("delete/remaining"), params)}
    for identity, other in left.items():
        if other is not None:
            _show(ask, other, [identity])
        else:
            _set_current(ask, [identity], {})
    orphans = ask(library.text("delete/orphans"), params)
    _remove_claims(ask, [row["id"] for row in orphans])
    held = ask(library.text("delete/parts"), {"ids": responses})
    _remove_stated(ask, sorted({identity for row in held for identity in row["passages"]}))
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
    _remove_stated(ask, passages)
    ask(library.text("delete/passages"), {"ids": passages})


def _remove_stated(ask: Ask, passages: list[str]) -> None:
    """Claims of these passages that no run asked for any more."""
    if passages:
        found = ask(library.text("delete/unasked"), {"ids": passages})
        _remove_claims(ask, sorted(row["id"] for row in found))


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
