"""RefChecker's checkers (refchecker/checker of 0.2.17) over the checkers of this package.

A model with three classes gives the label with the largest score, without a threshold, as in RefChecker.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.llm import LLMChecker as LLMPart
from graph_eval.errors import UsageError
from graph_eval.isolation import isolated
from graph_eval.refchecker.aggregators import merged
from graph_eval.refchecker.claims import ClaimLike, as_claims, text_of
from graph_eval.refchecker.extractors import Answering, checked_model, model_or_function, model_settings, refuse
from graph_eval.registry import create
from graph_eval.settings import CheckMode, Settings, load
from graph_eval.text.sentences import over, runs
from graph_eval.types import COLUMNS, CheckTask, ItemError, Judgement, Passage, Scores

if TYPE_CHECKING:
    from graph_eval.checkers.hf.published import PublishedChecker

NLI = "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
ALIGNSCORE = "alignscore.ckpt"
REPC = "saved_models/repc"
MAX_TOKENS = 512  # of a pair, as in RefChecker for every model
TOKEN = re.compile(r"\w+|[^\w\s]")
LabelOrError = str | ItemError


@dataclass(frozen=True, slots=True)
class Unit:
    """Claims with the segments of one reference."""

    question: str | None
    claims: tuple[ClaimLike, ...]
    segments: tuple[str, ...]


class CheckerBase(ABC):
    """`failures`: for each item of the last `check` the errors of labels that are None."""

    def __init__(self) -> None:
        self.failures: list[list[ItemError]] = []

    @property
    def errors(self) -> list[ItemError]:
        """The failures of all items in one list."""
        return [error for item in self.failures for error in item]

    def check(
        self,
        batch_claims: Sequence[Sequence[ClaimLike]],
        batch_references: Sequence[str | Sequence[str]],
        batch_questions: Sequence[str | None] | None = None,
        max_reference_segment_length: int = 0,
        merge_psg: bool = False,
        is_joint: bool = True,
        joint_check_num: int = 5,
        custom_llm_api_func: Answering | None = None,
        **unknown: Any,
    ) -> list[list[Any]]:
        """For each item, for each claim: its labels, one for each reference, or with `merge_psg` the label over them.
        Equal claims and equal references have entries of their own. Without references every claim has [], also with
        `merge_psg`.

        Claims are triplets, texts or RCClaims. `max_reference_segment_length`: tokens of the runs of whole sentences
        that a reference is cut into, 0: not cut. `is_joint`, `joint_check_num`: for language models, whether and how
        many claims share a call. Raises UsageError for lists of unequal length.
        """
        refuse(unknown)
        questions = batch_questions or [None] * len(batch_claims)
        if not len(batch_claims) == len(batch_references) == len(questions):
            lengths = f"{len(batch_claims)} / {len(batch_references)} / {len(questions)}"
            raise UsageError(
                f"unequal numbers of claim lists, references and questions: {lengths}",
                "pass one of each for every item",
            )
        by_item: list[list[Unit]] = []
        for claims, reference, question in zip(batch_claims, batch_references, questions, strict=True):
            references = [reference] if isinstance(reference, str) else list(reference)
            segments = [tuple(segmented(text, max_reference_segment_length)) for text in references]
            by_item.append([Unit(question, tuple(claims), group) for group in segments] if claims else [])
        units = [unit for item in by_item for unit in item]
        rows = iter(self._labels(units, is_joint, joint_check_num, custom_llm_api_func) if units else [])
        results: list[list[Any]] = []
        failures: list[list[ItemError]] = []
        for claims, item in zip(batch_claims, by_item, strict=True):
            table = [next(rows) for _ in item]  # (references, claims)
            failures.append([label for row in table for label in row if isinstance(label, ItemError)])
            labels = [[None if isinstance(label, ItemError) else label for label in row] for row in table]
            by_claim = [[row[index] for row in labels] for index in range(len(claims))]
            results.append(list(map(merged, by_claim)) if merge_psg and item else list(by_claim))
        self.failures = failures
        return results

    @abstractmethod
    def _labels(
        self, units: Sequence[Unit], joint: bool, batch: int, answer: Answering | None
    ) -> list[list[LabelOrError]]:
        """For each unit the labels of its claims, or their errors."""


class PairChecker(CheckerBase):
    """A published model with classes for entailment, neutral and contradiction."""

    def __init__(self, part: PublishedChecker) -> None:
        super().__init__()
        self.part = part

    def _labels(
        self,
        units: Sequence[Unit],
        joint: bool,  # noqa: ARG002
        batch: int,  # noqa: ARG002
        answer: Answering | None,  # noqa: ARG002
    ) -> list[list[LabelOrError]]:
        from graph_eval.checkers.hf.published import PublishedChecker

        texts = [[text_of(claim) for claim in unit.claims] for unit in units]
        passages_and_claims = [
            (Passage("", segment), text)
            for unit, claims in zip(units, texts, strict=True)
            for text in claims
            for segment in unit.segments
        ]
        # As RefChecker, AlignScore too reads whole segments where they fit.
        windows = iter(PublishedChecker.windows(self.part, passages_and_claims))
        by_unit = [
            [
                [(self.part.premise(unit.question, w), text) for _ in unit.segments for w in next(windows)]
                for text in claims
            ]
            for unit, claims in zip(units, texts, strict=True)
        ]
        pairs = list(dict.fromkeys(pair for claims in by_unit for of_claim in claims for pair in of_claim))
        scores = dict(zip(pairs, self.part.read(pairs), strict=True))
        return [[_largest([scores[pair] for pair in of_claim]) for of_claim in claims] for claims in by_unit]


class NLIChecker(PairChecker):
    """`model`: any sequence classifier with three NLI labels. Their order is read from its id2label."""

    def __init__(
        self, model: str = NLI, device: int | str | None = None, batch_size: int = 16, settings: Settings | None = None
    ) -> None:
        del batch_size  # batches are cut by number of tokens
        part = create("checker", f"nli:{model}", on_device(settings, device))
        part.limit = min(MAX_TOKENS, part.max_positions)
        super().__init__(part)


class AlignScoreChecker(PairChecker):
    """`ckpt_path`: the checkpoint. Where RefChecker's default does not exist, the hub's is used."""

    def __init__(
        self,
        ckpt_path: str = ALIGNSCORE,
        device: int | str | None = None,
        batch_size: int = 16,
        settings: Settings | None = None,
    ) -> None:
        del batch_size
        argument = f":{ckpt_path}" if Path(ckpt_path).exists() or ckpt_path != ALIGNSCORE else ""
        super().__init__(create("checker", f"alignscore{argument}", on_device(settings, device)))


class RepCChecker(PairChecker):
    """The classifier is read from the folder `classifier_dir`/`classifier`, or from `classifier_dir` itself."""

    def __init__(
        self,
        classifier: str = "nn_ensemble",
        classifier_dir: str = REPC,
        device: int | str | None = None,
        batch_size: int = 16,
        settings: Settings | None = None,
    ) -> None:
        del batch_size
        subfolder = Path(classifier_dir) / classifier
        folder = subfolder if subfolder.is_dir() else Path(classifier_dir)
        super().__init__(create("checker", f"repc:{folder}", on_device(settings, device)))


class TaskChecker(CheckerBase):
    """A checker of this package that judges whole tasks.

    `preserve_triplet_form`: whether it reads triplets as ("subject", "predicate", "object"), not as sentences.
    """

    preserve_triplet_form = False

    @abstractmethod
    def _checker(self, joint: bool, batch: int, answer: Answering | None) -> Checker:
        """The checker for RefChecker's arguments."""

    def _labels(
        self, units: Sequence[Unit], joint: bool, batch: int, answer: Answering | None
    ) -> list[list[LabelOrError]]:
        tasks = []
        for unit in units:
            text, claims = as_claims(unit.claims, unit.question, self.preserve_triplet_form)
            passages = {passage.id: passage for passage in map(Passage.of, unit.segments)}
            tasks.append(CheckTask(text, claims, tuple(passages.values())))
        outputs = isolated("check", tasks, self._checker(joint, batch, answer).check)
        return [
            [output] * len(task.claims) if isinstance(output, ItemError) else list(map(_label, output))
            for task, output in zip(tasks, outputs, strict=True)
        ]


class LLMChecker(TaskChecker):
    """`model`: a litellm name. `batch_size`: the number of requests at the same time."""

    preserve_triplet_form = True

    def __init__(
        self, model: str = "", batch_size: int = 16, api_base: str | None = None, settings: Settings | None = None
    ) -> None:
        super().__init__()
        self.model = checked_model(model)
        self._settings = model_settings(settings, batch_size, api_base)

    def _checker(self, joint: bool, batch: int, answer: Answering | None) -> Checker:
        mode: CheckMode = "joint" if joint else "single"
        return LLMPart(model_or_function(self.model, answer), mode, batch, self._settings)


class PartChecker(TaskChecker):
    """Any checker of this package by its name: builtin, hhem-2.1, minicheck, llm:MODEL, ensemble:A+B.

    Its threshold decides between Entailment and the other labels.
    """

    def __init__(self, name: str = "builtin", settings: Settings | None = None) -> None:
        super().__init__()
        self._part: Checker = create("checker", name, settings or load())

    def _checker(self, joint: bool, batch: int, answer: Answering | None) -> Checker:  # noqa: ARG002
        return self._part


def segmented(reference: str, limit: int) -> list[str]:
    """Runs of whole sentences of at most `limit` tokens. For 0, or without sentences, the whole reference."""
    if limit <= 0:
        return [reference]
    parts = runs(reference, limit, lambda text: len(TOKEN.findall(text)))
    return [over(part).of(reference) for part in parts] or [reference]


def on_device(settings: Settings | None, device: int | str | None) -> Settings:
    """The settings with RefChecker's device: the number of a GPU, or a name of torch. None changes nothing."""
    settings = settings or load()
    if device is None:
        return settings
    return settings.replace(device=f"cuda:{device}" if isinstance(device, int) else device)


def _largest(windows: Sequence[Scores | Exception]) -> LabelOrError:
    """The label of a claim over its windows, each with the label of its largest score."""
    from graph_eval.checkers.hf.engine import input_error

    labels = [None if isinstance(row, Exception) else COLUMNS[row.index(max(row))].value for row in windows]
    return merged(labels) or next(input_error(row) for row in windows if isinstance(row, Exception))


def _label(judgement: Judgement) -> LabelOrError:
    if judgement.label is not None:
        return judgement.label.value
    return judgement.error or ItemError("check", "the claim was not judged")
