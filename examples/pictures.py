"""Creates the pictures of the README: two answers, the report, the drawing, and the output of a failing check in CI.

    python examples/pictures.py

It needs the extra `dev` and Chromium. It checks the examples again, so that the pictures show the current version.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from graph_eval import read_run

HERE = Path(__file__).parent
EXAMPLES = HERE / "responses.jsonl"
PICTURES = HERE / "pictures"
COLUMNS = 400  # wide enough for every line; the page wraps them
PAGE = """<meta charset="utf-8"><style>{stylesheet} pre {{ background: {background}; color: {foreground}; margin: 0;
padding: 18px; width: 118ch; font: 14px/1.45 "Liberation Mono", monospace; white-space: pre-wrap; }}</style>
<pre>{code}</pre>"""
SHOWN = "lighthouse"  # the response in the pictures of the pages
ANSWERS = ("bridge-closure-2", "bridge-closure")  # a right one and a wrong one, of the same context
SIDE_BY_SIDE = """<meta charset="utf-8"><style>
body {{ font-family: system-ui, sans-serif; color: #1b2330; background: #fff; margin: 0; }}
main {{ width: 1080px; padding: 20px; display: grid; grid-template-columns: 1fr 1fr; gap: 16px 32px; }}
section {{ border-top: 3px solid #d9dde3; padding-top: 12px; }}
header {{ grid-column: 1 / 3; font: 15px/1.5 Georgia, "Liberation Serif", serif; }}
h2 {{ font: 600 13px system-ui, sans-serif; color: #566072; margin: 0 0 4px; }}</style>
<main><header><h2>The context of both answers</h2>{context}</header>
<section>{right}</section><section>{wrong}</section></main>"""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


def graph_eval(*arguments: str | Path, code: int = 0, **environment: str) -> str:
    """The output of a command that ends with this exit code: 1 is a failed check."""
    command = [sys.executable, "-m", "graph_eval", *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env={**os.environ, **environment}, check=False
    )
    if done.returncode != code:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}, not {code}\n{done.stderr}")
    return done.stdout


def terminal_page(folder: Path) -> Path:
    """A page that shows a terminal with a failing check of three examples."""
    path = folder / "answers.jsonl"
    names = ("bridge-closure-2", "lighthouse", "olive-oil")
    lines = [
        line for line in EXAMPLES.read_text("utf-8").splitlines() if any(f'"id": "{name}"' in line for name in names)
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    arguments = ("check", path, "--fail-on", "0.1")
    output = graph_eval(*arguments, code=1, FORCE_COLOR="1", COLUMNS=str(COLUMNS), COLORTERM="truecolor")
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(Text("$ graph-eval check answers.jsonl --fail-on 0.1", style="bold"))
    console.print(Text.from_ansi(output.rstrip()))
    console.print(Text("Error: Process completed with exit code 1.", style="bold red"))
    page = folder / "terminal.html"
    page.write_text(console.export_html(theme=MONOKAI, code_format=PAGE), "utf-8")
    return page


def answers_page(folder: Path, run: Path) -> Path:
    """A page with two answers as a notebook shows them, below their common context."""
    results = {result.name: result for result in read_run(run)}
    right, wrong = (results[name] for name in ANSWERS)
    if right.example is None or right.inconsistent or not wrong.inconsistent:
        raise SystemExit(f"the examples {' and '.join(ANSWERS)} are no longer a right and a wrong answer")
    context = escape("\n".join(passage.text for passage in right.example.passages))
    page = folder / "answers.html"
    page.write_text(SIDE_BY_SIDE.format(context=context, right=right._repr_html_(), wrong=wrong._repr_html_()), "utf-8")
    return page


def photograph(
    browser: Browser,
    page: Path,
    name: str,
    address: str = "",
    size: tuple[int, int] = (1280, 760),
    part: str | None = None,
    scale: float = 1.25,
) -> None:
    """Writes the picture `name` of a page at this address, or of its element `part`."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, device_scale_factor=scale)
    tab = context.new_page()
    tab.goto(page.as_uri() + address)
    tab.wait_for_timeout(1000)
    target = tab.locator(part) if part else tab
    target.screenshot(path=PICTURES / f"{name}.png")
    context.close()


def first_flagged(results: Path, response: int) -> int:
    """The place of the first flagged claim of a response."""
    judgements = json.loads(results.read_text("utf-8").splitlines()[response])["judgements"]
    return next(place for place, judgement in enumerate(judgements) if judgement["flagged"])


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("Chromium not found: install it, on Debian with apt-get install chromium")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        graph_eval("check", EXAMPLES, "-o", folder / "examples", "--format", "jsonl", "--correct")
        graph_eval("report", folder / "examples")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        answers = answers_page(folder, folder / "examples")
        photograph(browser, answers, "answers", size=(1200, 700), part="main", scale=2)
        shown = [json.loads(line)["id"] for line in EXAMPLES.read_text("utf-8").splitlines()].index(SHOWN)
        flagged = first_flagged(folder / "examples" / "results.jsonl", shown)
        photograph(
            browser, folder / "examples" / "report.html", "report", f"#response={shown}&claim={flagged}", (1280, 920)
        )
        photograph(browser, folder / "examples" / "graph.html", "graph", f"#response={shown}")
        photograph(browser, folder / "examples" / "graph.html", "overview", "#view=graph")
        photograph(browser, terminal_page(folder), "terminal", size=(1000, 700), part="pre")
        browser.close()


if __name__ == "__main__":
    main()
