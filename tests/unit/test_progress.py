"""Progress within a record, and outputs that are taken while the inputs are made."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from graph_eval import GraphEval
from graph_eval.onnx_model import AHEAD, Loaded, OnnxModel
from graph_eval.progress import Steps, listening, report


def test_steps_are_reported_to_listeners_only() -> None:
    heard: list[tuple[str, int, int]] = []
    steps = Steps("letters", 3)
    steps.take()
    with listening(lambda *step: heard.append(step)):
        steps.take()
        steps.take()
    report("letters", 1, 1)
    assert heard == [("letters", 2, 3), ("letters", 3, 3)]


def test_several_threads_count_together() -> None:
    heard: list[int] = []
    steps = Steps("letters", 400)
    with listening(lambda _, done, __: heard.append(done)), ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: steps.take(), range(400)))
    assert heard == list(range(1, 401))


def test_a_listener_leaves_also_after_an_error() -> None:
    heard: list[int] = []
    with pytest.raises(KeyError), listening(lambda _, done, __: heard.append(done)):
        raise KeyError
    report("letters", 1, 1)
    assert heard == []


def test_every_stage_of_a_long_response_is_heard() -> None:
    heard: dict[str, list[tuple[int, int]]] = {}
    text = " ".join(f"The tower number {n} was opened in {1000 + n}." for n in range(150))
    with listening(lambda what, done, of: heard.setdefault(what, []).append((done, of))):
        GraphEval().check(text, "The tower was opened in 1889.")
    assert set(heard) == {"sentences parsed", "sentences read", "pairs"}
    for heard_steps in heard.values():
        assert len({done for done, _ in heard_steps}) >= 3
        assert any(done == of for done, of in heard_steps)


class Session:
    """Counts the batches that it was given."""

    def __init__(self) -> None:
        self.given = 0

    def run(self, _: None, feed: Any) -> Any:
        return feed


@pytest.mark.parametrize("threads", [1, 3])
def test_batches_are_made_shortly_before_they_are_run(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the memory of a long response is that of its results."""
    model, session = OnnxModel(Path(), Path(), threads), Session()
    monkeypatch.setattr(model, "load", lambda: Loaded(session, None))  # type: ignore[arg-type]

    def feeds() -> Any:
        for number in range(100):
            session.given += 1
            yield {"number": number}

    for number, output in enumerate(model.run(feeds())):
        assert output == {"number": number}
        assert session.given - number <= AHEAD * threads + 1
    assert session.given == 100


@pytest.mark.parametrize("count", [0, 1])
def test_a_single_batch_needs_no_thread(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = OnnxModel(Path(), Path(), 3)
    monkeypatch.setattr(model, "load", lambda: Loaded(Session(), None))  # type: ignore[arg-type]
    monkeypatch.setattr("graph_eval.onnx_model.ThreadPoolExecutor", None)
    assert list(model.run({"number": number} for number in range(count))) == [{"number": n} for n in range(count)]  # type: ignore[misc]
