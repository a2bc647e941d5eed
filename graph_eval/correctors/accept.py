"""Tries proposals on the text and keeps an edit only where it helps.

An edit is made on a copy, the sentences that it touches are taken apart and judged again, and it stays only if its
claim is no longer flagged and no other claim of those sentences got worse, by the checker that flagged it and by a
second one if there is one. Then the next claim, the surest first. What could not be mended stays flagged, with its
reason. All spans are those of the original text, so the order of edits does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from graph_eval.correctors.corrector import Corrector
from graph_eval.correctors.splice import SpliceError, applied, collide, edits_of, moved
from graph_eval.isolation import isolated
from graph_eval.text.sentences import sentences
from graph_eval.types import (
    Claim,
    Correction,
    CorrectTask,
    Edit,
    Example,
    Finding,
    ItemError,
    Proposal,
    Result,
    Revision,
    Span,
    Status,
    Text,
)

KEEP, DROP, HEDGE = "keep", "drop", "hedge"
HEDGED = " (not confirmed by the context)"
SAME = 0.3  # of the characters of two claims are shared where they are taken for one
WORSE = 0.1  # by which p_inconsistent may rise where the checker did not flag the claim
GIVEN = "given"  # reason of a judgement that flags what somebody else than the checker found wrong
NOTHING_FOUND = "no supported correction was found"


@dataclass(frozen=True, slots=True)
class Draft:
    """A text as it would be, and the sentences that have to be judged again; all of them without `focus`."""

    n: int
    example: Example
    focus: tuple[Span, ...] | None = None


Judge = Callable[[Sequence[Draft]], list[Result]]


@dataclass(slots=True)
class Trial:
    """A flagged claim with its proposals, best first, and why earlier ones did not do."""

    finding: Finding
    proposals: list[Proposal]
    reasons: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Work:
    """A response on its way: the edits that stay, in the coordinates of the original text."""

    result: Result
    example: Example
    trials: list[Trial] = field(default_factory=list)
    edits: tuple[Edit, ...] = ()
    corrections: dict[str, Correction] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.example.response

    def settle(
        self, finding: Finding, status: Status, reason: str | None, edits: Iterable[Edit] = (), p: float | None = None
    ) -> None:
        before = finding.judgement.p_inconsistent or 0.0
        self.corrections[finding.claim.id] = Correction(finding.claim.id, tuple(edits), status, reason, before, p)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposal of one claim as edits, beside those that stay already."""

    work: Work
    trial: Trial
    own: tuple[Edit, ...]
    draft: Draft

    def carried(self, spans: Iterable[Span]) -> list[Span]:
        """Spans of the original text in the draft."""
        return carried(spans, (*self.work.edits, *self.own))

    def is_worse(self, flagged: Finding) -> bool:
        """Whether a flagged claim of the draft stands where none was flagged: the other claim of the response that
        shares most of its words was not, or there is none."""
        best, most = None, SAME
        for finding in self.work.result.findings:
            if finding.claim.id == self.trial.finding.claim.id:
                continue
            share = alike(self.carried(finding.claim.spans), flagged.claim.spans)
            if share >= most:
                best, most = finding, share
        if best is None:
            return True
        correction = self.work.corrections.get(best.claim.id)
        return not best.judgement.flagged or (correction is not None and correction.status is Status.APPLIED)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """`judge` takes apart and judges drafts; `second` does so with another checker. `tries`: proposals a claim that are
    tried at most. `on_unsupported`: what becomes of a claim that the context says nothing about."""

    corrector: Corrector
    judge: Judge
    second: Judge | None = None
    tries: int = 3
    on_unsupported: str = KEEP

    def correct(self, results: Sequence[Result]) -> list[Result]:
        """The results, those with flagged claims with a revision."""
        works = [Work(result, result.example) for result in results if result.flagged and result.example is not None]
        self._propose(works)
        while candidates := [candidate for work in works if (candidate := self._next(work)) is not None]:
            self._try(candidates)
        revised = {work.result.n: revision for work, revision in zip(works, self._revisions(works), strict=True)}
        return [replace(result, revision=revised.get(result.n)) if result.flagged else result for result in results]

    def _propose(self, works: Sequence[Work]) -> None:
        asked = [(work, finding) for work in works for finding in surest_first(work.result.flagged)]
        tasks = [
            CorrectTask(Text.of(work.example), finding.claim, finding.judgement, work.example.passages)
            for work, finding in asked
        ]
        for (work, finding), found in zip(asked, isolated("correct", tasks, self.corrector.propose), strict=True):
            if isinstance(found, ItemError):
                work.settle(finding, Status.FAILED, str(found))
            elif found and found[0].unsupported:
                self._unsupported(work, finding)
            else:
                work.trials.append(Trial(finding, list(found)[: self.tries]))

    def _unsupported(self, work: Work, finding: Finding) -> None:
        """Keeps, drops or hedges the sentence of a claim that the context says nothing about."""
        reason = "the context does not say"
        edit = None
        if self.on_unsupported == HEDGE:
            edit = hedge(work.text, finding.claim.sentence)
        elif self.on_unsupported == DROP:
            others = [other for other in work.result.findings if other.claim.sentence.overlaps(finding.claim.sentence)]
            if all(other.judgement.flagged for other in others):
                edit = drop(work.text, finding.claim.sentence)
            else:
                reason += "; its sentence holds supported claims too"
        if edit is not None and edit not in work.edits:
            if any(collide(edit, other) for other in work.edits):
                edit = None
            else:
                work.edits = (*work.edits, edit)
        work.settle(finding, Status.UNSUPPORTED, reason, () if edit is None else (edit,))

    def _next(self, work: Work) -> Candidate | None:
        """The next candidate of a response; claims without one are settled on the way."""
        while work.trials:
            trial = work.trials[0]
            while trial.proposals:
                proposal = trial.proposals.pop(0)
                try:
                    return self._candidate(work, trial, proposal)
                except SpliceError as problem:
                    trial.reasons.append(str(problem))
            work.settle(trial.finding, Status.REJECTED, "; ".join(dict.fromkeys(trial.reasons)) or NOTHING_FOUND)
            work.trials.pop(0)
        return None

    def _candidate(self, work: Work, trial: Trial, proposal: Proposal) -> Candidate:
        anywhere = getattr(self.corrector, "anywhere", False)
        found = edits_of(work.text, trial.finding.claim, proposal, anywhere)
        own = tuple(edit for edit in found if edit not in work.edits)
        if not own:
            raise SpliceError("an edit of another claim says so already, and it is still flagged")
        if any(collide(edit, other) for edit in own for other in work.edits):
            raise SpliceError("its words were changed for another claim")
        edits = (*work.edits, *own)
        text = applied(work.text, edits)
        example = replace(work.example, response=text, samples=(), meta={})
        return Candidate(work, trial, own, Draft(work.result.n, example, focus(text, edits, own)))

    def _try(self, candidates: Sequence[Candidate]) -> None:
        judged = self.judge([candidate.draft for candidate in candidates])
        objections = [self._objection(candidate, result) for candidate, result in zip(candidates, judged, strict=True)]
        if self.second is not None and (asked := [place for place, reason in enumerate(objections) if reason is None]):
            seconds = self.second([candidates[place].draft for place in asked])
            for place, result in zip(asked, seconds, strict=True):
                reason = self._objection(candidates[place], result, second=True)
                objections[place] = reason and f"second checker: {reason}"
        for candidate, result, reason in zip(candidates, judged, objections, strict=True):
            if reason is None:
                self._accept(candidate, result)
            else:
                candidate.trial.reasons.append(reason)

    def _objection(self, candidate: Candidate, result: Result, second: bool = False) -> str | None:
        """Why the edit must not stay; None where it may."""
        if result.error is not None:
            return f"it could not be judged: {result.error.message}"
        claim = candidate.trial.finding.claim
        own = counterpart(candidate, claim, result)
        if own is not None and own.judgement.flagged and not self._will_do(candidate.trial.finding, own):
            return f"it would still be flagged (p {own.judgement.p_inconsistent:.2f})"
        new = [span for span in moved((*candidate.work.edits, *candidate.own)) if span.start < span.end]
        if own is None and any(_shares(finding.claim, new) for finding in result.flagged):
            return "its new words would be flagged"
        others = [finding for finding in result.flagged if own is None or finding.claim.id != own.claim.id]
        if not second and any(map(candidate.is_worse, others)):
            return "another claim would be flagged"
        return None

    @staticmethod
    def _will_do(before: Finding, after: Finding) -> bool:
        """Whether a claim that is still flagged may have its edit: where somebody else than the checker flagged it, and
        the checker finds it no worse than before, give or take. It had no part in finding the error."""
        was, now = before.judgement.p_inconsistent or 0.0, after.judgement.p_inconsistent or 0.0
        return before.judgement.reason == GIVEN and now <= was + WORSE

    def _accept(self, candidate: Candidate, result: Result) -> None:
        work, trial = candidate.work, candidate.trial
        own = counterpart(candidate, trial.finding.claim, result)
        p = own.judgement.p_inconsistent if own else 0.0
        # Claims that share the words are mended with it.
        for other in list(work.trials):
            twin = counterpart(candidate, other.finding.claim, result)
            shared = any(edit.span.overlaps(span) for edit in candidate.own for span in other.finding.claim.spans)
            if other is not trial and shared and twin is not None and not twin.judgement.flagged:
                reason = "mended by the edit of another claim"
                work.settle(other.finding, Status.APPLIED, reason, candidate.own, twin.judgement.p_inconsistent)
                work.trials.remove(other)
        work.edits = (*work.edits, *candidate.own)
        work.settle(trial.finding, Status.APPLIED, None, candidate.own, p)
        work.trials.remove(trial)

    def _revisions(self, works: Sequence[Work]) -> Iterator[Revision]:
        changed = [work for work in works if work.edits]
        drafts = [
            Draft(work.result.n, replace(work.example, response=applied(work.text, work.edits), samples=(), meta={}))
            for work in changed
        ]
        judged = {id(work): result for work, result in zip(changed, self.judge(drafts) if drafts else [], strict=True)}
        for work in works:
            ordered = tuple(work.corrections[finding.claim.id] for finding in work.result.flagged)
            yield Revision(applied(work.text, work.edits), ordered, judged.get(id(work)))


def surest_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -(finding.judgement.p_inconsistent or 0.0))


def carried(spans: Iterable[Span], edits: Iterable[Edit]) -> list[Span]:
    """Spans of the original text in the text that the edits make; what lies inside an edit becomes its new words."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    places = moved(ordered)

    def place(position: int, end: bool) -> int:
        shift = 0
        for edit, at in zip(ordered, places, strict=True):
            if edit.span.end <= position and not (edit.span.start == position and not end):
                shift = at.end - edit.span.end
            elif edit.span.start < position:
                return at.end if end else at.start
        return position + shift

    return [Span(place(span.start, end=False), place(span.end, end=True)) for span in spans]


def focus(text: str, edits: Sequence[Edit], own: Sequence[Edit]) -> tuple[Span, ...]:
    """The sentences of the draft that hold the new edits."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    places = [at for edit, at in zip(ordered, moved(ordered), strict=True) if edit in own]
    touched = [Span(max(at.start - 1, 0), min(at.end + 1, len(text))) for at in places]
    found = [item.span for item in sentences(text) if any(item.span.overlaps(at) for at in touched)]
    return tuple(found) or tuple(touched)


def counterpart(candidate: Candidate, claim: Claim, result: Result) -> Finding | None:
    """The claim of the draft that says in its place what this one said: the one that shares most of its words, and
    enough of them; none where it has vanished."""
    where = candidate.carried(claim.spans)
    best, most = None, SAME
    for finding in result.findings:
        if finding.claim.kind is not claim.kind:
            continue
        share = alike(where, finding.claim.spans)
        if share >= most:
            best, most = finding, share
    return best


def alike(one: Iterable[Span], other: Iterable[Span]) -> float:
    """Share of the characters of both that both have."""
    first, second = ({place for span in spans for place in range(*span)} for spans in (one, other))
    return len(first & second) / max(1, len(first | second))


def _shares(claim: Claim, spans: Iterable[Span]) -> bool:
    return any(own.overlaps(span) for own in claim.spans for span in spans)


def hedge(text: str, sentence: Span) -> Edit:
    """Says at the sentence's end that the context does not confirm it."""
    end = sentence.end
    while end > sentence.start and not text[end - 1].isalnum() and text[end - 1] not in ")]\"'”’":
        end -= 1
    return Edit(Span(end, end), "", HEDGED)


def drop(text: str, sentence: Span) -> Edit:
    """Takes the sentence out, with the blanks before it (or behind it, at the start of the text)."""
    start, end = sentence
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if start == 0:
        while end < len(text) and text[end] in " \t":
            end += 1
    return Edit(Span(start, end), text[start:end], "")
