"""A parsed sentence as parallel lists, which are faster to read than spaCy's tokens and can be corrected."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from graph_eval.extractors.rules.lexicon import (
    FIRST_VERBS,
    MANY_NOUNS,
    MEASURE_WORD,
    MONEY,
    PERSON_NOUN,
    PHRASAL_VERBS,
    PURPOSE_NOUN,
    VERBLIKE,
)
from graph_eval.parsing.parser import CERTAINTY
from graph_eval.types import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from graph_eval.extractors.rules.surface import Surface

BOLD, ITALICS = ("**", "__"), ("*", "_")  # marks of Markdown
NOMINAL = frozenset({"NOUN", "PROPN"})
TREATING = re.compile(
    r"(?:blot|clean|wipe|rub|scrub|cover|fill|mix|brush|rinse|dab|treat|wash|seal|secure|attach|cut|dry|polish|coat|sprinkle"
    r"|season)$"
)
GIVING = frozenset(
    "give gives gave given giving send sends sent sending tell tells told hand hands handed handing email emails"
    " emailed lend lends lent lending pay pays paid paying".split()
)
NEEDING = re.compile(r"(?:need|require|want|grant)s?")  # no verb stands behind these without "to"
POINTED = ("it", "them", "which", "whom")  # "most of it"
OF_NAMES = ("obj", "iobj", "obl", "obl:agent", "nmod", "appos")  # relations of a name that may be read as two
MAX_LABEL = 7  # words, with the brackets
SCORE = re.compile(r"\d{1,3}[-–:]\d{1,3}")
UNCHANGED = frozenset(
    "cost put set cut let hit cast shut spread beat hurt split run come become".split()
)  # in the past
MAKING = frozenset("made built sent bought brought sold found".split())  # with an object, or done to their subject
HANDLED = frozenset(
    "picked collected returned checked washed cleaned delivered sorted packed shipped stored reviewed tested inspected"
    " handed counted weighed".split()
)
FINISHED = frozenset("finished completed built opened published founded released".split())
EXPECTING = ("should", "will", "could", "might")
REASONING = frozenset({"put down to", "puts down to", "putting down to"})
SUBORDINATORS = ("because", "since", "after", "before", "until", "when", "if", "unless")
LONG = ["as", "long", "as"]
LANDMARK_CASES = ("over", "across", "under", "above", "near", "beside", "behind", "opposite")
DIRECTION = re.compile(r"(?:north|south)(?:-?(?:east|west))?|east|west")
OWNED_BY = {"its": "it", "their": "they", "your": "you", "his": "he", "her": "she"}


class Tree:
    """Words, tags, heads and relations (Universal Dependencies) of one sentence.

    `spans[i]` is the span of word i in the response. `begin`: the first word behind a label in brackets, or 0.
    `_repair_appositions` adds three relations: `appos:bracket`, `appos:place` ("Malvern, England"), and `flat` for an
    apposition that is part of a name.
    """

    def __init__(self, doc: Doc, surface: Surface, response: str, sentence: Span) -> None:
        self.size = len(doc)
        self.words = [token.text for token in doc]
        self.lower = [token.text.lower() for token in doc]
        tags = [token.tag_.partition("|") for token in doc]
        self.upos = [tag[0] for tag in tags]
        self.xpos = [tag[2] for tag in tags]
        self.relation = [token.dep_ for token in doc]
        self.head = [token.head.i for token in doc]
        self.children: list[list[int]] = [[] for _ in doc]
        for word, head in enumerate(self.head):
            if head != word:
                self.children[head].append(word)
        self.spans = [surface.span(token.idx, token.idx + len(token.text)) for token in doc]
        self.certainty: list[float] = doc.user_data.get(CERTAINTY) or [1.0] * self.size
        self.begin = 0
        self.response = response
        self.sentence = sentence
        self._repair_signs()
        self._repair_cases()
        self._repair_leading_labels()
        self._repair_prefixes()
        self._repair_owners()
        self._repair_fronted_objects()
        self._repair_split_compounds()
        self._repair_margins()
        self._repair_prepositions_of_names()
        self._repair_places()
        self._repair_scores()
        self._repair_thanks()
        self._repair_fronted()
        self._repair_measured_subject()
        self._repair_parted_compounds()
        self._repair_names_in_capitals()
        self._repair_subjects()
        self._repair_compounds()
        self._repair_bold()
        self._repair_paths()
        self._repair_names_with_signs()
        self._repair_rights()
        self._repair_last_conjuncts()
        self._repair_shared_phrases()
        self._repair_amounts()
        self._repair_objects()
        self._repair_gifts()
        self._repair_additions()
        self._repair_particles()
        self._repair_fronted_phrases()
        self._repair_phrases_of_subjects()
        self._repair_clauses_of_subjects()
        self._repair_differences()
        self._repair_provisos()
        self._repair_limits()
        self._repair_moments()
        self._repair_modals()
        self._repair_copulas()
        self._repair_duties()
        self._repair_shared_duties()
        self._repair_first_command()
        self._repair_commands()
        self._repair_expected()
        self._repair_causatives()
        self._repair_results()
        self._repair_finished()
        self._repair_belongings()
        self._repair_means()
        self._repair_modifiers()
        self._repair_asides()
        self._repair_inner_phrases()
        self._repair_contrasts()
        self._repair_contact_clauses()
        self._repair_joined_conditions()
        self._repair_duties_behind_conditions()
        self._repair_shared_conditions()
        self._repair_listed_conditions()
        self._repair_comparatives()
        self._repair_bounds()
        self._repair_late_adjectives()
        self._repair_bracketed_conditions()
        self._repair_reasons()
        self._repair_reasons_of_relatives()
        self._repair_alternative_times()
        self._repair_alternative_amounts()
        self._repair_measured_times()
        self._repair_landmarks()
        self._repair_relatives_of_names()
        self._repair_caps()
        self._repair_gerunds()
        self._repair_gaps()
        self._repair_paired_amounts()
        self._repair_distances()
        self._repair_directions()
        self._repair_ages()
        self._repair_shares()
        self._repair_contents()
        self._repair_perfects()
        self._repair_shared_passives()
        self._repair_likenesses()
        self._repair_listed_contents()
        self._repair_speakers()
        self._repair_subject_clauses()
        self._repair_presence()
        self._repair_appositions()
        self._repair_brackets()

    def kids(self, word: int, *relations: str) -> list[int]:
        """The children of the word in one of the relations."""
        return [kid for kid in self.children[word] if self.relation[kid] in relations]

    def has(self, word: int, *relations: str) -> bool:
        """Whether the word has a child in one of the relations."""
        return any(self.relation[kid] in relations for kid in self.children[word])

    def within(self, spans: Sequence[Span]) -> list[int]:
        """The words of the spans, in the order of the sentence."""
        return [word for word in range(self.size) if any(self.spans[word].overlaps(span) for span in spans)]

    def subtree(
        self,
        word: int,
        without: Collection[str] = (),
        unless: Callable[[int], bool] | None = None,
    ) -> list[int]:
        """`word` and its descendants, without those children in a relation of `without` or that `unless` accepts."""
        words = [word]
        waiting = [
            kid for kid in self.children[word] if self.relation[kid] not in without and not (unless and unless(kid))
        ]
        while waiting:
            current = waiting.pop()
            words.append(current)
            waiting.extend(self.children[current])
        return sorted(words)

    def heads_of(self, words: Sequence[int]) -> list[int]:
        """Those of the words whose head is none of them: "lid" and "cup" of "the lid, cup" if they are apart."""
        return [word for word in words if self.head[word] not in words or self.head[word] == word]

    def with_fixed(self, words: list[int]) -> list[int]:
        """The words and the rest of their fixed expressions ("because of")."""
        return words + [kid for word in words for kid in self.kids(word, "fixed")]

    def is_negated(self, word: int) -> bool:
        """Whether a child of the word negates it."""
        kids = self.kids(word, "advmod", "det", "cc:preconj", "cc")
        return any(self.lower[kid] in ("not", "n't", "never", "no", "neither", "nor") for kid in kids)

    def is_negated_inside(self, word: int) -> bool:
        """Whether the clause of the word has a negation of its own."""
        return any(self.lower[kid] in ("not", "n't", "never") for kid in self.kids(word, "advmod"))

    def has_verb(self) -> bool:
        """Whether the sentence has a verb that is not part of a noun phrase."""
        return any(
            upos in ("VERB", "AUX") and self.relation[word] not in ("amod", "compound")
            for word, upos in enumerate(self.upos)
        )

    def has_clause(self) -> bool:
        """Whether some word has a subject: then the sentence is no fragment."""
        return any(relation.startswith(("nsubj", "csubj", "expl")) for relation in self.relation)

    def has_object(self) -> bool:
        """Whether some verb has an object or another complement."""
        return any(relation in ("obj", "obl", "xcomp", "ccomp") for relation in self.relation)

    def root(self) -> int | None:
        """The first word in the relation ROOT."""
        return next((word for word in range(self.size) if self.relation[word] == "ROOT"), None)

    def _replace(self, word: int, above: int) -> None:
        """Puts a word in the place of the one that it depends on, with all that depends on that."""
        head, relation = self.head[above], self.relation[above]
        self._attach(word, word if head == above else head, relation)
        for kid in list(self.children[above]):
            self._attach(kid, word, self.relation[kid])

    def _attach(self, word: int, head: int, relation: str) -> None:
        """Moves the word, with all that depends on it, to another head. `head` is the word itself for the root.

        Nothing is moved below what depends on it.
        """
        if head != word and head in self.subtree(word):
            return
        if self.head[word] != word:
            self.children[self.head[word]].remove(word)
        self.head[word], self.relation[word] = head, relation
        if head != word:
            self.children[head] = sorted([*self.children[head], word])

    def _repair_signs(self) -> None:
        """The sign of "400 °F" is part of the unit, "x" in "6 x 8" a word."""
        last = self.size - 1
        for word in range(1, self.size):
            degrees = self.lower[word - 1] in ("degrees", "degree")
            if degrees and self.words[word] in ("C", "F", "K") and self.head[word] != word - 1:
                self.upos[word], self.xpos[word] = "PROPN", "NNP"  # "350 degrees F."
                self._attach(word, word - 1, "flat")
        for word in range(1, last):
            if self.words[word] == "S" and self.xpos[word] == "POS" and self.upos[word - 1] == "PROPN":
                self.upos[word], self.xpos[word] = "PROPN", "NNP"  # "Calla S"
                self._attach(word, word - 1, "flat")
            numbers = self.words[word - 1][-1:].isdigit() and self.words[word + 1][:1].isdigit()
            if self.words[word] == "°" and self.head[word] == word + 1:
                self.upos[word], self.relation[word] = "SYM", "compound"
            elif self.lower[word] in ("x", "×") and numbers and self.upos[word] == "PUNCT":
                self.upos[word], self.relation[word] = "SYM", "flat"

    def _repair_cases(self) -> None:
        """ "It lights up during charging": a preposition of a noun, not of a clause."""
        for mark in range(1, self.size):
            noun = self.head[mark]
            plain = self.relation[mark] == "mark" and self.lower[mark] in (
                "during",
                "despite",
                "since",
                "after",
                "before",
            )
            if plain and self.relation[noun] in ("obl", "nmod") and not self.has(noun, "case", "nsubj"):
                self.relation[mark] = "case"

    def _repair_leading_labels(self) -> None:
        """ "[Room 12] The desk is broken", "(Step 1) Close the valve": a label in brackets is no part of the clause."""
        end = next((word for word in range(2, min(self.size, MAX_LABEL)) if self.words[word] in (")", "]")), None)
        root = self.root()
        if self.words[0] not in ("(", "[") or end is None or root is None or root <= end:
            return
        inside = range(1, end)
        named = all(self.upos[word] in (*NOMINAL, "NUM") for word in inside)
        told = self.upos[root] == "VERB" or self.has(root, "cop")
        if not (named and told and any(map(str.isdigit, "".join(self.words[1:end])))):
            return
        self.begin = end + 1
        for word in inside:
            if self.head[word] > end:
                self._attach(word, root, "discourse")

    def _repair_prefixes(self) -> None:
        """ "You need to de-register": the verb is what stands behind its prefix.

        In "a Retry-After header" the preposition is part of the name.
        """
        for word in range(2, self.size):
            bound = self.xpos[word - 1] == "HYPH" and self.relation[word] == "case" and self.head[word] > word
            if bound and self.words[word][:1].isupper():
                self.upos[word], self.xpos[word] = "PROPN", "NNP"
                self.relation[word] = "compound"
        for mark in range(1, self.size - 1):
            prefix, verb = mark - 1, mark + 1
            bound = self.xpos[mark] == "HYPH" and self.head[verb] == prefix and self.upos[verb] == "VERB"
            if not bound or self.upos[prefix] != "VERB" or self.relation[verb] == "conj":
                continue
            self._replace(verb, prefix)
            self._attach(prefix, verb, "compound")

    def _repair_owners(self) -> None:
        """ "higher than Berg's 18,400": who has an amount stands in front of it."""
        for mark in range(1, self.size - 1):
            owner, amount = self.head[mark], mark + 1
            owns = self.xpos[mark] == "POS" and self.relation[owner] == "nmod:poss" and self.head[owner] < owner
            if owns and self.upos[amount] in ("NUM", "SYM"):
                self._attach(owner, amount, "nmod:poss")

    def _repair_fronted_objects(self) -> None:
        """ "Ada Berg's chipped old bell struck the floor": what stands in front of a verb is its subject.

        The owner in front of it belongs to it.
        """
        for noun in range(self.size - 2):
            verb = self.head[noun]
            finite = self.xpos[verb] in ("VBD", "VBZ") or self.lower[verb] in UNCHANGED
            if self.relation[noun] != "obj" or self.upos[noun] != "NOUN" or noun + 1 != verb or not finite:
                continue
            told = self.kids(verb, "nsubj", "nsubj:pass", "csubj", "expl", "aux", "mark")
            owners = [kid for kid in told if any(self.xpos[mark] == "POS" for mark in self.kids(kid, "case"))]
            owners = [kid for kid in owners if max(self.subtree(kid)) + 1 == self.subtree(noun)[0]]
            if told != owners or not any(kid > verb for kid in self.kids(verb, "obj")) or self.has(noun, "case"):
                continue
            self.relation[noun] = "nsubj"
            for owner in owners:
                self._attach(owner, noun, "nmod:poss")
            if self.upos[verb] == "NOUN":
                self.upos[verb], self.xpos[verb] = "VERB", "VBD"

    def _repair_split_compounds(self) -> None:
        """ "Cut your neighbour's flowered side shoots back": the shoots are cut, the side is none that cuts."""
        for word in range(2, self.size - 1):
            noun = self.head[word]
            plain = self.relation[word] == "nsubj" and noun == word + 1 and self.relation[noun] == "obj"
            owners = [
                kid for kid in self.kids(word, "nmod:poss") if any(self.xpos[k] == "POS" for k in self.children[kid])
            ]
            if owners and plain and self.upos[noun] == "NOUN" and self.upos[word] in NOMINAL:
                self.relation[word] = "compound"

    def _repair_margins(self) -> None:
        """ "The bid was £900 cheaper": the bid was cheaper, by that amount."""
        for amount in range(1, self.size - 1):
            compared = self.head[amount]
            by = self.relation[amount] == "obl:unmarked" and self._is_counted(amount) and amount < compared
            if not by or self.xpos[compared] != "JJR" or not self.has(amount, "cop"):
                continue
            for kid in self.kids(amount, "nsubj", "cop", "mark", "aux", "advmod", "cc"):
                if kid < amount and (self.relation[kid] != "advmod" or kid < self.kids(amount, "cop")[0]):
                    self._attach(kid, compared, self.relation[kid])

    def _repair_prepositions_of_names(self) -> None:
        """ "book a place on Under Sail": with a capital, a second preposition is part of the name."""
        for word in range(2, self.size - 1):
            name = self.head[word]
            second = self.relation[word] == "case" == self.relation[word - 1] and self.head[word - 1] == name
            capital = self.words[word][:1].isupper() and self.words[word][1:].islower()
            inner = self.words[word - 1].islower() and self.words[name][:1].isupper()
            if second and capital and inner and name > word:
                self.upos[word], self.xpos[word] = "PROPN", "NNP"
                self.relation[word] = "compound"

    def _repair_places(self) -> None:
        """ "because the guides there are volunteers": behind its noun, "there" is a place."""
        for there in range(1, self.size - 1):
            verb = self.head[self.head[there]] if self.relation[there] == "advmod" else self.head[there]
            subjects = self.kids(verb, "nsubj", "nsubj:pass")
            if self.lower[there] != "there" or len(subjects) != 2:
                continue
            noun, said = subjects
            beside = there - 1 in self.subtree(noun) and self.head[there] in (noun, verb) and self.upos[noun] in NOMINAL
            if not beside or said < verb or self.lower[verb] not in ("is", "are", "was", "were"):
                continue
            self._replace(said, verb)
            self._attach(verb, said, "cop")
            self._attach(there, noun, "advmod")
            self.upos[verb], self.upos[there], self.xpos[there] = "AUX", "ADV", "RB"

    def _repair_scores(self) -> None:
        """ "beat Norhavn 3–1 in the final": a score in front of a preposition is no part of what follows it."""
        for word in range(2, self.size - 2):
            noun = self.head[word]
            score = self.relation[word] == "nummod" and SCORE.fullmatch(self.words[word])
            apart = score and noun > word + 1 and word + 1 in self.kids(noun, "case")
            if apart and self.relation[word - 1] == "obj" and self.head[word - 1] == self.head[noun]:
                self._attach(word, word - 1, "nummod")

    def _repair_thanks(self) -> None:
        """ "safe outdoors thanks to its housing": "thanks to" is a preposition."""
        for word in range(1, self.size - 2):
            if self.lower[word : word + 2] != ["thanks", "to"] or self.relation[word] not in ("advcl", "obj", "xcomp"):
                continue
            verb = self.head[word]
            for noun in self.kids(word, "nmod"):
                if verb < word and self.head[word + 1] in (noun, word):
                    self._attach(noun, verb, "obl")
                    self._attach(word, noun, "case")
                    self._attach(word + 1, word, "fixed")
                    self.upos[word], self.xpos[word] = "ADP", "IN"
                    break

    def _repair_fronted(self) -> None:
        """ "The son of a guard, he moved", "The son of a guard, Ada Berg moved": what is in front is no subject."""
        for first in range(self.size - 2):
            noun = self.upos[first] == "NOUN" or self.xpos[first] in ("JJS", "CD")
            owners = self.kids(first, "nmod:poss")  # "A guard's son, he moved"
            described = any(
                self.lower[kid] in ("the", "a", "an") for one in (first, *owners) for kid in self.kids(one, "det")
            )
            if not noun or not described or self.has(first, "case"):
                continue
            if self.relation[first] not in ("nsubj", "nsubj:pass", "advmod", "obl", "obj"):
                continue
            verb = self.head[first]
            behind = max(self.subtree(first, ("appos", "punct"))) + 1
            if behind + 1 >= self.size or self.words[behind] != "," or self.subtree(first)[0] != 0 or verb < behind:
                continue
            second = self._subject_behind(first, verb, behind)
            if second is None:
                continue
            told = [self.relation[word] for word in (first, second) if self.relation[word].startswith("nsubj")]
            self._attach(second, verb, told[0] if told else "nsubj")
            self._attach(first, second, "appos")

    def _subject_behind(self, first: int, verb: int, comma: int) -> int | None:
        """The pronoun or name behind the comma that is the subject of the verb. None if another comma follows it."""
        for kid in [*self.kids(verb, "nsubj", "nsubj:pass"), *self.kids(first, "appos")]:
            below = self.subtree(kid, ("punct",))
            named = self.xpos[kid] == "PRP" or self.upos[kid] == "PROPN"
            if named and below[0] == comma + 1 and below[-1] < verb and self.words[below[-1] + 1] != ",":
                return kid
        return None

    def _repair_additions(self) -> None:
        """ "Tip in the squash and the stock": a command has no noun phrase of its own."""
        root = self.root()
        if root == 0 and self.xpos[0] == "VB" and self.upos[0] == "VERB":
            for noun in self.kids(0, "nmod"):
                if self.has(noun, "case"):
                    self.relation[noun] = "obl"

    def _repair_particles(self) -> None:
        """ "let it dry out entirely": what stands right behind the second verb belongs to it, not to the first.

        "rolled the change back at noon", "put the loss down to rain": so do "back" and "down" to theirs.
        "shaped up to a day ahead", "claim up to twice the amount": "up to" is said of the amount.
        "carry over five days": "over" is not.
        "cook it on low": "on" belongs to the level.
        """
        for word in range(1, self.size):
            counted = self.relation[word] == "advmod" and self.upos[self.head[word]] == "NUM"
            if counted and f"{self.lower[word - 1]} {self.lower[word]}" in PHRASAL_VERBS:
                self._attach(word, word - 1, "compound:prt")
            noun = self.head[word]
            beside = self.relation[noun] == "obj" and self.head[noun] == word - 1 and self.upos[word - 1] == "VERB"
            if self.relation[word] == "case" and self.xpos[word] == "RP" and beside:
                self._attach(word, word - 1, "compound:prt")  # "Plug in the hub"
            verb = self.head[word]
            if self.relation[word] == "compound:prt" or (self.relation[word] == "advmod" and self.xpos[word] == "RB"):
                for inner in self.kids(verb, "xcomp"):
                    if verb < inner < word and max(self.subtree(inner)) == word - 1 and self.upos[inner] == "VERB":
                        self._attach(word, inner, self.relation[word])
            level = word + 1 < self.size and self.relation[word] == "compound:prt" and self.upos[word + 1] == "ADJ"
            if level and self.relation[word + 1] == "obl" and self.head[word + 1] == verb < word - 1:
                self._attach(word, word + 1, "case")
                continue
            things = [kid for kid in self.kids(verb, "obj") if self.upos[kid] in NOMINAL and verb < kid < word]
            behind = things and max(self.subtree(things[-1])) == word - 1
            following = self.lower[word + 1] if word + 1 < self.size else ""
            bound = self.lower[word] == "back" or f"{self.lower[verb]} {self.lower[word]} {following}" in REASONING
            if bound and self.relation[word] == "advmod" and behind and not self.children[word]:
                self.relation[word] = "compound:prt"
            if self.relation[word] == "compound:prt" and self.lower[word] == "up" and following == "to":
                amount = self.head[word + 1]
                counted = self.upos[amount] == "NUM" or any(
                    self.upos[kid] == "NUM" or self.lower[kid] in ("a", "an") for kid in self.children[amount]
                )
                if self.relation[word + 1] == "case" and counted and self.upos[amount] in ("NOUN", "NUM"):
                    self._attach(word, amount, "case")
            if self.lower[word] == "up" and following == "to" and self.relation[word + 1] == "case":
                self._repair_up_to(word, self.head[word + 1])
            elif following == "to" and self.relation[word : word + 2] == ["compound:prt", "fixed"]:
                counted = word + 2 < self.size and self.upos[word + 2] == "NUM"
                if counted:
                    self._repair_up_to(word, self.head[word + 2])

    def _repair_up_to(self, up: int, amount: int) -> None:
        """ "close up to 20 stores", "take up to a working day": the amount is an object, and "up to" is said of it."""
        multiple = self.lower[up + 2 : up + 3] in (["twice"], ["half"], ["double"]) or "times" in self.lower[up:amount]
        one = self.lower[up + 2 : up + 3] in (["a"], ["an"], ["one"]) and MEASURE_WORD.match(self.lower[amount])
        multiple = multiple or bool(one) or (self.relation[amount] == "obj" and self.has(amount, "nummod"))
        if amount < up or not multiple or self.relation[amount] not in ("obj", "obl"):
            return
        self._attach(up, amount, "advmod")
        self._attach(up + 1, up, "fixed")
        if not self.has(self.head[amount], "obj"):
            self.relation[amount] = "obj"

    def _repair_fronted_phrases(self) -> None:
        """ "In winter, the usual culprit is a lack of iron": what is in front of the subject is of the clause."""
        for word in range(self.size):
            noun = self.head[word]
            subjects = self.kids(noun, "nsubj") if self.has(noun, "cop") else []
            if self.relation[word] == "nmod" and subjects and max(self.subtree(word)) < self.subtree(subjects[0])[0]:
                self.relation[word] = "obl"

    def _repair_phrases_of_subjects(self) -> None:
        """ "The reason in your case is given": a phrase between subject and verb belongs to the subject."""
        for word in range(self.size):
            verb = self.head[word]
            if self.relation[word] != "obl" or word > verb or not self.has(word, "case"):
                continue
            below = self.subtree(word)
            led = any(self.lower[kid] in ("in", "of", "at", "for", "on") for kid in self.kids(word, "case"))
            apart = any(self.words[other] == "," for other in (below[0], below[-1], min(below[-1] + 1, verb)))
            if not led or apart:
                continue
            for subject in self.kids(verb, "nsubj", "nsubj:pass"):
                joined = subject < word and below[0] == max(self.subtree(subject)) + 1
                if joined and self.upos[subject] == "NOUN":
                    self._attach(word, subject, "nmod")
                    break

    def _repair_clauses_of_subjects(self) -> None:
        """ "Missing three lessons without asking may cost you your place": what stands there belongs to the subject."""
        for word in range(2, self.size - 1):
            verb = self.head[word]
            within = self.relation[word] == "advcl" and word < verb and self.xpos[word] == "VBG"
            below = self.subtree(word)
            if not within or self.lower[below[0]] not in ("without", "by", "while", "after", "before"):
                continue
            for subject in self.kids(verb, "csubj"):
                apart = "," in (self.words[below[0] - 1], self.words[min(below[-1] + 1, verb)])
                if subject < word and below[0] == max(self.subtree(subject)) + 1 and not apart:
                    self._attach(word, subject, "advcl")
                    break

    def _repair_differences(self) -> None:
        """ "4,310 euros, 600 euros less than a year ago": the comparison belongs to the second amount."""
        for word in range(self.size - 2):
            compared = self.lower[word + 1] in ("less", "more", "fewer") and self.lower[word + 2] == "than"
            if self.relation[word] != "appos" or not self.has(word, "nummod") or not compared:
                continue
            top = word + 1
            while self.head[top] > word and self.head[top] != top:
                top = self.head[top]
            if self.head[top] != top:
                self._attach(top, word, "advmod")

    def _repair_provisos(self) -> None:
        """ "sent back, provided the box and the tags are included": all that follows is the condition.

        "provided that you are over 70 or hold a card": so is what "or" joins to it.
        """
        for mark in range(1, self.size):
            if self.lower[mark] not in ("provided", "providing"):
                continue
            if self.words[mark - 1] == "," and self.relation[mark] == "aux":  # "one cat, provided you register it"
                behind = (word for word in range(mark + 1, self.size) if self.upos[word] != "PUNCT")
                clause = next((word for word in behind if self.head[word] <= mark), mark)
                if self.head[clause] == mark:
                    self._attach(clause, self.head[mark], "advcl")
                if clause != mark:
                    self._attach(mark, clause, "mark")
            if self.relation[mark] not in ("mark", "case", "dep"):
                continue
            told = (w for w in range(mark, self.size) if any(k > mark for k in self.kids(w, "nsubj", "nsubj:pass")))
            verb = next(told, mark)
            governor = self.head[verb]
            that = governor == mark and self.relation[verb] == "ccomp" and self.head[mark] < mark
            if that:
                governor = self.head[mark]
                self._attach(mark, governor, "dep")
            if verb == mark or governor >= mark or self.relation[verb] == "advcl":
                continue
            self._attach(verb, governor, "advcl")
            self._attach(mark, verb, "mark")
            for word in range(mark + 1, self.size):
                if self.head[word] >= mark or word == verb or self.upos[word] == "PUNCT":
                    continue
                if not (that and self.has(word, "nsubj", "nsubj:pass")):
                    self._attach(word, verb, "dep")

    def _repair_limits(self) -> None:
        """ "You can leave, but only once (after) you have paid": what follows "but only" is a condition."""
        for only in range(2, self.size - 2):
            mark = only + 1
            if self.lower[only - 1 : only + 1] != ["but", "only"] or self.lower[mark] not in ("once", "after", "when"):
                continue
            subject = next((w for w in range(mark, self.size) if self.relation[w].startswith("nsubj")), mark)
            verb = self.head[subject]
            if self.relation[verb] != "conj" or self.head[verb] > only or self.head[mark] not in (verb, only):
                continue
            self.relation[verb] = "advcl"
            self.upos[mark], self.xpos[mark] = "SCONJ", "IN"
            self._attach(mark, verb, "mark")
            self._attach(only, verb, "advmod")
            self._attach(only - 1, verb, "cc")

    def _repair_measured_subject(self) -> None:
        """ "Every three years of service add a day": what is counted is the subject, no time of a command."""
        root = self.root()
        if root is None or self.xpos[root] not in ("VBP", "VB") or self.has(root, "nsubj", "nsubj:pass", "expl"):
            return
        things = [self.lower[det] for kid in self.kids(root, "obj") for det in self.kids(kid, "det", "nmod:poss")]
        if "the" in things or "your" in things:
            return  # "Every two weeks of summer, cut the grass"
        for noun in self.kids(root, "obl:unmarked"):
            below = self.subtree(noun)
            measured = self.has(noun, "nummod") and self.has(noun, "nmod") and self.xpos[noun] == "NNS"
            if measured and below == list(range(root)):
                self.relation[noun] = "nsubj"

    def _repair_parted_compounds(self) -> None:
        """ "For the club itself, the contact is Box 12": a phrase in front of the subject is no part of the name."""
        for word in range(self.size):
            head = self.head[word]
            between = [kid for kid in self.kids(head, "nsubj", "nsubj:pass") if word < kid < head]
            if self.relation[word] == "compound" and between and self.has(word, "case"):
                self.relation[word] = "obl"

    def _repair_subjects(self) -> None:
        """A clause has one subject: of "Passage 1 mentions" and "Assistance dogs are" both words are part of it."""
        for noun in range(2, self.size):
            if self.relation[noun] == "nsubj" and self.relation[0] == "amod" and self.head[0] == self.head[noun]:
                self._attach(0, noun, "amod")  # "Bright, indirect light is best"
        first = 1 if self.lower[0] == "only" else 0
        if self.size > first + 2 and self.upos[first] == self.upos[first + 1] == "NOUN" == self.upos[self.root() or 0]:
            verb = self.head[first + 1]
            subject = self.relation[first] == "ROOT" and self.relation[first + 1].startswith("nsubj")
            if subject and self.head[verb] == first != verb:
                self._attach(verb, verb, "ROOT")  # "Assistance dogs are exempt", "Only assistance dogs are allowed"
                for kid in list(self.children[first]):
                    self._attach(kid, first + 1 if kid < first else verb, self.relation[kid])
                self._attach(first, first + 1, "compound")
        for first in range(self.size - 1):
            if self.relation[first] not in ("nsubj", "nsubj:pass"):
                continue
            others = [kid for kid in self.kids(self.head[first], self.relation[first]) if kid > first]
            if not others or min(self.subtree(others[0])) != first + 1:
                continue
            second = others[0]
            if self.upos[second] == "NUM" and self.upos[first] in NOMINAL:
                self._attach(second, first, "nummod")
            elif self.upos[first] in NOMINAL and self.upos[second] in NOMINAL:
                self._attach(first, second, "compound")

    def _repair_names_in_capitals(self) -> None:
        """ "Only GET requests are retried": a verb in capitals is a name, part of the subject that it stands before."""
        for name in range(self.size - 2):
            noun = name + 1
            capitals = self.words[name].isalpha() and self.words[name].isupper() and len(self.words[name]) > 1
            if not capitals or self.xpos[name] != "VB" or self.xpos[noun] != "NNS":
                continue
            verb = self.head[noun + 1]
            finite = noun + 1 in self.kids(verb, "aux", "aux:pass", "cop")
            if verb < noun or not finite or self.head[name] == name:
                continue
            self._attach(noun, verb, "nsubj:pass" if self.has(verb, "aux:pass") else "nsubj")
            self._attach(name, noun, "compound")
            self.upos[name] = "NOUN"
            if name and self.lower[name - 1] in ("only", "even", "just") and self.head[name - 1] in (name, verb):
                self._attach(name - 1, noun, "advmod")

    def _repair_compounds(self) -> None:
        """ "use the company VPN", "for the reminder e-mail", "by Cllr Venn": two nouns side by side are one."""
        for word in range(1, self.size):
            roles = self.relation[word - 1 : word + 1]
            beside = self.head[word - 1] == self.head[word] and roles in (["obj", "obj"], ["obl", "obl"])
            bare = not self.has(word, "det", "punct", "amod", "nummod", "nmod:poss", "case", "cc")
            joined = self.head[word - 1] == self.head[word] and roles == ["conj", "conj"]
            if joined and not self.children[word - 1] and self.subtree(word)[0] < word - 1:
                self._attach(word - 1, word, "compound")  # "120 read requests and 20 write requests"
                continue
            if beside and bare and self.upos[word] in NOMINAL and self.upos[word - 1] == "NOUN":
                for kid in list(self.children[word - 1]):
                    self._attach(kid, word, self.relation[kid])
                self._attach(word - 1, word, "compound")
            alike = self.head[word - 1] == self.head[word] and self.relation[word - 1] == self.relation[word]
            names = self.upos[word - 1] == self.upos[word] == "PROPN" and self.relation[word] in OF_NAMES
            if alike and names and not self.has(word, "punct", "cc", "det"):
                for kid in self.kids(word - 1, "case", "punct"):
                    self._attach(kid, word, self.relation[kid])
                self._attach(word - 1, word, "compound")

    def _repair_amounts(self) -> None:
        """ "pays him 30 barrels a year", "get 40% off": a rate and what is taken off belong to the amount.

        "owe between £100 and £1,500": so does the preposition of an object.
        """
        for word in range(1, self.size):
            measured = self._is_counted_or_one(word) and MEASURE_WORD.match(self.lower[word])
            for case in self.kids(word, "case") if self.relation[word] == "obj" else ():
                if self.upos[word] == "SYM" or (measured and self.lower[case] in ("under", "over", "around", "about")):
                    self.relation[case] = "advmod"  # "takes just under an hour"
            objects = [kid for kid in self.kids(self.head[word], "obj") if kid < word]
            if not objects or max(self.subtree(objects[-1])) + 1 != self.subtree(word)[0]:
                continue
            amount = self._is_counted(objects[-1])
            rate = self.relation[word] == "obl:unmarked" and self.lower[word - 1] in ("a", "an", "each", "every")
            unit = MEASURE_WORD.match(self.lower[word]) or MONEY.fullmatch(self.lower[objects[-1]])  # "£8 a visit"
            rate = rate and bool(unit) and self.head[word - 1] == word
            off = self.lower[word] == "off" and self.relation[word] in ("xcomp", "advmod") and not self.children[word]
            if amount and (rate or off):
                self._attach(word, objects[-1], "nmod:unmarked" if rate else "advmod")

    def _repair_bold(self) -> None:
        """ "Book the **Tolvaj hide** through the office": words in bold behind an article are one name.

        So are those behind a command: "select **Add user**", "tap *Add user*".
        """
        for word in range(1, self.size - 1):
            told, last = self.head[word], next(iter(self.kids(word, "obj")), None)
            inner = self.xpos[word] == self.xpos[told] == "VB" and told == word - 1
            inner = inner and self.relation[word] in ("xcomp", "ccomp", "parataxis", "dep")
            if inner and last is not None and self.is_emphasised(word, last):
                for kid in list(self.children[word]):
                    of_name = kid < last and self.relation[kid] != "cc"
                    self._attach(kid, last if of_name else told, self.relation[kid])
                self.upos[word], self.xpos[word] = "PROPN", "NNP"
                self._attach(word, last, "compound")
        for noun in range(1, self.size - 1):
            word = noun + 1
            bold = self.is_emphasised(noun, word)
            told = self.relation[noun] == "obj" and self.upos[word] == "VERB" and self.head[word] == self.head[noun]
            if not (bold and told and self.relation[noun - 1] == "det" and self.head[noun - 1] == noun):
                continue
            verb = self.head[noun]
            self.upos[word], self.xpos[word] = "NOUN", "NN"
            for kid in list(self.children[word]):
                self._attach(kid, verb, self.relation[kid])
            for kid in list(self.children[noun]):
                self._attach(kid, word, self.relation[kid])
            self.relation[word] = "obj"
            self._attach(noun, word, "compound")

    def _repair_paths(self) -> None:
        """ "Go to People > Invite": what stands behind the arrow is the rest of a name."""
        for word in range(2, self.size):
            first = self.head[word]
            capitals = self.words[word][:1].isupper() and self.words[word - 2][:1].isupper()
            path = self.words[word - 1] in (">", "→", "»") and first < word
            if self.head[word - 2] == word or not (
                capitals
                and path
                and self.relation[word] in ("appos", "parataxis", "conj", "obj", "dep", "nmod", "xcomp")
            ):
                continue
            self.upos[word], self.xpos[word] = "PROPN", "NNP"
            governor = first if self.upos[first] == "VERB" else self.head[first]
            for kid in self.kids(word, "conj"):
                if self.upos[kid] == "VERB":
                    self._attach(kid, governor, "conj")
            self._attach(word, word - 2, "flat")

    def _repair_names_with_signs(self) -> None:
        """ "Orsa Park & Ride": the verb behind the sign is the rest of a name."""
        for word in range(2, self.size):
            name, verb = word - 2, self.head[word]
            capitals = self.words[word][:1].isupper() and self.words[name][:1].isupper()
            joined = self.words[word - 1] == "&" and self.upos[word] == "VERB" and self.relation[word] == "conj"
            if not (capitals and joined) or verb == name or self.upos[name] not in NOMINAL:
                continue
            self.upos[word], self.xpos[word] = "PROPN", "NNP"
            for kid in list(self.children[word]):
                if kid > word:
                    self._attach(kid, verb, self.relation[kid])
            self._attach(word, name, "flat")
            self._attach(word - 1, word, "cc")

    def _repair_finished(self) -> None:
        """ "She designed the crossing, finished in 1993": it is the crossing that was finished."""
        for word in range(3, self.size):
            verb = self.head[word]
            bare = self.relation[word] == "advcl" and self.xpos[word] == "VBN" and self.words[word - 1] == ","
            things = [kid for kid in self.kids(verb, "obj") if max(self.subtree(kid)) == word - 2]
            if bare and self.lower[word] in FINISHED and things and not self.has(word, "nsubj", "mark"):
                self._attach(word, things[0], "acl")

    def is_emphasised(self, first: int, last: int) -> bool:
        """Whether the words, and no others, stand between two marks of bold type or of italics."""
        start, end = self.spans[first].start, self.spans[last].end
        mark = self.emphasis(first)
        return bool(mark) and self.response[end : end + len(mark)] == mark and mark not in self.response[start:end]

    def emphasis(self, first: int) -> str:
        """The mark of bold type ("**", "__") or of italics ("*", "_") in front of a word, or ""."""
        start = self.spans[first].start
        before = self.response[max(0, start - 2) : start]
        return before if before in BOLD else before[-1:] if before[-1:] in ITALICS else ""

    def _repair_rights(self) -> None:
        """ "The agent needs read access": what is needed is no second verb."""
        for verb in range(self.size - 1):
            noun, governor = verb + 1, self.head[verb]
            bare = self.relation[verb] == "xcomp" and self.xpos[verb] == "VB" and self.children[verb] == [noun]
            named = self.upos[noun] in NOMINAL and self.relation[noun] == "obj"
            alone = named and not self.has(noun, "det", "nmod:poss", "amod", "nummod", "compound")
            needed = NEEDING.fullmatch(self.lower[governor]) and not self.has(governor, "obj")
            if bare and alone and needed and not self.is_negated(governor):  # not "needn't throw fruit away"
                self._attach(noun, governor, "obj")
                self.upos[verb], self.xpos[verb] = "NOUN", "NN"
                self._attach(verb, noun, "compound")

    def _repair_last_conjuncts(self) -> None:
        """ "a wheel, a cap and a keg at least 1,900 years old": what follows the last noun is said of that."""
        for word in range(self.size):
            first = self.head[word]
            others = self.kids(first, "conj")
            if others and self.relation[word] in ("nmod", "obl") and self.upos[first] == self.upos[others[-1]] == "ADJ":
                described = any(self.lower[case] == "as" for case in self.kids(first, "case"))
                if described and self.subtree(word)[0] == max(self.subtree(others[-1])) + 1:
                    self._attach(word, others[-1], self.relation[word])  # "seen as dull, slow and vague about its aim"
            if self.relation[word] != "amod" or not others or word < others[-1] or self.upos[first] not in NOMINAL:
                continue
            measured = self.has(word, "obl:unmarked", "obl:npmod", "nmod:unmarked")
            if measured and self.subtree(word)[0] == max(self.subtree(others[-1])) + 1:
                self._attach(word, others[-1], "amod")
                for kid in self.kids(word, "advcl", "parataxis"):
                    if "," in self.words[word:kid]:  # ", all on display": of all of them
                        self._attach(kid, self.head[first], "parataxis")

    def _repair_shared_phrases(self) -> None:
        """ "gives rules for storage and baking times": what a preposition opens is no second thing that it gives."""
        for word in range(2, self.size):
            first = self.head[word]
            opens = self.relation[word] == "conj" and first < word and self.upos[word] == "NOUN"
            if not opens or self.relation[first] not in ("obj", "obl"):
                continue
            case = self.subtree(word)[0]
            if case != first + 1 or self.relation[case] != "case":
                continue
            noun = self.head[case]
            if self.head[noun] == word and self.relation[noun] == "compound" and self.has(word, "compound"):
                self._attach(case, word, "case")
                self.relation[word] = "nmod"

    def _repair_objects(self) -> None:
        for word in range(self.size):
            verb = self.head[word]
            if self.relation[word] == "iobj" and not self.has(verb, "obj", "ccomp", "xcomp"):
                self.relation[word] = "obj"  # "Tell your doctor if ..."
            elif (
                self.relation[word] == "obl:unmarked"
                and self.lower[word] in ("that", "which")
                and self.relation[verb] in ("acl", "acl:relcl")
                and not self.has(verb, "obj")
            ):
                self.relation[word], self.xpos[word] = "obj", "WDT"  # "the hold that your bank places on the card"
                self.relation[verb] = "acl:relcl"
            elif (
                (self.relation[word] == "nsubj" or (self.relation[word] == "nsubj:pass" and self.xpos[verb] == "VBN"))
                and self.relation[verb] == "xcomp"
                and self.head[verb] < word < verb
                and not self.has(self.head[verb], "obj")
            ):
                self._attach(word, self.head[verb], "obj")  # "expects the restrictions to last"

    def _repair_gifts(self) -> None:
        """ "Give Orsa Homes, the agent, the key": the last of the phrases is what is given.

        Of "give the jam a month" it is the month.
        """
        for verb in range(self.size):
            objects = self.kids(verb, "obj") if self.lower[verb] in GIVING else []
            if len(objects) != 2 or objects[0] < verb or not self._is_counted_or_one(objects[1]):
                continue
            if self.upos[objects[0]] in NOMINAL and not self._is_counted(objects[0]):
                self.relation[objects[0]] = "iobj"
        for thing in range(4, self.size):
            name = self.head[thing]
            name = self.head[name] if self.relation[name] == "appos" else name  # of the one before it
            verb = self.head[name]
            others = [kid for kid in self.kids(name, "appos") if kid < thing]
            given = self.relation[thing] in ("appos", "conj") and self.has(thing, "det", "nmod:poss")
            given = given and len(others) == 1
            told = self.relation[name] == "obj" and self.lower[verb] in GIVING and verb < name
            if given and told and not self.has(thing, "cc") and len(self.kids(verb, "obj")) == 1:
                self._attach(thing, verb, "obj")
                self.relation[name] = "iobj"

    def _repair_moments(self) -> None:
        """ "As soon as the lamp flashes, press START": what stands in front of a command is a clause."""
        for verb in range(4, self.size - 2):
            soon = self.head[verb]
            told = self.head[soon]
            named = self.relation[verb] == "obl" and self.xpos[verb] == "NNS" and self.words[verb + 1] == ","
            subjects = [kid for kid in self.kids(verb, "compound") if kid == verb - 1]
            if not named or not subjects or self.lower[soon - 1 : soon + 2] != ["as", "soon", "as"]:
                continue
            if self.xpos[told] != "VB" or told < verb or not self.has(verb, "det"):
                continue
            self.upos[verb], self.xpos[verb] = "VERB", "VBZ"
            self._attach(subjects[0], verb, "nsubj")
            for kid in self.kids(verb, "det", "amod", "compound"):
                self._attach(kid, subjects[0], self.relation[kid])
            self.relation[verb] = "advcl"

    def _repair_modals(self) -> None:
        """ "The leave needn't be taken": the modal verb is no verb of its own."""
        for word in range(self.size):
            verbs = self.kids(word, "xcomp")
            bare = len(verbs) == 1 and not any(self.lower[kid] == "to" for kid in self.kids(verbs[0], "mark"))
            if self.lower[word] not in ("need", "dare") or not bare or self.has(word, "obj"):
                continue
            verb, head, relation = verbs[0], self.head[word], self.relation[word]
            if not (self.is_negated(word) or self.is_negated(verb)):
                continue
            self._attach(verb, verb if head == word else head, relation)
            for kid in list(self.children[word]):
                self._attach(kid, verb, self.relation[kid])
            self._attach(word, verb, "aux")

    def _repair_copulas(self) -> None:
        """ "Shoes have to be unworn": what stands before an adjective is no auxiliary of the passive."""
        for word in range(self.size):
            if self.relation[word] == "aux:pass" and self.upos[self.head[word]] == "ADJ":
                self.relation[word] = "cop"

    def _repair_duties(self) -> None:
        """ "It is to draw up a plan": the copula is an auxiliary, but not of a purpose ("the aim is to ...")."""
        for verb in range(self.size):
            copulas, marks = self.kids(verb, "cop"), self.kids(verb, "mark")
            subjects = self.kids(verb, "nsubj", "nsubj:pass")
            if self.xpos[verb] != "VB" or self.upos[verb] != "VERB" or len(copulas) != 1 or len(subjects) != 1:
                continue
            to = [mark for mark in marks if self.lower[mark] == "to" and copulas[0] < mark < verb]
            if to and not PURPOSE_NOUN.match(self.lower[subjects[0]]):
                self.relation[copulas[0]] = "aux"

    def _repair_shared_duties(self) -> None:
        """ "The work should take a month and cost £900": the second verb is of the same modal."""
        for word in range(self.size):
            first = self.head[word]
            form = self.xpos[word] == "VBP" or (self.xpos[word] == "VBD" and self.lower[word] in UNCHANGED)
            bare = self.relation[word] == "conj" and form and self.xpos[first] == "VB"
            alone = bare and not self.has(word, "nsubj", "nsubj:pass", "aux", "cop", "expl")
            joints = [kid for kid in self.kids(word, "cc") if self.words[kid - 1] != ","]
            modal = any(self.lower[kid] in EXPECTING for kid in self.kids(first, "aux"))
            if alone and joints and modal and not self.has(first, "aux:pass", "cop"):
                self.xpos[word] = "VB"

    def _repair_first_command(self) -> None:
        """ "Press START", "Hand in the form", "Water once a week": the first word is a verb, the noun is its object."""
        root = self.root()
        if root is None or self.size < 2 or self.has(root, "nsubj", "cop"):
            return
        if self.xpos[1] == "HYPH":
            self._repair_hyphenated_subject(root)
            return
        told = self.xpos[0] == "VB" or (self.lower[0] == "open" and ">" in self.words)  # "Open Account > Billing"
        if told and self.relation[0] in ("compound", "amod") and self.head[0] == root:
            self.upos[0], self.xpos[0] = "VERB", "VB"
            others = [kid for kid in self.children[root] if kid and self.relation[kid] in ("obl", "advmod", "punct")]
            self._attach(0, 0, "ROOT")
            self._attach(root, 0, "obj")
            for kid in others:
                self._attach(kid, 0, self.relation[kid])
            return
        if self._is_noun_for_command(root):
            self._make_first_command(root)
            return
        if root or self.upos[0] != "NOUN":
            return
        particle = " ".join(self.lower[:2]) in PHRASAL_VERBS
        often = self.lower[1] in ("once", "twice", "as") or self.upos[2:] in ([], ["PUNCT"])
        noun = self.head[1] if self.relation[1] == "case" else next(iter(self.kids(0, "nmod")), None)
        determined = noun is not None and self.has(noun, "det", "nmod:poss") and self.relation[noun] == "nmod"
        if particle and noun is not None and determined:
            self._attach(1, 0, "compound:prt")
            self.relation[noun] = "obj"
            for kid in self.kids(0, "nmod"):
                self.relation[kid] = "obl"  # "by Friday"
        elif self.lower[0] not in FIRST_VERBS or self.upos[1] != "ADV" or not often:
            return
        self.upos[0], self.xpos[0] = "VERB", "VB"

    def _is_noun_for_command(self, root: int) -> bool:
        """Whether the first word is a verb that was read as a noun: "Butter a baking dish", "Simmer for an hour"."""
        noun = self.head[1]
        opens = root == 0 or (self.head[0] == root == noun and self.relation[0] in ("compound", "amod"))
        known = self.lower[0] in VERBLIKE or self.lower[:2] == ["season", "with"]
        if not opens or noun < 2 or self.upos[0] == "VERB" or not (known or self.upos[0] == "NOUN"):
            return False
        if known and self.relation[1] in ("case", "mark", "nummod"):
            return True
        determined = self.relation[1] == "det" and self.lower[1] in ("a", "an", "the") and self.upos[noun] == "NOUN"
        determined = determined and not MEASURE_WORD.match(self.lower[noun])  # "Rain the whole day"
        return determined and (self.xpos[0] == "NN" or self.relation[noun] == "obj")

    def _make_first_command(self, root: int) -> None:
        """Makes the first word the verb, and the noun behind it its object or its phrase."""
        self.upos[0], self.xpos[0] = "VERB", "VB"
        if root:
            self._replace(0, root)
        nouns = [kid for kid in self.children[0] if self.upos[kid] in NOMINAL]
        for kid in nouns:
            if self.relation[kid] == "conj":
                self._attach(kid, nouns[0], "conj")
            elif self.relation[kid] not in ("obl", "obj"):
                self.relation[kid] = "obl" if self.has(kid, "case") else "obj"

    def _repair_hyphenated_subject(self, root: int) -> None:
        """ "Check-in runs from 3 to 9 pm": what has a hyphen is no command. Not "Top-up cards from May"."""
        led = root == 3 and self.head[0] in (2, 3) and self.head[2] in (0, 3)
        times = self.kids(root, "nmod", "obl")
        starts = [case for kid in times for case in self.kids(kid, "case") if self.lower[case] == "from"]
        lasts = any(self.upos[case + 1] == "NUM" for case in starts) and {"to", "until", "till"} & set(
            self.lower[root:]
        )
        if not led or self.xpos[root] != "NNS" or not lasts:
            return
        self.upos[root], self.xpos[root] = "VERB", "VBZ"
        self.upos[2], self.xpos[2] = "NOUN", "NN"
        self._attach(2, root, "nsubj")
        self._attach(0, 2, "compound")
        for kid in times:
            self.relation[kid] = "obl"

    def _repair_commands(self) -> None:
        """ "Add chicken and brown slightly", "Remove the steak and heat oil": the second is a command, no noun."""
        for word in range(1, self.size):
            verblike = self.lower[word] in VERBLIKE or self.lower[word : word + 2] == ["season", "with"]
            if not verblike or self.upos[word] != "NOUN" or self.lower[word - 1] != "and":
                continue
            first = self.head[word]
            if self.relation[word] == "conj" and self.xpos[first] == "VB" and self.relation[first] == "ROOT":
                self.upos[word], self.xpos[word] = "VERB", "VB"  # "Rinse with water and blot again until ..."
                for kid in self.kids(first, "obl", "advmod", "advcl", "obl:unmarked"):
                    if kid > word:
                        self._attach(kid, word, self.relation[kid])
                continue
            noun = self.head[word] if self.relation[word] == "compound" and self.head[word] == word + 1 else word
            bare = all(self.relation[kid] in ("cc", "punct", "compound") for kid in self.children[noun])
            top = noun
            while self.relation[top] == "conj" and self.upos[self.head[top]] in NOMINAL:
                top = self.head[top]
            verb = self.head[top]
            told = self.xpos[verb] == "VB" and verb < word and not self.has(verb, "nsubj", "aux", "mark")
            if not bare or not told or self.relation[top] != "obj" or self.has(word, "compound"):
                continue
            behind = [kid for kid in self.kids(verb, "obl", "advmod", "advcl", "obl:unmarked") if kid > noun]
            self.upos[word], self.xpos[word] = "VERB", "VB"
            self._attach(word, verb, "conj")
            if noun != word:
                self._attach(noun, word, "obj")
            self._attach(word - 1, word, "cc")
            for kid in behind:
                self._attach(kid, word, self.relation[kid])

    def _repair_expected(self) -> None:
        """ "Work is due to begin in May": subject and copula are those of the adjective."""
        for verb in range(3, self.size):
            copulas = self.kids(verb, "cop")
            led = [kid for kid in self.kids(verb, "mark", "case") if self.upos[kid] == "ADJ" and self.has(kid, "fixed")]
            bare = self.xpos[verb] == "VB" or self.lower[verb] in UNCHANGED  # "is due to shut in May"
            if led and len(copulas) == 1 and bare:
                head, relation = self.head[verb], self.relation[verb]
                self._attach(led[0], led[0] if head == verb else head, relation)
                self._attach(verb, led[0], "xcomp")
            due = self.head[verb]
            subjects = self.kids(verb, "nsubj", "nsubj:outer", "nsubj:pass")
            told = self.relation[verb] == "xcomp" and self.upos[due] == "ADJ" and len(copulas) == len(subjects) == 1
            if not told or not copulas[0] < due < verb or self.has(due, "cop", "nsubj"):
                continue
            self._attach(copulas[0], due, "cop")
            self._attach(subjects[0], due, "nsubj")
            for kid in self.kids(due, "fixed"):
                if self.lower[kid] == "to":
                    self._attach(kid, verb, "mark")

    def _repair_causatives(self) -> None:
        """ "Have the boiler checked every year": a command, whose participle tells what is done to the boiler."""
        for have in range(self.size):
            verb = self.head[have]
            first = have == 0 or self.words[have - 1] in ",;:" or self.upos[have - 1] == "CCONJ"
            opens = first and self.lower[have] == "have" and self.relation[have] == "aux" and self.xpos[verb] == "VBN"
            things = [kid for kid in self.kids(verb, "nsubj", "nsubj:pass") if have < kid < verb]
            asked = "?" in self.words[verb:]
            if not opens or asked or len(things) != 1 or self.upos[things[0]] not in NOMINAL:
                continue
            if any(kid < have for kid in self.kids(verb, "nsubj", "nsubj:pass", "expl")):
                continue
            head, relation = self.head[verb], self.relation[verb]
            self.upos[have], self.xpos[have] = "VERB", "VB"
            self._attach(have, have if head == verb else head, relation)
            for kid in list(self.children[verb]):
                if kid < have or self.relation[kid] == "punct":
                    self._attach(kid, have, self.relation[kid])
            self._attach(things[0], have, "obj")
            self._attach(verb, have, "xcomp")
            for kid in self.kids(verb, "obj"):  # "a minimum of six weeks in advance"
                self.relation[kid] = "obl:unmarked"

    def _repair_results(self) -> None:
        """ "Salt can make the tiles dull and attack the grout": the salt attacks it."""
        for word in range(self.size):
            result = self.head[word]
            verb = self.head[result]
            joined = self.relation[word] == "conj" and self.xpos[word] == self.xpos[verb] == "VB"
            made = self.relation[result] == "xcomp" and self.upos[result] == "ADJ" and self.has(verb, "obj")
            if joined and made and not self.has(word, "nsubj", "mark", "aux"):
                self._attach(word, verb, "conj")

    def _repair_belongings(self) -> None:
        """ "requires players to leave their phones and watches outside": the second thing is no verb."""
        for word in range(3, self.size):
            noun = word - 2
            verb = self.head[noun]
            joined = self.lower[word - 1] == "and" and self.relation[word] == "conj" and self.xpos[word] == "VBZ"
            listed = self.relation[noun] == "obj" and self.xpos[noun] == "NNS" and self.has(noun, "nmod:poss")
            told = self.xpos[verb] == "VB" and any(self.lower[kid] == "to" for kid in self.kids(verb, "mark"))
            if not (joined and listed and told) or self.has(word, "obj", "xcomp", "ccomp", "nsubj"):
                continue
            self.upos[word], self.xpos[word] = "NOUN", "NNS"
            for kid in list(self.children[word]):
                if self.relation[kid] not in ("cc", "punct"):
                    self._attach(kid, verb, self.relation[kid])
            self._attach(word, noun, "conj")

    def _repair_means(self) -> None:
        """ "Blot the stain with a cloth": the cloth is no part of the stain."""
        for word in range(self.size):
            noun = self.head[word]
            verb = self.head[noun]
            led = any(self.lower[kid] == "with" for kid in self.kids(word, "case"))
            told = self.relation[noun] == "obj" and self.xpos[verb] == "VB" and verb < noun < word
            told = told and TREATING.match(self.lower[verb]) is not None and not self.has(verb, "nsubj", "aux")
            if led and told and self.relation[word] == "nmod" and self.has(noun, "det"):
                self._attach(word, verb, "obl")

    def _repair_modifiers(self) -> None:
        """ "Bring it to a boil and simmer for ten minutes": what follows the second verb belongs to it."""
        for second in range(self.size):
            first = self.head[second]
            verbs = self.upos[first] == self.upos[second] == "VERB" and self.relation[second] == "conj"
            if not verbs or self.has(second, "nsubj", "nsubj:pass"):
                continue
            later = [kid for kid in self.kids(first, "conj") if self.upos[kid] == "VERB" and not self.has(kid, "mark")]
            if later[-1:] != [second]:
                continue
            filled = any(kid < second for kid in self.kids(first, "obj", "obl", "xcomp") if kid > first)
            told = self.xpos[first] == "VB" and not self.has(first, "obj") and self.has(second, "obj", "obl")
            filled = filled or (told and second == first + 2)  # "Cover and steam the crabs on high"
            behind = [kid for kid in self.kids(first, "obl", "advmod", "advcl", "obl:unmarked") if kid > second]
            for kid in behind if filled else []:
                if any(self.lower[mark] in ("because", "as", "since", "so") for mark in self.kids(kid, "mark")):
                    continue  # it may be the reason for both
                own = [word for word in self.subtree(second) if word < kid]
                if self.subtree(kid)[0] == max(own) + 1 and "," not in self.words[second:kid]:
                    self._attach(kid, second, self.relation[kid])

    def _repair_asides(self) -> None:
        """ "If you have pain, and not just tiredness, for two days, stop": the time is of the clause in front."""
        for word in range(self.size):
            verb, first = self.head[word], min(self.subtree(word, ("punct",)))
            if self.relation[word] != "obl" or not 0 < first < word < verb or self.words[first - 1] != ",":
                continue
            for clause in self.kids(verb, "advcl"):
                behind = [kid for kid in self.subtree(clause) if clause < kid < first and self.relation[kid] == "conj"]
                aside = behind and max(self.subtree(behind[-1])) == first - 2 and self.is_negated_inside(behind[-1])
                marked = any(self.lower[kid] in ("if", "when", "unless") for kid in self.kids(clause, "mark", "advmod"))
                if clause < word and aside and marked:
                    self._attach(word, clause, "obl")
                    break

    def _repair_inner_phrases(self) -> None:
        """ "It does not apply if you retire because of illness": the illness is why you retire."""
        for word in range(self.size):
            verb, first = self.head[word], self.subtree(word, ("punct",))[0]
            if self.relation[word] != "obl" or not self.has(word, "case") or self.words[first - 1] == ",":
                continue
            for clause in self.kids(verb, "advcl"):
                marked = any(self.lower[kid] in ("if", "when", "unless") for kid in self.kids(clause, "mark", "advmod"))
                told = marked and self.has(clause, "nsubj", "nsubj:pass")
                if told and verb < clause < word and max(self.subtree(clause)) == first - 1:
                    self._attach(word, clause, "obl")
                    break

    def _repair_contrasts(self) -> None:
        """ "They voted to raise the fee, while children still pay £8": the second clause is no part of the vote."""
        for word in range(self.size):
            act = self.head[word]
            while_ = [kid for kid in self.kids(word, "mark") if self.lower[kid] in ("while", "whereas")]
            told = while_ and self.has(word, "nsubj", "nsubj:pass") and self.words[while_[0] - 1] == ","
            if not told or self.relation[word] != "advcl" or act > word:
                continue
            while self.relation[act] in ("xcomp", "advcl"):
                if [self.lower[kid] for kid in self.kids(act, "mark")] != ["to"]:
                    break
                act = self.head[act]
            self._attach(word, act, "advcl")

    def _repair_contact_clauses(self) -> None:
        """ "You pay €1 for every day the book is late": the clause tells which days."""
        for verb in range(3, self.size):
            bare = self.relation[verb] in ("advcl", "parataxis", "ccomp") and not self.has(verb, "mark", "cc", "expl")
            if not bare or not self.has(verb, "nsubj", "nsubj:pass"):
                continue
            noun, main = self.subtree(verb)[0] - 1, self.head[verb]
            every = any(self.lower[kid] in ("each", "every") for kid in self.kids(noun, "det"))
            behind = max(self.subtree(verb)) + 1
            fronted = verb < main and self.words[behind : behind + 1] == [","]
            if (
                every
                and (main < noun or fronted)
                and self.upos[noun] == "NOUN"
                and self.relation[noun] in ("obl", "obl:unmarked")
            ):
                self._attach(verb, noun, "acl:relcl")
                for kid in self.kids(verb, "advcl:relcl"):
                    self._attach(kid, main, "advcl:relcl")  # ", which comes to €30"

    def _repair_joined_conditions(self) -> None:
        """ "You get a bonus if you sell ten units and your team meets its goal": both are the condition."""
        for word in range(4, self.size):
            first = self.head[word]
            joints = [kid for kid in self.kids(word, "cc") if self.lower[kid] == "and" and self.words[kid - 1] != ","]
            own = self.has(word, "nsubj", "nsubj:pass") and not self.has(word, "mark", "advcl", "parataxis")
            if self.relation[word] != "conj" or first > word or not (joints and own):
                continue
            for clause in self.kids(first, "advcl"):
                marks = [self.lower[kid] for kid in self.kids(clause, "mark", "advmod") if kid < clause]
                told = self.has(clause, "nsubj", "nsubj:pass") and {"if", "unless", "when", "provided"} & set(marks)
                if first < clause < word and told and max(self.subtree(clause)) == self.subtree(word)[0] - 1:
                    self._attach(word, clause, "conj")
                    break

    def _repair_duties_behind_conditions(self) -> None:
        """ "It costs £2 less if you belong to a club, and you need to be 17": the duty is no second condition."""
        for word in range(5, self.size):
            clause = self.head[word]
            main = self.head[clause]
            joints = [kid for kid in self.kids(word, "cc") if self.lower[kid] == "and" and self.words[kid - 1] == ","]
            due = self.lower[word] in ("need", "have") and self.has(word, "xcomp")
            due = due or any(self.lower[kid] in ("must", "should") for kid in self.kids(word, "aux"))
            led = any(self.lower[kid] in ("if", "unless") for kid in self.kids(clause, "mark"))
            behind = self.relation[clause] == "advcl" and main < clause < word and self.relation[word] == "conj"
            if behind and joints and due and led and self.has(word, "nsubj"):
                self._attach(word, main, "conj")

    def _repair_shared_conditions(self) -> None:
        """ "You can keep it, as long as it is off and stays in a bag": both verbs are of the condition.

        A comma parts the condition from what is in front of it, and none parts its verbs.
        """
        for word in range(5, self.size):
            main = self.head[word]
            joints = [kid for kid in self.kids(word, "cc") if self.lower[kid] == "and" and self.words[kid - 1] != ","]
            present = self.xpos[word] in ("VB", "VBP", "VBZ") and self.upos[word] == "VERB"
            if self.relation[word] != "conj" or main > word or not (joints and present):
                continue
            if self.has(word, "nsubj", "nsubj:pass", "aux", "aux:pass", "cop", "mark", "expl"):
                continue
            for kid in self.kids(main, "advcl", "advmod"):
                clause = next(iter(self.kids(kid, "advcl")), kid)
                first = self.subtree(kid, ("punct",))[0]
                led = self.lower[first] in ("if", "unless", "provided") or self.lower[first : first + 3] == LONG
                subjects = self.kids(clause, "nsubj", "nsubj:pass")
                told = [one for one in subjects if self.upos[one] == "PRON" and self._agrees(one, word)]
                apart = main < first and self.words[first - 1] == "," and max(self.subtree(kid)) == joints[0] - 1
                if led and told and apart:
                    self._attach(word, clause, "conj")
                    break

    def _agrees(self, subject: int, verb: int) -> bool:
        """Whether a verb in the present has the form that its pronoun asks for: "it stays", "they stay"."""
        return (self.lower[subject] in ("it", "he", "she")) == (self.xpos[verb] == "VBZ")

    def _repair_listed_conditions(self) -> None:
        """ "A shed is exempt if it is small, it is not tall, and it stands apart": all three are the condition."""
        for clause in range(self.size):
            marks = {self.lower[kid] for kid in self.kids(clause, "mark") if kid < clause}
            if self.relation[clause] != "advcl" or not marks & {"if", "unless"}:
                continue
            first, after = self.head[clause], self.head[clause]
            if clause < after and self.relation[after] == "parataxis":  # read as "..., if it is small, it is not tall"
                first = self.head[after]
                if first > clause or self.upos[self.subtree(clause)[0] - 1] == "PUNCT":
                    continue
            others = [*self.kids(first, "conj", "parataxis"), *self.kids(clause, "conj", "parataxis")]
            others += self.kids(after, "conj") if after != first else []
            told = self._pronouns(clause) - self._pronouns(first)
            others = sorted({kid for kid in others if kid > clause and self._is_next_condition(kid, told)})
            if len(others) < 2 or not any(self.lower[kid] in ("and", "or") for kid in self.kids(others[-1], "cc")):
                continue
            self._attach(clause, first, "advcl")
            for kid in others:
                self._attach(kid, clause, "conj")

    def _pronouns(self, clause: int) -> set[str]:
        """The pronouns that are its subject, and the owner of its subject: "its" counts as "it"."""
        subjects = self.kids(clause, "nsubj", "nsubj:pass")
        owners = [kid for subject in subjects for kid in self.kids(subject, "nmod:poss")]
        return {
            OWNED_BY.get(self.lower[kid], self.lower[kid]) for kid in (*subjects, *owners) if self.upos[kid] == "PRON"
        }

    def _is_next_condition(self, clause: int, told: Collection[str]) -> bool:
        """Whether a clause behind a comma has one of the subjects `told`, and neither a condition nor a modal verb."""
        subjects = [kid for kid in self.kids(clause, "nsubj", "nsubj:pass") if kid < clause and self.lower[kid] in told]
        modal = any(self.xpos[kid] == "MD" for kid in self.kids(clause, "aux"))
        if not subjects or modal or self.has(clause, "mark"):
            return False
        before = subjects[0] - 1
        return self.words[before - (self.lower[before] in ("and", "or"))] == ","

    def _repair_comparatives(self) -> None:
        """ "You may not take breaks longer than ten minutes": a measure behind the object stays with it."""
        for word in range(2, self.size - 2):
            noun = word - 1
            beside = self.relation[noun] == "obj" and self.upos[noun] == "NOUN" and self.head[word] == self.head[noun]
            compared = self.xpos[word] in ("JJR", "RBR") and self.lower[word + 1] == "than"
            compared = compared and any(map(self._is_counted, self.kids(word, "obl")))
            if beside and compared and self.relation[word] == "advmod":
                self._attach(word, noun, "amod")

    def _repair_bounds(self) -> None:
        """ "The name is needed and can be no longer than 20 letters": it is the comparative that it can be."""
        for word in range(3, self.size - 2):
            compared = self.xpos[word] in ("JJR", "RBR") and self.lower[word + 1] == "than"
            if not compared or self.relation[word] != "advmod":
                continue
            for amount in self.kids(word, "advcl", "obl"):
                copulas = [kid for kid in self.kids(amount, "cop") if kid < word]
                if not copulas or not self.has(amount, "nummod"):
                    continue
                for kid in self.kids(amount, "cop", "aux", "cc", "nsubj", "punct"):
                    if kid < word:
                        self._attach(kid, word, self.relation[kid])
                self.upos[word], self.xpos[word] = "ADJ", "JJR"
                self.relation[amount] = "obl"
                if self.has(word, "cc") and self.head[word] < word:
                    self.relation[word] = "conj"

    def _repair_late_adjectives(self) -> None:
        """ "delivered 91% on time, short of its goal": behind another phrase it does not stand with its noun."""
        for word in range(1, self.size):
            noun, first = self.head[word], min(self.subtree(word, ("punct",)))
            late = self.relation[word] in ("amod", "advmod") and self.xpos[word] == "JJ" and noun < first
            if not late or self.words[first - 1] != ",":
                continue
            if self.relation[word] == "advmod":
                if self.has(word, "obl"):
                    self._attach(word, noun, "parataxis")
                continue
            if self.head[noun] == noun:
                continue
            between = set(range(noun + 1, first)) - set(self.subtree(noun))
            if any(self.upos[other] != "PUNCT" for other in between):
                self._attach(word, self.head[noun], "parataxis")

    def _repair_bracketed_conditions(self) -> None:
        """ "a ticket (£9, or £6 if you are a student)": the condition is of what stands in the brackets."""
        for word in range(self.size):
            marks = [kid for kid in self.kids(word, "mark") if self.lower[kid] in ("if", "unless", "when")]
            if self.relation[word] not in ("acl", "advcl") or not marks or marks[0] < 2 or self.head[word] > marks[0]:
                continue
            opened = [place for place in range(self.head[word] + 1, marks[0]) if self.words[place] == "("]
            inner = self.head[marks[0] - 1]
            if opened and ")" not in self.words[opened[-1] : word] and opened[-1] < inner < marks[0]:
                self._attach(word, inner, "acl")

    def _repair_reasons(self) -> None:
        """ "They chose it, although it was dear, because it lasts": the reason is that of the main clause.

        "Wrap the pot or move it inside, because the roots freeze" has one for both.
        """
        for word in range(self.size):
            clause = self.head[word]
            reason = [kid for kid in self.kids(word, "mark") if self.lower[kid] == "because"]
            second = self.relation[word] == "advcl" and self.relation[clause] == "conj" and reason
            if second and self.words[reason[0] - 1] == "," and not self.has(clause, "nsubj", "nsubj:pass"):
                if any(self.lower[kid] == "or" for kid in self.kids(clause, "cc")):
                    self._attach(word, self.head[clause], "advcl")
                continue
            if self.relation[word] != "advcl" or not reason:
                continue
            comma = self.words[reason[0] - 1] == ","
            yielding = self._yields(clause) and self.relation[clause] == "advcl"
            if yielding and comma and self.head[clause] < clause < reason[0]:
                self._attach(word, self.head[clause], "advcl")
            for kid in self.kids(clause, "advcl") if not comma else ():
                if self._yields(kid) and max(self.subtree(kid)) == reason[0] - 1 and clause < kid:
                    self._attach(word, kid, "advcl")  # "although that was not due to the heat because it rained"

    def _yields(self, clause: int) -> bool:
        return any(self.lower[kid] in ("although", "though") for kid in self.kids(clause, "mark"))

    def _repair_reasons_of_relatives(self) -> None:
        """ "It is about the barn, which was shut because it leaked": no comma ends the relative clause."""
        for word in range(self.size):
            marks = self.kids(word, "mark")
            main = self.head[word]
            if self.relation[word] != "advcl" or not marks or self.lower[marks[0]] not in SUBORDINATORS:
                continue
            first = self.subtree(word, ("punct",))[0]
            added = [
                verb
                for verb in range(main + 1, first)
                if self.relation[verb] == "acl:relcl" and self.words[self.subtree(verb, ("punct",))[0] - 1] == ","
            ]
            if main < first and added and "," not in self.words[added[-1] : first]:
                self._attach(word, added[-1], "advcl")

    def _repair_alternative_times(self) -> None:
        """ "Do it every week, or more often if it rains": only the second time is of the condition."""
        for word in range(2, self.size - 1):
            clause = self.head[word]
            main = self.head[clause]
            marks = [kid for kid in self.kids(clause, "mark") if self.lower[kid] in ("if", "unless", "when")]
            joints = [kid for kid in self.kids(word, "cc") if self.lower[kid] == "or"]
            if self.relation[word] != "advmod" or self.relation[clause] != "advcl" or not (marks and joints):
                continue
            before = [kid for kid in self.kids(main, "obl:unmarked", "advmod", "obl") if main < kid < joints[0]]
            if word + 1 == marks[0] and before:
                self._attach(word, before[-1], "conj")
                self._attach(clause, word, "advcl")

    def _repair_alternative_amounts(self) -> None:
        """ "It costs €8 a month, or €80 if you pay yearly": the second amount is joined to the first."""
        for word in range(2, self.size):
            verb = self.head[word]
            joints = [kid for kid in self.kids(word, "cc") if self.lower[kid] == "or"]
            alone = self.has(word, "nummod") and not self.has(word, "nsubj", "nsubj:pass", "case", "cop", "orphan")
            if self.relation[word] != "conj" or self.upos[verb] != "VERB" or not (joints and alone):
                continue
            amounts = [kid for kid in self.kids(verb, "obj") if kid < word and self.has(kid, "nummod")]
            if amounts and self.words[joints[0] - 1] == ",":
                self._attach(word, amounts[0], "conj")

    def _repair_measured_times(self) -> None:
        """ "Take it half an hour or more before breakfast": the half hour tells how long before."""
        for word in range(2, self.size - 1):
            unit = word - 2
            more = self.lower[word - 1] == "or" and self.lower[word] == "more" and self.head[word] == unit
            mark = word + 1
            timed = self.lower[mark] in ("before", "after") and self.relation[mark] in ("case", "mark")
            measured = MEASURE_WORD.match(self.lower[unit]) and self.relation[unit] in ("obl:unmarked", "conj", "appos")
            moment = self.head[mark]
            if more and timed and measured and self.relation[moment] in ("obl", "advcl"):
                self._attach(unit, moment, "obl:unmarked")

    def _repair_landmarks(self) -> None:
        """ "the bridge over the Leam, which was shut": no river is shut."""
        for verb in range(self.size):
            name = self.head[verb]
            cases = [kid for kid in self.kids(name, "case") if self.lower[kid] in LANDMARK_CASES]
            added = self.relation[verb] == "acl:relcl" and self.words[self.subtree(verb, ("punct",))[0] - 1] == ","
            named = self.upos[name] == "PROPN" or any(self.upos[kid] == "PROPN" for kid in self.kids(name, "compound"))
            if not (added and named and cases and self.has(verb, "nsubj:pass")):
                continue
            noun = cases[0] - 1
            inside = self.head[name] == noun or (self.relation[noun] == "obl" and self.head[name] == self.head[noun])
            if noun >= 0 and self.upos[noun] == "NOUN" and inside:
                self._attach(name, noun, "nmod")
                self._attach(verb, noun, "acl:relcl")

    def _repair_relatives_of_names(self) -> None:
        """ "a cloth from Orsa Abbey that was never on view": without a comma, a clause does not tell of a name."""
        for verb in range(self.size):
            name = self.head[verb]
            told = any(self.lower[kid] == "that" for kid in self.kids(verb, "nsubj", "nsubj:pass", "obj"))
            if self.relation[verb] != "acl:relcl" or not told or self.upos[name] != "PROPN":
                continue
            noun = self.head[name]
            inner = self.relation[name] == "nmod" and noun < name < verb and self.upos[noun] == "NOUN"
            if inner and not self.has(name, "det", "conj") and self.subtree(verb)[0] == name + 1:
                self._attach(verb, noun, "acl:relcl")

    def _repair_caps(self) -> None:
        """ "You pay 2 euros for each late item, capped at 15 euros": what is capped is not the item."""
        for word in range(2, self.size):
            noun = self.head[word]
            apart = self.relation[word] == "acl" and self.xpos[word] == "VBN" and self.words[word - 1] == ","
            units = [kid for kid in self.kids(word, "obl") if self._is_counted(kid)]
            if not apart or not units or self._is_counted(noun) or self.upos[noun] != "NOUN":
                continue
            alike = [kid for kid in self.kids(self.head[noun], "obj") if self.lower[kid] == self.lower[units[0]]]
            if alike and self._is_counted(alike[0]) and alike[0] < noun:
                self.relation[word] = "amod"

    def _repair_gerunds(self) -> None:
        """ "You need it for sleeping, not for walking": the noun of an act is no clause.

        Nor is "fasting" in "no change in morning fasting glucose".
        """
        for word in range(1, self.size - 1):
            noun = word + 1
            inside = self.has(word, "compound") and self.head[word - 1] == word and self.head[noun] == word
            if self.xpos[word] != "VBG" or self.relation[word] != "acl" or not inside:
                continue
            if self.relation[noun] == "obj" and self.upos[noun] == "NOUN" and not self.children[noun]:
                self.upos[word], self.xpos[word] = "NOUN", "NN"
                self._replace(noun, word)
                self.relation[noun] = "nmod"
                self._attach(word, noun, "compound")
        for word in range(self.size):
            noun = self.relation[word] == "advcl" and self.xpos[word] == "NN" and self.upos[word] == "NOUN"
            if noun and self.has(word, "case") and not self.has(word, "nsubj", "nsubj:pass", "cop", "mark", "obj"):
                self.relation[word] = "obl"

    def _repair_gaps(self) -> None:
        """ "Anna paid $30 and Ben $20": two phrases side by side are the rest of a clause that leaves its verb out.

        "Rooms are paid up to £90, and meals up to £30". Not "Take 5 kg for wool and 2 kg for silk": two amounts.
        """
        for word in range(self.size):
            amount = self.head[word]
            first = self.head[amount]
            led = [self.lower[case] for case in self.kids(word, "case")]
            own = [case for kid in self.kids(first, "nmod") if kid < amount for case in self.kids(kid, "case")]
            alike = any(self.lower[case] in led for case in own)
            beside = alike or self.relation[first] in ("obj", "obl")  # "£5 a day or £9 with a card"
            if self.relation[word] == "orphan" and beside and self._is_counted(amount) and self._is_counted(first):
                self.relation[word] = "nmod"
        for word in range(self.size):
            amount = self.head[word]
            told = self.head[amount]
            joined = self.relation[word] == "conj" and self.upos[word] == "NOUN" and self.relation[amount] == "obl"
            if not joined or not self._is_counted(amount) or self.has(word, "case") or amount > word:
                continue
            cases = [self.lower[case] for case in self.kids(amount, "case", "advmod")]
            for kid in self.kids(word, "nmod"):
                same = [self.lower[case] for case in self.kids(kid, "case", "advmod")] == cases
                if same and cases and self._is_counted(kid) and self.has(told, "nsubj", "nsubj:pass"):
                    self._attach(word, told, "conj")
                    self.relation[kid] = "orphan"
        for word in range(self.size):
            if self.relation[word] in ("obl", "obj") and any(
                self.head[word] < kid < word and "," in self.words[self.head[word] : kid]
                for kid in self.kids(word, "nsubj")
            ):
                self.relation[word] = "conj"  # "One opened in 1990, the other in 2001"
        for word in range(self.size):
            noun = self.head[word]  # "A got the best marks and B the worst"
            if self.relation[word] == "orphan" and self.xpos[word] == "JJS" and self.relation[noun] == "conj":
                verb = self._governor(noun)
                if verb is not None and self.relation[self.head[noun]] == "obj":
                    self._attach(noun, verb, "conj")
        for word in range(2, self.size):
            self._repair_gap_of_subject(word)
        for first in range(self.size):
            if self.relation[first] != "conj" or not (self.upos[first] in NOMINAL or self.lower[first] == "one"):
                continue
            behind = max(self.subtree(first, ("conj",))) + 1
            for second in range(behind, self.size):
                if self.relation[second] != "conj" or min(self.subtree(second, ("cc", "punct"))) != behind:
                    continue
                amount = self.upos[second] in ("SYM", "NUM") or self.has(second, "nummod")
                amount = amount or (self.xpos[second] == "JJS" and self.has(second, "det"))  # "and B the worst"
                parted = any(kid >= behind for kid in self.kids(second, "cc"))
                verb = self._governor(first)
                if amount and not parted and verb is not None and self.has(verb, "obj"):
                    self._attach(second, first, "orphan")
                    self._attach(first, verb, "conj")
                break

    def _repair_gap_of_subject(self, word: int) -> None:
        """ "Members can borrow 60 items, guests ten", "Ada sold 20 and Ben 12": an amount behind another subject."""
        if self.relation[word] not in ("appos", "parataxis", "conj") or self.has(word, "case", "det"):
            return
        verb = self._governor(word)
        if verb is None or not self.has(verb, "obj"):
            return
        amount = max(self.subtree(word, ("conj", "punct")))
        things = [kid for kid in self.kids(verb, "obj") if kid < word and self._is_counted(kid)]
        apart = things and self.lower[word] != self.lower[things[0]]
        gapped = self.relation[self.head[word]] == "conj" and self.has(self.head[word], "orphan")  # "..., staff twenty"
        apart = apart and (self.head[word] in (verb, things[0]) or gapped)
        subjects = self.kids(verb, "nsubj", "nsubj:pass")
        last = self.upos[amount] == "NUM" and amount in self.kids(word, "flat", "nummod", "appos", "orphan")
        if not (apart and last and subjects):
            return
        several = self.xpos[subjects[-1]] == "NNS" and (self.xpos[word] == "NNS" or self.lower[word] in MANY_NOUNS)
        named = self.upos[word] == self.upos[subjects[-1]] == "PROPN" and self.head[word] == verb
        if several or named or self.lower[word] == self.lower[subjects[-1]]:
            self._attach(amount, word, "orphan")
            self._attach(word, verb, "conj")

    def _repair_paired_amounts(self) -> None:
        """ "rose by 14% in the first year and by 9% in the second": each amount has a time of its own."""
        for second in range(4, self.size - 2):
            first = self.head[second]
            verb = self.head[first]
            own = self._cases_behind(second)
            if self.relation[second] == "conj" and self.relation[first] == "obl" and own == self._cases(first) != []:
                amounts = [kid for kid in self.kids(verb, "obl") if verb < kid < first and self._is_counted(kid)]
                alike = [kid for kid in amounts if self._cases(kid) == self._cases(second) != own]
                if alike and self._is_counted(second) and max(self.subtree(alike[0])) + 1 == self.subtree(first)[0]:
                    self._attach(second, alike[0], "conj")  # "rose by 3% in May and by 5% in June"
                    first = alike[0]
            joined = self.relation[second] == "conj" and self.relation[first] == "obl" and verb < first < second
            if not joined or not self._is_counted(first) or not self._is_counted(second):
                continue
            if not own or not self._cases(second) or self._cases(second) != self._cases(first):
                continue
            self._attach_own(first, second, own)

        for second in range(3, self.size - 2):
            first = self.head[second]
            own = self._cases_behind(second)
            joined = self.relation[second] == "conj" and self.relation[first] == "obj" and bool(own)
            if not joined or not self._is_counted(first) or not self._is_counted(second):
                continue
            self._attach_own(first, second, own)  # "reaching 5.2 after one year and 5.7 after three"

    def _attach_own(self, first: int, second: int, cases: list[str]) -> None:
        """Gives an amount the phrase behind it that is like that of the second amount."""
        for kid in self.kids(self.head[first], "obl"):
            behind = first < kid < second and self.subtree(kid)[0] == max(self.subtree(first, ("conj",))) + 1
            if behind and self._cases(kid) == cases:
                self._attach(kid, first, "nmod")

    def _cases(self, word: int) -> list[str]:
        return [self.lower[case] for case in self.kids(word, "case")]

    def _cases_behind(self, word: int) -> list[str]:
        """The prepositions of what follows a noun: "in" of "by 9% in the second"."""
        return [case for kid in self.kids(word, "nmod") if kid > word for case in self._cases(kid)]

    def _repair_distances(self) -> None:
        """ "They are fifth, two points below Vesk": the number of points tells how far below."""
        for word in range(2, self.size - 2):
            apart = self.relation[word] == "parataxis" and self.has(word, "nummod") and self.upos[word] == "NOUN"
            if not apart or self.head[word] > word or self.words[self.subtree(word)[0] - 1] != ",":
                continue
            for noun in self.kids(self.head[word], "obl"):
                if noun > word and self.head[word + 1] == noun and self.relation[word + 1] == "case":
                    self._attach(word, noun, "obl:unmarked")
                    break

    def _is_counted_or_one(self, word: int) -> bool:
        return self._is_counted(word) or any(self.lower[kid] in ("a", "an") for kid in self.kids(word, "det"))

    def _is_counted(self, word: int) -> bool:
        return self.upos[word] in ("SYM", "NUM") or self.has(word, "nummod")

    def _governor(self, word: int) -> int | None:
        """The verb in front of the word of which it is a subject, an object, or a conjunct of one."""
        for _ in range(self.size):
            word = self.head[word]
            if self.upos[word] == "VERB" or self.head[word] == word:
                break
        return word if self.upos[word] == "VERB" else None

    def _repair_directions(self) -> None:
        """ "lies between A and B, east of C and north of D": each direction is a place of its own."""
        for word in range(self.size - 1):
            place = self.head[word]
            joined = self.relation[word] == "conj" and self.relation[place] == "obl"
            if joined and DIRECTION.fullmatch(self.lower[word]) and self.lower[word + 1] == "of":
                self._attach(word, self.head[place], "obl")

    def _repair_ages(self) -> None:
        """ "Roth, 46, had been accused": an age is no part of a name."""
        for word in range(2, self.size - 1):
            apart = self.words[word - 1] == self.words[word + 1] == "," and self.head[word] == self.head[word - 1]
            name = self.head[word]
            if apart and name < word and self.upos[name] == "PROPN" and re.fullmatch(r"\d{1,3}", self.words[word]):
                self.relation[word] = "parataxis"

    def _repair_shares(self) -> None:
        """ "27 cases, most of them in children": where most of them are is not where all are.

        And "..., including one worth $2 million" is no complement of the verb.
        """
        for word in range(self.size - 2):
            clauses = [kid for kid in self.kids(self.head[word], "acl:relcl") if kid > word + 2]
            if self.relation[word] == "appos" and self.lower[word + 1 : word + 3] == ["of", "which"] and clauses:
                self._attach(word, clauses[0], "nsubj")  # ", some of which weigh 40 kg"
                self._attach(word + 2, word, "nmod")
        for word in range(self.size):
            head = self.head[word]
            pointed = [kid for kid in self.kids(word, "nmod") if self.lower[kid] in POINTED]
            second = self.relation[word] == "obj" and any(kid < word for kid in self.kids(head, "obj"))
            if second and pointed and self.words[word - 1] == ",":
                self.relation[word] = "parataxis"
            if self.relation[word] in ("appos", "parataxis") and pointed and head < word:
                end = max(self.subtree(word))
                above = head
                while self.upos[above] not in ("VERB", "AUX") and self.head[above] != above:
                    above = self.head[above]
                beside = [kid for kid in self.kids(above, "obl", "advmod") if min(self.subtree(kid)) == end + 1]
                own = self.kids(head, "nmod", "obl") if above != head else []
                for kid in [*own, *beside]:
                    if kid > word:
                        self._attach(kid, word, "nmod")
            included = any(self.lower[kid] == "including" for kid in self.kids(word, "case"))
            if included and self.relation[word] == "obl" and self.upos[word] == "NUM":
                self.relation[word] = "dep"

    def _repair_subject_clauses(self) -> None:
        """ "Leaving it in the oven, instead of taking it out, keeps it soft": the second part is of the subject.

        So is "yourself" in "Bringing it here yourself is free", and the noun in "Recycling paper saves trees".
        "Raising the water, by blocking ditches, is expected to help": what stands in front of the verb is its subject.
        """
        root = self.root()
        if root is not None and not self.has(root, "nsubj", "nsubj:pass", "csubj", "csubj:pass", "expl"):
            finite = min([root, *self.kids(root, "aux", "aux:pass", "cop")])
            opens = self.head[0] == root and self.relation[0] == "advcl" and self.xpos[0] == "VBG"
            if opens and max(self.subtree(0)) == finite - 1 and self.xpos[finite] in ("VBZ", "MD"):
                self.relation[0] = "csubj"
        for act in range(self.size - 2):
            verb = self.head[act]
            bare = self.relation[act] == "csubj" and self.lower[act].endswith("ing") and not self.has(act, "obj", "obl")
            for noun in self.kids(verb, "nsubj") if bare else ():
                if act < noun < verb and self.subtree(noun)[0] == act + 1 and max(self.subtree(act)) == act:
                    self._attach(noun, act, "obj")
        for word in range(self.size):
            verb = self.head[word]
            reflexive = self.lower[word].endswith(("self", "selves")) and self.relation[word] == "obl:unmarked"
            for clause in self.kids(verb, "csubj") if reflexive and word < verb else ():
                if max(self.subtree(clause)) == word - 1:
                    self._attach(word, clause, "obl:unmarked")
            rejects = any(self.lower[kid] in ("instead", "rather") for kid in self.kids(word, "mark", "cc", "advmod"))
            for clause in self.kids(verb, "csubj") if self.relation[word] == "advcl" and rejects else ():
                if clause < word < verb:
                    self._attach(word, clause, "advcl")

    def _repair_presence(self) -> None:
        """ "met with seven of nine members present", "with a month or less remaining": it is said of the noun."""
        for word in range(1, self.size):
            verb = self.head[word]
            if self.lower[word] not in ("present", "absent", "remaining", "left") or self.relation[word] not in (
                "advcl",
                "xcomp",
            ):
                continue
            for noun in self.kids(verb, "obl"):
                led = any(self.lower[kid] == "with" for kid in self.kids(noun, "case"))
                if led and max(self.subtree(noun)) == word - 1:
                    self._attach(word, noun, "acl")

    def _repair_contents(self) -> None:
        """ "mentions that A was sold, that B is new, and that C": the second clause is no content of the first."""
        for word in range(self.size):
            first = self.head[word]
            that = [kid for kid in self.kids(word, "mark") if self.lower[kid] == "that"]
            colon = first < word and ":" in self.words[first:word]
            phrases = [kid for kid in self.kids(first, "obl") if first < kid < word and self.has(kid, "nummod")]
            if self.relation[word] == "ccomp" and colon and phrases:
                self.relation[word] = "parataxis"  # "You can tell by two signs: ..., and ..."
            if self.relation[word] != "ccomp" or not that or self.words[that[0] - 1] != "," or first > word:
                continue
            others = [kid for kid in self.kids(word, "conj") for mark in self.kids(kid, "mark") if mark < kid]
            listed = any(self.lower[mark] == "that" for kid in others for mark in self.kids(kid, "mark"))
            if listed and self.has(first, "nsubj", "nsubj:pass"):
                self.relation[word] = "conj"

    def _repair_perfects(self) -> None:
        """ "has withdrawn the update and apologised": the second is a verb of "has", too."""
        for word in range(self.size):
            verb = self.head[word]
            joined = self.relation[word] == "conj" and self.xpos[word] == "JJ" and self.lower[word].endswith("ed")
            had = any(self.lower[kid] in ("has", "have", "had") for kid in self.kids(verb, "aux"))
            bare = all(self.relation[kid] in ("cc", "advmod", "punct", "obl") for kid in self.children[word])
            if joined and had and bare and self.xpos[verb] == "VBN" and not self.has(verb, "aux:pass"):
                self.upos[word], self.xpos[word] = "VERB", "VBN"

    def _repair_shared_passives(self) -> None:
        """ "It was drawn by Ada Berg and made in Oslo": without an object, it is made.

        So are things handled behind a passive of the present: "They are given out at 9 and picked up again at 3".
        """
        for word in range(self.size):
            first = self.head[word]
            today = any(self.lower[kid] in ("is", "are", "'re", "’re") for kid in self.kids(first, "aux:pass"))
            form = self.lower[word] in MAKING or (today and self.lower[word] in HANDLED)
            joined = self.relation[word] == "conj" and self.xpos[word] == "VBD" and form
            alone = not self.has(word, "nsubj", "nsubj:pass", "obj", "xcomp", "ccomp", "aux")
            if not joined or not alone or self.xpos[first] != "VBN" or not self.has(first, "aux:pass"):
                continue
            self.xpos[word] = "VBN"
            for kid in self.kids(word, "compound:prt"):
                for noun in self.kids(word, "obl"):
                    if kid + 1 == self.subtree(noun)[0] and not self.has(noun, "case"):
                        self._attach(kid, noun, "case")  # "made in Ada Berg's workshop"

    def _repair_likenesses(self) -> None:
        """ "It worked almost as well as lime": the lime is no second thing that worked."""
        for word in range(4, self.size):
            verb = self.head[word]
            joint = next((kid for kid in self.kids(word, "cc") if self.has(kid, "fixed")), None)
            if joint is None or self.lower[joint : joint + 3] != ["as", "well", "as"] or joint < 2:
                continue
            noun = self.relation[word] == "conj" and self.upos[verb] == "VERB" and self.upos[word] in (*NOMINAL, "PRON")
            graded = self.relation[joint - 1] == "advmod" and self.head[joint - 1] in (word, joint)
            if not noun or self.has(word, "nsubj", "nsubj:pass") or verb != joint - 1 - graded:
                continue
            well = joint + 1
            self._attach(well, verb, "advmod")
            self._attach(joint, well, "advmod")
            for kid in self.kids(word, "advmod"):
                if kid < joint:
                    self._attach(kid, joint, "advmod")
            self._attach(word, well, "obl")
            self._attach(well + 1, word, "case")

    def _repair_listed_contents(self) -> None:
        """ "Make sure the tap is open, the hose is dry and the lid is shut": the last clause is of the list, too."""
        for word in range(4, self.size):
            governor = self.head[word]
            joined = self.relation[word] == "conj" and self.has(word, "cc") and self.has(word, "nsubj", "nsubj:pass")
            if not joined or governor > word:
                continue
            inner = [
                *self.kids(governor, "ccomp"),
                *(k for x in self.kids(governor, "xcomp") for k in self.kids(x, "ccomp")),
            ]
            for first in inner:
                others = self.kids(first, "conj")
                listed = others and all(
                    self.has(kid, "nsubj", "nsubj:pass") and not self.has(kid, "cc") for kid in others
                )
                if listed and first < others[-1] < word and "," in self.words[first : others[-1]]:
                    self._attach(word, first, "conj")
                    break

    def _repair_speakers(self) -> None:
        """ "He said that it is (had been) done and thanked them": the speaker thanks them."""
        for word in range(self.size):
            first = self.head[word]
            speech = self.head[first]
            if self.relation[word] != "conj" or self.relation[first] != "ccomp" or self.xpos[word] != "VBD":
                continue
            alone = not self.has(word, "nsubj", "nsubj:pass", "aux", "aux:pass", "cop")
            alone = alone and self.has(word, "obj", "xcomp")
            finite = [*self.kids(first, "aux", "aux:pass", "cop"), first]
            helped = self.has(first, "aux:pass") or any(self.xpos[kid] in ("MD", "VBZ", "VBP") for kid in finite)
            informed = any(self.xpos[kid] == "VBD" for kid in self.kids(speech, "aux:pass", "aux"))  # "was told that"
            told = (self.xpos[speech] == "VBD" or informed) and self.has(speech, "nsubj", "nsubj:pass")
            told = told and self.has(first, "nsubj", "nsubj:pass")
            but = any(self.lower[kid] == "but" for kid in self.kids(word, "cc"))
            but = but and (informed or self.has(first, "aux"))
            if alone and (helped or but) and told:
                self._attach(word, speech, "conj")

    def _repair_appositions(self) -> None:
        for word in range(self.size):
            if self.relation[word] == "appos" and (nearer := self._nearer(word)) is not None:
                self._attach(word, nearer, "appos")
        for word in range(self.size):
            head = self.head[word]
            if self.relation[word] == "appos" and self.upos[head] in NOMINAL and head < word:
                self.relation[word] = self._apposition(word, head)

    def _nearer(self, word: int) -> int | None:
        """The noun right in front of an apposition that was attached to one before it: "Talks with Polair, a rival"."""
        head, first = self.head[word], self.subtree(word)[0]
        if self.upos[head] != "NOUN" or PERSON_NOUN.search(self.lower[head]):
            return None
        comma, end = first - 1 if self.words[first - 1] == "," else first, max(self.subtree(word)) + 1
        if self.words[end - 1] != "," and self.words[end : end + 1] not in ([","], ["."], []):
            return None  # "stands in the yard, Mr Obel for parking spaces"
        for kid in self.kids(head, "nmod"):
            named = self.upos[kid] == "PROPN" and self.has(word, "det") and self.upos[word] == "NOUN"
            several = self.xpos[head] == "NNS" and self.xpos[word] != "NNS" and self.xpos[kid] != "NNS"
            several = several and not any(self.lower[case] == "of" for case in self.kids(kid, "case"))
            called = self.upos[word] == "PROPN" and PERSON_NOUN.search(self.lower[kid]) is not None
            named = named or (called and not self.has(word, "det"))  # "the house of his aunt, Bea"
            if head < kid < word and max(self.subtree(kid)) == comma - 1 and (named or several):
                return kid
        return None

    def _repair_brackets(self) -> None:
        """A name in brackets is another name, even after "or": "Optimus (or Tesla Bot)"."""
        for word in range(self.size):
            opened = any(self.words[kid] in "([" and kid < word for kid in self.kids(word, "punct"))
            if self.relation[word] == "conj" and opened and self.upos[self.head[word]] in NOMINAL:
                self.relation[word] = "appos:bracket"

    def _apposition(self, word: int, head: int) -> str:
        first = self.subtree(word)[0]
        before = self.words[first - 1] if first > 0 else ""
        marks = [self.words[kid] for kid in self.kids(word, "punct") if kid < word] + [before]
        comma = "," in marks
        article = any(
            self.relation[kid] == "det" and not (self.words[kid][:1].isupper() and kid > 2)
            for kid in self.children[word]
        )
        if "(" in marks or "[" in marks:
            return "appos:bracket"
        if comma and not article and self.upos[word] == self.upos[head] and self._list_goes_on(word, head):
            return "conj"
        if not comma and not any(mark in "-–—:," for mark in self.words[head + 1 : first + 1]):
            return "flat"  # "the band Radiohead"
        names = self.upos[word] == self.upos[head] == "PROPN"
        if comma and not article and names and len(self.subtree(word)) <= 6:
            return "appos:place"
        return "appos"

    def _list_goes_on(self, word: int, head: int) -> bool:
        """Whether a conjunct follows. Then "A, B and C" was parsed with B as an apposition."""
        top = head
        while self.relation[top] in ("appos", "conj") and self.head[top] != top:
            top = self.head[top]
        members: list[int] = []
        waiting = [top]
        while waiting and len(members) < 12:
            member = waiting.pop()
            members.append(member)
            waiting.extend(kid for kid in self.kids(member, "appos", "conj") if kid > member)
        return any(kid > word for member in members for kid in self.kids(member, "conj"))
