"""The claim graph of a database. Loads, reads, labels and deletes runs. The statements are in cypher/."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from threading import Event
from typing import Any

from graph_eval.chunks import ahead, chunks
from graph_eval.errors import UsageError
from graph_eval.graph import library, transactions
from graph_eval.graph.connection import Ask, Connection, Row
from graph_eval.graph.entities import meant, name_key
from graph_eval.graph.reading import beyond, plans_write
from graph_eval.graph.rows import Rows, Scope, add_judgement, from_row, run_row, to_rows
from graph_eval.types import Judgement, Result, Run, now

Chunk = tuple[list[Result], Rows]
BATCH = 200  # responses in one transaction of a load, a deletion or a change of the current run


class ClaimGraph:
    """Runs with their responses, claims and verdicts in one graph database.

    `share_names`: a name is one entity in each dataset, or only in each response. Every chunk is written in one
    transaction, all or nothing. Writing the same results again changes nothing. Errors
    are those of `Connection`. A context manager that closes the connection.
    """

    def __init__(self, connection: Connection, share_names: Scope = "dataset") -> None:
        self.connection = connection
        self._share_names: Scope = share_names
        self._started: set[str] = set()  # ids of runs whose node this object has written

    def __enter__(self) -> ClaimGraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]:
        """The rows of one statement. See `Connection.query`.

        Without `write`, a statement that reads files or the network, or that uses a procedure or a function of unknown
        effect, raises UsageError.
        """
        if not write and (name := beyond(cypher)):
            raise UsageError(f"this query uses {name}, which can reach beyond the graph", "pass --write to allow it")
        if not write and plans_write(cypher):
            raise UsageError("this query writes", "pass --write to allow it")
        return self.connection.query(cypher, params, write=write)

    def named(self, name: str, values: Mapping[str, Any]) -> list[Row]:
        """The rows of a named query. Raises UsageError for an unknown name, parameter or run.

        The parameter `entity` is looked up as the entities of claims are: whatever its case, article, title or short
        form. A short form of several names raises UsageError.
        """
        query = library.query(name)
        params = query.bind(values)
        for run in {"one", "other"} & params.keys():
            self.run(str(params[run]))
        if "entity" in params:
            params["entity"] = self._entity(str(params["entity"]), params.get("dataset"))
        if self.connection.full_text and name == "search" and (terms := re.findall(r"\w+", params["text"].lower())):
            # The index has whole words, the query asks for parts of them as well.
            params["lucene"] = " AND ".join(f"*{term}*" for term in terms)
            return self.connection.query(library.text("full_text/search"), params)
        return self.connection.query(query.text, params)

    def _entity(self, text: str, dataset: str | None) -> str:
        """The key of the entity that a phrase means in this graph."""
        key = name_key(text)
        found = self.query(library.text("export/entities"), {"key": key, "words": key.split(), "dataset": dataset})
        return meant(text, {row["key"]: row["text"] for row in found})

    def setup(self) -> None:
        """Create constraints and indexes. Needed once before the first write, harmless at any time."""
        names = ("schema/setup", "schema/vocabulary", *(["full_text/setup"] * self.connection.full_text))
        for name in names:
            for statement in library.statements(name):
                self.query(statement, write=True)

    # ---- write ----

    def write(self, run: Run, results: Iterable[Result]) -> None:
        """Write one chunk of a run in one transaction.

        The first chunk of a run makes it the last one loaded. The graph shows its verdicts from then on.
        """
        self._put(run, to_rows(results, self._share_names))

    def load(self, run: Run, results: Iterable[Result]) -> Iterator[Result]:
        """Write a run chunk by chunk. A result is yielded when it is in the graph.

        While the database is busy, the next chunk is read and turned into rows.
        """
        put = self._put_concurrently if self.connection.concurrent else self._put_in_turn
        with ahead((chunk, to_rows(chunk, self._share_names)) for chunk in chunks(results, BATCH)) as parts:
            for written in put(run, parts):
                yield from written

    def _put_in_turn(self, run: Run, parts: Iterable[Chunk]) -> Iterator[list[Result]]:
        for results, rows in parts:
            self._put(run, rows)
            yield results

    def _put_concurrently(self, run: Run, parts: Iterable[Chunk]) -> Iterator[list[Result]]:
        """While one chunk is being committed, the statements of the next one are run."""
        previous: Callable[[], list[Result]] | None = None
        with ThreadPoolExecutor(2) as writers:
            for part in parts:
                current = self._submit(writers, run, part)
                if previous is not None:
                    yield previous()
                previous = current
            if previous is not None:
                yield previous()

    def _submit(self, writers: ThreadPoolExecutor, run: Run, part: Chunk) -> Callable[[], list[Result]]:
        """Returns when only the commit of the chunk is left. The returned function waits for the commit."""
        results, rows = part
        executed = Event()

        def put() -> list[Result]:
            try:
                self._put(run, rows, executed.set)
            finally:
                executed.set()
            return results

        first = run.id not in self._started
        writing = writers.submit(put)
        executed.wait()
        if first:
            writing.result()  # the chunks that follow need the run's node
        return writing.result

    def _put(self, run: Run, rows: Rows, on_executed: Callable[[], object] = lambda: None) -> None:
        """`on_executed` is called when only the commit is left."""
        first = run.id not in self._started

        def work(ask: Ask) -> None:
            transactions.write(ask, run, rows, first)
            on_executed()

        self.connection.transact(work)
        self._started.add(run.id)

    def keep_manifest(self, run: str, manifest: str) -> None:
        """Store the run.json of the run of this id, so that an export writes it again."""
        created_at = json.loads(manifest).get("created_at")
        params = {"run": run, "manifest": manifest, "created_at": created_at}
        self.query(library.text("write/manifest"), params, write=True)

    def label(self, run: Run, judgements: Mapping[str, Judgement]) -> set[str]:
        """Write a person's verdicts, by claim id. Returns the ids of claims that are not in the graph.

        `run`: see `graph_eval.graph.labels.person_run`. Earlier verdicts of that run on the same claims are replaced.
        """
        rows = Rows()
        for judgement in judgements.values():
            add_judgement(rows, judgement, {})
        known = set(self.query(library.text("export/known"), {"ids": sorted(judgements)})[0]["known"])

        def work(ask: Ask) -> None:
            params = {"rows": [row for row in rows.of("judged") if row["claim"] in known], "run": run.id}
            ask(library.text("write/person"), {"run": run_row(run), "now": now()})
            for name in ("labelled", "judged"):
                ask(library.text(f"write/{name}"), params)

        if known:
            self.connection.transact(work)
        return set(judgements) - known

    def make_current(self, run: str) -> None:
        """Show the run of this id: its verdicts on all claims that it judged, and what it has of their records.

        It becomes the last one loaded.
        """
        made = self.query(library.text("export/made"), {"run": run})[0]["ids"]
        for responses in chunks(sorted(made), BATCH):
            self.connection.transact(lambda ask, ids=responses: transactions.show(ask, run, ids))  # type: ignore[misc]
        self.query(library.text("write/last"), {"run": run}, write=True)

    def delete(self, *, run: str | None = None, response: str | None = None) -> None:
        """Remove a run or a response by its id, and what nothing else refers to. Pass one of the two."""
        if run is not None and response is None:
            self._delete_run(run)
        elif response is not None and run is None:
            if not self.query(library.text("export/response"), {"id": response}):
                raise UsageError(f"unknown response {response!r}", "its id is the property `id` of a Response node")
            self.connection.transact(lambda ask: transactions.delete_responses(ask, [response]))
        else:
            raise UsageError("delete needs a run or a response", "pass exactly one of them")

    def _delete_run(self, run: str) -> None:
        while rows := self.query(library.text("delete/of_run"), {"run": run, "limit": BATCH}):
            responses = [row["id"] for row in rows]
            self.connection.transact(
                lambda ask, ids=responses: transactions.forget(ask, run, ids)  # type: ignore[misc]
            )
        self.query(library.text("delete/run"), {"run": run}, write=True)
        self._started.discard(run)

    # ---- read ----

    def run(self, run: str | None = None) -> Run:
        """The run of this id, or the last one loaded. Raises UsageError if there is none."""
        if run is None:
            last = self.query(library.text("export/last_run"))
            if not last:
                raise UsageError("the store holds no runs", "load a run: graph-eval load RUN --store ...")
            run = last[0]["id"]
        rows = self.query(library.text("export/run"), {"run": run})
        if not rows:
            raise UsageError(f"unknown run {run!r}", "list the runs: graph-eval query runs --store ...")
        row = rows[0]
        settings, fingerprints, versions = (json.loads(row[name]) for name in ("settings", "fingerprints", "versions"))
        return Run(row["stage"], settings, fingerprints, versions, row["input"])

    def manifest(self, run: str) -> str | None:
        """The run.json of the run of this id. None if it was loaded without one."""
        rows = self.query(library.text("export/run"), {"run": run})
        return rows[0]["manifest"] if rows else None

    def results(self, run: str) -> Iterator[Result]:
        """The results of the run of this id as they were written, in the order of its input."""
        for ids in chunks(self._response_ids(run), BATCH):
            rows = self._with_revisions(run, self._responses(run, ids))
            yield from (from_row(rows[identity]) for identity in ids)

    def flags(self, run: str) -> dict[str, bool]:
        """Whether the run of this id flags each claim that it judged, by the claim's id."""
        return {row["claim"]: row["flagged"] for row in self.query(library.text("export/flags"), {"run": run})}

    def labels(self, run: str) -> list[Row]:
        """The claims of responses that the run of this id judged: `claim` and `response` (ids), `label`, `flagged`.

        The label of a claim whose check failed is None.
        """
        return self.query(library.text("export/labelled_by"), {"run": run})

    def stating(self, claims: Collection[str]) -> Iterator[tuple[str, Result]]:
        """Unjudged results that hold these claims only, by the claims' ids, each with the id of its run.

        A claim of several runs comes from the one loaded last. The runs of persons are left out.
        """
        responses: dict[tuple[int, str], set[str]] = {}  # by run
        for ids in chunks(sorted(claims), BATCH):
            for row in self.query(library.text("export/stating"), {"ids": ids}):
                responses.setdefault((-row["loaded"], row["run"]), set()).add(row["response"])
        left = set(claims)
        for loaded, run in sorted(responses):
            for ids in chunks(sorted(responses[loaded, run]), BATCH):
                rows = self._responses(run, ids)
                for result in (from_row(rows[identity]) for identity in ids):
                    wanted = tuple(claim for claim in result.claims if claim.id in left)
                    left -= {claim.id for claim in wanted}
                    if wanted:
                        yield run, Result(result.n, result.example, wanted)

    def counts(self) -> dict[str, int]:
        """The number of nodes of each label, and of relationships of each type."""
        return {row["what"]: row["count"] for row in self.query(library.query("counts").text)}

    def response_count(self, run: str) -> int:
        """The number of responses of the run's records in the graph. Records with equal responses count once."""
        count: int = self.query(library.text("export/held"), {"run": run})[0]["responses"]
        return count

    def _response_ids(self, run: str) -> list[str]:
        ids: list[str] = self.query(library.text("export/produced"), {"run": run})[0]["ids"]
        return ids

    def _with_revisions(self, run: str, responses: dict[str, Row]) -> dict[str, Row]:
        """The responses with their revisions, and the revisions of those: each round of correction is one."""
        ids = [row["revision"] for key, row in responses.items() if row["revision"] and row["revision"] != key]
        revisions = self._with_revisions(run, self._responses(run, ids)) if ids else {}
        for key, row in responses.items():
            row["revised"] = revisions.get(row["revision"]) if row["revision"] != key else None
        return responses

    def _responses(self, run: str, ids: Sequence[str]) -> dict[str, Row]:
        """Responses by id, in the format of `graph.rows.from_row`, without their revisions."""
        params = {"ids": ids, "run": run}

        def grouped(name: str, column: str = "response") -> dict[str, list[Row]]:
            return transactions.grouped(self.query(library.text(f"export/{name}"), params), column)

        responses = {row["id"]: row for row in self.query(library.text("export/responses"), params)}
        passages, samples, corrections = grouped("passages"), grouped("samples"), grouped("corrections")
        claims, verdicts, evidence = grouped("claims", "id"), grouped("verdicts", "claim"), grouped("evidence", "claim")
        stated, links = grouped("stated", "id"), grouped("links")
        for key, row in responses.items():
            claim_ids = row["claims"] or ()
            confidences = zip(claim_ids, row["confidences"] or repeat(1.0), strict=False)
            row["claims"] = [claims[identity][0] | {"confidence": value} for identity, value in confidences]
            row["verdicts"] = [
                verdict | {"evidence": evidence.get(identity, ())}
                for identity in claim_ids
                for verdict in verdicts.get(identity, ())
            ]
            row["passages"] = passages.get(key, ())
            texts = {sample["id"]: sample for sample in samples.get(key, ())}
            row["samples"] = [texts[identity] for identity in row["samples"] or ()]
            confidences = zip(row["stated"] or (), row["stated_confidences"] or repeat(1.0), strict=False)
            row["stated"] = [stated[identity][0] | {"confidence": value} for identity, value in confidences]
            row["links"] = links.get(key, ())
            row["corrections"], row["revised"] = corrections.get(key, ()), None
        return responses
