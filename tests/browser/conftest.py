"""A real Chromium over the files that graph_eval writes, and results to fill them with."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from graph_eval.reports import render
from graph_eval.runs.directory import read_results
from tests.browser.results import many
from tests.conftest import missing

OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
RESPONSES = 2000


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        missing("chromium", "there is no Chromium; Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        yield chromium
        chromium.close()


@dataclass
class Watched:
    """A page, and everything that it should not have done."""

    page: Page
    offences: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", lambda message: self.offences.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.offences.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.offences.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("popup", lambda popup: self.offences.append(f"popup: {popup.url}"))
        self.page.on("request", self._requested)

    def _requested(self, request: Any) -> None:
        own = request.url.split("#")[0] == self.page.url.split("#")[0] or request.is_navigation_request()
        if not own and not request.url.startswith(("data:", "blob:")):
            self.offences.append(f"request: {request.url}")

    def open(self, path: Path, fragment: str = "") -> Page:
        self.page.goto(path.as_uri() + fragment)
        return self.page


def until(page: Page, condition: str, seconds: float = 20.0) -> None:
    """Waits for a JavaScript condition. Playwright's own wait evaluates strings in the page, which our pages forbid."""
    for _ in range(int(seconds / 0.05)):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never came true: {condition}")


def reloaded(page: Page, condition: str, store: Callable[[], object]) -> None:
    """Stores and reloads until the condition is true.

    Chromium 156 loses one in fifty writes of a file's page for good, also those of a page of two lines and with a
    profile on disk. Neither a second write in the same document nor waiting helps, so the new document stores again.
    """
    for _ in range(5):
        store()
        page.reload()
        if page.evaluate(condition):
            return
    pytest.fail(f"never came true: {condition}")


@pytest.fixture(params=["light"])
def watched(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Watched]:
    """A fresh page that notes console messages, errors, dialogs and requests; by the end there may be none."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, color_scheme=request.param, accept_downloads=True
    )
    context.set_default_timeout(20_000)
    found = Watched(context.new_page())
    found.watch()
    yield found
    context.close()
    assert found.offences == []


@pytest.fixture(scope="session")
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Report and drawing of 2,000 made responses, or of the run that --run-directory names."""
    given = request.config.getoption("--run-directory")
    folder = tmp_path_factory.mktemp("pages")
    results = list(many(RESPONSES) if given is None else read_results(given))
    return {view: render(results, folder / f"{view}.html", view, "pages") for view in ("report", "graph")}
