"""The stages in order, over a stream: records -> claims -> judgements -> verdicts.

Work is cut into fixed chunks of N records and batches never cross a chunk: so the results are the same whatever was
interrupted and however the chunks were spread over workers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from graph_eval import registry
from graph_eval.aggregate import rule
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.localization import localized
from graph_eval.checkers.threshold import as_checker
from graph_eval.chunks import chunks
from graph_eval.correctors.accept import Acceptance, Draft
from graph_eval.correctors.context_claims import with_context_claims
from graph_eval.correctors.corrector import Corrector
from graph_eval.extractors.extractor import Extractor, as_extractor
from graph_eval.formats.records import RecordError, example, failed
from graph_eval.isolation import isolated
from graph_eval.llm.model import LLM
from graph_eval.settings import Settings, load
from graph_eval.types import CheckTask, Example, ItemError, Judgement, Origin, Result, Text

if TYPE_CHECKING:
    from graph_eval.checkers.hf.engine import Engine

Record = Example | ItemError | Mapping[str, Any]


class GraphEval:
    """Extractor, checker and aggregate rule, ready to run.

    Parts are named as on the command line ("rules", "builtin", ...) or given as objects that fit the seam; a scorer
    of pairs becomes a checker. Settings that are not given come from the environment and graph-eval.toml. Raises
    UsageError for an unknown name. Safe to use from several threads.
    """

    def __init__(
        self,
        extractor: str | Extractor | None = None,
        checker: Any = None,
        threshold: float | str | None = None,
        aggregate: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        settings = settings or load()
        self.settings = replace(
            settings,
            threshold=settings.threshold if threshold is None else threshold,
            aggregate=aggregate or settings.aggregate,
            extractor=extractor if isinstance(extractor, str) else settings.extractor,
            checker=checker if isinstance(checker, str) else settings.checker,
        )
        self.aggregate = rule(self.settings.aggregate)
        self.extractor = _extractor(extractor, self.settings)
        self.checker = _checker(checker, self.settings)
        self.settings = replace(self.settings, threshold=self.checker.threshold)  # the checker's own, if none was given
        self._lock = threading.Lock()

    @property
    def fingerprints(self) -> dict[str, str]:
        """What the results depend on beside the input: the parts' rules and weights."""
        return {"extractor": self.extractor.fingerprint, "checker": self.checker.fingerprint}

    @property
    def corrector(self) -> Corrector:
        """Made when it is first asked for."""
        return self._acceptance.corrector

    @property
    def models(self) -> tuple[LLM, ...]:
        """The language models that the parts ask, each once."""
        corrector = self.__dict__["_acceptance"].corrector if "_acceptance" in self.__dict__ else None
        parts = [model for part in (self.extractor, self.checker, corrector) for model in getattr(part, "models", ())]
        return tuple({id(model): model for model in parts}.values())

    @property
    def engines(self) -> tuple[Engine, ...]:
        """What runs the checker's published models."""
        return getattr(self.checker, "engines", ())

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

    def pipe(self, records: Iterable[Record]) -> Iterator[Result]:
        """Judges a stream of records (dictionaries, Examples or errors), one Result each, in order."""
        for chunk in chunks(enumerate(records), self.settings.chunk):
            yield from self.run_chunk([(n, as_example(record, n)) for n, record in chunk])

    def run_chunk(self, numbered: Sequence[tuple[int, Example | ItemError]]) -> list[Result]:
        """One chunk through all stages."""
        return self.judge(self.extract(numbered))

    def extract(self, numbered: Sequence[tuple[int, Example | ItemError]]) -> list[Result]:
        """Results with claims only."""
        texts = [Text.of(item) for _, item in numbered if isinstance(item, Example)]
        with self._lock:
            extracted = iter(isolated("extract", texts, self.extractor.extract))
        results = []
        for n, item in numbered:
            if isinstance(item, ItemError):
                results.append(Result(n, None, error=item))
                continue
            claims = next(extracted)
            if isinstance(claims, ItemError):
                results.append(Result(n, item, error=replace(claims, id=item.id)))
            else:
                results.append(Result(n, item, claims=tuple(claims)))
        return results

    def correct(self, result: Result) -> Result:
        """The judged result, with a revision where a claim is flagged: only words behind flagged claims change."""
        return self.correct_chunk([result])[0]

    def correct_chunk(self, results: Sequence[Result]) -> list[Result]:
        """Judged results, those with flagged claims with a revision, and with what the context states instead."""
        return with_context_claims(self._corrected(results, self.settings.correction.rounds), self.extractor)

    def _corrected(self, results: Sequence[Result], rounds: int) -> list[Result]:
        """In further rounds what was changed and is still flagged gets revisions of its own."""
        found = self._acceptance.correct(results)
        waiting = [
            (place, revision, revision.result)
            for place, result in enumerate(found)
            if rounds > 1 and (revision := result.revision) and revision.result and revision.result.flagged
        ]
        again = self._corrected([result for _, _, result in waiting], rounds - 1) if waiting else []
        for (place, revision, _), result in zip(waiting, again, strict=True):
            found[place] = replace(found[place], revision=replace(revision, result=result))
        return found

    @cached_property
    def _acceptance(self) -> Acceptance:
        corrector = registry.create("corrector", self.settings.corrector, self.settings)
        second = None
        if self.settings.correction.second_checker is not None:
            own = replace(self.settings, checker=self.settings.correction.second_checker, threshold=None)
            second = GraphEval(self.extractor, None, settings=own)._redone
        return Acceptance(
            corrector, self._redone, second, self.settings.correction.tries, self.settings.correction.on_unsupported
        )

    def _redone(self, drafts: Sequence[Draft]) -> list[Result]:
        """Drafts taken apart and judged, as far as they are in focus."""
        texts = [replace(Text.of(item.example), origin=Origin.REVISION, focus=item.focus) for item in drafts]
        extracted = isolated("extract", texts, self.extractor.extract)
        results = []
        for item, claims in zip(drafts, extracted, strict=True):
            if isinstance(claims, ItemError):
                results.append(Result(item.n, item.example, error=replace(claims, id=item.example.id)))
            else:
                results.append(Result(item.n, item.example, claims=tuple(claims)))
        return self.judge(results)

    def judge(self, results: Sequence[Result]) -> list[Result]:
        """Results with claims, judged (again, if they were judged before)."""
        tasks = [
            CheckTask(Text.of(result.example), result.claims, result.example.passages)
            for result in results
            if _is_open(result) and result.example is not None
        ]
        with self._lock:
            checked = iter(isolated("check", tasks, self.checker.check))
        return [self._judged(result, next(checked)) if _is_open(result) else result for result in results]

    def _judged(self, result: Result, judgements: list[Judgement] | ItemError) -> Result:
        blank = replace(result, judgements=(), label=None, p_inconsistent=None, error=None)
        identity = result.example.id if result.example else None
        if isinstance(judgements, ItemError):
            error = replace(judgements, id=identity)
            failed_claims = tuple(Judgement.failed(claim.id, error) for claim in result.claims)
            return replace(blank, judgements=failed_claims, error=error)
        passages = result.example.passages if result.example else ()
        judgements = [localized(*pair, passages) for pair in zip(judgements, result.claims, strict=True)]
        missing = sum(judgement.error is not None for judgement in judgements)
        if missing:
            message = f"{missing} of {len(judgements)} claims could not be judged"
            error = ItemError("check", message, "see the error of each claim", id=identity)
            return replace(blank, judgements=tuple(judgements), error=error)
        verdict = self.aggregate(judgements, self.checker.threshold)
        return replace(
            blank,
            judgements=tuple(judgements),
            label=verdict.label,
            p_inconsistent=verdict.p_inconsistent,
        )


def _is_open(result: Result) -> bool:
    """Whether there is something to judge: not where the record or its extraction failed."""
    return result.example is not None and (result.error is None or result.error.stage == "check")


def as_example(record: Record, n: int) -> Example | ItemError:
    if isinstance(record, Example | ItemError):
        return record
    try:
        return example(record, n + 1, dataset="")
    except RecordError as problem:
        return failed(problem, f"record {n + 1}", record)


def _extractor(part: Any, settings: Settings) -> Extractor:
    if part is None or isinstance(part, str):
        part = registry.create("extractor", settings.extractor, settings)
    return as_extractor(part)


def _checker(part: Any, settings: Settings) -> Checker:
    if part is None or isinstance(part, str):
        part = registry.create("checker", settings.checker, settings)
    return as_checker(part, settings.threshold)


@cache
def default() -> GraphEval:
    """The parts behind `graph_eval.check`, made once a process."""
    return GraphEval()
