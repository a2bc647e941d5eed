"""A label is read where it is the answer. One that is denied, weakened or only mentioned is refused, never guessed."""

import json
import math

import pytest

from graph_eval.llm.labels import Verdict, label, probabilities, verdicts
from graph_eval.llm.model import Token
from graph_eval.llm.scanner import AnswerError
from graph_eval.types import Label

E, N, K = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION


@pytest.mark.parametrize(
    "answer",
    [
        '[{"id": "c1", "label": "Entailment", "passage": "p1"}, {"id": "c2", "label": "Neutral", "passage": null}]',
        '{"verdicts": [{"id": "c1", "label": "Entailment"}, {"id": "c2", "label": "Neutral"}]}',
        '{"c1": "Entailment", "c2": "Neutral"}',
        '{"c1": {"label": "Entailment"}, "c2": {"label": "Neutral"}}',
        "[['c1', 'entailed'], ['c2', 'neutral']]",
        "c1: Entailment\nc2: Neutral",
        "- **c1**: Entailment\n- **c2** – Neutral, nothing is said",
        "Claim C1: Entailment. Claim C2: not supported",
        "c2: Neutral\nc1: supported",
        "```json\n{'c1': 'Entailment', 'c2': 'Neutral',}\n```",
        "c1: Entailment, c2: Neutral",
    ],
)
def test_verdicts_are_read_by_id(answer: str) -> None:
    found, problems = verdicts(answer.replace(". Claim", ".\nClaim"), ["c1", "c2"])
    assert {name: verdict.label for name, verdict in found.items()} == {"c1": E, "c2": N}
    assert problems == {}


def test_the_passage_that_decides_is_kept() -> None:
    found, _ = verdicts('[{"id": "c1", "label": "Entailment", "passage": "p2"}]', ["c1"])
    assert found["c1"].passage == "p2"


@pytest.mark.parametrize(
    ("answer", "read", "wrong"),
    [
        ("c1: Entailment", {"c1": E}, {"c2": "no label"}),
        ('{"c1": "Entailment", "c2": "maybe"}', {"c1": E}, {"c2": "names no label"}),
        ("c1: Entailment\nc2: Neutral\nc3: Neutral", {"c1": E, "c2": N}, {"c3": "no id"}),
        ("c1: Entailment\nc1: Neutral\nc2: Neutral", {"c2": N}, {"c1": "two labels"}),
        ('{"c1": "Entailment", "c1": "Neutral", "c2": "Neutral"}', {"c2": N}, {"c1": "two labels"}),
        ("c1: Entailment\nc2: Entailment or Contradiction", {"c1": E}, {"c2": "not clear"}),
    ],
)
def test_missing_extra_and_double_answers_are_named(answer: str, read: dict[str, Label], wrong: dict[str, str]) -> None:
    found, problems = verdicts(answer, ["c1", "c2"])
    assert {name: verdict.label for name, verdict in found.items()} == read
    assert problems.keys() == wrong.keys()
    for name, reason in wrong.items():
        assert reason in problems[name]


@pytest.mark.parametrize(
    "answer", ["Entailment, Neutral", '["Entailment", "Neutral"]', "1. Entailment\n2. Neutral", ""]
)
def test_labels_without_ids_are_never_matched_by_position(answer: str) -> None:
    with pytest.raises(AnswerError, match="no claim by its id"):
        verdicts(answer, ["c1", "c2"])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Entailment", E),
        ("**Contradiction**", K),
        ("neutral.", N),
        ('{"label": "Contradiction", "reason": "the passage supports another date"}', K),
        ("Label: Entailment", E),
        ("The claim is not supported by the passage.", N),
        ("Entailment\n\nThe passage says so; nothing contradicts it.", E),
        ("The passage contradicts some of it and supports the rest.\nFinal answer: Contradiction", K),
        ("Let me check for Entailment first. The passage says 1990, not 1980. Contradiction", K),
        ("Contradiction. The claim is not supported.", K),
        ("Entailment? No: the passage says otherwise. Contradiction", K),
        ("Entailment would need a date. None is given.\nNeutral", N),
        ("Entailment, Neutral or Contradiction: which? I say Neutral.", N),
        ("Contradiction, since the passage does not support it", K),
        ("Neutral - the passage is silent, so it is neither Entailment nor a Contradiction.", N),
        ("The passage states 1990. Therefore: Contradiction", K),
        ("So the answer is: Entailment", E),
        ("The label is **Neutral**.", N),
        ("Therefore, the claim is entailed by the passage.", E),
        ("Judgment: Contradicted. The passage supports 1990.", K),
        ('{"label": "Neutral"}\n{"label": "neutral"}', N),
        ("```\nEntailment\n```", E),
        ("The context doesn't support the claim.", N),
        ("The passage does not support or contradict the claim.", N),
        ("The passages neither support nor contradict it.", N),
        ("Neutral. The passage supports the first half, but not the second.", N),
        ("Supported. Nothing in the other passages contradicts it.", E),
    ],
)
def test_one_label_is_read(answer: str, expected: Label) -> None:
    assert label(answer).label is expected


@pytest.mark.parametrize(
    "answer",
    [
        "Entailment or Neutral",
        "Entailment. On reflection, Contradiction.",
        "First I check Entailment.",
        "Is it Entailment?",
        "Supported. However, the date contradicts the passage.",
        'First: {"label": "Entailment"}? No. {"reason": "the dates differ", "label": "Contradiction"}',
        '{"label": "Entailment", "label": "Contradiction"}',
        "```\nEntailment\n```\n```\nContradiction\n```",
        "Entailment. Wait, the passage contradicts it.",
        "The claim isn't contradicted by the context.",
        "Not contradicted.",
        "The claim cannot be entailed by the context.",
        "None of the passages support the claim.",
        "The passages fail to support the claim.",
        "Nothing in the context contradicts the claim.",
        "Let me check for Entailment first. Then the passage",
        "I cannot say.",
        "",
        '{"label": "7"}',
    ],
)
def test_no_or_several_labels_are_refused(answer: str) -> None:
    with pytest.raises(AnswerError):
        label(answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"reason": "The passage gives another year.", "label": "Contradiction"}', "The passage gives another year."),
        ("Contradiction: the passage gives another year", "the passage gives another year"),
        ("The passage gives\nanother year.\nLabel: Contradiction", "The passage gives another year."),
        ("Contradiction", None),
        ('{"reason": "verbatim", "label": "Entailment"}', None),
        ("Neutral. " + "far too long " * 40, ("far too long " * 40)[:299] + "…"),
    ],
)
def test_the_reason_of_a_label_is_kept(answer: str, reason: str | None) -> None:
    assert label(answer).reason == reason


def test_probabilities_come_from_the_token_where_the_label_stands() -> None:
    answer = "c1: Ent"
    tokens = [
        Token("c1: ", 0.0),
        Token("Ent", math.log(0.6), (("Ent", math.log(0.6)), ("Cont", math.log(0.3)), (" the", math.log(0.1)))),
    ]
    found = probabilities(tokens, answer.index("Ent"))
    assert found is not None
    assert found[E] == pytest.approx(2 / 3)
    assert found[K] == pytest.approx(1 / 3)
    assert found[N] == 0.0


def test_no_probabilities_without_tokens() -> None:
    assert probabilities((), 0) is None
    assert probabilities([Token("Ent", 0.0)], None) is None
    assert probabilities([Token("The", 0.0)], 0) is None


def test_a_label_knows_its_place() -> None:
    assert label("Label: Entailment") == Verdict(E, None, 7)
    answer = '{"reason": "The Entailment of the date is clear", "label": "Entailment"}'
    assert label(answer).start == answer.rindex("Entailment")
    assert label("Entailment\nThe date is named.\nEntailment").start is None


UNCLEAR = [
    "Supported: No",
    "supported: no, the date differs",
    "**Entailment**: false",
    "Entailment – false",
    "Entailment: No, the passage says 1931.",
    "Entailment - rejected, because the passage says 1931.",
    "Entailment (excluded)",
    "Contradiction: none.",
    "Contradiction: None found. The passage states it.",
    "Entailment. No wait.",
    "Supported. No.",
    "Entailment. But the passage does not support the date.",
    "Entailment: 10%, Contradiction: 90%",
    "Label: Entailment: 10%, Contradiction: 90%",
    "Entailment (5%), Neutral (15%), Contradiction (80%)",
    "Entailment: 0.1, Neutral: 0.2",
    "Entailment is wrong.",
    "Label: Entailment would be wrong",
    "Entailment, as it says, would be too generous. The year is wrong.",
    "It would be Entailment if the year were right.",
    "Is it supported? No.",
    "cannot be entailed",
    "Nothing supports it.",
    "lacks support",
    "insufficient support",
    "No support",
    "No entailment",
    "Non-entailment",
    "Partially supported",
    "Mostly entailment",
    "never contradicts it",
    "far from supported",
    "hardly supported",
    "The passage supports the opposite",
    "The passage supports that the claim is false.",
    "The passage supports a different date.",
    "It is unlikely that the passage supports the claim.",
    "The claim is supported except for the date.",
    "The passage rather contradicts than supports the claim.",
    "This contradicts nothing in the passage.",
    "Entailment|Neutral|Contradiction",
    "Contradiction?",
    "Yes",
    "No",
    "true",
    "Entailment: the passage says otherwise.",
    "Entailment: the passage says 1931, while the claim says 1913.",
    "Entailment: the claim is false.",
    "Entailment: the passage does not say so",
    "Entailment: missing from the passage here",
    "The claim is supported because I say so, but not by the passage.",
    "Entailment. This is incorrect.",
    "Entailment — I am not sure.",
    "Entailment: ✗",
    "❌ Entailment",
    "~~Entailment~~",
    "[ ] Entailment",
    "The passage does not refute the claim.",
    "Entailment. The claim is false.",
    "Entailment. No, the passage says 1931.",
    "Entailment. Sorry, I misread the passage.",
    "Entailment. I take that back.",
    "Entailment. Or is it?",
    "Entailment. The passage does not mention the year.",
    "Supported. The passage gives another year. It differs from the claim.",
    "Entailment: the passage contradicts it",
    "Entailment: the claim is contradicted by p1",
    "Entailment because the claim is unsupported by the passage",
    "Entailment: the claim is unverifiable from here",
    "Entailment: the passage says the opposite",
    "Entailment, contrary to the passage",
    "Entailment: the year was disproved in p2",
    "Entailment: ruled out by p1",
    "Entailment: it is far from certain",
    "Entailment, with doubt about the year",
    "Entailment: the passage says 1931 instead of 1930",
    "Entailment: insufficient evidence in the passage",
    "Entailment: zero evidence in the passage",
    "Entailment: this depends on the reading",
    "Entailment: when the year is read loosely",
    "Entailment, assuming that the year is right",
    "Entailment, provided that the year is right",
    "Entailment: half of the claim is there",
    "Entailment: some of it is there",
    "Entailment (for 5/10 of the claim)",
    "Entailment: 10 out of 100",
    "Entailment: all of it apart from the year",
    "Entailment: everything save for the year",
    "Entailment: just the name is there",
    "Entailment: the claim says 1930, the passage says 1931",
    "Supported: two of three facts",
    "Supported: the year 1931\nContradicted: the place",
    "≠ Entailment",
    "!= Entailment",
    "!Entailment",
    "¬Entailment",
    "Entailment: ❌ the year is 1931",
    "not Entailment",
    "This is not an Entailment.",
    "Contradiction: 90",
    "Contradiction: 0.9, Entailment: 0.1",
    "Contradiction: no contradiction found",
    "Entailment (5%)",
    "Entailment-like",
]


@pytest.mark.parametrize("answer", UNCLEAR)
def test_words_around_a_label_that_deny_or_weaken_it_are_refused(answer: str) -> None:
    for form in (answer, json.dumps({"label": answer}), f"The claim names a year.\n{answer}"):
        with pytest.raises(AnswerError):
            label(form)
    for joint in (f"c1: {answer}", json.dumps({"c1": answer}), json.dumps([{"id": "c1", "label": answer}])):
        found, problems = verdicts(joint, ["c1"])
        assert not found
        assert "c1" in problems


@pytest.mark.parametrize(
    "answer",
    ['{"supported": false}', '{"Entailment": 0.1, "Contradiction": 0.9}', '{"label": {"entailment": true}}'],
)
def test_a_label_as_a_key_is_refused(answer: str) -> None:
    with pytest.raises(AnswerError):
        label(answer)


@pytest.mark.parametrize(
    "answer",
    [
        '{"label": "Entailment", "answer": "Contradiction"}',
        '{"label": "Entailment", "final_label": "Neutral"}',
        '{"label": "Entailment", "finalVerdict": "Contradiction"}',
        '{"label": "Entailment", "supported": false}',
        '{"label": "Entailment", "answer": "No"}',
        '{"label": "Entailment", "is_supported": false}',
        '{"label": "Entailment", "correct": false}',
        '{"label": "Entailment", "hallucination": true}',
        '{"label": "Entailment", "revised_label": "Neutral"}',
        '{"label": "Neutral", "corrected_label": "Entailment"}',
        '{"analysis": "The passage contradicts the claim.", "label": "Entailment"}',
        '{"label": "Entailment", "note": "This contradicts the passage."}',
        "The claim is not supported. <answer>Entailment</answer>",
        "<answer>Entailment</answer> Wait, that is wrong.",
        '{"label": "Contradiction", "supported": true}',
        '{"label": "Entailment", "probability": 0.05}',
        '{"label": "Entailment", "entailment": 0.1, "contradiction": 0.9}',
        '{"label": ["Entailment", "Contradiction"]}',
        '{"label": "Entailment", "reason": "The passage contradicts the claim."}',
        '{"label": "Entailment", "reason": "The claim is false."}',
        '{"label": "Entailment", "reason": "The claim is not supported by the passage."}',
        '{"label": "Contradiction", "reason": "The passage supports the claim."}',
        '{"label": "Entailment"} Wait, that is wrong: the year differs.',
        '{"label": "Entailment"}\nThe passage does not mention the year.',
        '```json\n{"label": "Entailment"}\n```\nCorrection: it should be Contradiction.',
        "```\nEntailment\n```\nWait, that is wrong.",
        'Example: {"label": "Entailment"}\nAnswer: Contradiction',
        'Example: {"label": "Contradiction"}\nAnswer: Entailment',
    ],
)
def test_a_label_that_the_rest_of_the_answer_does_not_bear_out_is_refused(answer: str) -> None:
    with pytest.raises(AnswerError):
        label(answer)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"label": "Contradiction", "supported": false, "confidence": 0.9}', K),
        ('{"label": "Entailment", "entailment": 0.8, "neutral": 0.1, "contradiction": 0.1}', E),
        ('{"label": "Entailment", "reason": "The passage says that it does not rain, so no contradiction."}', E),
        ('{"label": "Entailment", "reason": "Nothing contradicts it.", "answer": "It was opened in 1931."}', E),
        ('{"label": "Neutral", "reason": "The passage neither supports nor contradicts the claim."}', N),
        ('{"label": "Contradiction", "reason": "The passage supports 1990."}', K),
        ('Reasoning: p1 gives 1931, so Contradiction or Neutral.\n{"label": "Contradiction"}', K),
        ('{"label": "Entailment"}\n\nThe passage says so.', E),
        ('{"label": "Entailment"}\n\nIs there anything else you would like me to check?', E),
        ('{"label": "Entailment"}\n\nPlease let me know if something is unclear.', E),
        ('{"label": "Entailment"}\nI chose Entailment instead of Neutral because p1 says so.', E),
        ('{"label": "Entailment"}\nThe passage says so, so it is neither Neutral nor Contradiction.', E),
        ('{"reason": "The passage says so.", "label": "Entailment"', E),
        ('{"label": {"value": "Neutral"}}', N),
        ('{"label": "Neutral", "is_supported": false, "hallucination": true}', N),
        ('{"analysis": "The passage says so.", "label": "Entailment", "hallucination": false}', E),
        ('{"verdict": "not enough information"}', N),
        ("<reason>p1 says so.</reason><answer>Entailment</answer>", E),
    ],
)
def test_keys_and_reasons_that_agree_with_a_label_are_no_objection(answer: str, expected: Label) -> None:
    assert label(answer).label is expected


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("c1 is Neutral. c2 is Entailment.", {"c1": N, "c2": E}),
        ("c1: p1 says otherwise.\n\np1 supports c2.", {}),
        ("c1 contradicts the passage. c2 is supported by the passage.", {"c1": K, "c2": E}),
        ("c1: Entailment\nc2: Neutral\nActually c1: Contradiction", {}),
        ("c1: Entailment\nc2: Neutral\nCorrection: c1 should be Contradiction", {}),
        ('{"c1": "Entailment", "c2": "Neutral"} Correction: c1 should be Contradiction', {}),
        ('{"c1": "Entailment", "c2": "Neutral"}\nOn c1: the passage contradicts it.', {"c2": N}),
        ('```\n{"c1": "Entailment", "c2": "Neutral"}\n```\nWait, I misread it.', {}),
        (
            '[{"id": "c1", "label": "Entailment", "reason": "p1 contradicts it"}, {"id": "c2", "label": "Neutral"}]',
            {"c2": N},
        ),
        ('[{"id": "c1", "label": "Entailment", "verdict": "Neutral"}, {"id": "c2", "label": "Neutral"}]', {"c2": N}),
    ],
)
def test_a_sentence_on_one_claim_never_decides_on_another(answer: str, read: dict[str, Label]) -> None:
    found, problems = verdicts(answer, ["c1", "c2"])
    assert {name: verdict.label for name, verdict in found.items()} == read
    assert found.keys() | problems.keys() == {"c1", "c2"}


@pytest.mark.parametrize(
    "reason",
    [
        "The passage says 'Sweden remained neutral'.",
        "The passage says that the country remained neutral.",
        "The plant will be carbon-neutral by 2030.",
        "The passage states the device does not support 5G.",
        "The passage says that Windows 7 is no longer supported.",
        "The passage states that the study did not support the use of vitamin D.",
        "The passage says that the feature is unsupported on Linux.",
        "The passage says that the study refuted the hypothesis.",
        "Spontaneous generation was disproved by Pasteur.",
        "The results contradict earlier findings.",
        "The passage says that the statement was issued on Monday.",
        "Contrary to popular belief, the passage states that bats are not blind, which supports the claim.",
        "Although not explicitly supported, it can be inferred from the passage.",
        "Passage p1 does not support the claim, but p2 does.",
        "The claim is not stated word for word, but it follows from p1.",
        "No passage contradicts the claim, and p1 states it.",
        "The passage says 1931, and the claim says 1931 too.",
        "Both parts of the claim are supported.",
        "Each part of the claim is supported.",
        "The first part of the claim is in p1, the second in p2.",
        "The claim says 5 million; passage p1 says 5,000,000.",
        "p1 states that there is no evidence of that, as the claim says.",
        "The claim says he was 36, which follows from 1867 and 1903.",
        "There is no contradicting evidence.",
        "The passage gives 12,000, and the claim says 12000.",
        "Nothing in the passages contradicts the claim.",
        "The passage says that the name is not mentioned in the register.",
    ],
)
def test_what_a_passage_says_is_no_objection_to_a_label(reason: str) -> None:
    assert label(json.dumps({"reason": reason, "label": "Entailment"})).label is E
    joint = json.dumps([{"id": "c1", "label": "Entailment", "reason": reason}])
    assert verdicts(joint, ["c1"])[0]["c1"].label is E


@pytest.mark.parametrize(
    "reason",
    [
        "The claim is not stated in the passage.",
        "No passage states it.",
        "The passage does not mention the year.",
        "The context doesn't mention the year.",
        "There is no evidence for this.",
        "The claim cannot be verified.",
        "The claim does not follow from the passage.",
        "The passages do not provide information about the claim.",
        "The claim is partially supported.",
        "Only part of the claim is supported.",
        "The passage says otherwise.",
        "The year is wrong.",
        "The claim misstates the year.",
        "The passage gives a different year.",
        "The claim says 1930, the passage 1931.",
        "The passage says 1889, whereas the claim says 1888.",
        "Not mentioned in the passage.",
        "The passage is silent on this.",
        "The claim goes beyond the passage.",
        "The passage contradicts the claim.",
        "This contradicts the claim.",
        "The passages never mention her birthplace.",
        "Her birthplace is not mentioned in the passages.",
        "Nothing in the passages backs this.",
        "p1 gives 1931, which does not match the claim.",
        "I cannot verify the claim.",
        "It can't be inferred from the passages.",
        "Only partially supported.",
        "The claim is inconsistent with p1.",
        "The claim lacks support in the passages.",
        "The passages make no mention of this.",
        "The length is not given.",
        "The passage gives no length.",
        "The passage gives 1931 as the year, not 1913.",
        "Part of the claim is supported.",
        "The year is off by one.",
    ],
)
def test_a_reason_that_denies_its_label_is_refused(reason: str) -> None:
    for answer in (json.dumps({"reason": reason, "label": "Entailment"}), f"Entailment\n{reason}"):
        with pytest.raises(AnswerError):
            label(answer)
    joint = json.dumps([{"id": "c1", "label": "Entailment", "reason": reason}])
    assert verdicts(joint, ["c1"])[0] == {}


def test_a_verdict_before_the_object_has_to_agree() -> None:
    given = '{"reason": "It says 1931.", "label": "Entailment"}'
    with pytest.raises(AnswerError, match="gives another label"):
        label(f"The passage says 1931, so the claim is contradicted.\n\n{given}")
    assert label(f"The passage says 1931, so the claim is supported.\n\n{given}").label is E
    assert label(f"The claim could be Neutral or a Contradiction.\n\n{given}").label is E


@pytest.mark.parametrize(
    "answer",
    [
        '{"c1": "Entailment", "c2": "Neutral"}\n\nThe second claim is not supported by the passages.',
        '{"c1": "Entailment", "c2": "Neutral"}\n\nc1 is supported by p1, while c2 has no supporting passage.',
        '{"c1": "Entailment", "c2": "Neutral"}\n\nClaim c1 is stated directly, whereas claim c2 is not.',
        '{"c1": "Entailment", "c2": "Neutral"}\n\nIs there anything else you would like me to check?',
        '{"claim c1": "Entailment", "claim c2": "Neutral"}',
        '{"1": "Entailment", "2": "Neutral"}',
        '[{"id": 1, "label": "Entailment"}, {"id": 2, "label": "Neutral"}]',
        "c1 is entailed by p1. c2 is neither supported nor contradicted.",
        '[{"id": "c1", "label": {"value": "Entailment"}}, {"id": "c2", "label": "Not enough information"}]',
        "c1 is Entailment.\nc2 is Neutral.",
        "c1 is supported by p1.\nc2 is neither supported nor contradicted.",
        "c1: Entailment c2: Neutral",
        "| id | label | why |\n|---|---|---|\n| c1 | Entailment | p1 says so |\n| c2 | Neutral | it is not said |",
        "- id: c1\n  label: Entailment\n- id: c2\n  label: Neutral",
        '{"c1": ["Entailment"], "c2": ["Neutral"]}',
        '[["c1", "Entailment", "p1"], ["c2", "Neutral", null]]',
        '{"c1": "Entailment", "c2": "Neutral"}\n\nc1: The passage says so. c2: It is not mentioned.',
        '[{"id": "c1", "verdict": {"label": "Entailment"}}, {"id": "c2", "verdict": {"label": "Neutral"}}]',
        '[{"id": "c1", "claim": "A neutral.", "label": "Entailment"}, {"id": "c2", "claim": "b", "label": "Neutral"}]',
        '{"summary": "Two.", "verdicts": [{"id": "c1", "label": "Entailment"}, {"id": "c2", "label": "Neutral"}]}',
        '{"verdicts": {"c1": "Entailment", "c2": "Neutral"}, "note": "p1 decides c1."}',
        '[{"c1": "Entailment", "passage": "p1"}, {"c2": "Neutral", "passage": null}]',
        '{"c1": ["Entailment", "p1"], "c2": ["Neutral", null]}',
        '{"c1": {"claim": "A", "label": "Entailment"}, "c2": {"claim": "B", "label": "Neutral"}}',
        "| id | label | passage |\n|---|---|---|\n| c1 | Entailment | p1 |\n| c2 | Neutral | null |",
        "c1: Entailment, passage p1\nc2: Neutral, passage null",
        "Claim 1: Entailment\nClaim 2: Neutral",
        "c1: Entailment (passage: p1)\nc2: Neutral (passage: none)",
        "c1\tEntailment\tp1\nc2\tNeutral\tp1",
        "| id | claim | label |\n|---|---|---|\n| c1 | It opened. | Entailment |\n| c2 | It is red. | Neutral |",
    ],
)
def test_further_forms_of_verdicts_are_read(answer: str) -> None:
    found, problems = verdicts(answer, ["c1", "c2"])
    assert {name: verdict.label for name, verdict in found.items()} == {"c1": E, "c2": N}
    assert problems.keys() <= {"id"}


def test_a_note_beside_the_verdicts_may_take_one_back() -> None:
    found, problems = verdicts('{"c1": "Entailment", "c2": "Neutral", "note": "c1 is not supported."}', ["c1", "c2"])
    assert set(found) == {"c2"}
    assert "c1" in problems


@pytest.mark.parametrize("answer", ["c1: Entailment - none", "c1: Entailment (null)", "c1: Entailment | none"])
def test_an_entailment_without_a_passage_is_refused(answer: str) -> None:
    assert verdicts(answer, ["c1"])[0] == {}


@pytest.mark.parametrize(
    "answer",
    [
        '[{"id": "c1", "label": "Entailment", "label": "Contradiction"}]',
        '{"c1": {"label": "Entailment", "label": "Contradiction"}}',
        "c1: Entailment; however, it contradicts p2",
        "c1: Entailment\nWait, that is a contradiction.",
    ],
)
def test_two_labels_of_one_claim_are_refused(answer: str) -> None:
    assert verdicts(answer, ["c1"])[0] == {}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The claim is clearly entailed by passage p2.", E),
        ("Based on the passages, the claim is not fully supported.", N),
        ("c1 is neither supported nor contradicted by the passages.", N),
        ("The claim contradicts the passage.", K),
        ("I would say that the claim is contradicted by the evidence.", K),
        ("My answer is Contradiction because the passage gives 1931.", K),
        ("Neutral: no passage gives a year.", N),
        ("Entailment (p1)", E),
        ("The claim is contradicted by the passage, which says 1931.", K),
        ("Contradiction: 1931, not 1913, according to the passage.", K),
        ("Entailment: the passage says so, and nothing contradicts it.", E),
        ("Classification: Contradiction", K),
        ("Neutral: not mentioned", N),
        ("The label of the claim is **Contradiction**.", K),
        ("Based on the passage, the label of the claim is Entailment.", E),
        ('The label for the claim is "Entailment" because the passage states it.', E),
        ("The claim is labeled as Entailment.", E),
        ("Contradiction, not Neutral.", K),
        ("Entailment, not Contradiction.", E),
        ("Fully supported", E),
        ("Not mentioned", N),
        ("Not enough information", N),
        ("NEI", N),
        ("Contradiction: wrong year", K),
        ("Contradiction: 1931", K),
        ("The passage says 1931, which contradicts the claim.", K),
        ("This is a **Contradiction**.", K),
        ("I would classify this as Neutral.", N),
        ("Prediction: Neutral", N),
        ("Final response: Contradiction", K),
        ("Decision: Entailment", E),
        ("Label - Neutral", N),
        ("Neutral [p1]", N),
        ("Entailment (95%)", E),
        ("Entailment. It did not rain, as the passage says.", E),
        ("Entailment: one of the passages says so", E),
        ('{"response": "Neutral"}', N),
        (r"$\boxed{\text{Neutral}}$", N),
        ("The passage gives no year, so Neutral.", N),
        ('{"answer": {"label": "Contradiction"}}', K),
        ('{"label": ["Contradiction"]}', K),
        ("Based on the passage provided, the claim is entailed.", E),
        ("After reviewing the passages, the claim is supported.", E),
        ("Sure! Here's the label: Entailment", E),
        ("Yes, the claim is supported by the passage.", E),
        ("No, the claim is not supported by the passage.", N),
    ],
)
def test_known_forms_of_a_sentence_give_a_label(answer: str, expected: Label) -> None:
    assert label(answer).label is expected
    if answer[0] != "{":
        for joint in (f"c1: {answer}", json.dumps({"c1": answer})):
            assert verdicts(joint, ["c1"])[0]["c1"].label is expected
