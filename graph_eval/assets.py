"""Templates, styles and scripts of the HTML pages, and pages without scripts.

Every page is one file that sends no request. Its content security policy allows its own styles and scripts by their
hashes and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from graph_eval.resources import folder
from graph_eval.version import __version__

if TYPE_CHECKING:
    from jinja2 import Template

FOLDER = "reports/assets"


def asset(name: str) -> str:
    """The text of a file in the folder `assets`."""
    return (folder(FOLDER) / name).read_text("utf-8")


def source_hash(text: str) -> str:
    """The hash by which the content security policy allows a script or a style."""
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def template(name: str) -> Template:
    """A template of the folder `assets`. It escapes every value, unless the template calls it safe."""
    from jinja2 import Environment, FileSystemLoader

    return Environment(loader=FileSystemLoader(folder(FOLDER)), autoescape=True).get_template(name)


def still_page(view: str, **values: Any) -> str:
    """The page of <view>.html (based on still.html: no scripts) with the style <view>.css.

    `values`: of the template. All need `title` and `about`: texts of the header by name. Texts are untrusted.
    """
    style = asset("common.css") + asset(f"{view}.css")
    return template(f"{view}.html").render(values, version=__version__, style=style, style_hash=source_hash(style))
