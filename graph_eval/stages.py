"""The stages of this package: extract (texts to claims), check (claims to verdicts) and correct (flagged claims to a
revised text). `graph_eval.stage` has the base class; the stages of sampling are in `consistency/stages.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graph_eval.aggregate import Rule
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.localization import localized
from graph_eval.correctors.accept import ACCEPTANCE, Acceptance, Draft
from graph_eval.correctors.context_claims import with_context_claims
from graph_eval.correctors.corrector import Corrector
from graph_eval.extractors.extractor import Extractor
from graph_eval.isolation import isolated
from graph_eval.settings import Settings
from graph_eval.stage import Stage as Stage
from graph_eval.stage import commonest, example_of, record_name
from graph_eval.stage import run_stage as run_stage
from graph_eval.text.notice import LanguageNotice
from graph_eval.types import CheckTask, Claim, ItemError, Judgement, Origin, Result, Text

STAGES = ("extract", "check", "correct")  # those of this package, in their order


class ExtractStage(Stage):
    """Extracts the claims of each response."""

    name = "extract"

    def __init__(self, extractor: Extractor, settings: Settings) -> None:
        self.extractor = extractor
        self._settings = settings
        self._notice = LanguageNotice(extractor.english_only)

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._settings.affecting_results(("extractor", *self.extractor.reads))

    @property
    def fingerprint(self) -> str:
        return self.extractor.fingerprint

    @property
    def fingerprints(self) -> Mapping[str, str]:
        return {"extractor": self.fingerprint}

    @property
    def roles(self) -> tuple[str, ...]:
        return ("extractor",)

    def run(self, results: Sequence[Result]) -> list[Result]:
        self._notice.read(results)
        texts = [Text.of(example_of(result)) for result in results]
        extracted = self.extractor.extract(texts)
        return [with_claims(result, claims) for result, claims in zip(results, extracted, strict=True)]


def with_claims(result: Result, claims: Iterable[Claim] | ItemError) -> Result:
    """A new result for the same record, with these claims or with the error of their extraction."""
    fresh = Result(result.n, result.example, fields=result.fields)
    if isinstance(claims, ItemError):
        return replace(fresh, error=replace(claims, id=record_name(result)))
    return replace(fresh, claims=tuple(claims))


class CheckStage(Stage):
    """Judges each claim and the response. Replaces earlier verdicts."""

    name = "check"

    def __init__(self, checker: Checker, rule: Rule, settings: Settings) -> None:
        self.checker = checker
        self.rule = rule
        self._settings = settings
        self._notice = LanguageNotice(checker.english_only)

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._settings.affecting_results(("checker", "threshold", "aggregate", *self.checker.reads))

    @property
    def fingerprint(self) -> str:
        return self.checker.fingerprint

    @property
    def fingerprints(self) -> Mapping[str, str]:
        return {"checker": self.fingerprint}

    @property
    def roles(self) -> tuple[str, ...]:
        return ("checker",)

    def takes(self, result: Result) -> bool:
        redone = (self.name, CorrectStage.name)  # errors that a new verdict makes obsolete
        return result.example is not None and (result.error is None or result.error.stage in redone)

    def run(self, results: Sequence[Result]) -> list[Result]:
        self._notice.read(results)
        tasks = [
            CheckTask(Text.of(example_of(result)), result.claims, example_of(result).passages) for result in results
        ]
        checked = self.checker.check(tasks)
        return [self._judged(result, judgements) for result, judgements in zip(results, checked, strict=True)]

    def _judged(self, result: Result, judgements: Sequence[Judgement] | ItemError) -> Result:
        if isinstance(judgements, ItemError):
            return self.failed(result, replace(judgements, id=record_name(result)))
        passages = example_of(result).passages
        located = tuple(localized(*pair, passages) for pair in zip(judgements, result.claims, strict=True))
        unjudged = replace(result, judgements=located, label=None, p_inconsistent=None, flagged_rate=None, error=None)
        if error := self._unjudged(located):
            return replace(unjudged, error=replace(error, id=record_name(result)))
        verdict = self.rule(located, self.checker.threshold)
        return replace(unjudged, **verdict._asdict())

    def _unjudged(self, judgements: Sequence[Judgement]) -> ItemError | None:
        """The error of a response with claims that could not be judged: their number and their commonest error."""
        errors = [judgement.error for judgement in judgements if judgement.error is not None]
        if not errors:
            return None
        cause = commonest(errors)
        message = f"{len(errors)} of {len(judgements)} claims could not be judged: {cause.message}"
        return ItemError(self.name, message, cause.hint or "see the error of each claim")

    def failed(self, result: Result, error: ItemError) -> Result:
        judgements = tuple(Judgement.failed(claim.id, error) for claim in result.claims)
        return replace(result, judgements=judgements, label=None, p_inconsistent=None, flagged_rate=None, error=error)


class DraftRecheck:
    """Extracts and judges the claims in the edited parts of corrected drafts."""

    def __init__(self, extractor: Extractor, check: CheckStage) -> None:
        self.extractor = extractor
        self.check = check

    def __call__(self, drafts: Sequence[Draft]) -> list[Result]:
        texts = [replace(Text.of(draft.example), origin=Origin.REVISION, focus=draft.focus) for draft in drafts]
        extracted = isolated(ExtractStage.name, texts, self.extractor.extract)
        results = [
            with_claims(Result(draft.n, draft.example), claims) for draft, claims in zip(drafts, extracted, strict=True)
        ]
        return run_stage(self.check, results)


class CorrectStage(Stage):
    """Adds a revision and the context's claims to each result with flagged claims.

    `second`: another checker that must accept every edit.
    """

    name = "correct"

    def __init__(
        self,
        corrector: Corrector,
        extract: ExtractStage,
        check: CheckStage,
        settings: Settings,
        second: CheckStage | None = None,
    ) -> None:
        self.corrector = corrector
        self.extract, self.check, self.second = extract, check, second
        self._settings = settings
        how = settings.correction
        self._acceptance = Acceptance(
            corrector,
            DraftRecheck(extract.extractor, check),
            DraftRecheck(extract.extractor, second) if second else None,
            how.tries,
            how.on_unsupported,
            how.min_probability,
        )

    @property
    def settings(self) -> Mapping[str, Any]:
        names = ("corrector", "second_checker", "on_unsupported", "tries", "rounds", "min_probability")
        read = [*self.corrector.reads, *(self.second.checker.reads if self.second else ())]
        parts = {**self.extract.settings, **self.check.settings}
        return {**parts, **self._settings.affecting_results([*names, *(name for name in read if name != "threshold")])}

    @property
    def fingerprint(self) -> str:
        return f"{ACCEPTANCE}:{self.corrector.fingerprint}"

    @property
    def fingerprints(self) -> Mapping[str, str]:
        parts = {**self.extract.fingerprints, **self.check.fingerprints, "corrector": self.fingerprint}
        return parts | ({"second_checker": self.second.fingerprint} if self.second else {})

    @property
    def roles(self) -> tuple[str, ...]:
        return ("extractor", "checker", "corrector", "second_checker")

    def takes(self, result: Result) -> bool:
        """Also a result without flagged claims: what an earlier correction left there goes."""
        return result.example is not None

    def run(self, results: Sequence[Result]) -> list[Result]:
        retried = [
            replace(result, error=None) if result.error is not None and result.error.stage == self.name else result
            for result in results
        ]
        return with_context_claims(self._corrected(retried, self._settings.correction.rounds), self.extract.extractor)

    def _corrected(self, results: Sequence[Result], rounds: int) -> list[Result]:
        """In further rounds, claims that were changed and are still flagged get new revisions."""
        corrected = self._acceptance.correct(results)
        waiting = [
            (place, revision, revision.result)
            for place, result in enumerate(corrected)
            if rounds > 1 and (revision := result.revision) and revision.result and revision.result.flagged
        ]
        again = self._corrected([result for _, _, result in waiting], rounds - 1) if waiting else []
        for (place, revision, _), result in zip(waiting, again, strict=True):
            corrected[place] = replace(corrected[place], revision=replace(revision, result=result))
        return corrected
