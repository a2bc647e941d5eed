"""Faults of grammar that an edit brings into a sentence.

Each detector lists the faults of a parsed sentence. A fault of the edited sentence that the original does not have is
an objection. The detectors know few things and are sure of them: what people write should pass.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from graph_eval.correctors.splice import fitting_article
from graph_eval.text.normalise import ARTICLES
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
STOPS = frozenset({".", "!", "?"})
BARE_ENDINGS = ("eed", "shed", "embed", "shred")  # of verbs without an ending that end in "ed"
IRREGULAR = frozenset(  # participles that are no infinitives
    "been broken chosen done drawn driven eaten flown given gone grown known seen shown spoken taken thrown written"
    "".split()
)
MARKS = frozenset({",", ";", ":"})
SIGNS = "$£€¥%"
VERBAL = frozenset({"VERB", "AUX"})
MAIN_PARTS = frozenset({"aux", "aux:pass", "cop"})  # of a clause, beside its main word
CLAUSES = frozenset("acl:relcl advcl advcl:relcl ccomp".split())  # relations of verbs that need a subject of their own
DETACHED = frozenset("punct cc dep parataxis discourse advmod ccomp advcl".split())  # relations that need no head
# "two-half", "seventeen-seven"
TEENS = "|".join(word for word, value in UNITS.items() if 10 <= value < 20)
BELOW_TEN = "|".join(word for word, value in UNITS.items() if 1 < value < 10)
BROKEN_NUMBER = re.compile(rf"\b(?:(?:{TEENS})-(?:one|{BELOW_TEN})|(?:{BELOW_TEN}|{TEENS})-half)\b(?!-)", re.IGNORECASE)
# "on February." and "on Tuesday 14, ..."
CUT_DATE = re.compile(
    rf"\bon (?:{'|'.join(map(str.capitalize, MONTH_NAMES))})(?=\s?(?:[.,;!?)]|$))"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? \d{1,2}(?=\s?(?:[.;!?)]|,(?! ?\d)|$))"
)
STARS = re.compile(r"\*+|`+")
REPEATABLE = frozenset("hours days weeks months years miles times hundreds thousands millions more".split())
SPELLED = re.compile(r"^(?=.*[aeiou])[a-z]{3,}$", re.IGNORECASE)  # no "km"
UNCOUNTED = frozenset("min sec percent dozen people sheep staff fish aircraft series species hertz".split())
BOUND = frozenset({"once", "as", "than"})  # adverbs that say little outside of their phrase: "at once", "as soon as"
NAMING = frozenset({"NOUN", "PROPN"})
NUMBERED = NAMING | {"NUM"}
NOUN_PARTS = frozenset("det nmod:poss nummod amod compound nmod:desc".split())  # relations to a noun behind
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
    # "born in Rome in 1990" without "in Rome" can be read as without "Rome in": an objection holds for every reading.
    readings = changes(before, after)
    return next((reasons[0] for loss in LOSSES if all(reasons := [loss(change) for change in readings])), None)


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
    helpers = [place for place in children(words, verb) if words[place].relation in MAIN_PARTS]
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
        helped = any(words[place].relation in MAIN_PARTS for place in children(words, verb))
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
        negated = lowered[at + 1 : at + 2] == ["not"]
        start, last = at + 1 + negated, words[at - 1]
        for size in range(1, min(at, len(words) - start, MOST_REPEATED) + 1):
            names = last.upos in NAMING or ((negated or size > 1) and last.upos == "VERB")
            same = lowered[at - size : at] == lowered[start : start + size]
            if same and names and (size > 1 or lowered[at - 1] not in REPEATABLE):
                yield "repetition", f"{last.text!r} would stand on both sides of {word.text!r}"


def counts(words: Words) -> Iterator[Fault]:
    """ "one sachets", "three brother"."""
    for at, word in enumerate(words[:-1]):
        noun = words[at + 1]
        if word.upos != "NUM" or word.relation != "nummod" or word.head != at + 1 or noun.upos != "NOUN":
            continue
        before = words[max(0, at - 2) : at]
        part = bool(before) and (before[-1].upos == "NUM" or before[-1].text.lower() in ("-", "and"))
        part = part or (len(before) == 2 and before[1].text == "of" and before[0].upos in ("NUM", "NOUN"))
        one = word.text.lower() in ("one", "1") and not part
        bare = noun.xpos == "NN" and SPELLED.search(noun.text) and noun.relation != "compound"
        many = word.text.lower() not in ("one", "1", "zero", "half") and (word.text.isalpha() or word.text.isdigit())
        if (one and noun.xpos == "NNS") or (many and bare and noun.text.lower() not in UNCOUNTED):
            yield "count", f"{word.text!r} would not fit {noun.text!r}"


def cut_numbers(words: Words) -> Iterator[Fault]:
    """ "seventeen-seven years", "on February", "on Tuesday 14"."""
    text = _line(words)
    for match in BROKEN_NUMBER.finditer(text):
        yield "number", f"{match[0]!r} would be no number"
    for match in CUT_DATE.finditer(text):
        yield "date", f"the date would be cut ({match[0]})"


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
    cut_numbers,
)


@dataclass(frozen=True, slots=True)
class Change:
    """The words before and after an edit, and those that differ: from `first` to before `end` and `after_end`."""

    before: Words
    after: Words
    first: int
    end: int
    after_end: int

    @property
    def old(self) -> Words:
        return self.before[self.first : self.end]

    @property
    def new(self) -> Words:
        return self.after[self.first : self.after_end]


def changes(before: Words, after: Words) -> list[Change]:
    """What an edit changed: by the longest common beginning, and by the longest common end if that differs."""
    most = min(len(before), len(after))
    first = next((at for at in range(most) if before[at].text != after[at].text), most)
    last = next((at for at in range(most) if before[-1 - at].text != after[-1 - at].text), most)
    found = [(first, min(last, most - first)), (min(first, most - last), last)]
    return [Change(before, after, at, len(before) - same, len(after) - same) for at, same in dict.fromkeys(found)]


def is_other_number(before: Words, after: Words) -> bool:
    """Whether the edited sentence differs by one number only, in digits or in letters as before."""
    change = changes(before, after)[0]
    old, new = change.old, change.new
    if not len(old) == len(new) == 1:
        return False
    return old[0].upos == new[0].upos == "NUM" and old[0].text.isalpha() == new[0].text.isalpha()


def _main_clause(words: Words, relations: Collection[str]) -> Iterator[Token]:
    """The words that depend on the root by one of the relations."""
    for root, word in enumerate(words):
        if word.head == root:
            yield from (words[at] for at in children(words, root) if words[at].relation in relations)


def _lost_verb(change: Change) -> str | None:
    """The main clause had a finite verb, and the edited sentence has none. An imperative has none either."""
    roots = (word for at, word in enumerate(change.before) if word.head == at)
    finite = any(word.xpos in FINITE for word in (*roots, *_main_clause(change.before, MAIN_PARTS)))
    if finite and not any(word.xpos in FINITE for word in change.after):
        return "the sentence would have no finite verb"
    return None


def _lost_head(change: Change) -> str | None:
    """A deletion that leaves words behind which belong to what is deleted: "valid for one year on".

    What stands behind the deletion and belonged to it, too, may take its place.
    """
    if change.new:
        return None
    words, deleted = change.before, range(change.first, change.end)
    for word in words[: change.first]:
        if word.head in deleted and word.relation not in DETACHED:
            behind = (place for place in children(words, word.head) if place >= change.end)
            if all(words[place].upos == "PUNCT" for place in behind):
                return f"{word.text!r} would have lost what it belongs to"
    return None


def _lost_conjunction(change: Change) -> str | None:
    """ "A, B and C" without "and C"."""
    words, deleted = change.before, range(change.first, change.end)
    if change.new or not any(word.upos == "CCONJ" for word in change.old):
        return None
    for at in deleted:
        head = words[at].head
        if words[at].relation != "conj" or head in deleted:
            continue
        others = [place for place in children(words, head) if words[place].relation == "conj" and place not in deleted]
        if others and not any(words[join].upos == "CCONJ" for other in others for join in children(words, other)):
            return "the list would have no conjunction"
    return None


def _lost_conjunct(change: Change) -> str | None:
    """A deletion behind a conjunction of what it joins, with nothing of the kind left to join: "spent two years and £9
    turning it" without "£9"."""
    words, deleted = change.before, range(change.first, change.end)
    joining = words[change.first - 1] if change.first else None
    if change.new or joining is None or joining.upos != "CCONJ" or joining.head not in deleted:
        return None
    lost, behind = words[joining.head], words[change.end] if change.end < len(words) else None
    if behind is None or not _takes_place(words, lost, behind, change.end):
        return f"nothing would stand behind {joining.text!r}"
    return None


def _takes_place(words: Words, lost: Token, behind: Token, at: int) -> bool:
    """Whether the word behind a deletion, or the noun that it belongs to, does the work of the lost word."""
    same = behind.xpos == lost.xpos if lost.upos == "VERB" else behind.upos == lost.upos
    if behind.relation == "conj" or same:
        return True
    noun = behind.head if behind.relation in NOUN_PARTS else at
    return {lost.upos, words[noun].upos} <= NUMBERED and lost.subtree[0] <= noun <= lost.subtree[1]


def _other_class(change: Change) -> str | None:
    """A verb for another word or the other way round, "not" for an adjective, an adverb for a conjunction."""
    old, new = change.old, change.new
    if not old or not new or max(len(old), len(new)) > MOST_COMPARED:
        return None
    if len(old) == len(new) == 1:
        differs = _works_otherwise(change)
    else:
        differs = any(word.xpos in FINITE for word in old) != any(word.xpos in FINITE for word in new)
    if not differs:
        return None
    shown, instead = (" ".join(word.text for word in words) for words in (new, old))
    return f"{shown!r} would be of another class than {instead!r}"


def _works_otherwise(change: Change) -> bool:
    """Whether one word stands in the place of one that does other work. Participles work as adjectives and nouns too,
    but not behind an auxiliary: "were insurance"."""
    old, new = change.old[0], change.new[0]
    if old.upos in VERBAL and new.upos in VERBAL:
        return old.xpos in FINITE and new.xpos in ("VBG", "VB")
    if new.text.lower() in BOUND and old.upos == "ADV" and old.text.lower() not in (*BOUND, "twice"):
        return True
    if old.upos in ("SCONJ", "ADP") and new.upos == "ADV":
        return True
    relations = {change.before[at].relation for at in children(change.before, change.first)}
    if old.upos in VERBAL:
        return old.xpos in (*FINITE, "VB") or (old.xpos == "VBN" and "aux:pass" in relations and new.upos == "NOUN")
    if new.upos in VERBAL:
        return new.xpos in (*FINITE, "VB")
    return old.upos in ("NOUN", "PROPN", "ADJ") and new.upos in ("PART", "SCONJ", "CCONJ") and "cop" not in relations


def _lost_unit(change: Change) -> str | None:
    """ "£500" replaced by "350"."""
    old, new = ("".join(word.text for word in words) for words in (change.old, change.new))
    behind = change.after[change.after_end : change.after_end + 1]
    part = any(word.text.lower() == "of" for word in behind)
    if new.isdigit() and not part and any(sign in old for sign in SIGNS) and any(map(str.isdigit, old)):
        return f"{new!r} would have no unit"
    return None


def _needless_capital(change: Change) -> str | None:
    """A word in lower case replaced by one with a capital that is no name: "If it Once says"."""
    old, new = change.old, change.new
    if not old or not new or not change.first or not old[0].text[:1].islower() or not new[0].text[:1].isupper():
        return None
    name = new[0].upos in ("PROPN", "NOUN", "ADJ") or new[0].text == "I" or any(w.text.istitle() for w in new[1:])
    return None if name else f"{new[0].text!r} would have a capital"


def _lost_markup(change: Change) -> str | None:
    """ "**Ann** called" replaced by "**Bo* called"."""

    def marks(words: Words) -> Counter[str]:
        return Counter(STARS.findall(_line(words)))

    old, new = marks(change.before), marks(change.after)
    for mark in new:
        if new[mark] % 2 and not old[mark] % 2:
            return f"{mark!r} would open and not close"
    return None


def _lost_determiner(change: Change) -> str | None:
    """A singular noun that had a determiner, and would have none: "lives in park"."""
    before, after = change.before, change.after
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


def _lost_subject(change: Change) -> str | None:
    """The main clause had a subject, and the edited sentence has none for any verb; or a deletion takes the only
    subject of another clause: "the terrace, where are provided"."""
    had = any(_main_clause(change.before, SUBJECTS))
    if had and not any(word.relation in SUBJECTS for word in change.after):
        return "the verb would have no subject"
    words, deleted = change.before, range(change.first, change.end)
    for word in change.old if not change.new else ():
        if word.relation in SUBJECTS and word.head not in deleted and words[word.head].relation in CLAUSES:
            left = [words[at] for at in children(words, word.head) if at not in deleted]
            parts = [words[word.head], *(one for one in left if one.relation in MAIN_PARTS)]
            if any(one.xpos in FINITE for one in parts) and not any(one.relation in SUBJECTS for one in left):
                return f"{words[word.head].text!r} would have no subject"
    return None


LOSSES: tuple[Callable[[Change], str | None], ...] = (
    _lost_determiner,
    _lost_subject,
    _lost_verb,
    _lost_head,
    _lost_conjunction,
    _lost_conjunct,
    _other_class,
    _lost_unit,
    _needless_capital,
    _lost_markup,
)
