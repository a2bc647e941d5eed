"""RepC: a small classifier over what a language model represents of a claim (RefChecker, arXiv 2405.14486).

As in checker/repc/repc_checker.py and ml_models.py of refchecker 0.2.17: the last token's hidden states, after every
layer, of a prompt that asks for the NLI label. `nn`: a network with one hidden layer over one layer's states; `svm`: a
support vector machine over them, scaled; `nn_ensemble` and `svm_ensemble`: one of them a layer, and a linear layer over
all their probabilities. RefChecker's own classifiers are pickles and are not read; `graph-eval bench repc-train` makes
others from labelled claims.

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

from graph_eval.checkers.builtin import softmax
from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import Source, model_of
from graph_eval.checkers.hf.published import PromptedChecker
from graph_eval.checkers.windows import Window
from graph_eval.errors import MissingPartError
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
    """The language model. A row: the last token's states after each layer, (layers, size)."""

    repository = MODEL
    limit = 4096

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self.engine.alone = True  # transformers 4 collects hidden states for all threads in one place

    def load(self, device: Any, dtype: Any) -> Any:
        from transformers import AutoModelForCausalLM

        return model_of(AutoModelForCausalLM, self.source, dtype).base_model.to(device)

    def prompt(self, premise: str, hypothesis: str) -> str:
        return PROMPT.format(premise=_plain(premise), hypothesis=_plain(hypothesis))

    def premise(self, question: str | None, window: Window) -> str:
        return asked(question, window.text)

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        import torch

        hidden = model(**tensors, output_hidden_states=True, use_cache=False).hidden_states[1:]
        last = tensors["attention_mask"].sum(1) - 1
        rows = torch.arange(len(last), device=last.device)
        return torch.stack([layer[rows, last] for layer in hidden], dim=1)

    def scores(self, row: Array) -> Scores:
        raise NotImplementedError  # a backbone alone does not judge


@checker(
    "repc",
    argument="FOLDER",
    example="repc:./classifier",
    reads=("threads", *OF_TORCH),
    extra="hf",
)
class RepCChecker(Backbone):
    """`model`: the folder of a classifier, which names its language model."""

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
    """`layers`: those that have an expert, from 0; `depth`: all of the model's. `trained`: on what, and how it did."""

    kind: Kind
    model: str
    depth: int
    layers: tuple[int, ...]
    trained: Mapping[str, Any]


class Expert(Protocol):
    def probabilities(self, states: Matrix) -> Matrix:
        """(n, size) -> (n, 3): entailment, neutral, contradiction."""
        ...


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer, ReLU."""

    tensors: Mapping[str, Matrix]

    def probabilities(self, states: Matrix) -> Matrix:
        inner = states @ self.tensors["layer1.weight"].T + self.tensors["layer1.bias"]
        outer = np.maximum(inner, 0) @ self.tensors["layer2.weight"].T + self.tensors["layer2.bias"]
        found: Matrix = softmax(outer).astype(np.float32)
        return found


class SupportVectors:
    """A scaler and a support vector machine with probabilities, as ONNX."""

    def __init__(self, data: bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])

    def probabilities(self, states: Matrix) -> Matrix:
        found: Matrix = self._session.run(None, {"X": states})[1]
        return found


@dataclass(frozen=True, slots=True)
class Classifier:
    """`gate`: of an ensemble, (3, 3 * layers) weights and (3,) biases over the experts' probabilities."""

    description: Description
    experts: Mapping[int, Expert]
    gate: tuple[Matrix, Matrix] | None

    def probabilities(self, states: Matrix) -> Matrix:
        """(n, depth, size) -> (n, 3)."""
        found = [self.experts[layer].probabilities(states[:, layer]) for layer in self.description.layers]
        if self.gate is None:
            return found[0]
        weights, biases = self.gate
        mixed: Matrix = softmax(gated(found, self.description.kind) @ weights.T + biases).astype(np.float32)
        return mixed

    @classmethod
    def read(cls, folder: Path) -> Classifier:
        """Raises MissingPartError for a folder that holds none."""
        try:
            from safetensors.numpy import load_file
        except ImportError as problem:
            raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[hf]'") from problem
        try:
            value = json.loads((folder / DESCRIPTION).read_text("utf-8"))
            description = Description(**{**value, "layers": tuple(value["layers"])})
            tensors = load_file(folder / TENSORS) if (folder / TENSORS).exists() else {}
            gate = (tensors["gate.weight"], tensors["gate.bias"]) if description.kind.endswith("_ensemble") else None
            experts = {layer: _expert(description.kind, folder, layer, tensors) for layer in description.layers}
        except (OSError, ValueError, KeyError, TypeError) as problem:
            hint = "graph-eval bench repc-train FILE -o FOLDER makes one"
            raise MissingPartError(f"{folder} holds no RepC classifier: {problem}", hint) from None
        return cls(description, experts, gate)


def write(folder: Path, description: Description, tensors: Mapping[str, Matrix], machines: Mapping[int, bytes]) -> None:
    """`machines`: ONNX files by layer."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    if tensors:
        save_file({name: np.ascontiguousarray(value) for name, value in tensors.items()}, folder / TENSORS)
    for layer, data in machines.items():
        _machine(folder, layer).write_bytes(data)
    (folder / DESCRIPTION).write_text(json.dumps(asdict(description), indent=2) + "\n", "utf-8")


def gated(found: Sequence[Matrix], kind: str) -> Matrix:
    """What the gate reads: class by class the experts' probabilities, (n, 3 * experts). Those of support vector
    machines go through a softmax once more, as in RefChecker."""
    parts = [softmax(item) for item in found] if kind.startswith("svm") else found
    stacked: Matrix = np.stack(parts, axis=2).reshape(len(found[0]), -1).astype(np.float32)
    return stacked


def asked(question: str | None, passage: str) -> str:
    return f"{question}\n{passage}" if question else passage


def _expert(kind: str, folder: Path, layer: int, tensors: Mapping[str, Matrix]) -> Expert:
    if kind.startswith("svm"):
        return SupportVectors(_machine(folder, layer).read_bytes())
    start = f"expert.{layer}."
    return Network({name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)})


def _machine(folder: Path, layer: int) -> Path:
    return folder / f"expert_{layer}.onnx"


def _plain(text: str) -> str:
    """The marks of the prompt's turns are no words of a text."""
    return text.replace("<|", "< |")
