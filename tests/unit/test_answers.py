"""Models answer in many forms. Each is read right, or refused with its reason; none is evaluated, none is guessed."""

import contextlib
import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_eval.llm.answers import (
    Verdict,
    label,
    numbered_statements,
    numbered_triples,
    probabilities,
    read_label,
    statements,
    triples,
    verdicts,
)
from graph_eval.llm.model import Completion, Token
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.thoughts import answer_of
from graph_eval.types import Label

A = ("Optimus", "was announced on", "August 19, 2021")
B = ("Tesla, Inc.", "develops", "Optimus")
C = ("Optimus", "weighs", "57")
PLAIN = ("Ana Couto", "born in", "1951")

TWO_BY_NAME = """\
1. **Subject:** Optimus
   **Predicate:** weighs
   **Object:** 57

2. **Subject:** Ana Couto
   **Predicate:** born in
   **Object:** 1951
"""

READ: dict[str, list[tuple[str, list[tuple[str, str, str]]]]] = {
    "JSON": [
        (json.dumps([A, B]), [A, B]),
        (json.dumps([A, B], indent=2), [A, B]),
        (json.dumps(A), [A]),
        (json.dumps({"triples": [A, B]}), [A, B]),
        (json.dumps([{"subject": A[0], "predicate": A[1], "object": A[2]}]), [A]),
        (json.dumps({"claims": [{"head": A[0], "relation": A[1], "tail": A[2]}]}), [A]),
        ('{"Subject": "Optimus", "Predicate": "weighs", "Object": 57}', [C]),
        ("[]", []),
        ('{"triples": []}', []),
    ],
    "several documents": [
        ("\n".join(map(json.dumps, [A, B])), [A, B]),
        (json.dumps([A]) + "\n\n" + json.dumps([B]), [A, B]),
    ],
    "Python lists and tuples": [
        (str([list(A), list(B)]), [A, B]),
        (str([A, B]), [A, B]),
        (str((A, B)), [A, B]),
        (
            "[['Alzheimer's disease', 'was named after', 'Alois Alzheimer']]",
            [("Alzheimer's disease", "was named after", "Alois Alzheimer")],
        ),
        (
            "[('The players' union', 'rejected', 'the owners' offer')]",
            [("The players' union", "rejected", "the owners' offer")],
        ),
        (r"[['He', 'said', 'it\'s over']]", [("He", "said", "it's over")]),
    ],
    "tuples without quotes": [
        ("(Optimus, weighs, 57)", [C]),
        ("(Ana Couto, born in, 1951)\n(Optimus, weighs, 57)", [PLAIN, C]),
        ("1. (Ana Couto, born in, 1951)\n2. (Optimus, weighs, 57)", [PLAIN, C]),
        ("[Ana Couto, born in, 1951]", [PLAIN]),
        ("( Ana Couto ,born in,1951 )", [PLAIN]),
        ("(The mill, employs, 1,200)", [("The mill", "employs", "1,200")]),
        ("(Braga (Portugal), lies in, Minho)", [("Braga (Portugal)", "lies in", "Minho")]),
    ],
    "smart quotes": [
        ("[[“Optimus”, “weighs”, “57”]]", [C]),
        ("[(‘Optimus’, ‘weighs’, ‘57’)]", [C]),
        ("[[«Optimus», «weighs», «57»]]", [C]),
        ("[[„Optimus“, „weighs“, „57“]]", [C]),
    ],
    "trailing and missing commas": [
        ('[["Optimus", "weighs", "57",],]', [C]),
        ('[["Optimus", "weighs", "57"] ["Ana Couto", "born in", "1951"]]', [C, PLAIN]),
        ('["Optimus", "weighs", "57"],\n["Ana Couto", "born in", "1951"],', [C, PLAIN]),
    ],
    "numbers and other scalars": [
        ('[["Optimus", "weighs", 57]]', [C]),
        ('[["Optimus", "costs", 2.50]]', [("Optimus", "costs", "2.50")]),
        ('[["Optimus", "walks", true]]', [("Optimus", "walks", "true")]),
        ("[['Optimus', 'weighs', 57]]", [C]),
        ('[["Optimus", "resigned", null]]', [("Optimus", "resigned", "")]),
        ('[["Optimus", "resigned", ""]]', [("Optimus", "resigned", "")]),
    ],
    "several on a line": [
        ('["Optimus", "weighs", "57"], ["Ana Couto", "born in", "1951"]', [C, PLAIN]),
        ("(Optimus, weighs, 57), (Ana Couto, born in, 1951)", [C, PLAIN]),
        ("(Optimus, weighs, 57); (Ana Couto, born in, 1951)", [C, PLAIN]),
        ('- ["Optimus", "weighs", "57"] - ["Ana Couto", "born in", "1951"]', [C, PLAIN]),
    ],
    "several lines a triple": [
        ('[\n  [\n    "Optimus",\n    "weighs",\n    "57"\n  ]\n]', [C]),
        ("Subject: Optimus\nPredicate: weighs\nObject: 57", [C]),
        (TWO_BY_NAME, [C, PLAIN]),
        ("head = Optimus\nrelation = weighs\ntail = 57", [C]),
    ],
    "prose around": [
        ('Sure! Here are the triples:\n\n[["Optimus", "weighs", "57"]]\n\nLet me know if you need more.', [C]),
        ('I found one fact (see below): ["Optimus", "weighs", "57"]', [C]),
        ("The triples (as asked) are:\n(Optimus, weighs, 57)\nI left out opinions (there were none).", [C]),
        ('Triples: [["Optimus", "weighs", "57"]] Note: dates (like 2021) were kept.', [C]),
    ],
    "fenced code and thoughts": [
        ('```json\n[["Optimus", "weighs", "57"]]\n```', [C]),
        ('```\n[["Optimus", "weighs", "57"]]\n```\nDone.', [C]),
        ('Here:\n```python\ntriples = [("Optimus", "weighs", "57")]\n```', [C]),
        ('```json\n[["Optimus", "weighs", "57"]]', [C]),
    ],
    "tables and separators": [
        ("| subject | predicate | object |\n|---|---|---|\n| Optimus | weighs | 57 |", [C]),
        ("Optimus | weighs | 57\nAna Couto | born in | 1951", [C, PLAIN]),
        ("Optimus -> weighs -> 57", [C]),
        ("- Optimus → weighs → 57", [C]),
        ("Optimus\tweighs\t57", [C]),
        ("Optimus; weighs; 57", [C]),
    ],
    "quotes inside and escapes": [
        (r'[["The film \"Up\"", "won", "an \u004fscar"]]', [('The film "Up"', "won", "an Oscar")]),
        ('[["The film "Up" itself", "won", "an Oscar"]]', [('The film "Up" itself', "won", "an Oscar")]),
        (
            '[["Optimus", "is [partly]", "made (in part) of {steel}"]]',
            [("Optimus", "is [partly]", "made (in part) of {steel}")],
        ),
        ('[["Optimus\\nII", "weighs", "57"]]', [("Optimus II", "weighs", "57")]),
    ],
    "parts wrapped once more": [
        ('[[["Optimus"], ["weighs"], ["57"]]]', [C]),
        ('[[["Optimus", "weighs", "57"]], [["Ana Couto", "born in", "1951"]]]', [C, PLAIN]),
        ('[["Optimus", "weighs", "57"]', [C]),
        ("None", []),
        ("No claims found.", []),
    ],
}
REFUSED: dict[str, list[tuple[str, str]]] = {
    "truncated": [
        ('[["Optimus", "weighs", "57"], ["Ana', "breaks off"),
        ('[["Optimus", "weighs", "57"], ["Ana Couto", "born in"', "breaks off"),
        ('[["Optimus", "weighs", "57"],', "breaks off"),
        ("[('Optimus', 'weighs", "breaks off"),
        ("Subject: Optimus\nPredicate: weighs", "breaks off"),
        ('{"triples": [["Optimus", "weighs", "57"]', "breaks off"),
    ],
    "wrong number of parts": [
        ('[["Optimus", "weighs"]]', "2 parts"),
        ('[["Optimus", "weighs", "57", "kg"]]', "4 parts"),
        ("(Tesla, Inc., develops, Optimus)", "4 parts"),
        ("Optimus | weighs", "2 parts"),
        ('["a", "b", "c", "d", "e", "f"]', "6 parts"),
        ('[["Optimus", "weighs", ["57", "kg"]]]', "a list itself"),
    ],
    "no list": [
        ("The robot weighs 57 kilograms.", "no list of triples"),
        ("I cannot help with that (policy).", "no list of triples"),
        ("", "no list of triples"),
    ],
    "lacking parts": [
        ('[["", "weighs", "57"]]', "lacks its subject"),
        ('[["Optimus", null, "57"]]', "lacks its predicate"),
        ('[{"name": "Optimus"}]', "keys name"),
    ],
    "brackets": [
        ('[["Optimus", "weighs", "57")]', "do not match"),
        ("[" * 5000, "too deep"),
        ("[" * 30 + "]" * 30, "too deep"),
    ],
}


@pytest.mark.parametrize(
    ("answer", "expected"), [case for cases in READ.values() for case in cases], ids=lambda value: repr(value)[:40]
)
def test_triples_are_read_right(answer: str, expected: list[tuple[str, str, str]]) -> None:
    assert triples(answer) == expected


@pytest.mark.parametrize(
    ("answer", "reason"), [case for cases in REFUSED.values() for case in cases], ids=lambda value: repr(value)[:40]
)
def test_what_can_be_read_in_no_or_in_two_ways_is_refused(answer: str, reason: str) -> None:
    with pytest.raises(AnswerError, match=reason):
        triples(answer)


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    assert sum(map(len, [*READ.values(), *REFUSED.values()])) >= 60
    assert len(READ) + len(REFUSED) >= 12


CODE = [
    "__import__('pathlib').Path('owned').write_text('x')",
    "[[__import__('pathlib').Path('owned').write_text('x'), 'a', 'b']]",
    "(lambda: open('owned', 'w'), is, run)",
    "[['{{ 7 * 7 }}', 'is', '${jndi:ldap://x}']]",
    "!!python/object/apply:os.system ['touch owned']",
    "[[f'{open(\"owned\", \"w\")}', 'b', 'c']]",
]


@pytest.mark.parametrize("answer", CODE)
def test_nothing_is_executed(answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for read in (triples, statements, label, lambda text: verdicts(text, ["c1"])):
        with contextlib.suppress(AnswerError):
            read(answer)
    assert not list(tmp_path.iterdir())
    assert "49" not in str(answer)


LETTERS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=20)
PARTS = LETTERS.map(lambda text: " ".join(text.split())).filter(bool)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(PARTS, PARTS, PARTS), max_size=6))
def test_any_triples_survive_json(found: list[tuple[str, str, str]]) -> None:
    assert triples(json.dumps(found)) == found
    assert triples("Here you are:\n" + json.dumps({"triples": found}, ensure_ascii=False)) == found


@settings(max_examples=1000, deadline=None)
@given(st.text(alphabet="[](){}\"'`,:;|\n\\ ab1\u201c\u201d<>/-*.", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (triples, statements, label, lambda answer: verdicts(answer, ["c1", "c2"])):
        with contextlib.suppress(AnswerError):
            read(text)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('["It rained.", "He left."]', ["It rained.", "He left."]),
        ("['It didn't rain.', 'He left.']", ["It didn't rain.", "He left."]),
        ('{"claims": ["It rained."]}', ["It rained."]),
        ('[{"sentence": "It rained."}, {"sentence": "He left."}]', ["It rained.", "He left."]),
        ("1. It rained.\n2. He left.", ["It rained.", "He left."]),
        ("Sentences:\n- It rained.\n- He left (at 5).", ["It rained.", "He left (at 5)."]),
        ('```json\n["It rained."]\n```', ["It rained."]),
        ('"It rained."\n"He left."', ["It rained.", "He left."]),
        ("[]", []),
        ("None.", []),
    ],
)
def test_sentences_are_read_right(answer: str, expected: list[str]) -> None:
    assert statements(answer) == expected


@pytest.mark.parametrize(
    "answer", ["It rained and he left.", '["It rained.", "He', "[It rained, he left]", '{"x": 1}', ""]
)
def test_other_sentences_are_refused(answer: str) -> None:
    with pytest.raises(AnswerError):
        statements(answer)


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
        ("c1: Entailment\nc2: Entailment or Contradiction", {"c1": E}, {"c2": "several labels"}),
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
        ("Supported. Nothing in the other passages contradicts it, however.", E),
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


THOUGHTS = [
    "<think>{}</think>",
    "<thinking>{}</thinking>\n",
    "<THINK>\n{}\n</THINK>\n\n",
    "{}</think>",
    "<reasoning>{}</reasoning>",
    "[THINK]{}[/THINK]",
    "◁think▷{}◁/think▷",
    "<|begin_of_thought|>{}<|end_of_thought|>\n<|begin_of_solution|>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "<think>{}</think>\n<think>{}</think>\n",
]


@pytest.mark.parametrize("form", THOUGHTS)
@pytest.mark.parametrize(
    ("thought", "answer"),
    [("Entailment? It is Entailment.", "Contradiction"), ('Maybe ["a", "b", "c"]', '[["Optimus", "weighs", "57"]]')],
)
def test_thoughts_are_cut_off(form: str, thought: str, answer: str) -> None:
    before = form.replace("{}", thought)
    tokens = tuple(Token(piece, -0.5) for piece in (before[:4], before[4:] + answer[:3], answer[3:]))
    found = answer_of(Completion(before + answer, tokens))
    assert found.text.strip() == answer
    assert "".join(token.text for token in found.tokens) == found.text


def test_an_answer_without_thoughts_stays_as_it_is() -> None:
    completion = Completion("Use the <b> tag.", (Token("Use the <b> tag.", -0.1),))
    assert answer_of(completion) is completion


@pytest.mark.parametrize(
    "answer",
    [
        "<think>Let me see ...",
        "Entailment <think>or not",
        "<|channel|>analysis<|message|>Entailment",
        "<think>E</think> ",
        "Entailment\n</think>",
    ],
)
def test_an_answer_that_is_only_thoughts_is_refused(answer: str) -> None:
    with pytest.raises(AnswerError, match=r"thinks|thoughts"):
        answer_of(Completion(answer))


@pytest.mark.parametrize(
    "answer",
    [
        '{"label": "Contradiction", "reason": "It quotes </think>\\n\\nEntailment"}',
        '<think>So.</think>{"reason": "The claim says <think> and </think> Entailment", "label": "Contradiction"}',
        "Contradiction. The claim quotes '</think> no text at all'.",
    ],
)
def test_a_quoted_mark_of_thoughts_cuts_nothing(answer: str) -> None:
    assert label(answer_of(Completion(answer)).text).label is K


@pytest.mark.parametrize(
    "answer",
    [
        "Contradiction. It says x </think> Entailment",
        "<think>a</think>Neutral\n</think>\nEntailment",
        '[["a", "b", "c"]] <think>or ["d", "e", "f"]</think>',
        "[['a', 'b', 'c']]\n<think>or ['d', 'e', 'f']</think>",
        "So.\n</think>\nNeutral <think>or</think> Entailment",
    ],
)
def test_thoughts_without_a_clear_end_are_refused(answer: str) -> None:
    with pytest.raises(AnswerError, match="not clear where its thoughts end"):
        answer_of(Completion(answer))


def test_a_bare_yes_supports() -> None:
    assert read_label("Yes") is E


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


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('[[1, "a", "b", "c"], [12, "d", "e", ""]]', [(1, ("a", "b", "c")), (12, ("d", "e", ""))]),
        ('[["S2", "a", "b", "c"]]', [(2, ("a", "b", "c"))]),
        ("[[S3], a, b, c]", [(3, ("a", "b", "c"))]),
        ('[["a", "b", "c"]]', [(None, ("a", "b", "c"))]),
        ('{"claims": [{"number": 2, "subject": "a", "predicate": "b", "object": "c"}]}', [(2, ("a", "b", "c"))]),
        ("1 | a | b | c\n2 | d | e | f", [(1, ("a", "b", "c")), (2, ("d", "e", "f"))]),
    ],
)
def test_triples_with_the_numbers_of_their_sentences(answer: str, expected: list[object]) -> None:
    assert numbered_triples(answer) == expected


@pytest.mark.parametrize("answer", ['[[1, "a", "b", "c"]]', '[["x", "a", "b", "c"]]', "1 | a | b | c"])
def test_four_parts_are_no_triple_where_none_is_numbered(answer: str) -> None:
    with pytest.raises(AnswerError, match="4 parts instead of three"):
        triples(answer)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('[[1, "It opened in 1999."], [2, "It is red."]]', [(1, "It opened in 1999."), (2, "It is red.")]),
        ('{"claims": [{"number": 3, "sentence": "It is red."}]}', [(3, "It is red.")]),
        ('["It is red."]', [(None, "It is red.")]),
    ],
)
def test_sentences_with_the_numbers_of_their_sentences(answer: str, expected: list[object]) -> None:
    assert numbered_statements(answer) == expected


def test_a_label_knows_its_place() -> None:
    assert label("Label: Entailment") == Verdict(E, None, 7)
    answer = '{"reason": "It is no Entailment of the date", "label": "Entailment"}'
    assert label(answer).start == answer.rindex("Entailment")
    assert label("Entailment\nThe date is named.\nEntailment").start is None
