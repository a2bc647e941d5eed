"""Makes rows for the tagger and pointer from texts that people corrected or falsified, and from marked answers.

    PYTHONPATH=training/nli python training/corrector/human.py --data DATA --out human.jsonl.gz

Read: half "a" of SummEdits, the train splits of DeFacto and BUMP (graph_eval/bench/sets/edits.py), the sentences of
RAGTruth's train split, and answers.jsonl.gz: how some of these would be corrected with as few words as possible. A
language model wrote that for this project, and no person checked it: {"id" of the answer, "start" of the sentence,
"edits": [[start, end, new words], ...]}, none if the passages support the sentence although it was marked.

Written: rows as corrupted.py writes them, of one sentence each, with "src", "fold" (0 or 1, by article) and "ignored",
the places of the sentence that differ from the right text in harmless words. Tag 4 is for words that annotators of
RAGTruth marked: wrong in one way or another. Its rows without a mark are right. Held-out rows are of the dev splits of
DeFacto and BUMP.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from packed import writer

from graph_eval.bench.sets.edits import Case, cases, wrong_sentences
from graph_eval.correctors.builtin import evidence_of
from graph_eval.correctors.splice import applied, changes
from graph_eval.text.normalise import content_words, fold, words
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Example, Passage, Span, content_hash

ANSWERS = Path(__file__).parent / "answers.jsonl.gz"
REPLACED, ADDED, OPPOSITE, MARKED = 1, 2, 3, 4
SETS = (
    ("summedits", "a", "train"),
    ("defacto", "train", "train"),
    ("bump", "train", "train"),
    ("defacto", "dev", "heldout"),
    ("bump", "dev", "heldout"),
)
FOLDS = 2
NEGATIONS = frozenset({"not", "n't", "never", "no", "without", "nor", "fail", "fails", "failed"})
MARKED_SENTENCES = 750  # of RAGTruth, with a mark; and as many without one
LEAST_WORDS = 3  # of a sentence


def fold_of(passages: Sequence[Passage]) -> int:
    """The fold of an article: the ranker learns on sentences that the tagger of its fold has not seen."""
    return int(content_hash("fold", *(passage.id for passage in passages)), 16) % FOLDS


def places(evidence: str, wanted: Sequence[str]) -> list[list[int]]:
    """Where the evidence has the folded words, one behind the other."""
    found = list(words(evidence))
    folded = [fold(word) for word, _ in found]
    size = len(wanted)
    return [
        [found[at][1].start, found[at + size - 1][1].end]
        for at in range(len(folded) - size + 1)
        if tuple(folded[at : at + size]) == tuple(wanted)
    ]


def rows_of(case: Case) -> Iterator[dict]:
    text, passages = case.example.response, case.example.passages
    wrong = dict(wrong_sentences(case)) if case.label else {}
    core = {hunk.span for found in wrong.values() for hunk in found}
    differing = [Span(start, end) for start, end, _ in changes(text, case.original)]
    for sentence in sentences(text):
        span = sentence.span
        if case.label and span not in wrong:
            continue
        evidence = " ".join(evidence_of(span.of(text), passages))
        if len(span.of(text).split()) < LEAST_WORDS or not evidence:
            continue
        edits = []
        for hunk in wrong.get(span, ()):
            if hunk.span.start == hunk.span.end:
                continue
            tag = ADDED if not hunk.new else REPLACED
            dropped = set(hunk.old) - set(hunk.new)
            if dropped & NEGATIONS and len([w for w in dropped if content_words(w)]) <= 1:
                tag = OPPOSITE
            start, end = hunk.span.start - span.start, min(hunk.span.end, span.end) - span.start
            old = span.of(text)[start:end]
            start += len(old) - len(old.lstrip())
            where = places(evidence, hunk.new) if tag == REPLACED else []
            edits.append([start, start + len(old.strip()), tag, where])
        ignored = [
            [max(0, other.start - span.start), min(other.end, span.end) - span.start]
            for other in differing
            if other not in core and other.overlaps(span)
        ]
        yield {"p": evidence, "h": span.of(text), "edits": edits, "ignored": ignored, "fold": fold_of(passages)}


def train_answers(path: Path) -> list[dict]:
    """Those of RAGTruth's train split. `path`: ragtruth.jsonl.gz."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [row for line in stream if (row := json.loads(line))["split"] == "train"]


def corrected(path: Path) -> list[Case]:
    """The sentences of answers.jsonl.gz. Those that are not cut as they were are left out.

    `path`: ragtruth.jsonl.gz.
    """
    answers = {answer["id"]: answer for answer in train_answers(path)}
    found = []
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            answer, start = answers[row["id"]], row["start"]
            spans = [sentence.span for sentence in sentences(answer["response"])]
            text = next((span.of(answer["response"]) for span in spans if span.start == start), None)
            if text is None:
                continue
            edits = [Edit(Span(first, last), text[first:last], new) for first, last, new in row["edits"]]
            example = Example(f"{row['id']}-{start}", "answers", text, passages_of(answer["context"]))
            found.append(Case(example, int(bool(edits)), applied(text, edits)))
    return found


def passages_of(context: str | list[str]) -> tuple[Passage, ...]:
    return tuple(Passage.of(text) for text in ([context] if isinstance(context, str) else context))


def marked(path: Path, chance: random.Random) -> list[dict]:
    """Sentences of answers, with the words that annotators marked."""
    wrong, right = [], []
    answers = train_answers(path)
    chance.shuffle(answers)
    for answer in answers:
        passages = passages_of(answer["context"])
        for sentence in sentences(answer["response"]):
            span = sentence.span
            text = span.of(answer["response"])
            marks = [
                [max(mark["start"], span.start) - span.start, min(mark["end"], span.end) - span.start, MARKED, []]
                for mark in answer["spans"]
                if mark["start"] < span.end and mark["end"] > span.start
            ]
            own = wrong if marks else right
            if len(own) < MARKED_SENTENCES and LEAST_WORDS <= len(text.split()) <= 60:
                evidence = " ".join(evidence_of(text, passages))
                if evidence:
                    own.append({"p": evidence, "h": text, "edits": marks, "ignored": [], "fold": fold_of(passages)})
    return wrong + right


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with writer(given.out) as write:
        for name, part, split in SETS:
            tags: Counter[object] = Counter()
            for case in cases(given.data, name, part):
                for row in rows_of(case):
                    write(row | {"src": name, "split": split})
                    tags.update(["sentences", *((tag, bool(where)) for _, _, tag, where in row["edits"])])
            print(f"{name} {part}: {dict(tags)}")
        answers = [row for case in corrected(given.data / "real" / "ragtruth.jsonl.gz") for row in rows_of(case)]
        for row in answers:
            write(row | {"src": "answers", "split": "train"})
        print(f"answers: {len(answers)} sentences")
        known = {row["h"] for row in answers}
        found = marked(given.data / "real" / "ragtruth.jsonl.gz", random.Random(given.seed))
        for row in found:
            if row["h"] in known:
                continue
            write(row | {"src": "ragtruth", "split": "train"})
        print(f"ragtruth: {len(found)} sentences")


if __name__ == "__main__":
    main()
