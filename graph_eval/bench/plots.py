"""Plots of benchmark files, by matplotlib: each as PNG and as SVG.

They are made of a file's `items` (label, p_inconsistent, inconsistent), `tables` (gain) and `seconds`. The same content
gives the same bytes with the same version of matplotlib. Texts of a file are drawn as they are: never as mathematics,
and in an SVG as outlines.
"""

from __future__ import annotations

import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graph_eval.bench.benchmark import Row
from graph_eval.bench.items import by_place, decided, number, scored
from graph_eval.bench.record import named
from graph_eval.bench.sets import title_of
from graph_eval.errors import MissingPartError
from graph_eval.metrics import Array, auc, balanced_accuracy, calibration_error, reliability, roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "graph_eval",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "figure.constrained_layout.use": True,
}
COLOURS = ("#1f5fbf", "#b3123f", "#0b6b54", "#8a5200", "#6b3fa0", "#5a6475")
MARKERS = "osD^vPX*"
RIGHT, WRONG = "#0b6b54", "#b3123f"  # consistent and inconsistent by their label
BINS = 20  # of a histogram
MOST = 12  # routes in one plot
LONGEST = 40  # characters of a name
DOTS = 120  # of a PNG, per inch
BASE = "response"  # the route over which a gain is measured
WORDS = re.compile(r"(\d{1,9}) to (\d{1,9})")  # of a quarter of the responses


@dataclass(frozen=True)
class Plot:
    """A plot. `name`: of its file, of [a-z0-9-] alone. `title`: what it shows, as plain text."""

    name: str
    title: str
    png: bytes
    svg: bytes


@dataclass(frozen=True)
class _Sketch:
    name: str
    title: str
    draw: Callable[[Figure], None]
    size: tuple[float, float] = (5.2, 4.2)  # inches


def require_matplotlib() -> None:
    """Raises MissingPartError without matplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[bench]'") from problem


def plots(files: Mapping[str, Mapping[str, Any]], own: bool = True, costs: bool = True) -> list[Plot]:
    """The plots of benchmark files (see `record.read`), by name: those of each file (`own`), then the plot of cost
    against accuracy of all of them (`costs`).

    A file without labelled items, gains or seconds has none of the plots that need them. Raises MissingPartError
    without matplotlib.
    """
    require_matplotlib()
    sketches = [sketch for name, file in files.items() for sketch in _of_file(name, file)] if own else []
    sketches += _costs(files) if costs else ()
    with _style():
        return [_drawn(sketch, name) for name, sketch in named((_slug(one.name), one) for one in sketches).items()]


def _of_file(name: str, file: Mapping[str, Any]) -> Iterator[_Sketch]:
    by_set: dict[str, dict[str, list[Row]]] = {}
    for (set_, route), items in by_place(file["items"]).items():
        routes = by_set.setdefault(set_, {})
        if len(scored(items)[0]) and len(routes) < MOST:
            routes[route] = items
    for set_, routes in by_set.items():
        if not routes:
            continue
        title = _text(title_of(set_))
        start = f"{name}-{set_}"
        yield _Sketch(f"{start}-roc", f"ROC, {title}", partial(_roc, routes=routes))
        yield _Sketch(f"{start}-reliability", f"Reliability, {title}", partial(_reliability, routes=routes))
        size = (5.2, 0.8 + 1.5 * len(routes))
        yield _Sketch(f"{start}-scores", f"Scores by label, {title}", partial(_histograms, routes=routes), size)
    tables = {table["name"]: table["rows"] for table in file["tables"]}
    if gains := [row for row in tables.get("table2", ()) if _interval(row.get("gain"))]:
        yield _Sketch(f"{name}-gain-by-set", "Gain over whole responses by set", partial(_gains, rows=gains))
    lengths = [row for row in tables.get("by_length", ()) if _interval(row.get("gain")) and _middle(row) is not None]
    if lengths:
        yield _Sketch(f"{name}-gain-by-length", "Gain by the length of the response", partial(_lengths, rows=lengths))


def _costs(files: Mapping[str, Mapping[str, Any]]) -> Iterator[_Sketch]:
    points = [
        (set_, route if len(files) == 1 else f"{name}, {route}", seconds / len(items), float(accuracy))
        for name, file in files.items()
        for (set_, route), items in by_place(file["items"]).items()
        if (seconds := number(file["seconds"].get(f"{set_}, {route}"))) is not None
        and seconds > 0
        and (accuracy := _accuracy(items)) is not None
    ]
    if points:
        yield _Sketch("cost", "Seconds a response and balanced accuracy", partial(_cost, points=points), (6.8, 4.2))


def _accuracy(items: Sequence[Row]) -> float | None:
    labels, verdicts = decided(items)
    value = balanced_accuracy(labels, verdicts, np.ones((1, len(labels)))).values[0]
    return None if np.isnan(value) else float(value)


def threshold_point(items: Sequence[Row]) -> tuple[float, float] | None:
    """The shares of consistent and of inconsistent items that are flagged. None without one of these."""
    labels, verdicts = decided(items)
    if not 0 < labels.sum() < len(labels):
        return None
    return float(verdicts[labels == 0].mean()), float(verdicts[labels == 1].mean())


def _roc(figure: Figure, routes: Mapping[str, Sequence[Row]]) -> None:
    axes = _square(figure, "share of consistent items that are flagged", "share of inconsistent items that are flagged")
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
    for place, (route, items) in enumerate(routes.items()):
        labels, scores = scored(items)
        if not 0 < labels.sum() < len(labels):
            continue
        curve = roc(labels, scores)
        area = auc(labels, scores, np.ones((1, len(labels)))).values[0]
        name = f"{_text(route) or 'items'}, AUC {area:.3f}"
        axes.plot(curve.false_rates, curve.true_rates, color=_colour(place), linewidth=1.3, label=name)
        if point := threshold_point(items):
            axes.plot(*point, color=_colour(place), marker="o", linestyle="none", markeredgecolor="white")
    _legend(axes, "point: at the threshold")


def _reliability(figure: Figure, routes: Mapping[str, Sequence[Row]]) -> None:
    axes = _square(figure, "mean p(inconsistent)", "share that is inconsistent")
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
    for place, (route, items) in enumerate(routes.items()):
        labels, scores = scored(items)
        bins = reliability(labels, scores)
        name = f"{_text(route) or 'items'}, calibration error {calibration_error(labels, scores):.3f}"
        means, shares = [one.probability for one in bins], [one.share for one in bins]
        axes.plot(means, shares, color=_colour(place), linewidth=1.1, marker="o", markersize=3.5, label=name)
    _legend(axes)


def _histograms(figure: Figure, routes: Mapping[str, Sequence[Row]]) -> None:
    grid = figure.subplots(len(routes), 1, sharex=True, squeeze=False)
    edges = np.linspace(0, 1, BINS + 1)
    for axes, (route, items) in zip(grid[:, 0], routes.items(), strict=True):
        labels, scores = scored(items)
        parts = [scores[labels == label] for label in (0, 1)]
        names = [f"consistent ({len(parts[0]):,})", f"inconsistent ({len(parts[1]):,})"]
        shares = [np.full(len(part), 1 / max(1, len(part))) for part in parts]
        axes.hist(parts, bins=edges, weights=shares, color=[RIGHT, WRONG], label=names)
        axes.set_title(_text(route) or "items", loc="left", fontsize=9)
        axes.set_ylabel("share")
        axes.set_xlim(0, 1)
        _legend(axes)
    grid[-1, 0].set_xlabel("p(inconsistent)")


def _gains(figure: Figure, rows: Sequence[Row]) -> None:
    axes = figure.subplots()
    sets = list(dict.fromkeys(_set_of(row) for row in rows))
    routes = list(dict.fromkeys(str(row.get("route", "")) for row in rows))
    width = 0.8 / len(routes)
    for place, route in enumerate(routes):
        own = [row for row in rows if str(row.get("route", "")) == route]
        at = np.array([sets.index(_set_of(row)) for row in own]) + (place - (len(routes) - 1) / 2) * width
        values, ends = _values(own)
        style: dict[str, Any] = {
            "color": _colour(place),
            "linestyle": "none",
            "marker": _marker(place),
            "markersize": 4,
        }
        axes.errorbar(at, values, ends, label=_text(route), capsize=2, **style)
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set_xticks(range(len(sets)), [_text(name) for name in sets])
    axes.set_ylabel("gain in balanced accuracy, 95% interval")
    _legend(axes)


def _lengths(figure: Figure, rows: Sequence[Row]) -> None:
    axes = figure.subplots()
    for place, name in enumerate(dict.fromkeys(_set_of(row) for row in rows)):
        own = [row for row in rows if _set_of(row) == name]
        values, ends = _values(own)
        style: dict[str, Any] = {"color": _colour(place), "marker": _marker(place), "markersize": 4, "linewidth": 1}
        axes.errorbar([_middle(row) or 0.0 for row in own], values, ends, label=_text(name), capsize=2, **style)
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set_xlabel("words of the response (middle of each quarter)")
    axes.set_ylabel("gain in balanced accuracy, 95% interval")
    _legend(axes)


def _cost(figure: Figure, points: Sequence[tuple[str, str, float, float]]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes = figure.subplots()
    sets = list(dict.fromkeys(point[0] for point in points))
    routes = list(dict.fromkeys(point[1] for point in points))
    for set_, route, seconds, accuracy in points:
        style: dict[str, Any] = {
            "color": _colour(routes.index(route)),
            "marker": _marker(sets.index(set_)),
            "linestyle": "none",
        }
        axes.plot([seconds], [accuracy], label=f"{_text(title_of(set_))}: {_text(route)}", **style)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: f"{seconds:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("seconds a response")
    axes.set_ylabel("balanced accuracy")
    _legend(axes, outside=True)


def _square(figure: Figure, across: str, up: str) -> Axes:
    axes = figure.subplots()
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xlabel=across, ylabel=up, aspect="equal")
    return axes


def _legend(axes: Axes, title: str | None = None, outside: bool = False) -> None:
    handles, names = axes.get_legend_handles_labels()
    if handles:
        place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1, 0.5)} if outside else {"loc": "best"}
        axes.legend(handles, names, title=title, fontsize=7.5, title_fontsize=7.5, frameon=False, **place)


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def _interval(cell: object) -> bool:
    """Whether a cell is a figure with an interval of finite numbers."""
    return isinstance(cell, Mapping) and all(number(cell.get(name)) is not None for name in ("value", "low", "high"))


def _values(rows: Sequence[Row]) -> tuple[Array, Array]:
    """The gains of the rows, and the distances to the ends of their intervals: (2, rows)."""
    value, low, high = (np.array([float(row["gain"][name]) for row in rows]) for name in ("value", "low", "high"))
    return value, np.clip([value - low, high - value], 0, None)


def _set_of(row: Row) -> str:
    return str(row.get("title") or row.get("set") or "")


def _middle(row: Row) -> float | None:
    """The middle of a row's range of words."""
    found = WORDS.fullmatch(str(row.get("words")))
    return None if found is None else (int(found[1]) + int(found[2])) / 2


def _text(value: str) -> str:
    """A name of a file's as a label: one line of printable characters, shortened. matplotlib gives a leading underscore
    another meaning, so there is none."""
    shown = "".join(c for c in " ".join(value.split()) if unicodedata.category(c)[0] != "C").lstrip("_ ")
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _slug(name: str) -> str:
    """A name for a file on any system: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[-80:].strip("-") or "plot"


@contextmanager
def _style() -> Iterator[None]:
    """The style of the plots, whatever the user's matplotlibrc says. A character that the font lacks is no warning."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        yield


def _drawn(sketch: _Sketch, name: str) -> Plot:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=sketch.size, dpi=DOTS)
    FigureCanvasAgg(figure)
    sketch.draw(figure)
    figure.suptitle(sketch.title, fontsize=10)
    png, svg = io.BytesIO(), io.BytesIO()
    figure.savefig(png, format="png", metadata={"Software": None})
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    return Plot(name, sketch.title, png.getvalue(), svg.getvalue())
