"""Tries proposals on a response and keeps an edit only where it helps.

A proposal that is no correction is rejected (see `guards`). Each edit is made on a copy of the response. The sentences
that it touches are extracted and checked again. The edit stays only if its claim is no longer flagged and no other
claim of those sentences got worse. The checker that flagged the claim decides this, and a second checker if there is
one. The claims of a response are tried in turn, the most likely inconsistent first. A claim without an accepted edit
stays flagged, and its correction holds the reason.

What is neither corrected nor mentioned by the context can be left out or hedged, after the edits of all claims. An edit
whose probability is below the minimum is not made. Where the claim has no other one, the best of them that passes the
same checks becomes a suggestion, last of all. All spans are those of the original response, so the order of edits does
not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from graph_eval.correctors.corrector import Corrector
from graph_eval.correctors.guards import objection, reply
from graph_eval.correctors.splice import SpliceError, applied, collide, edits_of, moved_edit, new_spans, shifted
from graph_eval.isolation import isolated
from graph_eval.settings import OnUnsupported
from graph_eval.text.sentences import sentences
from graph_eval.types import (
    Claim,
    Correction,
    CorrectTask,
    Edit,
    EditProposal,
    Example,
    Finding,
    ItemError,
    Proposal,
    Result,
    Revision,
    Span,
    Status,
    Text,
    TextProposal,
    Unsupported,
)

ACCEPTANCE = "accept-2"  # version of these rules, part of the stage's fingerprint
HEDGE = " (not confirmed by the context)"
MIN_OVERLAP = 0.3  # share of characters from which two claims are taken for the same one
LESS_SUPPORTED = 0.2  # by which p_inconsistent of another claim may not rise
TOLERANCE = 0.1  # by which p_inconsistent may rise where the checker did not flag the claim
FLAGGED_EXTERNALLY = "given"  # reason of a judgement whose flag was set by somebody else than the checker
NO_CORRECTION = "no supported correction was found"
NOT_SAID = "the context does not say"


@dataclass(frozen=True, slots=True)
class Draft:
    """An edited response. Only the sentences that `focus` touches have to be checked again, or all without it.

    `n` is the record's number, for display only: several drafts may share it.
    """

    n: int
    example: Example
    focus: tuple[Span, ...] | None = None


Recheck = Callable[[Sequence[Draft]], list[Result]]  # one result for each draft, in order


@dataclass(slots=True)
class Trial:
    """A flagged claim with its remaining proposals, best first, and the reasons why earlier ones were rejected.

    `status`: of the correction if a proposal passes. `offers`: edits that are too little probable to be made, the most
    probable first. `unsupported`: what the corrector says of a claim that nothing in the context can replace.
    """

    finding: Finding
    proposals: list[Proposal]
    status: Status = Status.APPLIED
    offers: Sequence[EditProposal] = ()
    unsupported: Unsupported | None = None
    reasons: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Work:
    """A response that is being corrected. `edits` are those accepted so far, in offsets of the original response.

    `trials`: claims with proposals. When none is left, what the context does not mention (`unsupported`) is left out or
    hedged. When all edits are made, suggestions (`offers`) are tried, so that none collides with an edit.
    """

    result: Result
    example: Example
    trials: list[Trial] = field(default_factory=list)
    unsupported: list[Trial] = field(default_factory=list)
    offers: list[Trial] = field(default_factory=list)
    edits: tuple[Edit, ...] = ()
    corrections: dict[str, Correction] = field(default_factory=dict)  # by claim id
    rechecked: Result | None = None  # of the revised response

    @property
    def queues(self) -> tuple[list[Trial], ...]:
        """Open trials, in the order in which they are tried."""
        return self.trials, self.unsupported, self.offers

    def close(self, trial: Trial) -> None:
        for queue in self.queues:
            queue[:] = [other for other in queue if other is not trial]

    @property
    def text(self) -> str:
        return self.example.response

    @property
    def revised_text(self) -> str:
        return applied(self.text, self.edits)

    @property
    def revision(self) -> Revision:
        corrections = tuple(self.corrections[finding.claim.id] for finding in self.result.flagged)
        return Revision(self.revised_text, corrections, self.rechecked)

    def settle(
        self,
        finding: Finding,
        status: Status,
        reason: str | None,
        edits: Iterable[Edit] = (),
        p: float | None = None,
        probability: float | None = None,
    ) -> None:
        """Records the outcome for a flagged claim. `p`: its p_inconsistent after the edits. `probability`: of these."""
        claim_id, before = finding.claim.id, finding.judgement.p_inconsistent or 0.0
        self.corrections[claim_id] = Correction(claim_id, tuple(edits), status, reason, before, p, probability)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposal for one claim: its edits, and the draft that has them and the accepted ones."""

    work: Work
    trial: Trial
    edits: tuple[Edit, ...]
    draft: Draft
    probability: float | None = None

    @property
    def all_edits(self) -> tuple[Edit, ...]:
        return (*self.work.edits, *self.edits)

    @property
    def sentence(self) -> Span:
        return self.trial.finding.claim.sentence

    @property
    def edited_sentence(self) -> str:
        """The text of the claim's sentence after all edits."""
        return shifted([self.sentence], self.all_edits)[0].of(self.draft.example.response)

    def is_newly_flagged(self, flagged: Finding) -> bool:
        """Whether a flagged claim of the draft was not flagged before.

        It is compared with the other claim of the response that shares most of its words. Without such a claim it is
        new.
        """
        best = self.earlier(flagged)
        if best is None:
            return True
        correction = self.work.corrections.get(best.claim.id)
        return not best.judgement.flagged or (correction is not None and correction.is_judged)

    def is_less_supported(self, finding: Finding) -> bool:
        """Whether a claim of the draft lost much of its support, although it is not flagged."""
        best = self.earlier(finding)
        if best is None or best.judgement.flagged:
            return False
        before, after = best.judgement.p_inconsistent, finding.judgement.p_inconsistent
        return before is not None and after is not None and after > before + LESS_SUPPORTED

    def earlier(self, after: Finding) -> Finding | None:
        """The other claim of the response that shares most of the words of a claim of the draft, or None."""
        best, best_share = None, MIN_OVERLAP
        for finding in self.work.result.findings:
            if finding.claim.id == self.trial.finding.claim.id:
                continue
            share = overlap(shifted(finding.claim.spans, self.all_edits), after.claim.spans)
            if share >= best_share:
                best, best_share = finding, share
        return best


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Corrects results: gets proposals from the corrector and keeps the edits that pass.

    `recheck` extracts and checks drafts, `second_recheck` does so with another checker. `tries`: how many proposals of
    a claim are tried. `on_unsupported`: what to do with a claim that the context does not mention. `min_probability`:
    from which an edit is made; None: the corrector's own.
    """

    corrector: Corrector
    recheck: Recheck
    second_recheck: Recheck | None = None
    tries: int = 3
    on_unsupported: OnUnsupported = "keep"
    min_probability: float | None = None

    @property
    def minimum(self) -> float:
        return self.corrector.min_probability if self.min_probability is None else self.min_probability

    def correct(self, results: Sequence[Result]) -> list[Result]:
        """The results in order, those with flagged claims with a revision."""
        works = [
            Work(result, result.example) if result.flagged and result.example is not None else None
            for result in results
        ]
        started = [work for work in works if work is not None]
        self._propose(started)
        while candidates := [candidate for work in started if (candidate := self._next(work)) is not None]:
            self._decide(candidates)
        self._recheck_revised(started)
        return [
            result if work is None else replace(result, revision=work.revision)
            for result, work in zip(results, works, strict=True)
        ]

    def _propose(self, works: Sequence[Work]) -> None:
        claims = [(work, finding) for work in works for finding in most_likely_first(work.result.flagged)]
        tasks = [
            CorrectTask(Text.of(work.example), finding.claim, finding.judgement, work.example.passages)
            for work, finding in claims
        ]
        outcomes = isolated("correct", tasks, self.corrector.propose)
        for (work, finding), proposals in zip(claims, outcomes, strict=True):
            if isinstance(proposals, ItemError):
                work.settle(finding, Status.FAILED, str(proposals))
            else:
                work.trials.append(self._trial(finding, proposals))

    def _trial(self, finding: Finding, proposals: Sequence[Proposal]) -> Trial:
        made: list[Proposal] = []
        offers: list[EditProposal] = []
        unsupported = None
        for proposal in proposals:
            if isinstance(proposal, Unsupported):
                unsupported = proposal
            elif isinstance(proposal, EditProposal) and self._is_doubtful(proposal):
                offers.append(proposal)
            else:
                made.append(proposal)
        offers.sort(key=lambda offer: -(offer.probability or 0.0))
        return Trial(finding, made[: self.tries], offers=offers[: self.tries], unsupported=unsupported)

    def _is_doubtful(self, proposal: EditProposal) -> bool:
        return proposal.probability is not None and proposal.probability < self.minimum

    def _settle_unsupported(self, work: Work, finding: Finding) -> None:
        """Keeps, drops or hedges the sentence of a claim that the context does not mention."""
        reason = NOT_SAID
        edit = None
        if self.on_unsupported == "hedge":
            edit = hedge(work.text, finding.claim.sentence)
        elif self.on_unsupported == "drop":
            if _holds_only_flagged(work, finding.claim):
                edit = drop(work.text, finding.claim.sentence)
                if not applied(work.text, (*work.edits, edit)).strip():
                    edit = None
                    reason += "; nothing would be left of the text"
            else:
                reason += "; its sentence holds supported claims too"
        if edit is not None and edit not in work.edits:
            if any(collide(edit, other) for other in work.edits):
                edit = None
            else:
                work.edits = (*work.edits, edit)
        work.settle(finding, Status.UNSUPPORTED, reason, () if edit is None else (edit,))

    def _next(self, work: Work) -> Candidate | None:
        """The next candidate of a response. Claims without one are settled."""
        for queue in work.queues:
            while queue:
                trial = queue[0]
                while trial.proposals:
                    proposal = trial.proposals.pop(0)
                    try:
                        return self._candidate(work, trial, proposal)
                    except SpliceError as problem:
                        trial.reasons.append(str(problem))
                queue.pop(0)
                self._go_on(work, trial)
        return None

    def _go_on(self, work: Work, trial: Trial) -> None:
        """What follows when all proposals of a claim were rejected: it waits for its next turn, or is settled.

        What the context does not mention is left out or hedged, if the user wants that. Otherwise the most probable of
        the edits that were too little probable to be made are tried as a suggestion.
        """
        untried = trial.status is Status.APPLIED
        if trial.status is Status.UNSUPPORTED:
            self._settle_unsupported(work, trial.finding)
        elif untried and trial.unsupported is not None and self.on_unsupported != "keep":
            deletions = trial.unsupported.deletions if self.on_unsupported == "drop" else ()
            trial.status = Status.UNSUPPORTED
            trial.proposals = [EditProposal(edits) for edits in deletions[: self.tries]]
            work.unsupported.append(trial)
        elif untried and trial.offers:
            trial.status = Status.SUGGESTED
            trial.proposals = list(trial.offers)
            work.offers.append(trial)
        elif trial.unsupported is not None and not trial.reasons:
            work.settle(trial.finding, Status.UNSUPPORTED, NOT_SAID)
        else:
            reasons = dict.fromkeys(trial.reasons)
            work.settle(trial.finding, Status.REJECTED, "; ".join(reasons) or NO_CORRECTION)

    def _candidate(self, work: Work, trial: Trial, proposal: Proposal) -> Candidate:
        anywhere = self.corrector.anywhere
        if isinstance(proposal, TextProposal) and (reason := reply(work.text, proposal.text)):
            raise SpliceError(reason)
        proposed = edits_of(work.text, trial.finding.claim, proposal, anywhere)
        new = tuple(edit for edit in proposed if edit not in work.edits)
        if not new:
            raise SpliceError("an edit of another claim says so already, and it is still flagged")
        if any(collide(edit, other) for edit in new for other in work.edits):
            raise SpliceError("its words were changed for another claim")
        # The guards compare with the text that has the accepted edits, so that they do not judge those again.
        moved = [moved_edit(edit, work.edits) for edit in new]
        deletable = self._deletable(work, trial.finding.claim)
        if reason := objection(work.revised_text, moved, work.example.passages, deletable):
            raise SpliceError(reason)
        edits = (*work.edits, *new)
        text = applied(work.text, edits)
        probability = proposal.probability if isinstance(proposal, EditProposal) else None
        return Candidate(work, trial, new, _draft(work, text, focus(text, edits, new)), probability)

    def _deletable(self, work: Work, claim: Claim) -> Span | None:
        """The sentence of the claim in the text that has the accepted edits, if a corrector may delete it."""
        if self.on_unsupported != "drop" or not _holds_only_flagged(work, claim):
            return None
        return shifted([claim.sentence], work.edits)[0]

    def _decide(self, candidates: Sequence[Candidate]) -> None:
        """Rechecks the drafts together and accepts or rejects each candidate."""
        rechecked = self.recheck([candidate.draft for candidate in candidates])
        objections = [self._objection(*pair) for pair in zip(candidates, rechecked, strict=True)]
        for place, fault in self._faults(candidates).items():
            objections[place] = objections[place] or fault
        passed = [place for place, reason in enumerate(objections) if reason is None]
        if self.second_recheck is not None and passed:
            second_results = self.second_recheck([candidates[place].draft for place in passed])
            for place, result in zip(passed, second_results, strict=True):
                reason = self._objection(candidates[place], result, second=True)
                objections[place] = reason and f"second checker: {reason}"
        for candidate, result, reason in zip(candidates, rechecked, objections, strict=True):
            if reason is None:
                self._accept(candidate, result)
            else:
                candidate.trial.reasons.append(reason)

    def _faults(self, candidates: Sequence[Candidate]) -> dict[int, str]:
        """What the corrector objects to in sentences that several edits change, by the place of the candidate.

        A corrector sees each of its edits alone.
        """
        pairs = {
            place: (candidate.sentence.of(candidate.work.text), candidate.edited_sentence)
            for place, candidate in enumerate(candidates)
            if any(edit.span.overlaps(candidate.sentence) for edit in candidate.work.edits)
        }
        faults = self.corrector.faults(list(pairs.values())) if pairs else []
        return {place: reason for place, reason in zip(pairs, faults, strict=True) if reason is not None}

    @staticmethod
    def _objection(candidate: Candidate, result: Result, second: bool = False) -> str | None:
        """Why the edit must not stay, or None if it may."""
        if result.error is not None:
            return f"it could not be judged: {result.error.message}"
        finding = candidate.trial.finding
        after = counterpart(candidate, finding.claim, result)
        if after is not None and after.judgement.flagged and not is_tolerable(finding, after):
            return f"it would still be flagged (p {after.judgement.p_inconsistent:.2f})"
        inserted = [span for span in new_spans(candidate.all_edits) if span.start < span.end]
        if after is None and any(_overlaps_any(other.claim, inserted) for other in result.flagged):
            return "its new words would be flagged"
        others = [other for other in result.flagged if after is None or other.claim.id != after.claim.id]
        if not second and any(map(candidate.is_newly_flagged, others)):
            return "another claim would be flagged"
        kept = (finding for finding in result.findings if not finding.judgement.flagged and finding is not after)
        if not second and any(map(candidate.is_less_supported, kept)):
            return "another claim would be less supported"
        return None

    def _accept(self, candidate: Candidate, result: Result) -> None:
        work, trial = candidate.work, candidate.trial
        after = counterpart(candidate, trial.finding.claim, result)
        p = after.judgement.p_inconsistent if after else 0.0
        if trial.status is Status.SUGGESTED:
            reason = f"probability {candidate.probability:.2f} is below the minimum of {self.minimum:.2f}"
            work.settle(trial.finding, trial.status, reason, candidate.edits, p, candidate.probability)
            work.close(trial)
            return
        # The edit corrects the claims that share its words too.
        for other in [other for queue in work.queues for other in queue]:
            other_after = counterpart(candidate, other.finding.claim, result)
            shared = any(edit.span.overlaps(span) for edit in candidate.edits for span in other.finding.claim.spans)
            if other is not trial and shared and other_after is not None and not other_after.judgement.flagged:
                note = "mended by the edit of another claim"
                p_other = other_after.judgement.p_inconsistent
                work.settle(other.finding, trial.status, note, candidate.edits, p_other, candidate.probability)
                work.close(other)
        work.edits = candidate.all_edits
        said = NOT_SAID if trial.status is Status.UNSUPPORTED else None
        work.settle(trial.finding, trial.status, said, candidate.edits, p, candidate.probability)
        work.close(trial)

    def _recheck_revised(self, works: Sequence[Work]) -> None:
        revised = [work for work in works if work.edits]
        if not revised:
            return
        results = self.recheck([_draft(work, work.revised_text) for work in revised])
        for work, result in zip(revised, results, strict=True):
            work.rechecked = result


def _holds_only_flagged(work: Work, claim: Claim) -> bool:
    """Whether all claims of its sentence are flagged."""
    others = (finding for finding in work.result.findings if finding.claim.sentence.overlaps(claim.sentence))
    return all(finding.judgement.flagged for finding in others)


def _draft(work: Work, text: str, focus: tuple[Span, ...] | None = None) -> Draft:
    return Draft(work.result.n, replace(work.example, response=text, samples=(), meta={}), focus)


def is_tolerable(before: Finding, after: Finding) -> bool:
    """Whether a claim may keep its edit although it is still flagged.

    It may if somebody else than the checker flagged it and the checker rates it no worse than before, within TOLERANCE:
    a checker that did not see the error need not confirm the correction.
    """
    p_before, p_after = before.judgement.p_inconsistent or 0.0, after.judgement.p_inconsistent or 0.0
    return before.judgement.reason == FLAGGED_EXTERNALLY and p_after <= p_before + TOLERANCE


def most_likely_first(findings: Iterable[Finding]) -> list[Finding]:
    """The findings by falling p_inconsistent."""
    return sorted(findings, key=lambda finding: -(finding.judgement.p_inconsistent or 0.0))


def focus(text: str, edits: Sequence[Edit], new: Sequence[Edit]) -> tuple[Span, ...]:
    """The sentences of the edited text that contain new edits."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    spans = [span for edit, span in zip(ordered, new_spans(ordered), strict=True) if edit in new]
    touched = [Span(max(span.start - 1, 0), min(span.end + 1, len(text))) for span in spans]
    holding = [sentence.span for sentence in sentences(text) if any(map(sentence.span.overlaps, touched))]
    return tuple(holding) or tuple(touched)


def counterpart(candidate: Candidate, claim: Claim, result: Result) -> Finding | None:
    """The claim of the draft that replaces this one, or None.

    It is the claim of the same kind that shares most of its characters, and at least MIN_OVERLAP of them.
    """
    spans = shifted(claim.spans, candidate.all_edits)
    best, best_share = None, MIN_OVERLAP
    for finding in result.findings:
        if finding.claim.kind is not claim.kind:
            continue
        share = overlap(spans, finding.claim.spans)
        if share >= best_share:
            best, best_share = finding, share
    return best


def overlap(one: Iterable[Span], other: Iterable[Span]) -> float:
    """The Jaccard similarity of two sets of characters, in [0, 1]."""
    first, second = ({place for span in spans for place in range(*span)} for spans in (one, other))
    return len(first & second) / max(1, len(first | second))


def _overlaps_any(claim: Claim, spans: Iterable[Span]) -> bool:
    return any(own.overlaps(span) for own in claim.spans for span in spans)


def hedge(text: str, sentence: Span) -> Edit:
    """Adds at the end of the sentence that the context does not confirm it."""
    end = sentence.end
    while end > sentence.start and not text[end - 1].isalnum() and text[end - 1] not in ")]\"'”’":
        end -= 1
    return Edit(Span(end, end), "", HEDGE)


def drop(text: str, sentence: Span) -> Edit:
    """Deletes the sentence and the blanks before it, or behind it at the start of the text."""
    start, end = sentence
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if start == 0:
        while end < len(text) and text[end] in " \t":
            end += 1
    return Edit(Span(start, end), text[start:end], "")
