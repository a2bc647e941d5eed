"""Any model that classifies pairs of sequences, as NLI models do: `nli:MODEL`, a name on the hub or a folder.

The order of its labels is read from the model's `id2label`. A model with two labels tells only whether the premise
entails the hypothesis. Input: the tokenizer's pair. The limit is that of the tokenizer and the model, unless the model
card has a smaller one.
"""

from __future__ import annotations

from typing import Any

from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import from_pretrained
from graph_eval.checkers.hf.published import PairClassifier
from graph_eval.errors import UsageError
from graph_eval.nli.scores import binary, softmax
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH, Settings
from graph_eval.types import Scores

# How label names begin, in lower case. "not_entailment" and similar names are the second label of binary models.
LABEL_PREFIXES = {
    "entailment": ("entail", "support", "consistent", "1"),
    "neutral": ("neutral", "not enough", "nei", "not_ent", "not ent", "not-ent", "inconsistent", "0"),
    "contradiction": ("contra", "refut"),
}
LIMITS = {"ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli": 256}  # as in their model cards
NO_LIMIT = 100_000  # a tokenizer without a limit reports a larger number


@checker("nli", argument="MODEL", example="nli:roberta-large-mnli", reads=("threads", *OF_TORCH), extra="hf")
class NLIChecker(PairClassifier):
    """`max_positions`: tokens that tokenizer and model can read. Raises UsageError for labels of unknown meaning."""

    def __init__(self, model: str, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        from transformers import AutoConfig

        config = from_pretrained(AutoConfig, self.source)
        self.labels = labels_of({int(index): name for index, name in config.id2label.items()}, self.source.name)
        limit, self.max_positions = self.tokenizer.model_max_length, positions(config)
        if limit < NO_LIMIT:
            self.max_positions = min(limit, self.max_positions)
        self.limit = LIMITS.get(model, self.max_positions)

    def scores(self, row: Array) -> Scores:
        probabilities = softmax(row)
        if "contradiction" not in self.labels:
            return binary(float(probabilities[self.labels["entailment"]]))
        return Scores(*(float(probabilities[self.labels[name]]) for name in LABEL_PREFIXES))


def labels_of(id2label: dict[int, str], name: str) -> dict[str, int]:
    """The index of each label by its meaning. Raises UsageError for names without a known meaning."""
    indices: dict[str, int] = {}
    for index, label in id2label.items():
        for meaning, prefixes in LABEL_PREFIXES.items():
            if label.lower().startswith(prefixes):
                indices[meaning] = index
    if len(indices) != len(id2label) or "entailment" not in indices or len(indices) < 2:
        shown = ", ".join(f"{index}: {label}" for index, label in sorted(id2label.items()))
        raise UsageError(
            f"unknown labels of {name}: {shown}",
            "name them entailment, neutral and contradiction in id2label of its config.json",
        )
    return indices


def positions(config: Any) -> int:
    """Tokens that the model has positions for. RoBERTa and its descendants start after the padding token's position."""
    count = getattr(config, "max_position_embeddings", None) or NO_LIMIT
    if config.model_type in ("roberta", "xlm-roberta", "camembert", "longformer"):
        count -= config.pad_token_id + 1
    return int(count)
