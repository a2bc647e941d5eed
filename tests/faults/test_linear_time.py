"""Whatever a stranger writes, reading it takes time in proportion to its length: ten times the text takes far less than
the hundred times of a reader whose time grows with the square."""

import gc
import time
from collections.abc import Callable, Iterator

import pytest

from graph_eval.checkers.quantities import missing_quantities
from graph_eval.checkers.verbatim import verbatim_span
from graph_eval.checkers.windows import index
from graph_eval.consistency.refusals import says_nothing
from graph_eval.correctors.guards import objection
from graph_eval.correctors.llm import read_text
from graph_eval.errors import GraphEvalError
from graph_eval.extractors.rules.extractor import prepare
from graph_eval.extractors.statement import states_something
from graph_eval.extractors.wording import as_sentence
from graph_eval.graph.entities import name_key
from graph_eval.graph.names import Names
from graph_eval.llm.answers import numbered_statements, numbered_triples
from graph_eval.llm.faults import short
from graph_eval.llm.labels import label, reading, verdicts
from graph_eval.llm.model import Completion
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.thoughts import answer_of
from graph_eval.retrieve.html import text_of_html
from graph_eval.settings import without_secrets
from graph_eval.text.language import is_english
from graph_eval.text.locate import locate
from graph_eval.text.normalise import content_words, readable, without_citations, words
from graph_eval.text.quantities import dates
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Passage, Span, Text

LONG = 30_000  # characters
MOST_GROWTH = 25.0  # times the time of a text of a tenth of the length
TOO_FAST = 0.18  # seconds: what takes less in all cannot be slow, and is too short to compare
HOSTILE = {
    "blanks": " ", "tabs and blanks": "\t ", "line breaks": "\n", "lines of blanks": "   \n", "letters": "a",
    "capitals": "A. ", "digits": "1", "dots": ".", "commas": "1,", "dashes": "-", "dashes with blanks": "- ",
    "opening brackets": "[", "closing brackets": "]", "nested brackets": "([{", "citations": "[1] ",
    "open citations": "[doc ", "quotes": '"', "apostrophes": "n't ", "stars": "**", "bars": "| a ", "hashes": "# ",
    "lists": "1. a\n", "negated labels": "not Entailment ", "labels": "Neutral or ", "keys": '"label": ',
    "thoughts": "<think>", "ends of thoughts": "</think>", "tags": "<a ", "urls": "http://a:b@", "emails": "a@b.",
    "dates": "1 May 2001 ", "numbers in words": "twenty one ", "units": "5 km ", "shares": "10 % of ",
    "one word a sentence": "No. ", "and": "and ", "relative": "which ", "talk": "Sorry, ", "combining": "e\u0301",
    "open brackets of words": "(a b c ", "words": "word ", "conjunctions": " but ", "semicolons": " ; ",
    "refusals": "no lo siento ", "sorrow": "leider, ", "errors": "Error",
}  # fmt: skip
MARKUP = [
    *("<", "<a ", "<a x='", '<a x="', "<a x=", "<!", "<!--", "<![CDATA[", "<?", "</", "</a ", "<script>", "<script "),
    *("&", "<div>", "<a x='>", "</script ", "<template>", "-->", "]]>", "<a/", "< ", "&#", "\t<"),
]  # fmt: skip


def _answer(read: Callable[[str], object]) -> Callable[[str], object]:
    """A reader of a model's answer, for which a refusal to read is an outcome too."""

    def tried(text: str) -> object:
        try:
            return read(text)
        except (AnswerError, GraphEvalError) as problem:
            return problem

    return tried


def _located(text: str) -> object:
    return locate("slot", text[:200], (text[:200],), text, Span(0, len(text)))


READERS: dict[str, Callable[[str], object]] = {
    "readable": readable,
    "content_words": content_words,
    "sentences": sentences,
    "dates": dates,
    "stated quantities": lambda text: missing_quantities("It weighs 5 kg.", text),
    "is_english": is_english,
    "states_something": states_something,
    "prepare": lambda text: prepare(Text("t", text)),
    "as_sentence": as_sentence,
    "name_key": name_key,
    "names": lambda text: list(Names([text]).inside([word for word, _ in words(text)])),
    "locate": _located,
    "verbatim": lambda text: verbatim_span(text[:200], Passage.of(text)),
    "index": lambda text: index(Passage.of(text)),
    "without_secrets": without_secrets,
    "short": short,
    "answer_of": _answer(lambda text: answer_of(Completion(text))),
    "label": _answer(label),
    "reading": _answer(reading),
    "says_nothing": says_nothing,
    "verdicts": _answer(lambda text: verdicts(text, ["c1", "c2"])),
    "triples": _answer(numbered_triples),
    "statements": _answer(numbered_statements),
    "read_text": _answer(lambda text: read_text(Completion(text), True)),
    "guards": lambda text: objection("It opened in 1931. " + text, [Edit(Span(13, 17), "1931", "1932")], ()),
    "guards of a new text": lambda text: objection("It opened.", [Edit(Span(0, 10), "It opened.", text)], ()),
}  # fmt: skip


@pytest.fixture(autouse=True)
def frozen() -> Iterator[None]:
    """Else the collector searches all that other tests have left, again and again."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def seconds(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    read(text)
    return time.process_time() - began


def grows_with_its_length(read: Callable[[str], object], text_of: Callable[[int], str], length: int = LONG) -> bool:
    """Whether a text of `length` characters takes no more time than ten texts of a tenth of it, but for some noise.

    `text_of`: from a number of characters to a text of about that length.
    """
    short, long = text_of(length // 10), text_of(length)
    taken = seconds(read, long)
    for _ in range(3):  # a machine may be busy: the best of several tries counts
        if taken <= max(TOO_FAST, MOST_GROWTH * seconds(read, short)):
            return True
        taken = min(taken, seconds(read, long))
    return False


@pytest.mark.parametrize("reader", READERS)
def test_ten_times_the_text_takes_ten_times_the_time(reader: str) -> None:
    def repeated(unit: str) -> Callable[[int], str]:
        return lambda size: unit * (size // len(unit))

    slow = [name for name, unit in HOSTILE.items() if not grows_with_its_length(READERS[reader], repeated(unit))]
    assert slow == []


@pytest.mark.parametrize("start", ["[doc", "(source", "[reference."])
def test_blanks_behind_the_word_for_a_source(start: str) -> None:
    assert grows_with_its_length(without_citations, lambda size: start + " " * size, 200_000)


@pytest.mark.parametrize("end", ["", ">", "'>", '">'])
def test_markup_that_is_never_closed(end: str) -> None:
    """Some readers of HTML search the rest of the page at each opening bracket."""

    def page(unit: str) -> Callable[[int], str]:
        return lambda size: "start " + unit * (size // len(unit)) + end

    slow = [unit for unit in MARKUP if not grows_with_its_length(text_of_html, page(unit), 400_000)]
    assert slow == []
