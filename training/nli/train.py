"""Trains the NLI cross-encoder further, on CPU or GPU. Seeded, logged, and able to go on where it was stopped.

    python training/nli/train.py --data mix.jsonl.gz twins.jsonl.gz --tokenizer graph_eval/weights/nli/tokenizer.json \
        --init CHECKPOINT.pt --out DIR --epochs 1

A row: {"p": premise, "h": claim, "l": 0 entailed, 1 neutral, 2 contradicted, 3 not entailed (1 or 2), "split": "train"
or "heldout"}; rows of a file with the same "g" are an entailed claim and its near-miss twins, which stay in one batch.
The loss is the cross-entropy (of "entailed or not" for label 3), plus a margin between a claim and each of its twins.
A row with "w", [[start, end], ...] in characters of the claim, says which of its words are unsupported ([]: none): for
such rows the binary cross-entropy of the claim's tokens is added.

DIR/state.pt is everything to go on from, DIR/log.jsonl the course, DIR/checkpoint.pt the weights (float16) at the end.
The same command given again goes on after the last state, and ends with the weights it would have ended with anyway.
"""

import argparse
import gzip
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from model import CrossEncoder, load
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn
from torch.nn import functional

LONGEST = 224  # tokens of a pair; the longer of the two texts is cut
BUDGET = 2600  # tokens a batch
BUCKET = 900  # groups that are sorted by length together
NORMAL = 26  # rows of an average batch: every row weighs the same, whatever batch it is in
NOT_ENTAILED = 3
UNKNOWN = -1  # of a token
WORDS_FACTOR = 10.0  # of the rate, for the head over words, which starts fresh


@dataclass(frozen=True, slots=True)
class Row:
    ids: np.ndarray  # int32 (tokens,)
    types: np.ndarray  # int8 (tokens,)
    label: int
    group: int  # equal for a claim and its twins
    source: str
    wrong: np.ndarray  # int8 (tokens,): 1 for tokens of the claim that are unsupported, 0 supported, UNKNOWN


def read(
    paths: Sequence[Path],
    tokenizer: Tokenizer,
    split: str,
    most: Sequence[int] = (),
    seed: int = 0,
    *,
    all_supported: bool = False,
) -> list[Row]:
    """The rows of one split; `most`: how many of a source ("src") of each file, which the seed chooses (0: all).

    `all_supported`: the words of an entailed claim without "w" count as supported.
    Raises ValueError naming the line that is no row.
    """
    texts: list[tuple[str, str]] = []
    labels, groups, sources, names_of, marks = [], [], [], [], []
    names: dict[tuple[Path, object], int] = {}
    for path in paths:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                row = json.loads(line)
                if row.get("split", "train") != split:
                    continue
                if row["l"] not in range(4):
                    raise ValueError(f"{path}, line {number}: label {row['l']!r}")
                texts.append((row["p"], row["h"]))
                labels.append(row["l"])
                groups.append(names.setdefault((path, ("g", row["g"]) if "g" in row else number), len(names)))
                sources.append((str(path), str(row.get("src"))))
                names_of.append(f"{row.get('src')} claim" if row.get("kind") == "claim" else str(row.get("src")))
                marks.append(row.get("w", [] if all_supported and row["l"] == 0 else None))
    limits = {str(path): limit for path, limit in zip(paths, most, strict=False) if limit}
    places = chosen(groups, sources, limits, seed)
    texts, labels, groups, names_of, marks = (
        [part[place] for place in places] for part in (texts, labels, groups, names_of, marks)
    )
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST, strategy="longest_first")
    found = []
    for start in range(0, len(texts), 4000):
        for place, item in enumerate(tokenizer.encode_batch(texts[start : start + 4000]), start):
            ids, types = np.array(item.ids, np.int32), np.array(item.type_ids, np.int8)
            found.append(Row(ids, types, labels[place], groups[place], names_of[place], wrong(item, marks[place])))
    return found


def wrong(item: Encoding, spans: Sequence[Sequence[int]] | None) -> np.ndarray:
    """For each token of a pair whether it lies in one of the spans of the claim; UNKNOWN outside the claim."""
    found = np.full(len(item.ids), UNKNOWN, np.int8)
    if spans is not None:
        for place, (sequence, (start, end)) in enumerate(zip(item.sequence_ids, item.offsets, strict=True)):
            if sequence == 1:
                found[place] = any(start < last and first < end for first, last in spans)
    return found


def chosen(
    groups: Sequence[int], sources: Sequence[tuple[str, str]], limits: Mapping[str, int], seed: int
) -> list[int]:
    """Places of the rows to take: whole groups, as many as the limit of their file leaves their source."""
    members: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    order = list(members.values())
    random.Random(seed).shuffle(order)
    taken: dict[tuple[str, str], int] = {}
    places = []
    for group in order:
        source = sources[group[0]]
        if taken.get(source, 0) + len(group) <= limits.get(source[0], len(groups)):
            taken[source] = taken.get(source, 0) + len(group)
            places += group
    return sorted(places)


def batches(rows: Sequence[Row], seed: int) -> list[list[Row]]:
    """All rows once, in an order that the seed decides; like lengths together, groups whole."""
    by_group: dict[int, list[Row]] = {}
    for row in rows:
        by_group.setdefault(row.group, []).append(row)
    groups = list(by_group.values())
    chance = random.Random(seed)
    chance.shuffle(groups)
    found: list[list[Row]] = []
    for start in range(0, len(groups), BUCKET):
        bucket = sorted(groups[start : start + BUCKET], key=lambda group: max(len(row.ids) for row in group))
        own: list[list[Row]] = [[]]
        for group in bucket:
            longest = max(len(row.ids) for row in group)
            if own[-1] and (len(own[-1]) + len(group)) * longest > BUDGET:
                own.append([])
            own[-1].extend(group)
        chance.shuffle(own)
        found += own
    return found


def padded(batch: Sequence[Row], device: str) -> tuple[Tensor, Tensor, Tensor]:
    """Token ids, mask and types, each (rows, longest)."""
    filled = torch.zeros(3, len(batch), max(len(row.ids) for row in batch), dtype=torch.long)
    for place, row in enumerate(batch):
        size = len(row.ids)
        filled[0, place, :size] = torch.from_numpy(row.ids)
        filled[1, place, :size] = 1
        filled[2, place, :size] = torch.from_numpy(row.types)
    ids, mask, types = filled.to(device)
    return ids, mask, types


def marked(batch: Sequence[Row], device: str) -> Tensor:
    """What is known of each token, (rows, longest)."""
    filled = torch.full((len(batch), max(len(row.ids) for row in batch)), UNKNOWN, dtype=torch.long)
    for place, row in enumerate(batch):
        filled[place, : len(row.wrong)] = torch.from_numpy(row.wrong)
    return filled.to(device)


def twins(batch: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Places of an entailed claim and of a twin of it that is not."""
    entailed = {row.group: place for place, row in enumerate(batch) if row.label == 0}
    for place, row in enumerate(batch):
        if row.label != 0 and row.group in entailed:
            yield entailed[row.group], place


def losses(logits: Tensor, batch: Sequence[Row], margin: float) -> tuple[Tensor, Tensor, int]:
    """Cross-entropy and margin loss, summed, and how many twins lie above their original."""
    each, odds = label_losses(logits, torch.tensor([row.label for row in batch], device=logits.device))
    cross = each.sum()
    pairs = list(twins(batch))
    if not pairs:
        return cross, logits.new_zeros(()), 0
    first, second = torch.tensor(pairs, device=logits.device).T
    distance = odds[first] - odds[second]
    return cross, functional.relu(margin - distance).sum(), int((distance <= 0).sum())


def label_losses(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """The cross-entropy of each row and its log odds of entailment, each (rows,). `logits`: (rows, 3)."""
    logs = functional.log_softmax(logits, -1)
    entailed = logs[:, 0]
    refused = torch.log1p(-entailed.exp().clamp(max=1 - 1e-6))
    exact = functional.nll_loss(logs, labels.clamp(max=2), reduction="none")
    return torch.where(labels == NOT_ENTAILED, -refused, exact), entailed - refused


def word_losses(logits: Tensor, truth: Tensor, heavier: float) -> Tensor:
    """Binary cross-entropy of the tokens that are known, the mean of each row: (rows,); 0 for a row without any."""
    known = (truth != UNKNOWN).float()
    each = functional.binary_cross_entropy_with_logits(
        logits, truth.clamp(min=0).float(), pos_weight=logits.new_tensor(heavier), reduction="none"
    )
    return (each * known).sum(-1) / known.sum(-1).clamp(min=1)


def word_loss(logits: Tensor, truth: Tensor, heavier: float) -> tuple[Tensor, int]:
    """Binary cross-entropy of the tokens, the mean of each row, summed over rows; and how many rows have any.

    `heavier`: weight of an unsupported token. A row of many words weighs no more than one of few.
    """
    return word_losses(logits, truth, heavier).sum(), int((truth != UNKNOWN).any(-1).sum())


def prepared(init: Path, device: str, top: int | None = None) -> CrossEncoder:
    """The model with frozen embeddings and without dropout, ready to be trained; `top`: only its last layers."""
    model = load(init).to(device).train()
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    model.enc.embeddings.requires_grad_(False)
    for layer in () if top is None else model.enc.encoder.layer[:-top]:
        layer.requires_grad_(False)
    return model


@torch.no_grad()
def evaluate(model: CrossEncoder, rows: Sequence[Row], device: str, *, half: bool = False) -> dict[str, object]:
    """On held-out rows: accuracy of P(E) > 0.5, AUC of P(E), how often a claim lies above its twin, and AUC by source;
    of tokens of claims whose wrong words are known the average precision, in all and by source, and their share."""
    model.eval()
    above: list[bool] = []
    read: list[tuple[Row, float, np.ndarray]] = []  # with P(E) and what the head over words says
    for batch in batches(rows, 0):
        with torch.autocast(device, torch.bfloat16, enabled=half):
            logits, words = model(*padded(batch, device))
        p = torch.softmax(logits.float(), -1)[:, 0].cpu().numpy()
        read += zip(batch, map(float, p), words.float().cpu().numpy(), strict=True)
        above += [bool(p[first] > p[second]) for first, second in twins(batch)]
    model.train()
    by_source: dict[str, list[tuple[Row, float, np.ndarray]]] = defaultdict(list)
    for entry in read:
        by_source[entry[0].source].append(entry)
    figures = pair_figures(read) | ({"above_twin": round(float(np.mean(above)), 4)} if above else {})
    sources = {name: pair_figures(own) | word_figures(own) for name, own in sorted(by_source.items())}
    return figures | word_figures(read) | {"sources": sources}


def pair_figures(read: Sequence[tuple[Row, float, np.ndarray]]) -> dict[str, float]:
    p, right = np.array([p for _, p, _ in read]), np.array([row.label == 0 for row, _, _ in read])
    figures = {"rows": len(read), "accuracy": ((p > 0.5) == right).mean()}
    if 0 < right.sum() < len(right):
        figures["auc"] = auc(p, right)
    return {name: round(float(value), 4) for name, value in figures.items()}


def word_figures(read: Sequence[tuple[Row, float, np.ndarray]]) -> dict[str, float]:
    truth = np.concatenate([row.wrong for row, _, _ in read])
    scores = np.concatenate([words[: len(row.ids)] for row, _, words in read])
    known = truth != UNKNOWN
    if not (truth == 1).any():
        return {}
    figures = {
        "words_ap": average_precision(scores[known], truth[known] == 1),
        "words_share": (truth[known] == 1).mean(),
    }
    return {name: round(float(value), 4) for name, value in figures.items()}


def auc(scores: np.ndarray, positive: np.ndarray) -> float:
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(1, len(scores) + 1)
    count = int(positive.sum())
    return float(ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(scores) - count))


def average_precision(scores: np.ndarray, positive: np.ndarray) -> float:
    found = positive[np.argsort(-scores, kind="stable")]
    precision = np.cumsum(found) / np.arange(1, len(found) + 1)
    return float(precision[found].mean())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, nargs="+", required=True)
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--init", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--epochs", type=int, default=1)
    options.add_argument("--most", type=int, nargs="+", default=(), help="rows of one source, for each file; 0: all")
    options.add_argument("--top", type=int, help="train only so many of the last layers: faster, to compare data")
    options.add_argument("--steps", type=int, help="stop the plan after so many batches")
    options.add_argument("--stop-at", type=int, help="stop after so many batches, as if killed there")
    options.add_argument(
        "--rate", type=float, default=5e-5, help="highest learning rate; three times that for the head"
    )
    options.add_argument("--margin", type=float, default=2.0, help="wanted distance of log odds between twins")
    options.add_argument("--margin-weight", type=float, default=0.25)
    options.add_argument("--words-weight", type=float, default=0.3, help="of the loss over tokens; 0: none")
    options.add_argument("--words-heavier", type=float, default=2.0, help="weight of an unsupported token")
    options.add_argument(
        "--all-supported", action="store_true", help='words of entailed claims without "w" count as supported'
    )
    options.add_argument(
        "--bfloat16", action=argparse.BooleanOptionalAction, default=True, help="products in bfloat16, weights not"
    )
    options.add_argument("--threads", type=int, help="of torch")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--save-every", type=int, default=500, help="batches")
    options.add_argument("--device", default="cpu")
    given = options.parse_args()

    torch.manual_seed(given.seed)
    if given.threads:
        torch.set_num_threads(given.threads)
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    rows, heldout = (
        read(given.data, tokenizer, split, given.most, given.seed, all_supported=supported)
        for split, supported in (("train", given.all_supported), ("heldout", False))
    )
    model = prepared(given.init, given.device, given.top)
    body = [weight for weight in model.enc.parameters() if weight.requires_grad]
    groups = [
        {"params": body, "factor": 1.0},
        {"params": list(model.fc.parameters()), "factor": 3.0},
        {"params": list(model.words.parameters()), "factor": WORDS_FACTOR},
    ]
    optimizer = torch.optim.AdamW(groups, lr=given.rate, weight_decay=0.01, fused=True)

    plan = [batch for epoch in range(given.epochs) for batch in batches(rows, given.seed * 1000 + epoch)][: given.steps]
    given.out.mkdir(parents=True, exist_ok=True)
    state = given.out / "state.pt"
    done = 0
    if state.exists():
        kept = torch.load(state, map_location=given.device, weights_only=True)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        done = kept["step"]

    def save(step: int) -> None:
        partial = state.with_suffix(".part")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, partial)
        partial.replace(state)

    with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:

        def note(**values: object) -> None:
            line = json.dumps(values)
            print(line, flush=True)
            log.write(line + "\n")
            log.flush()

        note(rows=len(rows), heldout=len(heldout), batches=len(plan), begun_at=done, seed=given.seed, rate=given.rate)
        began, sums, count, pairs, misplaced, told = time.time(), [0.0, 0.0, 0.0], 0, 0, 0, 0
        for step, batch in enumerate(plan[done:], done + 1):
            share = step / len(plan)
            for group in optimizer.param_groups:
                group["lr"] = given.rate * group["factor"] * min(1.0, share / 0.05) * (1.0 - share)
            with torch.autocast(given.device, torch.bfloat16, enabled=given.bfloat16):
                logits, words = model(*padded(batch, given.device))
            cross, apart, below = losses(logits.float(), batch, given.margin)
            words_off, marked_rows = word_loss(words.float(), marked(batch, given.device), given.words_heavier)
            loss = cross + given.margin_weight * apart + given.words_weight * words_off
            (loss / NORMAL).backward()
            nn.utils.clip_grad_norm_(body, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            sums = [total + float(part.detach()) for total, part in zip(sums, (cross, apart, words_off), strict=True)]
            count, told = count + len(batch), told + marked_rows
            pairs, misplaced = pairs + sum(1 for _ in twins(batch)), misplaced + below
            if step % 50 == 0 or step == len(plan):
                speed = count / (time.time() - began)
                note(
                    step=step,
                    loss=round(sums[0] / count, 4),
                    margin_loss=round(sums[1] / max(1, pairs), 4),
                    twins_above=round(misplaced / max(1, pairs), 4),
                    words_loss=round(sums[2] / max(1, told), 4),
                    rows_per_second=round(speed, 1),
                )
                began, sums, count, pairs, misplaced, told = time.time(), [0.0, 0.0, 0.0], 0, 0, 0, 0
            if step % given.save_every == 0 or step in {len(plan), given.stop_at}:
                save(step)
            if step == given.stop_at:
                return
        if heldout:
            note(heldout_figures=evaluate(model, heldout, given.device, half=given.bfloat16))
    half = {name: value.half() if value.is_floating_point() else value for name, value in model.state_dict().items()}
    torch.save({"model": half}, given.out / "checkpoint.pt")


if __name__ == "__main__":
    main()
