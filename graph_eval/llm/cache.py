"""The cache of answers: an sqlite file, content-addressed, safe for several processes and threads.

A key covers everything that an answer depends on, so an entry is never wrong, only old. When the file exceeds its
limit, the least recently used answers are deleted first. The file also holds which requests were sent in a batch whose
answers have not been collected.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from graph_eval.errors import SettingsError
from graph_eval.llm.model import Completion, Token
from graph_eval.output import PRIVATE

OFF = "off"
MAX_BYTES = 500_000_000
MAX_DAYS = 90
BATCH_DAYS = 28  # providers delete the answers of a batch after about a month
TRIM_INTERVAL = 200  # answers
DAY = 86_400  # seconds
BUSY_TIMEOUT = 30.0  # seconds to wait for another process that writes
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, answer TEXT NOT NULL, size INTEGER NOT NULL, made REAL NOT NULL,
    used REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (key TEXT PRIMARY KEY, batch TEXT NOT NULL, made REAL NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Info:
    """The content of the cache.

    `bytes`: the size of the answers; the file is somewhat larger. `oldest`: seconds since 1970. `models`: the number of
    answers by model.
    """

    path: Path
    answers: int
    bytes: int
    oldest: float | None
    models: dict[str, int]


def default_path() -> Path:
    """The default file, in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "graph_eval" / "answers.sqlite"


def cache_path(setting: str | None) -> Path | None:
    """The file that the setting `cache` names, the default one for None; None for "off"."""
    if setting == OFF:
        return None
    return default_path() if setting is None else Path(setting)


@dataclass(slots=True)
class AnswerCache:
    """Answers by key, in one file. Safe to use from several threads; a pickled cache opens the same file again.

    `max_bytes`: limit of the answers' size. `max_days`: older answers are not used. `clock`: seconds since 1970.
    Raises SettingsError if the file cannot be opened or is not an answer cache.
    """

    path: Path
    max_bytes: int = MAX_BYTES
    max_days: float = MAX_DAYS
    clock: Callable[[], float] = time.time
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _puts: int = 0
    _connection: sqlite3.Connection = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE))  # SQLite gives its other files the same mode
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as problem:
            raise self._unusable("opened", problem) from problem

    def __reduce__(self) -> tuple[type[AnswerCache], tuple[object, ...]]:
        return AnswerCache, (self.path, self.max_bytes, self.max_days, self.clock)

    def _unusable(self, participle: str, problem: Exception) -> SettingsError:
        return SettingsError(
            f"the answer cache {self.path} cannot be {participle}: {problem}",
            "delete the file, choose another one with --cache FILE, or pass --cache off",
        )

    @contextmanager
    def _access(self, participle: str) -> Iterator[sqlite3.Connection]:
        """The connection, for this thread alone. Raises SettingsError for SQLite's errors."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as problem:
                raise self._unusable(participle, problem) from problem

    def get(self, keys: Sequence[str]) -> dict[str, Completion]:
        """The cached answers that are not too old, by key. Raises SettingsError, as every method here."""
        now = self.clock()
        answers: dict[str, Completion] = {}
        with self._access("read") as connection:
            for key in keys:
                row = connection.execute(
                    "SELECT answer FROM answers WHERE key = ? AND made >= ?", (key, now - self.max_days * DAY)
                ).fetchone()
                if row:
                    with suppress(ValueError, KeyError, TypeError):  # a damaged answer is asked for again
                        answers[key] = decoded(row[0])
            connection.executemany("UPDATE answers SET used = ? WHERE key = ?", [(now, key) for key in answers])
        return answers

    def put(self, key: str, model: str, completion: Completion) -> None:
        """Stores an answer. Raises SettingsError if the file cannot be written, as a paid answer would be lost."""
        answer, now = encoded(completion), self.clock()
        with self._access("written") as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
                (key, model, answer, len(answer), now, now),
            )
            self._puts += 1
            if self._puts % TRIM_INTERVAL == 0:
                self._trim(now)

    def batches(self, keys: Sequence[str]) -> dict[str, str]:
        """The ids of the batches in which requests were sent and whose answers are not collected yet, by key."""
        with self._access("read") as connection:
            return dict(
                connection.execute(
                    "SELECT key, batch FROM batches WHERE made >= ? AND key IN (SELECT value FROM json_each(?))",
                    (self.clock() - BATCH_DAYS * DAY, json.dumps(keys)),
                )
            )

    def add_batch(self, batch: str, keys: Sequence[str]) -> None:
        """Stores that the requests were sent in a batch. Raises SettingsError if the file cannot be written."""
        with self._access("written") as connection:
            connection.execute(  # one statement: all keys or none
                "INSERT OR REPLACE INTO batches SELECT value, ?, ? FROM json_each(?)",
                (batch, self.clock(), json.dumps(keys)),
            )

    def forget_batches(self, keys: Sequence[str]) -> None:
        """Deletes the batches of these requests, whose answers are collected."""
        with self._access("written") as connection:
            connection.execute("DELETE FROM batches WHERE key IN (SELECT value FROM json_each(?))", (json.dumps(keys),))

    def trim(self) -> None:
        """Deletes answers that are too old, then the least recently used ones until the limit is met."""
        with self._access("written"):
            self._trim(self.clock())

    def _trim(self, now: float) -> None:
        self._connection.execute("DELETE FROM answers WHERE made < ?", (now - self.max_days * DAY,))
        self._connection.execute("DELETE FROM batches WHERE made < ?", (now - BATCH_DAYS * DAY,))
        self._connection.execute(
            """DELETE FROM answers WHERE key IN (
                SELECT key FROM (SELECT key, SUM(size) OVER (ORDER BY used DESC, key) AS total FROM answers)
                WHERE total > ?)""",
            (self.max_bytes,),
        )

    def info(self) -> Info:
        with self._access("read") as connection:
            count, size, oldest = connection.execute(
                "SELECT COUNT(*), COALESCE(SUM(size), 0), MIN(made) FROM answers"
            ).fetchone()
            models = dict(connection.execute("SELECT model, COUNT(*) FROM answers GROUP BY model ORDER BY model"))
        return Info(self.path, count, size, oldest, models)

    def clear(self) -> int:
        """Deletes all answers and frees their space, and forgets all batches. Returns the number of answers."""
        with self._access("written") as connection:
            count: int = connection.execute("DELETE FROM answers").rowcount
            connection.execute("DELETE FROM batches")
            connection.execute("VACUUM")
        return count

    def close(self) -> None:
        self._connection.close()


def encoded(completion: Completion) -> str:
    """A completion as JSON, in ASCII: an answer may hold half a surrogate pair, which no file can."""
    return json.dumps({"text": completion.text, "tokens": completion.tokens, "truncated": completion.truncated})


def decoded(answer: str) -> Completion:
    """The completion that `encoded` wrote."""
    value = json.loads(answer)
    tokens = tuple(
        Token(text, logprob, tuple((other, p) for other, p in alternatives))
        for text, logprob, alternatives in value["tokens"]
    )
    return Completion(value["text"], tokens, value["truncated"])
