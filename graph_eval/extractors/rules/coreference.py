"""Rule-based coreference: pronouns, last names and definite nouns refer to a phrase that the text named before.

Number, kind and grammatical role decide, first within the sentence, then in the one before. Where two phrases are as
likely, nothing is resolved: a claim about the wrong thing is worse than none. Nor is anything where the binder
(`binding.py`) does not believe the choice. A resolved slot keeps the spans of its own words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from graph_eval.extractors.rules.belief import BEFORE, replaced
from graph_eval.extractors.rules.binding import MOST_OTHERS, Binder, Choice
from graph_eval.extractors.rules.lexicon import (
    FEMININE,
    GROUP_NOUNS,
    MANY_NOUNS,
    MASCULINE,
    MEASURE_WORD,
    NAME_PARTICLES,
    NEUTER,
    NOT_A_PERSON,
    PERSON_NOUN,
    PLURAL,
    PRONOUNS,
    QUANTITIES,
    REQUESTED_TEXTS,
    REQUESTS,
    SOURCE_NOUN,
)
from graph_eval.extractors.rules.phrases import ARROWS, Phrase, is_restrictive, noun_words, phrase
from graph_eval.extractors.rules.syntax import is_cleft, is_many, is_past, subject_heads
from graph_eval.extractors.rules.tree import ITALICS, NOMINAL, SCORE, Tree
from graph_eval.extractors.wording import genitive
from graph_eval.text.quantities import UNITS
from graph_eval.types import Span

PERSON, THING, NAME, MANY = "person", "thing", "name", "many"
SUBJECT, OBJECT, OTHER = "subject", "object", "other"
ROLES = {"nsubj": SUBJECT, "nsubj:pass": SUBJECT, "nsubj:outer": SUBJECT, "obj": OBJECT, "obl:agent": OBJECT}
OTHER_RELATIONS = ("obl", "iobj", "conj", "appos", "nmod")
MODIFIED = re.compile(  # a name with words behind its noun: "control cells without any additive", "Cells with ..."
    r"\b[a-z]+ (?:with|without|in|for|from|at|on|by|to|of|that|who|which) "
    r"|^[A-Z][a-z]+s (?:with|without|in|for|from|at|on|by|to) (?![A-Z])"
)
MAX_MENTIONS = 40
MAX_NAME_WORDS = 10
REACH = BEFORE  # sentences
ARGUMENTS = ("obj", "iobj", "obl", "obl:agent", "nmod", "nsubj", "nsubj:pass")
DETERMINERS = frozenset(
    "a an the this that these those each every all both some any no its his her their our my your".split()
)
ORDINALS = frozenset({"first", "second", "third", "last", "other", "former", "latter", "one"})
# Verbs whose "it" is what was said before: "If anyone is unwell, mention it", "do it"
OF_A_CLAUSE = re.compile(
    r"(?:do|does|did|done|(?:allow|permit|forbid|prohibit|mention|say|said|tell|told|know|knew)(?:s|ed|ing)?)$"
)
# Subjects that name nobody, but own what their clause is about: "Those who faint need to have their heart examined"
INDEFINITE = frozenset(
    """both each everyone everybody anyone anybody someone somebody nobody whoever those all neither many most some few
    one another former latter""".split()
)
CAUSING = re.compile(r"(?:caus|rais|trigger|induc|worsen)(?:e|es|ed|s|ing)?$")
SIGNALLING = re.compile(r"(?:sign|symptom|indication|signal|hint|mean|indicate|suggest)s?$")
WEEKDAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?")
CREWS = frozenset("team crew staff jury police panel band".split())  # people beside a thing that is "it"
WEATHER = frozenset("cloudy sunny rainy snowy windy foggy chilly overcast humid".split())
TREATING = frozenset("take use try ask drink eat wear".split())  # what people do with a thing
BESIDE = frozenset("beneath under around behind above below near beside between with".split())
SOMEBODY = frozenset({"anyone", "anybody", "someone", "somebody", "whoever"})  # "they" may be one of these
OF_SPEAKER = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
PAYING = re.compile(r"(?:charg|bill|fin|thank|blam)(?:e|es|ed|s|ing)?")
ADVISED = frozenset("agreed decided recommended advised suggested proposed planned hoped".split())
TAKING = ("take", "takes", "took")
ATTRIBUTE = re.compile(  # of a thing, which a pronoun behind it means: "**Price:** it costs €5"
    r"(?:the )?(?:prices?|costs?|fees?|weight|size|length|height|width|age|colou?r|speed|range|capacity|dates?|times?"
    r"|hours|location|address|limits?|access|delivery|payment|use|storage|care)",
    re.IGNORECASE,
)
PARTS = re.compile(r" (?:and|or) |, ")  # of a phrase that names several things
FOCUS = re.compile(r"^(?:only|even|just|not all|not only|each|every) ", re.IGNORECASE)  # belongs to its own claim
MALE = re.compile(r"\b(?:Mr|Sir|Lord|King|brother|son|father|husband|uncle|grandfather|nephew|grandson)\b")
FEMALE = re.compile(r"\b(?:Mrs|Ms|Miss|Lady|Queen|sister|daughter|mother|wife|aunt|grandmother|niece)\b")


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase of the text. `kind`: PERSON, THING, NAME (either) or MANY.

    `word`: its head in the current sentence, or -1.
    """

    name: str
    kind: str
    role: str
    sentence: int = 0
    word: int = -1
    named: bool = False
    source: bool = False  # of the answer: "the passage"
    group: bool = False  # "the team", which "they" may refer to
    goal: bool = False  # where an instruction puts something: "over the cake"
    noun: str = ""  # its head, in lower case
    definite: bool = False  # with "the", or a single thing: it is named with an article
    again: bool = False  # a pronoun stood for it: the text goes on about it
    start: float = math.inf  # of its sentence in the text; a question stands in front of all contexts

    def agrees(self, kinds: Sequence[str]) -> bool:
        """Whether a pronoun of these kinds can refer to it."""
        return self.kind in kinds or (self.group and MANY in kinds)


class Discourse:
    """The phrases that one text has named so far. `resolve` reads them, `sentence_read` adds those of a sentence.

    `mentions`: the latest sentence first, at most MAX_MENTIONS. `full_names`: last name -> full name. `nouns`: noun ->
    the entity that it describes. `pair`: the last two phrases that were coordinated or compared. `topic`: what the
    first claims are about.
    """

    def __init__(self, binder: Binder) -> None:
        self._binder = binder
        self._context: Callable[[float], str] | None = None  # of the question
        self._own_sentence = Span(0, 0)
        self._bound: dict[int, Mention | None] = {}  # pronouns of the sentence
        self.mentions: list[Mention] = []
        self._above_list: tuple[int, list[Mention]] | None = None  # where the list that is read begins
        self.full_names: dict[str, str] = {}
        self.nouns: dict[str, str] = {}
        self.pair: tuple[str, str] | None = None
        self._paired: float = 0  # the sentence of the pair
        self.topic: str | None = None
        self._label = ""  # of several things, right in front of the sentence
        self._labelled = False  # a label stands there that the text named before
        self._sentence = 0
        self._shared_names: set[str] = set()  # words that begin a name of more words
        self._here: list[Mention] = []
        self._unclear: list[tuple[int, int, tuple[str, ...]]] = []  # sentence, word in it, kinds of pronouns
        self._gender: dict[str, frozenset[str]] = {}  # of a person, by the pronouns that referred to him
        self._said: dict[
            tuple[str, ...], tuple[int, Mention | None]
        ] = {}  # kinds -> a pronoun of the sentence and its antecedent

    def reach(self, context: Callable[[float], str], sentence: Span) -> None:
        """The next sentence. `context`: the text up to its end, from a place in front of it."""
        self._context, self._own_sentence = context, sentence

    def talk(self, pronouns: Iterable[str] = ("it", "they")) -> None:
        """A sentence about a source stood here ("The manual does not say ..."): "it" may mean the source."""
        self._sentence += 1
        self._unclear += [(self._sentence, 0, _kinds(word)) for word in pronouns]

    def label(self, name: str, *, many: bool) -> None:
        """A label stood in front: "it" is what the label names, if the text named that before.

        Behind another label it may be the label or the topic ("**Missed dose:** leave it out", "**Price:** it costs").
        `many`: it names several things, which "they" or "these" right behind it stand for.
        """
        self._label = name if many else ""
        known = self._named_before(name, many=many)
        self._labelled = known is not None
        if known is None:
            self.talk(("they",) if many else ("it", "they"))
        else:
            self._sentence += 1
            self.mentions = [replace(known, role=SUBJECT, sentence=self._sentence), *self.mentions][:MAX_MENTIONS]

    def _named_before(self, label: str, *, many: bool) -> Mention | None:
        """The mention whose name has the words of a label. A plain phrase, or one of several things: the label alone.

        "Can I return a jacket and a swimsuit?" "**Jacket:** it must be unworn".
        """
        ends = re.compile(rf"(?<!\w){re.escape(label)}$", re.IGNORECASE)
        for mention in self.mentions:
            for part in PARTS.split(mention.name):
                if (found := ends.search(part)) is None or ATTRIBUTE.fullmatch(label):
                    continue
                if mention.named and part == mention.name:
                    return mention
                kind = MANY if many else PERSON if mention.kind == PERSON else THING
                noun = found[0].split()[-1].lower()
                return Mention(found[0], kind, SUBJECT, noun=noun, definite=not many, start=mention.start)
        return None

    def open_section(self) -> None:
        """A title follows. "It" means a name, the topic or what the question names: no thing of another section."""
        self.mentions = [m for m in self.mentions if m.named or m.start == math.inf or m.name == self.topic]

    def begin_list(self) -> None:
        """An item of a list follows."""
        if self._above_list is None:
            self._above_list = self._sentence, self.mentions

    def end_list(self, *, restored: bool) -> None:
        """No item follows. `restored`: "it" is what stood above the list, none of its items."""
        if self._above_list is not None and restored:
            self._sentence, self.mentions = self._above_list
            self._unclear = [entry for entry in self._unclear if entry[0] <= self._sentence]
        self._above_list = None

    def begin(self, tree: Tree) -> None:
        """Adds the phrases of the current sentence, for the pronouns that follow them in it."""
        self._sentence += 1
        self._here = []
        self._said = {}
        self._bound = {}
        if self._stands_for_label(tree):
            self._here.append(Mention(self._label, MANY, SUBJECT, self._sentence, 0, start=self._own_sentence.start))
        presents = tree.lower[:1] == ["here"]  # "Here is the method in short": "it" is none of its nouns
        for word in range(tree.size):
            if (
                tree.lower[word] in QUANTITIES
                and tree.xpos[word] == "NNS"
                and ROLES.get(tree.relation[word]) == SUBJECT
            ):
                self._leave_unclear(word, (MANY,))  # "Up to five days can be carried over; they ..."
            if tree.lower[word] in ("yours", "mine", "ours", "theirs") and ROLES.get(tree.relation[word]) == SUBJECT:
                self._leave_unclear(word, (THING, NAME))  # "Yours was placed today, so it is late"
            subject = ROLES.get(tree.relation[word]) == SUBJECT
            if subject and tree.lower[word] in SOMEBODY | {"one"} and not tree.children[word]:
                self._leave_unclear(word, (MANY,))  # "One must meet the criteria. They must be ..."
            if tree.lower[word] == "those" and tree.has(word, "acl", "acl:relcl"):
                self._leave_unclear(word, (MANY,))
            if tree.relation[word] == "obj" and _is_amount(tree, word):
                self._leave_unclear(word, (THING, NAME))  # "Boil two litres of water with salt and pour it ..."
            if self._is_mention(tree, word) and (mention := self._mention(tree, word)):
                if presents and not mention.named:
                    continue
                start = math.inf if self._context is None else self._own_sentence.start
                self._here.append(replace(mention, start=start))

    def _leave_unclear(self, word: int, kinds: tuple[str, ...]) -> None:
        """From this word on, pronouns of the kinds may mean something that is not known."""
        self._unclear.append((self._sentence, word, kinds))

    def _is_unclear(self, sentence: int, kinds: tuple[str, ...], before: int | None = None) -> bool:
        """Whether pronouns of the kinds may mean something unknown in the sentence, or before a word of it."""
        return any(
            (own, unclear) == (sentence, kinds) and (before is None or word < before)
            for own, word, unclear in self._unclear
        )

    def sentence_read(self, tree: Tree) -> None:
        """Keeps the phrases of the sentence for the next ones."""
        self._label, self._labelled = "", False
        here = [replace(m, word=-1, role=OTHER if _is_of_limit(tree, m.word) else m.role) for m in self._here]
        names = {mention.name for mention in here}
        self.mentions = (here + [mention for mention in self.mentions if mention.name not in names])[:MAX_MENTIONS]
        pair = _pair(tree, self)
        if pair is not None:
            self.pair, self._paired = pair, self._sentence

    def introduce(self, tree: Tree) -> None:
        """Adds the names of a question: the answer may refer to them from its first word.

        A request ("Summarise the article about Max.") is no name, and neither is the text that it asks for.
        """
        self.begin(tree)
        if tree.lower[:1] and tree.lower[0] in REQUESTS:
            self._here = [mention for mention in self._here if not _is_requested(mention.name)]
        self._here = [replace(mention, name=_answered(mention.name)) for mention in self._here]
        self.sentence_read(tree)
        if self._paired == self._sentence:
            self._paired = math.inf  # what a question or a title compares is meant until another pair is named

    def describes(self, noun: str, entity: str) -> None:
        """Records "X is a song": "the song" may refer to X in the sentences that follow."""
        if len(entity.split()) <= 7 and entity.lstrip("\"“'")[:1].isupper():
            self.nouns[noun] = entity

    def resolve(self, tree: Tree, head: int, reference: Phrase, subject: bool = True) -> Phrase:
        """The phrase with the name of the entity that it refers to, or as it is if no rule finds one.

        `subject`: it is the subject of its claim. Other slots may point to the subject ("The airline closes its base").
        """
        if not reference.text:
            return reference
        if head == 0 and self._stands_for_label(tree):
            return reference.as_resolved(self._label)
        if tree.lower[head] in PRONOUNS and tree.upos[head] == "PRON" and len(reference.text.split()) <= 2:
            antecedent = self.antecedent(tree, head)
            if antecedent is None:
                return reference
            words = [antecedent if word.lower() == tree.lower[head] else word for word in reference.text.split()]
            resolved = reference.as_resolved(" ".join(words))  # "it", "it all"
            bound = self._mentioned(tree, head)
            if bound is not None and bound.definite and resolved.text == antecedent:
                return replace(resolved, wording=_definite(antecedent))
            return resolved
        if tree.lower[head] in ("former", "latter") and self._paired_lately and len(reference.text.split()) <= 3:
            name = self._paired_lately[tree.lower[head] == "latter"]
            return reference.as_resolved(re.sub(r"(?:the )?(?:former|latter)", lambda _: name, reference.text))
        inner = self._inner(tree, head, subject)
        if inner is not None:
            kid, name = inner
            if tree.relation[kid] == "nmod:poss" and not tree.has(kid, "case"):
                if MODIFIED.search(name) and tree.words[tree.head[kid]] == reference.text.split()[-1]:
                    return _of(tree.lower[kid], name, reference)
                name = genitive(name)
            pattern = rf"\b{re.escape(tree.words[kid])}\b"
            text = re.sub(pattern, name.replace("\\", r"\\"), reference.text, count=1)
            return reference.as_resolved(text) if text != reference.text else reference
        if (
            tree.upos[head] == "PROPN"
            and reference.text in self.full_names
            and reference.text not in self._shared_names
        ):
            full = self.full_names[reference.text]
            return reference if full == reference.text else reference.as_resolved(full)
        if tree.upos[head] == "NOUN" and self._is_bare_definite(tree, head):
            entity = self.nouns.get(tree.lower[head])
            if entity and entity.lower() != reference.text.lower():
                return reference.as_resolved(entity)
        return reference

    def _stands_for_label(self, tree: Tree) -> bool:
        """ "**Bulky items:** these go into the hold". "They" may mean others that were named before."""
        if not self._label or tree.lower[:1] not in (["they"], ["these"]) or tree.children[0]:
            return False
        return tree.lower[0] == "these" or not any(m.kind == MANY or m.named for m in self.mentions)

    @property
    def _paired_lately(self) -> tuple[str, str] | None:
        """The pair, if it stands in this sentence or the one before: "the latter" means no other."""
        return self.pair if self._paired >= self._sentence - 1 else None

    def _inner(self, tree: Tree, head: int, subject: bool) -> tuple[int, str] | None:
        """A pronoun inside the phrase ("its matter", "some of them") with what it refers to."""
        for kid in noun_words(tree, head):
            if kid == head or tree.relation[kid] not in ("nmod:poss", "nmod", "obl"):
                continue
            word = tree.lower[kid]
            if word == "whose":
                if _whose_noun(tree, kid) == head:
                    continue  # the clause is part of the phrase
                owner = _whose(tree, kid)
            elif word in ("former", "latter") and self._paired_lately:
                owner = self._paired_lately[word == "latter"]
            elif word in PRONOUNS and (subject or PERSON not in _kinds(word)):
                if _is_own(tree, kid, head, subject) or (not subject and self._belongs_to_subject(tree, kid)):
                    continue
                mention = self._mentioned(tree, kid)
                if mention is None or mention.source:
                    continue
                said = not subject or _is_predicate(tree, head)
                if said and self._is_own_subject(tree, kid, mention):
                    continue
                owner = mention.name
                if tree.relation[kid] != "nmod:poss" and mention.kind in (THING, MANY) and not mention.named:
                    owner = _definite(owner)
            else:
                continue
            if owner and "'s " in owner:
                continue
            if owner and len(owner.split()) <= (7 if tree.relation[kid] == "nmod" else 5):
                return kid, owner
        return None

    def _belongs_to_subject(self, tree: Tree, possessive: int) -> bool:
        """Whether the subject of its own clause is what a pronoun refers to: "the module failed its test"."""
        verb = possessive
        while tree.head[verb] != verb and not tree.has(verb, "nsubj", "nsubj:pass"):
            verb = tree.head[verb]
        subjects = tree.kids(verb, "nsubj", "nsubj:pass")
        own = [m for m in self._here if m.word in subjects and m.word < possessive]
        beside = any(tree.lower[case] in BESIDE for case in tree.kids(possessive, "case"))  # "the skin beneath them"
        bound = beside or tree.relation[possessive] == "nmod:poss"
        return bound and any(m.agrees(_kinds(tree.lower[possessive])) for m in own)

    def _is_own_subject(self, tree: Tree, possessive: int, owner: Mention) -> bool:
        """Whether the claim would name its subject twice: "The business was at business' height"."""
        return tree.relation[possessive] == "nmod:poss" and owner.name in self._names_of_subjects(tree, possessive)

    def _names_of_subjects(self, tree: Tree, possessive: int) -> set[str]:
        """What the subject of a possessive's clause names, if the possessive is no part of that subject."""
        word = possessive
        while tree.head[word] != word and not tree.has(word, "nsubj", "nsubj:pass"):
            if tree.relation[word] in ("nsubj", "nsubj:pass", "nsubj:outer"):
                return set()
            word = tree.head[word]
        subjects = subject_heads(tree, word)
        return {mention.name for mention in self._here if mention.word in subjects}

    def has_rival(self, tree: Tree, pronoun: int) -> bool:
        """Whether a pronoun may mean a phrase in front of it of which the rest of its sentence does not speak."""
        earlier = [m for m in self.mentions if m.sentence >= self._sentence - REACH and m.role == SUBJECT]
        earlier += [m for m in self._here if m.word < pronoun]
        later = tree.lower[pronoun:]
        return any(m.agrees(_kinds(tree.lower[pronoun])) and m.noun not in later for m in earlier)

    def antecedent(self, tree: Tree, pronoun: int) -> str | None:
        """What a pronoun refers to, or None where that is not clear."""
        found = self._mentioned(tree, pronoun)
        return found.name if found and not found.source else None

    def _mentioned(self, tree: Tree, pronoun: int) -> Mention | None:
        """What the pronoun refers to, if the binder accepts what the rules choose."""
        if pronoun not in self._bound:
            chosen = self._by_rules(tree, pronoun)
            if chosen and self._context is not None:
                choice = self._choice(tree, pronoun, chosen, self._context)
                chosen = chosen if self._binder.accepts(choice) else None
            self._bound[pronoun] = chosen
        return self._bound[pronoun]

    def _choice(self, tree: Tree, pronoun: int, chosen: Mention, context: Callable[[float], str]) -> Choice:
        """The choice of a phrase beside the nearest others that agree with the pronoun."""
        word = tree.lower[pronoun]
        verb = _clause_of(tree, pronoun)
        here = [m for m in reversed(self._here) if m.word < pronoun]
        here = [m for m in here if not _is_in_fronted_relative(tree, m.word, verb)]
        earlier = [m for m in self.mentions if self._sentence - REACH <= m.sentence < self._sentence]
        agreeing = list(dict.fromkeys(m.name for m in (*here, *earlier) if m.agrees(_kinds(word))))
        others = [name for name in agreeing if name != chosen.name][:MOST_OTHERS]
        start = min(m.start for m in (*here, *earlier, chosen) if m.name in (chosen.name, *others))
        wordings = {}
        for name in (chosen.name, *others):
            phrase_there = genitive(name) if tree.relation[pronoun] == "nmod:poss" else _definite(name)
            wording = replaced(tree.response, self._own_sentence, tree.spans[pronoun], phrase_there)
            wordings[name] = wording[:-1] + " the following." if wording.endswith(":") else wording
        nouns = re.findall(r"[\w'’-]+", (self.topic or "").lower())
        features = {
            "one_back": chosen.sentence == self._sentence - 1,
            "further_back": chosen.sentence < self._sentence - 1,
            "object": chosen.role == OBJECT,
            "oblique": chosen.role == OTHER,
            "acted_on": ROLES.get(tree.relation[pronoun], OTHER) == OBJECT,
            "possessive": tree.relation[pronoun] == "nmod:poss",
            "rivals": math.log1p(len(agreeing)),
            "topic": chosen.noun in nouns,
            "coordinated": " and " in chosen.name or " or " in chosen.name,
            "of": " of " in chosen.name,
            "personal": word in MASCULINE or word in FEMININE,
            "neuter": word in NEUTER,
            "they_of_one": word in PLURAL and chosen.kind == THING,
            "near": math.log1p(agreeing.index(chosen.name) if chosen.name in agreeing else len(agreeing)),
            "words": min(len(chosen.name.split()), MAX_NAME_WORDS) / MAX_NAME_WORDS,
        }
        plain = {name: float(value) for name, value in features.items()}
        return Choice(context(start), tree.spans[pronoun], wordings, plain)

    def _by_rules(self, tree: Tree, pronoun: int) -> Mention | None:
        """What the rules say. A second pronoun of its kind in another clause refers to the same."""
        word = tree.lower[pronoun]
        key = (*_kinds(word), "feminine" if word in FEMININE else "")
        earlier = self._said.get(key)
        if (
            earlier
            and earlier[0] < pronoun
            and word not in PLURAL
            and (tree.relation[earlier[0]] != "nmod:poss" or tree.relation[pronoun] == "nmod:poss")
            and (ROLES.get(tree.relation[earlier[0]]) != SUBJECT or ROLES.get(tree.relation[pronoun]) != OBJECT)
            and _clause_of(tree, earlier[0]) != _clause_of(tree, pronoun)
            and not is_impersonal(tree, pronoun)
        ):
            return earlier[1]
        if earlier and self._goes_on(tree, earlier[0], pronoun):
            return earlier[1]
        found = self._found(tree, pronoun)
        if not is_impersonal(tree, pronoun) and (key not in self._said or self._said[key][0] > pronoun):
            self._said[key] = (pronoun, found)
        if found is None:
            return None
        if word in MASCULINE | FEMININE:
            self._gender[found.name] = MASCULINE if word in MASCULINE else FEMININE
        return found

    def _goes_on(self, tree: Tree, earlier: int, pronoun: int) -> bool:
        """Whether a command tells what to do with the subject of its condition: "If they bite, part them"."""
        clause, verb = tree.head[earlier], _clause_of(tree, pronoun)
        case = tree.relation[clause] == "advcl" and tree.head[clause] == verb and clause < verb
        acts = ROLES.get(tree.relation[earlier]) == SUBJECT and ROLES.get(tree.relation[pronoun]) == OBJECT
        return case and acts and not tree.has(verb, "nsubj", "nsubj:pass")

    def _found(self, tree: Tree, pronoun: int) -> Mention | None:
        word = tree.lower[pronoun]
        governor = tree.head[pronoun]
        # "**Swimsuit:** it's accepted if the seal is whole", "**Post:** it takes three days"
        plain = self._labelled and pronoun == 0 and tree.relation[pronoun].startswith("nsubj")
        plain = plain and (tree.has(governor, "aux:pass") or tree.lower[governor] in TAKING)
        plain = plain and not tree.has(governor, "ccomp", "csubj", "csubj:pass", "xcomp")
        plain = plain and tree.lower[governor] not in ADVISED
        if word.endswith(("self", "selves")) or (word == "it" and not plain and is_impersonal(tree, pronoun)):
            return None
        told = OF_A_CLAUSE.match(tree.lower[governor]) and not tree.has(governor, "xcomp")  # "allow it to dry"
        if word == "it" and tree.relation[pronoun] == "obj" and told:
            return None
        paid = any(tree.lower[case] == "for" for case in tree.kids(pronoun, "case"))
        if word == "it" and paid and PAYING.fullmatch(tree.lower[governor]):
            return None  # "You can close the account, and they won't charge you for it"
        subjects = tree.kids(_clause_of(tree, pronoun), "nsubj", "nsubj:pass")
        if word in PLURAL and any(tree.lower[kid] == "those" and kid < pronoun for kid in subjects):
            return None  # "those under 12 need an adult with them"
        asked = kinds = _kinds(word)
        recent = [m for m in self.mentions if m.sentence >= self._sentence - 1]
        name_told = any(m.kind == NAME and m.role == SUBJECT for m in recent)  # it may be a person's
        if PERSON in kinds and not name_told and any(m.kind == PERSON for m in [*self._here, *self.mentions]):
            kinds = (PERSON,)
        before = [m for m in self._here if m.word < pronoun and not _is_within(tree, m.word, pronoun)]
        other = MALE if word in FEMININE else FEMALE if word in MASCULINE else None

        if word not in NEUTER and _is_below_who(tree, pronoun):
            return None  # "a widow who learns that her husband left"
        role = ROLES.get(tree.relation[pronoun], OTHER)
        leading = role == SUBJECT or tree.relation[pronoun] == "nmod:poss"
        verb = _clause_of(tree, pronoun)
        before = [m for m in before if not _is_in_participle(tree, m.word, verb)]
        before = [m for m in before if not _is_in_fronted_relative(tree, m.word, verb)]
        itself = self._names_of_subjects(tree, pronoun) if _owns_predicate(tree, pronoun) else set()

        def fits(mention: Mention) -> bool:
            known = not (other and other.search(mention.name)) and self._may_be(mention, word)
            return known and mention.name not in itself  # "Ines is his deputy": nobody is his own one

        before = [m for m in before if fits(m)]
        if role == SUBJECT:  # "Because its heart beats fast, it must eat": it is no heart
            before = [m for m in before if not _is_owned(tree, m.word, asked)]
        acts = [m for m in before if tree.relation[m.word] == "csubj" and m.agrees(kinds)]
        reason = any(tree.lower[kid] in ("because", "since") for kid in tree.kids(verb, "mark"))
        if role == SUBJECT and reason and acts and any(m not in acts and m.agrees(kinds) for m in before):
            return None  # "Moving to a new host didn't help, because it was slow"
        if word in PLURAL and _is_somebody(tree, pronoun) and not any(m.kind == MANY for m in before):
            return None  # "Anyone who is late is warned, and they may be barred"
        counted = [w for w in range(pronoun) if tree.lower[w] in QUANTITIES and tree.xpos[w] == "NNS"]
        if word in PLURAL and any(tree.relation[w] == "obj" for w in counted) and _is_passive(tree, pronoun):
            return None  # "You can carry over five days, and they have to be used by May"
        if self._is_unclear(self._sentence, asked, pronoun) and (role == SUBJECT or word in NEUTER):
            return None
        if role == SUBJECT and (
            any(tree.lower[w] in ORDINALS and tree.relation[w].startswith("nsubj") for w in range(pronoun))
        ):
            return None  # "The first is easy, and it ..."
        if role == SUBJECT and tree.relation[verb] == "acl:relcl" and any(m.word < verb for m in before):
            found = _only(before, kinds, (SUBJECT, OBJECT))  # "... their phones, where they are locked away"
        elif leading:
            found = _chosen(before, kinds, (SUBJECT,)) or _only(before, kinds, (SUBJECT, OBJECT))
        else:
            outside = [m for m in before if _clause_of(tree, m.word) != verb and not _is_timed(tree, m.word)]
            found = _only(outside, kinds, (OBJECT,)) or _only(outside, kinds, (SUBJECT, OBJECT, OTHER))
            acting = [m for m in outside if m.agrees(kinds) and m.role == SUBJECT]
            cause = verb if found is None else _clause_of(tree, found.word)
            effect = CAUSING.match(tree.lower[cause]) is not None and tree.has(cause, "nsubj")  # no "Raise the post"
            if effect and found and acting and word in NEUTER:
                return None  # "Coffee can cause insomnia, so children should not drink it"
            if found and _acts_on_itself(tree, verb, found, before):
                return None
            agreeing = [m for m in outside if m.agrees(kinds)]
            if (agreeing and not found) or any(m is not found and m.goal for m in agreeing):
                return None  # "Pour the syrup over the cake and let it cool"
        if role == SUBJECT and not any(m.agrees(kinds) for m in before):
            again = any(_kinds(tree.lower[other]) == asked for other in range(pronoun + 1, tree.size))
            if word in NEUTER | PLURAL and not again and _is_cataphoric(tree, verb, word in PLURAL):
                return None  # "Because it only moves heat, a heat pump uses little power"
            if tree.relation[verb] == "ccomp" and any(
                tree.upos[w] in NOMINAL for w in subject_heads(tree, tree.head[verb])
            ):
                return None  # "The contractor said it had not been told"
        if role == SUBJECT and tree.relation[verb] in ("conj", "advcl", "parataxis"):
            own = self._of_clause_before(tree, verb, before)
            agreeing = [m for m in own if m.agrees(kinds)]
            if _is_passive(tree, pronoun) and len({m.name for m in agreeing if m.role != OTHER}) > 1:
                return None  # "Teachers can grant extensions, but they have to be requested"
            if agreeing and tree.relation[verb] == "conj" and all(m.role == OTHER for m in agreeing):
                return None  # "They can ask for a refund, and it is usually granted"
        joined = self._in_clause_before(tree, verb, before, kinds) if role == SUBJECT else None
        found = joined or found
        rivals = (self._has_older_rival, self._has_nearer_rival)
        if found and role == SUBJECT and any(rival(tree, verb, found, kinds) for rival in rivals):
            return None
        if found:
            rival = word in NEUTER and found.kind == NAME and any(m.kind == THING and m.role == OBJECT for m in before)
            return None if rival else found  # "Ada cut the time to a second; before, it took a minute"
        if word in NEUTER and leading and any(m.role == SUBJECT and m.named for m in before):
            return None  # the name before it may be that of a company
        owners = self._owners_before(tree, pronoun) if word in MASCULINE | FEMININE else []
        if owners:
            return owners[0] if len(owners) == 1 and fits(owners[0]) else None
        for back in range(1, REACH + 1):
            if self._is_unclear(self._sentence - back, asked):
                return None  # an earlier pronoun of the kind already referred to nothing that is known
            earlier = [m for m in self.mentions if m.sentence == self._sentence - back]
            earlier = [m for m in earlier if fits(m)]
            if word in NEUTER and any(m.kind == THING and m.role == OBJECT for m in earlier):
                earlier = [m for m in earlier if m.noun not in CREWS]  # "The crew found a boat. It ..."
            if back > 1:
                earlier = [m for m in earlier if m.role == SUBJECT]
            if not any(m.agrees(kinds) for m in earlier):
                if word in PLURAL and any(m.kind == PERSON and not m.named and m.role != OTHER for m in earlier):
                    return None  # "Ask the person to sit down. Raise their legs"
                continue
            if tree.relation[pronoun] == "nsubj:pass" and kinds == (MANY,):
                leads = [m for m in earlier if m.role == SUBJECT and m.agrees(kinds)]
                others = [m for m in earlier if m.role != SUBJECT and m.kind == MANY]
                if others and leads and all(m.kind != MANY for m in leads):
                    return None  # "The school bought desks. They were delivered ..."
            if leading:
                found = _chosen(earlier, kinds, (SUBJECT,))
                if found is None and any(m.goal and m.agrees(kinds) for m in earlier):
                    return None  # "Pour the syrup over the cake. It ..."
                found = found or _only(earlier, kinds, (OBJECT,))
                if found is not None and _is_of_act(tree, verb, found):
                    return None
                named = _only([m for m in earlier if m.named], kinds)
                found = found or _only([m for m in earlier if m.again], kinds)
                return found or named or _only(earlier, kinds) or self._main_topic(word, kinds)
            told = not any(m.role == SUBJECT for m in earlier)  # "Clean the filter. Replace it ..."
            found = (_only(earlier, kinds, (OBJECT,)) if told else None) or _only(earlier, kinds)
            found = found or (None if told else _only(earlier, kinds, (SUBJECT, OBJECT)))
            return None if found and _acts_on_itself(tree, verb, found, before) else found
        return self._main_topic(word, kinds)

    def _has_older_rival(self, tree: Tree, verb: int, found: Mention, kinds: Sequence[str]) -> bool:
        """Whether the text went on about another thing: "It hung in the hall. When the guild was dissolved, it ..."."""
        clause = _clause_of(tree, found.word)
        fronted = tree.relation[clause] == "advcl" and tree.head[clause] == verb and clause < verb
        before = [m for m in self.mentions if m.sentence == self._sentence - 1 and m.again and m.role == SUBJECT]
        told = any(m.name == found.name and m.role == SUBJECT for m in self.mentions)
        new = not (found.again or found.named or told)
        return fronted and is_past(tree, clause) and new and any(m.agrees(kinds) for m in before)

    def _has_nearer_rival(self, tree: Tree, verb: int, found: Mention, kinds: Sequence[str]) -> bool:
        """Whether a reason may be that of a thing in its main clause: "this is not due to the mails, because they ..."

        "Add `-y` to `push`, because it now asks".
        """
        main = tree.head[verb]
        if not any(tree.lower[kid] == "because" for kid in tree.kids(verb, "mark")):
            return False
        own = [m for m in self._here if m.word < verb and main in (m.word, _clause_of(tree, m.word))]
        near = {m.name: m for m in own if m.agrees(kinds)}
        if found.name not in near:
            return bool(near)
        told = tree.has(main, "nsubj", "nsubj:pass")
        names = all(m.named or _is_code(tree, m.word) for m in near.values())
        return not told and len(near) > 1 and names

    def _owners_before(self, tree: Tree, pronoun: int) -> list[Mention]:
        """The people whose things stand in front of a pronoun: "It was Berg's first race since she broke a leg"."""
        owners = {
            tree.words[max([word, *tree.kids(word, "flat")])]
            for word in range(pronoun)
            if tree.relation[word] == "nmod:poss" and tree.upos[word] == "PROPN"
        }
        people = {m.name: m for m in self.mentions if m.kind == PERSON and m.name.split()[-1] in owners}
        return [replace(m, role=OBJECT, sentence=self._sentence) for m in people.values()]

    def _in_clause_before(
        self, tree: Tree, verb: int, before: Sequence[Mention], kinds: Sequence[str]
    ) -> Mention | None:
        """What the clause that this one is joined to names: "you may have one permit, and it costs ..."."""
        if tree.relation[verb] != "conj":
            return None
        own = self._of_clause_before(tree, verb, before)
        return _chosen(own, kinds, (SUBJECT,)) or _only(own, kinds, (OBJECT,))

    def _of_clause_before(self, tree: Tree, verb: int, before: Sequence[Mention]) -> list[Mention]:
        """Those of the mentions that stand in the clause that this one is joined to, or depends on."""
        first = tree.head[verb]
        previous = max((kid for kid in tree.kids(first, "conj") if kid < verb), default=first)
        subjects = subject_heads(tree, previous)  # "It takes no cards and has no bar, but it ..."
        return [m for m in before if _clause_of(tree, m.word) == previous or m.word in subjects]

    def _may_be(self, mention: Mention, pronoun: str) -> bool:
        """Whether no other pronoun said that the person is of the other gender."""
        known = self._gender.get(mention.name)
        return known is None or pronoun not in MASCULINE | FEMININE or pronoun in known

    def _main_topic(self, word: str, kinds: Sequence[str]) -> Mention | None:
        """The topic of the text, if the pronoun agrees with it."""
        topics = (m for m in self.mentions if m.name == self.topic and m.agrees(kinds) and self._may_be(m, word))
        return next(topics, None)

    def _is_mention(self, tree: Tree, word: int) -> bool:
        relation = tree.relation[word]
        if tree.lower[word] == "both" and relation in ROLES and not tree.children[word] and self.pair:
            return True
        if tree.lower[word] in QUANTITIES or (tree.lower[word] in PRONOUNS and relation not in ROLES):
            return False
        if tree.xpos[word] == "NN" and (_is_measured(tree, word) or _is_bare(tree, word)):
            return False
        timed = tree.upos[word] == "NUM" or (tree.upos[word] == "NOUN" and MEASURE_WORD.match(tree.lower[word]))
        if WEEKDAY.fullmatch(tree.words[word]) and relation != "nsubj":
            return False  # "won the vote on Sunday, and he ..."
        if timed and relation not in ROLES:
            return False  # "in May", "within two days": no pronoun stands for a time or a number
        if tree.lower[word] in PRONOUNS or relation in ("csubj", "csubj:pass"):
            return True
        if relation in ROLES or relation == "ROOT":
            return tree.upos[word] in NOMINAL or tree.lower[word] in ("anyone", "everyone", "someone", "anybody")
        if relation == "appos" and tree.upos[word] == "NOUN" and tree.upos[tree.head[word]] == "PROPN":
            return False  # it describes the name before it
        return relation in OTHER_RELATIONS and tree.upos[word] in NOMINAL

    def _is_bare_definite(self, tree: Tree, head: int) -> bool:
        definite = any(tree.lower[kid] in ("the", "this") for kid in tree.kids(head, "det"))
        ignored = ("det", "punct", "case", "nsubj", "cop")
        return definite and all(tree.relation[kid] in ignored for kid in tree.children[head])

    def _mention(self, tree: Tree, head: int) -> Mention | None:
        if tree.relation[head] in ("csubj", "csubj:pass"):
            clause = phrase(tree, tree.subtree(head, ("punct", "mark"))).text
            short = 1 < len(clause.split()) <= MAX_NAME_WORDS and tree.xpos[head] == "VBG"
            return Mention(clause, THING, SUBJECT, self._sentence, head) if short else None
        if tree.lower[head] == "both" and self.pair:
            name = " and ".join(self.pair)
            return Mention(name, MANY, ROLES.get(tree.relation[head], OTHER), self._sentence, head)
        noun = phrase(tree, noun_words(tree, head, without=("acl:relcl", "acl")))
        noun = self.resolve(tree, head, noun)
        clauses = [kid for kid in tree.kids(head, "acl:relcl", "acl") if is_restrictive(tree, kid)]
        if clauses and not noun.resolved and tree.upos[head] == "NOUN" and tree.relation[head] in ROLES:
            noun = phrase(tree, noun_words(tree, head))  # "jobs that are stored as XML", not all jobs
        name = FOCUS.sub("", noun.text)
        parts = name.split()
        if parts and parts[0].lower() in ("no", "neither", "nobody", "nothing", "none"):
            self._leave_unclear(head, (MANY,))
            return None
        if len(parts) > MAX_NAME_WORDS and tree.relation[head] in ROLES:
            self._leave_unclear(head, (MANY,) if tree.xpos[head] == "NNS" else (THING, NAME))
        if len(name) < 2 or len(parts) > MAX_NAME_WORDS or tree.relation[head] == "obl:unmarked":
            return None
        if ARROWS & set(parts) or tree.lower[head] in ("care", "caution"):
            return None  # "People > Invite" is a place in a menu, "extra care" nothing that "it" stands for
        named, word = tree.upos[head] == "PROPN", tree.lower[head]
        if tree.upos[head] == "PRON" and tree.lower[head] in PRONOUNS:
            if not noun.resolved:
                if not tree.lower[head].endswith(("self", "selves")):
                    self._leave_unclear(head, _kinds(tree.lower[head]))
                return None
            kind = _kinds(tree.lower[head])[0]
            bound = self._bound.get(head)
            word = bound.noun if bound is not None else word
        elif named:
            title = tree.emphasis(min(noun_words(tree, head))) in ITALICS  # "*Winter Orchard* follows Liisa"
            kind = THING if title else _kind_of_name(tree, head, name)
            agent = head if tree.relation[head] != "conj" else tree.head[head]
            if kind == NAME and any(tree.lower[kid] == "by" for kid in tree.kids(agent, "case")):
                kind = PERSON  # "written by Boublil"
            if kind in (PERSON, NAME) and any(
                tree.lower[kid] in ("in", "at", "near", "into", "towards") for kid in tree.kids(head, "case")
            ):
                kind = THING  # a place
            if kind == THING and not {"or", "and"} & set(parts) and 2 <= len(parts) <= 7:
                self.nouns.setdefault(parts[-1].lower(), name)
            if kind == PERSON and len(parts) >= 2:
                self.full_names.setdefault(parts[-1], name)
            elif len(parts) >= 2:
                self._shared_names.add(parts[0])  # "Brenwick" may be Brenwick Tools, or Levi Brenwick
        elif PERSON_NOUN.search(tree.lower[head]):
            kind = MANY if tree.xpos[head] == "NNS" else PERSON
        else:
            kind = MANY if tree.xpos[head] == "NNS" or tree.lower[head] in MANY_NOUNS else THING
        if tree.has(head, "conj") and tree.relation[head] in ROLES:
            kind = MANY
            name = phrase(tree, tree.subtree(head, ("acl:relcl", "appos"))).text
            if len(name.split()) > MAX_NAME_WORDS:
                return None
        if kind in (PERSON, NAME) and len(parts) == 1 and named and name in self.full_names:
            if name in self._shared_names:
                self._leave_unclear(head, (THING, NAME))
                return None
            name, kind = self.full_names[name], PERSON
        role = ROLES.get(tree.relation[head], OTHER)
        if tree.relation[head] == "ROOT":
            role = OTHER
        source = bool(SOURCE_NOUN.fullmatch(tree.words[head]))
        group = kind == THING and tree.lower[head] in GROUP_NOUNS
        goal = _is_goal(tree, head)
        the = any(tree.lower[kid] == "the" for kid in tree.kids(head, "det"))
        definite = tree.upos[head] == "NOUN" and (the or (kind == THING and tree.has(head, "det")))
        again = tree.upos[head] == "PRON"
        return Mention(name, kind, role, self._sentence, head, named, source, group, goal, word, definite, again)


def _is_measured(tree: Tree, noun: int) -> bool:
    """ "half an hour", "one day": a quantity, which no pronoun stands for."""
    counted = any(tree.lower[kid] in ("half", "one", "another") for kid in tree.children[noun])
    return counted and bool(MEASURE_WORD.match(tree.lower[noun] + "s"))


def _is_goal(tree: Tree, noun: int) -> bool:
    """Where something is put in an instruction: "over the cake"."""
    told = tree.relation[noun] == "obl" and not tree.has(tree.head[noun], "nsubj", "nsubj:pass")
    return told and any(tree.lower[case] in ("over", "onto") for case in tree.kids(noun, "case"))


def _is_amount(tree: Tree, noun: int) -> bool:
    """ "1.5 litres of water": "it" may stand for the water."""
    counted = tree.xpos[noun] == "NNS" and (tree.lower[noun] in QUANTITIES or tree.has(noun, "nummod"))
    parts = [kid for kid in tree.kids(noun, "nmod") if tree.upos[kid] != "PRON"]
    return counted and any(tree.lower[case] == "of" for kid in parts for case in tree.kids(kid, "case"))


def _is_bare(tree: Tree, noun: int) -> bool:
    """ "in favour", "by car": a noun of an idiom."""
    described = ("det", "amod", "compound", "nmod", "nmod:poss", "nummod", "acl", "acl:relcl")
    idiom = tree.upos[noun] == "NOUN" and tree.has(noun, "case") and not tree.has(noun, *described)
    return idiom and not _is_code(tree, noun)


def _is_code(tree: Tree, word: int) -> bool:
    """Whether a word is written as code: "Add it to `push`"."""
    start = tree.spans[word].start
    return "`" in tree.response[max(0, start - 1) : start + 1]


def _is_timed(tree: Tree, noun: int) -> bool:
    """ "after the first term", "during the visit": where a time begins or ends is not what is acted on."""
    cases = {tree.lower[kid] for kid in tree.kids(noun, "case")}
    return tree.relation[noun] == "obl" and bool(cases & {"after", "before", "during", "until", "since"})


def _kinds(pronoun: str) -> tuple[str, ...]:
    if pronoun in MASCULINE or pronoun in FEMININE:
        return (PERSON, NAME)
    if pronoun in PLURAL:
        return (MANY,)
    return (THING, NAME) if pronoun in NEUTER else ()


def _chosen(mentions: Iterable[Mention], kinds: Sequence[str], roles: Sequence[str]) -> Mention | None:
    """The first of the phrases that agree."""
    return next((m for m in mentions if m.agrees(kinds) and m.role in roles), None)


def _only(mentions: Iterable[Mention], kinds: Sequence[str], roles: Sequence[str] = ()) -> Mention | None:
    """The phrase that agrees, if there is only one."""
    found = {m.name: m for m in mentions if m.agrees(kinds) and (not roles or m.role in roles)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_own(tree: Tree, pronoun: int, head: int, subject: bool) -> bool:
    """Whether a possessive stays as it is, since its owner stands in the same claim.

    "students who leave their bags" are the owners; so are the subject "both" and the indirect object of the verb.
    """
    word = pronoun
    while word != head and tree.head[word] != word:
        if tree.relation[word] in ("acl:relcl", "acl"):
            return tree.relation[pronoun] == "nmod:poss"
        word = tree.head[word]
    if subject or tree.relation[pronoun] != "nmod:poss":
        return False
    verb = _clause_of(tree, head)
    if tree.relation[verb] == "xcomp" and tree.has(tree.head[verb], "obj"):
        return True  # "allowed the company to double its output"
    return any(tree.lower[kid] in INDEFINITE for kid in subject_heads(tree, verb)) or tree.has(verb, "iobj")


def _is_predicate(tree: Tree, head: int) -> bool:
    """Whether the phrase is what a form of "be" says of its subject."""
    return tree.has(head, "cop") or (tree.relation[head] == "conj" and tree.has(tree.head[head], "cop"))


def _owns_predicate(tree: Tree, pronoun: int) -> bool:
    """Whether the subject is what the pronoun owns: "Ines is his deputy", not "Ines is in her office"."""
    noun = tree.head[pronoun]
    return tree.relation[pronoun] == "nmod:poss" and tree.has(noun, "cop") and not tree.has(noun, "case")


def _of(pronoun: str, name: str, reference: Phrase) -> Phrase:
    """ "their resistance" of a name with words behind its noun: "resistance of cells with additive A"."""
    before, _, noun = re.split(rf"(\b{pronoun}\b )", reference.text, maxsplit=1, flags=re.IGNORECASE)
    named = name[:1].lower() + name[1:]
    the = "the " if before else ""
    text = f"{before}{the}{noun} of {named}"
    return replace(reference.as_resolved(text), wording=f"{before}the {noun} of {_definite(named)}")


def _definite(name: str) -> str:
    """The phrase of a thing with an article, as it stands inside another phrase: "most of the pump"."""
    first = name.partition(" ")[0]
    if first.lower() in UNITS:  # "Three phones" at the start of a sentence
        return f"the {name[:1].lower()}{name[1:]}"
    return f"the {name}" if first.islower() and first not in DETERMINERS else name


def _clause_of(tree: Tree, word: int) -> int:
    """The verb or predicate that a phrase belongs to."""
    head = tree.head[word]
    while (
        (tree.upos[head] in NOMINAL or tree.relation[head] in ARGUMENTS)  # "pays for all of it"
        and tree.head[head] != head
        and not tree.has(head, "cop")
    ):
        head = tree.head[head]
    return head


def _is_in_participle(tree: Tree, word: int, verb: int) -> bool:
    """Whether the word stands in a participle in front of the clause: "Narrated by a lodger, it follows ..."."""
    while tree.head[word] != word and tree.head[word] != verb:
        word = tree.head[word]
    participle = tree.relation[word] == "advcl" and tree.xpos[word] in ("VBN", "VBG") and word < verb
    return participle and not tree.has(word, "mark", "nsubj", "nsubj:pass", "aux", "aux:pass", "cop")


def _is_in_fronted_relative(tree: Tree, word: int, verb: int) -> bool:
    """Whether the word only describes a phrase in front: "According to Ada Berg, who heads the office, it ..."."""
    described = False
    while tree.head[word] not in (word, verb):
        described = described or tree.relation[word] == "acl:relcl"
        word = tree.head[word]
    return described and tree.relation[word] == "obl" and word < verb


def _is_of_limit(tree: Tree, noun: int) -> bool:
    """Whether a noun is the subject of a clause behind a command: "Send the form in before the term ends"."""
    clause, root = tree.head[noun], tree.root()
    behind = root is not None and tree.xpos[root] == "VB" and root < noun and not tree.has(root, "nsubj", "nsubj:pass")
    return behind and ROLES.get(tree.relation[noun]) == SUBJECT and tree.relation[clause] == "advcl"


def _is_owned(tree: Tree, noun: int, kinds: Sequence[str]) -> bool:
    """Whether a pronoun of the kinds owns the noun: "its heart"."""
    return any(_kinds(tree.lower[kid]) == tuple(kinds) for kid in tree.kids(noun, "nmod:poss"))


def _is_below_who(tree: Tree, pronoun: int) -> bool:
    """Whether the pronoun stands in a clause of which "who" is the subject."""
    word = pronoun
    while tree.head[word] != word:
        word = tree.head[word]
        if any(tree.lower[kid] == "who" and kid < pronoun for kid in tree.kids(word, "nsubj", "nsubj:pass")):
            return True
    return False


def _is_cataphoric(tree: Tree, clause: int, many: bool) -> bool:
    """Whether a clause stands in front of a main clause with a noun as its subject: its pronoun may mean that noun.

    `many`: the pronoun is a plural.
    """
    main = tree.head[clause]
    subjects = [kid for kid in tree.kids(main, "nsubj", "nsubj:pass") if kid > clause]
    subjects = [kid for kid in subjects if not many or is_many(tree, kid)]
    return tree.relation[clause] == "advcl" and any(tree.upos[kid] in NOMINAL for kid in subjects)


def _is_passive(tree: Tree, subject: int) -> bool:
    """Whether something is done to the subject: "it was sold", "they have to be requested"."""
    verb = tree.head[subject]
    return tree.relation[subject] == "nsubj:pass" or any(tree.has(kid, "aux:pass") for kid in tree.kids(verb, "xcomp"))


def _is_somebody(tree: Tree, pronoun: int) -> bool:
    """Whether "anyone" or "someone" is a subject in front of the pronoun."""
    return any(tree.lower[word] in SOMEBODY and tree.relation[word].startswith("nsubj") for word in range(pronoun))


def _is_within(tree: Tree, head: int, pronoun: int) -> bool:
    """Whether the pronoun is part of the phrase: "the shop and its owner" does not own itself."""
    word = pronoun
    while tree.head[word] != word:
        word = tree.head[word]
        if word == head:
            return tree.relation[pronoun] != "nsubj" and tree.upos[head] in NOMINAL and not tree.has(head, "cop")
    return False


def is_impersonal(tree: Tree, pronoun: int) -> bool:
    """Whether "it" refers to nothing: "it is clear that ...", "it can be inferred that ..."."""
    verb = tree.head[pronoun]
    if tree.relation[pronoun] == "expl":
        return True
    if tree.relation[pronoun] == "obj" and tree.lower[verb] in ("make", "makes", "made", "making"):
        result = tree.words[pronoun + 1 : pronoun + 4]  # "2-1" may be three words
        if any(SCORE.fullmatch("".join(result[:length])) for length in (1, 3)):
            return True  # "Ada Berg made it 2-1"
    if not tree.relation[pronoun].startswith("nsubj"):
        return False
    if is_cleft(tree, verb):
        return True
    if tree.lower[verb] in ("help", "helps") and any(_is_done_by_people(tree, kid) for kid in tree.kids(verb, "xcomp")):
        return True
    if tree.lower[verb] in TAKING and tree.has(verb, "csubj", "advcl", "xcomp"):
        return True  # "It may take a week for the seeds to sprout"
    modal = any(tree.xpos[kid] == "MD" for kid in tree.kids(verb, "aux"))
    leads = [mark for kid in tree.kids(verb, "advcl") for mark in tree.kids(kid, "mark")]
    of_case = any(tree.lower[lead] in ("if", "when") for lead in leads)
    if modal and of_case and SIGNALLING.match(tree.lower[verb]):
        return True  # "If the leaves turn yellow, it may be a sign of mould"
    if tree.has(verb, "cop") and tree.lower[verb] in WEATHER:
        return True
    if tree.has(verb, "cop") and tree.lower[verb] == "time" and tree.has(verb, "acl", "csubj", "advcl"):
        return True  # "it may be time to replace them"
    if tree.lower[verb] in TAKING and any(
        tree.lower[kid] in ("long", "longer", "while", "time") for kid in tree.kids(verb, "advmod", "obj", "xcomp")
    ):
        return True  # "It can take longer in December"
    if tree.upos[verb] == "ADJ" or tree.has(verb, "aux:pass"):
        clauses = tree.kids(verb, "ccomp", "csubj", "csubj:pass", "advcl", "xcomp")
        marks = {tree.lower[mark] for kid in clauses if kid > verb for mark in tree.kids(kid, "mark")}
        pointing = {"that", "whether", "if"} if tree.has(verb, "aux:pass") else {"that", "whether", "if", "to"}
        behind = [kid for kid in tree.kids(verb, "obl", "obl:unmarked") if kid > verb]
        if any(MEASURE_WORD.match(tree.lower[kid]) for kid in behind):
            pointing = pointing - {"if"}  # "it could be open again in May if the parts arrive"
        if tree.lower[verb] in ADVISED:
            return True
        if tree.lower[verb] in ("likely", "unlikely", "able", "ready", "due", "bound", "meant", "supposed"):
            pointing = pointing - {"to"}  # "it is likely to be cooked"
        return bool(marks & pointing) or tree.has(verb, "ccomp", "csubj")
    return tree.lower[verb] in ("seems", "appears", "sounds", "looks", "depends", "rains", "snows", "takes", "turns")


def _is_done_by_people(tree: Tree, infinitive: int) -> bool:
    """ "it may help to rest", "to take the tablet": no thing does that."""
    to = any(tree.lower[kid] == "to" for kid in tree.kids(infinitive, "mark"))
    return to and (not tree.has(infinitive, "obj", "ccomp", "xcomp") or tree.lower[infinitive] in TREATING)


def _is_of_act(tree: Tree, verb: int, found: Mention) -> bool:
    """Whether a price may be that of what is done: "You can change your booking. It costs €20"."""
    return found.role == OBJECT and found.name.lower().startswith("your ") and tree.lower[verb] in ("free", "costs")


def _acts_on_itself(tree: Tree, verb: int, found: Mention, before: Sequence[Mention]) -> bool:
    """Whether what was found is the subject of the verb: "Ngozi proposed capping it"."""
    subjects = subject_heads(tree, verb)
    return any(mention.name == found.name for mention in before if mention.word in subjects)


def _whose_noun(tree: Tree, whose: int) -> int | None:
    """The noun that "whose ..." modifies."""
    word = whose
    while tree.head[word] != word and tree.relation[word] != "acl:relcl":
        word = tree.head[word]
    return tree.head[word] if tree.relation[word] == "acl:relcl" else None


def _whose(tree: Tree, whose: int) -> str | None:
    noun = _whose_noun(tree, whose)
    if noun is not None and tree.has(noun, "cop") and (subjects := subject_heads(tree, noun)):
        noun = subjects[0]  # "Tom Reed is an actor whose career ..."
    return None if noun is None else phrase(tree, noun_words(tree, noun, without=("acl:relcl",))).text or None


def _pair(tree: Tree, discourse: Discourse) -> tuple[str, str] | None:
    """Two phrases that a sentence names side by side ("the Aria and the Aria Plus")."""
    for word in range(tree.size):
        others = tree.kids(word, "conj")
        named = len(others) == 1 and tree.upos[word] == tree.upos[others[0]] == "PROPN"
        if not named and ROLES.get(tree.relation[word]) != SUBJECT:
            continue  # "needs moisture and heat" is no pair that "both" means
        if tree.upos[word] in NOMINAL and len(others) == 1 and tree.upos[others[0]] in NOMINAL:
            first, second = (
                phrase(tree, noun_words(tree, one, without=("conj", "cc"))).text for one in (word, others[0])
            )
            asked = first.lower().startswith(("which", "what", "who", "how"))
            if first and second and not asked and len(first.split()) <= 6 and len(second.split()) <= 6:
                return first, second
    here = [m for m in discourse.mentions if m.sentence == discourse._sentence and m.role == SUBJECT]
    names = list(dict.fromkeys(m.name for m in here if m.named or m.name[:1].isupper()))
    if len(names) != 2 and {"while", "whereas"} & set(tree.lower):
        names = list(dict.fromkeys(m.name for m in here))  # "OLED panels are thin, while mini-LED sets are bright"
    return (names[0], names[1]) if len(names) == 2 else None


def _kind_of_name(tree: Tree, head: int, name: str) -> str:
    parts = name.split()
    if tree.xpos[head] == "NNPS":
        return MANY
    described = any(PERSON_NOUN.search(tree.lower[kid]) for kid in tree.kids(head, "compound", "flat"))
    described = described or bool(PERSON_NOUN.search(tree.lower[head]))
    if described and any(part[:1].isupper() for part in parts) and not NOT_A_PERSON.search(name):
        return PERSON  # "Kenyan runner Joseph Arusei"
    person = (
        len(parts) <= 4
        and not NOT_A_PERSON.search(name)
        and all(part[:1].isupper() or part in NAME_PARTICLES for part in parts)
        and not tree.has(head, "det")
        and not re.search(r"\d", name)
    )
    if (
        tree.relation[head].startswith("nsubj")
        and tree.upos[tree.head[head]] == "NOUN"
        and tree.has(tree.head[head], "cop")
        and not tree.has(tree.head[head], "case")  # "is for visitors"
    ):
        if PERSON_NOUN.search(tree.lower[tree.head[head]]):
            return PERSON
        if len(parts) == 1 or NOT_A_PERSON.search(tree.lower[tree.head[head]]):
            return THING  # "Optimus is a robot", "Cafe Luna is a restaurant"
    if len(parts) == 1 and person:
        return NAME
    return PERSON if person else THING


def _answered(name: str) -> str:
    """A phrase of a question as its answer says it: "My daughter" -> "your daughter"."""
    return OF_SPEAKER.sub("your", name)


def _is_requested(name: str) -> bool:
    """Whether a phrase of a request is the request itself, or a text: "Summarise", "a summary of the article"."""
    parts = name.lower().split()
    return parts[0] in REQUESTS or any(word in REQUESTED_TEXTS for word in parts[:3])
