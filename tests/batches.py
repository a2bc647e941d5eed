"""A server on this machine with OpenAI's batch API, or Azure's: its answers are those of a scripted model."""

from __future__ import annotations

import email
import email.policy
import json
import random
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from graph_eval.testing import Fault, ReceivedRequest, Reply
from graph_eval.testing.server import Answer, completion

Line = dict[str, Any]


class BatchServer:
    """Answers the lines of batches by `script`; the lines of an answer's file are shuffled.

    `hold`: batches do not end before it is cleared. `status`: how they end. `edit`: changes the answered lines before
    they are downloaded. `faults`: (method, end of the path) -> statuses of the next answers there, before the real one.
    `batches`: the lines of each batch that was created. `calls`: the method and path of every request.
    """

    def __init__(self, script: Callable[[ReceivedRequest], Answer]) -> None:
        self.script = script
        self.hold = threading.Event()
        self.status = "completed"
        self.reasons: list[str] = []
        self.edit: Callable[[list[Line]], list[Line]] = lambda lines: lines
        self.faults: dict[tuple[str, str], list[int]] = {}
        self.batches: list[list[Line]] = []
        self.calls: list[tuple[str, str]] = []
        self.keys: list[str | None] = []
        self.files: dict[str, str] = {}
        self._random = random.Random(7)  # noqa: S311
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._respond("GET", b"")

            def do_POST(self) -> None:
                self._respond("POST", self.rfile.read(int(self.headers["content-length"])))

            def _respond(self, method: str, data: bytes) -> None:
                path = self.path.partition("?")[0]
                owner.calls.append((method, path))
                owner.keys.append(self.headers["authorization"])
                status, value = owner.respond(method, path, self.headers.get("content-type", ""), data)
                raw = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(raw)))
                self.send_header("connection", "close")  # litellm makes a new client for each call, and closes none
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_: Any) -> None:
                """Logs nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    def __enter__(self) -> BatchServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def count(self, method: str, end: str) -> int:
        return sum(call[0] == method and call[1].endswith(end) for call in self.calls)

    def respond(self, method: str, path: str, kind: str, data: bytes) -> tuple[int, Any]:
        for (verb, end), statuses in self.faults.items():
            if verb == method and path.endswith(end) and statuses:
                return statuses.pop(0), {"error": {"message": "scripted fault"}}
        *_, collection, name = path.split("/")
        if name == "completions":
            return self.answered(json.loads(data))
        if (method, name) == ("POST", "files"):
            return 200, self.uploaded(kind, data)
        if (method, name) == ("POST", "batches"):
            lines = self.files[json.loads(data)["input_file_id"]].splitlines()
            self.batches.append([json.loads(line) for line in lines])
            return 200, self.batch(len(self.batches))
        if collection == "batches":
            return 200, self.batch(int(name.removeprefix("batch_")))
        if name == "content":
            return 200, self.files[collection]
        return 404, {"error": {"message": f"unknown path {path}"}}

    def uploaded(self, kind: str, data: bytes) -> dict[str, Any]:
        message = email.message_from_bytes(
            b"content-type: " + kind.encode() + b"\r\n\r\n" + data, policy=email.policy.HTTP
        )
        parts = {part.get_param("name", header="content-disposition"): part for part in message.iter_parts()}  # type: ignore[attr-defined]
        assert parts["purpose"].get_content().strip() == "batch"
        name = f"file_{len(self.files)}"
        self.files[name] = parts["file"].get_payload(decode=True).decode()
        about = {"id": name, "object": "file", "bytes": len(data), "created_at": 0, "filename": "requests.jsonl"}
        return {**about, "purpose": "batch", "status": "processed"}

    def batch(self, number: int) -> dict[str, Any]:
        value: dict[str, Any] = {
            "id": f"batch_{number}", "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": "file",
            "completion_window": "24h", "created_at": 0, "status": "in_progress",
        }  # fmt: skip
        if self.hold.is_set():
            return value
        lines = self.edit([self.line(request) for request in self.batches[number - 1]])
        self._random.shuffle(lines)
        for field, failed in (("output_file_id", False), ("error_file_id", True)):
            chosen = [line for line in lines if (line.get("error") or line["response"]["status_code"] != 200) == failed]
            if chosen:
                value[field] = f"{field}_{number}"
                self.files[value[field]] = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in chosen)
        if self.reasons:
            value["errors"] = {"object": "list", "data": [{"message": reason} for reason in self.reasons]}
        return value | {"status": self.status}

    def line(self, request: Line) -> Line:
        assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
        status, body = self.answered(request["body"])
        response = {"status_code": status, "request_id": "r", "body": body}
        return {"id": "line", "custom_id": request["custom_id"], "response": response, "error": None}

    def answered(self, body: dict[str, Any]) -> tuple[int, Any]:
        answer = self.script(ReceivedRequest(0, body, {}))
        if isinstance(answer, Fault):
            return answer.status, {"error": {"message": answer.message}}
        return 200, completion(Reply(answer) if isinstance(answer, str) else answer, body)
