"""Runs any model of transformers over many inputs: batches, devices, memory, progress.

Inputs are sorted by length and cut into batches by tokens, with little padding. A batch that does not fit into memory
is halved, down to a single input, which becomes an error while the others go on. Batches run side by side, one on each
GPU and one on each thread of a CPU. The outputs do not depend on any of this.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graph_eval.errors import MissingPartError, UsageError
from graph_eval.isolation import failure
from graph_eval.progress import report
from graph_eval.types import ItemError

Array = NDArray[np.floating[Any]]
DTYPES = ("float32", "bfloat16", "float16", "int8")
BUDGET = {"cpu": 1_024, "cuda": 65_536}  # tokens in a batch
PLAIN_ATTENTION = frozenset("bert roberta xlm-roberta camembert electra".split())
FIRST_TOKEN = PLAIN_ATTENTION | {"deberta", "deberta-v2"}
MAX_WASTE = 0.08  # share of padding above which a shorter input begins a new batch
# torch has one number of threads for the whole process: engines set it in turns.
_CPU = threading.Lock()


class InputError(Exception):
    """One input could not be scored. The message and the hint are enough, so no traceback is kept."""

    hint: str


class DoesNotFitError(InputError):
    """One input alone does not fit into memory."""

    hint = "use --dtype bfloat16, or a device with more memory"


class NoNumberError(InputError):
    """The output of the model is NaN or infinity."""

    hint = (
        "use --dtype float32 or bfloat16: some models overflow in float16. "
        "If it happens with those too, the weights are damaged"
    )


def input_error(problem: Exception) -> ItemError:
    """Converts the exception of an input to the error of its claim."""
    if isinstance(problem, InputError):
        return ItemError("check", str(problem), problem.hint)
    return failure("check", problem)


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of one input, and token types for models that have them."""

    ids: Sequence[int]
    types: Sequence[int] | None = None


@dataclass(slots=True)
class Stats:
    """Counts of the engine's work. `slots`: tokens with their padding. `halved`: batches that did not fit."""

    inputs: int = 0
    batches: int = 0
    tokens: int = 0
    slots: int = 0
    halved: int = 0

    @property
    def waste(self) -> float:
        """The share of padding, in [0, 1]."""
        return 1 - self.tokens / self.slots if self.slots else 0.0


class Worker(NamedTuple):
    """`threads`: of a CPU; 0 on a GPU."""

    device: str
    threads: int


@dataclass(slots=True)
class Engine:
    """Safe to use from several threads, one run at a time. A pickled copy loads its models again, with new `stats`.

    `load` returns the model for a device and dtype. It is called once for each device, at the first batch there.
    `devices`: "auto", or torch's names separated by commas. `dtype`: "auto" (bfloat16 where a GPU supports it, else
    float32) or one of DTYPES. int8: weights of linear layers in 8 bit, on a CPU. `budget`: tokens in a batch, 0: by
    device. `pad`: the padding token, put after an input. `threads` on a CPU, 0: torch's number. `alone`: one batch at a
    time on a device. Each batch is reported to `graph_eval.progress`.
    """

    load: Callable[[Any, Any], Any]
    pad: int
    devices: str = "auto"
    dtype: str = "auto"
    budget: int = 0
    threads: int = 0
    alone: bool = False
    stats: Stats = field(default_factory=Stats)
    _models: dict[str, Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _running: threading.Lock = field(default_factory=threading.Lock)

    def __getstate__(self) -> dict[str, Any]:
        names = ("load", "pad", "devices", "dtype", "budget", "threads", "alone")
        return {name: getattr(self, name) for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self.stats, self._models = Stats(), {}
        self._lock, self._running = threading.Lock(), threading.Lock()

    def run(
        self,
        inputs: Sequence[Encoded],
        forward: Callable[[Any, dict[str, Any]], Any],
    ) -> list[Array | Exception]:
        """The row of `forward` (model, tensors by name) -> (n, columns) for each input, in order, or its error.

        Raises UsageError for a device that this machine lacks, MissingPartError for a model that cannot be loaded.
        """
        with self._running:
            names = self.names()
            if any(name.startswith("cpu") for name in names):
                with _CPU:
                    return self._run(inputs, forward, names)
            return self._run(inputs, forward, names)

    def _run(
        self, inputs: Sequence[Encoded], forward: Callable[[Any, dict[str, Any]], Any], names: Sequence[str]
    ) -> list[Array | Exception]:
        budget = self.budget or BUDGET["cpu" if names[0].startswith("cpu") else "cuda"]
        planned = batches([len(encoded.ids) for encoded in inputs], budget)
        waiting: queue.SimpleQueue[list[int]] = queue.SimpleQueue()
        for batch in planned:
            waiting.put(batch)
        results: list[Array | Exception | None] = [None] * len(inputs)
        done = 0

        def work(worker: Worker) -> None:
            nonlocal done
            if worker.threads:
                _torch().set_num_threads(worker.threads)  # for this thread and those that start later
            while True:
                try:
                    batch = waiting.get_nowait()
                except queue.Empty:
                    return
                for indices, outputs in self._batch(worker.device, batch, inputs, forward):
                    for index, output in zip(indices, outputs, strict=True):
                        results[index] = output
                    with self._lock:
                        done += len(indices)
                        report("pairs", done, len(inputs))

        workers = self._workers(names, len(planned))
        before = _torch().get_num_threads()
        with ThreadPoolExecutor(len(workers)) as pool:
            try:
                for future in [pool.submit(work, worker) for worker in workers]:
                    future.result()
            except BaseException:  # also Ctrl-C: no further batch is begun
                with contextlib.suppress(queue.Empty):
                    while True:
                        waiting.get_nowait()
                raise
            finally:
                _torch().set_num_threads(before)
        return [result for result in results if result is not None]

    def _workers(self, names: Sequence[str], count_of_batches: int) -> list[Worker]:
        """One for each GPU. On a CPU one for each thread, at most one for each batch."""
        workers = []
        for name in names:
            if not name.startswith("cpu"):
                workers.append(Worker(name, 0))
                continue
            threads = self.threads or _torch().get_num_threads()
            share = -(-threads // sum(other.startswith("cpu") for other in names))
            count = 1 if self.alone else max(1, min(share, count_of_batches))
            workers += [Worker(name, share // count)] * count
        return workers

    def names(self) -> list[str]:
        """The names of the devices. Raises UsageError for a device that this machine does not have."""
        torch = _torch()
        if self.devices == "auto":
            if torch.cuda.is_available():
                return ["cuda:0"]
            return ["mps"] if torch.backends.mps.is_available() else ["cpu"]
        names = [name.strip() for name in self.devices.split(",") if name.strip()]
        for name in names:
            try:
                torch.zeros(1, device=name)
            except (RuntimeError, AssertionError) as problem:
                available = ["cpu", *(f"cuda:{n}" for n in range(torch.cuda.device_count()))]
                reason = str(problem).splitlines()[0]
                hint = f"available devices: {', '.join(available)}"
                raise UsageError(f"device {name!r} cannot be used: {reason}", hint) from None
        return names

    def _batch(
        self, device: str, batch: list[int], inputs: Sequence[Encoded], forward: Callable[[Any, dict[str, Any]], Any]
    ) -> Iterator[tuple[list[int], list[Array | Exception]]]:
        """Yields (indices, outputs) of a batch. A batch that does not fit into memory is split."""
        torch = _torch()
        model = self._model(device)
        try:
            with torch.inference_mode():
                outputs = forward(model, self._tensors([inputs[index] for index in batch], device))
            values = outputs.float().cpu().numpy()
        except (RuntimeError, MemoryError) as problem:
            if not _out_of_memory(problem):
                raise
            values = None
        if values is None:
            if device != "cpu":
                torch.cuda.empty_cache()
            with self._lock:
                self.stats.halved += 1
            if len(batch) == 1:
                size = len(inputs[batch[0]].ids)
                yield batch, [DoesNotFitError(f"{size} tokens do not fit into the memory of {device}")]
                return
            half = len(batch) // 2
            for part in (batch[:half], batch[half:]):
                yield from self._batch(device, part, inputs, forward)
            return
        longest = max(len(inputs[index].ids) for index in batch)
        with self._lock:
            self.stats.batches += 1
            self.stats.inputs += len(batch)
            self.stats.tokens += sum(len(inputs[index].ids) for index in batch)
            self.stats.slots += longest * len(batch)
        yield (
            batch,
            [row if np.isfinite(row).all() else NoNumberError("the model gave NaN or infinity") for row in values],
        )

    def _tensors(self, batch: Sequence[Encoded], device: str) -> dict[str, Any]:
        """The model's tensors by name, padded, on the device."""
        torch = _torch()
        shape = (len(batch), max(len(encoded.ids) for encoded in batch))
        ids = torch.full(shape, self.pad, dtype=torch.long)
        mask = torch.zeros(shape, dtype=torch.long)
        types = torch.zeros(shape, dtype=torch.long)
        for row, encoded in enumerate(batch):
            size = len(encoded.ids)
            ids[row, :size] = torch.tensor(encoded.ids)
            mask[row, :size] = 1
            if encoded.types is not None:
                types[row, :size] = torch.tensor(encoded.types)
        tensors = {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
        if batch[0].types is not None:
            tensors["token_type_ids"] = types.to(device)
        return tensors

    def _model(self, device: str) -> Any:
        with self._lock:
            if device not in self._models:
                self._models[device] = self._load(device)
            return self._models[device]

    def _load(self, device: str) -> Any:
        """The model for a device, with the faster layers that it has there."""
        torch = _torch()
        dtype = self.dtype
        if dtype == "auto":
            dtype = "bfloat16" if device.startswith("cuda") and torch.cuda.is_bf16_supported() else "float32"
        if dtype not in DTYPES:
            raise UsageError(f"unknown dtype {dtype!r}", f"known dtypes: auto, {', '.join(DTYPES)}")
        try:
            model = self.load(device, getattr(torch, "float32" if dtype == "int8" else dtype)).eval()
        except (RuntimeError, MemoryError) as problem:
            if not _out_of_memory(problem):
                raise
            raise MissingPartError(
                f"the model does not fit into the memory of {device}",
                "use --dtype bfloat16, or another --device",
            ) from None
        if dtype == "int8":
            _replace_linear(model, _linear_8_bits())
        elif device.startswith("cpu") and dtype == "float32" and hasattr(torch.ops.mkldnn, "_linear_pointwise"):
            _replace_linear(model, _linear_of_onednn())
        _first_token_only(model)
        return model


def batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Indices of the inputs in batches of similar length, the longest first, each of at most `budget` tokens with its
    padding (or one input)."""
    order = sorted(range(len(lengths)), key=lambda index: (-lengths[index], index))
    planned: list[list[int]] = []
    for index in order:
        longest = lengths[planned[-1][0]] if planned else math.inf
        full = not planned or (len(planned[-1]) + 1) * longest > budget
        if full or lengths[index] < (1 - MAX_WASTE) * longest:
            planned.append([])
        planned[-1].append(index)
    return planned


def _first_token_only(model: Any) -> None:
    """Speeds up classifiers that read the first token: the last layer computes that token alone, over the keys and
    values of all. For other kinds of attention only the layers after the attention do so."""
    inner = getattr(model, getattr(model, "base_model_prefix", ""), None)
    config = getattr(model, "config", None)
    kind = getattr(config, "model_type", None)
    if kind not in FIRST_TOKEN or inner is None or not type(model).__name__.endswith("ForSequenceClassification"):
        return
    last = inner.encoder.layer[-1]
    if kind in PLAIN_ATTENTION and getattr(config, "position_embedding_type", "absolute") in (None, "absolute"):
        last.attention = _first_token_attention()(last.attention)
        return

    def first(_module: Any, _inputs: Any, output: Any) -> Any:
        return (output[0][:, :1], *output[1:]) if isinstance(output, tuple) else output[:, :1]

    last.attention.register_forward_hook(first)


def _first_token_attention() -> Any:
    """The class of BERT's attention with the first token as the only query."""
    torch = _torch()

    class FirstTokenAttention(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self, attention: Any) -> None:
            super().__init__()
            self.inner, self.output = attention.self, attention.output

        def forward(self, states: Any, attention_mask: Any = None, *_: Any, **__: Any) -> tuple[Any, None]:
            def heads(values: Any) -> Any:
                return values.view(*values.shape[:2], self.inner.num_attention_heads, -1).transpose(1, 2)

            first = states[:, :1]
            parts = (self.inner.query(first), self.inner.key(states), self.inner.value(states))
            mask = None if attention_mask is None else attention_mask[:, :, :1]
            mixed = torch.nn.functional.scaled_dot_product_attention(*map(heads, parts), attn_mask=mask)
            return self.output(mixed.transpose(1, 2).flatten(2), first), None

    return FirstTokenAttention


def _replace_linear(model: Any, by: Callable[[Any], Any]) -> None:
    torch = _torch()
    for part in list(model.modules()):
        for name, child in part.named_children():
            if type(child) is torch.nn.Linear:
                setattr(part, name, by(child))


def _linear_of_onednn() -> Any:
    """The class of a float32 linear layer on oneDNN, which has fast kernels for every processor. torch's default, MKL,
    reaches half the speed on processors of other makers than Intel."""
    torch = _torch()

    class OneDNNLinear(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self, linear: Any) -> None:
            super().__init__()
            self.weight, self.bias = linear.weight, linear.bias

        def forward(self, states: Any) -> Any:
            return torch.ops.mkldnn._linear_pointwise(states, self.weight, self.bias, "none", [], "")

    return OneDNNLinear


def _linear_8_bits() -> Any:
    """The class of a linear layer with weights in 8 bits and a scale for each row: a quarter of the memory. Activations
    are not quantised, so that an output does not depend on its batch."""
    torch = _torch()

    class Linear8(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self, linear: Any) -> None:
            super().__init__()
            weight = linear.weight.detach().float()
            scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
            self.register_buffer("weight", (weight / scale).round().to(torch.int8))
            self.register_buffer("scale", scale)
            self.bias = linear.bias

        def forward(self, states: Any) -> Any:
            weight = self.weight.to(states.dtype) * self.scale.to(states.dtype)
            return torch.nn.functional.linear(states, weight, self.bias)

    return Linear8


def _out_of_memory(problem: Exception) -> bool:
    if isinstance(problem, MemoryError):
        return True
    return "out of memory" in str(problem).lower() or "can't allocate memory" in str(problem).lower()


def _torch() -> Any:
    try:
        import torch
    except ImportError as problem:
        raise MissingPartError("torch is not installed", "pip install 'graph_eval[hf]'") from problem
    return torch
