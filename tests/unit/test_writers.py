"""Results out: JSON, CSV and patches, byte by byte."""

import csv
import io
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from graph_eval.formats.results import from_json, to_json
from graph_eval.formats.writers import (
    CSV_COLUMNS,
    WRITERS,
    CsvWriter,
    JsonLinesWriter,
    JsonListWriter,
    corrected_record,
    csv_line,
    patch,
)
from graph_eval.types import (
    Claim,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Label,
    Passage,
    Result,
    Revision,
    Scores,
    Slot,
    Span,
)

PASSAGE = Passage.of("Paris is in France, not in Spain.")
RESPONSE = "Paris is in Spain. =1+1"
TRIPLET = Claim.triplet(
    "t",
    (Slot("Paris", (Span(0, 5),)), Slot("is in", (Span(6, 11),)), Slot("Spain", (Span(12, 17),))),
    "Paris is in Spain.",
    Span(0, 18),
)
WHOLE = Claim.whole("t", "=1+1", Span(19, 23))
EXAMPLE = Example("a 1", "set", RESPONSE, (PASSAGE,), "Where?", "m,1")
JUDGED = Result(
    0,
    EXAMPLE,
    (TRIPLET, WHOLE),
    (
        Judgement(
            TRIPLET.id,
            Label.CONTRADICTION,
            0.75,
            flagged=True,
            evidence=(Evidence(PASSAGE.id, Span(0, 18), Scores(0.1, 0.15, 0.75)),),
        ),
        Judgement.failed(WHOLE.id, ItemError("check", "no answer", "try again")),
    ),
    Label.CONTRADICTION,
    0.75,
)
FAILED = Result(1, None, error=ItemError("input", "invalid JSON", place="a.jsonl, line 2"))
ABSTAINED = Result(2, Example("b", "set", "Sorry."), label=Label.ABSTAIN)


def written(form: str, *results: Result) -> str:
    stream = io.StringIO()
    writer = WRITERS[form](stream.write)
    for result in results:
        writer.add(result)
    writer.close()
    return stream.getvalue()


def test_json_lines() -> None:
    assert written("jsonl") == ""
    assert written("jsonl", JUDGED, FAILED) == f"{to_json(JUDGED)}\n{to_json(FAILED)}\n"


def test_a_json_list() -> None:
    assert written("json") == "[]\n"
    assert written("json", JUDGED) == f"[\n{to_json(JUDGED)}\n]\n"
    text = written("json", JUDGED, FAILED, ABSTAINED)
    assert text == f"[\n{to_json(JUDGED)}\n,\n{to_json(FAILED)}\n,\n{to_json(ABSTAINED)}\n]\n"
    assert [from_json(json.dumps(value)) for value in json.loads(text)] == [JUDGED, FAILED, ABSTAINED]


def test_csv_has_a_row_for_each_claim_or_response() -> None:
    assert written("csv") == (
        "n,id,model,response_label,claim,kind,subject,predicate,object,label,p_inconsistent,flagged,start,end,"
        "evidence,error\n"
    )
    response = '0,a 1,"m,1",Contradiction'
    assert written("csv", JUDGED, FAILED, ABSTAINED).splitlines()[1:] == [
        f"{response},Paris is in Spain.,triplet,Paris,is in,Spain,Contradiction,0.75,1,0,17,Paris is in France,",
        f"{response},'=1+1,sentence,,,,,,0,19,23,,no answer (try again)",
        '1,,,,,,,,,,,,,,,"a.jsonl, line 2: invalid JSON"',
        "2,b,,Abstain,,,,,,,,,,,,",
    ]
    rows = list(csv.reader(io.StringIO(written("csv", JUDGED, FAILED, ABSTAINED))))
    assert {len(row) for row in rows} == {len(CSV_COLUMNS)}


def test_csv_needs_judgements() -> None:
    with pytest.raises(ValueError, match="1 claims, 0 judgements"):
        CsvWriter(io.StringIO().write).add(Result(0, EXAMPLE, (TRIPLET,)))


def test_a_writer_has_written_what_was_added() -> None:
    stream = io.StringIO()
    lines = JsonLinesWriter(stream.write)
    lines.add(FAILED)
    assert stream.getvalue() == f"{to_json(FAILED)}\n"
    listed = JsonListWriter(stream.write)
    listed.add(FAILED)
    assert stream.getvalue().endswith(f"[\n{to_json(FAILED)}\n")


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (["=1", "+1", "@a", "\tb"], "'=1,'+1,'@a,'\tb\n"),
        (["-1", "a=b", "", 1.5, None], "-1,a=b,,1.5,None\n"),
        (['say "hi"', "a\nb"], '"say ""hi""","a\nb"\n'),
    ],
)
def test_no_cell_is_a_formula(cells: list[object], line: str) -> None:
    assert csv_line(cells) == line
    assert csv_line(["\rc"]).strip('"\n') == "'\rc"  # quoted from Python 3.13 on


def revised(before: str, *after: str) -> Result:
    """A result with one round of correction for each text."""
    revision = None
    for text in reversed(after):
        revision = Revision(text, (), Result(0, Example("a\n1", "set", text), revision=revision))
    return Result(0, Example("a\n1", "set", before, (PASSAGE,), None, "m"), revision=revision)


@pytest.mark.parametrize("cell", ["a\rb", "a\nb", "a\r\nb", 'a "b", c', "", " a "])
def test_a_cell_comes_back_as_it_was(cell: str) -> None:
    assert list(csv.reader(io.StringIO(csv_line([cell, "x"]), newline=""))) == [[cell, "x"]]


def test_a_corrected_record() -> None:
    assert json.loads(corrected_record(revised("In Späin.", "In Italy.", "In Fränce."))) == {
        "id": "a\n1",
        "dataset": "set",
        "response": "In Fränce.",
        "context": [PASSAGE.text],
        "model": "m",
        "original": "In Späin.",
    }
    assert "In Fränce." in corrected_record(revised("a", "In Fränce."))
    assert json.loads(corrected_record(JUDGED))["response"] == RESPONSE
    source = Passage(PASSAGE.id, PASSAGE.text, "a.pdf")
    example = Example("a", "nq", "In Spain.", (source, PASSAGE), samples=("In Rome.",), meta={"url": "x"})
    assert json.loads(corrected_record(Result(0, example))) == {
        "url": "x",
        "id": "a",
        "dataset": "nq",
        "response": "In Spain.",
        "context": [{"text": PASSAGE.text, "source": "a.pdf"}, PASSAGE.text],
        "samples": ["In Rome."],
        "original": "In Spain.",
    }
    labelled = replace(EXAMPLE, meta={"label": 1})
    assert json.loads(corrected_record(Result(0, labelled)))["label"] == 1
    changed = Result(0, labelled, revision=Revision("In France.", (), Result(0, EXAMPLE)))
    assert "label" not in json.loads(corrected_record(changed))
    assert corrected_record(FAILED) == '{"error": "a.jsonl, line 2: invalid JSON"}'


def test_a_patch_leads_from_the_response_to_its_last_revision() -> None:
    assert patch(revised("One.\nTwo.\nThree.\nFour.\n", "x", "One.\nTwo!\nThree.\nFour.\n")) == (
        "--- a/a 1\n+++ b/a 1\n@@ -1,3 +1,3 @@\n One.\n-Two.\n+Two!\n Three.\n"
    )
    assert patch(revised("One.", "Two.")) == (
        "--- a/a 1\n+++ b/a 1\n@@ -1 +1 @@\n-One.\n\\ No newline at end of file\n+Two.\n\\ No newline at end of file\n"
    )
    assert patch(revised("One.", "One.")) == patch(JUDGED) == patch(FAILED) == ""


def test_git_applies_a_patch(tmp_path: Path) -> None:
    (tmp_path / "a 1").write_text("One.\nTwo.")
    text = patch(revised("One.\nTwo.", "One.\nThree."))
    subprocess.run(["git", "apply", "-"], input=text, text=True, cwd=tmp_path, check=True, timeout=60)
    assert (tmp_path / "a 1").read_text() == "One.\nThree."


def test_evidence_of_a_passage_that_the_record_lacks_is_an_empty_cell() -> None:
    evidence = Evidence("elsewhere", Span(0, 18), Scores(0.1, 0.15, 0.75))
    judgements = (Judgement(TRIPLET.id, Label.CONTRADICTION, 0.75, True, evidence=(evidence,)), JUDGED.judgements[1])
    written = io.StringIO()
    writer = CsvWriter(written.write)
    writer.add(Result(0, EXAMPLE, JUDGED.claims, judgements))
    writer.close()
    first, _ = csv.DictReader(io.StringIO(written.getvalue()))
    assert (first["label"], first["evidence"]) == ("Contradiction", "")
