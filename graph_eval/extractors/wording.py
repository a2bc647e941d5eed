"""The wording of a claim: the sentence that a checker judges.

The sentence of a triplet is the wording of its subject, predicate and object, in this order (`Draft.wording`), with a
capital first letter and a full stop (`as_sentence`). The wording of one part (`Phrase.wording`) is made of

- the words of the response, with the articles that the slot leaves out (`phrases.phrase`),
- or the name that a pronoun, a last name or a definite noun refers to (`coreference.Discourse.resolve`),
- or the words of the question or of the heading of a list (`question`, `lists`),
- or words that the response only implies: they all stand in this file.

A sentence claim is worded as `text.normalise.readable` writes its own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph_eval.text.normalise import readable

# Words that the response implies
TOLD = "You"  # the subject of an imperative: who is told
ARE, WAS, WERE = "are", "was", "were"  # participles behind their noun
HAS_BEEN, HAVE_BEEN = "has been", "have been"  # participles with "since"
IS = "is"  # appositions, "key: value" lines, bare answers
INCLUDE, INCLUDES = "include", "includes"  # items of a list or of an enumeration
LIVED = "lived"  # a name before a range of years in brackets
DATES_FROM = "dates from"  # a name before one year in brackets

IRREGULAR = dict(  # gerund -> past tense
    pair.split(":")
    for pair in (
        "becoming:became coming:came going:went giving:gave taking:took making:made leaving:left losing:lost "
        "winning:won saying:said telling:told leading:led bringing:brought buying:bought selling:sold "
        "rising:rose falling:fell having:had being:was getting:got putting:put setting:set cutting:cut "
        "hitting:hit letting:let holding:held keeping:kept sending:sent spending:spent building:built "
        "finding:found feeling:felt standing:stood running:ran beginning:began writing:wrote speaking:spoke "
        "breaking:broke driving:drove meaning:meant meeting:met paying:paid reading:read seeing:saw "
        "thinking:thought throwing:threw hiding:hid beating:beat striking:struck catching:caught "
        "overtaking:overtook teaching:taught fighting:fought growing:grew knowing:knew shooting:shot "
        "drawing:drew wearing:wore bearing:bore stealing:stole choosing:chose seeking:sought lying:lay "
        "eating:ate sitting:sat riding:rode withdrawing:withdrew understanding:understood singing:sang "
        "swimming:swam spreading:spread doing:did flying:flew hearing:heard drinking:drank shutting:shut "
        "blowing:blew costing:cost lending:lent splitting:split shaking:shook feeding:fed hurting:hurt bursting:burst "
        "arising:arose forgetting:forgot clinging:clung overseeing:oversaw withstanding:withstood forcing:forced "
        "sleeping:slept sweeping:swept hanging:hung digging:dug sinking:sank springing:sprang"
    ).split()
)
STATIVE = dict(  # gerund -> present tense, where "is" with the gerund is no English
    pair.split(":")
    for pair in (
        "containing:contain concerning:concern including:include banning:ban involving:involve "
        "consisting:consist belonging:belong costing:cost knowing:know meaning:mean arguing:argue saying:say "
        "claiming:claim stating:state suggesting:suggest noting:note adding:add warning:warn explaining:explain"
    ).split()
)
PRESENT = dict(  # gerund -> present tense, where the ending does not tell it
    pair.split(":")
    for pair in (
        "using:use becoming:become coming:come focusing:focus dying:die lying:lie tying:tie writing:write "
        "sharing:share visiting:visit seeking:seek limiting:limit avoiding:avoid exploring:explore"
    ).split()
)
SINGULAR = {ARE: IS, WERE: WAS, "have": "has"}  # forms of a verb in the plural -> in the singular
DOUBLED = re.compile(r"[^aeiou][aeiou]([bgmnprt])\1$")  # "running", not "adding"
WITH_E = re.compile(  # "creating", "causing", "handling"
    r"(?:(?<![eo])at|[aeioulr]v|[aiy]z|[aeiuonr]c|(?<!foc)us|is|(?<!bi)as|os|[nrp]s|[aeiud]g|[rl]g|ud|(?<![ao])id|ur|(?<!a)ir"
    r"|(?<!p)ut|um|ib|ik|(?<![eo])ak|(?<!o)ok|[bdtpgkfzs]l|[rh]ang|challeng|plung|(?<![aoe])in|cre?at|u)$"
)
WITHOUT_E = re.compile(  # "explaining", "reaching", "offering"
    r"(?:[aeo]in|ea[rtlkmpds]|oa[tdkmp]|[aoe]w|[aeou]y|[^aeiou]y|x|sh|ch|ck|ss|ff|ll|zz|[cnspfrlx]t|nd|ld|rd|[rnsl]k|[rl]m"
    r"|[rw]n|[lm]p|(?<!rf)(?<!dh)er|(?<!v)en|ion|ee|oo[kdlmtp]|ou[ntdrp]|ai[dlmr]|ight|[^h]ing|dd)$"
)
RANGE = re.compile(r"\d\s*[-–—]\s*\w")
MONTH_OR_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
YEAR = re.compile(r"(?:c\.?\s*)?(?:1\d|20)\d\d")


def as_sentence(words: str) -> str:
    """Words as a readable sentence: capital letter first, full stop last."""
    sentence = readable(words)
    if not sentence[1:2].isupper():  # "iOS", "pH"
        sentence = sentence[:1].upper() + sentence[1:]
    return sentence if sentence.endswith((".", "!", "?")) else sentence + "."


def joined(parts: Iterable[str]) -> str:
    """The wordings of the parts of a triplet as one text. Empty parts are left out."""
    return " ".join(part for part in parts if part)


def bracket_predicate(content: str) -> str:
    """The predicate between a name and the brackets behind it: "Kim (1881 - 1949)", "Mystic River (2003)"."""
    if RANGE.search(content) and MONTH_OR_YEAR.search(content):
        return LIVED
    return DATES_FROM if YEAR.fullmatch(content) else IS


def negated(predicate: str) -> str:
    """The predicate with "not" behind its first word, an auxiliary: "is monitored" -> "is not monitored"."""
    auxiliary, _, rest = predicate.partition(" ")
    return f"{auxiliary} not {rest}".strip()


def past(gerund: str) -> str:
    """The past tense of a verb: "destroying" -> "destroyed", "becoming" -> "became"."""
    stem = gerund.removesuffix("ing")
    if gerund in IRREGULAR:
        return IRREGULAR[gerund]
    if stem.endswith("e"):
        return stem + "d"  # "freeing"
    if gerund.endswith(("going", "doing", "throwing", "taking", "coming", "giving")):
        return gerund  # of a longer irregular verb: "undergoing"
    if stem.endswith("y") and stem[-2:-1] not in "aeiou":
        return stem[:-1] + "ied"
    return stem + "ed"


def present(gerund: str, many: bool) -> str:
    """The present tense of a verb: "containing" -> "contains". `many`: of a plural.

    Where the ending does not tell the verb from its gerund, it is the progressive: "dating" -> "is dating".
    """
    if gerund in ("being", "having"):
        return {"being": (IS, ARE), "having": ("has", "have")}[gerund][many]
    verb = STATIVE.get(gerund) or PRESENT.get(gerund) or _infinitive(gerund.removesuffix("ing"))
    if verb is None:
        return f"{ARE if many else IS} {gerund}"
    return verb if many else singular_form(verb)


def _infinitive(stem: str) -> str | None:
    """The verb of a gerund without its "ing", by the last letters. None where these allow two."""
    if len(stem) < 3:
        return None
    if DOUBLED.search(stem):
        return stem[:-1]
    if WITH_E.search(stem):
        return stem + "e"
    return stem if WITHOUT_E.search(stem) else None


def singular_form(verb: str) -> str:
    """The form of a verb in the plural for a singular: "need" -> "needs", "apply" -> "applies", "were" -> "was"."""
    if verb in SINGULAR:
        return SINGULAR[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def plural_form(verb: str) -> str:
    """The form of a verb for a plural: "needs" -> "need", "applies" -> "apply"."""
    return verb[:-3] + "y" if verb.endswith("ies") else verb.removesuffix("s")


def genitive(name: str) -> str:
    """The name as a possessive: "Ada Lovelace's", "the Beatles'"."""
    return name + ("'" if name.endswith("s") else "'s")
