"""A graph database in a folder: ArcadeDB inside this process, with nothing to install or start.

The engine runs on a JVM that its package contains. It prints nothing, a commit is on the disk when it returns, and one
process at a time can open the folder.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph_eval.errors import GraphEvalError, MissingPartError, StoreError, UsageError
from graph_eval.graph.connection import Ask, Connection, Row
from graph_eval.graph.dialect import adapted
from graph_eval.graph.reading import writes
from graph_eval.graph.tokens import tokens
from graph_eval.resources import folder

if TYPE_CHECKING:
    from arcadedb_embedded import Database

LANGUAGE = "opencypher"
MAX_HEAP = "2g"
INVALID_QUERY = re.compile(  # the engine's exceptions for what is wrong with a query, most of them while it runs
    r"(?:Command(?:Execution|Parsing|Semantic)|Arithmetic(?:Error)?|IllegalArgument|ClassCast|NumberFormat)Exception"
    r"|Syntax error|UndefinedVariable|Unknown function"
)
MARKER = "schema.json"  # a file that ArcadeDB keeps in every database


class EmbeddedConnection(Connection):
    """The database in a folder, created if it does not exist.

    `create`: False raises UsageError instead of creating it.

    Raises UsageError if there can be no such folder, and StoreError if it is not empty and no database, or if another
    process has it open.
    """

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self._path = Path(path)
        if self._path.is_dir() and any(self._path.iterdir()) and not self._is_database():
            raise StoreError(f"{path} is not a graph store and is not empty", "choose another --store")
        if not create and not self._is_database():
            raise UsageError(f"there is no store {path}", f"load a run into it: graph-eval load RUN --store {path}")
        arcadedb = _engine()
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as problem:
            hint = "choose another --store: the folder of a graph store, or a new one"
            raise UsageError(f"{path} cannot be opened: {problem.strerror}", hint) from None
        with self._translated():
            opener = arcadedb.open_database if self._is_database() else arcadedb.create_database
            # The JVM keeps the working folder of its start, this process may have changed it since.
            self._database: Database = opener(str(self._path.absolute()))
            self._database.set_wal_flush("yes_full")

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]:
        cypher = adapted(cypher)
        with self._translated():
            if write:
                rows: list[Row] = self._database.run_in_transaction(lambda: self._run(cypher, params or {}))
                return rows
            try:
                return _rows(self._database.query(LANGUAGE, cypher, dict(params or {})))
            except Exception as problem:
                # The engine takes whatever it does not know for a write.
                if "idempotent" in str(problem) and not writes(tokens(cypher)):
                    reason = "the embedded store does not know one of its functions, procedures or commands"
                    raise UsageError(f"invalid query: {reason}") from problem
                raise

    def transact(self, work: Callable[[Ask], None]) -> None:
        with self._translated():
            self._database.run_in_transaction(lambda: work(self._run))

    def close(self) -> None:
        if self._database.is_open():
            self._database.close()

    def _run(self, cypher: str, params: Mapping[str, Any]) -> list[Row]:
        return _rows(self._database.command(LANGUAGE, cypher, dict(params)))

    def _is_database(self) -> bool:
        return (self._path / MARKER).is_file()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raises the engine's errors as a GraphEvalError with a hint."""
        try:
            yield
        except GraphEvalError:
            raise
        except Exception as problem:
            raise _engine_error(str(problem), self._path) from problem


def _engine_error(message: str, path: Path) -> GraphEvalError:
    reason = re.sub(r"\s*(?:-> )?(?:com|java)\.[\w.$]+Exception:\s*", " ", message.partition("\n")[0]).strip()
    if "locked" in message.lower() or "LockException" in message:
        return StoreError(f"{path} is in use by another process", "wait for that process, or choose another --store")
    if "idempotent" in message:
        return UsageError("this query writes", "pass --write to allow it")
    if "No space left" in message:
        return StoreError(
            f"{path}: the disk is full", "free some space, then load the run again: the failed chunk was not written"
        )
    if message.startswith("Query failed: ") or INVALID_QUERY.search(message):
        return UsageError(f"invalid query: {reason.partition(' failed: ')[2] or reason}")
    return StoreError(f"{path}: {reason}", "if this happens again, load the run into a new --store")


def _engine() -> Any:
    """ArcadeDB with its JVM started. It prints nothing and leaves Ctrl-C and SIGTERM to Python."""
    try:
        import arcadedb_embedded
        import jpype
        from arcadedb_embedded.jvm import start_jvm
    except ImportError as problem:
        raise MissingPartError(
            "the embedded store is not available on this system: arcadedb-embedded has no wheel for it",
            "use a Neo4j server: --store bolt://HOST:7687",
        ) from problem
    if not jpype.isJVMStarted():
        with _silenced():
            start_jvm(
                heap_size=MAX_HEAP,
                interrupt=False,
                jvm_args=[
                    f"-Djava.util.logging.config.file={folder('graph') / 'logging.properties'}",
                    f"-XX:ErrorFile={Path(tempfile.gettempdir()) / 'graph-eval-jvm-%p.log'}",
                ],
            )
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the default action would crash the JVM
    return arcadedb_embedded


@contextmanager
def _silenced() -> Iterator[None]:
    """Discards the output of native code on start-up."""
    sys.stdout.flush()
    sys.stderr.flush()
    copies = [os.dup(number) for number in (1, 2)]
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(null, number)
        yield
    finally:
        for number, copy in zip((1, 2), copies, strict=True):
            os.dup2(copy, number)
            os.close(copy)
        os.close(null)


def _rows(records: Any) -> list[Row]:
    if records is None:
        return []
    return [{name: plain(value) for name, value in record.items()} for record in records.to_list()]


def plain(value: Any) -> Any:
    """Vertices and edges as dictionaries of their properties, with `labels` or `type`; a path as the list of both.

    Other values stay. Objects of the engine (the plan of EXPLAIN) become text.
    """
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {name: plain(element) for name, element in value.items()}
    if hasattr(value, "propertiesAsMap") and hasattr(value, "getTypeName"):
        from arcadedb_embedded import convert_java_to_python

        kind = str(value.getTypeName())
        properties = {
            str(name): convert_java_to_python(element) for name, element in dict(value.propertiesAsMap()).items()
        }
        return ({"type": kind} if hasattr(value, "getOut") else {"labels": [kind]}) | properties
    if hasattr(value, "getVertices") and hasattr(value, "getEdges"):
        return [plain(part) for part in (*value.getVertices(), *value.getEdges())]
    return str(value) if hasattr(value, "getClass") else value
