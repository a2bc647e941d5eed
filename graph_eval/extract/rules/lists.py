"""Lists, headings and "key: value" lines: items take their subject and predicate from the line that opens the list."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from graph_eval.extract.rules.clauses import Draft
from graph_eval.extract.rules.phrases import Phrase, inferred, phrase
from graph_eval.extract.rules.tree import NOMINAL, Tree
from graph_eval.types import Span

PAIR = re.compile(r"[*_ ]*(?P<key>[^:\n]{2,60}?)[*_ ]*:[*_]*\s+[*_]*(?P<value>\S.*)", re.DOTALL)
LEADING_QUANTITY = re.compile(
    r"^(?:(?:some(?: of the)?|a few|several|(?:the |a )?list of|examples? of|names? of)\s+)+", re.IGNORECASE
)
OUTSIDE_HEADING = ("nsubj", "cop", "advmod", "punct", "aux", "acl:relcl", "discourse", "parataxis")
LONGEST_KEY = 7  # words


@dataclass(frozen=True, slots=True)
class Heading:
    """What every item of a list is said of."""

    subject: Phrase
    predicate: Phrase

    def item(self, target: Phrase) -> Draft:
        return Draft(
            replace(self.subject, resolved=True), replace(self.predicate, resolved=True), target, "list"
        )


def is_heading(tree: Tree) -> bool:
    return tree.response[tree.sentence.start : tree.sentence.end].rstrip("*_ ").endswith(":")


def heading(tree: Tree, drafts: list[Draft]) -> tuple[Heading | None, list[Draft]]:
    """The heading that a line ending in ":" is, and those of its drafts that are claims of their own."""
    root = tree.root()
    complete = [draft for draft in drafts if draft.complete]
    if "here" in tree.lower[:8] or "below" in tree.lower[:1]:
        subjects = [
            word
            for word in range(tree.size)
            if tree.relation[word] in ("nsubj", "nsubj:outer") and tree.upos[word] in NOMINAL
        ]
        if not subjects and root is not None and tree.upos[root] == "NOUN":
            subjects = [root]
        if not subjects:
            return None, []
        return _named(phrase(tree, tree.subtree(subjects[0], OUTSIDE_HEADING))), []
    if not complete and root is not None and tree.upos[root] in NOMINAL:
        return _named(phrase(tree, range(tree.size))), []
    for rule in ("object", "intransitive", "copula"):
        opening = next((draft for draft in reversed(complete) if draft.rule == rule), None)
        if opening is None:
            continue
        predicate = inferred("include") if rule == "copula" else opening.predicate
        empty = rule == "intransitive" or opening.object.text.lower().startswith(("following", "these"))
        rest = [draft for draft in drafts if not (empty and draft is opening)]
        return Heading(opening.subject, predicate), rest
    return None, drafts


def _named(subject: Phrase) -> Heading | None:
    text = LEADING_QUANTITY.sub("", subject.text.rstrip(": "))
    return Heading(subject.as_resolved(text), inferred("include")) if text else None


def pair(response: str, sentence: Span) -> tuple[Phrase, Phrase] | None:
    """Key and value of a "key: value" line."""
    match = PAIR.fullmatch(response, sentence.start, sentence.end)
    if match is None or not any(character.isalnum() for character in match["key"]):
        return None
    if len(match["key"].split()) > LONGEST_KEY:
        return None
    value = match["value"].rstrip(".,; *_")
    start = match.start("value")
    if not value:
        return None
    return (
        literal(response, Span(match.start("key"), match.end("key"))),
        literal(response, Span(start, start + len(value))),
    )


def literal(response: str, span: Span) -> Phrase:
    text = span.of(response)
    return Phrase(text, (span,), text)


def said_of(key: Phrase, value: Phrase) -> Draft:
    return Draft(key, inferred("is"), value, "pair")


