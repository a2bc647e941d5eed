"""Prompts: one Jinja template for each task, whose blocks become messages.

The block `system` is the same for all requests of a task. `shared` holds the texts that many requests have, such as the
passages. `user` holds what this request asks about them. `shared` and `user` are one message of the user, so that
requests about the same texts begin alike and providers can reuse what they computed for the beginning.

Untrusted texts go into a prompt only through `fence`, which puts them between two lines with a marker that no text of
the prompt contains: a hash of the text itself. The same values give the same prompt, and therefore the same key in the
cache.
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
BLOCKS = ("system", "shared", "user")
FIELDS = ("task", "version", "source", "variables", "answer")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a prompt file."""

    task: str
    version: str
    source: str
    variables: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file. `fingerprint`: a hash of its bytes."""

    path: Path
    header: Header
    fingerprint: str
    _template: Template

    def messages(self, **values: Any) -> tuple[Message, ...]:
        """The messages for these values. Raises SettingsError if the template fails on them."""
        from jinja2 import TemplateError

        context = self._template.new_context({**values, "fence": Fence(self.fingerprint, values)})
        try:
            system, shared, user = (
                "".join(block(context)).strip() if (block := self._template.blocks.get(name)) else "" for name in BLOCKS
            )
        except TemplateError as problem:
            raise SettingsError(f"{self.path}: {problem}", "correct that prompt, or omit --prompts") from problem
        shared = f"{shared}\n\n" if shared else ""
        messages = (Message("system", system), Message("user", shared + user, len(shared)))
        return tuple(message for message in messages if message.content)


class Fence:
    """Puts a text between two marker lines. The marker occurs in none of the `values`.

    It depends on the text alone, so that prompts with the same texts at their beginning begin alike.
    """

    def __init__(self, seed: str, values: Mapping[str, Any]) -> None:
        self._seed = seed
        self._values = repr(values)

    def __call__(self, name: str, text: str) -> str:
        marker = content_hash(self._seed, name, text)
        while marker in self._values:
            marker = content_hash(marker)
        return f"<<<{name} {marker}>>>\n{text}\n<<<end of {name} {marker}>>>"


def prompt(task: str, directory: str | None = None) -> Prompt:
    """The prompt of a task: from `directory` if it has a file of that name, else from the package.

    Raises SettingsError if the directory does not exist or the file is not a valid prompt.
    """
    name = f"{task}.jinja"
    if directory is not None and not Path(directory).is_dir():
        raise SettingsError(
            f"the prompt directory {directory} does not exist", "pass an existing directory to --prompts, or omit it"
        )
    path = folder("prompts") / name
    if directory is not None and (Path(directory) / name).is_file():
        path = Path(directory) / name
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise SettingsError(f"{path} cannot be read: {problem}", "save it as text in UTF-8") from problem
    return _compiled(path, text)


@lru_cache(maxsize=64)
def _compiled(path: Path, text: str) -> Prompt:
    from jinja2 import StrictUndefined, TemplateSyntaxError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    metadata = header(path, text)
    # Without autoescape: prompts are plain text, no browser shows them.
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    try:
        template = environment.from_string(text)
    except TemplateSyntaxError as problem:
        raise SettingsError(f"{path}, line {problem.lineno}: {problem.message}", "correct that prompt") from problem
    if "user" not in template.blocks:
        raise SettingsError(f"{path}: missing block user", "add {% block user %} ... {% endblock %}")
    fingerprint = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return Prompt(path, metadata, fingerprint, template)


def header(path: Path, text: str) -> Header:
    """The header: the comment at the start of a prompt. Raises SettingsError if a field is missing."""
    comment = HEADER.match(text)
    lines = [line.strip() for line in (comment[1] if comment else "").strip().splitlines()]
    values: dict[str, str] = {}
    name = ""
    for line in lines:
        key, colon, value = line.partition(":")
        if colon and key in FIELDS:
            name = key
            values[name] = value.strip()
        elif name:
            values[name] += " " + line
    if missing := [name for name in FIELDS if not values.get(name)]:
        raise SettingsError(
            f"{path}: the header has no {', '.join(missing)}",
            f"start the file with {{# {': ... '.join(FIELDS)}: ... #}}",
        )
    return Header(
        values["task"],
        values["version"],
        values["source"],
        tuple(part.strip() for part in values["variables"].split(",")),
        values["answer"],
    )
