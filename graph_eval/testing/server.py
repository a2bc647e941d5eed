"""A chat completions server on this machine, for tests of what asks a language model."""

from __future__ import annotations

import json
import math
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate
from types import TracebackType
from typing import Any

from graph_eval.errors import UsageError


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came: place in the order of arrival (from 0), its JSON body, its headers in lower case."""

    number: int
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """All messages, joined by empty lines."""
        return "\n\n".join(message["content"] for message in self.body["messages"])

    @property
    def last(self) -> str:
        """The last message."""
        content: str = self.body["messages"][-1]["content"]
        return content


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. `finish`: "length" for one that breaks off. `chances`: for the first place where one of its texts
    stands in the answer, the probability of each text there; given where the request asks for log probabilities."""

    text: str
    finish: str = "stop"
    chances: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong: an HTTP status with headers, a wait (seconds) before it, or a cut connection."""

    status: int = 500
    message: str = "scripted fault"
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: bool = False


Answer = str | Reply | Fault
Script = Callable[[Asked], Answer] | Sequence[Answer]


class LoopbackServer:
    """Answers POST /v1/chat/completions on 127.0.0.1 until it is closed.

    `script`: a function from a request to its answer, or answers in the order of requests (the last one again and
    again). `latency`: seconds that every answer takes. Safe for requests at the same time.
    """

    def __init__(self, script: Script, latency: float = 0.0) -> None:
        if not callable(script) and not script:
            raise UsageError("a script needs an answer", "give a function, or a list that is not empty")
        self._script = script
        self._latency = latency
        self._lock = threading.Lock()
        self.asked: list[Asked] = []
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """What `--api-base` takes."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> LoopbackServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answer(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Reply | Fault:
        """What the script says to a request."""
        with self._lock:
            asked = Asked(len(self.asked), body, headers)
            self.asked.append(asked)
        if callable(self._script):
            found = self._script(asked)
        else:
            found = self._script[min(asked.number, len(self._script) - 1)]
        if self._latency:
            time.sleep(self._latency)
        return Reply(found) if isinstance(found, str) else found


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, owner: LoopbackServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error of a server."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/v1/chat/completions":
            self._send(404, {"error": {"message": f"there is no {self.path}", "type": "invalid_request_error"}})
            return
        body = json.loads(raw)
        answer = self.server.owner.answer(body, {name.lower(): value for name, value in self.headers.items()})
        if isinstance(answer, Reply):
            self._send(200, completion(answer, body))
            return
        time.sleep(answer.wait)
        if answer.cut:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        kind = "invalid_request_error" if answer.status < 500 else "server_error"
        self._send(answer.status, {"error": {"message": answer.message, "type": kind}}, answer.headers)

    def _send(self, status: int, value: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        for name, content in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, content)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing is logged: `asked` holds every request."""


def completion(reply: Reply, body: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of an answer. Tokens are counted as words."""
    prompt = sum(len(message["content"].split()) for message in body["messages"])
    answer = len(reply.text.split())
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": reply.text},
        "finish_reason": reply.finish,
    }
    if body.get("logprobs") and reply.chances:
        choice["logprobs"] = {"content": list(tokens(reply))}
    return {
        "id": "loopback",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [choice],
        "usage": {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer},
    }


def tokens(reply: Reply) -> list[dict[str, Any]]:
    """The answer as three tokens: what comes before the place of the chances, the text there, and the rest."""
    start, text = min((reply.text.index(text), text) for text in reply.chances if text in reply.text)
    pieces = [reply.text[:start], text, reply.text[start + len(text) :]]
    found = []
    for piece, end in zip(pieces, accumulate(map(len, pieces)), strict=True):
        if not piece:
            continue
        chances = reply.chances if end == start + len(text) and piece == text else {piece: 1.0}
        others = [{"token": other, "logprob": math.log(max(p, 1e-9)), "bytes": None} for other, p in chances.items()]
        own = math.log(max(chances.get(piece, 1.0), 1e-9))
        found.append({"token": piece, "logprob": own, "bytes": None, "top_logprobs": others})
    return found
