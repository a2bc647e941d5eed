"""graph-eval open: show a run in the browser."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import click

from graph_eval.cli.options import shown_options, shown_runs

TEXT_BROWSERS = {"www-browser", "links", "elinks", "lynx", "w3m"}  # they run no script, and the pages need theirs


@click.command("open", short_help="Show a run in the browser.")
@shown_options
@click.option("--drawing", is_flag=True, help="Show the drawing of the claims instead of the report.")
def command(run: Path | None, store: str | None, run_id: str | None, limit: int | None, drawing: bool) -> None:
    """Show the report of a RUN in the browser, and print its path.

    Write the report and the drawing first (see graph-eval report) if they are missing or older than the results. With
    --store or --limit they are always written. Without a browser only print the path.
    """
    from graph_eval.reports.pages import REPORT, drawing_of, outdate, up_to_date, write_pages
    from graph_eval.runs.directory import RESULTS

    report = (run or Path()) / REPORT
    pages = [report, drawing_of(report)]
    with shown_runs(run, store, run_id, limit) as [(results, title, settings)]:
        if run is None or limit is not None or not up_to_date(pages, run / RESULTS):
            write_pages(results, report, title, settings)
    if run is not None and limit is not None:
        outdate(pages, run / RESULTS)
    page = pages[drawing]
    click.echo(page)
    if not opened(page):
        click.echo("graph-eval: no browser was found", err=True)


def opened(page: Path) -> bool:
    """Opens the page in the default browser. False if there is none. $BROWSER names another one."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if not os.environ.get("BROWSER") and getattr(browser, "name", "") in TEXT_BROWSERS:
        return False
    return browser.open(page.resolve().as_uri())
