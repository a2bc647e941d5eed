"""Files that the user asks for: whole or not at all, private, and never through a planted link."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_eval.errors import UsageError
from graph_eval.llm.cache import AnswerCache
from graph_eval.llm.model import Completion
from graph_eval.output import SHARED, output_file, write_bytes, write_text


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    write_text(tmp_path / "r.html", "texts")
    assert mode(tmp_path / "r.html") == 0o600
    before = os.umask(0o022)
    write_text(tmp_path / "run.json", "{}", mode=SHARED)
    os.umask(before)
    assert mode(tmp_path / "run.json") == 0o644


def test_a_file_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert (path.read_text(), mode(path)) == ("new", 0o640)


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "r.html.tmp").symlink_to(victim)
    write_text(tmp_path / "r.html", "texts")
    assert victim.read_text() == "precious"
    assert (tmp_path / "r.html").read_text() == "texts"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "victim"]


def test_a_file_that_breaks_off_is_not_there(tmp_path: Path) -> None:
    def write() -> None:
        with output_file(tmp_path / "r.html") as stream:
            stream.write("half")
            raise KeyError

    with pytest.raises(KeyError):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for name in ("folder", "file/sub", "no/such"):
        with pytest.raises(UsageError, match="cannot be written"):
            write_text(tmp_path / name, "texts")


def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "texts")
        assert os.read(reader, 100) == b"texts"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_cached_answers_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "folder" / "answers.sqlite")
    cache.put("key", "model", Completion("text"))
    files = [tmp_path / "folder", *(tmp_path / "folder").iterdir()]
    assert len(files) > 1
    assert {mode(path) & 0o077 for path in files} == {0}


@pytest.mark.parametrize("write", [write_text, lambda path, text: write_bytes(path, text.encode())])
def test_an_open_file_by_its_name_is_written_behind_what_it_holds_and_stays(
    tmp_path: Path, write: Callable[[Path, str], None]
) -> None:
    """`report -o /dev/stdout > page.html`: the name must not become a file of its own."""
    target = tmp_path / "page.html"
    target.write_text("before ", "utf-8")
    with target.open("a", encoding="utf-8") as stream:
        name = Path("/dev/fd") / str(stream.fileno())
        write(name, "<p>é</p>")
        assert name.is_symlink()
    assert target.read_text("utf-8") == "before <p>é</p>"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
