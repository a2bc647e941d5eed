"""Cuts the thoughts off an answer: what a model writes for itself before it answers.

Models mark their thoughts in different ways, and servers drop half of the marks: of "<think> ... </think> answer" often
only the end mark is left, as the start mark was part of the prompt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from graph_eval.llm.model import Completion, Token
from graph_eval.llm.scanner import QUOTES, AnswerError

# "think", "seed:think", "thinking_process", with attributes or without
_NAMES = r"(?:\w{1,12}[:_-])?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad)(?:[_-]\w{1,12})?"
START = re.compile(
    rf"<{_NAMES}(?:\s[^<>\n]{{0,60}})?>|\[THINK\]|◁think▷|<\|(?:begin_of_thought|START_THINKING)\|>"
    r"|<unused94>(?:thought\b)?",
    re.IGNORECASE,
)
END = re.compile(
    rf"</{_NAMES}>|\[/THINK\]|◁/think▷|<end_of_thought>|<\|END_THINKING\|>(?:\s*<\|START_RESPONSE\|>)?|<unused95>"
    r"|<\|end_of_thought\|>(?:\s*<\|begin_of_solution\|>)?|<\|begin_of_solution\|>|<\|START_RESPONSE\|>",
    re.IGNORECASE,
)
# The channels of OpenAI's open models: "<|channel|>analysis<|message|> ... <|channel|>final<|message|>answer<|end|>".
CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]{0,40}<\|message\|>")
LAST = re.compile(
    r"(?:<\|(?:end|return|end_of_solution|im_end|END_RESPONSE|eot_id|endoftext)\|>|</s>|<end_of_turn>)\s*\Z"
)
# The tags around an answer: "<answer>Neutral</answer>"
WRAPPED = re.compile(
    r"\s*<(answer|response|output|result|verdict|label)>(?P<answer>.*)</\1>\s*", re.DOTALL | re.IGNORECASE
)
OPENING = re.compile(rf"\s*(?:{START.pattern})", re.IGNORECASE)
FENCED = re.compile(rf"\s*```{_NAMES}[ \t]*\n.*?^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)
MARK = re.compile(rf"^[ \t]*(?:{START.pattern}|{END.pattern})", re.IGNORECASE | re.MULTILINE)  # at the start of a line
DATA = re.compile(r"\s*([\[{]|```)")  # an answer that begins like this is data: what its texts quote is no mark
UNCLEAR = "it is not clear where its thoughts end"
UNFINISHED = "it breaks off while the model still thinks"


def answer_of(completion: Completion) -> Completion:
    """The completion without its thoughts, with the tokens that are left.

    Raises AnswerError if it breaks off before the answer begins.
    """
    text = completion.text
    start, end = bounds(text)
    if not text[start:end].strip():
        raise AnswerError("it holds thoughts and no answer")
    if (start, end) == (0, len(text)):
        return completion
    return replace(completion, text=text[start:end], tokens=tuple(within(completion.tokens, start, end)))


def bounds(text: str) -> tuple[int, int]:
    """Where the answer begins and ends.

    Thoughts stand before the answer. A mark inside the answer is a quotation: an answer quotes texts of strangers, and
    they must not decide what is read. Raises AnswerError if the last thought has no end, or if its end is not clear.
    """
    start = 0
    if text.lstrip().startswith("<|") and (channels := list(CHANNEL.finditer(text))):
        if channels[-1][1] != "final":
            raise AnswerError(UNFINISHED)
        start = channels[-1].end()
    if fenced := FENCED.match(text, start):
        start = fenced.end()
    while begin := OPENING.match(text, start):
        end = END.search(text, begin.end())
        if end is None:
            raise AnswerError(UNFINISHED)
        start = end.end()
    if not (data := DATA.match(text, start)):
        start = _behind_lone_end(text, start)
    elif _has_mark_behind(text, data.start(1)):
        raise AnswerError(UNCLEAR)
    last = LAST.search(text, start)
    stop = last.start() if last else len(text)
    wrapped = WRAPPED.fullmatch(text, start, stop)
    return wrapped.span("answer") if wrapped else (start, stop)


def _has_mark_behind(text: str, begin: int) -> bool:
    """Whether a mark of thoughts stands behind the JSON value that begins here; in other data, at a line's start."""
    try:
        _, end = json.JSONDecoder().raw_decode(text, begin)
    except (ValueError, RecursionError):
        return MARK.search(text, begin) is not None
    return START.search(text, end) is not None or END.search(text, end) is not None


def _behind_lone_end(text: str, start: int) -> int:
    """Where the answer begins if its thoughts have an end mark and no start mark, else `start`."""
    ends, starts = (
        [mark for mark in pattern.finditer(text, start) if mark.start() == 0 or text[mark.start() - 1] not in QUOTES]
        for pattern in (END, START)
    )
    if not ends and not starts:
        return start
    if not ends:
        raise AnswerError(UNFINISHED)
    before, behind = text[start : ends[0].start()].rstrip(" \t"), text[ends[0].end() :].lstrip(" \t")
    parted = not before or before[-1] in ".!?…)]}\n" or behind.startswith("\n")
    if start or starts or len(ends) > 1 or not parted:
        raise AnswerError(UNCLEAR)
    return ends[0].end()


def within(tokens: Sequence[Token], start: int, end: int) -> list[Token]:
    """The tokens between two offsets. One that lies on the border keeps its part inside."""
    found, place = [], 0
    for token in tokens:
        first, last = max(start, place), min(end, place + len(token.text))
        if first < last:
            found.append(token._replace(text=token.text[first - place : last - place]))
        place += len(token.text)
    return found
