"""The scripts that make training pairs: what they label right and wrong."""

import random
import re
from types import ModuleType

import pytest


@pytest.fixture
def chance() -> random.Random:
    return random.Random(1)  # noqa: S311 - the same pairs each time


@pytest.fixture
def quantities(training_script) -> ModuleType:
    return training_script("quantities")


@pytest.fixture
def unlabelled(training_script) -> ModuleType:
    return training_script("unlabelled")


def test_a_group_is_a_right_claim_and_its_near_miss(quantities, chance):
    groups = list(quantities.groups(400, chance))
    assert sum(map(len, groups)) >= 400
    for right, wrong in groups:
        assert right["l"] == 0
        assert wrong["l"] in (2, 3)
        assert right["p"] == wrong["p"]
        assert right["h"] != wrong["h"]
        assert right["w"] == []
        assert all(0 <= span.start < span.end <= len(wrong["h"]) for span in wrong.get("w", ()))
    assert any(wrong.get("w") for _, wrong in groups)


@pytest.mark.parametrize(
    ("say", "number", "said"),
    [
        ("most", 4, "no more than four"),
        ("most", 4, "fewer than five"),
        ("least", 4, "at least 4"),
        ("least", 4, "more than three"),
        ("vote", 1409, "14 votes to 9"),
        ("vote", 1409, "fourteen to nine"),
        ("months", 24, "two years"),
    ],
)
def test_one_quantity_has_many_wordings(quantities, say, number, said):
    assert said in getattr(quantities, say)(number)


def test_no_wording_of_a_limit_is_one_of_another_limit(quantities):
    for say in (quantities.most, quantities.least):
        assert not set(say(4)) & set(say(5))
    assert not set(quantities.most(4)) & set(quantities.least(4))


def test_a_looser_limit_is_no_near_miss(quantities, chance):
    """Of "at most six", "at most ten" follows."""

    def limit(claim: str) -> int | None:
        sayings = ((number, said) for number in range(2, 40) for said in quantities.most(number))
        return next((number for number, said in sayings if re.search(rf"\b{said}(?![\w-])", claim)), None)

    compared = 0
    for right, wrong in quantities.groups(4000, chance):
        if right["h"].startswith("A group may have"):
            said, other = limit(right["h"]), limit(wrong["h"])
            compared += other is not None
            assert other is None or other < said
    assert compared > 3


def test_lists_are_counted(quantities, chance):
    opening = {line.split("|")[0]: line.split("|")[3].split(";") for line in quantities.LISTS.splitlines()}
    counted = 0
    for right, wrong in quantities.listed(400, chance):
        start = next(each for each in opening if right["h"].startswith(each))
        stands = {member for member in opening[start] if member in right["p"]}
        number = re.search(r"\b\d+\b", right["h"].removeprefix(start))
        if number and not any(member in right["h"] for member in opening[start]):
            counted += 1
            assert int(number[0]) == len(stands)
        for member in opening[start]:
            if member in right["h"]:
                assert member in stands
        members = {member for member in opening[start] if member in wrong["h"]}
        assert not members or members - stands
    assert counted > 20


def test_a_part_of_a_claim_is_shorter_and_stands_in_it(unlabelled, chance):
    claim = "The ferry leaves at nine in the morning, and the last one returns at six because of the tide."
    parts = {unlabelled.part(claim, chance) for _ in range(50)} - {None}
    assert parts
    for part in parts:
        assert part in claim
        assert unlabelled.LEAST_WORDS <= len(part.split()) < len(claim.split())


def test_a_shorter_premise_lacks_sentences(unlabelled, chance):
    premise = "One stands here. Two stands there. Three is away. Four is back."
    shorter = unlabelled.fewer(premise, chance)
    assert 0 < len(shorter) < len(premise)
    assert all(sentence in premise for sentence in unlabelled.SENTENCE.split(shorter))
    assert unlabelled.fewer("Only one. And two.", chance) is None
