"""Faults of grammar that an edit brings into a sentence.

Each detector lists the faults of a parsed sentence. A fault of the edited sentence that the original does not have is
an objection. The detectors know few things and are sure of them: what people write should pass.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from graph_eval.correctors.splice import fitting_article
from graph_eval.text.quantities import MONTH_NAMES, UNITS

if TYPE_CHECKING:
    from graph_eval.correctors.candidates import Token

Words = Sequence["Token"]
Fault = tuple[str, str]  # its kind, and a sentence that names the words
FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
SUBJECTS = frozenset({"nsubj", "nsubj:pass", "nsubj:outer", "csubj", "csubj:pass", "expl"})
SINGULAR_FORMS = frozenset({"is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"})
PLURAL_FORMS = frozenset({"are", "were", "have", "do"})
# Nouns that stand for a group and may take a plural verb, and quantities that are counted as one or as many.
COLLECTIVE = frozenset(
    "team government police staff family group company band council party club crew public committee army board firm"
    " majority minority number lot couple range rest half percent per cent data media pair variety handful dozen"
    " association university union side city united palace county department agency bank court parliament none".split()
)
SINGULAR_DETERMINERS = frozenset({"a", "an", "this", "that", "each", "every", "another"})
PLURAL_DETERMINERS = frozenset({"these", "those"})
COUNTING = frozenset(
    "few many dozen hundred thousand million couple number lot little further additional total".split()
)
QUANTIFYING = frozenset({"of", "or", "and", "many", "more", "most"})
ENCLOSING = {"(": ")", "[": "]", "“": "”", "‘": "’", '"': '"'}
ARTICLES = frozenset({"a", "an", "the"})
STOPS = frozenset({".", "!", "?"})
BARE_ENDINGS = ("eed", "shed", "embed", "shred")  # of verbs without an ending that end in "ed"
IRREGULAR = frozenset(  # participles that are no infinitives
    "been broken chosen done drawn driven eaten flown given gone grown known seen shown spoken taken thrown written"
    "".split()
)
MARKS = frozenset({",", ";", ":"})
MARKUP = "*_`~"
SIGNS = "$£€¥%"
VERBAL = frozenset({"VERB", "AUX"})
OPEN_CLASSES = frozenset({"NOUN", "PROPN", "ADJ"})  # of words that no particle or conjunction can replace
CLOSED_CLASSES = frozenset({"PART", "SCONJ", "CCONJ"})
PARTICIPLES = frozenset({"VBG", "VBN"})  # that stand where adjectives do
DETACHED = frozenset("punct cc dep parataxis discourse advmod ccomp advcl".split())  # relations that need no head
BELOW_TWENTY = "|".join(word for word, value in UNITS.items() if value < 20)
TWO_NUMBERS = re.compile(
    rf"\b(?:{BELOW_TWENTY})[- ](?:{BELOW_TWENTY}|{'|'.join(UNITS)})\b(?! (?:hundred|thousand))", re.IGNORECASE
)
LOOSE_DATE = re.compile(
    rf"\bon (?:{'|'.join(MONTH_NAMES)})\b(?! \d)|(?:mon|tues|wednes|thurs|fri|satur|sun)day,? \d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?=\W*$|,|[.;!?] )(?! (?:of )?(?:{'|'.join(MONTH_NAMES)}))",
    re.IGNORECASE,
)
NAMING = frozenset({"NOUN", "PROPN", "NUM", "VERB"})
MOST_REPEATED = 5  # words
MOST_COMPARED = 3  # words that replace others
NOTHING_BEHIND = STOPS | {",", ";", ":", ")"}


def fault(before: Words, after: Words) -> str | None:
    """Why the edited sentence reads worse than the original, or None. Both as parsed by the package's parser.

    It does if it has more faults of a kind: other words of a fault that was there before are no new one.
    """
    for detector in DETECTORS:
        known = Counter(kind for kind, _ in detector(before))
        for kind, reason in detector(after):
            if not known[kind]:
                return reason
            known[kind] -= 1
    return next(filter(None, (lost(before, after) for lost in LOSSES)), None)


def children(words: Words, at: int) -> Iterator[int]:
    return (place for place, word in enumerate(words) if word.head == at and place != at)


def agreement(words: Words) -> Iterator[Fault]:
    """A singular subject with a plural verb, or the other way round."""
    for at, word in enumerate(words):
        if word.relation not in ("nsubj", "nsubj:pass") or word.text.lower() in COLLECTIVE or word.upos == "PROPN":
            continue
        verb = _finite(words, word.head)
        plural = _number(words, at)
        if verb is None or plural is None or verb < at:
            continue
        form, xpos = words[verb].text.lower(), words[verb].xpos
        wants_plural = form in PLURAL_FORMS or (xpos == "VBP" and form not in SINGULAR_FORMS)
        wants_singular = form in SINGULAR_FORMS or xpos == "VBZ"
        if (plural and wants_singular) or (not plural and wants_plural):
            yield "agreement", f"the verb {words[verb].text!r} would not agree with {word.text!r}"


def _number(words: Words, at: int) -> bool | None:
    """Whether a subject is plural. None where nobody can say: it is a measure, a list, or quantified."""
    word = words[at]
    own = list(children(words, at))
    if any(words[place].relation in ("conj", "nummod", "cc") for place in own):
        return None
    if any(words[place].text.lower() in QUANTIFYING for place in range(at, word.subtree[1])):
        return None
    if word.xpos in ("NNS", "NNPS"):
        return None if word.text.lower() in ("news", "series", "species", "means", "headquarters", "politics") else True
    if word.xpos == "NN":
        return False
    return {"it": False, "he": False, "she": False, "they": True, "we": True}.get(word.text.lower())


def _finite(words: Words, verb: int) -> int | None:
    """The finite verb of a clause: its first auxiliary, its copula, or itself. None for an infinitive."""
    helpers = [place for place in children(words, verb) if words[place].relation in ("aux", "aux:pass", "cop")]
    first = min([*helpers, *([verb] if words[verb].xpos in FINITE else [])], default=None)
    return first if first is not None and words[first].xpos in FINITE - {"MD"} else None


def determiners(words: Words) -> Iterator[Fault]:
    """ "a towers", "these tower", "the a tower"."""
    for at, word in enumerate(words):
        if word.upos not in ("NOUN", "PROPN"):
            continue
        own = [place for place in children(words, at) if words[place].relation == "det" and place < at]
        counted = any(
            words[place].relation == "nummod" or words[place].text.lower() in COUNTING
            for place in range(min(own, default=at), at)
        )
        for place in own:
            form = words[place].text.lower()
            if (form in SINGULAR_DETERMINERS and word.xpos == "NNS" and not counted) or (
                form in PLURAL_DETERMINERS and word.xpos == "NN"
            ):
                yield "determiner", f"{words[place].text!r} would not fit {word.text!r}"


def neighbours(words: Words) -> Iterator[Fault]:
    """Words that nothing may follow as it does: "of .", "the ,", "and and", "to was", "will went"."""
    has_verb = False
    for one, other in pairwise(words):
        has_verb = has_verb or one.xpos in FINITE
        if one.upos == "CCONJ" and other.xpos in FINITE - {"VBP"} and not has_verb and one.head != 0:
            yield "open end", f"nothing would stand behind {one.text!r} ({one.text} {other.text})"
        if reason := _stands_alone(one, other):
            yield "open end", f"{reason} ({one.text} {other.text})"
        if (
            one.text.lower() in ("a", "an")
            and other.text[:1].isalnum()
            and fitting_article(one.text, other.text) != one.text
        ):
            yield "article", f"{one.text!r} would not fit {other.text!r}"
        if ENCLOSING.get(one.text) == other.text and other.span.start - one.span.end <= 1:
            yield "empty", f"nothing would stand between {one.text} and {other.text}"
    if words and (words[0].text in (",", ";", ":", ".") or words[0].text.lower() in ("of", "'s", "’s")):
        yield "beginning", f"the sentence would begin with {words[0].text!r}"
    if words and words[0].text[:1].islower():
        yield "capital", f"the sentence would begin with {words[0].text!r}"


def _stands_alone(one: Token, other: Token) -> str | None:
    first, second = one.text.lower(), other.text.lower()
    ends, finite = second in NOTHING_BEHIND, other.xpos in FINITE
    missing = (
        (first in ARTICLES and (ends or finite or second in ARTICLES or other.xpos in ("IN", "CC", "TO")))
        or (one.upos == "ADP" and one.xpos == "IN" and (ends or (finite and other.xpos != "VBP")))
        or (one.upos == "CCONJ" and (ends or other.upos == "CCONJ"))
    )
    if missing:
        return f"nothing would stand behind {first!r}"
    past = other.xpos in ("VB", "VBN", "VBD") and second.endswith("ed") and not second.endswith(BARE_ENDINGS)
    past = past or second in IRREGULAR
    if (one.xpos == "MD" or (one.xpos == "TO" and one.upos == "PART")) and (finite or past):
        return f"an infinitive would be missing behind {first!r}"
    if first in MARKS and (second in STOPS or (first == "," and second in MARKS)):
        return "two marks would stand side by side"
    return None


def negations(words: Words) -> Iterator[Fault]:
    """ "not" without the auxiliary that it needs: "Keys not expire"."""
    for at, word in enumerate(words):
        if word.text.lower() not in ("not", "n't", "n’t") or word.head == at:
            continue
        verb = word.head
        helped = any(words[place].relation in ("aux", "aux:pass", "cop") for place in children(words, verb))
        subject = any(words[place].relation in SUBJECTS and place < at for place in children(words, verb))
        if (
            words[verb].upos == "VERB"
            and subject
            and not helped
            and at < verb
            and words[verb].xpos in (*FINITE, "VB", "VBN")
        ):
            yield "negation", f"{word.text!r} would have no auxiliary"


def repetitions(words: Words) -> Iterator[Fault]:
    """ "silver and silver", "from the beach and from the beach", "for sleeping, not for sleeping"."""
    lowered = [word.text.lower() for word in words]
    for at, word in enumerate(words):
        if word.upos != "CCONJ" and word.text != ",":
            continue
        start = at + 1 + (lowered[at + 1 : at + 2] == ["not"])
        for size in range(1, min(at, len(words) - start, MOST_REPEATED) + 1):
            if lowered[at - size : at] == lowered[start : start + size] and words[at - 1].upos in NAMING:
                yield "repetition", f"{words[at - 1].text!r} would stand on both sides of {word.text!r}"


def counts(words: Words) -> Iterator[Fault]:
    """ "one sachets", "seventeen-seven years", "on February", "on Tuesday 14"."""
    for one, other in pairwise(words):
        if one.text.lower() in ("one", "1") and one.upos == "NUM" and other.xpos == "NNS" and other.upos == "NOUN":
            yield "count", f"{one.text!r} would not fit {other.text!r}"
    text = _line(words)
    for pattern, what in ((TWO_NUMBERS, "two numbers would stand side by side"), (LOOSE_DATE, "the date would be cut")):
        for match in pattern.finditer(text):
            yield what, f"{what} ({match[0]})"


def _line(words: Words) -> str:
    """The words with their blanks."""
    text = ""
    for word in words:
        text += " " * (word.span.start - len(text)) + word.text
    return text


DETECTORS: tuple[Callable[[Words], Iterator[Fault]], ...] = (
    agreement,
    determiners,
    neighbours,
    negations,
    repetitions,
    counts,
)


def _lost_verb(before: Words, after: Words) -> str | None:
    """The main clause had a finite verb, and the edited sentence has none. An imperative has none either."""
    roots = [at for at, word in enumerate(before) if word.head == at]
    finite = any(before[at].xpos in FINITE for root in roots for at in (root, *children(before, root)))
    if finite and not any(word.xpos in FINITE for word in after):
        return "the sentence would have no finite verb"
    return None


def _runs(before: Words, after: Words) -> tuple[tuple[int, int], tuple[int, int]]:
    """The words that differ, as first and end in each: what both begin and end with is left out."""
    most = min(len(before), len(after))
    first = next((at for at in range(most) if before[at].text != after[at].text), most)
    same = next((at for at in range(most - first) if before[-1 - at].text != after[-1 - at].text), most - first)
    return (first, len(before) - same), (first, len(after) - same)


def _lost_head(before: Words, after: Words) -> str | None:
    """A deletion that leaves words behind which belong to what is deleted: "valid for one year on"."""
    (first, end), (_, after_end) = _runs(before, after)
    if after_end > first:
        return None
    deleted = range(first, end)
    for word in before[:first]:
        if word.head not in deleted or word.relation in DETACHED:
            continue
        if not any(place >= end and before[place].upos != "PUNCT" for place in children(before, word.head)):
            return f"{word.text!r} would have lost what it belongs to"
    return _lost_conjunction(before, deleted)


def _lost_conjunction(before: Words, deleted: range) -> str | None:
    """ "A, B and C" without "and C"."""
    for at in deleted:
        first = before[at].head
        if before[at].relation != "conj" or first in deleted:
            continue
        others = [
            place for place in children(before, first) if before[place].relation == "conj" and place not in deleted
        ]
        joins = [place for other in others for place in children(before, other) if before[place].upos == "CCONJ"]
        if others and not joins and any(before[place].upos == "CCONJ" for place in deleted):
            return "the list would have no conjunction"
    return None


def _other_class(before: Words, after: Words) -> str | None:
    """A word in the place of one that does other work ("not" for "sure"), or a finite verb lost or put in."""
    (first, end), (_, after_end) = _runs(before, after)
    old, new = before[first:end], after[first:after_end]
    if not old or not new or max(len(old), len(new)) > MOST_COMPARED:
        return None
    named = f"{_line(new).strip()!r} would be of another class than {_line(old).strip()!r}"
    if len(old) == len(new) == 1:
        return named if _works_otherwise(old[0], new[0]) else None
    finite, new_finite = (any(word.xpos in FINITE for word in run) for run in (old, new))
    return named if finite != new_finite else None


def _works_otherwise(old: Token, new: Token) -> bool:
    verbal, new_verbal = old.upos in VERBAL, new.upos in VERBAL
    adjectives = {old.upos, new.upos} & {"ADJ", "ADP", "CCONJ"} and {old.xpos, new.xpos} & PARTICIPLES
    return (
        (verbal != new_verbal and not adjectives)
        or (old.upos in OPEN_CLASSES and new.upos in CLOSED_CLASSES)
        or (old.xpos in FINITE and new.xpos in ("VBG", "VB"))
    )


def _lost_preposition(before: Words, after: Words) -> str | None:
    (first, end), (_, after_end) = _runs(before, after)
    if after_end == first and end == first + 1 and before[first].upos in ("ADP", "SCONJ"):
        return f"{before[first].text!r} would be missing"
    return None


def _lost_sign(before: Words, after: Words) -> str | None:
    """ "£500" replaced by "350", or a word in lower case by one with a capital that is no name."""
    (first, end), (_, after_end) = _runs(before, after)
    old, new = before[first:end], after[first:after_end]
    if not old or not new:
        return None
    signs, new_signs = (sum(word.text.count(sign) for word in run for sign in SIGNS) for run in (old, new))
    if signs > new_signs and len(new) == 1 and new[0].upos == "NUM":
        return f"{new[0].text!r} would have no unit"
    if first and new[0].text[:1].isupper() and new[0].upos not in ("PROPN", "NOUN") and old[0].text[:1].islower():
        return f"{new[0].text!r} would have a capital"
    return None


def _named_twice(before: Words, after: Words) -> str | None:
    """A name put in as an object that the sentence has already: "Tova Ek set up Tova Ek"."""
    (first, end), (_, after_end) = _runs(before, after)
    new = [word.text for word in after[first:after_end]]
    if end == first or not new or any(word.upos != "PROPN" for word in after[first:after_end]):
        return None
    if not any(word.relation in ("obj", "iobj") for word in after[first:after_end]):
        return None
    rest = [word.text for word in before[:first]], [word.text for word in before[end:]]
    if any(part[at : at + len(new)] == new for part in rest for at in range(len(part))):
        return f"{' '.join(new)!r} would be named twice"
    return None


def is_other_number(before: Words, after: Words) -> bool:
    """Whether the edited sentence differs by one number only."""
    (first, end), (_, after_end) = _runs(before, after)
    return end - first == 1 == after_end - first and before[first].upos == after[first].upos == "NUM"


def _lost_markup(before: Words, after: Words) -> str | None:
    for mark in MARKUP:
        old, new = (sum(word.text.count(mark) for word in words) for words in (before, after))
        if old % 2 == 0 and new % 2:
            return f"{mark!r} would open and not close"
    return None


def _lost_determiner(before: Words, after: Words) -> str | None:
    """A singular noun that had a determiner, and would have none: "lives in park"."""
    had = {word.key for at, word in enumerate(before) if word.xpos == "NN" and _is_determined(before, at)}
    bare = {
        word.key
        for at, word in enumerate(before)
        if word.xpos == "NN" and word.relation != "compound" and not _is_determined(before, at)
    }
    for at, word in enumerate(after):
        lost = word.xpos == "NN" and word.key in had - bare and not _is_determined(after, at)
        if lost and word.relation not in ("compound", "fixed", "flat"):
            return f"{word.text!r} would have no determiner"
    return None


def _is_determined(words: Words, at: int) -> bool:
    return any(words[place].relation in ("det", "nmod:poss", "nummod") for place in children(words, at))


def _lost_subject(before: Words, after: Words) -> str | None:
    """The main clause had a subject, and the edited sentence has none for any verb."""

    roots = [at for at, word in enumerate(before) if word.head == at]
    main = any(before[place].relation in SUBJECTS for root in roots for place in children(before, root))
    if main and not any(word.relation in SUBJECTS for word in after):
        return "the verb would have no subject"
    return None


LOSSES: tuple[Callable[[Words, Words], str | None], ...] = (
    _lost_verb,
    _lost_determiner,
    _lost_subject,
    _lost_head,
    _other_class,
    _lost_preposition,
    _lost_sign,
    _named_twice,
    _lost_markup,
)
