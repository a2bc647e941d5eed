"""Labels and notes of a person in the report, the file that they are saved in, and the table of claims."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graph_eval.formats.writers import CSV_COLUMNS, CsvWriter
from graph_eval.graph.labels import read_labels
from graph_eval.reports import render
from graph_eval.types import Claim, Example, Label, Result, Span
from tests.browser.conftest import reloaded, until
from tests.browser.results import many

EXAMPLES = Path(__file__).parents[2] / "examples" / "responses.jsonl"


def saved(page: Page, button: str, folder: Path) -> Path:
    """The file that a button downloads."""
    with page.expect_download() as download:
        page.click(button)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.fixture
def page(watched, tmp_path: Path) -> Page:
    return watched.open(render(many(20), tmp_path / "r.html", title="A <b>title</b> / 🗼"))


def open_claim(page: Page, flagged: bool) -> None:
    page.evaluate(f"chooseClaim(state.order.find((claim) => claim.flagged === {json.dumps(flagged)}))")


def test_right_keeps_the_label_of_the_checker(page: Page) -> None:
    open_claim(page, flagged=True)
    expect(page.locator("#save-labels")).to_be_disabled()
    page.click(".person .right")
    expect(page.locator(".person .right")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".chosen .yours")).to_have_text("you: right")
    expect(page.locator("#labelled")).to_have_text("1 labelled")
    assert page.evaluate("labelRows()[0].label === state.claim.label")
    page.click(".person .right")
    expect(page.locator("#save-labels")).to_be_disabled()
    assert page.evaluate("labelRows()") == []


@pytest.mark.parametrize(("flagged", "usual"), [(True, "Entailment"), (False, "Neutral")])
def test_wrong_asks_for_the_right_label(page: Page, flagged: bool, usual: str) -> None:
    page.evaluate("choose(responses.find((row) => row.flagged && row.flagged < row.claims.length))")
    open_claim(page, flagged)
    own = page.evaluate("state.claim.label")
    expect(page.locator(".person select")).to_be_hidden()
    page.keyboard.press("w")
    expect(page.locator(".person select")).to_have_value(usual)
    options = page.locator(".person option").evaluate_all("(nodes) => nodes.map((node) => node.value)")
    assert sorted([*options, own]) == ["Contradiction", "Entailment", "Neutral"]
    other = next(label for label in options if label != usual)
    page.select_option(".person select", other)
    expect(page.locator(".chosen .yours")).to_have_text(f"you: should be {other}")
    assert page.evaluate("labelRows()[0].label") == other


def test_labels_and_notes_are_there_again_after_a_reload_and_only_in_this_report(page: Page, watched, tmp_path) -> None:
    before = []

    def label() -> None:
        open_claim(page, flagged=True)
        page.keyboard.press("w")
        page.fill(".person textarea", 'sagt "nichts"\n=1+1 🗼')
        until(page, "location.hash.includes('claim=')")
        before[:] = page.evaluate("labelRows()")

    reloaded(page, "labelRows().length === 1", label)
    assert page.evaluate("labelRows()") == before
    expect(page.locator("#labelled")).to_have_text("1 labelled")
    expect(page.locator(".person .wrong")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".person textarea")).to_have_value('sagt "nichts"\n=1+1 🗼')
    expect(page.locator(".chosen .yours")).to_have_text("you: should be Entailment, note")
    other = watched.open(render(many(20), tmp_path / "other.html", title="another run"))
    expect(other.locator("#save-labels")).to_be_disabled()


def test_labels_of_other_data_under_the_same_title_are_kept_apart(page: Page, watched, tmp_path: Path) -> None:
    def label() -> None:
        page.keyboard.press("n")
        page.keyboard.press("r")

    reloaded(page, "labelRows().length === 1", label)
    mine = page.evaluate("labelRows()")
    other = watched.open(render(list(many(20))[1:], tmp_path / "other.html", title="A <b>title</b> / 🗼"))
    shared = other.evaluate("responses.flatMap((row) => row.claims.map((claim) => claim.id))")
    assert mine[0]["claim_id"] in shared
    expect(other.locator("#labelled")).to_have_text("0 labelled")
    other.keyboard.press("n")
    other.keyboard.press("w")
    other.click("#clear-labels")
    other.click("#clear button[value=clear]")
    expect(other.locator("#labelled")).to_have_text("0 labelled")
    until(other, "Object.keys(localStorage).length === 1")
    again = watched.open(tmp_path / "r.html")
    assert again.evaluate("labelRows()") == mine


def test_clearing_leaves_what_this_page_does_not_show(page: Page) -> None:
    kept = "localStorage.setItem(storageKey(), JSON.stringify({ x: { label: 'Neutral', note: '' } }))"
    reloaded(page, "localStorage.length === 1", lambda: page.evaluate(kept))
    page.keyboard.press("n")
    page.keyboard.press("r")
    page.click("#clear-labels")
    page.click("#clear button[value=clear]")
    until(page, "labelRows().length === 0")  # the dialog closes after the click
    assert page.evaluate("Object.keys(JSON.parse(localStorage.getItem(storageKey())))") == ["x"]


def test_a_label_in_another_tab_does_not_disturb_a_note(page: Page, tmp_path: Path) -> None:
    page.keyboard.press("n")
    page.locator(".person textarea").press_sequentially("half a ")
    number, place = page.evaluate("[state.response.n, state.claim.place]")
    tab = page.context.new_page()
    tab.goto(f"{(tmp_path / 'r.html').as_uri()}#response={number}&claim={place}")
    tab.click(".person .wrong")
    until(page, "labelledBy(state.claim).label !== null")
    page.keyboard.type("wrong note")
    expect(page.locator(".person textarea")).to_be_focused()
    expect(page.locator(".person textarea")).to_have_value("half a wrong note")
    expect(page.locator(".person .wrong")).to_have_attribute("aria-pressed", "true")
    until(tab, "labelledBy(state.claim).note === 'half a wrong note'")
    expect(tab.locator(".person textarea")).to_have_value("half a wrong note")
    assert tab.evaluate("labelRows()") == page.evaluate("labelRows()")
    tab.click("#clear-labels")
    tab.click("#clear button[value=clear]")
    expect(page.locator("#labelled")).to_have_text("0 labelled")
    tab.close()


def test_what_the_storage_holds_is_read_as_far_as_it_is_valid(page: Page) -> None:
    identity = page.evaluate("responses[0].claims[0].id")
    kept = {identity: {"label": "odd", "note": "n"}, "x": 7, "y": {"label": "Neutral", "note": {}}}
    for text, expected in ((json.dumps(kept), [None]), ("not JSON", []), ("null", []), ("[1]", [])):
        page.evaluate("(text) => localStorage.setItem(storageKey(), text)", text)
        page.reload()
        assert [row["label"] for row in page.evaluate("labelRows()")] == expected


def test_where_storage_is_refused_labels_stay_in_memory_and_the_page_says_so(watched, tmp_path: Path) -> None:
    refusal = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    watched.page.add_init_script(refusal)
    page = watched.open(render(many(5), tmp_path / "r.html"))
    expect(page.locator("#unstored")).to_be_hidden()
    page.keyboard.press("n")
    page.keyboard.press("r")
    expect(page.locator("#labelled")).to_have_text("1 labelled")
    expect(page.locator("#unstored")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("n")
    expect(page.locator(".person .right")).to_have_attribute("aria-pressed", "true")
    assert len(saved(page, "#save-labels", tmp_path).read_text("utf8").splitlines()) == 1


def test_clearing_asks_first(page: Page) -> None:
    page.keyboard.press("n")
    page.keyboard.press("r")
    page.click("#clear-labels")
    expect(page.locator("#clear")).to_contain_text("Delete your labels and notes on 1 claim?")
    page.keyboard.press("j")  # no shortcut works while it asks
    page.keyboard.press("Escape")
    expect(page.locator("#clear")).to_be_hidden()
    expect(page.locator("#labelled")).to_have_text("1 labelled")
    page.click("#clear-labels")
    page.click("#clear button[value=clear]")
    expect(page.locator("#save-labels")).to_be_disabled()
    expect(page.locator(".person .right")).to_have_attribute("aria-pressed", "false")
    page.reload()
    assert page.evaluate("labelRows()") == []


def test_the_saved_labels_are_a_file_that_read_labels_reads(page: Page, tmp_path: Path) -> None:
    results = {claim.id: (result, claim) for result in many(20) for claim in result.claims}
    for step in range(3):
        page.keyboard.press("n")
        page.keyboard.press("w" if step % 2 else "r")
    page.fill(".person textarea", "line one\nline </script> two\u2028")
    page.evaluate("setLabel(responses[0].claims[0], { note: 'only a note' })")
    path = saved(page, "#save-labels", tmp_path)
    assert path.name == "A_b_title_b_-labels.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf8").split("\n")[:-1]]
    assert len(rows) == 4
    for row in rows:
        result, claim = results[row["claim_id"]]
        assert list(row) == ["claim_id", "label", "note", "claim", "response_id", "model", "verdict"]
        assert (row["claim"], row["response_id"]) == (claim.text, result.example.id)
        given = next(item.label for item in result.judgements if item.claim_id == claim.id)
        assert (row["model"], row["verdict"]) == (result.example.model, given)
    expect(page.locator("#labelled")).to_have_text("Saved 3 labels and 1 note to A_b_title_b_-labels.jsonl")
    judgements, problems = read_labels(path)
    assert problems == []
    assert len(judgements) == 3
    assert "line one\nline </script> two" in {item.reason for item in judgements.values()}


def test_the_saved_labels_go_into_a_store(watched, invoke, tmp_path: Path) -> None:
    done = invoke("check", EXAMPLES, "-o", "RUN", "--store", "kg", "--limit", "4", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    assert invoke("report", "RUN").returncode == 0
    page = watched.open(tmp_path / "RUN" / "report.html")
    page.keyboard.press("n")
    flagged = page.evaluate("state.claim.id")
    page.keyboard.press("w")
    page.fill(".person textarea", "The year is right: 1861.")
    open_claim(page, flagged=False) if page.evaluate("state.order.some((claim) => !claim.flagged)") else None
    page.keyboard.press("r")
    path = saved(page, "#save-labels", tmp_path)
    done = invoke("label", "import", path, "--store", "kg", "--name", "anna")
    assert (done.returncode, done.stderr) == (0, "")
    assert "labels by anna" in done.stdout
    question = (
        "MATCH (c:Claim)<-[j:JUDGED]-(r:Run) WHERE r.checker = 'human:anna' "
        "RETURN c.id AS id, j.label AS label, j.reason AS reason"
    )
    found = invoke("query", "-", "--store", "kg", "--format", "jsonl", stdin=question)
    rows = {row["id"]: row for row in map(json.loads, found.stdout.splitlines())}
    assert rows[flagged] == {"id": flagged, "label": "Entailment", "reason": "The year is right: 1861."}
    assert len(rows) == 2


# ---- the table ----


def table(path: Path) -> list[list[str]]:
    raw = path.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


def written(results: list[Result]) -> list[list[str]]:
    """The rows of `check --format csv`."""
    stream = io.StringIO(newline="")
    writer = CsvWriter(stream.write)
    for result in results:
        writer.add(result)
    return list(csv.reader(io.StringIO(stream.getvalue(), newline="")))


def numbers(row: list[str]) -> list[object]:
    place = CSV_COLUMNS.index("p_inconsistent")
    return [float(cell) if cell and at == place else cell for at, cell in enumerate(row)]


def formula(result: Result) -> Result:
    """The result with texts that a spreadsheet would run."""
    texts = ("=1+1", '@x, "y"', "+2", "\t3", " 5 ", "a\nb", "-6")
    claims = tuple(replace(claim, text=texts[at % len(texts)]) for at, claim in enumerate(result.claims))
    example = replace(result.example, model=texts[result.n % len(texts)])
    return replace(result, claims=claims, example=example)


def test_the_table_has_the_rows_of_the_csv_writer(watched, tmp_path: Path) -> None:
    results = [formula(result) if result.claims else result for result in many(120)]
    page = watched.open(render(results, tmp_path / "r.html"))
    page.select_option("#sort", "input")
    head, *rows = table(saved(page, "#save-table", tmp_path))
    assert tuple(head) == (*CSV_COLUMNS, "your_label", "your_note")
    _, *expected = written(results)
    for row in expected:  # the page has a number for what has no id
        row[1] = row[1] or str(int(row[0]) + 1)
    assert [numbers(row[:-2]) for row in rows] == [numbers(row) for row in expected]


def test_the_table_holds_what_the_filter_leaves_with_labels_and_notes(page: Page, tmp_path: Path) -> None:
    page.select_option("#label", "Neutral")
    page.keyboard.press("n")
    page.keyboard.press("w")
    page.fill(".person textarea", "=cmd()")
    identity = page.evaluate("state.claim.id")
    shown = page.evaluate("state.shown.flatMap((row) => row.claims.map((claim) => claim.id))")
    assert len(shown) < sum(len(result.claims) for result in many(20))
    _, *rows = table(saved(page, "#save-table", tmp_path))
    assert len(rows) == len(shown)
    assert rows[shown.index(identity)][-2:] == ["Entailment", "'=cmd()"]
    assert {tuple(row[-2:]) for row in rows} == {("Entailment", "'=cmd()"), ("", "")}


def test_a_claim_that_nobody_judged_can_be_labelled(watched, tmp_path: Path) -> None:
    example = Example("x", "made", "It rains.")
    claim = Claim.whole(example.key, example.response, Span(0, len(example.response)))
    page = watched.open(render(Result(0, example, (claim,)), tmp_path / "r.html"))
    page.keyboard.press("n")
    expect(page.locator(".person .right")).to_be_hidden()
    page.click(".person .wrong")
    page.select_option(".person select", Label.CONTRADICTION)
    assert page.evaluate("labelRows()[0].label") == "Contradiction"
