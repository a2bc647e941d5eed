"""Triplets from the clauses of a parsed sentence.

Every verbal or copular clause gives its subject a predicate and an object: direct objects, oblique phrases (the
preposition joins the predicate), predicate nouns and adjectives, complements. Coordinated phrases are distributed,
appositions and participles become claims of their own. Nothing is claimed that the sentence does not assert
("whether", "if", "denied that").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph_eval.extract.rules.coreference import Discourse
from graph_eval.extract.rules.lexicon import NOT_ASSERTING, RELATIVE, SOURCE_NOUN, TIME_WORD
from graph_eval.extract.rules.phrases import (
    NOTHING,
    Phrase,
    coordinated,
    function_phrase,
    inferred,
    join,
    noun_words,
    phrase,
    stays_whole,
    verb_words,
)
from graph_eval.extract.rules.tree import NOMINAL, Tree

LIFE_EVENTS = frozenset({"born", "died", "founded", "established", "formed", "released", "published"})
RANGE = re.compile(r"\d\s*[-–—]\s*\w")
MONTH_OR_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
YEAR = re.compile(r"(?:c\.?\s*)?(?:1\d|20)\d\d")
LIGHT_NOUNS = frozenset({"place", "part", "care", "advantage", "effect", "office"})
LONGEST_OBJECT = 6  # words of an object that may stand inside the predicate of an oblique phrase
DEEPEST_CHAIN = 4  # "began to try to learn to ..."
OUTSIDE_PREDICATE = (
    "nsubj nsubj:pass cop aux mark advcl parataxis punct csubj expl discourse nsubj:outer cc:preconj ccomp appos "
    "acl:relcl vocative"
).split()


@dataclass(frozen=True, slots=True)
class Draft:
    """A triplet in the making, named by the rule that made it."""

    subject: Phrase
    predicate: Phrase
    object: Phrase
    rule: str

    @property
    def reading(self) -> str:
        return " ".join(part.reading for part in (self.subject, self.predicate, self.object) if part.text)

    @property
    def complete(self) -> bool:
        return bool(self.subject.text and self.predicate.text)


class ClauseRules:
    """The triplets of one sentence. `discourse` resolves references and learns what is described."""

    def __init__(self, tree: Tree, discourse: Discourse) -> None:
        self.tree = tree
        self.discourse = discourse
        self.drafts: list[Draft] = []
        self.done: set[int] = set()

    def run(self) -> list[Draft]:
        tree = self.tree
        self.discourse.begin(tree)
        for verb in range(tree.size):
            if verb in self.done or not self.is_clause(verb) or self._is_skipped(verb):
                continue
            self._clause(verb)
        self._appositions()
        self._brackets()
        self.discourse.sentence_read(tree)
        return [draft for draft in self.drafts if draft.reading.strip()]

    # What is a clause, who is its subject, is it asserted

    def is_clause(self, word: int) -> bool:
        tree = self.tree
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

    def _is_skipped(self, verb: int) -> bool:
        tree = self.tree
        markers = [tree.lower[kid] for kid in tree.kids(verb, "mark")]
        if tree.relation[verb] == "acl" and (tree.xpos[verb] == "VB" or "to" in markers):
            return True
        if tree.relation[verb] == "advcl" and any(word in ("if", "unless", "whether") for word in markers):
            return True
        return self.is_unasserted(verb)

    def is_unasserted(self, verb: int) -> bool:
        """Whether the clause stands inside a complement that the sentence does not assert."""
        tree = self.tree
        word = verb
        while tree.head[word] != word:
            head, relation = tree.head[word], tree.relation[word]
            markers = [tree.lower[kid] for kid in tree.kids(word, "mark")]
            if relation in ("ccomp", "csubj", "csubj:pass", "acl") and (
                NOT_ASSERTING.match(tree.lower[head]) or (relation != "acl" and tree.is_negated(head))
            ):
                return True
            if "whether" in markers or (relation == "acl" and "to" in markers):
                return True
            if relation == "acl:relcl" and (
                tree.is_negated(head) or any(tree.lower[kid] in ("no", "not") for kid in tree.children[head])
            ):
                return True
            if relation in ("ccomp", "advcl") and any(mark in ("if", "unless") for mark in markers):
                return True
            word = head
        return False

    def subject_heads(self, verb: int, depth: int = 0) -> list[int]:
        tree = self.tree
        relation, head = tree.relation[verb], tree.head[verb]
        if depth > 6:
            return []
        if own := tree.kids(verb, "nsubj", "nsubj:pass"):
            return [self._relative_to_antecedent(verb, own[0])]
        if relation == "conj" or relation == "advcl":
            return self.subject_heads(head, depth + 1)
        if relation == "xcomp":
            controller = tree.kids(head, "obj", "iobj")
            if controller and not tree.lower[head].startswith("promise"):
                return controller[:1]
            return self.subject_heads(head, depth + 1)
        if relation == "acl":
            return [head]
        if relation == "acl:relcl" and tree.xpos[verb] in ("VBN", "VBG") and not tree.has(verb, "csubj"):
            return [head]
        return []

    def _relative_to_antecedent(self, verb: int, subject: int) -> int:
        tree = self.tree
        if tree.lower[subject] not in RELATIVE:
            return subject
        if tree.relation[verb] == "acl:relcl":
            return tree.head[verb]
        governor = tree.head[verb]
        if tree.relation[verb] == "conj" and tree.relation[governor] == "acl:relcl":
            return tree.head[governor]
        for word in range(subject - 1, -1, -1):
            if tree.upos[word] in NOMINAL:
                while tree.relation[word] in ("flat", "compound", "amod", "nmod:poss"):
                    word = tree.head[word]
                return min(word, subject)
        return subject

    # Phrases with their references resolved

    def _noun(self, head: int, without: Sequence[str] = ()) -> Phrase:
        return self.discourse.resolve(self.tree, head, phrase(self.tree, noun_words(self.tree, head, without=without)))

    def _nouns(self, head: int, without: Sequence[str] = ()) -> list[Phrase]:
        heads = [head] if without else coordinated(self.tree, head)
        return [self._noun(one, without) for one in heads]

    def _prepositions(self, word: int) -> Phrase:
        return function_phrase(self.tree, self.tree.with_fixed(self.tree.kids(word, "case")))

    def _add(self, subject: Phrase, predicate: Phrase, target: Phrase, rule: str) -> None:
        self.drafts.append(Draft(subject, predicate, target, rule))

    # One clause

    def _clause(self, verb: int) -> None:
        tree = self.tree
        copula = next(iter(tree.kids(verb, "cop")), None)
        if self._in_chain(verb, copula):
            return
        if copula is not None and (outer := tree.kids(verb, "nsubj:outer")):
            adverbs = tree.kids(verb, "advmod")
            words = tree.subtree(verb, ("nsubj:outer", "punct", "parataxis"))
            rest = phrase(tree, [word for word in words if word != copula and word not in adverbs])
            for subject in self._nouns(outer[0]):
                self._add(subject, function_phrase(tree, [copula]), rest, "outer")
            return
        self._predicate(verb, NOTHING, copula, self._subjects(verb), 0)

    def _in_chain(self, verb: int, copula: int | None) -> bool:
        """Open complements are told by the verb that governs them ("began to work")."""
        tree, head = self.tree, self.tree.head[verb]
        return (
            tree.relation[verb] == "xcomp"
            and tree.upos[head] in ("VERB", "AUX", "ADJ")
            and (tree.upos[verb] == "VERB" or copula is not None)
            and self.is_clause(head)
        )

    def _subjects(self, verb: int) -> list[Phrase]:
        tree = self.tree
        relation = tree.relation[verb]
        clausal = tree.kids(verb, "csubj", "csubj:pass")
        if clausal and not tree.has(verb, "expl"):
            outside = ("punct", "mark", "appos", "acl:relcl", "parataxis", "cc")
            return [phrase(tree, tree.subtree(clausal[0], outside))]
        subjects = []
        for head in self.subject_heads(verb):
            own = head == tree.head[verb]
            without = [relation] if relation == "acl" or (relation == "acl:relcl" and own) else []
            subjects += self._nouns(head, without)
        expletives = [kid for kid in tree.kids(verb, "expl") if tree.lower[kid] == "it"]
        if not subjects and expletives:
            subjects = [phrase(tree, expletives[:1])]
        return subjects

    def _predicate(self, verb: int, before: Phrase, copula: int | None, subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        verbs = verb_words(tree, verb, copula)
        predicate = join(before, function_phrase(tree, verbs))
        there = [kid for kid in tree.kids(verb, "expl") if tree.lower[kid] == "there"]
        if copula is not None:
            self._copular(verb, copula, predicate, verbs, subjects)
        elif there:
            self._existential(verb, there[0], predicate)
        else:
            self._verbal(verb, predicate, verbs, subjects or [NOTHING], depth)

    def _copular(self, verb: int, copula: int, predicate: Phrase, verbs: list[int], subjects: list[Phrase]) -> None:
        """X is Y: predicate nouns and adjectives, with oblique phrases as claims of their own."""
        tree = self.tree
        expletive = any(tree.lower[kid] in ("it", "there") for kid in tree.kids(verb, "expl"))
        nominal = tree.upos[verb] in ("NOUN", "PROPN", "NUM")
        oblique = [kid for kid in tree.kids(verb, "obl", "obl:unmarked") if nominal or kid < copula < verb]
        outside = set(OUTSIDE_PREDICATE)
        if not stays_whole(tree, verb):
            outside |= {"conj", "cc"}
        if oblique:
            outside |= {"obl", "obl:unmarked"}
        fronted = {
            word
            for kid in tree.children[verb]
            if kid < copula < verb
            and tree.relation[kid] in ("advmod", "obl", "obl:unmarked", "advcl", "discourse", "nmod", "dep")
            for word in tree.subtree(kid)
        }
        spent = fronted | set(verbs)
        for head in self._predicate_heads(verb):
            words = self._predicate_words(head, outside, spent, expletive)
            if not words:
                continue
            target = self.discourse.resolve(tree, head, phrase(tree, words))
            if len(words) <= 2 and (clauses := tree.kids(head, "acl:relcl")):
                target = phrase(tree, words + tree.subtree(clauses[-1]))  # "one that ..."
            for subject in subjects:
                self._add(subject, predicate, target, "copula")
                if head == verb and tree.upos[head] == "NOUN" and subject.text:
                    self.discourse.describes(tree.lower[head], subject.text)
            if not subjects and tree.relation[verb] in ("ROOT", "parataxis") and not expletive:
                self._add(NOTHING, predicate, target, "copula")
        core = phrase(tree, [w for w in tree.subtree(verb, outside) if w not in spent])
        for kid in oblique:
            if any(tree.lower[word] == "according" for word in tree.children[kid]):
                continue
            for subject in subjects:
                for target in self._nouns(kid):
                    self._add(subject, join(predicate, core, self._prepositions(kid)), target, "copula-oblique")
        for kid in tree.kids(verb, "advcl"):
            self._adverbial(kid, subjects, predicate, core)

    def _predicate_heads(self, verb: int) -> list[int]:
        tree = self.tree
        if stays_whole(tree, verb):
            return [verb]
        kinds = ("NOUN", "PROPN", "ADJ", "NUM")
        conjuncts = [
            kid
            for kid in tree.kids(verb, "conj")
            if tree.upos[kid] in kinds and not tree.has(kid, "nsubj", "nsubj:pass", "cop")
        ]
        return [verb, *conjuncts]

    def _predicate_words(self, head: int, outside: set[str], spent: set[int], expletive: bool) -> list[int]:
        tree = self.tree
        if tree.upos[head] == "ADJ" or expletive:
            outside = outside - {"ccomp"}
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
        for word in list(words):
            for kid in tree.kids(word, "acl:relcl", "appos", "parataxis"):
                below = tree.subtree(kid)
                opening = [tree.words[i] for i in (below[0] - 1, below[0]) if i >= 0]
                if word != head and kid in words and "," in opening:
                    words = [other for other in words if other not in below]
        if tree.upos[head] == "ADJ":
            for kid in tree.kids(head, "advcl"):
                if any(tree.lower[mark] == "to" for mark in tree.kids(kid, "mark")):
                    words += tree.subtree(kid)
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
        place = phrase(tree, [there])
        for head in tree.kids(verb, "nsubj", "nsubj:pass"):
            for subject in self._nouns(head):
                oblique = tree.kids(verb, "obl")
                if not oblique:
                    self._add(place, predicate, subject, "existential")
                for kid in oblique:
                    for target in self._nouns(kid):
                        self._add(subject, join(predicate, self._prepositions(kid)), target, "existential-oblique")

    def _verbal(self, verb: int, predicate: Phrase, verbs: list[int], subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        count = len(self.drafts)
        objects = tree.kids(verb, "obj")
        oblique = tree.kids(verb, "obl", "obl:agent", "obl:unmarked")
        if gap := self._relative_gap(verb, objects, oblique):
            objects = [word for word in objects if tree.lower[word] not in RELATIVE] + [gap]
        targets = [
            target
            for word in objects
            if tree.lower[word] not in RELATIVE
            for target in ([self._noun(word)] if word == gap else self._nouns(word))
        ]
        complements = tree.kids(verb, "xcomp")
        chained = [kid for kid in complements if tree.upos[kid] in ("VERB", "AUX") or tree.has(kid, "cop")]
        secondary = [kid for kid in complements if kid not in chained]
        core = self._core_object(verb, objects, targets, secondary)
        if secondary:
            self._secondary_predicates(secondary, predicate, subjects, targets)
        elif not self._is_light(verb, objects, oblique):
            indirect = [self._noun(kid) for kid in tree.kids(verb, "iobj")][:1]
            for subject in subjects:
                for target in targets:
                    self._add(subject, join(predicate, *indirect), target, "object")
        self._obliques(verb, oblique, subjects, predicate, core)
        complemented = self._clausal_complements(verb, subjects, predicate)
        for kid in chained:
            self._chain(kid, predicate, core or (targets[0] if targets else None), subjects, depth)
        for kid in tree.kids(verb, "advcl"):
            self._adverbial(kid, subjects, predicate, core)
        if len(self.drafts) == count and not complemented:
            self._intransitive(verb, predicate, verbs, subjects)

    def _relative_gap(self, verb: int, objects: list[int], oblique: list[int]) -> int | None:
        """The head of a relative clause, where it is the object that the clause leaves out."""
        tree = self.tree
        head = tree.head[verb]
        if tree.relation[verb] != "acl:relcl" or self.subject_heads(verb) in ([], [head]):
            return None
        if any(tree.lower[word] in RELATIVE for word in objects):
            return head
        if objects or tree.has(verb, "ccomp") or any(tree.lower[word] in RELATIVE for word in oblique):
            return None
        if any(tree.lower[kid] in ("where", "when", "why") for kid in tree.children[verb]):
            return None
        return head

    def _is_light(self, verb: int, objects: list[int], oblique: list[int]) -> bool:
        """ "took place in": the noun belongs to the predicate."""
        tree = self.tree
        taken = tree.lower[verb] in ("take", "takes", "took", "taken", "taking")
        return taken and len(objects) == 1 and tree.lower[objects[0]] in LIGHT_NOUNS and bool(oblique)

    def _core_object(self, verb: int, objects: list[int], targets: list[Phrase], secondary: list[int]) -> Phrase | None:
        """The object as part of an oblique predicate: "received the prize in"."""
        tree = self.tree
        own = [word for word in objects if word != tree.head[verb]]
        words = [word for head in own for word in noun_words(tree, head)]
        if 0 < len(words) <= LONGEST_OBJECT:
            return targets[0] if len(targets) == 1 else phrase(tree, words)
        if words:
            without = ("nmod", "acl", "amod")
            return phrase(tree, [word for head in own for word in noun_words(tree, head, without=without)])
        return phrase(tree, noun_words(tree, secondary[0], case=True)) if secondary else None

    def _secondary_predicates(
        self, heads: list[int], predicate: Phrase, subjects: list[Phrase], targets: list[Phrase]
    ) -> None:
        """ "became a doctor", "was named captain", "made it famous"."""
        tree = self.tree
        for head in heads:
            if tree.lower[head] == "to":
                continue
            for one in coordinated(tree, head):
                complement = phrase(tree, noun_words(tree, one, case=True))
                for subject in subjects:
                    for middle in targets or [NOTHING]:
                        self._add(subject, join(predicate, middle), complement, "complement")

    def _obliques(
        self,
        verb: int,
        oblique: list[int],
        subjects: list[Phrase],
        predicate: Phrase,
        core: Phrase | None,
    ) -> None:
        tree = self.tree
        for kid in oblique:
            relation = tree.relation[kid]
            if any(tree.lower[word] == "according" for word in tree.children[kid]):
                continue
            if relation == "obl:unmarked" and not (
                tree.xpos[kid] == "CD" or any(TIME_WORD.match(tree.lower[word]) for word in tree.subtree(kid))
            ):
                continue
            if tree.upos[kid] in ("ADP", "PART", "SCONJ", "CCONJ") and not tree.children[kid]:
                continue
            relative = tree.lower[kid] in RELATIVE and tree.relation[verb] == "acl:relcl"
            targets = [self._noun(tree.head[verb])] if relative else self._nouns(kid)
            rule = {"obl:agent": "agent", "obl:unmarked": "time"}.get(relation, "oblique")
            full = join(predicate, core, self._prepositions(kid))
            for subject in subjects:
                for target in targets:
                    self._add(subject, full, target, rule)

    def _clausal_complements(self, verb: int, subjects: list[Phrase], predicate: Phrase) -> bool:
        """Who said what. Returns whether a complement makes claims of its own.

        What the answer's own sources say ("the passage states that ...") is claimed, not that they say it.
        """
        tree = self.tree
        told = False
        for kid in tree.kids(verb, "ccomp"):
            asserted = self.is_clause(kid) and self.subject_heads(kid) and not self.is_unasserted(kid)
            told = told or bool(asserted)
            marker = [mark for mark in tree.kids(kid, "mark") if tree.lower[mark] == "that"]
            content = phrase(tree, tree.subtree(kid, ("mark",)))
            for subject in subjects:
                source = SOURCE_NOUN.search(subject.text) or subject.text.lower() in ("", "it", "i", "we", "this")
                if not (asserted and source):
                    self._add(subject, join(predicate, function_phrase(tree, marker)), content, "reported")
        return told

    def _chain(self, kid: int, predicate: Phrase, middle: Phrase | None, subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        if depth >= DEEPEST_CHAIN:
            return
        marker = function_phrase(tree, tree.kids(kid, "mark"))
        copula = next(iter(tree.kids(kid, "cop")), None)
        self._predicate(kid, join(predicate, middle, marker), copula, subjects, depth + 1)
        for conjunct in tree.kids(kid, "conj"):
            if tree.upos[conjunct] == "VERB" and not tree.has(conjunct, "nsubj", "nsubj:pass"):
                self.done.add(conjunct)
                self._predicate(conjunct, join(predicate, middle, marker), None, subjects, depth + 1)

    def _adverbial(self, verb: int, subjects: list[Phrase], predicate: Phrase, core: Phrase | None) -> None:
        """ "... after he won": the subordinate clause as the object of its conjunction."""
        tree = self.tree
        marks = tree.kids(verb, "mark") + [
            kid for kid in tree.kids(verb, "advmod") if tree.lower[kid] in ("when", "while", "where", "once")
        ]
        marks = tree.with_fixed(marks)
        concessive = ("although", "though", "whereas", "while", "since", "as")
        if not marks or tree.lower[min(marks)] in concessive:
            return
        words = tree.subtree(
            verb,
            ("punct", "advcl"),
            lambda word: (
                tree.relation[word] == "conj" and tree.has(word, "nsubj", "nsubj:pass", "aux", "cop", "aux:pass")
            ),
        )
        clause = phrase(tree, [word for word in words if word not in marks])
        for subject in subjects:
            self._add(subject, join(predicate, core, function_phrase(tree, marks)), clause, "adverbial")

    def _intransitive(self, verb: int, predicate: Phrase, verbs: list[int], subjects: list[Phrase]) -> None:
        tree = self.tree
        adverbs = [
            word
            for kid in tree.kids(verb, "advmod")
            if kid not in verbs and kid > verb and tree.lower[kid] not in ("when", "where", "how", "why")
            for word in tree.subtree(kid)
        ]
        own_subject = tree.has(verb, "nsubj", "nsubj:pass")
        for subject in subjects:
            if adverbs:
                self._add(subject, predicate, phrase(tree, adverbs), "adverb")
            elif tree.relation[verb] in ("ROOT", "conj") or (
                own_subject and tree.relation[verb] not in ("acl:relcl", "advcl", "advcl:relcl")
            ):
                self._add(subject, predicate, NOTHING, "intransitive")

    def _appositions(self) -> None:
        """ "Jorge Jesus, the manager": the second phrase is said of the first."""
        tree = self.tree
        for word in range(tree.size):
            head = tree.head[word]
            if tree.upos[word] not in NOMINAL or tree.upos[head] not in NOMINAL:
                continue
            below = tree.subtree(word)
            if tree.relation[word] == "appos:bracket":
                named = tree.upos[word] == "PROPN" or tree.has(word, "det") or tree.words[below[0]][:1].isupper()
                digits = any(character.isdigit() for character in tree.words[word])
                if len(below) < 2 or tree.xpos[word] == "CD" or digits or not named:
                    continue
            elif tree.relation[word] != "appos":
                continue
            first = phrase(tree, [other for other in noun_words(tree, head) if other not in below])
            second = phrase(tree, noun_words(tree, word))
            if first.text and second.text and first.text != second.text:
                self._add(self.discourse.resolve(tree, head, first), inferred("is"), second, "apposition")

    def _brackets(self) -> None:
        """ "Eleanor Arnason (born 1945)": what stands in brackets is said of the phrase before them."""
        tree = self.tree
        for opened in range(1, tree.size):
            if tree.words[opened] != "(" or tree.upos[opened - 1] not in (*NOMINAL, "NUM", "X"):
                continue
            closed = next((word for word in range(opened + 1, tree.size) if tree.words[word] == ")"), None)
            if closed is None or closed == opened + 1:
                continue
            head = self._head_before(opened)
            inside = list(range(opened + 1, closed))
            named = [word for word in noun_words(tree, head) if word < opened]
            subject = self.discourse.resolve(tree, head, phrase(tree, named))
            acronym = len(inside) == 1 and tree.words[inside[0]].isupper()
            aside = tree.upos[inside[0]] in ("ADP", "SCONJ", "VERB") and tree.lower[inside[0]] not in LIFE_EVENTS
            if not subject.text or acronym or aside or self._is_told(inside):
                continue
            if tree.lower[inside[0]] in LIFE_EVENTS and len(inside) > 1:
                self._add(subject, function_phrase(tree, inside[:1]), phrase(tree, inside[1:]), "bracket")
            else:
                content = phrase(tree, inside)
                self._add(subject, inferred(_bracket_predicate(content.text)), content, "bracket")

    def _head_before(self, opened: int) -> int:
        """The head of the nominal that ends right before the bracket."""
        tree = self.tree
        word = opened - 1
        while tree.relation[word] in ("flat", "compound", "nummod") and tree.head[word] < opened:
            word = tree.head[word]
        return word

    def _is_told(self, inside: list[int]) -> bool:
        """Whether an apposition or a clause inside the brackets has been claimed already."""
        tree = self.tree
        places = {tree.spans[word].start for word in inside}
        return any(
            span.start in places
            for draft in self.drafts
            if draft.rule in ("apposition", "object", "oblique", "copula")
            for span in draft.object.spans
        )


def _bracket_predicate(content: str) -> str:
    if RANGE.search(content) and MONTH_OR_YEAR.search(content):
        return "lived"
    return "dates from" if YEAR.fullmatch(content) else "is"
