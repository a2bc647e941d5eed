"""A server of OpenAI's protocol on 127.0.0.1 that answers rightly, except for the requests that a fault hits."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from graph_eval.testing import Reply
from graph_eval.testing.server import completion
from tests.faults.towns import Question

LONGEST = 12.0  # seconds after which the server ends an answer that never ends
JSON_TYPE = {"Content-Type": "application/json"}


@dataclass
class Exchange:
    """One request and its connection, for a fault to do what it likes."""

    handler: BaseHTTPRequestHandler
    question: Question

    def raw(self, data: bytes) -> None:
        """Writes bytes as they are; the connection is closed behind them."""
        self.handler.close_connection = True
        self.handler.connection.sendall(data)

    def send(self, status: int, data: bytes, headers: Mapping[str, str] = JSON_TYPE, length: int | None = None) -> None:
        """An answer with its headers. `length`: the Content-Length where it shall not be that of `data`."""
        self.handler.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data) if length is None else length)}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.connection.sendall(data)
        if length is not None and length != len(data):
            self.handler.close_connection = True

    def head(self, **headers: str) -> None:
        """The head of an answer whose body follows by `raw`."""
        lines = [
            f"{name.replace('_', '-')}: {value}"
            for name, value in {"Content_Type": "application/json", **headers}.items()
        ]
        self.raw("\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode())

    def completion(self, text: str | None, finish: str | None = "stop", **message: Any) -> dict[str, Any]:
        """The JSON of an answer."""
        value = completion(Reply("", message={"content": text, **message}), self.question.body)
        value["choices"][0]["finish_reason"] = finish
        return value

    def answer(self, text: str | None, finish: str | None = "stop", **message: Any) -> None:
        self.send(200, json.dumps(self.completion(text, finish, **message)).encode())

    def right(self) -> bytes:
        """The whole body of the right answer."""
        return json.dumps(self.completion(self.question.answer())).encode()

    def reset(self) -> None:
        """Ends the connection with RST."""
        self.handler.close_connection = True
        connection = self.handler.connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(connection.detach())

    def drip(self, data: bytes, pause: float, size: int = 1) -> None:
        """Sends the data in pieces, with a pause before each, until LONGEST seconds are over or the client is gone."""
        end = time.monotonic() + LONGEST
        for place in range(0, len(data), size):
            if time.monotonic() > end:
                return
            time.sleep(pause)
            self.raw(data[place : place + size])


@dataclass
class Cell:
    """One run's part of the server. `hits`: whether a fault hits the request; `serve` does then what it is.

    `once`: the fault hits one request only. `answered`: right answers that were sent, by the content of their request.
    """

    hits: Callable[[Question], bool] = lambda _: False
    serve: Callable[[Exchange], None] = lambda exchange: exchange.reset()
    once: bool = False
    latency: float = 0.0
    answered: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    healed: bool = False
    on_answer: Callable[[str], None] = lambda _: None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def is_hit(self, question: Question) -> bool:
        with self._lock:
            hit = not self.healed and not (self.once and self.faults) and self.hits(question)
            self.faults += hit
        return hit

    def count(self, question: Question) -> None:
        key = content_of(question.body)
        with self._lock:
            self.answered[key] += 1
        self.on_answer(key)


def content_of(body: Mapping[str, Any]) -> str:
    """A hash of a request's messages."""
    return hashlib.sha256(json.dumps(body["messages"], sort_keys=True).encode()).hexdigest()


class FaultyServer(ThreadingHTTPServer):
    """Cells by the first part of the path: the API base of a cell is `url(name)`."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, port: int = 0) -> None:
        self.cells: dict[str, Cell] = {}
        super().__init__(("127.0.0.1", port), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def url(self, cell: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{cell}/v1"

    def close(self) -> None:
        """Refuses connections from now on."""
        self.shutdown()
        self.server_close()
        self._thread.join()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that closed their connection."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: FaultyServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        cell = self.server.cells[self.path.split("/")[1]]
        exchange = Exchange(self, Question(body))
        if cell.is_hit(exchange.question):
            cell.serve(exchange)
            return
        time.sleep(cell.latency)
        exchange.send(200, exchange.right())
        cell.count(exchange.question)

    def do_GET(self) -> None:
        """What follows a redirection ends up here, and is sent on for ever."""
        Exchange(self, Question({})).send(302, b"", {"Location": self.path})

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Logs nothing."""
