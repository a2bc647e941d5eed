"""Trains the tagger and pointer of the builtin corrector. Seeded, logged, and able to go on where it was stopped.

    PYTHONPATH=training/nli python training/corrector/train_tagger.py --data corrupted.jsonl.gz human.jsonl.gz:0.5 \
        --init CHECKPOINT.pt --out DIR --epochs 2 --tokenizer graph_eval/weights/nli/tokenizer.json

Rows as corrupted.py, twins.py and human.py write them; FILE:SHARE draws so much of a file for each epoch. The loss is
the cross-entropy of the tags, plus half that of the pointers, where every place that holds the right words is right. A
word that is wrong in one way or another (tag 4) is only to be not right. --without-fold leaves the articles of one fold
out. --init may name the checker's model: its layers, and as many of them, are what the tagger begins with.
DIR/state.pt is everything to go on from, DIR/log.jsonl the course, DIR/checkpoint.pt the weights (float16) at the end;
with --parts these come as distil.py writes them.
"""

import argparse
import gzip
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from distil import split
from tagger import EditReader, load, pointed
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from train import average_precision

LONGEST = 288  # tokens; longer rows are left out
BUCKET = 1500  # rows that are sorted by length together
TAG_WEIGHTS = (1.0, 2.0, 2.0, 2.5)
MARKED_WEIGHT = 2.0
IGNORED = -100
MARKED = 4  # wrong in one way or another
POINTERS = 0.5  # weight of their loss
WARM_UP = 0.1  # share of the course until the highest rate


@dataclass(frozen=True, slots=True)
class Asked:
    """A wrong span of the sentence, by token, and the spans of the evidence that hold the right words."""

    first: int
    last: int
    right: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Row:
    ids: list[int]
    types: list[int]
    tags: list[int]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded rows: `ids`, `mask`, `types`, `tags` (rows, longest); and all that is asked about them: its row, its first
    and last token (asked,), and where the right words start and end (asked, longest); [CLS] says "not there".
    """

    ids: Tensor
    mask: Tensor
    types: Tensor
    tags: Tensor
    borders: Tensor  # (rows,): the first [SEP]
    row: Tensor
    first: Tensor
    last: Tensor
    starts: Tensor
    ends: Tensor

    @classmethod
    def of(cls, rows: Sequence[Row], device: str) -> "Batch":
        size = -(-max(len(row.ids) for row in rows) // 8) * 8
        filled = np.zeros((4, len(rows), size), np.int64)
        filled[3] = IGNORED
        for place, row in enumerate(rows):
            length = len(row.ids)
            filled[:, place, :length] = row.ids, [1] * length, row.types, row.tags
        asked = [(number, item) for number, row in enumerate(rows) for item in row.asked]
        right = np.zeros((2, len(asked), size), bool)
        for number, (_, item) in enumerate(asked):
            for side in (0, 1):
                right[side, number, [place[side] for place in item.right] or [0]] = True
        whole = np.array([(number, item.first, item.last) for number, item in asked], np.int64).reshape(-1, 3).T
        borders = np.array([row.types.index(1) - 1 for row in rows])
        arrays = (*filled, borders, *whole, *right)
        return cls(*(torch.from_numpy(np.ascontiguousarray(values)).to(device) for values in arrays))


def read(path: Path, tokenizer: Tokenizer, split: str, without_fold: int | None = None) -> list[Row]:
    tokenizer.no_padding()
    tokenizer.no_truncation()
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        found = [row for line in stream if (row := json.loads(line))["split"] == split]
    if without_fold is not None:
        found = [row for row in found if row.get("fold") != without_fold]
    rows = []
    for start in range(0, len(found), 4000):
        part = found[start : start + 4000]
        for row, item in zip(part, tokenizer.encode_batch([(row["p"], row["h"]) for row in part]), strict=True):
            if len(item.ids) <= LONGEST:
                rows.append(_row(row, item))
    return rows


def _row(row: dict, item) -> Row:
    border = item.type_ids.index(1)
    sentence = range(border, len(item.ids) - 1)
    tags = [IGNORED] * len(item.ids)
    for place in sentence:
        tags[place] = 0
    for start, end in row.get("ignored", ()):
        for place in sentence:
            if item.offsets[place][0] < end and item.offsets[place][1] > start:
                tags[place] = IGNORED
    asked = []
    for start, end, tag, where in row["edits"]:
        own = [place for place in sentence if item.offsets[place][0] < end and item.offsets[place][1] > start]
        for place in own:
            tags[place] = tag
        if tag == 1 and own:
            right = []
            for left, far in where:
                inside = [p for p in range(1, border - 1) if item.offsets[p][0] < far and item.offsets[p][1] > left]
                if inside:
                    right.append((inside[0], inside[-1]))
            asked.append(Asked(own[0], own[-1], tuple(right)))
    return Row(item.ids, item.type_ids, tags, tuple(asked))


def batches(rows: Sequence[Row], seed: int, budget: int) -> list[list[Row]]:
    """All rows once, in an order that the seed decides, like lengths together. `budget`: tokens a batch."""
    chance = random.Random(seed)
    order = list(rows)
    chance.shuffle(order)
    found: list[list[Row]] = []
    for start in range(0, len(order), BUCKET):
        own: list[list[Row]] = [[]]
        for row in sorted(order[start : start + BUCKET], key=lambda row: len(row.ids)):
            if own[-1] and (len(own[-1]) + 1) * len(row.ids) > budget:
                own.append([])
            own[-1].append(row)
        chance.shuffle(own)
        found += own
    chance.shuffle(found)
    return found


def planned(files: Sequence[tuple[list[Row], float]], epochs: int, seed: int, budget: int) -> list[list[Row]]:
    """The batches of all epochs. `files`: the rows of each file, and the share of them that an epoch draws."""
    found = []
    for epoch in range(epochs):
        chance = random.Random(seed * 1000 + epoch)
        drawn = [row for rows, share in files for row in rows if share >= 1 or chance.random() < share]
        found += batches(drawn, seed * 1000 + epoch, budget)
    return found


def pointers(outputs: Sequence[Tensor], batch: Batch) -> tuple[Tensor, Tensor]:
    """Log probabilities of starts and ends (asked, length) over the evidence and [CLS]."""
    _, first, last, answers, _ = outputs
    asked = batch.row
    hidden = torch.arange(answers.shape[1], device=answers.device)[None] >= batch.borders[asked][:, None]
    found = pointed(first[asked, batch.first], last[asked, batch.last], answers[asked])
    starts, ends = (logits.masked_fill(hidden, -1e4).log_softmax(-1) for logits in found)
    return starts, ends


def losses(outputs: Sequence[Tensor], batch: Batch, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Of the tags, and of the pointers."""
    logits, wanted = outputs[0].flatten(0, 1), batch.tags.flatten()
    known, marked = (wanted >= 0) & (wanted != MARKED), wanted == MARKED
    named = functional.cross_entropy(logits[known], wanted[known], weight=weights, reduction="none")
    wrong = MARKED_WEIGHT * (logits[marked].logsumexp(-1) - logits[marked][:, 1:].logsumexp(-1))
    tagging = (named.sum() + wrong.sum()) / (weights[wanted[known]].sum() + MARKED_WEIGHT * marked.sum())
    if not len(batch.row):
        return tagging, tagging.new_zeros(())
    missed = [
        -logs.masked_fill(~right, -torch.inf).logsumexp(-1)
        for logs, right in zip(pointers(outputs, batch), (batch.starts, batch.ends), strict=True)
    ]
    return tagging, torch.stack(missed).mean()


@torch.no_grad()
def evaluate(model: EditReader, rows: Sequence[Row], device: str, budget: int) -> dict[str, float]:
    """On held-out rows: precision, recall and average precision of wrong tokens, and the share of exact pointers."""
    model.eval()
    right = said = true = pointed_right = asked_all = 0
    doubts, truths = [], []
    for batch in batches(rows, 0, budget):
        own = Batch.of(batch, device)
        with torch.autocast(device, torch.bfloat16, enabled=device != "cpu"):
            outputs = model(own.ids, own.mask, own.types)
        outputs = [part.float() for part in outputs]
        wrong, known = outputs[0].argmax(-1) > 0, own.tags >= 0
        right += int((wrong & (own.tags > 0) & known).sum())
        said += int((wrong & known).sum())
        true += int((own.tags > 0).sum())
        doubts.append((1 - outputs[0].softmax(-1)[..., 0])[known].cpu().numpy())
        truths.append((own.tags > 0)[known].cpu().numpy())
        if len(own.row):
            best = [logs.argmax(-1).tolist() for logs in pointers(outputs, own)]
            for start, end, item in zip(*best, (item for row in batch for item in row.asked), strict=True):
                if item.right:
                    asked_all += 1
                    pointed_right += (start, end) in item.right
    model.train()
    figures: dict[str, float] = {
        "precision": right / max(1, said),
        "recall": right / max(1, true),
        "average_precision": average_precision(np.concatenate(doubts), np.concatenate(truths)) if true else 0.0,
        "pointer": pointed_right / max(1, asked_all),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", nargs="+", required=True, metavar="FILE[:SHARE]")
    options.add_argument("--without-fold", type=int, help="leave the rows of this fold out")
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--init", type=Path, required=True, help="{'model': state dict} of an encoder or a tagger")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--epochs", type=int, default=1)
    options.add_argument("--seconds", type=float, default=0, help="end after so long, with the rate at 0; 0: no limit")
    options.add_argument("--frozen", type=int, default=0, help="lower layers that stay as they are")
    options.add_argument("--dropout", type=float, default=0.0)
    options.add_argument("--rate", type=float, default=1.5e-4, help="highest learning rate; four times that for heads")
    options.add_argument("--budget", type=int, default=4096, help="tokens a batch")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--save-every", type=int, default=250, help="batches")
    options.add_argument("--bfloat16", action="store_true", help="matrix products in 16 bits")
    options.add_argument("--device", default="cpu")
    options.add_argument("--parts", action="store_true", help="write the weights in parts, without the embeddings")
    given = options.parse_args()

    torch.manual_seed(given.seed)
    torch.backends.cuda.enable_cudnn_sdp(False)  # it makes a plan for every new shape
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    named = [(Path(name), float(share or 1)) for name, _, share in (text.partition(":") for text in given.data)]
    files = [(read(path, tokenizer, "train", given.without_fold), share) for path, share in named]
    heldout = {
        path.name.split(".")[0]: read(path, tokenizer, "heldout") or read(path, tokenizer, "ranker")
        for path, _ in named
    }
    model = load(given.init).train().to(given.device)
    model.enc.set_attn_implementation("sdpa")
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = given.dropout
    model.enc.embeddings.requires_grad_(False)
    for layer in model.enc.encoder.layer[: given.frozen]:
        layer.requires_grad_(False)
    body = [weight for weight in model.enc.parameters() if weight.requires_grad]
    heads = [weight for name, weight in model.named_parameters() if not name.startswith("enc.")]
    groups = [{"params": body, "factor": 1.0}, {"params": heads, "factor": 4.0}]
    optimizer = torch.optim.AdamW(groups, lr=given.rate, weight_decay=0.01, fused=True)
    plan = planned(files, given.epochs, given.seed, given.budget)
    weights = torch.tensor(TAG_WEIGHTS, device=given.device)

    given.out.mkdir(parents=True, exist_ok=True)
    state, step = given.out / "state.pt", 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        step = saved["step"]
    began, sums, since = time.time(), torch.zeros(2, device=given.device), 0
    with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:
        while step < len(plan):
            share = max(step / len(plan), (time.time() - began) / given.seconds if given.seconds else 0.0)
            last = share >= 1 or step + 1 == len(plan)
            rate = given.rate * min(1.0, share / WARM_UP + 0.01) * max(0.0, 1 - share)
            for group in optimizer.param_groups:
                group["lr"] = rate * group["factor"]
            batch = Batch.of(plan[step], given.device)
            with torch.autocast(given.device, torch.bfloat16, enabled=given.bfloat16):
                outputs = model(batch.ids, batch.mask, batch.types)
            tagging, pointing = losses([part.float() for part in outputs], batch, weights)
            optimizer.zero_grad()
            (tagging + POINTERS * pointing).backward()
            nn.utils.clip_grad_norm_([*body, *heads], 1.0)
            optimizer.step()
            step, since = step + 1, since + 1
            sums += torch.stack([tagging.detach(), pointing.detach()])
            if step % given.save_every == 0 or last:
                if not bool(torch.isfinite(sums).all()):
                    raise FloatingPointError(f"the losses are {sums.tolist()} after {step} batches")
                torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, state)
                course = {"step": step, "of": len(plan), "seconds": round(time.time() - began)}
                mean = dict(zip(("tags", "pointers"), (sums / since).tolist(), strict=True))
                figures = {
                    name: evaluate(model, found, given.device, given.budget) for name, found in heldout.items() if found
                }
                log.write(json.dumps(course | mean | figures) + "\n")
                log.flush()
                sums, since = torch.zeros_like(sums), 0
            if last:
                break
    weights_of = {name: value.half().cpu() for name, value in model.state_dict().items()}
    if given.parts:
        split(weights_of, given.out)
    else:
        torch.save({"model": weights_of}, given.out / "checkpoint.pt")


if __name__ == "__main__":
    main()
