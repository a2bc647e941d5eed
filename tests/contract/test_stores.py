"""Every graph store keeps the same promises, and gives the answers that plain Python works out."""

import json
import logging
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from graph_eval import GraphEval
from graph_eval.chunks import chunks
from graph_eval.errors import StoreError, UsageError
from graph_eval.formats.results import to_json
from graph_eval.graph import claims, library
from graph_eval.graph import connection as connection_module
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.connection import Connection
from graph_eval.graph.embedded import EmbeddedConnection
from graph_eval.graph.neo4j import Neo4jConnection
from graph_eval.graph.networkx import to_networkx
from graph_eval.graph.rows import MOST_IN_CAPTION, to_rows
from graph_eval.reports.graph_rows import GraphRows, ShownRun
from graph_eval.runs import directory
from graph_eval.runs.resume import write_run
from graph_eval.settings import Settings
from graph_eval.testing.connections import ConnectionContract
from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    Example,
    Judgement,
    Label,
    Passage,
    Result,
    Revision,
    Run,
    Slot,
    Span,
    Status,
)
from tests import neo4j_server
from tests.conftest import ROOT, missing
from tests.graphs import NAMES, Oracle, judged_again, made, run

RESPONSES = 320
KINDS = ["embedded", "neo4j", "newest"]
Connect = Callable[[], Connection]
FIRST, SECOND = run("one"), run("two")
EMPTY = {"Run": 0, "Response": 0, "Passage": 0, "Claim": 0, "Entity": 0}


@pytest.fixture(scope="module", params=KINDS)
def connect(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connect]:
    """Opens connections: to a new folder each time, or to one server of each version."""
    if request.param == "embedded":
        yield lambda: EmbeddedConnection(tmp_path_factory.mktemp("embedded") / "kg")
        return
    uri = os.environ.get("NEO4J_URI")
    if uri and request.param == "neo4j":
        yield lambda: Neo4jConnection(uri)
        return
    version = neo4j_server.NEWEST if request.param == "newest" else neo4j_server.VERSION
    try:
        with neo4j_server.running(tmp_path_factory.mktemp(request.param), version) as server:
            yield lambda: Neo4jConnection(server.uri, {})
    except neo4j_server.MissingError as problem:
        missing("neo4j" if request.param == "neo4j" else "neo4j-newest", str(problem))


@pytest.fixture(scope="module")
def store(connect: Connect) -> Iterator[ClaimGraph]:
    """A claim graph on each database, set up and empty."""
    with ClaimGraph(connect()) as graph:
        graph.setup()
        yield graph


@pytest.fixture(autouse=True)
def notifications(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The server's notifications (deprecations, unknown names) fail the test."""
    caplog.set_level(logging.INFO, "neo4j.notifications")
    yield
    assert [record.getMessage() for record in caplog.records if record.name.startswith("neo4j")] == []


@pytest.fixture
def clean(store: ClaimGraph) -> ClaimGraph:
    store.query("MATCH (n) DETACH DELETE n", write=True)
    return ClaimGraph(store.connection)


def load(store: ClaimGraph, run_: Run, results: list[Result]) -> None:
    for part in chunks(results, 100):
        store.write(run_, part)


class TestConnection(ConnectionContract):
    @pytest.fixture
    def connection(self, connect: Connect) -> Iterator[Connection]:
        opened = connect()
        yield opened
        opened.close()


class AnyDatabase:
    """The driver of the example in graph_eval/graph/connection.py: the embedded database behind other names."""

    class Error(Exception):
        pass

    class QueryError(Error):
        pass

    class ReadOnlyError(Error):
        pass

    def connect(self, address: str) -> "AnyDatabase":
        self._embedded = EmbeddedConnection(address)
        self.close = self._embedded.close
        return self

    @contextmanager
    def transaction(self, read_only: bool) -> Iterator["AnyDatabase"]:
        self._read_only = read_only
        if read_only:
            yield self
            return
        if not self._embedded._database.is_open():
            raise self.Error("it is closed")
        with self._embedded._database.transaction():
            yield self

    def execute(self, cypher: str, params: dict) -> list[dict]:
        try:
            with self._embedded._translated():
                return self._embedded.query(cypher, params) if self._read_only else self._embedded._run(cypher, params)
        except UsageError as problem:
            raise (self.ReadOnlyError if "writes" in str(problem) else self.QueryError)(str(problem)) from None
        except StoreError as problem:
            raise self.Error(str(problem)) from None


class TestExampleOfAConnection(ConnectionContract):
    """The class in the docstring of graph_eval/graph/connection.py keeps the promises."""

    @pytest.fixture
    def connection(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
        monkeypatch.setitem(sys.modules, "anydb", AnyDatabase())
        code, _, _ = textwrap.dedent(connection_module.__doc__.partition("three methods:\n")[2]).partition("\nand pass")
        names: dict = {}
        exec(textwrap.dedent(code), names)  # noqa: S102
        opened = names["AnyConnection"](str(tmp_path / "any"))
        yield opened
        opened.close()


ALL = list(made(RESPONSES, each=150))
AGAIN = judged_again(ALL[: RESPONSES // 2], 2)


@pytest.fixture(scope="module")
def loaded(store: ClaimGraph) -> tuple[ClaimGraph, Oracle]:
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
    ("flagged_claims", {"response": "ID OF BUSIEST"}),
    ("flag_rate_by_model", {}),
    ("flag_rate_by_model", {"dataset": "set0"}),
    ("entities_by_flags", {"limit": 10_000}),
    ("entities_by_flags", {"named": True, "dataset": "set0"}),
    ("shared_entities", {}),
    ("shared_entities", {"least": 12, "dataset": "set1"}),
    ("contradictions", {"limit": 10_000}),
    ("contradictions", {"dataset": "set2"}),
    ("neighbourhood", {"entity": "Ada Quist"}),
    ("neighbourhood", {"entity": NAMES[4], "dataset": "set0", "limit": 9}),
    ("paths", {"response": "BUSIEST"}),
    ("paths", {"response": "ID OF BUSIEST"}),
    ("response_report", {"response": "BUSIEST"}),
    ("response_report", {"response": "ID OF BUSIEST"}),
    ("response_report", {"response": "FAILED"}),
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
    ("search", {"text": "quist", "limit": 10_000}),
    ("search", {"text": "Ada OPENED", "dataset": "set0"}),
    ("search", {"text": "tower 🗼"}),
    ("drawing", {}),
    ("drawing", {"response": "BUSIEST", "flagged": True}),
    ("drawing", {"response": "ID OF BUSIEST"}),
]


@pytest.mark.parametrize(("name", "given"), CASES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(CASES)])
def test_a_named_query_answers_what_plain_python_does(loaded, busiest: str, name: str, given: dict) -> None:
    store, oracle = loaded
    meant = {
        "BUSIEST": busiest,
        "ID OF BUSIEST": next(r.example.key for r in ALL if r.example and r.example.id == busiest),
    }
    meant["FAILED"] = next(r.example.id for r in ALL if r.example and r.claims and not r.judgements)
    given = {key: meant.get(value, value) for key, value in given.items()}
    query = library.query(name)
    found = store.query(query.text, query.bind(given))
    assert store.named(name, given) == found
    wanted = getattr(oracle, name)(**given)
    assert len(found) == len(wanted)
    for row, expected in zip(found, wanted, strict=True):
        assert row == pytest.approx(expected) if name == "flag_rate_by_model" else row == expected
    assert all(tuple(row) == query.returns for row in found)
    assert wanted or given.get("response") == "no such", "the case asks something"


def test_every_named_query_has_a_case() -> None:
    of_samples = {"unsupported_by_samples", "disputed_entities", "samples_say"}  # tested with compared responses below
    assert {name for name, _ in CASES} | {"counts", "runs", "searches"} | of_samples == set(library.queries())


def test_counts_and_runs(loaded) -> None:
    store, _ = loaded
    found, wanted = store.counts(), to_rows(ALL)
    assert found["Claim"] == len(wanted.claims) == found["STATES"]
    assert found["Response"] == len(wanted.responses) + len(wanted.samples)
    assert found["Entity"] == len(wanted.entities)
    assert found["Passage"] == len(wanted.passages)
    assert found["RELATES"] == found["SUBJECT"] == found["OBJECT"] == len(wanted.relations)
    assert found.get("MENTIONS", 0) == len(wanted.mentions) > 0
    assert found["CORRECTED_TO"] == len(wanted.corrections)
    assert found["Run"] == 2
    second, first = store.query(library.query("runs").text)
    assert (second["checker"], first["checker"]) == ("two", "one")
    assert second["claims"] == sum(len(result.claims) for result in AGAIN if result.example)
    read = [result for result in ALL if result.example is not None]
    assert first["responses"] == len(read)
    assert first["flagged"] == sum(len(result.flagged) for result in read)


def test_the_one_line_question(loaded) -> None:
    store, oracle = loaded
    found = store.query("MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN e.claim_id AS claim, e.run_id AS run, s, o")
    assert sorted(row["claim"] for row in found) == sorted(oracle.flagged())
    assert any(oracle.claim(row["claim"]).kind == "sentence" for row in found)
    assert all(node["name"] for row in found for node in (row["s"], row["o"]))
    second, _ = store.query(library.query("runs").text)
    assert second["flagged"] == sum(row["run"] == SECOND.id for row in found)


def test_every_node_has_a_short_name(loaded) -> None:
    store, _ = loaded
    names = [row["name"] for row in store.query("MATCH (e:Entity) RETURN e.name AS name")]
    assert all(names)
    assert max(len(name.split()) for name in names) <= MOST_IN_CAPTION + 1


def test_edges_of_revisions_and_passages_show_no_verdict(loaded) -> None:
    store, _ = loaded
    found = store.query(
        "MATCH ()-[e:RELATES]->() RETURN e.origin AS origin, count(e.flagged) AS flags, count(*) AS edges"
    )
    flags = {row["origin"]: (row["flags"] > 0, row["edges"] > 0) for row in found}
    assert flags == {"response": (True, True), "revision": (False, True), "passage": (False, True)}


def test_a_run_comes_out_as_it_went_in(loaded) -> None:
    store, _ = loaded
    for run_, results in ((FIRST, ALL), (SECOND, AGAIN)):
        assert [to_json(r) for r in store.results(run_.id)] == [to_json(r) for r in results]
        assert store.run(run_.id) == run_
    assert store.run() == SECOND


def test_loading_again_changes_no_count(loaded) -> None:
    store, _ = loaded
    before = store.counts()
    load(store, FIRST, ALL[:300])
    load(store, SECOND, AGAIN)
    assert store.counts() == before


def test_set_up_again_changes_nothing(loaded) -> None:
    store, _ = loaded
    before = store.counts()
    store.setup()
    assert store.counts() == before


def flags(store: ClaimGraph) -> dict[str, bool]:
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


def test_names_meet_within_a_dataset_or_only_within_a_response(clean: ClaimGraph) -> None:
    shared = "MATCH (e:Entity {key: 'ada quist'}) RETURN count(e) AS nodes"
    load(ClaimGraph(clean.connection, "response"), FIRST, ALL[:60])
    (apart,) = clean.query(shared)
    assert [to_json(r) for r in clean.results(FIRST.id)] == [to_json(r) for r in ALL[:60]]
    clean.query("MATCH (n) DETACH DELETE n", write=True)
    load(ClaimGraph(clean.connection), FIRST, ALL[:60])
    (together,) = clean.query(shared)
    assert together["nodes"] < apart["nodes"] / 3


def test_another_context_makes_another_record(clean: ClaimGraph) -> None:
    first = next(result for result in ALL if result.flagged and result.example.passages)
    other = replace(first.example, passages=(Passage.of("Another context.", "elsewhere"),))
    claims_ = [Claim.whole(other.key, other.response, Span(0, 5))]
    second = Result(0, other, tuple(claims_), (Judgement(claims_[0].id, Label.NEUTRAL, 0.9, flagged=True),))
    clean.write(FIRST, [replace(first, n=0)])
    clean.write(SECOND, [second])
    rows = clean.query("MATCH (r:Response {origin: 'response'}) RETURN COUNT { (r)-[:HAS_CONTEXT]->() } AS passages")
    assert sorted(row["passages"] for row in rows) == sorted([1, len(first.example.passages)])
    assert list(clean.results(FIRST.id)) == [replace(first, n=0)]
    assert list(clean.results(SECOND.id)) == [second]


def test_what_differs_between_runs_is_kept_for_each(clean: ClaimGraph) -> None:
    """Sources, samples, other fields, the order of the claims and their confidence."""
    result = next(r for r in ALL if len(r.claims) > 2 and r.judgements and r.example.passages and not r.revision)
    changed = [replace(claim, confidence=0.25) for claim in reversed(result.claims)]
    passages = tuple(replace(passage, source="moved") for passage in result.example.passages)
    example = replace(result.example, passages=passages, samples=("Only in the second.",), meta={"model": {"cost": 2}})
    again = replace(result, example=example, claims=tuple(changed), judgements=result.judgements[::-1])
    load(clean, FIRST, [result])
    load(clean, SECOND, [again])
    assert list(clean.results(FIRST.id)) == [result]
    assert list(clean.results(SECOND.id)) == [again]
    (row,) = clean.query("MATCH (r:Response {origin: 'response'})-[h:HAS_CONTEXT {position: 0}]->() RETURN r, h")
    assert (row["r"]["meta_model_cost"], row["h"]["source"]) == (2, "moved")
    shown = "MATCH (c:Claim {id: $id}) RETURN c.place AS place, c.confidence AS confidence"
    first = result.claims[0]
    assert clean.query(shown, {"id": first.id}) == [{"place": len(changed) - 1, "confidence": 0.25}]
    clean.make_current(FIRST.id)
    assert clean.query(shown, {"id": first.id}) == [{"place": 0, "confidence": first.confidence}]


RECORD = """
MATCH (r:Response {origin: 'response'})
OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->()
WITH r, h ORDER BY h.position
RETURN r.meta_temperature AS temperature, r.meta_judge AS judge, r.meta_seen AS seen, collect(h.source) AS sources
"""


def test_a_response_shows_the_record_of_the_current_run(clean: ClaimGraph) -> None:
    """Sources and other fields, after each load, change of the current run and deletion."""
    result = next(r for r in ALL if r.judgements and len(r.example.passages) == 2 and not r.revision)

    def of(sources: tuple[str | None, ...], **meta: object) -> Result:
        passages = tuple(replace(p, source=s) for p, s in zip(result.example.passages, sources, strict=True))
        return replace(result, example=replace(result.example, passages=passages, meta=meta))

    first, second, third = of(("a.txt", "b.txt"), temperature=0.2), of(("z.txt", None), judge="x"), of((None, None))
    extraction = run("", stage="extract")
    wanted = {
        FIRST.id: {"temperature": 0.2, "judge": None, "seen": None, "sources": ["a.txt", "b.txt"]},
        SECOND.id: {"temperature": None, "judge": "x", "seen": None, "sources": ["z.txt"]},
        extraction.id: {"temperature": None, "judge": None, "seen": None, "sources": []},
    }
    load(clean, FIRST, [first])
    assert clean.query(RECORD) == [wanted[FIRST.id]]
    load(clean, SECOND, [second])
    assert clean.query(RECORD) == [wanted[SECOND.id]]
    load(clean, extraction, [replace(third, judgements=(), label=None, p_inconsistent=None)])
    assert clean.query(RECORD) == [wanted[extraction.id]]
    assert flags(clean) == expected((SECOND, [second])), "an extraction has no verdicts to show"
    for current in (FIRST.id, extraction.id, SECOND.id, FIRST.id):
        clean.make_current(current)
        assert clean.query(RECORD) == [wanted[current]]
    person = Run("label", {"checker": "human:anna"}, {}, {}, "")
    clean.label(person, {result.claims[0].id: Judgement(result.claims[0].id, Label.NEUTRAL, 1.0, flagged=True)})
    clean.make_current(person.id)
    assert clean.query(RECORD) == [wanted[FIRST.id]]
    clean.delete(run=person.id)
    clean.delete(run=FIRST.id)
    assert clean.query(RECORD) == [wanted[SECOND.id]]
    assert flags(clean) == expected((SECOND, [second]))
    clean.delete(run=SECOND.id)
    assert clean.query(RECORD) == [wanted[extraction.id]]
    assert flags(clean) == {}
    assert next(iter(clean.results(extraction.id))).example == third.example


def test_claims_of_an_extraction_have_a_place(clean: ClaimGraph) -> None:
    """The report lists them without a verdict, and `runs` counts them."""
    extracted = [replace(r, judgements=(), label=None, p_inconsistent=None, revision=None) for r in ALL[:40]]
    extraction = run("", stage="extract")
    load(clean, extraction, extracted)
    result = max(extracted, key=lambda r: len(r.claims))
    report = clean.named("response_report", {"response": result.example.id})
    assert [(row["place"], row["claim"]) for row in report] == [(n, c.text) for n, c in enumerate(result.claims)]
    assert {row["label"] for row in report} == {None}
    shown = clean.query("MATCH (c:Claim) WHERE c.origin = 'response' RETURN c.id AS id, c.confidence AS confidence")
    assert {row["id"]: row["confidence"] for row in shown} == {c.id: c.confidence for r in extracted for c in r.claims}
    (counted,) = clean.named("runs", {})
    assert (counted["claims"], counted["flagged"]) == (len(shown), 0)
    # Another extractor found one claim only: the others have no place in its run.
    other = replace(result, claims=result.claims[1:2])
    load(clean, SECOND, [other])
    report = clean.named("response_report", {"response": result.example.key})
    assert [(row["place"], row["claim"]) for row in report] == [(0, result.claims[1].text)]
    clean.delete(run=SECOND.id)
    assert len(clean.named("response_report", {"response": result.example.key})) == len(result.claims)


def test_an_entity_is_looked_up_as_those_of_claims_are(clean: ClaimGraph) -> None:
    load(clean, FIRST, ALL[:60])
    wanted = clean.named("neighbourhood", {"entity": "ada quist"})
    assert wanted
    for text in ("Ada Quist", "the ADA QUIST", "Ada Quist's", "Quist", "quist", "Mrs Quist", "striker Ada Quist"):
        assert clean.named("neighbourhood", {"entity": text}) == wanted
        assert clean.named("neighbourhood", {"entity": text, "dataset": "no such"}) == []
    assert clean.named("neighbourhood", {"entity": "quis"}) == clean.named("neighbourhood", {"entity": ""}) == []
    assert clean.named("neighbourhood", {"entity": "the old mill"})
    claim = Claim.triplet("x", (Slot("Bo Quist"), Slot("met"), Slot("Orsa")), "Bo Quist met Orsa.", Span(0, 3))
    load(clean, SECOND, [Result(0, Example("x", "set0", "Yesterday Bo Quist met Orsa."), (claim,))])
    with pytest.raises(UsageError, match=r"entity 'quist' can mean Ada Quist, Bo Quist"):
        clean.named("neighbourhood", {"entity": "quist"})


def test_two_records_of_one_id_are_told_apart(clean: ClaimGraph) -> None:
    first = next(r for r in ALL if r.flagged and r.example.passages and not r.revision)
    example = replace(first.example, passages=(Passage.of("Another context.", "elsewhere"),))
    claim = Claim.whole(example.key, example.response, Span(0, 5))
    load(clean, FIRST, [first, Result(9, example, (claim,), (Judgement(claim.id, Label.NEUTRAL, 0.9, flagged=True),))])
    for name in ("response_report", "flagged_claims"):
        both = clean.named(name, {"response": example.id})
        assert {row["response_id"] for row in both} == {first.example.key, example.key}
        (row,) = clean.named(name, {"response": example.key})
        assert row == next(row for row in both if row["response_id"] == example.key)
    report = clean.named("response_report", {"response": example.id})
    assert report == sorted(report, key=lambda row: (row["response_id"], row["place"]))


def test_runs_know_when_they_were_made_and_loaded(clean: ClaimGraph, tmp_path: Path) -> None:
    write_run(tmp_path / "RUN", FIRST, ALL[:10], 32)
    text = (tmp_path / "RUN" / "run.json").read_text()
    load(clean, FIRST, ALL[:10])
    clean.keep_manifest(FIRST.id, text)
    (row,) = clean.query("MATCH (run:Run) RETURN run.created_at AS created, run.loaded_at AS loaded")
    assert row["created"] == json.loads(text)["created_at"] <= row["loaded"]
    write_run(tmp_path / "OUT", FIRST, clean.results(FIRST.id), 32, clean.manifest(FIRST.id))
    for name in ("run.json", "results.jsonl"):
        assert (tmp_path / "OUT" / name).read_bytes() == (tmp_path / "RUN" / name).read_bytes()


def test_three_runs_side_by_side_and_which_one_the_flags_show(clean: ClaimGraph) -> None:
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
    assert clean.counts()["Run"] == 3
    (agreed,) = clean.query(library.query("agreement").text, {"one": person.id, "other": FIRST.id})
    assert sum(agreed.values()) == 50
    assert [(row["label"], row["flagged"]) for row in clean.labels(person.id)] == [("Neutral", True)] * 50
    assert {row["claim"]: (row["response"], row["label"], row["flagged"]) for row in clean.labels(FIRST.id)} == {
        f.claim.id: (f.claim.text_id, f.judgement.label, f.judgement.flagged) for r in some for f in r.findings
    }
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
    assert clean.counts() == {}


def test_deleting_a_response_leaves_the_others_whole(clean: ClaimGraph) -> None:
    some = ALL[:60]
    load(clean, FIRST, some)
    for result in some[:30]:
        if result.example is not None:
            clean.delete(response=result.example.key)
    left = [result for result in some if result.example is None or result.n >= 30]
    assert flags(clean) == expected((FIRST, left))
    fresh = to_rows(left)
    found = clean.counts()
    assert found["Claim"] == len(fresh.claims)
    assert found["Entity"] == len(fresh.entities)
    assert found["Passage"] == len(fresh.passages)


def test_a_chunk_is_written_whole_or_not_at_all(clean: ClaimGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    load(clean, FIRST, ALL[:20])
    before, text = clean.counts(), library.text

    def broken(name: str) -> str:
        return "THIS IS NO CYPHER" if name == "write/relations" else text(name)

    monkeypatch.setattr(library, "text", broken)
    with pytest.raises(UsageError):
        clean.write(FIRST, ALL[20:60])
    monkeypatch.undo()
    assert clean.counts() == before


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


def test_hostile_texts_come_back_unchanged_and_harm_nothing(clean: ClaimGraph) -> None:
    load(clean, FIRST, ALL[:10])
    before = clean.counts()
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
    assert clean.counts() == before


@pytest.mark.parametrize(
    "cypher", ["CREATE (n:X)", "MATCH (n) SET n.x = 1", "MATCH (n) DETACH DELETE n", "MERGE (n:Y)"]
)
def test_a_query_writes_only_if_it_may(clean: ClaimGraph, cypher: str) -> None:
    load(clean, FIRST, ALL[:5])
    before = clean.counts()
    with pytest.raises(UsageError, match="this query writes"):
        clean.query(cypher)
    assert clean.counts() == before


@pytest.mark.parametrize(
    ("cypher", "name"),
    [
        ("LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", "LOAD CSV"),
        ("MATCH (n) /* x */ load  // y\n csv WITH HEADERS FROM $file AS line RETURN line", "LOAD CSV"),
        ("CALL apoc.load.json('file:///etc/passwd')", "apoc.load.json"),
        ("CALL `apoc`.`load`.json($file) YIELD value RETURN value", "apoc.load.json"),
        ("MATCH (n) CALL { LOAD CSV FROM $file AS line RETURN line } RETURN line", "LOAD CSV"),
        ("WITH 1 AS `x'` LOAD CSV FROM $file AS line WITH line, 2 AS `y'` RETURN line", "LOAD CSV"),
        ("LO\\u0041D CSV FROM $file AS line RETURN line", "LOAD CSV"),
        ("RETURN '\\u0027 UNION LOAD CSV FROM $file AS line RETURN line //'", "LOAD CSV"),
        ("OPTIONAL CALL dbms.listConfig() YIELD name RETURN name", "dbms.listConfig"),
        ("CALL`db`.`clearQueryCaches`()", "db.clearQueryCaches"),
        ("MATCH (n)CALL/**/`apoc`.`cypher`.run($file, {}) YIELD value RETURN value", "apoc.cypher.run"),
        ("RETURN 1 AS a // x\r UNION LOAD CSV FROM $file AS line RETURN line AS a", "LOAD CSV"),
        ("RETURN apoc.cypher.runFirstColumnMany($file, {}) AS x", "apoc.cypher.runFirstColumnMany"),
        (
            "RETURN apoc . `cypher` /* y */ . // z\n runFirstColumnSingle\t($file, {}) AS x",
            "apoc.cypher.runFirstColumnSingle",
        ),
        ("RETURN ap\\u006fc.cypher.runFirstColumnMany($file, {}) AS x", "apoc.cypher.runFirstColumnMany"),
        ("RETURN [x IN [1] | `apoc`.xml.parse($file)] AS x", "apoc.xml.parse"),
        ("RETURN apoc.coll.sort([apoc.load.json($file)]) AS x", "apoc.load.json"),
        ("MATCH (n) WHERE n.x = genai.vector.encode($file, 'OpenAI') RETURN n", "genai.vector.encode"),
        ("MATCH (n) RETURN größe.länge($file) AS x", "größe.länge"),
        ("RETURN `apoc.load.json` ($file) AS x", "apoc.load.json"),
    ],
)
def test_a_query_reaches_beyond_the_graph_only_if_it_may(clean: ClaimGraph, cypher: str, name: str) -> None:
    with pytest.raises(UsageError, match=f"uses {name}, which can reach beyond the graph") as caught:
        clean.query(cypher, {"file": "file:///etc/passwd"})
    assert "--write" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "cypher",
    [
        "CALL db.labels() YIELD label RETURN label",
        "CALL { MATCH (n) RETURN count(n) AS c } RETURN c",
        "MATCH (n) CALL (n) { RETURN 1 AS one } RETURN count(one) AS c",
        "RETURN 'LOAD CSV' AS text // CALL apoc.load.json",
        "EXPLAIN MATCH (n) RETURN n",
        "RETURN date.truncate('day', datetime()) AS d, Point.distance(point({x: 0, y: 0}), point({x: 1, y: 0})) AS m",
        "MATCH (n) WHERE n.flagged AND(n.p_inconsistent > 0.5) RETURN [n.id, n['apoc.load.json(']][0..size(n.id)] AS x",
    ],
)
def test_other_queries_may_be_asked(clean: ClaimGraph, cypher: str) -> None:
    json.dumps(clean.query(cypher))


@pytest.mark.parametrize(
    "cypher", ["EXPLAIN CREATE (n:X)", "PROFILE CREATE (n:X)", "explain // x\n match (n) set n.x = 1"]
)
def test_a_plan_of_a_write_is_a_write(clean: ClaimGraph, cypher: str) -> None:
    with pytest.raises(UsageError, match="this query writes"):
        clean.query(cypher)
    assert clean.query("MATCH (n:X) RETURN count(n) AS c") == [{"c": 0}]


@pytest.mark.parametrize("cypher", ["MATCH (n RETURN n", "RETURN missing", "MATCH (n) RETURN nofunction(n)"])
def test_a_wrong_query_is_a_usage_error(store: ClaimGraph, cypher: str) -> None:
    with pytest.raises(UsageError, match="invalid query"):
        store.query(cypher)


@pytest.mark.parametrize(
    ("cypher", "reason"),
    [
        ("UNWIND [true] AS x RETURN sum(x) AS n", "Boolean"),
        ("UNWIND [1] AS x RETURN x / 0 AS n", "/ by zero"),
        ("RETURN 9223372036854775807 + 1 AS n", "long overflow"),
        ("WITH [1] AS x RETURN x.name AS n", "List"),
        ("RETURN date('nope') AS n", "date"),
        ("CALL db.index.fulltext.queryNodes('no such', 'a') YIELD node RETURN node", "no such"),
        ("CALL db.schema.nosuch()", "procedure"),
        ("RETURN apoc.text.nosuch(1) AS n", "function"),
    ],
)
def test_a_mistake_in_a_query_is_no_fault_of_the_store(store: ClaimGraph, cypher: str, reason: str) -> None:
    for write in (False, True):
        with pytest.raises(UsageError, match="invalid query") as caught:
            store.query(cypher, write=write)
        assert reason.lower() in caught.value.message.lower()
    assert store.query("RETURN 1 AS one") == [{"one": 1}]


def test_dates_and_durations_come_as_text(store: ClaimGraph) -> None:
    (row,) = store.query("RETURN date('2024-01-02') AS day, [duration({days: 2})] AS times")
    assert row == {"day": "2024-01-02", "times": ["P2D"]}


def test_nodes_and_edges_come_as_plain_values(clean: ClaimGraph) -> None:
    load(clean, FIRST, ALL[:5])
    (row,) = clean.query("MATCH (s:Entity)-[e:RELATES]->(o:Entity) RETURN s, e, [s, o] AS both LIMIT 1")
    assert row["s"]["labels"] == ["Entity"]
    assert row["e"]["type"] == "RELATES"
    assert row["both"][0] == row["s"]
    json.dumps(row)


def test_a_mere_extraction_comes_out_as_it_went_in(clean: ClaimGraph) -> None:
    extracted = [replace(r, judgements=(), label=None, p_inconsistent=None, revision=None) for r in ALL[:60]]
    extraction = run("", stage="extract")
    load(clean, extraction, extracted)
    load(clean, FIRST, ALL[:30])
    for _ in range(2):
        assert list(clean.results(extraction.id)) == extracted
        clean.delete(run=FIRST.id)
    clean.delete(run=extraction.id)
    assert clean.counts() == {}


def test_corrections_that_were_all_rejected_are_kept(clean: ClaimGraph) -> None:
    result = next(r for r in ALL if r.revision)
    rejected = Correction(result.flagged[0].claim.id, (), Status.REJECTED, "no better", 0.9)
    unchanged = replace(result, revision=Revision(result.example.response, (rejected,)))
    clean.write(FIRST, [unchanged])
    assert list(clean.results(FIRST.id)) == [unchanged]
    assert [row["status"] for row in clean.query(library.query("corrections").text, {"status": None, "limit": 9})]


def test_revisions_of_revisions_are_kept_and_go_with_their_run(clean: ClaimGraph) -> None:
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
    assert clean.counts() == {}


FILES = sorted((ROOT / "cypher").rglob("*.cypher"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_file_is_planned_without_a_warning(store: ClaimGraph, path: Path) -> None:
    if path.parent.name == "full_text" and not store.connection.full_text:
        pytest.skip("the store has no full-text indexes")
    for statement in library.statements(f"{path.parent.name}/{path.stem}"):
        if not statement.startswith(("CREATE CONSTRAINT", "CREATE INDEX", "CREATE FULLTEXT")):
            parameters = dict.fromkeys(re.findall(r"\$(\w+)", statement))
            store.query(f"EXPLAIN {statement}", parameters, write=True)


def test_a_record_that_could_not_be_read_is_kept(clean: ClaimGraph) -> None:
    broken = [result for result in ALL if result.example is None][:1]
    clean.write(FIRST, broken)
    assert list(clean.results(FIRST.id)) == broken


def test_the_example_of_a_claimless_response_is_kept(clean: ClaimGraph) -> None:
    result = Result(0, Example("x", "d", "Hm.", meta={"a": [1, None]}), label=Label.ABSTAIN)
    clean.write(FIRST, [result])
    assert list(clean.results(FIRST.id)) == [result]


PRODUCED = "MATCH (:Run)-[x:PRODUCED]->(r:Response) RETURN r.origin AS origin, x.fields AS fields, keys(x) AS names"


def test_fields_of_a_stage_of_ones_own_are_kept_where_there_are_some(clean: ClaimGraph, tmp_path: Path) -> None:
    values = {"score": 0.1, "tags": ["a", None, True], "nested": {"b": {}, "a": "Ünï 'cödé' \n"}, "empty": {}, "n": 0}
    corrected = next(r for r in ALL if r.revision)
    inner = replace(corrected.revision.result, fields={"round": 1})
    results = [
        replace(ALL[1], n=0, fields=values),
        replace(corrected, n=1, fields={"ü": []}, revision=replace(corrected.revision, result=inner)),
        replace(next(r for r in ALL if r.example is None), n=2, fields={"tries": 3}),
        replace(ALL[2], n=3),
    ]
    clean.write(FIRST, results)
    assert [to_json(r) for r in clean.results(FIRST.id)] == [to_json(r) for r in results]
    rows = clean.query(PRODUCED)
    texts = {row["fields"] for row in rows}
    assert texts == {*(json.dumps(r.fields, ensure_ascii=False, separators=(",", ":")) for r in results[:3]),
                     '{"round":1}', None}  # fmt: skip
    assert all(("fields" in row["names"]) is (row["fields"] is not None) for row in rows)
    write_run(tmp_path / "RUN", FIRST, clean.results(FIRST.id), 32)
    assert list(directory.read_results(tmp_path / "RUN")) == results


def test_a_graph_of_an_earlier_version_has_no_fields(clean: ClaimGraph) -> None:
    clean.write(FIRST, ALL[:10])
    clean.query("MATCH (:Run)-[x:PRODUCED]->(:Response) REMOVE x.fields", write=True)
    assert list(clean.results(FIRST.id)) == ALL[:10]


@cache
def compared() -> tuple[Result, ...]:
    """Two responses, compared with their samples by the builtin parts."""
    ge = GraphEval(method="graph")
    samples = (
        "Curie was born in Warsaw in 1867. She won two Nobel Prizes.",
        "Curie was born in Paris. Curie won two Nobel Prizes.",
        "",
        "Curie was born in Warsaw. She studied in Paris.",
    )
    responses = {"a": "Curie was born in Warsaw. She won three Nobel Prizes.", "b": "Curie sang in a choir in Gdynia."}
    examples = [Example(name, "d", text, question="Who?", samples=samples) for name, text in responses.items()]
    results = [Result(n, example) for n, example in enumerate(examples)]
    return tuple(ge.selfcheck_plan().run(results))


def test_consistency_over_samples_is_in_the_graph_and_comes_out_as_it_went_in(clean: ClaimGraph) -> None:
    results = compared()
    assert [result.error for result in results] == [None, None]
    clean.write(FIRST, results)
    clean.write(FIRST, results)
    assert [to_json(result) for result in clean.results(FIRST.id)] == [to_json(result) for result in results]
    values = [claim for result in results for claim in result.fields["consistency"]["claims"]]
    counts = clean.counts()
    assert counts["COMPARED"] == len(values)
    links = [link for claim in values for link in claim["links"]]
    for relation in ("SUPPORTED_BY", "REFUTED_BY"):
        assert counts[relation] == sum(link["relation"] == relation for link in links) > 0
    assert counts["SAMPLED_AS"] == 8
    edges = clean.query(
        "MATCH (c:Claim)-[x:SUPPORTED_BY|REFUTED_BY]->(d:Claim)<-[:STATES]-(s:Response {origin: 'sample'}) "
        "RETURN c.id AS id, type(x) AS relation, x.sample AS sample, x.count AS count, x.samples AS samples, "
        "d.text AS text, s.text AS sample_text"
    )
    by_id = {claim["id"]: claim for claim in values}
    assert len(edges) == len(links)
    for row in edges:
        claim = by_id[row["id"]]
        assert row["samples"] == claim["samples"] == 3
        assert row["count"] == claim["supported" if row["relation"] == "SUPPORTED_BY" else "contradicted"]
        assert row["sample_text"] == results[0].example.samples[row["sample"]]
        assert {"sample": row["sample"], "relation": row["relation"], "text": row["text"]}.items() <= next(
            link.items() for link in claim["links"] if link["sample"] == row["sample"]
        )
    assert clean.query("MATCH ()-[e:RELATES {flagged: true}]->() RETURN e.claim_id AS id") == []  # nothing was judged


def test_queries_about_samples_answer_what_the_results_say(clean: ClaimGraph) -> None:
    results = compared()
    clean.write(FIRST, results)
    values = {claim["id"]: claim for result in results for claim in result.fields["consistency"]["claims"]}
    claims = {claim.id: (result.example.id, claim) for result in results for claim in result.claims}
    found = clean.named("unsupported_by_samples", {})
    wanted = sorted((identity for identity, value in values.items() if value["supported"] == 0),
                    key=lambda identity: (-values[identity]["score"], identity))  # fmt: skip
    assert [(row["response"], row["claim"], row["score"]) for row in found] == [
        (claims[identity][0], claims[identity][1].text, values[identity]["score"]) for identity in wanted
    ]
    assert wanted
    said = clean.named("samples_say", {"response": "a", "relation": None})
    expected_said = {
        (claims[identity][1].text, link["relation"], link["sample"], link["text"])
        for identity, value in values.items() for link in value["links"] if claims[identity][0] == "a"
    }  # fmt: skip
    assert {(row["claim"], row["relation"], row["sample"], row["said"]) for row in said} == expected_said
    assert all(row["relation"] == "REFUTED_BY" for row in clean.named("samples_say", {}))
    disputed = {row["entity"] for row in clean.named("disputed_entities", {})}
    assert "Warsaw" in disputed  # two samples say so, one names Paris
    assert not any("Gdynia" in entity for entity in disputed)


def test_what_samples_say_is_that_of_the_last_run(clean: ClaimGraph) -> None:
    """The same responses compared twice, the second time with other answers of the samples."""
    results = compared()
    clean.write(FIRST, results)
    first = results[0].fields["consistency"]
    claims = [
        claim
        | {
            "links": [
                link | {"text": "Curie sang.", "slots": [], "relation": "REFUTED_BY"} for link in claim["links"][:1]
            ]
        }
        for claim in first["claims"]
    ]
    again = replace(results[0], fields=results[0].fields | {"consistency": first | {"claims": claims}})
    clean.write(SECOND, [again, *results[1:]])
    said = clean.named("samples_say", {"response": "a", "relation": None})
    assert {row["said"] for row in said} == {"Curie sang."}


def test_a_claim_that_no_sample_could_be_compared_with_is_not_called_unsupported(clean: ClaimGraph) -> None:
    first, second = compared()
    failed, *others = first.fields["consistency"]["claims"]
    message = "selfcheck: 3 of 3 samples could not be compared: too long"
    failed = failed | {"score": None, "flagged": False, "supported": 0, "contradicted": 0, "samples": 0}
    failed |= {"links": [], "error": message}
    value = first.fields["consistency"] | {"claims": [failed, *others]}
    first = replace(first, fields=first.fields | {"consistency": value})
    clean.write(FIRST, [first, second])
    assert [to_json(result) for result in clean.results(FIRST.id)] == [to_json(first), to_json(second)]
    (lost,) = (claim.text for claim in first.claims if claim.id == failed["id"])
    assert lost not in [row["claim"] for row in clean.named("unsupported_by_samples", {})]
    graph = to_networkx([first, second])
    shares = {claim: edge.get("support") for _, _, claim, edge in graph.edges(keys=True, data=True)}
    assert shares[failed["id"]] is None
    assert any(share is not None for share in shares.values())
    drawing = GraphRows([ShownRun("a", [first])])
    (shown,) = (row for row in [*drawing.nodes, *drawing.edges] if row.get("text") == lost)
    assert "samples" not in shown


def test_a_deleted_run_takes_what_its_samples_say_along(clean: ClaimGraph) -> None:
    results = compared()
    plain = [replace(result, fields={}) for result in results]
    clean.write(SECOND, plain)
    before = clean.counts()
    clean.write(FIRST, results)
    assert clean.counts()["Claim"] > before["Claim"]
    clean.delete(run=FIRST.id)
    assert clean.counts() == before
    clean.delete(run=SECOND.id)
    assert {name: clean.counts().get(name, 0) for name in EMPTY} == EMPTY


def test_a_field_of_another_stage_named_consistency_is_kept_and_not_read(clean: ClaimGraph) -> None:
    results = [
        replace(ALL[1], n=0, fields={"consistency": 0.5}),
        replace(ALL[2], n=1, fields={"consistency": {"a": 1}}),
    ]
    clean.write(FIRST, results)
    assert [to_json(result) for result in clean.results(FIRST.id)] == [to_json(result) for result in results]
    assert "COMPARED" not in clean.counts()


# ---- grounding ----


@cache
def grounded() -> tuple[Result, ...]:
    """Responses whose passages were searched for: by claim in two hops, and as a whole."""

    def find(text: str, k: int) -> list[str]:
        known = ["Curie was born in Warsaw in 1867.", "Curie won two Nobel Prizes.", "Lodz is a city."]
        return [passage for passage in known if set(passage.split()) & set(text.split()) - {"a", "in"}][:k]

    responses = {"a": "Curie was born in Warsaw. Curie won three Nobel Prizes.", "b": "Lodz hosted a choir."}
    responses["c"] = "Xyzzy frobnicates plugh."
    records = [{"id": name, "dataset": "d", "response": text, "context": []} for name, text in responses.items()]
    found: list[Result] = []
    for by in ("claim", "response"):
        settings = Settings().replace(ground_hops=2, ground_by=by)
        found += GraphEval(retriever=find, settings=settings).pipe(
            [{**record, "id": f"{record['id']}-{by}"} for record in records]
        )
    return tuple(replace(result, n=n) for n, result in enumerate(found))


def test_searches_are_in_the_graph_and_come_out_as_they_went_in(clean: ClaimGraph) -> None:
    results = grounded()
    assert [result.error for result in results] == [None] * 6
    clean.write(FIRST, results)
    clean.write(FIRST, results)
    assert [to_json(result) for result in clean.results(FIRST.id)] == [to_json(result) for result in results]
    made, found = [], []
    for result in results:
        claims = {claim.id: claim.text for claim in result.claims}
        for search in result.fields["grounding"]["searches"]:
            queries = [query["text"] for query in search["queries"]]
            one = (result.example.id, claims.get(search["claim"]), search["hop"], queries)
            made.append((*one, len(search["passages"]), search["label"]))
            found += [(*one, rank, passage) for rank, passage in enumerate(search["passages"])]
    rows = clean.query(
        "MATCH (r:Response)-[:SEARCHED]->(s:Search) OPTIONAL MATCH (s)<-[:ASKED]-(c:Claim) "
        "RETURN r.name AS name, c.text AS text, s.hop AS hop, s.queries AS queries, s.found AS found, s.label AS label"
    )
    assert sorted(map(repr, (tuple(row.values()) for row in rows))) == sorted(map(repr, made))
    rows = clean.query(
        "MATCH (r:Response)-[:SEARCHED]->(s:Search)-[f:FOUND]->(p:Passage) OPTIONAL MATCH (s)<-[:ASKED]-(c:Claim) "
        "RETURN r.name AS name, c.text AS text, s.hop AS hop, s.queries AS queries, f.rank AS rank, p.id AS passage"
    )
    assert sorted(map(repr, (tuple(row.values()) for row in rows))) == sorted(map(repr, found))
    assert {hop for _, _, hop, *_ in made} == {1, 2}
    assert {count for *_, count, _ in made} > {0}
    counts = clean.counts()
    assert (counts["Search"], counts["SEARCHED"], counts["FOUND"]) == (len(made), len(made), len(found))


def test_the_query_about_searches_answers_what_the_results_say(clean: ClaimGraph) -> None:
    clean.write(FIRST, grounded())
    for name in ("a-claim", "b-claim", "c-claim", "a-response", "c-response"):
        (result,) = (result for result in grounded() if result.example.id == name)
        texts = {claim.id: claim.text for claim in result.claims}
        passages = {passage.id: passage.text for passage in result.example.passages}
        wanted = []
        for search in result.fields["grounding"]["searches"]:
            one = (texts.get(search["claim"]), search["hop"], search["label"])
            wanted += [(*one, rank, passages[identity]) for rank, identity in enumerate(search["passages"])]
            wanted += [] if search["passages"] else [(*one, None, None)]
        rows = clean.named("searches", {"response": name})
        columns = ("claim", "hop", "after", "rank", "passage")
        assert sorted(map(repr, (tuple(row[c] for c in columns) for row in rows))) == sorted(map(repr, wanted))
    neutral = clean.named("searches", {"label": "Neutral"})
    assert neutral
    assert {row["label"] for row in neutral} == {"Neutral"}


def test_searches_are_those_of_the_run_that_is_shown(clean: ClaimGraph) -> None:
    results = grounded()
    clean.write(FIRST, results)
    before = clean.named("searches", {})
    clean.write(SECOND, [replace(result, fields={}) for result in results])
    assert clean.named("searches", {}) == []
    clean.write(FIRST, results)
    clean.delete(run=SECOND.id)
    assert clean.named("searches", {}) == before != []


def test_a_deleted_response_takes_its_searches_along(clean: ClaimGraph) -> None:
    clean.write(FIRST, grounded())
    for result in grounded():
        clean.delete(response=result.example.key)
    assert "Search" not in clean.counts()
    assert "Passage" not in clean.counts()


def test_a_deleted_run_takes_its_searches_along(clean: ClaimGraph) -> None:
    results = grounded()
    clean.write(SECOND, [replace(result, fields={}) for result in results])
    before = clean.counts()
    clean.write(FIRST, results)
    assert clean.counts()["Search"] > 0
    clean.delete(run=FIRST.id)
    assert clean.counts() == before
    clean.delete(run=SECOND.id)
    assert {name: clean.counts().get(name, 0) for name in EMPTY} == EMPTY


def test_a_field_of_another_stage_named_grounding_is_kept_and_not_read(clean: ClaimGraph) -> None:
    results = [replace(ALL[1], n=0, fields={"grounding": 0.5}), replace(ALL[2], n=1, fields={"grounding": {"a": 1}})]
    clean.write(FIRST, results)
    assert [to_json(result) for result in clean.results(FIRST.id)] == [to_json(result) for result in results]
    assert "Search" not in clean.counts()


@pytest.mark.parametrize("concurrent", [False, True])
def test_a_load_yields_results_in_order_when_they_are_in_the_graph(
    clean: ClaimGraph, monkeypatch: pytest.MonkeyPatch, concurrent: bool
) -> None:
    if concurrent and not clean.connection.concurrent:
        pytest.skip("the connection runs one transaction at a time")
    monkeypatch.setattr(type(clean.connection), "concurrent", concurrent)
    monkeypatch.setattr(claims, "BATCH", 20)
    results = []
    for result in clean.load(FIRST, ALL[:110]):
        results.append(result)
        if len(results) % 20 == 0:
            assert clean.response_count(FIRST.id) >= len(results)
    assert results == ALL[:110] == list(clean.results(FIRST.id))


def test_a_load_that_fails_raises_and_keeps_what_it_yielded(clean: ClaimGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "BATCH", 20)

    def broken() -> Iterator[Result]:
        yield from ALL[:70]
        raise RuntimeError("stop here")

    results: list[Result] = []
    with pytest.raises(RuntimeError, match="stop here"):
        results.extend(clean.load(FIRST, broken()))
    assert len(results) >= 40
    assert list(clean.results(FIRST.id))[: len(results)] == results == ALL[: len(results)]
