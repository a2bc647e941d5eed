"""RepC: a small classifier of a language model's hidden states for a claim (RefChecker, arXiv 2405.14486).

As in checker/repc/repc_checker.py and ml_models.py of refchecker 0.2.17. The input is a prompt that asks for the NLI
label: the hidden states of its last token after every layer. `nn`: a network with one hidden layer over the states of
one layer. `svm`: a support vector machine over them, scaled. `nn_ensemble` and `svm_ensemble`: one of them for each
layer, and a linear layer over all their probabilities. RefChecker's own classifiers are pickles and are not read.
`graph-eval bench repc-train` trains others on labelled claims.

A classifier is a folder: classifier.json, classifier.safetensors, and an ONNX file for each support vector machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import Source, model_of, needs_hf
from graph_eval.checkers.hf.published import PromptedChecker
from graph_eval.checkers.windows import Window
from graph_eval.errors import MissingPartError
from graph_eval.nli.scores import softmax
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH, Settings
from graph_eval.types import Scores

Kind = Literal["svm", "svm_ensemble", "nn", "nn_ensemble"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MODEL = "teknium/OpenHermes-2.5-Mistral-7B"
DESCRIPTION, TENSORS = "classifier.json", "classifier.safetensors"
PROMPT = (
    "<|im_start|>system\nConsider the NLI label between the user given premise and hypothesis.<|im_end|>\n"
    "<|im_start|>user\nPremise: {premise}\nHypothesis: {hypothesis}<|im_end|>\n"
    "<|im_start|>assistant\nThe NLI label (Entailment, Neutral, Contradiction) is"
)
Matrix = NDArray[np.float32]


class Backbone(PromptedChecker):
    """The language model. A row is the last token's states after each layer, (layers, size)."""

    repository = MODEL
    limit = 4096

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self.engine.alone = True  # transformers 4 collects the hidden states of all threads in one place

    def load(self, device: Any, dtype: Any) -> Any:
        from transformers import AutoModelForCausalLM

        return model_of(AutoModelForCausalLM, self.source, dtype).base_model.to(device)

    def prompt(self, premise: str, hypothesis: str) -> str:
        return PROMPT.format(premise=_plain(premise), hypothesis=_plain(hypothesis))

    def premise(self, question: str | None, window: Window) -> str:
        return with_question(question, window.text)

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        import torch

        hidden = model(**tensors, output_hidden_states=True, use_cache=False).hidden_states[1:]
        last = tensors["attention_mask"].sum(1) - 1
        rows = torch.arange(len(last), device=last.device)
        return torch.stack([layer[rows, last] for layer in hidden], dim=1)

    def scores(self, row: Array) -> Scores:
        raise NotImplementedError  # a backbone without a classifier has no scores


@checker(
    "repc",
    argument="FOLDER",
    example="repc:./classifier",
    reads=("threads", *OF_TORCH),
    extra="hf",
)
class RepCChecker(Backbone):
    """`model`: the folder of a classifier, whose description names the language model."""

    def __init__(self, model: str, settings: Settings | None = None) -> None:
        self.classifier = Classifier.read(Path(model))
        super().__init__(self.classifier.description.model, settings)
        self._folder = Source(model, None)

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint}:{self._folder.fingerprint}"

    def scores(self, row: Array) -> Scores:
        return Scores(*map(float, self.classifier.probabilities(row[None].astype(np.float32))[0]))


@dataclass(frozen=True, slots=True)
class Description:
    """`layers`: those with an expert, from 0. `depth`: the number of the model's layers. `trained`: the data and the
    accuracy of the training."""

    kind: Kind
    model: str
    depth: int
    layers: tuple[int, ...]
    trained: Mapping[str, Any]


class Expert(Protocol):
    """A classifier of the states of one layer."""

    def probabilities(self, states: Matrix) -> Matrix:
        """(n, size) -> (n, 3): entailment, neutral, contradiction."""
        ...


@dataclass(frozen=True, slots=True)
class Network:
    """A network with one hidden layer and ReLU."""

    tensors: Mapping[str, Matrix]

    def probabilities(self, states: Matrix) -> Matrix:
        inner = states @ self.tensors["layer1.weight"].T + self.tensors["layer1.bias"]
        outer = np.maximum(inner, 0) @ self.tensors["layer2.weight"].T + self.tensors["layer2.bias"]
        probabilities: Matrix = softmax(outer).astype(np.float32)
        return probabilities


class SupportVectors:
    """A scaler and a support vector machine with probabilities. `data`: both as ONNX."""

    def __init__(self, data: bytes) -> None:
        import onnxruntime

        self._data = data
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])

    def probabilities(self, states: Matrix) -> Matrix:
        probabilities: Matrix = self._session.run(None, {"X": states})[1]
        return probabilities

    def __reduce__(self) -> tuple[type[SupportVectors], tuple[bytes]]:
        return SupportVectors, (self._data,)


@dataclass(frozen=True, slots=True)
class Classifier:
    """`gate`: of an ensemble, weights (3, 3 * layers) and biases (3,) over the experts' probabilities."""

    description: Description
    experts: Mapping[int, Expert]
    gate: tuple[Matrix, Matrix] | None

    def probabilities(self, states: Matrix) -> Matrix:
        """(n, depth, size) -> (n, 3)."""
        by_layer = [self.experts[layer].probabilities(states[:, layer]) for layer in self.description.layers]
        if self.gate is None:
            return by_layer[0]
        weights, biases = self.gate
        mixed: Matrix = softmax(gate_inputs(by_layer, self.description.kind) @ weights.T + biases).astype(np.float32)
        return mixed

    @classmethod
    def read(cls, folder: Path) -> Classifier:
        """From its folder. Raises MissingPartError for a folder without a classifier."""
        needs_hf()
        from safetensors.numpy import load_file

        try:
            value = json.loads((folder / DESCRIPTION).read_text("utf-8"))
            description = Description(**{**value, "layers": tuple(value["layers"])})
            tensors = load_file(folder / TENSORS) if (folder / TENSORS).exists() else {}
            gate = (tensors["gate.weight"], tensors["gate.bias"]) if description.kind.endswith("_ensemble") else None
            experts = {layer: _expert(description.kind, folder, layer, tensors) for layer in description.layers}
        except (OSError, ValueError, KeyError, TypeError) as problem:
            hint = "run graph-eval bench repc-train FILE -o FOLDER to train one"
            raise MissingPartError(f"{folder} does not hold a RepC classifier: {problem}", hint) from None
        return cls(description, experts, gate)


def write(folder: Path, description: Description, tensors: Mapping[str, Matrix], machines: Mapping[int, bytes]) -> None:
    """Writes a classifier. `machines`: support vector machines as ONNX, by layer."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    if tensors:
        save_file({name: np.ascontiguousarray(value) for name, value in tensors.items()}, folder / TENSORS)
    for layer, data in machines.items():
        _machine(folder, layer).write_bytes(data)
    (folder / DESCRIPTION).write_text(json.dumps(asdict(description), indent=2) + "\n", "utf-8")


def gate_inputs(by_layer: Sequence[Matrix], kind: str) -> Matrix:
    """The inputs of the gate: the experts' probabilities class by class, (n, 3 * experts). Those of support vector
    machines pass through a second softmax, as in RefChecker."""
    parts = [softmax(probabilities) for probabilities in by_layer] if kind.startswith("svm") else by_layer
    stacked: Matrix = np.stack(parts, axis=2).reshape(len(by_layer[0]), -1).astype(np.float32)
    return stacked


def with_question(question: str | None, passage: str) -> str:
    """The premise of a claim that answers a question."""
    return f"{question}\n{passage}" if question else passage


def _expert(kind: str, folder: Path, layer: int, tensors: Mapping[str, Matrix]) -> Expert:
    if kind.startswith("svm"):
        return SupportVectors(_machine(folder, layer).read_bytes())
    start = f"expert.{layer}."
    return Network({name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)})


def _machine(folder: Path, layer: int) -> Path:
    return folder / f"expert_{layer}.onnx"


def _plain(text: str) -> str:
    """The text without the marks that begin and end a turn of the prompt."""
    return text.replace("<|", "< |")
