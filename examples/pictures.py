"""Creates the pictures of the README: the report, the drawing, and the output of a failing check in CI.

    python examples/pictures.py

It needs the extra `dev` and Chromium. It checks the examples again, so that the pictures show the current version.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

HERE = Path(__file__).parent
EXAMPLES = HERE / "responses.jsonl"
PICTURES = HERE / "pictures"
COLUMNS = 400  # wide enough for every line; the page wraps them
PAGE = """<meta charset="utf-8"><style>{stylesheet} pre {{ background: {background}; color: {foreground}; margin: 0;
padding: 18px; width: 118ch; font: 14px/1.45 "Liberation Mono", monospace; white-space: pre-wrap; }}</style>
<pre>{code}</pre>"""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


def graph_eval(*arguments: str | Path, **environment: str) -> str:
    """The output of a command. Exit code 1, a failed check, is expected."""
    command = [sys.executable, "-m", "graph_eval", *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env={**os.environ, **environment}, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return done.stdout


def terminal_page(folder: Path) -> Path:
    """A page that shows a terminal with a failing check of three examples."""
    path = folder / "answers.jsonl"
    names = ("bridge-closure-2", "medicine", "library-refused-loan")
    lines = [
        line for line in EXAMPLES.read_text("utf-8").splitlines() if any(f'"id": "{name}"' in line for name in names)
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    arguments = ("check", path, "--fail-on", "0.1")
    output = graph_eval(*arguments, FORCE_COLOR="1", COLUMNS=str(COLUMNS), COLORTERM="truecolor")
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(Text("$ graph-eval check answers.jsonl --fail-on 0.1", style="bold"))
    console.print(Text.from_ansi(output.rstrip()))
    console.print(Text("Error: Process completed with exit code 1.", style="bold red"))
    page = folder / "terminal.html"
    page.write_text(console.export_html(theme=MONOKAI, code_format=PAGE), "utf-8")
    return page


def photograph(browser: Browser, page: Path, name: str, keys: str = "", size: tuple[int, int] = (1280, 760)) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, device_scale_factor=1.25)
    tab = context.new_page()
    tab.goto(page.as_uri())
    for key in keys:
        tab.wait_for_timeout(700)
        tab.keyboard.press(key)
    tab.mouse.move(0, 0)
    tab.wait_for_timeout(500)
    target = tab.locator("pre") if name == "terminal" else tab
    target.screenshot(path=PICTURES / f"{name}.png")
    context.close()


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("Chromium not found: install it, on Debian with apt-get install chromium")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        graph_eval("check", EXAMPLES, "-o", folder / "examples", "--format", "jsonl")
        graph_eval("report", folder / "examples")
        graph_eval("viz", folder / "examples")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        photograph(browser, folder / "examples" / "report.html", "report", "jjjjjjjjjjn")
        photograph(browser, folder / "examples" / "graph.html", "graph", "n")
        photograph(browser, terminal_page(folder), "terminal", size=(1000, 700))
        browser.close()


if __name__ == "__main__":
    main()
