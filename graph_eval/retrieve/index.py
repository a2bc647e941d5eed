"""An index folder: what a retriever made of a corpus, and the corpus itself, kept until a file of the corpus changes.

The folder has the file index.json and one folder of content that this file names. New content is written beside the old
and index.json is then replaced, so a process that is killed at any time leaves the old index, or none.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from graph_eval.errors import GraphEvalError, GraphEvalWarning, UsageError
from graph_eval.retrieve.corpus import VERSION, Corpus, Problem, files_of, read

Content = TypeVar("Content")
META = "index.json"
PASSAGES = "passages.rows"  # not .jsonl: an index inside of its corpus must not become a part of it
CONTENT = "content-"  # begins the names of the folders of content
LEFT_BEHIND = 86_400  # seconds after which content that index.json does not name is removed
SHOWN = 3  # problems of the corpus that the warning names


class Kind(NamedTuple):
    """How a retriever makes, keeps and loads its content. `version`: another one makes the content again."""

    version: str
    make: Callable[[Corpus], Any]
    save: Callable[[Any, Path], None]
    load: Callable[[Path], Any]


def opened(source: Path, folder: Path | None, kind: Kind) -> tuple[Corpus, Any]:
    """The corpus and the retriever's content of it. `folder`: the index folder; None: all is made in memory.

    Warns of what could not be read, and that an index is made again. Raises InputError for a corpus without a file that
    can be read, and UsageError for a folder that is no index or that cannot be written, also for a full disk.
    """
    files, left_out = files_of(source)
    about = {"version": f"{VERSION}:{kind.version}", "files": [file.state for file in files]}
    previous = None if folder is None else _previous(folder)
    if folder is not None and previous is not None:
        found = _current(folder, previous, about, kind)
        if not isinstance(found, str):
            _warn([*left_out, *found[0].problems])
            return found
        warnings.warn(f"{found}: making it again", GraphEvalWarning, stacklevel=2)
    corpus = read(files)
    _warn([*left_out, *corpus.problems])
    content = kind.make(corpus)
    if folder is not None:
        try:
            _save(folder, corpus, lambda place: kind.save(content, place), about, previous)
        except OSError as problem:
            hint = "pass another folder, or none: then the index is made in memory"
            raise UsageError(f"{folder} cannot be written: {problem.strerror or problem}", hint) from None
    return corpus, content


def _previous(folder: Path) -> dict[str, Any] | None:
    """What index.json says. None if the folder is new or empty, or was left before its first index was complete."""
    try:
        if not (folder / META).exists() and all(place.name.startswith(CONTENT) for place in folder.iterdir()):
            return None
        meta = json.loads((folder / META).read_text("utf-8"))
        if meta["folder"].startswith(CONTENT) and meta["folder"] == Path(meta["folder"]).name and meta["version"]:
            return dict(meta)
    except FileNotFoundError:
        if not folder.exists():
            return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass
    raise UsageError(f"{folder} is not an index", "pass another folder, or an empty one")


def _current(folder: Path, meta: dict[str, Any], about: dict[str, Any], kind: Kind) -> tuple[Corpus, Any] | str:
    """The corpus and the content that index.json names, or why they cannot be used."""
    while True:
        if meta.get("version") != about["version"]:
            return f"{folder} was made by another retriever or another version"
        if meta.get("files") != about["files"]:
            return f"the corpus has changed since {folder} was made"
        if found := _loaded(folder, meta, kind):
            return found
        latest = _previous(folder)
        if latest is None or latest == meta:
            return f"{folder} is damaged"
        meta = latest  # another process has replaced it in the meantime, and removed what it named before


def _loaded(folder: Path, meta: dict[str, Any], kind: Kind) -> tuple[Corpus, Any] | None:
    """None if the content is damaged."""
    place = folder / meta["folder"]
    try:
        if _sizes(place) != meta["sizes"]:
            return None
        with (place / PASSAGES).open(encoding="utf-8") as stream:
            corpus = Corpus.of_rows(
                map(json.loads, stream), [Problem(*item) for item in meta["problems"]], meta["digest"]
            )
        return corpus, kind.load(place)
    except GraphEvalError:
        raise
    except Exception:  # reading damaged content can raise anything
        return None


def _sizes(folder: Path) -> dict[str, int]:
    """The size of each file in bytes, by its name."""
    return {place.name: place.stat().st_size for place in sorted(folder.iterdir())}


def _save(
    folder: Path,
    corpus: Corpus,
    save: Callable[[Path], None],
    about: dict[str, Any],
    previous: dict[str, Any] | None,
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=CONTENT, dir=folder))
    try:
        save(made)
        with (made / PASSAGES).open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in corpus.rows())
        problems = [list(problem) for problem in corpus.problems]
        meta = {**about, "digest": corpus.digest, "problems": problems, "folder": made.name, "sizes": _sizes(made)}
        written = made / META
        written.write_text(json.dumps(meta), "utf-8")
        os.replace(written, folder / META)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    for other in folder.glob(f"{CONTENT}*"):
        replaced = previous is not None and other.name == previous["folder"]
        if other != made and (replaced or _age(other) > LEFT_BEHIND):
            shutil.rmtree(other, ignore_errors=True)


def _age(folder: Path) -> float:
    """Seconds since the folder changed, 0 if it is gone: another process removes what was left behind too."""
    try:
        return time.time() - folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _warn(problems: Sequence[Problem]) -> None:
    if problems:
        names = "; ".join(map(str, problems[:SHOWN])) + (" ..." if len(problems) > SHOWN else "")
        places = "place" if len(problems) == 1 else "places"
        told = f"the corpus could not be read in {len(problems)} {places}: {names}"
        warnings.warn(told, GraphEvalWarning, stacklevel=3)
