"""Results in a list: what a notebook holds of a run, shows, and turns into a table or a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from graph_eval.sources import RunFiles
from graph_eval.types import Label, Result, Run, above

if TYPE_CHECKING:
    from pandas import DataFrame

FAILED, UNJUDGED = "failed", "not judged"  # counted where there is no label
OUTCOMES = (*Label, FAILED, UNJUDGED)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Results(Sequence[Result]):
    """Results in order, all of them in memory. A slice is Results too.

    `run`: the run that produced them, if they were read from a run directory.
    """

    items: tuple[Result, ...]
    run: Run | None

    def __init__(self, results: Iterable[Result] = (), run: Run | None = None) -> None:
        object.__setattr__(self, "items", tuple(results))
        object.__setattr__(self, "run", run)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.items)

    @overload
    def __getitem__(self, place: int) -> Result: ...

    @overload
    def __getitem__(self, place: slice) -> Results: ...

    def __getitem__(self, place: int | slice) -> Result | Results:
        return Results(self.items[place], self.run) if isinstance(place, slice) else self.items[place]

    @property
    def flagged(self) -> Results:
        """The results whose verdict is Neutral or Contradiction, in order."""
        return Results((result for result in self.items if result.inconsistent), self.run)

    @property
    def counts(self) -> dict[str, int]:
        """The number of results by label, and of those that "failed" or were "not judged". Zeros are left out."""
        found = Counter(map(outcome, self.items))
        return {str(name): found[name] for name in OUTCOMES if found[name]}

    def to_dict(self) -> list[dict[str, Any]]:
        """Plain JSON values: those of the lines of results.jsonl."""
        return [result.to_dict() for result in self.items]

    def to_dataframe(self) -> DataFrame:
        """One row for each claim, with the columns of the CSV format. Raises MissingPartError without pandas."""
        frame: DataFrame = above("formats.dataframe").dataframe(self.items)
        return frame

    def render(self, path: str | Path, view: Literal["report", "graph"] = "report", title: str = "graph_eval") -> Path:
        """Writes these results into one HTML file, as `graph_eval.render` does. Returns its path."""
        written: Path = above("reports").render(self, path, view, title)
        return written

    def _repr_html_(self) -> str:
        html: str = above("reports.notebook").results_html(self)
        return html

    def __repr__(self) -> str:
        named = f"{len(self)} result{'s' * (len(self) != 1)}"
        counts = ", ".join(f"{count} {name}" for name, count in self.counts.items())
        return f"Results({named}{': ' * bool(counts)}{counts}; {claims_flagged(self)})"


def outcome(result: Result) -> str:
    """The label, or FAILED or UNJUDGED."""
    return result.label or (UNJUDGED if result.error is None else FAILED)


def claims_flagged(results: Iterable[Result]) -> str:
    """ "12 of 61 claims flagged"."""
    flagged = claims = 0
    for result in results:
        flagged += len(result.flagged)
        claims += len(result.claims)
    return f"{flagged} of {claims} claim{'s' * (claims != 1)} flagged"


def read_run(path: str | Path, limit: int | None = None) -> Results:
    """The results of a run directory, or its first `limit`. Raises RunError if the path is not a run directory."""
    source = RunFiles(Path(path), limit)
    return Results(source.results(), source.run)
