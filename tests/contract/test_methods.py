"""Every method of self-checking keeps the contract: those of the package and objects of a user."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from graph_eval.consistency.embedding import Matrix, WordVectors
from graph_eval.consistency.foreign import as_method
from graph_eval.consistency.method import Method
from graph_eval.nli.scores import binary
from graph_eval.registry import create, parts
from graph_eval.testing.methods import MethodContract
from graph_eval.text.normalise import content_words

NAMES = ["ngram", "ngram:mean", "ngram:2,max", "cosine", "nli", "graph", "ensemble:nli+graph", "ensemble:ngram+cosine"]


@cache
def created(name: str) -> Method:
    """The method of that name, whose weights are loaded once."""
    method: Method = create("method", name)
    return method


class TestBuiltin(MethodContract):
    @pytest.fixture(params=NAMES)
    def method(self, request: pytest.FixtureRequest) -> Method:
        return created(request.param)


def share(sample: str, sentence: str) -> float:
    """The share of the words of the sentence that are in the sample."""
    words, known = ({word for word, _ in content_words(text)} for text in (sentence, sample))
    return len(words & known) / max(1, len(words))


class Overlap:
    """A scorer of pairs."""

    fingerprint = "overlap-1"
    max_tokens = 100

    def score(self, pairs: Sequence[tuple[str, str]]) -> Any:
        rows = [binary(share(*pair)) for pair in pairs]
        return np.array([(row.entailment, row.contradiction, row.neutral) for row in rows]).reshape(-1, 3)


class Tokens:
    """An embedder of tokens: each word has a vector of its own, whatever stands around it."""

    fingerprint = "tokens-1"

    def embed_tokens(self, texts: Sequence[str]) -> list[tuple[Matrix, Any]]:
        found = []
        for text in texts:
            words = [word for word, _ in content_words(text)]
            rows = [np.random.default_rng(int.from_bytes(word.encode())).normal(size=32) for word in words]
            found.append((np.array(rows).reshape(-1, 32), np.ones(len(rows), dtype=bool)))
        return found


def answer(prompt: str) -> str:
    """A model that says yes if the context has the words of the sentence."""
    context, sentence = (part.split(">>>\n")[1].split("\n<<<")[0] for part in prompt.split("\n\n")[2:4])
    return "Yes." if share(context, sentence) > 0.9 else "No."


OBJECTS: dict[str, Any] = {
    "a scorer of pairs": Overlap(),
    "an embedder": WordVectors(),
    "an embedder of tokens": Tokens(),
    "a function": lambda sentence, sample: 1.0 - share(sample, sentence),
    "a checker": create("checker", "builtin"),
}


class TestObjects(MethodContract):
    @pytest.fixture(params=OBJECTS, ids=str)
    def method(self, request: pytest.FixtureRequest) -> Method:
        return as_method(OBJECTS[request.param])


class TestPrompt(MethodContract):
    @pytest.fixture
    def method(self) -> Method:
        from graph_eval.consistency.prompt import PromptMethod

        return PromptMethod(answer)


class TestPromptResponse(MethodContract):
    scores_sentences = False

    @pytest.fixture
    def method(self) -> Method:
        from graph_eval.consistency.prompt import PromptResponseMethod

        return PromptResponseMethod(lambda _: "0.75")


def test_the_names_are_those_of_the_documentation() -> None:
    assert set(parts("method")) == {
        *("nli", "cosine", "bertscore", "prompt", "prompt-response", "ngram", "graph", "ensemble"),
    }
