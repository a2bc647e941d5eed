"""A table of what a model's server can get wrong: every fault at every place of a run, in every mode.

Each cell is a run of the real command line with the real litellm over six responses. The fault hits one of them: the
first request, one in the middle, or one once; or it hits every request of the checker. Whatever the fault, the run ends
by itself, takes no answer for what it is not, and keeps all other work. `make faults` runs every cell; the
suite runs one for each fault. `--fault-table FILE` writes the cells and their counts.
"""

import json
import select
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.faults.faulty_server import Cell, FaultyServer
from tests.faults.model_faults import MARKER, SHORT, Fault, faults
from tests.faults.towns import TOWNS, Question, Town

LONGEST = 60.0  # seconds: a run that takes longer hangs
WORKERS = 2
MODEL = "openai/x"
MODES = ("extract", "joint", "single", "llm", "graphcorrect", "direct")
CORRECTING = {"llm": {"triple"}, "graphcorrect": {"triple", "text"}, "direct": {"direct"}}
LONGEST_MESSAGE = 3000  # characters of a named error
KINDS = ("hung", "wrong", "lost", "tracebacks", "unnamed", "noise")
Json = dict[str, object]


@dataclass
class Run:
    """A cell of the table: one run, and what came of it."""

    fault: Fault
    mode: str
    position: str
    code: int | None = None  # None: the harness killed it
    seconds: float = 0.0
    stderr: str = ""
    faults: int = 0  # requests that were hit
    recovered: int = 0  # responses that were hit, and whose work is whole all the same
    named: int = 0  # responses that were hit, and that say so
    hung: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)  # warnings of libraries

    @property
    def name(self) -> str:
        return f"{self.fault.name} / {self.mode} / {self.position}"

    @property
    def problems(self) -> list[str]:
        return [f"{self.name}: {kind}: {problem}" for kind in KINDS for problem in getattr(self, kind)]

    @property
    def hit(self) -> set[str]:
        """The names of the responses that the fault may hit."""
        if self.position == "checker" or self.fault.down:
            return {town.name for town in TOWNS}
        return {self.target}

    @property
    def target(self) -> str:
        """The name of the response that is hit first."""
        return TOWNS[0 if self.position == "first" else 2].name

    @property
    def roles(self) -> set[str]:
        """The requests that the fault hits. In the middle of GraphCorrect it is the second of its two calls."""
        if self.mode == "extract":
            return {"extract"}
        if self.mode in ("joint", "single") or self.position == "checker":
            return {"check"}
        return {"text"} if (self.mode, self.position) == ("graphcorrect", "middle") else CORRECTING[self.mode]

    def hits(self, question: Question) -> bool:
        return question.role in self.roles and (self.position == "checker" or question.town.name == self.target)


def cells(folder: Path, full: bool) -> list[Run]:
    """Every fault at every place in every mode, and in one mode each at an extraction and once; in short one cell each.

    What they have in turn differs from fault to fault, so that each kind of faults meets all places.
    """
    places = [(mode, position) for mode in MODES[1:] for position in ("first", "middle", "checker")]
    more = [(mode, "once") for mode in MODES], [("extract", position) for position in ("first", "middle")]
    runs = []
    for number, fault in enumerate(faults(folder)):
        one_of_each = [(*places, *more[0], *more[1])[number * 7 % 23]]
        chosen = [*places, *(others[number % len(others)] for others in more)] if full else one_of_each
        runs += [Run(fault, *place) for place in chosen]
    return runs


class Worker:
    """A process that runs command lines one after the other. It is killed if one of them takes too long."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, *arguments: str) -> tuple[int | None, float, str]:
        """The exit code, the seconds, and what was written to standard error. No exit code: killed."""
        if self.process is None:
            command = [sys.executable, "-m", "tests.faults.command_lines"]
            with (self.folder / "stderr").open("ab") as errors:
                self.process = subprocess.Popen(
                    command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
                )
        out, err = self.folder / "out", self.folder / "err"
        self.process.stdin.write(json.dumps([str(out), str(err), *arguments]) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], LONGEST)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            self.close()
            return None, LONGEST, err.read_text("utf-8", errors="replace")
        answer = json.loads(line)
        return answer["code"], answer["seconds"], err.read_text("utf-8", errors="replace")

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None


@dataclass
class Bench:
    """Runs cells with one worker and one server. `base`: a checked run, for the correctors."""

    folder: Path
    worker: Callable[..., tuple[int | None, float, str]]
    server: FaultyServer
    base: Path

    def commands(self, run: Run, url: str, cell: Path) -> list[str]:
        timeout = SHORT if run.fault.slow else LONGEST / 3
        limits = ["--timeout", str(timeout), "--retries", "1", "--concurrency", "8"]
        options = ["--api-base", url, "--cache", str(cell / "answers.sqlite"), "-o", str(cell / "run"), *limits]
        if run.fault.ends:  # what was done before is in the run; where no request is answered, three have to fail first
            options += ["--chunk", "3" if run.fault.down else "2"]
        extractor = f"llm:{MODEL}" if run.position == "checker" or run.mode == "extract" else "sentences"
        if run.mode == "extract":
            return ["extract", str(self.folder / "towns.jsonl"), "--extractor", extractor, *options]
        if run.mode in ("joint", "single"):
            parts = ["--extractor", extractor, "--checker", f"llm:{MODEL}", "--check-mode", run.mode]
            return ["check", str(self.folder / "towns.jsonl"), *parts, *options]
        return ["correct", str(self.base), "--corrector", f"{run.mode}:{MODEL}", *options]

    def __call__(self, run: Run, number: int) -> None:
        """Runs a cell, and once more without the fault if that ended the run."""
        cell = Cell(self._hits(run), self._serve(run), once=run.position == "once" and not run.fault.down)
        server = FaultyServer() if run.fault.refuses else self.server
        name, path = f"cell-{number}", self.folder / f"cell-{number}"
        server.cells[name] = cell
        arguments = self.commands(run, server.url(name), path)
        path.mkdir()
        run.code, run.seconds, run.stderr = self.worker(*arguments)
        run.faults = cell.faults
        judge(run, path / "run" / "results.jsonl")
        if run.fault.ends and run.code is not None:
            self._resume(run, cell, server, path, arguments)
        run.lost += [f"asked {count} times: {key}" for key, count in cell.answered.items() if count > 1]
        del server.cells[name]
        shutil.rmtree(path)

    def _resume(self, run: Run, cell: Cell, server: FaultyServer, path: Path, arguments: list[str]) -> None:
        """Runs the command again with a server that is well: the same run, or another one if the first was finished."""
        cell.healed = True
        if run.fault.refuses:
            again = FaultyServer(server.server_port)
            again.cells |= server.cells
        before = Counter(cell.answered)
        finished = json.loads((path / "run" / "run.json").read_text("utf-8"))["finished"]
        folder = path / ("again" if finished else "run")
        arguments = [str(folder) if argument == str(path / "run") else argument for argument in arguments]
        code, _, stderr = self.worker(*arguments)
        if code is None:
            run.hung.append("the resumed run was killed")
        results = lines_of(folder / "results.jsonl")
        if len(results) != len(TOWNS):
            run.lost.append(f"resumed, and {len(results)} of {len(TOWNS)} results: {stderr[-500:]}")
        for result, town in zip(results, TOWNS, strict=False):
            run.lost += [f"resumed: {problem}" for problem in differences(run, result, town)]
        run.lost += [f"resumed, and asked again: {key}" for key in before if cell.answered[key] > before[key]]
        if run.fault.refuses:
            again.close()

    @staticmethod
    def _hits(run: Run) -> Callable[[Question], bool]:
        down: list[bool] = []

        def hits(question: Question) -> bool:
            hit = bool(down) or run.hits(question)
            down.extend([True] if hit and run.fault.down else [])
            return hit

        return hits

    @staticmethod
    def _serve(run: Run) -> Callable[..., None]:
        if not run.fault.refuses:
            return run.fault.serve
        closing = threading.Lock()

        def refuse(exchange: object) -> None:
            if closing.acquire(blocking=False):
                exchange.handler.server.close()
            run.fault.serve(exchange)

        return refuse


# What came of a run


def lines_of(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def judge(run: Run, path: Path) -> None:
    """Compares a run's results with the truth."""
    if run.code is None:
        run.hung.append(f"killed after {LONGEST:g} s, {run.faults} requests hit")
        return
    if not run.faults:
        run.unnamed.append("the fault hit nothing")
    if run.code not in (0, 3):
        run.unnamed.append(f"exit code {run.code}: {run.stderr[-500:]}")
    if any(word in run.stderr for word in ("Traceback", "internal error", "Exception ignored")):
        run.tracebacks.append(run.stderr[-1500:])
    if "Warning:" in run.stderr:
        run.noise.append(run.stderr[:500])
    results = lines_of(path)
    ended = run.code == 3 and len(results) < len(TOWNS) and "graph-eval: " in run.stderr
    if len(results) < len(TOWNS) and not (ended and run.fault.ends):
        run.lost.append(f"{len(results)} of {len(TOWNS)} results: {run.stderr[-500:]}")
    if ended and run.fault.ends:
        run.named += 1
    for result, town in zip(results, TOWNS, strict=False):
        judge_result(run, result, town)


def judge_result(run: Run, result: Json, town: Town) -> None:
    problems = differences(run, result, town)
    if town.name not in run.hit:
        run.lost += problems
        return
    wrong = [problem for problem in problems if problem.startswith("wrong")]
    run.wrong += wrong
    errors = errors_of(result)
    run.tracebacks += [str(error["traceback"])[-1500:] for error in errors if error.get("traceback")]
    for error in errors:
        message = str(error["message"])
        if not message.strip() or len(message) > LONGEST_MESSAGE:
            run.unnamed.append(f"{town.name}: an error of {len(message)} characters: {message[:100]!r}")
    if not problems:
        run.recovered += 1
    elif errors:
        run.named += 1
    elif not wrong:
        run.unnamed.append(f"{town.name}: {'; '.join(problems)}")


def errors_of(result: Json) -> list[Json]:
    """The errors of a result, and the reasons of corrections that were not made, as errors."""
    found = [result["error"], *(judgement["error"] for judgement in result["judgements"])]
    for correction in (result["revision"] or {}).get("corrections", ()):
        if correction["status"] != "applied":
            found.append({"message": correction["reason"] or ""})
    return [error for error in found if error]


def differences(run: Run, result: Json, town: Town) -> list[str]:
    return list(_differences(run, result, town))


def _differences(run: Run, result: Json, town: Town) -> Iterator[str]:
    """Where a result differs from the truth. What begins with "wrong" says something else, the rest says nothing."""
    claims = {claim["id"]: claim["text"].rstrip(".") for claim in result["claims"]}
    expected = set(town.labels)
    yield from (f"wrong: {town.name} has the claim {text[:200]!r}" for text in set(claims.values()) - expected)
    yield from (f"{town.name} lacks the claim {text!r}" for text in expected - set(claims.values()))
    if result["error"]:
        yield f"{town.name}: {str(result['error'])[:300]}"
    if run.mode == "extract":
        return
    for judgement in result["judgements"]:
        text = claims.get(judgement["claim_id"], "")
        if judgement["error"]:
            yield f"{town.name}: {text!r} has no label"
        elif judgement["label"] != town.labels.get(text):
            yield f"wrong: {town.name}: {text!r} is {judgement['label']}"
    if len(result["judgements"]) != len(expected):
        yield f"{town.name}: {len(result['judgements'])} verdicts"
    if run.mode in CORRECTING:
        revised = (result["revision"] or {}).get("text")
        if revised not in (town.response, town.corrected):
            yield f"wrong: {town.name} became {str(revised)[:300]!r}"
        elif revised != town.corrected:
            yield f"{town.name} was not corrected"


# The table


def counts(runs: Iterable[Run]) -> Json:
    runs = list(runs)
    return {
        "cells": len(runs),
        "faults": len({run.fault.name for run in runs}),
        "ended": sum(run.code is not None for run in runs),
        **{kind: sum(bool(getattr(run, kind)) for run in runs) for kind in KINDS},
        "recovered": sum(run.recovered for run in runs),
        "named": sum(run.named for run in runs),
        "longest": max((run.seconds for run in runs), default=0.0),
    }


def table(runs: Sequence[Run]) -> dict[str, Json]:
    """Counts of cells by mode and position, and of all."""
    places = {f"{run.mode}, {run.position}": None for run in runs}
    found = {place: counts(run for run in runs if f"{run.mode}, {run.position}" == place) for place in sorted(places)}
    return {**found, "all": counts(runs)}


def shown(rows: dict[str, Json]) -> list[str]:
    columns = list(rows["all"])
    head = f"{'':22}" + "".join(f"{column:>11}" for column in columns)
    return [head, *(f"{place:22}" + "".join(f"{row[column]:>11}" for column in columns) for place, row in rows.items())]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "towns.jsonl").write_text("".join(json.dumps(town.record) + "\n" for town in TOWNS))
    return tmp_path


def checked(folder: Path, worker: Worker, server: FaultyServer) -> Path:
    """A checked run of all responses by a model without faults. The time of litellm's import is not the cells'."""
    base = folder / "base"
    server.cells["base"] = Cell()
    parts = ["--extractor", f"llm:{MODEL}", "--checker", f"llm:{MODEL}", "--api-base", server.url("base")]
    code, _, stderr = worker("check", str(folder / "towns.jsonl"), *parts, "--cache", "off", "-o", str(base))
    assert code == 0, stderr
    return base


def test_every_fault_ends_by_itself_and_alone(request: pytest.FixtureRequest, folder: Path, summary: list[str]) -> None:
    runs = cells(folder, full=request.config.getoption("--model-faults") == "full")
    if wanted := request.config.getoption("--fault-cells"):
        runs = [run for run in runs if wanted in run.name]
    server = FaultyServer()
    waiting = iter(list(enumerate(runs)))
    lock = threading.Lock()
    problems: list[BaseException] = []

    def work(number: int) -> None:
        own = folder / f"worker-{number}"
        own.mkdir()
        (own / "towns.jsonl").write_bytes((folder / "towns.jsonl").read_bytes())
        worker = Worker(own)
        try:
            bench = Bench(own, worker, server, checked(own, worker, server))
            while True:
                with lock:
                    place, run = next(waiting, (0, None))
                if run is None:
                    return
                bench(run, place)
        except BaseException as problem:
            problems.append(problem)
        finally:
            worker.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.close()
    assert not problems, problems
    rows = table(runs)
    summary += ["faults of a model's server", *shown(rows)]
    if file := request.config.getoption("--fault-table"):
        names = ("name", "code", "seconds", "named", "recovered", "problems")
        entries = [{name: getattr(run, name) for name in names} for run in runs]
        Path(file).write_text(json.dumps({"table": rows, "cells": entries}, indent=1))
    found = [problem for run in runs for problem in run.problems]
    assert not found, f"{len(found)} problems:\n" + "\n".join(found[:50])
    assert rows["all"]["ended"] == len(runs)
    assert not (folder / MARKER).exists()


def in_a_process_of_its_own(*arguments: str) -> tuple[int | None, float, str]:
    """As a Worker, with the pauses between two tries that a user waits for."""
    started = time.monotonic()
    command = [sys.executable, "-m", "graph_eval", *arguments]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired as problem:
        return None, LONGEST, str(problem)
    return done.returncode, time.monotonic() - started, done.stderr


@pytest.mark.parametrize(
    "name",
    ["connection: refused", "status 429, Retry-After 1", "text: half a surrogate pair"],
)
def test_a_fault_of_a_process_of_its_own(name: str, folder: Path) -> None:
    run = Run(next(fault for fault in faults(folder) if fault.name == name), "joint", "middle")
    server = FaultyServer()
    Bench(folder, in_a_process_of_its_own, server, folder)(run, 0)
    server.close()
    assert not run.problems
    assert run.code == (3 if run.named else 0)
