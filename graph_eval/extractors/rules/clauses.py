"""Triplets from the clauses of a parsed sentence.

Every verbal or copular clause gives its subject a predicate and an object: direct objects, oblique phrases (the
preposition joins the predicate), predicate nouns and adjectives, complements. Coordinated phrases are distributed,
appositions and participles become claims of their own. Clauses that the sentence does not assert ("whether", "if",
"denied that") make no claim.
"""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.extractors.rules.asides import appositions, brackets
from graph_eval.extractors.rules.coreference import Discourse
from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import RELATIVE, SOURCE_NOUN, TIME_WORD
from graph_eval.extractors.rules.phrases import (
    NOTHING,
    Phrase,
    coordinated,
    function_phrase,
    join,
    noun_words,
    phrase,
    stays_whole,
    verb_words,
)
from graph_eval.extractors.rules.syntax import (
    in_chain,
    is_clause,
    is_light,
    is_skipped,
    is_unasserted,
    relative_gap,
    subject_heads,
)
from graph_eval.extractors.rules.tree import Tree

MAX_OBJECT_WORDS = 6  # of an object inside the predicate of an oblique phrase
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

    def run(self) -> list[Draft]:
        """The drafts of all clauses, appositions and brackets, in order. Call it once."""
        tree = self.tree
        self.discourse.begin(tree)
        for verb in range(tree.size):
            if verb in self.done or not is_clause(tree, verb) or is_skipped(tree, verb):
                continue
            self._clause(verb)
        self.drafts += appositions(tree, self.discourse)
        self.drafts += brackets(tree, self.discourse, self.drafts)
        self.discourse.sentence_read(tree)
        return [draft for draft in self.drafts if draft.wording.strip()]

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
        if in_chain(tree, verb, copula):
            return
        if copula is not None and (outer := tree.kids(verb, "nsubj:outer")):
            adverbs = tree.kids(verb, "advmod")
            words = tree.subtree(verb, ("nsubj:outer", "punct", "parataxis"))
            rest = phrase(tree, [word for word in words if word != copula and word not in adverbs])
            for subject in self._nouns(outer[0]):
                self._add(subject, function_phrase(tree, [copula]), rest, "outer")
            return
        self._predicate(verb, NOTHING, copula, self._subjects(verb), 0)

    def _subjects(self, verb: int) -> list[Phrase]:
        tree = self.tree
        relation = tree.relation[verb]
        clausal = tree.kids(verb, "csubj", "csubj:pass")
        if clausal and not tree.has(verb, "expl"):
            outside = ("punct", "mark", "appos", "acl:relcl", "parataxis", "cc")
            return [phrase(tree, tree.subtree(clausal[0], outside))]
        subjects = []
        for head in subject_heads(tree, verb):
            modified = head == tree.head[verb]
            without = [relation] if relation == "acl" or (relation == "acl:relcl" and modified) else []
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
        if gap := relative_gap(tree, verb, objects, oblique):
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
        elif not is_light(tree, verb, objects, oblique):
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

    def _core_object(self, verb: int, objects: list[int], targets: list[Phrase], secondary: list[int]) -> Phrase | None:
        """The object as part of an oblique predicate: "received the prize in"."""
        tree = self.tree
        heads = [word for word in objects if word != tree.head[verb]]
        words = [word for head in heads for word in noun_words(tree, head)]
        if 0 < len(words) <= MAX_OBJECT_WORDS:
            return targets[0] if len(targets) == 1 else phrase(tree, words)
        if words:
            without = ("nmod", "acl", "amod")
            return phrase(tree, [word for head in heads for word in noun_words(tree, head, without=without)])
        return phrase(tree, noun_words(tree, secondary[0], case=True)) if secondary else None

    def _secondary_predicates(
        self, heads: list[int], predicate: Phrase, subjects: list[Phrase], targets: list[Phrase]
    ) -> None:
        """Secondary predicates: "became a doctor", "was named captain", "made it famous"."""
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
            content = phrase(tree, tree.subtree(kid, ("mark",)))
            for subject in subjects:
                source = SOURCE_NOUN.search(subject.text) or subject.text.lower() in ("", "it", "i", "we", "this")
                if not (asserted and source):
                    self._add(subject, join(predicate, function_phrase(tree, marker)), content, "reported")
        return claimed

    def _chain(self, kid: int, predicate: Phrase, middle: Phrase | None, subjects: list[Phrase], depth: int) -> None:
        tree = self.tree
        if depth >= MAX_CHAIN_DEPTH:
            return
        marker = function_phrase(tree, tree.kids(kid, "mark"))
        copula = next(iter(tree.kids(kid, "cop")), None)
        self._predicate(kid, join(predicate, middle, marker), copula, subjects, depth + 1)
        for conjunct in tree.kids(kid, "conj"):
            if tree.upos[conjunct] == "VERB" and not tree.has(conjunct, "nsubj", "nsubj:pass"):
                self.done.add(conjunct)
                self._predicate(conjunct, join(predicate, middle, marker), None, subjects, depth + 1)

    def _adverbial(self, verb: int, subjects: list[Phrase], predicate: Phrase, core: Phrase | None) -> None:
        """A subordinate clause as the object of its conjunction: "... after | he won"."""
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
