"""Runs command lines of graph-eval one after the other in one process: litellm takes seconds to import.

It reads a JSON list of arguments a line, and writes {"code", "seconds"} a line. What the command printed is in the
files that the first two arguments name. The pauses between two tries are short.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time

from graph_eval.cli.main import main
from graph_eval.llm import client

client.FIRST_PAUSE = 0.01
client.MAX_PAUSE = 0.1


def run(out: str, err: str, *arguments: str) -> dict[str, float]:
    started = time.monotonic()
    with (
        io.TextIOWrapper(open(out, "wb"), "utf-8") as stdout,
        io.TextIOWrapper(open(err, "wb"), "utf-8") as stderr,
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
    ):
        code = main(arguments)
    return {"code": code, "seconds": round(time.monotonic() - started, 2)}


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "w")  # what else is printed must not come in between
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(run(*json.loads(line))), file=answers, flush=True)
