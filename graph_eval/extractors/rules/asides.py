"""Claims from outside the clauses: appositions and brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_eval.extractors.rules.coreference import ORDINALS, Discourse
from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import EVENT_NOUN, GROUP_NOUNS, MEASURE_WORD, NAMED_NOUN, PERSON_NOUN
from graph_eval.extractors.rules.phrases import function_phrase, inferred, noun_words, phrase
from graph_eval.extractors.rules.syntax import OPINION_NOUN, follows_verb, subject_heads
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.wording import ARE, INCLUDE, IS, LIVED, bracket_predicate

FINITE = ("VBD", "VBP", "VBZ", "MD")
NO_NAME = ("no", "not", "without", "to")  # these open what is no name of the noun: "(no seeds)", "(to taste)"
REFERENCES = frozenset("form line schedule section page chapter passage step tip figure table sheet".split())
POINTS = frozenset({"point", "item", "paragraph"})  # of a source, where nothing stands in front
ADDING = frozenset(  # "all types, especially A", "the court, not the office": the second does not say what the first is
    "not never even then especially specifically particularly".split()
)
YEAR = re.compile(r"(?:1\d|20)\d\d")
TITLE = re.compile(r"(?:Dr|Mr|Ms|Mrs|Prof)\b")
# A bracket that goes on with a verb: "(accounts for 9% of deaths)", no noun as in "(causes of death)"
SAYS = re.compile(
    r"(?:accounts?|causes?|makes?|means?|represents?|includes?|contains?|costs?|lasts?|takes?|requires?|allows?|provides?"
    r"|ranges?|equals?|depends?|affects?|holds?|uses?)\Z"
)
OF_SOME = frozenset(  # "the strikers, most of them women", "organisms, typically bacteria"
    "most many some all half few none several both each typically usually often mostly mainly sometimes".split()
)
OF_COUNTRIES = frozenset("member leader owner seller producer exporter partner neighbour neighbor rival".split())
LIMITING = frozenset("up at under over about around roughly minus plus".split())
CLOCK = re.compile(r"a\.?m\.?|p\.?m\.?|noon|midnight|\d\d?:\d\d")
OF_AMOUNTS = ("of", "to", "-", "–", "by", "x", "per")  # inside an amount: "(1 to 4 °C)"
STATISTIC = frozenset("<>=≤≥±")
LIFE_EVENTS = frozenset({"born", "died", "founded", "established", "formed", "released", "published"})


def appositions(tree: Tree, discourse: Discourse) -> list[Draft]:
    """Of two phrases in apposition ("Jorge Jesus, the manager") the second describes the first."""
    drafts = []
    for word in range(tree.size):
        head = tree.head[word]
        fronted = tree.relation[word] == "appos" and word < head  # "The youngest of five children, he ..."
        nominal = tree.upos[word] in NOMINAL and tree.upos[head] in NOMINAL
        if not nominal and not (fronted and (tree.upos[word] in NOMINAL or tree.xpos[word] == "JJS")):
            continue
        below = tree.subtree(word)
        event = EVENT_NOUN.match(tree.lower[word]) and tree.has(word, "det") and follows_verb(tree, word)
        if (
            event
            or (tree.has(head, "nummod") and tree.has(word, "nummod"))  # "50 euros, 5 euros less than before"
            or _are_amounts(tree, head, word)
            or any(tree.lower[other] in OF_SOME for other in below[:2])
            or OPINION_NOUN.fullmatch(tree.lower[word])  # "..., a claim that she rejects"
            or any(tree.lower[other] in ("example", "instance") for other in range(head + 1, word))
            or (PERSON_NOUN.search(tree.lower[word]) and tree.lower[word] not in OF_COUNTRIES and _is_place(tree, head))
            or _is_limit(tree, below)
            or (tree.xpos[head] == "NNS" and tree.upos[word] == "PROPN" and "among" in tree.lower[head:word])
            or _is_reference(tree, head)
            or _is_reference(tree, word)
            or _only_adds(tree, head, word)
            or _is_loose(tree, head, word)
            or _is_instead(tree, head, word)
            or _is_gapped(tree, head, word)
            or any(
                tree.lower[other] in ("which", "whom", "whichever", "whatever", "among", "say") for other in below[:3]
            )
        ):
            continue  # "parts of which", "among them the mayor", "a measure that ..."
        titled = (
            tree.relation[word] == "flat" and tree.upos[word] == "PROPN" and tree.upos[head] == "NOUN" and word > head
        )
        if titled and word == tree.kids(head, "flat")[0]:
            drafts += _titled(tree, head, word)
            continue
        if tree.relation[word] == "appos:bracket":
            counted = tree.upos[word] == "PROPN" and tree.has(head, "nummod")  # "two branches (Oslo and Bergen)"
            if (
                _is_code(tree, word, head)
                or _is_workplace(tree, head, below)
                or (_lists_parts(tree, head, below) and not counted)
            ):
                continue
            named = tree.upos[word] == "PROPN" or tree.has(word, "det") or tree.words[below[0]][:1].isupper()
            digits = any(character.isdigit() for character in tree.words[word])
            loose = any(tree.lower[other] in ("or", *NO_NAME) for other in below[:2])
            if len(below) < 2 or tree.xpos[word] == "CD" or digits or loose or not named:
                continue
        elif tree.relation[word] != "appos":
            continue
        first_words = [other for other in noun_words(tree, head) if other not in below]
        refused = [other for other in first_words if other > word and tree.lower[other] in ("not", "rather")]
        if refused:  # "the caretaker, Mr Odell, not to the agent"
            first_words = [other for other in first_words if other < refused[0]]
        joint = any(tree.lower[other] in ("together", "along") for other in first_words if other > word)
        if tree.relation[word] == "appos:bracket" or joint:  # "by Ada, a nurse, together with her brother"
            first_words = [other for other in first_words if other < below[0]]
        named = tree.upos[word] == "PROPN" or tree.has(word, "conj")
        if named and tree.xpos[head] == "NNS" and tree.has(head, "nummod"):
            names = [word, *tree.kids(word, "conj")]  # "by two brothers, Karl and Otto Lind"
            if len(names) > 1 and not tree.has(word, "appos"):
                start = tree.subtree(word, ("punct", "case", "advmod"))[0]
                several = phrase(tree, range(start, max(tree.subtree(names[-1])) + 1))
                several_of = phrase(tree, first_words)
                if first_words[:1] == [0] and tree.upos[0] == "NUM":
                    several_of = several_of.as_resolved(several_of.text[:1].lower() + several_of.text[1:])
                drafts.append(Draft(several, inferred(ARE), several_of, "apposition"))
            continue
        first = phrase(tree, first_words)
        second = phrase(tree, noun_words(tree, word, without=("acl:relcl",)))
        first_head, second_head = head, word
        if tree.upos[word] == "PROPN" and tree.upos[head] == "NOUN" and tree.relation[word] == "appos":
            first, second = second, first  # "the director, Ada Berg"
            first_head, second_head = word, head
        announced = any(tree.lower[kid] == "following" for kid in tree.kids(head, "amod"))
        second = discourse.resolve(tree, second_head, second)
        if first.text and second.text and first.text != second.text and not announced:
            first = discourse.resolve(tree, first_head, first)
            drafts.append(Draft(first, inferred(IS), second, "apposition"))
    return drafts


def _are_amounts(tree: Tree, head: int, word: int) -> bool:
    """Whether each counts something, as in a clause without its verb: "You pay 3 percent, the company 5"."""
    counted = tree.has(head, "nummod") and MEASURE_WORD.match(tree.lower[head]) is not None
    amount = counted or tree.upos[head] in ("NUM", "SYM")
    return amount and follows_verb(tree, word) and any(tree.upos[other] == "NUM" for other in tree.subtree(word))


def _is_reference(tree: Tree, word: int) -> bool:
    """ "passage 1, point 2": a place of a source."""
    bare = tree.lower[word] in POINTS and not tree.has(word, "compound", "amod", "det")
    return (bare or tree.lower[word] in REFERENCES) and any(map(str.isdigit, "".join(tree.words[word + 1 : word + 2])))


def _only_adds(tree: Tree, head: int, word: int) -> bool:
    """Whether the second is something more or something else: "the metro, not the trams", "a mark, even two"."""
    below = [other for other in tree.subtree(word) if tree.upos[other] != "PUNCT"]
    adding = [kid for one in (head, word) for kid in tree.kids(one, "advmod", "cc") if kid > head or one == word]
    subjects = subject_heads(tree, tree.head[head]) if tree.upos[tree.head[head]] == "VERB" else []
    again = any(tree.lower[subject] == tree.lower[word] and subject != word for subject in subjects)
    one = tree.lower[word] in ("one", "ones") and follows_verb(tree, word)
    if [tree.lower[other] for other in below[-2:]] in (["in", "particular"], ["above", "all"]):
        return True  # "other dogs – males in particular"
    return any(tree.lower[other] in ADDING for other in (*adding, below[0])) or one or again


def _is_loose(tree: Tree, head: int, word: int) -> bool:
    """Whether the second describes no noun before it: "She directed the garden, the first woman to do so"."""
    person = PERSON_NOUN.search(tree.lower[word]) and tree.upos[word] == "NOUN" and tree.has(word, "det")
    thing = tree.upos[head] == "NOUN" and not PERSON_NOUN.search(tree.lower[head]) and tree.xpos[head] == "NN"
    same = any(tree.lower[kid] == "same" for kid in tree.kids(word, "amod"))
    told = tree.has(word, "acl", "acl:relcl") and follows_verb(tree, word)
    return same or bool(person and thing and tree.lower[head] not in GROUP_NOUNS and told)


def _is_gapped(tree: Tree, head: int, word: int) -> bool:
    """Whether it opens a clause without its verb: "The card comes by post, the PIN by text message"."""
    own = tree.subtree(word)
    parted = "," in (tree.words[own[0]], tree.words[own[0] - 1]) and own[0] > head
    if tree.relation[word] != "appos" or not parted or len(own) < 2 or _is_description(tree, word):
        return False  # "lives in Oslo, the largest city in Norway"
    above = [head, *tree.kids(tree.head[head], "obl")]
    cases = [case for noun in above if noun < word for case in tree.kids(noun, "case")]
    before = {tree.lower[case] for case in cases if case < word}
    start = own[1] if tree.words[own[0]] == "," else own[0]
    others = [other for kid in tree.kids(head, "nmod") if kid > word for other in tree.subtree(kid)]
    behind = {tree.lower[other] for other in (*own, *others) if tree.relation[other] == "case" and other > start}
    opposite = before | behind >= {"before", "after"}
    return opposite or bool(before & behind - {"of"})


def _is_description(tree: Tree, noun: int) -> bool:
    """Whether a phrase says what something is: "a city", "the largest city", "the maker of pumps"."""
    kinds = [kid for kid in tree.kids(noun, "det", "amod") if tree.lower[kid] in ("a", "an", *ORDINALS)]
    superlative = any(tree.xpos[kid] == "JJS" for kid in tree.subtree(noun))
    of = any(tree.lower[case] == "of" for kid in tree.kids(noun, "nmod") for case in tree.kids(kid, "case"))
    return bool(kinds) or superlative or of or tree.has(noun, "acl", "acl:relcl")


def _titled(tree: Tree, title: int, name: int) -> list[Draft]:
    """The claim of a name behind its title: "union leader Marta Quill"."""
    words = [word for word in noun_words(tree, title) if word < name]
    rest = [word for kid in tree.kids(title, "flat") if kid >= name for word in tree.subtree(kid)]
    first, second = phrase(tree, rest), phrase(tree, words)
    if not (PERSON_NOUN.search(tree.lower[title]) or NAMED_NOUN.search(tree.lower[title])):
        return []
    if second.wording.lower().startswith("the ") and len(second.text.split()) == 1:
        return []  # "the firm Hask & Dowell": it says nothing of it
    plural = tree.xpos[title] in ("NNS", "NNPS")
    unbound = second.text.lower().startswith(("his ", "her ", "its ", "their "))
    if plural or unbound or not second.text or not first.text[:1].isupper() or not second.text.split()[-1].isalpha():
        return []
    return [Draft(first, inferred(IS), second, "apposition")]


def _is_instead(tree: Tree, head: int, word: int) -> bool:
    """ "It needs no bags, just a filter": what is there instead of the first."""
    none = any(tree.lower[kid] == "no" for kid in tree.kids(head, "det"))
    return none and any(tree.lower[kid] in ("just", "only", "but") for kid in tree.kids(word, "advmod", "cc"))


def _is_limit(tree: Tree, below: Sequence[int]) -> bool:
    """ "damage by pipes, up to 25,000 euros": an amount that limits all of the clause."""
    first = next(word for word in below if tree.upos[word] != "PUNCT")
    return tree.lower[first] in LIMITING and any(tree.upos[word] == "NUM" for word in below)


def _is_place(tree: Tree, noun: int) -> bool:
    """Whether a name stands behind a preposition of place: "Born in Aarhus, the daughter of a shipbuilder, ..."."""
    return tree.upos[noun] == "PROPN" and any(
        tree.lower[case] in ("in", "at", "near") for case in tree.kids(noun, "case")
    )


def _is_workplace(tree: Tree, head: int, inside: Sequence[int]) -> bool:
    """Whether a name in brackets tells where a titled person works: "Dr Ada Berg (University of Vesk)"."""
    titled = any(TITLE.match(tree.words[word]) for word in noun_words(tree, head) if word < inside[0])
    return titled and all(tree.upos[word] in ("PROPN", "ADP", "DET", "PUNCT") for word in inside)


def _is_code(tree: Tree, word: int, head: int) -> bool:
    """Whether brackets hold code that may belong to another noun: "the key in your environment (`API_KEY`)"."""
    return tree.response[tree.spans[word].start] == "`" and tree.has(head, "case")


def brackets(tree: Tree, discourse: Discourse, drafts: Sequence[Draft]) -> list[Draft]:
    """Words in brackets describe the phrase before them: "Eleanor Arnason (born 1945)".

    `drafts`: the triplets of the sentence so far. Brackets whose words are the object of one give no second claim.
    """
    asides = []
    for opened in range(1, tree.size):
        if tree.words[opened] != "(" or tree.upos[opened - 1] not in (*NOMINAL, "NUM", "X"):
            continue
        closed = next((word for word in range(opened + 1, tree.size) if tree.words[word] == ")"), None)
        if closed is None or closed == opened + 1:
            continue
        head = _head_before(tree, opened, closed)
        inside = list(range(opened + 1, closed))
        if (amount := _amount_before(tree, opened)) is not None and _is_other_value(tree, inside):
            asides += _other_values(tree, amount, opened, inside, drafts)
            continue
        alternative = tree.lower[inside[0]] == "or"  # "water (or vinegar)", but "Optimus (or Tesla Bot)"
        if tree.lower[inside[0]] in ("or", "also", "aka", "formerly") and len(inside) > 1:
            inside = inside[1:]
        alternative = alternative and not all(tree.upos[word] == "PROPN" for word in [head, *inside])
        named = _named_before(tree, head, opened, closed)
        subject = discourse.resolve(tree, head, phrase(tree, named))
        if any(tree.lower[word] in ("versus", "vs", "vs.", "against", "compared") for word in inside):
            continue
        acronym = len(inside) == 1 and tree.words[inside[0]].isupper()
        example = tree.lower[inside[0]] in ("e.g.", "i.e.", "e.g", "i.e", "such", "including", "for", "see", "cf.")
        compared = tree.upos[inside[0]] in ("NUM", "SYM") and any(tree.lower[word] == "for" for word in inside[1:])
        compared = compared and "for" in tree.lower[max(0, opened - 4) : opened]  # "for singles ($9 for couples)"
        # "(deposit: €2)" and "(§ 9.4)" say nothing about the noun, nor does a price inside a longer phrase
        marked = "§" in tree.words[inside[0]] or any(tree.words[word] == ":" for word in inside)
        nested = tree.upos[inside[0]] in ("NUM", "SYM") and tree.relation[head] in ("nmod", "obj")
        nested = nested and tree.relation[tree.head[head]] in ("acl", "advcl", "nmod")
        conditional = any(tree.lower[word] in ("if", "when", "unless", "until") for word in inside)
        reference = any(tree.lower[word] in REFERENCES for word in inside)
        reference = reference and any(map(str.isdigit, "".join(tree.words[word] for word in inside)))
        reference = reference or any(_is_reference(tree, word) for word in inside)
        aside = (
            example
            or alternative
            or reference
            or tree.lower[inside[0]] in NO_NAME
            or conditional  # "8 minutes (12 minutes if frozen)"
            or compared
            or marked
            or nested
            or (_lists_parts(tree, head, inside) and tree.has(head, "nummod"))  # "two photos (the box and its label)"
            or _names_nothing(tree, head, opened, inside)
            or _is_code(tree, inside[0], head)
            or _is_workplace(tree, head, inside)
            or any(CLOCK.fullmatch(tree.lower[word]) for word in inside)  # "weekdays (8 am to noon)"
            or (tree.upos[head] == "SYM" and not any(map(str.isdigit, "".join(tree.words[w] for w in inside))))
            or (tree.upos[inside[0]] in ("ADP", "SCONJ", "VERB") and tree.lower[inside[0]] not in LIFE_EVENTS)
        )
        if subject.text and not _is_claimed(tree, inside, drafts) and (said := _said(tree, inside)):
            rest = phrase(tree, inside[said:])
            asides.append(Draft(subject, function_phrase(tree, inside[:said]), rest, "bracket"))
            continue
        if not subject.text or acronym or aside or _is_claimed(tree, inside, drafts):
            continue
        if tree.lower[inside[0]] in LIFE_EVENTS and len(inside) > 1:
            asides.append(Draft(subject, function_phrase(tree, inside[:1]), phrase(tree, inside[1:]), "bracket"))
        else:
            content = phrase(tree, inside)
            predicate = bracket_predicate(content.text)
            measured = amount is not None and tree.upos[inside[0]] in ("NUM", "SYM")  # "8 km (5 miles)"
            many = tree.xpos[head] == "NNS" and not measured
            if predicate == IS and many:
                predicate = INCLUDE if _lists_parts(tree, head, inside) else ARE
            thing = tree.upos[head] == "NOUN" and not PERSON_NOUN.search(tree.lower[head])
            if predicate != LIVED or not thing:
                asides.append(Draft(subject, inferred(predicate), content, "bracket"))
    return asides


def _amount_before(tree: Tree, opened: int) -> int | None:
    """The first word of the amount that ends in front of a bracket: "£130 a night (", "20 minutes ("."""
    nominal = ("NOUN", "PROPN", "SYM", "NUM", "DET")
    for word in range(opened - 1, max(-1, opened - 5), -1):
        if tree.upos[word] in ("NUM", "SYM") and any(map(str.isdigit, "".join(tree.words[word:opened]))):
            while word and tree.upos[word - 1] in ("NUM", "SYM"):
                word -= 1
            return word
        if tree.upos[word] not in nominal and tree.lower[word] != "per":
            break
    return None


def _is_other_value(tree: Tree, inside: Sequence[int]) -> bool:
    """Whether a bracket has an amount that holds elsewhere or then: "(£175 in London)", "(12 minutes if frozen)"."""
    led = [word for word in inside if tree.relation[word] in ("case", "mark") and tree.lower[word] not in OF_AMOUNTS]
    return tree.upos[inside[0]] in ("NUM", "SYM") and bool(led)


def _other_values(tree: Tree, amount: int, opened: int, inside: list[int], drafts: Sequence[Draft]) -> list[Draft]:
    """The claims whose object ends in the amount in front of a bracket, with the amount that is in the bracket."""
    found = []
    for draft in drafts:
        words = tree.within(draft.object.spans)
        if amount in words and words[-1] == opened - 1 and tree.lower[inside[0] + 1] != "of":
            before = [word for word in words if word < amount and tree.upos[word] not in ("ADV", "ADJ")]
            before += [word for word in (words[0] - 1,) if before and tree.upos[word] == "DET"]
            found.append(Draft(draft.subject, draft.predicate, phrase(tree, [*before, *inside]), "bracket"))
    return found


def _lists_parts(tree: Tree, head: int, inside: Sequence[int]) -> bool:
    """Whether a bracket lists several things behind a plural: "dairy products (milk, cheese and butter)"."""
    joined = [word for word in inside if tree.relation[word] == "cc" and tree.lower[word] == "and"]
    nouns = any(tree.upos[word] in NOMINAL and tree.relation[word] == "conj" for word in inside)
    return tree.xpos[head] == "NNS" and bool(joined) and nouns


def _said(tree: Tree, inside: list[int]) -> int:
    """How many words of a bracket are its verb, with its preposition. 0: it does not open with one."""
    if len(inside) < 3 or not SAYS.match(tree.lower[inside[0]]) or tree.xpos[inside[0]] in ("VBG", "VBN", "VBD"):
        return 0
    joint = tree.lower[inside[1]] in ("of", "in", "per", "and", "or", "by", "with", "at")
    if joint or any(tree.words[word] in ",;:" for word in inside):
        return 0
    return 2 if tree.lower[inside[1]] in ("for", "from", "on", "up") else 1


def _names_nothing(tree: Tree, head: int, opened: int, inside: list[int]) -> bool:
    """Whether a bracket is no other name of its noun: "recipient(s)", "21°F (cloudy)", "a placebo (p < 0.01)"."""
    touching = tree.spans[opened - 1].end == tree.spans[opened].start
    statistic = any(STATISTIC.intersection(tree.words[word]) for word in inside)
    number = tree.upos[head] in ("NUM", "SYM") and tree.xpos[inside[-1]] in ("JJ", "VBN", "RB")
    dated = len(inside) == 1 and YEAR.fullmatch(tree.words[inside[0]]) is not None
    number = number or (tree.upos[head] == "NUM" and dated)
    verbs = [word for word in inside if tree.xpos[word] in FINITE and tree.upos[word] in ("VERB", "AUX")]
    clause = any(tree.has(word, "nsubj", "nsubj:pass", "expl") for word in verbs)
    only = tree.lower[inside[0]] in ("only", "not") and len(inside) > 1 and tree.upos[inside[1]] == "ADP"
    return touching or statistic or number or clause or only


def _named_before(tree: Tree, head: int, opened: int, closed: int) -> list[int]:
    """The words that the bracket describes: its noun, both parts of "5 feet 6 inches", or all of a fragment before it.

    "Retaining fluid in the abdomen (ascites)".
    """
    root = tree.root() or 0
    ends = all(tree.upos[word] == "PUNCT" for word in range(closed + 1, tree.size))
    plain = not any(tree.words[word] in ",:;([" or tree.xpos[word] in FINITE for word in range(opened))
    if ends and plain and tree.xpos[root] != "VB" and not tree.has_clause():
        return list(range(opened))
    named = [word for word in noun_words(tree, head) if word < opened]
    while len(named) > 1 and tree.lower[named[0]] == "up" and tree.lower[named[1]] != "to":
        named = named[1:]
    first = named[0] if named else 0
    if first > 1 and tree.upos[first] == tree.upos[first - 2] == "NUM" and MEASURE_WORD.match(tree.lower[first - 1]):
        return [first - 2, first - 1, *named]
    return named


def _head_before(tree: Tree, opened: int, closed: int) -> int:
    """The noun that the bracket describes: by the parse, or the head of the nominal that ends right before it."""
    for inner in range(opened + 1, closed):
        head = tree.head[inner]
        parted = any(tree.relation[word] == "conj" for word in range(head + 1, opened))
        if head < opened and tree.upos[head] in NOMINAL and tree.relation[inner].startswith("appos") and not parted:
            return head
    word = opened - 1
    while tree.relation[word] in ("flat", "compound", "nummod") and tree.head[word] < opened:
        word = tree.head[word]
    return word


def _is_claimed(tree: Tree, inside: list[int], drafts: Sequence[Draft]) -> bool:
    """Whether an apposition or a clause inside the brackets is the object of a draft."""
    places = {tree.spans[word].start for word in inside}
    return any(span.start in places for draft in drafts for span in draft.object.spans)
