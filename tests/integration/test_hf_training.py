"""The training of the checker's model from a teacher (training/nli/distil.py), and that of the corrector's tagger
(training/corrector/train_tagger.py), on tiny models and few rows."""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_eval.resources import folder

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.hf

PREMISE = "The library lends books for four weeks. Films are lent for one week."
RIGHT, WRONG = "Books are lent for four weeks.", "Books are lent for nine weeks."


@pytest.fixture(scope="module")
def distil(training_script) -> Any:
    return training_script("distil")


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(folder("weights/nli") / "tokenizer.json"))


def row(claim: str, label: int, split: str = "train", **more: object) -> dict[str, object]:
    return {"p": PREMISE, "h": claim, "l": label, "src": "made", "split": split, **more}


@pytest.fixture
def packed(distil, tokenizer, tmp_path) -> Path:
    rows = []
    for split in ("train", "heldout"):  # both have a group "0"
        rows += [row(RIGHT, 0, split, g="0", w=[]), row(WRONG, 2, split, g="0", w=[[19, 23]])]
    rows += [row("Films cost money.", 4), row("Films are lent for one week.", 0), row("Films are for sale.", 1)]
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(each) + "\n" for each in rows)
    assert distil.pack([tmp_path / "rows.jsonl.gz"], tokenizer, tmp_path / "rows.npz") == len(rows)
    return tmp_path / "rows.npz"


def test_a_batch_holds_what_the_tokenizer_makes_of_a_pair(distil, tokenizer, packed):
    rows = distil.load([str(packed)], "cpu")
    seen = 0
    for place in np.flatnonzero((rows.label.numpy() % 2 == 0) & (rows.label.numpy() < 4)):
        batch = rows.batch(np.array([place]))
        pair = next(
            found
            for claim in (RIGHT, WRONG, "Films are lent for one week.")
            if len((found := tokenizer.encode(PREMISE, claim)).ids) == int(batch.mask.sum())
            and found.ids == batch.ids[0, : len(found.ids)].tolist()
        )
        assert batch.types[0, : len(pair.ids)].tolist() == pair.type_ids
        assert not batch.mask[0, len(pair.ids) :].any()
        seen += 1
    assert seen == 5


def test_a_wrong_claim_has_its_twin_on_its_own_side(distil, packed):
    rows = distil.load([str(packed)], "cpu")
    wrong = np.flatnonzero(rows.label.numpy() == 2)
    assert len(wrong) == 2
    for place in wrong:
        twin = int(rows.twin[place])
        assert rows.label[twin] == 0
        assert rows.heldout[twin] == rows.heldout[place]


def test_the_marked_word_is_the_wrong_token(distil, tokenizer, packed):
    rows = distil.load([str(packed)], "cpu")
    batch = rows.batch(np.flatnonzero(rows.label.numpy() == 2)[:1])
    (places,) = np.nonzero(batch.wrong[0].numpy() == 1)
    assert [tokenizer.id_to_token(int(batch.ids[0, place])) for place in places] == ["nine"]


def test_a_model_learns_from_a_teacher_and_is_put_together(distil, training_script, packed, tmp_path, monkeypatch):
    torch.manual_seed(1)
    model, large = training_script("model"), training_script("teacher")
    monkeypatch.setattr(large, "load", lambda _: model.CrossEncoder(1))
    start = model.CrossEncoder(1)
    torch.save({"model": start.state_dict()}, tmp_path / "start.pt")
    given = argparse.Namespace(
        rows=[str(packed)],
        teacher=tmp_path / "teacher.pt",
        student=tmp_path / "start.pt",
        out=tmp_path / "out",
        keep=tmp_path / "kept",
        teacher_seconds=600.0,
        student_seconds=600.0,
        teacher_rate=1e-4,
        student_rate=1e-3,
        teacher_budget=400,
        student_budget=400,
        steps=3,
        compile=False,
        seed=1,
        device="cpu",
    )
    distil.run(given)
    figures = json.loads((given.out / "student.json").read_text())
    assert figures["after"]["all"]["rows"] == 2
    kept = torch.load(given.keep / "judged.pt", weights_only=True)[0]
    assert torch.allclose(kept.sum(-1), torch.ones(7), atol=1e-3)
    distil.join(tmp_path / "start.pt", sorted(given.out.glob("part*.pt")), tmp_path / "end.pt")
    end = model.load(tmp_path / "end.pt").state_dict()
    before = start.state_dict()
    assert all(torch.equal(end[name], before[name]) for name in before if ".embeddings." in name)
    assert not torch.equal(end["fc.0.weight"], before["fc.0.weight"])
    with pytest.raises(ValueError, match="do not fit"):
        distil.join(tmp_path / "start.pt", sorted(given.out.glob("part*.pt"))[:0], tmp_path / "none.pt")


def test_an_unknown_label_is_named_with_its_line(distil, tokenizer, tmp_path):
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(json.dumps(row(RIGHT, 0)) + "\n" + json.dumps(row(WRONG, 7)) + "\n")
    with pytest.raises(ValueError, match="line 2: label 7"):
        distil.pack([tmp_path / "rows.jsonl.gz"], tokenizer, tmp_path / "rows.npz")


@pytest.fixture
def tagged(tmp_path) -> Path:
    """Rows of a wrong claim with the place of the right word, of a right one, and of one that is marked only."""
    rows = [
        {"p": PREMISE, "h": WRONG, "edits": [[19, 23, 1, [[28, 32]]]], "split": split} for split in ("train", "heldout")
    ]
    rows += [{"p": PREMISE, "h": RIGHT, "edits": [], "split": "train"}]
    rows += [{"p": PREMISE, "h": "Films are for sale.", "edits": [[10, 18, 4, []]], "split": "train", "fold": 0}]
    with gzip.open(tmp_path / "tagged.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(each) + "\n" for each in rows)
    return tmp_path / "tagged.jsonl.gz"


def test_the_tagger_is_asked_for_the_right_word(training_script, tokenizer, tagged):
    tagger = training_script("train_tagger")
    rows = tagger.read(tagged, tokenizer, "train")
    batch = tagger.Batch.of(rows, "cpu")
    asked, first, last = (int(values[0]) for values in (batch.row, batch.first, batch.last))
    assert [tokenizer.id_to_token(int(batch.ids[asked, place])) for place in (first, last)] == ["nine", "nine"]
    for side in (batch.starts, batch.ends):
        (places,) = np.nonzero(side[0].numpy())
        assert [tokenizer.id_to_token(int(batch.ids[asked, place])) for place in places] == ["four"]
    assert batch.ids.shape[1] % 8 == 0
    assert len(tagger.read(tagged, tokenizer, "train", without_fold=0)) == len(rows) - 1


def test_the_tagger_learns_and_goes_on_where_it_stopped(distil, training_script, tagged, tmp_path, monkeypatch):
    torch.manual_seed(1)
    tagger, script = training_script("tagger"), training_script("train_tagger")
    start = tagger.EditReader(1)
    torch.save({"model": start.state_dict()}, tmp_path / "start.pt")
    arguments = ["--data", f"{tagged}:1", "--tokenizer", str(folder("weights/nli") / "tokenizer.json"), "--parts"]
    arguments += ["--init", str(tmp_path / "start.pt"), "--out", str(tmp_path / "out"), "--rate", "1e-3"]
    for epochs in ("2", "4"):
        monkeypatch.setattr("sys.argv", ["train_tagger.py", *arguments, "--epochs", epochs])
        script.main()
    log = [json.loads(line) for line in (tmp_path / "out" / "log.jsonl").read_text("utf8").splitlines()]
    assert [entry["step"] for entry in log] == [2, 4]
    assert log[1]["tags"] < log[0]["tags"]
    distil.join(tmp_path / "start.pt", sorted((tmp_path / "out").glob("part*.pt")), tmp_path / "end.pt")
    end, before = tagger.load(tmp_path / "end.pt").state_dict(), start.state_dict()
    assert all(torch.equal(end[name], before[name]) for name in before if ".embeddings." in name)
    assert not torch.equal(end["answer.weight"], before["answer.weight"])
