"""Noun and verb phrases of a tree, which become the slots of claims.

Words of one phrase may stand apart ("won ... in"), so a phrase has a list of spans. Leading articles are left out of
the slot, since they are no part of an entity's name, and kept in its wording.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from graph_eval.extractors.rules.lexicon import GENERIC_HEADS
from graph_eval.extractors.rules.tree import Tree
from graph_eval.types import Slot, Span

ARTICLES = frozenset({"a", "an", "the"})
OPENING = frozenset('"“$£€(')
CLOSING = frozenset('"”%)')

OUTSIDE_NOUN = (
    "acl:relcl appos conj cc parataxis cc:preconj nsubj nsubj:pass cop aux advcl mark csubj discourse orphan dep "
    "ccomp advcl:relcl punct case nsubj:outer expl list vocative"
).split()


@dataclass(frozen=True, slots=True)
class Phrase:
    """`text` is the text of the slot. `wording` is the text of the phrase in the claim's sentence."""

    text: str = ""
    spans: tuple[Span, ...] = ()
    wording: str = ""
    resolved: bool = False
    inferred: bool = False

    def slot(self, response: str) -> Slot:
        """The phrase as a slot. Spans with one blank between them are merged."""
        spans: list[Span] = []
        for span in self.spans:
            if spans and response[spans[-1].end : span.start] == " ":
                spans[-1] = Span(spans[-1].start, span.end)
            else:
                spans.append(span)
        return Slot(self.text, tuple(spans), self.resolved, self.inferred)

    def as_resolved(self, text: str) -> Phrase:
        """The same spans, with `text` as the name that they refer to."""
        return replace(self, text=text, wording=text, resolved=True)


NOTHING = Phrase()


def inferred(text: str) -> Phrase:
    """A phrase without words in the response."""
    return Phrase(text, (), text, inferred=True)


def join(*phrases: Phrase | None) -> Phrase:
    """One phrase of several. None and empty phrases are left out."""
    parts = [part for part in phrases if part and part.text]
    if len(parts) == 1:
        return parts[0]
    return Phrase(
        " ".join(part.text for part in parts),
        tuple(span for part in parts for span in part.spans),
        " ".join(part.wording for part in parts),
        any(part.resolved for part in parts),
        any(part.inferred for part in parts),
    )


def phrase(tree: Tree, words: Iterable[int]) -> Phrase:
    """A nominal phrase of these words: hyphenated neighbours are added, outer punctuation and articles are removed."""
    ids = sorted(set(words))
    if not ids:
        return NOTHING
    ids = _whole_hyphens(tree, ids)
    while ids and tree.upos[ids[0]] == "PUNCT" and tree.words[ids[0]] not in OPENING:
        ids = ids[1:]
    while ids and _is_loose_end(tree, ids):
        ids = ids[:-1]
    wording = _text(tree, ids)
    while len(ids) > 1 and tree.lower[ids[0]] in ARTICLES:
        ids = ids[1:]
    return Phrase(_text(tree, ids), _spans(tree, ids), wording)


def function_phrase(tree: Tree, words: Iterable[int]) -> Phrase:
    """Verbs, prepositions and markers: every word but punctuation, in order."""
    ids = sorted(word for word in set(words) if tree.upos[word] != "PUNCT" or tree.words[word] == "-")
    text = _text(tree, ids)
    return Phrase(text, _spans(tree, ids), text)


def _is_loose_end(tree: Tree, ids: list[int]) -> bool:
    word = tree.words[ids[-1]]
    if word == ")":
        return not any(tree.words[other] == "(" for other in ids)
    return tree.upos[ids[-1]] == "PUNCT" and word not in CLOSING


def _whole_hyphens(tree: Tree, ids: list[int]) -> list[int]:
    def touching(left: int, right: int) -> bool:
        return tree.spans[left].end == tree.spans[right].start

    last = ids[-1]
    while (
        last + 2 < tree.size
        and tree.words[last + 1] in "-–"
        and touching(last, last + 1)
        and touching(last + 1, last + 2)
    ):
        ids = [*ids, last + 1, last + 2]
        last += 2
    first = ids[0]
    while (
        first >= 2 and tree.words[first - 1] in "-–" and touching(first - 1, first) and touching(first - 2, first - 1)
    ):
        ids = [first - 2, first - 1, *ids]
        first -= 2
    return ids


def _spans(tree: Tree, ids: list[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    previous = -2
    for word in ids:
        start, end = tree.spans[word]
        if word == previous + 1 and tree.response[spans[-1].end : start] in ("", " "):
            spans[-1] = Span(spans[-1].start, end)
        else:
            spans.append(Span(start, end))
        previous = word
    return tuple(spans)


def _text(tree: Tree, ids: list[int]) -> str:
    return " ".join(span.of(tree.response) for span in _spans(tree, ids))


def coordinated(tree: Tree, head: int) -> list[int]:
    """The heads that a coordination distributes over, or [head] if the coordination must stay whole."""
    if stays_whole(tree, head):
        return [head]
    heads = [head]
    for kid in tree.kids(head, "conj"):
        alike = tree.upos[kid] in ("NOUN", "PROPN", "NUM", "PRON", "ADJ", "X", "SYM")
        if (alike or tree.upos[head] == tree.upos[kid]) and not tree.has(kid, "nsubj", "nsubj:pass", "cop"):
            heads += coordinated(tree, kid)
    return heads


def stays_whole(tree: Tree, head: int) -> bool:
    """Whether a coordination names one thing: "A or B", "between A and B", "2 and 3", "terms and conditions of use"."""
    conjuncts = tree.kids(head, "conj")
    if not conjuncts:
        return False
    conjunctions = [tree.lower[kid] for conjunct in conjuncts for kid in tree.kids(conjunct, "cc")]
    if "or" in conjunctions:
        return True
    below = tree.subtree(head)
    before = [word for word in [below[0] - 1, *below] if 0 <= word < head]
    if any(tree.lower[word] in ("between", "versus", "vs") for word in before):
        return True
    if all(tree.upos[word] == "NUM" or tree.xpos[word] == "CD" for word in [head, *conjuncts]):
        return True
    other = conjuncts[0]
    return (
        len(conjuncts) == 1
        and tree.upos[head] == tree.upos[other] == "NOUN"
        and tree.has(other, "nmod")
        and not tree.has(head, "nmod")
        and not tree.has(other, "det", "nmod:poss", "amod")
        and other - head == 2
    )


def noun_words(tree: Tree, head: int, case: bool = False, without: Collection[str] = ()) -> list[int]:
    """The words of the noun phrase of `head`, without clauses, appositions and (mostly) coordinated phrases."""
    outside = {"appos:bracket"} | {relation for relation in OUTSIDE_NOUN if not (relation == "case" and case)}
    if stays_whole(tree, head):
        outside -= {"conj", "cc", "cc:preconj"}
    if "acl:relcl" not in without and _restricted(tree, head):
        outside.discard("acl:relcl")
    outside |= set(without)
    kept = set(tree.subtree(head, outside, lambda word: tree.relation[word] == "advmod" and tree.xpos[word] == "WRB"))
    _add_inner_marks(tree, head, kept)
    bound = tree.kids(head, "appos:place")
    bound += [word for word in tree.kids(head, "appos:bracket") if tree.upos[word] == "NUM"]
    if bound:  # "Malvern, England", "Mystic River (2003)"
        for word in bound:
            below = tree.subtree(word)
            kept.update(below)
            if below[0] > 0 and tree.words[below[0] - 1] in ",(":
                kept.add(below[0] - 1)
            if below[-1] + 1 < tree.size and tree.words[below[-1] + 1] == ")":
                kept.add(below[-1] + 1)
        return sorted(kept)
    for word in sorted(kept):
        for kid in tree.kids(word, "acl:relcl", "appos", "parataxis"):
            if word != head and kid in kept:
                kept -= set(tree.subtree(kid))
    return _without_brackets(tree, head, kept)


def _restricted(tree: Tree, head: int) -> bool:
    """Whether a relative clause restricts the noun, so that the phrase would be wrong without it."""
    if tree.lower[head] in GENERIC_HEADS:
        return True
    if tree.upos[head] != "NOUN" or tree.relation[head] != "nsubj" or not tree.has(tree.head[head], "cop"):
        return False
    clauses = [tree.subtree(kid) for kid in tree.kids(head, "acl:relcl")]
    return any(len(words) <= 12 and tree.words[words[0] - 1] != "," for words in clauses)


def _add_inner_marks(tree: Tree, head: int, kept: set[int]) -> None:
    first, last = min(kept), max(kept)
    for mark in tree.kids(head, "punct"):
        quote = tree.words[mark] in '"“”'
        inside = first < mark < last or (quote and mark in (first - 1, last + 1))
        between = mark - 1 in kept and (mark + 1 in kept or tree.words[mark] in '"”')
        if inside and (between or quote):
            kept.add(mark)


def _without_brackets(tree: Tree, head: int, kept: set[int]) -> list[int]:
    opened = [word for word in sorted(kept) if tree.words[word] in "([" and word > head]
    if opened:
        kept = {word for word in kept if word < opened[0]}
    else:
        for kid in tree.children[head]:
            if kid > head and kid in kept and "(" in tree.words[head + 1 : kid + 1]:
                kept = kept - set(tree.subtree(kid))
    return sorted(word for word in kept if tree.words[word] not in "()")


def verb_words(tree: Tree, verb: int, copula: int | None = None) -> list[int]:
    """The verb (or copula) with auxiliaries, particles, negation and the adverbs between them."""
    ids = [verb if copula is None else copula]
    for kid in tree.children[verb]:
        relation, word = tree.relation[kid], tree.lower[kid]
        if relation in ("aux", "aux:pass", "compound:prt", "expl") and word not in ("it", "there"):
            ids.append(kid)
        elif relation == "advmod" and word in ("not", "n't", "never", "no", "longer"):
            ids += tree.subtree(kid)
            if word == "no" and kid + 1 < tree.size and tree.lower[kid + 1] == "longer":
                ids.append(kid + 1)
    if copula is None:
        ids += _shared_auxiliaries(tree, verb)
    first, last = min(ids), max(ids)
    if last - first > 8:
        first = verb
    for kid in tree.kids(verb, "advmod"):
        if tree.children[kid]:
            continue
        beside = (
            copula is None
            and kid in (first - 1, last + 1)
            and tree.xpos[kid] == "RB"
            and tree.lower[kid] not in ("also", "then", "however", "so", "when", "where", "how", "why")
        )
        if first < kid < last or beside:
            ids.append(kid)
    return ids


def _shared_auxiliaries(tree: Tree, verb: int) -> list[int]:
    """Auxiliaries and negation that a second verb takes from the first: "was born and raised"."""
    first = tree.head[verb]
    shares = (
        tree.relation[verb] == "conj"
        and not tree.has(verb, "aux", "aux:pass", "nsubj", "nsubj:pass", "cop")
        and tree.upos[first] in ("VERB", "AUX")
        and first < verb
        and tree.xpos[verb] == tree.xpos[first]
        and tree.xpos[verb] in ("VB", "VBN", "VBG")
    )
    if not shares:
        return []
    negations = [kid for kid in tree.kids(first, "advmod") if tree.lower[kid] in ("not", "n't", "never")]
    return tree.kids(first, "aux", "aux:pass") + negations
