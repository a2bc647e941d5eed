"""Requests by the batch API of a provider, through the real litellm, against a server on this machine."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph_eval.cli.main import main
from graph_eval.errors import GraphEvalWarning, ModelError, UsageError
from graph_eval.llm import batch
from graph_eval.llm.batch_lines import outcomes
from graph_eval.llm.cache import BATCH_DAYS, DAY, AnswerCache
from graph_eval.llm.client import LiteLLM
from graph_eval.llm.library import body
from graph_eval.llm.model import Completion, Message, Request
from graph_eval.llm.options import Options
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest, Reply
from graph_eval.testing.models import FAILING, LLMContract
from graph_eval.types import ItemError
from tests.batches import BatchServer, Line
from tests.models import is_first_extraction, sensible

pytestmark = pytest.mark.usefixtures("own_cache")
LLM = ("--extractor", "llm:openai/x", "--checker", "llm:openai/x", "--batch", "--chunk", "100", "--format", "jsonl")
COUNT = 12
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(batch, "MAX_PAUSE", 0.02)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[AnswerCache]:
    opened = AnswerCache(tmp_path / "answers.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs graph-eval in this process. Returns its exit code, output and messages."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


def model(server: BatchServer, cache: AnswerCache, name: str = "openai/x", **options: object) -> LiteLLM:
    return LiteLLM(name, Options(api_base=server.url, batch=True, **{"retries": 2, **options}), cache)  # type: ignore[arg-type]


def request(text: str, **fields: object) -> Request:
    return Request((Message("system", "s"), Message("user", text)), **fields)  # type: ignore[arg-type]


def requests(count: int = COUNT) -> list[Request]:
    return [request(f"q{n}") for n in range(count)]


def shout(received: ReceivedRequest) -> str:
    return received.last.upper()


def texts(answers: list[Completion | ItemError]) -> list[str | None]:
    return [answer.text if isinstance(answer, Completion) else None for answer in answers]


def records(path: Path) -> Path:
    values = [
        {"id": f"r{n}", "response": f"Tower{n} opened in {1800 + n}. Tower{n} measures {n} metres.",
         "context": [f"Tower{n} opened in {1800 + n}."]}
        for n in range(COUNT)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


class TestABatch(LLMContract):
    @pytest.fixture
    def model(self, cache: AnswerCache) -> Iterator[LiteLLM]:
        def answer(received: ReceivedRequest) -> str | Fault:
            return Fault(400, "This text is too long") if FAILING in received.text else shout(received)

        with BatchServer(answer) as server:
            yield model(server, cache)


# A whole run


def test_a_chunk_is_one_batch_for_each_stage_and_its_answers_are_cached(run: Run, tmp_path: Path) -> None:
    name = records(tmp_path / "in.jsonl")
    with BatchServer(sensible) as server:
        code, output, errors = run("check", name, *LLM, "--api-base", server.url)
        assert code == 0, errors
        results = [json.loads(line) for line in output.splitlines()]
        assert [[j["label"] for j in result["judgements"]] for result in results] == [["Entailment", "Neutral"]] * COUNT
        assert [len(lines) for lines in server.batches] == [COUNT, COUNT]
        assert server.count("POST", "/chat/completions") == 0
        assert f"openai/x: {2 * COUNT} answers, 0 from the cache" in errors
        for more in ((), ("--no-batch",)):  # the same keys with and without batches
            again = run("check", name, *LLM, *more, "--api-base", server.url)
            assert again[:2] == (0, output)
            assert f"0 answers, {2 * COUNT} from the cache" in again[2]
        assert len(server.batches) == 2
        assert server.count("POST", "/chat/completions") == 0


def test_an_unreadable_answer_is_asked_for_again_in_another_batch(run: Run, tmp_path: Path) -> None:
    def answer(received: ReceivedRequest) -> str:
        first = len(received.body["messages"]) == 2
        return "no form at all" if first and is_first_extraction(received) else sensible(received)

    name = records(tmp_path / "in.jsonl")
    with BatchServer(answer) as server:
        code, _, errors = run("check", name, *LLM, "--api-base", server.url)
        assert code == 0, errors
        assert [len(lines) for lines in server.batches] == [COUNT, COUNT, COUNT]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_ends_while_it_waits_goes_on_with_the_same_batch(cli, tmp_path: Path, number: int) -> None:
    name = records(tmp_path / "in.jsonl")
    with BatchServer(sensible) as server:
        server.hold.set()
        command = [sys.executable, "-m", "graph_eval", "check", str(name), *LLM, "--api-base", server.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while not server.count("GET", "/batches/batch_1") and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        if number == signal.SIGKILL:
            assert process.returncode == -number
        else:
            assert process.returncode == 128 + number
            assert "batch batch_1 goes on at the provider; run the command again to collect its answers" in errors
            assert "Traceback" not in errors
        assert len(server.batches) == 1
        server.hold.clear()
        done = cli("check", name, *LLM, "--api-base", server.url)
        assert done.returncode == 0, done.stderr
        assert len(done.stdout.splitlines()) == COUNT
        assert [len(lines) for lines in server.batches] == [COUNT, COUNT]


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (("--cache", "off"), "--batch needs the answer cache", "omit --cache off"),
        (("--checker", "llm:anthropic/claude-sonnet-4-5"), "anthropic has no batch API in litellm", "omit --batch"),
        (("--checker", "llm:bedrock/anthropic.claude-v2"), "bedrock has its batches in a storage bucket", "openai"),
        (("--checker", "llm:hosted_vllm/x"), "hosted_vllm needs an address", "--api-base"),
    ],
)
def test_what_cannot_be_sent_as_a_batch_is_said_before_anything_is_sent(
    run: Run, options: tuple[str, str], message: str, hint: str, tmp_path: Path
) -> None:
    one = ("check", "--response", "It rained.", "--context", "It did.", "--checker", "llm:openai/x", "--batch")
    code, output, errors = run(*one, *options, "-o", tmp_path / "RUN")
    assert (code, output) == (2, "")
    assert message in errors
    assert hint in errors
    assert not (tmp_path / "RUN").exists()


def test_an_unknown_provider_is_named_as_without_a_batch(cache: AnswerCache) -> None:
    with pytest.raises(ModelError, match="nosuch/x: unknown provider"):
        LiteLLM("nosuch/x", Options(batch=True), cache)


def test_the_providers_are_those_of_litellm() -> None:
    assert {"openai", "azure", "mistral"} <= set(batch.providers())
    assert "anthropic" not in batch.providers()


# What is sent


SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.mark.parametrize(
    "name", ["openai/gpt-4o-mini", "openai/o3-mini", "hosted_vllm/q", "mistral/mistral-small-latest"]
)
def test_a_line_has_the_body_of_a_direct_request(
    name: str, cache: AnswerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", "none")
    options = Options(structured="on", max_tokens=9, seed=3, top_k=5)
    asked = request("q", schema=SCHEMA, logprobs=True)
    with LoopbackServer(["yes"]) as server:
        direct = LiteLLM(name, options=Options(**{**fields(options), "api_base": server.url}))
        direct.complete([asked])
        expected = {**server.requests[0].body, "messages": server.requests[0].body["messages"]}
    sender = LiteLLM(name, options, cache)
    found = body(name, sender._arguments(asked)["messages"], sender.parameters.accepted(sender._wanted(asked)))
    assert found == expected
    assert "response_format" in found


def fields(options: Options) -> dict[str, object]:
    return {name: getattr(options, name) for name in Options.__dataclass_fields__}


def test_azure_has_batches_too(cache: AnswerCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_API_VERSION", "2025-01-01-preview")
    monkeypatch.setenv("AZURE_API_KEY", "none")
    with BatchServer(shout) as server:
        sender = LiteLLM("azure/deployed", Options(api_base=server.root, batch=True), cache)
        assert texts(sender.complete(requests(3))) == ["Q0", "Q1", "Q2"]
        assert [line["body"]["model"] for line in server.batches[0]] == ["deployed"] * 3


def test_the_key_of_the_environment_is_used(cache: AnswerCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    with BatchServer(shout) as server:
        model(server, cache).complete(requests(1))
        assert set(server.keys) == {"Bearer sk-mine"}


def test_a_parameter_that_is_refused_is_left_out_of_a_second_batch(cache: AnswerCache) -> None:
    def answer(received: ReceivedRequest) -> str | Fault:
        if "temperature" in received.body and received.last != "q1":
            return Fault(400, "Unsupported parameter: 'temperature' is not supported with this model.")
        return shout(received)

    with BatchServer(answer) as server:
        sender = model(server, cache)
        assert texts(sender.complete(requests(3))) == ["Q0", "Q1", "Q2"]
        assert [len(lines) for lines in server.batches] == [3, 2]
        assert sender.left_out == ("temperature",)


def test_equal_requests_are_one_line_and_log_probabilities_come_back(cache: AnswerCache) -> None:
    with BatchServer(lambda _: Reply("yes", chances={"yes": 0.7, "no": 0.3})) as server:
        found = model(server, cache).complete([request("q", logprobs=True)] * 3)
        assert len(server.batches[0]) == 1
    assert texts(found) == ["yes"] * 3
    assert isinstance(found[0], Completion)
    assert [text for text, _ in found[0].tokens[0].alternatives] == ["yes", "no"]


def test_tokens_and_half_the_price_are_counted(cache: AnswerCache) -> None:
    with BatchServer(lambda _: "one two three") as server:
        sender = model(server, cache, "openai/gpt-4o-mini")
        sender.complete([request("a b c"), request("e")])
    totals = sender.totals
    assert (totals.answers, totals.tries, totals.prompt_tokens, totals.answer_tokens) == (2, 2, 6, 6)
    assert totals.priced == 2
    assert totals.dollars == pytest.approx((6 * 0.15e-6 + 6 * 0.6e-6) / 2)


# What comes back


def test_a_line_that_failed_is_the_error_of_its_request_alone(cache: AnswerCache) -> None:
    with BatchServer(lambda r: Fault(400, "This text is too long") if r.last == "q2" else shout(r)) as server:
        sender = model(server, cache)
        found = sender.complete(requests())
        assert texts(found) == [None if n == 2 else f"Q{n}" for n in range(COUNT)]
        assert isinstance(found[2], ItemError)
        assert found[2].message == "openai/x: This text is too long"
        assert (sender.totals.answers, sender.totals.failed) == (COUNT - 1, 1)
        sender.complete(requests())
        assert [len(lines) for lines in server.batches] == [COUNT, 1], "only the failed one is sent again"


def spoilt(lines: list[Line]) -> list[Line]:
    """Without a first line; the second without a body, the third with a foreign id, the fourth empty, a fifth twice."""
    by_text = {line["response"]["body"]["choices"][0]["message"]["content"]: line for line in lines}
    lines = [line for text, line in by_text.items() if text != "Q0"]
    by_text["Q1"]["response"]["body"] = ["no", "object"]
    by_text["Q2"]["custom_id"] = "another"
    by_text["Q3"]["response"]["body"]["choices"] = []
    by_text["Q5"]["response"]["body"] = {"choices": "none"}
    return [*lines, by_text["Q4"]]


def test_answers_that_are_missing_or_malformed_are_errors_and_nothing_is_guessed(cache: AnswerCache) -> None:
    with BatchServer(shout) as server:
        server.edit = spoilt
        found = model(server, cache).complete(requests())
    assert texts(found) == [None, None, None, None, "Q4", None, *(f"Q{n}" for n in range(6, COUNT))]
    for answer in found:
        if isinstance(answer, ItemError):
            assert answer.message.startswith("openai/x: ")
            assert answer.hint
    assert isinstance(found[0], ItemError)
    assert found[0].message == "openai/x: batch batch_1 has ended, without an answer to this request"


def test_lines_that_are_no_json_are_left_out() -> None:
    good = '{"custom_id": "a", "response": {"status_code": 200, "body": {"text": "one\u2028line"}}}'
    late = '{"custom_id": "b", "error": {"code": "batch_expired", "message": "too late"}, "response": null}'
    found = dict(outcomes("\n".join(["", "{", "[1]", "7", '{"custom_id": 3}', '{"response": {}}', good, late])))
    assert found["a"] == {"text": "one\u2028line"}
    assert [str(found[key]) for key in ("b", "3")] == ["too late", "the provider gave no answer and no reason"]
    assert len(found) == 3


@pytest.mark.parametrize(
    ("status", "reasons", "message"),
    [
        ("expired", [], "batch batch_1 expired, without an answer to this request"),
        ("cancelled", [], "batch batch_1 was cancelled, without an answer to this request"),
        ("failed", ["Enqueued token limit reached"], "batch batch_1 failed: Enqueued token limit reached"),
    ],
)
def test_what_was_answered_before_a_batch_broke_off_is_kept(
    cache: AnswerCache, status: str, reasons: list[str], message: str
) -> None:
    with BatchServer(shout) as server:
        server.status, server.reasons = status, reasons
        server.edit = lambda lines: [line for line in lines if line["custom_id"] in kept]
        sender = model(server, cache)
        kept = {sender._key(asked) for asked in requests()[::2]}
        found = sender.complete(requests())
        assert texts(found) == [f"Q{n}" if n % 2 == 0 else None for n in range(COUNT)]
        assert isinstance(found[1], ItemError)
        assert found[1].message == f"openai/x: {message}"
        assert "run the command again" in str(found[1].hint)
        server.status, server.reasons, server.edit = "completed", [], lambda lines: lines
        assert texts(sender.complete(requests())) == [f"Q{n}" for n in range(COUNT)]
        assert [len(lines) for lines in server.batches] == [COUNT, COUNT // 2]


# What goes wrong


def test_a_fault_of_the_network_while_waiting_is_waited_out(cache: AnswerCache) -> None:
    with BatchServer(shout) as server:
        server.faults = {
            ("POST", "/files"): [500, 429],
            ("GET", "/batch_1"): [500] * (batch.LOOKS - 1),
            ("GET", "/content"): [503],
        }
        assert texts(model(server, cache).complete(requests(2))) == ["Q0", "Q1"]
        assert len(server.batches) == 1


@pytest.mark.parametrize(("path", "tries"), [("/files", 3), ("/batches", 1)])
def test_a_batch_that_cannot_be_sent_ends_the_run(cache: AnswerCache, path: str, tries: int) -> None:
    with BatchServer(shout) as server:
        server.faults = {("POST", path): [500] * 9}
        with pytest.raises(ModelError, match=r"openai/x: the batch cannot be sent: .*scripted fault") as problem:
            model(server, cache).complete(requests(2))
        assert "omit --batch" in str(problem.value.hint)
        assert server.count("POST", path) == tries
        server.faults = {}
        assert texts(model(server, cache).complete(requests(2))) == ["Q0", "Q1"]


def test_a_server_without_a_batch_api_is_named(cache: AnswerCache) -> None:
    with LoopbackServer(["yes"]) as server:
        sender = LiteLLM("openai/x", Options(api_base=server.url, batch=True), cache)
        with pytest.raises(ModelError, match=r"the batch cannot be sent: .*unknown path") as problem:
            sender.complete(requests(1))
    assert "omit --batch" in str(problem.value.hint)


@pytest.mark.parametrize(
    ("path", "statuses"), [("/batch_1", [500] * batch.LOOKS), ("/batch_1", [404]), ("/content", [401])]
)
def test_a_batch_that_cannot_be_collected_stays_known(cache: AnswerCache, path: str, statuses: list[int]) -> None:
    with BatchServer(shout) as server:
        server.faults = {("GET", path): statuses}
        with pytest.raises(ModelError, match="openai/x: the answers of batch batch_1 cannot be collected") as problem:
            model(server, cache).complete(requests(2))
        assert "run the command again" in str(problem.value.hint)
        assert texts(model(server, cache).complete(requests(2))) == ["Q0", "Q1"]
        assert len(server.batches) == 1


def test_an_interrupted_wait_goes_on_with_the_rest_in_a_batch_of_its_own(
    cache: AnswerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with BatchServer(shout) as server:
        server.hold.set()
        with monkeypatch.context() as patch:
            patch.setattr(batch.time, "sleep", interrupt)
            with (
                pytest.warns(GraphEvalWarning, match="batch_1 goes on at the provider"),
                pytest.raises(KeyboardInterrupt),
            ):
                model(server, cache).complete(requests(3))
        server.hold.clear()
        assert texts(model(server, cache).complete(requests(5)[1:])) == ["Q1", "Q2", "Q3", "Q4"]
        assert [len(lines) for lines in server.batches] == [3, 2]
        assert texts(model(server, cache).complete(requests(1))) == ["Q0"], "paid with the first batch"
        assert [len(lines) for lines in server.batches] == [3, 2]


def test_batches_are_forgotten_when_they_are_old_or_the_cache_is_cleared(tmp_path: Path) -> None:
    now = [0.0]
    cache = AnswerCache(tmp_path / "a.sqlite", clock=lambda: now[0])
    cache.add_batch("b1", ["x", "y"])
    assert cache.batches(["y", "z"]) == {"y": "b1"}
    now[0] = (BATCH_DAYS + 1) * DAY
    assert cache.batches(["x", "y"]) == {}
    cache.add_batch("b2", ["x"])
    cache.trim()
    now[0] = 0.0
    assert cache.batches(["x", "y"]) == {"x": "b2"}
    cache.clear()
    assert cache.batches(["x"]) == {}
    cache.close()


def test_a_client_without_a_cache_is_refused() -> None:
    with pytest.raises(UsageError, match="--batch needs the answer cache"):
        LiteLLM("openai/x", Options(batch=True))
