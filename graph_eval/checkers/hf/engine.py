"""One way to run any model of transformers over many inputs: batches, devices, memory, progress.

Inputs are sorted by length and cut into batches of so many tokens that hardly any of them are padding. A batch that
does not fit into memory is halved, down to a single input; that one is an error, the others go on. Batches are worked
on side by side, one a device, on a CPU one a thread. What comes out does not depend on any of this.
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

Array = NDArray[np.floating[Any]]
DTYPES = ("float32", "bfloat16", "float16", "int8")
BUDGET = {"cpu": 1_024, "cuda": 65_536}  # tokens a batch
PLAIN_ATTENTION = frozenset("bert roberta xlm-roberta camembert electra".split())
FIRST_TOKEN = PLAIN_ATTENTION | {"deberta", "deberta-v2"}
WASTE = 0.08  # share of padding that a batch may have where another one would have less


class DoesNotFitError(Exception):
    """One input alone does not fit."""

    hint = "give --dtype bfloat16, or a device with more memory"


class NoNumberError(Exception):
    """The model gave NaN or infinity."""

    hint = "some models overflow in float16: give --dtype float32 or bfloat16; else its weights are damaged"


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of one input, and their types for models that tell two texts apart by them."""

    ids: Sequence[int]
    types: Sequence[int] | None = None


@dataclass(slots=True)
class Stats:
    """What the engine has done. Padding waste is `1 - tokens / slots`."""

    inputs: int = 0
    batches: int = 0
    tokens: int = 0
    slots: int = 0
    halved: int = 0

    @property
    def waste(self) -> float:
        return 1 - self.tokens / self.slots if self.slots else 0.0


class Worker(NamedTuple):
    """`threads` 0: it needs none of its own."""

    device: str
    threads: int


@dataclass(slots=True)
class Engine:
    """`load` gives the model for a device and dtype; it is called once a device, at the first batch there.

    `devices`: "auto", or names as torch has them, apart by commas. `dtype`: "auto" (bfloat16 where a GPU can, else
    float32) or one of DTYPES; int8: weights of linear layers in 8 bit, on a CPU. `budget`: tokens a batch, 0: by
    device. `pad`: the padding token, put behind an input. `threads` on a CPU, 0: as many as torch takes. `alone`: one
    batch at a time on a device. `progress` hears how many inputs of how many are done.
    """

    load: Callable[[Any, Any], Any]
    pad: int
    devices: str = "auto"
    dtype: str = "auto"
    budget: int = 0
    threads: int = 0
    alone: bool = False
    progress: Callable[[int, int], None] | None = None
    stats: Stats = field(default_factory=Stats)
    _models: dict[str, Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(
        self,
        inputs: Sequence[Encoded],
        forward: Callable[[Any, dict[str, Any]], Any],
    ) -> list[Array | Exception]:
        """What `forward` (model, tensors by name) -> (n, columns) gives for each input, in order of the inputs."""
        names = self.names()
        budget = self.budget or BUDGET["cpu" if names[0].startswith("cpu") else "cuda"]
        cut = batches([len(item.ids) for item in inputs], budget)
        waiting: queue.SimpleQueue[list[int]] = queue.SimpleQueue()
        for batch in cut:
            waiting.put(batch)
        found: list[Array | Exception | None] = [None] * len(inputs)
        done = 0

        def work(worker: Worker) -> None:
            nonlocal done
            if worker.threads:
                _torch().set_num_threads(worker.threads)  # of this thread
            while True:
                try:
                    batch = waiting.get_nowait()
                except queue.Empty:
                    return
                for places, outputs in self._batch(worker.device, batch, inputs, forward):
                    for place, output in zip(places, outputs, strict=True):
                        found[place] = output
                    with self._lock:
                        done += len(places)
                        if self.progress is not None:
                            self.progress(done, len(inputs))

        workers = self._workers(names, len(cut))
        before = _torch().get_num_threads()
        with ThreadPoolExecutor(len(workers)) as pool:
            try:
                for worked in [pool.submit(work, worker) for worker in workers]:
                    worked.result()
            except BaseException:  # also Ctrl-C: nothing more is begun
                with contextlib.suppress(queue.Empty):
                    while True:
                        waiting.get_nowait()
                raise
            finally:
                _torch().set_num_threads(before)
        return [item for item in found if item is not None]

    def _workers(self, names: Sequence[str], work: int) -> list[Worker]:
        """One a GPU; on a CPU one a thread as long as there are batches for them."""
        found = []
        for name in names:
            if not name.startswith("cpu"):
                found.append(Worker(name, 0))
                continue
            threads = self.threads or _torch().get_num_threads()
            share = -(-threads // sum(other.startswith("cpu") for other in names))
            count = 1 if self.alone else max(1, min(share, work))
            found += [Worker(name, share // count)] * count
        return found

    def names(self) -> list[str]:
        """The devices. Raises UsageError for one that this machine lacks."""
        torch = _torch()
        if self.devices == "auto":
            if torch.cuda.is_available():
                return ["cuda:0"]
            return ["mps"] if torch.backends.mps.is_available() else ["cpu"]
        found = [name.strip() for name in self.devices.split(",") if name.strip()]
        for name in found:
            try:
                torch.zeros(1, device=name)
            except (RuntimeError, AssertionError) as problem:
                known = ["cpu", *(f"cuda:{n}" for n in range(torch.cuda.device_count()))]
                reason = str(problem).splitlines()[0]
                raise UsageError(f"device {name!r}: {reason}", f"here: {', '.join(known)}") from None
        return found

    def _batch(
        self, device: str, batch: list[int], inputs: Sequence[Encoded], forward: Callable[[Any, dict[str, Any]], Any]
    ) -> Iterator[tuple[list[int], list[Array | Exception]]]:
        """The outputs of a batch, in parts where it did not fit into memory."""
        torch = _torch()
        model = self._model(device)
        try:
            with torch.inference_mode():
                outputs = forward(model, self._tensors([inputs[place] for place in batch], device))
            values = outputs.float().cpu().numpy()
        except (RuntimeError, MemoryError) as problem:
            if not _of_memory(problem):
                raise
            values = None
        if values is None:
            if device != "cpu":
                torch.cuda.empty_cache()
            with self._lock:
                self.stats.halved += 1
            if len(batch) == 1:
                yield (
                    batch,
                    [DoesNotFitError(f"{len(inputs[batch[0]].ids)} tokens do not fit into the memory of {device}")],
                )
                return
            half = len(batch) // 2
            for part in (batch[:half], batch[half:]):
                yield from self._batch(device, part, inputs, forward)
            return
        longest = max(len(inputs[place].ids) for place in batch)
        with self._lock:
            self.stats.batches += 1
            self.stats.inputs += len(batch)
            self.stats.tokens += sum(len(inputs[place].ids) for place in batch)
            self.stats.slots += longest * len(batch)
        yield batch, [row if np.isfinite(row).all() else NoNumberError("the model gave no number") for row in values]

    def _tensors(self, items: Sequence[Encoded], device: str) -> dict[str, Any]:
        torch = _torch()
        shape = (len(items), max(len(item.ids) for item in items))
        ids = torch.full(shape, self.pad, dtype=torch.long)
        mask = torch.zeros(shape, dtype=torch.long)
        types = torch.zeros(shape, dtype=torch.long)
        for row, item in enumerate(items):
            size = len(item.ids)
            ids[row, :size] = torch.tensor(item.ids)
            mask[row, :size] = 1
            if item.types is not None:
                types[row, :size] = torch.tensor(item.types)
        found = {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
        if items[0].types is not None:
            found["token_type_ids"] = types.to(device)
        return found

    def _model(self, device: str) -> Any:
        with self._lock:
            if device not in self._models:
                torch = _torch()
                name = self.dtype
                if name == "auto":
                    name = "bfloat16" if device.startswith("cuda") and torch.cuda.is_bf16_supported() else "float32"
                if name not in DTYPES:
                    raise UsageError(f"dtype {name!r}", f"known: auto, {', '.join(DTYPES)}")
                try:
                    model = self.load(device, getattr(torch, "float32" if name == "int8" else name)).eval()
                except (RuntimeError, MemoryError) as problem:
                    if not _of_memory(problem):
                        raise
                    raise MissingPartError(
                        f"the model does not fit into the memory of {device}",
                        "give --dtype bfloat16, or another --device",
                    ) from None
                if name == "int8":
                    _replace_linear(model, _linear_8_bits())
                elif device.startswith("cpu") and name == "float32" and hasattr(torch.ops.mkldnn, "_linear_pointwise"):
                    _replace_linear(model, _linear_of_onednn())
                _first_token_only(model)
                self._models[device] = model
            return self._models[device]


def batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Places of the inputs, like lengths together, the longest first; hardly any padding."""
    order = sorted(range(len(lengths)), key=lambda place: (-lengths[place], place))
    found: list[list[int]] = []
    for place in order:
        longest = lengths[found[-1][0]] if found else math.inf
        full = not found or (len(found[-1]) + 1) * longest > budget
        if full or lengths[place] < (1 - WASTE) * longest:
            found.append([])
        found[-1].append(place)
    return found


def _first_token_only(model: Any) -> None:
    """Classifiers that look at the first token: the last layer works on that one alone, over the keys and values of
    all. Where attention is more than that, what follows it does."""
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
    """The class of BERT's attention for the query of the first token only."""
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
    """The class of a float32 linear layer on oneDNN, which has kernels for every processor. torch takes MKL's, which on
    processors that are not Intel's reach half the speed."""
    torch = _torch()

    class OneDNNLinear(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self, linear: Any) -> None:
            super().__init__()
            self.weight, self.bias = linear.weight, linear.bias

        def forward(self, states: Any) -> Any:
            return torch.ops.mkldnn._linear_pointwise(states, self.weight, self.bias, "none", [], "")

    return OneDNNLinear


def _linear_8_bits() -> Any:
    """The class of a linear layer that keeps its weights in 8 bits, with a scale a row: a quarter of the memory.
    Activations stay as they are, so that an output does not depend on its batch."""
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


def _of_memory(problem: Exception) -> bool:
    if isinstance(problem, MemoryError):
        return True
    return "out of memory" in str(problem).lower() or "can't allocate memory" in str(problem).lower()


def _torch() -> Any:
    try:
        import torch
    except ImportError as problem:
        raise MissingPartError("torch is not installed", "pip install 'graph_eval[hf]'") from problem
    return torch
