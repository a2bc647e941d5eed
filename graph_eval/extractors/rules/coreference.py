"""Rule-based coreference: pronouns, last names and definite nouns refer to an entity that the text named before.

Recency, grammatical role and the kind of entity decide. A resolved slot keeps the spans of its own words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from graph_eval.extractors.rules.lexicon import (
    FEMININE,
    MASCULINE,
    NAME_PARTICLES,
    NEUTER,
    NOT_A_PERSON,
    PRONOUNS,
)
from graph_eval.extractors.rules.phrases import Phrase, noun_words, phrase
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.wording import genitive

PERSON, THING, MANY = "person", "thing", "many"
MAX_MENTIONS = 20


@dataclass(frozen=True, slots=True)
class Mention:
    """A named entity. `kind`: PERSON, THING or MANY. `word`: its head in the current sentence, or -1."""

    name: str
    kind: str
    subject: bool
    word: int = -1


class Discourse:
    """The entities that one text has named so far. `resolve` reads them, `sentence_read` adds those of a sentence.

    `mentions`: the latest first, at most MAX_MENTIONS. `full_names`: last name -> full name. `nouns`: noun -> the
    entity that it describes. `topic`: what the first claims are about.
    """

    def __init__(self) -> None:
        self.mentions: list[Mention] = []
        self.full_names: dict[str, str] = {}
        self.nouns: dict[str, str] = {}
        self.topic: str | None = None
        self._here: list[Mention] = []

    def begin(self, tree: Tree) -> None:
        """Adds the subjects of the current sentence, for the pronouns that follow them in it."""
        subjects = [self._mention(tree, word, subject=True) for word in self._subjects(tree)]
        self._here = [mention for mention in subjects if mention]

    def sentence_read(self, tree: Tree) -> None:
        """Adds the names of a sentence: the first subject first, then the other names, then the earlier ones."""
        subjects = [self._mention(tree, word, subject=True) for word in self._subjects(tree)]
        others = [
            self._mention(tree, word, subject=False)
            for word in range(tree.size)
            if tree.relation[word] in ("obj", "obl:agent", "appos") and tree.upos[word] == "PROPN"
        ]
        new = [mention for mention in [*subjects, *others] if mention]
        first = [mention for mention in new if mention.subject][:1]
        new = first + [mention for mention in new if mention not in first]
        names = {mention.name for mention in new}
        self.mentions = (new + [mention for mention in self.mentions if mention.name not in names])[:MAX_MENTIONS]

    def resolve(self, tree: Tree, head: int, reference: Phrase) -> Phrase:
        """The phrase with the name of the entity that it refers to, or as it is if no rule finds one."""
        if not reference.text:
            return reference
        if tree.upos[head] == "PRON" and tree.lower[head] in PRONOUNS and len(reference.text.split()) == 1:
            if self._is_impersonal(tree, head):
                return reference
            antecedent = self._antecedent(tree, head)
            return reference.as_resolved(antecedent) if antecedent else reference
        for kid in tree.kids(head, "nmod:poss"):
            if tree.lower[kid] in PRONOUNS:
                owner = self._antecedent(tree, kid)
                if owner and len(owner.split()) <= 6:
                    possessive = genitive(owner).replace("\\", r"\\")
                    pattern = rf"\b{re.escape(tree.words[kid])}\b"
                    return reference.as_resolved(re.sub(pattern, possessive, reference.text, count=1))
        if tree.upos[head] == "PROPN" and reference.text in self.full_names:
            full = self.full_names[reference.text]
            return reference if full == reference.text else reference.as_resolved(full)
        if tree.upos[head] == "NOUN" and self._is_bare_definite(tree, head):
            entity = self.nouns.get(tree.lower[head])
            if entity and entity.lower() != reference.text.lower():
                return reference.as_resolved(entity)
        return reference

    def describes(self, noun: str, entity: str) -> None:
        """Records "X is a song": "the song" may refer to X in the sentences that follow."""
        if len(entity.split()) <= 7 and entity.lstrip("\"“'")[:1].isupper():
            self.nouns[noun] = entity

    def _subjects(self, tree: Tree) -> list[int]:
        return [
            word
            for word in range(tree.size)
            if tree.relation[word] in ("nsubj", "nsubj:pass") and tree.upos[word] in NOMINAL
        ]

    @staticmethod
    def _is_impersonal(tree: Tree, pronoun: int) -> bool:
        """Whether "it" refers to nothing: "it is clear that ...", "it can be inferred that ..."."""
        verb = tree.head[pronoun]
        if tree.lower[pronoun] != "it" or not tree.relation[pronoun].startswith(("nsubj", "expl")):
            return False
        if tree.upos[verb] == "ADJ" or tree.has(verb, "aux:pass"):
            clauses = tree.kids(verb, "ccomp", "csubj", "csubj:pass", "advcl", "xcomp")
            marks = {tree.lower[mark] for kid in clauses for mark in tree.kids(kid, "mark")}
            return bool(marks & {"that", "whether", "to", "if"}) or tree.has(verb, "ccomp", "csubj")
        return False

    def _is_bare_definite(self, tree: Tree, head: int) -> bool:
        definite = any(tree.lower[kid] in ("the", "this") for kid in tree.kids(head, "det"))
        ignored = ("det", "punct", "case", "nsubj", "cop")
        return definite and all(tree.relation[kid] in ignored for kid in tree.children[head])

    def _mention(self, tree: Tree, head: int, subject: bool) -> Mention | None:
        noun = phrase(tree, noun_words(tree, head))
        if subject:
            noun = self.resolve(tree, head, noun)
        name = noun.text
        parts = name.split()
        if len(name) < 2 or len(parts) > 10 or tree.relation[head] == "obl:unmarked":
            return None
        if tree.upos[head] == "PROPN":
            kind = self._kind_of_name(tree, head, name)
            if kind != PERSON and 2 <= len(parts) <= 7:
                self.nouns.setdefault(parts[-1].lower(), name)
            if kind == PERSON and len(parts) >= 2:
                self.full_names.setdefault(parts[-1], name)
        else:
            kind = MANY if tree.xpos[head] == "NNS" else THING
        if tree.has(head, "conj"):
            kind = MANY
        if kind == PERSON and len(parts) == 1:
            name = self.full_names.get(name, name)
        return Mention(name, kind, subject, head)

    @staticmethod
    def _kind_of_name(tree: Tree, head: int, name: str) -> str:
        parts = name.split()
        if tree.xpos[head] == "NNPS" and len(parts) == 1:
            return MANY
        person = (
            len(parts) <= 4
            and not NOT_A_PERSON.search(name)
            and all(part[:1].isupper() or part in NAME_PARTICLES for part in parts)
            and not tree.has(head, "det")
            and not re.search(r"\d", name)
        )
        return PERSON if person else THING

    def _antecedent(self, tree: Tree, pronoun: int) -> str | None:
        word = tree.lower[pronoun]
        kind = THING if word in NEUTER else MANY
        if word in MASCULINE or word in FEMININE:
            kind = PERSON
        for mention in self._here:
            if mention.word < pronoun - 1 and mention.kind == kind:
                return mention.name
        for mention in self.mentions:
            if mention.kind == kind:
                return mention.name
        if kind == PERSON:
            # The rules may have classified a person's name as a thing. A common noun is never a person.
            return next((m.name for m in self.mentions if m.kind == THING and m.name[:1].isupper()), None)
        if kind == THING:
            return next((m.name for m in self.mentions if m.kind == PERSON), None)
        return self.mentions[0].name if self.mentions else None

    def introduce(self, tree: Tree) -> None:
        """Adds the names of a question: the answer may refer to them from its first word."""
        self.begin(tree)
        names = [
            self._mention(tree, word, subject=tree.relation[word].startswith("nsubj"))
            for word in range(tree.size)
            if (tree.upos[word] == "PROPN" and tree.relation[word] not in ("flat", "compound", "nmod:poss"))
            or (tree.upos[word] == "NOUN" and tree.relation[word] in ("nsubj", "nsubj:pass"))
        ]
        self.mentions += [replace(name, word=-1) for name in names if name]
