"""Self-checking on WikiBio-GPT3 (SelfCheckGPT, arXiv 2303.08896): 119 passages by GPT-3, each with ten samples.

The samples are those of a replication with GPT-3.5, so the figures differ from the published ones. That replication's
own scores of the same sentences against the same samples stand beside ours. People labelled each sentence: accurate,
minor inaccurate or major inaccurate.

Metrics as published: the area under the precision-recall curve for finding sentences that are not factual (minor or
major), the same for finding factual ones, and Pearson's correlation of the mean score of a passage with its mean label
(0, 0.5, 1). Intervals are percentiles over resamples of passages, since the sentences of a passage depend on each
other. Nothing is fitted on these passages.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from graph_eval.bench.metrics import Array, Sample, auc_pr, pearson, weights
from graph_eval.bench.record import machine
from graph_eval.bench.sets import Track
from graph_eval.chunks import chunks
from graph_eval.consistency.ensemble import EnsembleMethod
from graph_eval.consistency.foreign import as_method
from graph_eval.consistency.method import Consistency, Method, SampleTask
from graph_eval.consistency.ngram import NgramMethod
from graph_eval.errors import InputError, UsageError
from graph_eval.extractors.extractor import Extractor, as_extractor
from graph_eval.formats import files
from graph_eval.isolation import isolated
from graph_eval.registry import create
from graph_eval.settings import Settings
from graph_eval.types import Claim, Example, ItemError, Span, Text
from graph_eval.version import versions

PASSAGES, SCORES = "wikibio_gpt3/wikibio_passages.jsonl.gz", "wikibio_gpt3/selfcheck_scores.jsonl.gz"
ORIGIN = "https://github.com/KAIST-CS584-HCI/selfcheckgpt-replication"
LABELS = {"accurate": 0.0, "minor_inaccurate": 0.5, "major_inaccurate": 1.0}
METHODS = ("cosine", "ngram:mean", "ngram", "nli", "graph", "ensemble:nli+graph")  # those that run offline
COUNTS = (1, 3, 5, 10)  # of samples
REPLICATED = ("bert", "prompt", "nli")
PUBLISHED = ", published scale"  # behind the name of an n-gram method: -log p without an upper limit
UNDECIDED = 0.5  # where no sentence of a passage has a score


@dataclass(frozen=True, slots=True)
class LabelledPassage:
    """A passage with the spans of its sentences, the labels of people (0, 0.5 or 1), and the replication's scores."""

    example: Example
    spans: tuple[Span, ...]
    labels: tuple[float, ...]
    replicated: Mapping[str, Sequence[float]]

    def task(self, claims: Mapping[str, Sequence[Claim]]) -> SampleTask:
        text, samples = Text.of(self.example), Text.of_samples(self.example)
        found = tuple(tuple(claims.get(sample.id, ())) for sample in samples)
        return SampleTask(text, self.spans, samples, tuple(claims.get(text.id, ())), found)


class Remembering(Method):
    """A method that compares a task once: an ensemble and its members share the work."""

    def __init__(self, method: Method) -> None:
        self.method = method
        self.reads, self.needs_claims, self.stepwise = method.reads, method.needs_claims, method.stepwise
        self.seconds = 0.0
        self._known: dict[SampleTask, Consistency | ItemError] = {}

    @property
    def fingerprint(self) -> str:
        return self.method.fingerprint

    @property
    def threshold(self) -> float:
        return self.method.threshold

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency | ItemError]:
        new = [task for task in tasks if task not in self._known]
        began = monotonic()
        self._known |= dict(zip(new, isolated("selfcheck", new, self.method.compare), strict=True))
        self.seconds += monotonic() - began
        return [self._known[task] for task in tasks]


def wikibio(
    data: Path,
    settings: Settings,
    names: Sequence[str] = METHODS,
    counts: Sequence[int] = COUNTS,
    limit: int | None = None,
    track: Track = lambda items, _total, _name: items,
) -> dict[str, Any]:
    """The table as the content of its JSON file. `names`: of methods. `counts`: numbers of samples.

    `track` wraps the passages of a method, to show progress. Raises InputError if a file does not exist.
    """
    passages = list(read(data))[:limit]
    if invalid := [count for count in counts if not 1 <= count <= len(passages[0].example.samples)]:
        raise UsageError(f"invalid number of samples: {invalid[0]}", f"use 1 to {len(passages[0].example.samples)}")
    extractor = as_extractor(create("extractor", settings.extractor, settings))
    made: dict[str, Remembering] = {}
    for name in names:
        _make(name, settings, made)
    needs_claims = any(made[name].needs_claims for name in names)
    began = monotonic()
    claims = claims_of(passages, extractor, track) if needs_claims else {}
    extraction_seconds = monotonic() - began
    tasks = [passage.task(claims) for passage in passages]
    drawn = weights(len(passages))
    rows = [
        _row(passages, name, None, [passage.replicated[name] for passage in passages], drawn, {})
        | {"source": "replication"}
        for name in REPLICATED
    ]
    baselines = {row["method"]: row for row in rows}
    for name in names:
        found = measured(made[name], tasks, counts, track, name)
        for count in counts:
            scored = [_scores(item, len(task.sentences)) for item, task in zip(found[count], tasks, strict=True)]
            scores, missing, errors = zip(*scored, strict=True)
            row = _row(passages, name, count, scores, drawn, baselines)
            rows.append(row | {"source": "graph_eval", "without_score": sum(missing), "errors": sum(errors)})
        rows[-1]["seconds"] = round(made[name].seconds, 1)
        if isinstance(ngrams := made[name].method, NgramMethod):
            for count in counts:
                raw = [surprises(ngrams, first(task, count)) for task in tasks]
                row = _row(passages, f"{name}{PUBLISHED}", count, raw, drawn, baselines)
                rows.append(row | {"source": "graph_eval", "without_score": 0, "errors": 0})
    for row in rows:
        del row["statistics"]
    return {
        "benchmark": "wikibio",
        "settings": settings.affecting_results(
            ("extractor", *extractor.reads, *(name for method in made.values() for name in method.reads))
        ),
        "fingerprints": {
            **({"extractor": extractor.fingerprint} if needs_claims else {}),
            **{name: made[name].fingerprint for name in names},
        },
        "versions": versions(),
        "machine": machine(),
        "data": {"passages": len(passages), "sentences": sum(len(passage.spans) for passage in passages)},
        "seconds_of_extraction": round(extraction_seconds, 1),
        "rows": rows,
        "items": list(_items(passages)),
    }


def _make(name: str, settings: Settings, made: dict[str, Remembering]) -> Remembering:
    """The method of that name. The members of an ensemble are the same objects as the methods by themselves."""
    if name not in made:
        kind, _, argument = name.partition(":")
        if kind == "ensemble" and argument:
            members = [_make(part.strip(), settings, made) for part in argument.split("+")]
            made[name] = Remembering(EnsembleMethod(members))
        else:
            made[name] = Remembering(as_method(create("method", name, settings)))
    return made[name]


def claims_of(passages: Sequence[LabelledPassage], extractor: Extractor, track: Track) -> dict[str, Sequence[Claim]]:
    """The claims of every response and sample, by the id of the text. Raises InputError if an extraction fails."""
    claims: dict[str, Sequence[Claim]] = {}
    for passage in track(iter(passages), len(passages), "extracting"):
        texts = [Text.of(passage.example), *Text.of_samples(passage.example)]
        for text, found in zip(texts, isolated("extract", texts, extractor.extract), strict=True):
            if isinstance(found, ItemError):
                raise InputError(f"{passage.example.id}: {found}", found.hint)
            claims[text.id] = found
    return claims


def measured(
    method: Method, tasks: Sequence[SampleTask], counts: Sequence[int], track: Track, name: str
) -> dict[int, list[Consistency | ItemError]]:
    """For each number of samples the consistency of every task over its first samples.

    A stepwise method compares once, with the largest number.
    """
    largest = max(counts)
    own = [largest] if method.stepwise else sorted(counts)
    found: dict[int, list[Consistency | ItemError]] = {}
    for count in own:
        found[count] = []
        for part in track(chunks(tasks, 4), -(-len(tasks) // 4), f"{name}, {count} samples"):
            found[count] += method.compare([first(task, count) for task in part])
    for count in counts:
        if count not in found:
            found[count] = [shortened(item, count) for item in found[largest]]
    return found


def surprises(method: NgramMethod, task: SampleTask) -> list[float]:
    """The published score of each sentence, in nats."""
    found, largest = method.surprises(task)
    return [largest if value is None else value for value in found]


def first(task: SampleTask, count: int) -> SampleTask:
    """The task with its first samples only."""
    return task.only(range(count))


def shortened(item: Consistency | ItemError, count: int) -> Consistency | ItemError:
    """The scores over the first samples of a stepwise method."""
    if isinstance(item, ItemError):
        return item
    sentences = [
        replace(sentence, score=sum(sentence.by_sample[:count]) / count, by_sample=sentence.by_sample[:count])
        if sentence.by_sample
        else sentence
        for sentence in item.sentences
    ]
    scores = [sentence.score for sentence in sentences if sentence.score is not None]
    return Consistency(sum(scores) / len(scores) if scores else None, tuple(sentences))


def _scores(item: Consistency | ItemError, count: int) -> tuple[list[float], int, int]:
    """The score of each sentence; one without a score has that of its passage. Then the number of sentences without a
    score, and 1 for a passage that could not be compared."""
    if isinstance(item, ItemError):
        return [UNDECIDED] * count, count, 1
    scores = [sentence.score for sentence in item.sentences]
    given = [score for score in scores if score is not None]
    rest = sum(given) / len(given) if given else UNDECIDED
    return [rest if score is None else score for score in scores], len(scores) - len(given), 0


def _row(
    passages: Sequence[LabelledPassage],
    name: str,
    count: int | None,
    scores: Sequence[Sequence[float]],
    drawn: Array,
    baselines: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    found = statistics([passage.labels for passage in passages], scores, drawn)
    row: dict[str, Any] = {"method": name, "samples": count}
    row |= {metric: sample.figure()._asdict() for metric, sample in found.items()}
    row["above"] = {
        other: {metric: sample.above(base["statistics"][metric])._asdict() for metric, sample in found.items()}
        for other, base in baselines.items()
    }
    row["statistics"] = found
    row["scores"] = [[round(float(score), 6) for score in sentences] for sentences in scores]
    return row


def statistics(labels: Sequence[Sequence[float]], scores: Sequence[Sequence[float]], drawn: Array) -> dict[str, Sample]:
    """`nonfact`, `factual` and `pearson` over the passages and over each resample of them."""
    wrong = np.array([float(label > 0) for group in labels for label in group])
    values = np.array([score for group in scores for score in group], dtype=np.float64)
    places = np.repeat(np.arange(len(labels)), [len(group) for group in labels])
    of_sentences = drawn[:, places]
    human = np.array([np.mean(group) for group in labels])
    machines = np.array([np.mean(group) for group in scores])
    return {
        "nonfact": auc_pr(wrong, values, of_sentences),
        "factual": auc_pr(1.0 - wrong, -values, of_sentences),
        "pearson": pearson(human, machines, drawn),
    }


def _items(passages: Sequence[LabelledPassage]) -> Iterator[dict[str, Any]]:
    for passage in passages:
        yield {"id": passage.example.id, "labels": list(passage.labels)}


def read(data: Path) -> Iterator[LabelledPassage]:
    """The passages of the set in the folder `data`. Raises InputError if a file does not exist or is another one."""
    for name in (PASSAGES, SCORES):
        if not (data / name).is_file():
            raise InputError(f"{data / name} does not exist", f"download it from {ORIGIN} into the --data folder")
    replicated = {row["id"]: row["scores"] for row in _values(data / SCORES)}
    for row in _values(data / PASSAGES):
        try:
            spans = tuple(located(row["response"], row["sentences"]))
            labels = tuple(LABELS[label] for label in row["annotation"])
            example = Example(row["id"], "wikibio", row["response"], samples=tuple(row["samples"]))
            yield LabelledPassage(example, spans, labels, replicated[row["id"]])
        except (KeyError, TypeError, ValueError) as problem:
            raise InputError(
                f"{data / PASSAGES}: unexpected record: {problem!r}", f"download it from {ORIGIN}"
            ) from None


def _values(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of the lines. Raises InputError for a line that is none, and for a damaged or empty file."""
    line = 0
    try:
        with files.source(str(path)).open() as stream:
            for text in stream:
                line += 1
                value = json.loads(text)
                if not isinstance(value, dict):
                    raise ValueError("not a JSON object")
                yield value
    except (ValueError, EOFError, OSError, zlib.error) as problem:
        raise InputError(f"{path}, line {line}: {problem}", f"download it from {ORIGIN}") from None
    if not line:
        raise InputError(f"{path} is empty", f"download it from {ORIGIN}")


def located(response: str, sentences: Sequence[str]) -> Iterator[Span]:
    """The spans of the annotated sentences, in order. Raises ValueError for one that is not in the response."""
    position = 0
    for sentence in sentences:
        start = response.index(sentence.strip(), position)
        position = start + len(sentence.strip())
        yield Span(start, position)
