"""Self-checking on WikiBio-GPT3 (SelfCheckGPT, arXiv 2303.08896): 119 passages by GPT-3, each with ten samples.

The samples are those of a replication with GPT-3.5, so the figures differ from the published ones. That replication's
own scores of the same sentences against the same samples stand beside ours. People labelled each sentence: accurate,
minor inaccurate or major inaccurate.

Metrics as published: the area under the precision-recall curve for finding sentences that are not factual (minor or
major), the same for finding factual ones, and Pearson's correlation of the score of a passage with its mean label (0,
0.5, 1). The score of a passage is the response's: the mean of its sentences, but that of the whole texts by `cosine`,
and the only score by `prompt-response`. Beside them stand the expected calibration error and the Brier score of the
scores from 0 to 1, read as the chance that a sentence is not factual. Intervals are percentiles over resamples of
passages, since the sentences of a passage depend on each other. No parameter is fitted on these passages; the score of
`nli` was chosen by folds over them (docs/consistency.md). All samples are compared as they are: a refusal among them is
left out by `selfcheck`, and not here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Row, Table
from graph_eval.bench.pieces import Pieces, key_of, pieces_in
from graph_eval.bench.sets.rows import rows
from graph_eval.chunks import chunks
from graph_eval.consistency.ensemble import EnsembleMethod, member_names
from graph_eval.consistency.foreign import as_method
from graph_eval.consistency.method import STAGE, Consistency, Method, SampleTask, SentenceScore, mean, of_sentences
from graph_eval.consistency.ngram import NgramMethod
from graph_eval.consistency.stages import SelfCheckStage
from graph_eval.errors import InputError, UsageError
from graph_eval.extractors.extractor import Extractor, as_extractor
from graph_eval.formats.labelled import Track
from graph_eval.isolation import isolated
from graph_eval.metrics import Array, Sample, auc_pr, calibration_error, pearson, weights
from graph_eval.plan import Plan
from graph_eval.registry import create
from graph_eval.settings import Settings
from graph_eval.types import Claim, Example, ItemError, Span, Text, content_hash

PASSAGES, SCORES = "wikibio_gpt3/wikibio_passages.jsonl.gz", "wikibio_gpt3/selfcheck_scores.jsonl.gz"
ORIGIN = "https://github.com/KAIST-CS584-HCI/selfcheckgpt-replication"
LABELS = {"accurate": 0.0, "minor_inaccurate": 0.5, "major_inaccurate": 1.0}
METHODS = ("cosine", "ngram:mean", "ngram", "nli", "graph", "ensemble:nli+graph")  # those that run offline
COUNTS = (1, 3, 5, 10)  # of samples
REPLICATED = ("bert", "prompt", "nli")
PUBLISHED = ", published scale"  # behind the name of an n-gram method: -log p without an upper limit
UNDECIDED = 0.5  # the score of a passage without one
SET, EXTRACTION = "wikibio", "extraction"
PIECES = "wikibio.jsonl"  # the file of the finished pieces, next to run directories
COMPARED, EXTRACTED = list[Consistency | ItemError], list[list[Claim]]  # the types of the pieces
COLUMNS = ("method", "source", "samples", "errors", "nonfact", "factual", "pearson", "calibration_error", "brier")


@dataclass(frozen=True, slots=True)
class LabelledPassage:
    """A passage with the spans of its sentences, the labels of people (0, 0.5 or 1), and the replication's scores."""

    example: Example
    spans: tuple[Span, ...]
    labels: tuple[float, ...]
    replicated: Mapping[str, Sequence[float]]

    @property
    def texts(self) -> list[Text]:
        """The response and the samples."""
        return [Text.of(self.example), *Text.of_samples(self.example)]

    def task(self, claims: Mapping[str, Sequence[Claim]]) -> SampleTask:
        text, *samples = self.texts
        found = tuple(tuple(claims.get(sample.id, ())) for sample in samples)
        return SampleTask(text, self.spans, tuple(samples), tuple(claims.get(text.id, ())), found)


class Remembering(Method):
    """A method that compares a task once, so that an ensemble and its members share the work.

    The scores over the first samples are taken from a comparison with more of them, where they follow from it.
    `members`: those of an ensemble, which share their work. `pieces`: what an earlier attempt compared. `settings`:
    those that the method reads.
    """

    def __init__(
        self,
        method: Method,
        members: Sequence[Remembering] = (),
        pieces: Pieces | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.members = tuple(dict.fromkeys(members))
        self.reads, self.needs_claims, self.stepwise = method.reads, method.needs_claims, method.stepwise
        self._pieces, self._settings = pieces or Pieces(), settings
        self._seconds: defaultdict[int, float] = defaultdict(float)  # by number of samples, without the members'
        self._known: dict[SampleTask, Consistency | ItemError] = {}
        self._longest: dict[SampleTask, SampleTask] = {}  # the one with the most samples, by the task without any

    @property
    def fingerprint(self) -> str:
        return self.method.fingerprint

    @property
    def threshold(self) -> float:
        return self.method.threshold

    def seconds(self, count: int) -> float:
        """The time of the comparisons with that number of samples: its own, and that of its members."""
        return self._seconds[count] + sum(member.seconds(count) for member in self.members)

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency | ItemError]:
        """`tasks`: with the same number of samples; a larger number comes first."""
        for task in tasks:
            if task not in self._known and (item := self._from_longest(task)) is not None:
                self._known[task] = item
        if new := [task for task in tasks if task not in self._known]:
            for member in self.members:
                member.compare(new)  # before the ensemble asks, so that their time is theirs alone
            key = key_of(list[SampleTask], new, STAGE, self.fingerprint, self._settings)
            found, seconds = self._pieces.made(key, COMPARED, lambda: isolated(STAGE, new, self.method.compare))
            self._known |= dict(zip(new, found, strict=True))
            self._seconds[len(new[0].samples)] += seconds
        for task in tasks:
            self._longest.setdefault(task.only(()), task)
        return [self._known[task] for task in tasks]

    def _from_longest(self, task: SampleTask) -> Consistency | None:
        longest = self._longest.get(task.only(()))
        count = len(task.samples)
        if not self.stepwise or self.members or longest is None or first(longest, count) != task:
            return None  # an ensemble joins the scores of its members over these samples
        return shortened(self._known[longest], count)


@dataclass(frozen=True)
class WikiBio(Benchmark):
    """`methods`: their names. `counts`: numbers of samples.

    The seconds of a method are those of comparing all passages with the largest number of samples, those of its members
    included, in the attempts that did it. The claims are extracted before. What was extracted and compared is stored
    piece by piece, next to run directories, so that an interrupted benchmark continues.
    """

    name = "wikibio"
    title = "Self-checking by samples"
    methods: Sequence[str] = METHODS
    counts: Sequence[int] = COUNTS

    def measure(self, bench: Bench) -> Measurement:
        settings = bench.settings
        passages = list(read(bench.folder()))[: bench.limit]
        most = len(passages[0].example.samples)
        if invalid := [count for count in self.counts if not 1 <= count <= most]:
            raise UsageError(f"invalid number of samples: {invalid[0]}", f"use 1 to {most}")
        extractor = as_extractor(create("extractor", settings.extractor, settings))
        made: dict[str, Remembering] = {}
        claims: dict[str, Sequence[Claim]] = {}
        seconds: dict[str, float] = {}
        with pieces_in(bench.runs / PIECES if bench.runs else None) as pieces:
            for name in self.methods:
                _make(name, settings, made, pieces)
            if any(made[name].needs_claims for name in self.methods):
                claims, spent = claims_of(passages, extractor, settings, pieces, bench.track)
                seconds[EXTRACTION] = round(spent, 1)
            rows, items = self._measured(passages, [passage.task(claims) for passage in passages], made, bench.track)
        plans = {
            name: Plan((SelfCheckStage(made[name], extractor, settings.replace(method=name)),), settings.chunk)
            for name in self.methods
        }
        digest = content_hash(*(passage.example.key for passage in passages))
        seconds = {name: round(made[name].seconds(max(self.counts)), 1) for name in self.methods} | seconds
        about = {"passages": len(passages), "sentences": sum(len(passage.spans) for passage in passages)}
        table = Table("wikibio", self.title, rows, COLUMNS)
        return Measurement([table], items, plans, {SET: digest}, seconds, about)

    def _measured(
        self,
        passages: Sequence[LabelledPassage],
        tasks: Sequence[SampleTask],
        made: Mapping[str, Remembering],
        track: Track,
    ) -> tuple[list[Row], list[Row]]:
        """The rows of the table, and an item for each of them and each passage."""
        drawn, labels = weights(len(passages)), [passage.labels for passage in passages]
        rows: list[Row] = []
        items: list[Row] = []
        baselines: dict[str, dict[str, Sample]] = {}

        def add(name: str, count: int | None, source: str, scores: Sequence[Scored]) -> dict[str, Sample]:
            found = statistics(labels, scores, drawn)
            row = _row(name, count, scores, found, baselines) | calibrated(labels, scores)
            rows.append(row | {"source": source})
            route = name if count is None else f"{name}, {count} samples"
            items.extend(_items(f"{route} ({source})" if count is None else route, passages, scores))
            return found

        replicated = {name: [_replicated(passage.replicated[name]) for passage in passages] for name in REPLICATED}
        baselines |= {name: add(name, None, "replication", scores) for name, scores in replicated.items()}
        for name in self.methods:
            found = measured(made[name], tasks, self.counts, track, name)
            for count in self.counts:
                scores = [scored(item, len(task.sentences)) for item, task in zip(found[count], tasks, strict=True)]
                add(name, count, "graph_eval", scores)
            if isinstance(ngrams := made[name].method, NgramMethod):
                for count in self.counts:
                    raw = [surprises(ngrams, first(task, count)) for task in tasks]
                    add(f"{name}{PUBLISHED}", count, "graph_eval", raw)
        return rows, items


def _make(name: str, settings: Settings, made: dict[str, Remembering], pieces: Pieces) -> Remembering:
    """The method of that name. The members of an ensemble are the same objects as the methods by themselves."""
    if name not in made:
        kind, _, argument = name.partition(":")
        members: list[Remembering] = []
        if kind == "ensemble" and argument.strip():
            members = [_make(member, settings, made, pieces) for member in member_names(argument)]
        method = EnsembleMethod(members) if members else as_method(create("method", name, settings))
        made[name] = Remembering(method, members, pieces, settings.affecting_results(method.reads))
    return made[name]


def claims_of(
    passages: Sequence[LabelledPassage], extractor: Extractor, settings: Settings, pieces: Pieces, track: Track
) -> tuple[dict[str, Sequence[Claim]], float]:
    """The claims of every response and sample, by the id of the text, and the seconds of extracting them.

    Raises InputError if an extraction fails.
    """
    claims: dict[str, Sequence[Claim]] = {}
    seconds = 0.0
    read = settings.affecting_results(extractor.reads)
    for passage in track(iter(passages), len(passages), "extracting"):
        key = key_of(list[Text], passage.texts, "extract", extractor.fingerprint, read)
        found, spent = pieces.made(key, EXTRACTED, partial(_extracted, passage, extractor))
        claims |= {text.id: own for text, own in zip(passage.texts, found, strict=True)}
        seconds += spent
    return claims, seconds


def _extracted(passage: LabelledPassage, extractor: Extractor) -> list[list[Claim]]:
    claims: list[list[Claim]] = []
    for found in isolated("extract", passage.texts, extractor.extract):
        if isinstance(found, ItemError):
            raise InputError(f"{passage.example.id}: {found}", found.hint)
        claims.append(found)
    return claims


def measured(
    method: Method, tasks: Sequence[SampleTask], counts: Sequence[int], track: Track, name: str
) -> dict[int, list[Consistency | ItemError]]:
    """For each number of samples the consistency of every task over its first samples, the largest number first."""
    found: dict[int, list[Consistency | ItemError]] = {}
    for count in sorted(set(counts), reverse=True):
        found[count] = []
        for part in track(chunks(tasks, 4), -(-len(tasks) // 4), f"{name}, {count} samples"):
            found[count] += method.compare([first(task, count) for task in part])
    return found


def surprises(method: NgramMethod, task: SampleTask) -> Scored:
    """The published scores, in nats."""
    found, largest = method.surprises(task)
    return _replicated([largest if value is None else value for value in found])


def first(task: SampleTask, count: int) -> SampleTask:
    """The task with its first samples only."""
    return task.only(range(count))


def shortened(item: Consistency | ItemError, count: int) -> Consistency | None:
    """The scores of response and sentences over the first samples, from those over more samples.

    None where they do not follow: a score is not the mean over the samples, the response's not that of its sentences,
    or there is none because of an error.
    """
    if isinstance(item, ItemError) or of_sentences(item.sentences).score != item.score:
        return None
    if any(sentence.score is not None and not sentence.by_sample for sentence in item.sentences):
        return None
    return of_sentences([_over_first(sentence, count) for sentence in item.sentences])


def _over_first(sentence: SentenceScore, count: int) -> SentenceScore:
    row = sentence.by_sample[:count]
    return SentenceScore(sentence.span, mean(row), row) if row else sentence


class Scored(NamedTuple):
    """The scores of a passage. `sentences`: a sentence without a score has that of the passage. `without_score`: the
    number of such sentences. `failed`: the passage could not be compared; its score is then undecided, 0.5."""

    sentences: Sequence[float]
    passage: float
    without_score: int = 0
    failed: bool = False


def _replicated(scores: Sequence[float]) -> Scored:
    """Scores of sentences alone: that of the passage is their mean."""
    return Scored(scores, float(np.mean(scores)))


def scored(item: Consistency | ItemError, count: int) -> Scored:
    """The scores of a passage with `count` sentences."""
    if isinstance(item, ItemError):
        return Scored([UNDECIDED] * count, UNDECIDED, count, failed=True)
    whole = UNDECIDED if item.score is None else item.score
    scores = [sentence.score for sentence in item.sentences]
    return Scored([whole if score is None else score for score in scores], whole, scores.count(None))


def _row(
    name: str,
    count: int | None,
    scores: Sequence[Scored],
    found: Mapping[str, Sample],
    baselines: Mapping[str, Mapping[str, Sample]],
) -> Row:
    """The figures of a method, and their differences to those of the replication."""
    row: Row = {"method": name, "samples": count}
    row |= {metric: sample.figure()._asdict() for metric, sample in found.items()}
    for other, base in baselines.items():
        row |= {f"{metric}_above_{other}": sample.above(base[metric])._asdict() for metric, sample in found.items()}
    row["without_score"] = sum(item.without_score for item in scores)
    row["errors"] = sum(item.failed for item in scores)
    return row


def _items(route: str, passages: Sequence[LabelledPassage], scores: Sequence[Scored]) -> Iterator[Row]:
    """Of each passage the labels of its sentences, their scores, and its own."""
    for n, (passage, item) in enumerate(zip(passages, scores, strict=True)):
        yield {
            "set": SET,
            "route": route,
            "n": n,
            "id": passage.example.id,
            "labels": list(passage.labels),
            "scores": [round(float(score), 6) for score in item.sentences],
            "passage_score": round(float(item.passage), 6),
            "without_score": item.without_score,
            "failed": item.failed,
        }


def statistics(labels: Sequence[Sequence[float]], scores: Sequence[Scored], drawn: Array) -> dict[str, Sample]:
    """`nonfact`, `factual` and `pearson` over the passages and over each resample of them.

    Not a number: the first two where no sentence has a score of its own, the last where all passages have the same.
    """
    wrong = np.array([float(label > 0) for group in labels for label in group])
    values = np.array([score for item in scores for score in item.sentences], dtype=np.float64)
    places = np.repeat(np.arange(len(labels)), [len(group) for group in labels])
    by_sentence = drawn[:, places]
    human = np.array([np.mean(group) for group in labels])
    machines = np.array([item.passage for item in scores], dtype=np.float64)
    if all(item.without_score == len(item.sentences) for item in scores):
        none = Sample(np.full(len(drawn), np.nan))
        return {"nonfact": none, "factual": none, "pearson": pearson(human, machines, drawn)}
    return {
        "nonfact": auc_pr(wrong, values, by_sentence),
        "factual": auc_pr(1.0 - wrong, -values, by_sentence),
        "pearson": pearson(human, machines, drawn),
    }


def calibrated(labels: Sequence[Sequence[float]], scores: Sequence[Scored]) -> Row:
    """`calibration_error` and `brier` of the sentences' scores as chances that a sentence is not factual.

    Empty if a score lies outside of 0 to 1, or no sentence has one of its own.
    """
    wrong = np.array([float(label > 0) for group in labels for label in group])
    values = np.array([score for item in scores for score in item.sentences], dtype=np.float64)
    own = any(item.without_score < len(item.sentences) for item in scores)
    if not own or values.min() < 0 or values.max() > 1:
        return {}
    return {
        "calibration_error": calibration_error(wrong, values),
        "brier": round(float(((values - wrong) ** 2).mean()), 4),
    }


def read(data: Path) -> Iterator[LabelledPassage]:
    """The passages of the set in the folder `data`. Raises InputError if a file does not exist or is another one."""
    replicated = {row.name("id"): row.value("scores") for row in rows(data / SCORES, ORIGIN)}
    for row in (row.fields for row in rows(data / PASSAGES, ORIGIN)):
        try:
            spans = tuple(located(row["response"], row["sentences"]))
            labels = tuple(LABELS[label] for label in row["annotation"])
            example = Example(row["id"], SET, row["response"], samples=tuple(row["samples"]))
            yield LabelledPassage(example, spans, labels, replicated[row["id"]])
        except (KeyError, TypeError, ValueError) as problem:
            raise InputError(
                f"{data / PASSAGES}: unexpected record: {problem!r}", f"download it from {ORIGIN}"
            ) from None


def located(response: str, sentences: Sequence[str]) -> Iterator[Span]:
    """The spans of the annotated sentences, in order. Raises ValueError for one that is not in the response."""
    position = 0
    for sentence in sentences:
        start = response.index(sentence.strip(), position)
        position = start + len(sentence.strip())
        yield Span(start, position)
