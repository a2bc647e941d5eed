"""The stage ground: what is asked for claims and responses, in which order passages come, hops, and what fails."""

import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

from graph_eval import GraphEval
from graph_eval.errors import UsageError
from graph_eval.formats.results import to_json
from graph_eval.jobs import Job
from graph_eval.mappers import threads
from graph_eval.retrieve.queries import claim_query, other_queries, response_queries
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.retrieve.stage import GroundStage, named_retriever
from graph_eval.retrieve.transform.chain import TransformChain
from graph_eval.retrieve.transform.transform import Subject, Transform
from graph_eval.runs.resume import RunDirectory
from graph_eval.settings import Settings
from graph_eval.sources import Records, RunFiles
from graph_eval.stage import run_stage
from graph_eval.types import CheckTask, Claim, Example, ItemError, Judgement, Label, Passage, Result, Slot, Span, Text

RESPONSE = "Ada opened the bank in 1889. Ada sold the bank."
OPENED = "Who? Ada opened the bank in"  # without the year that the claim states
SOLD = "Who? Ada sold the bank"


class Words(Retriever):
    """Finds texts by the query; remembers what it was asked. An exception instead of texts is raised."""

    fingerprint = "words-1"

    def __init__(self, found: dict[str, list[str] | Exception] | None = None) -> None:
        self.found = found or {}
        self.asked: list[str] = []

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        self.asked += [query.text for query in queries]
        return [self._passages(query.text)[:k] for query in queries]

    def _passages(self, query: str) -> list[Passage]:
        texts = self.found.get(query, [])
        if isinstance(texts, Exception):
            raise texts
        return [Passage.of(text, f"{text}.txt") for text in texts]


class ByPassage:
    """Entails a claim if a passage is "yes: CLAIM", refutes it for "no: CLAIM". Otherwise it is Neutral."""

    fingerprint = "by-passage-1"
    threshold = 0.5

    def __init__(self) -> None:
        self.tasks: list[CheckTask] = []

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        self.tasks += tasks
        return [[self._judge(claim, task.passages) for claim in task.claims] for task in tasks]

    def _judge(self, claim: Claim, passages: Sequence[Passage]) -> Judgement:
        texts = {passage.text for passage in passages}
        if f"yes: {claim.text}" in texts:
            return Judgement(claim.id, Label.ENTAILMENT, 0.1, flagged=False)
        label = Label.CONTRADICTION if f"no: {claim.text}" in texts else Label.NEUTRAL
        return Judgement(claim.id, label, 0.9, flagged=True)


def claims_of(text: Text) -> list[Claim]:
    """A triplet for each sentence: its first word, its second, and the rest."""
    claims, start = [], 0
    for sentence in text.text.split(". "):
        words = sentence.rstrip(".").split(" ", 2)
        span = Span(start, start + len(sentence))
        slots, place = [], start
        for word in words:
            slots.append(Slot(word, (Span(place, place + len(word)),)))
            place += len(word) + 1
        claims.append(Claim.triplet(text.id, (slots[0], slots[1], slots[2]), f"{' '.join(words)}.", span, 0.9))
        start += len(sentence) + 2
    return claims


def grounded(
    retriever: object, *records: dict, transform: Transform | None = None, checker: object = None, **settings: object
) -> list[Result]:
    chosen = Settings().replace(ground="object:words", **settings)
    chain = TransformChain([transform] if transform else [])
    stage = GroundStage(retriever, chain, chosen, checker)
    results = GraphEval(claims_of, ByPassage(), settings=Settings()).extract(
        [{"response": RESPONSE, "question": "Who?", "context": [], **record} for record in records or ({},)]
    )
    return run_stage(stage, results)


def searches(result: Result) -> list[tuple[int, list[str], int, str | None]]:
    """(hop, queries, number of passages, label) of each search."""
    return [
        (item["hop"], [query["text"] for query in item["queries"]], len(item["passages"]), item["label"])
        for item in result.fields["grounding"]["searches"]
    ]


def texts(result: Result) -> list[str]:
    return [passage.text for passage in result.example.passages]


# ---- queries ----


def test_a_query_asks_without_what_the_claim_asserts() -> None:
    slots = (Slot("Ada Quist"), Slot("opened"), Slot("a bank in Paris in 1889"))
    claim = Claim.triplet("t", slots, "Ada Quist opened a bank in Paris in 1889.", Span(0, 1))
    assert claim_query(claim, "Who was Ada?").text == "Who was Ada? Ada Quist opened a bank in in"
    assert claim_query(claim, None).text == "Ada Quist opened a bank in in"
    assert [query.text for query in other_queries(claim, "Who was Ada?")] == [
        "Ada Quist opened a bank in Paris in 1889.",
        "Ada Quist a bank in Paris in 1889",
        "Who was Ada?",
    ]


def test_a_sentence_is_asked_for_as_it_is() -> None:
    claim = Claim.whole("t", "It rained in Lund.", Span(0, 1))
    assert claim_query(claim, "Where?").text == "Where? It rained in Lund."
    assert [query.text for query in other_queries(claim, None)] == ["It rained in Lund."]


def test_a_response_is_asked_for_by_question_and_text() -> None:
    assert [query.text for query in response_queries(Example("a", "", "R.", question="Q?"))] == ["Q?", "R."]
    assert [query.text for query in response_queries(Example("a", "", "R.", question=" "))] == ["R."]


# ---- one hop ----


def test_the_passages_of_all_claims_are_the_context_and_claims_belong_to_it() -> None:
    retriever = Words({OPENED: ["one", "two"], SOLD: ["two", "three"]})
    (result,) = grounded(retriever)
    assert texts(result) == ["one", "two", "three"]
    assert [passage.source for passage in result.example.passages] == ["one.txt", "two.txt", "three.txt"]
    assert {claim.text_id for claim in result.claims} == {result.example.key}
    assert [claim.id for claim in result.claims] == [claim.id for claim in claims_of(Text.of(result.example))]
    field = result.fields["grounding"]
    assert [item["claim"] for item in field["searches"]] == [claim.id for claim in result.claims]
    assert searches(result) == [(1, [OPENED], 2, None), (1, [SOLD], 2, None)]
    assert field["searches"][0]["passages"] == [Passage.of("one").id, Passage.of("two").id]
    assert (field["by"], field["retriever"]) == ("claim", "object:words")
    assert json.loads(to_json(result))["fields"]["grounding"] == field


def test_claims_keep_all_but_their_ids() -> None:
    bare, (result,) = claims_of(Text("t", RESPONSE)), grounded(Words({OPENED: ["one"]}))
    for old, new in zip(bare, result.claims, strict=True):
        assert old.of_text("t") == old
        assert new == old.of_text(result.example.key)
        assert new.id != old.id
    sentence = Claim.whole("t", "It rained.", Span(0, 1))
    assert sentence.of_text("u") == Claim.whole("u", "It rained.", Span(0, 1))


def test_a_record_with_a_context_keeps_it() -> None:
    retriever = Words({OPENED: ["one"]})
    given, empty = grounded(retriever, {"context": ["given"]}, {"context": ["", " "]})
    assert texts(given) == ["given"]
    assert "grounding" not in given.fields
    assert texts(empty) == ["one"]
    assert retriever.asked == [OPENED, SOLD]


def test_an_equal_query_is_asked_once() -> None:
    retriever = Words({OPENED: ["one"]})
    results = grounded(retriever, {"id": "a"}, {"id": "b"}, {"id": "c"})
    assert retriever.asked == [OPENED, SOLD]
    assert [texts(result) for result in results] == [["one"]] * 3


def test_rankings_of_several_queries_are_fused() -> None:
    class Two(Transform):
        fingerprint = "two-1"

        def transform(self, subjects: Sequence[Subject]) -> list[list[Query]]:
            return [[Query("q1"), Query("q2"), Query("q1"), Query(" ")] for _ in subjects]

    retriever = Words({"q1": ["a", "b", "c"], "q2": ["c", "d"]})
    (result,) = grounded(retriever, transform=Two(), ground_passages=3)
    # a: 1/60. b: 1/61. c: 1/62 + 1/60. d: 1/61, and b came first.
    assert texts(result) == ["c", "a", "b"]
    assert searches(result) == [(1, ["q1", "q2"], 3, None)] * 2


def test_what_is_fused_is_found_deeper() -> None:
    class Two(Transform):
        fingerprint = "two-1"

        def transform(self, subjects: Sequence[Subject]) -> list[list[Query]]:
            return [[Query("q1"), Query("q2")] for _ in subjects]

    retriever = Words({"q1": ["a", "b", "both"], "q2": ["c", "d", "both"]})
    (result,) = grounded(retriever, transform=Two(), ground_passages=2)
    assert texts(result) == ["both", "a"]  # 2/62, and 1/60


def test_only_the_best_passages_are_used() -> None:
    retriever = Words({OPENED: list("abcdefgh")})
    assert texts(grounded(retriever)[0]) == list("abcde")
    assert texts(grounded(retriever, ground_passages=2)[0]) == ["a", "b"]


def test_an_earlier_search_is_made_again_and_its_verdicts_go() -> None:
    ge = GraphEval(claims_of, ByPassage(), retriever=Words({OPENED: ["old"]}), settings=Settings())
    before = ge.check(RESPONSE, question="Who?")
    assert before.judgements
    stage = GroundStage(Words({OPENED: ["new"]}), TransformChain(), Settings().replace(ground="object:new"))
    (after,) = run_stage(stage, [before])
    assert texts(after) == ["new"]
    assert not after.judgements
    assert after.label is None
    assert len(after.fields["grounding"]["searches"]) == 2


def test_what_other_stages_know_of_claims_follows_their_ids() -> None:
    (result,) = GraphEval(claims_of, ByPassage(), settings=Settings()).extract([{"response": RESPONSE, "context": []}])
    noted = Result(
        0,
        result.example,
        result.claims,
        fields={"consistency": {"claims": [{"id": result.claims[1].id, "score": 0.5}]}},
    )
    stage = GroundStage(Words({"Ada sold the bank": ["one"]}), TransformChain(), Settings().replace(ground="object:w"))
    (after,) = run_stage(stage, [noted])
    assert after.example.key != result.example.key
    assert after.fields["consistency"] == {"claims": [{"id": after.claims[1].id, "score": 0.5}]}


def test_half_a_character_becomes_writable() -> None:
    (result,) = grounded(Words({OPENED: ["a \ud83d b"]}))
    assert texts(result) == ["a ? b"]
    assert result.example.passages[0].source == "a ? b.txt"
    to_json(result).encode("utf-8")


def test_a_text_with_several_values_of_a_field_is_found_by_each(tmp_path: Path) -> None:
    lines = [{"text": "The mill burned in 1955.", "year": year} for year in (2020, 2021)]
    lines += [{"text": "The mill was built in 1899.", "year": 2021}]
    (tmp_path / "mill.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name in ("bm25", "dense", "hybrid"):
        retriever = named_retriever(f"{name}:{tmp_path}", Settings())
        found = retriever.retrieve(
            [Query("mill burned"), *(Query("mill burned", (("year", str(year)),)) for year in (2020, 2021, 1999))], 2
        )
        assert [[passage.text[9:15] for passage in ranking] for ranking in found] == [
            ["burned", "was bu"],  # once
            ["burned"],
            ["burned", "was bu"],
            [],
        ], name


# ---- hops ----

OPENED_IT, SOLD_IT = "Ada opened the bank in 1889.", "Ada sold the bank."


def test_a_neutral_claim_is_asked_for_again_in_other_words() -> None:
    retriever = Words({SOLD: [f"no: {SOLD_IT}"], "Ada the bank in 1889": [f"yes: {OPENED_IT}"]})
    (result,) = grounded(retriever, checker=ByPassage(), ground_hops=5)
    assert searches(result) == [
        (1, [OPENED], 0, "Neutral"),
        (1, [SOLD], 1, "Contradiction"),
        (2, [OPENED_IT], 0, "Neutral"),
        (3, ["Ada the bank in 1889"], 1, "Entailment"),
    ]
    assert retriever.asked == [OPENED, SOLD, OPENED_IT, "Ada the bank in 1889"]
    assert texts(result) == [f"no: {SOLD_IT}", f"yes: {OPENED_IT}"]


def test_hops_end_with_the_forms_of_a_claim() -> None:
    retriever = Words()
    (result,) = grounded(retriever, checker=ByPassage(), ground_hops=50)
    assert [hop for hop, *_ in searches(result)] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert len(retriever.asked) == 7  # the question is one query of both claims
    assert texts(result) == []


def test_the_last_hop_is_judged_by_the_stage_check() -> None:
    checker = ByPassage()
    (result,) = grounded(Words(), checker=checker, ground_hops=2)
    assert [label for *_, label in searches(result)] == ["Neutral", "Neutral", None, None]
    assert len(checker.tasks) == 1
    assert grounded(Words(), checker=checker)  # one hop needs no verdict
    assert len(checker.tasks) == 1


def test_by_response_asks_once_and_then_for_neutral_claims() -> None:
    retriever = Words({"Who?": [f"yes: {SOLD_IT}"], OPENED: ["other"]})
    (once,) = grounded(retriever, ground_by="response")
    assert searches(once) == [(1, ["Who?", RESPONSE], 1, None)]
    assert once.fields["grounding"]["searches"][0]["claim"] is None
    (result,) = grounded(retriever, ground_by="response", ground_hops=2, checker=ByPassage())
    assert searches(result) == [(1, ["Who?", RESPONSE], 1, None), (2, [OPENED], 1, None)]
    assert texts(result) == [f"yes: {SOLD_IT}", "other"]


def test_a_transform_knows_what_failed() -> None:
    seen: list[tuple[str, ...]] = []

    class Numbered(Transform):
        fingerprint = "numbered-1"

        def transform(self, subjects: Sequence[Subject]) -> list[list[Query]]:
            seen.extend(subject.failed for subject in subjects)
            return [[Query(f"{subject.claim.text} {len(subject.failed)}")] for subject in subjects]

    retriever = Words({f"{OPENED_IT} 2": [f"yes: {OPENED_IT}"]})
    (result,) = grounded(retriever, transform=Numbered(), checker=ByPassage(), ground_hops=9)
    assert seen[:2] == [(), ()]
    assert seen[4] == (f"{OPENED_IT} 0", f"{OPENED_IT} 1")
    assert sum(queries[0].startswith(OPENED_IT) for _, queries, *_ in searches(result)) == 3
    assert sum(queries[0].startswith(SOLD_IT) for _, queries, *_ in searches(result)) == 9


def test_a_checker_that_fails_ends_the_hops() -> None:
    class Broken(ByPassage):
        def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
            raise RuntimeError(f"{len(tasks)} are too many")

    (result,) = grounded(Words(), checker=Broken(), ground_hops=3)
    assert result.error is None
    assert searches(result) == [(1, [OPENED], 0, None), (1, [SOLD], 0, None)]


# ---- failures ----


def test_a_failed_search_is_the_error_of_its_response_only() -> None:
    retriever = Words({SOLD: RuntimeError("down"), "Who? Bo sold the bank": ["one"]})
    failed, fine = grounded(retriever, {"id": "a"}, {"id": "b", "response": "Bo sold the bank."})
    assert failed.error.stage == "ground"
    assert failed.error.id == "a"
    assert "1 of 2 searches failed: RuntimeError: down" in failed.error.message
    assert failed.claims
    assert "grounding" not in failed.fields
    assert texts(fine) == ["one"]
    (again,) = run_stage(GroundStage(Words({SOLD: ["two"]}), TransformChain(), Settings()), [failed])
    assert texts(again) == ["two"]
    assert again.error is None


def test_a_failed_further_hop_leaves_what_was_found() -> None:
    retriever = Words({OPENED: ["one"], OPENED_IT: RuntimeError("down"), SOLD: [f"yes: {SOLD_IT}"]})
    (result,) = grounded(retriever, checker=ByPassage(), ground_hops=4)
    assert result.error is None
    assert texts(result) == ["one", f"yes: {SOLD_IT}"]
    *_, last = result.fields["grounding"]["searches"]
    assert last["hop"] == 2
    assert "down" in last["error"]


def test_the_error_of_a_transform_is_that_of_the_search() -> None:
    class Failing(Transform):
        fingerprint = "failing-1"

        def transform(self, subjects: Sequence[Subject]) -> list[list[Query] | ItemError]:
            return [
                ItemError("ground", "no answer") if "sold" in subject.queries[0].text else list(subject.queries)
                for subject in subjects
            ]

    (result,) = grounded(Words({OPENED: ["one"]}), transform=Failing())
    assert result.error.message == "1 of 2 searches failed: no answer"


def test_a_filter_needs_fields() -> None:
    class Filter(Transform):
        fingerprint = "filter-1"
        needs_fields = True

        def transform(self, subjects: Sequence[Subject]) -> list[Sequence[Query]]:
            return [subject.queries for subject in subjects]

    with pytest.raises(UsageError, match="the passages have no fields"):
        grounded(Words(), transform=Filter())


# ---- names, plans and runs ----


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "ada.md").write_text("Ada Quist opened the bank in Lund in 1889.\n")
    (folder / "bo.txt").write_text("Bo Lind sold apples at the market.\n")
    return folder


def test_a_path_is_a_corpus_for_bm25(corpus: Path) -> None:
    found = named_retriever(str(corpus), Settings())
    assert found.fingerprint == named_retriever(f"bm25:{corpus}", Settings()).fingerprint


@pytest.mark.parametrize(
    ("name", "message"),
    [("no/such/folder", "no such file or folder"), ("elastic:x", "unknown retriever"), ("bm25:none", "does not exist")],
)
def test_an_unknown_retriever_is_named(name: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        named_retriever(name, Settings())


def test_without_a_retriever_there_is_no_stage(corpus: Path) -> None:
    ge = GraphEval(settings=Settings())
    assert [stage.name for stage in ge.plan().stages] == ["extract", "check"]
    with pytest.raises(UsageError, match="no corpus to search"):
        ge.plan("ground")
    plan = GraphEval(retriever=str(corpus), settings=Settings()).plan()
    assert [stage.name for stage in plan.stages] == ["extract", "ground", "check"]


def test_check_judges_against_what_was_found(corpus: Path) -> None:
    ge = GraphEval(retriever=str(corpus), settings=Settings())
    said = ("Ada Quist opened the bank in Lund.", "Ada Quist opened the bank in Oslo.", "Xyzzy plugh frobnicates.")
    right, wrong, unknown = ge.pipe([{"response": text, "question": "Ada?"} for text in said])
    assert right.label is Label.ENTAILMENT
    assert right.judgements[0].evidence[0].passage_id == right.example.passages[0].id
    assert right.example.passages[0].source == "ada.md#0-42"
    assert wrong.inconsistent
    assert unknown.flagged


def test_nothing_found_is_a_reason(corpus: Path) -> None:
    result = GraphEval(retriever=str(corpus), settings=Settings()).check("Xyzzy plugh frobnicates.")
    assert texts(result) == []
    assert {judgement.reason for judgement in result.judgements} == {"no_passage"}
    assert all(judgement.flagged for judgement in result.judgements)


SAID = [("Lund", "apples"), ("Oslo", "pears"), ("Bonn", "apples")] * 3
RECORDS = [
    {"id": str(n), "response": f"Ada Quist opened the bank in {place}. Bo Lind sold {fruit}."}
    for n, (place, fruit) in enumerate(SAID)
]


def run_of(corpus: Path, **settings: object) -> list[str]:
    ge = GraphEval(settings=Settings().replace(ground=str(corpus), **settings))
    source = Records(RECORDS, required=ge.required)
    return [to_json(result) for result in Job(source, ge.plan(), mapper=threads(2)).results()]


def test_results_do_not_depend_on_chunks_nor_threads(corpus: Path) -> None:
    assert run_of(corpus) == run_of(corpus, chunk=1) == run_of(corpus, chunk=2)


@pytest.mark.parametrize(
    ("changed", "same"),
    [({"ground_passages": 3}, False), ({"ground_by": "response"}, False), ({"fusion_k": 1.0}, False),
     ({"ground_hops": 2}, False), ({"ground_index": "INDEX"}, True)],
)  # fmt: skip
def test_a_run_knows_how_it_searched(corpus: Path, tmp_path: Path, changed: dict, same: bool) -> None:
    changed = {name: str(tmp_path / "index") if value == "INDEX" else value for name, value in changed.items()}
    settings = Settings().replace(ground=str(corpus))
    one, other = (GraphEval(settings=chosen).plan().describe("x") for chosen in (settings, settings.replace(**changed)))
    assert (one.id == other.id) is same


def test_another_corpus_is_another_run(corpus: Path) -> None:
    one = GraphEval(retriever=str(corpus), settings=Settings()).plan().describe("x")
    (corpus / "new.txt").write_text("Cy Berg bought the bank.")
    other = GraphEval(retriever=str(corpus), settings=Settings()).plan().describe("x")
    assert one.settings == other.settings
    assert one.id != other.id


def test_ground_and_then_check_equal_both_at_once(corpus: Path, tmp_path: Path) -> None:
    ge = GraphEval(retriever=str(corpus), settings=Settings())
    job = Job(Records(RECORDS, required=ge.required), ge.ground_plan(), [RunDirectory(tmp_path / "run")])
    halves = [to_json(result) for result in GraphEval(settings=Settings()).judge(list(job.results()))]
    assert halves == run_of(corpus)


def test_a_correction_does_not_search_again(corpus: Path, tmp_path: Path) -> None:
    ge = GraphEval(retriever=str(corpus), settings=Settings())
    list(Job(Records(RECORDS, required=ge.required), ge.plan(), [RunDirectory(tmp_path / "run")]).results())
    judged = RunFiles(tmp_path / "run")
    assert [stage.name for stage in ge.plan_for(judged, correct=True).stages] == ["correct"]
    assert [stage.name for stage in ge.plan_for(judged, recheck=True).stages] == ["ground", "check"]


def test_it_can_be_pickled(corpus: Path) -> None:
    ge = pickle.loads(pickle.dumps(GraphEval(retriever=str(corpus), settings=Settings())))  # noqa: S301
    assert texts(ge.check("Ada Quist opened the bank.")) == ["Ada Quist opened the bank in Lund in 1889."]


def test_an_object_has_to_be_passed_again() -> None:
    with pytest.raises(UsageError, match="was an object in Python"):
        GraphEval(settings=Settings().replace(ground="object:x.Y")).plan("ground")


def test_a_function_is_a_retriever() -> None:
    def find(text: str, k: int) -> list[str]:
        return [f"{text} {number}" for number in range(k)]

    result = GraphEval(retriever=find, settings=Settings().replace(ground_passages=2)).check("Ada opened the bank.")
    assert len(texts(result)) == 2


def test_models_of_transforms_are_models() -> None:
    ge = GraphEval(retriever=Words(), settings=Settings().replace(transform="rewrite", transform_with="openai/x"))
    assert ge.models == ()
    ge.plan("ground")
    assert len(ge.models) == 1
