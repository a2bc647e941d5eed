"""Compares the speed of RefChecker 0.2.17 and graph_eval with a language model.

Both extract claims from the same responses and check each claim against several passages. Both call, through litellm,
a server on this machine that takes 300 ms for an answer.

    python -m venv refchecker && refchecker/bin/pip install refchecker==0.2.17
    python examples/compare_refchecker.py --refchecker refchecker/bin/python

RefChecker runs with its defaults (joint checking, batches of 16) and, with --single, with single claims. The server
answers in the form that each of them requests. Every tenth extraction has a trailing comma and single quotes, and every
tenth list of verdicts (of other responses) has no last entry: the outcome of those claims is counted too. Times exclude
the loading of libraries and one response as a warm-up.
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
CLAIMS = 4  # in each response


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
        extractions = extractor.extract([item["response"] for item in part], questions, max_new_tokens=500)
        claims = [[claim.content for claim in extraction.claims] for extraction in extractions]
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

    settings = Settings.of(
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


def answer(request: Any) -> str:
    return answer_to(next(m["content"] for m in request.body["messages"][::-1] if "Tower" in m["content"]))


def answer_to(text: str) -> str:
    """The answer of a good model in the requested form, except for every tenth answer, which is malformed."""
    number = int(re.findall(r"Tower(\d+)", text)[-1]) % 10
    odd, short = number == 9, number == 4
    if "### Reference:" in text:  # RefChecker's checker
        passage, claims = re.split(r"### Claims?:", text.split("### Reference:")[1])
        triplets = re.findall(r"[\[(][\"'](.*?)[\"'], [\"'](.*?)[\"'], [\"'](.*?)[\"'][\])]", claims)
        labels = [label(" ".join(triplet), passage) for triplet in triplets]
        return "\n".join(labels[:-1] if short and len(labels) > 1 else labels)
    if "<<<claim" in text:  # graph_eval's
        passage = re.findall(r"<<<passage p1 \w+>>>\n(.*?)\n<<<end", text, re.DOTALL)[0]
        claims = re.findall(r"<<<claim (?:(c\d+) )?\w+>>>\n(.*?)\n<<<end", text)
        verdicts = [(name, label(words(claim), passage)) for name, claim in claims]
        if not verdicts[0][0]:  # one claim in a call
            return verdicts[0][1]
        return json.dumps([{"id": name, "label": value} for name, value in (verdicts[:-1] if short else verdicts)])
    triples = [sentence.split(" ", 2) for sentence in re.findall(r"(Tower\d+ \w+ [\w ]+)\.", text)[-CLAIMS:]]
    if "<<<" in text:
        return str(triples)[:-1] + ",]" if odd else json.dumps(triples)
    return "\n".join(f"('{s}', '{p}', '{o}',)" if odd else f'("{s}", "{p}", "{o}")' for s, p, o in triples)


def words(claim: str) -> str:
    """The words of a claim that is a sentence or a triplet: ("subject", "predicate", "object")."""
    return " ".join(re.findall(r'"(.*?)"', claim)) if claim.startswith('("') else claim.removesuffix(".")


def label(claim: str, passage: str) -> str:
    """By words. A passage that has the claim up to the value of its last phrase contradicts it."""
    if claim in passage:
        return "Entailment"
    return "Contradiction" if claim.rsplit(" ", 1 + claim.endswith("metres"))[0] + " " in passage else "Neutral"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(
        "--refchecker", metavar="PYTHON", default=sys.executable, help="the Python of an environment with RefChecker"
    )
    options.add_argument("--responses", type=int, default=200)
    options.add_argument("--passages", type=int, default=5)
    options.add_argument("--latency", type=float, default=0.3, help="seconds for one answer")
    options.add_argument("--single", action="store_true", help="also run RefChecker with single claims (takes minutes)")
    options.add_argument("--work", help=argparse.SUPPRESS)
    options.add_argument("--url", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    work = records(arguments.responses, arguments.passages)
    if arguments.work:
        name, _, value = arguments.work.partition(":")
        if name == "ours":
            figures = ours(arguments.url, work, int(value))
        else:
            figures = refchecker(arguments.url, work, value == "joint")
        print(json.dumps(figures))
        return

    from graph_eval.settings import Settings
    from graph_eval.testing import LoopbackServer

    default = Settings().llm.concurrency
    routes = [(f"graph_eval, concurrency {default} (default)", sys.executable, f"ours:{default}")]
    routes.append(("graph_eval, concurrency 16", sys.executable, "ours:16"))
    routes.append(("RefChecker, joint (default)", arguments.refchecker, "refchecker:joint"))
    if arguments.single:
        routes.append(("RefChecker, single claims", arguments.refchecker, "refchecker:single"))
    first = None
    expected = arguments.responses * CLAIMS
    sizes = f"{arguments.responses} responses, {expected} claims, {arguments.passages} passages"
    print(f"{sizes}, {arguments.latency} s for each answer")
    for title, python, name in routes:
        with LoopbackServer(answer, latency=arguments.latency) as server:
            command = [python, __file__, "--work", name, "--url", server.url, "--responses", str(arguments.responses)]
            environment = {"OPENAI_API_KEY": "none", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
            done = subprocess.run(
                [*command, "--passages", str(arguments.passages)],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, **environment},
            )
            if done.returncode:
                sys.exit(done.stderr)
            figures = json.loads(done.stdout.splitlines()[-1])
            calls = len(server.requests)
        first = first or figures["seconds"]
        outcome = f"{figures['Entailment']} entailed, {figures['not']} not, {figures['errors']} errors"
        print(
            f"{title:<36} {figures['seconds']:7.1f} s ({figures['seconds'] / first:.1f} times)  {calls} calls  "
            f"{figures['claims']} claims: {outcome}"
        )


if __name__ == "__main__":
    main()
