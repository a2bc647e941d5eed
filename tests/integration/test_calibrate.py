"""Your own labels on the command line: calibrate, then --profile."""

import json
from pathlib import Path

import pytest

from graph_eval.checkers.profile import Profile

TOWNS = "Orsa Malm Tarn Vesk Brod Helm Lund Kiva Rask Sund Torp Ekna Gard Holt Ivar Jorn Knar Lore Mora Nord".split()


def records() -> list[dict[str, object]]:
    """A right and a wrong response on each of twenty contexts."""
    found: list[dict[str, object]] = []
    for n, town in enumerate(TOWNS):
        year = 1800 + 7 * n
        context = (
            f"The old tower of {town} was built by local masons and it was first opened to visitors in {year}. "
            f"It is {30 + n} metres tall and stands beside the river."
        )
        right = (
            f"Visitors could enter the tower of {town} from {year} on."
            if n % 2
            else f"The {town} tower, opened in {year}, is beside a river."
        )
        wrong = (
            f"The tower of {town} was opened in {year + 30}." if n % 3 else f"The tower of {town} is {90 + n} m tall."
        )
        found.append({"id": f"{town}-right", "context": context, "response": right, "label": 0})
        found.append({"id": f"{town}-wrong", "context": context, "response": wrong, "label": 1})
    return found


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_labelled_responses(invoke, tmp_path: Path) -> None:
    unlabelled = {"id": "odd", "context": "a", "response": "b"}
    path = write(tmp_path / "labelled.jsonl", *records(), unlabelled)
    path.write_text(path.read_text() + "no json\n")
    done = invoke("calibrate", path, "-o", "profile.json")
    assert done.returncode == 3
    assert done.stdout.startswith("40 labelled responses: 20 inconsistent, 20 consistent, 20 contexts\n"), done.stderr
    assert "(slope: fitted from 300 labels on)" in done.stdout
    assert 'labelled.jsonl, line 41: "label" is missing (1 or inconsistent, 0 or consistent;' in done.stderr
    assert "labelled.jsonl, line 42: invalid JSON" in done.stderr
    text = (tmp_path / "profile.json").read_text()
    assert str(tmp_path) not in text
    profile = Profile.read(tmp_path / "profile.json")
    assert (profile.checker.name, profile.extractor.name, profile.slope) == ("builtin", "rules", 1.0)
    assert profile.labels["total"] == 40
    assert profile.cross_validation["auc"]["before"] > 0.8
    shown = [line.split() for line in done.stdout.splitlines()]
    for row in profile.cross_validation["table"]:
        assert [f"{row['threshold']:.2f}", str(row["flagged"])] in [line[:2] for line in shown]
    assert [line[-1] for line in shown if line and line[0] == f"{profile.thresholds['block']:.2f}"] == ["block"]

    again = invoke("calibrate", path, "-o", "again.json", "--allow-errors")
    assert again.returncode == 0
    assert (tmp_path / "again.json").read_text() == text

    few = write(tmp_path / "few.jsonl", *records()[:4])
    plain, fitted, blocked = (
        [json.loads(line) for line in invoke("check", few, "--format", "jsonl", *options).stdout.splitlines()]
        for options in ((), ("--profile", "profile.json"), ("--profile", "profile.json", "--threshold", "block"))
    )
    for before, after in zip(plain, fitted, strict=True):
        for one, other in zip(before["judgements"], after["judgements"], strict=True):
            assert (other["p_inconsistent"] < one["p_inconsistent"]) is (profile.intercept < 0)
            assert other["flagged"] is (other["p_inconsistent"] > 0.5)
    for result in blocked:
        for one in result["judgements"]:
            assert one["flagged"] is (one["p_inconsistent"] > profile.thresholds["block"])

    other = invoke("check", few, "--profile", "profile.json", "--extractor", "sentences", "--format", "jsonl")
    assert other.returncode == 0
    assert other.stderr == (
        "graph-eval: the profile was fitted on claims of another extractor or version (rules): its probabilities may "
        "be off\n"
    )
    refused = invoke("check", few, "--profile", "profile.json", "--checker", "ensemble:builtin+builtin")
    assert refused.returncode == 2
    assert "fitted on the checker builtin, not on ensemble:builtin+builtin" in refused.stderr
    assert invoke("bench", "table2", few, "--profile", "profile.json", "--threshold", "block").returncode == 0

    # A correction of a run brings its profile along, and new verdicts without it do not.
    assert invoke("check", few, "--profile", "profile.json", "-o", "RUN").returncode == 0
    assert invoke("correct", "RUN", "--threshold", "block", "-o", "CORRECTED").returncode == 0
    assert invoke("check", "RUN", "-o", "PLAIN").returncode == 0
    settings = {
        name: json.loads((tmp_path / name / "run.json").read_text())["settings"]
        for name in ("RUN", "CORRECTED", "PLAIN")
    }
    assert settings["RUN"]["profile"] == settings["CORRECTED"]["profile"] == "profile.json"
    assert settings["CORRECTED"]["threshold"] == profile.thresholds["block"]
    assert "profile" not in settings["PLAIN"]


def test_many_labels_teach_weights(invoke, tmp_path: Path) -> None:
    """A person who accepts no word that the context lacks."""
    rows: list[dict[str, object]] = []
    for n in range(160):
        town, year = f"{TOWNS[n % 20]}{n // 20 or ''}", 1700 + n
        context = f"The tower of {town} was built by local masons and it was opened to visitors in {year}."
        rows.append({"context": context, "response": f"The tower of {town} was opened in {year}.", "label": 0})
        free = "can be entered by guests since" if n % 2 else "receives tourists since"
        rows.append({"context": context, "response": f"The tower of {town} {free} {year}.", "label": 1})
    path = write(tmp_path / "labelled.jsonl", *rows)
    done = invoke("calibrate", path, "-o", "profile.json")
    assert done.returncode == 0, done.stderr
    profile = Profile.read(tmp_path / "profile.json")
    assert profile.weights is not None, done.stdout
    shown = done.stdout.splitlines()
    assert shown[0].startswith("320 labelled responses: 160 inconsistent")
    assert shown[1].startswith(f"slope {profile.weights.slope:.3f}, intercept {profile.weights.intercept:+.3f}, and a")
    assert f"novelty {profile.weights.signs['novelty']:+.3f}" in shown[2]
    losses = profile.cross_validation["log_loss"]
    assert shown[3] == f"  log loss by slope and intercept alone: {losses['line']:.3f}"
    assert losses["weights"] < losses["line"]

    few = write(tmp_path / "few.jsonl", *rows[:4])
    after = [
        json.loads(line)
        for line in invoke("check", few, "--profile", "profile.json", "--format", "jsonl").stdout.splitlines()
    ]
    assert [result["label"] for result in after] == ["Entailment", "Neutral"] * 2
    assert all("signs" not in judgement for result in after for judgement in result["judgements"])


def test_labelled_claims_of_a_store(invoke, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", *records())
    assert invoke("check", path, "--store", "kg", "--format", "jsonl").returncode == 0
    rows = [
        json.loads(line) for line in invoke("label", "export", "--name", "anna", "--store", "kg").stdout.splitlines()
    ]
    assert len(rows) >= 40
    for row in rows:
        row["label"] = "Entailment" if row["response"].endswith("right") else "Neutral"
    rows[0]["label"] = None
    claims = write(tmp_path / "claims.jsonl", *rows, {"claim_id": "nobody", "label": "Neutral"}, {"label": "Neutral"})
    done = invoke("calibrate", claims, "--store", "kg", "-o", "file.json")
    assert done.returncode == 3
    assert done.stderr.splitlines() == [
        f'graph-eval: claims.jsonl, line {len(rows) + 2}: not a JSON object with a "claim_id"'.replace(
            "claims.jsonl", str(claims)
        ),
        "graph-eval: claim nobody is not in the store",
    ]
    profile = Profile.read(tmp_path / "file.json")
    wrong = sum(row["label"] == "Neutral" for row in rows)
    assert profile.labels | {"kept": 0} == {
        "kind": "claims", "total": len(rows) - 1, "inconsistent": wrong, "consistent": len(rows) - 1 - wrong,
        "contexts": 20, "kept": 0,
    }  # fmt: skip
    assert profile.extractor.name == "rules"

    imported = invoke("label", "import", write(tmp_path / "good.jsonl", *rows), "--name", "anna", "--store", "kg")
    person = imported.stdout.split()[0]
    for options in (("--name", "anna"), ("--run-id", person)):
        done = invoke("calibrate", "--store", "kg", *options, "-o", "run.json")
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "run.json").read_text() == profile.text

    checked = json.loads(invoke("query", "runs", "--store", "kg", "--format", "jsonl").stdout.splitlines()[0])["id"]
    for options, said in (
        (("--name", "bob"), "the store has no labels by 'bob'"),
        (("--run-id", checked), "is not a person's"),
        (("--run-id", "none"), "unknown run 'none'"),
    ):
        refused = invoke("calibrate", "--store", "kg", *options, "-o", "none.json")
        assert (refused.returncode, said in refused.stderr) == (2, True), refused.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "missing labels"),
        (("few.jsonl",), "too few labelled responses: 4 can be used, 2 inconsistent and 2 consistent"),
        (("few.jsonl", "--store", "kg"), "--store needs labelled claims"),
        (("few.jsonl", "--name", "anna"), "LABELLED and --name cannot be combined"),
        (("--name", "anna", "--run-id", "x"), "--name and --run-id cannot be combined"),
        (("claims.jsonl",), "missing store"),
        (("claims.jsonl", "--store", "kg", "--extractor", "rules"), "--extractor cannot be used with labelled claims"),
        (("none.jsonl",), "none.jsonl does not exist"),
    ],
)
def test_wrong_usage(invoke, tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    write(tmp_path / "few.jsonl", *records()[:4])
    write(tmp_path / "claims.jsonl", {"claim_id": "a", "label": "Neutral"})
    done = invoke("calibrate", *options, "-o", "profile.json", NEO4J_URI="")
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "profile.json").exists()
