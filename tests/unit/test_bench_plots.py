"""Plots of benchmark files, and the page of them."""

import io
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import pytest
from PIL import Image

from graph_eval.bench import plots as plotting
from graph_eval.bench import record
from graph_eval.bench.plots import Plot, plots, threshold_point
from graph_eval.bench.summary import summary_page
from graph_eval.errors import MissingPartError

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><style>*{display:none}</style>",
    "{{ 7 * 7 }}{% raw %}",
    "$\\frac{1}{0}$",
    "_hidden\n\u202e\0--><b>",
    "名前 javascript:alert(1)",
)
ROWS = [(0, 0.1), (0, 0.6), (0, 0.2), (0, 0.3), (1, 0.9), (1, 0.4), (1, 0.7)]
GAIN = {"value": 0.1, "low": -0.1, "high": 0.3}


def file(name: str = "s", route: str = "r") -> dict[str, Any]:
    empty = {field: {} for field in record.OBJECTS}
    items = [
        {"set": name, "route": route, "n": n, "label": label, "p_inconsistent": p, "inconsistent": p > 0.5}
        for n, (label, p) in enumerate(ROWS)
    ]
    tables = [
        {"name": "table2", "title": name, "rows": [{"set": name, "route": route, "n": 7, "gain": GAIN}], "note": route},
        {"name": "by_length", "title": "length", "rows": [{"set": name, "words": "5 to 9", "gain": GAIN}]},
    ]
    seconds = {f"{name}, {route}": 3.5}
    return empty | {
        "benchmark": "table2",
        "title": "A title",
        "items": items,
        "tables": [record.TABLE | table for table in tables],
        "seconds": seconds,
        "settings": {"checker": name},
    }


def test_each_plot_is_an_image_and_has_a_name_of_its_own() -> None:
    drawn = plots({"x": file(), "y": file()})
    assert [plot.name for plot in drawn] == [
        *(
            f"{of}-{what}"
            for of in "xy"
            for what in ("s-roc", "s-reliability", "s-scores", "gain-by-set", "gain-by-length")
        ),
        "cost",
    ]
    for plot in drawn:
        image = Image.open(io.BytesIO(plot.png)).convert("L")
        darkest, lightest = image.getextrema()
        assert darkest < 100 < 250 < lightest
        assert min(image.size) > 250
        assert ElementTree.fromstring(plot.svg).tag.endswith("svg")  # noqa: S314 - our own


def test_the_same_content_gives_the_same_bytes_whatever_the_users_style() -> None:
    first = plots({"x": file()})
    with matplotlib.rc_context({"lines.linewidth": 9, "svg.hashsalt": "other", "font.size": 30}):
        assert plots({"x": file()}) == first
        assert matplotlib.rcParams["font.size"] == 30
    assert not any(b"20\\d\\d-\\d\\d" in plot.svg for plot in first)


def test_the_point_of_the_threshold_has_the_rates_of_the_verdicts() -> None:
    """1 of the 4 consistent items and 2 of the 3 inconsistent ones are flagged."""
    items = file()["items"]
    assert threshold_point(items) == (0.25, 2 / 3)
    figure = drawn_figure(plotting._roc, routes={"r": items})
    lines = [line for line in figure.axes[0].get_lines() if line.get_marker() == "o"]
    assert [(*line.get_xdata(), *line.get_ydata()) for line in lines] == [(0.25, 2 / 3)]
    curve = next(line for line in figure.axes[0].get_lines() if line.get_label().startswith("r, AUC"))
    assert (0.25, 2 / 3) in set(zip(curve.get_xdata(), curve.get_ydata(), strict=True))
    assert threshold_point([item for item in items if item["label"]]) is None


def test_the_cost_is_seconds_by_item() -> None:
    (sketch,) = plotting._costs({"x": file()})
    assert sketch.draw.keywords["points"] == [("s", "r", 0.5, pytest.approx((0.75 + 2 / 3) / 2))]


def drawn_figure(draw: Any, **values: Any) -> Any:
    from matplotlib.figure import Figure

    figure = Figure()
    draw(figure, **values)
    return figure


def test_a_file_with_nothing_to_plot_has_no_plots() -> None:
    assert plots({"x": file() | {"items": [{"id": "a", "error": "x"}, {"label": "no"}], "tables": []}}) == []


def test_items_of_one_label_have_no_curve_and_no_error() -> None:
    one = file()
    one["items"] = [item for item in one["items"] if item["label"]]
    assert "x-s-roc" in [plot.name for plot in plots({"x": one})]


def test_hostile_names_are_drawn_and_name_no_other_file() -> None:
    one = file()
    one["items"] = [item | {"set": text, "route": text} for text in HOSTILE for item in one["items"]]
    drawn = plots({f"../{HOSTILE[0]}": one})
    assert len({plot.name for plot in drawn}) == len(drawn) == 3 * len(HOSTILE) + 2
    for plot in drawn:
        assert re.fullmatch("[a-z0-9-]+", plot.name)
        root = ElementTree.fromstring(plot.svg)  # noqa: S314 - our own
        assert not {element.tag.rpartition("}")[2] for element in root.iter()} & {"script", "image", "a", "text"}


def test_without_matplotlib_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPartError, match="matplotlib is not installed") as caught:
        plots({"x": file()})
    assert caught.value.hint == "pip install 'graph_eval[bench]'"
    page = summary_page([file()])
    assert "pip install &#39;graph_eval[bench]&#39;" in page
    assert "<figure>" not in page


class Page(HTMLParser):
    """The tags of a page, the texts between them, and the texts of styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.cells: list[str] = []
        self.styles: list[str] = []
        self.policy = ""
        self.open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.append(tag)
        self.attributes |= values.keys()
        self.links += [values[name] or "" for name in ("src", "href") if name in values]
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        self.open = tag
        if tag in ("td", "th", "h2", "h3"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.open == "style":
            self.styles.append(data)
        elif self.open in ("td", "th", "h2", "h3"):
            self.cells[-1] += data

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self.open = ""


def everywhere(text: str) -> dict[str, Any]:
    """A file with this text in every field."""
    made = file(text, text)
    made |= {name: {text: text, "list": [text]} for name in ("settings", "versions", "machine", "data", "fingerprints")}
    made |= {"benchmark": text, "title": text, "plans": {text: {"settings": {text: text}}}, text: text}
    made["tables"] = [
        {"name": text, "title": text, "rows": [{text: text, "b": GAIN}], "columns": None, "signed": [text]}
        | {"across": across, "note": text}
        for across in (False, True)
    ] + made["tables"]
    return made


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_in_the_page_are_inert(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotting, "_drawn", lambda sketch, name: Plot(name, sketch.title, b"", b"<svg/>"))
    path = tmp_path / "x.json"
    path.write_text(json.dumps(everywhere(text)), "utf8")
    harmless = Page(summary_page([record.read(path) | everywhere("harmless")]))
    page = Page(summary_page([record.read(path)]))
    assert page.tags == harmless.tags
    assert page.attributes == harmless.attributes
    assert page.styles == harmless.styles
    assert not {"script", "iframe", "object", "base", "form"} & set(page.tags)
    assert all(link.startswith(("data:", "#")) for link in page.links)
    assert "49" not in "".join(page.cells)
    assert any(" ".join(text.replace("\0", "").split())[:6] in cell for cell in page.cells)


def test_the_policy_of_the_page_allows_its_own_style_and_images_alone() -> None:
    from graph_eval.assets import source_hash

    page = Page(summary_page([file()]))
    assert page.policy.split("; ") == [
        "default-src 'none'",
        f"style-src {source_hash(page.styles[0])}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert "style" not in page.attributes


def test_the_page_has_the_tables_the_plots_and_what_they_were_measured_with() -> None:
    text = summary_page([file("my set"), file("other set") | {"benchmark": "flags", "machine": {"cores": 2}}])
    page = Page(text)
    assert page.tags.count("figure") == 11
    assert page.tags.count("table") == 6  # two tables a file, and one of its settings
    assert "+0.100 [-0.100, +0.300]" not in page.cells  # the column is not named as signed
    assert page.cells.count("0.100 [-0.100, 0.300]") == 4
    assert "cores" in text
    assert text == summary_page([file("my set"), file("other set") | {"benchmark": "flags", "machine": {"cores": 2}}])


def test_failed_items_are_counted() -> None:
    one = file()
    one["items"].append({"set": "s", "route": "r", "n": 9, "error": "x"})
    assert "1 of 8 items failed" in summary_page([one])
    assert "failed" not in summary_page([file()])
