"""The promises of `graph_eval.graph.connection.Connection`, as tests for pytest.

Subclass the contract in a test file, and give it a fixture `connection`: a connection that is open and not shared with
another test. The database may hold other data, the tests remove what they write.

    import pytest
    from graph_eval.testing.connections import ConnectionContract

    class TestAnyConnection(ConnectionContract):
        @pytest.fixture
        def connection(self):
            connection = AnyConnection("any://localhost")
            yield connection
            connection.close()

For details of failed assertions, call `pytest.register_assert_rewrite("graph_eval.testing.connections")` in
conftest.py.
"""

# ruff: noqa: S101 - these are tests

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

import pytest

from graph_eval.errors import GraphEvalError, UsageError
from graph_eval.graph import library
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.connection import Ask, Connection, Row
from graph_eval.types import Claim, Example, Judgement, Label, Passage, Result, Run, Slot, Span

IDS = ["contract-0", "contract-1", "contract-2"]
VALUES = [
    None,
    True,
    -7,
    0.1,
    "",
    "Ünïcödé 😀",
    "'; \"}) \\ $id // `",
    "line\nline\ttab",
    ["a", "b"],
    {"a": [1, {"b": 2}]},
]


class ConnectionContract:
    """The contract of connections. `Connection` documents each method."""

    @pytest.fixture(autouse=True)
    def _clean(self, connection: Connection) -> Iterator[None]:
        """A graph with its schema, and without the nodes of a test before and after it."""
        ClaimGraph(connection).setup()
        _remove(connection)
        yield
        with suppress(GraphEvalError):  # of a test that closed the connection, and wrote nothing
            _remove(connection)

    def test_a_parameter_comes_back_unchanged(self, connection: Connection) -> None:
        for value in VALUES:
            rows = connection.query("RETURN $value AS value", {"value": value})
            assert rows == [{"value": value}]
            assert type(rows[0]["value"]) is type(value)

    def test_a_query_without_matches_returns_no_rows(self, connection: Connection) -> None:
        assert _find(connection) == []

    def test_a_written_node_is_found(self, connection: Connection) -> None:
        _create(connection, 0)
        assert [(row["id"], row["name"]) for row in _find(connection)] == [(IDS[0], "name 0")]

    def test_rows_keep_their_order_and_columns(self, connection: Connection) -> None:
        for n in (2, 0, 1):
            _create(connection, n)
        rows = _find(connection)
        assert [row["id"] for row in rows] == IDS
        assert [list(row) for row in rows] == [["id", "name", "node"]] * 3

    def test_nodes_and_relationships_are_plain_values(self, connection: Connection) -> None:
        for n in (0, 1):
            _create(connection, n)
        ends = {"subject": IDS[0], "object": IDS[1], "predicate": "is"}
        connection.query(library.text("testing/connect"), ends, write=True)
        (row,) = connection.query(library.text("testing/relations"), {"id": IDS[0]})
        assert row["relation"] == {"type": "RELATES", "predicate": "is"}
        assert row["nodes"] == [{"labels": ["Entity"], "id": IDS[n], "name": f"name {n}"} for n in (0, 1)]
        json.dumps(row)

    def test_a_query_without_write_changes_nothing(self, connection: Connection) -> None:
        _create(connection, 0)
        with pytest.raises(UsageError):
            _create(connection, 1, write=False)
        with pytest.raises(UsageError):
            connection.query(library.text("testing/remove"), {"ids": IDS})
        assert [row["id"] for row in _find(connection)] == IDS[:1]

    @pytest.mark.parametrize("write", [False, True])
    def test_an_invalid_query_is_a_usage_error(self, connection: Connection, write: bool) -> None:
        with pytest.raises(UsageError):
            connection.query("RETURN", write=write)
        assert connection.query("RETURN 1 AS one") == [{"one": 1}], "the connection can still be used"

    def test_a_transaction_sees_its_own_writes_and_is_committed(self, connection: Connection) -> None:
        seen: list[list[str]] = []

        def work(ask: Ask) -> None:
            for n in range(3):
                ask(library.text("testing/create"), {"id": IDS[n], "name": f"name {n}"})
            seen.append([row["id"] for row in ask(library.text("testing/find"), {"ids": IDS})])

        connection.transact(work)
        assert seen[-1] == IDS
        assert [row["id"] for row in _find(connection)] == IDS

    def test_an_exception_in_a_transaction_undoes_all_of_it(self, connection: Connection) -> None:
        _create(connection, 0)

        def work(ask: Ask) -> None:
            ask(library.text("testing/remove"), {"ids": IDS})
            ask(library.text("testing/create"), {"id": IDS[1], "name": "name 1"})
            raise UsageError("stop here")

        with pytest.raises(UsageError, match="stop here"):
            connection.transact(work)
        assert [row["id"] for row in _find(connection)] == IDS[:1]

    def test_an_invalid_statement_in_a_transaction_undoes_all_of_it(self, connection: Connection) -> None:
        def work(ask: Ask) -> None:
            ask(library.text("testing/create"), {"id": IDS[0], "name": "name 0"})
            ask("RETURN", {})

        with pytest.raises(UsageError):
            connection.transact(work)
        assert _find(connection) == []

    def test_the_setup_can_run_again(self, connection: Connection) -> None:
        _create(connection, 0)
        ClaimGraph(connection).setup()
        assert [row["id"] for row in _find(connection)] == IDS[:1]

    def test_a_run_is_loaded_read_and_deleted(self, connection: Connection) -> None:
        graph, before = ClaimGraph(connection), ClaimGraph(connection).counts()
        run, result = Run("check", {"checker": "contract"}, {"checker": "1"}, {}, "contract"), _result()
        for _ in range(2):
            assert list(graph.load(run, [result])) == [result]
            assert list(graph.results(run.id)) == [result]
        assert graph.run(run.id) == run
        graph.delete(run=run.id)
        assert graph.counts() == before

    def test_a_closed_connection_can_be_closed_again_and_raises(self, connection: Connection) -> None:
        connection.close()
        connection.close()
        with pytest.raises(GraphEvalError):
            connection.query("RETURN 1 AS one")


def _create(connection: Connection, n: int, write: bool = True) -> None:
    connection.query(library.text("testing/create"), {"id": IDS[n], "name": f"name {n}"}, write=write)


def _find(connection: Connection) -> list[Row]:
    return connection.query(library.text("testing/find"), {"ids": IDS})


def _remove(connection: Connection) -> None:
    connection.query(library.text("testing/remove"), {"ids": IDS}, write=True)


def _result() -> Result:
    """One response with a flagged claim."""
    example = Example("contract", "contract", "Orsa is old.", (Passage.of("Orsa is new."),))
    slots = (Slot("Orsa", (Span(0, 4),)), Slot("is", (Span(5, 7),)), Slot("old", (Span(8, 11),)))
    claim = Claim.triplet(example.key, slots, "Orsa is old.", Span(0, 12))
    judgement = Judgement(claim.id, Label.CONTRADICTION, 0.9, flagged=True)
    return Result(0, example, (claim,), (judgement,), Label.CONTRADICTION, 0.9)
