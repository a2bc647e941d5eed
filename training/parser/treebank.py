"""Universal Dependencies treebanks as spaCy documents.

A token's tag is "UPOS|XPOS": the clause rules read both. Of the dependency subtypes only those that a rule
reads are kept; the others fall back to their universal relation, which leaves the parser fewer labels to learn.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.training.converters import conllu_to_docs
from spacy.vocab import Vocab

SUBTYPES = frozenset(
    "nsubj:pass nsubj:outer csubj:pass obl:agent obl:unmarked nmod:poss nmod:unmarked nmod:desc aux:pass "
    "acl:relcl advcl:relcl compound:prt cc:preconj det:predet flat:foreign".split()
)


def read(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """One Doc a sentence, with words, spaces, tags, heads and relations."""
    with gzip.open(path, "rt", encoding="utf8") as lines:
        text = lines.read()
    for doc in conllu_to_docs(text, n_sents=1, no_print=True):
        if len(doc) < 2:
            continue
        yield Doc(
            vocab,
            words=[token.text for token in doc],
            spaces=[bool(token.whitespace_) for token in doc],
            tags=[f"{token.pos_}|{token.tag_}" for token in doc],
            heads=[token.head.i for token in doc],
            deps=[relation(token.dep_) for token in doc],
        )


def relation(label: str) -> str:
    return label if label in SUBTYPES else label.split(":")[0]


def write(paths: list[Path], out: Path, vocab: Vocab) -> int:
    """Stores the sentences of several treebanks for training. Returns their number."""
    docs = [doc for path in paths for doc in read(path, vocab)]
    DocBin(attrs=["TAG", "HEAD", "DEP", "SPACY"], docs=docs).to_disk(out)
    return len(docs)
