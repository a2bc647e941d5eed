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

from graph_eval.errors import GraphEvalWarning, UsageError
from graph_eval.retrieve.corpus import VERSION, Corpus, Problem, files_of, read

Content = TypeVar("Content")
META, PASSAGES = "index.json", "passages.jsonl"
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
    can be read, and UsageError for a folder that is no index.
    """
    files, left_out = files_of(source)
    about = {"version": f"{VERSION}:{kind.version}", "files": [file.state for file in files]}
    previous = None if folder is None else _previous(folder)
    if folder is not None and previous is not None:
        if {name: previous.get(name) for name in about} == about and (kept := _loaded(folder, previous, kind)):
            _warn([*left_out, *kept[0].problems])
            return kept
        told = f"the corpus has changed since {folder} was made: making it again"
        warnings.warn(told, GraphEvalWarning, stacklevel=2)
    corpus = read(files)
    _warn([*left_out, *corpus.problems])
    content = kind.make(corpus)
    if folder is not None:
        _save(folder, corpus, lambda place: kind.save(content, place), about, previous)
    return corpus, content


def _previous(folder: Path) -> dict[str, Any] | None:
    """What index.json says. None if the folder is new or empty, or was left before its first index was complete."""
    if not folder.exists() or (not (folder / META).exists() and all(map(_is_content, folder.iterdir()))):
        return None
    try:
        meta = json.loads((folder / META).read_text("utf-8"))
        if isinstance(meta, dict) and _is_content(Path(meta["folder"])):
            return meta
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise UsageError(f"{folder} is not an index", "pass another folder, or an empty one")


def _is_content(path: Path) -> bool:
    return path.name.startswith("content-") and len(path.parts) in (1, len(path.absolute().parts))


def _loaded(folder: Path, meta: dict[str, Any], kind: Kind) -> tuple[Corpus, Any] | None:
    """None if the content is damaged: then it is made again."""
    place = folder / meta["folder"]
    try:
        with (place / PASSAGES).open(encoding="utf-8") as stream:
            corpus = Corpus.of_rows(
                map(json.loads, stream), [Problem(*item) for item in meta["problems"]], meta["digest"]
            )
        return corpus, kind.load(place)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _save(
    folder: Path,
    corpus: Corpus,
    save: Callable[[Path], None],
    about: dict[str, Any],
    previous: dict[str, Any] | None,
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="content-", dir=folder))
    try:
        save(made)
        with (made / PASSAGES).open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in corpus.rows())
        problems = [list(problem) for problem in corpus.problems]
        meta = {**about, "digest": corpus.digest, "problems": problems, "folder": made.name}
        written = made / META
        written.write_text(json.dumps(meta), "utf-8")
        os.replace(written, folder / META)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    for other in folder.glob("content-*"):
        replaced = previous is not None and other.name == previous["folder"]
        if other != made and (replaced or time.time() - other.stat().st_mtime > LEFT_BEHIND):
            shutil.rmtree(other, ignore_errors=True)


def _warn(problems: Sequence[Problem]) -> None:
    if problems:
        names = "; ".join(map(str, problems[:SHOWN])) + (" ..." if len(problems) > SHOWN else "")
        places = "place" if len(problems) == 1 else "places"
        told = f"the corpus could not be read in {len(problems)} {places}: {names}"
        warnings.warn(told, GraphEvalWarning, stacklevel=3)
