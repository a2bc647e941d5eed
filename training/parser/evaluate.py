"""Scores of the shipped parser on a treebank: with the treebank's words and with the parser's own, and on copies.

    python training/parser/evaluate.py --data UD [--file en_ewt-test] [--weights FOLDER]

UAS and LAS without punctuation; `LAS_all` counts it; `LAS_universal` ignores dependency subtypes. With the parser's
own words, F1 over words of the same characters (CoNLL 2018). One thread; words per second include everything.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import spacy
from spacy.tokens import Doc
from treebank import Sentence, lower_cased, question, read, unpunctuated, without_stop

from graph_eval.parsing.parser import BUILTIN, Parser
from graph_eval.resources import folder

COPIES: dict[str, Callable[[Sentence], Sentence | None]] = {
    "as it is": lambda sentence: sentence,
    "lower-cased": lower_cased,
    "unpunctuated": unpunctuated,
    "lower-cased, unpunctuated": lambda sentence: lower_cased(unpunctuated(sentence)),
    "without stop": without_stop,
    "questions": question,
}


def gold_words(parser: Parser, sentences: Sequence[Sentence]) -> dict[str, float]:
    vocab = spacy.blank("en").vocab
    docs = [Doc(vocab, words=list(s.words), spaces=list(s.spaces)) for s in sentences]
    parser.read(docs[:2])
    began = time.perf_counter()
    parsed = parser.read(docs)
    seconds = time.perf_counter() - began
    counts = dict.fromkeys(("UAS", "LAS", "LAS_all", "LAS_universal", "UPOS", "XPOS"), 0)
    total = words = 0
    for sentence, doc in zip(sentences, parsed, strict=True):
        for token, gold, relation, tag in zip(doc, sentence.heads, sentence.relations, sentence.tags, strict=True):
            head = 0 if token.head.i == token.i else token.head.i + 1
            label = "root" if token.dep_ == "ROOT" else token.dep_
            upos, _, xpos = token.tag_.partition("|")
            total += 1
            counts["UPOS"] += upos == tag.partition("|")[0]
            counts["XPOS"] += xpos == tag.partition("|")[2]
            counts["LAS_all"] += head == gold and label == relation
            if relation != "punct":
                words += 1
                counts["UAS"] += head == gold
                counts["LAS"] += head == gold and label == relation
                counts["LAS_universal"] += head == gold and label.split(":")[0] == relation.split(":")[0]
    scores = {
        name: round(count / (words if name in ("UAS", "LAS", "LAS_universal") else total), 4)
        for name, count in counts.items()
    }
    return {"sentences": len(sentences), **scores, "words_per_second": round(total / seconds)}


def own_words(parser: Parser, sentences: Sequence[Sentence]) -> dict[str, float]:
    """F1 of words, and of words with their head and relation, by the places of their characters."""
    right = dict.fromkeys(("words", "UAS", "LAS"), 0)
    gold_count = own_count = plain_gold = plain_own = 0
    for sentence, doc in zip(sentences, parser.parse([s.text for s in sentences]), strict=True):
        gold, start = [], 0
        for word, space in zip(sentence.words, sentence.spaces, strict=True):
            gold.append((start, start + len(word)))
            start += len(word) + space
        own = {(token.idx, token.idx + len(token.text)): token for token in doc}
        gold_count, own_count = gold_count + len(gold), own_count + len(doc)
        plain_gold += sum(relation != "punct" for relation in sentence.relations)
        plain_own += sum(token.dep_ != "punct" for token in doc)
        for place, head, relation in zip(gold, sentence.heads, sentence.relations, strict=True):
            token = own.get(place)
            if token is None:
                continue
            right["words"] += 1
            if relation == "punct":
                continue
            found = None if token.head.i == token.i else (token.head.idx, token.head.idx + len(token.head.text))
            same = found == (gold[head - 1] if head else None)
            right["UAS"] += same
            right["LAS"] += same and ("root" if token.dep_ == "ROOT" else token.dep_) == relation
    return {
        "words": round(2 * right["words"] / (gold_count + own_count), 4),
        **{name: round(2 * right[name] / (plain_gold + plain_own), 4) for name in ("UAS", "LAS")},
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="folder with the UD .conllu.gz files")
    options.add_argument("--file", default="en_ewt-test")
    options.add_argument("--weights", type=Path)
    given = options.parse_args()
    parser = Parser(given.weights or folder(BUILTIN), threads=1)
    sentences = list(read(given.data / f"{given.file}.conllu.gz"))
    for name, copy in COPIES.items():
        copies = [found for sentence in sentences if (found := copy(sentence)) is not None]
        print(json.dumps({"file": given.file, "copy": name, "words": "gold", **gold_words(parser, copies)}), flush=True)
    print(json.dumps({"file": given.file, "words": "own", **own_words(parser, sentences)}), flush=True)


if __name__ == "__main__":
    main()
