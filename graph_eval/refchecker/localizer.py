"""Locates the parts of a triplet in a text by embeddings (refchecker/localizer/embed_localizer.py of 0.2.17).

Each part is compared with every run of tokens of similar length: the cosine of their mean embeddings must lie above a
threshold. Two faults of RefChecker are corrected. It takes the length of the text's last segment for that of the part,
so that it never finds parts of one token. It puts texts into the page without escaping them.

`NaiveEmbedLocalizer` is `EmbedLocalizer` with RefChecker's arguments and static methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graph_eval.checkers.hf.loading import Source, load_tokenizer, model_of, needs_hf
from graph_eval.errors import UsageError
from graph_eval.types import Span

MODEL = "princeton-nlp/sup-simcse-roberta-large"
THRESHOLDS = (0.65, 0.6, 0.65)  # subject, predicate, object
MIN_LENGTH, MAX_LENGTH = 0.8, 1.2  # of a run, in lengths of the part
MAX_TOKENS = 510  # that the encoder reads at once
COLOURS = ("red", "blue", "green")
BACKGROUND = "#F1CEF3"
WORD_BEGINNINGS = str.maketrans({"Ġ": " ", "▁": " "})  # marks in the tokens of RoBERTa and SentencePiece
Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PartMatch:
    """`part`: 0 subject, 1 predicate, 2 object. `similarity` in [-1, 1]."""

    part: int
    span: Span
    similarity: float


class EmbedLocalizer:
    """`model`: an encoder on the hub or in a folder, with a fast tokenizer. `layer`: the layer whose states are the
    embeddings. 0, RefChecker's, is the input of the first layer. `segment_len`: the tokens that are read at once."""

    def __init__(
        self, model: str = MODEL, device: int | str = "cpu", layer: int = 0, segment_len: int = MAX_TOKENS
    ) -> None:
        if segment_len < 1:
            raise UsageError(f"segment_len is {segment_len}", "pass a number of tokens above 0")
        self.segment_len = min(segment_len, MAX_TOKENS)
        self._source = Source(model, None)
        self._tokenizer = load_tokenizer(self._source)
        if not self._tokenizer.is_fast:
            raise UsageError(
                f"{model} has no fast tokenizer",
                "choose a model with one: slow tokenizers do not report token positions",
            )
        self._device = f"cuda:{device}" if isinstance(device, int) else device
        self._layer = layer
        self._model: Any = None
        probe = self._tokenizer("a", return_special_tokens_mask=True)
        ids, special = probe["input_ids"], probe["special_tokens_mask"]
        self._before, self._after = ids[: special.index(0)], ids[len(ids) - special[::-1].index(0) :]

    def find(self, text: str, triplet: Sequence[str], thresholds: Sequence[float] = THRESHOLDS) -> list[PartMatch]:
        """The matches of each part in the text, by part and then by position. Matches of one part do not overlap.

        `thresholds`: the minimum similarity of each part. Raises UsageError unless there are three of both.
        """
        if len(triplet) != 3 or len(thresholds) != 3:
            raise UsageError(
                f"a triplet with {len(triplet)} parts and {len(thresholds)} thresholds",
                "pass subject, predicate and object, and a threshold for each",
            )
        spans, states = self._embedded(text)
        sums = np.cumsum(np.vstack([np.zeros(states.shape[1]), states]), axis=0, dtype=np.float64)
        matches = []
        for part, (words, threshold) in enumerate(zip(triplet, thresholds, strict=True)):
            if words.strip() and spans:
                matches += [PartMatch(part, *match) for match in self._runs(text, words, spans, sums, threshold)]
        return matches

    def locate(self, text: str, triplet: Sequence[str], threshold: Sequence[float] = THRESHOLDS) -> str:
        """The text as HTML: subject red, predicate blue, object green. Where two overlap the later one wins."""
        colours = ["black"] * len(text)
        for match in self.find(text, triplet, threshold):
            colours[match.span.start : match.span.end] = [COLOURS[match.part]] * (match.span.end - match.span.start)
        parts = []
        start = 0
        for end in range(1, len(text) + 1):
            if end == len(text) or colours[end] != colours[start]:
                parts.append(self.decorate(text[start:end], colours[start], BACKGROUND))
                start = end
        return "".join(parts)

    @staticmethod
    def decorate(text: str, color: str, bgcolor: str) -> str:
        """The text as HTML in these colours."""
        style = f"background-color:{bgcolor};color:{color};border-radius:2%;"
        return f'<span style="{style}">{escape(text)}</span>'

    def _runs(
        self, text: str, words: str, spans: Sequence[Span], sums: NDArray[np.float64], threshold: float
    ) -> list[tuple[Span, float]]:
        """The spans that match the words, with their similarities. `sums`: cumulative sums of the token states."""
        states = self._embedded(words)[1]
        mean = states.mean(axis=0)
        plain = " ".join(words.lower().split())
        ranked: list[tuple[float, int, int]] = []
        min_size = max(1, int(MIN_LENGTH * len(states)))
        for size in range(min_size, max(min_size, int(MAX_LENGTH * len(states))) + 1):
            if size > len(spans):
                break
            means = (sums[size:] - sums[:-size]) / size
            cosines = means @ mean / (np.linalg.norm(means, axis=1) * np.linalg.norm(mean) + 1e-12)
            for first, cosine in enumerate(cosines):
                run = text[spans[first].start : spans[first + size - 1].end]
                ranked.append((1.0 if " ".join(run.lower().split()) == plain else float(cosine), first, size))
        matches: list[tuple[Span, float]] = []
        for similarity, first, size in sorted(ranked, key=lambda run: (-run[0], run[1], run[2])):
            span = Span(spans[first].start, spans[first + size - 1].end)
            if similarity > threshold and not any(span.overlaps(other) for other, _ in matches):
                matches.append((span, similarity))
        return sorted(matches)

    def _embedded(self, text: str) -> tuple[list[Span], Matrix]:
        """The spans of the text's tokens and their states (tokens, size)."""
        import torch

        encoding = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        ids = encoding["input_ids"]
        parts = []
        for start in range(0, len(ids), self.segment_len):
            chunk = ids[start : start + self.segment_len]
            part = [*self._before, *chunk, *self._after]
            with torch.inference_mode():
                hidden = self._encoder()(torch.tensor([part], device=self._device), output_hidden_states=True)
            states = hidden.hidden_states[self._layer][0].float().cpu().numpy()
            parts.append(states[len(self._before) : len(self._before) + len(chunk)])
        spans = [Span(*offset) for offset in encoding["offset_mapping"]]
        return spans, np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)

    def _encoder(self) -> Any:
        if self._model is None:
            import torch
            from transformers import AutoModel

            self._model = model_of(AutoModel, self._source, torch.float32, unused="pooler").to(self._device).eval()
        return self._model


class NaiveEmbedLocalizer(EmbedLocalizer):
    """RefChecker's localizer. `device`: the number of a GPU or a name of torch. None: the first GPU, else the CPU."""

    def __init__(self, device: int | str | None = None, segment_len: int = 256, model: str = MODEL) -> None:
        super().__init__(model, _default_device() if device is None else device, segment_len=segment_len)

    @staticmethod
    def cosine_dist(emb1: ArrayLike, emb2: ArrayLike) -> float:
        """The cosine of two vectors, in [-1, 1]."""
        first, second = np.asarray(emb1, np.float64), np.asarray(emb2, np.float64)
        return float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second)))

    @staticmethod
    def normalize(text: str) -> str:
        """Tokens as lower-case words. (In RefChecker the mark of RoBERTa stays, as it is lower-cased first.)"""
        return text.translate(WORD_BEGINNINGS).lower()


def _default_device() -> str:
    needs_hf()
    import torch

    return "cuda:0" if torch.cuda.is_available() else "cpu"
