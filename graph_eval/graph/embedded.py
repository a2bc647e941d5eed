"""A store in a folder: ArcadeDB inside this process, with nothing to install or start.

The engine runs on a JVM that its package brings along. It is kept quiet, a commit is on the disk when it returns, and
one process at a time has the folder.
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
from graph_eval.graph.store import Ask, CypherStore, Row
from graph_eval.resources import folder

if TYPE_CHECKING:
    from arcadedb_embedded import Database

LANGUAGE = "opencypher"
HEAP = "2g"
WRONG = re.compile(r"Syntax error|ParsingException|UndefinedVariable|Unknown function")
MARK = "schema.json"  # what ArcadeDB keeps in every database


class EmbeddedStore(CypherStore):
    """The database in a folder, made if there is none. Raises StoreError if another process has it."""

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self._path = Path(path)
        if self._path.exists() and (not self._path.is_dir() or (any(self._path.iterdir()) and not self._is_database())):
            raise StoreError(f"{path} is no graph store and is not empty", "choose another --store")
        arcadedb = _engine()
        with self._hinted():
            known = self._is_database()
            opened = arcadedb.open_database if known else arcadedb.create_database
            self._database: Database = opened(str(self._path))
            self._database.set_wal_flush("yes_full")

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> list[Row]:
        with self._hinted():
            if write:
                found: list[Row] = self._database.run_in_transaction(lambda: self._run(cypher, params))
                return found
            return _rows(self._database.query(LANGUAGE, cypher, dict(params or {})))

    def _transact(self, work: Callable[[Ask], None]) -> None:
        with self._hinted():
            self._database.run_in_transaction(lambda: work(self._run))

    def _run(self, cypher: str, params: Mapping[str, Any] | None) -> list[Row]:
        return _rows(self._database.command(LANGUAGE, cypher, dict(params or {})))

    def close(self) -> None:
        if self._database.is_open():
            self._database.close()

    def _is_database(self) -> bool:
        return (self._path / MARK).is_file()

    @contextmanager
    def _hinted(self) -> Iterator[None]:
        """The engine's errors as ours, with what to do."""
        try:
            yield
        except GraphEvalError:
            raise
        except Exception as problem:
            raise _explained(str(problem), self._path) from problem


def _explained(message: str, path: Path) -> GraphEvalError:
    reason = re.sub(r"\s*(?:-> )?(?:com|java)\.[\w.$]+Exception:\s*", " ", message.splitlines()[0]).strip()
    if "locked" in message.lower() or "LockException" in message:
        return StoreError(f"{path} is in use by another process", "wait for it, or load into another --store")
    if "idempotent" in message:
        return UsageError("this query writes", "add --write if it shall")
    if "No space left" in message:
        return StoreError(
            f"{path}: the disk is full", "free some space, then load the run again: nothing is half written"
        )
    if message.startswith("Query failed: ") or WRONG.search(message):
        return UsageError(f"the query is wrong: {reason.partition(' failed: ')[2] or reason}")
    return StoreError(f"{path}: {reason}", "load the run into a new --store if it stays so")


def _engine() -> Any:
    """ArcadeDB with its JVM started: silent, and leaving Ctrl-C and termination to Python."""
    try:
        import arcadedb_embedded
        import jpype
        from arcadedb_embedded.jvm import start_jvm
    except ImportError as problem:
        raise MissingPartError(
            "the embedded store is not available here: arcadedb-embedded has no wheel for this system",
            "use a Neo4j server: --store bolt://HOST:7687",
        ) from problem
    if not jpype.isJVMStarted():
        with _quiet():
            start_jvm(
                heap_size=HEAP,
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
def _quiet() -> Iterator[None]:
    """Sends what native code prints on start-up nowhere."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(number) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        yield
    finally:
        for number, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, number)
            os.close(copy)
        os.close(nowhere)


def _rows(found: Any) -> list[Row]:
    return [] if found is None else [{name: plain(value) for name, value in row.items()} for row in found.to_list()]


def plain(value: Any) -> Any:
    """Vertices and edges as dictionaries of their properties, with their labels or type; the rest as it is."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if hasattr(value, "propertiesAsMap") and hasattr(value, "getTypeName"):
        from arcadedb_embedded import convert_java_to_python

        kind = str(value.getTypeName())
        own = {str(name): convert_java_to_python(item) for name, item in dict(value.propertiesAsMap()).items()}
        return ({"type": kind} if hasattr(value, "getOut") else {"labels": [kind]}) | own
    return value
