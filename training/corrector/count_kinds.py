"""Counts what people changed in wrong summaries, by kind, and how much of it edits of words can reach.

    python training/corrector/count_kinds.py --data DATA [--rows DIR]

Read: the train splits of DeFacto and BUMP. A hunk is literal if it only deletes, or if the context has its new words
side by side. With --rows, what rate_candidates.py wrote: the share of sentences with a single hunk for which one of the
candidates is right.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from graph_eval.bench.sets.edits import Case, Hunk, cases, wrong_sentences
from graph_eval.correctors.candidates import MONTHS, WEEKDAYS, Token, tokens
from graph_eval.parsing.parser import Parser
from graph_eval.text.normalise import content_words, fold, words

SETS = ("defacto", "bump")
DATES = (
    MONTHS | WEEKDAYS | frozenset("day week month year yesterday today tomorrow weekend morning evening night".split())
)
LONG_DELETION = 5  # words
LONG_OLD, LONG_NEW = 6, 8  # words


def _content(folded: Sequence[str]) -> set[str]:
    return {word for word, _ in content_words(" ".join(folded))}


def kind_of_hunk(hunk: Hunk, old: Sequence[Token], new: Sequence[Token], others: Sequence[Hunk]) -> str:
    """`old`, `new`: the words of the hunk in both texts. `others`: the other hunks of the text."""
    was, becomes = _content(hunk.old), _content(hunk.new)
    elsewhere_new = {word for other in others for word in other.new}
    elsewhere_old = {word for other in others for word in other.old}
    if was and was <= elsewhere_new and not becomes - elsewhere_old - was:
        return "reordered"
    if not was and becomes:
        return "words added"
    if not becomes:
        return f"removed: {_removed(hunk, old)}"
    if becomes < was:
        return "phrase shortened"
    if DATES & set(hunk.old):
        return "date replaced"
    if _has_number(old):
        return "number replaced" if _has_number(new) else "number generalised"
    names = tuple(any(token.upos == "PROPN" for token in part) for part in (old, new))
    if any(names):
        return {(True, True): "name replaced", (True, False): "name to noun", (False, True): "noun to name"}[names]
    if len(hunk.old) > LONG_OLD or len(hunk.new) > LONG_NEW:
        return "clause rewritten"
    tags = {token.upos for token in (*old, *new) if token.is_content}
    if "VERB" in tags:
        return "verb replaced"
    return "adjective or adverb replaced" if tags <= {"ADJ", "ADV"} else "noun replaced"


def _removed(hunk: Hunk, old: Sequence[Token]) -> str:
    if _has_number(old):
        return "with a number"
    if DATES & set(hunk.old):
        return "date"
    if any(token.upos == "PROPN" for token in old):
        return "with a name"
    if len(hunk.old) > LONG_DELETION:
        return "clause or long phrase"
    tags = {token.upos for token in old if token.is_content}
    return "adjective or adverb" if tags <= {"ADJ", "ADV"} else "noun or verb phrase"


def _has_number(part: Sequence[Token]) -> bool:
    return any(token.upos == "NUM" or token.text[:1].isdigit() for token in part)


def is_literal(hunk: Hunk, context: str) -> bool:
    """`context`: folded words with blanks around each."""
    return not hunk.new or f" {' '.join(hunk.new)} " in context


def reached(path: Path) -> dict[str, bool]:
    """The text of each wrong sentence, and whether one of its candidates is right."""
    with path.open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return {row["text"]: any(right for _, _, right in row["candidates"]) for row in rows if row["wrong"]}


def count(found: Sequence[Case], parser: Parser, known: dict[str, bool]) -> None:
    texts = list(dict.fromkeys(text for case in found for text in (case.example.response, case.original)))
    parsed = dict(zip(texts, map(tokens, parser.parse(texts)), strict=True))
    total, literal = Counter(), Counter()
    alone: dict[str, list[bool]] = defaultdict(list)
    for case in found:
        folded = (fold(word) for passage in case.example.passages for word, _ in words(passage.text))
        context = f" {' '.join(folded)} "
        own = case.hunks(case.example.response)
        kinds = {}
        for hunk in own:
            old = [token for token in parsed[case.example.response] if token.span.overlaps(hunk.span)]
            new = [token for token in parsed[case.original] if fold(token.text) in hunk.new]
            kinds[hunk] = kind_of_hunk(hunk, old, new, [other for other in own if other is not hunk])
            total[kinds[hunk]] += 1
            literal[kinds[hunk]] += is_literal(hunk, context)
        for span, inside in wrong_sentences(case):
            text = span.of(case.example.response)
            if len(inside) == 1 and text in known:
                alone[kinds[inside[0]]].append(known[text])
    hunks = sum(total.values())
    print(f"{hunks} hunks in {len(found)} texts, literal {sum(literal.values()) / hunks:.3f}")
    for name, number in total.most_common():
        rates = alone[name]
        share = f"{sum(rates) / len(rates):.2f} of {len(rates)}" if rates else "-"
        print(f"  {name:30} {number / hunks:.3f}, literal {literal[name] / number:.2f}, a candidate is right {share}")
    every = [right for rates in alone.values() for right in rates]
    if every:
        print(f"  a candidate is right for {sum(every) / len(every):.3f} of {len(every)} sentences with one hunk")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--rows", type=Path)
    given = options.parse_args()
    parser = Parser.builtin()
    for name in SETS:
        print(name)
        known = reached(given.rows / f"{name}-train.jsonl") if given.rows else {}
        count([case for case in cases(given.data, name, "train") if case.label], parser, known)


if __name__ == "__main__":
    main()
