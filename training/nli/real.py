"""Makes pairs out of real answers and claims that people judged.

    python training/nli/real.py --data DATA/real --mix DATA/nli/mix.jsonl.gz --seed 1 --out real.jsonl.gz

Written, one JSON object a line: {"p", "h", "l": 0 entailed, 1 neutral, 2 contradicted, 3 not entailed, "src", "kind",
"split": "train" or "heldout"}, and where annotators marked words "w": [[start, end], ...], the unsupported words of "h"
([]: all are supported). "kind" is "sentence" (of an answer), "claim" (a triplet of the rule extractor, in the words
that the checker reads), "response" (judged as a whole) or "pair" (as it came). "g" joins a text and its correction.

The premise of most rows is gathered from all over the passages (graph_eval.checkers.gather), of a third it is the best
window of three sentences. Held-out rows are of the contexts that the data set aside as "dev", and never trained on.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from marks import changed
from packed import writer

from graph_eval.checkers.gather import gather
from graph_eval.checkers.windows import WindowSelector, index, terms
from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.extractors.statement import stated, states_something
from graph_eval.text.normalise import STOP_WORDS, aligned, readable, runs, words
from graph_eval.text.sentences import is_heading, sentences
from graph_eval.types import Claim, Kind, Passage, Span, Text

Row = dict[str, object]
Read = Callable[[Sequence[Text]], list[list[Claim]]]
ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED = range(4)

# Answers with spans: most rows of sentences that are entailed, and not.
ANSWERS = {"ragtruth": (9000, 9000), "bump": (900, 900), "storysumm": (200, 200)}
# Texts judged as a whole: most rows that are entailed, and not.
WHOLE = {
    "expertqa": (2000, 2000),
    "attrbench": (2000, 2000),
    "factcheck_gpt": (1000, 900),
    "faithdial_audit": (600, 700),
    "q2_wow": (700, 700),
    "scitldr": (500, 0),
}
# Pairs as they come: most rows that are entailed, and not.
PAIRS = {
    "realsumm_scu": (3500, 3500),
    "mnli_extra": (2200, 3200),
    "evidence_inference": (1500, 1500),
    "chatprotect": (0, 700),
    "wikisplit": (1800, 0),
    "scone": (1000, 1000),
    "entailmentbank": (900, 0),
    "kpa": (1000, 1000),
}
DEFACTO, FACTOR = 4000, 1200  # groups of a text and its correction
HELDOUT = 250  # rows of one source and kind
POSITIVES = 4  # sentences of a RAG answer that are entailed
READ_ANSWERS = 1500  # answers of RAG that triplets are taken from; those with an error come first
CLAIMS = (3500, 3500)  # triplets of answers that are entailed, and not
MIX_CLAIMS = 4500  # triplets of human hypotheses
MIX_READ = 14_000  # hypotheses that the extractor reads for them
SHORTENED = 700  # triplets of premises of contradictions, which are entailed
TRUSTED = 0.7  # confidence of a triplet that stands for its words
LEAST_OVERLAP = 12  # characters of a span that make a sentence wrong; half of the span or of the sentence do too
WINDOW_SHARE = 1 / 3  # rows whose premise is a window of neighbours
MOST_WORDS = 60  # of a claim: more would be cut
MOST_PREMISE = 160  # words of a pair's premise
KINDS = {"Conflict": CONTRADICTED, "Baseless": NEUTRAL}  # of RAGTruth's spans
STANCES = {"irrelevant": NEUTRAL, "refute": CONTRADICTED, "partially-support": NOT_ENTAILED}
IRRELEVANT = 450  # rows of evidence on another subject


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def split_of(row: dict[str, Any]) -> str:
    return "heldout" if row["split"] == "dev" else "train"


@dataclass(slots=True)
class Premises:
    """Premises of claims out of passages."""

    chance: random.Random

    def of(self, passages: Sequence[Passage], claim: str, *, held_out: bool = False) -> str:
        """The gathered premise, or for a share of the rows the best window."""
        if not held_out and self.chance.random() < WINDOW_SHARE:
            return self.window(passages, claim)
        return self.gathered(passages, claim)

    def gathered(self, passages: Sequence[Passage], claim: str) -> str:
        found = gather(list(map(index, passages)), claim)
        return " ".join(window.text for window in found) if found else self.window(passages, claim)

    def window(self, passages: Sequence[Passage], claim: str) -> str:
        (windows,) = WindowSelector(sizes=(3,), passages=1).select(passages, [claim])
        return " ".join(windows[0].text.split()[:MOST_PREMISE]) if windows else ""


def passages_of(row: dict[str, Any]) -> list[Passage]:
    context = row["context"]
    return [Passage.of(text) for text in ([context] if isinstance(context, str) else context) if text.strip()]


def spans_of(row: dict[str, Any]) -> list[tuple[Span, int]]:
    """What annotators marked, with the label it gives."""
    return [
        (
            Span(span["start"], span["end"]),
            next((label for name, label in KINDS.items() if name in span["type"]), NOT_ENTAILED),
        )
        for span in row["spans"]
    ]


def overlap(first: Span, second: Span) -> int:
    return max(0, min(first.end, second.end) - max(first.start, second.start))


def verdict(parts: Sequence[Span], marked: Sequence[tuple[Span, int]]) -> int | None:
    """The label of the words at `parts`. None: they are marked, but by too little to say."""
    size = sum(part.end - part.start for part in parts)
    shares = [(sum(overlap(part, span) for part in parts), span, label) for span, label in marked]
    enough = [
        label
        for share, span, label in shares
        if share >= LEAST_OVERLAP or 2 * share >= span.end - span.start or 2 * share >= size
    ]
    if enough:
        return CONTRADICTED if CONTRADICTED in enough else enough[0]
    return None if any(share for share, _, _ in shares) else ENTAILED


def content_terms(text: str) -> int:
    """How many different content words there are, without numbers."""
    return sum(not term.startswith("#") for term in terms(text))


def short(text: str, most: int = MOST_WORDS) -> bool:
    return 0 < len(text.split()) <= most


def stated_sentences(text: str) -> Iterator[Span]:
    """What the sentences of a text state. Headings and the lines that open a list state nothing."""
    for sentence in sentences(text):
        span = stated(text, sentence.span)
        if span is not None and not is_heading(text, span) and not span.of(text).rstrip("*_ ").endswith(":"):
            yield span


def answer_rows(source: str, row: dict[str, Any], premises: Premises) -> Iterator[Row]:
    """The sentences of an answer. Errors are read against both premises."""
    text, passages, marked = row["response"], passages_of(row), spans_of(row)
    by_words = not any(span["type"] == "sentence" for span in row["spans"]) and source != "storysumm"
    known = {"src": source, "kind": "sentence", "split": split_of(row)}
    for span in stated_sentences(text):
        claim, label = readable(span.of(text)), verdict([span], marked)
        if label is None or not short(claim) or (label == ENTAILED and content_terms(claim) < 3):
            continue
        clipped = [Span(max(m.start, span.start), min(m.end, span.end)) for m, _ in marked if m.overlaps(span)]
        inside = [Span(part.start - span.start, part.end - span.start) for part in clipped]
        found = aligned(inside, span.of(text), claim) if by_words else None
        marks = {} if found is None or (label != ENTAILED and not found) else {"w": found}
        both = label != ENTAILED and source == "ragtruth" and known["split"] == "train"
        held_out = known["split"] == "heldout"
        found_premises = (
            (premises.gathered(passages, claim), premises.window(passages, claim))
            if both
            else (premises.of(passages, claim, held_out=held_out),)
        )
        for premise in dict.fromkeys(found_premises):
            yield {"p": premise, "h": claim, "l": label, **known, **marks}


def claim_rows(source: str, row: dict[str, Any], claims: Sequence[Claim], premises: Premises) -> Iterator[Row]:
    """The triplets of an answer: wrong where their own words are marked, entailed where their sentence has no mark."""
    text, passages, marked = row["response"], passages_of(row), spans_of(row)
    known = {"src": source, "kind": "claim", "split": split_of(row)}
    for claim in claims:
        if claim.kind is not Kind.TRIPLET or claim.confidence < TRUSTED or not short(claim.text):
            continue
        label = verdict(claim.spans, marked)
        touched = any(span.overlaps(claim.sentence) for span, _ in marked)
        if label is None or (label == ENTAILED and touched):
            continue
        found = claim_marks(claim, text, [span for span, _ in marked])
        if label != ENTAILED and not found:
            continue
        premise = premises.of(passages, claim.text, held_out=known["split"] == "heldout")
        yield {"p": premise, "h": claim.text, "l": label, **known, "w": found}


def claim_marks(claim: Claim, text: str, marked: Sequence[Span]) -> list[Span]:
    """The words of a claim's text that stand in a marked span, and not among its other words as well."""
    own = [(word, span) for word, span in words(text) if any(span.overlaps(part) for part in claim.spans)]
    wrong = {word for word, span in own if any(span.overlaps(part) for part in marked)}
    right = {word for word, span in own if not any(span.overlaps(part) for part in marked)}
    written = words(claim.text)
    places = [place for place, (word, _) in enumerate(written) if word in wrong - right]
    if not any(written[place][0] not in STOP_WORDS for place in places):
        return []
    return runs(places, [span for _, span in written])


def whole_rows(source: str, row: dict[str, Any], premises: Premises) -> Iterator[Row]:
    claim = readable(row["response"])
    label = NOT_ENTAILED if row["label"] else ENTAILED
    if label and source == "factcheck_gpt":
        label = STANCES[row["stance"]]
    if short(claim) and states_something(claim):
        split = split_of(row)
        premise = premises.of(passages_of(row), claim, held_out=split == "heldout")
        yield {"p": premise, "h": claim, "l": label, "src": source, "kind": "response", "split": split}


def corrected_rows(rows: Sequence[dict[str, Any]], premises: Premises) -> Iterator[Row]:
    """Summaries and what people made of them; the words that they changed are the wrong ones."""
    by_id = {row["id"]: row for row in rows}
    for row in rows:
        name = row["id"].removesuffix("-fix")
        wrong, right = by_id.get(name), by_id.get(name + "-fix")
        claim, split = readable(row["response"]), split_of(row)
        known: Row = {"l": NOT_ENTAILED if row["label"] else ENTAILED, "src": "defacto", "kind": "response"}
        known["split"] = split
        if wrong and right:
            known["g"] = name
        spans = [] if known["l"] == ENTAILED else right and changed(readable(right["response"]), claim)
        if spans is not None:
            known["w"] = spans
        if short(claim):
            yield {"p": premises.of(passages_of(row), claim, held_out=split == "heldout"), "h": claim, **known}


def factor_rows(row: dict[str, Any], group: int) -> Iterator[Row]:
    """The last sentence of a text, and what a model made up in its place."""
    true, false = readable(row["true"]), readable(row["h"])
    marks = changed(true, false)
    end = [sentence.span.of(row["p"]) for sentence in sentences(row["p"])][-3:]
    if marks is None or not (short(true) and short(false)):
        return
    known = {"p": readable(" ".join(end)), "src": "factor", "kind": "pair", "split": "train", "g": f"factor{group}"}
    yield {**known, "h": false, "l": NOT_ENTAILED, "w": marks}
    yield {**known, "h": true, "l": ENTAILED, "w": []}


def pair_rows(source: str, rows: Iterable[dict[str, Any]]) -> Iterator[Row]:
    for row in rows:
        unsure = source == "realsumm_scu" and 0 < row["votes"][0] < row["votes"][1]
        if not unsure and short(row["h"]) and short(row["p"], MOST_PREMISE):
            yield {"p": row["p"], "h": row["h"], "l": row["l"], "src": source, "kind": "pair", "split": "train"}


def sampled(rows: Sequence[Row], entailed: int, refused: int, chance: random.Random) -> list[Row]:
    """At most so many rows of training, different ones, and half as many of HELDOUT of either label held out."""
    distinct = list({(row["p"], row["h"]): row for row in rows if row["p"]}.values())
    chance.shuffle(distinct)
    most = {("train", True): entailed, ("train", False): refused}
    most |= dict.fromkeys((("heldout", True), ("heldout", False)), HELDOUT // 2)
    taken: Counter[tuple[str, bool]] = Counter()
    found = []
    for row in distinct:
        key = (str(row["split"]), row["l"] == ENTAILED)
        taken[key] += 1
        if taken[key] <= most[key]:
            found.append(row)
    return found


def fewer_positives(rows: Iterable[Row], chance: random.Random) -> list[Row]:
    """The rows of one answer: all that are wrong, and up to POSITIVES others. All of a held-out answer."""
    own = list(rows)
    right = [row for row in own if row["l"] == ENTAILED]
    kept = right if own and own[0]["split"] == "heldout" else chance.sample(right, min(POSITIVES, len(right)))
    return [row for row in own if row["l"] != ENTAILED] + kept


EXTRACTOR: list[RulesExtractor] = []  # one a process


def read_batch(texts: Sequence[Text]) -> list[list[Claim]]:
    if not EXTRACTOR:
        EXTRACTOR.append(RulesExtractor())
    return EXTRACTOR[0].extract(texts)


def extracted(texts: Sequence[Text], processes: int) -> list[list[Claim]]:
    parts = [texts[start : start + 50] for start in range(0, len(texts), 50)]
    with get_context("spawn").Pool(processes) as pool:
        return [claims for part in pool.imap(read_batch, parts) for claims in part]


def rag_claims(rows: Sequence[dict[str, Any]], premises: Premises, chance: random.Random, read: Read) -> list[Row]:
    found: list[Row] = []
    for split, most in (("train", READ_ANSWERS), ("heldout", READ_ANSWERS // 10)):
        own = [row for row in rows if split_of(row) == split]
        chance.shuffle(own)
        own = sorted(own, key=lambda row: not row["spans"])[:most]
        claims = read([Text(row["id"], row["response"], row["question"]) for row in own])
        for row, part in zip(own, claims, strict=True):
            found += fewer_positives(claim_rows("ragtruth", row, part, premises), chance)
    return found


def mix_claims(path: Path, chance: random.Random, read: Read) -> list[Row]:
    """Human hypotheses that are one triplet, in the words of the triplet, if none of their content is lost."""
    pool = [row for row in lines(path) if row["split"] == "train" and len(row["h"].split()) >= 5]
    pool = [row for row in pool if not row["src"].startswith("syn_") and short(row["p"], MOST_PREMISE)]
    own = chance.sample(pool, min(len(pool), MIX_READ))
    claims = read([Text(str(number), row["h"]) for number, row in enumerate(own)])
    found = []
    for row, part in zip(own, claims, strict=True):
        if len(part) == 1 and part[0].kind is Kind.TRIPLET and part[0].confidence >= TRUSTED:
            text = part[0].text
            if terms(row["h"]) <= terms(text) and text.rstrip(".").lower() != row["h"].rstrip(".").lower():
                known = {"src": str(row["src"]), "kind": "claim", "split": "train"}
                found.append({"p": row["p"], "h": text, "l": row["l"], **known})
    return found


def shortened(rows: Sequence[Row], read: Read) -> list[Row]:
    """Triplets of premises, which are entailed: beside contradictions of the same premises."""
    claims = read([Text(str(number), str(row["p"])) for number, row in enumerate(rows)])
    return [
        row | {"h": claim.text, "l": ENTAILED, "kind": "claim"}
        for row, part in zip(rows, claims, strict=True)
        for claim in part[:1]
        if claim.kind is Kind.TRIPLET and claim.confidence >= TRUSTED and claim.text != row["p"]
    ]


def build(data: Path, mix: Path, seed: int, processes: int) -> Iterator[list[Row]]:
    read = partial(extracted, processes=processes)

    def dice(name: str) -> random.Random:
        return random.Random(f"{seed} {name}")

    for source, (entailed, refused) in ANSWERS.items():
        chance, rows = dice(source), list(lines(data / f"{source}.jsonl.gz"))
        premises = Premises(chance)
        rows = [row for row in rows if row.get("quality", "good") == "good"]
        found: list[Row] = []
        for row in rows:
            own = answer_rows(source, row, premises)
            found += fewer_positives(own, chance) if source == "ragtruth" else own
        yield sampled(found, entailed, refused, chance)
        if source == "ragtruth":
            yield sampled(rag_claims(rows, premises, chance, read), *CLAIMS, chance)
    for source, (entailed, refused) in WHOLE.items():
        chance, rows = dice(source), list(lines(data / f"{source}.jsonl.gz"))
        chance.shuffle(rows)
        far = [row["id"] for row in rows if row.get("stance") == "irrelevant" and row["split"] == "train"][IRRELEVANT:]
        dropped = frozenset(far)
        premises = Premises(chance)
        found = [made for row in rows if row["id"] not in dropped for made in whole_rows(source, row, premises)]
        yield sampled(found, entailed, refused, chance)
    chance = dice("defacto")
    found = list(corrected_rows(list(lines(data / "defacto.jsonl.gz")), Premises(chance)))
    yield sampled(found, DEFACTO, DEFACTO, chance)
    chance, rows = dice("factor"), list(lines(data / "factor.jsonl.gz"))
    yield [made for group, row in enumerate(chance.sample(rows, FACTOR)) for made in factor_rows(row, group)]
    for source, (entailed, refused) in PAIRS.items():
        chance = dice(source)
        found = sampled(list(pair_rows(source, lines(data / f"{source}.jsonl.gz"))), entailed, refused, chance)
        yield found
        if source == "chatprotect":
            yield sampled(shortened(found, read), SHORTENED, 0, chance)
    chance = dice("mix")
    yield sampled(mix_claims(mix, chance, read), MIX_CLAIMS // 2, MIX_CLAIMS // 2, chance)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="folder of *.jsonl.gz")
    options.add_argument("--mix", type=Path, required=True, help="mix.jsonl.gz")
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", nargs="+", metavar="SOURCE", help="keep only rows of these sources")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    counts: Counter[tuple[str, ...]] = Counter()
    with writer(given.out) as write:
        for rows in build(given.data, given.mix, given.seed, given.processes):
            for row in rows:
                if given.only and row["src"] not in given.only:
                    continue
                write(row)
                counts[str(row["split"]), str(row["src"]), str(row["kind"]), str(row["l"])] += 1
    for key, count in sorted(counts.items()):
        print(*key, count)
    print("in all", counts.total())


if __name__ == "__main__":
    main()
