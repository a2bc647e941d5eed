"""Trains the parser on UD English EWT (train) and PUD, on CPU. Seeded, logged, and able to go on where it was stopped.

    PYTHONPATH=training/nli python training/parser/train.py --data UD --layers 8 --epochs 8 --out DIR \
        --tokenizer graph_eval/weights/nli/tokenizer.json --encoder e5-small-v2.onnx

Begins with the first layers of an encoder (`--encoder`; `training/nli/base.py` says where it lies), or with a
checkpoint of this script (`--init`). A sentence is read as it is or, three times in ten, as one of its copies
(`treebank.varied`): lower-cased, unpunctuated, an item of a list, a question. The word embeddings stay as the exported
file stores them, in 4 bits, so that the model learns to read those.

DIR/state.pt is everything to go on from, DIR/log.jsonl the course, DIR/checkpoint.pt the weights (float16) at the end.
The same command given again goes on after the last state.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from base import state_of
from biaffine import BiaffineParser, load
from export import BLOCK
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from treebank import Sentence, read, varied

from graph_eval.parsing.pieces import Pieces, pieces

BUDGET = 1400  # pieces a batch, padding included
BUCKET = 1500  # sentences that are sorted by length together
WARM_UP = 0.05  # share of the steps
ENCODER_RATE = 1.2e-4
HEAD_RATE = 2e-3
TAG_WEIGHT = 0.5
SAVE_EVERY = 100  # steps


def encoded(sentences: Sequence[Sentence], tokenizer: Tokenizer) -> list[tuple[Sentence, Pieces]]:
    return list(zip(sentences, pieces([sentence.words for sentence in sentences], tokenizer), strict=True))


def batch_of(sentences: Sequence[tuple[Sentence, Pieces]]) -> dict[str, Tensor]:
    """The inputs of the model, padded; which words are real; the head of each word (0 where there is none)."""
    longest = max(len(found.ids) for _, found in sentences)
    words = 1 + max(len(sentence) for sentence, _ in sentences)
    rows = len(sentences)
    batch = {name: torch.zeros(rows, longest, dtype=torch.long) for name in ("ids", "cases")}
    batch["positions"] = torch.arange(longest).repeat(rows, 1)
    batch["visible"] = torch.zeros(rows, 1, 1, longest)
    batch["pieces"] = torch.zeros(rows, words, longest)
    batch["real"] = torch.zeros(rows, words, dtype=torch.bool)
    batch["chosen"] = torch.zeros(rows, words, dtype=torch.long)
    for row, (sentence, found) in enumerate(sentences):
        length = len(found.ids)
        batch["ids"][row, :length] = torch.tensor(found.ids)
        batch["cases"][row, :length] = torch.tensor(found.cases)
        batch["visible"][row, :, :, :length] = 1
        batch["real"][row, : len(sentence) + 1] = True
        batch["chosen"][row, 1 : len(sentence) + 1] = torch.tensor(sentence.heads)
        batch["pieces"][row, 0, 0] = 1
        for word in range(len(sentence)):
            first, end = found.starts[word], found.starts[word + 1]
            batch["pieces"][row, word + 1, first:end] = 1 / (end - first)
    return batch


INPUTS = ("ids", "cases", "positions", "visible", "pieces")


def loss_of(model: BiaffineParser, sentences: Sequence[tuple[Sentence, Pieces]]) -> Tensor:
    batch = batch_of(sentences)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        arcs, relations, heads, tags = model(*(batch[name] for name in INPUTS))
    arcs = masked(arcs.float(), batch["real"])
    labels = model.label_scores(relations.float(), heads.float(), batch["chosen"])
    word = batch["real"].clone()
    word[:, 0] = False
    relation_of = {name: place for place, name in enumerate(model.relation_names)}
    tag_of = {name: place for place, name in enumerate(model.tag_names)}
    gold_relations = torch.tensor([relation_of[name] for sentence, _ in sentences for name in sentence.relations])
    gold_tags = torch.tensor([tag_of[name] for sentence, _ in sentences for name in sentence.tags])
    return (
        functional.cross_entropy(arcs[word], batch["chosen"][word])
        + functional.cross_entropy(labels[word], gold_relations)
        + TAG_WEIGHT * functional.cross_entropy(tags[word].float(), gold_tags)
    )


def masked(arcs: Tensor, real: Tensor) -> Tensor:
    """No word depends on padding or on itself."""
    arcs = arcs.masked_fill(~real[:, None, :], -1e9)
    return arcs.masked_fill(torch.eye(arcs.shape[1], dtype=torch.bool), -1e9)


def batches(
    sentences: Sequence[tuple[Sentence, Pieces]], chance: random.Random | None = None
) -> Iterator[list[tuple[Sentence, Pieces]]]:
    """Batches of sentences of similar length; `chance` mixes sentences and batches."""
    places = list(range(len(sentences)))
    if chance:
        chance.shuffle(places)
    found = []
    for start in range(0, len(places), BUCKET):
        batch: list[tuple[Sentence, Pieces]] = []
        for place in sorted(places[start : start + BUCKET], key=lambda place: len(sentences[place][1].ids)):
            if batch and (len(batch) + 1) * len(sentences[place][1].ids) > BUDGET:
                found.append(batch)
                batch = []
            batch.append(sentences[place])
        found.append(batch)
    if chance:
        chance.shuffle(found)
    yield from found


@torch.no_grad()
def accuracies(model: BiaffineParser, sentences: Sequence[tuple[Sentence, Pieces]]) -> dict[str, float]:
    """UAS, LAS (without punctuation) and tags, of greedy heads: a quick measure. `evaluate.py` has the others."""
    model.eval()
    counts = dict.fromkeys(("UAS", "LAS", "tags"), 0)
    words = total = 0
    for batch in batches(sentences):
        inputs = batch_of(batch)
        arcs, relations, heads, tags = model(*(inputs[name] for name in INPUTS))
        chosen = masked(arcs, inputs["real"]).argmax(-1)
        labels = model.label_scores(relations, heads, chosen).argmax(-1)
        guessed = tags.argmax(-1)
        for row, (sentence, _) in enumerate(batch):
            for place, (head, relation, tag) in enumerate(
                zip(sentence.heads, sentence.relations, sentence.tags, strict=True), 1
            ):
                total += 1
                counts["tags"] += model.tag_names[guessed[row, place]] == tag
                if relation == "punct":
                    continue
                words += 1
                right = int(chosen[row, place]) == head
                counts["UAS"] += right
                counts["LAS"] += right and model.relation_names[labels[row, place]] == relation
    model.train()
    return {name: round(count / (total if name == "tags" else words), 4) for name, count in counts.items()}


def started(given: argparse.Namespace, sentences: Sequence[Sentence]) -> BiaffineParser:
    if given.init:
        model = load(given.init)
    else:
        relations = sorted({name for sentence in sentences for name in sentence.relations})
        tags = sorted({name for sentence in sentences for name in sentence.tags})
        model = BiaffineParser(given.layers, relations, tags)
        encoder = state_of(given.encoder)
        unused = {name for name in encoder if name.startswith("encoder.layer.") and layer(name) >= given.layers}
        model.encoder.load_state_dict({name: value for name, value in encoder.items() if name not in unused})
    words = model.encoder.embeddings.word_embeddings
    words.weight.data = torch.from_numpy(in_blocks(words.weight.data.numpy(), bits=4))
    words.requires_grad_(False)
    for module in model.encoder.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.1
    return model.train()


def layer(name: str) -> int:
    return int(name.split(".")[2])


def in_blocks(table: np.ndarray, bits: int) -> np.ndarray:
    """The table as `training/nli/export.py` stores it: whole numbers with a scale for every BLOCK values."""
    top = 2 ** (bits - 1) - 1
    blocks = table.reshape(len(table), -1, BLOCK)
    scales = np.abs(blocks).max(axis=2, keepdims=True).clip(min=1e-8) / top
    return (np.rint(blocks / scales) * scales).reshape(table.shape).astype(np.float32)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="folder with the UD .conllu.gz files")
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--encoder", type=Path, help="ONNX file of the encoder to begin with")
    options.add_argument("--init", type=Path, help="checkpoint to begin with")
    options.add_argument("--layers", type=int, default=8)
    options.add_argument("--epochs", type=float, default=8)
    options.add_argument("--rate", type=float, default=1.0, help="times the rates of encoder and heads")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--stop-at", type=int, help="a step: go on later")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    if not given.encoder and not given.init:
        options.error("give --encoder or --init")
    torch.manual_seed(given.seed)
    given.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    sentences = [*read(given.data / "en_ewt-train.conllu.gz"), *read(given.data / "en_pud.conllu.gz")]
    dev = encoded(list(read(given.data / "en_ewt-dev.conllu.gz")), tokenizer)
    plain = encoded(sentences, tokenizer)
    model = started(given, sentences)
    encoder = [p for name, p in model.named_parameters() if name.startswith("encoder.") and p.requires_grad]
    heads = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    groups = [
        {"params": encoder, "top": ENCODER_RATE * given.rate},
        {"params": heads, "top": HEAD_RATE * given.rate},
    ]
    optimiser = torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, fused=True)
    steps = int(given.epochs * len(list(batches(plain, random.Random(given.seed)))))
    state_file, step, epoch, place = given.out / "state.pt", 0, 0, 0
    if state_file.exists():
        saved = torch.load(state_file, map_location="cpu", weights_only=True)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        torch.set_rng_state(saved["random"])
        step, epoch, place = saved["step"], saved["epoch"], saved["place"]
    began, losses = time.time(), []
    with (given.out / "log.jsonl").open("a", encoding="utf8") as log:

        def tell(**values: object) -> None:
            line = json.dumps({"step": step, "of": steps, "seconds": round(time.time() - began), **values})
            print(line, file=log, flush=True)
            print(line, flush=True)

        while step < steps and step != given.stop_at:
            chance = random.Random(f"{given.seed}-{epoch}")
            read_as = [varied(sentence, chance) for sentence in sentences]
            order = list(batches(encoded(read_as, tokenizer), chance))
            for batch in order[place:]:
                share = step / steps
                for group in optimiser.param_groups:
                    group["lr"] = group["top"] * min(1.0, share / WARM_UP + 0.01) * (1 - share)
                loss = loss_of(model, batch)
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 2.0)
                optimiser.step()
                optimiser.zero_grad()
                step, place = step + 1, place + 1
                losses.append(loss.item())
                if step % SAVE_EVERY == 0 or step in (steps, given.stop_at):
                    tell(loss=round(sum(losses) / len(losses), 3))
                    losses.clear()
                    state = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
                    numbers = {"step": step, "epoch": epoch, "place": place, "random": torch.get_rng_state()}
                    torch.save(state | numbers, given.out / "state.tmp")
                    (given.out / "state.tmp").replace(state_file)
                if step % (4 * SAVE_EVERY) == 0:
                    tell(dev=accuracies(model, dev[:600]))
                if step in (steps, given.stop_at):
                    break
            else:
                epoch, place = epoch + 1, 0
        tell(dev=accuracies(model, dev))
    state = {name: value.half() for name, value in model.state_dict().items()}
    description = {"layers": model.layers, "relations": model.relation_names, "tags": model.tag_names}
    torch.save({"model": state, **description}, given.out / "checkpoint.pt")


if __name__ == "__main__":
    main()
