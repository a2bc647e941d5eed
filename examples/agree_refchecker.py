"""Compares the results and the speed of graph_eval.refchecker and RefChecker 0.2.17.

    python examples/agree_refchecker.py --environment refchecker --claims claims_dev.jsonl.gz

creates an environment with both packages and runs everything in it: aggregators on random labels; the calls and files
of refchecker_cases.py (both command lines, `check` and `extract-check`, with 0 to 3 references); extraction and
checking by a language model, both against one server on this machine; NLI and AlignScore with random weights on
RefChecker's labelled claims; and inputs on which RefChecker fails. Pairs per second are those of `NLIChecker.check`
(RefChecker's with its batches of 16), for a tiny encoder and one of BERT's base size.

--cases runs only the aggregators and refchecker_cases.py, with the Python that runs this file. RefChecker must be
importable there. --record writes RefChecker's outcomes of these cases, with which the tests compare graph_eval
(tests/data/refchecker.json).
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LABELS = ("Entailment", "Neutral", "Contradiction")
SIZES = {"tiny": (128, 2, 2, 512), "base": (768, 12, 12, 3072)}  # hidden, layers, heads, inner
TRIPLETS = [  # from RefChecker's documentation
    ["I Dreamed a Dream", "originally from", "the stage musical Les Misérables"],
    ["I Dreamed a Dream", "written by", "Claude-Michel Schönberg and Alain Boublil"],
    ["Anne Hathaway", "sang I Dreamed a Dream in", "the 2012 film adaptation of Les Misérables"],
]
Item = tuple[list[str], list[str]]  # references, claims


def environment_python(environment: Path) -> str:
    """The Python of the environment, which is created if it does not exist."""
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        packages = ["refchecker==0.2.17", "--editable", f"{ROOT}[hf]"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return str(python)


def items_of(path: Path, pairs: int) -> list[Item]:
    """References and claims of a sample of responses, with about `pairs` pairs of both."""
    responses: dict[Any, Item] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            key = (row["setting"], row["llm"], row["id"])
            references = row["reference"] if isinstance(row["reference"], list) else [row["reference"]]
            responses.setdefault(key, (references, []))[1].append(" ".join(row["triplet"]))
    items = list(responses.values())
    total = sum(len(references) * len(claims) for references, claims in items)
    return items[:: max(1, total // pairs)]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        yield


def outcome(work: Callable[[], Any]) -> Any:
    """The result, or the error in one line."""
    try:
        with quiet():
            return work()
    except Exception as problem:
        return f"{type(problem).__name__}: {' '.join(str(problem).split())[:70]}"


def same(name: str, theirs: Any, ours: Any, count: int) -> bool:
    """Whether both are equal. The counts of the labels show that they could have differed."""
    equal = theirs == ours
    counts = Counter(re.findall("|".join(LABELS), json.dumps(ours)))
    labels = ", ".join(f"{counts[label]} {label}" for label in LABELS) if counts else ""
    print(f"{name:<45} {count:>6} items: {'equal' if equal else 'DIFFERENT'} {labels}")
    if not equal:
        print(f"    theirs {str(theirs)[:300]}\n    ours   {str(ours)[:300]}")
    return equal


def aggregators() -> bool:
    from refchecker import aggregator

    from graph_eval.refchecker import major_agg, soft_agg, strict_agg

    chance = random.Random(5)  # noqa: S311
    lists: list[list[Any]] = [chance.choices(LABELS, k=chance.randint(0, 9)) for _ in range(1000)]
    lists += [[[label] for label in labels] for labels in lists]  # one reference for each claim
    pairs = ((strict_agg, aggregator.strict_agg), (soft_agg, aggregator.soft_agg), (major_agg, aggregator.major_agg))
    ours = [rule(labels) for labels in lists for rule, _ in pairs]
    theirs = [rule(list(labels)) for labels in lists for _, rule in pairs]
    return same("aggregators", theirs, ours, len(ours))


def encoder(folder: Path, size: str, sample: Sequence[Item]) -> Path:
    import torch
    import transformers

    from graph_eval.resources import folder as resource

    torch.manual_seed(1)
    hidden, layers, heads, inner = SIZES[size]
    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads,
        intermediate_size=inner, max_position_embeddings=512, initializer_range=0.1 if size == "tiny" else 0.02,
        id2label=dict(enumerate(("entailment", "neutral", "contradiction"))),
        label2id={"entailment": 0, "neutral": 1, "contradiction": 2},
    )  # fmt: skip
    tokenizer(folder, resource("weights/nli") / "tokenizer.json", ["input_ids", "token_type_ids", "attention_mask"])
    model = transformers.BertForSequenceClassification(config).eval()
    centre(model.classifier, lambda inputs: model(**inputs).logits, folder, sample)
    model.save_pretrained(folder)
    return folder


def centre(layer: Any, logits: Callable[[Any], Any], folder: Path, sample: Sequence[Item]) -> None:
    """Subtracts the mean of a layer's outputs: with random weights, every pair would get the same label."""
    import torch
    import transformers

    encode = transformers.AutoTokenizer.from_pretrained(folder)
    pairs = [(references[0], claims[0]) for references, claims in sample[:40]]
    texts = ([reference for reference, _ in pairs], [claim for _, claim in pairs])
    with torch.no_grad():
        outputs = logits(encode(*texts, truncation=True, max_length=512, padding=True, return_tensors="pt"))
        layer.bias -= outputs.mean(0)


def tokenizer(folder: Path, file: Path, names: list[str]) -> None:
    import transformers

    transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(file), model_max_length=512, model_input_names=names,
        **{f"{name}_token": f"[{name.upper()}]" for name in ("pad", "cls", "sep", "unk", "mask")},
    ).save_pretrained(folder)  # fmt: skip


def nli(folder: Path, items: list[Item], speeds: dict[str, list[Item]]) -> bool:
    from refchecker.checker.nli_checker import NLIChecker as Theirs

    from graph_eval.refchecker import NLIChecker

    good = True
    for size in SIZES:
        path = encoder(folder / size, size, items)
        with quiet():
            theirs, ours = Theirs(str(path), device="cpu"), NLIChecker(str(path), device="cpu")
        if size == "tiny":
            limit = ours.part.limit
            short = [([r for r in references if fits(ours, r, claims, limit)], claims) for references, claims in items]
            short = [item for item in short if item[0]]
            arguments = ([claims for _, claims in short], [references for references, _ in short])
            for merge in (False, True):
                with quiet():
                    labels = [checker.check(*arguments, is_joint=False, merge_psg=merge) for checker in (theirs, ours)]
                count = sum(map(len, labels[1]))
                good &= same(f"NLI, merge_psg={merge}, texts that fit", *labels, count)
        timed(size, theirs, ours, speeds[size])
    return good


def fits(ours: Any, reference: str, claims: list[str], limit: int) -> bool:
    return all(len(item.ids) <= limit for item in ours.part.encode([(reference, claim) for claim in claims]))


def timed(size: str, theirs: Any, ours: Any, items: list[Item]) -> None:
    """Times both on the same items, twice in turn, and prints the better time of each."""
    arguments = ([claims for _, claims in items], [references for references, _ in items])
    pairs = sum(len(references) * len(claims) for references, claims in items)
    seconds: dict[str, list[float]] = {"theirs": [], "ours": []}
    for _ in range(2):
        for name, checker in (("theirs", theirs), ("ours", ours)):
            began = time.perf_counter()
            with quiet():
                checker.check(*arguments, is_joint=False)
            seconds[name].append(time.perf_counter() - began)
    stats = ours.part.engine.stats
    rates = {name: pairs / min(values) for name, values in seconds.items()}
    print(
        f"{size}: {pairs} pairs, theirs {rates['theirs']:.1f} per second, ours {rates['ours']:.1f} "
        f"({rates['ours'] / rates['theirs']:.2f} times; padding {stats.waste:.2%})"
    )


def alignscore(folder: Path, items: list[Item]) -> bool:
    """RefChecker loads "roberta-large" and "en_core_web_sm" by name. Folders with these names replace them."""
    import spacy
    import torch
    import transformers

    from graph_eval.refchecker import AlignScoreChecker
    from graph_eval.resources import folder as resource

    torch.manual_seed(2)
    config = transformers.RobertaConfig(
        vocab_size=30522, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96,
        max_position_embeddings=514, type_vocab_size=1, pad_token_id=0, initializer_range=0.2,
    )  # fmt: skip
    base = folder / "roberta-large"
    transformers.RobertaForMaskedLM(config).save_pretrained(base)
    tokenizer(base, resource("weights/nli") / "tokenizer.json", ["input_ids", "attention_mask"])
    spacy.blank("en").to_disk(folder / "en_core_web_sm")
    os.chdir(folder)
    with quiet():
        from refchecker.checker.alignscore import inference
        from refchecker.checker.alignscore.alignscore_checker import AlignScoreChecker as Theirs
        from refchecker.checker.alignscore.model import BERTAlignModel

        model = BERTAlignModel("roberta-large", using_pretrained=False).eval()
        centre(model.tri_layer, lambda inputs: model(inputs).tri_label_logits, base, items)
        state = {"state_dict": model.state_dict(), "hyper_parameters": {"model": "roberta-large"}}
        torch.save({**state, "pytorch-lightning_version": "2.3.0"}, base / "alignscore.ckpt")
        problem = outcome(lambda: Theirs(str(base / "alignscore.ckpt"), device="cpu"))
        inference.BERTAlignModel = Loading
        theirs = Theirs(str(base / "alignscore.ckpt"), device="cpu")
        ours = AlignScoreChecker(str(base / "alignscore.ckpt"), device="cpu")
    if isinstance(problem, str):
        print(f"RefChecker fails to load AlignScore ({problem}). Its loading is corrected for the comparison.")
    short = [([r for r in references if fits(ours, r, claims, 512)][:1], claims) for references, claims in items]
    short = [item for item in short if item[0]]
    arguments = ([claims for _, claims in short], [references for references, _ in short])
    with quiet():
        labels = [checker.check(*arguments, is_joint=False) for checker in (theirs, ours)]
    return same("AlignScore, texts that fit", *labels, sum(map(len, labels[1])))


class Loading:
    """Replaces RefChecker's call of a class method on an instance, which pytorch-lightning refuses."""

    def __init__(self, model: str) -> None:
        self._model = model

    def load_from_checkpoint(self, checkpoint_path: str, strict: bool) -> Any:
        import torch
        from refchecker.checker.alignscore.model import BERTAlignModel

        model = BERTAlignModel(self._model, using_pretrained=False)
        state = torch.load(checkpoint_path, map_location="cpu", weights_only=True)["state_dict"]
        model.load_state_dict(state, strict=strict)
        return model


def models(url: str) -> bool:
    import refchecker as theirs
    from compare_refchecker import QUESTION, records

    from graph_eval import refchecker as ours
    from graph_eval.settings import Settings

    work = [item for n, item in enumerate(records(40, 1)) if n % 10 not in (4, 9)]  # those with well-formed answers
    responses, questions = [item["response"] for item in work], [QUESTION] * len(work)
    references = [item["passages"][0] for item in work]
    options = {"model": "openai/x", "api_base": url}
    settings = {"settings": Settings.of(cache="off")}
    with quiet():
        extractions = [
            theirs.LLMExtractor(claim_format="triplet", **options).extract(responses, questions),
            ours.LLMExtractor(claim_format="triplet", **options, **settings).extract(responses, questions),
        ]
    claims = [[[claim.content for claim in item.claims] for item in extraction] for extraction in extractions]
    good = same("triplets by a language model", *claims, len(work))
    checkers = (theirs.LLMChecker(**options), ours.LLMChecker(**options, **settings))
    for joint in (True, False):
        with quiet():
            labels = [c.check(claims[0], references, questions, is_joint=joint) for c in checkers]
        good &= same(f"labels by a language model, is_joint={joint}", *labels, sum(map(len, labels[0])))
    return good


def cases(folder: Path, url: str, record: Path | None) -> bool:
    """The cases of refchecker_cases.py. Prints those in which graph_eval differs."""
    import refchecker_cases as shared

    theirs = shared.outcomes_of("refchecker", shared.refchecker_command, folder, url)
    ours = shared.outcomes_of("graph_eval.refchecker", shared.graph_eval_command, folder, url)
    if record is not None:
        record.write_text(json.dumps(theirs, ensure_ascii=False, indent=1) + "\n", "utf-8")
    different = shared.differences(theirs, ours)
    files = sum(name.startswith(shared.MODES) for name in ours)
    outcome_of_all = f"{len(different)} DIFFERENT" if different else "equal"
    print(f"{'calls and files, 0 to 3 references':<45} {len(ours):>6} cases ({files} of files): {outcome_of_all}")
    for name, (expected, found) in different.items():
        print(f"{name}\n    theirs {str(expected)[:300]}\n    ours   {str(found)[:300]}")
    return not different


def continued(folder: Path, url: str) -> bool:
    """RefChecker continues with a file that graph_eval wrote."""
    import refchecker_cases as shared

    source, ours, again = (folder / name for name in ("in.json", "ours.json", "again.json"))
    source.write_text(json.dumps([shared.item(number, "extract-check", 1) for number in (1, 2)]), "utf-8")
    names = ["--extractor_name", "openai/x", "--checker_name", "openai/x", "--cache_dir", str(folder / "cache")]
    bases = ["--extractor_api_base", url, "--checker_api_base", url]
    with quiet():
        paths = ["--input_path", str(source), "--output_path", str(ours)]
        shared.graph_eval_command(["extract-check", *paths, *names, *bases])
        paths = ["--input_path", str(ours), "--output_path", str(again)]
        shared.refchecker_command(["check", *paths, *names, *bases])
    ys = [[item["ys"] for item in json.loads(path.read_text("utf-8"))] for path in (again, ours)]
    return same("RefChecker on a file of graph_eval", *ys, len(ys[0]))


def documented(folder: Path) -> bool:
    """The example of RefChecker's documentation (checker/README.md) through graph_eval's command line. RefChecker's
    aggregators and claims accept the output."""
    import refchecker
    from refchecker import aggregator
    from refchecker.base import RCClaim

    from graph_eval.refchecker import strict_agg

    text = (Path(refchecker.__file__).parent / "checker" / "README.md").read_text("utf-8")
    matches = [re.search(rf"{name} = (\[.*?\n?\s*\]+) ?(?:#|\n)", text, re.DOTALL) for name in ("references", "claims")]
    references, claims = (ast.literal_eval(match[1]) for match in matches if match)
    expected = re.search(r"# (\[\['Entailment'.*?\]\])", text)
    items = [
        {"response": "", "claims": triplets, "reference": reference}
        for triplets, reference in zip(claims, references, strict=True)
    ]
    paths = [folder / "example.json", folder / "checked.json"]
    paths[0].write_text(json.dumps(items), "utf-8")
    command = ["refchecker", "check", "--input_path", str(paths[0]), "--output_path", str(paths[1])]
    arguments = [sys.executable, "-W", "ignore", "-m", "graph_eval", *command, "--aggregator_name", "strict"]
    subprocess.run(arguments, check=True, capture_output=True)
    checked = json.loads(paths[1].read_text("utf-8"))
    documented_labels = expected[1] if expected else "?"
    labels = [item["ys"] for item in checked]
    print(f"the documentation's example: {labels} by the builtin checker, documented: {documented_labels}")
    for item in checked:
        for claim in item["claims"]:
            RCClaim("triplet", claim, None).get_content()
    theirs = [aggregator.strict_agg(list(item["ys"])) for item in checked]
    return same("its file in RefChecker's aggregator", theirs, [strict_agg(item["ys"]) for item in checked], len(items))


def beyond(folder: Path, url: str) -> None:
    """Prints inputs on which RefChecker fails, beside the results of graph_eval."""
    import refchecker as theirs
    from refchecker import aggregator
    from refchecker.checker.nli_checker import NLIChecker as TheirNLI

    from graph_eval import refchecker as ours
    from graph_eval.settings import Settings

    with quiet():
        nli_checkers = (
            TheirNLI(str(folder / "tiny"), device="cpu"),
            ours.NLIChecker(str(folder / "tiny"), device="cpu"),
        )
    options = {"model": "openai/x", "api_base": url}
    llm = (theirs.LLMChecker(**options), ours.LLMChecker(**options, settings=Settings.of(cache="off")))
    references = ["Tower1 opened in 1801.", "Nothing of towers."]
    two = [["Neutral", "Contradiction"], ["Entailment", "Neutral"]]
    text = ["Tower1 opened in 1801."]
    cases: list[tuple[str, Callable[[int], Any]]] = [
        ("NLI as its command line calls it", lambda n: nli_checkers[n].check([TRIPLETS], ["A song."])),
        ("NLI, triplets", lambda n: nli_checkers[n].check([TRIPLETS], ["A song."], is_joint=False)),
        ("soft, two references", lambda n: (aggregator.soft_agg, ours.soft_agg)[n](two)),
        ("major, two references", lambda n: (aggregator.major_agg, ours.major_agg)[n](two)),
        ("strict, two references, one contradicted", lambda n: (aggregator.strict_agg, ours.strict_agg)[n](two[:1])),
        ("strict, no reference", lambda n: (aggregator.strict_agg, ours.strict_agg)[n]([[], []])),
        ("joint without a question", lambda n: llm[n].check([TRIPLETS[:1]], references[:1])),
        ("joint, a text that the reference contains", lambda n: llm[n].check([text], references[:1], ["?"])),
    ]
    print("\nInputs on which RefChecker fails:")
    for name, case in cases:
        print(f"{name:<45} theirs {outcome(lambda case=case: case(0))!s:<82} ours {outcome(lambda case=case: case(1))}")


def inside(options: argparse.Namespace) -> bool:
    """Runs every comparison, inside the environment."""
    warnings.filterwarnings("ignore")
    sys.path.insert(0, str(Path(__file__).parent))
    from compare_refchecker import answer

    from graph_eval.testing import LoopbackServer

    with tempfile.TemporaryDirectory() as name, LoopbackServer(answer) as server:
        folder = Path(name)
        good = aggregators()
        good &= cases(folder, server.url, options.record)
        if options.cases:
            return good
        good &= models(server.url)
        good &= continued(folder, server.url)
        good &= documented(folder)
        if options.claims:
            items = items_of(options.claims, options.pairs)
            speeds = {"tiny": items_of(options.claims, options.tiny), "base": items_of(options.claims, options.base)}
            good &= nli(folder, items, speeds)
            good &= alignscore(folder, items)
            beyond(folder, server.url)
        return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environment", type=Path, default=Path("refchecker-environment"), metavar="DIR")
    parser.add_argument("--claims", type=Path, metavar="FILE", help="RefChecker's labelled claims, claims_dev.jsonl.gz")
    parser.add_argument("--pairs", type=int, default=3000, help="pairs whose labels are compared")
    parser.add_argument("--tiny", type=int, default=10_000, help="pairs timed on the tiny encoder")
    parser.add_argument("--base", type=int, default=1_000, help="pairs timed on the encoder of base size")
    parser.add_argument("--cases", action="store_true", help="only the cases without weights, with this Python")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write RefChecker's outcomes of these cases")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside or options.cases:
        sys.exit(0 if inside(options) else 1)
    python = environment_python(options.environment)
    offline = {"HF_HUB_OFFLINE": "1", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "none"}
    arguments = [argument for argument in sys.argv[1:] if argument != "--inside"]
    done = subprocess.run(
        [python, "-W", "ignore", __file__, "--inside", *arguments], check=False, env={**os.environ, **offline}
    )  # fmt: skip
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
