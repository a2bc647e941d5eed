"""Every corrector keeps the same promises."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from graph_eval import registry
from graph_eval.correctors.llm import DirectCorrector, GraphCorrector, LLMCorrector
from graph_eval.correctors.splice import SpliceError, applied, edits_of, own_words
from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.types import CorrectTask, Evidence, Judgement, Label, Passage, Proposal, Scores, Span, Text
from tests.models import fenced

CONTEXT = (
    "The tower of Orsa was opened in 1889. It is 38 metres tall and was never painted. The architect was Marta "
    "Lindqvist, who lived in Mora. Émile Zola visited it. 😀 Tickets cost 5 crowns in June."
)
RESPONSES = [
    "The tower of Orsa was opened in 1899. It is 83 metres tall.",
    "The architect was Greta Lindqvist, who had lived in Mora for years. Tickets cost 5 crowns in July.",
    "The tower was not opened in 1889, but Émile Zola visited it 😀 with his brother.",
    "the tower was was was painted.",
    "Tickets\n\n- cost 7 crowns\r\n- are sold in Paris",
    "x" * 3000 + " is tall.",
    "مرحبا بالعالم. The towér of Orsa closed in 1889.",
    "a\x00b was opened. MATCH (n) DETACH DELETE n; {{ 7*7 }}",
]
CONTEXTS = [CONTEXT, "", "Unrelated words only.", CONTEXT.upper(), CONTEXT * 20]


def scripted(prompt: str) -> str:
    """A model that knows three facts."""

    def mended(text: str) -> str:
        return text.replace("1899", "1889").replace("83", "38").replace("Greta", "Marta")

    parts = dict(fenced(prompt))
    if "text" in parts:
        return mended(parts["text"])
    return json.dumps([mended(text) for name, text in parts.items() if name.startswith("part")])


CORRECTORS = {
    "builtin": registry.create("corrector", "builtin"),
    "llm": LLMCorrector(scripted),
    "graphcorrect": GraphCorrector(scripted),
    "direct": DirectCorrector(scripted),
}


@pytest.fixture(params=sorted(CORRECTORS))
def corrector(request: pytest.FixtureRequest) -> object:
    return CORRECTORS[request.param]


def tasks() -> list[CorrectTask]:
    """Every claim of every response against every context."""
    texts = [Text(str(n), response) for n, response in enumerate(RESPONSES)]
    found = []
    for context in CONTEXTS:
        passage = Passage.of(context)
        scores = Scores(0.1, 0.2, 0.7)
        evidence = (Evidence(passage.id, Span(0, min(40, len(context))), scores),) if context else ()
        for text, claims in zip(texts, RulesExtractor().extract(texts), strict=True):
            assert isinstance(claims, list)
            for claim in claims:
                judgement = Judgement(claim.id, Label.CONTRADICTION, 0.9, True, evidence)
                found.append(CorrectTask(text, claim, judgement, (passage,) if context else ()))
    return found


def propose(corrector: object, asked: Sequence[CorrectTask]) -> list[list[Proposal]]:
    found = corrector.propose(asked)  # type: ignore[attr-defined]
    assert all(isinstance(item, list) for item in found), found
    return found


def test_one_list_a_task_best_first(corrector: object) -> None:
    asked = tasks()
    found = propose(corrector, asked)
    assert len(found) == len(asked)
    assert any(found)
    for proposals in found:
        scores = [proposal.score for proposal in proposals]
        assert scores == sorted(scores, reverse=True)


def test_a_proposal_does_not_depend_on_its_batch(corrector: object) -> None:
    asked = tasks()[:24]
    together = propose(corrector, asked)
    assert propose(corrector, asked[::-1]) == together[::-1]
    for task, wanted in zip(asked[::5], together[::5], strict=True):
        (alone,) = propose(corrector, [task])
        assert [replace(item, score=0) for item in alone] == [replace(item, score=0) for item in wanted]
        assert [item.score for item in alone] == pytest.approx([item.score for item in wanted], abs=1e-3)


def test_proposals_become_edits_of_the_claim_or_are_refused(corrector: object) -> None:
    anywhere = getattr(corrector, "anywhere", False)
    made = 0
    for task, proposals in zip(asked := tasks(), propose(corrector, asked), strict=True):
        text = task.text.text
        for proposal in proposals:
            if proposal.unsupported:
                continue
            try:
                edits = edits_of(text, task.claim, proposal, anywhere)
            except SpliceError:
                continue
            made += 1
            assert applied(text, edits) != text
            if proposal.edits:
                bounds = own_words(text, task.claim)
                for edit in proposal.edits:
                    assert any(bound.start <= edit.span.start and edit.span.end <= bound.end for bound in bounds)
                    assert edit.span.of(text) == edit.old
    assert made


def test_a_known_fact_is_mended(corrector: object) -> None:
    asked = [
        task
        for task in tasks()
        if task.text.id == "0" and task.passages == (Passage.of(CONTEXT),) and "1899" in task.claim.text
    ]
    anywhere = getattr(corrector, "anywhere", False)
    texts = {
        applied(task.text.text, edits_of(task.text.text, task.claim, proposals[0], anywhere))
        for task, proposals in zip(asked, propose(corrector, asked), strict=True)
        if proposals
    }
    mended = RESPONSES[0].replace("1899", "1889")
    assert texts & {mended, mended.replace("83", "38")}


def test_no_task_no_proposals(corrector: object) -> None:
    assert propose(corrector, []) == []


def test_the_fingerprint_is_a_text(corrector: object) -> None:
    assert isinstance(corrector.fingerprint, str)  # type: ignore[attr-defined]
    assert corrector.fingerprint == corrector.fingerprint  # type: ignore[attr-defined]


def test_one_bad_task_does_not_stop_the_others(corrector: object) -> None:
    good = tasks()[0]
    bad = replace(good, text=None, claim=None)  # type: ignore[arg-type]
    found = corrector.propose([good, bad, good])  # type: ignore[attr-defined]
    assert isinstance(found[0], list)
    assert found[0] == found[2]
    assert not isinstance(found[1], list)
