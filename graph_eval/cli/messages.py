"""Messages on standard error, and untrusted text for a terminal, where an escape code would act."""

from __future__ import annotations

import unicodedata

import click


def tell(message: str, hint: str | None = None) -> None:
    """Prints a message on standard error, and the way out below it."""
    click.echo(visible_lines(f"graph-eval: {message}"), err=True)
    if hint:
        click.echo(visible_lines(f"  {hint}"), err=True)


def visible(text: str) -> str:
    """The text on one line, with single blanks. Control, format and private characters are escaped (\\x..)."""
    return _escaped(" ".join(text.split()))


def visible_lines(text: str) -> str:
    """The text with its lines and blanks. Other control, format and private characters are escaped (\\x..)."""
    return "\n".join(_escaped(line.expandtabs()) for line in text.split("\n"))


def _escaped(text: str) -> str:
    shown = []
    for character in text:
        category = unicodedata.category(character)
        if category in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") and character != "\u200d":
            shown.append(character.encode("unicode_escape", "surrogatepass").decode("ascii"))
        else:
            shown.append(character)
    return "".join(shown)
