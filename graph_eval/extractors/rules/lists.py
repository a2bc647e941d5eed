"""Lists, headings and "key: value" lines: the heading of a list gives its items their subject and predicate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lexicon import MANY_NOUNS, MONEY, PERSON_NOUN, SOURCE_NOUN
from graph_eval.extractors.rules.phrases import (
    NOTHING,
    Phrase,
    full_phrase,
    function_phrase,
    inferred,
    join,
    noun_words,
    phrase,
)
from graph_eval.extractors.rules.syntax import SAYING, is_imperative
from graph_eval.extractors.rules.tree import NOMINAL, Tree
from graph_eval.extractors.wording import ARE, INCLUDE, INCLUDES, IS, TOLD
from graph_eval.text import sentences
from graph_eval.text.normalise import CITATION
from graph_eval.text.quantities import MONTH_NAMES
from graph_eval.types import Span

OPENING_ARTICLE = re.compile(r"(?:The|An?) (?=[a-z])")
MARKS = re.compile(r"\*+|__+")
PAIR = re.compile(r"[*_ ]*(?P<key>[^:\n]{2,60}?)[*_ ]*:[*_]*\s+[*_]*(?P<value>\S.*)", re.DOTALL)
LEADING_QUANTITY = re.compile(
    r"^(?:(?:some(?: of the)?|a few|several|(?:the |a )?(?:full |complete )?list of|examples? of|names? of"
    r"|the following|following|these|different|various|all(?: of)?(?: the)?)\s+)+",
    re.IGNORECASE,
)
IN_SHORT = re.compile(
    r"(?:in (?:\w+ )?(?:detail|brief|short|summary|general|practice|total)|at a glance)", re.IGNORECASE
)
WH_WORDS = ("how", "what", "where", "why", "who", "which")
FACTS = frozenset("facts details information overview summary".split())
ABOUT_THE_ANSWER = re.compile(
    r"(?:the )?(?:some|final|short|quick|key|main|other|relevant|additional|important|supporting)? ?"
    r"(?:points?|steps?|tips?|ways?|instructions?|guide|evidence|details?|information|summary|notes?|answers?|passages?|reasons|facts|conclusion|example"
    r"|background|context)"
    r"(?: (?:about|regarding|on|from|of|for|in) .*)?",
    re.IGNORECASE,
)
OUTSIDE_HEADING = ("nsubj", "cop", "advmod", "punct", "aux", "acl:relcl", "acl", "discourse", "parataxis", "obl")
SEPARATOR = re.compile(r"\s*(?:(?:;|,(?!\d{3}(?!\d)))\s*(?:and\s+|or\s+)?|\s+and\s+|\s+&\s+)", re.IGNORECASE)
NO_ITEM = re.compile(
    r"(?:which|who|that|but|because|then|while|when|where|if|it|he|she|they|there|this|is|are|was|were|has|have"
    r"|not|in|on|at|by|from|to|with|for|all|both|most|none|as|including|plus|depending)\b|.*\b(?:is|are|was|were|has|have)\b",
    re.IGNORECASE,
)
STEPS = re.compile(r"\b(?:steps?|instructions?|rules?|tips?|guidelines?)\b", re.IGNORECASE)
STATEMENTS = re.compile(  # what "the following ..." stands for is said by the items, not named by their keys
    r"\b(?:points|reasons|decisions|findings|arguments|conclusions|remarks|facts|changes|recommendations|observations)\b",
    re.IGNORECASE,
)
POINTING = ("following", "these", "this list")
DANGLING = frozenset("for on with by from in at of about into between under over during".split())
# Last words of a line that its items complete. Behind a form of "be" an item may be a clause of its own.
UNFINISHED = frozenset(
    """is are was were be have has had must can cannot may should will shall not that you he she it they we
    if when unless because""".split()
)
MODALS = ("must", "can", "cannot", "may", "should", "will", "shall")
JOINT = re.compile(r"\b(?:if|when|unless|because|not|cannot|never)\b|n't\b", re.IGNORECASE)
FORMS_OF_BE = ("is", "are", "was", "were", "be")
LISTING = ("include", "includes", "included")  # the items are their objects
LISTS = "(?:cover|offer|include|contain|require|provide|support|list|need|use|feature)"
LISTING_VERB = re.compile(LISTS + "s")
WHAT_IT = re.compile(rf"what (?P<who>.+?)(?: (?:does|do) n(?:o|['’])t)? {LISTS}s?(?: :)?$")  # "What it does not cover:"
NEXT_AMOUNT = re.compile(r", (?=\W?\d)")
AMOUNT_FOR = re.compile(r"\W?\d[^,]*? for \S")  # "4 weeks for books"
CODE = re.compile(r"[a-z]{1,2}\d{1,3}|\d{1,3}[a-z]")  # "e2"
LED_TO = re.compile(r"(?P<lead>.+ (?:in|at|on|from|by|with)) (?:the following|these) \w+$", re.IGNORECASE)
DASHED = re.compile(r"[*_ ]*(?P<key>[^:\n–—]{2,40}?)[*_ ]*\s[–—-]\s[*_]*(?P<value>\S.*)", re.DOTALL)
MAX_KEY_WORDS = 7
CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
VERBS = ("VB", "VBD", "VBP", "VBZ", "MD")
ADDRESS = re.compile(r"subject|to|from|cc|date|re|name", re.IGNORECASE)
TITLE_VALUE = re.compile(r"(?:how|what|where|when|which|who|why)\b", re.IGNORECASE)
VALUE_END = ".,; *_"
NONE_OF = re.compile(r"(?:nothing|nobody|no one) \w", re.IGNORECASE)  # not "Side effects: none required"
SECOND_KEY = re.compile(r"; ?\w[\w –-]{0,25}: ")  # "3 meals 34.50; for four: ..."
VALUED = re.compile(
    r"\b(?P<what>admission|entry|tickets?|tuition|delivery times|opening times|intakes?|fees?|prices?|fares?|rates?"
    r"|hours|costs?|charges?|limits?|deadlines?|doses?|dosages?|discounts?|allowances?|temperatures?|scores?|salar(?:y|ies)"
    r"|wages?|ages?|weights?|dimensions)(?: (?:of|at|for|in) .*)?$",
    re.IGNORECASE,
)
MANY_THINGS = re.compile(r"[^suSU]s$")
ADJECTIVE = re.compile(
    r"(?:very |not )?(?:common|uncommon|rare|frequent|optional|required|mandatory|covered|included|excluded|allowed"
    r"|permitted|forbidden|prohibited|recommended)\Z"
    r"|not (?:in|on|part of) \S.*",
    re.IGNORECASE,
)
ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
EVERY = re.compile(r"(?:every|each) (?:\d+|hour|day|week|month|year)", re.IGNORECASE)
BEHIND_NOUN = re.compile(r" (?:of|between|for|in|on|at|per|to|from|with|without)\b")
SMALL_WORDS = frozenset("the a an of for in on at to and or with by from".split())
LED = re.compile(r"(?:in|at|on|for|from|with|by) \S", re.IGNORECASE)
CONTACT = re.compile(r"\b(?:phone|tel|fax|e-?mail)\b|@|\d{3} ?\d{3}|day (?:to|–|-) \w+day", re.IGNORECASE)
STEM = 5  # letters by which words are compared
OF_ANSWER = re.compile(  # labels that only say what kind of remark follows
    r"(?:key |main |short |quick |important |final |additional |other |fun |bottom |in )*"
    r"(?:notes?|tips?|warnings?|caution|important|examples?|answer|summary|steps?|results?|conclusion|overview|reasons?"
    r"|reasoning|explanation|facts?|line|takeaways?|verdict|disclaimer|caveats?|bonus|points?|ideas?|pros?|cons?|questions?"
    r"|short|overall|additionally|however|also|finally|next|then|remember|update|ps|nb|for example|please|info"
    r"|information|background|context|descriptions?|details?|pros and cons|[\d.]+|(?:step|part|point|note) \d+)"
    r"|(?:why|how|what|when|where|who|which|passage|source|document|snippet|answer)\b.*",
    re.IGNORECASE,
)
DUTY = re.compile(
    r"(?:what |things (?:that )?)?(?P<who>you|we|they|guests|tenants|visitors|members|users) "
    r"(?P<said>(?:may|must|can|should|shall)(?: not| n't| never)?|cannot) do"
    r"(?: (?:the following|any of these|these things))? :"
)
FORBIDDEN = re.compile(r"(?:(?:things|what) not to do|do not|do ?n['’]t(?: ?['’]?s)?|never)(?: :)?")
WHAT_YOU = re.compile(
    r"what (?P<who>you|we|they|to|(?!(?:does|this|is|was|has)\b)[a-z]+s)"
    r"(?: (?:['’]ll|will|can|ca|may|must|should|do))?(?: n['’]t| ?not)? "
    r"(?:need|get|pay|receive|bring|pack|wear|take|send|submit|avoid|claim|deduct|order|borrow|hire|rent|buy|eat|carry"
    r"|use|cover|offer|provide|see|find|visit)"
    r"(?:(?P<rest> (?:for|from|in|on|at|with) [^:]*)| to (?:bring|pack|take|send|submit|pay|show))?$"
)
CLITIC = re.compile(r"(?=['’](?:s|ll)\b)|(?=n['’]t\b)")  # where the parser parts a word: "what 's", "ca n't"
WHAT_IS = re.compile(
    r"what (?:['’]s|is) (?P<denied>not |n['’]t )?"
    r"(?P<what>(?:included|excluded|covered|required|allowed|needed|permitted)(?: (?:in|by|for|on) [^:]*)?)(?: :)?$"
)
VARYING = re.compile(r"(?:depend|var(?:y|ies|ied)|differ|rang|change)(?:s|ed|e)?$")
CIRCUMSTANCE = re.compile(  # a key that is a case, not "In Rainbows" or "In stock"
    r"(?i:during|after|before|in|on|at|for|from|with|without|under|over|up to|until|within|between|per|by|if|when|since"
    r"|more than|less than|at least) (?!stock|sale|[A-Z][a-z])\S"
)
LEADING_CASE = re.compile(  # the first words of a line that only says when its items hold
    r"(?:before|after|during|within|until|if|when|once|while|unless)\s"
    r"|in (?:winter|spring|summer|autumn|case of|an emergency|(?:cold|hot|dry|wet) weather)\b",
    re.IGNORECASE,
)
ASKING = re.compile(r"(?:what|how|where|why|who|which)$")
AMOUNT_OF = re.compile(
    r"\b(?:of|over|under|within|above|below|from|up to|more than|less than|after) \W?\d", re.IGNORECASE
)
CHANGES = re.compile(r"\b(?:changes|improvements|updates|fixes|features|enhancements)$", re.IGNORECASE)
OF_KEYS = re.compile(  # what a heading has of each of its keys, which are none of it: "Attendance rules:", "Labs: ..."
    r"\b(?:rules?|limits?|hours|days|dates|times|deadlines?|terms|conditions|prices?|fees?|rates?|scores?"
    r"|policies|policy|doses?|intakes?)\b",
    re.IGNORECASE,
)
POSSIBLE = re.compile(r"\b(?:possible|potential|likely|probable|theor(?:y|ies)|hypothes[ei]s|myths?)\b", re.IGNORECASE)
SITUATIONS = re.compile(r"\b(?:situations|circumstances|cases|scenarios)$", re.IGNORECASE)  # each of which may be so
DOUBTFUL = re.compile(r"\b(?:theory|hypothesis|view|myth|claim|argument|scenario|option)\b", re.IGNORECASE)
ACCOUNT_OF = re.compile(
    r"^(?:brief |short |quick )?(?:timeline|history|overview|list|summary|biography|story|career|life) of (?:the )?",
    re.IGNORECASE,
)
ATTRIBUTE = re.compile(  # keys that are a verb without its subject
    r"(?:born|died|founded|established|released|published|launched|located|built|opened|closed|discovered|introduced"
    r"|acquired|present|absent|attending|in attendance|known for|directed by|written by|produced by|starring"
    r"|married|(?:not )?(?:covered|included|excluded|allowed|permitted|required|affected|invited)|common|rare)\b",
    re.IGNORECASE,
)
TIME = re.compile(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{'|'.join(MONTH_NAMES)})?,? ?(?:1[0-9]|20)\d\d(?:[-–/]\d{{2,4}})?",
    re.IGNORECASE,
)
DATED = re.compile(
    rf"\b(?:{'|'.join(MONTH_NAMES)})\b|\b(?:1[0-9]|20)\d\d\b|\b\d{{1,2}}(?::\d\d)? ?[ap]\.?m\b", re.IGNORECASE
)
OF_SOURCE = re.compile(r"(?:passage|point|source|document) \d+", re.IGNORECASE)
KEY_POINTS = re.compile(r"\b(?:key|main|important) (?:points|facts|details|information|things)\b", re.IGNORECASE)
CHECKING = re.compile(r"(?:check|verify|confirm|inspect|consider|review)$")
IS_DUTY = re.compile(r"(?:must|should|ha(?:s|ve) to|needs?)\b")
TASKS = re.compile(r"\b(?:actions?|tasks?|to-?dos?|next steps|assigned|assignments|duties|who does)\b", re.IGNORECASE)
MAX_LABEL_WORDS = 4
# Labels that say of whom, when or in which case their line holds
PEOPLE = re.compile(
    r"(?:adults|children|kids|infants|babies|toddlers|teenagers|teens|seniors|pensioners|students|pupils|members"
    r"|non-members|visitors|guests|patients|women|men|girls|boys|employees|staff|customers|tenants|landlords|owners"
    r"|residents|citizens|parents|families|couples|groups|beginners|dogs|cats|puppies|kittens)"
    r"(?: (?:over|under|below|above|aged|from|with|without|of|in|between)\b.*)?",
    re.IGNORECASE,
)
QUALIFIER = re.compile(
    r"(?:most|all|other|young|younger|old|older|pregnant|new|registered|first-time)\s+", re.IGNORECASE
)
WEEKDAYS = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays|weekends|public holidays|bank holidays)"
    r"(?:(?: to | and |, | ?[–-] ?)(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|public holidays))*",
    re.IGNORECASE,
)
# What people of a label do themselves, and what is fixed for them
OWN_ACT = re.compile(
    r"(?:do not |don't |can |may |must |should )?(?:take|wear|bring|book|pay|apply|register|show|use|stay|sit)\b"
)
HOLDS = re.compile(r"(?:is|are|isn't|aren't|must|may|can|cannot|should|opens?|closes?|costs?|starts?|ends?)\b")
OF_PEOPLE = re.compile(
    r"(?:dose|dosage|price|fee|charge|cost|rate|limit|entry|admission|ticket|age|maximum|minimum|fare|discount"
    r"|deadline|deposit|allowance|waiting time|rule)s?$",
    re.IGNORECASE,
)
CASE = re.compile(
    r"(?:if|when|unless|before|after|during|until|once|while|within) \S.*"
    r"|(?:under|over|up to|less than|more than|at least) \d.*|(?:later|earlier|sooner|longer|more|less) than \S.*",
    re.IGNORECASE,
)
SIGNAL = re.compile(  # what a device or a flag shows: "Red: nobody may bathe"
    r"(?:code|error|level|stage|grade|priority) \w*\d\w*|(?:red|green|yellow|amber|orange|blue)", re.IGNORECASE
)
MIN_CLAUSE_WORDS = 3
CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|must|may|will|do|does|did|not|you|i|we|they|it)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Heading:
    """The subject and predicate of every item of a list. All its phrases stand outside the items."""

    subject: Phrase
    predicate: Phrase
    infinitive: bool = False  # its items complete "... are to:"
    whole: bool = False  # its items complete "... pay with:", keys and values together
    instances: bool = False  # its items are what it points to: "at the following places:"
    holds_keys: bool = True  # whether the keys of "key: value" items are items: not of "what each color stands for"
    predicates: bool = False  # its items are said of it: "Struts:", "are expensive"
    condition: Phrase | None = None  # it holds for all items: "If you lose your card, you should:"
    commands: bool = False  # its condition is that of commands only: "### During the measurement"
    checks: bool = False  # its condition is not that of duties: "check the following:", "The lid must be shut"
    of_items: Phrase | None = None  # the object if its items are subjects: "The following items are | free:"
    situations: bool = False  # its items are cases that may be so: "in three situations:"
    is_statement: bool = False  # a whole clause, with its object: "This recipe makes six servings:"

    def __post_init__(self) -> None:
        for name in ("subject", "predicate", "condition", "of_items"):
            if (part := getattr(self, name)) is not None:
                object.__setattr__(self, name, replace(part, resolved=True))

    @property
    def only_possible(self) -> bool:
        """Whether its items may hold or not: "Possible reasons why it stops are:"."""
        return self.situations or POSSIBLE.search(self.subject.text) is not None

    @property
    def lists_instances(self) -> bool:
        """Whether its items are what it names, not what its subject acts on: "identified two problems:"."""
        return self.instances or self.predicate.text in (INCLUDE, INCLUDES, IS, ARE, "was", "were")

    def item(self, target: Phrase, many: bool = True) -> Draft:
        """The claim of one item: its object, or its subject. `many`: the item is a plural."""
        if self.of_items is not None:
            predicate = self.predicate
            verb, _, rest = predicate.text.partition(" ")
            if not many and verb in ("are", "were"):
                predicate = predicate.as_resolved(f"{'is' if verb == 'are' else 'was'} {rest}".strip())
            return Draft(target, predicate, self.of_items, "list")
        return Draft(self.subject, self.predicate, join(target, self.condition), "list")

    def completed(self, tree: Tree, drafts: Sequence[Draft]) -> list[Draft]:
        """The claims of an item that goes on with the heading's verb: "New staff must:", "register and pay a fee".

        `drafts`: those of the item alone. Where they leave out some of its words, the item is one claim.
        """
        if not self.predicate.text:  # steps below "To clean it:"
            return self.held(drafts)
        own = any(draft.subject.text != TOLD for draft in drafts)
        last = self.predicate.text.lower().split()[-1]
        if own and last in MODALS:
            return self.held(drafts)  # "The club will:", "The cafe stays open"
        if tree.lower[0] in ("do", "don't", "never") and last in MODALS:
            return []
        said = {
            word for draft in drafts for part in (draft.predicate, draft.object) for word in tree.within(part.spans)
        }
        content = {word for word in range(tree.size) if tree.upos[word] in CONTENT and tree.xpos[word] != "MD"}
        together = len(drafts) > 1 and JOINT.search(self.predicate.text) is not None  # "if you:", "have A and B"
        if own or together or not content <= said:
            if tree.root() == 0 and tree.xpos[0] == "VB":  # "Use it abroad": the command is part of the predicate
                predicate = join(self.predicate, function_phrase(tree, [0]))
                return [Draft(self.subject, predicate, join(phrase(tree, range(1, tree.size)), self.condition), "list")]
            return [self.item(phrase(tree, range(tree.size)))]
        return [
            replace(draft, subject=self.subject, predicate=join(self.predicate, draft.predicate))
            for draft in self.held(drafts)
        ]

    def held(self, drafts: Sequence[Draft]) -> list[Draft]:
        """What the items say, with the condition of the heading. Its purpose ("to reset it") is none."""
        if self.condition is None or self.condition.text.startswith("to "):
            return list(drafts)
        return [
            draft if self._holds_always(draft) else replace(draft, object=join(draft.object, self.condition))
            for draft in drafts
        ]

    def _holds_always(self, draft: Draft) -> bool:
        """Whether what an item says holds without the condition, too: "The plug must be dry" below "check:"."""
        duty = self.checks and IS_DUTY.match(draft.predicate.text) is not None
        ahead = self.condition is not None and self.condition.text.lower().startswith("before you ")  # to know by then
        told = draft.subject.text == TOLD and IS_DUTY.match(draft.predicate.text)  # "You should switch it off"
        said = bool(draft.subject.spans) and not told  # "You can't take a car", no command
        return (draft.subject.text != TOLD and (self.commands or duty)) or (ahead and said)

    def valued(self, key: Phrase, value: Phrase) -> Draft | None:
        """The claim of "Books: 20 cents" below "The late fees are:". None unless the heading is what has a value."""
        valued = VALUED.search(self.subject.text)
        if valued is None or self.of_items is not None:
            return None
        named = f"{self.subject.text} for {key.text}"
        subject = Phrase(named, key.spans, f"{self.subject.wording} for {key.wording}", resolved=True)
        return Draft(subject, inferred(ARE if valued["what"].endswith("s") else IS), value, "pair")

    def repeats(self, key: Phrase) -> bool:
        """Whether a key names the heading again: "New Uses" below "Uses of soybeans"."""
        noun, _, rest = self.subject.text.lower().partition(" of ")
        words = key.text.lower()
        return words == self.subject.text.lower() or (bool(rest) and words.split()[-1] == noun.split()[-1])

    def said(self, drafts: Sequence[Draft]) -> list[Draft]:
        """What an item that is a predicate says of the heading."""
        return [replace(draft, subject=self.subject) for draft in drafts if draft.subject.text in ("", TOLD)]


@dataclass(frozen=True, slots=True)
class Topic:
    """What the lines below a title or a heading are about. `many`: a plural, whose kinds the lines may name."""

    name: Phrase
    many: bool = False

    def holds(self, drafts: Sequence[Draft]) -> list[Draft]:
        """The claims of "key: value" lines below it: "Minimum requirements: RAM is 8 GB"."""
        found = []
        others = {word for word in self.name.text.lower().split() if word not in SMALL_WORDS}
        for draft in drafts:
            key = draft.subject
            named = bool(others & set(key.text.lower().split()))
            if draft.rule == "pair" and named and _names_circumstance(draft):
                continue
            kind = self.many and draft.predicate.text in (INCLUDE, INCLUDES)  # "Foods:", "Breads include rye"
            if draft.rule == "pair" and draft.predicate.inferred and not (key.resolved or named or kind):
                led = CIRCUMSTANCE.match(key.text) is not None
                lowered = f"{self.name.text} {key.text[:1].lower()}{key.text[1:]}"
                draft = replace(draft, subject=key.as_resolved(lowered if led else f"{self.name.text}: {key.text}"))
            found.append(draft)
        return found


def is_title(tree: Tree) -> bool:
    """Whether the line is a Markdown heading that names what follows: "## Opening hours", "## What you can bring"."""
    if not sentences.is_heading(tree.response, tree.sentence):
        return False
    verbs = [
        word
        for word in range(tree.size)
        if tree.upos[word] in ("VERB", "AUX") and tree.xpos[word] != "VBG" and tree.relation[word] != "amod"
    ]
    named = not tree.has_clause() and not tree.has_object()  # "### Rent and deposit"
    return not verbs or named or ASKING.match(tree.lower[0]) is not None or circumstance(tree) is not None


def circumstance(tree: Tree) -> Phrase | None:
    """What a line without a main clause says of when or where its items hold: "Before you measure", "After 2 days:"."""
    line = tree.response[tree.sentence.start : tree.sentence.end].strip("*_#: \t")
    root = tree.root()
    if root is None or not LEADING_CASE.match(line) or line.endswith((".", "!", "?")):
        return None
    lead = tree.head[0] == root and tree.relation[0] in ("mark", "case", "advmod")
    asked = any(tree.xpos[kid] in ("MD", "TO") for kid in tree.kids(root, "aux", "mark")) and tree.lower[0] == "when"
    whole = max(tree.subtree(root)) >= tree.size - 2
    return full_phrase(tree, range(tree.size - (tree.words[-1] == ":"))) if lead and whole and not asked else None


def opens_text(tree: Tree) -> bool:
    """Whether the first line of a text is its title: "Sleep clinic, information for shift workers"."""
    line = tree.response[tree.sentence.start : tree.sentence.end]
    if is_heading(tree) or line.startswith("*"):
        return False  # "**Attendance:** Rosa, Will"
    inner = 0
    for word in range(tree.size):
        inner += (tree.words[word] == "(") - (tree.words[word] == ")")
        if not inner and tree.xpos[word] in VERBS:
            return False
    key, _, value = line.partition(":")
    return not ADDRESS.fullmatch(key.strip("*_ ")) and not value.strip("*_ ")[:1].isdigit() and "?" not in line


def is_heading(tree: Tree) -> bool:
    """Whether the sentence ends in ":"."""
    return tree.response[tree.sentence.start : tree.sentence.end].rstrip("*_ ").endswith(":")


def announces_answer(draft: Draft) -> bool:
    """Whether the line only says that the answer follows: "The answer to your question is:"."""
    return draft.subject.text.lower().startswith("answer")


def heading(tree: Tree, drafts: list[Draft]) -> tuple[Heading | None, list[Draft]]:
    """The heading of a sentence that ends in ":", and those of its drafts that are claims of their own."""
    found, rest = _heading(tree, drafts)
    if "following" in tree.lower:  # "grants workers the following rights:"
        cut = tree.lower.index("following")
        rest = [draft for draft in rest if max(tree.within(draft.object.spans), default=-9) not in (cut - 1, cut - 2)]
    if tree.words[-1] == ":" and "these" in tree.lower:  # "Before you start, have these papers ready:"
        these = tree.lower.index("these")
        told = [draft for draft in rest if draft.subject.text == TOLD]
        rest = [d for d in rest if d not in told or these not in tree.within(d.predicate.spans + d.object.spans)]
    condition = _condition(tree)
    purpose = condition is not None and condition.text.startswith("to ")  # of steps, each of which stands alone
    if condition is not None and found is None and not purpose and not _is_about_answer(tree):
        found = bare_heading(condition)  # "If it is stolen, do the following:"
    if condition is not None and found is not None:
        checks = CHECKING.match(tree.lower[tree.root() or 0]) is not None
        found = replace(found, condition=found.condition or condition, checks=checks)
    return found, rest


def bare_heading(condition: Phrase) -> Heading:
    """The heading of items that stand alone, with what holds for all of them: "If the light flashes:"."""
    return Heading(inferred(TOLD), NOTHING, infinitive=True, condition=condition)


def _condition(tree: Tree) -> Phrase | None:
    """What stands in front and holds for all items: "To apply, you need:", "If it is stolen, do the following:"."""
    if (alone := circumstance(tree)) is not None:
        return alone
    root = tree.root() or 0
    leads = [tree.lower[kid] for kid in tree.kids(root, "mark")]
    if tree.lower[0] in ("if", "when", "to") and tree.lower[0] in leads:
        return full_phrase(tree, range(tree.size - 1))  # "If your card is stolen:", "To clean it:"
    subjects = tree.kids(root, "nsubj", "nsubj:pass", "expl")
    first = min(tree.subtree(subjects[0])) if subjects else root
    for kid in tree.children[root]:
        below = tree.subtree(kid)
        if kid >= first or max(below) >= first or below[0] > 1:
            continue
        marks = {tree.lower[mark] for mark in tree.kids(kid, "mark", "advmod")}
        of_clause = tree.relation[kid] == "advcl" and marks & {"if", "when", "unless", "to"}
        of_kind = tree.relation[kid] == "obl" and any(tree.lower[case] == "for" for case in tree.kids(kid, "case"))
        if (of_clause or of_kind) and not ABOUT_THE_ANSWER.fullmatch(tree.lower[kid]):
            return full_phrase(tree, below)
    return None


def _is_about_answer(tree: Tree) -> bool:
    """Whether the line tells what the answer does: "To answer your question, here are the steps:"."""
    return bool({"answer", "question", "summarize", "summarise", "sum"} & set(tree.lower[:8]))


def _situations(tree: Tree) -> Phrase | None:
    """What a line names at its end as cases: "You can refuse it in three situations:", not "in these cases:"."""
    noun = tree.size - 2
    named = noun > 1 and tree.words[-1] == ":" and SITUATIONS.search(tree.lower[noun]) and tree.has(noun, "case")
    pointing = tree.lower[noun - 1] in ("following", "these", "those", "such")
    return phrase(tree, noun_words(tree, noun)) if named and not pointing else None


def _heading(tree: Tree, drafts: list[Draft]) -> tuple[Heading | None, list[Draft]]:
    root = tree.root()
    complete = [draft for draft in drafts if draft.complete]
    led = root is not None and tree.has(root, "case") and not tree.has(root, "cop", "nsubj")
    if led and root is not None and tree.upos[root] in NOMINAL:
        return None, []  # "For the sauce:"
    if (duty := _duty(tree)) is not None:
        return duty, []
    if (what := _what(tree)) is not None:
        return what, []
    if complete and (situations := _situations(tree)) is not None:
        return Heading(situations, inferred(INCLUDE), situations=True), complete
    if tree.lower[0] in WH_WORDS and tree.head[0] == root and tree.words[-1] == ":":
        return None, []  # "How you get to the observatory:"
    if "here" in tree.lower[:8] or "below" in tree.lower[:1]:
        subjects = [
            word
            for word in range(tree.size)
            if tree.relation[word] in ("nsubj", "nsubj:outer") and tree.upos[word] in NOMINAL
        ]
        asked = any(
            tree.xpos[kid] in ("WP", "WRB", "WDT") for word in subjects for kid in tree.subtree(tree.head[word])
        )
        if asked and root is not None and tree.lower[root] in ("here", "below"):
            return None, []  # "Here's how the two plans compare:"
        if not subjects and root is not None and tree.upos[root] == "NOUN":
            subjects = [root]
        if not subjects:
            return None, []
        named = _named(phrase(tree, tree.subtree(subjects[0], OUTSIDE_HEADING)))
        many = tree.xpos[subjects[0]] in ("NNS", "NNPS")
        return (replace(named, holds_keys=many and named.holds_keys) if named else None), []
    if not complete and ADJECTIVE.match(" ".join(tree.words[:-1])):
        return _named(phrase(tree, range(tree.size - 1))), []  # "Not covered:"
    if not complete and root is not None and tree.upos[root] in NOMINAL:
        last = tree.size - 2
        subject = range(last)
        if root == last and LISTING_VERB.fullmatch(tree.lower[last]) and _names_one(tree, subject):
            return Heading(phrase(tree, subject), function_phrase(tree, [last])), []  # "The Vero contract offers:"
        noun = phrase(tree, tree.subtree(root, OUTSIDE_HEADING))
        outside = [relation for relation in OUTSIDE_HEADING if relation not in ("acl", "acl:relcl")]
        full = phrase(tree, tree.subtree(root, outside))  # "Costs you can deduct:"
        return _named(noun, _is_one(tree), full), []
    if any(map(announces_answer, complete)):
        return None, []
    if tree.lower[-2:] == ["to", ":"] and root is not None:
        begun = next((draft for draft in complete if draft.object.text.lower().split()[-1:] in ([], ["to"])), None)
        if begun is None:
            return _by_words(tree, "nsubj"), []
        whole = join(begun.predicate, begun.object).text.removesuffix(" to")
        return Heading(begun.subject, begun.predicate.as_resolved(f"{whole} to"), infinitive=True), []
    if tree.size > 2 and tree.lower[-2] in UNFINISHED and tree.words[-1] == ":":
        found = _unfinished(tree, complete)
        if found is not None:
            return found
    broken = _by_words(tree, "nsubj", "nsubj:pass") if tree.words[-1] == ":" and _breaks_off(tree) else None
    if broken is not None:
        return broken, []  # "See a doctor if the headache:"
    if tree.lower[-2:-1] == ["including"] or tree.lower[-3:-1] == ["such", "as"]:
        return None, complete  # "for various reasons, including:"
    fronted = [draft for draft in drafts if _is_fronted(draft)]
    drafts = [draft for draft in drafts if draft not in fronted]
    behind = _behind_place(tree, root) if fronted and not drafts and root == tree.size - 2 else None
    if behind is not None:
        return behind, []
    if _dangles(tree):
        return _led_by_preposition(tree, drafts)
    pointing = next((one for one in complete if one.subject.text.lower().startswith("following")), None)
    if pointing is not None and pointing.predicate.text.lower() not in LISTING:
        if pointing.rule == "copula" and root is not None and tree.upos[root] != "ADJ":
            return _named(pointing.object), []  # "The following are types of biryani:"
        rest = [draft for draft in drafts if draft is not pointing]
        return Heading(pointing.subject, pointing.predicate, of_items=pointing.object), rest
    there = next((draft for draft in complete if draft.rule == "existential"), None)
    if there is not None and len(complete) == 1:
        return _named(there.object), drafts  # "There are two possible reasons:"
    ending = [draft for draft in complete if tree.size > 1 and _reaches(tree, draft, tree.size - 2)]
    for rule in ("object", "intransitive", "copula"):
        opening = next((draft for draft in reversed(ending or complete) if draft.rule == rule), None)
        if opening is None:
            continue
        one = opening.predicate.text.lower().split()[:1] in (["is"], ["was"])
        predicate = inferred(INCLUDES if one else INCLUDE) if rule == "copula" else opening.predicate
        points_on = opening.object.text.lower().startswith(POINTING)
        if STEPS.search(opening.object.text) and opening.predicate.text.lower().endswith("follow"):
            return None, [draft for draft in drafts if not (points_on and draft is opening)]  # "Follow these steps:"
        if opening.subject.inferred and opening.object.text and not points_on:
            return None, drafts  # "Enable the account:"
        placed = LED_TO.match(opening.object.text)
        if placed is not None:  # "You can buy bikes at the following places:"
            said = opening.predicate if rule == "copula" else predicate  # "is different in the following ways"
            predicate = said.as_resolved(f"{said.text} {placed['lead']}")
        empty = rule == "intransitive" or points_on
        rest = [draft for draft in drafts if not (empty and draft is opening)]
        told = points_on and rule == "object" and STATEMENTS.search(opening.object.text) is not None
        instances = empty or placed is not None
        states = rule == "object" and not instances
        subject_of_all = subject_of_items(opening.subject)
        return Heading(subject_of_all, predicate, instances=instances, holds_keys=not told, is_statement=states), rest
    return None, drafts


def subject_of_items(subject: Phrase) -> Phrase:
    """The subject of a heading as that of its items: "three types of tea" -> "types of tea"."""
    text = LEADING_QUANTITY.sub("", subject.text)
    return subject.as_resolved(text) if text and text != subject.text else replace(subject, resolved=True)


def _dangles(tree: Tree) -> bool:
    """Whether a line ends with a preposition whose noun is the item: "You can pay with:", no "Sign in:"."""
    if tree.size < 3 or tree.words[-1] != ":" or tree.relation[-2] == "compound:prt":
        return False
    return tree.lower[-2] in DANGLING and not is_fragment(tree)


def _led_by_preposition(tree: Tree, drafts: list[Draft]) -> tuple[Heading | None, list[Draft]]:
    """The heading of "You can pay with:", and what else its line states."""
    for opening in reversed(drafts):
        if not opening.complete or opening.subject.inferred or not _reaches(tree, opening, tree.size - 3):
            continue
        said = join(opening.predicate, opening.object)
        led = said.wording.lower().split()[-1] == tree.lower[-2]
        words = said.wording if led else f"{said.wording} {tree.words[-2]}"
        rest = [draft for draft in drafts if draft is not opening]
        return Heading(subject_of_items(opening.subject), said.as_resolved(words), whole=True), rest
    return None, drafts


def _unfinished(tree: Tree, drafts: list[Draft]) -> tuple[Heading | None, list[Draft]] | None:
    """The heading of a line whose last clause its items complete: "New staff must:", "Do not take it if you are:".

    None if that is not clear.
    """
    last = tree.size - 2
    infinitive = tree.lower[last] not in FORMS_OF_BE
    if tree.lower[last] == "that":  # "Make sure that:", "The firm said that:", whose items are clauses
        teller = next((d for d in drafts if not d.subject.inferred and _reaches(tree, d, last - 1)), None)
        rest = [draft for draft in drafts if not _reaches(tree, draft, last - 1)]
        head = next((w for w in range(tree.size) if tree.relation[w].startswith("nsubj")), 0)
        written = tree.upos[head] == "NOUN" and not PERSON_NOUN.search(tree.lower[head])  # "The e-mail says that:"
        if teller is None or written:
            return None, rest
        words = join(teller.predicate, teller.object).wording.removesuffix(" that")
        return Heading(teller.subject, teller.predicate.as_resolved(f"{words} that"), infinitive=True), rest
    for draft in drafts:
        forms: list[tuple[Phrase, Phrase | None]] = [(join(draft.predicate, draft.object), None)]
        if infinitive:  # "If you lose your card, you should:"
            forms.append((draft.predicate, draft.object))
        for said, condition in forms:
            if said.text.lower().split()[-1] == tree.lower[last] and last in tree.within(said.spans):
                heading = Heading(draft.subject, said.as_resolved(said.wording), infinitive, condition=condition)
                return heading, [other for other in drafts if not _reaches(tree, other, last)]
    if tree.lower[last] in ("if", "when", "unless", "because"):
        by_words = _by_words(tree, "nsubj", "nsubj:pass", "expl")
        if by_words is not None:
            return by_words, []  # "This can happen when:"
    first = last - 1 if tree.lower[last] == "not" else last
    if first < 1 or tree.upos[first - 1] not in NOMINAL or not infinitive:
        return None
    head = first - 1
    while tree.relation[head] in ("flat", "compound") and tree.head[head] < first:
        head = tree.head[head]
    subject = phrase(tree, [word for word in noun_words(tree, head) if word < first])
    return Heading(subject, function_phrase(tree, range(first, last + 1)), infinitive), drafts


def _behind_place(tree: Tree, verb: int) -> Heading | None:
    """The heading of a line that ends with its verb: "In the box you will find:"."""
    subjects = tree.kids(verb, "nsubj")
    if not subjects or subjects[0] > verb:
        return None
    if SAYING.fullmatch(tree.lower[verb]) or STEPS.search(tree.lower[subjects[0]]):
        return None  # "For a child, the leaflet says:", "During the trip, these rules apply:"
    own = noun_words(tree, subjects[0])
    said = function_phrase(tree, range(max(own) + 1, verb + 1))
    return Heading(phrase(tree, own), said, condition=full_phrase(tree, range(min(tree.subtree(subjects[0])))))


def _breaks_off(tree: Tree) -> bool:
    """Whether a condition at the end has no verb."""
    marks = [word for word in range(tree.size - 6, tree.size - 2) if word > 1 and tree.lower[word] in ("if", "when")]
    return bool(marks) and not any(tree.upos[word] in ("VERB", "AUX") for word in range(marks[-1], tree.size))


def _duty(tree: Tree) -> Heading | None:
    """What is told to do, or not to: "What you may not do:", "Don'ts:", "You must never do the following:"."""
    words = " ".join(tree.lower)
    if FORBIDDEN.fullmatch(words):
        return Heading(inferred(TOLD), inferred("must not"), infinitive=True)
    match = DUTY.fullmatch(words)
    if match is None:
        return None
    subject = tree.lower.index(match["who"])
    said = range(subject + 1, subject + 1 + len(match["said"].split()))
    return Heading(phrase(tree, [subject]), function_phrase(tree, said), infinitive=True)


def _what(tree: Tree, end: int | None = None) -> Heading | None:
    """The heading of things that are needed or included: "What you'll need:", "What to bring", "What's included".

    `end`: of its words, if a value follows in its line.
    """
    start = 2 if tree.lower[0] in ("here", "below") and tree.lower[1:2] in (["is"], ["'s"], ["’s"]) else 0
    end = tree.size - (tree.words[-1] == ":") if end is None else end
    words = " ".join(tree.lower[start:end])
    if (state := WHAT_IS.match(words)) is not None:
        said = phrase(tree, range(tree.lower.index(state["what"].split()[0], start), end))
        said = said.as_resolved(f"not {said.text}") if state["denied"] else said
        return Heading(NOTHING, inferred(ARE), of_items=said)
    if (listed := WHAT_IT.match(words)) is not None:
        subject = range(start + 1, start + 1 + len(listed["who"].split()))
        if _names_one(tree, subject):
            return Heading(phrase(tree, subject), function_phrase(tree, range(subject.stop, end)))
    if (people := _who(tree, range(end))) is not None:
        return people
    match = WHAT_YOU.match(words)
    if match is None or tree.xpos[start + 1] not in ("NNS", "PRP", "TO"):
        return None
    who = inferred(TOLD) if match["who"] == "to" else phrase(tree, [start + 1])
    cut = end - len((match["rest"] or "").split())
    rest = full_phrase(tree, range(cut, end)) if cut < end else None  # "What to bring for the trip"
    return Heading(who, function_phrase(tree, range(start + 2, cut)), condition=rest)


def _who(tree: Tree, words: Sequence[int]) -> Heading | None:
    """The heading of those who do or are what a question asks: "Who can apply", no "Who should I call"."""
    heads = tree.heads_of(words)
    if len(heads) != 1 or len(words) < 3 or tree.lower[0] != "who":
        return None
    root = heads[0]
    if tree.kids(root, "nsubj", "nsubj:pass", "nsubj:outer", "csubj", "expl") != [0]:
        return None
    behind = 2 + (tree.lower[2] == "not")
    if tree.lower[1] in ("is", "are"):
        state = tree.upos[root] in ("ADJ", "NOUN") or tree.xpos[root] == "VBN"
        return Heading(NOTHING, inferred(ARE), of_items=phrase(tree, words[2:])) if state else None
    if tree.lower[1] not in MODALS:
        return None
    said = function_phrase(tree, words[1 : behind + 1])
    return Heading(NOTHING, said, of_items=phrase(tree, words[behind + 1 :]))


def _by_words(tree: Tree, *relations: str) -> Heading | None:
    """The heading of all words of a line behind its subject, which an instruction implies."""
    root = tree.root() or 0
    subjects = tree.kids(root, *relations)
    if subjects:
        own = tree.subtree(subjects[0])
        said = function_phrase(tree, range(max(own) + 1, tree.size - 1))
        return Heading(phrase(tree, own), said, infinitive=True)
    if is_imperative(tree, root):
        return Heading(inferred(TOLD), function_phrase(tree, range(root, tree.size - 1)), infinitive=True)
    return None


def _reaches(tree: Tree, draft: Draft, word: int) -> bool:
    """Whether what a draft says goes up to the word, or beyond."""
    return any(other >= word for other in tree.within(draft.predicate.spans + draft.object.spans))


def are_predicates(items: Sequence[Tree]) -> bool:
    """Whether the items of a heading that is only a noun go on with its verb: "are expensive", "never expire"."""
    finite = [item for item in items if opens_with_verb(item) and item.words[-1:] != ["?"]]
    if finite and 2 * len(finite) >= len(items):
        return True  # others may go on with a bare verb: "provide support"
    sure = any(item.lower[:1] in ([form] for form in (*FORMS_OF_BE[:4], "can", "cannot")) for item in finite)
    return sure and all(item.upos[0] in ("VERB", "AUX") and not item.has_clause() for item in items)


def are_commands(items: Sequence[Tree]) -> bool:
    """Whether most items of a list are steps: "Dice two carrots", also where the verb is read as a noun."""
    sure = sum(item.root() == 0 and item.xpos[0] == "VB" for item in items)
    return sure > 0 and 2 * (sure + sum(map(_is_misread_command, items))) >= len(items)


def _is_misread_command(tree: Tree) -> bool:
    """ "Dice two carrots": no noun stands in front of a number or an article."""
    return tree.size > 2 and tree.upos[0] in NOMINAL and tree.upos[1] in ("NUM", "DET") and tree.head[1] > 1


def are_places(items: Sequence[Tree]) -> bool:
    """Whether all items of a list are phrases with a preposition: "by phone on weekdays"."""
    return bool(items) and all(
        (root := item.root()) is not None and item.upos[0] == "ADP" and not item.has_clause() and item.has(root, "case")
        for item in items
    )


def with_object(heading: Heading, drafts: Sequence[Draft]) -> Heading:
    """A heading with what its line acts on: "You can reach the office:", "by phone on weekdays"."""
    for draft in drafts:
        if draft.predicate.text == heading.predicate.text and draft.object.text:
            said = join(draft.predicate, draft.object)
            return replace(heading, predicate=said.as_resolved(said.wording))
    return heading


def opens_with_verb(tree: Tree) -> bool:
    """Whether the words are a predicate without its subject: "never expires", "can be used online"."""
    skipped = ("never", "no", "longer", "also", "still", "only", "always", "usually", "often", "sometimes")
    words = [word for word in range(tree.size) if tree.upos[word] != "PUNCT" and tree.lower[word] not in skipped]
    if not words or tree.upos[words[0]] not in ("VERB", "AUX") or tree.has_clause():
        return False
    return tree.xpos[words[0]] in ("VBZ", "MD") or tree.lower[words[0]] in ("are", "were", "have", "was", "had")


def _is_fronted(draft: Draft) -> bool:
    """Whether what the heading says is only what stands in front of it: "For mild cases, the symptoms may include:"."""
    said, target = draft.predicate.spans, draft.object.spans
    return draft.rule == "oblique" and bool(said and target) and max(span.end for span in target) <= said[0].start


def _named(subject: Phrase, one: bool = False, full: Phrase | None = None) -> Heading | None:
    """`one`: the subject is a singular. `full`: it with its clauses."""
    text = LEADING_QUANTITY.sub("", subject.text.rstrip(": "))
    text += ")" * (text.count("(") - text.count(")"))
    if not text or ABOUT_THE_ANSWER.fullmatch(text):
        return None
    if ADJECTIVE.match(text.partition(" (")[0]):  # "Common (1 in 10 people):"
        return Heading(NOTHING, inferred(ARE), of_items=subject.as_resolved(text[:1].lower() + text[1:]))
    if full is not None and full.text != subject.text:
        text = LEADING_QUANTITY.sub("", full.text.rstrip(": "))
        text += ")" * (text.count("(") - text.count(")"))
    holds_keys = not (TASKS.search(text) or KEY_POINTS.search(text))
    return Heading(subject.as_resolved(text), inferred(INCLUDES if one else INCLUDE), holds_keys=holds_keys)


def _is_one(tree: Tree) -> bool:
    root = tree.root()
    return root is not None and tree.xpos[root] in ("NN", "NNP") and not tree.has(root, "conj")


def _names_one(tree: Tree, words: Sequence[int]) -> bool:
    """Whether the words are a noun phrase of one thing, with its article: "The Vero contract"."""
    if len(words) < 2 or tree.upos[words[-1]] not in NOMINAL or tree.xpos[words[-1]] in ("NNS", "NNPS"):
        return False
    return tree.upos[words[0]] == "DET" and all(tree.upos[word] in (*NOMINAL, "DET", "ADJ", "NUM") for word in words)


def topic_below(tree: Tree) -> Topic | None:
    """What the lines below a title or a heading are about: "Minimum requirements", "limits for hotels". None if unsaid.

    Of a heading that is a clause it is what "the following" names.
    """
    if (facts := _about_what(tree)) is not None:
        return facts
    if tree.has_verb():
        root = tree.root()
        subjects = tree.kids(root, "nsubj") if root is not None else []
        if root is not None and subjects and VARYING.match(tree.lower[root]) and tree.upos[subjects[0]] == "NOUN":
            return Topic(phrase(tree, noun_words(tree, subjects[0])))  # "Your notice period depends on your service:"
        pointers = [word for word in range(tree.size) if tree.lower[word] in ("following", "these")]
        if not pointers or tree.head[pointers[0]] <= pointers[0]:
            return None
        noun = tree.head[pointers[0]]
        words = [word for word in noun_words(tree, noun) if tree.lower[word] not in ("the", "following", "these")]
    else:
        words = [word for word in range(tree.size) if tree.words[word] != ":"]
        if "here" in tree.lower or "?" in tree.words:
            return None
    found = phrase(tree, words)
    about = ABOUT_THE_ANSWER.fullmatch(found.text) or OF_SOURCE.match(found.text) or IN_SHORT.fullmatch(found.text)
    if about or not 0 < len(found.text.split()) <= MAX_KEY_WORDS:
        return None
    root = tree.root()
    return Topic(found, many=root is not None and (tree.xpos[root] == "NNS" or tree.lower[root] == "list"))


def _about_what(tree: Tree) -> Topic | None:
    """What a line says that all below is about: "Here are the key facts about the Nordby bridge:"."""
    for word in range(1, tree.size):
        told = tree.relation[word] in ("nmod", "obl") and _are_facts(tree, tree.head[word])
        led = any(tree.lower[case] in ("about", "on", "of", "regarding") for case in tree.kids(word, "case"))
        own = any(tree.lower[kid] in ("your", "my", "our") for kid in tree.kids(word, "nmod:poss"))
        if told and led and not own and tree.head[word] < word and tree.upos[word] in NOMINAL:
            found = phrase(tree, noun_words(tree, word))
            named = not SOURCE_NOUN.search(found.text) and 0 < len(found.text.split()) <= MAX_KEY_WORDS
            return Topic(found) if named else None
    return None


def _are_facts(tree: Tree, noun: int) -> bool:
    """Whether a line announces facts with its noun: "Here are the details", no "The details depend on the weather"."""
    above = tree.head[noun]
    key = any(tree.lower[kid] in ("key", "main", "important") for kid in tree.children[noun])
    announced = above == noun or tree.lower[above] in ("here", "below")
    return announced and (tree.lower[noun] in FACTS or (tree.lower[noun] == "points" and key))


def _names_circumstance(draft: Draft) -> bool:
    """Whether the key of a pair is a case or an amount, which its value is not: "During probation: two weeks"."""
    key = draft.subject
    amounts = any(map(str.isdigit, key.text)) and AMOUNT_OF.search(key.text) is not None
    return not key.resolved and (CIRCUMSTANCE.match(key.text) is not None or amounts)


def under(topic: Topic | None, drafts: Sequence[Draft]) -> list[Draft]:
    """The claims of a line with the topic above it. Without one, a key that is only a case makes none."""
    if topic is not None:
        return topic.holds(drafts)
    return [draft for draft in drafts if draft.rule != "pair" or not _names_circumstance(draft)]


def title_heading(tree: Tree) -> Heading | None:
    """The heading that a title gives the list right below it: "**Requirements**", "### Before you measure"."""
    if (condition := circumstance(tree)) is not None:
        return replace(bare_heading(condition), commands=not tree.has_verb())
    if (duty := _duty(tree)) is not None:
        return duty  # "## Don'ts"
    if (what := _what(tree)) is not None:
        return what
    if ADJECTIVE.match(" ".join(word for word in tree.words if word != ":")):
        return _named(phrase(tree, range(tree.size)))  # "**Not covered:**"
    if tree.has_verb():
        return None  # "## What you can bring"
    named = _named(phrase(tree, range(tree.size)), _is_one(tree))
    return replace(named, holds_keys=False) if named else None


def first_task(text: str) -> int:
    """Where the first word of a text ends that says that tasks follow: "Next steps". Its length if there is none."""
    found = TASKS.search(text)
    return len(text) if found is None else found.end()


def assigned(tree: Tree, drafts: list[Draft], *, tasked: bool) -> list[Draft]:
    """The drafts of "Priya Nair: book the hall": the task is that of the person in front of the colon.

    `tasked`: a word in front of the line says that tasks follow.
    """
    found = pair(tree.response, tree.sentence)
    if found is None or not any(draft.subject.text == TOLD for draft in drafts):
        return drafts
    if TASKS.fullmatch(found[0].text):
        return []  # "Next steps: test it again": who does it is not said
    names = found[0].text.split()
    joints = {"and", "&"} & set(names)
    if not (tasked or names == ["Everyone"]) or len(names) > (5 if joints else 3):
        return drafts
    if any(pattern.fullmatch(found[0].text) for pattern in (WEEKDAYS, PEOPLE, TIME)):
        return drafts
    if not all((name[:1].isupper() and name.strip(",").isalpha()) or name in joints for name in names):
        return drafts
    duty = ARE if joints else IS

    def given(draft: Draft) -> Draft:
        said = draft.predicate.text
        not_told = said.removeprefix("do not ").removeprefix("don't ")
        words = f"{duty} to {said}" if said == not_told else f"{duty} not to {not_told}"
        return replace(draft, subject=found[0], predicate=replace(draft.predicate, wording=words, resolved=True))

    return [given(draft) if draft.subject.inferred else draft for draft in drafts]


def scoped(tree: Tree, drafts: list[Draft]) -> list[Draft]:
    """The drafts with the scope that their label gives them.

    "Children: take one tablet" is said of children, "Sundays: the shop is closed" of Sundays, "If frozen: ..." of that
    case. Other labels only name what their line is about ("Price: ...").
    """
    labelled = pair(tree.response, tree.sentence)
    if labelled is None:
        return drafts
    key, text = labelled[0], labelled[0].text
    bare = text[4:] if text.lower().startswith("for ") else text
    people = _are_people(bare)
    days = WEEKDAYS.fullmatch(text) is not None
    timed = TIME.fullmatch(text) is not None  # of a timeline
    signal = SIGNAL.fullmatch(text) is not None
    if not (people or days or signal or timed or CASE.fullmatch(text)):
        return drafts
    capital = signal or timed or (days and not text.lower().startswith(("week", "public", "bank")))  # "Sundays"
    lead = "for " if people and bare is text else "on " if days else "in " if timed else "at " if signal else ""
    scope = key.as_resolved(lead + (text if capital else text[:1].lower() + text[1:]))
    found = []
    for draft in drafts:
        told = draft.subject.text == TOLD
        if people and told and OWN_ACT.match(draft.predicate.text):
            found.append(replace(draft, subject=key.as_resolved(bare)))
        elif people and bare.lower() in draft.subject.text.lower():
            found.append(draft)  # "Dogs: only guide dogs are allowed"
        elif not people or told or _is_rule(draft):
            found.append(replace(draft, object=join(draft.object, scope)))
        else:
            found.append(draft)  # "Children: Ada Berg has two sons"
    return found


def _are_people(label: str) -> bool:
    """Whether a label names people: "Pregnant patients", "Two- and three-year-olds"."""
    return PEOPLE.fullmatch(QUALIFIER.sub("", label)) is not None or label.lower().endswith("-year-olds")


def _is_theirs(tree: Tree, key: Phrase, value: Phrase) -> bool:
    """Whether a value is what the people of its key get or need, which they are not: "Visitors: photo ID"."""
    if not _are_people(key.text) or MONEY.search(value.text):
        return False
    words = tree.within(value.spans)
    heads = tree.heads_of(words)
    return any(
        (tree.upos[head] == "NOUN" or (tree.upos[head] == "NUM" and tree.has(head, "nmod")))
        and not tree.has(head, "case", "cop")
        and not PERSON_NOUN.search(tree.lower[head])
        for head in heads
    )


def _is_rule(draft: Draft) -> bool:
    """Whether a draft states what holds for people: "the fee is ...", "the pool is closed", no "Ada Berg has sons"."""
    subject = draft.subject.text
    if OF_PEOPLE.search(subject):
        return True
    named = sum(word[:1].isupper() for word in subject.split()) > 1 or any(map(str.isdigit, subject))
    return not named and HOLDS.match(draft.predicate.text) is not None


def labelled_claims(tree: Tree, label: str, drafts: Sequence[Draft], *, told: bool = False) -> list[Draft]:
    """The claims of a line with its label, which says what they hold for: "Labs: attendance is mandatory".

    Those that name it, or that have a subject of their own ("Ada Berg", "the pump" by its pronoun), stay as they are.
    `told`: only those about the reader or the speaker get it.
    """
    body = {word[:STEM] for word in tree.lower}
    words = [word.lower() for word in re.findall(r"\w+", label)]
    coded = any(CODE.fullmatch(word) and word not in body for word in words)  # "E2 – drain: clean the drain filter"
    repeated = {word[:STEM] for word in words if len(word) > 3} & body if not coded else set()
    if not words or OF_ANSWER.fullmatch(label):
        return list(drafts)
    found = []
    for draft in drafts:
        named = draft.rule != "existential" or any(word[:STEM] in repeated for word in draft.wording.lower().split())
        if repeated and named:  # "Your dog: there's no charge, but add the dog to your booking"
            found.append(draft)
            continue
        subject = draft.subject.text
        if EVERY.match(subject):
            continue  # "Train: every 15 minutes, takes 22 minutes"
        own = draft.subject.resolved or (subject[:1].isupper() and subject != TOLD and not _is_common(tree, draft))
        own = own or (told and subject.lower().split(" ")[0] not in ("you", "your", "we", "our"))
        if draft.rule not in ("pair", "table", "list") and not own:
            draft = replace(draft, subject=_under_label(tree, label, draft.subject))
        found.append(draft)
    return found


def _under_label(tree: Tree, label: str, subject: Phrase) -> Phrase:
    """A subject with its label: "Labs: attendance", "Eleven specimens".

    Of "Heat: You" or "Soil: Fine shells" only the wording has it.
    """
    words = tree.within(subject.spans)
    if len(words) == 1 and tree.upos[words[0]] == "NUM" and MANY_THINGS.search(label):
        return subject.as_resolved(f"{subject.text} {label[:1].lower()}{label[1:]}")
    wording = f"{label}: {subject.wording}"
    told = subject.inferred and subject.text == TOLD
    many = any(tree.xpos[word] == "NNS" and tree.relation[word] in ("nsubj", "nsubj:pass") for word in words)
    described = many and any(tree.relation[word] in ("amod", "compound", "nmod") for word in words)
    described = described and not any(tree.has(word, "det", "nummod") for word in words)
    return replace(subject, wording=wording, resolved=True) if told or described else subject.as_resolved(wording)


def measured(tree: Tree, drafts: list[Draft]) -> list[Draft]:
    """The drafts of "Dose: 5 ml, measured with a syringe": all of the value is said of the dose."""
    labelled, root = pair(tree.response, tree.sentence), tree.root()
    if labelled is None or root is None or not tree.has(root, "nummod") or tree.has_clause():
        return drafts
    said = [draft for draft in drafts if root in tree.within(draft.subject.spans) and draft.rule != "pair"]
    if not said:
        return drafts
    return [*pair_drafts(tree.response, *labelled), *(draft for draft in drafts if draft not in said)]


def _is_common(tree: Tree, draft: Draft) -> bool:
    """Whether no word of the subject is a name: a capital only begins its line."""
    words = tree.within(draft.subject.spans)
    return bool(words) and all(tree.upos[word] != "PROPN" for word in words)


def is_repeated(label: str, first: str) -> bool:
    """Whether a line begins with its label as a command: "Pruning: Prune in March"."""
    said, told = (ENDING.sub("", word.lower()) for word in (label.split()[0], first))
    return said == told and len(said) > 2 and first.lower() not in ("the", "our", "your")


def is_fragment(tree: Tree) -> bool:
    """Whether the words are no clause: neither with a subject nor an instruction ("leave it out")."""
    root = tree.root()
    return not tree.has_clause() and (root is None or not is_imperative(tree, root))


def has_finite_verb(tree: Tree) -> bool:
    """Whether a fragment has a verb whose subject it leaves out: "stops at 35 °C"."""
    return any(tree.upos[word] == "VERB" and tree.xpos[word] in ("VBD", "VBZ") for word in range(tree.size))


def labelled(tree: Tree) -> tuple[Phrase, Phrase] | None:
    """Key and value of a line whose value is no clause: "Status: shipped", not "Thu: swam 2 km"."""
    root = tree.root()
    told = root is not None and tree.upos[root] == "VERB" and tree.xpos[root] in ("VBD", "VBZ", "VBP")
    return pair(tree.response, tree.sentence) if is_fragment(tree) and not told else None


def pair(response: str, sentence: Span) -> tuple[Phrase, Phrase] | None:
    """Key and value of a "key: value" line."""
    match = PAIR.fullmatch(response, sentence.start, sentence.end)
    if match is None or not any(character.isalnum() for character in match["key"]):
        return None
    if match["key"].count("(") != match["key"].count(")"):
        return None  # "Colon cancer (alternative colour: blue)"
    if len(match["key"].partition(" (")[0].split()) > MAX_KEY_WORDS:
        return None
    value = _uncited(match["value"])
    start = match.start("value")
    if not value:
        return None
    return (
        literal(response, Span(match.start("key"), match.end("key"))),
        literal(response, Span(start, start + len(value))),
    )


def _uncited(value: str) -> str:
    """A value without the sources behind it: "80 m [1] [2]." -> "80 m"."""
    for match in reversed(list(CITATION.finditer(value))):
        if value[match.end() :].strip(VALUE_END):
            break
        value = value[: match.start()]
    return value.rstrip(VALUE_END)


def split_label(response: str, sentence: Span) -> tuple[str, Span]:
    """The key of a "key: value" line whose value is long enough for a clause, and where the value stands.

    "" and the whole sentence for any other.
    """
    found = pair(response, sentence) or _dashed_pair(response, sentence)
    if found is None or len(found[1].text.split()) < MIN_CLAUSE_WORDS:
        return "", sentence
    key = found[0].text
    if len(key.split()) > MAX_LABEL_WORDS or CLAUSE.search(key):
        return "", sentence
    return key, Span(found[1].spans[0].start, sentence.end)


def _dashed_pair(response: str, sentence: Span) -> tuple[Phrase, Phrase] | None:
    """Key and value of "**88'** – Lamm scored the winner": a number in bold before a dash."""
    match = DASHED.fullmatch(response, sentence.start, sentence.end)
    if match is None or not match[0].startswith("**") or not any(map(str.isdigit, match["key"])):
        return None
    return literal(response, Span(*match.span("key"))), literal(response, Span(*match.span("value")))


def is_dashed(tree: Tree) -> bool:
    """Whether the item is a name with a description: "Saturn – bright rings". How they belong together stays open."""
    match = DASHED.fullmatch(tree.response, tree.sentence.start, tree.sentence.end)
    root = tree.root()
    if match is None or root is None or len(match["key"].split()) > 4 or CLAUSE.search(match["key"]):
        return False
    if match[0].startswith("**"):
        return True  # "**No substitutes** – the item is removed"
    described = match["value"].split()[0].lower() in ("a", "an", "the")
    return not described and tree.upos[root] in NOMINAL and not tree.has(root, "nsubj", "cop")


def literal(response: str, span: Span) -> Phrase:
    """The words of the span, without Markdown marks."""
    parts: list[Span] = []
    start = span.start
    for match in [*MARKS.finditer(response, span.start, span.end), None]:
        end = match.start() if match else span.end
        if response[start:end].strip():
            parts.append(Span(start, end))
        start = match.end() if match else end
    text = "".join(part.of(response) for part in parts).strip()
    return Phrase(text, tuple(_stripped(response, part) for part in parts), text)


def _amounts_of_each(response: str, value: Phrase, items: Sequence[Phrase]) -> list[Phrase]:
    """The amounts of "4 weeks for books and maps, 1 week for games": each holds for all that "for" names behind it."""
    whole = _whole(value)
    cuts = [match.start() for match in NEXT_AMOUNT.finditer(response, whole.start, whole.end)]
    parts = [Span(start, end) for start, end in zip([whole.start, *cuts], [*cuts, whole.end], strict=True)]
    parts = [
        Span(part.start + len(part.of(response)) - len(part.of(response).lstrip(", ")), part.end) for part in parts
    ]
    if not cuts or len(items) <= len(parts) or not all(AMOUNT_FOR.match(part.of(response)) for part in parts):
        return []
    return [literal(response, part) for part in parts]


def _stripped(response: str, span: Span) -> Span:
    text = span.of(response)
    return Span(span.start + len(text) - len(text.lstrip()), span.end - len(text) + len(text.rstrip()))


def keyed(tree: Tree, key: Phrase, value: Phrase, drafts: Sequence[Draft]) -> list[Draft]:
    """The claims of a "key: value" line whose value is no clause: "Status: shipped", "Bikes: must be folded".

    `drafts`: those of the value alone.
    """
    if (noted := _unneeded(tree)) is not None:
        return [noted]
    if not opens_with_verb(tree):
        return [] if _is_theirs(tree, key, value) else pair_drafts(tree.response, key, value)
    if CIRCUMSTANCE.match(key.text) or ATTRIBUTE.match(key.text) or OF_ANSWER.fullmatch(key.text):
        return []
    said = [draft for draft in drafts if not draft.subject.text and draft.predicate.spans]
    return [replace(draft, subject=key.as_resolved(key.text)) for draft in said]


def _unneeded(tree: Tree) -> Draft | None:
    """The claim of a value such as "no deposit required on weekdays", which its key is not."""
    root = tree.root()
    done = [] if root is None else [kid for kid in tree.kids(root, "acl") if tree.xpos[kid] == "VBN"]
    if root is None or not done or not any(tree.lower[kid] == "no" for kid in tree.kids(root, "det")):
        return None
    noun = phrase(tree, noun_words(tree, root, without=("acl",)))
    said = join(inferred(ARE if tree.xpos[root] == "NNS" else IS), function_phrase(tree, [done[0]]))
    return Draft(noun, said, full_phrase(tree, [word for word in tree.subtree(done[0]) if word > done[0]]), "note")


def pair_drafts(response: str, key: Phrase, value: Phrase) -> list[Draft]:
    """The claims of a "key: value" line: one, or one for each item of a value that enumerates."""
    if is_repeated(key.text, value.text.split()[0]):
        return []
    asking = any(TITLE_VALUE.match(part.text) for part in (key, value))
    if NONE_OF.match(value.text):
        return []  # "Food: Nothing to eat after midnight" reads as it stands, not with "is"
    if asking or SECOND_KEY.search(value.text) or OF_SOURCE.fullmatch(key.text):
        return []
    nested = "; " in value.text and ", " in value.text
    items = [] if nested else enumeration(response, _whole(value))
    if amounts := _amounts_of_each(response, value, items):
        return [Draft(key, inferred(ARE if MANY_THINGS.search(key.text) else IS), item, "pair") for item in amounts]
    if key.text.lower().startswith("not "):
        if not ADJECTIVE.match(key.text):
            return []  # "Not suitable for: children"
        items = items or [value]  # "Not in the kit: scissors"
    described = ADJECTIVE.match(key.text.partition(" (")[0])
    if described and not nested:
        items = items or [value]  # "Common: headache"
    if items and (not ATTRIBUTE.match(key.text) or described):
        if described:  # "Covered: the pump, ...", "Common (1 in 10 people): ..."
            said = key.as_resolved(key.text[:1].lower() + key.text[1:])
            many = [
                MANY_THINGS.search(BEHIND_NOUN.split(item.text)[0]) or SEPARATOR.search(item.text) for item in items
            ]
            verbs = [inferred(ARE if several else IS) for several in many]
            return [Draft(item, verb, said, "pair") for item, verb in zip(items, verbs, strict=True)]
        if CONTACT.search(value.text) or LED.match(key.text):
            return []  # "Contact: Orsa Service, phone 0800 555, Monday to Friday"
        one = not MANY_THINGS.search(key.text) and key.text.lower().split()[-1] not in MANY_NOUNS
        return [Draft(key, inferred(INCLUDES if one else INCLUDE), item, "pair") for item in items]
    if ATTRIBUTE.match(key.text) or TIME.fullmatch(key.text) or "; " in value.text:
        return []  # "Founded: 1848", "1911: Founded by two brothers"
    named = BEHIND_NOUN.split(key.text)[0]  # "Gap" of "Gap between doses"
    return [Draft(key, inferred(ARE if MANY_THINGS.search(named) else IS), _without_article(value), "pair")]


def answered(tree: Tree) -> list[Draft]:
    """The claims of "Who can join: anyone over 16", "What you'll need: a towel", or [] for any other line."""
    found = pair(tree.response, tree.sentence)
    if found is None:
        return []
    key, value = found
    words = tree.within(value.spans)
    heads = tree.heads_of(words)
    clause = any(tree.relation[word] in ("nsubj", "nsubj:pass", "cop", "expl") for word in words)
    if clause or not heads or any(tree.upos[head] not in (*NOMINAL, "PRON", "NUM", "SYM") for head in heads):
        return []
    asked = tree.within(key.spans)
    if _who(tree, asked) is not None:
        able = tree.lower[1] in MODALS and tree.lower[words[0]] != "no"
        return [Draft(value, function_phrase(tree, asked[1:]), NOTHING, "question")] if able else []
    what = _what(tree, len(asked)) if asked else _what_of_label(key)
    if what is None or what.condition is not None:
        return []  # "What to bring for the trip: a towel" stays whole
    items = enumeration(tree.response, _whole(value)) or [value]
    if what.of_items is not None:
        return [replace(what.item(item, _is_plural(tree, item)), rule="question") for item in items]
    return [replace(what.item(_without_article(item)), rule="question") for item in items]


def _what_of_label(key: Phrase) -> Heading | None:
    """The heading of a key that stands outside the tree, since its value has a tree of its own."""
    words = CLITIC.sub(" ", key.text.lower())
    if (state := WHAT_IS.match(words)) is not None:
        denied = "not " if state["denied"] else ""
        return Heading(NOTHING, inferred(ARE), of_items=key.as_resolved(f"{denied}{state['what']}"))
    match = WHAT_YOU.match(words)
    if match is None or match["rest"]:
        return None
    _, subject, said = key.text.split(" ", 2)
    if not subject.isalnum():
        return None  # "What guests'll need"
    return Heading(inferred(TOLD) if subject == "to" else key.as_resolved(subject), key.as_resolved(said))


def _is_plural(tree: Tree, item: Phrase) -> bool:
    heads = tree.heads_of(tree.within(item.spans))
    return len(heads) > 1 or any(tree.xpos[head] in ("NNS", "NNPS") or tree.has(head, "conj") for head in heads)


def _without_article(value: Phrase) -> Phrase:
    """A value as a slot: "The owner of the shop" -> "owner of the shop"."""
    match = OPENING_ARTICLE.match(value.text)
    if match is None:
        return value
    first = Span(value.spans[0].start + match.end(), value.spans[0].end)
    wording = value.text[:1].lower() + value.text[1:]
    return Phrase(value.text[match.end() :], (first, *value.spans[1:]), wording)


def _whole(phrase: Phrase) -> Span:
    return Span(phrase.spans[0].start, phrase.spans[-1].end)


def enumerated_pair(tree: Tree) -> list[Draft]:
    """The claims of "Breads: rye, wheat, spelt", or [] for anything else."""
    key_value = pair(tree.response, tree.sentence)
    if key_value is None:
        return []
    items = enumeration(tree.response, _whole(key_value[1]))
    if not items or not all(_is_nominal(tree, item) for item in items) or _is_theirs(tree, *key_value):
        return []
    return pair_drafts(tree.response, *key_value)


def _is_nominal(tree: Tree, item: Phrase) -> bool:
    """Whether an item is no clause and no participle: not "done while you wait", "each works once"."""
    words = tree.within(item.spans)
    if not words:
        return False
    finite = len(words) > 1 and any(tree.xpos[word] in VERBS and tree.upos[word] in ("VERB", "AUX") for word in words)
    participle = tree.xpos[words[0]] in ("VBN", "VBG") and tree.relation[words[0]] != "amod"
    return not finite and not participle


def enumeration(response: str, span: Span) -> list[Phrase]:
    """The items of "A, B and C" if the span consists of three or more short items, else an empty list."""
    text = span.of(response)
    cuts = [(match.start(), match.end()) for match in SEPARATOR.finditer(text)]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    items = []
    for start, end in zip(starts, ends, strict=True):
        while start < end and text[start] in " *_\t":
            start += 1
        while end > start and text[end - 1] in " *_.;\t":
            end -= 1
        if start < end:
            items.append(literal(response, Span(span.start + start, span.start + end)))
    dated = [DATED.search(item.text) is not None for item in items]
    if any(dated) and not all(dated):
        return []  # a date, a time and a place are no list
    sizes = [len(item.text.split()) for item in items]
    if len(items) < 3 or max(sizes) > 6 or 2 * sum(sizes) > 7 * len(items):
        return []
    if any(
        NO_ITEM.match(item.text)
        or (item.text.islower() and item.text.endswith("ly"))
        or not item.text[0].isalnum()
        or ": " in item.text
        or item.text.count("(") != item.text.count(")")  # "M1 (red, 1971)" was cut
        for item in items
    ):
        return []
    return items


def enumeration_after_colon(response: str, sentence: Span) -> int | None:
    """Where the enumeration of "The members are: A, B and C" begins."""
    colon = response.find(": ", sentence.start, sentence.end)
    if colon < 0 or len(response[sentence.start : colon].split()) < 3:
        return None
    start = colon + 2
    return start if enumeration(response, Span(start, sentence.end)) else None
