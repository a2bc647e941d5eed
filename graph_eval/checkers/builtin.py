"""The builtin checker: a small NLI cross-encoder on onnxruntime and its calibration, with their weights in the package.

33 million parameters in 8 and 4 bit; see graph_eval/weights/nli/README.md for data, figures and limits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from graph_eval.checkers.calibration import Calibration, probability
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.evidence import Candidate, candidates, decisive
from graph_eval.checkers.features import Features, doubt, features, touches
from graph_eval.checkers.gather import gather
from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.quantities import missing_quantities
from graph_eval.checkers.rewording import reworded
from graph_eval.checkers.threshold import named_threshold
from graph_eval.checkers.verbatim import verbatim_span
from graph_eval.checkers.windows import IndexedPassage, Window, WindowSelector, index, place_of, terms
from graph_eval.nli.scorer import OnnxScorer, Reading
from graph_eval.registry import checker
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.text.normalise import aligned, readable, without_citations, without_marks, words
from graph_eval.types import CheckTask, Claim, Judgement, Kind, Passage, Scores, Span

EARLY_EXIT = 0.05  # p_inconsistent at or below which no further premises are read
MIN_PART = 3  # words of a part of a sentence that is read by itself
MOST_OF_SENTENCE = 0.75  # of its words; a longer part is the sentence
FUNCTION_WORDS = frozenset(  # that by themselves say nothing which can be wrong
    "a an the it its this that these those of to in at by for as is are was were be been being".split()
)
VERBATIM_SCORES = Scores(1.0, 0.0, 0.0)
VERBATIM = "verbatim"


class Premise(NamedTuple):
    """What a hypothesis is read against: a window, or gathered sentences."""

    text: str
    windows: tuple[Window, ...]

    @classmethod
    def of(cls, windows: Sequence[Window]) -> Premise:
        return cls(" ".join(window.text for window in windows), tuple(windows))


@dataclass(slots=True)
class Hypothesis:
    """A sentence to be entailed, and its readings in the passages of its task."""

    text: str
    passages: tuple[str, ...]
    steps: list[list[Premise]]  # not read yet
    readings: list[tuple[Premise, Reading]] = field(default_factory=list)
    question: str = ""
    numbers: float = field(init=False)  # share of its quantities that neither a passage nor the question states
    novelty: float = field(init=False, default=1.0)  # share of its terms that the best premise read so far lacks
    wanted: frozenset[str] = field(init=False)  # its terms

    def __post_init__(self) -> None:
        # A number that cites a source is none of the sentence's.
        self.numbers = self._missing(self.text)
        self.wanted = terms(self.text)

    def add(self, premise: Premise, reading: Reading) -> None:
        """Keeps its reading against one more premise."""
        self.readings.append((premise, reading))
        lacking = len(self.wanted - terms(premise.text)) / max(1, len(self.wanted))
        self.novelty = min(self.novelty, lacking)

    def _missing(self, wording: str) -> float:
        sentence = without_citations(self.text)
        return missing_quantities(without_citations(wording), *self.passages, question=self.question, sentence=sentence)

    def features(self, text: str | None = None, own: Sequence[Span] | None = None) -> Features:
        """The features of a claim of this sentence, its wording and its words in it. None: of the sentence itself."""
        numbers = self.numbers if text is None or not self.numbers else self._missing(text)
        return features([reading for _, reading in self.readings], own, numbers, self.novelty)

    def doubts(self, own: Sequence[Span] | None) -> dict[Span, float]:
        """Of each piece in `own` (None: of all) the log odds against the premise that supports it best."""
        found: dict[Span, float] = {}
        for _, reading in self.readings:
            for piece in reading.pieces:
                if own is None or touches(piece, own):
                    span = Span(piece.start, piece.end)
                    found[span] = min(found.get(span, math.inf), piece.log_odds)
        return found


@dataclass(slots=True)
class ClaimReading:
    """The way to judge one claim: verbatim, or by its sentence. Both are None if no passage has a window.

    `words`: where the claim's words stand in the hypothesis. None: all of it. `part`: the piece of the sentence that
    they stand in, if it is shorter. `part_readings`: of the part, against the premises of the sentence.
    """

    claim: Claim
    verbatim: Window | None = None
    sentence: Hypothesis | None = None
    words: Sequence[Span] | None = None
    part: str = ""
    part_readings: list[Reading] = field(default_factory=list)

    def features(self) -> Features:
        """Raises ValueError if there is no sentence to read."""
        if self.sentence is None:
            raise ValueError(f"claim {self.claim.id}: no sentence")
        found = self.sentence.features(self.claim.text if self.claim.kind is Kind.TRIPLET else None, self.words)
        return found._replace(entailment=doubt(self.part_readings)) if self.part_readings else found

    @property
    def read(self) -> str:
        """What its scores are of: its part, or its sentence. "" if nothing was read."""
        if self.part_readings:
            return self.part
        return self.sentence.text if self.sentence else ""

    def part_pairs(self) -> list[tuple[str, str]]:
        """The part with each premise that its sentence was read against."""
        return [(premise.text, self.part) for premise, _ in self.sentence.readings] if self.sentence else []

    def scores(self) -> list[tuple[Premise, Scores]]:
        """Those of its part where that was read, else of its sentence, by premise."""
        if self.sentence is None:
            return []
        premises, readings = zip(*self.sentence.readings, strict=True)
        return [(premise, read.scores) for premise, read in zip(premises, self.part_readings or readings, strict=True)]

    def unsupported(self, text: str, level: float) -> tuple[Span, ...]:
        """The claim's words whose log odds of being unsupported lie above `level`, else its most doubtful word.

        As offsets in `text`, the response. () if the model does not judge words.
        """
        if self.sentence is None or not (doubts := self.sentence.doubts(self.words)):
            return ()
        telling = [odds for span, odds in doubts.items() if tells(span.of(self.sentence.text))] or doubts.values()
        doubted = [span for span, odds in doubts.items() if odds >= min(level, max(telling))]
        sentence = self.claim.sentence.of(text)
        found = aligned(doubted, self.sentence.text, sentence)
        found = [span for span in found if tells(span.of(sentence))] or found
        start = self.claim.sentence.start
        return tuple(span.moved(start) for span in found)


def tells(part: str) -> bool:
    """Whether a word of it can be what is wrong: not only "it" or "of the"."""
    return any(word not in FUNCTION_WORDS for word, _ in words(part))


@checker("builtin", reads=("threads", "threshold"))
class BuiltinChecker(Checker):
    """The default: an NLI model that judges sentences and each of their words, calibrated by logistic regression.

    A claim is supported where a passage states it, or its sentence, word for word. Otherwise its sentence is read
    against sentences that are gathered from all passages, and against the window of three sentences that suits it best
    in each of the best passages. Where that leaves doubt, the part of the sentence that holds the words of a triplet is
    read by itself: what is right beside it would hide what is wrong in it. A triplet is judged by the model's verdicts
    on the sentence, on its part of it and on its own words, and by the numbers and terms that no premise has. Settings
    and weights were chosen on development sets; see graph_eval/weights/nli/README.md.
    """

    english_only = True

    def __init__(
        self, threads: int = 0, threshold: float | str | None = None, calibration: Calibration | None = None
    ) -> None:
        weights = folder("weights/nli")
        self.scorer = OnnxScorer(weights, threads)
        self.calibration = calibration or Calibration.read(weights / "calibration.json")
        self.thresholds = self.calibration.thresholds
        self.doubtful = self.calibration.doubtful
        self._threshold = 0.5 if threshold is None else named_threshold(threshold, self.thresholds)
        self.selector = WindowSelector(sizes=(3,), passages=3)
        self.early_exit = EARLY_EXIT

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> BuiltinChecker:  # noqa: ARG003
        return cls(settings.threads, settings.threshold)

    @property
    def threshold(self) -> float:
        return self._threshold

    @property
    def fingerprint(self) -> str:
        parts = (self.scorer.fingerprint, self.selector.fingerprint, "builtin-20", self.early_exit)
        return ":".join(map(str, (*parts, self.calibration.fingerprint)))

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        by_task = self.claim_readings(tasks)
        self.read(by_task)
        judged = [
            [self._judgement(reading, task.text.text) for reading in readings]
            for task, readings in zip(tasks, by_task, strict=True)
        ]
        return self._with_deciding_sentences(tasks, by_task, judged)

    def claim_readings(self, tasks: Sequence[CheckTask]) -> list[list[ClaimReading]]:
        """The unread hypotheses of every claim of every task. `read` reads them."""
        return [self._claim_readings(task) for task in tasks]

    def _claim_readings(self, task: CheckTask) -> list[ClaimReading]:
        text = task.text.text
        # The order in which the passages are given must change nothing.
        ordered = sorted(task.passages, key=place_of)
        # A claim of another extractor may have no place in the text: then it is read by itself.
        # The mark of a source says nothing of what the passages state, and would move the score.
        sentences = [readable(without_marks(claim.sentence.of(text))) or claim.text for claim in task.claims]
        # The triplets of a sentence share it: it is looked up once.
        texts = dict.fromkeys((*(claim.text for claim in task.claims), *sentences))
        verbatim = {text: self._verbatim(without_citations(text), ordered) for text in texts}
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
        queries = queries_of((reading.claim, sentence) for reading, sentence in unread)
        selected = self.selector.select(task.passages, list(queries.values()))
        indexed = [index(passage) for passage in ordered]
        passages = tuple(passage.text for passage in ordered)
        question = task.text.question or ""
        hypotheses = {
            sentence: Hypothesis(sentence, passages, self._steps(indexed, query, windows), question=question)
            for (sentence, query), windows in zip(queries.items(), selected, strict=True)
            if windows
        }
        for reading, sentence in unread if hypotheses else ():
            reading.sentence = hypotheses[sentence]
            if reading.claim.kind is Kind.TRIPLET:
                reading.words = own_words(reading.claim, text, sentence)
                reading.part = part_of(sentence, reading.words or ())
        return readings

    def _steps(self, passages: Sequence[IndexedPassage], query: str, windows: Sequence[Window]) -> list[list[Premise]]:
        """What is read first: the gathered sentences. Then the best passage's window, then those of others."""
        premises: dict[str, Premise] = {}
        for found in (gather(passages, query), *([window] for window in windows)):
            premise = Premise.of(found)
            premises.setdefault(premise.text, premise)
        premises.pop("", None)
        different = list(premises.values())
        return [step for step in (different[:1], different[1:2], different[2:]) if step]

    def _verbatim(self, text: str, passages: Sequence[Passage]) -> Window | None:
        for passage in passages:
            if span := verbatim_span(text, passage):
                return Window(passage.id, span, text)
        return None

    def read(self, by_task: Iterable[Iterable[ClaimReading]]) -> None:
        """Reads the sentences of the claims, then the parts of those that are undecided."""
        readings = [reading for task in by_task for reading in task]
        sentences = {id(reading.sentence): reading.sentence for reading in readings if reading.sentence}
        self._read_sentences(sentences.values())
        undecided = {key for key, sentence in sentences.items() if self._undecided(sentence)}
        self._read_parts([reading for reading in readings if reading.part and id(reading.sentence) in undecided])

    def _read_sentences(self, hypotheses: Iterable[Hypothesis]) -> None:
        """Reads the hypotheses step by step, each while it is undecided. A step of all of them is one call."""
        waiting = list(hypotheses)
        while waiting := [hypothesis for hypothesis in waiting if hypothesis.steps and self._undecided(hypothesis)]:
            steps = [(hypothesis, hypothesis.steps.pop(0)) for hypothesis in waiting]
            table = self._table((premise.text, hypothesis.text) for hypothesis, step in steps for premise in step)
            for hypothesis, step in steps:
                for premise in step:
                    hypothesis.add(premise, table[premise.text, hypothesis.text])

    def _read_parts(self, readings: Sequence[ClaimReading]) -> None:
        table = self._table(pair for reading in readings for pair in reading.part_pairs())
        for reading in readings:
            reading.part_readings = [table[pair] for pair in reading.part_pairs()]

    def _table(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Reading]:
        """The readings of pairs of a premise and a hypothesis, each read once.

        A hypothesis is read in the premise's own amounts too, where they are equal.
        """
        asked = {pair: reworded(pair[1], pair[0]) for pair in dict.fromkeys(pairs)}
        changed = {pair: (pair[0], rewording.text) for pair, rewording in asked.items() if rewording.changes}
        different = list(dict.fromkeys((*asked, *changed.values())))
        table = dict(zip(different, self.scorer.read(different), strict=True)) if different else {}
        better = {pair: asked[pair].better(table[pair], table[other]) for pair, other in changed.items()}
        return table | better

    def _with_deciding_sentences(
        self, tasks: Sequence[CheckTask], by_task: Sequence[Sequence[ClaimReading]], judged: list[list[Judgement]]
    ) -> list[list[Judgement]]:
        """The judgements, those of flagged claims with the sentences that decide about them as evidence.

        A sentence is read against what the claim was judged by: its part of the response's sentence, or all of it.
        """
        flagged: list[tuple[int, int, ClaimReading, tuple[Candidate, ...]]] = []
        known: dict[tuple[str, str], Scores] = {}  # a premise of one sentence was read before
        for number, (task, readings) in enumerate(zip(tasks, by_task, strict=True)):
            asked = [
                (place, reading)
                for place, reading in enumerate(readings)
                if reading.sentence and judged[number][place].flagged
            ]
            passages = {passage.id: index(passage) for passage in task.passages} if asked else {}
            for place, reading in asked:
                scored = reading.scores()
                known |= {(premise.text, reading.read): scores for premise, scores in scored}
                windows = [window for premise, _ in scored for window in premise.windows]
                flagged.append((number, place, reading, candidates(reading.claim, windows, passages)))
        pairs = [(each.sentence.text, reading.read) for *_, reading, found in flagged for each in found]
        table = self._table(pair for pair in pairs if pair not in known)
        known |= {pair: reading.scores for pair, reading in table.items()}
        for number, place, reading, found in flagged:
            read = [(each, known[each.sentence.text, reading.read]) for each in found]
            if read:
                judged[number][place] = replace(judged[number][place], evidence=decisive(read))
        return judged

    def _undecided(self, hypothesis: Hypothesis) -> bool:
        """Whether to read on. More premises can only lower the sentence's probability."""
        odds = self.calibration.log_odds(hypothesis.features()) if hypothesis.readings else math.inf
        return probability(odds) > min(self.early_exit, self.threshold)

    def _judgement(self, reading: ClaimReading, text: str) -> Judgement:
        claim = reading.claim
        if reading.verbatim is not None:
            windows = [(reading.verbatim, VERBATIM_SCORES)]
            return judgement_from(claim.id, windows, self.threshold, reason=VERBATIM)
        if reading.sentence is None:
            return judgement_from(claim.id, (), self.threshold)
        signs = reading.features()
        log_odds = self.calibration.log_odds(signs)
        wanted = terms(claim.text)
        windows = [
            (window, scores) for premise, scores in reading.scores() for window in telling(premise.windows, wanted)
        ]
        judgement = judgement_from(claim.id, windows, self.threshold, probability(log_odds))
        words = reading.unsupported(text, self.calibration.word_level)
        return replace(judgement, unsupported=words, signs=signs._asdict())


def telling(windows: Sequence[Window], wanted: frozenset[str]) -> list[Window]:
    """The windows that share terms with a claim, those with most of them first. The first one if none does."""
    shared = {window: len(terms(window.text) & wanted) for window in windows}
    return sorted(filter(shared.get, windows), key=lambda window: -shared[window]) or list(windows[:1])


def queries_of(claims: Iterable[tuple[Claim, str]]) -> dict[str, str]:
    """For each sentence the words that premises are chosen by: its own, and the names its pronouns stand for."""
    found: dict[str, dict[str, None]] = {}
    for claim, sentence in claims:
        words = found.setdefault(sentence, {sentence: None})
        words |= {slot.text: None for slot in claim.slots if slot.resolved}
    return {sentence: " ".join(words) for sentence, words in found.items()}


def part_of(sentence: str, own: Sequence[Span]) -> str:
    """The text from the first to the last of a claim's own words, if it leaves out enough of the sentence; else ""."""
    if not own:
        return ""
    part = sentence[own[0].start : own[-1].end]
    size = len(part.split())
    return part if MIN_PART <= size <= MOST_OF_SENTENCE * len(sentence.split()) else ""


def own_words(claim: Claim, text: str, sentence: str) -> list[Span] | None:
    """Where the claim's words stand in its sentence, in its readable form. None: nobody can say, so all of it."""
    start, end = claim.sentence.start, claim.sentence.end
    inside = [
        Span(max(s.start, start) - start, min(s.end, end) - start) for s in claim.spans if s.overlaps(claim.sentence)
    ]
    return aligned(inside, text[start:end], sentence) or None
