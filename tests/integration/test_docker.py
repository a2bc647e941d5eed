"""The container files, as far as they can be checked without an engine: their syntax, and every path and command in
them, executed outside a container."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest
import yaml

from tests import neo4j_server
from tests.conftest import missing

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text("utf8")
COMPOSE = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text("utf8"))
PASSWORD = {"NEO4J_PASSWORD": "a-long-password"}


def compose(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("docker-compose")
    if program is None:
        missing("docker-compose", "there is no docker-compose; Debian: apt-get install docker-compose")
    bare = {name: value for name, value in os.environ.items() if name != "NEO4J_PASSWORD"}
    command = [program, "-f", str(ROOT / "docker" / "compose.yaml"), *arguments]
    return subprocess.run(command, env={**bare, **environment}, capture_output=True, text=True, check=False)


def test_compose_accepts_the_file_with_a_password_only() -> None:
    assert compose("config", **PASSWORD).returncode == 0
    refused = compose("config")
    assert refused.returncode != 0
    assert "NEO4J_PASSWORD" in refused.stderr


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf8").splitlines()
    copied = [
        part for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE) for part in line.split()[:-1]
    ]
    assert len(copied) >= 5
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored


def test_the_last_stage_runs_as_a_user_without_build_tools() -> None:
    last = DOCKERFILE.split("\nFROM ")[-1]
    assert re.search(r"^USER (?!root)", last, re.MULTILINE)
    assert "apt-get" not in DOCKERFILE
    assert "pip install" not in last


def test_the_image_has_a_numeric_user_and_pinned_parts() -> None:
    assert re.search(r"^USER \d+$", DOCKERFILE, re.MULTILINE)
    assert all(re.search(r":\d+\.\d+\.\d+", image) for image in re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE))
    pinned = (ROOT / "docker" / "constraints.txt").read_text("utf8").splitlines()
    assert pinned
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in pinned)
    server = COMPOSE["services"]["neo4j"]
    assert server["image"] == f"neo4j:{neo4j_server.VERSION}"
    assert {"start_period", "retries"} <= server["healthcheck"].keys()
    assert all("mem_limit" in COMPOSE["services"][name] for name in ("neo4j", "graph-eval"))


def test_the_data_folder_is_where_the_caller_is_and_can_be_written(tmp_path: Path) -> None:
    done = compose("config", **PASSWORD, DATA="mine", PWD=str(tmp_path), USER_ID="1234")
    services = yaml.safe_load(done.stdout)["services"]
    for name in ("data", "graph-eval"):
        assert str(services[name]["volumes"][0]).startswith(f"{tmp_path}/mine:/data")
    assert str(services["graph-eval"]["user"]) == "1234"
    # The folder that compose makes belongs to root: the first service gives it to the user of the second.
    *shell, script = services["data"]["entrypoint"]
    folder = tmp_path / "mine"
    folder.mkdir()
    os.chown(folder, 0, 0)
    script = script.replace("$$", "$").replace("/data", str(folder))
    subprocess.run([*shell, script], env={**os.environ, "USER_ID": "1234"}, check=True)
    assert folder.stat().st_uid == 1234


def test_the_drawing_needs_no_ipython(tmp_path: Path) -> None:
    """The image leaves it out."""
    assert "uninstall --yes ipython" in DOCKERFILE
    code = """
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "IPython":
            raise ModuleNotFoundError(name)
import importlib.util as util
find = util.find_spec
util.find_spec = lambda name, package=None: None if name == "IPython" else find(name, package)
sys.meta_path.insert(0, Without())
import graph_eval
graph_eval.render(graph_eval.check("Orsa is old.", context="Orsa is new."), sys.argv[1])
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "g.html")], check=True)
    assert "Orsa" in (tmp_path / "g.html").read_text("utf8")


def test_the_build_and_the_entry_point_work_outside(tmp_path: Path) -> None:
    """The commands of the first stage over the copied files alone, then the entry point. The interpreter's own
    packages stand in for downloads."""
    source = tmp_path / "src"
    for line in re.findall(r"^COPY (?!--from)(.*) /src/?(\S*)$", DOCKERFILE, re.MULTILINE):
        for name in line[0].split():
            target = source / (line[1] or name)
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, target)
    home = tmp_path / "opt"
    venv.create(home, with_pip=True, system_site_packages=False)
    python = home / "bin" / "python"
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-deps", source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    entry = yaml.safe_load(re.search(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)[1])
    command = yaml.safe_load(re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)[1])
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    environment = {
        "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": packages,
        "HOME": str(tmp_path),
    }
    done = subprocess.run(
        [*entry, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "works" in done.stdout
    listed = subprocess.run(
        [*entry, "query", "--list"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert "flagged_claims" in listed.stdout


def test_the_health_check_tells_a_running_server_from_none(tmp_path: Path) -> None:
    if shutil.which("wget") is None:
        missing("wget", "there is no wget")
    kind, *check = COMPOSE["services"]["neo4j"]["healthcheck"]["test"]
    assert kind == "CMD"
    port = neo4j_server.free_port()
    command = [part.replace(":7474", f":{port}") for part in check]
    assert subprocess.run(command, check=False, capture_output=True).returncode != 0
    extra = f"server.http.listen_address=127.0.0.1:{port}\n"
    try:
        server = neo4j_server.Server(tmp_path / "server", extra=extra, http=True)
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))
    server.start()
    # Bolt answers before HTTP does: compose asks again until its retries are spent, and so does this.
    ends = time.monotonic() + 60
    while (done := subprocess.run(command, check=False, capture_output=True)).returncode and time.monotonic() < ends:
        time.sleep(0.2)
    server.kill()
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "line", re.findall(r"graph-eval (check .*)$", (ROOT / "docker/compose.yaml").read_text("utf8"), re.MULTILINE)
)
def test_the_command_of_the_comment_is_one(cli, tmp_path: Path, line: str) -> None:
    shutil.copy(ROOT / "examples" / "responses.jsonl", tmp_path / "answers.jsonl")
    arguments = shlex.split(line.replace("bolt://neo4j:7687", "kg"))
    assert cli(*arguments, "--limit", "2").returncode == 0
