"""Accuracy of a checker on the minimal pairs of tests/data, by kind of change; paraphrases have to pass.

So have "equal" (quantities in other words) and "policy" (rules in other words); their near misses have not, and are
counted with them and by themselves.

python training/nli/minimal.py [--extractor rules] [--checker builtin] [--misses]
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

from graph_eval import Example, GraphEval, Passage
from graph_eval.settings import Settings

PAIRS = Path(__file__).parents[2] / "tests" / "data" / "minimal_pairs.jsonl"
SUPPORTED = ("paraphrase", "equal", "policy")
NEAR_MISS = " near miss"


def pairs() -> list[tuple[str, Example]]:
    """Every claim with its kind, as the response of an example."""
    found = []
    for number, line in enumerate(PAIRS.read_text("utf-8").splitlines()):
        row = json.loads(line)
        passage = Passage.of(row.pop("context"))
        for kind, claims in row.items():
            for place, claim in enumerate(claims if isinstance(claims, list) else [claims]):
                found.append((kind, Example(f"{number}-{kind}-{place}", "minimal", claim, (passage,))))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--extractor", default="rules")
    options.add_argument("--checker", default="builtin")
    options.add_argument("--misses", action="store_true", help="print every miss")
    given = options.parse_args()
    ge = GraphEval(settings=Settings.of(extractor=given.extractor, checker=given.checker))
    kinds, examples = zip(*pairs(), strict=True)
    right: dict[str, list[bool]] = defaultdict(list)
    for kind, result in zip(kinds, ge.pipe(examples), strict=True):
        hit = result.inconsistent == (kind not in SUPPORTED)
        for name in dict.fromkeys((kind, kind.removesuffix(NEAR_MISS), "all")):
            right[name].append(hit)
        if given.misses and not hit and result.example is not None:
            print(f"{kind}: {result.example.response} {result.p_inconsistent:.2f}")
    for kind, hits in sorted(right.items()):
        print(f"{kind:<16} {len(hits):>4} {sum(hits) / len(hits):.3f}")


if __name__ == "__main__":
    main()
