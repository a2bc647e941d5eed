"""The Python interface: builds plans of extract, ground, check, correct, sample and selfcheck from settings and
objects."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph_eval.aggregate import rule
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.threshold import as_checker
from graph_eval.consistency.foreign import as_method
from graph_eval.consistency.method import Method
from graph_eval.consistency.sampler import Sampler
from graph_eval.consistency.stages import SampleStage, SelfCheckStage
from graph_eval.correctors.corrector import Corrector, as_corrector
from graph_eval.errors import GraphEvalWarning, UsageError
from graph_eval.extractors.extractor import Extractor, as_extractor
from graph_eval.fingerprints import name_of
from graph_eval.formats.records import REQUIRED, WITHOUT_CONTEXT
from graph_eval.jobs import Job
from graph_eval.llm.model import LLM
from graph_eval.mappers import Mapper, serial
from graph_eval.part import Part
from graph_eval.plan import Plan
from graph_eval.registry import create
from graph_eval.results import Results
from graph_eval.retrieve.foreign import as_retriever
from graph_eval.retrieve.stage import GroundStage, named_retriever
from graph_eval.retrieve.transform.chain import TransformChain
from graph_eval.settings import Settings, load
from graph_eval.sources import Record, Records, Source, as_result
from graph_eval.stage import Stage
from graph_eval.stages import CheckStage, CorrectStage, ExtractStage
from graph_eval.types import Result

if TYPE_CHECKING:
    from graph_eval.checkers.hf.engine import Engine
    from graph_eval.checkers.profile import Profile


class GraphEval:
    """Extractor, checker, aggregate rule, corrector and method of self-checking, ready to run.

    A part is a name as on the command line ("rules", "builtin", ...) or an object. A function from a Text to its claims
    is an extractor. A scorer of pairs is a checker. Without `settings`, they come from the environment and
    graph-eval.toml. Raises UsageError for an unknown name.

    `profile`: a file that `graph-eval calibrate` wrote for the checker, or a `checkers.profile.Profile`. `method`:
    compares responses with samples; see `consistency.foreign.as_method` for what can be one. `sampler`: the model that
    is asked again, a name, a function or an `LLM`; without one records must bring their samples. `retriever`: finds
    passages for responses without a context; see `retrieve.foreign.as_retriever` for what can be one.

    Several threads may call `check`, `pipe`, `extract`, `judge` and `correct` of one GraphEval at the same time, with
    the same results. It can be pickled if the objects passed to it can. The other process creates the named parts again
    from the settings.
    """

    def __init__(
        self,
        extractor: str | Extractor | Any = None,
        checker: str | Checker | Any = None,
        threshold: float | str | None = None,
        aggregate: str | None = None,
        settings: Settings | None = None,
        corrector: str | Corrector | Any = None,
        profile: str | Path | Profile | None = None,
        method: str | Method | Any = None,
        sampler: Any = None,
        retriever: Any = None,
    ) -> None:
        settings = settings or load()
        given = {"extractor": extractor, "checker": checker, "corrector": corrector, "method": method}
        named = {
            seam: part if isinstance(part, str) else name_of(part) for seam, part in given.items() if part is not None
        }
        chosen = {"threshold": threshold, "aggregate": aggregate}
        if sampler is not None:
            chosen["sample_with"] = sampler if isinstance(sampler, str) else name_of(sampler)
        if retriever is not None:
            chosen["ground"] = retriever if isinstance(retriever, str) else name_of(retriever)
        if profile is not None:
            chosen["profile"] = str(profile) if isinstance(profile, str | Path) else name_of(profile)
        settings = settings.replace(**named, **{name: value for name, value in chosen.items() if value is not None})
        self._objects = {seam: None if isinstance(part, str) else part for seam, part in given.items()}
        self.extractor = as_extractor(self._part("extractor", settings))
        self._given_profile = None if isinstance(profile, str | Path) else profile
        self.profile = self._profile(settings)
        self.checker = as_checker(self._checker(settings), settings.threshold)
        self.settings = settings.replace(threshold=self.checker.threshold)  # by default the checker's own
        self._extract = ExtractStage(self.extractor, self.settings)
        self._check = CheckStage(self.checker, rule(self.settings.aggregate), self.settings)
        self._correct: CorrectStage | None = None
        self._given_sampler = None if isinstance(sampler, str) else sampler
        self._sample: SampleStage | None = None
        self._selfcheck: SelfCheckStage | None = None
        self._given_retriever = None if isinstance(retriever, str) else retriever
        self._ground: GroundStage | None = None
        self._lock = threading.Lock()

    def _part(self, seam: str, settings: Settings) -> Any:
        given = self._objects[seam]
        if given is not None:
            return given
        name: str = settings.get(seam)
        _refuse_object(seam, name)
        return create(seam, name, settings)

    def _checker(self, settings: Settings) -> Checker:
        """The checker with its own threshold, or with the profile."""
        if self.profile is None:
            return as_checker(self._part("checker", settings))
        from graph_eval.checkers.profile import with_profile

        # The threshold belongs to the probabilities of the profile, not to those of the checker.
        checker = as_checker(self._part("checker", settings.replace(threshold=None)))
        return with_profile(checker, self.profile, settings.checker)

    def _profile(self, settings: Settings) -> Profile | None:
        if settings.profile is None:
            return None
        from graph_eval.checkers.profile import Profile

        if isinstance(self._given_profile, Profile):
            return self._given_profile
        if settings.profile.startswith("object:"):
            raise UsageError(
                f"the profile {settings.profile!r} is not a file", "pass its path, or a Profile: GraphEval(profile=...)"
            )
        return Profile.read(settings.profile)

    def __reduce__(self) -> Any:
        parts = (self._objects["extractor"], self._objects["checker"], self._objects["corrector"])
        others = (self._objects["method"], self._given_sampler, self._given_retriever)
        return _rebuilt, (type(self), *parts, self._given_profile, self.settings, *others)

    # ---- stages and plans ----

    def plan(self, *names: str) -> Plan:
        """The plan with the named stages: "extract", "ground", "check", "correct", "sample" or "selfcheck".

        The default is "extract", "ground" if there is a retriever, and "check".
        """
        return self._plan(names or ("extract", *self._grounding, "check"))

    @property
    def _grounding(self) -> tuple[str, ...]:
        return ("ground",) if self.settings.retrieval.ground is not None else ()

    @property
    def required(self) -> tuple[str, ...]:
        """The fields that no record may lack: with a retriever the context may be missing."""
        return WITHOUT_CONTEXT if self._grounding else REQUIRED

    def _plan(self, names: Collection[str]) -> Plan:
        if self.profile is not None and {"extract", "check"} <= set(names):
            self._compare(self.extractor.fingerprint)
        return Plan(tuple(self._stage(name) for name in names), self.settings.chunk)

    def plan_for(self, source: Source, *, check: bool = True, correct: bool = False, recheck: bool = False) -> Plan:
        """The plan with the stages that the results of a source still need. With a retriever, "ground" is one of them.

        `check`: judge the claims. `correct`: correct flagged claims. `recheck`: judge again if there are verdicts.
        """
        names = [] if source.extracted else ["extract"]
        names += [*self._grounding, "check"] if check and (recheck or not source.judged) else []
        names += ["correct"] if correct else []
        if source.run is not None and source.extracted and "check" in names:
            self._compare(source.run.fingerprints.get("extractor"))
        return self._plan(names)

    def _compare(self, extractor: str | None) -> None:
        """Warns if the profile was fitted on the claims of another extractor than this one, by fingerprint."""
        fitted = self.profile.extractor if self.profile else None
        if fitted is not None and extractor is not None and extractor != fitted.fingerprint:
            warnings.warn(
                f"the profile was fitted on claims of another extractor or version ({fitted.name}): its probabilities "
                "may be off",
                GraphEvalWarning,
                stacklevel=3,
            )

    def _stage(self, name: str) -> Stage:
        stages: dict[str, Callable[[], Stage]] = {
            "extract": lambda: self._extract,
            "ground": self._ground_stage,
            "check": lambda: self._check,
            "correct": self._correct_stage,
            "sample": self._sample_stage,
            "selfcheck": self._selfcheck_stage,
        }
        if name not in stages:
            raise UsageError(f"unknown stage {name!r}", f"known stages: {', '.join(stages)}")
        return stages[name]()

    def _ground_stage(self) -> GroundStage:
        """Created on first use, so that a corpus is read only where it is searched. Raises UsageError without one."""
        with self._lock:
            if self._ground is None:
                name = self.settings.retrieval.ground
                if name is None:
                    raise UsageError("no corpus to search", "pass --ground CORPUS, or GraphEval(retriever=...)")
                given = self._given_retriever
                if given is None:
                    _refuse_object("retriever", name)
                found = named_retriever(name, self.settings) if given is None else as_retriever(given)
                transform = TransformChain.named(self.settings.retrieval.transform, self.settings)
                self._ground = GroundStage(found, transform, self.settings, self.checker)
            return self._ground

    def _sample_stage(self) -> SampleStage:
        """Raises UsageError without a model to sample."""
        with self._lock:
            if self._sample is None:
                name = self.settings.sampling.sample_with
                if name is None:
                    raise UsageError("no model to sample", "pass --sample-with MODEL, or GraphEval(sampler=...)")
                if self._given_sampler is None:
                    _refuse_object("sampler", name)
                model = name if self._given_sampler is None else self._given_sampler
                self._sample = SampleStage(Sampler(model, self.settings), self.settings)
            return self._sample

    def _selfcheck_stage(self) -> SelfCheckStage:
        """Created on first use, so that its weights are loaded only for samples."""
        with self._lock:
            if self._selfcheck is None:
                found = as_method(self._part("method", self.settings))
                self._selfcheck = SelfCheckStage(found, self.extractor, self.settings)
            return self._selfcheck

    def _correct_stage(self) -> CorrectStage:
        """Created on first use, so that its weights are loaded only for corrections."""
        with self._lock:
            if self._correct is None:
                corrector = as_corrector(self._part("corrector", self.settings))
                second = None
                if self.settings.correction.second_checker is not None:
                    name = self.settings.correction.second_checker
                    settings = self.settings.replace(checker=name, threshold=None, profile=None)
                    second = GraphEval(self.extractor, settings=settings)._check
                self._correct = CorrectStage(corrector, self._extract, self._check, self.settings, second)
            return self._correct

    @property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprints of extractor and checker, by role. Those of any plan: `plan(...).fingerprints`."""
        return self.plan().fingerprints

    @property
    def corrector(self) -> Corrector:
        """Created on first use."""
        return self._correct_stage().corrector

    @property
    def models(self) -> tuple[LLM, ...]:
        """The language models of the parts, without duplicates."""
        parts: list[Part] = [self.extractor, self.checker]
        if self._correct is not None:
            parts.append(self._correct.corrector)
            parts += [self._correct.second.checker] if self._correct.second else []
        if self._selfcheck is not None:
            parts.append(self._selfcheck.method)
        if self._ground is not None:
            parts += [self._ground.retriever, self._ground.transform]
        models = [model for part in parts for model in part.models]
        models += [self._sample.sampler.model] if self._sample is not None else []
        return tuple({id(model): model for model in models}.values())

    @property
    def engines(self) -> tuple[Engine, ...]:
        """The engines that run published models, without duplicates."""
        found = (*self.checker.engines, *(self._selfcheck.method.engines if self._selfcheck else ()))
        return tuple({id(engine): engine for engine in found}.values())

    # ---- work ----

    def check(
        self,
        response: str,
        context: str | Sequence[str] | None = None,
        question: str | None = None,
        **fields: Any,
    ) -> Result:
        """Judges one response. Without context, and without a retriever that finds one, every claim is Neutral and
        flagged."""
        passages: Any = context if context is None or isinstance(context, str) else list(context)
        record = {"response": response, "context": passages, "question": question, **fields}
        return next(self.pipe([record]))

    def pipe(self, records: Iterable[Record], *, correct: bool = False, mapper: Mapper = serial) -> Iterator[Result]:
        """Judges a stream of records (dictionaries, Examples or errors). Yields one Result for each record, in order.

        `correct`: also correct flagged claims. `mapper`: for example `graph_eval.mappers.threads(n)`.
        """
        plan = self.plan("extract", *self._grounding, "check", *(["correct"] if correct else []))
        source = Records(records, limits=self.settings.limits, required=self.required)
        return Job(source, plan, mapper=mapper).results()

    def check_all(self, records: Iterable[Record], *, correct: bool = False, mapper: Mapper = serial) -> Results:
        """The results of `pipe`, all in memory: as a list that shows itself, counts, and becomes a table or a page."""
        return Results(self.pipe(records, correct=correct, mapper=mapper))

    def selfcheck(
        self,
        response: str,
        samples: Sequence[str] = (),
        question: str | None = None,
        **fields: Any,
    ) -> Result:
        """Compares one response with samples, which are further answers of the same model to the same question.

        Without samples the model of the setting `sample_with` is asked `question` again. The consistency is
        `Result.fields["consistency"]`.
        """
        record = {"response": response, "samples": list(samples), "question": question, **fields}
        return next(
            Job(
                Records([record], limits=self.settings.limits, required=WITHOUT_CONTEXT), self.selfcheck_plan()
            ).results()
        )

    def selfcheck_plan(self, extracted: bool = False, check: bool = False) -> Plan:
        """The plan that compares responses with samples.

        `extracted`: the results have claims already. `check`: also judge the claims against the context.
        """
        stage = self._selfcheck_stage()
        names = ["extract"] if not extracted and (stage.method.needs_claims or check) else []
        names += [*self._grounding, "check"] if check else []
        names += ["sample"] if self.settings.sampling.sample_with is not None else []
        return self._plan([*names, "selfcheck"])

    def extract(self, records: Iterable[Record]) -> list[Result]:
        """Results with claims only, in order."""
        return self.plan("extract").run(
            [as_result(record, n, self.settings.limits) for n, record in enumerate(records)]
        )

    def ground_plan(self, extracted: bool = False) -> Plan:
        """The plan that finds passages. `extracted`: the results have claims already."""
        return self._plan([*([] if extracted else ["extract"]), "ground"])

    def ground(self, results: Sequence[Result]) -> list[Result]:
        """Results with claims, with the passages that were found for those without a context, and without verdicts."""
        return self.plan("ground").run(results)

    def judge(self, results: Sequence[Result]) -> list[Result]:
        """Judges results with claims, also those that have verdicts already."""
        return self.plan("check").run(results)

    def correct(self, result: Result) -> Result:
        """Returns the judged result, with a revision if a claim is flagged. Only the words of flagged claims change."""
        return self.correct_chunk([result])[0]

    def correct_chunk(self, results: Sequence[Result]) -> list[Result]:
        """Returns the judged results. Those with flagged claims get a revision and the context's claims."""
        return self.plan("correct").run(results)


def _refuse_object(role: str, name: str) -> None:
    """Raises UsageError for the name of a part that was an object."""
    if name.startswith("object:"):
        raise UsageError(
            f"the {role} {name!r} was an object in Python", f"pass that object again: GraphEval({role}=...)"
        )


def _rebuilt(
    cls: type[GraphEval],
    extractor: Any,
    checker: Any,
    corrector: Any,
    profile: Profile | None,
    settings: Settings,
    method: Any = None,
    sampler: Any = None,
    retriever: Any = None,
) -> GraphEval:
    """Creates the pickled GraphEval in another process."""
    return cls(
        extractor,
        checker,
        settings=settings,
        corrector=corrector,
        profile=profile,
        method=method,
        sampler=sampler,
        retriever=retriever,
    )


@cache
def default() -> GraphEval:
    """The GraphEval of `graph_eval.check`, created once per process."""
    return GraphEval()
