"""The labelled sets that the benchmarks read. None of them is part of this package. Each has its own licence.

A set is a file in the data folder: JSON lines with `id`, `context`, `response` and `label` (1: inconsistent with the
context, 0: consistent). Benchmark sets are only for measuring. Training and the choice of thresholds use the
development sets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from graph_eval.errors import InputError
from graph_eval.formats import files
from graph_eval.formats.labelled import Labelled


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """A published set: its path in the data folder, its title and its origin (a URL)."""

    path: str
    title: str
    origin: str
    development: bool = False


PUBLISHED = {
    "summeval": PublishedSet("summeval/summeval.jsonl.gz", "SummEval", "https://github.com/Yale-LILY/SummEval"),
    "qags-c": PublishedSet("qags/qags_cnndm.jsonl.gz", "QAGS-CNN/DM", "https://github.com/W4ngatang/qags"),
    "qags-x": PublishedSet("qags/qags_xsum.jsonl.gz", "QAGS-XSum", "https://github.com/W4ngatang/qags"),
    "summedits": PublishedSet(
        "summedits/summedits_dev.jsonl.gz", "SummEdits", "https://github.com/salesforce/factualNLG"
    ),
    "factcc": PublishedSet("factcc/factcc.jsonl.gz", "FactCC", "https://github.com/salesforce/factCC", True),
    "polytope": PublishedSet("polytope/polytope.jsonl.gz", "PolyTope", "https://github.com/hddbang/PolyTope", True),
    "defacto": PublishedSet("real/defacto.jsonl.gz", "DeFacto", "https://github.com/microsoft/DeFacto", True),
    "bump": PublishedSet("real/bump.jsonl.gz", "BUMP", "https://github.com/dataminr-ai/BUMP", True),
    "ragtruth": PublishedSet(
        "real/ragtruth.jsonl.gz", "RAGTruth QA", "https://github.com/ParticleMedia/RAGTruth", True
    ),
    "wice": PublishedSet("wice/wice_claim_dev.jsonl.gz", "WiCE dev", "https://github.com/ryokamoi/wice", True),
}
TABLE2 = ("summeval", "qags-c", "qags-x")


def published_set(data: Path, name: str, limit: int | None = None) -> Labelled:
    """A published set in the folder `data`. Raises InputError with its origin if the file does not exist."""
    published = PUBLISHED[name]
    path = data / published.path
    if not path.is_file():
        raise InputError(
            f"{path} does not exist",
            f"download it from {published.origin} into the --data folder",
        )
    source = replace(files.source(str(path)), dataset=name)
    return Labelled(name, published.title, (source,), {}, limit)


def title_of(name: str) -> str:
    """The title of a published set, or the name of another."""
    return PUBLISHED[name].title if name in PUBLISHED else name
