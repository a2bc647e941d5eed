"""Faults of grammar that an edit brings into a sentence.

Each detector lists the faults of a parsed sentence. A fault of the edited sentence that the original does not have is
an objection. The detectors know few things and are sure of them: what people write should pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from graph_eval.correctors.splice import fitting_article

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
MARKS = frozenset({",", ";", ":"})
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
    return _lost_verb(before, after) or _lost_determiner(before, after) or _lost_subject(before, after)


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


DETECTORS: tuple[Callable[[Words], Iterator[Fault]], ...] = (agreement, determiners, neighbours, negations)


def _lost_verb(before: Words, after: Words) -> str | None:
    if any(word.xpos in FINITE for word in before) and not any(word.xpos in FINITE for word in after):
        return "the sentence would have no finite verb"
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

    def has_subject(words: Words) -> bool:
        return any(word.relation in SUBJECTS for word in words)

    if has_subject(before) and not has_subject(after):
        return "the verb would have no subject"
    return None
