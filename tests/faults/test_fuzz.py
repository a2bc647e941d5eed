"""Hostile and broken input through the whole pipeline: one Result a record, no crash, no hang.

`make faults` runs ten thousand records; the suite runs a few hundred.
"""

import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graph_eval.formats import files
from graph_eval.formats.results import from_json, to_json
from graph_eval.pipeline import default
from graph_eval.types import Example, ItemError

CHUNK = 32
LONGEST_CHUNK = 180  # seconds; a chunk of ordinary records takes three

ATOMS = [
    "",
    " ",
    "\x00",
    "\ud800",
    "\udfff",
    "\u202eevil\u202c",
    "\u200b\ufeff\u2028\u2029\x85",
    "😀👩‍👩‍👧‍👦🏳️‍🌈",
    "مرحبا، ولد في عام ١٩٤٥.",
    "他于1945年出生在北京。",
    "e\u0301\u0301\u0301\u0301",
    "<script>alert('x')</script>",
    "<img src=x onerror=alert(1)>",
    "'; MATCH (n) DETACH DELETE n //",
    "{{ 7 * 7 }} {% raw %} ${jndi:ldap://x} %s %n",
    "(" * 60 + ")" * 60,
    "[1] [2, 3] (Passage 4) **bold** __x__ `code` # title",
    "\"Title In Quotes\" “And Another One” 'single'",
    "- item one\n- item two: value, value, value\n1. first 2. second 3. third",
    "Key: a, b and c",
    "He said that she said that it said that they said that he left.",
    "Ann (born 1945), the, , , mayor and or but (((1990))) left, and and came back in in 1990.",
    "Marie Curie was born in Warsaw in 1867.",
    "3.5 million 1,000,000 ٣٤ ² ½ -5 21:45 19 August 2021 31 February 99999999999999999999999",
    "...!!!???…",
    "a" * 3000,
    "-" * 500,
    "\t\r\n\x0b\x0c" * 20,
    "If not whether unless never no none nobody.",
    "Yes",
    "No.",
    "I'm sorry, I can't.",
    "-LRB- `` '' -RRB- n't 's 've",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
]
WHOLE = [
    "x" * 1_000_000,
    "(" * 5000 + ")" * 5000,
    "[" * 5000,
    "and so on " * 3000,
    "," * 20_000,
    ". " * 20_000,
    "\n" * 100_000,
    "a: " * 5000,
    '"' * 9999,
    "1. " * 3000,
]


def text(source: random.Random) -> str:
    parts = [source.choice(ATOMS) for _ in range(source.randint(0, 6))]
    joined = source.choice(["", " ", "\n", ". "]).join(parts)
    if source.random() < 0.3 and joined:  # cut anywhere
        joined = joined[source.randrange(len(joined)) :]
    if source.random() < 0.2:
        joined += "".join(chr(source.randrange(0x110000)) for _ in range(source.randint(1, 30)))
    return joined


def records(count: int) -> Iterator[dict[str, object]]:
    source = random.Random(2407)  # noqa: S311
    for whole in WHOLE:
        yield {"response": whole, "context": "The tower was opened in 1889."}
        yield {"response": "The tower was opened in 1889.", "context": whole}
        yield {"response": "1889", "context": "c", "question": whole}
    for _ in range(count - 3 * len(WHOLE)):
        context = [text(source) for _ in range(source.randint(0, 3))]
        record: dict[str, object] = {"response": text(source), "context": context}
        if source.random() < 0.3:
            record["question"] = text(source)
        if source.random() < 0.05:
            record[source.choice(["response", "context", "id", "samples"])] = source.choice([None, 3, {}, [[]], True])
        yield record


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_every_fuzzed_record_gives_one_sound_result(request: pytest.FixtureRequest) -> None:
    made = list(records(request.config.getoption("--fuzz")))
    ge = default()
    errors = done = 0
    for start in range(0, len(made), CHUNK):
        chunk = made[start : start + CHUNK]
        with at_most(LONGEST_CHUNK):
            results = list(ge.pipe(chunk))
        assert len(results) == len(chunk)
        for record, result in zip(chunk, results, strict=True):
            if result.error is not None:
                assert result.error.stage == "input", (str(record)[:300], result.error)
                errors += 1
                continue
            done += 1
            assert result.example is not None
            assert len(result.judgements) == len(result.claims)
            for claim in result.claims:
                for slot in claim.slots:
                    if not (slot.resolved or slot.inferred):
                        assert slot.verbatim(result.example.response) == slot.text
            assert from_json(to_json(result)) == result
    assert done + errors == len(made)
    assert done > len(made) / 2


def test_fuzzed_files_give_one_item_a_line(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    source = random.Random(7)  # noqa: S311
    lines = []
    for record in records(request.config.getoption("--fuzz")):
        line = json.dumps(record).encode()
        for _ in range(source.choice([0, 0, 1, 5])):
            place = source.randrange(len(line))
            line = line[:place] + bytes([source.randrange(256)]) + line[place + 1 :]
        lines.append(line.replace(b"\n", b" ").replace(b"\r", b" "))
    path = tmp_path / "fuzz.jsonl"
    path.write_bytes(b"\n".join(lines))
    items = list(files.read([files.source(str(path))]))
    assert len(items) == sum(bool(line.strip()) for line in lines)
    assert all(isinstance(item, Example | ItemError) for item in items)
