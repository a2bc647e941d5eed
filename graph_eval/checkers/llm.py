"""A language model judges claims against passages (RefChecker, arXiv 2405.14486).

`joint`: all claims of a response in one call, each by an explicit id, so that an answer is never taken for another
claim's. `single`: one claim a call; where the provider gives log probabilities, they become the scores. Otherwise a
label scores 1. Passages too long for one call are read in several; one that entails is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.merge import NO_PASSAGE, judge
from graph_eval.checkers.windows import Window, WindowSelector
from graph_eval.errors import UsageError
from graph_eval.llm.answers import Verdict, label, probabilities, verdicts
from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.prompts import prompt
from graph_eval.llm.questions import Question, ask
from graph_eval.llm.scanner import AnswerError
from graph_eval.registry import checker
from graph_eval.settings import OF_LLM, Settings, choices
from graph_eval.text.normalise import readable
from graph_eval.types import COLUMNS, CheckTask, Claim, ItemError, Judgement, Label, Passage, Scores, Span

if TYPE_CHECKING:
    from graph_eval.settings import CheckMode

RULES = "llm-1"
STAGE = "check"
MOST_CHARACTERS = 48_000  # of passages a call: some 12,000 tokens
FORMS = {
    "joint": '[{"id": "c1", "label": "Entailment, Neutral or Contradiction", "passage": "p1 or null"}, ...]',
    "single": "one word: Entailment, Neutral or Contradiction",
}
VERDICTS = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "label": {"type": "string", "enum": list(COLUMNS)},
                    "passage": {"type": ["string", "null"]},
                },
                "required": ["id", "label", "passage"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Scored:
    """What the model said of a claim: scores, and the passage that decides, if it named one."""

    scores: Scores
    passage: Passage | None


@dataclass(frozen=True, slots=True)
class Call:
    """Some claims of a task against some of its passages."""

    task: int
    claims: tuple[int, ...]  # places in the task
    passages: tuple[Passage, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(f"c{place + 1}" for place in self.claims)


@dataclass(slots=True)
class Asked:
    """A claim with what came back for it, a call each."""

    claim: Claim
    scored: list[Scored] = field(default_factory=list)
    error: ItemError | None = None


@checker(
    "llm",
    argument="MODEL",
    example="llm:openai/gpt-4o-mini",
    reads=(*OF_LLM, "check_mode", "check_batch"),
    extra="llm",
)
class LLMChecker(Checker):
    """`model`: a litellm name, a function from a prompt to an answer, or an object that fits the seam. `batch`: claims
    a joint call, 0 for all.

    Raises UsageError for an unknown mode.
    """

    threshold = 0.5

    def __init__(
        self,
        model: str | Callable[[str], str] | LLM,
        mode: CheckMode | None = None,
        batch: int | None = None,
        settings: Settings | None = None,
    ) -> None:
        settings = settings or Settings()
        self.mode = mode or settings.llm.check_mode
        if self.mode not in choices("check_mode"):
            raise UsageError(f"there is no mode {self.mode!r}", f"known: {', '.join(choices('check_mode'))}")
        self.batch = settings.llm.check_batch if batch is None else batch
        self.model = as_model(model, settings)
        self._prompt = prompt(f"check_{self.mode}", settings.llm.prompts)
        self._repair = prompt("repair", settings.llm.prompts)
        self._selector = WindowSelector(sizes=(1,), passages=1)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> LLMChecker:
        return cls(argument or "", settings=settings)

    @property
    def models(self) -> tuple[LLM, ...]:
        return (self.model,)

    @property
    def fingerprint(self) -> str:
        parts = (RULES, self.mode, self.batch, self.model.fingerprint)
        return ":".join(map(str, (*parts, self._prompt.fingerprint, self._repair.fingerprint)))

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        asked = [[Asked(claim) for claim in task.claims] for task in tasks]
        calls = [call for place, task in enumerate(tasks) for call in self._calls(place, task)]
        questions = [self._question(tasks[call.task], call) for call in calls]
        answers = ask(self.model, questions, self._repair, STAGE)
        for call, answer in zip(calls, answers, strict=True):
            for place in call.claims:
                item = asked[call.task][place]
                found = answer if isinstance(answer, ItemError) else answer[f"c{place + 1}"]
                if isinstance(found, ItemError):
                    item.error = item.error or found
                else:
                    item.scored.append(found)
        return [[self._judge(item, task.passages) for item in items] for items, task in zip(asked, tasks, strict=True)]

    def _calls(self, place: int, task: CheckTask) -> Iterator[Call]:
        passages = [passage for passage in task.passages if passage.text.strip()]
        size = 1 if self.mode == "single" else self.batch or max(1, len(task.claims))
        for group in groups(passages):
            for first in range(0, len(task.claims), size):
                yield Call(place, tuple(range(first, min(first + size, len(task.claims)))), group)

    def _question(self, task: CheckTask, call: Call) -> Question[dict[str, Scored | ItemError]]:
        texts = [task.claims[place].text for place in call.claims]
        values: dict[str, Any] = {
            "passages": [readable(passage.text) for passage in call.passages],
            "question": task.text.question or "",
        }
        if self.mode == "single":
            request = Request(self._prompt.messages(claim=texts[0], **values), logprobs=True)
        else:
            claims = list(zip(call.ids, texts, strict=True))
            request = Request(self._prompt.messages(claims=claims, **values), VERDICTS, logprobs=True)

        def read(answer: Completion, last: bool) -> dict[str, Scored | ItemError]:
            return self._read(answer, last, call)

        return Question(request, read, FORMS[self.mode])

    def _read(self, answer: Completion, last: bool, call: Call) -> dict[str, Scored | ItemError]:
        if self.mode == "single":
            return {call.ids[0]: self._scored(label(answer.text), answer, call)}
        found, problems = verdicts(answer.text, call.ids)
        if problems and not last:
            raise AnswerError("; ".join(problems.values()))
        errors: dict[str, Scored | ItemError] = {
            name: ItemError(STAGE, f"the model's answer cannot be read: {problem}", answer=answer.text)
            for name, problem in problems.items()
        }
        return errors | {name: self._scored(verdict, answer, call) for name, verdict in found.items()}

    def _scored(self, verdict: Verdict, answer: Completion, call: Call) -> Scored:
        certain = {name: float(name is verdict.label) for name in COLUMNS}
        chances = probabilities(answer.tokens, verdict.start) or certain
        if max(COLUMNS, key=lambda name: chances[name]) is not verdict.label:
            chances = certain  # probabilities that disagree with the label are those of another place
        number = (verdict.passage or "").strip().lower().removeprefix("passage").strip().removeprefix("p")
        named = number.isdecimal() and 1 <= int(number) <= len(call.passages)
        passage = call.passages[int(number) - 1] if named else None
        return Scored(Scores(*(chances[name] for name in COLUMNS)), passage)

    def _judge(self, item: Asked, passages: Sequence[Passage]) -> Judgement:
        if item.error is not None:
            return Judgement.failed(item.claim.id, item.error)
        if not passages:
            return judge(item.claim.id, (), self.threshold)
        if not item.scored:  # passages without a word
            return Judgement(item.claim.id, Label.NEUTRAL, 1.0, flagged=True, reason=NO_PASSAGE)
        found = []
        for scored in item.scored:
            among = [scored.passage] if scored.passage else [passage for passage in passages if passage.text.strip()]
            found.append((self._window(item.claim, among), scored.scores))
        return judge(item.claim.id, found, self.threshold)

    def _window(self, claim: Claim, passages: Sequence[Passage]) -> Window:
        """The sentence that a reader should look at: the one of these passages that shares most with the claim."""
        windows = self._selector.select(passages, [claim.text])[0]
        whole = passages[0]
        return windows[0] if windows else Window(whole.id, Span(0, len(whole.text)), whole.text)


def groups(passages: Sequence[Passage]) -> Iterator[tuple[Passage, ...]]:
    """Passages that fit into one call together; a longer one is alone, and whole."""
    group: list[Passage] = []
    for passage in passages:
        if group and sum(len(other.text) for other in group) + len(passage.text) > MOST_CHARACTERS:
            yield tuple(group)
            group = []
        group.append(passage)
    if group:
        yield tuple(group)
