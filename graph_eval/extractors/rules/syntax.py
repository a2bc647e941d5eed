"""Predicates over a tree: clauses, their subjects, whether they are asserted, and what relative clauses omit."""

from __future__ import annotations

import re

from graph_eval.extractors.rules.lexicon import (
    CIRCUMSTANCES,
    CONDITIONAL,
    EVENT_NOUN,
    GENERIC_HEADS,
    GROUP_NOUNS,
    INTRANSITIVE,
    LABILE,
    LIGHT_NOUNS,
    MAKES,
    MANY_NOUNS,
    MEASURE_WORD,
    NOT_ASSERTING,
    OF_EVENTS,
    OPINION,
    PERSON_NOUN,
    QUANTITIES,
    RELATIVE,
    RESULTS,
    SOURCE_NOUN,
    WANTING,
)
from graph_eval.extractors.rules.phrases import is_comparison, is_restrictive
from graph_eval.extractors.rules.tree import NOMINAL, Tree

ROLES_OF_TOPICS = ("nsubj", "nsubj:pass", "ROOT", "appos")
# Participles that tell of a thing or a person, not of a case
FACTS = frozenset(
    """born raised educated based headquartered founded located situated established built written designed directed
    narrated set named published released launched opened created composed produced elected appointed""".split()
)
GETTING = frozenset("get gets got getting receive receives received receiving".split())
DUTIES = frozenset({"must", "should", "shall", "ought"})
OBLIGING = re.compile(r"(?:need|ha[vds]e?|require|advise|recommend|tell|told|ask|oblige|expect|suppose)(?:s|d|ed)?$")
AVOIDING = re.compile(r"(?:avoid|stop|refrain|cease|quit|forbid|prohibit|prevent)(?:s|ed|ing|ped|ping)?$")
BEFORE_GERUNDS = frozenset(
    "of for in by from at about such with without like after before on upon to including".split()
)
PARTS = frozenset("section part side half wing roof floor end edge coast north south east west stretch".split())
MOVES_PEOPLE = re.compile(r"(?:anger|pleas|surpris|worri|shock|delight|upset|annoy|alarm|disappoint)ed")
JUDGED = ("record", "surprise", "relief", "blow", "first")
BLAMING = re.compile(r"(?:blam|attribut|ascrib|credit|explain|put)(?:e|es|ed|s)?")
FRAMING = ("from", "during", "on", "until", "since", "after", "before", "within")
CASES = frozenset("problem sign effect symptom risk mistake error danger example case scenario result".split())
CHANGING = frozenset("rising falling increasing decreasing growing dropping climbing declining".split())
NO_COMMAND = frozenset("both neither either each some many most few none all others several".split())
RANGING = frozenset({"starting", "beginning", "ending"})  # behind a comma: of the object, or of how it is done
MAX_SUBJECT_DEPTH = 6  # clauses between a verb and the clause that names its subject


def is_clause(tree: Tree, word: int) -> bool:
    """Whether the word heads a clause: a verb, or a noun or adjective with a copula."""
    if tree.has(word, "cop", "aux:pass"):
        return True
    if tree.upos[word] not in ("VERB", "AUX"):
        with_subject = tree.has(word, "aux") and tree.has(word, "nsubj", "nsubj:pass")
        return with_subject or (tree.relation[word] == "ROOT" and tree.has(word, "obj"))
    return tree.relation[word] not in (
        "aux",
        "aux:pass",
        "cop",
        "amod",
        "case",
        "mark",
        "compound",
        "fixed",
        "flat",
    )


def is_skipped(tree: Tree, verb: int) -> bool:
    """Whether the clause makes no claim: purposes ("a plan to ..."), conditions, complements that are not asserted."""
    markers = [tree.lower[kid] for kid in tree.kids(verb, "mark")]
    if _is_infinitive_with_subject(tree, verb) or tree.lower[verb] == "meaning":
        return True  # "It takes five months for new hens to start laying"
    if _is_no_fact(tree, verb) or _is_correlative(tree) or _joins_condition(tree, verb):
        return True
    if tree.relation[verb] == "ROOT" and CONDITIONAL & set(markers):
        return True  # "Only if it is locked."
    if FIRST_COME.search(" ".join(tree.lower[max(0, verb - 4) : verb + 5])):
        return True
    if _is_label(tree, verb):
        return True  # "Who it covers: ..."
    led = {tree.lower[kid] for kid in tree.kids(first_of(tree, verb), "mark")} | set(markers)
    gerund = tree.relation[verb] == "acl" or (tree.relation[verb] == "conj" and tree.xpos[verb] == "VBG")
    if gerund and led & BEFORE_GERUNDS:
        return True  # "the cost of buying and painting a house", "reasons, such as monitoring blood sugar"
    if _continues_chain(tree, verb):
        return True
    if _is_bare_participle(tree, verb) or _is_promise(tree, verb) or _is_loose_participle(tree, verb):
        return True
    cases = [tree.lower[kid] for kid in tree.kids(tree.head[verb], "case")]
    of_noun = tree.relation[verb] == "acl" and "with" in cases and _is_told(tree, tree.head[tree.head[verb]])
    of_verb = tree.relation[verb] == "advcl" and "with" in markers
    of_verb = of_verb and (tree.xpos[verb] == "VBN" or _is_told(tree, tree.head[verb]))
    if of_noun or of_verb:
        return True  # "Put it out with the handle facing the road"
    governor = tree.head[verb]
    if tree.relation[verb] == "xcomp" and tree.upos[governor] == "ADJ" and not is_clause(tree, governor):
        return True  # "Unable to find a sponsor, he left"
    if is_comparison(tree, verb) or _is_cut_off(tree, verb) or _is_bracketed(tree, verb):
        return True  # "more than the city had budgeted"
    if _points_to_condition(tree, verb):
        return True
    if is_alternative(tree, verb) or not _agrees(tree, verb) or _is_of_other_subject(tree, verb):
        return True
    if tree.relation[verb] == "acl" and (tree.xpos[verb] == "VB" or "to" in markers):
        return True
    first = first_of(tree, verb)
    purpose = tree.xpos[verb] == "VB" and tree.relation[first] == "advcl" and "to" in led
    if purpose and tree.relation[tree.head[first]] == "acl":
        return True  # "ways of using maps to find, mark and clear the paths"
    modifies = tree.relation[first] in ("acl", "acl:relcl")
    frames = ("where",) if is_past(tree, verb) else ("where", "when")  # "until 1978, when the last works closed"
    framed = any(tree.lower[kid] in frames for kid in tree.kids(verb, "advmod"))
    if modifies and framed and not place_of(tree, verb):
        return True  # "in spring, when the weather is mild"
    if tree.relation[first] == "acl" and _is_wanted(tree, tree.head[first]):
        return True  # "asked for figures broken down by department"
    if modifies and (_is_about_clause(tree, first) or _is_of_example(tree, first) or _is_of_either(tree, first)):
        return True
    said = "as" in markers and tree.xpos[verb] == "VBN"
    if tree.relation[first] == "acl" and (said or _is_of_verb(tree, first)):
        return True  # "as stated in the passage"
    timed = tree.xpos[first] == "VBN" and MEASURE_WORD.match(tree.lower[tree.head[first]])
    if tree.relation[first] == "acl" and timed and is_restrictive(tree, first):
        return True  # "the hours spent on calls"
    noun = tree.head[first]
    single = any(tree.xpos[word] == "VBZ" for word in [first, *tree.kids(first, "aux", "aux:pass", "cop")])
    joined = tree.relation[noun] == "conj" and tree.upos[noun] == "PROPN" and not single
    if modifies and joined and not is_restrictive(tree, first):
        return True  # "A and B, who ...": of the second, or of both
    if (
        modifies
        and not place_of(tree, verb)  # "in Ovara, where it grows on trees"
        and any(
            tree.upos[kid] == "PRON" and tree.lower[kid] not in RELATIVE
            for kid in tree.kids(verb, "nsubj", "nsubj:pass")
        )
    ):
        return True  # "the computer you want to use"
    own = tree.kids(verb, "nsubj", "nsubj:pass")
    if modifies and tree.lower[noun] in CIRCUMSTANCES and own and tree.lower[own[0]] not in RELATIVE:
        return True  # "the way businesses operate"
    if modifies and is_restrictive(tree, first) and not is_specific(tree, tree.head[first]):
        return True
    if is_fronted_fact(tree, verb):
        return False
    if tree.relation[verb] == "advcl" and (is_condition(tree, verb) or not is_finite(tree, verb)):
        return True
    if is_result(tree, verb):
        return True
    if _holds_otherwise(tree, verb) or is_rejected(tree, verb):
        return True
    return is_unasserted(tree, verb)


def _joins_condition(tree: Tree, verb: int) -> bool:
    """Whether the clause is the second of a condition: "Yes, but only if he agrees and you have two weeks left"."""
    first = tree.head[verb]
    others = tree.kids(first, "conj") if tree.relation[verb] == "conj" else []
    apart = len(others) == 1 and any(
        tree.words[kid - 1] == "," for kid in tree.kids(verb, "cc")
    )  # "if A, and B is due"
    led = any(tree.lower[kid] in CONDITIONAL for kid in tree.kids(first, "mark"))
    return bool(others) and led and not apart and tree.relation[first] in ("ROOT", "conj", "parataxis", "dep")


def first_of(tree: Tree, verb: int) -> int:
    """The first verb of the coordination that the verb stands in."""
    while tree.relation[verb] == "conj" and tree.head[verb] != verb:
        verb = tree.head[verb]
    return verb


def _holds_otherwise(tree: Tree, verb: int) -> bool:
    """ "Otherwise leave the room and close the door": neither is told in general."""
    verbs = (verb, tree.head[verb]) if tree.relation[verb] == "conj" else (verb,)
    return any(tree.lower[kid] in ("otherwise", "else") for one in verbs for kid in tree.kids(one, "advmod"))


def _continues_chain(tree: Tree, verb: int) -> bool:
    """Whether the verb goes on an open complement: where "can help kill and remove" is read, `_chain` reads both."""
    first = first_of(tree, verb)
    bare = not tree.has(verb, "nsubj", "nsubj:pass", "expl", "aux", "aux:pass", "cop")
    return first != verb and bare and tree.xpos[first] == tree.xpos[verb] and in_chain(tree, first, None)


def place_of(tree: Tree, clause: int) -> list[int]:
    """The preposition of the place that "where" stands for: "except in Norland, where we pay". [] without a place."""
    where = any(tree.lower[kid] == "where" for kid in tree.kids(clause, "advmod"))
    if not where or tree.relation[clause] != "acl:relcl" or is_restrictive(tree, clause):
        return []
    return [kid for kid in tree.kids(tree.head[clause], "case") if tree.lower[kid] in ("in", "at", "on", "near")]


def _is_promise(tree: Tree, verb: int) -> bool:
    """ "Enclose proof and the fine is waived", "Be careful or you may fall": it holds in that case."""
    first = tree.head[verb]
    if tree.relation[verb] not in ("conj", "parataxis") or not tree.has(verb, "nsubj", "nsubj:pass"):
        return False
    joints = {tree.lower[kid] for kid in tree.kids(verb, "cc")}
    if "or" in joints and any(tree.lower[kid] in DUTIES for kid in tree.kids(first, "aux")):
        return True  # "The float must swing freely, or the pump will not start"
    if not is_imperative(tree, first):
        return False
    will = any(tree.lower[kid] in ("will", "'ll", "won't", "wo") for kid in tree.kids(verb, "aux"))
    fact = is_past(tree, verb) or any(tree.xpos[kid] == "MD" for kid in tree.kids(verb, "aux"))
    return "or" in joints or ("and" in joints and (will or not fact))


def _is_bare_participle(tree: Tree, verb: int) -> bool:
    """ "left unattended or connected to it", "not new but renovated": whether it shares an auxiliary is not clear."""
    if tree.relation[verb] != "conj" or tree.xpos[verb] != "VBN" or tree.has(verb, "aux", "aux:pass", "cop"):
        return False
    first = tree.head[verb]
    if tree.has(verb, "nsubj", "nsubj:pass"):
        return False
    return (tree.relation[first] == "xcomp" and tree.upos[first] == "ADJ") or (
        tree.has(first, "cop") and tree.upos[first] != "VERB" and tree.is_negated(first)
    )


def is_result(tree: Tree, verb: int) -> bool:
    """Whether the clause says what all of the clause before it led to: "cut its budget, leading to layoffs"."""
    first = tree.head[verb] if tree.relation[verb] == "conj" else verb
    return (
        tree.relation[first] in ("advcl", "acl")
        and (tree.lower[first] in RESULTS or (tree.lower[first] in RANGING and tree.has(tree.head[first], "obj")))
        and first > tree.head[first]
        and not tree.has(first, "nsubj", "nsubj:pass", "mark", "aux")
        and "," in tree.words[first - 2 : first]
    )


def _is_label(tree: Tree, verb: int) -> bool:
    """Whether the clause in front of a colon is a question that what follows answers."""
    asking = [kid for kid in tree.children[verb] if kid == 0 and tree.xpos[kid] in ("WP", "WRB", "WDT")]
    colon = ":" in tree.words[verb + 1 : verb + 4] or tree.words[-1] == ":"  # "What you should check right away:"
    return tree.relation[verb] == "ROOT" and bool(asking) and colon


def _points_to_condition(tree: Tree, verb: int) -> bool:
    """Whether the clause holds under a condition of another sentence: "below that, ...", "that way it ..."."""
    words = [word for word in tree.subtree(verb) if tree.upos[word] not in ("PUNCT", "CCONJ")][:2]
    opening = [tree.lower[word] for word in words]
    if opening in (["that", "way"], ["this", "way"]):
        return True
    cases = [kid for kid in tree.kids(verb, "obl") if tree.lower[kid] == "case"]
    if any(tree.lower[word] == "which" for kid in cases for word in tree.children[kid]):
        return True  # "..., in which case you must verify it"
    later = opening[:1] in (["later"], ["afterwards"]) and tree.head[words[0]] == verb
    if later and tree.has(verb, "nsubj", "nsubj:pass") and tree.words[words[0] - 1] in (",", ";"):
        return not is_past(tree, verb)
    points = len(words) == 2 and opening[1] in ("that", "this", "then") and tree.relation[words[1]] != "det"
    return points and opening[0] in ("below", "above", "beyond", "under", "over")


def _is_infinitive_with_subject(tree: Tree, verb: int) -> bool:
    if tree.relation[verb] == "conj" and tree.upos[tree.head[verb]] == "VERB" and not tree.has(verb, "nsubj"):
        return _is_infinitive_with_subject(tree, tree.head[verb])
    markers = [tree.lower[kid] for kid in tree.kids(verb, "mark")]
    return "for" in markers and tree.has(verb, "nsubj", "nsubj:pass")


def _is_wanted(tree: Tree, noun: int) -> bool:
    verb = tree.head[noun]
    return tree.relation[noun] in ("obj", "obl") and bool(WANTING.match(tree.lower[verb]))


def _is_of_example(tree: Tree, clause: int) -> bool:
    """Whether ", which ..." stands behind an example, so that it may tell of the general noun: "fruits such as ..."."""
    noun = first_of(tree, tree.head[clause])
    cases = {tree.lower[kid] for kid in tree.with_fixed(tree.kids(noun, "case", "mark"))}
    return bool(cases & {"such", "including"}) and not is_restrictive(tree, clause)


def _is_of_either(tree: Tree, clause: int) -> bool:
    """Whether ", which can ..." may tell of either noun before it: "a herniation of the spine, which can irritate"."""
    noun = tree.head[clause]
    which = any(tree.lower[kid] == "which" for kid in tree.kids(clause, "nsubj", "nsubj:pass"))
    modal = any(tree.xpos[kid] == "MD" for kid in tree.kids(clause, "aux"))
    nouns = tree.relation[noun] == "nmod" and tree.upos[noun] == tree.upos[tree.head[noun]] == "NOUN"
    return which and modal and nouns and not is_restrictive(tree, clause)


def _is_loose_participle(tree: Tree, verb: int) -> bool:
    """Whether the subject of a participle behind a comma is not clear: "It has to be moved, reducing the risk".

    "She wants to open the hall, funded by fees".
    """
    first = first_of(tree, verb)
    main = tree.head[first]
    done = tree.xpos[first] == "VBN" and tree.relation[main] == "xcomp" and tree.has(first, "obl:agent", "advcl", "obl")
    if tree.relation[first] != "advcl" or not (tree.xpos[first] == "VBG" or done) or first < main:
        return False
    bare = not tree.has(first, "mark", "nsubj", "nsubj:pass", "aux")
    embedded = tree.relation[main] in ("xcomp", "advcl", "ccomp", "csubj", "acl")
    verbless = tree.upos[main] not in ("VERB", "AUX") and not tree.has(main, "cop")
    return bare and (embedded or verbless)


def _is_of_verb(tree: Tree, participle: int) -> bool:
    """Whether a participle tells how a command is done: "Rub the tool using wool", "..., garnished with chives"."""
    noun = first_of(tree, tree.head[participle])
    told = tree.relation[noun] in ("obj", "obl") and _is_told(tree, tree.head[noun])
    ways = tree.lower[participle] in ("using", "beginning", "starting", "ending")
    comma = "," in tree.words[participle - 1 : participle] and tree.relation[noun] == "obl"
    return told and (ways or comma)


def _is_about_clause(tree: Tree, clause: int) -> bool:
    """Whether ", which ..." says something about all that stands before it, not about the last noun."""
    noun = tree.head[clause]
    if tree.relation[noun] == "appos" and EVENT_NOUN.match(tree.lower[noun]) and follows_verb(tree, noun):
        return True  # "..., a measure that had been debated for years"
    which = any(tree.lower[kid] == "which" for kid in tree.kids(clause, "nsubj", "nsubj:pass"))
    named = tree.upos[noun] == "PROPN"
    makes = MAKES.match(tree.lower[clause]) and tree.has(clause, "xcomp", "ccomp") and not named
    takes = tree.lower[clause] in ("takes", "took", "take") and any(
        MEASURE_WORD.match(tree.lower[kid]) for kid in tree.kids(clause, "obj", "obl:unmarked")
    )
    judged = tree.lower[clause] in OF_EVENTS and tree.has(clause, "cop") and tree.relation[noun] not in ROLES_OF_TOPICS
    compared = tree.xpos[clause] in ("JJR", "RBR") and tree.has(clause, "cop") and "than" in tree.lower[clause:]
    compared = compared and tree.relation[noun] != "obj"
    compared = compared or (tree.lower[clause] in JUDGED and not tree.has(clause, "nmod", "obl", "acl"))
    moved = MOVES_PEOPLE.fullmatch(tree.lower[clause]) is not None
    event = (compared or moved) and tree.relation[noun] not in ROLES_OF_TOPICS
    lacked = _is_lacked(tree, noun) and not tree.has(clause, "aux:pass")
    about = MEASURE_WORD.match(tree.lower[noun]) or makes or (takes and not named) or judged or event or lacked
    return which and not is_restrictive(tree, clause) and bool(about)


def _is_correlative(tree: Tree) -> bool:
    """Whether one clause is the measure of the other: "The more salt you add, the faster it melts"."""
    if tree.size < 3 or tree.lower[0] != "the" or tree.xpos[1] not in ("JJR", "RBR"):
        return False
    if tree.lower[1] not in ("more", "less", "fewer") and tree.upos[2] not in ("DET", "PRON"):
        return False  # "The cheaper plan costs £5, the larger one £9"
    later = (word for word in range(3, tree.size) if tree.xpos[word] in ("JJR", "RBR"))
    return any(tree.lower[word - 1] == "the" and tree.words[word - 2] == "," for word in later)


def _is_lacked(tree: Tree, noun: int) -> bool:
    """Whether a noun is what is missing: "runs on without heating", "may meet without fear of arrest"."""
    while not any(tree.lower[case] == "without" for case in tree.kids(noun, "case")):
        if tree.relation[noun] not in ("nmod", "conj"):
            return False
        noun = tree.head[noun]
    return not tree.has(noun, "det", "nmod:poss")


def follows_verb(tree: Tree, noun: int) -> bool:
    """Whether a noun in apposition stands behind the verb of its clause, so that it may describe all of the clause."""
    word = tree.head[noun]
    while tree.head[word] != word and tree.upos[word] not in ("VERB", "AUX") and not tree.has(word, "cop"):
        word = tree.head[word]
    return word < noun and tree.upos[word] in ("VERB", "AUX")


def _is_bracketed(tree: Tree, verb: int) -> bool:
    """Whether a comparison stands in brackets: "(120 m² compared with 80 m²)"."""
    return tree.lower[verb] == "compared" and "(" in tree.words[:verb] and ")" not in tree.words[:verb]


def _is_cut_off(tree: Tree, verb: int) -> bool:
    """Whether the clause or its condition is part of the other: "refunded if A and the key is handed back"."""
    first = tree.head[verb] if tree.relation[verb] == "conj" else verb
    for other in [verb] if verb != first else tree.kids(first, "conj"):
        clauses = [kid for kid in tree.kids(first, "advcl") if is_condition(tree, kid)]
        clauses += [clause for kid in tree.kids(first, "advmod") for clause in tree.kids(kid, "advcl")]  # "as long as"
        between = [kid for kid in clauses if first < kid < other]
        joints = tree.kids(other, "cc")
        comma = any(tree.words[kid - 1] in ",;" for kid in joints if kid)
        also = any(tree.lower[kid] == "also" for kid in tree.kids(other, "advmod"))
        if between and not also and tree.has(other, "nsubj", "nsubj:pass") and joints and not comma:
            return True
    return False


def is_alternative(tree: Tree, verb: int) -> bool:
    """Whether the clause is one of those of which only one may hold: "the filter is clogged or the brush is jammed"."""
    first = tree.head[verb] if tree.relation[verb] == "conj" else verb
    others = tree.kids(first, "conj")
    either = any(tree.lower[kid] == "either" and kid < first for kid in tree.kids(first, "cc:preconj", "cc"))
    if one_of := alternatives(tree, first):
        return verb in one_of
    if either and tree.upos[first] == "VERB" and others:
        return True
    told = tree.has(first, "nsubj", "nsubj:pass") and tree.relation[first] != "acl:relcl"
    permitted = any(tree.xpos[kid] == "MD" for kid in tree.kids(first, "aux"))  # "you can ..., or you can ..."
    if told and not permitted and tree.relation[first] in ("ROOT", "ccomp") and not tree.is_negated(first):
        own = [kid for kid in others if tree.has(kid, "aux", "aux:pass", "cop")]  # "it has expired or is damaged"
        joints = [joint for kid in own for joint in tree.kids(kid, "cc") if tree.lower[joint] == "or"]
        if any(tree.words[joint - 1] != "(" for joint in joints):
            return verb in (first, *others)
    clauses = [other for other in others if tree.has(other, "nsubj", "nsubj:pass")]
    joined = any(tree.lower[kid] == "or" for other in clauses for kid in tree.kids(other, "cc"))
    return told and not permitted and joined and verb in (first, *clauses)


def _agrees(tree: Tree, verb: int) -> bool:
    """Whether a relative clause and the noun that it is attached to agree in number."""
    if tree.relation[verb] != "acl:relcl" or not tree.has(verb, "nsubj", "nsubj:pass"):
        return True
    subject = tree.kids(verb, "nsubj", "nsubj:pass")[0]
    noun = tree.head[verb]
    if tree.lower[subject] not in RELATIVE or tree.has(noun, "conj") or tree.relation[noun] == "conj":
        return True
    finite = {tree.xpos[word] for word in [verb, *tree.kids(verb, "aux", "aux:pass", "cop")]}
    group = tree.lower[noun] in GENERIC_HEADS | QUANTITIES | GROUP_NOUNS | MANY_NOUNS or tree.has(noun, "nmod")
    if "VBZ" in finite:
        return tree.xpos[noun] != "NNS" or group
    if "VBP" in finite:
        return tree.xpos[noun] not in ("NN", "NNP") or group
    return True


def _is_of_other_subject(tree: Tree, verb: int) -> bool:
    """Whether the form of the verb shows that "you" is not its subject: "You can add it, which ... and saves time"."""
    own = tree.has(verb, "nsubj", "nsubj:pass", "csubj", "expl", "cop", "aux", "aux:pass")
    if tree.relation[verb] != "conj" or tree.xpos[verb] != "VBZ" or own:
        return False
    return any(tree.lower[kid] in ("you", "we", "they", "i") for kid in subject_heads(tree, verb))


def stays_with_noun(tree: Tree, noun: int) -> bool:
    """Whether a predicate noun says nothing without its clause: "the only ones that ...", "for people who ..."."""
    ones = tree.lower[noun] in GENERIC_HEADS or tree.lower[noun] in ("one", "ones", "thing", "things")
    return tree.has(noun, "cop") and (ones or (tree.has(noun, "case") and not tree.has(noun, "det")))


def is_specific(tree: Tree, noun: int) -> bool:
    """Whether the noun stands for one thing, of which even a clause that restricts it tells a fact.

    So does a predicate noun ("It is a song that ..."), and what a sentence in the past tense tells of.
    """
    if stays_with_noun(tree, noun):
        return False
    if tree.has(noun, "cop") or tree.relation[noun] == "appos" or tree.upos[noun] == "PROPN":
        return True
    if tree.lower[noun] in GENERIC_HEADS:
        return False
    verb = tree.head[noun]
    if tree.relation[noun] == "xcomp" and tree.upos[noun] == "NOUN":
        verb = tree.head[verb] if tree.relation[verb] == "conj" else verb
    tense = {tree.xpos[word] for word in [verb, *tree.kids(verb, "aux", "aux:pass", "cop")]}
    if (
        (tree.xpos[noun] == "NNS" or tree.lower[noun] in MANY_NOUNS)
        and tree.relation[noun].startswith("nsubj")
        and not tree.has(noun, "det", "nummod", "nmod:poss")
    ):
        return False  # "Participants who fasted lost weight"
    return bool(tense & {"VBD"}) or (
        tree.xpos[noun] == "NN" and any(tree.lower[k] == "the" for k in tree.kids(noun, "det"))
    )


CONDITION = re.compile(
    r"(?:or |and )?(?:only |even |especially |particularly |except |but only |just )?"
    r"(?:if|unless|until|till|whenever|once|provided|providing"
    r"|as long as|so long as|in case|assuming|except|only|whether|as soon as|subject to)\b"
)
LASTING = frozenset("wait stay sleep drive travel live work".split())
CONSEQUENCE = re.compile(r"led|caused|resulted|meant|explained")
EXCEPTION = re.compile(
    r"(?:but )?(?:only |even |especially |not )?"
    r"(?:except|excluding|unless|subject to|in case of|in the event of|other than|on (?:the )?condition(?: that)?"
    r"|apart from|regardless of|depending on|if|only)\b"
)


def is_condition(tree: Tree, clause: int) -> bool:
    """Whether an adverbial clause says under which condition its main clause holds."""
    words = [word for word in tree.subtree(clause) if tree.upos[word] != "PUNCT"]
    opening = " ".join(tree.lower[word] for word in words[:4])
    if CONDITION.match(opening):
        return True
    if words and words[0] > 0 and tree.lower[words[0] - 1] in ("provided", "providing"):
        return True
    if (
        words
        and tree.lower[words[0]] in ("should", "had", "were")
        and tree.relation[words[0]] in ("aux", "aux:pass", "cop")
    ):
        return tree.has(clause, "nsubj", "nsubj:pass")  # "should this happen"
    if opening.startswith("to ") and clause < tree.head[clause]:
        return True  # "To reset the router, hold ..."
    comma = words and words[0] > 0 and tree.words[words[0] - 1] == ","
    main = tree.head[clause]
    if opening.startswith("while ") and clause < main and not is_past(tree, clause):
        told = tree.kids(main, "nsubj")
        lasting = tree.has(clause, "cop") or tree.xpos[clause] == "VBG" or tree.lower[clause] in LASTING
        if (
            lasting
            and not tree.is_negated(clause)
            and not any(tree.xpos[kid] == "MD" for kid in tree.kids(clause, "aux"))
        ):
            told = told + tree.kids(clause, "nsubj", "nsubj:pass")  # "While you are abroad, the cover goes on"
        return is_imperative(tree, main) or any(tree.lower[kid] == "you" for kid in told)
    return (
        opening.startswith("when ") or (opening.startswith("while ") and not comma and clause > tree.head[clause])
    ) and not is_past(tree, clause)


def is_planned(tree: Tree, clause: int) -> bool:
    """Whether a clause of time tells of what may happen, or may have happened: "wash your hands before you eat"."""
    markers = {tree.lower[kid] for kid in tree.with_fixed(tree.kids(clause, "mark", "advmod"))}
    main = tree.head[clause]
    told = any(tree.lower[kid] == "you" for kid in tree.kids(clause, "nsubj", "nsubj:pass"))
    if is_past(tree, clause):  # "Points expire a year after you earned them"
        return told and bool(markers & {"before", "after"}) and not is_past(tree, main)
    if markers & {"while", "as"}:
        return False
    if tree.relation[main] == "advcl" and tree.xpos[main] == "VBG":
        main = tree.head[main]  # "Fry it, working in batches so the pieces brown"
    purpose = "so" in markers and ("that" in markers or is_imperative(tree, main))
    so = next((kid for kid in tree.kids(clause, "mark") if tree.lower[kid] == "so"), 0)
    allowed = any(tree.xpos[kid] == "MD" for kid in tree.kids(main, "aux"))
    purpose = purpose or (so > 0 and tree.words[so - 1] != "," and allowed)  # "You may use it so it does no harm"
    return purpose or bool(markers & {"before", "after", "until", "when"})


def is_many(tree: Tree, noun: int) -> bool:
    """Whether a noun is a plural, or the first of several."""
    return tree.xpos[noun] in ("NNS", "NNPS") or tree.has(noun, "conj")


def is_past(tree: Tree, clause: int) -> bool:
    """Whether the clause tells of the past."""
    finite = tree.kids(clause, "aux", "aux:pass", "cop") or [clause]
    return any(tree.xpos[word] == "VBD" for word in finite)


def gap_after(tree: Tree, verb: int) -> int | None:
    """The subject of a clause without its verb, behind the verb's own phrases: "A goes to bed, B to the office"."""
    own = [kid for kid in tree.kids(verb, "obj", "obl", "obl:unmarked", "obl:agent") if kid > verb]
    outside = ("case", "cop", "nsubj", "nsubj:pass", "cc", "aux")
    for noun in sorted(kid for head in (verb, *own) for kid in tree.kids(head, "conj", "parataxis", "appos")):
        first = min(word for word in tree.subtree(noun) if tree.words[word] != ",")
        nominal = tree.upos[noun] in (*NOMINAL, "PRON", "NUM")
        if noun < verb or not nominal or tree.words[first - 1] != "," or tree.has(noun, *outside):
            continue
        rest = [kid for kid in own if kid > noun and min(tree.subtree(kid)) == max(tree.subtree(noun)) + 1]
        before = {tree.lower[case] for kid in own if kid < noun for case in tree.kids(kid, "case")}
        same = any(tree.lower[case] in before for kid in rest for case in tree.kids(kid, "case"))
        named = tree.upos[tree.head[noun]] == "PROPN" and tree.has(noun, "det")  # "in Oslo, the capital, in a flat"
        if rest and not named and (same or tree.relation[noun] != "appos"):
            return noun
    return None


def is_rejected(tree: Tree, conjunct: int) -> bool:
    """Whether the conjunct is what was not done: "take out a loan rather than raise the dues"."""
    return tree.relation[conjunct] == "conj" and any(
        tree.lower[kid] in ("rather", "instead") for kid in tree.kids(conjunct, "cc", "advmod")
    )


def is_exception(tree: Tree, oblique: int) -> bool:
    """Whether an oblique phrase says where its clause does not hold, or under which condition ("except on Sundays")."""
    words = [word for word in tree.subtree(oblique) if tree.upos[word] != "PUNCT"]
    return bool(EXCEPTION.match(" ".join(tree.lower[word] for word in words[:4])))


def is_imperative(tree: Tree, verb: int) -> bool:
    """Whether the clause tells somebody to do something ("Take one tablet", "Be careful")."""
    copulas = tree.kids(verb, "cop")
    if copulas and tree.xpos[copulas[0]] == "VB" and tree.lower[copulas[0]] == "be":
        words = [word for word in tree.subtree(verb) if tree.upos[word] not in ("PUNCT", "CCONJ", "ADV", "SCONJ")]
        bare = words[:1] == copulas[:1] and not tree.has(verb, "nsubj", "nsubj:pass", "csubj", "expl", "aux", "mark")
        return bare and tree.relation[verb] in ("ROOT", "conj", "parataxis")
    if tree.xpos[verb] not in ("VB", "VBP") or tree.upos[verb] not in ("VERB", "AUX"):
        return False
    if tree.has(verb, "nsubj", "nsubj:pass", "csubj", "expl", "mark") or any(
        tree.lower[kid] not in ("do", "don't", "n't", "not") for kid in tree.kids(verb, "aux", "aux:pass")
    ):
        return False
    if tree.lower[min(tree.subtree(verb))] in NO_COMMAND and tree.xpos[verb] == "VBP":
        return False  # "Both slow down the nervous system"
    if tree.relation[verb] == "conj":
        return is_imperative(tree, tree.head[verb]) or has_own_condition(tree, verb) or is_own_command(tree, verb)
    return tree.relation[verb] in ("ROOT", "parataxis")


def is_own_command(tree: Tree, verb: int) -> bool:
    """Whether a bare verb shares neither subject nor modal with the clause before: "it is safe, but don't mix it"."""
    first = tree.head[verb]
    told = tree.kids(first, "nsubj", "nsubj:pass")
    if tree.xpos[verb] != "VB" or not told or tree.xpos[told[0]] not in ("NN", "NNP"):
        return False
    does = any(tree.lower[kid] in ("do", "don't") for kid in tree.kids(verb, "aux"))
    modal = any(tree.xpos[kid] == "MD" for kid in tree.kids(first, "aux"))
    helped = any(tree.lower[kid] in ("do", "does", "did") for kid in tree.kids(first, "aux"))
    if helped or not any(tree.lower[kid] in ("but", "so") for kid in tree.kids(verb, "cc")):
        return does and not helped
    finite = tree.xpos[first] == "VBZ" or any(
        tree.xpos[kid] == "VBZ" for kid in tree.kids(first, "aux", "aux:pass", "cop")
    )
    return does or (finite and not modal)


def _tells_apart(tree: Tree, verb: int) -> bool:
    """Whether a coordinated clause is a command that does not share the subject before it."""
    return is_imperative(tree, verb) and (has_own_condition(tree, verb) or is_own_command(tree, verb))


def _is_no_fact(tree: Tree, verb: int) -> bool:
    """Whether a clause is the content of a claim or a demand, or belongs to another clause's words."""
    relation, head = tree.relation[verb], tree.head[verb]
    marks = [tree.lower[kid] for kid in tree.kids(verb, "mark")]
    of_opinion = OPINION_NOUN.fullmatch(tree.lower[head]) and relation in ("acl", "acl:relcl")
    if of_opinion and ("that" in marks or tree.relation[head] == "appos"):
        return True  # "the claim that it is safe", "a view that she rejected"
    if relation in ("ccomp", "csubj", "csubj:pass") and tree.has(verb, "nsubj", "nsubj:pass"):
        verbs = tree.kids(verb, "aux", "aux:pass", "cop") or [verb]
        if tree.xpos[verbs[0]] == "VB":
            return True  # "requires that each buyer notify the office"
    if tree.lower[verb] == "compared" and relation in ("advcl", "acl") and tree.has(verb, "obl"):
        return True  # "lost 4 kg, compared with 1 kg in the other group"
    if relation == "acl:relcl" and any(
        tree.lower[kid] in ("which", "whom") and any(tree.lower[case] == "of" for case in tree.kids(kid, "case"))
        for kid in tree.kids(verb, "obl", "nmod")
    ):
        return True  # "some of which weigh 40 kg", "of which only three are open"
    if relation in ("parataxis", "conj", "dep") and "if" in marks:
        return True  # "one extra year, if you register in time"
    first = first_of(tree, verb)
    if tree.relation[first] == "advcl" and _tells_which(tree, first):
        return True  # "fixed a crash that occurred when two clients renamed a folder"
    if tree.relation[first] == "advcl" and _is_usual_reason(tree, first):
        return True  # "It usually collapses because the oven was too cold"
    if _follows_condition(tree, verb) or _is_of_condition(tree, verb):
        return True
    if _is_blame(tree, first) or _is_of_blamed(tree, first) or _explains_noun(tree, verb):
        return True
    present = any(tree.lower[kid] == "when" for kid in tree.kids(first, "advmod", "mark")) and not is_past(tree, first)
    if relation in ("advcl", "conj") and tree.relation[first] in ("advcl", "advcl:relcl") and present:
        return True  # "and on gum when insects are scarce"
    limits = [
        kid for kid in tree.kids(verb, "mark", "advmod") if tree.lower[kid] in ("when", "while", "after", "before")
    ]
    if relation == "advcl" and any(tree.lower[kid - 1] == "only" for kid in limits if kid):
        return True  # "lit only when convoys were passing"
    unproven = tree.lower[tree.head[head]].startswith("fail") or tree.is_negated(head)
    if relation == "ccomp" and unproven and tree.lower[head] in ("show", "prove", "demonstrate", "establish"):
        return True  # "failed to show that managers knew"
    told = tree.kids(verb, "ccomp")
    if relation == "acl:relcl" and told and tree.has(verb, "nsubj") and not tree.has(told[0], "nsubj", "nsubj:pass"):
        return True  # "which the firm says will be mended"
    if _is_while_of_frame(tree, first) or _is_reason_of_condition(tree, first):
        return True
    left = first if tree.relation[first] == "advcl" else head
    if tree.lower[left] == "leaving" and tree.relation[left] == "advcl":
        below = range(left, max(tree.subtree(left)))
        if any(tree.words[word] == "," for word in below) or tree.has(left, "xcomp"):
            return True  # "leaving the party, with eight seats, in trouble", "leaving workers unpaid and owing ..."
    gerund = relation == "advcl" and tree.xpos[verb] == "VBG"
    amounts = any(tree.upos[word] == "NUM" for kid in tree.kids(head, "obj") for word in tree.subtree(kid))
    if gerund and amounts and tree.lower[verb] in CHANGING and not tree.has(verb, "obj"):
        return True  # "Employees receive 28 days of leave, rising to 30 days"
    return gerund and any(SOURCE_NOUN.fullmatch(tree.lower[subject]) for subject in subject_heads(tree, verb))


def _tells_which(tree: Tree, clause: int) -> bool:
    """Whether a clause of time says which of several things is meant: "a crash that occurred when ..."."""
    relative = tree.head[clause]
    times = [kid for kid in tree.kids(clause, "mark", "advmod") if tree.lower[kid] in ("when", "if", "after", "before")]
    beside = any(kid and tree.words[kid - 1] != "," for kid in times)
    if not beside or tree.relation[relative] != "acl:relcl" or not is_restrictive(tree, relative):
        return False
    noun = tree.head[relative]
    definite = any(tree.lower[kid] in ("the", "this") for kid in tree.kids(noun, "det"))
    return tree.upos[noun] == "NOUN" and not definite


def _is_usual_reason(tree: Tree, clause: int) -> bool:
    """Whether the clause is why something happens in general, so that it tells of no one case."""
    main = tree.head[clause]
    because = any(tree.lower[kid] == "because" for kid in tree.kids(clause, "mark"))
    finite = [*tree.kids(main, "aux", "aux:pass", "cop"), main]
    general = any(tree.xpos[word] in ("VBZ", "VBP", "MD") for word in finite) and is_past(tree, clause)
    usual = any(tree.lower[kid] in ("usually", "often", "typically", "generally") for kid in tree.kids(main, "advmod"))
    either = any(tree.lower[word] == "or" for word in tree.subtree(clause))
    return because and general and (either or usual)


def _is_of_condition(tree: Tree, verb: int) -> bool:
    """Whether a command and its conjunct may be one condition: "See a doctor if you are pregnant, take X or have Y"."""
    first = tree.head[verb] if tree.relation[verb] == "conj" else verb
    for other in tree.kids(first, "conj"):
        if verb not in (first, other) or tree.words[other - 1] != "," or tree.has(other, "nsubj", "cc"):
            continue
        clauses = [kid for kid in tree.kids(first, "advcl") if first < kid < other and is_condition(tree, kid)]
        told = any(tree.lower[word] == "you" for kid in clauses for word in tree.kids(kid, "nsubj"))
        either = any(tree.lower[word] == "or" for kid in tree.kids(other, "conj") for word in tree.kids(kid, "cc"))
        if told and either:
            return True
    return False


def _follows_condition(tree: Tree, verb: int) -> bool:
    """Whether a clause behind a semicolon tells of the case before it: "If it rains, wait; the clock is stopped"."""
    before = tree.head[verb]
    if tree.relation[verb] not in ("parataxis", "conj") or ";" not in tree.words[before:verb] or is_past(tree, verb):
        return False
    subjects = tree.kids(verb, "nsubj", "nsubj:pass")
    definite = any(tree.lower[kid] == "the" for word in subjects for kid in tree.kids(word, "det"))
    again = any(tree.lower[word] == "one" for word in subjects)
    cases = [kid for kid in tree.kids(before, "advcl") if kid < before and is_condition(tree, kid)]
    anyone = [
        word
        for word in tree.kids(before, "nsubj", "nsubj:pass")
        if tree.lower[word] in ("anyone", "anybody", "whoever", "someone")
    ]
    if any(kid < min(subjects, default=verb) for kid in tree.kids(verb, "obl", "advmod", "obl:unmarked")):
        return False  # it has a case of its own
    purpose = any(tree.lower[mark] == "to" for kid in cases for mark in tree.kids(kid, "mark"))
    return (definite or again) and bool(cases or anyone) and not purpose and not tree.has(verb, "advcl")


def _is_while_of_frame(tree: Tree, clause: int) -> bool:
    """Whether what stands in front of a clause may hold for its ", while ...", too: "From the third year, ..."."""
    main = tree.head[clause]
    while_ = [kid for kid in tree.kids(clause, "mark") if tree.lower[kid] in ("while", "whereas")]
    if tree.relation[clause] != "advcl" or not while_ or clause < main or is_past(tree, clause):
        return False
    subjects = tree.kids(main, "nsubj", "nsubj:pass")
    frames = [kid for kid in tree.kids(main, "obl", "obl:unmarked") if subjects and kid < subjects[0]]
    return any(tree.lower[case] in FRAMING for kid in frames for case in tree.kids(kid, "case"))


def _is_reason_of_condition(tree: Tree, clause: int) -> bool:
    """Whether a reason may belong to the condition before it: "It is waived if you leave because they sold it"."""
    main = tree.head[clause]
    because = any(tree.lower[kid] == "because" for kid in tree.kids(clause, "mark"))
    if tree.relation[clause] != "advcl" or not because:
        return False
    start = tree.subtree(clause)[0]
    cases = [kid for kid in tree.kids(main, "advcl") if main < kid < clause and is_condition(tree, kid)]
    return any(max(tree.subtree(kid)) == start - 1 and tree.words[start - 1] != "," for kid in cases)


def _is_of_blamed(tree: Tree, participle: int) -> bool:
    """Whether a participle belongs to what is only said to be the cause: "blamed a lamp knocked over"."""
    noun = tree.head[participle]
    verb = tree.head[noun]
    return (
        tree.relation[participle] == "acl"
        and tree.relation[noun] == "obj"
        and bool(BLAMING.fullmatch(tree.lower[verb]))
    )


def _explains_noun(tree: Tree, clause: int) -> bool:
    """Whether a clause behind a colon tells what a general noun in front of it means: "a clear sign: leaves wilt"."""
    first = first_of(tree, clause)
    begin = min(tree.subtree(first))
    colons = [word for word in range(max(tree.head[first], 0), first) if tree.words[word] == ":"]
    if tree.relation[first] != "parataxis" or not colons or colons[-1] > begin + 1:
        return False
    return colons[-1] > 0 and tree.lower[colons[-1] - 1] in CASES and not is_past(tree, first)


def _is_blame(tree: Tree, clause: int) -> bool:
    """Whether ", which X blamed on Y" is said of all that happened: "Profits fell, which Benn attributed to prices"."""
    which = any(tree.lower[kid] == "which" for kid in tree.kids(clause, "obj"))
    causes = [case for kid in tree.kids(clause, "obl") for case in tree.kids(kid, "case")]
    which = which and any(tree.lower[case] in ("on", "to") for case in causes)
    return tree.relation[clause] == "acl:relcl" and which and BLAMING.fullmatch(tree.lower[clause]) is not None


def is_fronted_fact(tree: Tree, clause: int) -> bool:
    """Whether a participle in front of a clause tells of its subject: "Born in 1975 in Leeds, she studied law".

    Others may be conditions: "Taken three times a day, the drug helps".
    """
    main = tree.head[clause]
    if (
        tree.relation[clause] != "advcl"
        or tree.lower[clause] not in FACTS
        or clause > main
        or is_imperative(tree, main)
    ):
        return False
    if tree.has(clause, "mark", "nsubj", "nsubj:pass", "aux", "aux:pass", "cop", "advmod"):
        return False
    subjects = [kid for kid in tree.kids(main, "nsubj", "nsubj:pass") if kid > clause]
    modal = any(tree.xpos[kid] == "MD" for kid in tree.kids(main, "aux"))
    return bool(subjects) and not modal and tree.has(clause, "obl", "obl:agent", "obl:unmarked")


def is_obliged(tree: Tree, verb: int) -> bool:
    """Whether the clause is a command or a duty: of "call or write", neither alone is told."""
    if is_imperative(tree, verb) or any(tree.lower[kid] in DUTIES for kid in tree.kids(verb, "aux")):
        return True
    governor = tree.head[verb]
    if tree.relation[verb] != "xcomp" or AVOIDING.match(tree.lower[governor]):
        return False  # "avoid smoking or drinking": neither may be done
    return bool(OBLIGING.match(tree.lower[governor])) or is_obliged(tree, governor)


def alternatives(tree: Tree, verb: int) -> list[int]:
    """The verbs that "or" joins to a command or a duty ("call us or send a message"), or "nor" to "neither"."""
    others = [kid for kid in tree.kids(verb, "conj") if kid > verb and tree.upos[kid] == "VERB"]
    joints = {tree.lower[word] for kid in others for word in tree.kids(kid, "cc")}
    own = any(tree.has(kid, "nsubj", "nsubj:pass", "expl") for kid in others)
    past = {"VBD", "VBN"} if joints == {"nor"} else set()  # "neither helped nor harmed"
    alike = all(tree.xpos[kid] == tree.xpos[verb] or {tree.xpos[kid], tree.xpos[verb]} == past for kid in others)
    if joints not in ({"or"}, {"nor"}) or own or not alike:
        return []
    if any(verb < kid < others[-1] and is_condition(tree, kid) for kid in tree.kids(verb, "advcl")):
        return []  # "Tell your doctor if you are pregnant, suffer from asthma or take other drugs"
    if joints == {"nor"}:
        paired = any(tree.lower[kid] == "neither" for kid in tree.children[verb])
        return (
            others if paired and not tree.has(verb, "aux", "aux:pass") else []
        )  # "neither cut prices nor raised wages"
    either = any(tree.lower[kid] == "either" and kid < verb for kid in tree.kids(verb, "cc:preconj", "cc", "advmod"))
    return others if not tree.is_negated(verb) and (either or is_obliged(tree, verb)) else []


def has_own_condition(tree: Tree, verb: int) -> bool:
    """Whether a second command begins with its condition: "It should arrive soon, and if it doesn't, call us"."""
    bare = tree.xpos[verb] == "VB" and not tree.has(verb, "aux")
    return bare and any(
        kid < verb and tree.words[verb - 1] == "," and is_condition(tree, kid) for kid in tree.kids(verb, "advcl")
    )


def is_question(tree: Tree, clause: int) -> bool:
    """Whether a clause is an embedded question: "who paid", "whether it works", "for which periods it was paid"."""
    words = [word for word in tree.subtree(clause) if tree.upos[word] != "PUNCT"]
    asking = [word for word in words[:2] if tree.xpos[word] in ("WP", "WRB", "WDT", "WP$")]
    led = len(words) > 1 and tree.upos[words[0]] in ("ADP", "SCONJ") and asking == [words[1]]
    return tree.lower[words[0]] in ("whether", "if") or words[0] in asking or led


def _is_embedded_question(tree: Tree, clause: int) -> bool:
    """Whether an adverbial clause is a question behind its preposition: "depends on how firm you like it"."""
    words = [word for word in tree.subtree(clause) if tree.upos[word] != "PUNCT"]
    asked = tree.upos[words[0]] in ("ADP", "SCONJ") and is_question(tree, clause) and tree.lower[words[0]] != "if"
    led = tree.lower[words[0]] in ("according", "depending")
    return asked or (led and any(tree.xpos[word] in ("WP", "WRB", "WDT") for word in words[1:4]))


def is_finite(tree: Tree, clause: int) -> bool:
    """Whether the clause has a subject of its own, or says more behind a comma (", becoming the first ...")."""
    if tree.has(clause, "nsubj", "nsubj:pass", "csubj"):
        return True
    words = tree.subtree(clause)
    comma = "," in (tree.words[words[0]], tree.words[words[0] - 1]) and words[0] > 0
    main = tree.head[clause]
    told = is_imperative(tree, main) or any(tree.xpos[kid] == "MD" for kid in tree.kids(main, "aux"))
    return not tree.has(clause, "mark") and comma and words[0] > main and not told


def _is_told(tree: Tree, verb: int) -> bool:
    """Whether the clause is an instruction: an imperative, "make sure", or "you should check"."""
    if tree.upos[verb] == "ADJ":
        verb = tree.head[verb]
    return is_imperative(tree, verb) or any(tree.xpos[kid] == "MD" for kid in tree.kids(verb, "aux"))


OPINION_NOUN = re.compile(
    r"(?:claim|theory|idea|belief|view|myth|rumou?r|suggestion|hypothesis|allegation|accusation|notion|possibility|assumption"
    r"|opinion|argument|proposal|suspicion|fear|hope|impression|speculation|charge)s?"
)
# Those who take a side: what they say is theirs
PARTY = re.compile(
    r"(?:union|critic|opponent|supporter|campaigner|activist|protester|plaintiff|defendant|prosecutor|lawyer|rival)s?"
)
SAYING = re.compile(r"(?:sa(?:y|ys|id|ying)|maintain(?:s|ed|ing)?|told|tells?)")
INDICATING = re.compile(r"(?:indicat|impl(?:y|ies|ied)|suggest|mean|signif|show)")
FIRST_COME = re.compile(r"\bfirst come ,? ?first served\b")
CHECKED = frozenset("check verify confirm ensure see sure".split())


def is_unasserted(tree: Tree, verb: int) -> bool:
    """Whether the clause is inside a complement that the sentence does not assert."""
    word = verb
    while tree.head[word] != word:
        head, relation = tree.head[word], tree.relation[word]
        markers = [tree.lower[kid] for kid in tree.kids(word, "mark")]
        if (
            tree.lower[head] in ("provided", "providing", "assuming")
            and tree.upos[head] != "ADJ"
            and relation == "ccomp"
        ):
            return True
        if relation in ("ccomp", "csubj") and _is_supposed(tree, word):
            return True
        if relation == "advcl" and not is_past(tree, word) and _is_place_clause(tree, word):
            return True
        free = tree.lower[head] == "when" or (tree.lower[head] == "where" and tree.has(head, "case"))
        if relation == "advcl:relcl" and free and not is_past(tree, word):
            return True  # "except where you already have one"
        if relation == "ccomp" and is_result(tree, head) and tree.lower[head] != "meaning":
            return True  # "..., indicating that the egg is done"
        if relation == "ccomp" and OPINION.match(tree.lower[head]) and not _is_own_word(tree, head):
            return True
        said = relation == "ccomp" and SAYING.fullmatch(tree.lower[head])
        if said and any(PARTY.fullmatch(tree.lower[kid]) for kid in subject_heads(tree, head)):
            return True  # "The union says that management ignored it"
        if relation in ("ccomp", "csubj", "csubj:pass", "acl") and (
            NOT_ASSERTING.match(tree.lower[head]) or (relation != "acl" and tree.is_negated(head))
        ):
            return True
        if "whether" in markers or (relation == "acl" and "to" in markers):
            return True
        if relation in ("acl", "ccomp") and tree.lower[head] == "condition" and "that" in markers:
            return True  # "on condition that the audit begins in May"
        if relation == "ccomp" and tree.lower[head] in CHECKED and _is_told(tree, head):
            return True  # "Check that the valve is closed"
        if relation in ("advcl", "ccomp", "parataxis") and _is_concession(tree, word):
            return True  # "however small it looks"
        if relation == "advcl" and "as" in markers and ("if" in markers or "though" in markers):
            return True  # "It sounds as if ..."
        if relation == "acl:relcl" and (
            tree.is_negated(head) or any(tree.lower[kid] in ("no", "not") for kid in tree.children[head])
        ):
            return True
        if relation == "advmod" and tree.has(word, "advcl") and is_condition(tree, word):
            return True  # "as long as it is kept away so that ..."
        if relation == "advcl" and (is_condition(tree, word) or is_planned(tree, word)):
            return True
        whens = any(tree.lower[kid] in ("when", "until") for kid in tree.kids(word, "advmod", "mark"))
        if relation in ("advcl", "conj") and _follows_as_long_as(tree, word):
            return True
        if relation == "advcl" and _is_embedded_question(tree, word):
            return True
        if relation == "acl:relcl" and not is_restrictive(tree, word):
            return False  # "He denied that the firm, which sold arms, was rich": it sold arms
        if (relation == "conj" and whens and not is_past(tree, word)) or "unless" in markers:
            return True
        if relation in ("ccomp", "csubj", "csubj:pass") and is_question(tree, word):
            return True
        word = head
    return False


def _is_supposed(tree: Tree, clause: int) -> bool:
    """Whether a clause is only supposed: "this could indicate that", "it is possible that", "let's say that"."""
    governor = tree.head[clause]
    modal = any(tree.lower[kid] in ("could", "may", "might", "can") for kid in tree.kids(governor, "aux"))
    own = any(tree.lower[kid] in ("may", "might", "could") for kid in tree.kids(clause, "aux"))
    label = tree.xpos[governor] == "VBZ" and tree.relation[governor] == "ROOT"
    label = label and not tree.has(governor, "nsubj", "nsubj:pass", "expl", "csubj")  # "**Icon:** Indicates that ..."
    let = "let" in (tree.lower[governor], tree.lower[tree.head[governor]])
    return (
        bool(modal and INDICATING.match(tree.lower[governor]))
        or (tree.lower[governor] == "possible" and not own and tree.has(clause, "mark"))
        or (let and tree.lower[governor] in ("let", "say", "assume", "suppose"))
        or label
    )


def _is_place_clause(tree: Tree, clause: int) -> bool:
    """ "Salt is needed where water is hard"."""
    places = [kid for kid in tree.kids(clause, "advmod", "mark") if tree.lower[kid] == "where"]
    return any("," not in tree.words[kid - 1 : kid] for kid in places)


def _is_concession(tree: Tree, clause: int) -> bool:
    words = [word for word in tree.subtree(clause) if tree.upos[word] != "PUNCT"]
    opening = [tree.lower[word] for word in words[:2]]
    return opening == ["no", "matter"] or (
        opening[:1] == ["however"] and len(words) > 1 and tree.upos[words[1]] in ("ADJ", "ADV")
    )


def names_source(tree: Tree, verb: int) -> bool:
    """Whether a source of the answer is the subject of the verb: "the passage suggests that ..."."""
    return any(SOURCE_NOUN.fullmatch(tree.words[kid]) for kid in tree.kids(verb, "nsubj"))


def _is_own_word(tree: Tree, verb: int) -> bool:
    """Whether the answer itself says what depends on the verb: a source means it, or "this means that ..."."""
    pointing = any(tree.lower[kid] in ("it", "this", "that", "which") for kid in tree.kids(verb, "nsubj"))
    return (
        names_source(tree, verb) or tree.lower[verb] == "meaning" or (pointing and tree.lower[verb].startswith("mean"))
    )


def _follows_as_long_as(tree: Tree, clause: int) -> bool:
    first = next((word for word in tree.subtree(clause) if tree.upos[word] != "PUNCT"), 0)
    opening = " ".join(tree.lower[max(0, first - 2) : first + 3])
    return any(words in opening for words in ("as long as", "so long as", "as soon as"))


def subject_heads(tree: Tree, verb: int, depth: int = 0) -> list[int]:
    """The head of the clause's subject, also where a governing clause names it. [] if there is none."""
    relation, head = tree.relation[verb], tree.head[verb]
    if depth > MAX_SUBJECT_DEPTH:
        return []
    if subjects := tree.kids(verb, "nsubj", "nsubj:pass"):
        if tree.xpos[subjects[0]] == "PRP$":
            return []  # "His giving it away surprised everyone"
        subject = relative_to_antecedent(tree, verb, subjects[0])
        if subject != subjects[0] and (tree.lower[subject] in QUANTITIES or tree.upos[subject] == "NUM"):
            return []  # "..., which takes four minutes" is about the whole sentence
        added = tree.relation[verb] == "acl:relcl" and not is_restrictive(tree, verb)
        if added and tree.lower[subjects[0]] == "which" and _is_of_event(tree, verb):
            return []
        if (
            added
            and tree.lower[subjects[0]] == "which"
            and any(tree.lower[kid] == "the" for kid in tree.kids(subject, "det"))
        ):
            return [subject]  # "The fastest way is the bus, which leaves every hour"
        return described(tree, subject) if subject != subjects[0] else [subject]
    if tree.has(verb, "expl"):
        return []  # "since it takes five months": no subject of another clause
    if relation == "conj" and _tells_apart(tree, verb):
        return []
    if relation == "conj" or relation == "advcl":
        return subject_heads(tree, head, depth + 1)
    if relation == "xcomp":
        controller = tree.kids(head, "obj", "iobj")
        if controller and not tree.lower[head].startswith("promise"):
            return controller[:1]
        return subject_heads(tree, head, depth + 1)
    if relation == "acl" or (
        relation == "acl:relcl" and tree.xpos[verb] in ("VBN", "VBG") and not tree.has(verb, "csubj")
    ):
        return described(tree, head)
    return []


def _is_of_event(tree: Tree, relative: int) -> bool:
    """Whether ", which led to" is said of what happened: "went over the limit on eleven days, which led to a fine"."""
    noun = tree.head[relative]
    told = CONSEQUENCE.fullmatch(tree.lower[relative]) is not None and is_past(tree, relative)
    timed = tree.has(noun, "nummod") or MEASURE_WORD.match(tree.lower[noun])
    return bool(told and timed and tree.relation[noun] in ("obl", "nmod") and tree.has(noun, "case"))


def described(tree: Tree, noun: int) -> list[int]:
    """What a noun stands for: the subject of a predicate noun, the name before an apposition, or the noun itself."""
    if tree.relation[noun] == "appos" and ":" not in tree.words[tree.head[noun] : noun]:
        return described(tree, tree.head[noun])
    if is_cleft(tree, noun) or tree.has(noun, "case"):
        return [noun]  # "it is within the guarantee, which runs for a year"
    if tree.has(noun, "cop") and (subjects := tree.kids(noun, "nsubj", "nsubj:outer")):
        subject = relative_to_antecedent(tree, noun, subjects[0])
        return described(tree, subject) if subject != subjects[0] else [subject]
    return [noun]


def is_cleft(tree: Tree, noun: int) -> bool:
    """ "It was a baker who saw it": "it" stands for nobody."""
    it = any(tree.lower[kid] == "it" for kid in tree.kids(noun, "nsubj", "expl"))
    who = any(tree.lower[word] == "who" for kid in tree.kids(noun, "acl:relcl", "acl") for word in tree.children[kid])
    return it and who and tree.has(noun, "cop")


def relative_to_antecedent(tree: Tree, verb: int, subject: int) -> int:
    """The antecedent of a relative pronoun ("who", "which"), or the subject itself."""
    if (
        tree.lower[subject] not in RELATIVE
        or not tree.xpos[subject].startswith("W")
        or tree.relation[verb] == "advcl:relcl"
    ):
        return subject  # "..., which takes four minutes" is about the clause before
    if tree.relation[verb] == "acl:relcl":
        noun = tree.head[verb]
        person = tree.lower[subject] == "which" and PERSON_NOUN.search(tree.lower[noun])
        if person and tree.relation[noun] == "nmod":
            return tree.head[noun]
        wholes = [kid for kid in tree.kids(noun, "nmod") if kid < subject and tree.upos[kid] == "PROPN"]
        part = (
            tree.lower[subject] == "which" and tree.lower[noun] in PARTS and tree.upos[noun] == "NOUN" and bool(wholes)
        )
        return wholes[-1] if part and not is_restrictive(tree, verb) else noun  # "a part of the Bridge, which ..."
    governor = tree.head[verb]
    if tree.relation[verb] == "conj" and tree.relation[governor] == "acl:relcl":
        return tree.head[governor]
    for word in range(subject - 1, -1, -1):
        if tree.upos[word] in NOMINAL:
            while tree.relation[word] in ("flat", "compound", "amod", "nmod:poss"):
                word = tree.head[word]
            return min(word, subject)
    return subject


def in_chain(tree: Tree, verb: int, copula: int | None) -> bool:
    """Whether the verb is an open complement: its governing verb makes the claim ("began to work")."""
    head = tree.head[verb]
    return (
        tree.relation[verb] == "xcomp"
        and tree.upos[head] in ("VERB", "AUX", "ADJ")
        and (tree.upos[verb] == "VERB" or copula is not None)
        and is_clause(tree, head)
    )


def relative_gap(tree: Tree, verb: int, objects: list[int], oblique: list[int]) -> int | None:
    """The noun that a relative clause modifies, if it is the object that the clause omits."""
    head = tree.head[verb]
    if any(tree.lower[word] == "whose" for word in tree.subtree(verb)):
        return None
    own = tree.kids(verb, "nsubj", "nsubj:pass")
    first = verb
    while tree.relation[first] == "xcomp":
        first = tree.head[first]
    if first != verb and tree.relation[first] == "acl:relcl" and any(tree.lower[word] in RELATIVE for word in objects):
        return tree.head[first]  # "a rule, which they plan to add"
    if tree.relation[verb] != "acl:relcl" or not own or tree.lower[own[0]] in RELATIVE:
        return None
    if any(tree.lower[word] in RELATIVE for word in objects):
        return head
    if any(tree.lower[word] in RELATIVE for kid in tree.kids(verb, "xcomp") for word in tree.kids(kid, "obj")):
        return None
    if objects or tree.has(verb, "ccomp") or any(tree.lower[word] in RELATIVE for word in oblique):
        return None
    if any(tree.lower[kid] in ("where", "when", "why") for kid in tree.children[verb]):
        return None
    return head


def shared_object(tree: Tree, verb: int) -> list[int]:
    """The object of a verb that stands in a coordination with another: "pause or cancel | your plan"."""
    if tree.has(verb, "obl", "obl:unmarked", "xcomp", "ccomp", "obj", "aux:pass") or INTRANSITIVE.match(
        tree.lower[verb]
    ):
        return []
    for other in tree.kids(verb, "conj"):
        objects = tree.kids(other, "obj")
        between = range(verb + 1, other)
        joined = all(tree.relation[word] in ("cc", "punct", "conj") for word in between)
        alone = LABILE.match(tree.lower[verb]) or tree.lower[other] in GETTING  # "cancel and get everything back"
        both = any(tree.lower[kid] == "and" for kid in tree.kids(other, "cc")) and alone
        if objects and joined and tree.upos[other] == "VERB" and other - verb <= 4 and not both:
            return objects
    head = tree.head[verb]
    held = verb + 2
    if tree.lower[verb : held + 1] in (["press", "and", "hold"], ["tap", "and", "hold"], ["click", "and", "hold"]):
        return tree.kids(held, "obj")
    if tree.relation[verb] == "conj" and tree.upos[head] == "VERB":
        return [word for word in tree.kids(head, "obj") if word > verb]
    return []


def is_light(tree: Tree, verb: int, objects: list[int], oblique: list[int]) -> bool:
    """Whether the object belongs to the predicate: "took place in"."""
    is_take = tree.lower[verb] in ("take", "takes", "took", "taken", "taking")
    bare = is_take and len(objects) == 1 and tree.lower[objects[0]] in LIGHT_NOUNS
    return bare and (bool(oblique) or tree.has(verb, "advmod"))
