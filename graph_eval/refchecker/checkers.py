"""RefChecker's checkers over ours (refchecker/checker of 0.2.17). Labels of models with three classes are the largest
of the three, as there: no threshold."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.llm import LLMChecker as OurLLMChecker
from graph_eval.errors import UsageError
from graph_eval.isolation import failure, isolated
from graph_eval.refchecker.aggregators import merged
from graph_eval.refchecker.claims import ClaimLike, as_claim, text_of
from graph_eval.refchecker.extractors import Answering, answering, needed, of_model, refuse
from graph_eval.registry import create
from graph_eval.settings import CheckMode, Settings, load
from graph_eval.text.sentences import over, runs
from graph_eval.types import COLUMNS, CheckTask, ItemError, Judgement, Passage, Scores, Text, content_hash

if TYPE_CHECKING:
    from graph_eval.checkers.hf.published import PublishedChecker

NLI = "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
ALIGNSCORE = "alignscore.ckpt"
REPC = "saved_models/repc"
LONGEST = 512  # tokens of a pair, whatever a model's card says
TOKEN = re.compile(r"\w+|[^\w\s]")
Found = str | ItemError


@dataclass(frozen=True, slots=True)
class Unit:
    """Claims against one reference in its segments, or against all of an item's."""

    question: str | None
    claims: tuple[ClaimLike, ...]
    segments: tuple[str, ...]


class CheckerBase(ABC):
    """`failures`, of the last `check`: for each item why labels are None."""

    def __init__(self) -> None:
        self.failures: list[list[ItemError]] = []

    @property
    def errors(self) -> list[ItemError]:
        """Those of all items."""
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
        """For each item, for each claim: the labels, one a reference; or with `merge_psg` the one label over all.

        `max_reference_segment_length`: a reference is read in runs of whole sentences of so many tokens; 0: as it is.
        `is_joint`, `joint_check_num`: of language models; so many claims a call. Claims are triplets, texts or
        RCClaims. Raises UsageError where the lists do not fit together.
        """
        refuse(unknown)
        questions = batch_questions or [None] * len(batch_claims)
        if not len(batch_claims) == len(batch_references) == len(questions):
            counted = f"{len(batch_claims)} / {len(batch_references)} / {len(questions)}"
            raise UsageError(
                f"items with claims, references and questions: {counted}", "give one of each for every item"
            )
        self.failures = []
        units: list[Unit] = []
        sizes = []
        for claims, given, question in zip(batch_claims, batch_references, questions, strict=True):
            references = [given] if isinstance(given, str) else list(given)
            segments = [tuple(segmented(item, max_reference_segment_length)) for item in references]
            parts = [tuple(part for found in segments for part in found)] if merge_psg and segments else segments
            own = [Unit(question, tuple(claims), part) for part in parts] if claims else []
            units += own
            sizes.append(len(own))
        labels = iter(self._labels(units, is_joint, joint_check_num, custom_llm_api_func) if units else [])
        results: list[list[Any]] = []
        for claims, size in zip(batch_claims, sizes, strict=True):
            found = [next(labels) for _ in range(size)]
            self.failures.append([label for row in found for label in row if isinstance(label, ItemError)])
            known = [[None if isinstance(label, ItemError) else label for label in row] for row in found]
            by_claim = [[row[place] for row in known] for place in range(len(claims))]
            results.append(list(map(merged, by_claim)) if merge_psg else list(by_claim))
        return results

    @abstractmethod
    def _labels(self, units: Sequence[Unit], joint: bool, batch: int, answer: Answering | None) -> list[list[Found]]:
        """For each unit a label a claim, or why there is none."""


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
    ) -> list[list[Found]]:
        from graph_eval.checkers.hf.published import PublishedChecker

        texts = [[text_of(claim) for claim in unit.claims] for unit in units]
        asked = [
            (Passage("", segment), text)
            for unit, own in zip(units, texts, strict=True)
            for text in own
            for segment in unit.segments
        ]
        windows = iter(PublishedChecker.windows(self.part, asked))  # whole ones where they fit, also of AlignScore
        planned = [
            [
                [(self.part.premise(unit.question, w), text) for _ in unit.segments for w in next(windows)]
                for text in own
            ]
            for unit, own in zip(units, texts, strict=True)
        ]
        pairs = list(dict.fromkeys(pair for plans in planned for found in plans for pair in found))
        read = dict(zip(pairs, self.part.read(pairs), strict=True))
        return [[_largest([read[pair] for pair in found]) for found in plans] for plans in planned]


class NLIChecker(PairChecker):
    """`model`: any sequence classifier with three NLI labels, which are read from its id2label."""

    def __init__(
        self, model: str = NLI, device: int | str | None = None, batch_size: int = 16, settings: Settings | None = None
    ) -> None:
        del batch_size  # batches are cut by tokens
        part = create("checker", f"nli:{model}", on_device(settings, device))
        part.limit = min(LONGEST, part.room)
        super().__init__(part)


class AlignScoreChecker(PairChecker):
    """`ckpt_path`: the checkpoint; the hub's where it does not exist."""

    def __init__(
        self,
        ckpt_path: str = ALIGNSCORE,
        device: int | str | None = None,
        batch_size: int = 16,
        settings: Settings | None = None,
    ) -> None:
        del batch_size
        given = f":{ckpt_path}" if Path(ckpt_path).exists() or ckpt_path != ALIGNSCORE else ""
        super().__init__(create("checker", f"alignscore{given}", on_device(settings, device)))


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
        own = Path(classifier_dir) / classifier
        folder = own if own.is_dir() else Path(classifier_dir)
        super().__init__(create("checker", f"repc:{folder}", on_device(settings, device)))


class JudgingChecker(CheckerBase):
    """A checker of ours that judges whole tasks."""

    @abstractmethod
    def _judge(self, joint: bool, batch: int, answer: Answering | None) -> Checker: ...

    def _labels(self, units: Sequence[Unit], joint: bool, batch: int, answer: Answering | None) -> list[list[Found]]:
        tasks = []
        for unit in units:
            text = Text(content_hash(unit.question, *map(text_of, unit.claims)), "", unit.question)
            claims = tuple(as_claim(claim, text.id) for claim in unit.claims)
            passages = {passage.id: passage for passage in map(Passage.of, unit.segments)}
            tasks.append(CheckTask(text, claims, tuple(passages.values())))
        found = isolated("check", tasks, self._judge(joint, batch, answer).check)
        return [
            [judged] * len(task.claims) if isinstance(judged, ItemError) else list(map(_label, judged))
            for task, judged in zip(tasks, found, strict=True)
        ]


class LLMChecker(JudgingChecker):
    """`model`: a litellm name. `batch_size`: requests at once."""

    def __init__(
        self, model: str = "", batch_size: int = 16, api_base: str | None = None, settings: Settings | None = None
    ) -> None:
        super().__init__()
        self.model = needed(model)
        self._settings = of_model(settings, batch_size, api_base)

    def _judge(self, joint: bool, batch: int, answer: Answering | None) -> Checker:
        mode: CheckMode = "joint" if joint else "single"
        return OurLLMChecker(answering(self.model, answer), mode, batch, self._settings)


class PartChecker(JudgingChecker):
    """Any checker of ours by its name: builtin, hhem-2.1, minicheck, llm:MODEL, ensemble:A+B. Its threshold decides."""

    def __init__(self, name: str = "builtin", settings: Settings | None = None) -> None:
        super().__init__()
        self._part: Checker = create("checker", name, settings or load())

    def _judge(self, joint: bool, batch: int, answer: Answering | None) -> Checker:  # noqa: ARG002
        return self._part


def segmented(reference: str, most: int) -> list[str]:
    """Runs of whole sentences of at most so many tokens; 0, or a reference without sentences: the reference."""
    if most <= 0:
        return [reference]
    parts = runs(reference, most, lambda text: len(TOKEN.findall(text)))
    return [over(part).of(reference) for part in parts] or [reference]


def on_device(settings: Settings | None, device: int | str | None) -> Settings:
    """RefChecker's device is the number of a GPU, or a name of torch's; None: the settings'."""
    settings = settings or load()
    if device is None:
        return settings
    return settings.replace(device=f"cuda:{device}" if isinstance(device, int) else device)


def _largest(found: Sequence[Scores | Exception]) -> Found:
    """The label over the windows of a claim, each by its largest score."""
    label = merged([None if isinstance(item, Exception) else COLUMNS[item.index(max(item))].value for item in found])
    return label or next(failure("check", item) for item in found if isinstance(item, Exception))


def _label(judgement: Judgement) -> Found:
    if judgement.label is not None:
        return judgement.label.value
    return judgement.error or ItemError("check", "the claim was not judged")
