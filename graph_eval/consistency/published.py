"""Published NLI models as scorers of (sample, sentence) pairs: any that `--checker nli:MODEL` reads, and the models of
SelfCheckGPT with two labels.

potsawee/deberta-v3-large-mnli has only the labels entailment and contradiction, in this order and without names, and
reads the sentence before the sample (selfcheckgpt 0.1.7, modeling_selfcheck.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_eval.checkers.checker import PairScorer
from graph_eval.checkers.hf.engine import Array, Encoded
from graph_eval.checkers.hf.loading import Source, from_pretrained, needs_hf
from graph_eval.checkers.hf.nli import NO_LIMIT, NLIChecker, positions
from graph_eval.checkers.hf.published import PairClassifier
from graph_eval.nli.scores import softmax
from graph_eval.settings import Settings
from graph_eval.types import Scores

LABELS = 2
MAX_TOKENS = 512  # a relative position has no limit by itself; the paper's tokenizer cuts here


class TwoLabelNLI(PairClassifier):
    """A model whose labels are entailment and contradiction, in this order."""

    rules = "two-labels-1"

    def __init__(self, model: str, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        from transformers import AutoConfig

        limits = (MAX_TOKENS, self.tokenizer.model_max_length, positions(from_pretrained(AutoConfig, self.source)))
        self.limit = min(limit for limit in limits if limit < NO_LIMIT)

    @property
    def max_tokens(self) -> int:
        return self.limit

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[Encoded]:
        return super().encode([(sentence, sample) for sample, sentence in pairs])

    def cut(self, pair: tuple[str, str]) -> Encoded:
        """Cuts the longer text token by token, as the tokenizer does by default."""
        inputs: Any = self.tokenizer(pair[1], pair[0], truncation=True, max_length=self.limit, verbose=False)
        if self._frame is not None:
            self.tokenizer.backend_tokenizer.no_truncation()  # the call above switched it on
        return Encoded(inputs["input_ids"], inputs.get("token_type_ids"))

    def scores(self, row: Array) -> Scores:
        entailment, contradiction = softmax(row).tolist()
        return Scores(entailment, 0.0, contradiction)


class ThreeLabelNLI(NLIChecker):
    """A model with the labels entailment, neutral and contradiction."""

    @property
    def max_tokens(self) -> int:
        return self.limit


def scorer_of(model: str, settings: Settings) -> PairScorer:
    """The scorer for a model on the hub or in a folder.

    Two labels without names are read as those of selfcheckgpt's model: entailment, contradiction. Raises UsageError for
    other labels of unknown meaning.
    """
    needs_hf()
    from transformers import AutoConfig

    config = from_pretrained(AutoConfig, Source(model, None))
    names = [str(name).lower() for name in config.id2label.values()]
    unnamed = all(name.startswith("label_") for name in names)
    if len(names) == LABELS and (unnamed or names[1].startswith("contra")):
        return TwoLabelNLI(model, settings)
    return ThreeLabelNLI(model, settings)
