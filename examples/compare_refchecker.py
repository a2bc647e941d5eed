"""RefChecker 0.2.17 and graph_eval on the same work: claims from responses, each checked against several passages by
a language model, both through litellm, against one server on this machine that takes 300 ms an answer.

    python -m venv refchecker && refchecker/bin/pip install refchecker==0.2.17
    python examples/compare_refchecker.py --refchecker refchecker/bin/python

RefChecker runs as it does by default (joint checking, batches of 16), and once with single claims. The server answers
both in the form that they ask for. Every tenth extraction leaves a trailing comma and uses single quotes, every tenth
list of verdicts (of other responses) lacks its last entry: what became of those claims is counted too. Times are of the
work alone: libraries are loaded, and one response is done, before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from typing import Any

QUESTION = "What is known of the towers?"
CLAIMS = 4  # a response


def records(count: int, passages: int) -> list[dict[str, Any]]:
    """Responses of four sentences about towers; the first passage supports three of them."""
    return [
        {
            "id": str(n),
            "response": f"Tower{n} opened in {1800 + n}. Tower{n} measures {20 + n} metres. "
            f"Tower{n} belongs to Orsa. Tower{n} burned twice.",
            "passages": [
                f"Tower{n} opened in {1800 + n}. Tower{n} measures {20 + n} metres. Tower{n} belongs to Orsa.",
                *(
                    f"Passage {m} speaks of harbours, of boats and of the weather in {1900 + m}."
                    for m in range(1, passages)
                ),
            ],
        }
        for n in range(count)
    ]


def refchecker(url: str, work: list[dict[str, Any]], joint: bool) -> dict[str, Any]:
    from refchecker import LLMChecker, LLMExtractor

    options = {"model": "openai/x", "api_base": url}
    extractor, checker = LLMExtractor(claim_format="triplet", **options), LLMChecker(**options)

    def run(part: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        questions = [QUESTION] * len(part)
        found = extractor.extract([item["response"] for item in part], questions, max_new_tokens=500)
        claims = [[claim.content for claim in item.claims] for item in found]
        labels = checker.check(claims, [item["passages"] for item in part], questions, is_joint=joint, merge_psg=True)
        return claims, labels

    run(work[:1])
    began = time.perf_counter()
    claims, labels = run(work)
    seconds = time.perf_counter() - began
    flat = [label for item in labels for label in item]
    return {
        "seconds": seconds,
        "claims": sum(map(len, claims)),
        "Entailment": flat.count("Entailment"),
        "not": len(flat) - flat.count("Entailment"),
        "errors": 0,
    }


def ours(url: str, work: list[dict[str, Any]], concurrency: int) -> dict[str, Any]:
    from graph_eval import GraphEval
    from graph_eval.settings import Settings
    from graph_eval.types import Kind, Label

    settings = Settings(
        extractor="llm:openai/x",
        checker="llm:openai/x",
        extract_mode="triplets",
        api_base=url,
        concurrency=concurrency,
        cache="off",
    )
    ge = GraphEval(settings=settings)
    fields = [{"response": item["response"], "context": item["passages"], "question": QUESTION} for item in work]
    list(ge.pipe(fields[:1]))
    began = time.perf_counter()
    results = list(ge.pipe(fields))
    seconds = time.perf_counter() - began
    judged = [finding for result in results for finding in result.findings if finding.claim.kind is Kind.TRIPLET]
    labels = [finding.judgement.label for finding in judged]
    return {
        "seconds": seconds,
        "claims": len(judged),
        "Entailment": labels.count(Label.ENTAILMENT),
        "not": sum(label not in (None, Label.ENTAILMENT) for label in labels),
        "errors": labels.count(None),
    }


def answer(asked: Any) -> str:
    """What a good model would say, in the form asked for; every tenth answer is not what it should be."""
    text = next(message["content"] for message in asked.body["messages"][::-1] if "Tower" in message["content"])
    number = int(re.findall(r"Tower(\d+)", text)[-1]) % 10
    odd, short = number == 9, number == 4
    if "### Reference:" in text:  # RefChecker's checker
        passage, claims = re.split(r"### Claims?:", text.split("### Reference:")[1])
        found = re.findall(r"[\[(][\"'](.*?)[\"'], [\"'](.*?)[\"'], [\"'](.*?)[\"'][\])]", claims)
        labels = [label(" ".join(claim), passage) for claim in found]
        return "\n".join(labels[:-1] if short and len(labels) > 1 else labels)
    if "<<<claim" in text:  # graph_eval's
        passage = re.findall(r"<<<passage p1 \w+>>>\n(.*?)\n<<<end", text, re.DOTALL)[0]
        if alone := re.findall(r"<<<claim \w+>>>\n(.*?)\.\n", text):  # one claim a call
            return label(alone[0], passage)
        verdicts = [
            (name, label(claim, passage)) for name, claim in re.findall(r"<<<claim (c\d+) \w+>>>\n(.*?)\.\n", text)
        ]
        return json.dumps([{"id": name, "label": said} for name, said in (verdicts[:-1] if short else verdicts)])
    triples = [said.split(" ", 2) for said in re.findall(r"(Tower\d+ \w+ [\w ]+)\.", text)[-CLAIMS:]]
    if "<<<" in text:
        return str(triples)[:-1] + ",]" if odd else json.dumps(triples)
    return "\n".join(f"('{s}', '{p}', '{o}',)" if odd else f'("{s}", "{p}", "{o}")' for s, p, o in triples)


def label(claim: str, passage: str) -> str:
    return "Entailment" if claim in passage else "Neutral"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--refchecker", metavar="PYTHON", default=sys.executable, help="of an environment that has it")
    options.add_argument("--responses", type=int, default=200)
    options.add_argument("--passages", type=int, default=5)
    options.add_argument("--latency", type=float, default=0.3, help="seconds an answer")
    options.add_argument("--single", action="store_true", help="also RefChecker with single claims: minutes")
    options.add_argument("--work", help=argparse.SUPPRESS)
    options.add_argument("--url", help=argparse.SUPPRESS)
    given = options.parse_args()
    work = records(given.responses, given.passages)
    if given.work:
        name, _, value = given.work.partition(":")
        done = ours(given.url, work, int(value)) if name == "ours" else refchecker(given.url, work, value == "joint")
        print(json.dumps(done))
        return

    from graph_eval.settings import Settings
    from graph_eval.testing import LoopbackServer

    most = Settings().concurrency
    routes = [(f"graph_eval, {most} at once (default)", sys.executable, f"ours:{most}")]
    routes.append(("graph_eval, 16 at once", sys.executable, "ours:16"))
    routes.append(("RefChecker, joint (default)", given.refchecker, "refchecker:joint"))
    if given.single:
        routes.append(("RefChecker, single claims", given.refchecker, "refchecker:single"))
    first = None
    expected = given.responses * CLAIMS
    print(f"{given.responses} responses, {expected} claims, {given.passages} passages, {given.latency} s an answer")
    for title, python, name in routes:
        with LoopbackServer(answer, latency=given.latency) as server:
            command = [python, __file__, "--work", name, "--url", server.url, "--responses", str(given.responses)]
            environment = {"OPENAI_API_KEY": "none", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
            done = subprocess.run(
                [*command, "--passages", str(given.passages)],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, **environment},
            )
            if done.returncode:
                sys.exit(done.stderr)
            found = json.loads(done.stdout.splitlines()[-1])
            calls = len(server.asked)
        first = first or found["seconds"]
        print(
            f"{title:<36} {found['seconds']:7.1f} s ({found['seconds'] / first:.1f} times)  {calls} calls  "
            f"{found['claims']} claims: {found['Entailment']} entailed, {found['not']} not, {found['errors']} errors"
        )


if __name__ == "__main__":
    main()
