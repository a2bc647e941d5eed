"""A Neo4j server, by the official driver: one driver for each connection, managed transactions, routed reads."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from graph_eval.errors import GraphEvalError, MissingPartError, StoreError, UsageError
from graph_eval.graph.connection import Ask, Connection, Row

if TYPE_CHECKING:
    from neo4j import Driver

DISK_FULL = "check whether the server's disk is full (see its log), then load the run again: nothing is half written"
READ_ONLY = "the database is read-only: load into another one"
INVALID_QUERY = (
    "Neo.ClientError.Statement",
    "Neo.ClientError.Procedure",
    "Neo.ClientError.General.InvalidArguments",
)
HINTS = {
    "Neo.ClientError.Security.Unauthorized": "set NEO4J_USERNAME and NEO4J_PASSWORD",
    "Neo.ClientError.Security.AuthenticationRateLimit": "too many failed logins: wait, then set NEO4J_PASSWORD",
    "Neo.ClientError.Security.Forbidden": "use an account with write permission (NEO4J_USERNAME)",
    "Neo.ClientError.Database.DatabaseNotFound": "set NEO4J_DATABASE to an existing database",
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": READ_ONLY,
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase": READ_ONLY,
    "Neo.TransientError.General.DatabaseUnavailable": "the database is starting or stopped: try again, or see its log",
    "Neo.DatabaseError.Transaction.TransactionCommitFailed": DISK_FULL,
    "Neo.DatabaseError.Transaction.TransactionLogError": DISK_FULL,
}


class Neo4jConnection(Connection):
    """A connection by a bolt or neo4j URI.

    `environment` gives NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE. Without a password no credentials are sent.
    Raises StoreError if the server cannot be reached or refuses the credentials.
    """

    concurrent: ClassVar[bool] = True
    full_text: ClassVar[bool] = True

    def __init__(self, uri: str, environment: Mapping[str, str] = os.environ) -> None:
        try:
            import neo4j
        except ImportError as problem:
            raise MissingPartError("neo4j is not installed", "pip install neo4j") from problem
        # The driver logs the server's notices on a query. Without a handler they would appear on stderr.
        logging.getLogger("neo4j").addHandler(logging.NullHandler())
        self._uri = uri
        self._database = environment.get("NEO4J_DATABASE") or "neo4j"
        password = environment.get("NEO4J_PASSWORD")
        auth = (environment.get("NEO4J_USERNAME") or "neo4j", password) if password else None
        with self._translated():
            self._driver: Driver = neo4j.GraphDatabase.driver(
                uri, auth=auth, connection_timeout=15.0, max_transaction_retry_time=15.0, telemetry_disabled=True
            )
            try:
                self._driver.verify_connectivity()
            except BaseException:
                self._driver.close()
                raise

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]:
        with self._translated(), self._driver.session(database=self._database) as session:
            execute = session.execute_write if write else session.execute_read
            return execute(lambda transaction: _rows(transaction, cypher, params or {}))

    def transact(self, work: Callable[[Ask], None]) -> None:
        with self._translated(), self._driver.session(database=self._database) as session:
            session.execute_write(lambda transaction: work(lambda cypher, params: _rows(transaction, cypher, params)))

    def close(self) -> None:
        self._driver.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raises the driver's errors as a GraphEvalError with a hint."""
        from neo4j import exceptions

        try:
            yield
        except GraphEvalError:
            raise
        except exceptions.ConfigurationError as problem:
            raise StoreError(f"{self._uri}: {problem}", "use bolt:// or neo4j:// if the server has no TLS") from None
        except exceptions.Neo4jError as problem:
            raise self._server_error(problem) from None
        except (exceptions.DriverError, OSError, ValueError) as problem:
            reason = str(problem).splitlines()[0]
            raise StoreError(
                f"{self._uri} cannot be reached: {reason}",
                "check that the server is running and that the port is right",
            ) from None

    def _server_error(self, problem: Any) -> GraphEvalError:
        code = problem.code or ""
        message = str(problem.message).splitlines()[0]
        if code == "Neo.ClientError.Statement.AccessMode":
            return UsageError("this query writes", "pass --write to allow it")
        if code in HINTS:
            return StoreError(f"{self._uri}: {message}", HINTS[code])
        if code.startswith(INVALID_QUERY):
            return UsageError(f"invalid query: {message}")
        return StoreError(f"{self._uri}: {code}: {message}", "see the server's log")


def _rows(transaction: Any, cypher: str, params: Mapping[str, Any]) -> list[Row]:
    return [{name: plain(value) for name, value in record.items()} for record in transaction.run(cypher, dict(params))]


def plain(value: Any) -> Any:
    """Nodes and relationships as dictionaries of their properties, with `labels` or `type`; a path as the list of both.

    Dates, durations and points become text.
    """
    from neo4j.graph import Node, Path, Relationship

    if isinstance(value, Node):
        return {"labels": sorted(value.labels), **dict(value.items())}
    if isinstance(value, Relationship):
        return {"type": value.type, **dict(value.items())}
    if isinstance(value, Path):
        return [plain(part) for part in (*value.nodes, *value.relationships)]
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {name: plain(element) for name, element in value.items()}
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
