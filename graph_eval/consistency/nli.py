"""Natural language inference: how probably a sample does not bear out a sentence (SelfCheckGPT, section 5.4).

The published score against a sample is P(contradiction) over entailment and contradiction alone, since the neutral
class is left out of the softmax: P(C) / (P(C) + P(E)). The score of a sentence is the mean over the samples. A
published model reads the whole sample, as in the paper.

The builtin model was trained on short premises: it reads the window of three sentences of the sample that suits the
sentence best. It was also trained to tell what a text denies from what it does not say, so that most of what is made up
is neutral to it: its score is the probability of both, 1 - P(E).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isnan

from graph_eval.checkers.checker import PairScorer
from graph_eval.checkers.windows import WindowSelector
from graph_eval.consistency.method import Consistency, Method, SampleTask, by_sample
from graph_eval.registry import method
from graph_eval.settings import OF_TORCH, Settings
from graph_eval.text.normalise import readable
from graph_eval.types import Passage, Scores

VERSION = "nli-2"
UNDECIDED = 0.5  # where a model gives neither entailment nor contradiction any probability
Pair = tuple[str, str]
Measure = Callable[[Scores], float]


def contradicted(scores: Scores) -> float:
    """The published score: P(contradiction) without the neutral class, in [0, 1]."""
    either = scores.entailment + scores.contradiction
    return UNDECIDED if either <= 0 else scores.contradiction / either


def unsupported(scores: Scores) -> float:
    """1 - P(entailment), in [0, 1]: what a sample does not say counts as what it denies."""
    return 1.0 - scores.entailment


@method("nli", argument="[MODEL]", example="nli:potsawee/deberta-v3-large-mnli", reads=("threads", *OF_TORCH))
class NLIMethod(Method):
    """`scorer`: any scorer of (premise, hypothesis) pairs. `selector`: chooses the window of a sample that is read;
    None: the whole sample is the premise. `measure`: the score of a pair. Equal pairs of a call are scored once, all of
    them in one batch."""

    def __init__(
        self,
        scorer: PairScorer,
        selector: WindowSelector | None = None,
        measure: Measure = contradicted,
        english_only: bool = False,
    ) -> None:
        self.scorer = scorer
        self.parts = (scorer,)
        self.selector = selector
        self.measure = measure
        self.english_only = english_only

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> NLIMethod:
        if argument is not None:
            from graph_eval.consistency.published import scorer_of

            return cls(scorer_of(argument, settings))
        from graph_eval.nli.scorer import OnnxScorer
        from graph_eval.resources import folder

        scorer = OnnxScorer(folder("weights/nli"), settings.threads)
        return cls(scorer, WindowSelector(sizes=(3,), passages=1), unsupported, english_only=True)

    @property
    def fingerprint(self) -> str:
        windows = self.selector.fingerprint if self.selector else "whole"
        return f"{VERSION}:{self.scorer.fingerprint}:{windows}:{self.measure.__name__}"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        by_task = [self._pairs(task) for task in tasks]
        pairs = list(dict.fromkeys(pair for rows in by_task for row in rows for pair in row))
        scores = dict(zip(pairs, self._scores(pairs), strict=True))
        return [
            by_sample(task, [[scores[pair] for pair in row] for row in rows])
            for task, rows in zip(tasks, by_task, strict=True)
        ]

    def _pairs(self, task: SampleTask) -> list[list[Pair]]:
        """For each sentence its pair with each sample."""
        sentences = task.own()
        if self.selector is None:
            return [[(sample, sentence) for sample in task.theirs()] for sentence in sentences]
        hypotheses = [readable(sentence) for sentence in sentences]
        columns = [self._windows(self.selector, sample, hypotheses) for sample in task.theirs()]
        return [[(column[place], hypothesis) for column in columns] for place, hypothesis in enumerate(hypotheses)]

    def _windows(self, selector: WindowSelector, sample: str, hypotheses: Sequence[str]) -> list[str]:
        """The window of the sample that each hypothesis is read against."""
        selected = selector.select([Passage.of(sample)], hypotheses)
        return [windows[0].text if windows else readable(sample) for windows in selected]

    def _scores(self, pairs: Sequence[Pair]) -> Iterator[float]:
        if not pairs:
            return
        for row in self.scorer.score(pairs).tolist():
            score = self.measure(Scores(*row))
            if isnan(score):
                raise ValueError("the scorer gave a score that is not a number")
            yield score
