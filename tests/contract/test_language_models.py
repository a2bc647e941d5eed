"""Every language model keeps the contract of `graph_eval.testing.models`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph_eval.llm.cache import AnswerCache
from graph_eval.llm.client import LiteLLM
from graph_eval.llm.model import LLM, FunctionModel
from graph_eval.llm.options import Options
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest
from graph_eval.testing.models import FAILING, LLMContract


class TestFunctionModel(LLMContract):
    @pytest.fixture
    def model(self) -> LLM:
        def answer(prompt: str) -> str:
            if FAILING in prompt:
                raise ValueError("scripted error")
            return prompt.upper()

        return FunctionModel(answer)


def scripted(request: ReceivedRequest) -> str | Fault:
    """The last message in capitals; an error that providers raise for one text only."""
    if FAILING in request.text:
        return Fault(400, "This model's maximum context length is 9 tokens")
    return request.last.upper()


class TestLiteLLM(LLMContract):
    @pytest.fixture
    def model(self) -> Iterator[LLM]:
        with LoopbackServer(scripted) as server:
            yield LiteLLM("openai/x", Options(api_base=server.url, concurrency=4, retries=1))


class TestLiteLLMWithACache(LLMContract):
    @pytest.fixture
    def model(self, tmp_path: Path) -> Iterator[LLM]:
        with LoopbackServer(scripted) as server:
            cache = AnswerCache(tmp_path / "answers.sqlite")
            yield LiteLLM("openai/x", Options(api_base=server.url, concurrency=4, retries=1), cache)
            cache.close()
