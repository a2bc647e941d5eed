"""Google's results for a query, by Serper (https://serper.dev), as RefChecker searches (arXiv 2405.14486).

A passage is what Google shows: the answer box, the facts of the knowledge panel, and the snippet of each page with its
title as a heading. No page is opened. The source of a passage is the address of its page.
"""

from __future__ import annotations

import contextlib
import http
import http.client
import json
import os
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graph_eval.errors import UsageError
from graph_eval.llm.client import MOST_UNREACHABLE, pause_after, within
from graph_eval.llm.faults import RefusedError, TransientError, retry_after
from graph_eval.registry import retriever
from graph_eval.retrieve.foreign import texts_of
from graph_eval.retrieve.retriever import STAGE, Query, Retriever
from graph_eval.settings import Settings, without_secrets
from graph_eval.types import ItemError, Passage

VERSION = "serper-1"
ADDRESS = "https://google.serper.dev"
KEY, BASE = "SERPER_API_KEY", "SERPER_API_BASE"  # variables
MOST_RESULTS = 100  # of a search
MOST_BYTES = 10_000_000  # of an answer
SHOWN = 200  # characters of an answer in a message
TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
REFUSED = frozenset({401, 402, 403})  # the key is wrong, or its account has no credit
NO_CREDIT = "not enough credits"  # what Serper says of it with the status 400
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
AGAIN = "check the connection, then run the command again, with a new -o"
CREDIT = f"check the key and its credit: pass serper:KEYFILE, or set {KEY}"
CHECK_KEY = f"check the key: pass serper:KEYFILE, or set {KEY}"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: the key goes to no other server."""

    def redirect_request(self, *_: Any) -> None:
        return None


@retriever("serper", argument="[KEYFILE]", example="serper:key.txt", reads=("timeout", "retries", "concurrency"))
class SerperRetriever(Retriever):
    """`key`: of Serper. `address`: of the server, by https, or by http on this machine. `timeout`: seconds of one
    attempt. `retries`: further attempts after HTTP 429, 5xx, a timeout or a cut connection. `concurrency`: searches at
    the same time.

    The first search is sent alone, so that a wrong key costs one attempt. Raises UsageError for an empty key and for an
    address without https.
    """

    fingerprint = VERSION

    def __init__(
        self, key: str, address: str = ADDRESS, timeout: float = 120.0, retries: int = 4, concurrency: int = 32
    ) -> None:
        if not key.strip() or not key.isascii() or not key.isprintable():
            raise UsageError("the key of Serper is empty, or no key", CHECK_KEY)
        parts = urlsplit(address)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            shown = without_secrets(address)
            raise UsageError(f"{shown} cannot be used for searches", "use an address that starts with https://")
        self._arguments = key, address, timeout, retries, concurrency
        self._key, self._address = key.strip(), address.rstrip("/")
        self._timeout, self._retries, self._concurrency = timeout, retries, concurrency
        # Without https the key goes to this machine only, and so to no proxy.
        direct = [urllib.request.ProxyHandler({})] if parts.scheme == "http" else []
        self._opener = urllib.request.build_opener(_NoRedirect, *direct)
        self._answered = False
        self._refusal: str | None = None

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> SerperRetriever:
        """`argument`: the file with the key. None: the variable SERPER_API_KEY. Raises UsageError without both."""
        llm = settings.llm
        address = os.environ.get(BASE) or ADDRESS
        return cls(_key_in(argument), address, llm.timeout, llm.retries, llm.concurrency)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    def __repr__(self) -> str:
        return f"SerperRetriever({without_secrets(self._address)})"  # without the key

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        texts = texts_of(queries)
        search = _Searches(self, min(max(k, 1), MOST_RESULTS), self._retries)
        first = 0 if self._answered else 1
        found = [search(text) for text in texts[:first]]
        rest = texts[first:]
        if rest:
            with ThreadPoolExecutor(min(self._concurrency, len(rest)), "search") as pool:
                try:
                    found += pool.map(search, rest)
                except BaseException:  # Ctrl-C: no further search is sent
                    search.stop.set()
                    raise
        return [item if isinstance(item, ItemError) else item[:k] for item in found]

    # ---- one attempt ----

    def passages(self, text: str, most: int) -> list[Passage]:
        """At most about `most` passages for a query.

        Raises TransientError for what may be better at a further attempt, and RefusedError for what is not.
        """
        if self._refusal is not None:
            raise RefusedError(self._refusal, CREDIT)
        found = list(passages_of(self._answer(text, most)))
        self._answered = True
        return found

    def _answer(self, text: str, most: int) -> Mapping[str, Any]:
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked
            f"{self._address}/search",
            json.dumps({"q": text, "num": most}).encode(),
            {"X-API-KEY": self._key, "Content-Type": "application/json"},
        )
        try:
            status, pause, body = within(self._timeout, lambda: self._sent(request))
        except (OSError, http.client.HTTPException, TransientError) as problem:
            told = f"Serper cannot be reached: {self._shown(self._reason(problem))}"
            raise TransientError(told, unreachable=True) from None
        if status != http.HTTPStatus.OK:
            raise self._status_error(status, pause, body.decode("utf-8", "replace"))
        if len(body) > MOST_BYTES:
            raise RefusedError(f"Serper's answer has more than {MOST_BYTES // 1_000_000} MB")
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            shown = self._shown(body.decode("utf-8", "replace"))
            raise TransientError(f"Serper's answer is no JSON object: {shown or '(empty)'}")
        return answer

    def _sent(self, request: urllib.request.Request) -> tuple[int, str, bytes]:
        """The status, the pause that the server named ("" if none), and the body, empty where it cannot be read."""
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return http.HTTPStatus.OK, "", response.read(MOST_BYTES + 1)
        except urllib.error.HTTPError as problem:
            body = b""
            with problem, contextlib.suppress(OSError, http.client.HTTPException):
                body = problem.read(MOST_BYTES)
            return problem.code, problem.headers.get("Retry-After", ""), body

    def _reason(self, problem: Exception) -> str:
        reason = getattr(problem, "reason", problem)
        if isinstance(reason, TimeoutError):
            return f"no answer within {self._timeout:g} seconds"
        return str(reason) or type(problem).__name__

    def _status_error(self, status: int, pause: str, body: str) -> Exception:
        told = f"Serper: HTTP {status}" + (f": {self._shown(body)}" if body.strip() else "")
        if status in REFUSED or NO_CREDIT in body.lower():
            self._refusal = told
            return RefusedError(told, CREDIT)
        if status in TRANSIENT:
            return TransientError(told, retry_after({"retry-after": pause}))
        return RefusedError(told)

    def _shown(self, text: str) -> str:
        """The beginning of a text of the server, on one line, without the key."""
        return " ".join(text.replace(self._key, "***").split())[:SHOWN]


class _Searches:
    """The searches of one call. After some in a row that never reached the server, the rest is not sent. `stop`: no
    further attempt follows once it is set."""

    def __init__(self, serper: SerperRetriever, most: int, retries: int) -> None:
        self._serper, self._most, self._retries = serper, most, retries
        self.stop = threading.Event()
        self._lock = threading.Lock()
        self._unreachable = 0

    def __call__(self, text: str) -> list[Passage] | ItemError:
        """The passages for a query, or the error that prevented them, after all attempts."""
        with self._lock:
            down = self._unreachable >= MOST_UNREACHABLE
        if down:
            return ItemError(STAGE, "the search was not sent: Serper cannot be reached", AGAIN)
        found = self._found(text)
        lost = isinstance(found, TransientError) and found.unreachable
        with self._lock:
            self._unreachable = self._unreachable + 1 if lost else 0
        if isinstance(found, Exception):
            return ItemError(STAGE, str(found), AGAIN if lost else getattr(found, "hint", None))
        return found

    def _found(self, text: str) -> list[Passage] | TransientError | RefusedError:
        for attempt in count():
            try:
                return self._serper.passages(text, self._most)
            except RefusedError as problem:
                return problem
            except TransientError as problem:
                if attempt >= self._retries or self.stop.wait(pause_after(attempt, problem)):
                    return problem
        raise AssertionError("an attempt returns or is repeated")


def _key_in(path: str | None) -> str:
    """The first line of the file, or the variable. Raises UsageError where there is none."""
    if path is None:
        if not (key := os.environ.get(KEY, "").strip()):
            raise UsageError("the key of Serper is missing", f"pass serper:KEYFILE, or set {KEY}")
        return key
    try:
        lines = Path(path).read_text("utf-8").strip().splitlines()
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "it is no text"
        # The argument is not shown: it may be the key itself.
        raise UsageError(f"the file with the key of Serper cannot be read: {reason}", CHECK_KEY) from None
    return lines[0].strip() if lines else ""


# ---- an answer ----


def passages_of(answer: Mapping[str, Any]) -> Iterator[Passage]:
    """What an answer shows, in its order: answer box, knowledge panel, pages. Parts in another form are left out."""
    shown = (_answer_box(answer.get("answerBox")), _panel(answer.get("knowledgeGraph")))
    yield from (passage for passage in shown if passage is not None)
    organic = answer.get("organic")
    for item in organic if isinstance(organic, list) else ():
        if isinstance(item, dict) and (snippet := _text(item.get("snippet"))):
            yield _passage(_text(item.get("title")), [snippet, *_attributes(item)], _text(item.get("link")))


def _answer_box(box: Any) -> Passage | None:
    if not isinstance(box, dict):
        return None
    words = box.get("snippetHighlighted")
    said = _text(box.get("answer")) or _text(box.get("snippet"))
    said = said or (_text(" … ".join(filter(None, map(_text, words)))) if isinstance(words, list) else _text(words))
    return _passage(_text(box.get("title")), [said], _text(box.get("link"))) if said else None


def _panel(panel: Any) -> Passage | None:
    if not isinstance(panel, dict) or not (title := _text(panel.get("title"))):
        return None
    kind, description = _text(panel.get("type")), _text(panel.get("description"))
    lines = [*([f"{title}: {kind}"] if kind else []), *([description] if description else []), *_attributes(panel)]
    source = _text(panel.get("descriptionLink")) or _text(panel.get("website"))
    return _passage(title, lines, source) if lines else None


def _attributes(item: Mapping[str, Any]) -> list[str]:
    found = item.get("attributes")
    pairs = found.items() if isinstance(found, dict) else ()
    return [f"{name}: {value}" for name, value in pairs if isinstance(value, str | int | float)]


def _passage(title: str, lines: Sequence[str], source: str) -> Passage:
    """The title stands as a heading before the lines."""
    text = "\n".join(lines)
    return Passage.of(f"# {title}\n\n{text}" if title else text, source or None)


def _text(value: Any) -> str:
    """A text on one line; "" for any other value."""
    return " ".join(value.split()) if isinstance(value, str) else ""
