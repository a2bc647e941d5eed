"""Prompts: one Jinja file a task, whose blocks `system` and `user` become messages.

Texts of others go into a prompt only through `fence`, which puts them between two lines with a marker that their
writer cannot know: it is a hash of everything that the prompt holds, so a text that names it would have to contain
its own hash. The same texts give the same prompt, and so the same key in the cache.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph_eval.errors import SettingsError
from graph_eval.llm.model import Message
from graph_eval.resources import folder
from graph_eval.types import content_hash

if TYPE_CHECKING:
    from jinja2 import Template

HEADER = re.compile(r"\s*\{#-?(.*?)-?#\}", re.DOTALL)
FIELDS = ("task", "version", "source", "variables", "answer")


@dataclass(frozen=True, slots=True)
class Header:
    """What a prompt file says of itself."""

    task: str
    version: str
    source: str
    variables: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file; `fingerprint` changes with any byte of it."""

    path: Path
    header: Header
    fingerprint: str
    _template: Template

    def messages(self, **values: Any) -> tuple[Message, ...]:
        """The messages for these values. Raises SettingsError where the file does not fit them."""
        from jinja2 import TemplateError

        fence = Fence(content_hash(self.fingerprint, sorted(values.items())), values)
        found = []
        try:
            for role in ("system", "user"):
                if role in self._template.blocks:
                    context = self._template.new_context({**values, "fence": fence})
                    text = "".join(self._template.blocks[role](context)).strip()
                    found.append(Message(role, text))
        except TemplateError as problem:
            raise SettingsError(f"{self.path}: {problem}", "mend that prompt, or leave --prompts out") from problem
        return tuple(found)


class Fence:
    """Puts a text between two lines that nothing inside it can imitate."""

    def __init__(self, seed: str, values: Mapping[str, Any]) -> None:
        marker = seed
        while marker in repr(values):
            marker = content_hash(marker)
        self.marker = marker

    def __call__(self, name: str, text: str) -> str:
        return f"<<<{name} {self.marker}>>>\n{text}\n<<<end of {name} {self.marker}>>>"


def prompt(task: str, own: str | None = None) -> Prompt:
    """The prompt of a task: from the folder `own` if it has that file, else from the package.

    Raises SettingsError for a folder or a file that is no such thing.
    """
    name = f"{task}.jinja"
    if own is not None and not Path(own).is_dir():
        raise SettingsError(f"the folder of prompts {own} does not exist", "leave --prompts out, or name a folder")
    path = Path(own) / name if own is not None and (Path(own) / name).is_file() else folder("prompts") / name
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise SettingsError(f"{path} cannot be read: {problem}", "a prompt is a text file in UTF-8") from problem
    return _compiled(path, text)


@lru_cache(maxsize=64)
def _compiled(path: Path, text: str) -> Prompt:
    from jinja2 import StrictUndefined, TemplateSyntaxError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # Prompts are plain text: nothing of them is ever shown by a browser.
    said = header(path, text)
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    try:
        template = environment.from_string(text)
    except TemplateSyntaxError as problem:
        raise SettingsError(f"{path}, line {problem.lineno}: {problem.message}", "mend that prompt") from problem
    if "user" not in template.blocks:
        raise SettingsError(f"{path} has no block user", "write {% block user %} ... {% endblock %}")
    fingerprint = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return Prompt(path, said, fingerprint, template)


def header(path: Path, text: str) -> Header:
    """The comment that a prompt begins with. Raises SettingsError where a field is missing."""
    found = HEADER.match(text)
    lines = [line.strip() for line in (found[1] if found else "").strip().splitlines()]
    values: dict[str, str] = {}
    name = ""
    for line in lines:
        first, colon, rest = line.partition(":")
        if colon and first in FIELDS:
            name = first
            values[name] = rest.strip()
        elif name:
            values[name] += " " + line
    if lacking := [name for name in FIELDS if not values.get(name)]:
        raise SettingsError(
            f"{path}: the header lacks {', '.join(lacking)}", f"begin with {{# {': ... '.join(FIELDS)}: ... #}}"
        )
    return Header(
        values["task"],
        values["version"],
        values["source"],
        tuple(part.strip() for part in values["variables"].split(",")),
        values["answer"],
    )
