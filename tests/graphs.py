"""Made results for the graph, and what every named query should answer, worked out in plain Python."""

import json
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.entities import Entity, entity, is_pronoun, mentioned, name_key, names_of
from graph_eval.graph.rows import predicate_key, run_row, to_rows
from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Kind,
    Label,
    Link,
    Location,
    Match,
    Passage,
    Relation,
    Result,
    Revision,
    Run,
    Scores,
    Slot,
    Span,
    Status,
)

Row = dict[str, Any]
NAMES = ("Ada Quist", "Bo Lindgren", "Carla Mendes", "Nordhavn City", "Tomas O'Hara", "Eun-ji Park", "Bank of Orsa")
THINGS = ("old mill", "harbour", "bridge", "museum", "tower 🗼", "ship", "library")
DEEDS = ("opened", "has opened", "closed", "painted", "was sold to", "is", "met")
SUPPORTED, UNSAID, WRONG = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION


def flagged(run: Path) -> int:
    """How many claims a run flags, counted in its results."""
    lines = (run / "results.jsonl").read_text("utf-8").splitlines()
    return sum(judgement["flagged"] for line in lines for judgement in json.loads(line)["judgements"])


def run(checker: str, stage: str = "check") -> Run:
    settings = {"extractor": "made", "checker": checker, "threshold": 0.5, "aggregate": "any", "chunk": 32}
    return Run(stage, settings, {"checker": "1"}, {"graph_eval": "0"}, "made")


def made(count: int, seed: int = 1, each: int = 400) -> Iterator[Result]:
    """Responses of several models to the same questions: shared names, missing objects, sentence claims, samples,
    revisions, abstentions and failures among them. `each`: responses in a dataset, which share their names."""
    for n in range(count):
        yield _result(n, random.Random(f"{seed}-{n}"), each)  # noqa: S311


def judged_again(results: Sequence[Result], seed: int) -> list[Result]:
    """The same claims under another checker's eyes."""
    found = []
    for result in results:
        chance = random.Random(f"{seed}-{result.n}")  # noqa: S311
        judgements = tuple(
            _judgement(claim, result.example.passages, chance) for claim in result.claims if result.judgements
        )
        found.append(_aggregated(replace(result, judgements=judgements, revision=None)))
    return found


def _result(n: int, chance: random.Random, each: int) -> Result:
    if n % 53 == 17:
        return Result(n, None, error=ItemError("input", f"no JSON {n}", "mend it", f"made.jsonl, line {n + 1}"))
    sentences, parts = [], []
    for _ in range(chance.choice((0, 1, 2, 2, 3, 4))):
        subject = chance.choice(NAMES if chance.random() < 0.6 else [f"The {thing}" for thing in THINGS])
        thing = chance.choice([*NAMES[:3], *(f"the {thing}" for thing in THINGS), ""])
        parts.append((subject, chance.choice(DEEDS), thing))
        sentences.append(" ".join(word for word in parts[-1] if word) + ".")
    text = " ".join(sentences) or "I cannot say."
    context = ". ".join(chance.sample([*NAMES, *THINGS], 5)) + "."
    passages = tuple(
        Passage.of(part, f"source {len(part) % 3}") for part in (context, f"Case {n // 8}.")[: chance.choice((0, 1, 2))]
    )
    example = Example(
        f"r{n}",
        f"set{n // each}",
        text,
        passages,
        question=None if n % 11 == 0 else f"question {n // 8}",
        model=None if n % 13 == 0 else f"model-{n % 4}",
        samples=("One sample.", "Another.") if n % 25 == 0 else (),
        meta={"label": n % 2} if n % 3 == 0 else {},
    )
    claims = list(dict.fromkeys(_claims(example, parts, sentences, chance)))
    if n % 41 == 5:
        return Result(n, example, tuple(claims), error=ItemError("check", "model down", id=example.id))
    judgements = tuple(_judgement(claim, passages, chance) for claim in claims)
    result = _aggregated(Result(n, example, tuple(claims), judgements))
    return _stated(replace(result, revision=_revision(result))) if n % 7 == 0 and result.flagged else result


def _claims(example: Example, parts: list, sentences: list[str], chance: random.Random) -> Iterator[Claim]:
    start = 0
    for part, sentence in zip(parts, sentences, strict=True):
        span, at, slots = Span(start, start + len(sentence)), start, []
        for words in part:
            slots.append(Slot(words, (Span(at, at + len(words)),) if words else ()))
            at += len(words) + 1
        yield Claim.triplet(example.key, tuple(slots), sentence, span, round(chance.random(), 3))
        if chance.random() < 0.2:
            yield Claim.whole(example.key, sentence, span)
        start = span.end + 1


def _judgement(claim: Claim, passages: Sequence[Passage], chance: random.Random) -> Judgement:
    p_inconsistent = round(chance.random(), 6)
    if not passages:
        return Judgement(claim.id, UNSAID, 1.0, flagged=True, reason="no_passage")
    flagged = p_inconsistent > 0.5
    label = (WRONG if chance.random() < 0.5 else UNSAID) if flagged else SUPPORTED
    evidence = []
    for passage in chance.sample(passages, len(passages)):
        end = chance.randint(1, len(passage.text))
        scores = Scores(round(1 - p_inconsistent, 6), round(p_inconsistent, 6), 0.0)
        location = Location("subject", Match.MISSING, (Span(0, 1),), ("word",))
        evidence.append(Evidence(passage.id, Span(0, end), scores, (location,)))
    return Judgement(claim.id, label, p_inconsistent, flagged, tuple(evidence))


def _aggregated(result: Result) -> Result:
    if not result.judgements:
        return replace(result, label=None if result.error else Label.ABSTAIN)
    worst = max(result.judgements, key=lambda judgement: judgement.p_inconsistent)
    return replace(result, label=worst.label, p_inconsistent=worst.p_inconsistent)


def _revision(result: Result) -> Revision:
    """The first flagged claim is corrected, the second could not be."""
    first, *others = result.flagged
    old = first.claim.predicate.text if first.claim.predicate else "."
    start = result.example.response.index(old, first.claim.sentence.start)
    text = result.example.response[:start] + "mended" + result.example.response[start + len(old) :]
    edit = Edit(Span(start, start + len(old)), old, "mended")
    revised = replace(result.example, response=text, samples=(), meta={})
    sentence = Span(0, len(text))
    claim = Claim.whole(revised.key, f"It is mended now in {result.n}.", sentence)
    inner = Result(result.n, revised, (claim,), (Judgement(claim.id, SUPPORTED, 0.1, False),), SUPPORTED, 0.1)
    p_before = first.judgement.p_inconsistent
    corrections = [Correction(first.claim.id, (edit,), Status.APPLIED, None, p_before, 0.1)]
    corrections += [
        Correction(finding.claim.id, (), Status.REJECTED, "no better", finding.judgement.p_inconsistent)
        for finding in others[:1]
    ]
    return Revision(text, tuple(corrections), inner)


def _stated(result: Result) -> Result:
    """The passages state something, which refutes the first flagged claim and supports the corrected one."""
    claims = []
    for passage in result.example.passages:
        name = passage.text.partition(".")[0]
        whole = Span(0, len(name))
        slots = (Slot(name, (whole,)), Slot("is", inferred=True), Slot("on the list", inferred=True))
        claims.append(Claim.triplet(passage.id, slots, f"{name} is on the list.", whole, 0.9))
        claims.append(Claim.whole(passage.id, passage.text, Span(0, len(passage.text))))
    inner = result.revision.result
    refuted = tuple(Link(result.flagged[0].claim.id, Relation.REFUTED_BY, claim.id) for claim in claims[:2])
    supported = tuple(Link(inner.claims[0].id, Relation.SUPPORTED_BY, claim.id) for claim in claims[:1])
    inner = replace(inner, context_claims=tuple(claims[:2]), links=supported)
    return replace(result, context_claims=tuple(claims), links=refuted, revision=replace(result.revision, result=inner))


class Oracle:
    """What a graph should answer after these runs were loaded in this order. A person's run comes apart."""

    def __init__(self, runs: Sequence[tuple[Run, Sequence[Result]]]) -> None:
        self.runs = runs
        self.examples: dict[str, Example] = {}
        self.judged: dict[str, dict[str, Judgement]] = defaultdict(dict)  # by run and claim
        self.claims: dict[str, tuple[str, int, Claim]] = {}  # claim -> response, place
        self.shown: dict[str, Judgement] = {}
        self.placed: dict[str, dict[str, int]] = {}  # response -> claim -> place, of the run loaded last
        for run_, results in runs:
            for result in results:
                if result.example is None:
                    continue
                key = result.example.key
                self.examples[key] = result.example
                if not run_row(run_)["human"]:
                    self.placed[key] = {claim.id: place for place, claim in enumerate(result.claims)}
                for place, claim in enumerate(result.claims):
                    self.claims.setdefault(claim.id, (key, place, claim))
                for judgement in result.judgements:
                    self.judged[run_.id][judgement.claim_id] = judgement
                if result.judgements and not run_row(run_)["human"]:
                    for identity in [c for c in self.shown if self.claims[c][0] == key]:
                        del self.shown[identity]
                    self.shown.update({judgement.claim_id: judgement for judgement in result.judgements})
        # Of each claim, found once: a query over all claims asks for them thousands of times.
        self._entities: dict[str, dict[str, tuple[str, str, bool]]] = {}
        self._mentioned: dict[str, list[Entity]] = {}
        self.names: dict[str, str] = {}  # of entities, as they were written first
        for identity, (_, _, claim) in self.claims.items():
            for slot in (claim.subject, claim.object):
                if slot is not None and slot.text.strip() and not is_pronoun(slot):
                    thing = entity(slot, self.example_of(identity))
                    self.names.setdefault(thing.key, thing.name)
            for thing in self.mentioned(identity):
                self.names.setdefault(thing.key, thing.name)

    def example_of(self, claim: str) -> Example:
        return self.examples[self.claims[claim][0]]

    def claim(self, identity: str) -> Claim:
        return self.claims[identity][2]

    def entities(self, identity: str) -> dict[str, tuple[str, str, bool]]:
        """Key -> normalised name, dataset, named; nameless ones left out."""
        if identity not in self._entities:
            claim, example = self.claim(identity), self.example_of(identity)
            slots = () if claim.kind is Kind.SENTENCE else (claim.subject, claim.object)
            things = [entity(slot, example) for slot in slots if slot.text.strip() and not is_pronoun(slot)]
            self._entities[identity] = {
                thing.key: (name_key(thing.name), example.dataset, thing.named) for thing in things
            }
        return self._entities[identity]

    def named(self, identity: str) -> dict[str, tuple[str, str, bool]]:
        """The entities of a claim and the names inside its phrases."""
        dataset = self.example_of(identity).dataset
        inside = {thing.key: (name_key(thing.name), dataset, True) for thing in self.mentioned(identity)}
        return self.entities(identity) | inside

    def mentioned(self, identity: str) -> list[Entity]:
        """The names inside the claim's phrases."""
        if identity not in self._mentioned:
            claim, example = self.claim(identity), self.example_of(identity)
            self._mentioned[identity] = list(mentioned(claim, example, names_of(example)))
        return self._mentioned[identity]

    def evidence(self, identity: str) -> tuple[str | None, str | None, Scores | None]:
        example = self.example_of(identity)
        passages = {passage.id: passage for passage in example.passages}
        judgement = self.shown.get(identity)
        for item in judgement.evidence[:1] if judgement else ():
            passage = passages[item.passage_id]
            return item.span.of(passage.text), passage.source, item.scores
        return None, None, None

    def flagged(self) -> list[str]:
        found = [identity for identity, judgement in self.shown.items() if judgement.flagged]
        return sorted(found, key=lambda identity: (-self.shown[identity].p_inconsistent, identity))

    # One method a named query, with its parameters.

    def flagged_claims(self, dataset=None, model=None, response=None, limit=100) -> list[Row]:
        rows = []
        for identity in self.flagged():
            example, evidence = self.example_of(identity), self.evidence(identity)
            if (
                (dataset in (None, example.dataset))
                and model in (None, example.model)
                and response in (None, example.id, example.key)
            ):
                judgement = self.shown[identity]
                rows.append(
                    {"response": example.id, "model": example.model, "claim": self.claim(identity).text,
                     "label": judgement.label, "p_inconsistent": judgement.p_inconsistent, "evidence": evidence[0],
                     "source": evidence[1], "response_id": example.key}
                )  # fmt: skip
        return rows[:limit]

    def search(self, text, dataset=None, limit=50) -> list[Row]:
        rows = []
        for identity, (_, _, claim) in self.claims.items():
            example, judgement = self.example_of(identity), self.shown.get(identity)
            if dataset not in (None, example.dataset) or not all(w in claim.text.lower() for w in text.lower().split()):
                continue
            verdict = judgement or Judgement(identity, None, None, flagged=False)
            slots = [slot.text for slot in claim.slots] or [None] * 3
            row = {"response": example.id, "claim": claim.text, "subject": slots[0], "object": slots[2],
                   "label": verdict.label, "p_inconsistent": verdict.p_inconsistent,
                   "flagged": judgement.flagged if judgement else None}  # fmt: skip
            rows.append((-verdict.flagged, -(verdict.p_inconsistent or 0), identity, row))
        return [row for *_, row in sorted(rows, key=lambda item: item[:3])][:limit]

    def flag_rate_by_model(self, dataset=None) -> list[Row]:
        groups = defaultdict(list)
        for identity, judgement in self.shown.items():
            example = self.example_of(identity)
            if dataset in (None, example.dataset):
                groups[example.dataset, example.model].append((example.key, judgement.flagged))
        rows = [
            {"dataset": key[0], "model": key[1], "responses": len({r for r, _ in found}), "claims": len(found),
             "flagged": sum(f for _, f in found), "rate": sum(f for _, f in found) / len(found)}
            for key, found in groups.items()
        ]  # fmt: skip
        return sorted(rows, key=lambda row: (-row["rate"], row["dataset"], row["model"] is None, row["model"] or ""))

    def _by_entity(self) -> dict[str, tuple[tuple[str, str, bool], set[str]]]:
        found: dict = {}
        for identity in self.shown:
            for key, thing in self.named(identity).items():
                found.setdefault(key, (thing, set()))[1].add(identity)
        return found

    def entities_by_flags(self, dataset=None, named=False, limit=50) -> list[Row]:
        rows = []
        for key, ((_, own, is_named), claims) in self._by_entity().items():
            flags = sum(self.shown[identity].flagged for identity in claims)
            if flags and dataset in (None, own) and (is_named or not named):
                rows.append((-flags, len(claims), self.names[key], key, own))
        return [
            {"entity": name, "dataset": own, "flagged": -flags, "claims": claims}
            for flags, claims, name, _, own in sorted(rows)
        ][:limit]

    def shared_entities(self, dataset=None, least=2, limit=50) -> list[Row]:
        rows = []
        for key, ((_, own, is_named), claims) in self._by_entity().items():
            responses = {self.claims[identity][0] for identity in claims}
            flags = sum(self.shown[identity].flagged for identity in claims)
            if is_named and len(responses) >= least and dataset in (None, own):
                rows.append((-len(responses), -len(claims), self.names[key], key, own, flags))
        return [
            {"entity": name, "dataset": own, "responses": -responses, "claims": -claims, "flagged": flags}
            for responses, claims, name, _, own, flags in sorted(rows)
        ][:limit]

    def contradictions(self, dataset=None, limit=50) -> list[Row]:
        groups = defaultdict(set)
        for identity in self.shown:
            claim, example = self.claim(identity), self.example_of(identity)
            if (
                claim.kind is Kind.TRIPLET
                and claim.object.text
                and example.question
                and dataset in (None, example.dataset)
            ):
                key = (
                    example.dataset,
                    example.question,
                    name_key(claim.subject.text),
                    predicate_key(claim.predicate.text),
                )
                groups[key].add((claim.object.text.lower(), example.id))
        rows = []
        for key in sorted(groups):
            objects, responses = (sorted({pair[side] for pair in groups[key]}) for side in (0, 1))
            if len(objects) > 1 and len(responses) > 1:
                names = ("dataset", "question", "subject", "predicate")
                rows.append(dict(zip(names, key, strict=True)) | {"objects": objects, "responses": responses})
        return rows[:limit]

    def neighbourhood(self, entity, dataset=None, limit=200) -> list[Row]:
        found = [
            identity
            for identity in self.shown
            if any(name == entity.lower() and dataset in (None, own) for name, own, _ in self.named(identity).values())
        ]
        rows = []
        for identity in sorted(found, key=lambda i: (not self.shown[i].flagged, -self.shown[i].p_inconsistent, i)):
            claim, judgement = self.claim(identity), self.shown[identity]
            slots = [slot.text for slot in claim.slots] or [None] * 3
            rows.append(
                {"claim": claim.text, "subject": slots[0], "predicate": slots[1], "object": slots[2],
                 "label": judgement.label, "flagged": judgement.flagged, "response": self.example_of(identity).id}
            )  # fmt: skip
        return rows[:limit]

    def paths(self, response, limit=100) -> list[Row]:
        links = defaultdict(list)  # entity -> (claim, the other end)
        for identity in self.claims:
            ends = list(self.entities(identity))
            claim = self.claim(identity)
            if claim.kind is Kind.TRIPLET and claim.object.text.strip():
                one, other = ends[0], ends[-1]
                links[one].append((identity, other))
                links[other].append((identity, one))
        flagged_at = defaultdict(set)
        for identity in self.flagged():
            for key in self.entities(identity):
                flagged_at[key].add(identity)
        rows = set()
        for identity in self.flagged():
            if response in (self.example_of(identity).id, self.example_of(identity).key):
                for here in self.entities(identity):
                    for link, there in links[here]:
                        for other in flagged_at[there] - {identity, link}:
                            if link != identity:
                                rows.add((identity, link, other))
        shown = [
            (self.claim(c).text, self.claim(o).text, self.claim(x).predicate.text, c, o, x, self.example_of(o).id)
            for c, x, o in rows
        ]
        return [
            {"claim": claim, "over": over, "other": other, "other_response": name}
            for claim, other, over, *_, name in sorted(shown)
        ][:limit]

    def response_report(self, response, dataset=None) -> list[Row]:
        rows = []
        for identity, (key, _, claim) in self.claims.items():
            example, judgement = self.examples[key], self.shown.get(identity)
            place = self.placed[key].get(identity)
            if place is None and judgement is None:
                continue
            if response in (example.id, key) and dataset in (None, example.dataset):
                text, source, scores = self.evidence(identity)
                slots = [slot.text for slot in claim.slots] or [None] * 3
                rows.append(
                    {"response_id": key, "place": place, "kind": claim.kind, "claim": claim.text, "subject": slots[0],
                     "predicate": slots[1], "object": slots[2], "label": judgement and judgement.label,
                     "p_inconsistent": judgement and judgement.p_inconsistent,
                     "flagged": judgement and judgement.flagged, "evidence": text,
                     "source": source, "entailment": scores and scores[0], "neutral": scores and scores[1],
                     "contradiction": scores and scores[2]}
                )  # fmt: skip
        return sorted(rows, key=lambda row: (row["response_id"], row["place"] is None, row["place"]))

    def score_bands(self, dataset=None, model=None) -> list[Row]:
        bands = defaultdict(list)
        for identity, judgement in self.shown.items():
            example = self.example_of(identity)
            if dataset in (None, example.dataset) and model in (None, example.model):
                bands[min(9, math.floor(judgement.p_inconsistent * 10))].append(judgement.flagged)
        return [{"from": band / 10, "claims": len(f), "flagged": sum(f)} for band, f in sorted(bands.items())]

    def absent_entities(self, dataset=None, limit=100) -> list[Row]:
        rows = []
        for identity in self.flagged():
            example = self.example_of(identity)
            context = [passage.text.lower() for passage in example.passages]
            absent = sorted(
                self.names[key]
                for key, (_, own, _) in self.entities(identity).items()
                if dataset in (None, own) and not any(self.names[key].lower() in text for text in context)
            )
            if absent:
                p_inconsistent = self.shown[identity].p_inconsistent
                rows.append(
                    {"response": example.id, "claim": self.claim(identity).text, "absent": absent,
                     "p_inconsistent": p_inconsistent}
                )  # fmt: skip
        return rows[:limit]

    def corrections(self, status=None, limit=100) -> list[Row]:
        rows = []
        for _, results in self.runs:
            for result in results:
                for correction in result.revision.corrections if result.revision else ():
                    (new,) = result.revision.result.claims
                    applied = correction.status is Status.APPLIED
                    made = [{"span": [*edit.span], "old": edit.old, "new": edit.new} for edit in correction.edits]
                    edits = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
                    if status in (None, correction.status):
                        row = {"response": result.example.id, "claim": self.claim(correction.claim_id).text,
                               "corrected": new.text if applied else None, "status": correction.status,
                               "reason": correction.reason, "p_before": correction.p_before,
                               "p_after": correction.p_after, "probability": correction.probability,
                               "edits": edits}  # fmt: skip
                        rows.append((correction.status, -correction.p_before, correction.claim_id, row))
        return [row for *_, row in sorted(rows, key=lambda item: item[:3])][:limit]

    def refutations(self, dataset=None, relation=None, limit=100) -> list[Row]:
        rows = set()
        for _, results in self.runs:
            for result in results:
                for own in (result, result.revision and result.revision.result):
                    for link in own.links if own else ():
                        claim = next(claim for claim in own.claims if claim.id == link.claim_id)
                        stated = next(claim for claim in own.context_claims if claim.id == link.context_claim_id)
                        source = next(p.source for p in own.example.passages if p.id == stated.text_id)
                        if dataset in (None, own.example.dataset) and relation in (None, link.relation):
                            rows.add(
                                (own.example.id, claim.text, link.relation, stated.text, claim.id, stated.id, source)
                            )
        return [
            {"response": name, "claim": claim, "relation": relation, "stated": stated, "source": source}
            for name, claim, relation, stated, _, _, source in sorted(rows, key=lambda row: row[:6])
        ][:limit]

    def disagreement(self, one, other, limit=100) -> list[Row]:
        rows = []
        for identity in self.judged[one].keys() & self.judged[other].keys():
            a, b = self.judged[one][identity], self.judged[other][identity]
            if a.flagged != b.flagged:
                row = {"response": self.example_of(identity).id, "claim": self.claim(identity).text,
                       "one_label": a.label, "one_p": a.p_inconsistent, "other_label": b.label,
                       "other_p": b.p_inconsistent}  # fmt: skip
                rows.append((-abs(a.p_inconsistent - b.p_inconsistent), identity, row))
        return [row for *_, row in sorted(rows, key=lambda item: item[:2])][:limit]

    def agreement(self, one, other) -> list[Row]:
        pairs = [
            (self.judged[one][i].flagged, self.judged[other][i].flagged)
            for i in self.judged[one].keys() & self.judged[other].keys()
        ]
        names = {"both_flagged": (True, True), "only_one": (True, False), "only_other": (False, True)}
        names["neither"] = (False, False)
        return [{name: pairs.count(pair) for name, pair in names.items()}]

    def drawing(self, dataset=None, response=None, flagged=False, limit=5000) -> list[Row]:
        rows = []
        for identity, judgement in self.shown.items():
            example, (key, place, claim) = self.example_of(identity), self.claims[identity]
            if (
                dataset in (None, example.dataset)
                and response in (None, example.id, key)
                and (judgement.flagged or not flagged)
            ):
                slots = [slot.text for slot in claim.slots] or [None] * 3
                row = {"response": example.id, "model": example.model, "kind": claim.kind, "subject": slots[0],
                       "predicate": slots[1], "object": slots[2], "claim": claim.text, "label": judgement.label,
                       "p_inconsistent": judgement.p_inconsistent, "flagged": judgement.flagged}  # fmt: skip
                rows.append((key, place, identity, row))
        return [row for *_, row in sorted(rows, key=lambda item: item[:3])][:limit]


# ---- what a graph has to hold after a fault ----

STATED = """
MATCH (run:Run {id: $run})-[:PRODUCED]->(r:Response)
WHERE r.origin = 'response'
RETURN r.id AS id,
  COUNT { (r)-[:STATES]->(:Claim) } AS claims,
  COUNT { (r)-[:STATES]->(:Claim)<-[:JUDGED]-(:Run) } AS judged,
  COUNT { (r)-[:HAS_CONTEXT]->(:Passage) } AS passages
"""


def assert_whole(graph: ClaimGraph, results: Sequence[Result], acknowledged: int) -> None:
    """Every acknowledged response is there, and every response that is there is there as a whole."""
    found = {
        row["id"]: (row["claims"], row["judged"], row["passages"])
        for row in graph.query(STATED, {"run": run("one").id})
    }
    wanted = {
        r.example.key: (len(r.claims), len(r.judgements), len(r.example.passages))
        for r in results
        if r.example is not None
    }
    for result in results[:acknowledged]:
        if result.example is not None:
            assert result.example.key in found, "an acknowledged response is lost"
    for key, parts in found.items():
        assert parts == wanted[key], "a response is there in part"


def assert_complete(graph: ClaimGraph, results: Sequence[Result]) -> None:
    """The graph holds these results, and nothing twice."""
    counts = graph.counts()
    rows = to_rows(results)
    assert counts["Claim"] == len(rows.claims) == counts["STATES"]
    assert counts["Entity"] == len(rows.entities)
    assert counts["RELATES"] == len(rows.relations)
    assert counts.get("MENTIONS", 0) == len(rows.mentions)
    assert counts["JUDGED"] == len(rows.judged)
    assert counts["JUDGED_AGAINST"] == len(rows.evidence)
    assert counts["HAS_CONTEXT"] == len(rows.contexts)
