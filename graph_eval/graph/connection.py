"""The base class of connections to a graph database. A new database needs only this file.

`ClaimGraph` (graph_eval.graph.claims) defines the claim graph, and its statements are in cypher/. A connection runs
these statements on one database. To add a database, write a class with three methods:

    import anydb  # the driver of the database

    from graph_eval.errors import StoreError, UsageError
    from graph_eval.graph.connection import Connection

    class AnyConnection(Connection):
        def __init__(self, address):
            self._session = anydb.connect(address)

        def query(self, cypher, params=None, *, write=False):
            rows = []
            self._run(lambda ask: rows.extend(ask(cypher, params or {})), write)
            return rows

        def transact(self, work):
            self._run(work, write=True)

        def close(self):
            self._session.close()

        def _run(self, work, write):
            try:
                with self._session.transaction(read_only=not write) as transaction:  # an exception rolls it back
                    work(lambda cypher, params: transaction.execute(cypher, dict(params)))
            except anydb.ReadOnlyError:
                raise UsageError("this query writes", "pass --write to allow it") from None
            except anydb.QueryError as problem:
                raise UsageError(f"invalid query: {problem}") from None
            except anydb.Error as problem:
                raise StoreError(f"anydb: {problem}", "check that the database is running") from None

and pass an instance to ClaimGraph:

    with ClaimGraph(AnyConnection("any://localhost")) as graph:
        graph.setup()
        for result in graph.load(run, results):
            print(result.n, "is in the graph")

The database has to run openCypher as Neo4j 5 does: transactions, parameters that are lists and maps, MERGE,
uniqueness constraints, and the subqueries CALL, COUNT and EXISTS. `graph_eval.testing.connections.ConnectionContract`
tests a connection.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

Row = dict[str, Any]  # column -> value: None, bool, int, float, str, list, dict
Ask = Callable[[str, Mapping[str, Any]], list[Row]]  # runs one statement with its parameters inside a transaction


class Connection(ABC):
    """An open connection to one graph database.

    Rows contain plain values. A node is a dictionary of its properties and `labels`, a relationship one of its
    properties and `type`. Every method raises UsageError for a query that is invalid or may not write, and StoreError
    if the database fails or cannot be reached. No exceptions of the driver are raised.
    """

    concurrent: ClassVar[bool] = False
    """Whether two threads may call `transact` at the same time. A load then runs the statements of a chunk while the
    database commits the chunk before."""

    full_text: ClassVar[bool] = False
    """Whether the database has the full-text indexes of Neo4j, which cypher/full_text uses."""

    @abstractmethod
    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]:
        """Run one statement in a separate transaction and return its rows.

        Without `write`, a statement that would change the graph raises UsageError and changes nothing.
        """

    @abstractmethod
    def transact(self, work: Callable[[Ask], None]) -> None:
        """Run `work(ask)` in one transaction. When this method returns, it is committed and on disk.

        If `work` raises, nothing is written. The transaction is repeated if the database requests it (a deadlock, a
        lost connection), so `work` can be called more than once.
        """

    @abstractmethod
    def close(self) -> None:
        """Release the database. A second call does nothing."""
