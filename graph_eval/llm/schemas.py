"""JSON Schemas of answers, in the strict form that providers accept: all keys are required, and there are no others."""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}


def objects(**properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def lists(items: dict[str, Any]) -> dict[str, Any]:
    """The schema of a list."""
    return {"type": "array", "items": items}
