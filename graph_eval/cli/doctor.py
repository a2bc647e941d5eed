"""graph-eval doctor: what is installed, and whether a check with the current settings works."""

from __future__ import annotations

import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version

import click

from graph_eval.errors import GraphEvalError
from graph_eval.version import __version__

NEEDED = (
    "spacy",
    "onnxruntime",
    "tokenizers",
    "numpy",
    "neo4j",
    "networkx",
    "pyvis",
    "pydantic",
    "jinja2",
    "click",
    "rich",
)
OPTIONAL = {
    "litellm": "llm",
    "torch": "hf",
    "transformers": "hf",
    "bm25s": "retrieval",
    "pypdf": "retrieval",
    "sentence-transformers": "dense",
}
TRUTH = "The tower was opened in 1889."
LIE = "The tower was opened in 1899."


@click.command("doctor", short_help="Show installed packages and check two test claims.")
def command() -> int:
    """Show what is installed, and check one true and one false claim with the current settings."""
    click.echo(
        f"graph_eval {__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    )
    missing = [name for name in NEEDED if not _line(name)]
    for name, extra in OPTIONAL.items():
        _line(name, f"optional: pip install 'graph_eval[{extra}]'")
    if missing:
        click.echo(f"missing packages: pip install {' '.join(missing)}")
        return 3
    try:
        return _try_out()
    except GraphEvalError as problem:
        click.echo(f"the check with the current settings failed: {problem}")
        return problem.exit_code


def _line(package: str, otherwise: str = "MISSING") -> bool:
    try:
        click.echo(f"  {package:<21} {version(package)}")
    except PackageNotFoundError:
        click.echo(f"  {package:<21} {otherwise}")
        return False
    return True


def _try_out() -> int:
    """Checks a true and a false sentence with the parts that the settings name."""
    from graph_eval.pipeline import GraphEval

    began = time.perf_counter()
    ge = GraphEval()
    true, false = ge.pipe({"response": text, "context": TRUTH} for text in (TRUTH, LIE))
    seconds = time.perf_counter() - began
    works = not true.inconsistent and false.inconsistent and not (true.error or false.error)
    parts = f"extractor {ge.settings.extractor}, checker {ge.settings.checker}"
    click.echo(f"{parts}: {'works' if works else 'FAILED'} ({seconds:.1f} s, including loading)")
    return 0 if works else 3
