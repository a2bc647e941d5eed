"""Models answer in many forms. Each is read right, or refused with its reason; none is evaluated, none is guessed."""

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_eval.llm.answers import numbered_statements, numbered_triples, statements, triples
from graph_eval.llm.labels import label, verdicts
from graph_eval.llm.scanner import AnswerError

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
