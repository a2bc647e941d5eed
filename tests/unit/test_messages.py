"""Messages on standard error: untrusted text does not act on a terminal, and a full disk is no internal error."""

import errno

import pytest

from graph_eval.cli.main import main
from graph_eval.cli.messages import tell, visible, visible_lines


def test_escape_codes_are_shown_and_do_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    tell("first \x1b]0;x\x07\n  second\u202e", "a \u009b2J hint")
    shown = "graph-eval: first \\x1b]0;x\\x07\n  second\\u202e\n  a \\x9b2J hint\n"
    assert capsys.readouterr().err == shown


def test_lines_keep_their_blanks_unless_the_text_becomes_one_line() -> None:
    assert visible_lines("a  b\n\tc\r") == "a  b\n        c\\r"
    assert visible("a  b\n\tc\r") == "a b c"


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "free some space, then run the same command again"),
        (errno.EDQUOT, "free some space, then run the same command again"),
        (errno.EFBIG, "raise the limit for the size of a file, or choose another disk"),
    ],
)
def test_a_full_disk_is_named_with_the_way_out(
    number: int, hint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: object) -> int:
        raise OSError(number, "it is full", "RUN/results.jsonl")

    monkeypatch.setattr("graph_eval.cli.main._main", full)
    assert main(["doctor"]) == 3
    told = f"graph-eval: RUN/results.jsonl: it is full\n  {hint}\n"
    assert capsys.readouterr().err == told


def test_another_error_of_the_system_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> int:
        raise OSError(errno.EIO, "broken \x1b[2J")

    monkeypatch.setattr("graph_eval.cli.main._main", broken)
    assert main(["doctor"]) == 3
    told = capsys.readouterr().err
    assert told.startswith("graph-eval: internal error: OSError: [Errno 5] broken \\x1b[2J (")
    assert told.endswith("\n  run the command again with --debug, and report what it prints\n")
