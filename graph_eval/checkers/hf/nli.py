"""Any model that classifies pairs of sequences, as NLI models do: `nli:MODEL`, a name on the hub or a folder.

The order of its labels is read from the model's own `id2label`; a model with two labels knows only whether the premise
entails. Input: the tokenizer's pair. The limit is the tokenizer's and the model's, unless its card has a smaller one.
"""

from __future__ import annotations

from typing import Any

from graph_eval.checkers.builtin import softmax
from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import pretrained
from graph_eval.checkers.hf.published import PairClassifier, binary
from graph_eval.errors import UsageError
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH, Settings
from graph_eval.types import Scores

# How label names begin, in lower case. "not_entailment" and its like are the second label of binary models.
BEGINNINGS = {
    "entailment": ("entail", "support", "consistent", "1"),
    "neutral": ("neutral", "not enough", "nei", "not_ent", "not ent", "not-ent", "inconsistent", "0"),
    "contradiction": ("contra", "refut"),
}
LIMITS = {"ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli": 256}  # as their cards read pairs
LONGEST = 100_000  # tokenizers without a limit claim more than that


@checker("nli", argument="MODEL", example="nli:roberta-large-mnli", reads=("threads", *OF_TORCH), extra="hf")
class NLIChecker(PairClassifier):
    """`room`: tokens that the model has positions for. Raises UsageError where the labels cannot be told."""

    def __init__(self, model: str, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        from transformers import AutoConfig

        config = pretrained(AutoConfig.from_pretrained, self.source)
        self.labels = labels_of({int(place): name for place, name in config.id2label.items()}, self.source.name)
        own = self.tokenizer.model_max_length
        room = positions(config)
        self.room = min(own if own < LONGEST else room, room)
        self.limit = LIMITS.get(model, self.room)

    def scores(self, row: Array) -> Scores:
        found = softmax(row)
        if "contradiction" not in self.labels:
            return binary(float(found[self.labels["entailment"]]))
        return Scores(*(float(found[self.labels[name]]) for name in BEGINNINGS))


def labels_of(id2label: dict[int, str], name: str) -> dict[str, int]:
    """Where each label stands. Raises UsageError for names that do not say what they mean."""
    found: dict[str, int] = {}
    for place, label in id2label.items():
        for meaning, beginnings in BEGINNINGS.items():
            if label.lower().startswith(beginnings):
                found[meaning] = place
    if len(found) != len(id2label) or "entailment" not in found or len(found) < 2:
        shown = ", ".join(f"{place}: {label}" for place, label in sorted(id2label.items()))
        raise UsageError(
            f"the labels of {name} are {shown}",
            "which one is entailment? name them entailment, neutral and contradiction in id2label of its config.json",
        )
    return found


def positions(config: Any) -> int:
    """Tokens that the model has positions for; RoBERTa and its like lose those up to the padding token's."""
    room = getattr(config, "max_position_embeddings", None) or LONGEST
    if config.model_type in ("roberta", "xlm-roberta", "camembert", "longformer"):
        room -= config.pad_token_id + 1
    return int(room)
