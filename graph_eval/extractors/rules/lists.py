"""Lists, headings and "key: value" lines: the heading of a list gives its items their subject and predicate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.phrases import Phrase, inferred, noun_words, phrase
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.wording import INCLUDE, IS
from graph_eval.types import Span

PAIR = re.compile(r"[*_ ]*(?P<key>[^:\n]{2,60}?)[*_ ]*:[*_]*\s+[*_]*(?P<value>\S.*)", re.DOTALL)
LEADING_QUANTITY = re.compile(
    r"^(?:(?:some(?: of the)?|a few|several|(?:the |a )?(?:full |complete )?list of|examples? of|names? of"
    r"|the following|following|these|different|various|all(?: of)?(?: the)?)\s+)+",
    re.IGNORECASE,
)
ABOUT_THE_ANSWER = re.compile(
    r"(?:the )?(?:key|main|other|relevant|additional|important|supporting)? ?"
    r"(?:points?|evidence|details?|information|summary|notes?|answers?|passages?|reasons|facts|conclusion|example)"
    r"(?: (?:about|regarding|on|from|of|for|in) .*)?",
    re.IGNORECASE,
)
OUTSIDE_HEADING = ("nsubj", "cop", "advmod", "punct", "aux", "acl:relcl", "acl", "discourse", "parataxis", "obl")
SEPARATOR = re.compile(r"\s*(?:[,;]\s*(?:and\s+|or\s+)?|\s+and\s+|\s+&\s+)", re.IGNORECASE)
NO_ITEM = re.compile(
    r"(?:which|who|that|but|because|then|while|when|where|if|it|he|she|they|there|this|is|are|was|were|has|have"
    r"|not|in|on|at|by|from|to|with|for)\b|.*\b(?:is|are|was|were|has|have)\b",
    re.IGNORECASE,
)
POINTING = ("following", "these", "this list")
MAX_KEY_WORDS = 7


@dataclass(frozen=True, slots=True)
class Heading:
    """The subject and predicate of every item of a list."""

    subject: Phrase
    predicate: Phrase

    def item(self, target: Phrase) -> Draft:
        """The claim of one item, its object."""
        return Draft(replace(self.subject, resolved=True), replace(self.predicate, resolved=True), target, "list")


def is_heading(tree: Tree) -> bool:
    """Whether the sentence ends in ":"."""
    return tree.response[tree.sentence.start : tree.sentence.end].rstrip("*_ ").endswith(":")


def heading(tree: Tree, drafts: list[Draft]) -> tuple[Heading | None, list[Draft]]:
    """The heading of a sentence that ends in ":", and those of its drafts that are claims of their own."""
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
        return _named(phrase(tree, tree.subtree(root, OUTSIDE_HEADING))), []
    for rule in ("object", "intransitive", "copula"):
        opening = next((draft for draft in reversed(complete) if draft.rule == rule), None)
        if opening is None:
            continue
        predicate = inferred(INCLUDE) if rule == "copula" else opening.predicate
        points_on = opening.object.text.lower().startswith(POINTING)
        empty = rule == "intransitive" or points_on
        if opening.subject.text.lower().startswith(POINTING) and rule == "copula":
            return _named(opening.object), []  # "The following are types of biryani:"
        rest = [draft for draft in drafts if not (empty and draft is opening)]
        subject = LEADING_QUANTITY.sub("", opening.subject.text) or opening.subject.text
        return Heading(opening.subject.as_resolved(subject), predicate), rest
    return None, drafts


def _named(subject: Phrase) -> Heading | None:
    text = LEADING_QUANTITY.sub("", subject.text.rstrip(": "))
    if not text or ABOUT_THE_ANSWER.fullmatch(text):
        return None
    return Heading(subject.as_resolved(text), inferred(INCLUDE))


def pair(response: str, sentence: Span) -> tuple[Phrase, Phrase] | None:
    """Key and value of a "key: value" line."""
    match = PAIR.fullmatch(response, sentence.start, sentence.end)
    if match is None or not any(character.isalnum() for character in match["key"]):
        return None
    if len(match["key"].split()) > MAX_KEY_WORDS:
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
    """The words of the span, unchanged."""
    text = span.of(response)
    return Phrase(text, (span,), text)


def pair_drafts(response: str, key: Phrase, value: Phrase) -> list[Draft]:
    """The claims of a "key: value" line: one, or one for each item of a value that enumerates."""
    items = enumeration(response, value.spans[0])
    if items:
        return [Draft(key, inferred(INCLUDE), item, "pair") for item in items]
    return [Draft(key, inferred(IS), value, "pair")]


def enumerated_pair(tree: Tree) -> list[Draft]:
    """The claims of "Breads: rye, wheat, spelt", or [] for anything else."""
    key_value = pair(tree.response, tree.sentence)
    if key_value is None or not enumeration(tree.response, key_value[1].spans[0]):
        return []
    return pair_drafts(tree.response, *key_value)


def enumeration(response: str, span: Span) -> list[Phrase]:
    """The items of "A, B and C" if the span consists of three or more short items, else an empty list."""
    text = span.of(response)
    cuts = [(match.start(), match.end()) for match in SEPARATOR.finditer(text)]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    items = []
    for start, end in zip(starts, ends, strict=True):
        while start < end and text[start] in " *_\t":
            start += 1
        while end > start and text[end - 1] in " *_.;\t":
            end -= 1
        if start < end:
            items.append(literal(response, Span(span.start + start, span.start + end)))
    sizes = [len(item.text.split()) for item in items]
    if len(items) < 3 or max(sizes) > 6 or 2 * sum(sizes) > 7 * len(items):
        return []
    if any(NO_ITEM.match(item.text) or not item.text[0].isalnum() or ": " in item.text for item in items):
        return []
    return items


def enumeration_after_colon(response: str, sentence: Span) -> int | None:
    """Where the enumeration of "The members are: A, B and C" begins."""
    colon = response.find(": ", sentence.start, sentence.end)
    if colon < 0 or len(response[sentence.start : colon].split()) < 3:
        return None
    start = colon + 2
    return start if enumeration(response, Span(start, sentence.end)) else None


def instances(tree: Tree, drafts: Sequence[Draft]) -> list[Draft]:
    """The claims of the instances of "has vitamins such as A, B and C".

    An instance takes the subject and predicate of the draft whose object is its general term ("vitamins"). Without such
    a draft the general term is its subject.
    """
    added: list[Draft] = []
    for word in range(1, tree.size - 3):
        pair_of_words = " ".join(tree.lower[word : word + 2])
        first = word + 1 if tree.lower[word] == "including" else word + 2
        if tree.lower[word] != "including" and pair_of_words != "such as":
            continue
        general = word - 2 if tree.words[word - 1] == "," else word - 1
        if general < 0 or tree.upos[general] not in NOMINAL or first >= tree.size:
            continue
        items = enumeration(tree.response, Span(tree.spans[first].start, tree.sentence.end))
        if not items:
            continue
        while tree.relation[general] in ("flat", "compound", "conj") and tree.head[general] < general:
            general = tree.head[general]
        place = tree.spans[general]
        of_general = [d for d in drafts if d.complete and any(place.overlaps(span) for span in d.object.spans)]
        if of_general:
            added += [Draft(of_general[0].subject, of_general[0].predicate, item, "list") for item in items]
            continue
        named = [other for other in noun_words(tree, general, without=("acl", "nmod")) if other < word]
        subject = phrase(tree, named)
        marker = phrase(tree, range(word, first))
        if subject.text:
            added += [Draft(subject, marker.as_resolved(INCLUDE), item, "list") for item in items]
    return added
