"""RefChecker's names over the parts of this package. Names of tests tell what refchecker 0.2.17 does wrong."""

import importlib
import json
import sys
from pathlib import Path

import pytest

from graph_eval import refchecker
from graph_eval.cli.main import main
from graph_eval.errors import MissingPartError, UsageError
from graph_eval.refchecker import (
    ExtractionResult,
    LLMChecker,
    LLMExtractor,
    PartChecker,
    PartExtractor,
    RCClaim,
    RCSentence,
    RCText,
    aggregators,
    files,
    major_agg,
    soft_agg,
    strict_agg,
)
from graph_eval.refchecker.checkers import segmented
from graph_eval.refchecker.claims import content_of, text_of
from graph_eval.settings import Settings
from graph_eval.types import ItemError
from tests.models import fenced, verdict

E, N, C = "Entailment", "Neutral", "Contradiction"
SETTINGS = Settings.of(cache="off")


def test_every_name_can_be_imported() -> None:
    for name in refchecker.__all__:
        assert getattr(refchecker, name).__name__ == name
    for module, name in (("base", "RCText"), ("base", "RCSentence"), ("localizer", "NaiveEmbedLocalizer")):
        there = importlib.import_module(f"graph_eval.refchecker.{module}")
        assert getattr(there, name) is getattr(refchecker, name)
    with pytest.raises(AttributeError):
        refchecker.Nothing  # noqa: B018


OF_TORCH = ("NLIChecker", "AlignScoreChecker", "RepCChecker", "EmbedLocalizer", "NaiveEmbedLocalizer")


@pytest.mark.parametrize("name", OF_TORCH)
def test_a_class_whose_extra_is_missing_says_which(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("transformers", "safetensors"):  # these alone are not enough
        (tmp_path / f"{package}.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPartError, match="torch is not installed") as caught:
        getattr(refchecker, name)()
    assert caught.value.hint == "pip install 'graph_eval[hf]'"
    assert caught.value.__cause__ is None, "a traceback shows one error"


def test_a_missing_extra_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "in.json").write_text("[]")
    paths = ["--input_path", str(tmp_path / "in.json"), "--output_path", str(tmp_path / "out.json")]
    assert main(["refchecker", "check", *paths, "--checker_name", "nli"]) == 3
    shown = capsys.readouterr().err
    assert "torch is not installed" in shown
    assert "pip install 'graph_eval[hf]'" in shown
    assert "Traceback" not in shown


# Aggregators


@pytest.mark.parametrize(
    ("labels", "strict", "major"),
    [
        ([E, E], E, E),
        ([E, N, N], N, N),
        ([E, E, C], C, E),
        ([N, C], C, N),
        ([["Entailment"], ["Neutral"]], N, E),
        ([], "Abstain", "Abstain"),
    ],
)
def test_aggregators_as_there(labels: list, strict: str, major: str) -> None:
    assert strict_agg(labels) == strict
    assert major_agg(labels) == major
    shares = soft_agg(labels)
    assert shares is not None
    assert sum(shares.values()) == pytest.approx(1)


def test_several_references_which_there_crash_soft_and_major_and_make_everything_entailed_for_strict() -> None:
    labels = [[N, C], [N, N], [C, E]]
    assert strict_agg(labels) == C
    assert major_agg([*labels, [E, N]]) == E
    assert soft_agg(labels) == {E: 1 / 3, N: 1 / 3, C: 1 / 3, "Abstain": 0.0}


def test_a_claim_without_a_reference_has_no_label_which_strict_calls_entailed_there() -> None:
    assert strict_agg([[], []]) is soft_agg([[], []]) is major_agg([[]]) is None
    checker = PartChecker("builtin", SETTINGS)
    claims = ["The tower is old.", "It is high."]
    for merge in (False, True):
        assert checker.check([claims], [[]], merge_psg=merge) == [[[], []]]


def test_aggregators_leave_their_input_which_is_changed_there() -> None:
    labels = [[E], [N]]
    soft_agg(labels)
    assert labels == [[E], [N]]


def test_a_missing_label_is_not_made_up() -> None:
    assert strict_agg([E, None]) is soft_agg([None]) is major_agg([[None, N]]) is None
    assert strict_agg([[None, E]]) == E, "one that entails is enough whatever the other would say"


# Checkers


def by_words(prompts: list[str]) -> list[str]:
    """A model that reads our prompts: a claim is entailed if a passage holds its words."""
    answers = []
    for prompt in prompts:
        parts = fenced(prompt)
        passages = [text for name, text in parts if name.startswith("passage")]
        claims = [(name.removeprefix("claim").strip(), text) for name, text in parts if name.startswith("claim")]
        if claims[0][0]:
            answers.append(json.dumps([{"id": name, "label": verdict(text, passages)} for name, text in claims]))
        else:
            answers.append(verdict(claims[0][1], passages))
    return answers


PASSAGES = ["The tower opened in 1889.", "It measures 38 metres."]
CLAIMS = [["tower", "opened in", "1889"], ["tower", "measures", "99 metres"]]


def test_the_builtin_checker_reads_triplets() -> None:
    triplets = [["tower", "opened in", "1889"], ["tower", "opened in", "1920"], ["bridge", "burned in", "1950"]]
    checker = PartChecker("builtin", SETTINGS)
    assert checker.check([triplets], ["The tower opened in 1889. The bridge is new."], merge_psg=True)[0][0] == E
    assert E not in checker.check([triplets[1:]], ["The tower opened in 1889. The bridge is new."], merge_psg=True)[0]


@pytest.mark.parametrize("joint", [True, False])
def test_each_equal_claim_and_each_equal_reference_has_its_label(joint: bool) -> None:
    claims = [CLAIMS[0], CLAIMS[1], CLAIMS[0]]
    references = [PASSAGES[0], "Harbours.", PASSAGES[0]]
    checker = LLMChecker("openai/x", settings=SETTINGS)
    labels = checker.check([claims], [references], is_joint=joint, custom_llm_api_func=by_words)
    assert labels == [[[E, N, E], [N, N, N], [E, N, E]]]


@pytest.mark.parametrize("joint", [True, False])
def test_triplets_in_a_prompt(joint: bool) -> None:
    seen: list[str] = []

    def model(prompts: list[str]) -> list[str]:
        seen.extend(prompts)
        return by_words(prompts)

    claims: list = [["The tower", "opened in", "1889"], RCClaim("triplet", ["It", "is", 'a "tower"']), "It is old."]
    LLMChecker("openai/x", settings=SETTINGS).check([claims], PASSAGES[:1], is_joint=joint, custom_llm_api_func=model)
    shown = [text for prompt in seen for name, text in fenced(prompt) if name.startswith("claim")]
    assert sorted(shown) == ['("It", "is", "a "tower"")', '("The tower", "opened in", "1889")', "It is old."]


def test_merged_labels_are_those_of_each_reference() -> None:
    """A model that reads only the first passage of a call: each reference has a call."""

    def first(prompts: list[str]) -> list[str]:
        return [verdict(fenced(prompt)[-1][1], [fenced(prompt)[0][1]]) for prompt in prompts]

    checker = LLMChecker("openai/x", settings=SETTINGS)
    options = {"merge_psg": True, "is_joint": False, "custom_llm_api_func": first}
    assert checker.check([CLAIMS[:1]], [["Harbours.", PASSAGES[0]]], **options) == [[E]]


@pytest.mark.parametrize("joint", [True, False])
def test_labels_one_a_reference_or_merged(joint: bool) -> None:
    checker = LLMChecker("openai/x", settings=SETTINGS)
    options = {"is_joint": joint, "custom_llm_api_func": by_words}
    apart = checker.check([CLAIMS, []], [PASSAGES, "Nothing."], ["Which tower?", None], **options)
    assert apart == [[[E, N], [N, N]], []]
    together = checker.check([CLAIMS, []], [PASSAGES, "Nothing."], merge_psg=True, **options)
    assert together == [[E, N], []]
    assert checker.errors == []


def test_texts_checked_jointly_which_there_are_cut_to_three_letters() -> None:
    seen: list[str] = []

    def model(prompts: list[str]) -> list[str]:
        seen.extend(prompts)
        return by_words(prompts)

    checker = LLMChecker("openai/x", settings=SETTINGS)
    assert checker.check([["The tower opened in 1889."]], PASSAGES[:1], custom_llm_api_func=model) == [[[E]]]
    assert "The tower opened in 1889." in seen[0]


def test_joint_checking_without_a_question_which_crashes_there() -> None:
    checker = LLMChecker("openai/x", settings=SETTINGS)
    assert checker.check([CLAIMS], [PASSAGES[0]], custom_llm_api_func=by_words) == [[[E], [N]]]


def test_a_label_that_the_model_left_out_which_there_becomes_neutral() -> None:
    def forgetful(prompts: list[str]) -> list[str]:
        return [json.dumps(json.loads(answer)[:-1]) for answer in by_words(prompts)]

    checker = LLMChecker("openai/x", settings=SETTINGS)
    assert checker.check([CLAIMS], [PASSAGES], merge_psg=True, custom_llm_api_func=forgetful) == [[E, None]]
    assert "c2" in str(checker.errors[0])


def test_one_unreadable_answer_leaves_the_other_items() -> None:
    def model(prompts: list[str]) -> list[str]:
        return ["I see a tower." if "harbour" in prompt else by_words([prompt])[0] for prompt in prompts]

    checker = LLMChecker("openai/x", settings=SETTINGS)
    results = checker.check([CLAIMS, CLAIMS], [PASSAGES, "The harbour."], merge_psg=True, custom_llm_api_func=model)
    assert results == [[E, N], [None, None]]


def test_each_item_has_its_own_errors() -> None:
    def model(prompts: list[str]) -> list[str]:
        return [f"I see {'a harbour' if 'harbour' in prompt else 'a tower'}." for prompt in prompts]

    checker = LLMChecker("openai/x", settings=SETTINGS)
    references = ["A tower.", "A harbour."]
    results = checker.check([CLAIMS, CLAIMS[:1]], references, merge_psg=True, is_joint=False, custom_llm_api_func=model)
    assert results == [[None, None], [None]]
    answers = [[error.answer for error in item] for item in checker.failures]
    assert answers == [["I see a tower.", "I see a tower."], ["I see a harbour."]]


def test_claims_a_call() -> None:
    calls: list[str] = []

    def model(prompts: list[str]) -> list[str]:
        calls.extend(prompts)
        return by_words(prompts)

    claims = [["tower", "opened in", str(1880 + n)] for n in range(7)]
    LLMChecker("openai/x", settings=SETTINGS).check(
        [claims], [PASSAGES[0]], joint_check_num=3, custom_llm_api_func=model
    )
    assert len(calls) == 3


def test_long_references_in_runs_of_sentences_which_there_joint_checking_ignores() -> None:
    text = "One two three. Four five six. Seven eight."
    assert segmented(text, 0) == [text]
    assert segmented(text, 8) == ["One two three. Four five six.", "Seven eight."]
    assert segmented(text, 2) == ["One two three.", "Four five six.", "Seven eight."]
    assert segmented("...", 2) == ["..."]
    seen: list[str] = []

    def model(prompts: list[str]) -> list[str]:
        seen.extend(prompts)
        return by_words(prompts)

    checker = LLMChecker("openai/x", settings=SETTINGS)
    reference = " ".join(PASSAGES)
    results = checker.check([CLAIMS[:1]], [reference], max_reference_segment_length=6, custom_llm_api_func=model)
    assert results == [[[E]]]
    assert len([name for name, _ in fenced(seen[0]) if name.startswith("passage")]) == 2


def test_lists_that_do_not_fit_and_claims_that_are_none() -> None:
    checker = PartChecker("builtin", SETTINGS)
    with pytest.raises(UsageError, match="1 / 2 / 1"):
        checker.check([["a"]], ["b", "c"])
    with pytest.raises(UsageError, match="invalid claim"):
        checker.check([[["a", "b"]]], ["b"])
    with pytest.raises(UsageError, match="unsupported argument sagemaker_client"):
        checker.check([["a"]], ["b"], sagemaker_client=object())
    with pytest.raises(UsageError, match="missing model"):
        LLMChecker()


def test_claims_of_every_form() -> None:
    claim = RCClaim("triplet", ["a", "b", "c"])
    assert RCClaim.from_dict(claim.to_dict()) == claim
    assert claim.get_content() == text_of(["a", "b", "c"]) == "a b c"
    assert claim.get_content(preserve_triplet_form=True) == '("a", "b", "c")'
    assert content_of(claim) == content_of(("a", "b", "c")) == ["a", "b", "c"]
    checker = PartChecker("builtin", SETTINGS)
    forms: list = [
        ["Tower", "opened in", "1889"],
        "Tower opened in 1889",
        RCClaim("triplet", ["Tower", "opened in", "1889"]),
    ]
    assert checker.check([forms], ["Tower opened in 1889."], merge_psg=True) == [[E, E, E]]


def test_sentences_and_texts() -> None:
    text = RCText("The tower opened in 1889.\n\nIt is 38 metres high. ")
    assert text.get_sentence_ids() == ["1", "2"]
    assert repr(text.get_sentence_by_id("2")) == "It is 38 metres high."
    assert text.get_indexed_response(condense_newlines=True) == (
        "[1] The tower opened in 1889. \n[2] It is 38 metres high."
    )
    sentence = text.sentences[0]
    assert (sentence.text, sentence.is_blank, sentence.start, sentence.end) == (
        "The tower opened in 1889.",
        False,
        0,
        6,
    )
    assert RCSentence.from_dict(sentence.to_dict()).to_dict() == sentence.to_dict()  # there: TypeError
    assert [found.is_blank for found in text.sentences] == [False, True, False]
    with pytest.raises(UsageError, match="unknown sentence '3'"):
        text.get_sentence_by_id("3")
    text.sentencize()
    assert len(text.sentences) == 3, "reading it again adds nothing"


def test_static_functions_of_the_localizer() -> None:
    localizer = refchecker.NaiveEmbedLocalizer
    assert localizer.cosine_dist([3.0, 4.0], [4.0, 3.0]) == pytest.approx(0.96)
    assert localizer.normalize("ĠTower▁Of") == " tower of"
    assert localizer.decorate("<b>", "red", "#FFF") == (
        '<span style="background-color:#FFF;color:red;border-radius:2%;">&lt;b&gt;</span>'
    )
    with pytest.raises(UsageError, match="segment_len is 0"):
        localizer("cpu", segment_len=0)


# Extractors


def test_triplets_and_texts_with_their_sentences() -> None:
    def triples(prompts: list[str]) -> list[str]:
        return ['[["Tower", "opened in", "1889"], ["Tower", "measures", "38 metres"]]' for _ in prompts]

    extractor = LLMExtractor(model="openai/x", settings=SETTINGS)
    responses = ["Tower opened in 1889. Tower measures 38 metres."]
    (result,) = extractor.extract(responses, ["How high?"], max_new_tokens=100, custom_llm_api_func=triples)
    assert [claim.content for claim in result.claims] == [
        ["Tower", "opened in", "1889"],
        ["Tower", "measures", "38 metres"],
    ]

    def texts(prompts: list[str]) -> list[str]:
        return ['["Tower opened in 1889.", "Tower measures 38 metres."]' for _ in prompts]

    extractor = LLMExtractor("subsentence", "openai/x", settings=SETTINGS)
    (result,) = extractor.extract(responses, custom_llm_api_func=texts)  # there without a question: NotImplementedError
    assert [(claim.content, claim.attributed_sent_ids) for claim in result.claims] == [
        ("Tower opened in 1889.", ["1"]), ("Tower measures 38 metres.", ["2"]),
    ]  # fmt: skip


def test_equal_triplets_count_once_and_equal_texts_twice() -> None:
    response = "Tower opened in 1889. Tower opened in 1889."

    def triples(prompts: list[str]) -> list[str]:
        form = '["subject", "predicate", "object"]'
        return [f'[["Tower", "opened in", "1889"], {form}, ["Tower", "opened in", "1889"]]' for _ in prompts]

    expected = [["Tower", "opened in", "1889"]]
    (result,) = LLMExtractor(model="openai/x", settings=SETTINGS).extract([response], custom_llm_api_func=triples)
    assert [claim.content for claim in result.claims] == expected
    (result,) = PartExtractor(settings=SETTINGS).extract([response])
    assert [claim.content for claim in result.claims] == expected
    (result,) = PartExtractor(claim_format="subsentence", settings=SETTINGS).extract([response])
    assert [claim.attributed_sent_ids for claim in result.claims] == [["1"], ["2"]]
    assert isinstance(result.response, RCText)
    assert [repr(result.response.get_sentence_by_id(n)) for n in "12"] == ["Tower opened in 1889."] * 2
    assert repr(result.claims[1]) == "Tower opened in 1889. [2]"


def test_triples_that_there_are_evaluated_as_python_or_dropped(tmp_path: Path) -> None:
    bad = tmp_path / "made"

    def model(prompts: list[str]) -> list[str]:
        code = f"(__import__('pathlib').Path({str(bad)!r}).touch(), 'b', 'c')"
        return [f'{code}\n("Tower", "opened in", "1889",)' for _ in prompts]

    LLMExtractor(model="openai/x", settings=SETTINGS).extract(["Tower opened."], custom_llm_api_func=model)
    assert not bad.exists()

    def trailing(prompts: list[str]) -> list[str]:
        return ['[("Tower", "opened in", "1889",),]' for _ in prompts]

    (result,) = LLMExtractor(model="openai/x", settings=SETTINGS).extract(
        ["Tower opened."], custom_llm_api_func=trailing
    )
    assert [claim.content for claim in result.claims] == [["Tower", "opened in", "1889"]]


def test_one_failing_answer_for_which_there_all_become_none() -> None:
    def model(prompts: list[str]) -> list[str]:
        return ["I see." if "harbour" in prompt else '[["Tower", "opened in", "1889"]]' for prompt in prompts]

    results = LLMExtractor(model="openai/x", settings=SETTINGS).extract(
        ["A harbour.", "A tower."], custom_llm_api_func=model
    )
    assert results[0].error is not None
    assert results[0].extractor_response == "I see."
    assert len(results[1].claims) == 1


def test_formats_and_questions_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="unknown claim format 'graph'"):
        LLMExtractor("graph", "openai/x")
    with pytest.raises(UsageError, match="1 responses and 2 questions"):
        PartExtractor(settings=SETTINGS).extract(["a"], ["b", "c"])


# Files


def test_items_keep_their_keys_and_bad_ones_stop_no_other() -> None:
    items = [
        {"response": "The tower opened in 1889.", "reference": PASSAGES, "id": 7, "error": "of yesterday"},
        {"reference": "x"},
        {"response": "The tower is green.", "reference": 5},
        {"response": "The tower is green.", "question": 5, "reference": "x"},
    ]
    extracted = list(files.extract(items, PartExtractor(settings=SETTINGS), 2, 500))
    assert extracted[0] == {**files.clean(items[0]), "claims": [["tower", "opened in", "1889"]]}
    assert ["error" in item for item in extracted] == [False, True, False, True]
    checked = list(files.check(extracted, PartChecker("builtin", SETTINGS), strict_agg, 3))
    assert (checked[0]["Y"], checked[0]["id"]) == (E, 7)
    assert [len(labels) for labels in checked[0]["ys"]] == [len(PASSAGES)]
    assert checked[0]["ys"][0][0] == E
    assert '"response" is missing' in checked[1]["error"]
    assert '"reference" is missing' in checked[2]["error"]
    assert '"question" is not a text' in checked[3]["error"]


@pytest.mark.parametrize("name", ["strict", "soft", "major"])
def test_ys_by_reference_and_an_empty_list_that_stops_no_other_item(name: str) -> None:
    """There `soft` and `major` stop at the first item that has not one reference, and nothing is written."""
    references: list = ["Tower opened in 1889.", ["Tower opened in 1889."], ["Tower opened in 1889.", "Harbours."], []]
    claims = [["Tower", "opened in", "1889"], ["Tower", "opened in", "1889"]]
    items = [{"claims": claims, "reference": reference} for reference in references]
    items.append({"claims": [], "reference": []})
    checked = list(files.check(items, PartChecker("builtin", SETTINGS), aggregators.AGGREGATORS[name], 8))
    several = checked[2]["ys"]
    assert [of_claim[0] for of_claim in several] == [E, E]
    assert [of_claim[1] in (N, C) for of_claim in several] == [True, True]
    assert [item["ys"] for item in checked] == [[E, E], [E, E], several, [[], []], []]
    expected = {E: 1.0, N: 0.0, C: 0.0, "Abstain": 0.0} if name == "soft" else E
    assert [item["Y"] for item in checked[:4]] == [expected, expected, expected, None]
    assert [item.get("error") for item in checked] == [None, None, None, files.EMPTY, None]


def test_a_label_that_is_missing_is_told_in_the_file() -> None:
    class Failing(PartChecker):
        def check(self, *_: object, **__: object) -> list:  # type: ignore[override]
            self.failures = [[ItemError("check", "a claim was not judged")]]
            return [[[E], [None]]]

    (result,) = files.check([{"claims": ["a", "b"], "reference": "c"}], Failing(settings=SETTINGS), soft_agg, 8)
    assert (result["ys"], result["Y"]) == ([E, None], None)
    assert "not judged" in result["error"]


def test_the_file_tells_each_items_first_error() -> None:
    class Failing(PartChecker):
        def check(self, *_: object, **__: object) -> list:  # type: ignore[override]
            self.failures = [[ItemError("check", "one"), ItemError("check", "two")], [ItemError("check", "three")]]
            return [[[None], [None]], [[None]]]

    items = [{"claims": ["a", "b"], "reference": "c"}, {"claims": ["a"], "reference": "c"}]
    results = files.check(items, Failing(settings=SETTINGS), soft_agg, 8)
    assert [item["error"] for item in results] == ["one", "three"]


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[1]", "\x00"])
def test_files_that_are_no_list_of_items(tmp_path: Path, text: str) -> None:
    path = tmp_path / "in.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"in\.json"):
        files.read(path)
    with pytest.raises(UsageError, match=r"reading .* failed"):
        files.read(tmp_path / "nothing.json")
    with pytest.raises(UsageError, match=r"cannot be written"):
        files.write([], tmp_path / "no" / "folder.json")


def test_the_format_decides_what_claims_an_item_has() -> None:
    responses = ["Berlin is big. The tower, which was old, fell."]
    triplets = PartExtractor(settings=SETTINGS).extract(responses)
    texts = PartExtractor(claim_format="subsentence", settings=SETTINGS).extract(responses)
    assert {claim.format for claim in triplets[0].claims} == {"triplet"}
    assert {claim.format for claim in texts[0].claims} == {"subsentence"}
    assert isinstance(texts[0], ExtractionResult)
