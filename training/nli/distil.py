"""Trains the teacher (teacher.py) for a given time, lets it judge all rows, and trains the checker's model on both.

    python training/nli/distil.py pack --data real.jsonl.gz made.jsonl.gz \\
        --tokenizer graph_eval/weights/nli/tokenizer.json --out rows.npz
    python training/nli/distil.py run --rows rows.npz mix.npz:0.5 --teacher packed.pt --student start.pt --out DIR \\
        --teacher-seconds 250 --student-seconds 250

For a GPU that is paid by the minute: each phase ends after its seconds, and its rate falls to 0 until then. Rows as
train.py reads them; a row with "l" 4 has no label, only the teacher judges it. FILE:SHARE: so much of the groups of a
file is drawn for each epoch. The student's loss is train.py's, and the cross-entropy against what the teacher says of
the pair and of each word of the claim. DIR gets teacher.json and student.json (figures of held-out rows by source),
log.jsonl, and the student's layers in float16, in parts of at most 15 MB (`join` puts them together with the
embeddings of the start, which are not trained).
"""

import argparse
import gzip
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import teacher as large
import torch
from teacher import CLS, SEP
from torch import Tensor, nn
from torch.nn import functional
from train import LONGEST, UNKNOWN, auc, average_precision, label_losses, prepared, word_losses

BUCKET = 6000  # groups that are sorted by length together
NONE = 4  # label of a row without one
MARGIN, MARGIN_WEIGHT, WORDS_WEIGHT, HEAVIER = 2.0, 0.25, 0.3, 2.0
TAUGHT = 0.6  # share of the teacher in the loss of a labelled row
PART = 15_000_000  # bytes
USUAL = 150  # tokens of a usual pair


def pack(paths: Sequence[Path], tokenizer: Any, out: Path) -> int:
    """Writes the rows in whole numbers, each text once. Returns their number.

    Raises ValueError naming a line with an unknown label.
    """
    tokenizer.no_padding()
    tokenizer.no_truncation()
    texts: dict[str, int] = {}
    columns: dict[str, list[int]] = {name: [] for name in ("premise", "claim", "label", "group", "source", "heldout")}
    names: dict[object, int] = {}
    sources: dict[str, int] = {}
    marks: list[Sequence[Sequence[int]] | None] = []
    for path in paths:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                row = json.loads(line)
                if row["l"] not in range(5):
                    raise ValueError(f"{path}, line {number}: label {row['l']!r}")
                source = f"{row.get('src')} claim" if row.get("kind") == "claim" else str(row.get("src"))
                columns["premise"].append(texts.setdefault(row["p"], len(texts)))
                columns["claim"].append(texts.setdefault(row["h"], len(texts)))
                columns["label"].append(row["l"])
                columns["group"].append(names.setdefault(group_of(path, number, row), len(names)))
                columns["source"].append(sources.setdefault(source, len(sources)))
                columns["heldout"].append(row.get("split") == "heldout")
                marks.append(row.get("w"))
    ids, ends, offsets = [], [0], []
    known = list(texts)
    for start in range(0, len(known), 4000):
        for item in tokenizer.encode_batch(known[start : start + 4000], add_special_tokens=False):
            own = np.array(item.ids[:LONGEST], np.uint16)
            ids.append(own)
            ends.append(ends[-1] + len(own))
            offsets.append(item.offsets)
    words, first = [], []
    at = 0
    for claim, spans in zip(columns["claim"], marks, strict=True):
        first.append(UNKNOWN if spans is None else at)
        if spans is not None:
            own = [any(a < last and start < b for start, last in spans) for a, b in offsets[claim][:LONGEST]]
            words.append(np.array(own, np.int8))
            at += len(own)
    arrays = {name: np.array(values, np.int32) for name, values in columns.items()}
    arrays |= {"ids": np.concatenate(ids), "ends": np.array(ends, np.int32), "first": np.array(first, np.int32)}
    arrays["words"] = np.concatenate(words) if words else np.zeros(0, np.int8)
    np.savez(out, names=np.array(list(sources)), **arrays)
    return len(marks)


def group_of(path: Path, number: int, row: dict[str, Any]) -> object:
    """What a row shares with its twins: held-out rows may have the names of groups of the others."""
    return (path, row.get("split"), row["g"]) if "g" in row else (path, number)


@dataclass(slots=True)
class Rows:
    """All rows on the device. Texts lie one behind the other in `ids`; a text goes from ends[i] to ends[i + 1]."""

    ids: Tensor
    ends: Tensor
    premise: Tensor
    claim: Tensor
    label: Tensor
    first: Tensor  # where the marks of a row begin in `words`; UNKNOWN: none
    words: Tensor
    twin: Tensor  # row of the entailed claim of the same group; -1: none, or itself
    size: np.ndarray  # tokens of the pair
    group: np.ndarray
    source: np.ndarray
    heldout: np.ndarray
    share: np.ndarray
    names: list[str]
    scratch: Tensor

    def batch(self, rows: np.ndarray) -> "Batch":
        """The rows (n,) as a padded batch."""
        device = self.ids.device
        chosen = torch.from_numpy(rows).to(device)
        longest = int(-(-self.size[rows].max() // 8) * 8)
        p, c = self.premise[chosen], self.claim[chosen]
        claim_size = (self.ends[c + 1] - self.ends[c])[:, None]
        premise_size = torch.minimum((self.ends[p + 1] - self.ends[p])[:, None], LONGEST - 3 - claim_size)
        at = torch.arange(longest, device=device)[None]
        in_premise = (at >= 1) & (at <= premise_size)
        since = at - premise_size - 2  # place in the claim
        in_claim = (since >= 0) & (since < claim_size)
        places = torch.where(in_premise, self.ends[p][:, None] + at - 1, 0)
        places = torch.where(in_claim, self.ends[c][:, None] + since, places)
        ids = torch.where(in_premise | in_claim, self.ids[places.long()].long(), 0)
        ids = torch.where(at == 0, CLS, ids)
        ids = torch.where((at == premise_size + 1) | (since == claim_size), SEP, ids)
        mask = (since <= claim_size).long()
        types = ((since >= 0) & (since <= claim_size)).long()
        start = self.first[chosen][:, None]
        marked = torch.where(in_claim & (start >= 0), start + since, 0)
        wrong = torch.where(in_claim & (start >= 0), self.words[marked.long()].long(), UNKNOWN)
        self.scratch[chosen] = torch.arange(len(rows), device=device, dtype=torch.int32)
        twin = self.twin[chosen]
        place = self.scratch[twin.clamp(min=0).long()].long().clamp(max=len(rows) - 1)
        twin = torch.where((twin >= 0) & (chosen[place] == twin), place, -1)
        return Batch(chosen, ids, mask, types, self.label[chosen].long(), wrong, in_claim, twin)


@dataclass(slots=True)
class Batch:
    """Rows, label and twin are (n,), the others (n, longest)."""

    rows: Tensor
    ids: Tensor
    mask: Tensor
    types: Tensor
    label: Tensor
    wrong: Tensor  # 1, 0 or UNKNOWN
    in_claim: Tensor
    twin: Tensor  # place of the entailed claim in the batch, or -1


def load(paths: Sequence[str], device: str) -> Rows:
    """`paths`: FILE or FILE:SHARE."""
    found: dict[str, list[np.ndarray]] = {}
    names: list[str] = []
    texts = ids = groups = words = 0
    for given in paths:
        path, _, share = given.partition(":")
        part = dict(np.load(path))
        own = [str(name) for name in part.pop("names")]
        names += [name for name in own if name not in names]
        part["source"] = np.array([names.index(name) for name in own])[part["source"]]
        part["premise"], part["claim"] = part["premise"] + texts, part["claim"] + texts
        part["group"] = part["group"] + groups
        part["first"] = np.where(part["first"] >= 0, part["first"] + words, UNKNOWN)
        part["share"] = np.full(len(part["label"]), float(share or 1), np.float32)
        texts, groups = texts + len(part["ends"]) - 1, groups + int(part["group"].max()) + 1
        part["ends"] = part["ends"][:-1] + ids
        ids, words = ids + len(part["ids"]), words + len(part["words"])
        for name, values in part.items():
            found.setdefault(name, []).append(values)
    joined = {name: np.concatenate(values) for name, values in found.items()}
    joined["ends"] = np.append(joined["ends"], ids)
    order = np.argsort(joined["group"], kind="stable")  # rows of a group side by side
    for name in ("premise", "claim", "label", "group", "source", "heldout", "first", "share"):
        joined[name] = joined[name][order]
    lengths = np.diff(joined["ends"])
    size = np.minimum(lengths[joined["premise"]] + lengths[joined["claim"]] + 3, LONGEST)
    entailed = np.full(joined["group"].max() + 1, -1, np.int64)
    right = np.flatnonzero(joined["label"] == 0)
    entailed[joined["group"][right]] = right
    twin = np.where((joined["label"] > 0) & (joined["label"] < NONE), entailed[joined["group"]], -1)

    def put(name: str) -> Tensor:
        values = joined[name]
        return torch.from_numpy(values.astype(np.int32) if name != "words" else values).to(device)

    return Rows(
        **{name: put(name) for name in ("ids", "ends", "premise", "claim", "label", "first", "words")},
        twin=torch.from_numpy(twin).to(device),
        size=size,
        group=joined["group"],
        source=joined["source"],
        heldout=joined["heldout"].astype(bool),
        share=joined["share"],
        names=names,
        scratch=torch.zeros(len(twin), dtype=torch.int32, device=device),
    )


def batches(rows: Rows, chosen: np.ndarray, budget: int, chance: np.random.Generator) -> Iterator[np.ndarray]:
    """Rows once, in batches of at most `budget` tokens; like lengths together, groups whole."""
    if not len(chosen):
        return
    starts = np.flatnonzero(np.append(True, np.diff(rows.group[chosen]) != 0))
    counts = np.diff(np.append(starts, len(chosen)))
    longest = np.maximum.reduceat(rows.size[chosen], starts)
    order = chance.permutation(len(starts))
    found = []
    for begin in range(0, len(order), BUCKET):
        bucket = order[begin : begin + BUCKET]
        bucket = bucket[np.argsort(longest[bucket], kind="stable")]
        own: list[int] = []
        total = 0
        for group in bucket:
            if own and (total + counts[group]) * longest[group] > budget:
                found.append(own)
                own, total = [], 0
            own.append(int(group))
            total += int(counts[group])
        found.append(own)
    for place in chance.permutation(len(found)):
        yield np.concatenate([chosen[starts[g] : starts[g] + counts[g]] for g in found[place]])


def endless(rows: Rows, usable: np.ndarray, budget: int, seed: int) -> Iterator[np.ndarray]:
    """Epoch after epoch; of a file with a share below 1 other groups are drawn for each."""
    chance = np.random.default_rng(seed)
    while True:
        drawn = chance.random(int(rows.group.max()) + 1)
        yield from batches(rows, usable[drawn[rows.group[usable]] < rows.share[usable]], budget, chance)


def losses(logits: Tensor, words: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """What the labels say, (rows,), and the margin between twins, summed.

    `logits`: (rows, 3); `words`: (rows, longest).
    """
    cross, odds = label_losses(logits, batch.label)
    told = word_losses(words, batch.wrong, HEAVIER)
    apart = functional.relu(MARGIN - (odds[batch.twin.clamp(min=0)] - odds)) * (batch.twin >= 0)
    labelled = (batch.label < NONE).float()
    return (cross + WORDS_WEIGHT * told) * labelled, apart.sum()


@dataclass(slots=True)
class Judged:
    """What the teacher says: p (rows, 3); of all claims' tokens, one behind the other, the probability that they are
    unsupported; and where those of a row start, (rows,)."""

    p: Tensor
    words: Tensor
    start: Tensor

    def loss(self, logits: Tensor, words: Tensor, batch: Batch) -> Tensor:
        """A row each."""
        logs = functional.log_softmax(logits, -1)
        cross = -(self.p[batch.rows] * logs).sum(-1)
        place = batch.in_claim.long().cumsum(1) - 1
        at = torch.where(batch.in_claim, self.start[batch.rows][:, None] + place, 0)
        each = functional.binary_cross_entropy_with_logits(words, self.words[at].float(), reduction="none")
        inside = batch.in_claim.float()
        return cross + WORDS_WEIGHT * 2 * (each * inside).sum(-1) / inside.sum(-1).clamp(min=1)


@torch.no_grad()
def judge(model: nn.Module, rows: Rows, budget: int, note: Callable[..., None]) -> Judged:
    """The teacher's probabilities for all rows. `budget`: tokens of a batch."""
    model.eval()
    device = rows.ids.device
    lengths = (rows.ends[rows.claim.long() + 1] - rows.ends[rows.claim.long()]).long()
    start = lengths.cumsum(0) - lengths
    found = Judged(
        torch.zeros(len(lengths), 3, device=device),
        torch.zeros(int(lengths.sum()) + 1, dtype=torch.float16, device=device),
        start,
    )
    began = time.time()
    order = np.argsort(-rows.size, kind="stable")  # the first of a batch is its longest
    at = 0
    while at < len(order):
        count = max(1, budget // int(rows.size[order[at]]))
        batch = rows.batch(order[at : at + count])
        with torch.autocast(device.type, torch.bfloat16):
            logits, words = model(batch.ids, batch.mask, batch.types)
        found.p[batch.rows] = torch.softmax(logits.float(), -1)
        place = batch.in_claim.long().cumsum(1) - 1
        spot = (start[batch.rows][:, None] + place)[batch.in_claim]
        found.words[spot] = torch.sigmoid(words.float()).half()[batch.in_claim]
        at += count
    note(judged=len(order), seconds=round(time.time() - began, 1))
    return found


def train(
    model: nn.Module,
    rows: Rows,
    usable: np.ndarray,
    *,
    seconds: float,
    steps: int,
    rate: float,
    budget: int,
    seed: int,
    judged: Judged | None,
    note: Callable[..., None],
    compiled: bool = False,
) -> None:
    """Until the time or the steps (0: any number) are over; the rate falls to 0 until then.

    Raises FloatingPointError for a loss that is not finite.
    """
    device = rows.ids.device.type
    forward = torch.compile(model, dynamic=True) if compiled else model
    model.train()
    body = [weight for weight in model.enc.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(
        [
            {"params": body, "factor": 1.0},
            {"params": list(model.fc.parameters()), "factor": 3.0},
            {"params": list(model.words.parameters()), "factor": 3.0 if judged else 10.0},
        ],
        lr=rate,
        weight_decay=0.01,
        fused=True,
    )
    usual = budget / USUAL  # rows of a batch: every row weighs the same, whatever batch it is in
    began, seen, total, step = time.time(), 0, torch.zeros((), device=device), 0
    for chosen in endless(rows, usable, budget, seed):
        share = max((time.time() - began) / seconds, step / steps if steps else 0.0)
        if share >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate * group["factor"] * min(1.0, share / 0.05) * (1.0 - share)
        batch = rows.batch(chosen)
        with torch.autocast(device, torch.bfloat16):
            logits, words = forward(batch.ids, batch.mask, batch.types)
        logits, words = logits.float(), words.float()
        hard, apart = losses(logits, words, batch)
        if judged is not None:
            weight = torch.where(batch.label < NONE, TAUGHT, 1.0)
            hard = (1 - weight) * hard + weight * judged.loss(logits, words, batch)
        loss = hard.sum() + MARGIN_WEIGHT * apart
        (loss / usual).backward()
        nn.utils.clip_grad_norm_(body, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        total += loss.detach()
        step, seen = step + 1, seen + len(chosen)
        if step % 200 == 0:
            if not math.isfinite(float(total)):
                raise FloatingPointError(f"the loss is {float(total)} after {step} batches")
            note(
                step=step,
                share=round(share, 3),
                loss=round(float(total) / seen, 4),
                rows=seen,
                rows_per_second=round(seen / (time.time() - began)),
            )
    if not math.isfinite(float(total)):
        raise FloatingPointError(f"the loss is {float(total)} after {step} batches")
    note(ended=step, rows=seen, seconds=round(time.time() - began, 1))


@torch.no_grad()
def evaluate(model: nn.Module, rows: Rows, budget: int) -> dict[str, object]:
    """Of held-out rows: AUC of P(E), average precision of wrong words, claims above their twin; by source."""
    model.eval()
    held = np.flatnonzero(rows.heldout)
    p, own, above = np.zeros(len(rows.heldout)), {}, []
    for chosen in batches(rows, held, budget, np.random.default_rng(0)):
        batch = rows.batch(chosen)
        with torch.autocast(rows.ids.device.type, torch.bfloat16):
            logits, words = model(batch.ids, batch.mask, batch.types)
        p[chosen] = torch.softmax(logits.float(), -1)[:, 0].cpu().numpy()
        twin = batch.twin.cpu().numpy()
        above += list(p[chosen][twin[twin >= 0]] > p[chosen][twin >= 0])
        wrong, says = batch.wrong.cpu().numpy(), words.float().cpu().numpy()
        for row, truth, said in zip(chosen, wrong, says, strict=True):
            own[row] = (truth[truth != UNKNOWN], said[truth != UNKNOWN])
    labels = rows.label.cpu().numpy()
    figures: dict[str, object] = {}
    for source, name in [(None, "all"), *enumerate(rows.names)]:
        part = held[(labels[held] < NONE) & ((rows.source[held] == source) if source is not None else True)]
        if not len(part):
            continue
        right = labels[part] == 0
        found: dict[str, float] = {"rows": len(part), "accuracy": float(((p[part] > 0.5) == right).mean())}
        if 0 < right.sum() < len(right):
            found["auc"] = auc(p[part], right)
        truth = np.concatenate([own[row][0] for row in part])
        if (truth == 1).any():
            found["words_ap"] = average_precision(np.concatenate([own[row][1] for row in part]), truth == 1)
        figures[name] = {key: round(value, 4) for key, value in found.items()}
    figures["above_twin"] = round(float(np.mean(above)), 4) if above else None
    return figures


def aucs(figures: dict[str, object]) -> dict[str, float | None]:
    """The AUC of each source."""
    return {name: found.get("auc") for name, found in figures.items() if isinstance(found, dict)}


def split(state: dict[str, Tensor], out: Path) -> None:
    """The trained weights in float16, in files of at most PART bytes."""
    part: dict[str, Tensor] = {}
    number = size = 0
    for name, value in state.items():
        if ".embeddings." in name:
            continue
        bytes_of = value.numel() * 2
        if part and size + bytes_of > PART:
            torch.save(part, out / f"part{number}.pt")
            part, number, size = {}, number + 1, 0
        part[name], size = value.half().cpu().clone(), size + bytes_of
    torch.save(part, out / f"part{number}.pt")


def join(start: Path, parts: Sequence[Path], out: Path) -> None:
    """Writes the trained weights of all parts with the embeddings of the start, which are not trained.

    Raises ValueError where they do not hold all layers of the start.
    """
    state = torch.load(start, map_location="cpu", weights_only=True)["model"]
    trained: dict[str, Tensor] = {}
    for part in parts:
        trained |= torch.load(part, map_location="cpu", weights_only=True)
    embeddings = {name for name in state if ".embeddings." in name}
    if wrong := {name for name in state if name.startswith("enc.")} - embeddings - set(trained):
        raise ValueError(f"parts that do not fit {start}: {', '.join(sorted(wrong))}")
    kept = {name: state[name] for name in embeddings}
    torch.save({"model": kept | {name: value.float() for name, value in trained.items()}}, out)


def run(given: argparse.Namespace) -> None:
    """Trains the teacher, if there is one, and the student; writes figures, the log and the student's layers."""
    for folder in filter(None, (given.out, given.keep)):
        folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(given.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.enable_cudnn_sdp(False)  # it makes a plan for every new shape
    began = time.time()
    with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:

        def note(**values: object) -> None:
            line = json.dumps({"at": round(time.time() - began, 1), **values})
            print(line, flush=True)
            log.write(line + "\n")
            log.flush()

        rows = load(given.rows, given.device)
        labels = rows.label.cpu().numpy()
        usable = np.flatnonzero(~rows.heldout)
        if not len(usable) or not rows.heldout.any():
            raise ValueError("no rows to train on, or none held out")
        note(rows=len(labels), usable=len(usable), unlabelled=int((labels == NONE).sum()))
        settings = {"seed": given.seed, "note": note, "steps": given.steps}
        kept = given.keep / "judged.pt" if given.keep else None
        if given.teacher and not (kept and kept.exists()):
            master = large.load(given.teacher).to(given.device)
            train(
                master,
                rows,
                usable[labels[usable] < NONE],
                seconds=given.teacher_seconds,
                rate=given.teacher_rate,
                budget=given.teacher_budget,
                judged=None,
                **settings,
            )
            found = evaluate(master, rows, given.teacher_budget)
            (given.out / "teacher.json").write_text(json.dumps(found, indent=1))
            note(teacher=aucs(found))
            judged = judge(master, rows, given.teacher_budget * 2, note)
            del master
            if kept:
                torch.save([judged.p, judged.words, judged.start], kept)
        elif kept and kept.exists():
            judged = Judged(*torch.load(kept, map_location=given.device, weights_only=True))
            if len(judged.p) != len(labels):
                raise ValueError(f"{kept}: {len(judged.p)} rows, not {len(labels)}: it was made of other files")
        else:
            judged = None
        student = prepared(given.student, given.device)
        student.enc.set_attn_implementation("sdpa")
        before = evaluate(student, rows, given.student_budget)
        train(
            student,
            rows,
            usable,
            seconds=given.student_seconds,
            rate=given.student_rate,
            budget=given.student_budget,
            judged=judged,
            compiled=given.compile,
            **settings,
        )
        after = evaluate(student, rows, given.student_budget)
        (given.out / "student.json").write_text(json.dumps({"before": before, "after": after}, indent=1))
        note(student=aucs(after))
        split(student.state_dict(), given.out)
        note(done=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    packing = commands.add_parser("pack")
    packing.add_argument("--data", type=Path, nargs="+", required=True)
    packing.add_argument("--tokenizer", type=Path, required=True)
    packing.add_argument("--out", type=Path, required=True)
    joining = commands.add_parser("join")
    joining.add_argument("parts", type=Path, nargs="+")
    joining.add_argument("--start", type=Path, required=True)
    joining.add_argument("--out", type=Path, required=True)
    running = commands.add_parser("run")
    running.add_argument("--rows", nargs="+", required=True, metavar="FILE[:SHARE]")
    running.add_argument("--teacher", type=Path)
    running.add_argument("--student", type=Path, required=True)
    running.add_argument("--out", type=Path, required=True)
    running.add_argument("--keep", type=Path, help="folder for what the teacher says, which a later run reads")
    running.add_argument("--teacher-seconds", type=float, default=250)
    running.add_argument("--student-seconds", type=float, default=250)
    running.add_argument("--teacher-rate", type=float, default=6e-5)
    running.add_argument("--student-rate", type=float, default=2e-4)
    running.add_argument("--teacher-budget", type=int, default=32_768, help="tokens a batch")
    running.add_argument("--student-budget", type=int, default=32_768, help="tokens a batch")
    running.add_argument("--steps", type=int, default=0, help="at most so many batches a phase; 0: any number")
    running.add_argument("--compile", action="store_true", help="the student: takes half a minute, then goes faster")
    running.add_argument("--seed", type=int, default=1)
    running.add_argument("--device", default="cuda")
    given = options.parse_args()
    if given.command == "pack":
        from tokenizers import Tokenizer

        print(f"{pack(given.data, Tokenizer.from_file(str(given.tokenizer)), given.out)} rows")
    elif given.command == "join":
        join(given.start, given.parts, given.out)
    else:
        run(given)


if __name__ == "__main__":
    main()
