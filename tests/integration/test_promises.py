"""What the builtin checker promises: copies pass, nothing supports nothing, form is no matter, and near misses are
caught as often as the model card says."""

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_eval import Example, GraphEval, Passage
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable, words
from graph_eval.text.sentences import sentences

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "minimal_pairs.jsonl").read_text("utf-8").splitlines()
]
CONTEXTS = [row["context"] for row in ROWS]


def claims_of(rows: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Every claim of these rows: its kind, its text and its context."""
    return [
        (kind, claim, row["context"])
        for row in rows
        for kind, found in row.items()
        if kind != "context"
        for claim in (found if isinstance(found, list) else [found])
    ]


CLAIMS = [(claim, context) for _, claim, context in claims_of(ROWS[::3])]
CHAINS = {name: GraphEval(settings=Settings.of(extractor=name)) for name in ("rules", "sentences", "response")}


def verdicts(chain: GraphEval, pairs: list[tuple[str, list[str]]]) -> list[tuple[bool, float]]:
    """Flagged or not, and the probability, of every response."""
    examples = [
        Example(str(number), "promises", response, tuple(map(Passage.of, contexts)))
        for number, (response, contexts) in enumerate(pairs)
    ]
    results = list(chain.pipe(examples))
    assert all(result.error is None for result in results)
    return [(bool(result.inconsistent), result.p_inconsistent or 0.0) for result in results]


@cache
def straight(chain: str) -> list[bool]:
    """Whether each of `CLAIMS` is flagged as it stands."""
    return [flagged for flagged, _ in verdicts(CHAINS[chain], [(claim, [context]) for claim, context in CLAIMS])]


def cut(text: str) -> list[str]:
    return [sentence.span.of(text) for sentence in sentences(text)]


# The least share of right verdicts at 0.5, by kind of claim: what the model card says, less one or two claims.
FLOORS = {
    "addition": 0.92, "date": 0.97, "equal": 0.85, "equal near miss": 0.76, "name": 0.92, "negation": 0.84,
    "number": 0.97, "paraphrase": 0.88, "policy": 0.79, "policy near miss": 0.66, "quantity": 0.78, "role": 0.68,
    "scope": 0.86,
}  # fmt: skip
SUPPORTED = {"paraphrase", "equal", "policy"}
ALL_KINDS = 0.88


def test_minimal_pairs_are_told_apart() -> None:
    claims = claims_of(ROWS)
    assert len(claims) == 500
    judged = verdicts(CHAINS["rules"], [(claim, [context]) for _, claim, context in claims])
    right: dict[str, list[bool]] = {}
    for (kind, *_), (flagged, _) in zip(claims, judged, strict=True):
        right.setdefault(kind, []).append(flagged == (kind not in SUPPORTED))
    assert right.keys() == FLOORS.keys()
    shares = {kind: sum(hits) / len(hits) for kind, hits in right.items()}
    assert {kind: share for kind, share in shares.items() if share < FLOORS[kind]} == {}
    assert sum(map(sum, right.values())) / len(claims) >= ALL_KINDS


EQUAL_AMOUNTS = """Pour 500 ml of water into the pot.|You need half a litre of water.
The walk takes 20 minutes.|The walk takes a third of an hour.
The meeting is at 14:00 on 2024-05-03.|The meeting is on 3 May 2024 at 2 pm.
The visa is valid for 3 months.|The visa is valid for 90 days.
Two thirds of patients recovered.|67% of patients recovered."""
OTHER_AMOUNTS = """Pour 500 ml of water into the pot.|You need half a litre of milk.
The loan lasts 24 months.|The loan lasts three years.
The meeting is at 14:00 on 2024-05-03.|The meeting is on 4 May 2024 at 2 pm.
The visa is valid for 3 months.|The visa is valid for 45 days."""


@pytest.mark.parametrize(("lines", "wrong"), [(EQUAL_AMOUNTS, False), (OTHER_AMOUNTS, True)])
def test_equal_amounts_in_other_words_are_no_error(lines: str, wrong: bool) -> None:
    pairs = [(claim, [context]) for context, claim in (line.split("|") for line in lines.splitlines())]
    assert [flagged for flagged, _ in verdicts(CHAINS["rules"], pairs)] == [wrong] * len(pairs)


@pytest.mark.parametrize("extractor", sorted(CHAINS))
def test_a_copied_sentence_is_never_flagged(extractor: str) -> None:
    copies = [(sentence, [context]) for context in CONTEXTS for sentence in cut(context)]
    assert len(copies) > 100
    assert [
        copy for copy, (flagged, _) in zip(copies, verdicts(CHAINS[extractor], copies), strict=True) if flagged
    ] == []


@pytest.mark.filterwarnings("ignore:some texts seem to be in another language")
@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=300))
def test_a_copied_text_is_never_flagged(text: str) -> None:
    # "-RRB-" is a bracket that a tokeniser spelled out: no word is left of it.
    copies = [(sentence, [text]) for sentence in cut(text) if words(readable(sentence))]
    for flagged, p in verdicts(CHAINS["response"], copies):
        assert not flagged
        assert p == 0.0


def test_an_empty_context_never_supports() -> None:
    for nothing in ([], [""], [" \n\t"]):
        found = verdicts(CHAINS["rules"], [(claim, nothing) for claim, _ in CLAIMS])
        assert all(flagged for flagged, _ in found)


def test_the_order_of_passages_changes_nothing() -> None:
    chance = random.Random(5)  # noqa: S311
    ordered = [(claim, cut(context)) for claim, context in CLAIMS]
    shuffled = [(claim, chance.sample(passages, len(passages))) for claim, passages in ordered]
    for (flag, p), (other_flag, other_p) in zip(
        verdicts(CHAINS["rules"], ordered), verdicts(CHAINS["rules"], shuffled), strict=True
    ):
        assert flag is other_flag
        assert p == pytest.approx(other_p, abs=1e-3)


FORMS: dict[str, Callable[[str], str]] = {
    "lower case": str.lower,
    "upper case": str.upper,
    "wide blanks": lambda text: text.replace(" ", "  "),
    "tabs": lambda text: text.replace(" ", " \t"),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "space around": lambda text: f"\n\n  {text} \t\r\n",
    "a line a sentence": lambda text: "\r\n".join(cut(text)),
}


def differing(chain: str, form: str, change: Callable[[str, str], tuple[str, list[str]]]) -> list[tuple[str, str]]:
    """The claims and contexts whose verdict the form changes. Each claim is asked in two of the forms."""
    turn = sorted(FORMS).index(form)
    places = [place for place in range(len(CLAIMS)) if (place + turn) % len(FORMS) in (0, 3)]
    found = verdicts(CHAINS[chain], [change(*CLAIMS[place]) for place in places])
    before = straight(chain)
    return [CLAIMS[place] for place, (now, _) in zip(places, found, strict=True) if now is not before[place]]


@pytest.mark.parametrize("form", sorted(FORMS))
def test_case_and_white_space_of_the_context_change_no_verdict(form: str) -> None:
    assert differing("rules", form, lambda claim, context: (claim, [FORMS[form](context)])) == []


@pytest.mark.parametrize("form", sorted(FORMS))
def test_case_and_white_space_of_the_claim_change_no_verdict(form: str) -> None:
    assert differing("response", form, lambda claim, context: (FORMS[form](claim), [context])) == []


@pytest.mark.parametrize(
    "mark", [" [1]", " [1, 2]", " [1-3]", " [1–3]", " [doc 2]", " (Source: 2)", " (1, 2)", "【2】", " ^3^"]
)
@pytest.mark.parametrize("after", [False, True])
def test_a_copied_claim_passes_with_any_citation_mark(mark: str, after: bool) -> None:
    sentence = "The museum was closed by the city council in spring"
    context = f"{sentence}. It lends many paintings to other houses every year."
    response = f"{sentence}.{mark}" if after else f"{sentence}{mark}."
    result = CHAINS["rules"].check(response, context=context)
    assert not result.flagged, result.flagged


@pytest.mark.parametrize(
    "change", [str.upper, str.lower, lambda text: f"{text} ", lambda text: text.replace(" ", "  ")]
)
def test_case_and_white_space_of_several_passages_change_no_flag(change: Callable[[str], str]) -> None:
    passages = [
        "Marie Curie became a professor at the Sorbonne in Paris.",
        "The Sorbonne is a university. It awarded Curie a chair in 1906.",
        "Radium was discovered by Curie with Pierre.",
        "Paris hosted the fair in 1900, and Curie visited it.",
        "Curie taught physics to girls in Sevres.",
    ]
    response = "Curie taught at the Paris university from 1906 and discovered radium with Pierre."
    before = CHAINS["rules"].check(response, context=passages)
    after = CHAINS["rules"].check(response, context=[change(text) for text in passages])
    assert [j.p_inconsistent for j in before.judgements] == [j.p_inconsistent for j in after.judgements]
