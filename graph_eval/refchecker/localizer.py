"""Where the parts of a triplet stand in a text, by embeddings (refchecker/localizer/embed_localizer.py of 0.2.17).

Each part is compared with every run of tokens about as long: the cosine of their mean embeddings, above a threshold.
There, the length of the text's last segment is taken for the part's, so that parts of one token are never found, and
texts go into the page as they are; here not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.hf.loading import Source, load_tokenizer, model_of
from graph_eval.errors import UsageError
from graph_eval.types import Span

MODEL = "princeton-nlp/sup-simcse-roberta-large"
THRESHOLDS = (0.65, 0.6, 0.65)  # subject, predicate, object
SHORTEST, LONGEST = 0.8, 1.2  # of a run, in lengths of the part
MOST = 510  # tokens that the encoder reads at once
COLOURS = ("red", "blue", "green")
Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Found:
    """`part`: 0 subject, 1 predicate, 2 object. `similarity` in [-1, 1]."""

    part: int
    span: Span
    similarity: float


class EmbedLocalizer:
    """`model`: an encoder of the hub or a folder, with a fast tokenizer. `layer`: whose states are the embeddings; 0,
    RefChecker's, is before the first one."""

    def __init__(self, model: str = MODEL, device: int | str = "cpu", layer: int = 0) -> None:
        self._source = Source(model, None)
        self._tokenizer = load_tokenizer(self._source)
        if not self._tokenizer.is_fast:
            raise UsageError(f"{model} has no fast tokenizer", "its tokens have no places in the text")
        self._device = f"cuda:{device}" if isinstance(device, int) else device
        self._layer = layer
        self._model: Any = None
        probe = self._tokenizer("a", return_special_tokens_mask=True)
        ids, special = probe["input_ids"], probe["special_tokens_mask"]
        self._before, self._after = ids[: special.index(0)], ids[len(ids) - special[::-1].index(0) :]

    def find(self, text: str, triplet: Sequence[str], thresholds: Sequence[float] = THRESHOLDS) -> list[Found]:
        """The places of each part in the text, in order of the parts, then of position; those of one part do not
        overlap. Raises UsageError for what is no triplet."""
        if len(triplet) != 3 or len(thresholds) != 3:
            raise UsageError(f"a triplet of {len(triplet)} parts", "give subject, predicate, object, a threshold each")
        spans, states = self._embedded(text)
        sums = np.cumsum(np.vstack([np.zeros(states.shape[1]), states]), axis=0, dtype=np.float64)
        found = []
        for part, (words, least) in enumerate(zip(triplet, thresholds, strict=True)):
            if words.strip() and spans:
                found += [Found(part, *item) for item in self._runs(text, words, spans, sums, least)]
        return found

    def locate(self, text: str, triplet: Sequence[str], threshold: Sequence[float] = THRESHOLDS) -> str:
        """The text as HTML: subject red, predicate blue, object green, where two meet the later one."""
        colours = ["black"] * len(text)
        for item in self.find(text, triplet, threshold):
            colours[item.span.start : item.span.end] = [COLOURS[item.part]] * (item.span.end - item.span.start)
        parts = []
        start = 0
        for place in range(1, len(text) + 1):
            if place == len(text) or colours[place] != colours[start]:
                words = escape(text[start:place])
                parts.append(f'<span style="background-color:#F1CEF3;color:{colours[start]};">{words}</span>')
                start = place
        return "".join(parts)

    def _runs(
        self, text: str, words: str, spans: Sequence[Span], sums: NDArray[np.float64], least: float
    ) -> list[tuple[Span, float]]:
        """`sums`: of the states before each token, and of all."""
        own = self._embedded(words)[1]
        wanted = own.mean(axis=0)
        plain = " ".join(words.lower().split())
        ranked: list[tuple[float, int, int]] = []
        shortest = max(1, int(SHORTEST * len(own)))
        for size in range(shortest, max(shortest, int(LONGEST * len(own))) + 1):
            if size > len(spans):
                break
            means = (sums[size:] - sums[:-size]) / size
            cosines = means @ wanted / (np.linalg.norm(means, axis=1) * np.linalg.norm(wanted) + 1e-12)
            for first, cosine in enumerate(cosines):
                said = text[spans[first].start : spans[first + size - 1].end]
                ranked.append((1.0 if " ".join(said.lower().split()) == plain else float(cosine), first, size))
        taken: list[tuple[Span, float]] = []
        for similarity, first, size in sorted(ranked, key=lambda item: (-item[0], item[1], item[2])):
            span = Span(spans[first].start, spans[first + size - 1].end)
            if similarity > least and not any(span.overlaps(other) for other, _ in taken):
                taken.append((span, similarity))
        return sorted(taken)

    def _embedded(self, text: str) -> tuple[list[Span], Matrix]:
        """The spans of the text's tokens and their states (tokens, size)."""
        import torch

        coded = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        ids = coded["input_ids"]
        parts = []
        for start in range(0, len(ids), MOST):
            own = ids[start : start + MOST]
            part = [*self._before, *own, *self._after]
            with torch.inference_mode():
                hidden = self._encoder()(torch.tensor([part], device=self._device), output_hidden_states=True)
            states = hidden.hidden_states[self._layer][0].float().cpu().numpy()
            parts.append(states[len(self._before) : len(self._before) + len(own)])
        spans = [Span(*offset) for offset in coded["offset_mapping"]]
        return spans, np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)

    def _encoder(self) -> Any:
        if self._model is None:
            import torch
            from transformers import AutoModel

            self._model = model_of(AutoModel, self._source, torch.float32, unused="pooler").to(self._device).eval()
        return self._model
