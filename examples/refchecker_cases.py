"""What RefChecker and graph_eval.refchecker both can run: the same calls, the same files, the same scripted model.

agree_refchecker.py compares the outcomes of both. It also records those of RefChecker, and the tests compare graph_eval
with that record.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

from compare_refchecker import answer_to

QUESTION = "What is known of the towers?"
RULES = ("strict", "soft", "major")
MODES = ("extract-check", "check")
MAX_REFERENCES = 3
CLAIMS = [  # the first one twice
    ["Tower1", "opened in", "1801"],
    ["Tower1", "opened in", "1801"],
    ["Tower1", "measures", "21 metres"],
    ["Tower1", "belongs to", "Orsa"],
]
REFERENCES = [
    "Tower1 opened in 1801. Tower1 measures 99 metres.",
    "Harbours and boats.",
    "Tower1 measures 21 metres. Tower1 opened in 1700.",
]
TEXTS = [
    "The tower opened in 1889. It is 38 metres high! Who built it?",
    "  The tower.\n\n\nIt is old. \n \n It burned.\r\n\r\nTwice?  ",
    "Dr. Lind of the U.S. Office paid 3.50 euros... Then she left",
    "A\nB. C.\n",
    "\n \n",
    "",
]
Outcome = Any  # what JSON holds
Run = Callable[[list[str]], Any]  # a command line


def calls(package: str) -> dict[str, Outcome]:
    """The outcome of each call by its name. `package`: refchecker or graph_eval.refchecker."""
    base = import_module(f"{package}.base")
    checker = import_module(package).LLMChecker(model="openai/x")
    outcomes: dict[str, Outcome] = {}
    for count in range(MAX_REFERENCES + 1):
        for joint in (True, False):
            for merge in (False, True):
                name = f"labels, {count} references, is_joint={joint}, merge_psg={merge}"
                outcomes[name] = outcome(lambda c=count, j=joint, m=merge: labels(checker, c, j, m))
    outcomes["labels, equal references"] = outcome(lambda: labels(checker, 1, True, False, copies=2))
    outcomes["triplets in a prompt"] = outcome(lambda: triplets_in_prompt(checker))
    for number, text in enumerate(TEXTS):
        outcomes[f"sentences of text {number}"] = outcome(lambda t=text: sentences(base, t))
    outcomes["claims"] = outcome(lambda: claims(base))
    return outcomes


def labels(checker: Any, count: int, joint: bool, merge: bool, copies: int = 1) -> Outcome:
    """The labels of three items: the claims, no claims, and the claims with a text as reference."""
    return checker.check(
        [CLAIMS, [], CLAIMS[:1]],
        [REFERENCES[:count] * copies, REFERENCES[:count], REFERENCES[0]],
        [QUESTION] * 3,
        is_joint=joint,
        merge_psg=merge,
        custom_llm_api_func=lambda prompts: list(map(answer_to, prompts)),
    )


def triplets_in_prompt(checker: Any) -> Outcome:
    """The triplets of claims that are checked jointly, as the prompt has them."""
    seen: list[str] = []

    def model(prompts: list[str]) -> list[str]:
        seen.extend(prompts)
        return list(map(answer_to, prompts))

    checker.check([CLAIMS], [REFERENCES[:1]], [QUESTION], custom_llm_api_func=model)
    return [line for prompt in seen for line in prompt.splitlines() if line.startswith('("Tower1"')]


def sentences(base: Any, text: str) -> Outcome:
    whole, condensed = base.RCText(text), base.RCText(text)
    ids = whole.get_sentence_ids()
    return {
        "sentences": whole.to_dict(),
        "text": whole.orig_text,
        "by id": {sent_id: repr(whole.get_sentence_by_id(sent_id)) for sent_id in ids},
        "indexed": whole.get_indexed_response(condense_newlines=False),
        "condensed": condensed.get_indexed_response(condense_newlines=True),
        "first call decides": condensed.get_indexed_response(condense_newlines=False),
    }


def claims(base: Any) -> Outcome:
    triplet = base.RCClaim("triplet", CLAIMS[0], None)
    text = base.RCClaim("subsentence", "Tower1 opened.", ["1", "3"])
    return [
        [repr(claim), claim.get_content(), claim.get_content(preserve_triplet_form=True), claim.to_dict()]
        for claim in (triplet, text)
    ]


def command_lines(run: Run, folder: Path, url: str) -> dict[str, Outcome]:
    """The files of both modes with 0 to 3 references and each rule, by the names of the cases.

    `run` receives the arguments and raises where the command fails. `url`: a server that answers as `answer_to`.
    """
    outcomes: dict[str, Outcome] = {}
    for mode in MODES:
        for count in range(MAX_REFERENCES + 1):
            source, target = folder / "in.json", folder / "out.json"
            source.write_text(json.dumps([item(number, mode, count) for number in (1, 2)]), "utf-8")
            for rule in RULES:
                target.unlink(missing_ok=True)
                models = ["--extractor_name", "openai/x", "--checker_name", "openai/x", "--aggregator_name", rule]
                bases = ["--extractor_api_base", url, "--checker_api_base", url, "--cache_dir", str(folder / "cache")]
                paths = ["--input_path", str(source), "--output_path", str(target)]
                found = outcome(lambda arguments=[mode, *paths, *models, *bases]: run(arguments))
                if target.exists():
                    found = json.loads(target.read_text("utf-8"))
                outcomes[f"{mode}, {count} references, {rule}"] = found
    return outcomes


def item(number: int, mode: str, count: int) -> dict[str, Any]:
    """An item of a file. Its response says one thing twice."""
    response = f"Tower{number} opened in {1800 + number}. Tower{number} measures {20 + number} metres. "
    text = f"{response}Tower{number} belongs to Orsa. Tower{number} opened in {1800 + number}."
    references = [reference.replace("Tower1", f"Tower{number}") for reference in REFERENCES[:count]]
    found = {"response": text, "question": QUESTION, "reference": references, "kept": {"n": number}}
    return found if mode == "extract-check" else {**found, "claims": CLAIMS}


def refchecker_command(arguments: list[str]) -> None:
    """RefChecker's command line in this process. Its errors are raised."""
    from refchecker import cli

    with mock.patch.object(sys, "argv", ["refchecker-cli", *arguments]):
        cli.main()


def graph_eval_command(arguments: list[str]) -> None:
    from graph_eval.cli.main import main

    main(["refchecker", *arguments])


def outcome(work: Callable[[], Any]) -> Outcome:
    """The result as JSON has it, or the name of the error."""
    quiet = io.StringIO()
    try:
        with contextlib.redirect_stderr(quiet), contextlib.redirect_stdout(quiet):
            return json.loads(json.dumps(work()))
    except Exception as problem:
        return {"raises": type(problem).__name__}


def differences(theirs: dict[str, Outcome], ours: dict[str, Outcome]) -> dict[str, tuple[Outcome, Outcome]]:
    """The cases in which graph_eval differs, with both outcomes.

    RefChecker's `Y` counts only for one reference: for others `soft` and `major` fail and `strict` always returns
    Entailment. Those files have to be, apart from `Y`, that of `strict`. Without references each item has an `error`.
    """
    found = {}
    for name, mine in ours.items():
        expected, got = theirs[name], mine
        if matched := re.fullmatch(r"(.*, (\d) references), (?:strict|soft|major)", name):
            if matched[2] != "1":
                expected = [without(entry, "Y") for entry in theirs[f"{matched[1]}, strict"]]
                got = [without(entry, "Y") for entry in mine] if isinstance(mine, list) else mine
            if matched[2] == "0" and isinstance(mine, list) and all("error" in entry for entry in mine):
                got = [without(entry, "error") for entry in got]
        if expected != got:
            found[name] = (expected, got)
    return found | {name: (theirs[name], None) for name in theirs.keys() - ours.keys()}


def without(entry: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != name}


def outcomes_of(package: str, run: Run, folder: Path, url: str) -> dict[str, Outcome]:
    """Every case. Needs neither a network nor torch."""
    with mock.patch.dict(os.environ, {"OPENAI_API_KEY": "none", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}):
        return {**calls(package), **command_lines(run, folder, url)}
