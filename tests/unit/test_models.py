"""What surrounds a language model: options, prompts, the cache, reading, ensembles. No server, no network."""

import json
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from graph_eval import GraphEval, registry
from graph_eval.checkers.cascade import CascadeChecker
from graph_eval.checkers.composite import centred
from graph_eval.checkers.ensemble import EnsembleChecker
from graph_eval.checkers.llm import LLMChecker, groups
from graph_eval.correctors.llm import NOT_GIVEN, _denies
from graph_eval.errors import ModelError, SettingsError, UsageError
from graph_eval.extractors.llm import LLMExtractor, alignment, carried
from graph_eval.llm.cache import AnswerCache, cache_path
from graph_eval.llm.client import LiteLLM, as_model
from graph_eval.llm.faults import TransientError, classified, retry_after, short
from graph_eval.llm.model import Completion, FunctionModel, Message, Request, Token
from graph_eval.llm.options import Options
from graph_eval.llm.prompts import prompt
from graph_eval.settings import Settings, load
from graph_eval.text.sentences import over, runs, sentences, words_in
from graph_eval.types import CheckTask, Claim, Evidence, ItemError, Judgement, Kind, Label, Passage, Scores, Span, Text
from tests.models import FENCED, fenced

ROOT = Path(__file__).parents[2]
PROMPTS = sorted((ROOT / "prompts").glob("*.jinja"))


def scripted(*answers: str) -> tuple[Callable[[str], str], list[str]]:
    """A model that gives these answers in turn, and the prompts that it got."""
    prompts: list[str] = []

    def model(text: str) -> str:
        prompts.append(text)
        return answers[min(len(prompts), len(answers)) - 1]

    return model, prompts


# Options and settings


def test_the_preset_is_the_papers_and_gives_way_to_what_is_set() -> None:
    assert Options.of(Settings.of(preset="grapheval")).sampling() == {"temperature": 1.0, "top_p": 1.0, "top_k": 250}
    assert Options.of(Settings.of(preset="grapheval", top_k=5)).sampling()["top_k"] == 5
    assert Options.of(Settings()).sampling() == {"temperature": 0.0}
    with pytest.raises(SettingsError, match="unknown preset 'claude'"):
        Options.of(Settings.of(preset="claude"))


@pytest.mark.parametrize(
    "values",
    [{"temperature": -1.0}, {"top_k": 0}, {"retries": -1}, {"concurrency": 0}, {"timeout": 0.0}, {"part_words": 0},
     {"structured": "maybe"}, {"extract_mode": "claims"}, {"check_mode": "both"}, {"ensemble": "median"}],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=next(iter(values))):
        Settings.of(**values)  # type: ignore[arg-type]


def test_settings_of_models_come_from_the_environment(tmp_path: Path) -> None:
    settings = load(
        {}, {"GRAPH_EVAL_API_BASE": "http://x", "GRAPH_EVAL_TEMPERATURE": "0.5", "GRAPH_EVAL_TOP_K": "3"}, tmp_path
    )
    assert (settings.llm.api_base, settings.llm.temperature, settings.llm.top_k) == ("http://x", 0.5, 3)


def identity(**values: object) -> dict[str, object]:
    return GraphEval(settings=Settings.of(**values)).plan().settings


def test_a_run_names_the_settings_that_its_results_depend_on() -> None:
    offline = identity(retries=1, api_base="http://x")
    assert set(offline) == {"extractor", "checker", "threshold", "aggregate", "chunk"}
    online = identity(checker="ensemble:builtin+llm:openai/x", api_base="http://x")
    assert online["api_base"] == "http://x"
    assert online["ensemble"] == "mean"
    assert online["check_mode"] == "joint"
    assert not {"retries", "timeout", "concurrency", "cache", "threads", "extract_mode"} & set(online)
    assert "extract_mode" in identity(extractor="llm:openai/x")


def test_only_exact_names_decide_which_settings_count() -> None:
    """A model whose name holds that of a published checker is none."""
    assert not {"dtype", "device", "ensemble"} & set(identity(checker="llm:truefoundry/x"))


@pytest.mark.parametrize(
    ("seam", "spec", "argument"),
    [("extractor", "llm", "MODEL"), ("checker", "llm:", "MODEL"), ("checker", "ensemble: ", r"A\+B")],
)
def test_a_part_that_needs_an_argument_says_so(seam: str, spec: str, argument: str) -> None:
    with pytest.raises(UsageError, match=f"{seam} '{spec}': missing {argument}") as problem:
        registry.create(seam, spec)
    assert "for example" in str(problem.value.hint)


# Prompts


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.stem)
def test_a_prompt_says_what_it_is(path: Path) -> None:
    found = prompt(path.stem)
    assert found.header.task == path.stem
    assert found.header.version.isdigit()
    assert found.header.source
    assert found.header.answer
    text = path.read_text("utf-8")
    for variable in found.header.variables:
        assert re.search(rf"\b{variable}\b", text.split("#}", 1)[1]), f"{variable} is not used"


VALUES = {
    "extract_grapheval": {"numbered": "[S1] R", "entities": ["Ada"]},
    "extract_triplets": {"numbered": "[S1] R", "question": "Q", "entities": []},
    "extract_subsentences": {"numbered": "[S1] R", "question": "", "entities": []},
    "check_joint": {"claims": [("c1", "C")], "passages": ["P"], "question": "Q"},
    "check_single": {"claim": "C", "passages": ["P"], "question": ""},
    "correct_triple": {"parts": ["a", "b", "c"], "passages": ["P"]},
    "correct_text": {"old": "a b c", "new": "a b d", "response": "R"},
    "correct_direct": {"response": "R", "passages": ["P"]},
    "collect_zero": {"question": "Q"},
    "collect_noisy": {"question": "Q", "passages": ["P"]},
    "collect_accurate": {"question": "Q", "passages": ["P"]},
    "sample": {"question": "Q", "passages": ["P"]},
    "selfcheck_sentence": {"sample": "S", "sentence": "R"},
    "selfcheck_response": {"samples": ["S"], "response": "R", "question": "Q"},
    "repair": {"problem": "no list", "form": "[]"},
    "ask_graph": {"question": "Q", "schema": "S", "examples": [], "given": ["$a"]},
    "repair_query": {"problem": "P"},
    "query_claim": {"claim": "C", "question": "Q", "failed": ["F"]},
    "query_condense": {"query": "Q", "turns": ["user: T"]},
    "query_filter": {"query": "Q", "fields": {"year": ["1999", "2000"]}},
    "query_multi": {"query": "Q", "count": 4},
    "query_rewrite": {"query": "Q"},
    "query_step_back": {"query": "Q"},
}


@pytest.mark.parametrize("task", sorted(VALUES))
def test_a_prompt_fits_its_values(task: str) -> None:
    messages = prompt(task).messages(**VALUES[task])
    assert [message.role for message in messages] == (["user"] if task.startswith("repair") else ["system", "user"])
    assert all(message.content for message in messages)
    assert {path.stem for path in PROMPTS} == set(VALUES)


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_its_fence(text: str) -> None:
    body = text + "\n<<<end of text 000000000000000000000000>>>\n{{ 7 * 7 }} {% raw %} {# c #}"
    *_, message = prompt("extract_grapheval").messages(numbered=body, entities=[])
    assert message.content.count(body) == 1
    (marker,) = {match["marker"] for match in FENCED.finditer(message.content)}
    assert marker not in body
    assert ("text", body) in fenced(message.content)


def test_a_text_that_names_a_marker_gets_another_one() -> None:
    marker = FENCED.search(prompt("check_single").messages(claim="C", passages=["P"], question="")[1].content)["marker"]
    again = (
        prompt("check_single").messages(claim=f"<<<end of claim {marker}>>>", passages=["P"], question="")[1].content
    )
    assert FENCED.search(again)["marker"] != marker


@pytest.mark.parametrize("task", ["check_single", "check_joint", "correct_triple", "correct_text"])
def test_requests_about_the_same_texts_begin_alike(task: str) -> None:
    others = {"claim": "D", "claims": [("c1", "D")], "parts": ["d", "e", "f"], "old": "d e f"}
    changed = {name: others.get(name, value) for name, value in VALUES[task].items()}
    first, second = (Request(prompt(task).messages(**values)) for values in (VALUES[task], changed))
    assert first.beginning == second.beginning
    assert first.messages != second.messages
    body = str(VALUES[task].get("response") or VALUES[task]["passages"][0])
    assert f"\n{body}\n" in str(first.beginning[-1])
    user = first.messages[-1]
    assert user.content.startswith(first.beginning[-1])


def test_own_prompts_replace_the_packages_one_by_one(tmp_path: Path) -> None:
    own = (ROOT / "prompts" / "check_single.jinja").read_text("utf-8").replace("Only the passages count", "HOUSE RULE")
    (tmp_path / "check_single.jinja").write_text(own)
    model, prompts = scripted("Neutral")
    checker = LLMChecker(model, "single", settings=Settings.of(prompts=str(tmp_path)))
    checker.check([task("It rained.")])
    assert "HOUSE RULE" in prompts[0]
    assert checker.fingerprint != LLMChecker(model, "single").fingerprint
    assert prompt("repair", str(tmp_path)).path.parent == ROOT / "prompts"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("no header", "header has no task, version, source, variables, answer"),
        ("{# task: repair\nversion: 1 #}{% block user %}x{% endblock %}", "header has no source, variables, answer"),
        ("{# task: a\nversion: 1\nsource: s\nvariables: v\nanswer: a #}{% block user %}{% if %}", "line 5"),
        ("{# task: a\nversion: 1\nsource: s\nvariables: v\nanswer: a #}", "missing block user"),
    ],
)
def test_a_prompt_that_is_none_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "repair.jinja").write_text(text)
    with pytest.raises(SettingsError, match=problem):
        prompt("repair", str(tmp_path))


@pytest.mark.parametrize(
    "expression", ["{{ unknown }}", "{{ ''.__class__.__mro__ }}", "{{ problem.__init__.__globals__ }}"]
)
def test_a_prompt_reaches_only_its_values(tmp_path: Path, expression: str) -> None:
    header = "{# task: repair\nversion: 1\nsource: s\nvariables: problem\nanswer: a #}"
    (tmp_path / "repair.jinja").write_text(header + "{% block user %}" + expression + "{% endblock %}")
    with pytest.raises(SettingsError, match=r"repair\.jinja"):
        prompt("repair", str(tmp_path)).messages(problem="x", form="y")


def test_a_folder_of_prompts_that_is_not_there() -> None:
    with pytest.raises(SettingsError, match="does not exist"):
        prompt("repair", "/nowhere")


# The cache


def answer(text: str = "yes") -> Completion:
    return Completion(text, (Token("yes", -0.1, (("yes", -0.1), ("no", -2.0))),), truncated=False)


def test_an_answer_comes_back_whole(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a" / "answers.sqlite")
    text = "é\u2028\ud800"  # half a surrogate pair, as JSON may hold
    cache.put("k", "openai/x", answer(text))
    assert cache.get(["k", "other"]) == {"k": answer(text)}
    assert AnswerCache(cache.path).get(["k"]) == {"k": answer(text)}


def test_old_answers_are_not_given(tmp_path: Path) -> None:
    now = [0.0]
    cache = AnswerCache(tmp_path / "a.sqlite", max_days=1, clock=lambda: now[0])
    cache.put("k", "m", answer())
    now[0] = 86_399
    assert "k" in cache.get(["k"])
    now[0] = 86_401
    assert cache.get(["k"]) == {}
    cache.trim()
    assert cache.info().answers == 0


def test_what_was_not_read_for_longest_goes_first(tmp_path: Path) -> None:
    now = [0.0]
    cache = AnswerCache(tmp_path / "a.sqlite", max_bytes=450, clock=lambda: now[0])
    for number in range(3):
        now[0] += 1
        cache.put(f"k{number}", "m", answer("x" * 100))
    now[0] += 1
    cache.get(["k0"])
    cache.trim()
    assert set(cache.get(["k0", "k1", "k2"])) == {"k0", "k2"}
    assert cache.info().bytes <= 450


def test_the_cache_trims_itself(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite", max_bytes=2_000)
    for number in range(450):
        cache.put(f"k{number}", "m", answer("x" * 100))
    assert cache.info().answers < 250


def test_a_damaged_cache_is_named_whatever_is_asked_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    cache = AnswerCache(path)
    for number in range(400):
        cache.put(f"k{number}", "m", answer("x" * 100))
    cache.clear()
    for number in range(400):
        cache.put(f"k{number}", "m", answer("x" * 100))
    cache.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    cache = AnswerCache(path)
    for use in (cache.info, cache.clear, lambda: cache.get([f"k{number}" for number in range(400)])):
        with pytest.raises(SettingsError, match=r"the answer cache .*a\.sqlite cannot be (read|written)") as problem:
            use()
        assert "--cache off" in problem.value.hint
    cache.close()


def test_threads_and_connections_write_side_by_side(tmp_path: Path) -> None:
    caches = [AnswerCache(tmp_path / "a.sqlite") for _ in range(2)]

    def write(name: str, cache: AnswerCache) -> None:
        for number in range(50):
            cache.put(f"{name}{number}", "m", answer())

    threads = [threading.Thread(target=write, args=(f"t{n}-", caches[n % 2])) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caches[0].info().answers == 300
    assert caches[1].info().models == {"m": 300}


def test_processes_write_side_by_side(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from graph_eval.llm.cache import AnswerCache
from graph_eval.llm.model import Completion
cache = AnswerCache(Path(sys.argv[1]))
for number in range(100):
    cache.put(f"{sys.argv[2]}-{number}", "m", Completion("x" * 2000))
    assert cache.get([f"{sys.argv[2]}-{number}"])
"""
    path = tmp_path / "a.sqlite"
    processes = [subprocess.Popen([sys.executable, "-c", code, str(path), str(n)]) for n in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert AnswerCache(path).info().answers == 300


def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    cache._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(SettingsError, match="cannot be written"):
        cache.put("k", "m", answer())


def test_a_pickled_cache_opens_the_same_file(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite", max_bytes=450, max_days=2)
    cache.put("k", "m", answer())
    copy = pickle.loads(pickle.dumps(cache))  # noqa: S301
    assert (copy.path, copy.max_bytes, copy.max_days, copy.clock) == (cache.path, 450, 2, cache.clock)
    assert copy.get(["k"]) == {"k": answer()}
    copy.put("l", "m", answer())
    assert set(cache.get(["k", "l"])) == {"k", "l"}


def test_clearing_says_how_many(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    cache.put("k", "m", answer())
    assert (cache.clear(), cache.clear()) == (1, 0)


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_text("no database, " * 100)
    with pytest.raises(SettingsError, match=r"a\.sqlite cannot be opened"):
        AnswerCache(tmp_path / "a.sqlite")


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_path(None) == Path("/somewhere/graph_eval/answers.sqlite")
    assert cache_path("x.sqlite") == Path("x.sqlite")
    assert cache_path("off") is None


# What a provider's exceptions mean


class ProviderError(Exception):
    def __init__(self, message: str, status: int | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status_code = status
        self.response = type("Response", (), {"headers": headers or {}})()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None)],
)
def test_retry_after_is_a_number_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}) == seconds


def test_no_retry_after() -> None:
    assert retry_after({}) is None


def test_a_missing_library_of_a_provider_is_named() -> None:
    found = classified(ImportError("No module named boto3. pip install boto3"), "bedrock/x", False)
    assert "boto3" in str(found)
    assert "install" in str(found)


def test_a_provider_of_several_variables_names_them_all() -> None:
    found = classified(ProviderError("denied", 403, {"x": "y"}), "azure/x", False)
    assert "AZURE_API_BASE" in str(found)


def test_a_message_is_one_short_line() -> None:
    assert short("litellm.BadRequestError: OpenAIException - no\nsuch thing") == "no such thing"
    assert len(short("x" * 10_000)) < 600


# Extraction

RESPONSE = "Optimus was announced by Tesla in 2021. It weighs “57 kg”. The robot never walked."


def extract(answers: Sequence[str], text: str = RESPONSE, **settings: object) -> tuple[list[Claim], list[str]]:
    model, prompts = scripted(*answers)
    found = LLMExtractor(model, settings=Settings.of(**settings)).extract([Text("t", text)])[0]  # type: ignore[arg-type]
    assert isinstance(found, list), found
    return found, prompts


def test_slots_take_the_words_of_the_response() -> None:
    said = [
        ["optimus", "was announced by", "Tesla"],
        ["Optimus", "weighs", '"57 kg"'],
        ["Optimus", "did not walk", "ever"],
    ]
    claims, _ = extract([json.dumps(said)])
    first, second, third = claims[:3]
    assert first.subject is not None
    assert (first.subject.text, first.subject.spans, first.subject.resolved) == ("Optimus", (Span(0, 7),), False)
    assert first.text == "Optimus was announced by Tesla."
    assert second.object is not None
    assert second.object.text in ("57 kg", "“57 kg”")
    assert second.sentence.of(RESPONSE) == "It weighs “57 kg”."
    assert third.object is not None
    assert third.object.inferred
    own, total = alignment(claims)
    assert 0 < own < total == 9


def test_a_sentence_that_no_triple_covers_is_a_claim() -> None:
    claims, _ = extract(['[["Optimus", "was announced by", "Tesla in 2021"]]'])
    whole = [claim.text for claim in claims if claim.kind is Kind.SENTENCE]
    assert whole == ['It weighs "57 kg".', "The robot never walked."]


def test_a_refusal_has_no_claim() -> None:
    claims, _ = extract(["[]"], "I'm sorry, but I cannot answer that.")
    assert claims == []


def test_the_question_conditions_the_claims_of_refchecker_only() -> None:
    model, prompts = scripted("[]")
    text = Text("t", "1996", "When was it built?")
    for mode in ("grapheval", "triplets", "subsentences"):
        LLMExtractor(model, mode).extract([text])  # type: ignore[arg-type]
    assert ["When was it built?" in item for item in prompts] == [False, True, True]


def test_subsentences_are_sentence_claims_with_their_words() -> None:
    claims, _ = extract(['["Optimus was announced in 2021.", "Optimus weighs 57 kg."]'], extract_mode="subsentences")
    assert [claim.kind for claim in claims[:2]] == [Kind.SENTENCE] * 2
    assert claims[0].sentence.of(RESPONSE) == "Optimus was announced by Tesla in 2021"
    assert claims[1].sentence.of(RESPONSE) == "weighs “57 kg"
    assert claims[-1].text == "The robot never walked."


def test_a_long_response_is_read_in_parts_that_know_the_names_before() -> None:
    first = '[["Optimus", "was announced by", "Tesla"]]'
    claims, prompts = extract([first, "[]", "[]"], part_words=7)
    assert len(prompts) == 3
    assert [fenced(item)[-1][1] for item in prompts] == [
        "[S1] Optimus was announced by Tesla in 2021.",
        "[S1] It weighs “57 kg”.",
        "[S1] The robot never walked.",
    ]
    assert dict(fenced(prompts[1]))["names"] == "Optimus\nTesla"
    assert claims[0].subject is not None


def test_the_model_says_by_number_which_sentence_states_a_claim() -> None:
    text = Text("t", "The tower is old. The tower is red. The mill is red.")
    answer = '[[2, "The tower", "is", "red"], [1, "The tower", "is", "red"], [3, "The tower", "stands", "there"]]'
    model, prompts = scripted(answer)
    (found,) = LLMExtractor(model).extract([text])
    assert "[S1] The tower is old. [S2] The tower is red. [S3] The mill is red." in prompts[0]
    assert isinstance(found, list)
    # The third shares no word with its sentence: the number is a slip, and words decide.
    assert [claim.sentence.of(text.text) for claim in found[:3]] == [
        "The tower is red.",
        "The tower is old.",
        "The tower is old.",
    ]


def test_a_number_that_the_model_copies_is_no_part_of_a_claim() -> None:
    answers = {"grapheval": '[[1, "[S1] The tower", "is", "red"]]', "subsentences": '[[1, "[S1] The tower is red."]]'}
    for mode, answer in answers.items():
        (found,) = LLMExtractor(lambda _, answer=answer: answer, mode).extract([Text("t", "The tower is red.")])
        assert [claim.text for claim in found] == ["The tower is red."]
    own = Text("t", "The key [S1] is red.")
    (found,) = LLMExtractor(lambda _: '[[1, "The key [S1]", "is", "red"]]').extract([own])
    assert [claim.text for claim in found] == ["The key [S1] is red."]


def test_a_number_that_no_sentence_has_is_asked_again() -> None:
    wrong, right = (f'[[{number}, "The tower", "is", "red"]]' for number in (7, 1))
    model, prompts = scripted(wrong, right)
    (found,) = LLMExtractor(model).extract([Text("t", "The tower is red.")])
    assert "there is no sentence 7" in prompts[1]
    assert isinstance(found, list)
    assert len(found) == 1


def test_names_carried_over_are_the_last_ones() -> None:
    assert carried(["A", "B"], ["A", "c", "D" * 100]) == ["B", "A"]
    assert len(carried([], [f"N{n}" for n in range(99)])) == 30


@given(st.text(max_size=500), st.integers(1, 40))
def test_parts_hold_every_sentence_once(text: str, most: int) -> None:
    found = list(map(over, runs(text, most, words_in)))
    for sentence in sentences(text):
        assert sum(part.start <= sentence.span.start and sentence.span.end <= part.end for part in found) == 1


def test_an_answer_that_repeats_the_instructions_is_asked_again() -> None:
    def model(request: str) -> str:
        asked.append(request)
        return request if len(asked) == 1 else '[[1, "The tower", "is", "red"]]'

    asked: list[str] = []
    (found,) = LLMExtractor(model).extract([Text("t", "The tower is red.")])
    assert "it repeats" in asked[1]
    assert [claim.text for claim in found] == ["The tower is red."]

    def echo(request: str) -> str:
        return "\n".join(line for line in request.splitlines() if line.startswith("Answer: "))

    (found,) = LLMExtractor(echo).extract([Text("t", "The tower is red.")])
    assert isinstance(found, ItemError)
    assert "it repeats the instructions" in found.message


def test_an_endless_answer_is_not_read_and_not_asked_again() -> None:
    model, prompts = scripted("[" + '"x", ' * 500_000)
    (found,) = LLMExtractor(model).extract([Text("t", "The tower is red.")])
    assert isinstance(found, ItemError)
    assert "more than the 2,000,000 allowed" in found.message
    assert len(str(found.answer)) < 30_000
    assert len(prompts) == 1


def test_one_repair_then_an_error_with_the_raw_answer() -> None:
    model, prompts = scripted("I see a robot.", '[["Optimus", "weighs", "57 kg"]]')
    claims = LLMExtractor(model).extract([Text("t", RESPONSE)])[0]
    assert isinstance(claims, list)
    assert "could not be read: it holds no list of triples" in prompts[1]
    assert "I see a robot." in prompts[1]
    model, prompts = scripted("I see a robot.", "Still a robot.", "[]")
    error = LLMExtractor(model).extract([Text("t", RESPONSE)])[0]
    assert isinstance(error, ItemError)
    assert (error.stage, error.answer, len(prompts)) == ("extract", "Still a robot.", 2)
    assert "no list of triples" in error.message


def test_a_truncated_answer_is_never_taken() -> None:
    class Short:
        fingerprint = "short"

        def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
            return [Completion('[["Optimus", "weighs", "57 kg"]]', truncated=True) for _ in requests]

    error = LLMExtractor(Short()).extract([Text("t", RESPONSE)])[0]
    assert isinstance(error, ItemError)
    assert "ran out of tokens" in error.message
    assert error.hint == "increase --max-tokens"


def test_a_model_that_raises_costs_its_item_only() -> None:
    def model(text: str) -> str:
        if "bad" in text:
            raise RuntimeError("no bad words")
        return "[]"

    found = LLMExtractor(model).extract([Text("a", "A bad text."), Text("b", "A good text.")])
    assert isinstance(found[0], ItemError)
    assert "no bad words" in found[0].message
    assert isinstance(found[1], list)


def test_focus_asks_for_its_part_only() -> None:
    model, prompts = scripted('[["Ada", "wrote", "notes"]]')
    text = "Ada was a poet. Ada wrote notes."
    found = LLMExtractor(model, settings=Settings.of(part_words=4)).extract([Text("t", text, focus=(Span(20, 22),))])[0]
    assert len(prompts) == 1
    assert [claim.text for claim in found] == ["Ada wrote notes."]


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(UsageError, match="known modes: grapheval"):
        LLMExtractor(str, "all")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="known modes: joint"):
        LLMChecker(str, "all")  # type: ignore[arg-type]


def test_a_models_name_is_no_function() -> None:
    assert isinstance(as_model(str.upper), FunctionModel)
    model = FunctionModel(str.upper)
    assert as_model(model) is model
    assert model.complete([Request((Message("system", "a"), Message("user", "b")))]) == [Completion("A\n\nB")]


def shout(text: str) -> str:
    return text.upper()


class Shouter:
    fingerprint = "shouter"

    def shout(self, text: str) -> str:
        return text.upper()


def with_suffix(suffix: str) -> Callable[[str], str]:
    return lambda text: text + suffix


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda text: text.upper(), lambda text: text.lower()),
        (with_suffix("a"), with_suffix("b")),
        (shout, with_suffix("a")),
        (str.upper, str.lower),
    ],
)
def test_two_functions_are_two_models(first: Callable[[str], str], second: Callable[[str], str]) -> None:
    assert FunctionModel(first).fingerprint != FunctionModel(second).fingerprint


@pytest.mark.parametrize("function", [shout, with_suffix("a"), Shouter().shout, str.upper])
def test_one_function_is_one_model(function: Callable[[str], str]) -> None:
    assert FunctionModel(function).fingerprint == FunctionModel(function).fingerprint


def test_methods_of_two_objects_are_two_models() -> None:
    class Unnamed:
        def answer(self, text: str) -> str:
            return text

    assert FunctionModel(Unnamed().answer).fingerprint != FunctionModel(Unnamed().answer).fingerprint


def test_a_function_names_its_model() -> None:
    def model(text: str) -> str:
        return text

    model.fingerprint = "mine"  # type: ignore[attr-defined]
    assert FunctionModel(model).fingerprint == "mine"


@pytest.mark.parametrize("function", [shout, Shouter().shout])
def test_a_pickled_function_model_is_the_same_model(function: Callable[[str], str]) -> None:
    model = FunctionModel(function)
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert copy.fingerprint == model.fingerprint
    assert copy.complete([Request((Message("user", "a"),))]) == [Completion("A")]


def test_a_pickled_client_has_the_same_name_options_and_cache(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    model = LiteLLM("openai/x", Options(temperature=0.5, api_base="http://x", retries=7), cache)
    request = Request((Message("user", "a"),))
    cache.put(model._key(request), "openai/x", answer("from the cache"))
    assert model.complete([request]) == [answer("from the cache")]
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert (copy.name, copy.options, copy.fingerprint) == (model.name, model.options, model.fingerprint)
    assert copy.totals.requests == 0
    assert copy.complete([request]) == [answer("from the cache")]
    assert (copy.totals.requests, model.totals.requests) == (1, 1)


def test_parts_that_share_a_client_share_it_when_they_are_pickled_together() -> None:
    model = LiteLLM("openai/x")
    first, second = pickle.loads(pickle.dumps((model, model)))  # noqa: S301
    assert first is second


# Checking


def task(*claims: str, passages: Sequence[str] = ("It rained in Orsa.",)) -> CheckTask:
    found = tuple(Claim.whole("t", claim, Span(0, len(claim))) for claim in claims)
    return CheckTask(Text("t", " ".join(claims)), found, tuple(map(Passage.of, passages)))


def judged(checker: LLMChecker, item: CheckTask) -> list[Judgement]:
    found = checker.check([item])[0]
    assert isinstance(found, list)
    return found


def test_joint_labels_go_to_their_claims() -> None:
    model, prompts = scripted('{"c3": "Contradiction", "c1": "Entailment", "c2": "Neutral"}')
    found = judged(LLMChecker(model), task("It rained.", "It snowed.", "It was dry."))
    assert [item.label for item in found] == [Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION]
    assert [item.p_inconsistent for item in found] == [0.0, 1.0, 1.0]
    assert len(prompts) == 1


def test_a_missing_answer_is_that_claims_error_and_nobody_elses() -> None:
    model, prompts = scripted("c1: Entailment")
    found = judged(LLMChecker(model), task("It rained.", "It snowed."))
    assert found[0].label is Label.ENTAILMENT
    assert found[1].error is not None
    assert "c2 has no label" in found[1].error.message
    assert found[1].error.answer == "c1: Entailment"
    assert len(prompts) == 2  # one repair


def test_an_extra_answer_is_asked_about_once_and_never_given_to_a_claim() -> None:
    model, prompts = scripted("c1: Entailment\nc9: Neutral")
    found = judged(LLMChecker(model), task("It rained."))
    assert "c9 is no id of a claim" in prompts[1]
    assert found[0].label is Label.ENTAILMENT


def test_batches_keep_their_ids() -> None:
    model, prompts = scripted('{"c1": "Entailment", "c2": "Neutral"}', '{"c3": "Entailment"}')
    found = judged(LLMChecker(model, batch=2), task("One.", "Two.", "Three."))
    assert len(prompts) == 2
    assert [item.label for item in found] == [Label.ENTAILMENT, Label.NEUTRAL, Label.ENTAILMENT]


def test_the_evidence_is_the_passage_that_the_model_names() -> None:
    item = task("It rained.", passages=("It rained here.", "Nothing. It rained there. Nothing."))
    model, _ = scripted('[{"id": "c1", "label": "Entailment", "passage": "p2"}]')
    (evidence,) = judged(LLMChecker(model), item)[0].evidence
    assert evidence.passage_id == item.passages[1].id
    assert evidence.span.of(item.passages[1].text) == "It rained there."


def test_no_passage_is_no_call() -> None:
    model, prompts = scripted("")
    for passages in ((), ("",), (" \n",)):
        found = judged(LLMChecker(model), task("It rained.", passages=passages))
        assert (found[0].label, found[0].flagged, found[0].reason) == (Label.NEUTRAL, True, "no_passage")
    assert prompts == []


def test_passages_too_long_for_one_call_are_read_in_several() -> None:
    texts = [f"Passage {number}. " + "word " * 6000 for number in range(3)]
    assert [len(group) for group in groups(tuple(map(Passage.of, texts)))] == [1, 1, 1]
    model, prompts = scripted("c1: Neutral", "c1: Entailment", "c1: Contradiction")
    found = judged(LLMChecker(model), task("It rained.", passages=texts))
    assert len(prompts) == 3
    assert found[0].label is Label.ENTAILMENT


def test_probabilities_become_scores() -> None:
    class Sure:
        fingerprint = "sure"

        def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
            assert all(request.logprobs for request in requests)
            token = Token("Ent", -0.22, (("Ent", -0.223144), ("Neut", -1.609438)))
            return [Completion("Entailment", (token, Token("ailment", 0.0))) for _ in requests]

    found = judged(LLMChecker(Sure(), "single"), task("It rained."))[0]
    assert found.p_inconsistent == pytest.approx(0.2, abs=1e-4)
    assert found.evidence[0].scores == pytest.approx((0.8, 0.2, 0.0), abs=1e-4)


def test_a_whole_chain_with_functions_for_models() -> None:
    extractor, _ = scripted('[["Paris", "is in", "Spain"]]')
    checker, _ = scripted("c1: Contradiction")
    ge = GraphEval(LLMExtractor(extractor), LLMChecker(checker))
    result = ge.check("Paris is in Spain.", context="Paris is the capital of France.")
    assert [finding.judgement.label for finding in result.flagged] == [Label.CONTRADICTION]
    assert len(ge.models) == 2


# Ensembles


class Fixed:
    """A checker that always gives the same p."""

    def __init__(self, p: float | None, threshold: float = 0.5) -> None:
        self.p, self.threshold, self.fingerprint = p, threshold, f"fixed {p}"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        if self.p is None:
            return [ItemError("check", "down") for _ in tasks]
        label = Label.ENTAILMENT if self.p <= self.threshold else Label.NEUTRAL
        flagged = label is not Label.ENTAILMENT
        return [[Judgement(claim.id, label, self.p, flagged) for claim in item.claims] for item in tasks]


@pytest.mark.parametrize(
    ("rule", "ps", "expected", "flagged"),
    [
        ("mean", (0.2, 0.6), 0.4, False),
        ("mean", (0.4, 0.8), 0.6, True),
        ("vote", (0.9, 0.1), 0.5, False),
        ("vote", (0.9, 0.8, 0.1), 0.666667, True),
        ("any", (0.1, 0.7), 0.7, True),
        ("any", (0.1, 0.3), 0.3, False),
    ],
)
def test_the_rules_of_ensembles(rule: str, ps: Sequence[float], expected: float, flagged: bool) -> None:
    found = EnsembleChecker([Fixed(p) for p in ps], rule).check([task("It rained.")])[0]  # type: ignore[arg-type]
    assert isinstance(found, list)
    assert (found[0].p_inconsistent, found[0].flagged) == (expected, flagged)


def test_a_members_own_threshold_is_the_middle() -> None:
    assert (centred(0.2, 0.2), centred(0.0, 0.2), centred(1.0, 0.2), centred(0.6, 0.2)) == (0.5, 0.0, 1.0, 0.75)
    assert (centred(0.0, 0.0), centred(1.0, 1.0)) == (0.0, 0.5)


def test_an_ensemble_with_a_member_that_fails_has_that_error() -> None:
    found = EnsembleChecker([Fixed(0.1), Fixed(None)]).check([task("It rained.")])[0]
    assert isinstance(found, ItemError)


def test_an_ensemble_by_name_and_its_errors() -> None:
    made = registry.create("checker", "ensemble:builtin+builtin", Settings.of(ensemble="any", threshold=0.3))
    assert (made.rule, len(made.checkers), made.threshold) == ("any", 2, 0.5)
    assert made.models == ()
    with pytest.raises(UsageError, match="checker 'ensemble' needs at least 2 checkers"):
        registry.create("checker", "ensemble:builtin")
    with pytest.raises(UsageError, match="unknown checker 'bultin'"):
        registry.create("checker", "ensemble:builtin+bultin")
    with pytest.raises(UsageError, match="unknown ensemble rule"):
        EnsembleChecker([Fixed(0.1), Fixed(0.2)], "median")  # type: ignore[arg-type]


class Noting(Fixed):
    """Notes what it is asked."""

    def __init__(self, by_claim: dict[str, float | None], doubtful: tuple[float, float] = (0.1, 0.9)) -> None:
        super().__init__(None)
        self.by_claim, self.doubtful, self.asked = by_claim, doubtful, []

    def check(self, tasks):
        found = []
        for item in tasks:
            self.asked += [claim.text for claim in item.claims]
            own = []
            for claim in item.claims:
                p = self.by_claim[claim.text]
                if p is None:
                    own.append(Judgement.failed(claim.id, ItemError("check", "down")))
                else:
                    label = Label.NEUTRAL if p > 0.5 else Label.ENTAILMENT
                    own.append(Judgement(claim.id, label, p, p > 0.5, unsupported=(Span(0, 2),) if p > 0.5 else ()))
            found.append(own)
        return found


def test_only_doubtful_claims_go_on_in_a_cascade() -> None:
    first = Noting({"A sure one.": 0.05, "A wrong one.": 0.95, "A doubtful one.": 0.6, "Another one.": 0.3})
    second = Noting({"A doubtful one.": 0.2, "Another one.": 0.99})
    cascade = CascadeChecker([first, second], names=["a", "b"])
    (found,) = cascade.check([task("A sure one.", "A wrong one.", "A doubtful one.", "Another one.")])
    assert isinstance(found, list)
    assert second.asked == ["A doubtful one.", "Another one."]
    assert [(item.p_inconsistent, item.flagged, item.decided_by) for item in found] == [
        (0.05, False, "a"),
        (0.95, True, "a"),
        (0.2, False, "b"),
        (0.99, True, "b"),
    ]
    assert [bool(item.unsupported) for item in found] == [False, True, False, True]


def test_the_bounds_of_a_cascade_can_be_set_and_three_checkers_follow_each_other() -> None:
    claims = {"One.": 0.3, "Two.": 0.5, "Three.": 0.7}
    members = [Noting(claims), Noting({**claims, "Two.": 0.45}, (0.4, 0.6)), Noting(dict.fromkeys(claims, 0.0))]
    CascadeChecker(members).check([task("One.", "Two.", "Three.")])
    assert [member.asked for member in members] == [["One.", "Two.", "Three."], ["One.", "Two.", "Three."], ["Two."]]
    members = [Noting(claims), Noting(claims)]
    CascadeChecker(members, doubtful=(0.4, 0.6)).check([task("One.", "Two.", "Three."), task("One.")])
    assert members[1].asked == ["Two."]


def test_in_a_cascade_a_later_error_costs_only_the_claims_that_went_on() -> None:
    first = Noting({"A sure one.": 0.05, "A doubtful one.": 0.6})
    for second in (Noting({"A doubtful one.": None}), Fixed(None)):
        (found,) = CascadeChecker([first, second]).check([task("A sure one.", "A doubtful one.")])
        assert isinstance(found, list)
        assert [item.error is None for item in found] == [True, False]
    (found,) = CascadeChecker([Fixed(None), second]).check([task("A sure one.")])
    assert isinstance(found, ItemError)


def test_a_cascade_keeps_the_label_of_the_checker_that_decides() -> None:
    class Contradicting(Fixed):
        def check(self, tasks):
            return [[Judgement(claim.id, Label.CONTRADICTION, 0.95, True) for claim in item.claims] for item in tasks]

    (found,) = CascadeChecker([Contradicting(0.9), Fixed(0.1)]).check([task("A wrong one.")])
    assert [(item.label, item.flagged) for item in found] == [(Label.CONTRADICTION, True)]

    class Doubting(Fixed):
        def check(self, tasks):
            entry = Evidence(tasks[0].passages[0].id, Span(0, 3), Scores(0.4, 0.5, 0.1))
            return [
                [Judgement(c.id, Label.NEUTRAL, 0.6, True, evidence=(entry,)) for c in item.claims] for item in tasks
            ]

    cascade = CascadeChecker([Doubting(0.6), Contradicting(0.9)])
    (found,) = cascade.check([task("A wrong one.")])
    assert found[0].evidence  # of the first checker: the second one gives none
    assert found[0].label is Label.CONTRADICTION
    (found,) = CascadeChecker([Fixed(0.5), cascade]).check([task("A wrong one.")])
    assert found[0].label is Label.CONTRADICTION


def test_a_cascade_by_name_and_its_errors() -> None:
    made = registry.create("checker", "cascade:builtin>llm:openai/x", Settings.of(doubtful=(0.2, 0.7)))
    assert made.stages == ("builtin", "llm:openai/x")
    assert made.bounds == ((0.2, 0.7),)
    assert {"doubtful", "check_mode"} <= set(made.reads)
    again = registry.create("checker", "cascade:builtin>llm:openai/x")
    assert again.bounds == (again.checkers[0].doubtful,)
    assert made.fingerprint != again.fingerprint
    assert registry.create("checker", "cascade:builtin>builtin>builtin").check([]) == []
    assert registry.create("checker", "cascade:builtin>builtin").stages == ("builtin (1)", "builtin (2)")
    for missing in ("cascade:builtin>", "cascade:>builtin", "ensemble:builtin+"):
        with pytest.raises(UsageError, match="a checker is missing"):
            registry.create("checker", missing)
    with pytest.raises(UsageError, match="checker 'cascade' needs at least 2 checkers"):
        registry.create("checker", "cascade:builtin")
    with pytest.raises(UsageError, match="bounds of doubtful claims"):
        CascadeChecker([Fixed(0.1), Fixed(0.2)], doubtful=(0.7, 0.2))
    for wrong in ("0.7,0.2", "0.5", "a,b", "0.1,1.2", 3):
        with pytest.raises(SettingsError, match="doubtful"):
            load({"doubtful": wrong})


def test_no_passage_is_no_passage_in_an_ensemble() -> None:
    ge = GraphEval(checker="ensemble:builtin+builtin", threshold=0.4)
    assert ge.check("It rained.").findings[0].judgement.reason == "no_passage"
    result = ge.check("It rained in Orsa.", context="It snowed in Orsa, and it did not rain.")
    (evidence,) = result.findings[0].judgement.evidence
    assert sum(evidence.scores) == pytest.approx(1.0, abs=1e-4)


def test_a_connection_that_breaks_is_no_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_CHAT_API_KEY", raising=False)
    broken = RuntimeError("Server disconnected without sending a response.")
    assert isinstance(classified(broken, "ollama_chat/llama3.1", custom_server=False), TransientError)
    missing = classified(RuntimeError("Please set ANTHROPIC_API_KEY"), "claude-x", custom_server=False)
    assert isinstance(missing, ModelError)
    assert missing.hint == "set ANTHROPIC_API_KEY"


@pytest.mark.parametrize(
    ("part", "old", "denies"),
    [("is not provided to", "is provided to", True), ("is not stated", "was built in", False)],
)
def test_a_part_that_only_denies_the_old_one_is_a_correction(part: str, old: str, denies: bool) -> None:
    assert _denies(part, old) is denies
    assert NOT_GIVEN.fullmatch("not stated in the context")
    assert not NOT_GIVEN.fullmatch("is not available in Europe")
