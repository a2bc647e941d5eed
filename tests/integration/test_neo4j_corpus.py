"""A full-text index of a real Neo4j server as a corpus."""

from collections.abc import Iterator

import pytest

from graph_eval import GraphEval
from graph_eval.errors import StoreError, UsageError
from graph_eval.graph.neo4j import Neo4jConnection
from graph_eval.registry import create
from graph_eval.retrieve.neo4j import Neo4jRetriever
from graph_eval.retrieve.retriever import Query
from graph_eval.settings import Settings
from tests import neo4j_server
from tests.conftest import missing

NODES = [
    {"text": "Ada Quist opened the bank in Lund in 1889.", "source": "ada.md"},
    {"text": "Bo Lind sold apples at the market of Lund.", "note": "Bo has a stall."},
    {"text": None, "note": "Only a note on apples."},
    {"text": "", "note": ""},
]


@pytest.fixture(scope="module")
def uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    try:
        with neo4j_server.running(tmp_path_factory.mktemp("neo4j")) as server:
            connection = Neo4jConnection(server.uri, {})
            connection.query("UNWIND $rows AS row CREATE (n:Page) SET n = row", {"rows": NODES}, write=True)
            for name, key in (("pages", "text"), ("notes", "note")):
                connection.query(
                    f"CREATE FULLTEXT INDEX {name} FOR (n:Page) ON EACH [n.{key}] OPTIONS "
                    "{indexConfig: {`fulltext.eventually_consistent`: false}}",
                    write=True,
                )
            connection.query("CALL db.awaitIndexes(300)")
            connection.close()
            yield server.uri
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))


@pytest.fixture
def server(uri: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("NEO4J_URI", uri)
    for name in ("NEO4J_PASSWORD", "NEO4J_USERNAME", "NEO4J_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    return uri


def found(name: str, *texts: str, k: int = 5) -> list[list[tuple[str, bool]]]:
    rankings = create("retriever", name).retrieve([Query(text) for text in texts], k)
    return [[(passage.text, passage.source == "ada.md") for passage in ranking] for ranking in rankings]


@pytest.mark.usefixtures("server")
def test_the_best_nodes_come_first() -> None:
    ada, bo = (node["text"] for node in NODES[:2])
    assert found("neo4j:pages", "Who opened a bank?", "apples of Lund", "zebra") == [
        [(ada, True)],
        [(bo, False), (ada, True)],
        [],
    ]
    assert found("neo4j:pages.text", "apples of Lund", k=1) == [[(bo, False)]]


@pytest.mark.usefixtures("server")
def test_another_property_and_nodes_without_it() -> None:
    assert found("neo4j:notes.note", "apples") == [[("Only a note on apples.", False)]]
    assert found("neo4j:notes.text", "apples") == [[]]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    "text",
    ["", "  ", "???", "the of a", "apples AND NOT apples", "text:apples) OR (*:*", '"', "a\\", "app*", "~", "x^2",
     "[a TO b]", 'apples && || ! ( ) { } [ ] ^ " ~ * ? : \\ /', "\x00apples", "NOT apples"],
)  # fmt: skip
def test_no_query_is_read_as_syntax(text: str) -> None:
    (ranking,) = found("neo4j:pages", text)
    assert {passage for passage, _ in ranking} <= {NODES[1]["text"]}
    assert bool(ranking) == ("apples" in text)


@pytest.fixture(scope="module")
def spelled(uri: str) -> list[str]:
    """The index `spelled` of texts with terms that hold more than letters."""
    texts = [
        "It costs 3.5 million.",
        "It weighs 2,400 kg.",
        "O'Brien slept.",
        "The U.S. won.",
        "COVID-19 spread.",
        "東京 is a city.",
    ]
    connection = Neo4jConnection(uri, {})
    connection.query("UNWIND $texts AS text CREATE (:Spelled {text: text})", {"texts": texts}, write=True)
    connection.query("CREATE FULLTEXT INDEX spelled FOR (n:Spelled) ON EACH [n.text]", write=True)
    connection.query("CALL db.awaitIndexes(300)")
    connection.close()
    return texts


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("term", ["3.5", "2,400", "O'Brien", "(U.S.)", "covid-19", "COVID", "東京"])
def test_terms_are_those_of_the_index(spelled: list[str], term: str) -> None:
    (ranking,) = found("neo4j:spelled", f"the {term}")
    assert [text for text, _ in ranking] == [text for text in spelled if term.strip("()").lower() in text.lower()]


@pytest.mark.usefixtures("server", "spelled")
@pytest.mark.parametrize("word", ["word{} ", "東京", "a-b-c-d{} "])
def test_a_query_of_any_length_is_answered(word: str) -> None:
    (ranking,) = found("neo4j:spelled", "COVID " + "".join(word.format(number) for number in range(3000)))
    assert ("COVID-19 spread.", False) in ranking


@pytest.mark.usefixtures("server")
def test_claims_are_judged_against_nodes() -> None:
    ge = GraphEval(retriever="neo4j:pages", settings=Settings())
    right, wrong = ge.pipe([{"response": f"Ada Quist opened the bank in {place}."} for place in ("Lund", "Oslo")])
    assert right.label == "Entailment"
    assert wrong.inconsistent
    assert right.example.passages[0].source == "ada.md"


@pytest.mark.usefixtures("server")
def test_an_unknown_index_is_named() -> None:
    with pytest.raises(UsageError, match="nowhere"):
        found("neo4j:nowhere", "x")


def test_a_server_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with pytest.raises(UsageError, match="there is no server"):
        create("retriever", "neo4j:pages")
    with pytest.raises(UsageError, match="missing INDEX"):
        create("retriever", "neo4j")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    with pytest.raises(StoreError, match="cannot be reached"):
        found("neo4j:pages", "x")


def test_a_connection_is_used_as_it_is(uri: str) -> None:
    connection = Neo4jConnection(uri, {})
    retriever = Neo4jRetriever("pages", connection=connection)
    assert len(retriever.retrieve([Query("Lund")], 5)[0]) == 2
    assert len(retriever.retrieve([Query("Lund")], 1)[0]) == 1
    with pytest.raises(ValueError, match="knows no fields"):
        retriever.retrieve([Query("Lund", (("year", "1999"),))], 1)
    connection.close()
