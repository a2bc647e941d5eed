"""Trains RepC's classifiers on labelled claims (RefChecker, arXiv 2405.14486; checker/repc/ml_models.py of 0.2.17).

Records: `claims` (triplets or texts), `ys` (a label each), `reference` or `context`, `question`. A fifth of the records
is held out: it says when a network stops learning, what an ensemble's last layer is chosen by, and how good the
classifier is. Everything is drawn from one seed.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graph_eval.bench.record import machine
from graph_eval.checkers.hf import repc
from graph_eval.checkers.hf.repc import Backbone, Classifier, Description, Expert, Kind, Matrix, Network, SupportVectors
from graph_eval.errors import MissingPartError, UsageError
from graph_eval.settings import Settings
from graph_eval.types import COLUMNS, Example, ItemError
from graph_eval.version import versions

HELD_OUT = 5  # one record of so many
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
    """Writes the classifier into the folder `output`; returns what its description says of the training.

    `layer`, from 0, of `nn` and `svm`: by default RefChecker's, scaled to the model's depth. Raises UsageError for
    records without labels.
    """
    pairs, labels, groups = _labelled(records)
    backbone = Backbone(model, settings)
    states = backbone.rows(pairs)
    kept = [place for place, item in enumerate(states) if not isinstance(item, Exception)]
    inputs = np.array([states[place] for place in kept], dtype=np.float32)  # (n, depth, size)
    truth = np.array([labels[place] for place in kept])
    held = _held_out([groups[place] for place in kept], seed)
    depth = inputs.shape[1]
    layers = tuple(range(depth)) if kind.endswith("_ensemble") else (_layer(kind, layer, depth),)
    known = [set(truth[~held]), set(truth[held])]
    if known[0] != {0, 1, 2} or not known[1]:
        raise UsageError(
            f"{len(kept)} labelled claims of {len(set(groups))} records are too few",
            "each label has to occur in both parts",
        )
    tensors: dict[str, Matrix] = {}
    machines: dict[int, bytes] = {}
    experts: dict[int, Expert] = {}
    for place in layers:
        own = inputs[:, place]
        if kind.startswith("svm"):
            machines[place] = _support_vectors(own[~held], truth[~held], seed)
            experts[place] = SupportVectors(machines[place])
        else:
            found = _network(own, truth, held, own.shape[1] // 4 or 1, seed + place)
            tensors |= {f"expert.{place}.{name}": value for name, value in found.items()}
            experts[place] = Network(found)
    gate = None
    if kind.endswith("_ensemble"):
        mixed = repc.gated([experts[place].probabilities(inputs[:, place]) for place in layers], kind)
        gate = _gate(mixed, truth, held, seed)
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
    said = Classifier(description, experts, gate).probabilities(inputs[held])
    trained["held_out_accuracy"] = round(float((said.argmax(axis=1) == truth[held]).mean()), 4)
    recalls = {
        label: round(float((said.argmax(axis=1) == place)[truth[held] == place].mean()), 4)
        for place, label in enumerate(COLUMNS)
        if place in known[1]
    }
    trained["held_out_recall"] = recalls
    repc.write(output, description, tensors, machines)
    return trained


def _labelled(records: Iterable[Example | ItemError]) -> tuple[list[tuple[str, str]], list[int], list[int]]:
    pairs: list[tuple[str, str]] = []
    labels: list[int] = []
    groups: list[int] = []
    for n, example in enumerate(records):
        if isinstance(example, ItemError):
            raise UsageError(str(example), "every record has to be read to be trained on")
        claims, given = example.meta.get("claims"), example.meta.get("ys")
        if not isinstance(claims, list) or not isinstance(given, list) or len(claims) != len(given):
            raise UsageError(
                f"record {n + 1} lacks claims with a label each", 'give "claims" and "ys", as RefChecker does'
            )
        premise = repc.asked(example.question, "\n".join(passage.text for passage in example.passages))
        for claim, label in zip(claims, given, strict=True):
            if label not in COLUMNS:
                raise UsageError(f"record {n + 1} has a label {label!r}", f"known: {', '.join(COLUMNS)}")
            pairs.append((premise, claim if isinstance(claim, str) else " ".join(map(str, claim))))
            labels.append(COLUMNS.index(label))
            groups.append(n)
    return pairs, labels, groups


def _held_out(groups: Sequence[int], seed: int) -> Any:
    """Whole records, so that no claim is judged by what its neighbours taught."""
    distinct = sorted(set(groups))
    random.Random(seed).shuffle(distinct)  # noqa: S311
    chosen = set(distinct[::HELD_OUT]) if len(distinct) > 1 else set()
    return np.array([group in chosen for group in groups], dtype=bool)


def _layer(kind: str, layer: int | None, depth: int) -> int:
    found = LAYERS[kind] * depth // 32 if layer is None else layer
    if not 0 <= found < depth:
        raise UsageError(f"there is no layer {layer}", f"the model has {depth}, from 0")
    return found


def _support_vectors(states: Matrix, truth: Any, seed: int) -> bytes:
    """A scaler and a machine with radial kernel, as ONNX."""
    import warnings

    try:
        from skl2onnx import to_onnx
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[repc]'") from problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of the probabilities that RefChecker's machines have
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


def _gate(mixed: Matrix, truth: Any, held: Any, seed: int) -> tuple[Matrix, Matrix]:
    import torch

    torch.manual_seed(seed)
    layer = torch.nn.Linear(mixed.shape[1], 3)
    _fit(layer, mixed, truth, held, rate=1e-3, decay=1e-5)
    return layer.weight.detach().numpy(), layer.bias.detach().numpy()


def _fit(network: Any, states: Matrix, truth: Any, held: Any, rate: float, decay: float) -> None:
    """The weights with the smallest loss on what is held out."""
    import torch

    values, classes = torch.from_numpy(states), torch.from_numpy(truth)
    train, test = torch.from_numpy(np.flatnonzero(~held)), torch.from_numpy(np.flatnonzero(held))
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    best, state, waited = float("inf"), None, 0
    for _ in range(EPOCHS):
        for batch in train[torch.randperm(len(train))].split(BATCH):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(network(values[batch]), classes[batch]).backward()
            optimiser.step()
        with torch.no_grad():
            loss = float(torch.nn.functional.cross_entropy(network(values[test]), classes[test]))
        if loss < best:
            best, waited = loss, 0
            state = {name: value.clone() for name, value in network.state_dict().items()}
        else:
            waited += 1
            if waited >= PATIENCE:
                break
    if state is not None:
        network.load_state_dict(state)
