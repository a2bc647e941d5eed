"""Results as a graph, and the files that hold one."""

import json
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest

from graph_eval.errors import InputError, UsageError
from graph_eval.graph.entities import entity, is_named
from graph_eval.graph.networkx import claims, from_networkx, to_networkx
from graph_eval.reports import render
from graph_eval.types import Claim, Example, Label, Passage, Result, Slot, Span
from tests.browser.results import corrected, many
from tests.graphs import made

RESPONSE = (
    'Headaches eased in Turin. The Bank of England paid. Ada wrote "The Tower" on Tuesday. England against Italy.'
)


def example(response: str = RESPONSE, context: str = "", key: str = "1") -> Example:
    return Example(key, "set", response, (Passage.of(context),))


def slot(text: str, response: str = RESPONSE) -> Slot:
    start = response.index(text)
    return Slot(text, (Span(start, start + len(text)),))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Turin", True),
        ("The Bank of England", True),
        ('"The Tower"', True),
        ("Headaches", False),  # the capital only opens the sentence
        ("Tuesday", False),
        ("England against Italy", False),
        ("Headaches eased", False),
    ],
)
def test_names_are_told_from_phrases(text: str, named: bool) -> None:
    assert is_named(slot(text), example()) is named


def test_a_first_word_is_a_name_if_it_has_a_capital_elsewhere() -> None:
    assert not is_named(slot("Ada"), example())
    assert is_named(slot("Ada"), example(context="It was Ada who wrote it."))


def test_names_are_shared_by_a_dataset_and_phrases_by_a_response() -> None:
    other = example(key="2")
    assert entity(slot("Turin"), example()).key == entity(slot("Turin"), other).key
    assert entity(slot("Headaches"), example()).key != entity(slot("Headaches"), other).key
    assert entity(slot("The Bank of England"), example()).key == entity(Slot("Bank of England"), other).key


def test_every_claim_is_in_the_graph_with_its_verdict() -> None:
    results = list(many(50))
    graph = to_networkx(results)
    found = dict(claims(graph))
    wanted = {f.claim.id: f for result in results for f in result.findings}
    assert found.keys() == wanted.keys()
    for identity, attributes in found.items():
        judgement = wanted[identity].judgement
        assert attributes["label"] == judgement.label
        assert attributes["flagged"] == judgement.flagged
        assert attributes["p_inconsistent"] == judgement.p_inconsistent
        assert attributes["evidence"].startswith("Ada Quist")


def test_a_claim_without_object_ends_in_a_blank_and_a_sentence_mentions_its_entities() -> None:
    text = "The lamp fell and everybody laughed."
    span = Span(0, len(text))
    fell = Claim.triplet(
        "t", (Slot("lamp", (Span(4, 8),)), Slot("fell", (Span(9, 13),)), Slot("")), "The lamp fell.", span
    )
    whole = Claim.whole("t", text, span)
    graph = to_networkx(Result(0, example(text), (fell, whole)))
    kinds = nx.get_node_attributes(graph, "kind")
    assert sorted(kinds.values()) == ["blank", "entity", "sentence"]
    mentions = [(kinds[a], kinds[b]) for a, b, kind in graph.edges(data="kind") if kind == "mentions"]
    assert mentions == [("sentence", "entity")]


def test_a_graph_goes_back_to_its_results(tmp_path: Path) -> None:
    results = [replace(result, revision=None) for result in made(200)]
    assert list(from_networkx(to_networkx(results))) == results
    written = render(results, tmp_path / "g.graphml", "graph")
    assert list(from_networkx(nx.read_graphml(written, force_multigraph=True))) == results
    value = json.loads(render(results, tmp_path / "g.json", "graph").read_text("utf8"))
    assert list(from_networkx(nx.node_link_graph(value, edges="edges"))) == results


def test_what_the_context_states_goes_both_ways_as_long_as_its_claim_does(tmp_path: Path) -> None:
    result = next(item for item in many(50) if len(item.flagged) > 1 and item.flagged[0].claim.predicate)
    wanted = replace(corrected(result), revision=None)
    written = render([corrected(result)], tmp_path / "g.graphml", "graph")
    graph = nx.read_graphml(written, force_multigraph=True)
    assert list(from_networkx(graph)) == [wanted]
    stated = [edge for *_, edge in graph.edges(data=True) if edge["kind"] == "stated"]
    assert [edge["refutes"] for edge in stated] == [link.claim_id for link in wanted.links]
    refuted = {key: edge["refuted_by"] for *_, key, edge in graph.edges(keys=True, data=True) if "refuted_by" in edge}
    assert refuted == {wanted.links[0].claim_id: wanted.context_claims[0].text}
    (ends,) = [(start, end, key) for start, end, key in graph.edges(keys=True) if key == wanted.links[0].claim_id]
    graph.remove_edge(*ends)
    (left,) = from_networkx(graph)
    assert left.links == ()
    assert render([left], tmp_path / "left.html").exists()


def test_the_graphs_word_counts_on_the_way_back() -> None:
    results = list(many(10))
    graph = to_networkx(results)
    edges = [(*ends, key) for *ends, key, kind in graph.edges(keys=True, data="kind") if kind == "claim"]
    gone, changed = edges[0][2], edges[1][2]
    graph.remove_edge(*edges[0])
    graph.edges[edges[1]].update(label="Neutral", flagged=True, p_inconsistent=0.75, reason="by hand")
    back = {f.claim.id: f.judgement for result in from_networkx(graph) for f in result.findings}
    before = {f.claim.id: f.judgement for result in results for f in result.findings}
    assert before.keys() - back.keys() == {gone}
    assert back[changed] == replace(
        before[changed], label=Label.NEUTRAL, flagged=True, p_inconsistent=0.75, reason="by hand"
    )
    assert all(back[key] == before[key] for key in back.keys() - {changed})


@pytest.mark.parametrize("spoiled", ["responses", "result", "label", "flagged"])
def test_what_is_no_graph_of_ours_is_refused(spoiled: str) -> None:
    graph = to_networkx(many(3))
    ends = next(key for *key, kind in graph.edges(keys=True, data="kind") if kind == "claim")
    if spoiled == "responses":
        del graph.graph["responses"]
    elif spoiled == "label":
        graph.edges[ends]["label"] = "Perhaps"
    else:
        del graph.edges[ends][spoiled]
    with pytest.raises(InputError):
        list(from_networkx(graph))


def test_a_graph_without_parallel_edges_is_refused() -> None:
    with pytest.raises(InputError, match="multigraph"):
        list(from_networkx(nx.DiGraph(to_networkx(many(3)))))


def test_graphml_and_json_hold_the_graph(tmp_path: Path) -> None:
    graph = to_networkx(many(30))
    again = nx.read_graphml(render(many(30), tmp_path / "g.graphml", "graph"), force_multigraph=True)
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert list(again.edges(keys=True, data=True)) == list(graph.edges(keys=True, data=True))
    value = json.loads(render(many(30), tmp_path / "g.json", "graph").read_text("utf8"))
    same = nx.node_link_graph(value, edges="edges")
    assert nx.utils.graphs_equal(same, graph)


def test_graphml_can_hold_any_text(tmp_path: Path) -> None:
    odd = "bell \x07 and \x0b <&> \ufffe done"
    graph = nx.read_graphml(
        render(Result(0, example(odd), (Claim.whole("t", odd, Span(0, 3)),)), tmp_path / "g.graphml", "graph")
    )
    ((_, attributes),) = graph.nodes(data=True)
    assert attributes["claim"] == "bell \ufffd and \ufffd <&> \ufffd done"


@pytest.mark.parametrize("name", ["g.png", "g", "g.svg"])
def test_an_unknown_format_is_refused_by_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="unsupported file type"):
        render([], tmp_path / name, "graph")


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        render([], tmp_path / "no" / "r.html")

    def broken() -> object:
        yield from many(3)
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        render(broken(), tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []
