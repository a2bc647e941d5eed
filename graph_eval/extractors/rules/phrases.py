"""Noun and verb phrases of a tree, which become the slots of claims.

Words of one phrase may stand apart ("won ... in"), so a phrase has a list of spans. Leading articles are left out of
the slot, since they are no part of an entity's name, and kept in its wording.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from graph_eval.extractors.rules.lexicon import DISCOURSE, GENERIC_HEADS, GROUP_NOUNS, HEDGES, MEASURE_WORD, QUANTITIES
from graph_eval.extractors.rules.tree import ITALICS, Tree
from graph_eval.types import Slot, Span

ARTICLES = frozenset({"a", "an", "the"})
DATE = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d"
    r"|\d{1,2}(?:st|nd|rd|th)?)$"
)
ALL_OF_IT = ("all", "none", "nobody", "nothing", "everybody", "everyone", "everything", "anything")
SHARED = frozenset({"no", "less", "fewer", "little", "neither", "any"})  # they hold for all of a coordination
WHOLE = frozenset({"or", "nor", "plus", "minus", "times", "to", "and/or"})  # they make one thing of two
WHOLES = frozenset(
    {"combination", "mix", "mixture", "blend", "difference", "similarity", "balance", "choice", "total", "sum"}
)
SUMS = frozenset("costs expenses fees charges bills".split())  # of several things
SIDES = frozenset("top bottom front back left right inner outer upper lower north south east west first second".split())
ADDED = frozenset({"especially", "particularly", "notably", "even"})
ARROWS = frozenset(">→»")
OPENING = frozenset('"“$£€(')
BRACKETS = {")": "(", "]": "["}
CLOSING = frozenset('"”%)')

OUTSIDE_NOUN = (
    "acl:relcl appos conj cc parataxis cc:preconj nsubj nsubj:pass cop aux mark csubj discourse orphan dep "
    "advcl:relcl punct case nsubj:outer expl list vocative"
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
PAIRS = frozenset(  # that are one thing
    {("wear", "tear"), ("terms", "conditions"), ("trial", "error"), ("pros", "cons"), ("bed", "breakfast")}
    | {("law", "order"), ("room", "board"), ("health", "safety"), ("research", "development"), ("profit", "loss")}
    | {("supply", "demand"), ("odds", "ends"), ("hide", "seek"), ("checks", "balances"), ("park", "ride")}
)


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
    ids = _one_clause(tree, sorted(set(words)))
    if not ids:
        return NOTHING
    ids = _whole_hyphens(tree, ids)
    kept = set(ids)
    arrows = [word for word in range(ids[0], ids[-1]) if tree.words[word] in ARROWS and {word - 1, word + 1} <= kept]
    ids = sorted(kept.union(arrows))  # "Security > Tokens"
    while ids and _is_loose_start(tree, ids):
        ids = ids[1:]
    comma = next((place for place, word in enumerate(ids[:4]) if tree.words[word] == ","), 0)
    if comma and all(tree.upos[word] == "ADV" and not tree.has(word, "cop") for word in ids[:comma]):
        ids = ids[comma + 1 :]  # "and, less commonly, the eggs"
    while len(ids) > 1 and tree.lower[ids[0]] in ("and", "or", "but") and tree.upos[ids[0]] == "CCONJ":
        ids = ids[1:]
        while len(ids) > 1 and tree.upos[ids[0]] == "PUNCT":
            ids = ids[1:]
    while ids and _is_loose_end(tree, ids):
        ids = ids[:-1]
    led = bool(ids) and tree.lower[ids[0]] in ARTICLES
    wording = _inside(tree, ids) if led else _text(tree, ids)  # "The pilot, Ben Wills": Ben Wills is the pilot
    while len(ids) > 1 and tree.lower[ids[0]] in ARTICLES and tree.lower[ids[1]] not in ("few", "little"):
        if len(ids) == 2 and tree.lower[ids[1]] == "same":
            break  # "Fares stay the same"
        ids = ids[1:]
    return Phrase(_text(tree, ids), _spans(tree, ids), wording)


def full_phrase(tree: Tree, words: Iterable[int]) -> Phrase:
    """Words with their articles: a complement inside a longer slot ("for the first time")."""
    ids = _one_clause(tree, sorted(set(words)))
    while ids and _is_loose_start(tree, ids):
        ids = ids[1:]
    while ids and _is_loose_end(tree, ids):
        ids = ids[:-1]
    return _inner_phrase(tree, ids)


def _inner_phrase(tree: Tree, ids: list[int]) -> Phrase:
    """A phrase that opens no claim: the capital that only begins the sentence is none of its own."""
    text = _inside(tree, ids)
    return Phrase(text, _spans(tree, ids), text)


def _one_clause(tree: Tree, ids: list[int]) -> list[int]:
    """The words without the clause that a semicolon parts from them: "10 GB of storage; Premium"."""
    marks = [word for word in range(ids[0], ids[-1]) if tree.words[word] == ";"] if ids else []
    cut = next((word for word in marks if tree.words[word + 1][:1].isupper()), None)
    return ids if cut is None else [word for word in ids if word < cut]


def without_clauses(tree: Tree, head: int, words: Collection[int]) -> list[int]:
    """The words without clauses that are coordinated with a word of them: ", and it is recommended to ..."."""
    kept = set(words)
    for word in sorted(kept):
        if word == head or tree.relation[word] not in ("conj", "parataxis") or word not in kept:
            continue
        if any(tree.lower[mark] in ("until", "if", "unless", "when") for mark in tree.kids(word, "mark", "advmod")):
            continue  # "for 20 minutes or until it is crisp"
        own = [kid for kid in tree.kids(word, "nsubj", "nsubj:pass", "expl") if tree.xpos[kid] not in ("WDT", "WP")]
        above = tree.head[word]
        clausal = tree.has(above, "nsubj", "nsubj:pass", "mark") and above in kept and above != head
        if own and not clausal:
            kept -= set(tree.subtree(word))
    return sorted(kept)


def function_phrase(tree: Tree, words: Iterable[int]) -> Phrase:
    """Verbs, prepositions and markers: every word but punctuation, in order."""
    found = {word for word in words if tree.upos[word] != "PUNCT" or tree.words[word] == "-"}
    ids = sorted(found | {part for word in found for part in _hyphenated(tree, word)})  # "is hand-washed"
    return _inner_phrase(tree, ids)


def _hyphenated(tree: Tree, word: int) -> list[int]:
    """What is joined to a word by a hyphen in front of it."""
    touching = word >= 2 and tree.words[word - 1] in "-–" and tree.spans[word - 1].end == tree.spans[word].start
    return [word - 2, word - 1] if touching and tree.spans[word - 2].end == tree.spans[word - 1].start else []


def _inside(tree: Tree, ids: list[int]) -> str:
    """The words as they read inside a sentence: "If the pontoon is full" -> "if the pontoon is full"."""
    text = _text(tree, ids)
    first = next((word for word in range(tree.begin, tree.size) if tree.upos[word] != "PUNCT"), 0)
    opens = (
        bool(ids)
        and ids[0] == first
        and (tree.upos[first] not in ("PROPN", "NOUN", "NUM") or tree.lower[first] in ("today", "tonight", "yesterday"))
        and tree.words[first] != "I"
        and tree.words[first][1:] == tree.lower[first][1:]  # not "DROP"
    )
    return text[:1].lower() + text[1:] if opens else text


def _is_loose_start(tree: Tree, ids: list[int]) -> bool:
    word = tree.words[ids[0]]
    if word == "[":  # of "[Table 4] Prices" both brackets stay, of "[Table 4]" none
        return not any(tree.words[other] == "]" for other in ids[:-1])
    return tree.upos[ids[0]] == "PUNCT" and word not in OPENING


def _is_loose_end(tree: Tree, ids: list[int]) -> bool:
    word = tree.words[ids[-1]]
    if word in BRACKETS:
        return not any(tree.words[other] == BRACKETS[word] for other in ids)
    return tree.upos[ids[-1]] == "PUNCT" and word not in CLOSING and not any(map(str.isalnum, word))


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
    while before := _hyphenated(tree, first):
        ids = [*before, *ids]
        first -= 2
    return ids


def _spans(tree: Tree, ids: list[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    previous = -2
    kept = set(ids)
    for word in ids:
        if spans and tree.words[word] in ",;:" and word - 1 not in kept:
            continue  # what stood before the comma is left out
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
        if _is_next_clause(tree, head, kid):
            continue
        if _is_contrasted(tree, head, kid) or _is_gapped(tree, head, kid):
            continue
        if tree.has(kid, "case") and not tree.has(head, "case"):
            continue  # "the cluster, but only with a sponsor"
        if (tree.has(kid, "orphan") and "which" in tree.lower[head:kid]) or _is_parted(tree, kid):
            continue
        alike = tree.upos[kid] in ("NOUN", "PROPN", "NUM", "PRON", "ADJ", "X", "SYM")
        if (alike or tree.upos[head] == tree.upos[kid]) and not tree.has(kid, "nsubj", "nsubj:pass", "cop"):
            heads += coordinated(tree, kid)
    return heads


def _is_title(tree: Tree, head: int, conjunct: int) -> bool:
    """Whether both are in one name in italics: "*Smoke and Sand*", not "*Emma* and *Persuasion*"."""
    for outside in (("conj", "cc", "punct", "case"), ("conj", "cc", "punct", "case", "det")):
        first = min(tree.subtree(head, outside))
        if tree.emphasis(first) in ITALICS and tree.is_emphasised(first, conjunct):
            return True
    return False


def _is_parted(tree: Tree, conjunct: int) -> bool:
    """Whether a condition of its own stands in front of a conjunct: "and, for a visa, a letter"."""
    joints = [kid for kid in tree.kids(conjunct, "cc") if kid + 2 < conjunct and tree.words[kid + 1] == ","]
    return any(tree.upos[kid + 2] in ("ADP", "SCONJ") for kid in joints)


def _is_next_clause(tree: Tree, head: int, conjunct: int) -> bool:
    """Whether a list of two without "and" is two clauses: "Visitors wear green badges, staff orange ones"."""
    only = tree.kids(head, "conj") == [conjunct] and not tree.has(conjunct, "cc", "conj")
    target = tree.relation[head] in ("obj", "obl", "obl:agent") or tree.has(head, "cop")
    first = tree.subtree(conjunct)[0]
    many = tree.xpos[first] in ("NNS", "NNP", "NNPS") or tree.lower[first] in GROUP_NOUNS
    return only and target and many and first != conjunct and "," in tree.words[head:conjunct]


def _is_contrasted(tree: Tree, head: int, conjunct: int) -> bool:
    """Whether only one of the two is negated: "on acceptance and no longer on publication", "not on A but on B"."""
    negated = (
        any(tree.lower[word] == "not" for word in tree.kids(conjunct, "cc"))
        or any(
            tree.lower[word] == "not"
            or (tree.lower[word] == "never" and tree.has(conjunct, "case"))  # "but never more than four spoonfuls"
            or tree.lower[word - 1 : word + 1] == ["no", "longer"]
            for word in tree.kids(conjunct, "advmod")
        )
    )
    verb = tree.head[head]
    but = any(tree.lower[word] == "but" for word in tree.kids(conjunct, "cc")) and tree.relation[head] != "conj"
    no_longer = any(tree.lower[word - 1 : word + 1] == ["no", "longer"] for word in tree.kids(verb, "advmod"))
    return negated or (but and tree.upos[verb] == "VERB" and (no_longer or tree.is_negated_inside(verb)))


def _is_gapped(tree: Tree, head: int, conjunct: int) -> bool:
    """Whether the conjunct begins a clause without its verb: "test keys start with X and live keys with Y"."""
    if any(head < kid < conjunct for kid in tree.kids(head, "appos")) or _of_next_clause(tree, head):
        return True
    cases = {tree.lower[word] for word in tree.kids(head, "case")}
    return any(tree.lower[word] in cases for kid in tree.kids(conjunct, "nmod") for word in tree.kids(kid, "case"))


def _of_next_clause(tree: Tree, head: int) -> list[int]:
    """Phrases that belong to a clause without its verb: "passed to Seaholme, the silver to Pell City"."""
    own = {tree.lower[word] for word in tree.kids(head, "case")} - {"of"}
    parted = [kid for kid in tree.kids(head, "appos", "conj") if "," in tree.words[head:kid]]
    return [
        kid
        for kid in tree.kids(head, "nmod")
        if parted
        and kid > parted[0]
        and any(tree.lower[word] in own for word in tree.kids(kid, "case"))
        and "rather" not in [tree.lower[word] for word in tree.subtree(kid)]
    ]


def stays_whole(tree: Tree, head: int) -> bool:
    """Whether a coordination names one thing: "A or B", "between A and B", "2 and 3", "terms and conditions of use"."""
    conjuncts = [
        kid
        for kid in tree.kids(head, "conj")
        if not tree.has(kid, "nsubj", "nsubj:pass", "cop") and (tree.upos[kid] != "VERB" or tree.upos[head] == "VERB")
    ]
    if not conjuncts or _of_next_clause(tree, head):
        return False
    conditions = [kid for one in conjuncts for kid in tree.kids(one, "advcl")]
    if any(tree.lower[mark] == "if" for kid in conditions for mark in tree.kids(kid, "mark")):
        return True  # "an onion and, if desired, a pinch of salt"
    first = min(tree.subtree(head, ("conj", "cc")))
    if sum(tree.words[word] in '"“”' for word in range(first)) % 2:
        return True  # inside a quotation
    if any(tree.lower[kid] in ("&", "+") for word in conjuncts for kid in tree.kids(word, "cc")):
        return True  # "Vantry & Holm", "Windows key + R"
    if _excepts(tree, head, conjuncts[0]):
        return True
    last = conjuncts[-1]
    if (tree.lower[head], tree.lower[last]) in PAIRS or _is_title(tree, head, last):
        return True  # "fair wear and tear"
    if tree.lower[last] in ("quarter", "quarters") and MEASURE_WORD.match(tree.lower[head]):
        return True  # "an hour and a quarter"
    if len(conjuncts) == 1 and _is_parted(tree, conjuncts[0]):
        return True  # "a fine and, after the third time, expulsion"
    rates = [head, *(kid for kid in tree.kids(head, "nmod") if kid < conjuncts[0])]
    if any(tree.lower[kid] == "per" for rate in rates for kid in tree.kids(rate, "case")):
        return True  # "per kilometre and passenger", "€3 per person and night"
    if tree.lower[head] in ("exchange", "return") and tree.has(head, "case", "nmod"):
        return True  # "in exchange for rights and a payment"
    if _shares_head(tree, head, conjuncts) or tree.lower[tree.head[head]] in WHOLES:
        return True
    if tree.lower[head] in WHOLES and any(kid < conjuncts[0] for kid in tree.kids(head, "nmod")):
        return True  # "the combination of A and B", where B is read as a second combination
    if any(kid > conjuncts[-1] for kid in tree.kids(head, "acl", "nmod", "acl:relcl")):
        return True  # "taxes and premiums paid by the members"
    focus = [tree.lower[kid] for kid in tree.kids(head, "advmod") if kid < head]
    if "only" in focus and tree.relation[head] in ("nsubj", "nsubj:pass", "obj"):
        return tree.lower[min(tree.subtree(head)) - 1] != "not"  # "Only A and B are X", "eat only A and B"
    if "only" in tree.lower[conjuncts[-1] + 1 : max(tree.subtree(conjuncts[-1])) + 2]:
        return True  # "in November and December only"
    if "namely" in focus:
        return True  # "Two bugs were fixed, namely a crash and a leak"
    if tree.upos[head] == "NUM" and all(map(str.isdigit, (tree.words[word][0] for word in [head, *conjuncts]))):
        return True  # "the 17 and 17A"
    nouns = all(tree.upos[word] == "NOUN" for word in [head, *conjuncts])
    if nouns and any(tree.lower[kid] in SHARED for kid in tree.kids(head, "det", "amod")):
        return True  # "less skill and fatigue"
    if any(tree.lower[kid] == "half" for kid in conjuncts):
        return True  # "an hour and a half"
    if any(tree.lower[kid] in ("finally", "then", "later") for word in conjuncts for kid in tree.kids(word, "advmod")):
        return True  # an order
    subjects = tree.kids(head, "nsubj") if tree.has(head, "cop") else []
    if subjects and tree.has(subjects[0], "nummod") and tree.xpos[head] in ("NN", "NNP"):
        return True  # "The two types are A and B"
    conjunctions = [tree.lower[kid] for conjunct in conjuncts for kid in tree.kids(conjunct, "cc")]
    if WHOLE.intersection(conjunctions) or any(
        tree.upos[word] == "NUM" and tree.upos[head] != "NUM" and not tree.has(word, "nummod", "nmod")
        for word in conjuncts
    ):
        return True  # "Rooms 2 and 3"
    if _counts_each(tree, [head, *conjuncts]):
        return False  # "$15 for members and $25 for guests"
    if all(tree.upos[word] in ("NUM", "SYM") or tree.lower[word] in QUANTITIES for word in [head, *conjuncts]):
        return True
    if len(conjuncts) == 1 and any(
        tree.lower[kid] in ("not", "rather", "instead", "neither")
        for word in (head, *conjuncts)
        for kid in tree.kids(word, "cc", "advmod", "cc:preconj")
    ):
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


def _counts_each(tree: Tree, heads: Sequence[int]) -> bool:
    """Whether each is an amount of its own: with "for" and whom it is for."""
    of = [[kid for kid in tree.kids(word, "nmod") if kid > word] for word in heads]
    return all(
        any(tree.lower[case] == "for" for kid in kids for case in tree.kids(kid, "case")) for kids in of
    ) and all(any(character.isdigit() for character in "".join(tree.words[word : word + 2])) for word in heads)


def _excepts(tree: Tree, head: int, conjunct: int) -> bool:
    """ "all wards but intensive care": what is left out."""
    but = any(tree.lower[word] == "but" for word in tree.kids(conjunct, "cc"))
    kinds = [tree.lower[kid] for kid in tree.kids(head, "det", "det:predet")]
    total = tree.lower[head] in ALL_OF_IT or any(kind in ("all", "every", "no", "any", "each") for kind in kinds)
    return but and total and "," not in tree.words[head:conjunct]


def _shares_head(tree: Tree, head: int, conjuncts: list[int]) -> bool:
    """Whether the last noun belongs to all: "road and rail traffic", "the top, front and back sides of each tooth"."""
    last = conjuncts[-1]
    bare = all(
        tree.upos[word] in ("NOUN", "ADJ")
        and tree.xpos[word] in ("NN", "JJ")
        and all(tree.relation[kid] in ("det", "cc", "conj", "punct", "cc:preconj") for kid in tree.children[word])
        for word in [head, *conjuncts[:-1]]
    )
    if bare and len(conjuncts) > 1 and all(tree.lower[word] in SIDES for word in [head, *conjuncts[:-1]]):
        return True
    joined = max(tree.kids(last, "cc"), default=last)
    modified = [
        kid for kid in tree.kids(last, "compound", "amod") if kid == joined + 1 and tree.xpos[kid] in ("NN", "JJ")
    ]
    return (
        bare
        and tree.xpos[last] in ("NN", "NNS")
        and bool(modified)
        and modified[0] + 1 == last
        and (
            any(tree.lower[kid] == "both" for kid in tree.kids(head, "cc:preconj"))
            or tree.has(last, "nmod")
            or tree.lower[head].endswith("ing")  # "manufacturing and material defects"
            or (tree.lower[last] in SUMS and tree.relation[modified[0]] == "compound")  # "travel and hotel costs"
        )
    )


def noun_words(tree: Tree, head: int, case: bool = False, without: Collection[str] = ()) -> list[int]:
    """The words of the noun phrase of `head`, without clauses, appositions and (mostly) coordinated phrases."""
    outside = {"appos:bracket"} | {relation for relation in OUTSIDE_NOUN if not (relation == "case" and case)}
    inner = [kid for kid in tree.kids(head, "cc") if kid < head and tree.kids(head, "compound", "amod")]
    if stays_whole(tree, head) or (inner and not tree.has(head, "conj")):
        outside -= {"conj", "cc", "cc:preconj"}  # "neither diesel nor shore power", read as one noun
    if "acl:relcl" not in without:
        outside.discard("acl:relcl")
    outside |= set(without)

    def adds(word: int) -> bool:
        relation = tree.relation[word]
        if relation == "advmod" and word < head and tree.lower[word] in ADDED:
            return True  # "especially the roots"
        if relation in ("advcl", "ccomp"):
            return not is_comparison(tree, word)
        led = word < head and tree.has(word, "case") and tree.lower[word] not in ("least", "most")
        if relation in ("nmod", "obl") and led:
            return True  # "and, since March, the queue"
        return (relation == "advmod" and tree.xpos[word] == "WRB") or (
            relation in ("acl", "acl:relcl") and not is_restrictive(tree, word)
        )

    kept = set(without_clauses(tree, head, tree.subtree(head, outside, adds)))
    if tree.upos[head] == "PROPN" and tree.relation[head] != "nmod:poss" and not tree.has(head, "det"):
        kept.update(kid for kid in tree.kids(head, "case") if tree.lower[kid] in ("'s", "’s"))  # "McDonald's opened"
    numbered = head + 1 in tree.children[head] and tree.relation[head + 1] != "orphan"
    if numbered and tree.upos[head + 1] == "NUM":
        kept.add(head + 1)  # "Passage 2"
    if not case:
        kept -= set(words_before_case(tree, head))
    for kid in _of_next_clause(tree, head):
        kept -= set(tree.subtree(kid))
    if len(coordinated(tree, head)) > 1:
        kept -= {kid for kid in tree.kids(head, "det") if tree.lower[kid] == "both"}
    _add_inner_marks(tree, head, kept)
    bound = tree.kids(head, "appos:place")
    bound += [word for word in tree.kids(head, "appos:bracket") if tree.upos[word] == "NUM"]
    bound += [word for word in tree.kids(head, "appos") if DATE.match(tree.lower[word])]  # "Monday, July 18"
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
            if word != head and kid in kept and not (tree.relation[kid] == "acl:relcl" and is_restrictive(tree, kid)):
                kept -= set(tree.subtree(kid))
    return _without_brackets(tree, head, kept)


def words_before_case(tree: Tree, head: int) -> list[int]:
    """What stands in front of the preposition of a phrase: "primarily in Latin America", "two weeks before it"."""
    cases = tree.kids(head, "case")
    if not cases:
        return []
    measures = [kid for kid in tree.kids(head, "nmod:unmarked", "obl:unmarked", "nmod") if not tree.has(kid, "case")]
    before = [kid for kid in (*tree.kids(head, "advmod"), *measures) if kid < min(cases)]
    words = [word for kid in before for word in tree.subtree(kid)]
    return sorted(word for word in words if word < min(cases))


def is_comparison(tree: Tree, clause: int) -> bool:
    """Whether the clause is the measure of a comparison: "more than expected", "as much as you can"."""
    marks = [kid for kid in tree.kids(clause, "mark", "case", "advmod") if kid < clause]
    if tree.relation[clause] not in ("advcl", "ccomp") or not marks:
        return False
    before = tree.lower[max(0, tree.head[clause] - 3) : marks[0]]
    return tree.lower[marks[0]] == "than" or (tree.lower[marks[0]] == "as" and "as" in before)


def is_restrictive(tree: Tree, clause: int) -> bool:
    """Whether a clause that modifies a noun says which one is meant ("the card that you lost").

    One behind a comma, or of a name without an article, says something more about it.
    """
    head, words = tree.head[clause], tree.subtree(clause)
    first = next((word for word in words if tree.upos[word] != "PUNCT"), words[0])
    if first < head or first == 0:
        return True
    if tree.words[first - 1] in (",", "(", "–", "—", "-", ";"):
        return tree.lower[head] in GENERIC_HEADS
    return tree.upos[head] != "PROPN" or tree.has(head, "det")


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
            between = tree.words[head + 1 : kid + 1]
            joined = tree.relation[kid] in ("conj", "cc") and between.count("(") == between.count(")")
            if kid > head and kid in kept and "(" in between and not joined:
                kept = kept - set(tree.subtree(kid))
    return sorted(word for word in kept if tree.words[word] not in "()")


def late_auxiliaries(tree: Tree, verb: int) -> list[int]:
    """Those of a clause without its verb: "Boats may enter, swimmers may not"."""
    before = [kid for kid in tree.kids(verb, "nsubj", "nsubj:pass", "aux", "aux:pass") if kid < verb]
    return [kid for kid in tree.kids(verb, "aux", "aux:pass") if kid > verb] if before else []  # not "Insured are you"


def _is_stranded(tree: Tree, verb: int, preposition: int) -> bool:
    """ "The owners are written to": a preposition without its noun."""
    bare = tree.upos[preposition] == "ADP" and not tree.children[preposition]
    beside = preposition == verb + 1 and tree.relation[preposition] in ("obl", "advmod")
    return bare and beside and tree.has(verb, "aux:pass")


def verb_words(tree: Tree, verb: int, copula: int | None = None) -> list[int]:
    """The verb (or copula) with auxiliaries, particles, negation and the adverbs between them."""
    ids = [verb if copula is None else copula]
    late = late_auxiliaries(tree, verb) if copula is None else []
    for kid in tree.children[verb]:
        relation, word = tree.relation[kid], tree.lower[kid]
        if kid in late:
            continue
        part = relation in ("aux", "aux:pass", "compound:prt", "expl") and word not in ("it", "there")
        if part or _is_stranded(tree, verb, kid):
            ids.append(kid)
        elif relation == "advmod" and late and kid > late[0]:
            continue
        elif relation == "advmod" and kid < verb and word == "more" and tree.has(kid, "fixed"):
            ids += tree.subtree(kid)  # "more than doubled"
        elif relation == "advmod" and word in ("not", "n't", "never", "no", "longer"):
            if word == "no" and tree.upos[verb] == "ADJ" and kid + 1 == verb:
                continue  # "were no different"
            ids += tree.subtree(kid)
            if word == "no" and kid + 1 < tree.size and tree.lower[kid + 1] == "longer":
                ids.append(kid + 1)
        elif relation == "advmod" and kid < verb and tree.is_negated_inside(kid) and word not in ("only", "just"):
            ids += tree.subtree(kid)  # "should not solely be based on"
    if copula is None or (tree.xpos[copula] == "VB" and tree.relation[verb] == "conj"):
        ids += _shared_auxiliaries(tree, verb)
        ids += [kid for kid in tree.kids(verb, "mark") if tree.lower[kid] == "to" and min(ids) < kid]  # "is to be done"
    first, last = min(ids), max(ids)
    if last - first > 8:
        first = verb
    for kid in tree.kids(verb, "advmod"):
        if first < kid < last and all(tree.upos[word] == "ADV" for word in tree.subtree(kid)):
            ids += tree.subtree(kid)  # "is most commonly found"
            continue
        if tree.children[kid] and (
            tree.lower[kid] not in HEDGES or any(tree.upos[word] != "PUNCT" for word in tree.children[kid])
        ):
            continue
        beside = (
            copula is None
            and kid in (first - 1, last + 1)
            and tree.xpos[kid] == "RB"
            and tree.lower[kid] not in DISCOURSE
            and tree.lower[kid] not in ("both", "all", "each", "respectively")
        )
        if first < kid < last or beside or (tree.lower[kid] in HEDGES and kid < first):
            ids.append(kid)
    return ids


def _shared_auxiliaries(tree: Tree, verb: int) -> list[int]:
    """Auxiliaries and negation that a second verb takes from the first: "was born and raised"."""
    first = tree.head[verb]
    if tree.xpos[verb] == "VB" and any(kid < verb and tree.words[verb - 1] == "," for kid in tree.kids(verb, "advcl")):
        return []  # "It should arrive today, and if it doesn't, call us"
    joints = {tree.lower[kid] for kid in tree.kids(verb, "cc")}
    later = {tree.lower[kid] for other in tree.kids(first, "conj") if other > verb for kid in tree.kids(other, "cc")}
    if (
        tree.relation[verb] == "conj"
        and tree.xpos[verb] == "VBN"
        and tree.has(first, "cop")
        and tree.upos[first] != "VERB"
        and (joints or later) == {"and"}  # "is short, paved all the way and flat"
        and not tree.is_negated(first)
        and not tree.has(verb, "aux", "aux:pass", "nsubj", "nsubj:pass", "cop")
    ):
        return tree.kids(first, "aux", "cop")  # "must be in writing and addressed to ..."
    shares = (
        tree.relation[verb] == "conj"
        and not tree.has(verb, "aux", "aux:pass", "nsubj", "nsubj:pass", "cop")
        and tree.upos[first] in ("VERB", "AUX")
        and first < verb
        and tree.xpos[verb] == tree.xpos[first]
        and tree.xpos[verb] in ("VB", "VBN", "VBG")
    )
    passive = tree.kids(verb, "aux:pass", "cop")
    bare = bool(passive) and all(tree.xpos[kid] == "VB" for kid in passive)
    plain = not tree.has(verb, "mark", "xcomp", "advmod")
    elided = (
        plain
        and tree.xpos[verb] == tree.xpos[first] == "VBN"
        and tree.kids(first, "aux:pass")
        and tree.upos[verb] == "VERB"
    )
    if tree.relation[verb] == "conj" and elided and tree.has(verb, "nsubj", "nsubj:pass") and not passive:
        return tree.kids(first, "aux", "aux:pass") if not tree.has(verb, "aux") else []  # "and the pan re-seasoned"
    if tree.relation[verb] == "conj" and bare and not tree.has(verb, "aux", "nsubj", "nsubj:pass"):
        return [kid for kid in tree.kids(first, "aux") if tree.xpos[kid] == "MD"]  # "can come off and be swallowed"
    modal = [kid for kid in tree.kids(first, "aux") if tree.xpos[kid] == "MD"]
    state = tree.has(first, "cop") or any(tree.lower[kid] == "be" for kid in tree.kids(first, "aux:pass"))
    must = any(tree.lower[kid] == "must" for kid in modal) and any(
        tree.lower[kid] == "have" and tree.relation[kid] == "aux" for kid in tree.children[first]
    )
    state = state or must  # "must have lived here for a year and speak German"
    if tree.relation[verb] == "conj" and tree.xpos[verb] in ("VB", "VBP") and state and modal:
        alone = not tree.has(verb, "aux", "aux:pass", "nsubj", "nsubj:pass", "cop")
        return (
            modal if alone and "but" not in joints and not tree.is_negated(first) else []
        )  # "must be 18 and hold ..."
    never = [kid for kid in tree.kids(first, "advmod") if tree.lower[kid] == "never" and kid < first]
    past = tree.relation[verb] == "conj" and tree.xpos[verb] == tree.xpos[first] == "VBD"
    if past and never and joints == {"or"} and not tree.has(verb, "nsubj", "nsubj:pass", "aux"):
        return never  # "never came late or left early"
    if not shares:
        return []
    others = [kid for kid in tree.kids(first, "conj") if first < kid < verb]
    if any(tree.lower[kid] == "do" for other in others for kid in tree.kids(other, "aux")):
        return []  # "don't move it, don't open it, clear the hall"
    told = [tree.lower[kid] for kid in tree.kids(first, "nsubj")] == ["you"]
    if told and tree.xpos[verb] == "VB" and any(tree.lower[kid] == "but" for kid in tree.kids(verb, "cc")):
        return []  # "You may shower, but avoid saunas"
    apart = any(tree.words[kid - 1] == "," for kid in tree.kids(verb, "cc") if kid and tree.has(verb, "obj"))
    if apart and tree.xpos[verb] == "VB":
        return [kid for kid in tree.kids(first, "aux") if tree.lower[kid] not in ("do", "does", "did")]
    negations = [kid for kid in tree.kids(first, "advmod") if tree.lower[kid] in ("not", "n't", "never")]
    if tree.is_negated_inside(verb) or (joints == {"but"} and all(tree.lower[kid] == "not" for kid in negations)):
        negations = []  # "never close it and never turn it", "are not deleted but redirected"
    return tree.kids(first, "aux", "aux:pass") + negations
