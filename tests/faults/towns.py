"""Responses about towns of which all claims are known, and a model that answers every request about them rightly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graph_eval.testing import ReceivedRequest
from tests.models import claims_of, fenced, first_user

WRONG_LABEL = {"Entailment": "Contradiction", "Contradiction": "Entailment", "Neutral": "Entailment"}
NEVER = "Atlantis"  # occurs in no text: a result that holds it has read what is no answer


@dataclass(frozen=True)
class Town:
    """A town with two facts. `wrong`: the index of the one that its response gets wrong, as `said`.

    `silent`: the context does not mention that fact.
    """

    name: str
    year: str
    land: str
    wrong: int
    said: str
    silent: bool = False

    @property
    def facts(self) -> tuple[tuple[str, str, str], ...]:
        return ((self.name, "opened in", self.year), (self.name, "lies in", self.land))

    @property
    def claims(self) -> tuple[tuple[str, str, str], ...]:
        """The claims of the response."""
        return tuple((*fact[:2], self.said) if n == self.wrong else fact for n, fact in enumerate(self.facts))

    @property
    def response(self) -> str:
        return _text(self.claims)

    @property
    def context(self) -> str:
        known = [fact for n, fact in enumerate(self.facts) if not (self.silent and n == self.wrong)]
        return f"{_text(known)} Nobody lives in {self.name}."

    @property
    def corrected(self) -> str:
        """The response as its context has it. Where that is silent, the response stays."""
        return self.response if self.silent else _text(self.facts)

    @property
    def labels(self) -> dict[str, str]:
        """The right label by claim, as a sentence without its stop."""
        found = {}
        for n, claim in enumerate(self.claims):
            flag = "Neutral" if self.silent else "Contradiction"
            found[" ".join(claim)] = flag if n == self.wrong else "Entailment"
        return found

    @property
    def record(self) -> dict[str, Any]:
        return {"id": self.name, "response": self.response, "context": self.context}


def _text(claims: Any) -> str:
    return " ".join(" ".join(claim) + "." for claim in claims)


TOWNS = (
    Town("Aldomar", "1801", "Norway", 1, "Spain"),
    Town("Brevik", "1802", "Latvia", 0, "1902"),
    Town("Castelo", "1803", "Brazil", 0, "1903"),
    Town("Dunmore", "1804", "Canada", 1, "France"),
    Town("Elvira", "1805", "Cyprus", 1, "Poland", silent=True),
    Town("Fjordane", "1806", "Panama", 0, "1906"),
)
LANDS = ("Norway", "Latvia", "Brazil", "Canada", "Cyprus", "Panama", "Turkey")
MANY = tuple(  # for longer runs
    Town(f"Ostby{n:02}", str(1600 + n), LANDS[n % 7], n % 2, ("1999", "Poland")[n % 2], silent=n % 5 == 4)
    for n in range(20)
)
KNOWN = (*TOWNS, *MANY)
TRUE = {" ".join(fact) for town in KNOWN for fact in town.facts if " ".join(fact) in town.context}


def right_label(claim: str) -> str:
    """The label of any claim: what no context mentions is Neutral."""
    claim = claim.strip().rstrip(".")
    if claim in TRUE:
        return "Entailment"
    return next((town.labels[claim] for town in KNOWN if claim in town.labels), "Neutral")


@dataclass(frozen=True)
class Question:
    """What a request asks for, found by the texts that it holds. `body`: its JSON."""

    body: Mapping[str, Any]

    @cached_property
    def request(self) -> ReceivedRequest:
        return ReceivedRequest(0, self.body, {})

    @cached_property
    def parts(self) -> list[tuple[str, str]]:
        """The fenced texts with their names."""
        return fenced(first_user(self.request))

    @cached_property
    def role(self) -> str:
        """extract, check, triple (a corrected claim), text (the response with it) or direct (a corrected response)."""
        names = [name for name, _ in self.parts]
        for start, role in (("passage", "check"), ("part ", "triple"), ("statement", "text"), ("context", "direct")):
            if any(name.startswith(start) for name in names):
                return role
        return "extract"

    @cached_property
    def town(self) -> Town:
        texts = " ".join(text for _, text in self.parts)
        return next(town for town in KNOWN if town.name in texts)

    @property
    def prompt(self) -> str:
        return self.request.text

    @cached_property
    def claims(self) -> list[tuple[str, str]]:
        """The claims to judge with their ids. The only one of a request has the id ""."""
        return [(name.removeprefix("claim").strip(), text) for name, text in self.parts if name.startswith("claim")]

    @property
    def single(self) -> bool:
        return self.role == "check" and self.claims[0][0] == ""

    def labels(self, lie: bool = False) -> dict[str, str]:
        """The right label by id, or a wrong one."""
        found = {name: right_label(text) for name, text in self.claims}
        return {name: WRONG_LABEL[label] for name, label in found.items()} if lie else found

    def answer(self, lie: bool = False) -> str:
        """The right answer, or one of the right form whose content is wrong."""
        if self.role == "check":
            return verdicts(self.labels(lie))
        if self.role == "extract":
            claims = claims_of(self._named("text", "answer"))
            return json.dumps([[town, "was lost like", NEVER] for town, _, _ in claims] if lie else claims)
        if self.role == "triple":
            return self._triple(lie)
        return self.town.response.replace(self.town.said, NEVER) if lie else self.town.corrected

    def _named(self, *names: str) -> str:
        return next(text for name, text in self.parts if name in names)

    def _triple(self, lie: bool) -> str:
        parts = [text for name, text in self.parts if name.startswith("part ")]
        town = self.town
        if lie:
            return json.dumps([part.replace(town.said, NEVER) for part in parts])
        if town.silent:
            return "not in the context"
        return json.dumps([part.replace(town.said, town.facts[town.wrong][2]) for part in parts])


def verdicts(labels: Mapping[str, str]) -> str:
    """Labels by id in the form that is asked for; the id "" stands for the only claim of a request."""
    if "" in labels:
        return json.dumps({"reason": "The passage says so.", "label": labels[""]})
    return json.dumps([{"id": name, "label": label, "passage": "p1"} for name, label in labels.items()])
