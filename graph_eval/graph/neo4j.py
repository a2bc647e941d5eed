"""A Neo4j server by the official driver: one driver a store, managed transactions, reads routed to readers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

from graph_eval.errors import GraphEvalError, MissingPartError, StoreError, UsageError
from graph_eval.graph.store import Ask, Chunk, CypherStore, Row

if TYPE_CHECKING:
    from neo4j import Driver

    from graph_eval.graph.rows import Rows
    from graph_eval.types import Result, Run

FULL = "is the server's disk full? Its log says more; nothing is half written, load the run again later"
HINTS = {
    "Neo.ClientError.Security.Unauthorized": "set NEO4J_USERNAME and NEO4J_PASSWORD",
    "Neo.ClientError.Security.AuthenticationRateLimit": "too many wrong passwords; wait, then set NEO4J_PASSWORD",
    "Neo.ClientError.Security.Forbidden": "this user may not do that; ask for a user that may write",
    "Neo.ClientError.Database.DatabaseNotFound": "set NEO4J_DATABASE to a database that exists",
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": "the database is set read-only; load into another one",
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase": "the database is set read-only; load into another one",
    "Neo.TransientError.General.DatabaseUnavailable": "it is starting or stopped; try again, or see the server's log",
    "Neo.DatabaseError.Transaction.TransactionCommitFailed": FULL,
    "Neo.DatabaseError.Transaction.TransactionLogError": FULL,
}


class Neo4jStore(CypherStore):
    """NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE say who asks for what; without a password none is sent."""

    def __init__(self, uri: str, environment: Mapping[str, str] = os.environ) -> None:
        super().__init__()
        try:
            import neo4j
        except ImportError as problem:
            raise MissingPartError("neo4j is not installed", "pip install neo4j") from problem
        self._uri = uri
        self._database = environment.get("NEO4J_DATABASE") or "neo4j"
        password = environment.get("NEO4J_PASSWORD")
        auth = (environment.get("NEO4J_USERNAME") or "neo4j", password) if password else None
        with self._hinted():
            self._driver: Driver = neo4j.GraphDatabase.driver(
                uri, auth=auth, connection_timeout=15.0, max_transaction_retry_time=15.0, telemetry_disabled=True
            )
            self._driver.verify_connectivity()

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]:
        with self._hinted(), self._driver.session(database=self._database) as session:
            run = session.execute_write if write else session.execute_read
            return run(lambda tx: [_plain(record.items()) for record in _run(tx, cypher, params)])

    def _transact(self, work: Callable[[Ask], None]) -> None:
        with self._hinted(), self._driver.session(database=self._database) as session:
            session.execute_write(
                lambda tx: work(lambda cypher, params: [_plain(r.items()) for r in _run(tx, cypher, params)])
            )

    def _put_all(self, run: Run, parts: Iterable[Chunk]) -> Iterator[list[Result]]:
        """While one chunk is being committed the statements of the next one are run."""
        before: Callable[[], list[Result]] | None = None
        with ThreadPoolExecutor(2) as writers:
            for part, found in parts:
                current = self._begun_put(writers, run, part, found)
                if before is not None:
                    yield before()
                before = current
            if before is not None:
                yield before()

    def _begun_put(
        self, writers: ThreadPoolExecutor, run: Run, part: list[Result], found: Rows
    ) -> Callable[[], list[Result]]:
        """Returns when only the commit is left; what it returns waits for that too."""
        executed = Event()

        def put() -> list[Result]:
            try:
                self._put(run, found, executed.set)
            finally:
                executed.set()
            return part

        first = run.id not in self._begun
        writing = writers.submit(put)
        executed.wait()
        if first:
            writing.result()  # what follows needs the run's node
        return writing.result

    def close(self) -> None:
        self._driver.close()

    @contextmanager
    def _hinted(self) -> Iterator[None]:
        """The driver's errors as ours, with what to do."""
        from neo4j import exceptions

        try:
            yield
        except GraphEvalError:
            raise
        except exceptions.ConfigurationError as problem:
            raise StoreError(
                f"{self._uri}: {problem}", "bolt+s or neo4j+s asks for TLS, bolt and neo4j do not"
            ) from None
        except exceptions.Neo4jError as problem:
            raise self._refused(problem) from None
        except (exceptions.DriverError, OSError, ValueError) as problem:
            reason = str(problem).splitlines()[0]
            raise StoreError(
                f"{self._uri} cannot be reached: {reason}", "is the server started, and the port right?"
            ) from None

    def _refused(self, problem: Any) -> GraphEvalError:
        code = problem.code or ""
        message = str(problem.message).splitlines()[0]
        if code == "Neo.ClientError.Statement.AccessMode":
            return UsageError("this query writes", "add --write if it shall")
        if code in HINTS:
            return StoreError(f"{self._uri}: {message}", HINTS[code])
        if code.startswith("Neo.ClientError.Statement"):
            return UsageError(f"the query is wrong: {message}")
        return StoreError(f"{self._uri}: {code}: {message}", "the server's log says more")


def _run(tx: Any, cypher: str, params: Mapping[str, Any] | None) -> Any:
    return tx.run(cypher, dict(params or {}))


def _plain(items: Any) -> Row:
    return {name: plain(value) for name, value in items}


def plain(value: Any) -> Any:
    """Nodes and relationships as dictionaries of their properties, with their labels or type; the rest as it is."""
    from neo4j.graph import Node, Path, Relationship

    if isinstance(value, Node):
        return {"labels": sorted(value.labels), **dict(value.items())}
    if isinstance(value, Relationship):
        return {"type": value.type, **dict(value.items())}
    if isinstance(value, Path):
        return [plain(part) for part in (*value.nodes, *value.relationships)]
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value
