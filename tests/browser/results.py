"""Results made without any model: what a page shows depends on them alone."""

from collections.abc import Iterator
from dataclasses import replace

from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Label,
    Link,
    Location,
    Match,
    Passage,
    Relation,
    Result,
    Revision,
    Scores,
    Slot,
    Span,
    Status,
)

NAMES = ("Ada Quist", "Bo Lindgren", "Carla Mendes", "Dmitri Volkov", "Eun-ji Park")
DEEDS = ("opened", "closed", "painted", "sold", "measured")
THINGS = ("the harbour", "the old mill", "a bridge", "the museum", "the 𝔘nicode tower 🗼")
LABELS = (Label.ENTAILMENT, Label.ENTAILMENT, Label.NEUTRAL, Label.ENTAILMENT, Label.CONTRADICTION)


def many(count: int) -> Iterator[Result]:
    """Responses of three sentences, every kind of verdict among them; some abstain, some failed."""
    for n in range(count):
        if n % 97 == 13:
            yield Result(
                n, None, error=ItemError("input", '"context" is missing', "add it", f"made.jsonl, line {n + 1}")
            )
        elif n % 89 == 7:
            yield Result(n, _example(n, "I cannot say."), label=Label.ABSTAIN)
        else:
            yield _judged(n)


def corrected(result: Result) -> Result:
    """The first flagged claim's predicate is rewritten, the others could not be mended."""
    first, *others = result.flagged
    (span,) = first.claim.predicate.spans
    edit = Edit(span, span.of(result.example.response), "<b>mended</b> 🗼")
    text = result.example.response[: span.start] + edit.new + result.example.response[span.end :]
    corrections = [Correction(first.claim.id, (edit,), Status.APPLIED, None, 0.9, 0.12)]
    corrections += [Correction(item.claim.id, (), Status.REJECTED, "no <i>way</i> out", 0.9) for item in others]
    passage = result.example.passages[0]
    slots = (Slot(NAMES[0], (Span(0, len(NAMES[0])),)), Slot("<b>signed</b>", inferred=True), Slot("it", inferred=True))
    stated = Claim.triplet(passage.id, slots, f"{NAMES[0]} <b>signed</b> it.", Span(0, 9))
    links = (Link(first.claim.id, Relation.REFUTED_BY, stated.id),)
    return replace(result, revision=Revision(text, tuple(corrections)), context_claims=(stated,), links=links)


def _example(n: int, response: str) -> Example:
    context = "\n".join(
        f"{name} {deed} {thing} in {1900 + n // 16 % 100}."
        for name, deed, thing in zip(NAMES, DEEDS, THINGS, strict=True)
    )
    passages = (Passage.of(context, "register"), Passage.of(f"Nothing else is known of case {n // 16}."))
    return Example(f"case-{n}", "made", response, passages, question="Who did what?", model=f"model-{n % 3}")


def _judged(n: int) -> Result:
    parts = [(NAMES[(n + k) % 5], DEEDS[(n + 2 * k) % 5], THINGS[(n + 3 * k) % 5]) for k in range(3)]
    response = " ".join(f"{name} {deed} {thing}." for name, deed, thing in parts)
    example = _example(n, response)
    claims, judgements, start = [], [], 0
    for k, (name, deed, thing) in enumerate(parts):
        sentence = Span(start, start + len(name) + len(deed) + len(thing) + 3)
        slots, at = [], start
        for words in (name, deed, thing):
            slots.append(Slot(words, (Span(at, at + len(words)),)))
            at += len(words) + 1
        text = sentence.of(response)
        claims.append(
            Claim.triplet(example.key, tuple(slots), text, sentence)
            if k < 2
            else Claim.whole(example.key, text, sentence)
        )
        judgements.append(_judgement(claims[-1], example, LABELS[(n + k) % 5]))
        start = sentence.end + 1
    worst = max((j.label for j in judgements), key=[Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION].index)
    p_inconsistent = max(j.p_inconsistent for j in judgements)
    return Result(n, example, tuple(claims), tuple(judgements), worst, p_inconsistent)


def _judgement(claim: Claim, example: Example, label: Label) -> Judgement:
    p_inconsistent = {Label.ENTAILMENT: 0.11, Label.NEUTRAL: 0.64, Label.CONTRADICTION: 0.93}[label]
    passage = example.passages[0]
    end = passage.text.index("\n")
    scores = Scores(1 - p_inconsistent, p_inconsistent, 0.0)
    words = [slot.text for slot in claim.slots] or ["", "", ""]
    locations = (
        Location("subject", Match.EXACT, (Span(0, len(NAMES[0])),)),
        Location("predicate", Match.MISSING, (), (words[1],)),
        Location("object", Match.SIMILAR, (Span(end - 5, end - 1),), (words[2].rpartition(" ")[2],)),
    )
    evidence = Evidence(passage.id, Span(0, end), scores, locations if claim.slots else ())
    flagged = label is not Label.ENTAILMENT
    unsupported = claim.slots[-1].spans if flagged and claim.slots else ()
    return Judgement(claim.id, label, p_inconsistent, flagged, (evidence,), unsupported=unsupported)
