"""graph-eval cache: the answers of language models on disk."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from graph_eval.cli.options import plural
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.llm.cache import AnswerCache

cache_option = click.option("--cache", metavar="FILE", help="Use this cache file instead of the default one.")


@click.group("cache", short_help="Show or clear the cache of language-model answers.")
def command() -> None:
    """Show or clear the cache of language-model answers. Cached answers are not requested again."""


@command.command("info", short_help="Show the path and the size of the cache.")
@cache_option
def info_command(cache: str | None) -> None:
    """Show the path, the size and the number of cached answers, in all and by model."""
    opened = _opened(cache)
    info = opened.info()
    size = f"{info.bytes / 1e6:.1f} of {opened.max_bytes / 1e6:.0f} MB"
    click.echo(f"{info.path}: {plural(info.answers, 'answer')}, {size}")
    if info.oldest is not None:
        since = datetime.fromtimestamp(info.oldest, UTC).date()
        click.echo(f"oldest answer: {since}; answers are kept for {opened.max_days} days")
    for model, count in info.models.items():
        click.echo(f"  {model}: {count}")


@command.command("clear")
@cache_option
def clear_command(cache: str | None) -> None:
    """Delete all cached answers."""
    opened = _opened(cache)
    click.echo(f"{opened.path}: {plural(opened.clear(), 'answer')} deleted")


def _opened(cache: str | None) -> AnswerCache:
    from graph_eval.llm.cache import AnswerCache, cache_path
    from graph_eval.settings import load

    path = cache_path(load({"cache": cache}).llm.cache)
    if path is None:
        raise UsageError("the cache is off", "pass its file: --cache FILE")
    return AnswerCache(path)
