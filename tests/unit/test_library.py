"""The Cypher files: their headers, their docs, and that none is left over."""

import re
from pathlib import Path

import pytest

from graph_eval.errors import UsageError
from graph_eval.graph import library

ROOT = Path(__file__).parents[2]
CODE = "\n".join(path.read_text("utf8") for path in (ROOT / "graph_eval").rglob("*.py"))


@pytest.mark.parametrize("query", library.queries().values(), ids=lambda query: query.name)
def test_a_header_says_what_the_query_takes_and_gives(query: library.Query) -> None:
    assert query.title
    assert {param.name for param in query.params} == set(re.findall(r"\$(\w+)", query.text))
    for column in query.returns:
        assert re.search(rf"\b{column}\b", query.text)


def test_every_statement_is_used() -> None:
    for path in (ROOT / "cypher").rglob("*.cypher"):
        name = path.relative_to(ROOT / "cypher").with_suffix("").as_posix()
        folder, _, stem = name.partition("/")
        if folder != "read":
            assert f'"{name}"' in CODE or (f'f"{folder}/' in CODE and f'"{stem}"' in CODE), f"{name} is left over"


def test_the_docs_are_made_from_the_headers() -> None:
    assert (ROOT / "cypher" / "README.md").read_text("utf8") == library.docs()


def test_parameters_are_bound_by_name() -> None:
    query = library.query("neighbourhood")
    assert query.bind({"entity": "x"}) == {"entity": "x", "dataset": None, "limit": 200}
    with pytest.raises(UsageError, match="missing parameter 'entity'"):
        query.bind({})
    with pytest.raises(UsageError, match="unknown parameter 'entities'"):
        query.bind({"entity": "x", "entities": 1})
    with pytest.raises(UsageError, match="unknown query 'nothing like it'"):
        library.query("nothing like it")


def test_the_style_of_neo4j_browser_shows_properties_that_exist() -> None:
    style = (ROOT / "docker" / "graph_eval.grass").read_text("utf8")
    made = (ROOT / "cypher" / "schema" / "vocabulary.cypher").read_text("utf8")
    blocks = re.findall(r"^(?:node|relationship)\.(\w+) \{(.*?)^\}", style, re.MULTILINE | re.DOTALL)
    assert {name for name, _ in blocks} == {"Entity", "Claim", "Response", "Passage", "Run", "RELATES"}
    for name, block in blocks:
        (shown,) = re.findall(r"caption: '\{(\w+)\}'", block)
        (properties,) = re.findall(rf":{name} \{{(.*?)\}}[)\]]", made)
        assert f"{shown}:" in properties
