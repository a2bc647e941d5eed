"""Guards against proposals that are no corrections: refusals, prefaces, repetitions, markup, broken sentences.

A checker judges claims. It does not see that an answer begins with "Here is the corrected text:", or that a sentence
ends with "won the.". Each guard compares the text with and without the edits: what stood there before is no objection.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graph_eval.correctors.splice import applied
from graph_eval.text.language import is_english
from graph_eval.text.normalise import STOP_WORDS, content_words, stem
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Passage, Span

MOST_GROWTH, GROWTH_ROOM = 2.0, 80  # a text may grow to this multiple, and by this many characters
LEAST_LEFT, SHRINKAGE_ROOM = 0.5, 80  # and shrink to this share, and by this many characters
OPENING = 200  # characters at the start of a text in which a refusal or a preface stands
_TEXT = r"(?:text|claim|response|answer|statement|sentence|version|correction)"
REFUSAL = re.compile(
    r"\A\W{0,5}(?:(?:i['’]m|i am|we are|we['’]re) (?:very |really )?sorry\b|sorry\b|(?:i|we) apologi[sz]e\b"
    r"|(?:unfortunately,? |i['’]m afraid,? )?(?:i|we) (?:can['’]?t|cannot|can not|(?:am|are) (?:unable|not able)"
    r"|could not|couldn['’]t|do not (?:have|know)|don['’]t (?:have|know)|must decline)|as an? (?:ai|language model)"
    r"|(?:unable to|cannot|can['’]t) (?:be )?(?:correct|determine|verif|confirm|answer)"
    rf"|(?:the|this) {_TEXT} (?:is|seems|appears|cannot|can['’]t)\b.{{0,30}}\b(?:correct|wrong|accurate|fine)"
    r"|(?:there (?:is|are) )?(?:no|nothing to) (?:correct|change|error|mistake|information|evidence))",
    re.IGNORECASE,
)
FIRST_PERSON = re.compile(r"\A\W{0,5}(?:i|we)\b", re.IGNORECASE)
_NEW = r"(?:corrected|revised|rewritten|updated|fixed|edited)"
PREFACE = re.compile(
    r"\A\W{0,5}(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^\n:]{0,80}[:!\n]"
    r"|here (?:you go|it is|is|are)\b[^\n:]{0,80}[:\n]|(?:output|result|explanation|edit|rewrite)[^\w\n]{0,3}:"
    rf"|(?:[^\n:.!?]{{0,80}}\b)?(?:{_NEW}|{_TEXT})\b[^\n:.!?]{{0,40}}:)",
    re.IGNORECASE,
)
# Words about the correction or its request, instead of words of the text.
REMARK = re.compile(
    r"\b(?:according to|based on|as per|as stated in|per|in|from) (?:the|this|your) (?:provided |given )?"
    r"(?:context|passages?)\b"
    r"|\bthe (?:context|passages?|text|source) (?:do|does)(?: not|n['’]t) \w+"
    r"|\bthe (?:original )?(?:claim|response) (?:is|was|said|says|stated|states|gave|gives) \w+"
    r"|\bas (?:the|this) (?:context|passage|text|source|document|article) (?:says?|stat|mention|not|describ)\w*"
    r"|\bas (?:stated|mentioned|noted|given)(?=\s*(?:[.,;)!]|\Z))"
    r"|\bit is (?:unknown|unclear|not known) (?:whether|if|when|who|where|what|why|how|which)\b|\(p\d{1,3}\)"
    r"|\b(?:according to|as per|per|see) p\d"
    r"|\b(?:since|because) the (?:context|passages?|source|text)\b|\b(?:context|passage) ?\d+\b"
    r"|\b(?:not|isn['’]t) (?:mentioned|specified|stated|given|provided)"
    r"(?=\s*(?:[.,;)!]|\Z)| in (?:the|context|passage)\b| here\b)"
    r"|\b(?:let me know|feel free to|i hope (?:this|that|it)|would you like me)\b"
    rf"|(?:^|\n)[^\w\n]{{0,5}}note\b ?:|\bi(?:['’]ve| have)? (?:{_NEW}|changed|replaced|removed)\b"
    rf"|\((?:{_NEW}|changed|incorrect|wrong|formerly|previously|originally|was|instead of|not \d+)\b",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"\b(?:https?|ftp|file|data|javascript|mailto):\S+|\bwww\.\S+", re.IGNORECASE)
DOUBLED = re.compile(r"\b(\w+)[ \t]+\1\b(?![-'’]\w)", re.IGNORECASE)
DETERMINERS = re.compile(r"\b(?:[Aa]n?|[Tt]he) (?:an?|the)\b")
MAY_DOUBLE = frozenset({"had", "that", "is", "very", "really", "bye", "no", "so", "long", "many", "much"})
# In lower case only: "hepatitis A.", "... in OR." and "12 in." are whole.
HANGING = re.compile(
    r"(?<!\d )\b(?:a|an|the|of|to|in|on|by|for|with|from|at|into|onto|and|or|but|than|as|its|their|my|our|your)"
    r"[ \t]*(?=[.!?;,:)]|\Z)"
)
STOPS = ".!?…"
# Stops that do not follow each other: "1903..", "1903.,", "the tower ." An abbreviation may end with one: "Inc.,".
DOUBLED_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)|(?<=\d)\.,|[!?,][.,]|\w [.,;!?](?=\s|\Z)")
MARKUP = re.compile(
    r"</?[A-Za-z!][^>\n]{0,200}>?|<\||~~|^[ ]{0,3}(?:#{1,6}|[-*•])[ ](?=\w|\Z)"
    r"|\[\[|\]\]|<<<|>>>|```|\*\*|__|\[[a-z][a-z ]{0,30}\]"
    r"|(?<![\w*])\*\w[^*\n]{0,80}\*(?!\w)|\$\S[^$\n]{0,80}\$(?!\d)|&(?:[a-z]{2,8}|#\d{1,6});|\\[a-z]+\{",
    re.MULTILINE,
)
QUOTATION = "\"'“”«»"
STRAIGHT = re.compile(r"(?<!\d)\"")  # not the sign of inches
# "1990 1991", but not "10 000"
NUMBERS = re.compile(r"(?<![\w.,])\d+ (?!\d{3}(?!\d))\d+(?![\w.,]\d)")
AROUND_VERB = re.compile(r"\b(\w{3,30}) (?:is|are|was|were|has|had|have) \1\b", re.IGNORECASE)
BOTH_ROLES = re.compile(r"\b([A-Z]\w{2,30}) (?:is|was|has been) \w{3,30} (?:by|from|to|than|with) \1\b")
PLACEHOLDER = re.compile(r"\s*(?:[-–—.…?_/]{1,20}|[xX]{3,20}|unchanged|the same|same)\s*")
CONTRAST = re.compile(
    r"\w(?:\s?[,;(–—]\s?(?P<not>not)"
    r"|[,;(\s]{1,4}(?P<words>instead of|rather than|other than|different from|unlike|originally|formerly|previously))"
    r"\s{1,3}",
    re.IGNORECASE,
)
OR = re.compile(r"\s+or\s+|\s?/\s?")  # between the old words and the new ones
USUAL = frozenset(" \t\n.,;:!?'\"()-–—‘’“”%&/°€$£+#*−×±≈≥≤~")
BRACKETS = {"(": ")", "[": "]", "“": "”", "«": "»"}
# Words that stand for what the context does not say, or that speak of the change instead of making it.
EMPTY = frozenset(
    "unknown unspecified undefined undetermined unavailable unsupported unverified unverifiable tbd tba na nil null"
    " placeholder correct corrected correction incorrect inaccurate wrong right evidence information error changed"
    " edited revised know".split()
)
RELATIVE = frozenset("different other another same correct right".split())  # empty before a general noun
ELSE = re.compile(r"\s*(?:some|any)(?:where|one|thing|body) else\s*|\s*elsewhere\s*", re.IGNORECASE)
UNSAID = re.compile(
    r"\b(?:unknown|unclear|undetermined|not (?:yet )?(?:known|clear|determined|specified|disclosed))\b", re.IGNORECASE
)
GENERAL = frozenset(
    "year years date time day month place location name person number amount value price figure thing something someone"
    " don doesn didn isn".split()
)
WORD = re.compile(r"[^\W\d_]+|\d+")
PRONOUNS = frozenset("it this that these those they them something someone".split())
LEAST_ADDED = 3  # words of an inserted sentence
FRAGMENT = 3  # words: what is shorter is no sentence in the place of a longer one
LEAST_REPEATED = 4  # words of a sentence that no text has twice by chance


@dataclass(frozen=True, slots=True)
class Edited:
    """A text with its edits. `context`: the passages. `deletable`: a sentence that may be deleted.

    `sentences`: the spans of those of the text.
    """

    text: str
    revised: str
    edits: tuple[Edit, ...]
    context: str
    sentences: tuple[Span, ...]
    deletable: Span | None = None

    def is_known(self, words: str) -> bool:
        """Whether the text or the context has these words, in any case."""
        return words.casefold() in self.text.casefold() or words.casefold() in self.context.casefold()


def objection(
    text: str, edits: Sequence[Edit], passages: Sequence[Passage], deletable: Span | None = None
) -> str | None:
    """Why the edits are no correction of the text, or None. `deletable`: a sentence that may be deleted as a whole."""
    ordered = tuple(sorted(edits, key=lambda edit: edit.span))
    context = "\n".join(passage.text for passage in passages)
    edited = Edited(text, applied(text, ordered), ordered, context, tuple(_spans(text)), deletable)
    return next((reason for guard in GUARDS if (reason := guard(edited)) is not None), None)


def reply(text: str, rewritten: str) -> str | None:
    """Why a whole rewritten text is a reply to the request and no version of the text, or None.

    A preface is no reason where only the changes inside a claim are applied.
    """
    edited = Edited(text, rewritten, (Edit(Span(0, len(text)), text, rewritten),), "", ())
    return refusal(edited) or size(edited)


def refusal(edited: Edited) -> str | None:
    """A text in the first person may say what somebody cannot do; no other text begins to."""
    return "it is a refusal" if not FIRST_PERSON.match(edited.text) and _begins(REFUSAL, edited) else None


def remark(edited: Edited) -> str | None:
    """Words about the correction, before, behind or inside the text."""
    if _begins(PREFACE, edited):
        return "it begins with words about the correction"
    words = [added for added in _added(REMARK, edited) if not _only_denies(added, edited.text)]
    if words:
        return f"it holds words about the correction ({words[0]!r})"
    return None


def _only_denies(words: str, text: str) -> bool:
    """Whether the text says the same without "not": "refunds are not provided"."""
    plain = re.sub(r"\A(?:not|isn['’]t) ", "", words)
    return plain != words and re.search(rf"\b{re.escape(plain)}\b", text, re.IGNORECASE) is not None


def size(edited: Edited) -> str | None:
    before, after = len(edited.text.strip()), len(edited.revised.strip())
    if before and not after:
        return "nothing would be left of the text"
    if after > MOST_GROWTH * before and after > before + GROWTH_ROOM:
        return f"the text would grow from {before:,} to {after:,} characters"
    if after < LEAST_LEFT * before and after < before - SHRINKAGE_ROOM:
        return f"the text would shrink from {before:,} to {after:,} characters"
    return None


def characters(edited: Edited) -> str | None:
    for edit in edited.edits:
        # A dash or a number sign is markup at the start of a line only.
        starts_line = edited.text[: edit.span.start].rstrip(" ")[-1:] in ("", "\n")
        marks = (mark for mark in MARKUP.finditer(edit.new) if starts_line or mark.start() or mark[0][-1] != " ")
        if mark := next((mark for mark in marks if not edited.is_known(mark[0])), None):
            return f"it holds markup ({mark[0][:20]!r})"
        if address := next((found for found in ADDRESS.finditer(edit.new) if not edited.is_known(found[0])), None):
            return f"it adds an address ({address[0][:40]!r})"
        for character in edit.new:
            odd = unicodedata.category(character)[0] in "CMS" or not (character.isalnum() or character.isspace())
            if odd and character not in USUAL and character not in edited.text and character not in edited.context:
                return f"it holds a character that neither the text nor the context has (U+{ord(character):04X})"
    return None


def vacuous(edited: Edited) -> str | None:
    """New words that say nothing: "unknown", "in a different year", "somewhere else", "-"."""
    for edit in edited.edits:
        words = [word.lower() for word in WORD.findall(edit.new.replace("/", ""))]
        if PLACEHOLDER.fullmatch(edit.new) and WORD.search(edit.old) and not edited.is_known(edit.new.strip()):
            return f"its new words are none ({edit.new.strip()[:20]!r})"
        told = [word for word in words if word not in STOP_WORDS and word not in GENERAL]
        if words and PRONOUNS.issuperset(words) and content_words(edit.old):
            return f"its new words name nothing ({edit.new.strip()[:20]!r})"
        if told and set(told) <= RELATIVE and _word_behind(edited, edit) not in GENERAL:
            continue  # "a different company"
        if _names_another(edited, edit, told):
            return f"its new words do not say which one ({edit.new.strip()[:40]!r})"
        empty = [word for word in told if word in EMPTY | RELATIVE and not edited.is_known(word)]
        if UNSAID.search(edit.new) and UNSAID.search(edited.context):
            continue
        if empty and len(empty) == len(told):
            return f"its new words say nothing ({edit.new.strip()[:40]!r})"
    return None


def alternatives(edited: Edited) -> str | None:
    """The old words beside the new ones: "London, not Paris", "London or Paris"."""
    for edit in edited.edits:
        if contrast := CONTRAST.search(edit.new):
            behind = edit.new[contrast.end() :] or edited.text[edit.span.end :]
            sign = contrast["not"] or contrast["words"]
            if behind.startswith(edit.old.strip()) and not edited.is_known(f"{sign} {behind[:20]}"):
                return f"it keeps the old words beside the new ones ({sign!r})"
        old, new = _with_neighbour(edited.text, edit)
        if old and old in OR.split(new) and not edited.is_known(new):
            return f"it keeps the old words beside the new ones ({new[:40]!r})"
    return None


def _names_another(edited: Edited, edit: Edit, told: Sequence[str]) -> bool:
    """Whether the new words only say that it is another one: "a different city", "somewhere else"."""
    if edited.is_known(edit.new.strip()):
        return False
    if ELSE.fullmatch(edit.new):
        return True
    nouns = [word for word in told if word not in RELATIVE]
    old = edit.old.lower()
    words_only = edit.new.islower() and not any(map(str.isdigit, edit.new))
    return words_only and 0 < len(nouns) < len(told) and not any(word in old for word in nouns)


def _with_neighbour(text: str, edit: Edit) -> tuple[str, str]:
    """The old and the new words; words that are put beside another one, together with that: ("1904", "1903/1904")."""
    if edit.old.strip():
        return edit.old.strip(), edit.new.strip()
    before = (text[: edit.span.start].split() or [""])[-1]
    behind = (text[edit.span.end :].split() or [""])[0].rstrip(".,;:!?")
    if re.match(r"\s*(?:/|or\b)", edit.new):
        return before, before + edit.new.rstrip()
    if re.search(r"(?:/|\bor)\s*\Z", edit.new):
        return behind, edit.new.lstrip() + behind
    return "", ""


def _word_behind(edited: Edited, edit: Edit) -> str:
    """The noun that the last of the new words belongs to: it, if it is general, or else the word behind it."""
    last = WORD.findall(edit.new)[-1].lower()
    behind = WORD.search(edited.text, edit.span.end)
    return last if last in GENERAL or behind is None else behind[0].lower()


def addition(edited: Edited) -> str | None:
    """A whole sentence that is put in between: a correction edits claims and makes no further ones."""
    for edit in edited.edits:
        if WORD.search(edit.old):
            continue
        behind = edited.text[edit.span.end :]
        for span in _spans(edit.new):
            sentence = span.of(edit.new).rstrip()
            whole = sentence[-1:] in STOPS or (
                not behind.strip() and edited.text[: edit.span.start].rstrip()[-1:] in STOPS
            )
            if whole and len(WORD.findall(sentence)) >= LEAST_ADDED:
                return f"it adds a sentence ({sentence[:40]!r})"
    return None


def pairing(edited: Edited) -> str | None:
    """Quotation marks around the whole text, and brackets or marks that lost their partner."""
    before, after = edited.text.strip(), edited.revised.strip()
    if after[:1] in QUOTATION and after[-1:] in QUOTATION and before[:1] != after[:1]:
        return "it puts the text into quotation marks"
    for opening, closing in BRACKETS.items():
        difference = before.count(opening) - before.count(closing)
        if after.count(opening) - after.count(closing) != difference and difference == 0:
            return f"a {opening!r} or {closing!r} would be without its partner"
    if len(STRAIGHT.findall(after)) % 2 and not len(STRAIGHT.findall(before)) % 2:
        return "a quotation mark would be without its partner"
    return None


def capitals(edited: Edited) -> str | None:
    """Names in lower case that the context does not write like that."""
    for edit in edited.edits:
        if edit.old != edit.new and edit.new == edit.old.lower() and edit.new not in edited.context:
            return f"it only takes the capitals of {edit.old[:40]!r}"
        if edit.new.islower() and edit.old != edit.old.lower():
            for word in WORD.findall(edit.new):
                # Behind a small letter or a comma a capital is a name's.
                name = re.search(rf"[a-z,] {word.capitalize()}\b", edited.context)
                if name and not re.search(rf"\b{word}\b", edited.context):
                    return f"it writes the name {word.capitalize()!r} without its capital"
    return None


def doubled(edited: Edited) -> str | None:
    pairs = (pair.split()[0] for pair in _added(DOUBLED, edited))
    if word := next((word for word in pairs if word not in MAY_DOUBLE), None):
        return f"it doubles the word {word!r}"
    if words := _added(AROUND_VERB, edited) or _added(BOTH_ROLES, edited):
        return f"it repeats a word ({words[0]!r})"
    if numbers := _added(NUMBERS, edited) or _joined(edited):
        return f"it puts two numbers side by side ({numbers[0]!r})"
    if words := _added(DETERMINERS, edited):
        return f"it doubles the determiner ({words[0]!r})"
    if stops := _added(DOUBLED_STOPS, edited):
        return f"it doubles a stop, or parts it from its word ({stops[0]!r})"
    if _repeated(edited.revised, _spans(edited.revised)) > _repeated(edited.text, edited.sentences):
        return "it repeats a sentence"
    return None


def _joined(edited: Edited) -> list[str]:
    """Numbers that hold the old one beside the new one: "19911990"."""
    return [
        edit.new
        for edit in edited.edits
        if edit.old.isdigit() and edit.new.isdigit() and edit.old in edit.new and len(edit.new) >= len(edit.old) + 4
    ]


def hanging(edited: Edited) -> str | None:
    """A determiner, a preposition or a conjunction that lost the words behind it."""
    if words := _added(HANGING, edited):
        return f"the sentence would break off after {words[0]!r}"
    return None


def stop(edited: Edited) -> str | None:
    """A sentence's stop that is lost, at the end of the text or inside it."""
    before, after = edited.text.rstrip(), edited.revised.rstrip()
    if before[-1:] in STOPS and before and after[-1:] not in STOPS + "\"')”’":
        return "the text would lose its full stop"
    ends = [span.end for span in edited.sentences if edited.text[span.end - 1 : span.end] in STOPS]
    for edit in edited.edits:
        covered = any(edit.span.start < end <= edit.span.end < len(before) for end in ends)
        if covered and edit.new.strip() and edit.new.rstrip()[-1:] not in STOPS and not any(map(edit.new.count, STOPS)):
            return "a sentence would lose its full stop"
    return None


def _stems(text: str) -> set[str]:
    return {stem(word) for word, _ in content_words(text)}


def wording(edited: Edited) -> str | None:
    """Another language, or capitals throughout."""
    if edited.revised.isupper() and not edited.text.isupper():
        return "it puts the text into capitals"
    if is_english(edited.text) and not is_english(edited.revised):
        return "it puts the text into another language"
    return None


def deletion(edited: Edited) -> str | None:
    """A sentence that is deleted as a whole, except one that the user allows to delete."""
    for edit in edited.edits:
        deleted = [span for span in edited.sentences if edit.span.start <= span.start and span.end <= edit.span.end]
        if any(span != edited.deletable for span in deleted) and not any(map(str.isalnum, edit.new)):
            return "it deletes a whole sentence; --on-unsupported drop allows that where all its claims are flagged"
        old, new = len(WORD.findall(edit.old)), len(WORD.findall(edit.new))
        whole = any(edit.span.start <= span.start and span.end - 1 <= edit.span.end for span in edited.sentences)
        if whole and 0 < new < FRAGMENT < old:
            return "it leaves a fragment of a sentence"
        if whole and old >= FRAGMENT and not _stems(edit.old) & _stems(edit.new) and edit.new.strip():
            return "it puts another sentence in the place of one"
    return None


GUARDS: tuple[Callable[[Edited], str | None], ...] = (
    refusal,
    size,
    doubled,
    remark,
    wording,
    deletion,
    characters,
    addition,
    vacuous,
    alternatives,
    pairing,
    capitals,
    hanging,
    stop,
)


def _begins(pattern: re.Pattern[str], edited: Edited) -> bool:
    """Whether the edited text or new words begin like this, where neither the text nor the old words do."""
    if pattern.search(edited.text[:OPENING]):
        return False
    openings = [edited.revised, *(edit.new for edit in edited.edits if not pattern.search(edit.old[:OPENING]))]
    found = (pattern.search(opening[:OPENING]) for opening in openings)
    return any(match is not None and match[0].casefold() not in edited.context.casefold() for match in found)


def _added(pattern: re.Pattern[str], edited: Edited) -> list[str]:
    """The matches, in lower case, that the edited text has more often, and that the context does not have."""
    old, new, known = (
        Counter(" ".join(match[0].split()).lower() for match in pattern.finditer(text))
        for text in (edited.text, edited.revised, edited.context)
    )
    return [words for words in new - old if words not in known]


def _repeated(text: str, spans: Iterable[Span]) -> int:
    """How many sentences stand in the text before, word for word."""
    words = [tuple(span.of(text).casefold().split()) for span in spans]
    counts = Counter(each for each in words if len(each) >= LEAST_REPEATED)
    return counts.total() - len(counts)


def _spans(text: str) -> list[Span]:
    return [sentence.span for sentence in sentences(text)]
