"""Whether a draft stands alone: read by itself, it says what it is about, and all of it."""

from __future__ import annotations

import re

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import NUMBERS, PERSON_NOUN, PERSONAL, POINTERS
from graph_eval.extractors.wording import TOLD

PREPOSITIONS = "to|of|for|in|with|than|by|about|from|on|against"
POSSESSIVES = ("his", "her", "its", "their")
PERSONS = frozenset("his her him she he".split())
UNBOUND = re.compile(rf"(?:^| )(?:{PREPOSITIONS}) (?:it|them|this|these|those|him|her)$")  # "some of them"
SOME_OF = re.compile(r"(?:[\d,]+|\w+) of (?:these|those)")
UNBOUND_OBJECT = re.compile(
    r"(?<!\ball)(?<!\bmost)(?<!\bsome) (?:of|for|about) it$"
)  # "60 copies of it", not "all of it"
OF_CONDITION = re.compile(r"\w (?:provided|on (?:the )?condition) (?!it\b)\w")  # it names what "it" stands for
UNBOUND_INSIDE = re.compile(r" (?:it|them|him)\b")
RELATIVE_PHRASE = re.compile(
    rf"^(?:(?:{PREPOSITIONS}) )?(?:which|whom)\b|\b(?:which|whom|whose)\b(?! )|\b(?:{PREPOSITIONS}) (?:which|whom)$"
)
UNCLEAR = re.compile(  # objects that point to something that the claim does not name
    r"^her (?:as|in|on|at|for|from|by|with|and|into|of)\b|^(?:former|latter)\b(?! \w)|\bthe (?:former|latter)$"
    rf"|\b(?:{PREPOSITIONS}) the (?:former|latter)\b(?! \w+s?$)"
    r"|(?:^| )(?:both|either|neither)$|^(?:both|either) (?:\w+ly$|(?:in|on|at|by|for|with|from)\b)"
    r"|^(?:this|that) (?:\w+ly|instead|yourself|if|unless|when|until|because)\b"
    r"|^(?:this|that)(?: (?:once|twice|about|at|on|by|every|per|so|too|again)\b.*)?$|^(?:these|those|so)$"
    r"|^(?:each|other|another) one\b|^(?:as follows|following)$"
)
NAMELESS = re.compile(  # subjects that name nothing
    r"(?:all|any|none|both|neither|either|those|others?)(?: (?:two|three|four|of them))?$|a few$|doing$"
    r"|th(?:at|ose) of |those \w+er (?:than )?|(?:his|her|its|their|your) (?:first|second|third|last|next|latest|own)$"
    r"|(?:.* )?(?:first|second|third|last|other|next|each|earlier|later|longer|larger|smaller|newer|older) ones?$"
)
ELLIPTIC = re.compile(  # conditions that leave out what they are about: "if it wasn't", "anyone who does"
    r"\b(?:(?:if|unless|until|when|whether) (?:it|they|he|she|you|we|so|not|this|that)|(?:those|anyone|people|one) who)"
    r"(?: (?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)(?: not|n['’]t)?)?$"
)
UNSAID = re.compile(
    r"(?:do|does|did)(?: not|n['’]t) (?:explicitly |directly |specifically )?"
    r"(?:mention|specify|clarify|provide .*\b(?:information|details?|overview|instructions|evidence))\b"
)
CLAUSAL = ("adverbial", "reported")  # rules whose object is a clause
DOES = frozenset("do does did don't doesn't didn't".split())
POINTING = ("same", "so", "opposite", "this", "that", "it")
AUXILIARY = DOES | frozenset(
    "is are was were isn't aren't wasn't weren't can can't cannot could couldn't will won't would wouldn't may might"
    " must should shouldn't has have had hasn't haven't hadn't".split()
)
MODALS = ("can", "could", "may", "might", "must", "should", "will", "would")
DOING = re.compile(r"\b(?:do|does|did|doing|done)$")
SO = re.compile(r"(?:^|(?<!\bor) )so$")  # not "20 or so"
DO_SO = re.compile(
    r"\b(?:to|can|could|may|must|will|should) do (?:by|before|after|within|until|at|on|in|from|with|for)$"
)


def is_unresolved(draft: Draft) -> bool:
    """Whether the subject or the object is a pronoun of which nobody knows what it stands for."""
    subject, target = draft.subject.text.lower(), draft.object.text.lower()
    if subject.startswith("whose ") or RELATIVE_PHRASE.search(subject) or UNBOUND.search(subject):
        return True  # "each of which", "some of them"
    if NAMELESS.match(subject) or UNCLEAR.search(target) or target in POSSESSIVES or target.startswith("whose "):
        return True
    if draft.rule == "copula" and UNBOUND.search(target):
        return True  # "less sensitive to it"
    if SOME_OF.fullmatch(target):
        return True  # "dated 22 of these"
    if UNBOUND_OBJECT.search(target) and not OF_CONDITION.search(target):
        return True  # "60 copies of it"
    if not draft.subject.resolved and _hangs(draft.subject.text):
        return True  # "a 2016 analysis of her hair"
    if subject.split(" ")[0] in ("whichever", "whatever"):
        return True  # "You pay whichever price is lower"
    bare_number = subject in NUMBERS or (subject.isdigit() and not draft.subject.inferred)
    does_so = DOING.search(draft.predicate.text) and SO.search(target)  # "Do so by Friday or earlier"
    twice = re.search(r"\b(?:is|are|was|were) (?:is|are|was|were)\b", draft.predicate.text)
    return (
        subject in POINTERS
        or target in POINTERS
        or subject.split(" ")[0] in PERSONAL
        or (subject.split(" ")[0] in ("its", "their") and not draft.subject.resolved)
        or (target.split(" ")[0] in PERSONAL and draft.rule not in CLAUSAL)
        or bare_number
        or bool(UNBOUND_INSIDE.search(draft.predicate.text.lower()))
        or bool(twice)
        or bool(does_so)
    )


def _hangs(subject: str) -> bool:
    """Whether a phrase that names other things belongs to a person who is only a pronoun: "an analysis of her hair"."""
    words = subject.split()
    place = next((place for place, word in enumerate(words) if word.lower() in PERSONS), None)
    if not place:
        return False
    named = any(word[:1].isupper() for other, word in enumerate(words) if other != place)
    return not named and not any(PERSON_NOUN.search(word.lower()) for word in words[:place])


def is_cut_quotation(text: str) -> bool:
    """Whether a quotation mark has no other. Behind a number outside a quotation it is a sign of inches."""
    inside = False
    for place, character in enumerate(text):
        if character == '"' and (inside or not text[max(0, place - 1) : place].isdigit()):
            inside = not inside
    return inside


def points_to_list(draft: Draft) -> bool:
    """Whether the items of the list that follows are its object: "You will need the following:"."""
    return draft.object.text.lower() in ("following", "these")


def is_of_source(draft: Draft) -> bool:
    """Whether it tells what a source does not say, of something else: "It does not mention the price"."""
    filled_in = draft.subject.resolved or draft.subject.text == TOLD
    return filled_in and UNSAID.match(f"{draft.predicate.text} {draft.object.text}") is not None


def is_elliptic(draft: Draft) -> bool:
    """Whether the verb is left out: "Ashby does", "the tour wasn't"."""
    said = draft.predicate.text.lower()
    places = [part.spans[0].start for part in (draft.object, draft.subject, draft.predicate) if part.spans]
    if (
        said.split(" ")[0] in AUXILIARY
        and said.count(" ") < 2
        and len(places) == 3
        and places == sorted(places)
        and draft.rule == "oblique"
    ):
        return True  # "in winter, the train is"
    if ELLIPTIC.search(draft.object.text.lower()):
        return True
    if said.removesuffix(" because").removesuffix(" not") in AUXILIARY and said.endswith(" because"):
        return True  # "those are not, because ..."
    if said.split()[-1:] and said.split()[-1] in DOES and not draft.object.text:
        return True  # "can do"
    if not draft.object.text and said.removesuffix(" not") in AUXILIARY:
        return True  # "damage from limescale is not"
    if DO_SO.search(said):
        return True  # "agreed to do so by Friday", without "so"
    opening = draft.object.text.lower().split(" ")[0]
    if said in AUXILIARY and (
        opening in ("except", "unless") or (opening in ("if", "until", "when") and "n't" in said)
    ):
        return True  # "dismissals are not, except where ..."
    if said in MODALS and opening in ("provided", "providing", "only", "once", "as"):
        return True  # "You can, provided that ...", "Yes, she can, as long as ..."
    full = draft.rule == "object" and "n't" not in said and opening not in POINTING  # "do a test", not "do this"
    return (said in AUXILIARY and ((said in DOES and not full) or not draft.object.text)) or said.startswith("not ")


def is_part(draft: Draft, fuller: Draft) -> bool:
    """Whether another triplet says all of it and more: of "can take it" and "can take it at once" the second stays."""
    if draft is fuller or draft.subject.text != fuller.subject.text or fuller.predicate.text.endswith("because"):
        return False
    own, others = _places(draft), _places(fuller)
    return bool(own) and own < others


def _places(draft: Draft) -> set[int]:
    """The characters of predicate and object."""
    return {
        place
        for part in (draft.predicate, draft.object)
        for span in part.spans
        for place in range(span.start, span.end)
    }
