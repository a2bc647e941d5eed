"""Trains RepC's classifiers on labelled claims (RefChecker, arXiv 2405.14486; checker/repc/ml_models.py of 0.2.17).

Records: `claims` (triplets or texts), `ys` (a label for each claim), `reference` or `context`, `question`. A fifth of
the records is held out. It is used for early stopping of networks and of the last layer of an ensemble, and to measure
the classifier. All random numbers come from one seed.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graph_eval.checkers.hf import repc
from graph_eval.checkers.hf.repc import Backbone, Classifier, Description, Expert, Kind, Matrix, Network, SupportVectors
from graph_eval.errors import MissingPartError, UsageError
from graph_eval.machine import machine
from graph_eval.settings import Settings
from graph_eval.types import COLUMNS, Example, ItemError
from graph_eval.version import versions

HELD_OUT = 5  # one of 5 records is held out
LAYERS = {"nn": 17, "svm": 15}  # RefChecker's choice, of 32
EPOCHS, PATIENCE, BATCH = 300, 10, 32


def train(
    records: Iterable[Example | ItemError],
    kind: Kind,
    model: str,
    layer: int | None,
    output: Path,
    settings: Settings,
    seed: int = 0,
) -> dict[str, Any]:
    """Writes the classifier into the folder `output`. Returns the field `trained` of its description.

    `layer`: of `nn` and `svm`, from 0. The default is RefChecker's, scaled to the model's depth. Raises UsageError for
    records without labels, for too few labels, and for a layer that the model does not have.
    """
    pairs, labels, groups = _labelled(records)
    states = Backbone(model, settings).rows(pairs)
    kept = [index for index, row in enumerate(states) if not isinstance(row, Exception)]
    inputs = np.array([states[index] for index in kept], dtype=np.float32)  # (n, depth, size)
    truth = np.array([labels[index] for index in kept])
    held = _held_out([groups[index] for index in kept], seed)
    depth = inputs.shape[1]
    layers = tuple(range(depth)) if kind.endswith("_ensemble") else (_layer(kind, layer, depth),)
    if set(truth[~held]) != {0, 1, 2} or not held.any():
        raise UsageError(
            f"{len(kept)} labelled claims of {len(set(groups))} records are too few",
            "add records: every label must occur in the training part, and the held-out part must not be empty",
        )
    experts, tensors, machines = _experts(kind, {index: inputs[:, index] for index in layers}, truth, held, seed)
    gate = None
    if kind.endswith("_ensemble"):
        outputs = [experts[index].probabilities(inputs[:, index]) for index in layers]
        gate = _gate(repc.gate_inputs(outputs, kind), truth, held, seed)
        tensors |= {"gate.weight": gate[0], "gate.bias": gate[1]}
    trained: dict[str, Any] = {
        "claims": int((~held).sum()),
        "held_out": int(held.sum()),
        "left_out": len(states) - len(kept),
        "seed": seed,
        "versions": versions(),
        "machine": machine(),
    }
    description = Description(kind, model, depth, layers, trained)
    predictions = Classifier(description, experts, gate).probabilities(inputs[held]).argmax(axis=1)
    trained |= _figures(predictions, truth[held])
    repc.write(output, description, tensors, machines)
    return trained


def _experts(
    kind: Kind, states: Mapping[int, Matrix], truth: Any, held: Any, seed: int
) -> tuple[dict[int, Expert], dict[str, Matrix], dict[int, bytes]]:
    """The experts, the tensors of networks, and the support vector machines as ONNX: the last two for the files."""
    experts: dict[int, Expert] = {}
    tensors: dict[str, Matrix] = {}
    machines: dict[int, bytes] = {}
    for layer, inputs in states.items():
        if kind.startswith("svm"):
            machines[layer] = _support_vectors(inputs[~held], truth[~held], seed)
            experts[layer] = SupportVectors(machines[layer])
        else:
            network = _network(inputs, truth, held, inputs.shape[1] // 4 or 1, seed + layer)
            tensors |= {f"expert.{layer}.{name}": value for name, value in network.items()}
            experts[layer] = Network(network)
    return experts, tensors, machines


def _figures(predictions: Any, truth: Any) -> dict[str, Any]:
    """Accuracy, and the recall of each label that occurs, over the held-out claims."""
    correct = predictions == truth
    recalls = {
        label: round(float(correct[truth == column].mean()), 4)
        for column, label in enumerate(COLUMNS)
        if (truth == column).any()
    }
    return {"held_out_accuracy": round(float(correct.mean()), 4), "held_out_recall": recalls}


def _labelled(records: Iterable[Example | ItemError]) -> tuple[list[tuple[str, str]], list[int], list[int]]:
    """(premise, claim) pairs, the column of each one's label, and the number of its record.

    A claim with one label is paired with all passages, a claim with a list of labels with one passage for each label.
    """
    pairs: list[tuple[str, str]] = []
    labels: list[int] = []
    groups: list[int] = []
    for n, example in enumerate(records):
        if isinstance(example, ItemError):
            raise UsageError(str(example), "correct the record, or remove it")
        claims, record_labels = example.meta.get("claims"), example.meta.get("ys")
        if not isinstance(claims, list) or not isinstance(record_labels, list) or len(claims) != len(record_labels):
            raise UsageError(
                f"record {n + 1} needs one label for each claim",
                'use lists "claims" and "ys" of equal length, as RefChecker does',
            )
        texts = [passage.text for passage in example.passages]
        for claim, given in zip(claims, record_labels, strict=True):
            by_passage = isinstance(given, list)
            of_claim = given if by_passage else [given]
            premises = texts if by_passage else ["\n".join(texts)]
            if len(premises) != len(of_claim):
                raise UsageError(
                    f"record {n + 1}: {len(of_claim)} labels of a claim for {len(premises)} references",
                    "give the claim one label, or one for each reference",
                )
            for premise, label in zip(premises, of_claim, strict=True):
                if label not in COLUMNS:
                    raise UsageError(f"record {n + 1}: unknown label {label!r}", f"known labels: {', '.join(COLUMNS)}")
                text = claim if isinstance(claim, str) else " ".join(map(str, claim))
                pairs.append((repc.with_question(example.question, premise), text))
                labels.append(COLUMNS.index(label))
                groups.append(n)
    return pairs, labels, groups


def _held_out(groups: Sequence[int], seed: int) -> Any:
    """A mask over claims. Whole records are held out, so that training never uses claims of a measured record."""
    distinct = sorted(set(groups))
    random.Random(seed).shuffle(distinct)  # noqa: S311
    chosen = set(distinct[::HELD_OUT]) if len(distinct) > 1 else set()
    return np.array([group in chosen for group in groups], dtype=bool)


def _layer(kind: str, layer: int | None, depth: int) -> int:
    index = LAYERS[kind] * depth // 32 if layer is None else layer
    if not 0 <= index < depth:
        raise UsageError(f"unknown layer {layer}", f"use a number from 0 to {depth - 1}")
    return index


def _support_vectors(states: Matrix, truth: Any, seed: int) -> bytes:
    """A scaler and a support vector machine with radial kernel, as ONNX."""
    import warnings

    try:
        from skl2onnx import to_onnx
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[repc]'") from problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # about the probabilities, which RefChecker's machines have too
        machine = make_pipeline(StandardScaler(), SVC(kernel="rbf", probability=True, random_state=seed))
        machine.fit(states, truth)
        data: bytes = to_onnx(machine, states[:1], options={id(machine): {"zipmap": False}}).SerializeToString()
    return data


def _network(states: Matrix, truth: Any, held: Any, inner: int, seed: int) -> dict[str, Matrix]:
    import torch

    torch.manual_seed(seed)
    first, second = torch.nn.Linear(states.shape[1], inner), torch.nn.Linear(inner, 3)
    network = torch.nn.Sequential(OrderedDict(layer1=first, relu=torch.nn.ReLU(), layer2=second))
    _fit(network, states, truth, held, rate=1e-4, decay=1e-4)
    return {name: value.numpy() for name, value in network.state_dict().items()}


def _gate(inputs: Matrix, truth: Any, held: Any, seed: int) -> tuple[Matrix, Matrix]:
    import torch

    torch.manual_seed(seed)
    layer = torch.nn.Linear(inputs.shape[1], 3)
    _fit(layer, inputs, truth, held, rate=1e-3, decay=1e-5)
    return layer.weight.detach().numpy(), layer.bias.detach().numpy()


def _fit(network: Any, states: Matrix, truth: Any, held: Any, rate: float, decay: float) -> None:
    """Trains the network in place and keeps the weights with the smallest loss on the held-out claims."""
    import torch

    values, classes = torch.from_numpy(states), torch.from_numpy(truth)
    train, test = torch.from_numpy(np.flatnonzero(~held)), torch.from_numpy(np.flatnonzero(held))
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    best_loss, best_state, waited = float("inf"), None, 0
    for _ in range(EPOCHS):
        for batch in train[torch.randperm(len(train))].split(BATCH):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(network(values[batch]), classes[batch]).backward()
            optimiser.step()
        with torch.no_grad():
            loss = float(torch.nn.functional.cross_entropy(network(values[test]), classes[test]))
        if loss < best_loss:
            best_loss, waited = loss, 0
            best_state = {name: value.clone() for name, value in network.state_dict().items()}
        else:
            waited += 1
            if waited >= PATIENCE:
                break
    if best_state is not None:
        network.load_state_dict(best_state)
