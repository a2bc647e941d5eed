"""What is known of each published set: where it is, its licence, its counts, and what of it our weights have seen."""

from __future__ import annotations

from dataclasses import dataclass

BY_CONTEXT = "train split by context, with dev rows in the levels of the calibration"


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """A published set.

    `path`: of its file in the data folder. `origin`: where a user gets it. `kind`: of text. `rows`, `inconsistent`:
    the counts of that file. `trained_on`: what of it our weights have seen, "": nothing. `development`: figures on it
    are of development and are not reported. `parts`: the values of `split`. `part`: the one that is read by default,
    None: all.
    """

    path: str
    title: str
    origin: str
    licence: str
    kind: str
    rows: int
    inconsistent: int
    trained_on: str = ""
    development: bool = False
    parts: tuple[str, ...] = ()
    part: str | None = None


def _split(
    path: str, title: str, origin: str, licence: str, kind: str, rows: int, inconsistent: int, trained_on: str
) -> PublishedSet:
    """A set with a train and a dev part, of which only dev is read."""
    return PublishedSet(
        path, title, origin, licence, kind, rows, inconsistent, trained_on, True, ("train", "dev"), "dev"
    )


PUBLISHED = {
    "summeval": PublishedSet(
        "summeval/summeval.jsonl.gz",
        "SummEval",
        "https://github.com/Yale-LILY/SummEval",
        "MIT",
        "summaries",
        1600,
        294,
    ),
    "qags-c": PublishedSet(
        "qags/qags_cnndm.jsonl.gz",
        "QAGS-CNN/DM",
        "https://github.com/W4ngatang/qags",
        "none stated",
        "summaries",
        235,
        122,
    ),
    "qags-x": PublishedSet(
        "qags/qags_xsum.jsonl.gz",
        "QAGS-XSum",
        "https://github.com/W4ngatang/qags",
        "none stated",
        "one-sentence summaries",
        239,
        123,
    ),
    "summedits": PublishedSet(
        "summedits/summedits_dev.jsonl.gz",
        "SummEdits",
        "https://github.com/salesforce/factualNLG",
        "Apache-2.0",
        "summaries",
        2479,
        1557,
        'half "a" (by a hash of the context) in the corrector; the checker has not seen it',
    ),
    "factcc": PublishedSet(
        "factcc/factcc.jsonl.gz",
        "FactCC",
        "https://github.com/salesforce/factCC",
        "BSD-3-Clause",
        "sentences of summaries",
        297,
        35,
        "levels of the calibration and the threshold `summary`",
        True,
    ),
    "polytope": PublishedSet(
        "polytope/polytope.jsonl.gz",
        "PolyTope",
        "https://github.com/hddbang/PolyTope",
        "Apache-2.0",
        "summaries",
        627,
        80,
        "levels of the calibration and the threshold `summary`",
        True,
    ),
    "wice": PublishedSet(
        "wice/wice_claim_dev.jsonl.gz",
        "WiCE dev",
        "https://github.com/ryokamoi/wice",
        "ODC-BY",
        "claims",
        349,
        234,
        "its train split; dev in the levels of the calibration and the threshold `claims`",
        True,
    ),
    "ragtruth": _split(
        "real/ragtruth.jsonl.gz",
        "RAGTruth QA",
        "https://github.com/ParticleMedia/RAGTruth",
        "MIT; passages: MS MARCO, for research",
        "RAG answers",
        3332,
        1446,
        f"{BY_CONTEXT}; report only the original's test split",
    ),
    "defacto": _split(
        "real/defacto.jsonl.gz",
        "DeFacto",
        "https://github.com/microsoft/DeFacto",
        "MIT; articles: BBC",
        "one-sentence summaries",
        4235,
        1763,
        f"{BY_CONTEXT}; all splits of the original are in it",
    ),
    "bump": _split(
        "real/bump.jsonl.gz",
        "BUMP",
        "https://github.com/dataminr-ai/BUMP",
        "MIT; articles: CNN/Daily Mail",
        "summaries",
        1014,
        827,
        "train split by context",
    ),
    "expertqa": _split(
        "real/expertqa.jsonl.gz",
        "ExpertQA",
        "https://github.com/chaitanyamalaviya/ExpertQA",
        "MIT",
        "claims",
        1571,
        363,
        f"{BY_CONTEXT}; all splits of the original are in it",
    ),
    "attrbench": _split(
        "real/attrbench.jsonl.gz",
        "AttributionBench",
        "https://huggingface.co/datasets/osunlp/AttributionBench",
        "MIT, Apache-2.0",
        "claims",
        2157,
        1099,
        BY_CONTEXT,
    ),
    "factcheck_gpt": _split(
        "real/factcheck_gpt.jsonl.gz",
        "FactCheck-GPT",
        "https://github.com/yuxiaw/Factcheck-GPT",
        "Apache-2.0",
        "claims",
        3093,
        2454,
        BY_CONTEXT,
    ),
    "refchecker": PublishedSet(
        "refchecker/claims_dev.jsonl.gz",
        "RefChecker",
        "https://github.com/amazon-science/RefChecker",
        "CC BY 4.0; Dolly CC BY-SA 3.0, MS MARCO for research",
        "claims",
        4034,
        757,
    ),
    "wikibio": PublishedSet(
        "wikibio_gpt3/wikibio_passages.jsonl.gz",
        "WikiBio-GPT3",
        "https://github.com/potsawee/selfcheckgpt",
        "CC BY-SA 3.0; samples MIT",
        "biographies",
        119,
        115,
    ),
}
TABLE2 = ("summeval", "qags-c", "qags-x")
