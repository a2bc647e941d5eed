"""A leaderboard as one HTML file without scripts, which sends no request. Names of models are untrusted texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_eval.assets import still_page
from graph_eval.reports.page import SHOWN

SEPARATOR = ": "  # between the heading of a group of columns and that of a column


def leaderboard_page(
    title: str, headings: Sequence[str], lines: Sequence[Sequence[str]], note: str, settings: Mapping[str, object]
) -> str:
    """The page. `headings`: "GROUP: COLUMN" for columns of a group. `lines`: a row for each model, the best first.
    `settings`: of the benchmark, for the header."""
    parts = [heading.rpartition(SEPARATOR) for heading in headings]
    groups: list[tuple[str, int]] = []
    for group, _, _ in parts:
        if groups and groups[-1][0] == group:
            groups[-1] = (group, groups[-1][1] + 1)
        else:
            groups.append((group, 1))
    return still_page(
        "leaderboard",
        title=title,
        about={name: settings[name] for name in SHOWN if settings.get(name) is not None},
        groups=groups,
        columns=[column for _, _, column in parts],
        lines=lines,
        note=note,
    )
