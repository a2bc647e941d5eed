"""Every graph store keeps the same promises, and gives the answers that plain Python works out."""

import json
import logging
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graph_eval.chunks import chunks
from graph_eval.errors import UsageError
from graph_eval.formats.results import to_json
from graph_eval.graph import library
from graph_eval.graph.embedded import EmbeddedStore
from graph_eval.graph.neo4j import Neo4jStore
from graph_eval.graph.rows import rows
from graph_eval.graph.store import CypherStore
from graph_eval.types import Claim, Correction, Edit, Example, Judgement, Label, Result, Revision, Run, Span, Status
from tests import neo4j_server
from tests.conftest import ROOT, missing
from tests.graphs import NAMES, Oracle, judged_again, made, run

RESPONSES = 1000
KINDS = ["embedded", "neo4j", "newest"]
FIRST, SECOND = run("one"), run("two")
EMPTY = {"Run": 0, "Response": 0, "Passage": 0, "Claim": 0, "Entity": 0}


@pytest.fixture(scope="module", params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CypherStore]:
    """Each kind of store, set up and empty."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "embedded":
        with EmbeddedStore(folder / "kg") as opened:
            opened.setup()
            yield opened
        return
    given = os.environ.get("NEO4J_URI")
    if given and request.param == "neo4j":
        with Neo4jStore(given) as opened:
            opened.setup()
            yield opened
        return
    version = neo4j_server.NEWEST if request.param == "newest" else neo4j_server.VERSION
    try:
        with neo4j_server.running(folder, version) as server, Neo4jStore(server.uri, {}) as opened:
            opened.setup()
            yield opened
    except neo4j_server.MissingError as problem:
        missing("neo4j" if request.param == "neo4j" else "neo4j-newest", str(problem))


@pytest.fixture(autouse=True)
def notifications(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The server's notifications (deprecations, unknown names) fail the test."""
    caplog.set_level(logging.INFO, "neo4j.notifications")
    yield
    assert [record.getMessage() for record in caplog.records if record.name.startswith("neo4j")] == []


@pytest.fixture
def clean(store: CypherStore) -> CypherStore:
    store.query("MATCH (n) DETACH DELETE n", write=True)
    store._begun.clear()
    return store


def load(store: CypherStore, run_: Run, results: list[Result]) -> None:
    for part in chunks(results, 100):
        store.write(run_, part)


def counts(store: CypherStore) -> dict[str, int]:
    return {row["what"]: row["count"] for row in store.query(library.query("counts").text)}


ALL = list(made(RESPONSES))
AGAIN = judged_again(ALL[: RESPONSES // 2], 2)


@pytest.fixture(scope="module")
def loaded(store: CypherStore) -> tuple[CypherStore, Oracle]:
    """A store with two runs, the second over half of the responses, and the oracle of both."""
    store.query("MATCH (n) DETACH DELETE n", write=True)
    load(store, FIRST, ALL)
    load(store, SECOND, AGAIN)
    return store, Oracle([(FIRST, ALL), (SECOND, AGAIN)])


@pytest.fixture(scope="module")
def busiest() -> str:
    """A response whose flagged claims are connected with others."""
    oracle = Oracle([(FIRST, ALL), (SECOND, AGAIN)])
    names = [result.example.id for result in ALL if result.example]
    return max(names[:100], key=lambda name: len(oracle.paths(name, limit=10_000)))


CASES = [
    ("flagged_claims", {}),
    ("flagged_claims", {"limit": 10_000}),
    ("flagged_claims", {"dataset": "set1", "model": "model-2", "limit": 7}),
    ("flagged_claims", {"response": "r20"}),
    ("flag_rate_by_model", {}),
    ("flag_rate_by_model", {"dataset": "set0"}),
    ("entities_by_flags", {"limit": 10_000}),
    ("entities_by_flags", {"named": True, "dataset": "set0"}),
    ("shared_entities", {}),
    ("shared_entities", {"least": 40, "dataset": "set1"}),
    ("contradictions", {"limit": 10_000}),
    ("contradictions", {"dataset": "set2"}),
    ("neighbourhood", {"entity": "Ada Quist"}),
    ("neighbourhood", {"entity": NAMES[4], "dataset": "set0", "limit": 9}),
    ("paths", {"response": "BUSIEST"}),
    ("response_report", {"response": "BUSIEST"}),
    ("response_report", {"response": "no such"}),
    ("score_bands", {}),
    ("score_bands", {"dataset": "set0", "model": "model-1"}),
    ("absent_entities", {"limit": 10_000}),
    ("absent_entities", {"dataset": "set1"}),
    ("corrections", {"limit": 10_000}),
    ("corrections", {"status": "rejected"}),
    ("refutations", {"limit": 10_000}),
    ("refutations", {"dataset": "set0", "relation": "SUPPORTED_BY"}),
    ("disagreement", {"one": FIRST.id, "other": SECOND.id, "limit": 10_000}),
    ("agreement", {"one": FIRST.id, "other": SECOND.id}),
    ("drawing", {}),
    ("drawing", {"response": "BUSIEST", "flagged": True}),
]


@pytest.mark.parametrize(("name", "given"), CASES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(CASES)])
def test_a_named_query_answers_what_plain_python_does(loaded, busiest: str, name: str, given: dict) -> None:
    store, oracle = loaded
    given = {key: busiest if value == "BUSIEST" else value for key, value in given.items()}
    query = library.query(name)
    found = store.query(query.text, query.bind(given))
    wanted = getattr(oracle, name)(**given)
    assert len(found) == len(wanted)
    for row, expected in zip(found, wanted, strict=True):
        assert row == pytest.approx(expected) if name == "flag_rate_by_model" else row == expected
    assert all(tuple(row) == query.returns for row in found)
    assert wanted or given.get("response") == "no such", "the case asks something"


def test_every_named_query_has_a_case() -> None:
    assert {name for name, _ in CASES} | {"counts", "runs"} == set(library.queries())


def test_counts_and_runs(loaded) -> None:
    store, _ = loaded
    found, wanted = counts(store), rows(ALL)
    assert found["Claim"] == len(wanted.claims) == found["STATES"]
    assert found["Response"] == len(wanted.responses) + len(wanted.samples)
    assert found["Entity"] == len(wanted.entities)
    assert found["Passage"] == len(wanted.passages)
    assert found["RELATES"] == found["SUBJECT"] == found["OBJECT"] == len(wanted.triplets)
    assert found["CORRECTED_TO"] == len(wanted.corrections)
    assert found["Run"] == 2
    second, first = store.query(library.query("runs").text)
    assert (second["checker"], first["checker"]) == ("two", "one")
    assert second["claims"] == len(rows(AGAIN).judged)
    assert first["responses"] == len(wanted.responses)
    assert first["flagged"] == sum(row["verdict"]["flagged"] for row in wanted.judged.values())


def test_the_one_line_question(loaded) -> None:
    store, oracle = loaded
    found = store.query("MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN e.claim_id AS claim")
    wanted = [identity for identity in oracle.flagged() if oracle.claim(identity).slots]
    revised = {c.id for r in ALL if r.revision for c in r.revision.result.claims}
    assert sorted(row["claim"] for row in found) == sorted(set(wanted) - revised)


def test_a_run_comes_out_as_it_went_in(loaded) -> None:
    store, _ = loaded
    for run_, results in ((FIRST, ALL), (SECOND, AGAIN)):
        assert [to_json(r) for r in store.results(run_.id)] == [to_json(r) for r in results]
        assert store.run(run_.id) == run_
    assert store.run() == SECOND


def test_loading_again_changes_no_count(loaded) -> None:
    store, _ = loaded
    before = counts(store)
    load(store, FIRST, ALL[:300])
    load(store, SECOND, AGAIN)
    assert counts(store) == before


def test_set_up_again_changes_nothing(loaded) -> None:
    store, _ = loaded
    before = counts(store)
    store.setup()
    assert counts(store) == before


def flags(store: CypherStore) -> dict[str, bool]:
    """The flags that claims of responses show; those on the edges have to be the same."""
    shown = (
        "MATCH (r:Response)-[:STATES]->(c:Claim) WHERE r.origin = 'response' AND c.flagged IS NOT NULL "
        "RETURN c.id AS id, c.flagged AS flagged"
    )
    edges = "MATCH (s)-[e:RELATES]->(o) WHERE e.flagged IS NOT NULL RETURN e.claim_id AS id, e.flagged AS flagged"
    found = {row["id"]: row["flagged"] for row in store.query(shown)}
    for row in store.query(edges):
        assert found[row["id"]] == row["flagged"]
    return found


def expected(*runs: tuple[Run, list[Result]]) -> dict[str, bool]:
    return {identity: judgement.flagged for identity, judgement in Oracle(runs).shown.items()}


def test_three_runs_side_by_side_and_which_one_the_flags_show(clean: CypherStore) -> None:
    some = ALL[:120]
    again = judged_again(some[:80], 5)
    load(clean, FIRST, some)
    load(clean, SECOND, again)
    person = Run("label", {"checker": "human:anna"}, {}, {}, "")
    claims = [f.claim.id for r in some for f in r.findings][:50]
    verdicts = {c: Judgement(c, Label.NEUTRAL, 1.0, flagged=True) for c in claims}
    assert clean.label(person, {**verdicts, "nobody": verdicts[claims[0]]}) >= {"nobody"}
    both = expected((FIRST, some), (SECOND, again))
    assert flags(clean) == both
    assert counts(clean)["Run"] == 3
    (agreed,) = clean.query(library.query("agreement").text, {"one": person.id, "other": FIRST.id})
    assert sum(agreed.values()) == 50
    clean.make_current(FIRST.id)
    assert flags(clean) == expected((SECOND, again), (FIRST, some))
    clean.make_current(person.id)
    shown = flags(clean)
    assert {identity: shown[identity] for identity in claims} == dict.fromkeys(claims, True)
    clean.make_current(SECOND.id)
    assert flags(clean) == both
    clean.delete(run=SECOND.id)
    assert flags(clean) == expected((FIRST, some))
    assert [to_json(r) for r in clean.results(FIRST.id)][:10]
    clean.delete(run=person.id)
    clean.delete(run=FIRST.id)
    assert counts(clean) == {}


def test_deleting_a_response_leaves_the_others_whole(clean: CypherStore) -> None:
    some = ALL[:60]
    load(clean, FIRST, some)
    for result in some[:30]:
        if result.example is not None:
            clean.delete(response=result.example.key)
    left = [result for result in some if result.example is None or result.n >= 30]
    assert flags(clean) == expected((FIRST, left))
    fresh = rows(left)
    found = counts(clean)
    assert found["Claim"] == len(fresh.claims)
    assert found["Entity"] == len(fresh.entities)
    assert found["Passage"] == len(fresh.passages)


def test_a_chunk_is_written_whole_or_not_at_all(clean: CypherStore, monkeypatch: pytest.MonkeyPatch) -> None:
    load(clean, FIRST, ALL[:20])
    before, text = counts(clean), library.text

    def broken(name: str) -> str:
        return "THIS IS NO CYPHER" if name == "write/triplets" else text(name)

    monkeypatch.setattr(library, "text", broken)
    with pytest.raises(UsageError):
        clean.write(FIRST, ALL[20:60])
    monkeypatch.undo()
    assert counts(clean) == before


HOSTILE = [
    "'; MATCH (n) DETACH DELETE n; //",
    '"}) DETACH DELETE n //',
    "`}]->() DETACH DELETE `",
    "<script>alert(1)</script>",
    "\x00\x07\x1b[31m\u202e\u2028",
    "{{ 7*7 }} ${x} %s \\ \\u0027",
    "😀 𝔘nicode Ünïcödé",
    "$rows",
]


def test_hostile_texts_come_back_unchanged_and_harm_nothing(clean: CypherStore) -> None:
    load(clean, FIRST, ALL[:10])
    before = counts(clean)
    from tests.browser.test_injection import loaded as hostile

    results = [hostile(n, text) for n, text in enumerate(HOSTILE)]
    load(clean, SECOND, results)
    back = list(clean.results(SECOND.id))
    assert [r.example for r in back] == [r.example for r in results]
    assert [r.claims for r in back] == [r.claims for r in results]
    for text in HOSTILE:
        (row,) = clean.query("RETURN $text AS text", {"text": text})
        assert row["text"] == text
        query = library.query("response_report")
        assert clean.query(query.text, query.bind({"response": text}))
    clean.delete(run=SECOND.id)
    assert counts(clean) == before


@pytest.mark.parametrize(
    "cypher", ["CREATE (n:X)", "MATCH (n) SET n.x = 1", "MATCH (n) DETACH DELETE n", "MERGE (n:Y)"]
)
def test_a_query_writes_only_if_it_may(clean: CypherStore, cypher: str) -> None:
    load(clean, FIRST, ALL[:5])
    before = counts(clean)
    with pytest.raises(UsageError, match="this query writes"):
        clean.query(cypher)
    assert counts(clean) == before


@pytest.mark.parametrize("cypher", ["MATCH (n RETURN n", "RETURN missing", "MATCH (n) RETURN nofunction(n)"])
def test_a_wrong_query_is_a_usage_error(store: CypherStore, cypher: str) -> None:
    with pytest.raises(UsageError, match="the query is wrong"):
        store.query(cypher)


def test_nodes_and_edges_come_as_plain_values(clean: CypherStore) -> None:
    load(clean, FIRST, ALL[:5])
    (row,) = clean.query("MATCH (s:Entity)-[e:RELATES]->(o:Entity) RETURN s, e, [s, o] AS both LIMIT 1")
    assert row["s"]["labels"] == ["Entity"]
    assert row["e"]["type"] == "RELATES"
    assert row["both"][0] == row["s"]
    json.dumps(row)


def test_a_mere_extraction_comes_out_as_it_went_in(clean: CypherStore) -> None:
    extracted = [replace(r, judgements=(), label=None, p_inconsistent=None, revision=None) for r in ALL[:60]]
    extraction = run("", stage="extract")
    load(clean, extraction, extracted)
    load(clean, FIRST, ALL[:30])
    for _ in range(2):
        assert list(clean.results(extraction.id)) == extracted
        clean.delete(run=FIRST.id)
    clean.delete(run=extraction.id)
    assert counts(clean) == {}


def test_corrections_that_were_all_rejected_are_kept(clean: CypherStore) -> None:
    result = next(r for r in ALL if r.revision)
    rejected = Correction(result.flagged[0].claim.id, (), Status.REJECTED, "no better", 0.9)
    unchanged = replace(result, revision=Revision(result.example.response, (rejected,)))
    clean.write(FIRST, [unchanged])
    assert list(clean.results(FIRST.id)) == [unchanged]
    assert [row["status"] for row in clean.query(library.query("corrections").text, {"status": None, "limit": 9})]


def test_revisions_of_revisions_are_kept_and_go_with_their_run(clean: CypherStore) -> None:
    result = next(r for r in ALL if r.revision)
    inner = result.revision.result
    again = replace(inner.example, response=inner.example.response + " Again.")
    claim = Claim.whole(again.key, "It is mended again.", Span(0, 5))
    last = Result(
        result.n, again, (claim,), (Judgement(claim.id, Label.ENTAILMENT, 0.2, False),), Label.ENTAILMENT, 0.2
    )
    edit = Edit(Span(len(inner.example.response), len(inner.example.response)), "", " Again.")
    second = Revision(again.response, (Correction(inner.claims[0].id, (edit,), Status.APPLIED, None, 0.9, 0.2),), last)
    flagged = replace(inner.judgements[0], label=Label.NEUTRAL, p_inconsistent=0.9, flagged=True)
    inner = replace(inner, judgements=(flagged,), label=Label.NEUTRAL, p_inconsistent=0.9, revision=second)
    nested = replace(result, revision=replace(result.revision, result=inner))
    clean.write(FIRST, [nested])
    assert list(clean.results(FIRST.id)) == [nested]
    clean.delete(run=FIRST.id)
    assert counts(clean) == {}


FILES = sorted((ROOT / "cypher").rglob("*.cypher"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_file_is_planned_without_a_warning(store: CypherStore, path: Path) -> None:
    for statement in library.statements(f"{path.parent.name}/{path.stem}"):
        if not statement.startswith(("CREATE CONSTRAINT", "CREATE INDEX")):
            store.query(f"EXPLAIN {statement}", dict.fromkeys(re.findall(r"\$(\w+)", statement)))


def test_a_record_that_could_not_be_read_is_kept(clean: CypherStore) -> None:
    broken = [result for result in ALL if result.example is None][:1]
    clean.write(FIRST, broken)
    assert list(clean.results(FIRST.id)) == broken


def test_the_example_of_a_claimless_response_is_kept(clean: CypherStore) -> None:
    result = Result(0, Example("x", "d", "Hm.", meta={"a": [1, None]}), label=Label.ABSTAIN)
    clean.write(FIRST, [result])
    assert list(clean.results(FIRST.id)) == [result]
