"""Results as a pandas DataFrame: the rows of the CSV format, with types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graph_eval.errors import MissingPartError
from graph_eval.formats.writers import CSV_COLUMNS, claim_rows
from graph_eval.types import Result

if TYPE_CHECKING:
    from pandas import DataFrame

# A column of another type is text. Those with a capital letter may hold <NA>.
TYPES = {"n": "int64", "p_inconsistent": "float64", "flagged": "boolean", "start": "Int64", "end": "Int64"}


def dataframe(results: Iterable[Result]) -> DataFrame:
    """One row for each claim, or one for a response without claims, with the columns CSV_COLUMNS.

    Texts are of pandas' type "string". A missing value is <NA>, a missing probability NaN. `flagged` is "boolean".
    Raises MissingPartError if pandas is not installed.
    """
    try:
        import pandas
    except ModuleNotFoundError as problem:
        raise MissingPartError("pandas is not installed", "pip install pandas") from problem
    rows = [row for result in results for row in claim_rows(result)]
    frame = pandas.DataFrame(rows, columns=list(CSV_COLUMNS))
    return frame.astype({name: TYPES.get(name, "string") for name in CSV_COLUMNS})
