"""Small changes that turn an entailed claim into one that its premise does not support, and some that do not.

A change reads a parsed claim and the `Setting` it stands in, and returns the changed text, or None where it finds
nothing to change. `NEAR_MISSES` break the claim, `RESTATEMENTS` leave it true. What a change puts in comes, where
that can be had, from the premise itself: a twin whose words all stand in the premise cannot be told by its words.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import lexicon
from spacy.tokens import Doc, Span, Token

from graph_eval.text.normalise import STOP_WORDS, stem, words

Change = Callable[[Doc, "Setting"], str | None]
FIGURE = re.compile(r"(?<![\w.,])([$£€]?)(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w]|[.,]\d)")
FORM_OF_BE = re.compile(r"\b(is|are|was|were|has|have|had|will|would|can|could|should|may|might|must|does|do|did)\b")
NEGATED = re.compile(r"\b(is|are|was|were|has|have|had|will|would|could|should|does|do|did)( not|n't| never)\b")
LONGEST_PHRASE = 7  # words of a noun phrase that changes its place
BEFORE_FIGURE = frozenset({"about", "around", "over", "nearly", "almost", "up to", "more than", "less than"})
DEEDS = frozenset(  # nouns whose "of" and "by" say to whom and by whom
    "murder killing arrest defeat attack criticism assassination invasion support praise rejection capture".split()
)
DAY_FIRST = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(lexicon.MONTHS)}) (\d{{4}})\b")
MONTH_FIRST = re.compile(rf"\b({'|'.join(lexicon.MONTHS)}) (\d{{1,2}}), (\d{{4}})\b")
SUBJECTS = ("nsubj", "nsubj:pass")


@dataclass(slots=True)
class Bank:
    """Words and names of the whole corpus, by kind."""

    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    words: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    adjuncts: list[str] = field(default_factory=list)

    def add(self, doc: Doc) -> None:
        for part in names(doc):
            self.names[kind(part)].append(part.text)
        for token in changeable(doc):
            self.words[token.tag_].append(token.text)
        self.adjuncts += adjuncts(doc)


@dataclass(slots=True)
class Setting:
    """What surrounds a claim: the premise (its text, and its sentences parsed), the bank, and the dice."""

    premise: str
    parsed: Sequence[Doc]
    bank: Bank
    chance: random.Random
    lowered: str = field(init=False)

    def __post_init__(self) -> None:
        self.lowered = f" {' '.join(word for word, _ in words(self.premise))} "

    def states(self, text: str) -> bool:
        """Whether the words stand in the premise, one after the other."""
        return f" {' '.join(word for word, _ in words(text))} " in self.lowered


def spliced(text: str, start: int, end: int, new: str) -> str:
    """The text with a part replaced; case and "a"/"an" follow."""
    old = text[start:end]
    if old[:1].isupper() and new[:1].islower() and start == 0:
        new = new[:1].upper() + new[1:]
    result = text[:start] + new + text[end:]
    article = re.search(r"\b([Aa])n? $", text[:start])
    if article and new[:1].isalpha():
        an = article[1] + ("n " if new[0].lower() in "aeiou" else " ")
        result = text[: article.start()] + an + new + text[end:]
    return re.sub(r"  +", " ", result)


def names(doc: Doc) -> list[Span]:
    """Runs of proper nouns that are no months and no days."""
    found, start = [], None
    for token in [*doc, None]:
        proper = (
            token is not None and token.tag_.startswith("PROPN") and token.text not in lexicon.MONTHS + lexicon.DAYS
        )
        if proper and token is not None and start is None:
            start = token.i
        elif not proper and start is not None:
            found.append(doc[start : token.i if token is not None else len(doc)])
            start = None
    return found


def kind(name: Span) -> str:
    """A rough type, so that a person takes a person's place and a city a city's."""
    before = name.doc[name.start - 1].lower_ if name.start else ""
    if name[0].text.isupper() and len(name[0]) > 1:
        return "initials"
    if before in {"in", "at", "from", "near", "to"}:
        return "place"
    if before in {"the", "a", "an"}:
        return "thing"
    return f"name of {min(len(name), 3)}"


def changeable(doc: Doc) -> Iterator[Token]:
    for token in doc:
        upos, _, xpos = token.tag_.partition("|")
        plain = token.text.islower() and token.text.isalpha() and len(token) > 3 and token.text not in STOP_WORDS
        if plain and upos in {"NOUN", "VERB", "ADJ"} and xpos in {"NN", "NNS", "VBD", "VBN", "VBZ", "VBG", "JJ"}:
            yield token


def adjuncts(doc: Doc) -> list[str]:
    """Prepositional phrases that hang on a verb or noun and can be said of something else."""
    found = []
    for token in doc:
        if token.dep_ in {"obl", "nmod"} and token.head.i < token.i:
            part = subtree(token)
            free = part[0].dep_ == "case" and part[0].lower_ not in {"of", "by", "than", "as"}
            if free and 2 <= len(part) <= 6 and not any(inner.tag_.startswith("PRON") for inner in part):
                found.append(part.text)
    return found


def subtree(token: Token) -> Span:
    """The phrase of a token, without punctuation at its ends."""
    start, end = token.left_edge.i, token.right_edge.i + 1
    while end - start > 1 and token.doc[end - 1].is_punct:
        end -= 1
    while end - start > 1 and token.doc[start].is_punct:
        start += 1
    return token.doc[start:end]


def noun_phrase(token: Token) -> Span:
    """The phrase of a noun without its preposition and without what only hangs on it loosely."""
    part = subtree(token)
    start = part.start
    while start < token.i and part.doc[start].dep_ in {"case", "punct", "cc", "mark"}:
        start += 1
    return part.doc[start : part.end]


# --- changes that break a claim


def number(doc: Doc, setting: Setting) -> str | None:
    text, chance = doc.text, setting.chance
    found: list[tuple[int, int, str]] = []
    for match in FIGURE.finditer(text):
        if (new := other_figure(match[2], setting)) and not setting.states(new):
            found.append((match.start(2), match.end(2), new))
    for match in FIGURE.finditer(text):
        others = [
            other[2]
            for other in FIGURE.finditer(setting.premise)
            if len(other[2]) == len(match[2]) != other[2] != match[2]
        ]
        if others:
            found.append((match.start(2), match.end(2), chance.choice(others)))
    for order in (lexicon.CARDINALS, lexicon.ORDINALS):
        for place, word in enumerate(order):
            for match in re.finditer(rf"\b{word}\b", text):
                near = [order[at] for at in range(max(0, place - 3), min(len(order), place + 4)) if at != place]
                found.append((match.start(), match.end(), chance.choice(near)))
    if not found:
        return None
    start, end, new = chance.choice(found)
    return spliced(text, start, end, new)


def other_figure(figure: str, setting: Setting) -> str | None:
    """Another plausible figure of the same form."""
    chance, plain = setting.chance, figure.replace(",", "")
    if "." in plain:
        return f"{float(plain) * chance.choice((0.5, 0.8, 1.1, 1.5, 2)) + 0.1:.{len(plain.split('.')[1])}f}"
    value = int(plain)
    if len(plain) == 4 and 1300 <= value <= 2040 and "," not in figure:
        return str(value + chance.choice((-20, -10, -5, -3, -2, -1, 1, 2, 3, 5, 10, 20)))
    if value < 100:
        return str(max(1, value + chance.choice((-11, -6, -4, -3, -2, -1, 1, 2, 3, 4, 6, 9))))
    new = int(value * chance.choice((0.1, 0.5, 0.7, 0.9, 1.1, 1.25, 1.5, 2, 3, 10)))
    return f"{new:,}" if "," in figure else str(new)


def date(doc: Doc, setting: Setting) -> str | None:
    text, chance = doc.text, setting.chance
    found: list[tuple[int, int, str]] = []
    for order in (lexicon.MONTHS, lexicon.DAYS):
        for word in order:
            for match in re.finditer(rf"\b{word}\b", text):
                stated = [other for other in order if other != word and setting.states(other)]
                found.append((*match.span(), chance.choice(stated or [other for other in order if other != word])))
    for match in re.finditer(r"\b(1[3-9]|20)\d\d\b", text):
        stated = [other[0] for other in re.finditer(r"\b(?:1[3-9]|20)\d\d\b", setting.premise) if other[0] != match[0]]
        near = str(int(match[0]) + chance.choice((-10, -4, -3, -2, -1, 1, 2, 3, 4, 10)))
        found.append((*match.span(), chance.choice(stated) if stated and chance.random() < 0.6 else near))
    if not found:
        return None
    start, end, new = chance.choice(found)
    return spliced(text, start, end, new)


def name(doc: Doc, setting: Setting) -> str | None:
    chance = setting.chance
    own = names(doc)
    if not own:
        return None
    part = chance.choice(own)
    taken = {word for word, _ in words(doc.text)}

    def fits(other: str) -> bool:
        return not taken & {word for word, _ in words(other)} and any(map(str.isalpha, other))

    stated = [other.text for parsed in setting.parsed for other in names(parsed) if kind(other) == kind(part)]
    stated = [other for other in stated if fits(other)]
    pool = setting.bank.names[kind(part)]
    foreign = [other for other in chance.sample(pool, min(8, len(pool))) if fits(other) and not setting.states(other)]
    if len(part) == 2 and foreign and chance.random() < 0.25:  # one half of a name
        half = chance.choice(tuple(part))
        return spliced(doc.text, half.idx, half.idx + len(half), chance.choice(foreign).split()[0])
    choice = stated if stated and chance.random() < 0.65 else foreign or stated
    if not choice:
        return None
    return spliced(doc.text, part.start_char, part.end_char, chance.choice(choice))


def exchanged(doc: Doc, first: Span, second: Span) -> str | None:
    """The text with two phrases in each other's place."""
    if first.start > second.start:
        first, second = second, first
    a, b = first.text, second.text
    overlap = {word for word, _ in words(a)} & {word for word, _ in words(b)} - STOP_WORDS
    if first.end > second.start or overlap or max(len(first), len(second)) > LONGEST_PHRASE:
        return None
    if first.start == 0:
        if not first[0].tag_.startswith("PROPN") and first[0].text != "I":
            a = a[0].lower() + a[1:]
        b = b[0].upper() + b[1:] if doc.text[0].isupper() else b
    return (
        doc.text[: first.start_char]
        + b
        + doc.text[first.end_char : second.start_char]
        + a
        + doc.text[second.end_char :]
    )


def clauses(doc: Doc) -> Iterator[tuple[Token, Token, Token]]:
    """(verb, subject, object or oblique) of every clause where neither is a pronoun."""
    for verb in doc:
        if verb.tag_.startswith("VERB") and verb.lower_ not in lexicon.MUTUAL:
            subjects = [child for child in verb.children if child.dep_ in SUBJECTS]
            others = [child for child in verb.children if child.dep_ in {"obj", "iobj", "obl", "obl:agent"}]
            for subject in subjects[:1]:
                for other in others:
                    if not subject.tag_.startswith("PRON") and not other.tag_.startswith("PRON"):
                        yield verb, subject, other


def role(doc: Doc, setting: Setting) -> str | None:
    """Who did it to whom, the other way round."""
    found = []
    for verb, subject, other in clauses(doc):
        animate = {child.lower_ for child in other.children if child.dep_ == "case"}
        if other.dep_ == "obj" or animate & {"by", "to", "from", "against", "for", "with", "over", "behind"}:
            found.append(exchanged(doc, noun_phrase(subject), noun_phrase(other)))
        if other.dep_ == "obj" and verb.tag_ == "VERB|VBD" and verb.i + 1 == subtree(other).start:
            found.append(spliced(doc.text, verb.idx, verb.idx + len(verb), f"was {participle(verb.text)} by"))
    if match := re.search(r"\b(?:was|were) (\w+ed) by\b", doc.text):
        found.append(spliced(doc.text, match.start(), match.end(), match[1]))
    for noun in doc:
        of = [child for child in noun.children if child.dep_ == "nmod" and child.head.i < child.i]
        case = subtree(of[0])[0] if of and noun.lower_ in DEEDS else None
        if case is not None and case.lower_ in {"of", "by"}:
            found.append(spliced(doc.text, case.idx, case.idx + len(case), "by" if case.lower_ == "of" else "of"))
    own = names(doc)
    for first, second in pairwise(own):
        between = doc[first.end : second.start].text.strip(" ,").lower()
        if between not in {"", "and", "or", "&", "-", "/", "(", "in"} and kind(first)[:4] == kind(second)[:4]:
            found.append(exchanged(doc, first, second))
    choices = [text for text in found if text and text.lower() != doc.text.lower()]
    return setting.chance.choice(choices) if choices else None


def participle(past: str) -> str:
    return lexicon.PARTICIPLES.get(past.lower(), (past,))[0]


def passive(doc: Doc, _setting: Setting, *, swapped: bool = False) -> str | None:
    """ "X sold Y" as "Y was sold by X", for a clause that is the whole claim."""
    for verb, subject, other in clauses(doc):
        if other.dep_ != "obj" or verb.tag_ != "VERB|VBD" or verb.dep_ != "ROOT" or verb.i + 1 != subtree(other).start:
            continue
        agent, patient = noun_phrase(subject), noun_phrase(other)
        if agent.start != 0 or agent.end != verb.i or max(len(agent), len(patient)) > LONGEST_PHRASE:
            continue
        if swapped:
            agent, patient = patient, agent
        plural = patient.root.tag_ in {"NOUN|NNS", "PROPN|NNPS"} or any(t.dep_ == "conj" for t in patient.root.children)
        rest = doc.text[max(agent.end_char, patient.end_char) :]
        by = agent.text if agent[0].tag_.startswith("PROPN") else agent.text[0].lower() + agent.text[1:]
        said = patient.text[0].upper() + patient.text[1:]
        return f"{said} {'were' if plural else 'was'} {participle(verb.text)} by {by}{rest}"
    return None


def role_in_passive(doc: Doc, setting: Setting) -> str | None:
    return passive(doc, setting, swapped=True)


def exchange(doc: Doc, table: dict[str, tuple[str, ...]]) -> list[str]:
    """Every way to replace one of the table's words or phrases by another of its line."""
    found = []
    lowered = doc.text.lower()
    for old, new in table.items():
        if old in lowered:
            for match in re.finditer(rf"\b{re.escape(old)}\b", doc.text):
                if old in BEFORE_FIGURE and not re.match(r" [$£€]?\d", doc.text[match.end() :]):
                    continue
                if old in {"last", "first"} and re.match(
                    r" (?:week|month|year|night|summer|time)", doc.text[match.end() :]
                ):
                    continue
                found += [spliced(doc.text, match.start(), match.end(), other) for other in new]
    return found


def negation(doc: Doc, setting: Setting) -> str | None:
    text, chance = doc.text, setting.chance
    if match := NEGATED.search(text):
        return re.sub(r"  +", " ", text[: match.start()] + match[1] + text[match.end() :])
    for verb in doc:
        base = base_form(verb)
        if verb.tag_ in {"VERB|VBD", "VERB|VBZ"} and base and verb.dep_ == "ROOT":
            helper = "did" if verb.tag_.endswith("D") else "does"
            put = chance.choice(
                (f"{helper} not {base}", f"{helper} not {base}", f"never {verb.text}", f"refused to {base}")
            )
            return spliced(text, verb.idx, verb.idx + len(verb), put)
    if match := FORM_OF_BE.search(text):
        word = chance.choice((" not", " not", " never", " no longer"))
        return text[: match.end()] + word + text[match.end() :]
    return None


def base_form(verb: Token) -> str | None:
    """The infinitive of a regular verb form; None where spelling leaves it open."""
    text = verb.lower_
    if verb.tag_ == "VERB|VBZ" and len(text) > 3:
        if text.endswith("ies"):
            return text[:-3] + "y"
        return text[:-2] if re.search(r"(?:ss|sh|ch|x|zz|o)es$", text) else text[:-1] if text.endswith("s") else None
    if verb.tag_ == "VERB|VBD" and text.endswith("ed") and len(text) > 4:
        stemmed = text[:-2]
        if stemmed.endswith("i"):
            return stemmed[:-1] + "y"
        if re.search(r"([bdgmnprt])\1$", stemmed):
            return stemmed[:-1]
        if re.search(r"(?:[aeiou]{2}[a-z]|[^aeiou]{2}|ck|sh|er|en|w|y|x|it)$", stemmed) and not re.search(
            r"(?:nc|rg|ng|rs|ns|rc|ls|lv|rv|bl|tl|pl|gl|dl|eas|aus|ais|ous|eiv|iev|eav|oic|ecid)$", stemmed
        ):
            return stemmed
        return stemmed + "e"
    return None


def opposite(doc: Doc, setting: Setting) -> str | None:
    found = exchange(doc, lexicon.OPPOSITES) + 2 * exchange(doc, lexicon.PHRASES)
    return setting.chance.choice(found) if found else None


def quantity(doc: Doc, setting: Setting) -> str | None:
    found = [text for text in exchange(doc, lexicon.STRONGER) if not re.search(r"\ball (?:[a-z]+ )?(?:of|a) a", text)]
    return setting.chance.choice(found) if found else None


def scope(doc: Doc, setting: Setting) -> str | None:
    """Wider, or more exclusive, than the premise says."""
    text, found = doc.text, []
    for match in re.finditer(r"\b(?:a|an|one) (?=[a-z]{3,})", text):
        found += [spliced(text, *match.span(), f"the {word} ") for word in ("first", "only", "last")]
    for match in re.finditer(rf"\b(?:{'|'.join(lexicon.SUPERLATIVES)})\b[^.,]*? ((?:in|of) [^.,]+)", text):
        found.append(text[: match.start(1)] + "in the world" + text[match.end(1) :])
    for match in re.finditer(r" (?=(?:in|on|at|by|for|from|during|to) (?:the |a )?[A-Z0-9])", text):
        found.append(text[: match.start()] + " only" + text[match.start() :])
    for match in re.finditer(r" and (?=\w+[ .,])", text):
        found.append(text[: match.start()] + " but not " + text[match.end() :])
    for token in doc:
        if token.dep_ in SUBJECTS and token.tag_ == "NOUN|NNS" and token.i == 0:
            found += [f"{word} {text[0].lower()}{text[1:]}" for word in ("All", "Only", "No")]
    new = {"first", "only", "last", "world", "all", "no"} - {word for word, _ in words(setting.premise)}
    found = [
        other
        for other in found
        if {word for word, _ in words(other)} - {word for word, _ in words(text)} <= new | {"but", "not", "the", "in"}
    ]
    return setting.chance.choice(found) if found else None


def addition(doc: Doc, setting: Setting) -> str | None:
    """A detail more than the premise says; often one that the premise says of something else."""
    text, chance = doc.text, setting.chance
    stems = {stem(word) for word, _ in words(text)}
    if chance.random() < 0.3:
        nouns = [
            token
            for token in doc
            if token.tag_ in {"NOUN|NN", "NOUN|NNS"}
            and not any(child.dep_ in {"amod", "compound"} for child in token.children)
        ]
        quality = chance.choice(lexicon.QUALITIES)
        if nouns and not setting.states(quality):
            noun = chance.choice(nouns)
            return spliced(text, noun.idx, noun.idx, quality + " ")
    stated = [part for parsed in setting.parsed for part in adjuncts(parsed)]
    pools = [stated, stated, setting.bank.adjuncts, lexicon.TAILS]
    pool = chance.choice([pool for pool in pools if pool])
    for part in chance.sample(pool, min(4, len(pool))):
        new = {stem(word) for word, _ in words(part)} - STOP_WORDS - stems
        if new and (pool is stated or not setting.states(part)):
            bare = text.rstrip(" .!?")
            return f"{bare} {part}{text[len(bare) :].strip()}"
    return None


def word(doc: Doc, setting: Setting) -> str | None:
    """A noun, verb or adjective gives way to another of its form."""
    chance = setting.chance
    own = list(changeable(doc))
    if not own:
        return None
    stated = {stem(text) for text, _ in words(setting.premise)}
    token = chance.choice([token for token in own if stem(token.lower_) in stated] or own)
    near = [
        other.text
        for parsed in setting.parsed
        for other in changeable(parsed)
        if other.tag_ == token.tag_ and stem(other.lower_) not in {stem(t.lower_) for t in doc}
    ]
    pool = setting.bank.words[token.tag_]
    far = [text for text in chance.sample(pool, min(6, len(pool))) if stem(text) not in stated]
    choice = near if near and chance.random() < 0.6 else far
    return spliced(doc.text, token.idx, token.idx + len(token), chance.choice(choice)) if choice else None


def splice(doc: Doc, setting: Setting) -> str | None:
    """The beginning of the claim and the end of a premise sentence, joined at the same function word."""
    chance = setting.chance
    places = [token for token in doc if token.lower_ in lexicon.JOINTS and 3 <= token.i < len(doc) - 2]
    chance.shuffle(places)
    own = {stem(text) for text, _ in words(doc.text)}
    for token in places[:4]:
        ends = [
            parsed[other.i :].text
            for parsed in setting.parsed
            for other in parsed
            if other.lower_ == token.lower_ and 2 <= other.i < len(parsed) - 2
        ]
        ends = [
            end
            for end in ends
            if len({stem(text) for text, _ in words(end)} - own - STOP_WORDS) >= 2 and len(end.split()) <= 16
        ]
        if ends:
            return doc.text[: token.idx] + chance.choice(ends)
    return None


# --- changes that leave a claim true


def looser(doc: Doc, setting: Setting) -> str | None:
    """A number said less exactly: 76 as "more than 70"."""
    for match in re.finditer(r"(?<![\w.$£€,-])(\d{2,3}|\d{1,3},\d{3})(?= [a-z])", doc.text):
        value = int(match[1].replace(",", ""))
        step = 10 ** (len(str(value)) - 1)
        before = doc.text[: match.start()].lower()
        if value % step and not re.search(
            r"(?:than|over|under|least|most|nearly|about|around|of|in|aged|the) $", before
        ):
            low = value // step * step
            below, above = (f"{bound:,}" if "," in match[1] else str(bound) for bound in (low, low + step))
            put = setting.chance.choice(
                (f"more than {below}", f"over {below}", f"fewer than {above}", f"at least {below}")
            )
            return spliced(doc.text, *match.span(), put)
    return None


def respelled(doc: Doc, _setting: Setting) -> str | None:
    """A small number in digits for words, or the other way round; a long date in its other order."""
    text = doc.text
    if match := DAY_FIRST.search(text):
        return spliced(text, *match.span(), f"{match[2]} {match[1]}, {match[3]}")
    if match := MONTH_FIRST.search(text):
        return spliced(text, *match.span(), f"{match[2]} {match[1]} {match[3]}")
    for place, spelled in enumerate(lexicon.CARDINALS, 2):
        if match := re.search(rf"(?<=[a-z] ){spelled}(?= [a-z])", text):
            return spliced(text, *match.span(), str(place))
        if match := re.search(rf"(?<=[a-z] ){place}(?= [a-z])", text):
            return spliced(text, *match.span(), spelled)
    return None


def shortened(doc: Doc, setting: Setting) -> str | None:
    """Without one adjunct or aside: "X, a Y, did Z in W" as "X did Z in W"."""
    parts = []
    for token in doc:
        part = subtree(token)
        loose = token.dep_ in {"appos", "acl:relcl", "acl", "advcl"} and token.head.i < token.i
        adjunct = token.dep_ == "obl" and token.head.i < token.i and part[0].dep_ == "case"
        if (loose or adjunct) and part.start > 0 and len(doc) - len(part) >= 5:
            parts.append(part)
    if not parts or NEGATED.search(doc.text) or re.search(r"\b(?:no|none|only|few|all|if|every|never)\b", doc.text):
        return None
    part = setting.chance.choice(parts)
    start, end = part.start, part.end
    while start and doc[start - 1].text == ",":
        start -= 1
    if end < len(doc) and doc[end].text == "," and start < part.start:
        end += 1
    kept = doc[:start].text + " " + doc[end:].text
    return re.sub(r" +([.,])", r"\1", re.sub(r"  +", " ", kept)).strip()


def synonym(doc: Doc, setting: Setting) -> str | None:
    """One or two words or phrases in other words."""
    found = exchange(doc, lexicon.SYNONYMS)
    return setting.chance.choice(found) if found else None


def halved(doc: Doc, setting: Setting) -> str | None:
    """One of two coordinated clauses that has a subject of its own, or shares the first one's."""
    for token in doc:
        if token.dep_ == "conj" and token.head.dep_ == "ROOT" and token.tag_.startswith("VERB") and token.i > 4:
            subject = [child for child in token.head.children if child.dep_ in SUBJECTS]
            own = [child for child in token.children if child.dep_ in SUBJECTS]
            first = [child for child in token.children if child.dep_ == "cc" and child.lower_ == "and"]
            if not first or not subject or subject[0].tag_.startswith("PRON"):
                continue
            start = first[0].i
            if setting.chance.random() < 0.5:
                kept = doc[:start].text.rstrip(" ,")
            elif own:
                kept = doc[start + 1 :].text
            elif any(child.dep_.startswith("aux") for child in token.head.children):
                continue
            else:
                kept = f"{noun_phrase(subject[0]).text} {doc[start + 1 :].text}"
            kept = kept.rstrip(" .") + "."
            return kept[0].upper() + kept[1:]
    return None


NEAR_MISSES: dict[str, tuple[Change, int]] = {  # and the label: 1 neutral, 2 contradicted, 3 not entailed
    "number": (number, 2),
    "date": (date, 2),
    "name": (name, 3),
    "role": (role, 3),
    "passive": (role_in_passive, 3),
    "negation": (negation, 2),
    "opposite": (opposite, 2),
    "quantity": (quantity, 3),
    "scope": (scope, 3),
    "addition": (addition, 1),
    "word": (word, 3),
    "splice": (splice, 3),
}
RESTATEMENTS: dict[str, Change] = {
    "looser": looser,
    "respelled": respelled,
    "synonym": synonym,
    "shortened": shortened,
    "halved": halved,
    "passive": passive,
}
