"""Correctors that use a language model.

`llm`: the model gets the flagged claim and its evidence, and answers with the corrected claim. `graphcorrect`: the two
calls of GraphCorrect (arXiv 2407.10793). The first gets the triple and the context, the second the corrected triple and
the response. No request holds both context and response. `direct`: the baseline of that paper. One call gets context
and response, and any word may change.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Sequence

from graph_eval.checkers.windows import with_lead
from graph_eval.correctors.corrector import Corrector
from graph_eval.llm.answers import statements, triples
from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.prompts import Prompt, prompt
from graph_eval.llm.questions import Question, ask
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.schemas import TEXT, objects
from graph_eval.registry import corrector
from graph_eval.settings import OF_LLM, Settings
from graph_eval.text.normalise import readable
from graph_eval.types import Claim, CorrectTask, ItemError, Passage, Proposal, SlotProposal, TextProposal, Unsupported

STAGE = "correct"
RULES = "llm-3"
# "not in the context", with a reason behind it
UNSUPPORTED = re.compile(
    r"\W*(?:(?:final )?(?:answer|output|correction|result)\W{1,5})?not in the context"
    r"(?:\W*|\W{0,3}[.;:,(\n–—-][^\[\]{}]{1,500})",
    re.IGNORECASE,
)
# A part that says so, where the claim and the context do not have these words
NOT_GIVEN = re.compile(
    r"\W*(?:n/?a|null|none|unknown|unspecified|undefined|undetermined|tb[da]|unsupported|unclear"
    r"|no (?:information|evidence)|i (?:do not|don['’]t) know"
    r"|(?:is )?not (?:(?:mentioned|specified|stated|given|known|available|provided|found)"
    r"(?: (?:in|by) (?:the )?(?:given |provided )?(?:context|passages?|texts?|sources?)\b.{0,20})?"
    r"|in (?:the )?(?:context|passages?|texts?|sources?)\b.{0,20})"
    r"|(?:the )?(?:context|passage) does not \w+.{0,60})\W*",
    re.IGNORECASE,
)
FENCE = re.compile(r"^[ \t]*<<<.*>>>[ \t]*$", re.MULTILINE)
TEXT_KEYS = frozenset(
    "text corrected_text corrected_response corrected_answer corrected revised_text response answer output".split()
)
SENTENCE = re.compile(r"[\"“'*]{0,3}(\w[^\n\[\]{}|]{1,1000}[.!?])[\"”'*]{0,3}")
CODE_BLOCK = re.compile(r"\A\s*```[^\n]*\n(.*?)\n?```\s*\Z", re.DOTALL)
NO_PARTS = re.compile(
    r'\s*(?:\[\s*\]|\{\s*"parts"\s*:\s*(?:null|\[\s*(?:"not in the context\.?"\s*)?\])\s*\})\s*', re.IGNORECASE
)
Model = str | Callable[[str], str] | LLM
ClaimAnswer = SlotProposal | Unsupported
CLAIM = objects(
    parts={
        "type": ["array", "null"],
        "items": TEXT,
        "description": "the parts of the corrected claim, or null if the right words are not in the context",
    }
)
REVISION = objects(text=TEXT | {"description": "the whole text"})


@corrector("llm", argument="MODEL", example="llm:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class LLMCorrector(Corrector):
    """Requests the corrected claim, given the claim and its evidence."""

    whole_context = False
    name = "llm"

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self.model = as_model(model, settings)
        self._triple = prompt("correct_triple", settings.llm.prompts)
        self._repair = prompt("repair", settings.llm.prompts)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> LLMCorrector:
        return cls(argument or "", settings)

    @property
    def models(self) -> tuple[LLM, ...]:
        return (self.model,)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return (self._triple, self._repair)

    @property
    def fingerprint(self) -> str:
        return ":".join((self.name, RULES, self.model.fingerprint, *(prompt.fingerprint for prompt in self.prompts)))

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        return [_alone(answer) for answer in self._corrected_claims(tasks)]

    def _corrected_claims(self, tasks: Sequence[CorrectTask]) -> list[ClaimAnswer | ItemError]:
        questions = [self._question(task) for task in tasks]
        return ask(self.model, questions, self._repair, STAGE)

    def _question(self, task: CorrectTask) -> Question[ClaimAnswer]:
        parts = parts_of(task.claim)
        context = context_of(task.passages) if self.whole_context else evidence_of(task)
        request = Request(self._triple.messages(parts=parts, passages=context), CLAIM)

        def read(answer: Completion, last: bool) -> ClaimAnswer:  # noqa: ARG001
            if any(form.fullmatch(answer.text) for form in (UNSUPPORTED, NOT_GIVEN, NO_PARTS)):
                return Unsupported()
            corrected = read_parts(answer.text, len(parts))
            said = "\n".join((*parts, *context)).casefold()
            unsaid = (NOT_GIVEN.fullmatch(new) and new.casefold() not in said for new in corrected)
            if any(empty and not _denies(new, old) for empty, new, old in zip(unsaid, corrected, parts, strict=True)):
                return Unsupported()
            return SlotProposal(corrected)

        return Question(request, read, f"a list of {len(parts)} strings, or: not in the context")


def _denies(new: str, old: str) -> bool:
    """Whether a part only denies the old one: "is provided to", "is not provided to"."""
    return "".join(re.split(r"\bnot\s", new.casefold())) == old.casefold()


@corrector("graphcorrect", argument="MODEL", example="graphcorrect:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class GraphCorrector(LLMCorrector):
    """Requests the corrected triple, then the response with that triple."""

    whole_context = True
    name = "graphcorrect"

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self._text = prompt("correct_text", (settings or Settings()).llm.prompts)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return (self._triple, self._text, self._repair)

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        claims = self._corrected_claims(tasks)
        proposals = [_alone(answer) for answer in claims]
        places, questions = [], []
        for place, (task, answer) in enumerate(zip(tasks, claims, strict=True)):
            if isinstance(answer, SlotProposal):
                triple = " ".join(answer.parts)
                messages = self._text.messages(old=task.claim.text, new=triple, response=task.text.text)
                places.append(place)
                questions.append(Question(Request(messages, REVISION), read_text, "the whole text"))
        texts = ask(self.model, questions, self._repair, STAGE)
        for place, text in zip(places, texts, strict=True):
            proposals[place] = _alone(text)
        return proposals


@corrector("direct", argument="MODEL", example="direct:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class DirectCorrector(LLMCorrector):
    """The baseline: requests the whole corrected response. Any word may change."""

    name = "direct"
    anywhere = True

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self._direct = prompt("correct_direct", (settings or Settings()).llm.prompts)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return (self._direct, self._repair)

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        questions = [
            Question(
                Request(self._direct.messages(response=task.text.text, passages=context_of(task.passages)), REVISION),
                read_text,
                "the whole corrected text",
            )
            for task in tasks
        ]
        return [_alone(answer) for answer in ask(self.model, questions, self._repair, STAGE)]


def _alone(answer: Proposal | ItemError) -> list[Proposal] | ItemError:
    """The answer as the only proposal of its claim."""
    return answer if isinstance(answer, ItemError) else [answer]


def read_text(answer: Completion, last: bool) -> TextProposal:  # noqa: ARG001
    """A rewritten text without marker lines and code fence, also as {"text": ...}.

    Raises AnswerError for an empty one.
    """
    code = CODE_BLOCK.match(answer.text)
    text = code[1] if code else answer.text
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(text)
        if isinstance(value, dict) and len(value) == 1 and TEXT_KEYS.issuperset(value):
            (only,) = value.values()
            text = only if isinstance(only, str) else text
    text = FENCE.sub("", text).strip()
    if not text:
        raise AnswerError("it holds no text")
    return TextProposal(text)


def read_parts(answer: str, count: int) -> tuple[str, ...]:
    """The corrected parts of a claim. Raises AnswerError if there are not `count` of them."""
    if count == 1:
        alone = SENTENCE.fullmatch(answer.strip())
        answers = [alone[1]] if alone else statements(answer)
        if len(answers) != 1:
            raise AnswerError(f"it holds {len(answers)} sentences instead of one")
        return (answers[0],)
    corrected = triples(answer)
    if len(corrected) != 1:
        raise AnswerError(f"it holds {len(corrected)} triples instead of one")
    return corrected[0]


def parts_of(claim: Claim) -> list[str]:
    """The texts of the claim's slots, or its whole text where it has none."""
    return [slot.text for slot in claim.slots] or [claim.text]


def evidence_of(task: CorrectTask) -> list[str]:
    """The deciding sentences of each passage, each behind the one in front of it, for its pronouns.

    The whole context where the checker gave no evidence.
    """
    by_id = {passage.id: passage for passage in task.passages}
    windows = [
        with_lead(by_id[part.passage_id], part.span).of(by_id[part.passage_id].text)
        for part in task.judgement.evidence
        if part.passage_id in by_id
    ]
    return [readable(text) for text in dict.fromkeys(windows) if text.strip()] or context_of(task.passages)


def context_of(passages: Sequence[Passage]) -> list[str]:
    """All passages in their readable form."""
    return [readable(passage.text) for passage in passages if passage.text.strip()]
