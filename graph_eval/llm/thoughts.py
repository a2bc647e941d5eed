"""Cuts the thoughts off an answer: what a model writes for itself before it answers.

Models mark their thoughts in different ways, and servers drop half of the marks: of "<think> ... </think> answer" often
only the end mark is left, as the start mark was part of the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph_eval.llm.model import Completion, Token
from graph_eval.llm.scanner import AnswerError

_NAMES = r"think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad"
START = re.compile(rf"<(?:{_NAMES})>|\[THINK\]|◁think▷|<\|begin_of_thought\|>", re.IGNORECASE)
END = re.compile(rf"</(?:{_NAMES})>|\[/THINK\]|◁/think▷|<\|(?:end_of_thought|begin_of_solution)\|>", re.IGNORECASE)
# The channels of OpenAI's open models: "<|channel|>analysis<|message|> ... <|channel|>final<|message|>answer<|end|>".
CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]{0,40}<\|message\|>")
LAST = re.compile(r"<\|(?:end|return|end_of_solution|im_end)\|>\s*\Z")


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
    """Where the answer begins and ends. Raises AnswerError if the last thought has no end."""
    start = 0
    if channels := list(CHANNEL.finditer(text)):
        if channels[-1][1] != "final":
            raise AnswerError("it breaks off while the model still thinks")
        start = channels[-1].end()
    for mark in END.finditer(text, start):
        start = mark.end()
    if START.search(text, start):
        raise AnswerError("it breaks off while the model still thinks")
    last = LAST.search(text, start)
    return start, last.start() if last else len(text)


def within(tokens: Sequence[Token], start: int, end: int) -> list[Token]:
    """The tokens between two offsets. One that lies on the border keeps its part inside."""
    found, place = [], 0
    for token in tokens:
        first, last = max(start, place), min(end, place + len(token.text))
        if first < last:
            found.append(token._replace(text=token.text[first - place : last - place]))
        place += len(token.text)
    return found
