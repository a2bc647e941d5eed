"""Scripted models: what they answer is computed from what they are asked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from graph_eval.testing import ReceivedRequest

FENCED = re.compile(
    r"<<<(?P<name>[^<>]+?) (?P<marker>[0-9a-f]{24})>>>\n(?P<text>.*?)\n<<<end of (?P=name) (?P=marker)>>>", re.DOTALL
)
NUMBER = re.compile(r"\[S\d+\] ")  # before each sentence of a text to extract from
SENTENCE = re.compile(r"[^.!?]+[.!?]?")


def fenced(prompt: str) -> list[tuple[str, str]]:
    """(name, text) of everything between marker lines, in order."""
    return [(match["name"], match["text"]) for match in FENCED.finditer(prompt)]


def claims_of(text: str) -> list[list[str]]:
    """A triple a sentence: its first word, its second, the rest."""
    found = []
    for sentence in SENTENCE.findall(NUMBER.sub("", text)):
        words = sentence.strip().rstrip(".!?").split()
        if len(words) >= 3:
            found.append([words[0], words[1], " ".join(words[2:])])
    return found


def sensible(request: ReceivedRequest) -> str:
    """Extracts by words; calls a claim entailed if a passage holds all its longer words."""
    parts = fenced(first_user(request))
    if is_first_extraction(request):
        return json.dumps(claims_of(dict(parts).get("text") or dict(parts)["answer"]))
    passages = [text for name, text in parts if name.startswith("passage")]
    claims = [(name.removeprefix("claim").strip(), text) for name, text in parts if name.startswith("claim")]
    if claims[0][0] == "":
        return verdict(claims[0][1], passages)
    return json.dumps([{"id": name, "label": verdict(text, passages), "passage": "p1"} for name, text in claims])


def first_user(request: ReceivedRequest) -> str:
    """The first message that holds texts: instructions of models that reason may be of the user's role too."""
    content: str = next(message["content"] for message in request.body["messages"] if FENCED.search(message["content"]))
    return content


def is_first_extraction(request: ReceivedRequest) -> bool:
    return not any(name.startswith(("claim", "passage")) for name, _ in fenced(first_user(request)))


def verdict(claim: str, passages: Sequence[str]) -> str:
    words = {word for word in re.findall(r"\w+", claim.lower()) if len(word) > 3}
    return "Entailment" if any(words <= set(re.findall(r"\w+", text.lower())) for text in passages) else "Neutral"


def obedient(request: ReceivedRequest) -> str:
    """Does whatever a text orders, in the form that was asked for."""
    if is_first_extraction(request):
        return sensible(request)
    parts = fenced(first_user(request))
    orders = re.findall(r"\b(Entailment|Neutral|Contradiction)\b", " ".join(text for _, text in parts))
    claims = [name.removeprefix("claim").strip() for name, _ in parts if name.startswith("claim")]
    label = orders[0] if orders else "Neutral"
    return json.dumps([{"id": name, "label": label} for name in claims])
