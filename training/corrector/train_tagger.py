"""Trains the tagger and pointer of the builtin corrector. Seeded, logged, and able to go on where it was stopped.

    PYTHONPATH=training/nli python training/corrector/train_tagger.py --data corrupted.jsonl.gz \
        --init CHECKPOINT.pt --out DIR --epochs 2 --tokenizer graph_eval/weights/nli/tokenizer.json

Rows as corrupted.py and human.py write them. The loss is the cross-entropy of the tags, plus half that of the pointers,
where every place that holds the right words is right. A word that is wrong in one way or another (tag 4) is only to be
not right. --without-fold leaves the articles of one fold out. DIR/state.pt is everything to go on from, DIR/log.jsonl
the course, DIR/checkpoint.pt the weights (float16) at the end.
"""

import argparse
import gzip
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tagger import EditReader, load, pointed
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

LONGEST = 288  # tokens; longer rows are left out
BUDGET = 4096  # tokens a batch
BUCKET = 1500  # rows that are sorted by length together
TAG_WEIGHTS = (1.0, 2.0, 2.0, 2.5)
MARKED_WEIGHT = 2.0
IGNORED = -100
MARKED = 4  # wrong in one way or another
POINTERS = 0.5  # weight of their loss
WARM = 150  # batches until the highest rate


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


def batches(rows: Sequence[Row], seed: int) -> list[list[Row]]:
    """All rows once, in an order that the seed decides, like lengths together."""
    chance = random.Random(seed)
    order = list(rows)
    chance.shuffle(order)
    found: list[list[Row]] = []
    for start in range(0, len(order), BUCKET):
        own: list[list[Row]] = [[]]
        for row in sorted(order[start : start + BUCKET], key=lambda row: len(row.ids)):
            if own[-1] and (len(own[-1]) + 1) * len(row.ids) > BUDGET:
                own.append([])
            own[-1].append(row)
        chance.shuffle(own)
        found += own
    return found


def padded(batch: Sequence[Row]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Token ids, mask, types and tags, each (rows, longest)."""
    size = max(len(row.ids) for row in batch)
    filled = torch.zeros(4, len(batch), size, dtype=torch.long)
    filled[3] = IGNORED
    for place, row in enumerate(batch):
        length = len(row.ids)
        filled[0, place, :length] = torch.tensor(row.ids)
        filled[1, place, :length] = 1
        filled[2, place, :length] = torch.tensor(row.types)
        filled[3, place, :length] = torch.tensor(row.tags)
    ids, mask, types, tags = filled
    return ids, mask, types, tags


def pointers(outputs: Sequence[Tensor], batch: Sequence[Row]) -> tuple[Tensor, Tensor, list[Asked], Tensor] | None:
    """Log probabilities of starts and ends (asked, length) over the evidence and [CLS], and what was asked."""
    asked = [(number, item) for number, row in enumerate(batch) for item in row.asked]
    if not asked:
        return None
    rows = torch.tensor([number for number, _ in asked])
    _, first, last, answers, _ = outputs
    firsts = first[rows, torch.tensor([item.first for _, item in asked])]
    lasts = last[rows, torch.tensor([item.last for _, item in asked])]
    length = answers.shape[1]
    borders = torch.tensor([batch[number].types.index(1) - 1 for number, _ in asked])  # the first [SEP]
    hidden = torch.arange(length)[None] >= borders[:, None]
    starts, ends = (
        logits.masked_fill(hidden, -1e4).log_softmax(-1) for logits in pointed(firsts, lasts, answers[rows])
    )
    return starts, ends, [item for _, item in asked], rows


def losses(model: EditReader, batch: Sequence[Row], weights: Tensor) -> tuple[Tensor, Tensor]:
    ids, mask, types, tags = padded(batch)
    outputs = [part.float() for part in model(ids, mask, types)]
    logits, wanted = outputs[0].flatten(0, 1), tags.flatten()
    known, marked = (wanted >= 0) & (wanted != MARKED), wanted == MARKED
    named = functional.cross_entropy(logits[known], wanted[known], weight=weights, reduction="none")
    wrong = MARKED_WEIGHT * (logits[marked].logsumexp(-1) - logits[marked][:, 1:].logsumexp(-1))
    tagging = (named.sum() + wrong.sum()) / (weights[wanted[known]].sum() + MARKED_WEIGHT * marked.sum())
    found = pointers(outputs, batch)
    if found is None:
        return tagging, tagging.new_zeros(())
    starts, ends, asked, _ = found
    missed = [
        -torch.logsumexp(logs[number, torch.tensor(sorted({place[side] for place in item.right}) or [0])], 0)
        for side, logs in enumerate((starts, ends))
        for number, item in enumerate(asked)
    ]
    return tagging, torch.stack(missed).mean()


@torch.no_grad()
def evaluate(model: EditReader, rows: Sequence[Row]) -> dict[str, float]:
    """On held-out rows: precision and recall of wrong tokens, and of pointers that are exact."""
    model.eval()
    right = said = true = pointed_right = asked_all = 0
    for batch in batches(rows, 0):
        ids, mask, types, tags = padded(batch)
        outputs = model(ids, mask, types)
        wrong, known = outputs[0].argmax(-1) > 0, tags >= 0
        right += int((wrong & (tags > 0) & known).sum())
        said += int((wrong & known).sum())
        true += int((tags > 0).sum())
        if (found := pointers(outputs, batch)) is not None:
            starts, ends, asked, _ = found
            for number, item in enumerate(asked):
                if item.right:
                    asked_all += 1
                    pointed_right += (int(starts[number].argmax()), int(ends[number].argmax())) in item.right
    model.train()
    figures: dict[str, float] = {
        "precision": right / max(1, said),
        "recall": right / max(1, true),
        "pointer": pointed_right / max(1, asked_all),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, action="append", required=True, help="repeat for several files")
    options.add_argument("--without-fold", type=int, help="leave the rows of this fold out")
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--init", type=Path, required=True, help="{'model': state dict} of an encoder or a tagger")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--epochs", type=int, default=1)
    options.add_argument("--frozen", type=int, default=4, help="lower layers that stay as they are")
    options.add_argument("--rate", type=float, default=1.5e-4, help="highest learning rate; four times that for heads")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--save-every", type=int, default=250, help="batches")
    options.add_argument("--bfloat16", action="store_true", help="matrix products in 16 bits")
    given = options.parse_args()

    torch.manual_seed(given.seed)
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    rows = [row for path in given.data for row in read(path, tokenizer, "train", given.without_fold)]
    heldout = {path.name.split(".")[0]: read(path, tokenizer, "heldout") for path in given.data}
    model = load(given.init).train()
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    model.enc.embeddings.requires_grad_(False)
    for layer in model.enc.encoder.layer[: given.frozen]:
        layer.requires_grad_(False)
    body = [weight for weight in model.enc.parameters() if weight.requires_grad]
    heads = [weight for name, weight in model.named_parameters() if not name.startswith("enc.")]
    groups = [{"params": body, "factor": 1.0}, {"params": heads, "factor": 4.0}]
    optimizer = torch.optim.AdamW(groups, lr=given.rate, weight_decay=0.01, fused=True)
    plan = [batch for epoch in range(given.epochs) for batch in batches(rows, given.seed * 1000 + epoch)]
    weights = torch.tensor(TAG_WEIGHTS)

    given.out.mkdir(parents=True, exist_ok=True)
    state, step = given.out / "state.pt", 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        step = saved["step"]
    began, sums = time.time(), [0.0, 0.0]
    with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:
        while step < len(plan):
            rate = given.rate * min(1, (step + 1) / WARM, (len(plan) - step) / max(1, len(plan) - WARM))
            for group in optimizer.param_groups:
                group["lr"] = rate * group["factor"]
            with torch.autocast("cpu", torch.bfloat16, enabled=given.bfloat16):
                tagging, pointing = losses(model, plan[step], weights)
            optimizer.zero_grad()
            (tagging + POINTERS * pointing).backward()
            nn.utils.clip_grad_norm_([*body, *heads], 1.0)
            optimizer.step()
            step += 1
            sums = [sums[0] + float(tagging.detach()), sums[1] + float(pointing.detach())]
            if step % given.save_every == 0 or step == len(plan):
                torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, state)
                course = {"step": step, "of": len(plan), "seconds": round(time.time() - began)}
                mean = {"tags": sums[0] / given.save_every, "pointers": sums[1] / given.save_every}
                figures = {name: evaluate(model, found) for name, found in heldout.items()}
                log.write(json.dumps(course | mean | figures) + "\n")
                log.flush()
                sums = [0.0, 0.0]
    torch.save(
        {"model": {name: value.half() for name, value in model.state_dict().items()}}, given.out / "checkpoint.pt"
    )


if __name__ == "__main__":
    main()
