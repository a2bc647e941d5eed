"""Lists of texts that a cell or a field holds as text, as data frames write them."""

from __future__ import annotations

import ast
import io
import json
from itertools import pairwise
from token import OP, STRING
from tokenize import TokenError, generate_tokens
from typing import Any


def list_of_texts(cell: str) -> Any:
    """The list of a cell that holds one with texts in JSON, Python or NumPy, as data frames write it; any other cell
    itself.

    Nothing is evaluated. What else than texts the list holds is left to those who read the record.
    """
    text = cell.strip()
    if (text[:1], text[-1:]) not in (("[", "]"), ("(", ")")):
        return cell
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = _python_list(text)
    return value if isinstance(value, list) and any(isinstance(part, str | dict) for part in value) else cell


def _python_list(text: str) -> list[Any] | None:
    """The list or tuple that a text writes with Python's literals, or an array of texts: ['a' 'b']."""
    try:
        value = ast.literal_eval(text)  # literals only
        tokens = [token for token in generate_tokens(io.StringIO(text).readline) if token.type in (STRING, OP)]
    except (ValueError, SyntaxError, MemoryError, RecursionError, TokenError):
        return None
    if not isinstance(value, list | tuple):
        return None
    texts = [ast.literal_eval(token.string) for token in tokens if token.type == STRING]
    if any(one.type == other.type == STRING for one, other in pairwise(tokens)):  # Python would join them
        return texts if len(tokens) == len(texts) + 2 else None
    return list(value)
