"""The parameters that models take: by the real litellm's mapping, and against servers that refuse some."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_eval.llm.client import LiteLLM
from graph_eval.llm.model import Completion, Message, Request
from graph_eval.llm.options import Options
from graph_eval.llm.parameters import Parameters
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest
from graph_eval.types import ItemError
from tests.models import sensible

pytestmark = pytest.mark.usefixtures("own_cache")
DEFAULT = {"temperature": 0.0}
SCORED = {"temperature": 0.0, "logprobs": True, "top_logprobs": 5}
PRESET = {"temperature": 1.0, "top_p": 1.0, "top_k": 250}
EFFORT = {"temperature": 0.0, "reasoning_effort": "low"}
ALL = "temperature logprobs top_logprobs"

# model, and what is sent of: the default with log probabilities, the preset, the default with a reasoning effort
TABLE = [
    ("openai/gpt-4o-mini", ALL, "temperature top_p", "temperature"),
    ("openai/gpt-4.1", ALL, "temperature top_p", "temperature"),
    ("openai/gpt-5", "", "temperature", "reasoning_effort"),
    ("openai/gpt-5-mini", "", "temperature", "reasoning_effort"),
    ("openai/gpt-5-chat-latest", ALL, "temperature top_p", "temperature"),
    ("openai/o1", "", "temperature", "reasoning_effort"),
    ("openai/o3-mini", "", "temperature", "reasoning_effort"),
    ("openai/o4-mini", "", "temperature", "reasoning_effort"),
    ("azure/gpt-4o", ALL, "temperature top_p", "temperature"),
    ("azure/o3-mini", "", "temperature", "reasoning_effort"),
    ("azure/o4-mini", "", "temperature", "reasoning_effort"),
    ("anthropic/claude-opus-4-7", "", "temperature top_k", "reasoning_effort"),
    ("anthropic/claude-3-5-haiku-latest", "temperature", "temperature top_p top_k", "temperature"),
    ("gemini/gemini-2.0-flash", "temperature", "temperature top_p top_k", "temperature"),
    ("gemini/gemini-2.5-pro", "temperature", "temperature top_p top_k", "temperature reasoning_effort"),
    ("vertex_ai/gemini-2.5-pro", ALL, "temperature top_p top_k", "temperature reasoning_effort"),
    ("mistral/mistral-large-latest", "temperature", "temperature top_p top_k", "temperature"),
    ("groq/llama-3.3-70b-versatile", ALL, "temperature top_p", "temperature"),
    ("ollama_chat/llama3.1", "temperature", "temperature top_p top_k", "temperature reasoning_effort"),
    ("bedrock/anthropic.claude-v2", "temperature", "temperature top_p top_k", "temperature"),
    ("bedrock/anthropic.claude-3-5-sonnet-20241022-v2:0", "temperature", "temperature top_p top_k", "temperature"),
    ("together_ai/meta-llama/Llama-3-70b-chat-hf", ALL, "temperature top_p", "temperature"),
    ("deepseek/deepseek-chat", ALL, "temperature top_p", "temperature reasoning_effort"),
    ("xai/grok-4", ALL, "temperature top_p", "temperature"),
    ("cohere/command-r-plus", "temperature", "temperature top_p top_k", "temperature"),
    ("perplexity/sonar", "temperature", "temperature top_p", "temperature"),
    ("hosted_vllm/qwen", ALL, "temperature top_p", "temperature reasoning_effort"),
    ("openrouter/openai/gpt-5", ALL, "temperature top_p top_k", "temperature reasoning_effort"),
]


def request(**fields: object) -> Request:
    return Request((Message("system", "s"), Message("user", "q")), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "scored", "preset", "effort"), TABLE, ids=[row[0] for row in TABLE])
def test_what_a_model_takes(name: str, scored: str, preset: str, effort: str) -> None:
    own = Parameters(name, frozenset(PRESET))
    assert set(own.accepted(SCORED)) == set(scored.split())
    assert set(own.accepted(PRESET)) == set(preset.split())
    assert set(own.accepted(EFFORT)) == set(effort.split())
    sent = set(f"{scored} {preset} {effort}".split())
    assert set(own.left_out) >= {*SCORED, *PRESET, *EFFORT} - sent


def test_a_top_k_of_ones_own_is_sent_to_a_server_that_may_know_it() -> None:
    assert Parameters("hosted_vllm/qwen").accepted({"top_k": 5}) == {"top_k": 5}


def refusing(*names: str, otherwise: Callable[[ReceivedRequest], str] = lambda _: "fine") -> object:
    """Answers like OpenAI's server where a request has a parameter that the model does not take."""

    def answer(received: ReceivedRequest) -> str | Fault:
        for name in names:
            if name in received.body:
                return Fault(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        return otherwise(received)

    return answer


@pytest.mark.parametrize(
    ("script", "options", "left_out", "sent"),
    [
        (refusing("temperature"), {}, ("temperature",), {}),
        (refusing("temperature", "seed"), {"seed": 3}, ("temperature", "seed"), {}),
        (refusing("top_logprobs"), {}, ("logprobs", "top_logprobs"), {"temperature": 0.0}),
        (refusing("max_tokens"), {"max_tokens": 9}, (), {"temperature": 0.0, "max_completion_tokens": 9}),
        (refusing("max_tokens", "max_completion_tokens"), {"max_tokens": 9}, ("max_tokens",), {"temperature": 0.0}),
    ],
)
def test_what_a_server_refuses_is_left_out_from_then_on(script, options, left_out, sent) -> None:
    with LoopbackServer(script) as server:
        model = LiteLLM("openai/x", Options(api_base=server.url, retries=0, **options))
        first, second = model.complete([request()]), model.complete([request(logprobs=True)])
        assert isinstance(first[0], Completion)
        assert isinstance(second[0], Completion)
        assert set(model.left_out) == set(left_out)
        body = dict(server.requests[-1].body)
        for name in ("logprobs", "top_logprobs", "model", "messages"):
            body.pop(name, None)
        assert body == sent
        refused = len(set(left_out) - {"logprobs"}) + ("max_completion_tokens" in sent or "max_tokens" in left_out)
        assert len(server.requests) == 2 + refused


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "the temperature of the prompt is wrong"),
        (400, f"the temperature of the prompt {'is far too high ' * 9}, and the file is not supported"),
        (500, "Unsupported parameter: 'temperature'"),
    ],
)
def test_a_refusal_that_names_no_parameter_stands(status: int, message: str) -> None:
    with LoopbackServer([Fault(status, message)]) as server:
        model = LiteLLM("openai/x", Options(api_base=server.url, retries=0))
        (found,) = model.complete([request()])
        assert len(server.requests) == 1
    assert isinstance(found, ItemError)
    assert "temperature" in found.message
    assert model.left_out == ()


@pytest.mark.parametrize("name", ["openai/o3-mini", "openai/gpt-5", "azure/o4-mini"])
def test_a_reasoning_model_works_by_default(invoke, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_API_VERSION", "2025-01-01-preview")
    monkeypatch.setenv("AZURE_API_KEY", "none")
    record = {"id": "a", "response": "Tower1 opened in 1801.", "context": "Tower1 opened in 1801."}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    with LoopbackServer(refusing("temperature", "top_p", "max_tokens", "logprobs", otherwise=sensible)) as server:
        base = server.root if name.startswith("azure") else server.url
        models = ("--extractor", f"llm:{name}", "--checker", f"llm:{name}", "--api-base", base)
        done = invoke("check", "a.jsonl", *models, "--cache", "off", "--preset", "grapheval", "--max-tokens", "500")
        assert done.returncode == 0, done.stderr
        assert f"{name}: the model does not take" in done.stderr
        assert all(received.body["max_completion_tokens"] == 500 for received in server.requests)
        assert not any("top_k" in received.body for received in server.requests)


@pytest.mark.parametrize(
    "name", ["anthropic/claude-opus-4-7", "anthropic/claude-3-5-haiku-latest", "gemini/gemini-2.5-pro"]
)
@pytest.mark.parametrize("mode", ["joint", "single"])
def test_other_protocols_end_to_end(invoke, tmp_path: Path, name: str, mode: str) -> None:
    record = {
        "id": "a",
        "response": "Tower1 opened in 1801. Tower1 measures 9 metres.",
        "context": "Tower1 opened in 1801.",
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")

    def answer(received: ReceivedRequest) -> str | Fault:
        sampling = received.body.get("generationConfig", received.body)
        if "opus-4-7" in name and {"temperature", "top_p", "top_k"} & set(received.body):
            return Fault(400, "`temperature` is deprecated for this model.")
        assert "top_logprobs" not in sampling
        return sensible(received)

    with LoopbackServer(answer) as server:
        models = ("--extractor", f"llm:{name}", "--checker", f"llm:{name}", "--api-base", server.root)
        done = invoke("check", "a.jsonl", *models, "--cache", "off", "--check-mode", mode, "--format", "jsonl")
        assert done.returncode == 0, done.stderr
        (result,) = map(json.loads, done.stdout.splitlines())
        assert [judgement["label"] for judgement in result["judgements"]] == ["Entailment", "Neutral"]


SHARED = Message("user", "the passages: the claim", len("the passages: "))


@pytest.mark.parametrize(
    ("name", "marked"),
    [("anthropic/claude-opus-4-7", True), ("openai/gpt-4o-mini", False), ("hosted_vllm/qwen", False)],
)
def test_requests_that_begin_alike_are_marked_for_the_providers_cache(name: str, marked: bool) -> None:
    others = [request(), *(Request((SHARED._replace(content=SHARED.content + end),)) for end in "ab")]
    with LoopbackServer(lambda _: "fine") as server:
        base = server.root if name.startswith("anthropic") else server.url
        model = LiteLLM(name, Options(api_base=base, retries=0))
        assert all(isinstance(answer, Completion) for answer in model.complete(others))
        assert all(isinstance(answer, Completion) for answer in model.complete([Request((SHARED,))]))
    *together, alone = [item.raw["messages"][-1]["content"] for item in server.requests]
    begun = [content for content in together if isinstance(content, list) and "cache_control" in content[0]]
    assert len(begun) == 2 * marked
    assert [content[0]["text"] for content in begun] == ["the passages: "] * len(begun)
    assert "cache_control" not in json.dumps(alone)


def test_a_server_that_refuses_the_marks_gets_none() -> None:
    def answer(received: ReceivedRequest) -> str | Fault:
        marked = "cache_control" in json.dumps(received.raw)
        return Fault(400, "messages.0.cache_control: Extra inputs are not permitted") if marked else "fine"

    with LoopbackServer(answer) as server:
        model = LiteLLM("anthropic/claude-opus-4-7", Options(api_base=server.root, retries=0, concurrency=1))
        requests = [Request((SHARED._replace(content=SHARED.content + end),)) for end in "abc"]
        assert all(isinstance(answer, Completion) for answer in model.complete(requests))
        assert len(server.requests) == 1 + 3
