"""The builtin checker: a small NLI cross-encoder on onnxruntime and its calibration, with their weights in the package.

33 million parameters in 8 and 4 bit; see graph_eval/weights/nli/README.md for data, figures and limits.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graph_eval.checkers.calibration import Calibration, probability
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.features import Features, Reading, features
from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.onnx import OnnxScorer
from graph_eval.checkers.pairs import by_size
from graph_eval.checkers.threshold import named_threshold
from graph_eval.checkers.verbatim import verbatim_span
from graph_eval.checkers.windows import IndexedPassage, Window, WindowSelector, index
from graph_eval.registry import checker
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable
from graph_eval.types import CheckTask, Claim, Judgement, Kind, Passage, Scores

EARLY_EXIT = 0.4  # p_inconsistent at or below which no further windows are read
VERBATIM_SCORES = Scores(1.0, 0.0, 0.0)
VERBATIM = "verbatim"


@dataclass(slots=True)
class Hypothesis:
    """A text to be entailed, a sentence or a triplet in words, and its readings in the passages of its task."""

    text: str
    passages: Mapping[str, IndexedPassage]  # by id
    steps: list[list[Window]]  # not read yet
    readings: list[tuple[Window, Reading]] = field(default_factory=list)
    log_odds: float = math.inf  # of being unsupported

    def features(self, names: Collection[str] = Features._fields) -> list[Features]:
        """The features of each passage that was read."""
        by_passage: dict[str, list[tuple[Window, Reading]]] = {}
        for window, reading in self.readings:
            by_passage.setdefault(window.passage_id, []).append((window, reading))
        return [features(self.text, self.passages[passage], read, names) for passage, read in by_passage.items()]

    def update(self, calibration: Calibration) -> None:
        """Sets the log odds to those of the passage that supports the text best."""
        self.log_odds = min(map(calibration.log_odds, self.features(calibration.active_features)))


@dataclass(slots=True)
class ClaimReading:
    """The way to judge one claim: verbatim, by its sentence, or by its triplet and its sentence together.

    All three are None if no passage has a window.
    """

    claim: Claim
    verbatim: Window | None = None
    sentence: Hypothesis | None = None
    triplet: Hypothesis | None = None


@checker("builtin", reads=("threads", "threshold"))
class BuiltinChecker(Checker):
    """The default: an NLI model and lexical features, calibrated by logistic regression.

    A claim is supported where a passage states it, or its sentence, word for word. Otherwise its sentence is read
    against the best windows of its passages. Where the sentence has a p_inconsistent of at most `early_exit`, its
    triplets are supported with it. All other triplets are read as well, against single sentences, and judged together
    with their sentence. Settings and weights were chosen on development sets (FactCC, PolyTope, WiCE dev).
    """

    def __init__(
        self, threads: int = 0, threshold: float | str | None = None, calibration: Calibration | None = None
    ) -> None:
        weights = folder("weights/nli")
        self.scorer = OnnxScorer(weights, threads)
        self.calibration = calibration or Calibration.read(weights / "calibration.json")
        self.thresholds = self.calibration.thresholds
        self._threshold = 0.5 if threshold is None else named_threshold(threshold, self.thresholds)
        self.selector = WindowSelector(sizes=(1, 3), passages=3)
        self.early_exit = EARLY_EXIT

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> BuiltinChecker:  # noqa: ARG003
        return cls(settings.threads, settings.threshold)

    @property
    def threshold(self) -> float:
        return self._threshold

    @property
    def fingerprint(self) -> str:
        parts = (self.scorer.fingerprint, self.selector.fingerprint, "builtin-3", self.early_exit)
        return ":".join(map(str, (*parts, self.calibration.fingerprint)))

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        by_task = self.claim_readings(tasks)
        readings = [reading for task in by_task for reading in task]
        self.read(reading.sentence for reading in readings if reading.sentence)
        self.read(reading.triplet for reading in readings if reading.triplet and self._undecided(reading.sentence))
        return [[self._judgement(reading) for reading in task] for task in by_task]

    def claim_readings(self, tasks: Sequence[CheckTask]) -> list[list[ClaimReading]]:
        """The unread hypotheses of every claim of every task. `read` reads them."""
        return [self._claim_readings(task) for task in tasks]

    def _claim_readings(self, task: CheckTask) -> list[ClaimReading]:
        sentences = [readable(claim.sentence.of(task.text.text)) for claim in task.claims]
        # The triplets of a sentence share it: it is looked up once.
        texts = dict.fromkeys((*(claim.text for claim in task.claims), *sentences))
        verbatim = {text: self._verbatim(text, task.passages) for text in texts}
        readings = [
            ClaimReading(claim, verbatim[claim.text] or verbatim[sentence])
            for claim, sentence in zip(task.claims, sentences, strict=True)
        ]
        # A sentence claim is judged by its sentence, not by the extractor's wording.
        unread = [
            (reading, reading.claim.text if reading.claim.kind is Kind.SENTENCE else sentence)
            for reading, sentence in zip(readings, sentences, strict=True)
            if reading.verbatim is None
        ]
        queries = list(dict.fromkeys(text for reading, sentence in unread for text in (sentence, reading.claim.text)))
        passages = {passage.id: index(passage) for passage in task.passages}
        by_query = self.selector.select(task.passages, queries)
        whole_sentences = {sentence for _, sentence in unread}
        hypotheses = {
            # A triplet has less content than its sentence, so the best sentence of a passage is enough for it.
            text: Hypothesis(text, passages, by_size(windows)[: None if text in whole_sentences else 1])
            for text, windows in zip(queries, by_query, strict=True)
            if windows
        }
        for reading, sentence in unread if hypotheses else ():
            reading.sentence = hypotheses[sentence]
            reading.triplet = hypotheses[reading.claim.text] if reading.claim.kind is Kind.TRIPLET else None
        return readings

    def _verbatim(self, text: str, passages: Sequence[Passage]) -> Window | None:
        for passage in passages:
            if span := verbatim_span(text, passage):
                return Window(passage.id, span, text)
        return None

    def read(self, hypotheses: Iterable[Hypothesis]) -> None:
        """Reads the hypotheses step by step, each while it is undecided. A step of all of them is one call."""
        waiting = list({id(hypothesis): hypothesis for hypothesis in hypotheses}.values())
        while waiting := [hypothesis for hypothesis in waiting if hypothesis.steps and self._undecided(hypothesis)]:
            steps = [(hypothesis, hypothesis.steps.pop(0)) for hypothesis in waiting]
            pairs = dict.fromkeys((window.text, hypothesis.text) for hypothesis, step in steps for window in step)
            table = dict(zip(pairs, self.scorer.read(list(pairs)), strict=True))
            for hypothesis, step in steps:
                hypothesis.readings += [(window, table[window.text, hypothesis.text]) for window in step]
                hypothesis.update(self.calibration)

    def _undecided(self, hypothesis: Hypothesis | None) -> bool:
        """Whether more windows could change the label. They can only lower the probability."""
        return hypothesis is None or probability(hypothesis.log_odds) > min(self.early_exit, self.threshold)

    def _judgement(self, reading: ClaimReading) -> Judgement:
        claim, sentence, triplet = reading.claim, reading.sentence, reading.triplet
        if reading.verbatim is not None:
            windows = [(reading.verbatim, VERBATIM_SCORES)]
            return judgement_from(claim.id, windows, self.threshold, reason=VERBATIM)
        if sentence is None:
            return judgement_from(claim.id, (), self.threshold)
        log_odds, readings = sentence.log_odds, sentence.readings
        if triplet is not None and triplet.readings and triplet is not sentence:
            log_odds = self.calibration.combined(triplet.log_odds, log_odds, claim.confidence)
            flagged = probability(log_odds) > self.threshold
            readings = triplet.readings if flagged else [*triplet.readings, *readings]
        windows = [(window, output.scores) for window, output in readings]
        return judgement_from(claim.id, windows, self.threshold, probability(log_odds))
