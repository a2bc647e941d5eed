"""A language model judges claims against passages (RefChecker, arXiv 2405.14486).

`joint`: all claims of a response in one call, each with an explicit id, so that no answer is taken for another claim's.
`single`: one claim in each call. Where the provider gives log probabilities, they become the scores. Otherwise the
label scores 1. Passages that are too long for one call are read in several. One that entails the claim is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.windows import Window, WindowSelector
from graph_eval.errors import UsageError
from graph_eval.llm.asking import AskingPart
from graph_eval.llm.labels import Verdict, label, probabilities, verdicts
from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.questions import Question, ask
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.schemas import TEXT, lists, objects
from graph_eval.registry import checker
from graph_eval.settings import OF_LLM, Settings, choices
from graph_eval.text.normalise import readable
from graph_eval.types import COLUMNS, CheckTask, Claim, ItemError, Judgement, Passage, Scores, Span

if TYPE_CHECKING:
    from graph_eval.settings import CheckMode

RULES = "llm-3"
STAGE = "check"
MAX_CHARACTERS = 48_000  # of passages in one call: some 12,000 tokens
FORMS = {
    "joint": '[{"id": "c1", "label": "Entailment, Neutral or Contradiction", "passage": "p1 or null"}, ...]',
    "single": '{"reason": "...", "label": "Entailment, Neutral or Contradiction"}',
}
LABEL: dict[str, Any] = {"type": "string", "enum": list(COLUMNS)}
VERDICT = objects(reason=TEXT, label=LABEL)
VERDICTS = objects(verdicts=lists(objects(id=TEXT, label=LABEL, passage={"type": ["string", "null"]})))


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """The model's answer for one claim: scores, and the passage that decides and the reason, if it named them."""

    scores: Scores
    passage: Passage | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """Some claims of a task against some of its passages."""

    task: int
    claims: tuple[int, ...]  # indices in the task
    passages: tuple[Passage, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(f"c{index + 1}" for index in self.claims)


@dataclass(slots=True)
class ClaimVerdicts:
    """A claim with the model's verdicts, one for each call that succeeded. `error`: of the first that failed."""

    claim: Claim
    verdicts: list[ModelVerdict] = field(default_factory=list)
    error: ItemError | None = None


@checker(
    "llm",
    argument="MODEL",
    example="llm:openai/gpt-4o-mini",
    reads=(*OF_LLM, "check_mode", "check_batch"),
    extra="llm",
)
class LLMChecker(AskingPart, Checker):
    """`model`: a litellm name, a function from a prompt to an answer, or an `LLM`. `batch`: claims in one joint call, 0
    for all. `mode`, `batch`: those of the settings by default.

    Raises UsageError for an unknown mode. A pickled copy makes its client again from the model's name.
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
            raise UsageError(f"unknown mode {self.mode!r}", f"known modes: {', '.join(choices('check_mode'))}")
        self.batch = settings.llm.check_batch if batch is None else batch
        super().__init__(model, settings, f"check_{self.mode}", (mode, batch))
        self._selector = WindowSelector(sizes=(1,), passages=1)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> LLMChecker:
        return cls(argument or "", settings=settings)

    @property
    def fingerprint(self) -> str:
        parts = (RULES, self.mode, self.batch, self.model.fingerprint)
        return ":".join(map(str, (*parts, self._prompt.fingerprint, self._repair.fingerprint)))

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        by_task = [[ClaimVerdicts(claim) for claim in task.claims] for task in tasks]
        calls = [call for index, task in enumerate(tasks) for call in self._calls(index, task)]
        questions = [self._question(tasks[call.task], call) for call in calls]
        answers = ask(self.model, questions, self._repair, STAGE)
        for call, answer in zip(calls, answers, strict=True):
            for index, claim_id in zip(call.claims, call.ids, strict=True):
                claim = by_task[call.task][index]
                verdict = answer if isinstance(answer, ItemError) else answer[claim_id]
                if isinstance(verdict, ItemError):
                    claim.error = claim.error or verdict
                else:
                    claim.verdicts.append(verdict)
        return [
            [self._judgement(claim, task.passages) for claim in claims]
            for claims, task in zip(by_task, tasks, strict=True)
        ]

    def _calls(self, task_index: int, task: CheckTask) -> Iterator[Call]:
        passages = [passage for passage in task.passages if passage.text.strip()]
        size = 1 if self.mode == "single" else self.batch or max(1, len(task.claims))
        for group in groups(passages):
            for first in range(0, len(task.claims), size):
                yield Call(task_index, tuple(range(first, min(first + size, len(task.claims)))), group)

    def _question(self, task: CheckTask, call: Call) -> Question[dict[str, ModelVerdict | ItemError]]:
        texts = [task.claims[index].text for index in call.claims]
        values: dict[str, Any] = {
            "passages": [readable(passage.text) for passage in call.passages],
            "question": task.text.question or "",
        }
        if self.mode == "single":
            request = Request(self._prompt.messages(claim=texts[0], **values), VERDICT, logprobs=True)
        else:
            claims = list(zip(call.ids, texts, strict=True))
            request = Request(self._prompt.messages(claims=claims, **values), VERDICTS, logprobs=True)

        def read(answer: Completion, last: bool) -> dict[str, ModelVerdict | ItemError]:
            return self._read(answer, last, call)

        return Question(request, read, FORMS[self.mode])

    def _read(self, answer: Completion, last: bool, call: Call) -> dict[str, ModelVerdict | ItemError]:
        if self.mode == "single":
            return {call.ids[0]: self._verdict(label(answer.text), answer, call)}
        by_id, problems = verdicts(answer.text, call.ids)
        if problems and not last:
            raise AnswerError("; ".join(problems.values()))
        errors: dict[str, ModelVerdict | ItemError] = {
            claim_id: ItemError(STAGE, f"the model's answer cannot be read: {problem}", answer=answer.text)
            for claim_id, problem in problems.items()
        }
        return errors | {claim_id: self._verdict(verdict, answer, call) for claim_id, verdict in by_id.items()}

    def _verdict(self, verdict: Verdict, answer: Completion, call: Call) -> ModelVerdict:
        certain = {name: float(name is verdict.label) for name in COLUMNS}
        by_label = probabilities(answer.tokens, verdict.start) or certain
        if max(COLUMNS, key=lambda name: by_label[name]) is not verdict.label:
            by_label = certain  # probabilities that disagree with the label belong to another token
        number = (verdict.passage or "").strip().lower().removeprefix("passage").strip().removeprefix("p")
        valid = number.isdecimal() and 1 <= int(number) <= len(call.passages)
        passage = call.passages[int(number) - 1] if valid else None
        return ModelVerdict(Scores(*(by_label[name] for name in COLUMNS)), passage, verdict.reason)

    def _judgement(self, verdicts: ClaimVerdicts, passages: Sequence[Passage]) -> Judgement:
        claim = verdicts.claim
        if verdicts.error is not None:
            return Judgement.failed(claim.id, verdicts.error)
        if not verdicts.verdicts:  # no passages, or only empty ones
            return judgement_from(claim.id, (), self.threshold)
        filled = [passage for passage in passages if passage.text.strip()]
        windows = [
            (self._window(claim, [verdict.passage] if verdict.passage else filled), verdict.scores)
            for verdict in verdicts.verdicts
        ]
        judgement = judgement_from(claim.id, windows, self.threshold)
        column = COLUMNS.index(judgement.label) if judgement.label else 0
        decisive = max(verdicts.verdicts, key=lambda verdict: verdict.scores[column])
        return replace(judgement, reason=decisive.reason)

    def _window(self, claim: Claim, passages: Sequence[Passage]) -> Window:
        """The sentence to show as evidence: the one that shares the most terms with the claim."""
        windows = self._selector.select(passages, [claim.text])[0]
        whole = passages[0]
        return windows[0] if windows else Window(whole.id, Span(0, len(whole.text)), whole.text)


def groups(passages: Sequence[Passage]) -> Iterator[tuple[Passage, ...]]:
    """Passages in groups that fit into one call. A longer passage is alone, and whole."""
    group: list[Passage] = []
    for passage in passages:
        if group and sum(len(other.text) for other in group) + len(passage.text) > MAX_CHARACTERS:
            yield tuple(group)
            group = []
        group.append(passage)
    if group:
        yield tuple(group)
