"""Measures how often the evidence of a flagged claim is the sentence that decides about it.

    python training/nli/shown.py --written training/nli/written.jsonl --split heldout

Read: contexts with claims (written.py). A contradicted claim has a twin, the entailed claim of its context that is most
like it. The sentences that entail the twin by themselves are those that decide about the wrong claim. Each claim is
checked against its context among two others. Counted are flagged claims with a wrong word: how often the first evidence
overlaps a sentence that decides, and how often it is one. The NLI model that finds these sentences is also the one that
chooses the evidence, but it reads the right claim to find them, and the wrong one to choose.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from written import WrittenClaim, is_heldout, nearest, read

from graph_eval import GraphEval
from graph_eval.checkers.windows import index
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.resources import folder
from graph_eval.types import Finding, Passage, Result, Span

CONTRADICTED = 2
SURE = 0.8  # P(entailment) of a sentence that decides
OTHERS = 2  # contexts beside the claim's own


def pairs(found: Sequence[tuple[str, list[WrittenClaim]]]) -> Iterator[tuple[Passage, WrittenClaim, WrittenClaim]]:
    """(context, contradicted claim, the entailed claim that is most like it)"""
    for context, claims in found:
        entailed = [claim for claim in claims if claim.label == 0]
        for claim in claims:
            if claim.label == CONTRADICTED and (twin := nearest(claim, entailed)):
                yield Passage.of(context), claim, twin


def deciding(scorer: OnnxScorer, passage: Passage, right: str) -> list[Span]:
    """The sentences of the passage that entail the right claim, each by itself."""
    spans = index(passage).spans
    readings = scorer.read([(span.of(passage.text), right) for span in spans])
    return [span for span, reading in zip(spans, readings, strict=True) if reading.scores.entailment > SURE]


def flagged(result: Result, claim: WrittenClaim) -> Iterator[Finding]:
    """The flagged claims that hold a wrong word."""
    for finding in result.findings:
        wrong = any(span.overlaps(Span(*each)) for span in finding.claim.spans for each in claim.wrong)
        if finding.judgement.flagged and finding.judgement.evidence and wrong:
            yield finding


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--written", type=Path, required=True)
    options.add_argument("--split", choices=("train", "heldout"), default="heldout")
    options.add_argument("--limit", type=int, help="claims")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    contexts = [entry for entry in read(given.written) if is_heldout(entry[0]) == (given.split == "heldout")]
    chance = random.Random(f"{given.seed} shown")
    found = list(pairs(contexts))
    chance.shuffle(found)
    scorer, ge = OnnxScorer(folder("weights/nli")), GraphEval()
    findings = touched = exact = 0
    for passage, claim, twin in found[: given.limit]:
        decisive = deciding(scorer, passage, twin.text)
        if not decisive:
            continue
        others = [text for text, _ in chance.sample(contexts, OTHERS + 1) if text != passage.text][:OTHERS]
        for finding in flagged(ge.check(claim.text, [passage.text, *others]), claim):
            shown = finding.judgement.evidence[0]
            own = shown.passage_id == passage.id
            findings += 1
            touched += own and any(shown.span.overlaps(span) for span in decisive)
            exact += own and shown.span in decisive
    if not findings:
        raise SystemExit("no claim with a wrong word is flagged")
    print(
        f"{findings} flagged claims with a wrong word: the first evidence is a sentence that decides for "
        f"{exact / findings:.3f}, and overlaps one for {touched / findings:.3f}"
    )


if __name__ == "__main__":
    main()
