"""Help of commands with many options: sections, each option once."""

import re
from importlib import import_module

import click
import pytest

from graph_eval.cli.options import SECTIONS, SectionedCommand

SECTIONED = ("check", "extract", "ground", "correct", "selfcheck", "calibrate")


def help_of(name: str) -> tuple[click.Command, str]:
    command = import_module(f"graph_eval.cli.{name}").command
    return command, command.get_help(click.Context(command, info_name=name))


def sections(text: str) -> dict[str, list[str]]:
    """The options of each section of a help text, in order."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in text.splitlines():
        if line.endswith(":") and line[:-1] in SECTIONS:
            title = line[:-1]
            found[title] = []
        elif title and (option := re.match(r"  (?:-\w, )?(--[a-z-]+)", line)):
            found[title].append(option[1])
    return found


@pytest.mark.parametrize("name", SECTIONED)
def test_every_option_stands_in_one_section(name: str) -> None:
    command, text = help_of(name)
    listed = [option for own in sections(text).values() for option in own]
    wanted = {
        max(parameter.opts, key=len)
        for parameter in command.get_params(click.Context(command))
        if isinstance(parameter, click.Option)
    }
    assert isinstance(command, SectionedCommand)
    assert sorted(listed) == sorted(wanted)


def test_sections_come_in_their_order_and_hold_what_they_name() -> None:
    found = sections(help_of("check")[1])
    assert list(found) == [title for title in SECTIONS if title in found]
    assert {"--checker", "--threshold", "--extractor"} <= set(found["Claims and verdicts"])
    assert {"--format", "--report", "--fail-on", "--output"} <= set(found["Results"])
    assert {"--temperature", "--api-base", "--check-mode"} <= set(found["Language models"])
    assert found["Search for passages"][0] == "--ground"
    assert set(found["Run"]) == {"--chunk", "--threads", "--allow-errors", "--debug", "--help"}


def test_a_command_with_few_options_has_one_list() -> None:
    text = help_of("viz")[1]
    assert "Options:" in text
    assert not sections(text)
