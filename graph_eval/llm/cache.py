"""Answers that were paid for once: an sqlite file, content-addressed, safe for several processes and threads.

A key covers everything that an answer depends on, so an entry is never wrong, only old. What has not been read for
longest goes first when the file would grow over its limit.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graph_eval.errors import SettingsError
from graph_eval.llm.model import Completion, Token

OFF = "off"
MOST_BYTES = 500_000_000
MOST_DAYS = 90
TRIMMED_EVERY = 200  # answers
DAY = 86_400
BUSY = 30.0  # seconds that a process waits for another one's write
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, answer TEXT NOT NULL, size INTEGER NOT NULL, made REAL NOT NULL,
    used REAL NOT NULL
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Info:
    """`bytes`: of the answers; the file is somewhat larger. `oldest`: seconds since 1970."""

    path: Path
    answers: int
    bytes: int
    oldest: float | None
    models: dict[str, int]


def default_path() -> Path:
    """Where answers lie if nothing else is said: the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "graph_eval" / "answers.sqlite"


def located(setting: str | None) -> Path | None:
    """The file that the setting `cache` names; None for "off"."""
    if setting == OFF:
        return None
    return default_path() if setting is None else Path(setting)


@dataclass(slots=True)
class AnswerCache:
    """Raises SettingsError where the file cannot be opened or is none of ours."""

    path: Path
    most_bytes: int = MOST_BYTES
    most_days: float = MOST_DAYS
    clock: Callable[[], float] = time.time
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _puts: int = 0
    _connection: sqlite3.Connection = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.path, timeout=BUSY, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as problem:
            raise self._unusable("opened", problem) from problem

    def _unusable(self, verb: str, problem: Exception) -> SettingsError:
        return SettingsError(
            f"the cache of answers {self.path} cannot be {verb}: {problem}",
            "choose another file by --cache FILE, or do without: --cache off",
        )

    def get(self, keys: Sequence[str]) -> dict[str, Completion]:
        """The answers that are there and not too old, by key."""
        now = self.clock()
        found: dict[str, Completion] = {}
        with self._lock:
            for key in keys:
                row = self._connection.execute(
                    "SELECT answer FROM answers WHERE key = ? AND made >= ?", (key, now - self.most_days * DAY)
                ).fetchone()
                if row:
                    found[key] = decoded(row[0])
            self._connection.executemany("UPDATE answers SET used = ? WHERE key = ?", [(now, key) for key in found])
        return found

    def put(self, key: str, model: str, completion: Completion) -> None:
        """Keeps an answer. Raises SettingsError where the file cannot be written: what is paid for would be lost."""
        answer, now = encoded(completion), self.clock()
        with self._lock:
            try:
                self._connection.execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
                    (key, model, answer, len(answer.encode()), now, now),
                )
                self._puts += 1
                if self._puts % TRIMMED_EVERY == 0:
                    self._trim(now)
            except sqlite3.Error as problem:
                raise self._unusable("written", problem) from problem

    def trim(self) -> None:
        """Drops what is too old, then what was not read for longest, down to the limits."""
        with self._lock:
            self._trim(self.clock())

    def _trim(self, now: float) -> None:
        self._connection.execute("DELETE FROM answers WHERE made < ?", (now - self.most_days * DAY,))
        self._connection.execute(
            """DELETE FROM answers WHERE key IN (
                SELECT key FROM (SELECT key, SUM(size) OVER (ORDER BY used DESC, key) AS total FROM answers)
                WHERE total > ?)""",
            (self.most_bytes,),
        )

    def info(self) -> Info:
        with self._lock:
            count, size, oldest = self._connection.execute(
                "SELECT COUNT(*), COALESCE(SUM(size), 0), MIN(made) FROM answers"
            ).fetchone()
            models = dict(self._connection.execute("SELECT model, COUNT(*) FROM answers GROUP BY model ORDER BY model"))
        return Info(self.path, count, size, oldest, models)

    def clear(self) -> int:
        """Drops all answers and gives the space back. Returns how many there were."""
        with self._lock:
            count: int = self._connection.execute("DELETE FROM answers").rowcount
            self._connection.execute("VACUUM")
        return count

    def close(self) -> None:
        self._connection.close()


def encoded(completion: Completion) -> str:
    value = {"text": completion.text, "tokens": completion.tokens, "truncated": completion.truncated}
    return json.dumps(value, ensure_ascii=False)


def decoded(answer: str) -> Completion:
    value = json.loads(answer)
    tokens = tuple(Token(text, p, tuple((other, q) for other, q in rest)) for text, p, rest in value["tokens"])
    return Completion(value["text"], tokens, value["truncated"])
