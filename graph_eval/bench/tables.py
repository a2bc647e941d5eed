"""Tables of a benchmark as text: one way to write a figure, for the terminal, for Markdown and for pages."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

Cells = list[str]
SPECIAL = re.compile(r"[\\`*_|]|(?<=\])\(")  # characters with a meaning in a cell of Markdown


def grid(table: Mapping[str, Any]) -> tuple[Cells, list[Cells]]:
    """The heading and the lines of a table (`benchmark.Table` as a dictionary), as text."""
    rows, columns = table["rows"], columns_of(table)
    signed = frozenset(table["signed"])
    lines = [[text(row.get(name), name in signed) for name in columns] for row in rows]
    headings = [name.replace("_", " ") for name in columns]
    if not table["across"]:
        return headings, lines
    turned = [[headings[place], *(line[place] for line in lines)] for place in range(1, len(columns))]
    return ["", *(line[0] for line in lines)], turned


def columns_of(table: Mapping[str, Any]) -> list[str]:
    """The fields of the rows that are printed."""
    return list(table["columns"] or dict.fromkeys(name for row in table["rows"] for name in row))


def text(cell: object, signed: bool = False) -> str:
    """A cell as text: a figure with its interval, a fraction with three digits, an empty text for None."""
    if cell is None:
        return ""
    form = "+.3f" if signed else ".3f"
    if isinstance(cell, Mapping):
        if cell["value"] is None:
            return ""
        if cell["low"] is None:
            return f"{cell['value']:{form}}"
        return f"{cell['value']:{form}} [{cell['low']:{form}}, {cell['high']:{form}}]"
    if isinstance(cell, float):
        return f"{cell:{form}}" if abs(cell) < 10 else f"{cell:,.1f}"
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:+,}" if signed else f"{cell:,}"
    return str(cell)


def body(table: Mapping[str, Any]) -> str:
    """The table in Markdown, with its note behind."""
    headings, lines = grid(table)

    def row(cells: Cells) -> str:
        return "| " + " | ".join(escaped(cell) for cell in cells) + " |"

    marks = "|" + "|".join("---" if place == 0 else "---:" for place in range(len(headings))) + "|"
    text = "\n".join((row(headings), marks, *map(row, lines)))
    return f"{text}\n\n{table['note']}" if table["note"] else text


def escaped(cell: str) -> str:
    """Text for a cell of Markdown: no marks, no HTML, one line."""
    return " ".join(SPECIAL.sub(r"\\\g<0>", html.escape(cell, quote=False)).split())


def markdown(table: Mapping[str, Any]) -> str:
    """The table in Markdown, with its title in front and its note behind."""
    return f"**{table['title']}**\n\n{body(table)}"
