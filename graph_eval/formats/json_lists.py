"""The elements of a JSON list, cut out of a stream one by one, so that a large file needs little memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BufferedReader

BLOCK = 1 << 20  # bytes that are read at a time
STRUCTURE = re.compile(rb'["\[\]{},]')
IN_STRING = re.compile(rb'["\\]')


class BrokenList(ValueError):  # noqa: N818
    """The brackets of the list do not fit."""


def elements(stream: BufferedReader, limit: int) -> Iterator[bytes | None]:
    """The bytes of each element of a list whose "[" was read. None: an element of more than `limit` bytes.

    The bytes between two commas of the list may be no JSON. Raises BrokenList where the list does not end, and where
    something follows its end.
    """
    held = bytearray()
    lost = quoted = escaped = False
    depth = count = 0
    while block := stream.read1(BLOCK):  # what there is: a stream that is cut raises only behind it
        start = place = 0
        while place < len(block):
            if escaped:
                escaped, place = False, place + 1
                continue
            match = (IN_STRING if quoted else STRUCTURE).search(block, place)
            if match is None:
                break
            place, mark = match.end(), match[0]
            if mark == b"\\":
                escaped = True
            elif mark == b'"':
                quoted = not quoted
            elif mark in b"[{":
                depth += 1
            elif depth and mark in b"]}":
                depth -= 1
            elif not depth:
                held += block[start : place - 1]
                lost = lost or len(held) > limit
                if mark == b"," or count or lost or held.strip():
                    yield None if lost else bytes(held)
                if mark != b",":
                    _require_end(mark, block[place:], stream)
                    return
                held.clear()
                lost, start, count = False, place, count + 1
        held += block[start:]
        if len(held) > limit:
            held.clear()
            lost = True
    raise BrokenList("the list does not end")


def _require_end(mark: bytes, rest: bytes, stream: BufferedReader) -> None:
    while not rest.strip() and (more := stream.read1(BLOCK)):
        rest = more
    if mark != b"]" or rest.strip():
        raise BrokenList("text follows the end of the list" if mark == b"]" else 'the list is closed by "}"')
