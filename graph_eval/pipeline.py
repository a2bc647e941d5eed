"""The parts of one process, for Python: a plan of extract, check and correct, made from settings and objects."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from graph_eval.aggregate import rule
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.threshold import as_checker
from graph_eval.correctors.corrector import Corrector, as_corrector
from graph_eval.errors import UsageError
from graph_eval.extractors.extractor import Extractor, as_extractor
from graph_eval.fingerprints import name_of
from graph_eval.jobs import Job
from graph_eval.llm.model import LLM
from graph_eval.mappers import Mapper, serial
from graph_eval.plan import Plan
from graph_eval.registry import create
from graph_eval.settings import Settings, load
from graph_eval.sources import Record, Records, Source, as_result
from graph_eval.stages import CheckStage, CorrectStage, ExtractStage, Stage
from graph_eval.types import Result

if TYPE_CHECKING:
    from graph_eval.checkers.hf.engine import Engine


class GraphEval:
    """Extractor, checker, aggregate rule and corrector, ready to run.

    Parts are named as on the command line ("rules", "builtin", ...) or given as objects; a function from a Text to its
    claims is an extractor, a scorer of pairs a checker. Settings that are not given come from the environment and
    graph-eval.toml. Raises UsageError for an unknown name.

    One GraphEval may be used from several threads at once, with equal results: `check`, `pipe`, `extract`, `judge` and
    `correct`. It can be pickled if the objects that it was given can: the other process makes its parts again from the
    settings.
    """

    def __init__(
        self,
        extractor: str | Extractor | Any = None,
        checker: str | Checker | Any = None,
        threshold: float | str | None = None,
        aggregate: str | None = None,
        settings: Settings | None = None,
        corrector: str | Corrector | Any = None,
    ) -> None:
        settings = settings or load()
        given = {"extractor": extractor, "checker": checker, "corrector": corrector}
        named = {
            seam: part if isinstance(part, str) else name_of(part) for seam, part in given.items() if part is not None
        }
        chosen = {"threshold": threshold, "aggregate": aggregate}
        settings = settings.replace(**named, **{name: value for name, value in chosen.items() if value is not None})
        self._objects = {seam: None if isinstance(part, str) else part for seam, part in given.items()}
        self.extractor = as_extractor(self._part("extractor", settings))
        self.checker = as_checker(self._part("checker", settings), settings.threshold)
        self.settings = settings.replace(threshold=self.checker.threshold)  # the checker's own, if none was given
        self._extract = ExtractStage(self.extractor, self.settings)
        self._check = CheckStage(self.checker, rule(self.settings.aggregate), self.settings)
        self._correct: CorrectStage | None = None
        self._lock = threading.Lock()

    def _part(self, seam: str, settings: Settings) -> Any:
        given = self._objects[seam]
        if given is not None:
            return given
        name: str = settings.get(seam)
        if name.startswith("object:"):
            raise UsageError(
                f"the {seam} {name!r} was an object in Python", f"give that object again: GraphEval({seam}=...)"
            )
        return create(seam, name, settings)

    def __reduce__(self) -> Any:
        parts = (self._objects["extractor"], self._objects["checker"], self._objects["corrector"])
        return _rebuilt, (type(self), *parts, self.settings)

    # ---- stages and plans ----

    def plan(self, *names: str) -> Plan:
        """The plan of these stages of "extract", "check" and "correct"; by default the first two."""
        return self._plan(names or ("extract", "check"))

    def _plan(self, names: Iterable[str]) -> Plan:
        return Plan(tuple(self._stage(name) for name in names), self.settings.chunk)

    def plan_for(self, source: Source, *, check: bool = True, correct: bool = False, recheck: bool = False) -> Plan:
        """The plan of what is still to be done with the results of a source.

        `check`: up to the verdicts. `correct`: up to the revisions. `recheck`: also where there are verdicts already.
        """
        names = [] if source.extracted else ["extract"]
        names += ["check"] if check and (recheck or not source.judged) else []
        names += ["correct"] if correct else []
        return self._plan(names)

    def _stage(self, name: str) -> Stage:
        if name == "correct":
            return self._correct_stage()
        stages: dict[str, Stage] = {"extract": self._extract, "check": self._check}
        if name not in stages:
            raise UsageError(f"unknown stage {name!r}", "known stages: extract, check, correct")
        return stages[name]

    def _correct_stage(self) -> CorrectStage:
        """Made when it is first asked for: its weights are loaded only for corrections."""
        with self._lock:
            if self._correct is None:
                corrector = as_corrector(self._part("corrector", self.settings))
                second = None
                if self.settings.correction.second_checker is not None:
                    settings = self.settings.replace(checker=self.settings.correction.second_checker, threshold=None)
                    second = GraphEval(self.extractor, settings=settings)._check
                self._correct = CorrectStage(corrector, self._extract, self._check, self.settings, second)
            return self._correct

    @property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprints of extractor and checker, by role. Those of any plan: `plan(...).fingerprints`."""
        return self.plan().fingerprints

    @property
    def corrector(self) -> Corrector:
        """Made when it is first asked for."""
        return self._correct_stage().corrector

    @property
    def models(self) -> tuple[LLM, ...]:
        """The language models that the parts ask, each once."""
        parts: list[Extractor | Checker | Corrector] = [self.extractor, self.checker]
        if self._correct is not None:
            parts.append(self._correct.corrector)
            parts += [self._correct.second.checker] if self._correct.second else []
        return tuple({id(model): model for part in parts for model in part.models}.values())

    @property
    def engines(self) -> tuple[Engine, ...]:
        """What runs the checker's published models."""
        return self.checker.engines

    # ---- work ----

    def check(
        self,
        response: str,
        context: str | Sequence[str] | None = None,
        question: str | None = None,
        **fields: Any,
    ) -> Result:
        """Judges one response. Without context every claim is Neutral and flagged."""
        passages: Any = context if context is None or isinstance(context, str) else list(context)
        record = {"response": response, "context": passages, "question": question, **fields}
        return next(self.pipe([record]))

    def pipe(self, records: Iterable[Record], *, correct: bool = False, mapper: Mapper = serial) -> Iterator[Result]:
        """Judges a stream of records (dictionaries, Examples or errors), one Result each, in order.

        `correct`: also revises what is flagged. `mapper`: `graph_eval.mappers.threads(n)` or `processes(n)`.
        """
        plan = self.plan("extract", "check", "correct") if correct else self.plan()
        return Job(Records(records), plan, mapper=mapper).results()

    def extract(self, records: Iterable[Record]) -> list[Result]:
        """Results with claims only, in order."""
        return self.plan("extract").run([as_result(record, n) for n, record in enumerate(records)])

    def judge(self, results: Sequence[Result]) -> list[Result]:
        """Results with claims, judged (again, if they were judged before)."""
        return self.plan("check").run(results)

    def correct(self, result: Result) -> Result:
        """The judged result, with a revision where a claim is flagged: only words behind flagged claims change."""
        return self.correct_chunk([result])[0]

    def correct_chunk(self, results: Sequence[Result]) -> list[Result]:
        """Judged results, those with flagged claims with a revision, and with what the context claims instead."""
        return self.plan("correct").run(results)


def _rebuilt(cls: type[GraphEval], extractor: Any, checker: Any, corrector: Any, settings: Settings) -> GraphEval:
    """A GraphEval in another process."""
    return cls(extractor, checker, settings=settings, corrector=corrector)


@cache
def default() -> GraphEval:
    """The parts behind `graph_eval.check`, made once in a process."""
    return GraphEval()
