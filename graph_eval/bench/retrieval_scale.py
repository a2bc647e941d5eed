"""Retrieval from a large corpus: the time to index it, the size of the index, the memory, and the time of a query.

The corpus is one JSONL file of distinct passages, cut from the texts of the published sets: first those of RefChecker's
noisy setting, which the queries ask for, then others of at least 30 words. Indexing and answering run in processes of
their own, so that the peak memory of each is its own; the pages of the index that it read from the disk count in it. A
last process is killed in the middle of indexing, and the one after it has to answer as the others do.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Row, Table
from graph_eval.bench.retrieval import K, LabelledClaim, read
from graph_eval.errors import InputError
from graph_eval.machine import peak_memory
from graph_eval.metrics import mean
from graph_eval.registry import create
from graph_eval.retrieve.corpus import passages_of
from graph_eval.retrieve.queries import claim_query
from graph_eval.retrieve.retriever import Query
from graph_eval.settings import Settings
from graph_eval.types import ItemError
from graph_eval.version import versions

NAMES = ("bm25", "dense", "hybrid")
FIELDS = ("context", "reference", "p")  # of a record of a published set, those that hold passages
LEAST_WORDS = 30  # of a passage
QUERIES = 500
SOONEST = 0.01  # seconds after which a process may be killed


@dataclass(frozen=True)
class RetrievalScale(Benchmark):
    """A corpus of `passages` passages, and an index of it by each of the retrievers `names`.

    `seconds`: of indexing. `size_mb`: of the index on the disk. `indexing_peak_mb`, `answering_peak_mb`: the largest
    resident size of the two processes. `opening_seconds`: until the saved index can be asked. `first_ms`: of the first
    query, which loads the encoder; the others are in `median_ms` and `p95_ms`, and `cpu_ms` is the median of their CPU
    time, which other processes of the machine change little. `load`: how many processes ran or waited in the last
    minute. `recall`: the share of queries with a passage of the same question among the best five.
    """

    name = "retrieval_scale"
    title = "Retrieval from a large corpus"
    passages: int
    names: Sequence[str] = NAMES

    def measure(self, bench: Bench) -> Measurement:
        """Raises InputError if the folder has too few passages, or if a process fails."""
        data, settings = bench.folder(), bench.settings
        claims = list(read(data))
        asked = queries_of(claims)
        rows: list[Row] = []
        with TemporaryDirectory() as folder:
            place = Path(folder)
            corpus, queries = place / "corpus.jsonl", place / "queries.json"
            words = _write(corpus, corpus_of(data, claims, self.passages))
            queries.write_text(json.dumps(asked), "utf-8")
            for name in bench.track(iter(self.names), len(self.names), "indexing and answering"):
                rows.append({"retriever": name, **_row(name, corpus, place / name, queries, settings)})
            killed = _killed(self.names[-1], corpus, place / "killed", queries, rows[-1], settings)
            size = corpus.stat().st_size
        again = "answers as before" if killed["same_answers"] else "answers otherwise"
        note = f"Killed after {killed['after_seconds']} s of indexing: the next run {again}."
        return Measurement(
            [Table("scale", self.title, rows, across=True, note=note)],
            [],
            about={
                "passages": self.passages,
                "words": words,
                "corpus_mb": _mb(size),
                "queries": len(asked),
                "k": K,
                "search": settings.affecting_results(("ground_encoder", "fusion_k")),
                "versions": versions() | {"bm25s": version("bm25s")},
                "killed": killed,
            },
        )


def queries_of(claims: Sequence[LabelledClaim]) -> list[dict[str, Any]]:
    """Distinct queries of claims, at most `QUERIES` and spread over all; `right`: the passages of their question."""
    distinct = {
        claim_query(item.claim, item.question).text: [passage.id for passage in item.passages] for item in claims
    }
    step = max(1, len(distinct) // QUERIES)
    return [{"text": text, "right": right} for text, right in list(distinct.items())[::step][:QUERIES]]


def corpus_of(data: Path, claims: Iterable[LabelledClaim], count: int) -> Iterator[str]:
    """So many distinct passages. Raises InputError if the folder has fewer."""
    seen: set[str] = set()
    for text in _texts(data, claims):
        if len(seen) == count:
            return
        if text not in seen:
            seen.add(text)
            yield text
    if len(seen) < count:
        raise InputError(f"{data} has only {len(seen):,} passages", f"use --scale {len(seen)}")


def _texts(data: Path, claims: Iterable[LabelledClaim]) -> Iterator[str]:
    yield from dict.fromkeys(passage.text for item in claims for passage in item.passages)
    for path in sorted(data.glob("*/*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for value in map(json.loads, lines):
                for text in _of_record(value):
                    cut = (passage.text for passage in passages_of("", text))
                    yield from (passage for passage in cut if len(passage.split()) >= LEAST_WORDS)


def _of_record(value: dict[str, Any]) -> Iterator[str]:
    for field in FIELDS:
        found = value.get(field)
        yield from (text for text in (found if isinstance(found, list) else [found]) if isinstance(text, str))


def _write(path: Path, texts: Iterable[str]) -> int:
    """The number of words."""
    words = 0
    with path.open("w", encoding="utf-8") as stream:
        for text in texts:
            words += len(text.split())
            stream.write(json.dumps({"text": text}) + "\n")
    return words


def _row(name: str, corpus: Path, index: Path, queries: Path, settings: Settings) -> dict[str, Any]:
    indexed = _finished(_process("index", name, corpus, index, queries, settings))
    size = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    answered = _finished(_process("answer", name, corpus, index, queries, settings))
    return {
        "seconds": indexed["seconds"],
        "size_mb": _mb(size),
        "indexing_peak_mb": indexed["peak_mb"],
        "opening_seconds": answered["seconds"],
        "answering_peak_mb": answered["peak_mb"],
        **{key: answered[key] for key in ("first_ms", "median_ms", "p95_ms", "cpu_ms", "load", "recall", "answers")},
    }


def _killed(
    name: str, corpus: Path, index: Path, queries: Path, row: dict[str, Any], settings: Settings
) -> dict[str, Any]:
    """Kills a process half way through indexing. `same_answers`: whether the run after it answers as one that was not
    killed. Where the process was faster than the one before and came to its end, another one is killed earlier."""
    after = row["seconds"]
    killed = False
    while not killed and after > SOONEST:
        after /= 2
        shutil.rmtree(index, ignore_errors=True)
        process = _process("index", name, corpus, index, queries, settings)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate()
        killed = process.returncode == -signal.SIGKILL
    again = _finished(_process("answer", name, corpus, index, queries, settings))
    return {
        "retriever": name,
        "after_seconds": round(after, 1),
        "killed": killed,
        "next_run_seconds": again["seconds"],
        "same_answers": again["answers"] == row["answers"],
    }


def _process(
    action: str, name: str, corpus: Path, index: Path, queries: Path, settings: Settings
) -> subprocess.Popen[str]:
    chosen = settings.retrieval
    arguments = [action, name, corpus, index, queries, chosen.ground_encoder or "", chosen.fusion_k]
    command = [sys.executable, "-m", __name__, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603


def _finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What the process printed. Raises InputError with its last two lines, error and hint, if it failed."""
    printed, errors = process.communicate()
    if process.returncode:
        raise InputError(f"a process ended with {process.returncode}: {' '.join(errors.splitlines()[-2:])}")
    value: dict[str, Any] = json.loads(printed)
    return value


def _mb(size: int) -> float:
    return round(size / 2**20, 3)


# ---- in a process of its own ----


def work(
    action: str, name: str, corpus: str, index: str, queries: str, encoder: str = "", fusion_k: str = "60"
) -> dict[str, Any]:
    """Opens the index, which makes it if there is none. `action`: index or answer."""
    settings = Settings().replace(ground_index=index, ground_encoder=encoder or None, fusion_k=float(fusion_k))
    began = perf_counter()
    retriever = create("retriever", f"{name}:{corpus}", settings)
    value: dict[str, Any] = {"seconds": round(perf_counter() - began, 2)}
    if action == "answer":
        value |= _answered(retriever, json.loads(Path(queries).read_text("utf-8")))
    return value | {"peak_mb": peak_memory()}


def _answered(retriever: Any, asked: Sequence[dict[str, Any]]) -> dict[str, Any]:
    times, cpu_times, found = [], [], []
    for query in asked:
        began, cpu_began = perf_counter(), process_time()
        (ranking,) = retriever.retrieve([Query(query["text"])], K)
        times.append((perf_counter() - began) * 1000)
        cpu_times.append((process_time() - cpu_began) * 1000)
        found.append([] if isinstance(ranking, ItemError) else [passage.id for passage in ranking])
    hits = np.array([bool({*query["right"]} & {*ids}) for query, ids in zip(asked, found, strict=True)], dtype=float)
    return {
        "first_ms": round(times[0], 1),
        "median_ms": round(float(np.median(times[1:])), 1),
        "p95_ms": round(float(np.percentile(times[1:], 95)), 1),
        "cpu_ms": round(float(np.median(cpu_times[1:])), 1),
        "load": round(os.getloadavg()[0], 1),
        "recall": round(float(mean(hits, np.ones((1, len(hits)))).values[0]), 4),
        "answers": hashlib.blake2b(json.dumps(found).encode(), digest_size=8).hexdigest(),
    }


if __name__ == "__main__":
    print(json.dumps(work(*sys.argv[1:])))
