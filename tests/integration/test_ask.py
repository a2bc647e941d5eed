"""Questions in plain words: what a model writes is run without writing. test_questions.py asks them of Neo4j too.

The model is scripted, behind the real litellm. Its Cypher is what a good model writes from the schema, and the right
rows are worked out from the results of the runs in plain Python."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from graph_eval import GraphEval
from graph_eval.cli.main import main
from graph_eval.errors import GraphEvalError, UsageError
from graph_eval.graph import library
from graph_eval.graph.ask import Answer, ask
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.labels import person_run
from graph_eval.graph.open import open_graph
from graph_eval.jobs import Job
from graph_eval.settings import Settings
from graph_eval.sinks import StoreSink
from graph_eval.sources import RecordFiles
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest
from graph_eval.types import Judgement, Label, Result, Run
from tests.conftest import ROOT
from tests.graphs import Oracle
from tests.models import fenced

pytestmark = pytest.mark.usefixtures("own_cache")
Rows = list[list[Any]]


class World(NamedTuple):
    """A store and what was loaded into it. `again`: the same claims at another threshold. `anna`: a person's labels."""

    store: str
    run: Run
    results: list[Result]
    other: Run
    again: list[Result]
    anna: dict[str, Judgement]

    @property
    def claims(self) -> list[tuple[Result, Any]]:
        return [(result, finding) for result in self.results for finding in result.findings]

    @property
    def flagged(self) -> list[tuple[Result, Any]]:
        return [(result, finding) for result, finding in self.claims if finding.judgement.flagged]


class Case(NamedTuple):
    """A question, the Cypher that a model writes for it with the values of the question, and the right rows."""

    question: str
    cypher: str
    parameters: dict[str, Any]
    rows: Callable[[World], Any]


def judgements(results: Sequence[Result]) -> dict[str, Judgement]:
    return {judgement.claim_id: judgement for result in results for judgement in result.judgements}


def texts(world: World) -> dict[str, str]:
    return {finding.claim.id: finding.claim.text for _, finding in world.claims}


def counted(names: Any, most: int | None = None) -> Rows:
    """The names with their numbers, the largest first."""
    return [list(pair) for pair in sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))[:most]]


def differing(world: World) -> Rows:
    one, other = judgements(world.results), judgements(world.again)
    return sorted([texts(world)[claim]] for claim in one if one[claim].flagged != other[claim].flagged)


def evidence(finding: Any, result: Result) -> str:
    best = finding.judgement.evidence[0]
    passage = next(passage for passage in result.example.passages if passage.id == best.passage_id)
    return best.span.of(passage.text)


def rates(world: World) -> Rows:
    total = Counter(result.example.model for result, _ in world.claims)
    wrong = Counter(result.example.model for result, _ in world.flagged)
    return sorted(([model, wrong[model] / total[model]] for model in total), key=lambda row: (-row[1], row[0]))


def links(world: World, relation: str) -> Rows:
    found = []
    for result in world.results:
        stated = {claim.id: claim.text for claim in result.context_claims}
        own = {claim.id: claim.text for claim in result.claims}
        found += [
            [own[link.claim_id], stated[link.context_claim_id]] for link in result.links if link.relation == relation
        ]
    return sorted(found)


OF_RESPONSES = "MATCH (r:Response {origin: 'response'})-[:STATES]->(c:Claim)"
FLAGGED = "MATCH (r:Response {origin: 'response'})-[:STATES]->(c:Claim {flagged: true})"
MODEL, RECORD, NAME = "summariser-a", "lighthouse", "skerra"

CASES = [
    Case(
        "Which claims of summariser-a are flagged?",
        f"{FLAGGED} WHERE r.model = $model RETURN c.text AS claim ORDER BY claim",
        {"model": MODEL},
        lambda world: sorted([f.claim.text] for r, f in world.flagged if r.example.model == MODEL),
    ),
    Case(
        "Which entities have the most flagged claims?",
        library.query("entities_by_flags").text,
        {"dataset": None, "named": False, "limit": 5},
        lambda world: [list(row.values()) for row in Oracle([(world.run, world.results)]).entities_by_flags(limit=5)],
    ),
    Case(
        "How many responses of the dataset responses are inconsistent?",
        "MATCH (run:Run {human: false})-[x:PRODUCED]->(r:Response {origin: 'response', dataset: $dataset}) "
        "WITH r, x, run ORDER BY run.loaded DESC WITH r, collect(x.label)[0] AS label "
        "WHERE label IN ['Neutral', 'Contradiction'] RETURN count(r) AS inconsistent",
        {"dataset": "responses"},
        lambda world: [[sum(result.inconsistent for result in world.results)]],
    ),
    Case(
        "What evidence contradicts the claim about the height of the Skerra lighthouse?",
        "MATCH (c:Claim {origin: 'response', flagged: true})-[e:JUDGED_AGAINST {rank: 0}]->(p:Passage) "
        "WHERE e.run_id = c.run_id AND c.text CONTAINS $height RETURN c.text AS claim, e.text AS evidence",
        {"height": "48 metres"},
        lambda world: [[f.claim.text, evidence(f, r)] for r, f in world.flagged if "48 metres" in f.claim.text],
    ),
    Case(
        "Which predicates are wrong most often?",
        "MATCH (c:Claim {flagged: true, origin: 'response', kind: 'triplet'}) "
        "RETURN c.predicate AS predicate, count(*) AS flagged ORDER BY flagged DESC, predicate LIMIT 5",
        {},
        lambda world: counted((f.claim.predicate.text for _, f in world.flagged if f.claim.predicate), 5),
    ),
    Case(
        "Which claims did the checkers disagree about?",
        "MATCH (a:Run {human: false})-[x:JUDGED]->(c:Claim)<-[y:JUDGED]-(b:Run {human: false}) "
        "WHERE a.id < b.id AND x.flagged <> y.flagged AND c.origin = 'response' RETURN c.text AS claim ORDER BY claim",
        {},
        differing,
    ),
    Case(
        "How many claims are there?",
        f"{OF_RESPONSES} RETURN count(c) AS claims",
        {},
        lambda world: [[len(world.claims)]],
    ),
    Case(
        "How many claims have each label?",
        f"{OF_RESPONSES} WHERE c.label IS NOT NULL RETURN c.label AS label, count(*) AS claims "
        "ORDER BY claims DESC, label",
        {},
        lambda world: counted(str(f.judgement.label) for _, f in world.claims),
    ),
    Case(
        "What share of the claims of each model is wrong?",
        f"{OF_RESPONSES} WHERE c.flagged IS NOT NULL WITH r.model AS model, count(c) AS claims, "
        "sum(CASE WHEN c.flagged THEN 1 ELSE 0 END) AS wrong "
        "RETURN model, toFloat(wrong) / claims AS share ORDER BY share DESC, model",
        {},
        rates,
    ),
    Case(
        "Which responses have no flagged claim?",
        "MATCH (r:Response {origin: 'response'}) WHERE NOT EXISTS { (r)-[:STATES]->(:Claim {flagged: true}) } "
        "RETURN r.name AS response ORDER BY response",
        {},
        lambda world: sorted([r.example.id] for r in world.results if not r.flagged),
    ),
    Case(
        "Show everything that the answer lighthouse claims, in order, with the verdicts",
        f"{OF_RESPONSES} WHERE r.name = $name RETURN c.text AS claim, c.label AS label ORDER BY c.place",
        {"name": RECORD},
        lambda world: [[f.claim.text, f.judgement.label] for r, f in world.claims if r.example.id == RECORD],
    ),
    Case(
        "Which three claims are most certainly wrong?",
        f"{FLAGGED} RETURN c.text AS claim ORDER BY c.p_inconsistent DESC, c.id LIMIT 3",
        {},
        lambda world: [
            [f.claim.text]
            for _, f in sorted(world.flagged, key=lambda p: (-p[1].judgement.p_inconsistent, p[1].claim.id))[:3]
        ],
    ),
    Case(
        "What do the responses say about Skerra?",
        f"{OF_RESPONSES} WHERE toLower(c.text) CONTAINS toLower($name) RETURN c.text AS claim ORDER BY claim",
        {"name": NAME},
        lambda world: sorted([f.claim.text] for _, f in world.claims if NAME in f.claim.text.lower()),
    ),
    Case(
        "How many flagged claims contradict the context, and how many are just not mentioned there?",
        f"{FLAGGED} RETURN c.label AS label, count(*) AS claims ORDER BY claims DESC, label",
        {},
        lambda world: counted(str(f.judgement.label) for _, f in world.flagged),
    ),
    Case(
        "Which answers had no context?",
        "MATCH (r:Response {origin: 'response'}) WHERE NOT (r)-[:HAS_CONTEXT]->(:Passage) "
        "RETURN r.name AS response ORDER BY response",
        {},
        lambda world: sorted([r.example.id] for r in world.results if not r.example.passages),
    ),
    Case(
        "Which questions were answered wrongly?",
        f"{FLAGGED} WHERE r.question IS NOT NULL RETURN DISTINCT r.question AS question ORDER BY question",
        {},
        lambda world: sorted({r.example.question for r, _ in world.flagged if r.example.question}),
    ),
    Case(
        "Which flagged claims contain a number?",
        f"{FLAGGED} WHERE c.text =~ '.*[0-9].*' RETURN c.text AS claim ORDER BY claim",
        {},
        lambda world: sorted([f.claim.text] for _, f in world.flagged if re.search("[0-9]", f.claim.text)),
    ),
    Case(
        "What does the context state instead of the wrong claims?",
        "MATCH (c:Claim {origin: 'response'})-[:REFUTED_BY]->(d:Claim {origin: 'passage'}) "
        "RETURN c.text AS claim, d.text AS stated ORDER BY claim, stated",
        {},
        lambda world: links(world, "REFUTED_BY"),
    ),
    Case(
        "Which corrections were applied?",
        "MATCH (c:Claim)-[x:CORRECTED_TO {status: $status}]->(:Claim) RETURN DISTINCT c.text AS claim ORDER BY claim",
        {"status": "applied"},
        lambda world: sorted(
            {
                texts(world)[c.claim_id]
                for r in world.results
                if r.revision
                for c in r.revision.corrections
                if c.status == "applied"
            }
        ),
    ),
    Case(
        "How did the corrections end?",
        "MATCH (c:Claim)-[x:CORRECTED_TO]->(:Claim) RETURN x.status AS status, count(*) AS n ORDER BY n DESC, status",
        {},
        lambda world: counted(str(c.status) for r in world.results if r.revision for c in r.revision.corrections),
    ),
    Case(
        "Show the corrected texts",
        "MATCH (r:Response)-[:REVISED_AS]->(v:Response {origin: 'revision'}) "
        "RETURN r.name AS response, v.text AS corrected ORDER BY response",
        {},
        lambda world: sorted(
            [r.example.id, r.revision.text]
            for r in world.results
            if r.revision and r.revision.text != r.example.response
        ),
    ),
    Case(
        "Which claims does Anna call wrong although the checker does not flag them?",
        "MATCH (anna:Run {checker: $person})-[x:JUDGED {flagged: true}]->(c:Claim {flagged: false}) "
        "RETURN c.text AS claim ORDER BY claim",
        {"person": "human:anna"},
        lambda world: sorted(
            [texts(world)[claim]]
            for claim, label in world.anna.items()
            if label.flagged and not judgements(world.results)[claim].flagged
        ),
    ),
    Case(
        "How often do Anna and the current checker agree?",
        "MATCH (:Run {human: true})-[x:JUDGED]->(c:Claim) "
        "RETURN sum(CASE WHEN x.flagged = c.flagged THEN 1 ELSE 0 END) AS agreed, count(*) AS labelled",
        {},
        lambda world: [
            [
                sum(label.flagged == judgements(world.results)[claim].flagged for claim, label in world.anna.items()),
                len(world.anna),
            ]
        ],
    ),
    Case(
        "Which runs are there and how many claims did each flag?",
        "MATCH (run:Run {human: false}) "
        "RETURN run.threshold AS threshold, COUNT { (run)-[:JUDGED {flagged: true}]->(:Claim {origin: 'response'}) } "
        "AS flagged ORDER BY flagged DESC",
        {},
        lambda world: [
            [0.5, sum(j.flagged for j in judgements(world.results).values())],
            [0.97, sum(j.flagged for j in judgements(world.again).values())],
        ],
    ),
    Case(
        "How many claims have a probability over 0.9 of being inconsistent?",
        f"{OF_RESPONSES} WHERE c.p_inconsistent > $p RETURN count(c) AS claims",
        {"p": 0.9},
        lambda world: [[sum(f.judgement.p_inconsistent > 0.9 for _, f in world.claims)]],
    ),
    Case(
        "Which sentences could not be taken apart into triplets?",
        f"{OF_RESPONSES} WHERE c.kind = 'sentence' RETURN c.text AS sentence ORDER BY sentence",
        {},
        lambda world: sorted([f.claim.text] for _, f in world.claims if f.claim.kind == "sentence"),
    ),
    Case(
        "Which model wrote the most text?",
        "MATCH (r:Response {origin: 'response'}) RETURN r.model AS model, sum(size(r.text)) AS characters "
        "ORDER BY characters DESC LIMIT 1",
        {},
        lambda world: counted((r.example.model for r in world.results for _ in r.example.response), 1),
    ),
    Case(
        "Compare the labels of the records with the verdicts",
        "MATCH (r:Response {origin: 'response'}) WITH r, EXISTS { (r)-[:STATES]->(:Claim {flagged: true}) } AS wrong "
        "RETURN r.meta_label AS label, wrong, count(*) AS responses ORDER BY label, wrong",
        {},
        lambda world: sorted(
            [*key, n] for key, n in Counter((r.example.meta["label"], bool(r.flagged)) for r in world.results).items()
        ),
    ),
    Case(
        "Which passages are the evidence of several flagged claims?",
        "MATCH (c:Claim {flagged: true, origin: 'response'})-[e:JUDGED_AGAINST {rank: 0}]->(p:Passage) "
        "WHERE e.run_id = c.run_id WITH p, count(DISTINCT c) AS claims WHERE claims > 1 "
        "RETURN p.text AS passage, claims ORDER BY claims DESC, passage",
        {},
        lambda world: [
            row
            for row in counted(
                next(p.text for p in r.example.passages if p.id == f.judgement.evidence[0].passage_id)
                for r, f in world.flagged
                if f.judgement.evidence
            )
            if row[1] > 1
        ],
    ),
    Case(
        "Which responses were checked against the same passage?",
        "MATCH (r:Response {origin: 'response'})-[:HAS_CONTEXT]->(:Passage)<-[:HAS_CONTEXT]-(s:Response) "
        "WHERE s.origin = 'response' AND r.name < s.name RETURN DISTINCT r.name AS one, s.name AS other "
        "ORDER BY one, other",
        {},
        lambda world: sorted(
            [one.example.id, other.example.id]
            for one in world.results
            for other in world.results
            if one.example.id < other.example.id and set(one.example.passages) & set(other.example.passages)
        ),
    ),
    Case(
        "Flagged claims in the answers that are no summaries",
        f"{FLAGGED} WHERE NOT r.model STARTS WITH $prefix RETURN r.name AS response, c.text AS claim "
        "ORDER BY response, claim",
        {"prefix": "summariser"},
        lambda world: sorted(
            [r.example.id, f.claim.text] for r, f in world.flagged if not r.example.model.startswith("summariser")
        ),
    ),
]
BY_QUESTION = {case.question: case for case in CASES}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """An embedded store with a corrected run of the examples and what `completed` adds."""
    store = str(tmp_path_factory.mktemp("asked") / "kg")
    ge, source = GraphEval(), RecordFiles([str(ROOT / "examples" / "responses.jsonl")])
    with open_graph(store) as graph:
        job = Job(source, ge.plan_for(source, correct=True), [StoreSink(graph)])
        results = list(job.results())
        return completed(store, graph, results)


def completed(store: str, graph: ClaimGraph, results: list[Result]) -> World:
    """Adds a run with the same scores at another threshold, and a person's labels. The first run stays the current."""
    run, strict = graph.run(), 0.97
    other = replace(run, settings={**run.settings, "threshold": strict})
    again = [
        replace(result, judgements=tuple(at_threshold(judgement, strict) for judgement in result.judgements))
        for result in results
    ]
    claims = [finding.claim.id for result in results for finding in result.findings][::4]
    labels = {claim: Judgement(claim, Label.NEUTRAL, 1.0, flagged=True) for claim in claims[::2]}
    labels |= {claim: Judgement(claim, Label.ENTAILMENT, 0.0, flagged=False) for claim in claims[1::2]}
    list(graph.load(other, [replace(result, revision=None, context_claims=(), links=()) for result in again]))
    graph.make_current(run.id)
    graph.label(person_run("anna"), labels)
    return World(store, run, results, other, again, labels)


def at_threshold(judgement: Judgement, threshold: float) -> Judgement:
    flagged = judgement.p_inconsistent > threshold
    return replace(judgement, flagged=flagged, label=judgement.label if flagged else Label.ENTAILMENT)


def good(prompt: str) -> str:
    """The answer of a good model."""
    case = BY_QUESTION[dict(fenced(prompt))["question"]]
    return json.dumps({"cypher": case.cypher, "parameters": case.parameters, "reason": ""})


def behind_server(request: ReceivedRequest) -> str:
    return good(request.text)


def settings(server: LoopbackServer) -> Settings:
    return Settings.of(api_base=server.url, cache="off", retries=0)


def asked(world: World, question: str, *answers: str, **given: Any) -> tuple[Answer, LoopbackServer]:
    with LoopbackServer(answers) as server, open_graph(world.store) as graph:
        return ask(graph, question, "openai/x", settings(server), **given), server


def test_thirty_questions_are_answered_with_the_right_rows(world: World) -> None:
    with LoopbackServer(behind_server) as server:
        check_answers(world, "openai/x", settings(server))
    assert len(server.requests) == len(CASES) >= 30, "no query had to be repaired"


def check_answers(world: World, model: str | Callable[[str], str], settings: Settings | None = None) -> None:
    found, parameters = {}, {}
    with open_graph(world.store) as graph:
        for case in CASES:
            answer = ask(graph, case.question, model, settings)
            assert (answer.question, answer.cypher) == (case.question, case.cypher)
            found[case.question] = [list(row.values()) for row in answer.rows]
            parameters[case.question] = answer.parameters
    wanted = {case.question: plain(case.rows(world)) for case in CASES}
    assert {question: rows for question, rows in found.items() if rows != wanted[question]} == {}
    assert parameters == {case.question: case.parameters for case in CASES}
    assert all(found.values()), "each question asks something"


def plain(value: Any) -> Any:
    rows = json.loads(json.dumps(value))
    return [row if isinstance(row, list) else [row] for row in rows] if isinstance(rows, list) else rows


BACKSLASH = "\\"
WRITES = [
    "CREATE (n:Note {text: 'x'})",
    "MERGE (n:Claim {id: 'x'}) RETURN n",
    "MATCH (c:Claim) SET c.flagged = false RETURN count(c) AS n",
    "MATCH (c:Claim) SET c += {flagged: false}",
    "MATCH (c:Claim) SET c:Checked",
    "MATCH (c:Claim) REMOVE c.flagged",
    "MATCH (n) DETACH DELETE n",
    "MATCH ()-[e:RELATES]->() DELETE e",
    "FOREACH (x IN [1, 2] | CREATE (:Note {n: x}))",
    "MATCH (c:Claim) FOREACH (x IN [1] | SET c.flagged = false)",
    "MATCH (c:Claim) CALL { CREATE (:Note) } RETURN count(c) AS n",
    "MATCH (c:Claim) CALL (c) { SET c.flagged = false } RETURN count(c) AS n",
    "MATCH (c:Claim) CALL { WITH c DETACH DELETE c } IN TRANSACTIONS OF 10 ROWS",
    "UNWIND [1] AS x MERGE (:Note {n: x})",
    "MATCH (c:Claim) RETURN c.text AS text; MATCH (n) DETACH DELETE n",
    "MATCH (c:Claim) RETURN c.text AS text; CREATE (:Note)",
    "MATCH (c:Claim) RETURN c.text AS text UNION CREATE (n:Note) RETURN n.text AS text",
    f"CRE{BACKSLASH}u0041TE (n:Note)",
    f"MATCH (n) DET{BACKSLASH}u0041CH DELETE n",
    "/* MATCH (c:Claim) RETURN c */ MATCH (n) /* only reads */ DETACH /**/ DELETE n",
    "// RETURN 1\nMATCH (c:Claim) // RETURN c\nSET c.flagged = false",
    "EXPLAIN MATCH (n) DETACH DELETE n",
    "PROFILE CREATE (n:Note)",
    f"EXPLAIN CRE{BACKSLASH}u0041TE (n:Note)",
    "CREATE INDEX note IF NOT EXISTS FOR (n:Claim) ON (n.text)",
    "DROP INDEX claim_flagged",
    "DROP CONSTRAINT claim_id",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "MATCH (c:Claim) LOAD CSV WITH HEADERS FROM $url AS line RETURN line",
    f"LO{BACKSLASH}u0041D CSV FROM 'http://127.0.0.1:1/' AS line RETURN line",
    "CALL apoc.load.json('http://127.0.0.1:1/') YIELD value RETURN value",
    "RETURN apoc.cypher.runFirstColumnMany('MATCH (n) DETACH DELETE n', {}) AS n",
    "CALL apoc.cypher.doIt('MATCH (n) DETACH DELETE n', {}) YIELD value RETURN value",
    "CALL `apoc`.`periodic`.`iterate`('MATCH (n) RETURN n', 'DELETE n', {}) YIELD total RETURN total",
    "CALL db.createLabel('Note')",
    "CALL db.createProperty('note')",
    "CALL dbms.killTransaction('x') YIELD message RETURN message",
    "CALL dbms.security.createUser('eve', 'password') ",
    "CREATE USER eve SET PASSWORD 'password'",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "SHOW SETTINGS YIELD name, value RETURN name, value",
]


def test_what_writes_or_reaches_further_is_refused_and_changes_nothing(world: World) -> None:
    with LoopbackServer(lambda request: disobedient(request.text)) as server:
        check_refusals(world.store, "openai/x", settings(server))
    assert len(server.requests) == 2 * len(WRITES) >= 60


def disobedient(prompt: str) -> str:
    """A model that writes what the question orders."""
    return json.dumps({"cypher": dict(fenced(prompt))["question"]})


def check_refusals(store: str, model: str | Callable[[str], str], settings: Settings | None = None) -> None:
    ran, reasons = [], []
    with open_graph(store) as graph:
        before = state(graph)
        for cypher in WRITES:
            try:
                ran.append(ask(graph, cypher, model, settings))
            except GraphEvalError as refused:
                reasons.append(str(refused))
            with pytest.raises(UsageError):  # the guard of every query refuses it, whoever wrote it
                graph.query(cypher, {"url": "http://127.0.0.1:1/"})
        assert state(graph) == before
    assert all("the model wrote no query that works" in reason for reason in reasons)
    assert not any("--write" in reason for reason in reasons)
    assert ran == []


def state(graph: ClaimGraph) -> Any:
    """All that the graph holds."""
    nodes = graph.query("MATCH (n) RETURN n")
    edges = graph.query("MATCH (a)-[e]->(b) RETURN a.id AS a, e, b.id AS b")
    return sorted(json.dumps(row, sort_keys=True) for row in [*nodes, *edges])


RIGHT = json.dumps({"cypher": f"{OF_RESPONSES} RETURN count(c) AS claims", "parameters": {}})


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ("MATCH (c:Claim RETURN c", "invalid query"),
        ("MATCH (c:Claim) RETURN nofunction(c) AS n", "invalid query"),
        ("MATCH (c:Claim) WHERE c.text = $text RETURN c", "the parameter $text has no value"),
        ("MATCH (c:Claim) RETURN c.verdict AS verdict", "Claim has no property verdict; it has id, kind, origin"),
        ("MATCH (c:Statement) RETURN c", "there is no label Statement"),
        ("MATCH (c:Claim)-[:STATES]->(r:Response) RETURN r", "STATES leads from Response to Claim"),
        ("MATCH (c:Claim) SET c.flagged = false", "this query writes"),
        ("LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", "this query uses LOAD CSV"),
    ],
)
def test_a_query_that_fails_is_asked_for_once_more_with_the_reason(world: World, wrong: str, problem: str) -> None:
    shown: list[str] = []
    told: list[str] = []
    answer, server = asked(
        world,
        "How many claims are there?",
        json.dumps({"cypher": wrong}),
        RIGHT,
        on_query=lambda cypher, _: shown.append(cypher),
        on_problem=told.append,
    )
    assert answer.rows == [{"claims": len(world.claims)}]
    assert shown == [wrong, json.loads(RIGHT)["cypher"]]
    assert len(told) == 1
    assert problem in told[0]
    assert [message["role"] for message in server.requests[1].body["messages"]] == [
        "system", "user", "assistant", "user"
    ]  # fmt: skip
    assert fenced(server.requests[1].last) == [("problem", told[0])]


def test_two_wrong_queries_are_an_error_that_names_both(world: World) -> None:
    with pytest.raises(GraphEvalError, match=r"First: there is no label Foo.*Then: Claim has no property foo") as error:
        asked(
            world,
            "What?",
            json.dumps({"cypher": "MATCH (n:Foo) RETURN n"}),
            json.dumps({"cypher": "MATCH (c:Claim) RETURN c.foo AS foo"}),
        )
    assert error.value.exit_code == 3


def test_a_question_that_the_graph_cannot_answer_is_said_to_be_one(world: World) -> None:
    answer = {"cypher": "", "parameters": {}, "reason": "It holds no\x1b[31m prices."}
    with pytest.raises(GraphEvalError, match=r"the graph does not hold the answer: It holds no \[31m prices") as error:
        asked(world, "What did it cost?", json.dumps(answer))
    assert error.value.exit_code == 3


# ---- the command ----


@pytest.fixture
def command(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[int, str, str]]:
    """Runs graph-eval query over the store. Returns the exit code and what it prints."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("GRAPH_EVAL_")]:
        monkeypatch.delenv(name)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["query", "--store", world.store, *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_the_command_shows_the_query_and_prints_the_rows(world: World, command: Callable[..., Any]) -> None:
    case = CASES[0]
    with LoopbackServer(behind_server) as server:
        arguments = ("--ask", case.question, "--ask-with", "openai/x", "--api-base", server.url)
        code, out, err = command(*arguments, "--format", "jsonl")
        assert code == 0, err
        assert [json.loads(line)["claim"] for line in out.splitlines()] == [text for [text] in case.rows(world)]
        assert err.splitlines()[:2] == [case.cypher, '  $model = "summariser-a"']
        assert re.fullmatch(r"openai/x: 1 answers, 0 from the cache; .* tokens.*", err.splitlines()[2])
        code, out, err = command(*arguments, "--format", "csv")
        assert out.splitlines()[0] == "claim"
        assert "0 answers, 1 from the cache" in err
        assert len(server.requests) == 1
        assert command(*arguments, "--cache", "off")[0] == 0
        assert len(server.requests) == 2


def test_values_of_the_user_stay_with_the_user(command: Callable[..., Any]) -> None:
    cypher = "MATCH (r:Response {model: $model}) WHERE r.name <> $name RETURN count(r) AS n, $least AS least"
    with LoopbackServer(
        [json.dumps({"cypher": cypher, "parameters": {"model": "of the model", "name": "x"}})]
    ) as server:
        code, out, err = command(
            "--ask", "How many?", "--ask-with", "openai/x", "--api-base", server.url, "--format", "jsonl",
            "-p", "model=summariser-a", "-p", "least=3",
        )  # fmt: skip
        assert code == 0, err
        (row,) = map(json.loads, out.splitlines())
        assert row["n"] > 0
        assert row["least"] == 3
        assert dict(fenced(server.requests[0].text))["parameters"] == "$least\n$model"
        assert "summariser-a" not in server.requests[0].text


def test_the_command_says_what_went_wrong(command: Callable[..., Any]) -> None:
    hostile = json.dumps({"cypher": "MATCH (n)\x1b[2J SET n.x = 1"})
    model = ("--ask", "Delete it", "--ask-with", "openai/x", "--cache", "off", "--retries", "0", "--api-base")
    with LoopbackServer([hostile]) as server:
        code, out, err = command(*model, server.url)
    assert (code, out) == (3, "")
    assert r"MATCH (n)\x1b[2J SET n.x = 1" in err
    assert "\x1b" not in err
    assert "graph-eval: asked again: " in err
    assert "2 answers" in err
    with LoopbackServer([Fault(401, "no such key")]) as server:
        code, out, err = command(*model, server.url)
    assert (code, out) == (3, "")
    with LoopbackServer([Fault(400, "too long")]) as server:
        code, out, err = command(*model, server.url)
    assert (code, out) == (3, "")
    assert "too long" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--ask", "Q", "--ask-with", "openai/x", "counts"), "--ask and a query cannot be combined"),
        (("--ask", "Q", "--ask-with", "openai/x", "--list"), "--ask and --list cannot be combined"),
        (("--ask", "Q", "--ask-with", "openai/x", "--write"), "--ask and --write cannot be combined"),
        (("--ask", "Q"), "--ask needs a language model"),
        (("--ask", " ", "--ask-with", "openai/x"), "the question is empty"),
        (("--ask", "Q", "--ask-with", "openai/x", "-p", "x"), "invalid parameter -p x"),
        (("--ask-with", "openai/x", "counts"), "--ask-with needs --ask"),
        (("--api-base", "http://x", "counts"), "--api-base needs --ask"),
    ],
)
def test_what_cannot_be_combined_is_refused(
    command: Callable[..., Any], arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_an_empty_question_is_an_error_in_python(world: World) -> None:
    with pytest.raises(UsageError, match="the question is empty"):
        asked(world, "\n", RIGHT)
