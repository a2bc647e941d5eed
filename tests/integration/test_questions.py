"""A user's day: check and correct with a store at hand, then plain Cypher from the published schema alone.

Each answer is worked out from the results in Python too, and both stores give it."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.labels import person_run
from graph_eval.graph.open import open_graph
from graph_eval.runs.directory import read_results
from graph_eval.types import Label, Result, Status
from tests import neo4j_server
from tests.conftest import ROOT, missing
from tests.integration.test_ask import check_answers, check_refusals, completed, disobedient, good

Results = list[Result]
Answer = Callable[[Results], Any]


def findings(results: Results) -> Iterator[tuple[Result, Any]]:
    for result in results:
        yield from ((result, finding) for finding in result.findings)


def flags(results: Results) -> Iterator[tuple[Result, Any]]:
    return ((result, finding) for result, finding in findings(results) if finding.judgement.flagged)


def worst(results: Results) -> list[str]:
    order = sorted(flags(results), key=lambda pair: (-pair[1].judgement.p_inconsistent, pair[1].claim.id))
    return [finding.claim.text for _, finding in order[:3]]


def rates(results: Results) -> list[tuple[str, int, int]]:
    total = Counter(result.example.model for result, _ in findings(results))
    wrong = Counter(result.example.model for result, _ in flags(results))
    return sorted((model, wrong[model], count) for model, count in total.items())


QUESTIONS: dict[str, tuple[str, Answer]] = {
    "flagged claims": (
        "MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN count(e) AS n",
        lambda results: sum(1 for _ in flags(results)),
    ),
    "all claims": (
        "MATCH ()-[e:RELATES {origin: 'response'}]->() RETURN count(e) AS n",
        lambda results: sum(1 for _ in findings(results)),
    ),
    "labels": (
        "MATCH ()-[e:RELATES {origin: 'response'}]->() RETURN e.label AS label, count(*) AS n ORDER BY label",
        lambda results: sorted(Counter(str(f.judgement.label) for _, f in findings(results)).items()),
    ),
    "the worst": (
        (
            "MATCH (c:Claim {flagged: true})<-[:STATES]-(r:Response {origin: 'response'}) "
            "RETURN c.text AS t ORDER BY c.p_inconsistent DESC, c.id LIMIT 3"
        ),
        worst,
    ),
    "responses with a flag": (
        (
            "MATCH (r:Response {origin: 'response'}) WHERE EXISTS { (r)-[:STATES]->(:Claim {flagged: true}) } "
            "RETURN r.name AS r ORDER BY r"
        ),
        lambda results: sorted({result.example.id for result, _ in flags(results)}),
    ),
    "responses without a flag": (
        (
            "MATCH (r:Response {origin: 'response'}) WHERE NOT EXISTS { (r)-[:STATES]->(:Claim {flagged: true}) } "
            "RETURN count(r) AS n"
        ),
        lambda results: len(results) - len({result.n for result, _ in flags(results)}),
    ),
    "flags of each model": (
        (
            "MATCH (r:Response {origin: 'response'})-[:STATES]->(c:Claim) "
            "RETURN r.model AS m, sum(CASE WHEN c.flagged THEN 1 ELSE 0 END) AS f, count(c) AS n ORDER BY m"
        ),
        rates,
    ),
    "the response of a flag": (
        (
            "MATCH ()-[e:RELATES {flagged: true}]->() MATCH (r:Response {id: e.response_id}) "
            "RETURN r.name AS r, count(*) AS n ORDER BY n DESC, r LIMIT 3"
        ),
        lambda results: sorted(
            Counter(result.example.id for result, _ in flags(results)).items(), key=lambda pair: (-pair[1], pair[0])
        )[:3],
    ),
    "the evidence": (
        (
            "MATCH (c:Claim {flagged: true, origin: 'response'})-[e:JUDGED_AGAINST {rank: 0}]->(p:Passage) "
            "WHERE e.run_id = c.run_id AND p.text CONTAINS e.text RETURN count(*) AS n"
        ),
        lambda results: sum(1 for _, finding in flags(results) if finding.judgement.evidence),
    ),
    "contradictions only": (
        "MATCH (s)-[e:RELATES {flagged: true, label: 'Contradiction'}]->(o) RETURN count(e) AS n",
        lambda results: sum(f.judgement.label is Label.CONTRADICTION for _, f in flags(results)),
    ),
    "what a name does": (
        (
            "MATCH (s:Entity {name: 'Signe Arvidsen'})-[e:RELATES {origin: 'response'}]->(o) "
            "RETURN e.predicate AS p, o.text AS o ORDER BY p, o"
        ),
        lambda results: sorted(
            (f.claim.predicate.text, f.claim.object.text)
            for _, f in findings(results)
            if f.claim.subject is not None and f.claim.subject.text in ("Signe Arvidsen", "Arvidsen")
        ),
    ),
    "records without context": (
        "MATCH (r:Response {origin: 'response'}) WHERE NOT (r)-[:HAS_CONTEXT]->() RETURN r.name AS r ORDER BY r",
        lambda results: sorted(result.example.id for result in results if not result.example.passages),
    ),
    "claims above a probability": (
        "MATCH (c:Claim {origin: 'response', flagged: true}) WHERE c.p_inconsistent > 0.9 RETURN count(c) AS n",
        lambda results: sum(f.judgement.p_inconsistent > 0.9 for _, f in flags(results)),
    ),
    "corrections": (
        "MATCH (c:Claim)-[x:CORRECTED_TO]->(d:Claim) RETURN x.status AS s, count(*) AS n ORDER BY s",
        lambda results: sorted(
            Counter(str(c.status) for r in results if r.revision for c in r.revision.corrections).items()
        ),
    ),
    "what was corrected to what": (
        "MATCH (c:Claim)-[x:CORRECTED_TO {status: 'applied'}]->(d:Claim) RETURN count(DISTINCT c) AS n",
        lambda results: sum(c.status is Status.APPLIED for r in results if r.revision for c in r.revision.corrections),
    ),
    "revised texts": (
        "MATCH (r:Response)-[:REVISED_AS]->(v {origin: 'revision'}) RETURN r.name AS r, v.text AS t ORDER BY r",
        lambda results: sorted(
            (r.example.id, r.revision.text) for r in results if r.revision and r.revision.text != r.example.response
        ),
    ),
    "what the context states instead": (
        "MATCH (c:Claim {flagged: true, origin: 'response'})-[:REFUTED_BY]->(d:Claim) RETURN count(*) AS n",
        lambda results: sum(link.relation == "REFUTED_BY" for r in results for link in r.links),
    ),
    "claims with numbers": (
        "MATCH (r:Response {origin: 'response'})-[:STATES]->(c:Claim) WHERE c.text =~ '.*[0-9].*' RETURN count(c) AS n",
        lambda results: sum(any(map(str.isdigit, f.claim.text)) for _, f in findings(results)),
    ),
    "the verdict of the run on a response": (
        "MATCH (run:Run)-[x:PRODUCED]->(r:Response {origin: 'response'}) RETURN x.label AS l, count(*) AS n ORDER BY l",
        lambda results: sorted(Counter(str(result.label) for result in results).items()),
    ),
    "which checker": ("MATCH (run:Run) RETURN run.checker AS c", lambda results: "builtin" if results else ""),
    "sentence claims": (
        "MATCH ()-[e:RELATES {origin: 'response', kind: 'sentence'}]->(o) RETURN o.text AS t ORDER BY t",
        lambda results: sorted(f.claim.text for _, f in findings(results) if f.claim.kind == "sentence"),
    ),
}


@pytest.fixture(scope="module", params=["embedded", "neo4j"])
def day(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Results]]:
    """A store with a corrected run of the examples, and the run's results."""
    folder = tmp_path_factory.mktemp("day")
    if request.param == "embedded":
        yield loaded(folder, str(folder / "kg"))
        return
    try:
        with neo4j_server.running(folder / "neo4j", neo4j_server.VERSION) as server:
            yield loaded(folder, server.uri)
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))


def loaded(folder: Path, store: str) -> tuple[str, Results]:
    run = folder / "RUN"
    records = ROOT / "examples" / "responses.jsonl"
    command = [sys.executable, "-m", "graph_eval", "check", records, "--correct", "-o", run, "--store", store]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Received notification" not in done.stderr
    return store, list(read_results(run))


def test_plain_cypher_gives_the_answers_that_the_results_hold(day: tuple[str, Results]) -> None:
    store, results = day
    with open_graph(store) as graph:
        wrong = {name for name, (cypher, answer) in QUESTIONS.items() if asked(graph, cypher) != plain(answer(results))}
        (info,) = graph.named("runs", {})
    assert wrong == set()
    assert len(QUESTIONS) >= 20
    assert (info["flagged"], info["claims"]) == (sum(1 for _ in flags(results)), sum(1 for _ in findings(results)))


@pytest.mark.parametrize("day", ["neo4j"], indirect=True, scope="module")
def test_a_model_asks_a_server_in_plain_words(day: tuple[str, Results]) -> None:
    """Last, and what it adds to the store is removed again."""
    store, results = day
    with open_graph(store) as graph:
        world = completed(store, graph, results)
    check_answers(world, good)
    check_refusals(store, disobedient)
    with open_graph(store) as graph:
        for run in (world.other, person_run("anna")):
            graph.delete(run=run.id)


def asked(graph: ClaimGraph, cypher: str) -> Any:
    rows = [list(row.values()) for row in graph.query(cypher)]
    columns = [row[0] if len(row) == 1 else row for row in rows]
    return columns[0] if len(columns) == 1 and "ORDER BY" not in cypher else columns


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))
