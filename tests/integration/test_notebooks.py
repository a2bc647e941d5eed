"""Every notebook runs from top to bottom and prints what it shows."""

import gc
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NUMBER = re.compile(r"\d\.\d+")  # probabilities differ a little between kinds of processors


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What each cell wrote to standard output, probabilities masked."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts = [output.text for output in cell.outputs if output.get("name") == "stdout"]
            found.append(NUMBER.sub("0.0", "".join(texts)))
    return found


def test_there_are_notebooks() -> None:
    assert [path.name for path in NOTEBOOKS] == ["ask_the_graph.ipynb", "first_check.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # the kernel's own libraries warn
def test_a_notebook_prints_what_it_shows(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    NotebookClient(fresh, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    gc.collect()  # the event loop that the client leaves open warns here, not in a later test
    assert any(printed(stored))
    assert printed(fresh) == printed(stored)
    for cell in fresh.cells:
        assert not any(output.get("name") == "stderr" for output in cell.get("outputs", []))
