"""A local server for tests of code that calls a language model, with the protocols of OpenAI, Anthropic and Gemini."""

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
class ReceivedRequest:
    """A request to the server.

    `number`: its place in the order of arrival, from 0. `body`: its JSON, whose `messages` have OpenAI's form whatever
    the protocol. `headers`: by names in lower case. `raw`: the JSON as it was sent.
    """

    number: int
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    raw: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The contents of all messages, joined by empty lines."""
        return "\n\n".join(message["content"] for message in self.body["messages"])

    @property
    def last(self) -> str:
        """The content of the last message."""
        content: str = self.body["messages"][-1]["content"]
        return content


Asked = ReceivedRequest  # the name up to version 0.3


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of the server. `message`: further fields of its message. `drip`: seconds between two of its bytes.

    `finish`: the finish reason, e.g. "length" for an answer that is cut off. `chances`: probabilities by text, for the
    first place in the answer that has one of these texts. They are sent if the request asks for log probabilities.
    """

    text: str
    finish: str = "stop"
    chances: Mapping[str, float] = field(default_factory=dict)
    message: Mapping[str, Any] = field(default_factory=dict)
    drip: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A scripted error: an HTTP status with a message and headers, after `wait` seconds.

    `cut`: the connection is closed without an answer.
    """

    status: int = 500
    message: str = "scripted fault"
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: bool = False


Answer = str | Reply | Fault
Script = Callable[[ReceivedRequest], Answer] | Sequence[Answer]


class LoopbackServer:
    """Answers requests to models on 127.0.0.1 until it is closed.

    `script`: a function from a request to its answer, or a list of answers in the order of requests, of which the last
    one is repeated. `latency`: seconds that every answer takes. `requests`: every request so far. Requests are answered
    in parallel.
    """

    def __init__(self, script: Script, latency: float = 0.0) -> None:
        if not callable(script) and not script:
            raise UsageError("the script is empty", "pass a function, or a list with at least one answer")
        self._script = script
        self._latency = latency
        self._lock = threading.Lock()
        self.requests: list[ReceivedRequest] = []
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def asked(self) -> list[ReceivedRequest]:
        """The name of `requests` up to version 0.3."""
        return self.requests

    @property
    def url(self) -> str:
        """The value for `--api-base` of models with OpenAI's protocol."""
        return f"{self.root}/v1"

    @property
    def root(self) -> str:
        """The value for `--api-base` of models with another protocol."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stops the server and waits for its thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> LoopbackServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answer(self, body: Body, headers: Mapping[str, str], raw: Body) -> Reply | Fault:
        """The script's answer to a request."""
        with self._lock:
            request = ReceivedRequest(len(self.requests), body, headers, raw)
            self.requests.append(request)
        if callable(self._script):
            answer = self._script(request)
        else:
            answer = self._script[min(request.number, len(self._script) - 1)]
        if self._latency:
            time.sleep(self._latency)
        return Reply(answer) if isinstance(answer, str) else answer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, owner: LoopbackServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that closed their connection."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.partition("?")[0]
        protocol = next((PROTOCOLS[end] for end in PROTOCOLS if path.endswith(end)), None)
        if protocol is None:
            self._send(404, {"error": {"message": f"unknown path {self.path}", "type": "invalid_request_error"}})
            return
        messages, completed = protocol
        received = json.loads(raw)
        body = {**received, "messages": messages(received)}
        answer = self.server.owner.answer(body, {name.lower(): value for name, value in self.headers.items()}, received)
        if isinstance(answer, Reply):
            self._send(200, completed(answer, body), drip=answer.drip)
            return
        time.sleep(answer.wait)
        if answer.cut:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        kind = "invalid_request_error" if answer.status < 500 else "server_error"
        self._send(answer.status, {"error": {"message": answer.message, "type": kind}}, answer.headers)

    def _send(
        self, status: int, value: Mapping[str, Any], headers: Mapping[str, str] | None = None, drip: float = 0.0
    ) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        for name, content in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, content)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        for piece in (data[place : place + 1] for place in range(len(data))) if drip else (data,):
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(drip)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Logs nothing, because `requests` contains every request."""


def completion(reply: Reply, body: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of an answer. Its token counts are word counts."""
    prompt = sum(len(message["content"].split()) for message in body["messages"])
    answer = len(reply.text.split())
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": reply.text, **reply.message},
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
    """The answer as up to three tokens: the text before the place of `chances`, the text there, and the rest."""
    start, text = min((reply.text.index(text), text) for text in reply.chances if text in reply.text)
    pieces = [reply.text[:start], text, reply.text[start + len(text) :]]
    values = []
    for piece, end in zip(pieces, accumulate(map(len, pieces)), strict=True):
        if not piece:
            continue
        chances = reply.chances if end == start + len(text) and piece == text else {piece: 1.0}
        alternatives = [
            {"token": text, "logprob": math.log(max(p, 1e-9)), "bytes": None} for text, p in chances.items()
        ]
        logprob = math.log(max(chances.get(piece, 1.0), 1e-9))
        values.append({"token": piece, "logprob": logprob, "bytes": None, "top_logprobs": alternatives})
    return values


Body = Mapping[str, Any]


def openai_messages(body: Body) -> list[dict[str, str]]:
    return [{**message, "content": _text(message["content"])} for message in body["messages"]]


def anthropic_messages(body: Body) -> list[dict[str, str]]:
    system = [{"role": "system", "content": _text(body["system"])}] if body.get("system") else []
    return system + openai_messages(body)


def gemini_messages(body: Body) -> list[dict[str, str]]:
    system = body.get("system_instruction") or body.get("systemInstruction")
    found = [{"role": "system", "content": _text(system["parts"])}] if system else []
    roles = {"model": "assistant"}
    return found + [
        {"role": roles.get(content.get("role"), "user"), "content": _text(content["parts"])}
        for content in body["contents"]
    ]


def _text(content: Any) -> str:
    """The text of a message, which is a text or a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def anthropic_completion(reply: Reply, body: Body) -> dict[str, Any]:
    """A forced tool gets the answer as its input, as a JSON Schema is asked for there."""
    content: dict[str, Any] = {"type": "text", "text": reply.text}
    tool = (body.get("tool_choice") or {}).get("name")
    if tool and reply.text.lstrip().startswith("{"):
        content = {"type": "tool_use", "id": "loopback", "name": tool, "input": json.loads(reply.text)}
    usage = completion(reply, body)["usage"]
    return {
        "id": "loopback",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [content],
        "stop_reason": {"length": "max_tokens", "content_filter": "refusal"}.get(reply.finish, "end_turn"),
        "usage": {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]},
    }


def gemini_completion(reply: Reply, body: Body) -> dict[str, Any]:
    usage = completion(reply, body)["usage"]
    candidate = {
        "content": {"role": "model", "parts": [{"text": reply.text}]},
        "finishReason": {"length": "MAX_TOKENS", "content_filter": "SAFETY"}.get(reply.finish, "STOP"),
        "index": 0,
    }
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": usage["prompt_tokens"],
            "candidatesTokenCount": usage["completion_tokens"],
            "totalTokenCount": usage["total_tokens"],
        },
    }


# By the end of the path: how a request's messages are read, and how an answer is written.
PROTOCOLS: dict[str, tuple[Callable[[Body], list[dict[str, str]]], Callable[[Reply, Body], dict[str, Any]]]] = {
    "/chat/completions": (openai_messages, completion),
    "/messages": (anthropic_messages, anthropic_completion),
    ":generateContent": (gemini_messages, gemini_completion),
}
