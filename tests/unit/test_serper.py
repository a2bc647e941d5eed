"""Searches by Serper against a server on this machine: answers, faults, and the key, which nothing shows."""

import contextlib
import http.server
import json
import logging
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph_eval import GraphEval
from graph_eval.errors import UsageError
from graph_eval.formats.results import to_json
from graph_eval.llm import client
from graph_eval.registry import create
from graph_eval.retrieve.retriever import Query
from graph_eval.retrieve.serper import SerperRetriever, passages_of
from graph_eval.settings import Settings
from graph_eval.types import ItemError

SECRET = "sk-0123456789abcdef"  # noqa: S105 - a made one
ANSWER = {
    "answerBox": {"title": "Tower / Height", "answer": "38 metres", "link": "https://a.example"},
    "knowledgeGraph": {
        "title": "Tower of Orsa",
        "type": "Tower",
        "description": "A tower in Orsa.",
        "website": "https://tower.example",
        "attributes": {"Opened": "1889", "Floors": 4},
    },
    "organic": [
        {"title": "Orsa - Guide", "snippet": "The tower was opened\nin 1889.", "link": "https://b.example"},
        {"title": "No snippet", "link": "https://c.example"},
        {"snippet": "It closed in 1901.", "attributes": {"Missing": ["x"], "Year": "1901"}},
    ],
}
Script = Callable[[dict, int], tuple[int, dict[str, str], bytes]]


class Dripping(bytes):
    """A body that is sent byte by byte, ten in a second."""


class Server:
    """Answers POST /search by a script of (request body, number of the request) -> status, headers, body."""

    def __init__(self, script: Script) -> None:
        self.requests: list[tuple[str, dict[str, str], dict]] = []
        self.dripped = 0  # bytes
        lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    outer.requests.append((self.path, dict(self.headers), body))
                    number = len(outer.requests)
                status, headers, answer = script(body, number)
                if status == 0:
                    return  # the connection is cut
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(OSError):  # the client has given up
                    for piece in [bytes([byte]) for byte in answer] if isinstance(answer, Dripping) else [answer]:
                        self.wfile.write(piece)
                        if isinstance(answer, Dripping):
                            outer.dripped += 1
                            time.sleep(0.1)

            def log_message(self, *_: object) -> None:
                """Nothing is logged."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def answered(value: object = ANSWER, status: int = 200, **headers: str) -> tuple[int, dict[str, str], bytes]:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return status, headers, body


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Script], Server]]:
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.001)
    servers: list[Server] = []

    def start(script: Script) -> Server:
        servers.append(Server(script))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def ask(server: Server, *texts: str, k: int = 5, **options: object) -> list:
    retriever = SerperRetriever(SECRET, server.address, **options)
    return retriever.retrieve([Query(text) for text in texts], k)


def test_passages_are_what_google_shows(serve) -> None:
    server = serve(lambda *_: answered())
    (found,) = ask(server, "tower")
    assert [(passage.text, passage.source) for passage in found] == [
        ("# Tower / Height\n\n38 metres", "https://a.example"),
        ("# Tower of Orsa\n\nTower of Orsa: Tower\nA tower in Orsa.\nOpened: 1889\nFloors: 4", "https://tower.example"),
        ("# Orsa - Guide\n\nThe tower was opened in 1889.", "https://b.example"),
        ("It closed in 1901.\nYear: 1901", None),
    ]
    ((path, headers, body),) = server.requests
    assert path == "/search"
    assert body == {"q": "tower", "num": 5}
    assert {name.lower(): value for name, value in headers.items()}["x-api-key"] == SECRET


def test_at_most_k_passages_come(serve) -> None:
    server = serve(lambda *_: answered())
    assert [len(found) for found in ask(server, "a", "b", k=2)] == [2, 2]
    assert {body["num"] for _, _, body in server.requests} == {2}


@pytest.mark.parametrize(
    "answer",
    [{}, {"organic": []}, {"organic": None}, {"organic": {"a": 1}}, {"organic": ["x", 3, None]}, {"answerBox": []},
     {"knowledgeGraph": {"title": "Only a title"}}, {"organic": [{"title": "t", "snippet": 5}]}, {"answerBox": {}}],
)  # fmt: skip
def test_nothing_usable_is_nothing_found(serve, answer: dict) -> None:
    assert ask(serve(lambda *_: answered(answer)), "q") == [[]]


def test_highlighted_words_are_an_answer() -> None:
    (passage,) = passages_of({"answerBox": {"snippetHighlighted": ["38 m", "in 1889", 5]}})
    assert passage.text == "38 m … in 1889"


def test_answers_belong_to_their_queries(serve) -> None:
    server = serve(lambda body, _: answered({"organic": [{"snippet": f"on {body['q']}"}]}))
    texts = [f"q{number}" for number in range(40)]
    found = ask(server, *texts, concurrency=8)
    assert [[passage.text for passage in item] for item in found] == [[f"on {text}"] for text in texts]


def test_a_busy_server_is_asked_again(serve) -> None:
    faults = {1: (429, {"Retry-After": "0"}), 2: (503, {}), 3: (0, {})}
    server = serve(lambda _, number: (*faults[number], b"busy") if number in faults else answered())
    (found,) = ask(server, "q")
    assert len(found) == 4
    assert len(server.requests) == 4


def test_retries_end(serve) -> None:
    server = serve(lambda *_: answered(b"busy", 500))
    (error,) = ask(server, "q", retries=2)
    assert isinstance(error, ItemError)
    assert error.message == "Serper: HTTP 500: busy"
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [401, 402, 403])
def test_a_refused_key_costs_one_request(serve, status: int) -> None:
    server = serve(lambda *_: answered({"message": f"Unauthorized {SECRET}"}, status))
    found = ask(server, *"abcdef")
    assert len(server.requests) == 1
    assert {error.message for error in found} == {f'Serper: HTTP {status}: {{"message": "Unauthorized ***"}}'}
    assert "check the key" in found[0].hint


def test_a_bad_query_is_an_error_of_its_own(serve) -> None:
    server = serve(lambda body, _: answered({"message": "bad"}, 400) if body["q"] == "bad" else answered())
    good, bad, other = ask(server, "good", "bad", "other")
    assert len(good) == len(other) == 4
    assert bad.message == 'Serper: HTTP 400: {"message": "bad"}'
    assert len(server.requests) == 3


@pytest.mark.parametrize("body", [b"<html>", b"", b"[1]", b"\xff\xfe", b"[" * 100_000])
def test_an_answer_in_another_form_is_named(serve, body: bytes) -> None:
    (error,) = ask(serve(lambda *_: answered(body)), "q", retries=1)
    assert "Serper's answer is no JSON object" in error.message
    assert len(error.message) < 300


def test_a_redirect_is_not_followed(serve) -> None:
    other = serve(lambda *_: answered())
    server = serve(lambda *_: answered(b"", 302, Location=f"{other.address}/search"))
    (error,) = ask(server, "q", retries=0)
    assert error.message == "Serper: HTTP 302"
    assert other.requests == []


def test_a_server_that_is_down_is_named_and_not_asked_for_ever(serve) -> None:
    server = serve(lambda *_: answered())
    retriever = SerperRetriever(SECRET, server.address, retries=0, concurrency=1)
    server._server.server_close()
    found = retriever.retrieve([Query(str(number)) for number in range(50)], 5)
    assert "Serper cannot be reached" in found[0].message
    assert "the search was not sent" in found[-1].message
    assert sum("not sent" in error.message for error in found) == 47


def test_a_slow_server_is_given_up(serve) -> None:
    over = threading.Event()

    def slow(*_: object) -> tuple[int, dict[str, str], bytes]:
        over.wait(30)
        return answered()

    server = serve(slow)
    (error,) = ask(server, "q", timeout=0.1, retries=1)
    assert error.message == "Serper cannot be reached: no answer within 0.1 seconds"
    assert len(server.requests) == 2
    over.set()


def test_a_server_that_drips_is_given_up(serve) -> None:
    server = serve(lambda *_: answered(Dripping(b" " * 300)))
    (error,) = ask(server, "q", timeout=0.3, retries=0)
    assert error.message == "Serper cannot be reached: no answer within 0.3 seconds"
    assert server.dripped < 300  # the answer was not waited for


def test_the_key_goes_to_no_proxy_without_https(serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server, proxy = serve(lambda *_: answered()), serve(lambda *_: answered())
    monkeypatch.setenv("http_proxy", proxy.address)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert len(ask(server, "q")[0]) == 4
    assert proxy.requests == []


def test_without_credit_one_request_is_sent(serve) -> None:
    server = serve(lambda *_: answered({"message": "Not enough credits", "statusCode": 400}, 400))
    found = ask(server, *"abcdef")
    assert len(server.requests) == 1
    assert {error.hint for error in found} == {
        "check the key and its credit: pass serper:KEYFILE, or set SERPER_API_KEY"
    }


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no pthread_kill")
def test_ctrl_c_ends_the_attempts(serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """The main thread is interrupted while two other searches wait for their next attempt."""
    server = serve(lambda body, _: answered() if body["q"] == "first" else answered(b"busy", 503))
    pause = 30.0  # seconds until further attempts
    monkeypatch.setattr(client, "FIRST_PAUSE", pause)

    def interrupt() -> None:
        while len(server.requests) < 3:
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # workers of pytest-xdist ignore it
    try:
        started = time.monotonic()
        threading.Thread(target=interrupt, daemon=True).start()
        with pytest.raises(KeyboardInterrupt):
            ask(server, "first", *(f"q{number}" for number in range(9)), concurrency=2, retries=2)
        assert time.monotonic() - started < pause  # it did not wait for them
        assert len(server.requests) == 3
    finally:
        signal.signal(signal.SIGINT, before)


def test_credentials_in_the_address_are_not_shown() -> None:
    assert "hidden" not in repr(SerperRetriever(SECRET, "https://user:hidden@serper.example"))
    with pytest.raises(UsageError) as problem:
        SerperRetriever(SECRET, "http://user:hidden@serper.example")
    assert "hidden" not in str(problem.value)


def test_the_key_is_in_a_file_or_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERPER_API_KEY", raising=False)
    with pytest.raises(UsageError, match="the key of Serper is missing"):
        create("retriever", "serper")
    for pasted in (tmp_path / "none", SECRET):
        with pytest.raises(UsageError, match="cannot be read: No such file") as problem:
            create("retriever", f"serper:{pasted}")
        assert str(pasted) not in str(problem.value)
    file = tmp_path / "key.txt"
    for content in ("", "  \n", "kéy"):
        file.write_text(content, "utf-8")
        with pytest.raises(UsageError, match="is empty, or no key"):
            create("retriever", f"serper:{file}")
    file.write_text(f"  {SECRET} \nsecond line\n")
    assert create("retriever", f"serper:{file}")._key == SECRET
    monkeypatch.setenv("SERPER_API_KEY", "other")
    assert create("retriever", "serper")._key == "other"
    assert create("retriever", f"serper:{file}", Settings().replace(timeout=3.0, retries=1))._timeout == 3.0


@pytest.mark.parametrize("address", ["http://serper.example", "ftp://127.0.0.1", "serper.example", "file:///etc/x", ""])
def test_a_key_is_sent_only_by_https_or_on_this_machine(address: str) -> None:
    with pytest.raises(UsageError, match="cannot be used for searches"):
        SerperRetriever(SECRET, address)


def test_conditions_on_fields_are_refused(serve) -> None:
    retriever = SerperRetriever(SECRET, serve(lambda *_: answered()).address)
    with pytest.raises(ValueError, match="knows no fields"):
        retriever.retrieve([Query("q", (("year", "1999"),))], 5)


def test_a_copy_searches_too(serve) -> None:
    retriever = SerperRetriever(SECRET, serve(lambda *_: answered()).address)
    copy = pickle.loads(pickle.dumps(retriever))  # noqa: S301
    assert copy.retrieve([Query("q")], 5) == retriever.retrieve([Query("q")], 5)
    assert copy.fingerprint == retriever.fingerprint == "serper-1"


def test_nothing_shows_the_key(serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    caplog.set_level(logging.DEBUG)

    def script(body: dict, _: int) -> tuple[int, dict[str, str], bytes]:
        return answered({"message": SECRET}, 400) if "Bo" in body["q"] else answered()

    server = serve(script)
    (tmp_path / "key.txt").write_text(SECRET)
    monkeypatch.setenv("SERPER_API_BASE", server.address)
    ge = GraphEval(retriever=f"serper:{tmp_path / 'key.txt'}", settings=Settings())
    fine, failed = ge.pipe([{"response": "The tower was opened in 1889."}, {"response": "Bo Lind sold apples."}])
    assert fine.label == "Entailment"
    assert failed.error.stage == "ground"
    run = ge.plan().describe("x")
    for shown in (to_json(fine), to_json(failed), repr(run), repr(ge._ground_stage().retriever), caplog.text):
        assert SECRET not in shown
