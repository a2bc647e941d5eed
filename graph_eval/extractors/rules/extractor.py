"""The offline extractor: parse, apply the clause rules, resolve references, and give every sentence a claim."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from graph_eval.extractors.coverage import MIN_COVERAGE, Coverage
from graph_eval.extractors.extractor import Extractor, distinct
from graph_eval.extractors.rules import enumerations, lists, tables
from graph_eval.extractors.rules.asides import LIFE_EVENTS
from graph_eval.extractors.rules.belief import BEFORE, MOST_WORDS, Belief, text_before
from graph_eval.extractors.rules.binding import Binder
from graph_eval.extractors.rules.clauses import ClauseRules
from graph_eval.extractors.rules.confidence import confidence, features, is_sure
from graph_eval.extractors.rules.coreference import Discourse
from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import CONDITIONAL, DEICTIC, SOURCE_NOUN
from graph_eval.extractors.rules.phrases import Phrase, inferred, phrase
from graph_eval.extractors.rules.question import Question, is_polar, read
from graph_eval.extractors.rules.surface import Surface, is_citation, surface
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.statement import stated
from graph_eval.extractors.wording import TOLD, as_sentence
from graph_eval.onnx_model import cores
from graph_eval.parsing.parser import Parser
from graph_eval.progress import Steps
from graph_eval.registry import extractor
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable
from graph_eval.text.sentences import Sentence, is_heading, sentences
from graph_eval.types import Claim, Span, Text

if TYPE_CHECKING:
    from spacy.tokens import Doc

VERSION = "rules-19"  # part of the fingerprint
LEAST_CONFIDENCE = 0.5  # of a triplet; below it the sentence is the claim
LEAST_BEFORE = 1  # sentences that are read in front of one with a pronoun
BOLD_LABEL = re.compile(r"\*\*[^*\n.:!?]{2,40}\.?(?:\*\*)?")
REST_OF_LINE = re.compile(r"[ *]*[^\s*]")
TITLE_MARKS = re.compile(r"[#*_]*")
KIND = re.compile(  # the noun of things that are bought, joined or lived in, of which there are several
    r"membership|plan|package|ticket|pass|fare|policy|cover|licen[cs]e|subscription|tier|account|card|loan|option|room"
    r"|model|version|edition|class|leave|permit|visa|contract|tenancy|scheme|route|course"
)
HOW_TO = re.compile(r"\W*how (?:do|can|should|would|could|to)\b", re.IGNORECASE)
REPLY = re.compile(r"\b(?:yes|no)[*_]*[,;:–—-]\s*(?:but\s+)?\Z", re.IGNORECASE)  # in front of a fragment
MOST_OF_REPLY = 12  # characters
MOST_ITEMS = 20  # of a list that are looked at together
MAX_SENTENCE_WORDS = 200  # a longer sentence is a run-on, and becomes a sentence claim


@dataclass(frozen=True, slots=True)
class Unit:
    """What a sentence states, as input of the parser. `surface` is None if it has nothing to parse.

    `stated` is the sentence without talk, or one of its two parts where a heading and an enumeration share it
    ("The members are: A, B and C"). `label`: what stood in front of it ("**Opening hours:** ..."), or "".
    """

    sentence: Sentence
    stated: Span
    surface: Surface | None
    after_talk: bool = False
    label: str = ""

    def opens_list(self, text: str) -> bool:
        """Whether the line opens a list: "Key points:" states nothing, unlike its items."""
        return self.stated.of(text).rstrip("*_ ").endswith(":")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text with the input of the parser for each of its sentences, and for its question if it has one."""

    text: Text
    units: tuple[Unit, ...]
    question: Surface | None

    def surfaces(self) -> list[str]:
        """The lines for the parser, the question first."""
        lines = [unit.surface.text for unit in self.units if unit.surface]
        return lines if self.question is None else [self.question.text, *lines]


@extractor("rules", reads=("threads",))
class RulesExtractor(Extractor):
    """Triplets by clause rules over the parse, and sentence claims where triplets leave content uncovered."""

    english_only = True

    def __init__(self, parser: Parser | None = None, threads: int = 0) -> None:
        self._parser = parser or Parser.builtin(threads)
        self._belief = Belief.builtin(threads)
        self._threads = threads or cores()

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> RulesExtractor:  # noqa: ARG003
        return cls(threads=settings.threads)

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self._parser.fingerprint}:{self._belief.fingerprint}"

    def extract(self, texts: Sequence[Text]) -> list[list[Claim]]:
        prepared = [prepare(text) for text in texts]
        docs = iter(self._parser.parse([line for text in prepared for line in text.surfaces()]))
        binder = Binder(self._belief)
        readers = [TextReader(text, [next(docs) for _ in text.surfaces()], binder) for text in prepared]
        # A pronoun is a call of the model for one pair, and what follows waits for it: texts are read side by side.
        steps = Steps("sentences read", sum(len(reader.units) for reader in readers))
        with ThreadPoolExecutor(self._threads) as pool:
            read = list(pool.map(lambda reader: reader.read(steps), readers))
        doubtful = [draft for of_text in read for draft in of_text if not draft.is_sure]
        beliefs = iter(self._belief.log_odds([(draft.context, draft.sentence) for draft in doubtful]))
        return [
            reader.claims([(draft, None if draft.is_sure else next(beliefs)) for draft in of_text])
            for reader, of_text in zip(readers, read, strict=True)
        ]


def prepare(text: Text) -> Prepared:
    """The text with its sentences that state something. A bare yes or no counts where the text answers a question."""
    units: list[Unit] = []
    talk = False
    for sentence in sentences(text.text):
        if text.question and _alike(sentence.span.of(text.text), text.question):
            continue  # the question, repeated
        if is_citation(sentence.span.of(text.text)):
            continue  # "(Passage 1, Passage 2)"
        span = stated(text.text, sentence.span)
        if span is None:
            words = sentence.span.of(text.text)
            if not (text.question and is_polar(words)) and not words.rstrip("*_ ").endswith(":"):
                talk = SOURCE_NOUN.search(words) is not None
                continue  # "Here are the types of tea:" states nothing, but its items do
            span = sentence.span
        cut = lists.enumeration_after_colon(text.text, span)
        for part in [span] if cut is None else [Span(span.start, cut), Span(cut, span.end)]:
            key, value = lists.split_label(text.text, part)
            line = surface(text.text, value)
            known = Sentence(span, sentence.listed)
            units.append(Unit(known, part, line if any(map(str.isalnum, line.text)) else None, talk, key))
            talk = False
    question = None
    if text.question and text.question.strip():
        asked = text.question.find("?") + 1 or len(text.question)  # the first of several questions
        question = surface(text.question, Span(0, min(asked, 1000)))
        question = question if any(map(str.isalnum, question.text)) else None
    return Prepared(text, tuple(units), question)


def _leads(units: Iterable[Unit], text: str) -> dict[Unit, Span]:
    """For items of a list the line that opens it: "Key points:"."""
    leads: dict[Unit, Span] = {}
    lead: Span | None = None
    for unit in units:
        if unit.sentence.listed and lead is not None:
            leads[unit] = lead
        if unit.opens_list(text):
            lead = unit.sentence.span
        elif not unit.sentence.listed:
            lead = None
    return leads


def _alike(first: str, second: str) -> bool:
    return first.strip(" .?:!*\n").casefold() == second.strip(" .?:!*\n").casefold()


@dataclass(frozen=True)
class ReadDraft:
    """A draft with where it was read.

    `context`: the question, the line that opens its list, and its sentence; if references were resolved, also the
    sentences in front.
    """

    unit: Unit
    tree: Tree
    draft: Draft
    context: str

    @property
    def sentence(self) -> str:
        """The draft as a sentence."""
        return as_sentence(self.draft.wording)

    @cached_property
    def features(self) -> dict[str, float]:
        """What its confidence is made of."""
        return features(self.draft, self.tree)

    @cached_property
    def is_sure(self) -> bool:
        """Whether no model has to read it."""
        return is_sure(self.draft, self.features)

    def claim(self, text: Text, belief: float | None) -> Claim:
        draft = self.draft
        slots = (draft.subject.slot(text.text), draft.predicate.slot(text.text), draft.object.slot(text.text))
        certainty = confidence(self.features, belief)
        return Claim.triplet(text.id, slots, self.sentence, self.unit.sentence.span, certainty)


class TextReader:
    """Reads the sentences of one text in order, and keeps the entities, the heading and the topic for later ones.

    `docs`: the parses of `prepared.surfaces()`, in order.
    """

    def __init__(self, prepared: Prepared, docs: Iterable[Doc], binder: Binder) -> None:
        self.text = prepared.text
        self.units = prepared.units
        self.places = {unit: place for place, unit in enumerate(self.units)}
        self.asked = " ".join((prepared.text.question or "").split()[-MOST_WORDS:])
        self.leads = _leads(self.units, self.text.text)
        self.label, self.label_end = "", 0  # what stood in front of the sentence or its line, and how far it holds
        self.block = ""  # the title above
        self.block_of_kind = False  # whether another title names another of its kind
        self.titles = self._titles()
        self.kinds = self._kinds()
        self.bold_labels = self._bold_labels()
        self.labels = sum(bool(unit.label and unit.surface) or unit in self.bold_labels for unit in self.units)
        self.tasks = lists.first_task(self.text.text)
        self.starts = sorted({unit.sentence.span.start for unit in self.units})
        self.discourse = Discourse(binder)
        self.heading: lists.Heading | None = None
        self.topic: lists.Topic | None = None  # of the "key: value" lines below a title or a heading
        self.inline: Sentence | None = None  # the sentence that holds both the heading and its items
        self.columns: list[Phrase] = []  # heads of the table that is read
        self.above_table = ""  # the line in front of it
        self.headings: set[Unit] = set()  # lines that state nothing
        self.question: Question | None = None
        queue = iter(docs)
        question = prepared.text.question
        if prepared.question is not None and question is not None:
            tree = Tree(next(queue), prepared.question, question, Span(0, len(question)))
            if tree.size <= MAX_SENTENCE_WORDS:
                self.question = read(tree, question)
                self.discourse.introduce(tree)
        self.trees = [
            Tree(next(queue), unit.surface, self.text.text, unit.stated) if unit.surface else None
            for unit in self.units
        ]

        sentences = zip(self.units, self.trees, strict=True)
        self.bare = not any(tree.has_verb() for unit, tree in sentences if tree and not unit.sentence.listed)

    def read(self, steps: Steps | None = None) -> list[ReadDraft]:
        """What the sentences state, in order. Call it once. `steps`: counts them."""
        found = []
        for unit, tree in zip(self.units, self.trees, strict=True):
            before = self.units[max(0, self.places[unit] - 1)]
            if unit in self.titles or (before.sentence.listed and not unit.sentence.listed):
                self.topic, self.block = None, ""  # another part begins
            if tree is not None and tree.size <= MAX_SENTENCE_WORDS:
                self.discourse.reach(partial(self.context_of_pronoun, unit), unit.sentence.span)
                own, far = (self.context(unit, self.start_before(unit, count)) for count in (0, BEFORE))
                drafts = self._drafts(unit, tree)
                found += [ReadDraft(unit, tree, draft, far if draft.resolved else own) for draft in drafts]
            if steps is not None:
                steps.take()
        return found

    def claims(self, drafts: Iterable[tuple[ReadDraft, float | None]]) -> list[Claim]:
        """The claims in focus, in order of their sentences, each once.

        `drafts`: those of `read`, with the log odds that their text entails them, or None for sure ones.
        """
        by_unit: list[list[Claim]] = [[] for _ in self.units]
        for draft, belief in drafts:
            claim = draft.claim(self.text, belief)
            if claim.confidence >= LEAST_CONFIDENCE:
                by_unit[self.places[draft.unit]].append(claim)
        coverage = Coverage(slot.spans for claims in by_unit for claim in claims for slot in claim.slots)
        in_focus = []
        for unit, tree, claims in zip(self.units, self.trees, by_unit, strict=True):
            span = unit.sentence.span
            if not self.text.in_focus(span):
                continue
            in_focus += claims
            if not claims and (unit in self.headings or unit.opens_list(self.text.text)):
                continue
            if is_polar(unit.stated.of(self.text.text)):
                continue  # "Yes, in most cases", asked in a form that nothing can be read from
            kept = None if unit.surface is None else frozenset(unit.surface.offsets)
            covered = coverage.share(self.text.text, unit.stated, kept) >= MIN_COVERAGE
            if not covered or coverage.leaves_number(self.text.text, unit.stated, kept):
                span = self._with_reply(span, tree)
                in_focus.append(Claim.whole(self.text.id, readable(span.of(self.text.text)), span))
        return distinct(in_focus)

    def _with_reply(self, span: Span, tree: Tree | None) -> Span:
        """The place of a sentence, with the yes or no in front of a fragment: "Yes, but only if it is paid."."""
        if not self.text.question or tree is None:
            return span
        marks = tree.kids(root, "mark") if (root := tree.root()) is not None else []
        if tree.has_verb() and not any(tree.lower[kid] in CONDITIONAL for kid in marks):
            return span
        reply = REPLY.search(self.text.text, max(0, span.start - MOST_OF_REPLY), span.start)
        return Span(reply.start(), span.end) if reply else span

    def start_before(self, unit: Unit, count: int) -> int:
        """Where the text begins, so many sentences in front of the unit's sentence."""
        place = bisect_left(self.starts, unit.sentence.span.start)
        return self.starts[max(0, place - count)]

    def context(self, unit: Unit, start: int) -> str:
        """The text from `start` to the end of the unit's sentence, with the question and the line above its list."""
        return text_before(self.asked, self.text.text, start, unit.sentence.span, self.leads.get(unit))

    def context_of_pronoun(self, unit: Unit, start: float) -> str:
        """The context of a pronoun of the unit. `start`: of the first phrase that it may stand for, inf for none."""
        return self.context(unit, int(min(start, self.start_before(unit, LEAST_BEFORE))))

    def _drafts(self, unit: Unit, tree: Tree) -> list[Draft]:
        if unit.sentence.listed:
            self.discourse.begin_list()
        else:
            self.discourse.end_list(restored=self._stands_apart(unit))
        if unit.after_talk:
            self.discourse.talk()
        if self.inline is not None and self.inline != unit.sentence:
            self.heading = self.inline = None
        bold = unit.stated.of(self.text.text).startswith("*")
        if unit.label and (unit.sentence.listed or bold) and not lists.ABOUT_THE_ANSWER.fullmatch(unit.label):
            self.discourse.label(unit.label, many=lists.MANY_THINGS.search(unit.label) is not None)
        answers = self.question is not None and unit is self.units[0]  # "**Paris.** It has been the capital since 987."
        if unit in self.bold_labels and not tree.has_verb() and not answers:
            name = unit.stated.of(self.text.text).strip("*. ")
            self._begin_label(unit, name)
            self.discourse.label(name, many=lists.MANY_THINGS.search(name) is not None)
            if not (unit.sentence.listed and self.heading is not None):
                self.headings.add(unit)
                return []
        row = tables.cells(self.text.text, unit.sentence.span)
        if not row:
            self.columns = []
        elif tables.is_head(self.text.text, unit.sentence.span):
            self.columns = row
            before = self.units[max(0, self.places[unit] - 1)]
            self.above_table = before.stated.of(self.text.text)
            self.headings.add(unit)
            return []
        elif self.columns and tables.opens_row(self.text.text, unit.sentence.span):
            return tables.row_drafts(self.columns, row, self.above_table)
        elif self.columns:
            self.headings.add(unit)
            return []  # the rest of a row that was read: "(min. $10) |"
        if len(self.units) > 1 and lists.is_title(tree):
            self.headings.add(unit)
            self.discourse.open_section()
            if " " in self._title_of(unit) or self._is_named_elsewhere(unit):
                self.discourse.introduce(tree)
            self.topic = lists.topic_below(tree)
            self.block = self.topic.name.text if self.topic is not None and not lists.circumstance(tree) else ""
            self.block_of_kind = unit in self.kinds
            below = self._items_below(unit)
            self.heading = lists.title_heading(tree) if below else None
            if self.heading is not None and not self.heading.predicate.spans:
                self.heading = replace(self.heading, predicates=lists.are_predicates(below))
            return []
        drafts = ClauseRules(tree, self.discourse).run()
        if self._opens_text(unit) and lists.opens_text(tree):
            return [draft for draft in drafts if draft.complete and draft.predicate.spans]  # "explained by Anouk"
        complete = [draft for draft in drafts if draft.complete]
        complete = lists.assigned(tree, complete, tasked=tree.sentence.start >= self.tasks)
        if answered := lists.answered(tree):
            return answered
        if unit.label and lists.is_repeated(unit.label, tree.words[0]) and not tree.has_clause():
            complete = [draft for draft in complete if draft.subject.text == TOLD]
        if unit.label and lists.DOUBTFUL.search(unit.label):
            complete = []  # "Capture theory: the moon formed elsewhere"
        if unit.label:
            complete = lists.measured(tree, complete)
            scoped = lists.scoped(tree, complete)
            self._begin_label(unit, unit.label if scoped == complete else "")
            complete = scoped
        if not complete:
            complete = self._about_topic(tree, drafts)
        if unit.sentence.listed and not unit.label and lists.is_dashed(tree):
            complete = []
        elif unit.sentence.listed and not lists.is_heading(tree):
            complete = self._list_item(unit, tree, complete, drafts)
        elif lists.is_heading(tree):
            self.heading, complete = lists.heading(tree, complete if tree.has_verb() else [])
            self.topic = lists.topic_below(tree)
            self.inline = unit.sentence if unit.stated.end < unit.sentence.span.end else None
            if self.heading is not None and self.heading.is_statement and lists.are_commands(self._items_below(unit)):
                self.heading = None  # "This recipe makes six servings:", "Dice two carrots"
            elif self.heading is not None and self.heading.is_statement and lists.are_places(self._items_below(unit)):
                self.heading = lists.with_object(self.heading, complete)
            if self.heading is not None and not tree.has_verb():
                self.heading = replace(self.heading, predicates=lists.are_predicates(self._items_below(unit)))
        elif not tree.has_verb() and (items := lists.enumeration(tree.response, tree.sentence)):
            complete = self._enumerated(items) or complete
        else:
            self.heading = None
            if lists.pair(tree.response, tree.sentence) is None:
                self.topic = None
            complete = lists.enumerated_pair(tree) or ([] if self._is_pair(tree, complete) else complete)
            if not complete and not tree.has_clause():
                complete = self._fragment(tree, drafts)
        complete = enumerations.each_purpose(tree, complete)
        complete = complete + enumerations.instances(tree, complete)
        self._remember_topic(unit, complete)
        complete = self._in_place(unit, tree, complete)
        return list({draft.wording.lower(): draft for draft in reversed(complete)}.values())[::-1]

    def _in_place(self, unit: Unit, tree: Tree, complete: list[Draft]) -> list[Draft]:
        """The claims with the label of their line and the title above them, where these say what they hold for."""
        complete = lists.under(self.topic, complete)
        if unit.stated.start >= self.label_end:
            self.label = ""
        if self.label and self.labels > 1:
            return lists.labelled_claims(tree, self.label, complete)
        if unit.sentence.listed and self.block and len(self.titles) > 1:
            return lists.labelled_claims(tree, self.block, complete, told=True)
        if self.block and self.block_of_kind:
            return lists.labelled_claims(tree, self.block, complete)
        return complete

    def _opens_line(self, unit: Unit) -> bool:
        """Whether no sentence stands in front of it in its line."""
        before = self.units[self.places[unit] - 1] if self.places[unit] else None
        if before is None or before.sentence.span == unit.sentence.span:
            return True
        between = self.text.text[before.sentence.span.end : unit.sentence.span.start]
        return "\n" in between or any(map(str.isdigit, between))  # "1. ... 2. ..." in one line

    def _titles(self) -> set[Unit]:
        """The headings of Markdown. Only what opens a line is looked at, so that a long line is not read again."""
        text, end = self.text.text, 0
        found = set()
        for unit in self.units:
            opens = not end or "\n" in text[end : unit.sentence.span.start]
            if opens and is_heading(text, unit.sentence.span):
                found.add(unit)
            end = unit.sentence.span.end
        return found

    def _kinds(self) -> set[Unit]:
        """Titles that name things of one kind: "Rolling membership" and "Annual membership". What follows is of one.

        "History of Oslo" and "Climate of Oslo" are no things, nor are "Early life" and "Later life".
        """
        kinds: dict[tuple[str, str], list[Unit]] = defaultdict(list)
        for unit in self.titles:
            words = self._title_of(unit).split()
            if len(words) in (2, 3) and KIND.fullmatch(words[-1].lower()) and "of" not in words:
                level = TITLE_MARKS.match(self.text.text, unit.stated.start)
                kinds[level[0] if level else "", words[-1].lower()].append(unit)
        return {unit for units in kinds.values() if len(units) > 1 for unit in units}

    def _bold_labels(self) -> set[Unit]:
        """Labels in bold with a stop, in front of a sentence of their line: "**Debt.** The crown owed ..."."""
        text = self.text.text
        return {
            unit
            for unit in self.units
            if BOLD_LABEL.fullmatch(text, *unit.sentence.span) and REST_OF_LINE.match(text, unit.sentence.span.end)
        }

    def _begin_label(self, unit: Unit, label: str) -> None:
        """A label holds for its sentence, at the head of an item or in bold for all of its line."""
        text, start = self.text.text, unit.sentence.span.start
        heads_line = unit.sentence.listed or text.startswith("*", start)
        end = text.find("\n", start) if heads_line else unit.sentence.span.end
        self.label, self.label_end = label, len(text) if end < 0 else end

    def _stands_apart(self, unit: Unit) -> bool:
        """Whether a blank line and no item stands in front: a list of more than one item is over."""
        place = self.places[unit]
        before = self.units[max(0, place - 2) : place]
        gap = self.text.text[before[-1].sentence.span.end : unit.sentence.span.start] if before else ""
        return len(before) == 2 and all(other.sentence.listed for other in before) and gap.count("\n") > 1

    def _is_named_elsewhere(self, unit: Unit) -> bool:
        """Whether a title's word is used besides. "It" below "**Storage**" is no storage that nothing else names."""
        title = re.escape(self._title_of(unit))
        return len(re.findall(rf"(?<!\w){title}(?!\w)", f"{self.asked} {self.text.text}", re.IGNORECASE)) > 1

    def _title_of(self, unit: Unit) -> str:
        """A title without its number and signs: "**2. Fees**"."""
        return re.sub(r"^[\W\d_]+|[\W_]+$", "", unit.stated.of(self.text.text))

    def _opens_text(self, unit: Unit) -> bool:
        """Whether the unit may be the title of a text. An answer has none."""
        first = unit.sentence.span.start == self.starts[0] and not unit.sentence.listed
        return first and self.text.question is None and len(self.starts) > 2

    def _items_below(self, unit: Unit) -> list[Tree]:
        """The first items of the list that the unit opens."""
        first = self.places[unit] + 1
        later = zip(self.units[first:], self.trees[first:], strict=True)
        below = takewhile(lambda other: other[0].sentence.listed, later)
        return [tree for _, tree in islice(below, MOST_ITEMS) if tree is not None]

    def _enumerated(self, items: list[Phrase]) -> list[Draft]:
        """Enumerated items as items of the heading above them, or as answers to the question."""
        if self.heading is not None:
            return [self.heading.item(item) for item in items]
        if self.question is not None and self.bare:
            return [self.question.answered(item) for item in items]
        return []

    def _about_topic(self, tree: Tree, drafts: list[Draft]) -> list[Draft]:
        """A sentence that begins with an event of a life ("Born in 1945.") is about the text's topic."""
        root = tree.root()
        topic = self.discourse.topic
        if topic is None or root is None or tree.lower[root] not in LIFE_EVENTS:
            return []
        if any(tree.upos[word] not in ("AUX", "PUNCT", "ADV") for word in range(root)):
            return []
        subject = replace(inferred(topic), resolved=True)
        return [
            Draft(subject, draft.predicate, draft.object, "topic")
            for draft in drafts
            if draft.predicate.text and draft.object.text and not draft.subject.text
        ]

    def _list_item(self, unit: Unit, tree: Tree, complete: list[Draft], drafts: list[Draft]) -> list[Draft]:
        """The claims of an item of a list. Its subject and predicate are those of the list's heading.

        `drafts`: those of the item, `complete` and not.
        """
        key_value = lists.pair(tree.response, tree.sentence)
        if not self._opens_line(unit):  # the second sentence of an item
            return complete or (self._fragment(tree, drafts) if key_value is not None else [])
        if self.heading is None or not self.heading.predicate.text:
            own = [] if self._is_pair(tree, complete) else complete
            own = own if own or tree.has_clause() else self._fragment(tree, drafts)
            return own if self.heading is None else self.heading.held(own)
        whole = phrase(tree, range(tree.size))
        root = tree.root()
        many = root is not None and (tree.xpos[root] in ("NNS", "NNPS") or tree.has(root, "conj"))
        if self.heading.situations and (unit.label or key_value is not None):
            return []  # "**By either party:** at once, if the other is insolvent"
        if self.heading.only_possible and tree.has_clause() and key_value is None and not unit.label:
            return [self.heading.item(whole, many)]
        if self.heading.whole:
            line = lists.literal(self.text.text, unit.stated) if unit.label else whole  # "phone: 0800 555"
            return [self.heading.item(line, many)]
        if self.heading.infinitive:
            return self.heading.completed(tree, complete)
        timed = lists.TIME.fullmatch(unit.label) is not None  # of a timeline: "1911: Founded by two brothers"
        told = root == 0 and tree.xpos[root] in ("VBD", "VBN") and tree.has(root, "obj")
        if told and not timed:  # "Removed the old connector"
            changes = self.topic is not None and lists.CHANGES.search(self.topic.name.text)
            return self.heading.said(drafts) if changes else complete
        if not (timed or unit.label) and (
            self.heading.predicates or (self.heading.lists_instances and lists.opens_with_verb(tree))
        ):
            return self.heading.said(drafts) or complete
        if key_value is not None:
            return self._keyed_item(self.heading, tree, key_value, complete, drafts)
        nominal = root is not None and tree.upos[root] in (*NOMINAL, "NUM", "SYM") and whole.text
        if nominal and root is not None and not tree.has(root, "nsubj", "nsubj:pass", "csubj", "cop"):
            return [self.heading.item(whole, many)]  # with its conditions: "bank transfer, if the sum is over $500"
        if complete:
            return self.heading.held(complete)
        return [self.heading.item(whole, many)] if whole.text and not tree.has_clause() else []

    @staticmethod
    def _is_pair(tree: Tree, complete: list[Draft]) -> bool:
        """Whether it is a "key: value" line of which only an apposition or brackets were read."""
        read = all(draft.rule in ("apposition", "bracket") for draft in complete)
        return read and lists.labelled(tree) is not None

    def _keyed_item(
        self,
        heading: lists.Heading,
        tree: Tree,
        key_value: tuple[Phrase, Phrase],
        complete: list[Draft],
        drafts: list[Draft],
    ) -> list[Draft]:
        """The claims of an item such as "Books: 20 cents" or "Optics: the lens bends light"."""
        key, value = key_value
        clauses = [draft for draft in complete if draft.rule not in ("apposition", "bracket", "pair")]
        if not clauses and lists.is_fragment(tree):
            if lists.has_finite_verb(tree):
                return []  # "Alarm: rings at 40 °C, stops at 35 °C"
            valued = heading.valued(key, value)
            if valued is not None:
                return [valued]
            clauses = lists.keyed(tree, key, value, drafts)
        if heading.only_possible:
            clauses = []  # "Possible causes are:" "Blocked filter: the filter is full"
        of_keys = lists.OF_KEYS.search(heading.subject.text if self.topic is None else self.topic.name.text)
        is_item = heading.holds_keys and heading.lists_instances and not heading.repeats(key) and not of_keys
        words = key.text.lower()
        named = lists.TIME.fullmatch(key.text) or any(
            (draft.subject.text == key.text and not draft.subject.resolved) or draft.object.text.lower() == words
            for draft in clauses
        )
        root = tree.root()
        nominal = root is not None and not (
            tree.upos[root] == "VERB" or tree.has(root, "nsubj", "nsubj:pass", "csubj", "expl")
        )
        if is_item and nominal and tree.has_clause() and not clauses and not heading.only_possible:
            whole = heading.item(lists.literal(tree.response, tree.sentence))
            return [heading.valued(key, value) or whole]  # "Dinner: up to £27 if you are away"
        fell_back = "; " in value.text or (lists.is_fragment(tree) and not clauses and not heading.only_possible)
        return [*clauses, heading.item(key)] if is_item and not (named or fell_back) else clauses

    def _fragment(self, tree: Tree, drafts: list[Draft]) -> list[Draft]:
        """The claims of a sentence without a clause: a "key: value" line, or the bare answer to the question."""
        key_value = lists.labelled(tree)
        if key_value is not None:
            return lists.keyed(tree, *key_value, drafts)
        whole = phrase(tree, range(tree.size))
        how = HOW_TO.match(self.text.question or "") is not None  # it is answered by steps
        if self.question is None or how or not whole.text or not self._is_bare_answer(tree):
            return split_fragment(tree)
        if tree.size <= 4 and "not" in tree.lower:
            return []  # "Generally not."
        if is_polar(whole.text) and not self.question.polar:
            return []  # "Yes", asked in a form that nothing can be read from
        return [self.question.answered(whole)]

    def _is_bare_answer(self, tree: Tree) -> bool:
        """Whether the words of the question may complete the fragment: it opens an answer, or all of it is so."""
        return not tree.has_verb() and (self.bare or tree is self.trees[0])

    def _remember_topic(self, unit: Unit, complete: list[Draft]) -> None:
        opened = self.heading if unit.opens_list(self.text.text) else None
        if self.discourse.topic is not None or unit.sentence.listed or not (complete or opened):
            return
        subject: Phrase = opened.subject if opened is not None else complete[0].subject
        topic = lists.ACCOUNT_OF.sub("", subject.text)
        if len(topic.split()) <= 8 and topic.lower() not in DEICTIC:
            self.discourse.topic = topic


def split_fragment(tree: Tree) -> list[Draft]:
    """A headline without a clause, split at its verb. [] without such a word."""
    for pivot in range(1, tree.size - 1):
        if (
            tree.relation[pivot] != "ROOT"
            or tree.xpos[pivot] not in ("VBD", "VBN", "VBZ")
            or tree.upos[pivot] == "NOUN"
        ):
            continue
        before, after = phrase(tree, range(pivot)), phrase(tree, range(pivot + 1, tree.size))
        if any(upos in NOMINAL for upos in tree.upos[:pivot]) and before.text and after.text:
            return [Draft(before, phrase(tree, [pivot]), after, "fragment")]
    return []
