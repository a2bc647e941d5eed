"""Triplets from the clauses of a parsed sentence.

Every verbal or copular clause gives its subject a predicate and an object: direct objects, oblique phrases (the
preposition joins the predicate), predicate nouns and adjectives, complements. Coordinated phrases are distributed,
appositions and participles become claims of their own. Clauses that the sentence does not assert ("whether", "if",
"denied that") make no claim.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby

from graph_eval.extractors.rules.asides import LIFE_EVENTS, appositions, brackets
from graph_eval.extractors.rules.coreference import Discourse, is_impersonal
from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import (
    COLLECTIVE,
    CONNECTIVE,
    DISCOURSE,
    GROUP_NOUNS,
    INTRANSITIVE,
    JOINING,
    LABILE,
    MANY_NOUNS,
    MEASURE_WORD,
    MOVING,
    PERSON_NOUN,
    PLURAL,
    QUANTITIES,
    RELATIVE,
    SOURCE_NOUN,
    STATE,
    TOGETHER,
)
from graph_eval.extractors.rules.phrases import (
    NOTHING,
    Phrase,
    coordinated,
    full_phrase,
    function_phrase,
    inferred,
    is_comparison,
    is_restrictive,
    join,
    late_auxiliaries,
    noun_words,
    phrase,
    stays_whole,
    verb_words,
    without_clauses,
    words_before_case,
)
from graph_eval.extractors.rules.standalone import (
    is_cut_quotation,
    is_elliptic,
    is_of_source,
    is_part,
    is_unresolved,
    points_to_list,
)
from graph_eval.extractors.rules.syntax import (
    DUTIES,
    GETTING,
    alternatives,
    first_of,
    gap_after,
    in_chain,
    is_alternative,
    is_clause,
    is_condition,
    is_exception,
    is_finite,
    is_imperative,
    is_light,
    is_many,
    is_past,
    is_question,
    is_rejected,
    is_result,
    is_skipped,
    is_unasserted,
    names_source,
    place_of,
    relative_gap,
    shared_object,
    stays_with_noun,
    subject_heads,
)
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.wording import (
    ARE,
    HAS_BEEN,
    HAVE_BEEN,
    IS,
    STATIVE,
    TOLD,
    WAS,
    WERE,
    past,
    present,
    singular_form,
)
from graph_eval.text.quantities import MONTH_NAMES

MAX_OBJECT_WORDS = 6  # of an object inside the predicate of an oblique phrase
MAX_MODIFIER_WORDS = 20  # of the oblique phrases of one claim; more are claims of their own
OTHER_CLAUSES = ("conj", "advcl", "parataxis", "acl", "acl:relcl", "ccomp")
FIXED = (  # bare nouns behind a preposition that make an adverb
    "under control",
    "on hold",
    "in place",
    "on fire",
    "in force",
    "into force",
    "into effect",
    "on trial",
    "in custody",
    "on sale",
    "to death",
    "to sleep",
    "to light",
    "to life",
    "to power",
    "in charge",
    "to court",
    "to trial",
    "on display",
    "in front",
    "at risk",
    "above all",
    "in danger",
    "on average",
    "on foot",
    "on request",
    "on demand",
    "in writing",
    "in total",
    "in person",
    "in advance",
    "in touch",
    "in mind",
    "in cash",
    "in full",
    "in private",
    "in public",
    "on time",
    "for free",
    "in favour",
    "in favor",
    "without exception",
    "without delay",
)
ADVERBIAL = ("random", "once", "most", "least", "first", "last", "best", "worst", "all", "present")  # behind "at"
MEANS = (
    "hand",
    "mail",
    "email",
    "e-mail",
    "phone",
    "post",
    "air",
    "car",
    "bus",
    "train",
    "default",
    "law",
)  # behind "by"
EXCLUSIVE = ("entirely", "only", "solely", "exclusively", "mainly", "partly", "largely")  # of all that follows
LATE_NEGATION = re.compile(r"^(can|could|may|might|must|should|will|would|need) (be|have been|have) not\b")
CREATED = frozenset(
    """built directed composed painted invented discovered launched opened signed bought sold acquired adopted
    appointed elected""".split()
)
SENT = frozenset("sent placed received issued posted paid made given delivered shipped".split())
MADE_BY = ("designed", "written", "created", "narrated")  # once and for all, where the maker is named
RANKED = ("only one", "first", "last", "first one", "last one")
ALL_BUT = ("all", "every", "none", "nobody", "nothing", "everyone", "everything")
OF_WHAT = re.compile(
    r"(?:acquit|clear|convict|accus|depriv|suspect|rob|strip|relieve|cur|inform|remind|assur|warn|notif|rid|consist|dispos)"
)
PREPOSITIONAL = re.compile(  # a verb and the preposition of what it acts on
    r"deal(?:s|t|ing)? with|(?:cop|compl|disagre)\w+ with|(?:ask|wait|hop|search|appl|account|vot|car)\w+ for"
    r"|(?:vot|decid|argu|campaign|protest|appeal|advis)\w+ against"
    r"|(?:rel|depend|insist|focus|concentrat|comment)\w+ on|(?:object|respond|react|belong|amount)\w* to"
    r"|(?:stay|remain)\w* (?:in|at|on|with)"
    r"|consist\w* of|(?:believ|invest|participat)\w+ in|look\w* (?:at|for|after|into)"
)
SUMMING = re.compile(r"(?:cost|weigh|total|rais|earn|generat|amount)(?:e|s|es|ed|ing)?")  # with an amount
ALL_OF_THEM = frozenset("only main chief principal primary major key remaining sole".split())
SHARES = frozenset("% percent half majority most".split())
MONTHS = frozenset(map(str.capitalize, MONTH_NAMES))  # not "may"
BEFORE_YEARS = ("in", "of", "since", "until", "by", "from", "between", "and", ",", *MONTH_NAMES)
YEAR = re.compile(r"1\d\d\d|20[01]\d|202[0-5]")
RULE = {"obl:agent": "agent", "obl:unmarked": "time"}
LIKEWISE = ("so", "as")
LENGTHENING = re.compile(r"(?:lengthen|shorten|worsen|delay)(?:s|ed)?")  # what no thing does by itself
AS_ASKED = re.compile(r"(?:requir|ask|expect|promis|instruct|advis|recommend|want|wish|intend|prescrib)(?:e|s|es|ed)?")
DO = ("do", "does", "did")
USUAL = frozenset("case custom habit norm plan practice rule tradition".split())
LEADING = ("unlike", "like", "based", "compared", "besides")  # in front of a clause: of what was said before
TIMES_OF_YEAR = frozenset("spring summer autumn winter season month".split())
SHARED_TIMES = ("from", "till", "in", "on", "at", "during", "after", "between")
DAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun|week|holi)days?|weekends?")
DISTANCE = re.compile(r"(?:kilo|centi|milli)?met(?:er|re)s?|[kcm]m|miles?|feet|inch(?:es)?|yards?|percent|%|[$€£]")
JOINTS = frozenset(  # behind "in", "at" and "on" they tell no place
    "addition return response contrast fact turn particular comparison theory practice short general paper".split()
)
LATER = frozenset("then later afterwards eventually soon never again finally subsequently still".split())
MAY_EXCEPT = ("obl", "obl:agent", "obl:unmarked", "advmod")
LATIN_PLURAL = re.compile(r"\w+(?:[^aeiou]i|ae|data|media|teria)")
MAX_CLAUSAL_SUBJECT = 12  # words
MAX_CHAIN_DEPTH = 4  # "began to try to learn to ..."
OUTSIDE_PREDICATE = (
    "nsubj nsubj:pass cop aux mark advcl parataxis punct csubj expl discourse nsubj:outer cc:preconj ccomp appos "
    "acl:relcl vocative"
).split()


class ClauseRules:
    """The triplets of one sentence. `discourse` resolves references. `run` adds the entities of the sentence to it."""

    def __init__(self, tree: Tree, discourse: Discourse) -> None:
        self.tree = tree
        self.discourse = discourse
        self.drafts: list[Draft] = []
        self.done: set[int] = set()
        self.condition = NOTHING  # of the clause that is read
        self.tail = NOTHING  # the alternatives of the clause that is read: "or write to us"
        self.joined: dict[int, list[int]] = {}  # verb -> words of another that are part of its predicate

    def run(self) -> list[Draft]:
        """The drafts of all clauses, appositions and brackets, in order. Call it once."""
        tree = self.tree
        self.discourse.begin(tree)
        echoes = [echo for word in range(1, tree.size - 2) if (echo := self._echo(word))]
        self.done.update(word for echo in echoes for word in range(echo[0], echo[1] + 1))
        for verb in range(tree.size):
            if verb in self.done or not is_clause(tree, verb):
                continue
            if verb in self.joined or not is_skipped(tree, verb):
                self._clause(verb)
        for echo in echoes:
            self._repeat(*echo)
        self._gaps()
        self.drafts += appositions(tree, self.discourse)
        self.drafts += brackets(tree, self.discourse, self.drafts)
        self.discourse.sentence_read(tree)
        opens_list = ":" in tree.words[-2:]
        drafts = [
            draft
            for draft in self.drafts
            if draft.wording.strip()
            and not is_cut_quotation(draft.wording)
            and not self._is_cut(draft)
            and (not is_unresolved(draft) or (opens_list and points_to_list(draft)))
        ]
        said = {word for draft in self.drafts for word in tree.within(draft.object.spans + draft.predicate.spans)}
        drafts = [draft for draft in drafts if not is_of_source(draft) and not self._says_too_little(draft, said)]
        drafts = [draft for draft in drafts if opens_list or not is_elliptic(draft)]
        drafts = [self._agreeing(finite) for draft in drafts if (finite := self._finite(draft)) is not None]
        return [draft for draft in drafts if not any(is_part(draft, other) for other in drafts)]

    def _is_cut(self, draft: Draft) -> bool:
        """Whether words in front of a part, or behind it, would change what it says."""
        tree = self.tree
        subject, target = tree.within(draft.subject.spans), tree.within(draft.object.spans)
        but = subject[0] - 1 if subject and subject[0] > 1 and tree.lower[subject[0] - 1] == "but" else None
        joined = but is not None and tree.upos[tree.head[but]] in ("VERB", "AUX")  # "She blamed everyone but Tom left"
        if but is not None and not joined and tree.lower[but - 1] in ALL_BUT:
            return True  # "All but two of them were saved"
        said = {*target, *tree.within(draft.predicate.spans)}
        if "whichever" in tree.lower:
            place = tree.lower.index("whichever")
            if place not in said and said and min(said) < place < max(said):
                return True  # "€10 or 20%, whichever is higher, for each day"
        behind = max(target, default=tree.size) + 1
        if "whatever" in (tree.lower[word] for word in target) and tree.upos[behind : behind + 1] == ["VERB"]:
            return True  # "at whatever rate applies then"
        if any(word and tree.lower[word - 1] == "how" and word - 1 not in said for word in target):
            return True  # "disagree about how much"
        last = max(target, default=tree.size)
        only = draft.rule == "copula" and draft.object.text.lower() in RANKED
        return only and tree.lower[last + 1 : last + 2] == ["to"]  # "the only one to have been visited"

    def _says_too_little(self, draft: Draft, said: Collection[int]) -> bool:
        """Whether a claim without an object leaves out what limits it: "sat (as they would for a week)".

        `said`: the words of all claims of the sentence.
        """
        tree = self.tree
        if draft.rule != "existential" and (draft.rule != "intransitive" or draft.object.text):
            return False
        verbs = [word for word in tree.within(draft.predicate.spans) if tree.upos[word] in ("VERB", "AUX")]
        if not verbs or tree.relation[verbs[-1]] in ("cop", "aux", "aux:pass"):
            return False
        verb = verbs[-1]
        ways = [kid for kid in tree.kids(verb, "advcl") if self._is_way(kid) or kid == verb + 1]  # "lies hidden"
        things = [
            kid
            for kid in tree.kids(verb, "obj", "obl")
            if tree.upos[kid] in (*NOMINAL, "NUM") and not self._is_source(kid) and not is_exception(tree, kid)
        ]
        return any(kid > verb and kid not in said for kid in (*ways, *things))

    def _finite(self, draft: Draft) -> Draft | None:
        """A participle that opens its predicate as a verb: "becoming" -> "became", "widened" -> "was widened".

        None where its tense is not clear: "It is compressed, raising its temperature".
        """
        tree = self.tree
        words = [word for word in tree.within(draft.predicate.spans[:1]) if tree.upos[word] != "ADV"]
        said = draft.predicate.text
        if not words or draft.predicate.inferred or tree.lower[words[0]] not in said.lower().split(" ")[:2]:
            return draft
        first = words[0]
        having = tree.lower[first] == "having" and tree.relation[first] == "aux"
        verb = tree.head[first] if having else first
        relation, above = tree.relation[verb], tree.head[verb]
        if relation == "conj" and tree.xpos[above] == tree.xpos[verb] == "VBG":
            relation, above = tree.relation[above], tree.head[above]
        reduced = tree.relation[above] in ("acl", "advcl") and tree.xpos[above] == "VBN"
        joined = relation == "conj" and reduced and not tree.has(above, "aux", "aux:pass", "mark")
        bare = tree.xpos[first] in ("VBN", "VBD") and not tree.has(first, "obj", "aux", "aux:pass")
        if joined and bare:
            return replace(draft, predicate=draft.predicate.as_resolved(f"{self._copula_of(above)} {said}"))
        if tree.xpos[first] != "VBG" or (not having and tree.has(first, "aux", "aux:pass", "cop")):
            return draft
        stated = tree.lower[first] in STATIVE
        if relation == "acl" and not stated:
            return replace(draft, predicate=draft.predicate.as_resolved(f"{self._copula_of(first)} {said}"))
        joined = relation == "conj" and tree.xpos[above] in ("VBD", "VBZ", "VBP")
        if not (relation == "advcl" or joined or (relation == "acl" and stated)) or tree.is_negated(verb):
            return draft
        if tree.lower[first] == "leaving" and any(tree.upos[kid] == "PRON" for kid in tree.kids(verb, "obj")):
            return None  # "They get shares, leaving them with a third": what happened leaves them with it
        while relation == "acl" and tree.head[above] != above and tree.upos[above] not in ("VERB", "AUX"):
            above = tree.head[above]  # "a man claiming to be a doctor treated them"
        told_past = is_past(tree, above) or tree.xpos[above] == "VBD"
        if not told_past and (
            tree.has(above, "aux:pass") or any(tree.xpos[w] == "MD" for w in tree.kids(above, "aux"))
        ):
            return None
        subject = next(iter(subject_heads(tree, verb)), above)
        many = is_many(tree, subject) or tree.lower[subject] in PLURAL
        gerund = tree.lower[first]
        tensed = past(gerund) if told_past else present(gerund, many)
        start = said.lower().index(gerund)
        rest = said[start + len(gerund) :]
        if tensed.endswith(f" {gerund}"):  # "is often travelling"
            tensed, start, rest = tensed.removesuffix(f" {gerund}"), 0, f" {said}"
        return replace(draft, predicate=draft.predicate.as_resolved(f"{said[:start]}{tensed}{rest}"))

    def _agreeing(self, draft: Draft) -> Draft:
        """The verb of several subjects in the form of one: "Glass and drones are banned" -> "Glass is banned"."""
        tree = self.tree
        words = tree.within(draft.subject.spans)
        heads = tree.heads_of(words)
        finite = (w for w in tree.within(draft.predicate.spans) if tree.xpos[w] == "VBP" or tree.lower[w] == "were")
        verb = next(finite, None)
        if verb is None or len(heads) != 1 or draft.subject.resolved or draft.predicate.inferred:
            return draft
        part = heads[0]
        first = first_of(tree, part)
        parted = first not in words or any(kid not in words for kid in tree.kids(part, "conj"))
        subject = tree.relation[first] in ("nsubj", "nsubj:pass") and verb in tree.subtree(tree.head[first])
        counted = [tree.lower[kid] for kid in tree.kids(part, "nummod")]
        one = tree.xpos[part] in ("NN", "NNP") and tree.lower[part] not in MANY_NOUNS | QUANTITIES
        one = one and not LATIN_PLURAL.fullmatch(tree.lower[part]) and counted in ([], ["one"])
        one = one and tree.xpos[tree.head[first]] != "NNS"  # "A and B are parts of it"
        if not (parted and subject and one and tree.words[verb].isalpha()) or tree.has(part, "cop"):
            return draft
        plural = re.compile(rf"\b{tree.words[verb]}(?=n['’]t\b|\b)")
        said = plural.sub(singular_form(tree.lower[verb]), draft.predicate.text, count=1)
        return replace(draft, predicate=draft.predicate.as_resolved(said))

    # Phrases with their references resolved

    def _noun(self, head: int, without: Sequence[str] = (), subject: bool = False) -> Phrase:
        plain = phrase(self.tree, noun_words(self.tree, head, without=without))
        return self.discourse.resolve(self.tree, head, plain, subject)

    def _nouns(self, head: int, without: Sequence[str] = (), subject: bool = False) -> list[Phrase]:
        heads = [head] if without else coordinated(self.tree, head)
        pair = self.discourse.pair
        if pair and self.tree.lower[head] in ("both", "neither") and not self.tree.children[head]:
            plain = phrase(self.tree, [head])
            if self.tree.lower[head] == "neither":
                return [plain.as_resolved(f"neither {pair[0]} nor {pair[1]}")]
            return [plain.as_resolved(name) for name in pair]
        rate = self._shared_rate(heads)
        return [join(self._noun(one, without, subject), rate if one != heads[-1] else None) for one in heads]

    def _shared_rate(self, heads: Sequence[int]) -> Phrase | None:
        """The rate behind several amounts: "20 calls and 5 texts per minute"."""
        tree = self.tree
        if len(heads) < 2 or not all(tree.has(one, "nummod") for one in heads):
            return None
        rates = [
            [k for k in tree.kids(one, "nmod") if MEASURE_WORD.match(tree.lower[k]) and self._is_per(k)]
            for one in heads
        ]
        return full_phrase(tree, tree.subtree(rates[-1][0])) if rates[-1] and not any(rates[:-1]) else None

    def _is_per(self, unit: int) -> bool:
        return any(self.tree.lower[kid] == "per" for kid in self.tree.children[unit])

    def _objects(self, verb: int, word: int) -> list[Phrase]:
        exclusive = any(self.tree.lower[kid] in EXCLUSIVE for kid in self.tree.kids(verb, "advmod"))
        whole = exclusive or self._joins(verb, word) or self._is_respective(verb)
        if whole and self.tree.has(word, "conj"):  # "only covers adults and children"
            return [phrase(self.tree, self._list_words(word, ("appos", "case")))]
        return self._nouns(word)

    def _list_words(self, head: int, without: Sequence[str]) -> list[int]:
        """All words of a coordination, but what only says more about its first noun."""
        tree = self.tree

        def adds(word: int) -> bool:
            return tree.relation[word] == "acl:relcl" and not is_restrictive(tree, word)

        return tree.subtree(head, without, adds)

    def _joins(self, verb: int, word: int) -> bool:
        """Whether the verb makes one thing of its objects: "combine flour and salt", "tie A and B together"."""
        tree = self.tree
        many = len(tree.kids(word, "conj")) > 1
        moving = many and is_imperative(tree, verb) and MOVING.match(tree.lower[verb])  # not "Norway beat A, B and C"
        joining = JOINING.match(tree.lower[verb]) or moving
        apart = tree.has(verb, "compound:prt")  # "stir in A and B"
        return self._is_together(verb) or (bool(joining) and not apart)

    def _is_together(self, verb: int) -> bool:
        tree = self.tree
        behind = [kid for kid in tree.kids(verb, "obl") if kid > verb and tree.lower[kid + 1 : kid + 2] != ["as"]]
        if any(tree.lower[kid - 3 : kid + 1] == ["at", "the", "same", "time"] for kid in behind):
            return True  # "A and B can be held at the same time"
        kids = tree.kids(verb, "advmod", "compound:prt")
        return any(tree.lower[kid] in ("together", "jointly") for kid in kids)  # not "altogether"

    def _is_share(self, verb: int) -> bool:
        """Whether the subject is a share of something: "85% of it is found in bones and teeth"."""
        tree = self.tree
        heads = subject_heads(tree, verb)
        kids = [kid for head in heads for kid in tree.kids(head, "det:predet", "nummod")]  # "half the members"
        return any(tree.lower[word] in SHARES for word in (*heads, *kids))

    def _is_respective(self, verb: int) -> bool:
        """Whether the clause pairs two lists: "A and B are green and red, respectively"."""
        return any(self.tree.lower[word] == "respectively" for word in self.tree.subtree(verb, OTHER_CLAUSES))

    def _prepositions(self, word: int) -> Phrase:
        """The prepositions of a phrase, with the adverbs in front of them: "primarily in"."""
        tree = self.tree
        leading = ("case", "mark") if tree.xpos[word] == "VBG" else ("case",)  # "by picking"
        cases = tree.with_fixed([kid for kid in tree.kids(word, *leading) if tree.lower[kid] != "including"])
        cases += [
            kid for case in cases for kid in tree.subtree(case) if kid != case and kid not in cases
        ]  # "on or off"
        return function_phrase(tree, cases + words_before_case(tree, word))

    def _phrases(self, word: int) -> list[tuple[Phrase, Phrase]]:
        """The prepositions and the noun of each phrase of a coordination: "in Oslo, at Vesk and on the ferry"."""
        nouns, heads = self._nouns(word), coordinated(self.tree, word)
        if len(heads) != len(nouns):
            heads = [word] * len(nouns)
        led = [head if self.tree.has(head, "case") else word for head in heads]
        return [(self._prepositions(head), noun) for head, noun in zip(led, nouns, strict=True)]

    def _add(self, subject: Phrase, predicate: Phrase, target: Phrase, rule: str) -> None:
        tail = NOTHING if set(self.tail.spans) <= set(target.spans) else self.tail
        self.drafts.append(Draft(subject, predicate, join(target, tail, self.condition), rule))

    # One clause

    def _clause(self, verb: int) -> None:
        tree = self.tree
        copula = next(iter(tree.kids(verb, "cop")), None)
        bare = copula is not None and tree.xpos[verb] == "VB"
        to = any(tree.lower[kid] == "to" for kid in tree.kids(verb, "mark"))
        if bare and not to and not is_imperative(tree, verb):
            return  # misread: "is due to begin"
        if any(tree.relation[word] == "conj" and word < verb < tree.head[word] for word in range(verb)):
            return  # misread: a list with the verb in its middle
        if in_chain(tree, verb, copula) or self._is_inverted_negation(verb) or self._is_own_speech(verb):
            return
        if copula is not None and (outer := tree.kids(verb, "nsubj:outer")):
            adverbs = [kid for kid in tree.kids(verb, "advmod") if kid == copula + 1]
            words = tree.subtree(verb, ("nsubj:outer", "punct", "parataxis"))
            words = words if tree.has(verb, "nsubj", "nsubj:pass") else without_clauses(tree, verb, words)
            rest = phrase(tree, [word for word in words if word > copula and word not in adverbs])
            for subject in self._nouns(outer[0], subject=True):
                self._add(subject, function_phrase(tree, [copula]), rest, "outer")
            return
        if any(self._misleads(kid, verb) for kid in self._conditions(verb)) or self._is_offer(verb):
            return
        if self._tells_of_clause(verb) or (tree.relation[verb] == "advcl" and self._is_way(verb)):
            return
        self.condition = self._condition(verb)
        if copula is not None or not self._joins_alternatives(verb):
            included = self._included(verb) if copula is None else []
            self.tail = join(self.tail, *(full_phrase(tree, tree.subtree(kid)) for kid in included))
            self._predicate(verb, NOTHING, copula, self._subjects(verb), 0)
        self.condition = self.tail = NOTHING

    def _tells_of_clause(self, verb: int) -> bool:
        """Whether "which" behind a comma may be all that was said: "They rolled it back, which did not help".

        "It covers the costs to find a leak, which includes opening walls", "go via Quay Street, which lengthens trips".
        """
        tree = self.tree
        noun = tree.head[verb]
        which = [kid for kid in tree.kids(verb, "nsubj", "nsubj:pass") if tree.lower[kid] == "which"]
        if tree.relation[verb] != "acl:relcl" or not which or tree.words[which[0] - 1] != ",":
            return False
        if tree.relation[noun] not in ("obl", "nmod", "obj"):
            return False
        word = tree.lower[verb]
        if word in ("include", "includes", "included"):
            opened = tree.xpos[verb + 1 : verb + 2] == ["VBG"]
            return opened and (tree.relation[noun] != "obj" or tree.xpos[tree.head[noun]] == "VBG")
        if LENGTHENING.fullmatch(word):
            return True
        main = noun
        while tree.head[main] != main and tree.upos[main] not in ("VERB", "AUX"):
            main = tree.head[main]
        if not (is_past(tree, main) and is_past(tree, verb)):
            return False
        if word == "help":
            return tree.is_negated(verb)
        cases = [tree.lower[case] for kid in tree.kids(verb, "obl") for case in tree.kids(kid, "case")]
        led_to = word == "led" and "to" in cases
        ended = word in ("ended", "prompted", "triggered", "forced", "meant") and tree.has(verb, "obj", "ccomp")
        return tree.relation[noun] != "obj" and (led_to or ended)

    def _is_offer(self, command: int) -> bool:
        """Whether a command is the condition of what it brings: "Join this month and your fee drops by £45".

        Then neither is a claim of its own: their sentence is.
        """
        tree = self.tree
        for other in tree.kids(command, "conj") if is_imperative(tree, command) else ():
            told = [
                kid
                for kid in tree.kids(other, "nsubj", "nsubj:pass")
                if tree.lower[kid] in ("you", "we") or any(tree.lower[o] == "your" for o in tree.kids(kid, "nmod:poss"))
            ]
            due = any(tree.lower[kid] in DUTIES for kid in tree.kids(other, "aux"))
            joined = any(tree.lower[kid] == "and" for kid in tree.kids(other, "cc"))
            stated = tree.is_negated(command) or is_past(tree, other) or tree.has(other, "mark", "advcl")
            if told and joined and not due and not stated:
                self.done.add(other)  # it is of that condition
                return True
        return False

    def _included(self, verb: int) -> list[int]:
        """What a clause includes, behind a comma: "All fees are covered, including tax"."""
        tree = self.tree
        return [
            kid
            for kid in tree.kids(verb, "obl")
            if kid > verb
            and any(tree.lower[case] == "including" for case in tree.kids(kid, "case"))
            and "," in tree.words[tree.subtree(kid)[0] - 1 : kid]
            and ";" not in tree.words[verb:kid]
        ]

    def _joins_alternatives(self, verb: int) -> bool:
        """Keeps a command and its alternatives in one claim: "pause or cancel | your plan", "call us | or write".

        Returns whether the last of them makes the claim.
        """
        tree = self.tree
        others = alternatives(tree, verb)
        if not others:
            return False
        last = others[-1]
        between = range(verb + 1, last)
        if len(others) == 1 and all(tree.relation[word] == "cc" for word in between):
            own = [kid for kid in tree.children[verb] if kid > last and tree.relation[kid] != "punct"]
            if own:
                self.joined[verb] = [*between, last]
                self.done.add(last)
                return False
            self.joined[last] = [*verb_words(tree, verb), *between]
            return True
        self.done.update(others)
        conditions = [kid for other in others for kid in self._conditions(other)]
        spent = {word for kid in conditions for word in tree.subtree(kid)}
        self.tail = full_phrase(tree, [word for other in others for word in tree.subtree(other) if word not in spent])
        if not self.condition.text:
            self.condition = join(*map(self._clause_words, conditions))
        return False

    def _gaps(self) -> None:
        """Clauses that leave out the verb of the one before: "Plan A costs $5, Plan B $9"."""
        tree = self.tree
        for word in range(tree.size):
            subjects = tree.kids(word, "nsubj", "nsubj:pass")
            targets = tree.kids(word, "orphan")
            nominal = tree.upos[word] in ("NOUN", "PROPN", "NUM", "SYM") and not tree.has(word, "cop", "aux")
            if (
                not nominal
                or tree.has(word, "advcl")
                or any(tree.upos[kid] in ("VERB", "AUX") for kid in targets)  # "..., and 12 kg if it is not"
                or (MEASURE_WORD.match(tree.lower[word]) and any(tree.upos[kid] == "ADV" for kid in targets))
                or tree.relation[word] not in ("appos", "conj", "parataxis", "dep")
                or not (subjects or targets)
            ):
                continue
            verb = tree.head[word]
            while tree.upos[verb] not in ("VERB", "AUX") and not tree.has(verb, "cop") and tree.head[verb] != verb:
                verb = tree.head[verb]
            copula = next(iter(tree.kids(verb, "cop")), None) if tree.upos[verb] == "ADJ" else None
            if copula is None and tree.upos[verb] not in ("VERB", "AUX"):
                continue
            denied = copula is not None and tree.is_negated(verb)
            if verb > word or denied or tree.has(verb, "xcomp", "ccomp"):
                continue
            if any(tree.lower[other - 1 : other + 1] == ["of", "which"] for other in range(verb, word)):
                continue  # "costs £185, of which £50 is due in May and the rest in June"
            predicate = function_phrase(tree, [*verb_words(tree, verb, copula), verb])
            for subject in subjects[:1] or [word]:
                for kid in [word] if subjects else targets:
                    full = join(predicate.as_resolved(predicate.text), self._prepositions(kid))
                    cases = [clause for clause in tree.kids(subject, "acl") if self._is_if(clause)]
                    outside = (*(() if subjects else ("orphan",)), *(("acl",) if cases else ()))
                    named = self._noun(subject, outside, subject=True)
                    words = noun_words(tree, kid, without=("nsubj", "nsubj:pass"))
                    target = join(self._counted(verb, kid, phrase(tree, words)), *map(self._clause_words, cases))
                    self._add(named, full, target, "object")

    def _counted(self, verb: int, number: int, target: Phrase) -> Phrase:
        """A bare number with the things that it counts: "Members borrow 60 items, guests ten (items)"."""
        tree = self.tree
        things = [kid for kid in tree.kids(verb, "obj") if tree.xpos[kid] == "NNS" and tree.has(kid, "nummod")]
        described = any(tree.relation[kid] not in ("case", "advmod") for kid in tree.children[number])  # not "up to"
        if tree.upos[number] != "NUM" or described or not things:
            return target
        noun = phrase(tree, noun_words(tree, things[0], without=("nummod", "nmod", "acl", "acl:relcl")))
        return target.as_resolved(f"{target.text} {noun.text}")

    def _echo(self, word: int) -> tuple[int, int, int] | None:
        """Where a clause repeats the predicate before: "Glass isn't taken, and neither is foil", "so (as) are cans".

        The word that opens it, its subject, and what is repeated.
        """
        tree = self.tree
        opens = tree.lower[word] in ("neither", "nor", *LIKEWISE) and tree.lower[word + 1] in (
            "is",
            "are",
            "was",
            "were",
        )
        if not opens or (tree.words[word - 1] != "," and tree.lower[word - 1] != "and"):
            return None
        named = [kid for kid in range(word + 2, tree.size) if tree.upos[kid] in NOMINAL]
        named = [
            kid
            for kid in named
            if (tree.head[kid] in (word, word + 1) and tree.relation[kid].startswith("nsubj"))
            or (tree.relation[kid] in ("conj", "advcl") and word + 1 in tree.kids(kid, "cop"))
        ]
        if len(named) != 1 or (tree.lower[word + 2] == "the" and tree.lower[word + 3] in USUAL):
            return None  # "It was locked, as was the custom"
        links = ("conj", "advcl") if tree.lower[word] == "as" else ("conj",)
        joined = next((kid for kid in (word, word + 1, named[0]) if tree.relation[kid] in links), None)
        first = None if joined is None else tree.head[joined]
        if first is None or first > word or not tree.has(first, "cop", "aux:pass"):
            return None
        own = [kid for kid in tree.children[named[0]] if kid < word and tree.relation[kid] not in ("cc", "punct")]
        rest = [kid for kid in (*tree.children[word], *tree.children[word + 1]) if kid > named[0]]
        alone = not own and all(tree.relation[kid] == "punct" for kid in rest)
        return (
            (word, named[0], first) if alone and tree.is_negated(first) == (tree.lower[word] not in LIKEWISE) else None
        )

    def _repeat(self, word: int, noun: int, first: int) -> None:
        """The claim of a clause that repeats the predicate of another."""
        tree = self.tree
        done = tree.has(first, "aux:pass")
        negation = "" if tree.lower[word] in LIKEWISE else " not"
        said = f"{tree.lower[word + 1]}{negation}" + (f" {tree.words[first]}" if done else "")
        predicate = function_phrase(tree, [first, word + 1] if done else [word + 1]).as_resolved(said)
        outside = [*OUTSIDE_PREDICATE, "conj", "cc"]
        target = NOTHING if done else phrase(tree, [kid for kid in tree.subtree(first, outside) if kid < word])
        behind = [kid for kid in tree.kids(first, "obl", "obl:agent") if first < kid < word] if done else []
        for subject in self._nouns(noun, ("cop", "cc", "punct", "advmod", "mark"), subject=True):
            self._add(subject, predicate, join(target, *map(self._modifier, behind)), "copula")

    def _is_inverted_negation(self, verb: int) -> bool:
        """ "nor can it be left", "so is the porch in summer": the negation or the predicate stands outside."""
        tree = self.tree
        if tree.lower[verb] == "so" and verb + 1 in tree.kids(verb, "cop"):
            return True
        joints = [kid for kid in tree.kids(verb, "cc") if tree.lower[kid] == "nor"]
        elided = any(kid == joint + 1 for joint in joints for kid in tree.kids(verb, "cop", "aux"))  # "nor are interns"
        own = tree.has(verb, "nsubj", "nsubj:pass") or elided
        return bool(joints) and own and not tree.is_negated_inside(verb)

    def _is_own_speech(self, verb: int) -> bool:
        """Whether the clause is quoted and its speaker speaks of himself: "We can't ask the smallest to pay"."""
        tree = self.tree
        quotes = sum(tree.words[word] in '"“”' for word in range(verb))
        subjects = [tree.lower[word] for word in subject_heads(tree, verb)]
        return quotes % 2 == 1 and any(word in ("i", "we") for word in subjects)

    def _condition(self, verb: int) -> Phrase:
        """The clauses and phrases under which all claims of the verb hold: "if ...", "unless ...", "except on ..."."""
        tree = self.tree
        found: list[Phrase] = []
        governor = verb
        while tree.relation[governor] == "conj":
            contrast = any(tree.lower[kid] in ("but", "yet") for kid in tree.kids(governor, "cc"))
            found += [self._clause_words(kid) for kid in self._shared_means(tree.head[governor], governor)]
            if contrast and tree.has(governor, "nsubj", "nsubj:pass") and not self._shares_case(governor):
                break
            if any(kid < governor for kid in self._conditions(governor)):
                break  # "If A, call us; if B, wait"
            stops = [word for word in range(tree.head[governor], governor) if tree.words[word] == ";"]
            if stops:  # "...; if B, wait and call us"
                leader = min(kid for kid in tree.kids(tree.head[governor], "conj") if kid > stops[-1])
                found += [self._clause_words(kid) for kid in self._conditions(leader) if kid < leader]
                break
            governor = tree.head[governor]
            # in front of both or behind both
            shared = [kid for kid in self._conditions(governor) if kid < governor or kid > verb]
            told = [tree.lower[kid] for kid in tree.kids(verb, "nsubj", "nsubj:pass")]
            due = any(tree.xpos[kid] == "MD" for kid in tree.kids(verb, "aux"))
            if is_past(tree, governor) and self._is_later(verb):
                shared = []  # "Once he had a degree, he taught for six years and then joined a firm"
            if told and "you" not in told and not due:  # "To help, it trains pilots, and it hopes ..."
                shared = [kid for kid in shared if kid > governor or not self._is_purpose(kid)]
            found += [self._clause_words(kid) for kid in shared]
            found += [self._clause_words(kid) for kid in self._frames(governor, verb)]
        due = tree.has(verb, "aux", "aux:pass") and not is_past(tree, verb)
        if tree.relation[verb] == "ccomp" and due and self._is_remark(tree.head[verb]):
            # "If you go, note that boots are needed", but not "If you go, note that the pass closed in 1990"
            found += [self._clause_words(kid) for kid in self._conditions(tree.head[verb]) if kid < tree.head[verb]]
        own = (
            *self._conditions(verb),
            *self._shared_cases(verb),
            *self._concessions(verb),
            *self._places_of_result(verb),
        )
        found += [self._clause_words(kid) for kid in dict.fromkeys(own)]  # "whenever it rains" is both
        found += [  # "the cluster, but only with a sponsor"
            self._clause_words(kid)
            for noun in tree.kids(verb, "obj")
            for kid in tree.kids(noun, "conj")
            if tree.has(kid, "case") and not tree.has(noun, "case")
        ]
        found += [self._clause_words(kid) for kid in tree.kids(verb, "conj") if self._is_limit(kid)]
        found += self._place(verb)
        found += [self._clause_words(kid) for kid in self._denied_places(verb)]
        found += [self._clause_words(kid) for kid in tree.kids(verb, "obl") if self._is_speaker(kid)]
        found += [  # "at the machines, but not on board"
            self._clause_words(kid)
            for kid in tree.kids(verb, "conj")
            if tree.has(kid, "case") and not (tree.has(verb, "cop") and stays_whole(tree, verb))
            if any(tree.lower[word] == "not" for word in tree.kids(kid, "advmod", "cc"))
        ]
        if not found and (is_imperative(tree, verb) or self._is_duty(verb)):
            for other in tree.kids(verb, "conj")[-1:]:  # "Stop using it and see a doctor if ..."
                joints = tree.kids(other, "cc")
                if not any(kid and tree.words[kid - 1] == "," for kid in joints):  # "print it, and bring yours if ..."
                    conditions = [
                        kid for kid in self._conditions(other) if self._is_if(kid) or tree.lower[kid] == "long"
                    ]
                    conditions = [kid for kid in conditions if kid > other]
                    found = [self._clause_words(kid) for kid in conditions]
        behind = [part for part in found if part.spans and part.spans[0].start > tree.spans[verb].start]
        before = [part for part in found if part not in behind]
        excepting = len(behind) == 1 and behind[0].text.startswith("unless ")  # "If A, it is free unless B, which ..."
        return join(*before, *behind) if excepting else join(*behind, *before)

    def _is_purpose(self, clause: int) -> bool:
        """ "To address this, ..."."""
        return any(self.tree.lower[kid] == "to" for kid in self.tree.kids(clause, "mark"))

    def _shared_means(self, governor: int, clause: int) -> list[int]:
        """ "With a Saver ticket you can make changes, but you can't get a refund": both are of the case in front.

        "Near the lamps the gap was smaller, and it was not significant": so are both of the place.
        """
        tree = self.tree
        subjects = tree.kids(governor, "nsubj", "nsubj:pass")
        told = [tree.lower[kid] for kid in (*subjects, *tree.kids(clause, "nsubj", "nsubj:pass"))]
        but = any(tree.lower[kid] == "but" for kid in tree.kids(clause, "cc"))
        if tree.has(clause, "obl", "obl:unmarked", "advcl") or self._is_later(clause):
            return []
        if len(told) == 2 and told[1] in ("it", "they") and self._is_state_of(governor, subjects[0], told[1]):
            return [kid for kid in tree.kids(governor, "obl") if kid < subjects[0] and self._is_landmark(kid)]
        if told != ["you", "you"] or not but:
            return []
        if is_past(tree, clause):
            return []
        cases = ("with", "without", "under") if tree.is_negated(clause) else ("with", "without", "on", "under", "for")
        return [
            kid
            for kid in tree.kids(governor, "obl")
            if kid < subjects[0]
            and any(tree.lower[case] in cases for case in tree.kids(kid, "case"))
            and not any(map(self._is_time, tree.subtree(kid)))
            and not self._is_day(kid)
        ]

    def _is_later(self, clause: int) -> bool:
        """ "and then ...", "but it soon ..."."""
        return any(self.tree.lower[word] in LATER for word in self.tree.subtree(clause))

    def _is_state_of(self, clause: int, subject: int, pronoun: str) -> bool:
        """Whether the clause says what its subject is, which the pronoun behind it may stand for."""
        tree = self.tree
        adjective = tree.upos[clause] == "ADJ" and tree.has(clause, "cop")
        return adjective and tree.upos[subject] == "NOUN" and is_many(tree, subject) == (pronoun == "they")

    def _is_landmark(self, oblique: int) -> bool:
        """ "near the lamps", "in Norway", not "in theory"."""
        tree = self.tree
        named = tree.upos[oblique] == "PROPN" or any(tree.lower[kid] == "the" for kid in tree.kids(oblique, "det"))
        cases = ("near", "under", "on", "in", "at") if named else ("near", "under")
        return self._is_setting(oblique, cases)

    def _is_setting(self, oblique: int, cases: Collection[str]) -> bool:
        """ "near the lamps", "on carpet": neither a time nor words that join the sentence to others."""
        tree = self.tree
        return (
            any(tree.lower[case] in cases for case in tree.kids(oblique, "case"))
            and tree.lower[oblique] not in JOINTS
            and not any(map(self._is_time, tree.subtree(oblique)))
            and not self._is_day(oblique)
        )

    def _places_of_result(self, participle: int) -> list[int]:
        """ "On carpet, it did better, removing 94% of the hair": a participle behind its clause is of the same case."""
        tree = self.tree
        main = tree.head[participle]
        behind = tree.relation[participle] == "advcl" and tree.xpos[participle] == "VBG" and participle > main
        subjects = tree.kids(main, "nsubj", "nsubj:pass")
        if not behind or tree.has(participle, "mark", "nsubj") or not subjects or tree.words[participle - 1] != ",":
            return []
        moved = [tree.lower[case] for kid in tree.kids(participle, "obl") for case in tree.kids(kid, "case")]
        if {"to", "into", "from"} & set(moved):
            return []  # "In Berlin he ran out of money, returning to Vienna"
        cases = ("on", "in", "at")
        return [kid for kid in tree.kids(main, "obl") if kid < subjects[0] and self._is_setting(kid, cases)]

    def _shares_case(self, clause: int) -> bool:
        """Whether a clause behind "but" is of the case in front: "If you pay late, we add £5, but you can appeal"."""
        tree = self.tree
        cases = [kid for kid in self._conditions(tree.head[clause]) if kid < tree.head[clause]]
        told = {tree.lower[kid] for kid in tree.kids(clause, "nsubj", "nsubj:pass") if tree.xpos[kid] == "PRP"}
        return any(tree.lower[kid] in told for case in cases for kid in tree.kids(case, "nsubj", "nsubj:pass"))

    def _shared_cases(self, command: int) -> list[int]:
        """The cases of the command in front of a dash: "If you miss a dose, skip it – don't take two".

        They hold for what must not be done: "call us – see page 5 for the number" is of no case.
        """
        tree = self.tree
        first, start = tree.head[command], tree.subtree(command, ("punct",))[0]
        dash = tree.relation[command] == "parataxis" and tree.words[start - 1] in ("–", "—", "-")
        if not dash or first > command or not tree.is_negated(command):
            return []
        if not (is_imperative(tree, first) and is_imperative(tree, command)):
            return []
        return [kid for kid in self._conditions(first) if kid < first and self._is_if(kid)]

    def _concessions(self, verb: int) -> list[int]:
        """Clauses that say what makes no difference: "whatever she is doing", "no matter how long it takes"."""
        tree = self.tree
        found = []
        for kid in tree.kids(verb, "parataxis", "advmod", "advcl", "advcl:relcl", "obl", "obl:unmarked"):
            words = [word for word in tree.subtree(kid) if tree.upos[word] != "PUNCT"]
            opens = tree.lower[words[0]]
            free = opens.endswith("ever") and tree.xpos[words[0]] in ("WP", "WDT", "WRB")
            however = tree.upos[words[0]] == "ADV" and opens == "however" and tree.has(kid, "advcl")
            if len(words) > 2 and (free or however or tree.lower[words[0] : words[0] + 2] == ["no", "matter"]):
                found.append(kid)
        return found

    def _is_duty(self, verb: int) -> bool:
        """Whether a verb shares the modal verb of a duty with the one that follows: "You should stop and call us"."""
        tree = self.tree
        alone = [
            kid
            for kid in tree.kids(verb, "conj")
            if tree.xpos[kid] == "VB" and not tree.has(kid, "nsubj", "nsubj:pass", "aux", "mark")
        ]
        return bool(alone) and any(tree.lower[kid] in DUTIES for kid in tree.kids(verb, "aux"))

    def _is_limit(self, conjunct: int) -> bool:
        """Whether a phrase behind "but" limits what is said before: "Dogs are welcome, but only on a lead"."""
        tree = self.tree
        but = any(tree.lower[kid] == "but" for kid in tree.kids(conjunct, "cc"))
        limited = any(tree.lower[kid] in ("only", "just") for kid in tree.kids(conjunct, "advmod"))
        return but and limited and tree.has(conjunct, "case") and not tree.has(tree.head[conjunct], "case")

    def _is_speaker(self, oblique: int) -> bool:
        """Whether a phrase names people who say it: "according to the union", not "according to the passage"."""
        tree, word = self.tree, self.tree.lower[oblique]
        people = PERSON_NOUN.search(word) or word in GROUP_NOUNS or word in MANY_NOUNS or tree.has(oblique, "flat")
        return self._is_source(oblique) and bool(people) and not SOURCE_NOUN.search(word)

    def _is_source(self, oblique: int) -> bool:
        """ "according to the union", "according to the passage"."""
        return any(self.tree.lower[kid] == "according" for kid in self.tree.kids(oblique, "case"))

    def _place(self, verb: int) -> list[Phrase]:
        """The place that "where" stands for: "except in Norland, where we pay"."""
        tree = self.tree
        noun = tree.head[verb]
        cases = place_of(tree, verb)
        if not cases:
            return []
        return [full_phrase(tree, [*cases[-1:], *noun_words(tree, noun, without=("acl:relcl",))])]

    def _denied_places(self, verb: int) -> list[int]:
        """Where the reader needs something else: "In tunnels the small lamp is not allowed; you need the big one"."""
        tree = self.tree
        first = tree.head[verb]
        told = any(tree.lower[kid] == "you" for kid in tree.kids(verb, "nsubj"))
        if tree.relation[verb] != "parataxis" or not told or ";" not in tree.words[first:verb]:
            return []
        subjects = tree.kids(first, "nsubj", "nsubj:pass")
        fronted = [kid for kid in tree.kids(first, "obl") if subjects and kid < subjects[0]]
        placed = [
            kid for kid in fronted if any(tree.lower[case] in ("in", "on", "at") for case in tree.kids(kid, "case"))
        ]
        return placed if tree.is_negated(first) and not tree.has(verb, "obl", "advcl") else []

    def _frames(self, verb: int, follower: int) -> list[int]:
        """Times in front of the subject that hold for the clause that follows, too.

        "From 1 May, A is free and B is open"; of one subject and one tense "In 2020, it sold a mill and opened a
        school". [] if the follower has a time of its own or comes later ("and then ...").
        """
        tree = self.tree
        subjects = tree.kids(verb, "nsubj", "nsubj:pass")
        same = not tree.has(follower, "nsubj", "nsubj:pass", "expl")
        told = not subjects and same and is_imperative(tree, verb) and is_imperative(tree, follower)
        if told and (commands := self._frames_of_commands(verb, follower)):
            return commands
        joints = [kid for kid in tree.kids(follower, "cc") if tree.lower[kid] == "and" and tree.words[kid - 1] != ","]
        states = bool(joints) and not is_past(tree, follower)  # "At 3 am it is cold and there is some rain"
        cases = SHARED_TIMES if same or states else ("from", "until", "till")
        frames = [
            kid
            for kid in tree.kids(verb, "obl", "obl:unmarked")
            if subjects
            and kid < subjects[0]
            and any(tree.lower[case] in cases for case in tree.kids(kid, "case"))
            and (any(map(self._is_time, tree.subtree(kid))) or self._is_during(kid) or self._is_day(kid))
        ]
        begin = subjects[0] if subjects else verb
        if same:  # "Without consent, it is a breach and can lead to termination"
            frames += [kid for kid in tree.kids(verb, "obl") if kid < begin and self._is_circumstance(kid)]
        if same and not is_imperative(tree, follower):
            frames += [kid for kid in tree.kids(verb, "obl") if subjects and kid < subjects[0] and self._is_case(kid)]
        acts = [kid for kid in tree.kids(verb, "advcl") if kid < begin and self._is_inside(kid)]
        acts += [kid for kid in tree.kids(verb, "obl", "advcl") if kid < begin and self._is_act(kid)]
        acts = acts if same and not is_past(tree, verb) else []  # "After opening, it is stored cold and used soon"
        if not (frames or acts) or is_past(tree, follower) != (same and is_past(tree, verb)):
            return []
        own = tree.subtree(follower)
        if any(tree.lower[word] in LATER for word in own):
            return []
        timed = [word for word in own if self._is_time(word) and not self._is_quantity(word)]
        if all(map(self._is_day, frames)) and all(map(self._is_clock, timed)):
            return [*acts, *frames]  # "On Sundays, it opens at 10 and closes at 4 p.m."
        lasting = all(
            any(
                tree.lower[case] in ("within", "for") or (tree.lower[case] == "in" and tree.has(kid, "nummod"))
                for case in tree.kids(kid, "case")
            )
            for kid in tree.kids(follower, "obl", "obl:unmarked")
            if any(word in timed for word in tree.subtree(kid))
        )
        return acts if timed and lasting else [] if timed else [*acts, *frames]

    def _frames_of_commands(self, verb: int, follower: int) -> list[int]:
        """Times and cases in front of two commands: "In late winter, prune it and feed it", "For errors, ..."."""
        tree = self.tree
        own = tree.subtree(follower)
        joints = [kid for kid in tree.kids(follower, "cc") if tree.lower[kid] == "and"]
        ahead = [kid for kid in tree.children[follower] if kid < follower and tree.relation[kid] not in ("cc", "punct")]
        if not joints or ahead or any(tree.lower[word] in LATER for word in own):
            return []
        frames = []
        for kid in tree.kids(verb, "obl"):
            cases = {tree.lower[case] for case in tree.kids(kid, "case")}
            season = tree.lower[kid] in TIMES_OF_YEAR or self._is_day(kid)
            case = cases == {"for"} and tree.xpos[kid] == "NNS" and not self._is_time(kid)
            comma = tree.words[min(max(tree.subtree(kid)) + 1, tree.size - 1)] == "," or "," in tree.words[kid:verb]
            if kid < verb and comma and (case or (season and cases & set(SHARED_TIMES))):
                frames.append(kid)
        times = [word for word in own if self._is_time(word) and not self._is_quantity(word)]
        timed = any(tree.relation[word] != "nmod:poss" for word in times)  # not "last year's shoots"
        return [kid for kid in frames if not timed or tree.xpos[kid] == "NNS"]

    def _is_act(self, oblique: int) -> bool:
        """ "after washing", "before use"."""
        tree = self.tree
        cases = tree.kids(oblique, "case", "mark")
        bare = all(kid in cases or tree.relation[kid] == "punct" for kid in tree.children[oblique])
        return tree.xpos[oblique] == "NN" and bare and any(tree.lower[case] in ("after", "before") for case in cases)

    def _is_circumstance(self, oblique: int) -> bool:
        """ "without consent", "in that case"."""
        tree = self.tree
        if any(tree.lower[case] == "without" for case in tree.kids(oblique, "case")):
            return True
        pointed = any(tree.lower[kid] in ("that", "this", "such") for kid in tree.kids(oblique, "det", "amod"))
        return tree.lower[oblique] in ("case", "cases") and pointed

    def _is_case(self, oblique: int) -> bool:
        """ "For the second exam, you register yourself and pay a fee": one thing that all of the sentence is about."""
        tree = self.tree
        led = any(tree.lower[case] == "for" for case in tree.kids(oblique, "case"))
        definite = any(tree.lower[kid] in ("the", "this") for kid in tree.kids(oblique, "det"))
        parted = tree.words[max(word for word in tree.subtree(oblique) if tree.upos[word] != "PUNCT") + 1] == ","
        return led and definite and parted and tree.lower[oblique] not in ("reason", "time", "example")

    def _is_during(self, phrase_head: int) -> bool:
        return any(self.tree.lower[case] in ("during", "throughout") for case in self.tree.kids(phrase_head, "case"))

    def _is_time(self, word: int) -> bool:
        tree = self.tree
        if tree.upos[word] == "NUM" or tree.lower[word] in ("now", "then", "later", "already", "today"):
            return True
        return tree.upos[word] in ("NOUN", "PROPN") and MEASURE_WORD.match(tree.lower[word]) is not None

    def _is_moment(self, oblique: int) -> bool:
        """ "in 2024", "in May"."""
        bare = all(self.tree.relation[kid] in ("case", "punct") for kid in self.tree.children[oblique])
        return bare and self._is_time(oblique)

    def _is_day(self, word: int) -> bool:
        return DAY.fullmatch(self.tree.lower[word]) is not None

    def _is_clock(self, word: int) -> bool:
        """Whether a number is a time of day: "9 p.m.", "at 17:30"."""
        tree = self.tree
        behind = tree.lower[word + 1] if word + 1 < tree.size else ""
        if tree.lower[word] in ("midnight", "noon"):
            return True
        return tree.upos[word] == "NUM" and (":" in tree.words[word] or behind in ("a.m.", "p.m.", "am", "pm"))

    def _is_quantity(self, word: int) -> bool:
        """Whether a number or a unit measures no time: "200 metres", "three schools"."""
        tree = self.tree
        if tree.relation[word] == "nmod" and tree.relation[tree.head[word]] == "nummod":
            word = tree.head[word]  # "15 to 20 mm"
        unit = tree.head[word] if tree.relation[word] == "nummod" else word
        counted = unit != word and tree.upos[unit] in ("NOUN", "SYM") and not MEASURE_WORD.match(tree.lower[unit])
        return counted or DISTANCE.fullmatch(tree.lower[unit]) is not None

    def _is_if(self, clause: int) -> bool:
        return any(self.tree.lower[kid] in ("if", "unless") for kid in self.tree.kids(clause, "mark"))

    def _conditions(self, verb: int) -> list[int]:
        tree = self.tree
        clauses = [kid for kid in tree.kids(verb, "advcl", "advmod") if is_condition(tree, kid)]
        clauses = [kid for kid in clauses if tree.relation[kid] == "advcl" or tree.has(kid, "advcl")]  # "as long as"
        clauses = [kid for kid in clauses if not self._connects(kid)]
        clauses = [
            kid
            for kid in clauses
            if ":" not in tree.words[verb + 1 : kid] and ";" not in tree.words[min(kid, verb) : max(kid, verb)]
        ]  # not of what follows a colon, or stands on the other side of a semicolon
        clauses = [kid for kid in clauses if kid > verb or not self._is_bare_purpose(kid)]
        clauses += self._joined_conditions(verb)
        phrases = [kid for kid in tree.kids(verb, *MAY_EXCEPT) if is_exception(tree, kid)]
        phrases += [kid for kid in tree.kids(verb, "parataxis") if tree.lower[kid : kid + 2] == ["other", "than"]]
        phrases = [kid for kid in phrases if not self._is_parted(verb, kid)]
        phrases = [kid for kid in phrases if tree.relation[kid] != "advmod" or len(tree.subtree(kid)) > 2]
        inner = [kid for other in tree.kids(verb, "xcomp") for kid in self._conditions(other)]
        provided = [kid for kid in tree.kids(verb, "mark", "dep") if tree.lower[kid] in ("provided", "providing")]
        return sorted({*clauses, *phrases, *inner, *provided})

    def _joined_conditions(self, verb: int) -> list[int]:
        """Conditions that "or" joins to a time: "Turn it on and bake for 20 minutes or until it is crisp"."""
        tree = self.tree
        first = tree.head[verb] if tree.relation[verb] == "conj" else verb
        others = tree.kids(first, "conj")
        found = [
            kid
            for kid in others
            if any(tree.lower[mark] in ("until", "if", "unless") for mark in tree.kids(kid, "mark"))
        ]
        return [kid for kid in found if verb == max((o for o in others if o < kid and o not in found), default=first)]

    def _is_bare_purpose(self, clause: int) -> bool:
        """ "To qualify, you must ...": behind another word it would read as part of what that says."""
        words = [word for word in self.tree.subtree(clause) if self.tree.upos[word] != "PUNCT"]
        return len(words) == 2 and self.tree.lower[words[0]] == "to"

    def _connects(self, word: int) -> bool:
        return CONNECTIVE.fullmatch(" ".join(self.tree.lower[w] for w in self.tree.subtree(word))) is not None

    def _clause_words(self, clause: int) -> Phrase:
        """The words of a condition, without an "or" that joins it to nothing: "simmer (or) until it is tender"."""
        tree = self.tree
        verb = max((word for word in range(clause) if tree.upos[word] == "VERB"), default=clause)  # in front of it
        alone = tree.relation[clause] == "conj" and not tree.has(verb, "obl", "advmod", "obl:unmarked")
        alone = alone and not any(tree.lower[kid] == "but" for kid in tree.kids(clause, "cc"))
        return full_phrase(tree, tree.subtree(clause, ("cc",) if alone else ()))

    def _misleads(self, clause: int, verb: int) -> bool:
        """Whether the pronoun of a condition in front of its clause would stand for another noun behind it.

        "Sugar is added slowly; if it goes in too early, the foam stays wet."
        """
        tree = self.tree
        subjects = subject_heads(tree, verb)
        for word in tree.kids(clause, "nsubj", "nsubj:pass") if clause < verb else ():
            same = any(tree.lower[kid] == tree.lower[word] for kid in subjects)
            if tree.lower[word] in ("it", "they") and not same and not is_impersonal(tree, word):
                nouns = [*subjects, *tree.kids(verb, "obj", "obl", "obl:agent", "iobj")]
                return any(self._may_mean(word, noun) for noun in nouns) and self.discourse.has_rival(tree, word)
        return False

    def _may_mean(self, pronoun: int, noun: int) -> bool:
        tree = self.tree
        timed = MEASURE_WORD.match(tree.lower[noun])
        new = any(tree.lower[kid] in ("a", "an") for kid in tree.kids(noun, "det"))  # "if it is there, send a picture"
        return (
            tree.upos[noun] in NOMINAL and not (timed or new) and is_many(tree, noun) == (tree.lower[pronoun] == "they")
        )

    def _subjects(self, verb: int) -> list[Phrase]:
        tree = self.tree
        relation = tree.relation[verb]
        clausal = tree.kids(verb, "csubj", "csubj:pass")
        first = first_of(tree, verb)
        if not clausal and not any(tree.has(word, "nsubj", "nsubj:pass", "expl") for word in (verb, first)):
            clausal = tree.kids(first, "csubj")  # "Losing it costs £5 and can take a week"
        if clausal and not tree.has(verb, "expl"):
            outside = ("punct", "mark", "appos", "acl:relcl", "parataxis", "cc")
            if is_skipped(tree, clausal[0]):
                return []  # "essential for individuals to ..."
            words = tree.subtree(clausal[0], outside)
            return [phrase(tree, words)] if len(words) <= MAX_CLAUSAL_SUBJECT else []
        subjects = []
        heads = subject_heads(tree, verb)
        if len(heads) == 1 and tree.has(heads[0], "conj") and self._holds_together(verb):
            return [phrase(tree, self._list_words(heads[0], ("appos", "punct")))]
        owners = [head for head in heads if tree.has(head, "det")]
        if any(tree.lower[kid] in ("'s", "’s") for head in owners for kid in tree.kids(head, "case")):
            return []  # "The Corvo's battery lasts; the Lindqvist's doesn't"
        relation = tree.relation[first] if tree.relation[first] == "acl:relcl" else relation
        for head in heads:
            modified = head == tree.head[first]
            without = [relation] if relation == "acl" or (relation == "acl:relcl" and modified) else []
            focus = [kid for kid in tree.kids(head, "advmod") if tree.lower[kid] in ("only", "even", "just")]
            if modified and focus:
                without.append("advmod")  # "only after the bank, which had objected, agreed"
            subjects += self._nouns(head, without, subject=True)
        wholes = [self._modifier(kid) for kid in self._wholes(verb)]
        subjects = [join(subject, *wholes) for subject in subjects]
        expletives = [kid for kid in tree.kids(verb, "expl") if tree.lower[kid] == "it"]
        if not subjects and expletives:
            subjects = [phrase(tree, expletives[:1])]
        if not subjects and is_imperative(tree, verb):
            subjects = [inferred(TOLD)]
        return subjects

    def _holds_together(self, verb: int) -> bool:
        """Whether the predicate holds for its coordinated subjects together, or names them both."""
        tree = self.tree
        if any(tree.lower[kid] == "both" for kid in tree.kids(verb, "advmod", "det", "cc:preconj")):
            return True
        own = tree.subtree(verb, OTHER_CLAUSES)
        amount = any(tree.upos[word] == "NUM" for word in own if word > verb)
        if amount and any(tree.lower[word] in TOGETHER for word in own):
            return True
        if amount and SUMMING.fullmatch(tree.lower[verb]) and "each" not in tree.lower:
            return True  # "The house and the garden cost $300,000"
        if self._is_together(verb) or self._is_respective(verb):
            return True
        if tree.lower[verb] in ("share", "shared") and tree.has(verb, "obj"):
            return True  # "The bank and the state share the cost"
        if any(tree.lower[kid] in ("rest", "remainder") for kid in tree.kids(verb, "obj")):
            return True  # "A levy and a raffle bring in the rest"
        objects = tree.kids(verb, "obj") if tree.lower[verb] in ("mean", "meant") else []
        if any(tree.lower[word] == "same" for kid in objects for word in (kid, *tree.kids(kid, "amod"))):
            return True
        return self._is_collective(verb) or (tree.relation[verb] == "acl" and self._is_collective(tree.head[verb]))

    def _is_collective(self, verb: int) -> bool:
        """Whether the predicate holds for all of its subjects together: "are two different illnesses"."""
        tree = self.tree
        if tree.has(verb, "cop" if tree.upos[verb] == "ADJ" else "aux:pass"):
            return tree.lower[verb] in COLLECTIVE
        if any(tree.xpos[kid] == "NNS" and self._differ(kid) for kid in tree.kids(verb, "xcomp")):
            return True  # "became separate places"
        counted = tree.has(verb, "nummod") or self._differ(verb)
        same = any(tree.lower[kid] == "same" for kid in tree.kids(verb, "amod"))
        counted = counted or any(
            tree.lower[kid] in ALL_OF_THEM for kid in tree.kids(verb, "amod")
        )  # "the only grounds"
        many = tree.xpos[verb] == "NNS" or (tree.xpos[verb] == "NN" and same)
        number = tree.upos[verb] == "NUM" and tree.has(verb, "det")  # "were the two who opposed it"
        return tree.has(verb, "cop") and (number or (many and counted))

    def _differ(self, noun: int) -> bool:
        return any(self.tree.lower[kid] in COLLECTIVE for kid in self.tree.kids(noun, "amod"))

    def _predicate(self, verb: int, before: Phrase, copula: int | None, subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        verbs = verb_words(tree, verb, copula) + self.joined.get(verb, [])
        predicate = join(before, self._inverted(verb, self._negated(verb, function_phrase(tree, verbs))))
        reduced = tree.relation[verb] == "acl" or (tree.relation[verb] == "advcl" and not tree.has(verb, "mark"))
        if reduced and tree.xpos[verb] == "VBN" and not tree.has(verb, "aux", "aux:pass"):
            predicate = join(inferred(self._copula_of(verb)), predicate)
        elif self._leaves_out_be(verb):
            predicate = join(inferred(ARE if is_many(tree, subject_heads(tree, verb)[0]) else IS), predicate)
        there = [kid for kid in tree.kids(verb, "expl") if tree.lower[kid] == "there"]
        if copula is not None:
            self._copular(verb, copula, predicate, verbs, subjects)
        elif there:
            self._existential(verb, there[0], predicate)
        else:
            self._verbal(verb, predicate, verbs, subjects or [NOTHING], depth)

    def _leaves_out_be(self, verb: int) -> bool:
        """Whether a note has a participle for its verb: "No booking needed"."""
        tree = self.tree
        noted = tree.relation[verb] == "ROOT" and tree.xpos[verb] == "VBN" and not tree.has(verb, "aux", "aux:pass")
        denied = [
            kid for kid in tree.kids(verb, "nsubj:pass") if any(tree.lower[d] == "no" for d in tree.kids(kid, "det"))
        ]
        return noted and bool(denied) and denied[0] < verb

    def _negated(self, verb: int, verbs: Phrase) -> Phrase:
        """The negation behind the first auxiliary: "neither be chewed nor opened" gives both verbs a "not"."""
        tree = self.tree
        first = tree.head[verb] if tree.relation[verb] == "conj" else verb
        paired = any(tree.lower[kid] == "neither" for kid in tree.kids(first, "advmod", "cc:preconj", "cc"))
        joined = any(tree.lower[kid] == "nor" for kid in tree.kids(verb, "cc")) and not tree.has(verb, "nsubj")
        if paired and (verb == first or joined) and tree.has(first, "aux", "aux:pass"):
            rest = [word for word in verbs.text.split() if word not in ("neither", "not")]
            return verbs.as_resolved(" ".join([*rest[:1], "not", *rest[1:]]))
        text, wording = (LATE_NEGATION.sub(r"\1 not \2", part) for part in (verbs.text, verbs.wording))
        return replace(verbs, text=text, wording=wording)

    def _inverted(self, verb: int, verbs: Phrase) -> Phrase:
        """The verbs in the order of a statement: "Also included are towels", "Not covered is rain"."""
        tree = self.tree
        finite, subjects = tree.kids(verb, "aux:pass"), tree.kids(verb, "nsubj:pass")
        if len(finite) != 1 or not subjects or not verb < finite[0] < subjects[0] or tree.relation[verb] != "ROOT":
            return verbs
        negation = ["not"] if tree.is_negated(verb) else []
        return verbs.as_resolved(" ".join([tree.lower[finite[0]], *negation, tree.lower[verb]]))

    def _clause_of(self, noun: int) -> int:
        """The word that heads the clause in which a noun stands: a verb, or what has a copula."""
        tree, word = self.tree, noun
        while tree.head[word] != word and tree.upos[word] not in ("VERB", "AUX") and not tree.has(word, "cop"):
            word = tree.head[word]
        return word

    def _copula_of(self, participle: int) -> str:
        """The form of "be" that a participle behind its noun leaves out: "the find, described in ..."."""
        tree = self.tree
        noun = tree.head[participle]
        main = self._clause_of(noun)
        past = is_past(tree, main) or self._is_over(participle)
        if tree.relation[participle] == "advcl":
            noun = next(iter(subject_heads(tree, participle)), noun)
        many = tree.xpos[noun] in ("NNS", "NNPS") or tree.lower[noun] in ("they", "we", "you")
        many = many or any(kid < participle for kid in tree.kids(noun, "conj"))
        if any(tree.lower[case] == "since" for kid in tree.kids(participle, "obl") for case in tree.kids(kid, "case")):
            return HAVE_BEEN if many else HAS_BEEN  # "led by Ada Berg since March"
        if tree.relation[participle] == "advcl" and tree.xpos[main] == "VBZ":
            many = False  # "Headquartered in Bergen, Orsa Foods sells fish"
        return (WERE if many else WAS) if past else (ARE if many else IS)

    def _is_over(self, participle: int) -> bool:
        """Whether a participle tells of the past by itself: "built ...", "sent on 8 October", "formerly known as"."""
        tree = self.tree
        verb, below = tree.lower[participle], [word for word in tree.subtree(participle) if word > participle]
        in_year = any(YEAR.fullmatch(tree.words[word]) and tree.lower[word - 1] in BEFORE_YEARS for word in below)
        months = [word for word in below if tree.words[word] in MONTHS]
        on_day = any("NUM" in (tree.upos[word - 1], *tree.upos[word + 1 : word + 2]) for word in months)
        before = any(
            tree.lower[kid] in ("once", "formerly", "previously", "originally", "first")
            for kid in tree.children[participle]
        )
        made = verb in LIFE_EVENTS | CREATED or (verb in MADE_BY and tree.has(participle, "obl:agent"))
        return made or before or in_year or (verb in SENT and on_day)

    def _copular(self, verb: int, copula: int, predicate: Phrase, verbs: list[int], subjects: list[Phrase]) -> None:
        """X is Y: predicate nouns and adjectives, with oblique phrases as claims of their own."""
        tree = self.tree
        expletive = any(tree.lower[kid] in ("it", "there") for kid in tree.kids(verb, "expl"))
        nominal = tree.upos[verb] in ("NOUN", "PROPN", "NUM")
        oblique = [
            kid
            for kid in tree.kids(verb, "obl", "obl:unmarked")
            if (nominal or kid < copula < verb) and not is_exception(tree, kid)
        ]
        oblique = [kid for kid in oblique if not self._is_source(kid)]
        for kid in [kid for kid in oblique if kid < copula and self._is_scope(kid, verb)]:
            subjects = [join(subject, self._modifier(kid)) for subject in subjects]
            oblique.remove(kid)
        past = any(tree.xpos[word] == "VBD" for word in verbs)
        apart = past and len(oblique) > 1
        outside = set(OUTSIDE_PREDICATE)
        if not stays_whole(tree, verb):
            outside |= {"conj", "cc"}
        fronted = {
            word
            for kid in tree.children[verb]
            if kid < copula < verb
            and tree.relation[kid] in ("advmod", "obl", "obl:unmarked", "advcl", "discourse", "nmod", "dep")
            for word in tree.subtree(kid)
        }
        sources = [kid for kid in tree.kids(verb, "obl") if self._is_source(kid)]
        apart_from = [*self._conditions(verb), *oblique, *sources]
        spent = fronted | set(verbs) | {word for kid in apart_from for word in tree.subtree(kid)}
        for head in self._predicate_heads(verb):
            words = self._predicate_words(head, outside, spent, expletive)
            if not words:
                continue
            if head != verb and tree.upos[head] == "ADJ" and not tree.has(head, "obl", "advcl", "ccomp"):
                shared = [kid for kid in tree.kids(verb, "obl", "advcl") if kid > head and kid not in oblique]
                shared = [kid for kid in shared if not tree.has(kid, "nsubj", "nsubj:pass")]  # "while winters are mild"
                words += [word for kid in shared for word in tree.subtree(kid) if word not in spent]
            alike = tree.upos[head] == tree.upos[verb] == "NOUN" and tree.has(head, "det") == tree.has(verb, "det")
            if head != verb and alike and not tree.has(head, "case"):  # "for waste and peelings"
                words += [kid for kid in tree.kids(verb, "case") if tree.lower[kid] == "for"]
            target = self.discourse.resolve(tree, head, phrase(tree, words))
            if head != verb:  # "red during charging and green once it is full"
                target = join(target, *(self._clause_words(kid) for kid in self._conditions(head)))
            if not apart:
                target = join(target, *(self._modifier(kid) for kid in oblique))
            clauses = [kid for kid in tree.kids(head, "acl:relcl") if is_restrictive(tree, kid)]
            if clauses and (len(words) <= 2 or stays_with_noun(tree, head)):
                target = phrase(tree, words + tree.subtree(clauses[-1]))  # "one that ..."
            for subject in subjects:
                self._add(subject, predicate, target, "copula")
                if head == verb and tree.upos[head] == "NOUN" and subject.text:
                    self.discourse.describes(tree.lower[head], subject.text)
            if not subjects and tree.relation[verb] in ("ROOT", "parataxis") and not expletive:
                self._add(NOTHING, predicate, target, "copula")
        core = phrase(tree, [w for w in tree.subtree(verb, outside) if w not in spent])
        if apart:
            for kid in oblique:
                for subject in subjects:
                    for preposition, target in self._phrases(kid):
                        self._add(subject, join(predicate, core, preposition), target, "copula-oblique")
        for kid in tree.kids(verb, "advcl"):
            self._adverbial(kid, subjects, predicate, core)

    def _is_scope(self, oblique: int, verb: int) -> bool:
        """Whether a phrase in front says of what the subject is meant: "For gifts, the limit is 30%"."""
        tree = self.tree
        subjects = tree.kids(verb, "nsubj")
        led = any(tree.lower[case] == "for" for case in tree.kids(oblique, "case"))
        timed = any(map(self._is_time, tree.subtree(oblique)))
        definite = len(subjects) == 1 and any(tree.lower[kid] == "the" for kid in tree.kids(subjects[0], "det"))
        kinds = tree.xpos[oblique] in ("NNS", "NNPS")  # not "For a fee, ..."
        return led and kinds and not timed and definite and oblique < subjects[0] and tree.upos[subjects[0]] == "NOUN"

    def _predicate_heads(self, verb: int) -> list[int]:
        tree = self.tree
        if stays_whole(tree, verb):
            return [verb]
        kinds = ("NOUN", "PROPN", "ADJ", "NUM", "SYM")
        conjuncts = [
            kid
            for kid in tree.kids(verb, "conj")
            if tree.upos[kid] in kinds and not tree.has(kid, "nsubj", "nsubj:pass", "cop", "orphan")
            if not self._is_limit(kid)
        ]
        return [verb, *conjuncts]

    def _predicate_words(self, head: int, outside: set[str], spent: set[int], expletive: bool) -> list[int]:
        tree = self.tree
        if tree.upos[head] == "ADJ" or expletive:
            outside = outside - {"ccomp"}
        if tree.upos[head] == "VERB" and any(tree.lower[kid] == "to" for kid in tree.kids(head, "mark")):
            outside = outside - {"mark"}  # "is to inform"
        if expletive:
            outside = outside - {"csubj", "csubj:pass", "mark"}
        words = [
            word
            for word in tree.subtree(head, outside)
            if word not in spent
            and not (
                tree.relation[word] == "advmod"
                and tree.head[word] == head
                and (tree.xpos[word] == "WRB" or tree.lower[word] in ("also", "however", "therefore", "additionally"))
            )
        ]
        copulas = tree.kids(head, "cop")
        if tree.upos[head] == "NOUN" and copulas:  # "is to blame", read as a noun
            words += [kid for kid in tree.kids(head, "mark") if tree.lower[kid] == "to" and kid > copulas[-1]]
        for word in list(words):
            for kid in tree.kids(word, "acl:relcl", "appos", "parataxis"):
                below = tree.subtree(kid)
                opening = [tree.words[i] for i in (below[0] - 1, below[0]) if i >= 0]
                if word != head and kid in words and "," in opening:
                    words = [other for other in words if other not in below]
        if tree.upos[head] == "ADJ":
            for kid in tree.kids(head, "advcl"):
                marks = [tree.lower[mark] for mark in tree.kids(kid, "mark")]
                gerund = tree.xpos[kid] == "VBG" and kid == head + 2 and "," not in tree.words[head:kid]
                gerund = gerund or (tree.xpos[head] == "JJS" and "since" in marks and kid > head)  # "the largest since"
                if "to" in marks or gerund or (is_comparison(tree, kid) and kid > head):
                    words += tree.subtree(kid)  # "responsible for calibrating ..."
        words = without_clauses(tree, head, words)
        only = [kid for kid in tree.kids(head, "amod") if tree.lower[kid] in ("only", "first", "last")]
        if only and copulas:  # "is the only place that takes cards"
            relatives = [kid for kid in tree.kids(head, "acl:relcl") if is_restrictive(tree, kid)]
            words += [word for kid in relatives for word in tree.subtree(kid) if word not in words]
        if words:
            first, last = min(words), max(words)
            for mark in tree.kids(head, "punct"):
                quote = tree.words[mark] in '"“”' and first - 1 <= mark <= last + 1
                inner = first < mark < last and mark - 1 in words and mark + 1 in words
                if quote or inner:
                    words.append(mark)
        return words

    def _existential(self, verb: int, there: int, predicate: Phrase) -> None:
        tree = self.tree
        if all(head < there for head in tree.kids(verb, "nsubj", "nsubj:pass")):
            return  # "the water there is shallow"
        place = phrase(tree, [there])
        for head in tree.kids(verb, "nsubj", "nsubj:pass"):
            if tree.upos[head] == "NUM":
                continue  # "There should be three per side"
            for subject in self._nouns(head):
                oblique = [kid for kid in tree.kids(verb, "obl") if not self._is_source(kid)]
                if not oblique:
                    self._add(place, predicate, subject, "existential")
                limited = any(tree.lower[kid] in ("just", "only") for kid in tree.kids(verb, "advmod"))
                limited = limited or any(self._is_rate(kid, verb) for kid in oblique)
                moments = bool(oblique) and all(map(self._is_moment, oblique))  # "there were 16 pairs in 2024"
                limited = limited or moments
                if limited:  # "In winter, there are just two tours a day"
                    target = join(subject, *map(self._modifier, oblique))
                    self._add(place, predicate, target, "existential")
                for kid in oblique if not limited else ():
                    for preposition, target in self._phrases(kid):
                        self._add(subject, join(predicate, preposition), target, "existential-oblique")

    def _verbal(self, verb: int, predicate: Phrase, verbs: list[int], subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        count = len(self.drafts)
        objects = tree.kids(verb, "obj") or shared_object(tree, verb)
        oblique = tree.kids(verb, "obl", "obl:agent", "obl:unmarked")
        if gap := relative_gap(tree, verb, objects, oblique):
            objects = [word for word in objects if tree.lower[word] not in RELATIVE] + [gap]
        sums = len(objects) == 2 and tree.upos[objects[1]] in ("SYM", "NUM")
        if sums and tree.relation[objects[0]] == "obj" and tree.upos[objects[0]] not in ("SYM", "NUM"):
            predicate, objects = join(predicate, self._noun(objects[0])), objects[1:]  # "fined the firm $2 million"
        targets = [
            target
            for word in objects
            if tree.lower[word] not in RELATIVE or (word > verb and tree.words[word + 1 : word + 2] != [":"])
            for target in ([self._noun(word, ("acl:relcl",))] if word == gap else self._objects(verb, word))
        ]
        complements = tree.kids(verb, "xcomp")
        chained = [kid for kid in complements if tree.upos[kid] in ("VERB", "AUX") or tree.has(kid, "cop")]
        secondary = [kid for kid in complements if kid not in chained]
        modifiers = self._modifiers(verb, verbs)
        core = self._core_object(verb, objects, targets, secondary)
        if gap and targets and not core:
            core = targets[0]  # "a ledger, which he had hidden behind the press"
        indirect = [self._noun(kid) for kid in tree.kids(verb, "iobj")[:1]]
        if secondary:
            self._secondary_predicates(secondary, predicate, subjects, targets, modifiers)
        elif chained:
            middle = core or (targets[0] if targets else None)
            outer = self.condition
            for kid in chained:  # "must be ordered by noon to be ready"
                state = tree.has(verb, "aux:pass") and tree.has(kid, "cop", "aux:pass")
                inner = [own for own in modifiers if state and verb < own < kid and middle is None]
                self.condition = join(*(self._modifier(own) for own in modifiers if own not in inner), outer)
                said = join(predicate, *indirect, *map(self._modifier, inner))
                self._chain(kid, said, middle, subjects, depth)
            self.condition = outer
        else:
            complemented = self._clausal_complements(verb, subjects, join(predicate, *indirect, core))
            if targets or not complemented:
                if is_light(tree, verb, objects, oblique):
                    predicate, targets, core = join(predicate, core), [], None
                self._complements(verb, subjects, join(predicate, *indirect), targets, core, modifiers)
                for kid in (kid for kid in oblique if kid > verb and self._follows(kid)):
                    full = join(predicate, *indirect, core, function_phrase(tree, tree.kids(kid, "case")))
                    for subject in subjects:
                        self._add(subject, full, self._noun(kid), "oblique")
        second = [full_phrase(tree, tree.subtree(kid, OUTSIDE_PREDICATE)) for kid in secondary if objects]
        if secondary and tree.lower[secondary[0]] == "sure" and not objects:  # "make sure that it is closed before ..."
            complement = [word for kid in tree.kids(secondary[0], "ccomp") for word in tree.subtree(kid, ("advcl",))]
            core = full_phrase(tree, [*tree.subtree(secondary[0], ("advcl", "ccomp")), *complement])
        asked = [kid for kid in tree.kids(verb, "ccomp") if kid > verb]  # "check whether it is yours before you pay it"
        clauses = [full_phrase(tree, tree.subtree(kid, ("advcl",))) for kid in asked]
        held = [kid for kid in modifiers if not self._is_denied(kid)]
        spent = {word for kid in self._conditions(verb) for word in tree.subtree(kid)}
        for kid in chained[:1]:  # "Because you are ill, you need not worry about paying it"
            clauses.append(full_phrase(tree, [w for w in tree.subtree(kid, ("advcl", "conj", "cc")) if w not in spent]))
        said = join(*indirect, core, *second, *clauses, *map(self._modifier, held))
        for kid in tree.kids(verb, "advcl"):
            times = [full_phrase(tree, tree.subtree(one)) for one in self._times_before_reason(verb, kid)]
            self._adverbial(kid, subjects, predicate, join(said, *times))
        if len(self.drafts) == count and not complements and not tree.has(verb, "ccomp"):
            self._intransitive(verb, predicate, subjects, depth)

    def _times_before_reason(self, verb: int, reason: int) -> list[int]:
        """The clauses of time between a verb and its reason: "Taste it before you add salt because ..."."""
        tree = self.tree
        if not any(tree.lower[kid] == "because" for kid in tree.kids(reason, "mark")):
            return []
        times = [kid for kid in tree.kids(verb, "advcl") if verb < kid < reason and not is_condition(tree, kid)]
        return [kid for kid in times if {"before", "after"} & {tree.lower[mark] for mark in tree.kids(kid, "mark")}]

    def _complements(
        self,
        verb: int,
        subjects: list[Phrase],
        predicate: Phrase,
        targets: list[Phrase],
        core: Phrase | None,
        modifiers: list[int],
    ) -> None:
        """One claim with all complements of the verb, or one for each that stands alone ("in 1926", "in Bergen")."""
        tree = self.tree
        every = [kid for kid in modifiers if tree.relation[kid].startswith("obl") and not self._is_rate(kid, verb)]
        governed = [kid for kid in every if len(every) > 1 and not targets and self._is_governed(verb, kid)]
        oblique = [kid for kid in every if not self._is_idiom(kid) and kid not in governed] or every
        idioms = [self._modifier(kid) for kid in every if kid not in oblique]  # "was put on hold in May"
        length = sum(len(self._modifier_words(kid)) for kid in oblique)
        told = is_past(tree, verb) and not tree.is_negated(verb) and not STATE.match(tree.lower[verb])
        told = told and not any(tree.upos[kid] == "NUM" and not tree.children[kid][1:] for kid in oblique[1:])
        behind = [kid for kid in oblique if kid > verb]
        told_to = is_imperative(tree, verb) or any(tree.xpos[kid] == "MD" for kid in tree.kids(verb, "aux"))
        listed = not told_to and any(
            tree.words[min(tree.subtree(kid)) - 1] == "," or tree.has(kid, "punct") for kid in behind[1:]
        )
        lasting = any(MEASURE_WORD.match(tree.lower[kid]) and tree.has(kid, "nummod") for kid in oblique)
        cases = [tree.lower[case] for kid in oblique for case in tree.kids(kid, "case")[:1]]
        distinct = len(set(cases)) == len(cases) and length <= MAX_MODIFIER_WORDS
        together = lasting and distinct and not is_past(tree, verb)  # "lasts for 70 years after the author's death"
        apart = len(oblique) >= (1 if targets and told else 2) and (told or listed or length > MAX_MODIFIER_WORDS)
        amounts = [
            tree.lower[kid] in SHARES or tree.has(kid, "nummod", "det:predet") or tree.upos[kid] == "NUM"
            for kid in oblique
        ]
        ranged = {"from", "to"} <= set(cases) and sum(amounts) > 1 and len(oblique) > 2
        rated = any(amounts) and any(
            tree.lower[det] in ("each", "every") for kid in behind for det in tree.kids(kid, "det")
        )
        apart = apart and not together and not ranged and not rated  # "rose from 5% in May to 7% in October"
        kept = [kid for kid in modifiers if not (apart and kid in every)]
        after = self._in_order(verb, kept)
        if apart:
            inner = [kid for kid in kept if not is_result(tree, kid)]
            late = [kid for kid in inner if tree.relation[kid] == "advcl" and kid > max(oblique)]  # "owing £3m"
            rest = join(*self._in_order(verb, [kid for kid in inner if kid > verb and kid not in late]))
            before = [self._modifier(kid) for kid in inner if kid < verb]  # "After losing his job, he lived ..."
            for kid in oblique:
                for subject in subjects:
                    for preposition, target in self._phrases(kid):
                        full = join(predicate, core or rest, *idioms, preposition)
                        ending = join(target, *map(self._modifier, late), *before)
                        self._add(subject, full, ending, RULE.get(tree.relation[kid], "oblique"))
        for target in targets:
            own = after
            if target is not targets[0] and target.spans:  # "a bright spot out of the sun and a warm place"
                first, start = targets[0].spans[0].start if targets[0].spans else 0, target.spans[0].start
                own = self._in_order(verb, [kid for kid in kept if not first < tree.spans[kid].start < start])
            for subject in subjects:
                self._add(subject, predicate, join(target, *own), "object")
        if apart or targets or not kept:
            return
        first = min(kept, key=lambda kid: (kid < verb, kid))
        of_it = any(tree.lower[case] == "of" for case in tree.kids(first, "case"))
        if first in every and (of_it or not self._is_idiom(first)):
            exclusive = any(tree.lower[kid] in EXCLUSIVE for kid in tree.kids(verb, "advmod"))
            whole = exclusive or self._is_respective(verb) or self._is_share(verb)
            case = tree.with_fixed(tree.kids(first, "case"))
            words = [word for word in self._modifier_words(first) if word not in case]
            named = self._phrases(first)
            if whole and tree.has(first, "conj"):
                named = [(self._prepositions(first), phrase(tree, words))]
            for subject in subjects:
                for preposition, target in named:
                    full = join(predicate, preposition)
                    others = self._in_order(verb, [kid for kid in kept if kid != first])
                    self._add(subject, full, join(target, *others), RULE.get(tree.relation[first], "oblique"))
        else:
            for subject in subjects:
                self._add(subject, predicate, join(*after), "adverb")

    def _modifiers(self, verb: int, verbs: list[int]) -> list[int]:
        """The words that head the oblique phrases, adverbs and purposes of a verb."""
        tree = self.tree
        found = []
        gap, concessions = gap_after(tree, verb), self._concessions(verb)
        for kid in tree.children[verb]:
            relation = tree.relation[kid]
            if kid in (*verbs, *concessions) or any(
                tree.lower[word] in ("according", "accordance") for word in tree.children[kid]
            ):
                continue
            if self._is_parted(verb, kid) or (gap is not None and kid >= gap):
                continue
            below = tree.subtree(kid)
            fronted = kid < verb and (self._connects(kid) or tree.lower[below[0]] in LEADING)
            fronted = fronted or tree.lower[below[0] : below[0] + 2] == ["for", "example"]
            consequence = kid > verb and relation == "obl" and self._follows(kid)
            partitive = tree.lower[below[0]] == "of" and any(tree.lower[word] in ("which", "whom") for word in below)
            among = tree.lower[below[0]] == "among" and tree.lower[kid] in ("them", "these", "those")
            purpose = relation == "advcl" and any(tree.lower[word] == "this" for word in tree.kids(kid, "obj"))
            if partitive or fronted or among or consequence or purpose or kid in self._wholes(verb):
                continue
            if relation in ("obl", "obl:agent"):
                empty = tree.upos[kid] in ("ADP", "PART", "SCONJ", "CCONJ") and not tree.children[kid]
                empty = empty or kid in self._included(verb)
                if not empty and not is_exception(tree, kid):
                    found.append(kid)
            elif relation == "obl:unmarked":
                inner = tree.subtree(kid, ("appos", "acl", "acl:relcl", "conj"))
                timed = tree.xpos[kid] == "CD" or any(MEASURE_WORD.match(tree.lower[w]) for w in inner)
                timed = timed or any(tree.lower[det] in ("each", "every") for det in tree.kids(kid, "det"))
                things = any(tree.upos[thing] in NOMINAL for thing in tree.kids(verb, "obj"))
                own = things and kid > verb and tree.lower[kid].endswith(("self", "selves"))
                timed = timed or own  # "clean the filter yourself"
                timed = timed or tree.lower[kid] in ("little", "lot", "bit", "deal")  # "It rose a little"
                if timed and not is_exception(tree, kid):
                    found.append(kid)
            elif relation == "advmod":
                if (
                    not (tree.has(kid, "advcl") and is_condition(tree, kid))
                    and not (len(below) > 2 and is_exception(tree, kid))
                    and tree.xpos[kid] != "WRB"
                    and (tree.lower[kid] not in DISCOURSE or tree.lower[kid - 1 : kid + 1] == ["do", "so"])
                    and (kid > verb or tree.lower[kid] == "only" or tree.lower[kid : kid + 2] == ["there", ","])
                ):
                    found.append(kid)
            elif relation == "advcl" and not is_condition(tree, kid) and self._is_inside(kid):
                found.append(kid)
            elif is_result(tree, kid):
                found.append(kid)  # "cut its budget, leading to layoffs"
        return found

    def _wholes(self, verb: int) -> list[int]:
        """What an amount is part of, in front of it: "Of the cost, £15,000 comes from reserves"."""
        tree = self.tree
        amounts = [kid for kid in tree.kids(verb, "nsubj", "nsubj:pass") if tree.upos[kid] in ("SYM", "NUM")]
        found = [kid for kid in tree.kids(verb, "obl") if amounts and kid < amounts[0] and tree.upos[kid] in NOMINAL]
        return [kid for kid in found if any(tree.lower[case] == "of" for case in tree.kids(kid, "case"))]

    def _follows(self, oblique: int) -> bool:
        """Whether a phrase says what follows from its clause: "45 minutes before it closes, so at 6"."""
        tree = self.tree
        joints = [kid for kid in tree.kids(oblique, "advmod", "cc") if tree.lower[kid] == "so"]
        return any(tree.words[kid - 1] == "," for kid in joints)

    def _is_parted(self, verb: int, kid: int) -> bool:
        """Whether a phrase belongs to a clause without its verb: "...; on Sundays, until 5", "B may not on Sundays".

        It stands behind a semicolon, or behind the auxiliary of that clause.
        """
        tree = self.tree
        late = any(auxiliary < kid for auxiliary in late_auxiliaries(tree, verb))
        return kid > verb and (late or ";" in tree.words[verb + 1 : min(tree.subtree(kid)) + 1])

    def _is_denied(self, kid: int) -> bool:
        """Whether a modifier behind a comma says what does not hold: "before it begins, never during it"."""
        below = self.tree.subtree(kid, ("punct", "cc"))
        negated = self.tree.lower[below[0]] in ("not", "never") and below[0] > 0 and below[0] != kid
        return negated and self.tree.words[below[0] - 1] == "," and kid > self.tree.head[kid]

    def _is_rate(self, oblique: int, verb: int) -> bool:
        """Whether a phrase in front says at which amount all holds: "At a rate of 2%, yields rose by 14% in a year"."""
        tree = self.tree
        led = any(tree.lower[case] == "at" for case in tree.kids(oblique, "case"))
        sized = any(tree.upos[word] == "SYM" for word in tree.subtree(oblique))
        if any(tree.lower[kid] in ("a", "an") for kid in tree.kids(oblique, "det")):  # "at a speed of 40 km/h"
            sized = sized or any(tree.has(kid, "nummod") for kid in tree.kids(oblique, "nmod"))
        return led and oblique < verb and sized

    def _is_idiom(self, oblique: int) -> bool:
        """ "at once", "at most four": an adverb of two words."""
        tree = self.tree
        cases = tree.kids(oblique, "case")
        bare = not tree.has(oblique, "det", "amod", "nmod", "nmod:poss", "compound")
        return any(
            (tree.lower[case] == "at" and tree.lower[case + 1] in ADVERBIAL)
            or (tree.lower[case] == "by" and bare and tree.lower[oblique] in MEANS)
            or (bare and f"{tree.lower[case]} {tree.lower[oblique]}" in FIXED)
            or tree.lower[case : oblique + 1] == ["in", "a", "row"]
            or (tree.lower[case] == "of" and OF_WHAT.match(tree.lower[tree.head[oblique]]))  # "cleared him of murder"
            or (tree.lower[case] == "out" and tree.has(tree.head[oblique], "aux:pass"))  # "was voted out of office"
            for case in cases
            if case < oblique
        )

    def _is_governed(self, verb: int, oblique: int) -> bool:
        """Whether a phrase is what the verb acts on, though it has a preposition: "deal with", "ask for"."""
        tree = self.tree
        cases = [case for case in tree.kids(oblique, "case") if case == verb + 1]
        return any(PREPOSITIONAL.fullmatch(f"{tree.lower[verb]} {tree.lower[case]}") for case in cases)

    def _is_inside(self, clause: int) -> bool:
        """Whether an adverbial clause is part of the claim of its main clause: it has no subject and no tense.

        "by bringing ...", "to avoid ...", "before serving", "using a shovel"; in instructions ", turning it over".
        """
        tree = self.tree
        if self._is_attendant(clause):
            return True
        if tree.has(clause, "nsubj", "nsubj:pass", "csubj", "aux") or tree.xpos[clause] not in ("VB", "VBG", "VBN"):
            return False
        marks = [tree.lower[kid] for kid in tree.kids(clause, "mark")]
        behind = clause > tree.head[clause]
        if marks and marks[0] in ("after", "before", "while", "when", "since"):
            return tree.xpos[clause] == "VBG" and marks[0] in ("after", "before")
        if marks:
            return behind
        return behind and tree.xpos[clause] == "VBG" and not is_finite(tree, clause) and not is_result(tree, clause)

    def _is_attendant(self, clause: int) -> bool:
        """Whether a clause with a subject goes with its verb: "..., with the chair abstaining", "stay as they are"."""
        tree = self.tree
        subjects = tree.kids(clause, "nsubj", "nsubj:pass")
        marks = [tree.lower[kid] for kid in tree.kids(clause, "mark")]
        absolute = marks == ["with"] and tree.xpos[clause] in ("VBG", "VBN")
        as_is = marks == ["as"] and tree.lower[clause] in ("are", "is", "were", "was")
        as_is = as_is and all(tree.upos[kid] in ("PRON", "SCONJ", "ADP") for kid in tree.children[clause])
        return clause > tree.head[clause] and bool(subjects) and (absolute or as_is)

    def _in_order(self, verb: int, kids: list[int]) -> list[Phrase]:
        """The modifiers as they follow the verb, the alternatives of the verb, then the modifiers in front of it."""
        tree = self.tree
        behind = [kid for kid in sorted(kids) if kid > verb]
        found = []
        for bound, run in groupby(behind, lambda kid: tree.upos[kid] == "PRON" or tree.lower[kid] in RELATIVE):
            if bound:
                found += [self._modifier(kid) for kid in run]
            else:
                found.append(full_phrase(tree, [word for kid in run for word in self._modifier_words(kid)]))
        return [*found, self.tail, *(self._modifier(kid) for kid in sorted(kids) if kid < verb)]

    def _modifier_words(self, kid: int) -> list[int]:
        tree = self.tree
        if tree.relation[kid] in ("advcl", "advmod"):
            return tree.subtree(kid)

        def adds(word: int) -> bool:
            return tree.relation[word] == "acl:relcl" and not is_restrictive(tree, word)

        return without_clauses(tree, kid, tree.subtree(kid, ("appos", "parataxis", "punct"), adds))

    def _modifier(self, kid: int) -> Phrase:
        tree = self.tree
        if tree.lower[kid] in RELATIVE and tree.relation[tree.head[kid]] == "acl:relcl":
            return join(self._prepositions(kid), self._noun(tree.head[tree.head[kid]]))
        if tree.upos[kid] == "PRON" and not tree.has(kid, "acl", "acl:relcl"):
            return join(self._prepositions(kid), self._noun(kid))
        return full_phrase(tree, self._modifier_words(kid))

    def _core_object(self, verb: int, objects: list[int], targets: list[Phrase], secondary: list[int]) -> Phrase | None:
        """The object as part of an oblique predicate: "received the prize in"."""
        tree = self.tree
        heads = [word for word in objects if word != tree.head[verb]]
        words = [word for head in heads for word in noun_words(tree, head)]
        shares = [head for head in heads if tree.lower[head] in SHARES or _is_part(tree, head)]
        if 0 < len(words) <= MAX_OBJECT_WORDS or shares:
            return targets[0] if len(targets) == 1 and targets[0].resolved else full_phrase(tree, words)
        if words:
            without = ("nmod", "acl", "amod")
            return full_phrase(tree, [word for head in heads for word in noun_words(tree, head, without=without)])
        return phrase(tree, noun_words(tree, secondary[0], case=True)) if secondary else None

    def _secondary_predicates(
        self,
        heads: list[int],
        predicate: Phrase,
        subjects: list[Phrase],
        targets: list[Phrase],
        modifiers: list[int],
    ) -> None:
        """Secondary predicates: "became a doctor", "was named captain", "made it famous"."""
        tree = self.tree
        spent = {word for kid in self._conditions(tree.head[heads[0]]) for word in tree.subtree(kid)}
        behind = [kid for kid in modifiers if kid > max(heads) or tree.relation[kid].startswith("obl")]
        after = [self._modifier(kid) for kid in sorted(behind, key=lambda kid: (kid < max(heads), kid))]
        outside = [*OUTSIDE_PREDICATE, "conj", "cc"]
        for head in heads:
            if tree.lower[head] == "to":
                continue
            sure = tree.lower[head] == "sure" and not targets
            if sure:
                predicate = join(predicate, function_phrase(tree, [head]))
            for one in coordinated(tree, head):
                contrast = any(
                    tree.lower[word] == "not" for kid in tree.kids(one, "conj") for word in tree.children[kid]
                )
                kept = ("ccomp", "conj", "cc") if contrast else ("ccomp",)  # "moist but not soaked"
                if any(is_comparison(tree, kid) for kid in tree.kids(one, "advcl")):
                    kept = (*kept, "advcl", "mark")  # "better than planned"
                if any(
                    tree.lower[kid] in ("of", "for")
                    for clause in tree.kids(one, "advcl")
                    for kid in tree.kids(clause, "mark")
                ):
                    kept = (*kept, "advcl", "mark")  # "guilty of destroying documents"
                words = (
                    noun_words(tree, one, case=True)
                    if tree.upos[one] != "ADJ"
                    else tree.subtree(one, [relation for relation in outside if relation not in kept])
                )
                words = [word for word in words if word not in spent and not (sure and word == head)]
                complement = phrase(tree, words)
                for subject in subjects:
                    for middle in targets or [NOTHING]:
                        self._add(subject, join(predicate, middle), join(complement, *after), "complement")

    def _clausal_complements(self, verb: int, subjects: list[Phrase], predicate: Phrase) -> bool:
        """Reported speech. Returns whether a complement makes claims of its own.

        The content of "the passage states that ..." is claimed by its own clause. That a source of the answer states it
        is no claim.
        """
        tree = self.tree
        claimed = False
        for kid in tree.kids(verb, "ccomp"):
            asserted = is_clause(tree, kid) and subject_heads(tree, kid) and not is_unasserted(tree, kid)
            claimed = claimed or bool(asserted)
            marker = [mark for mark in tree.kids(kid, "mark") if tree.lower[mark] == "that"]
            dropped = [] if is_question(tree, kid) else [m for m in tree.kids(kid, "mark") if tree.lower[m] != "to"]
            outside = {word for mark in dropped for word in tree.subtree(mark)}
            content = phrase(tree, [word for word in tree.subtree(kid) if word not in outside])
            if tree.relation[verb] == "acl:relcl" and content.text.lower().startswith(("which ", "who ")):
                continue  # "a diet which some claim can help"
            for subject in subjects:
                source = (
                    names_source(tree, verb)
                    or self._is_remark(verb)
                    or subject.text.lower() in ("", "it", "i", "we", "this")
                )
                if not (asserted and source):
                    self._add(subject, join(predicate, function_phrase(tree, marker)), content, "reported")
                    claimed = True  # not "claimed on | appeal" beside what was claimed
        return claimed

    def _is_remark(self, verb: int) -> bool:
        """Whether a command only tells the reader to know what follows: "If you go, keep in mind that it is cold"."""
        tree = self.tree
        minded = any(tree.lower[kid - 1 : kid + 1] == ["in", "mind"] for kid in tree.kids(verb, "obl"))
        return is_imperative(tree, verb) and (minded or tree.lower[verb] in ("note", "remember"))

    def _chain(self, kid: int, predicate: Phrase, middle: Phrase | None, subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        if depth >= MAX_CHAIN_DEPTH or is_alternative(tree, kid):
            return
        if any(tree.lower[mark] == "for" for mark in tree.kids(kid, "mark")):
            return  # "wait for the backup to complete": another subject
        marks = tree.kids(kid, "mark")
        negated = any(word < mark for mark in marks for word in tree.kids(kid, "advmod") if tree.lower[word] == "not")
        marker = NOTHING if negated else function_phrase(tree, marks)  # of "try not to pull", "not to" is in the verb
        copula = next(iter(tree.kids(kid, "cop")), None)
        outer = self.condition, self.tail
        others = tree.kids(kid, "conj") if shared_object(tree, kid) else []  # "move or remove files once they are old"
        self.condition = join(
            *(self._clause_words(one) for other in others for one in self._conditions(other)), outer[0]
        )
        if copula is not None or not self._joins_alternatives(kid):
            self._predicate(kid, join(predicate, middle, marker), copula, subjects, depth + 1)
        self.condition, self.tail = outer
        for conjunct in tree.kids(kid, "conj"):
            if conjunct in self.done:
                continue
            if is_rejected(tree, conjunct):
                self.done.add(conjunct)
            elif tree.upos[conjunct] == "VERB" and not tree.has(conjunct, "nsubj", "nsubj:pass"):
                self.done.add(conjunct)
                # "has to be mown and can't ...", "is asked to return and declines"
                modal = any(tree.xpos[word] == "MD" for word in tree.kids(conjunct, "aux"))
                finite = modal or (tree.xpos[kid] == "VB" and tree.xpos[conjunct] in ("VBZ", "VBD"))
                before = NOTHING if finite else join(predicate, middle, marker)
                self.condition = join(*map(self._clause_words, self._conditions(conjunct)), outer[0])
                self._predicate(conjunct, before, None, subjects, depth + 1)
                self.condition = outer[0]

    def _adverbial(self, verb: int, subjects: list[Phrase], predicate: Phrase, core: Phrase | None) -> None:
        """A subordinate clause as the object of its conjunction: "... after | he won"."""
        tree = self.tree
        if is_condition(tree, verb) or self._is_inside(verb) or self._is_denied(verb):
            return
        if ";" in tree.words[tree.head[verb] : verb]:
            return  # "It is not covered; the exception is when ..."
        marks = tree.kids(verb, "mark") + [
            kid
            for kid in tree.kids(verb, "advmod")
            if tree.lower[kid] in ("when", "while", "where", "once") and kid < verb
        ]
        marks = tree.with_fixed(marks)
        concessive = ["although", "though", "whereas", "while", "as", "so"]
        perfect = any(tree.lower[kid] in ("has", "have", "had") for kid in tree.kids(tree.head[verb], "aux"))
        if not perfect or "," in tree.words[tree.head[verb] : verb]:
            concessive.append("since")  # "takings have dropped since the bridge closed" tells a time
        if not marks or tree.lower[min(marks)] in concessive:
            return
        carries = [kid for kid in tree.kids(verb, "mark") if tree.lower[kid] == "for"]
        if carries and tree.has(verb, "nsubj", "nsubj:pass"):
            marks = carries  # "wait for the soil to warm"
        asked = is_question(tree, verb)
        reason = any(tree.lower[mark] == "because" for mark in marks)

        def adds(word: int) -> bool:
            if tree.relation[word] == "advcl" and not asked:
                times = reason and any(
                    tree.lower[kid] in ("before", "after", "until") for kid in tree.kids(word, "mark")
                )
                return word < verb or not (times or is_condition(tree, word))
            own = tree.relation[word] == "conj" and tree.has(word, "nsubj", "nsubj:pass", "aux", "cop", "aux:pass")
            joints = tree.kids(word, "cc")
            if reason and any(tree.lower[kid] == "and" and tree.words[kid - 1] != "," for kid in joints):
                return False  # "because trade increased and mines opened"
            return own and not any(tree.lower[kid] == "or" for kid in tree.kids(word, "cc"))

        words = tree.subtree(verb, ("punct",), adds)
        measured = [word for word in words if word < min(marks)]  # "at least ten days before they move in"
        clause = phrase(tree, [word for word in words if word not in marks and word not in measured])
        lead = full_phrase(tree, [*measured, *marks])
        first = tree.spans[words[0]].start if words else 0
        condition, main = self.condition, join(predicate, core, self.tail)
        if (
            any(tree.lower[mark] == "because" for mark in marks)
            and condition.spans
            and condition.spans[0].start < first
        ):
            main, condition = join(main, condition), NOTHING  # "unless it snows, because ..."
        for subject in subjects:
            self.drafts.append(Draft(subject, join(main, lead), join(clause, condition), "adverbial"))

    def _intransitive(self, verb: int, predicate: Phrase, subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        if self._waits_for_object(verb) or self._only_identifies(verb):
            return
        if tree.relation[verb] == "acl:relcl" and self._lacks_relative(verb):
            return
        own_subject = tree.has(verb, "nsubj", "nsubj:pass")
        modifies = tree.relation[verb] in ("acl:relcl", "advcl", "advcl:relcl") and not is_past(tree, verb)
        if depth or tree.relation[verb] in ("ROOT", "conj", "parataxis") or (own_subject and not modifies):
            for subject in subjects:
                self._add(subject, predicate, NOTHING, "intransitive")

    def _lacks_relative(self, clause: int) -> bool:
        """ "a mailbox no one was reading": its object is the noun in front."""
        tree = self.tree
        led = any(tree.lower[word] in RELATIVE or tree.xpos[word] in ("WRB", "WP$") for word in tree.subtree(clause))
        return not led and tree.head[clause] not in subject_heads(tree, clause)

    def _is_way(self, clause: int) -> bool:
        """ "Check in as the carrier required", "sit as they usually do": how it is done. Not "as prices rose"."""
        tree = self.tree
        marks = [tree.lower[kid] for kid in tree.kids(clause, "mark")]
        asked = AS_ASKED.fullmatch(tree.lower[clause]) or tree.xpos[clause] == "MD" or tree.lower[clause] in DO
        return marks == ["as"] and bool(asked) and not tree.has(clause, "obj", "ccomp", "aux:pass")

    def _only_identifies(self, clause: int) -> bool:
        """ "The pipe that failed is not covered": it says which one is meant, not that one failed."""
        tree = self.tree
        if tree.relation[clause] != "acl:relcl" or not is_restrictive(tree, clause):
            return False
        main = self._clause_of(tree.head[clause])
        perfect = any(tree.lower[kid] in ("has", "have") for kid in tree.kids(main, "aux"))
        return not (perfect or is_past(tree, main))

    def _waits_for_object(self, verb: int) -> bool:
        """Whether its object stands behind a verb that is joined to it: "Locate and click on the tab"."""
        tree = self.tree
        alone = INTRANSITIVE.match(tree.lower[verb]) or LABILE.match(tree.lower[verb])
        if alone or tree.has(verb, "aux:pass"):
            return False
        return any(
            (tree.has(other, "obj") or (is_imperative(tree, verb) and tree.has(other, "obl")))
            and not tree.has(other, "nsubj", "nsubj:pass")
            and all(tree.relation[word] in ("cc", "conj") for word in range(verb + 1, other))
            and tree.lower[other] not in GETTING
            for other in tree.kids(verb, "conj")
        )


def _is_part(tree: Tree, noun: int) -> bool:
    """ "two thirds of the plot": without its whole, it says nothing."""
    whole = any("of" in (tree.lower[case] for case in tree.kids(kid, "case")) for kid in tree.kids(noun, "nmod"))
    return tree.xpos[noun] == "NNS" and tree.has(noun, "nummod") and whole
