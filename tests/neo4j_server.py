"""A real Neo4j server for the tests: from Maven Central into a cache, started on a free port, stopped at the end."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = "5.26.30"  # the long-term release
NEWEST = "2026.08.1"  # needs Java 21
MAIN = {VERSION: "org.neo4j.server.CommunityEntryPoint", NEWEST: "org.neo4j.server.Neo4jCommunity"}
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graph_eval" / "neo4j"
OPENED = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>tests</groupId><artifactId>neo4j</artifactId><version>1</version><dependencies>
<dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{0}</version></dependency>
<dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{0}</version></dependency>
</dependencies></project>
"""
CONF = """server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled={http}
server.memory.pagecache.size=256m
dbms.usage_report.enabled=false
dbms.security.auth_enabled={auth}
"""


class MissingError(Exception):
    """What this machine lacks to run a server."""


def java(least: int) -> str:
    """A Java of at least that version. Raises MissingError."""
    found = [shutil.which("java"), *map(str, Path("/usr/lib/jvm").glob("*/bin/java"))]
    for path in filter(None, found):
        shown = subprocess.run([path, "-version"], capture_output=True, text=True, check=False).stderr
        version = re.search(r'version "(\d+)', shown)
        if version and int(version[1]) >= least:
            return path
    raise MissingError(f"there is no Java {least}; Debian: apt-get install openjdk-17-jre-headless")


def libraries(version: str) -> Path:
    """The server's jars, fetched once."""
    target = CACHE / version
    if target.is_dir():
        return target
    maven = shutil.which("mvn")
    if maven is None:
        raise MissingError("there is no Maven; Debian: apt-get install maven")
    CACHE.mkdir(parents=True, exist_ok=True)
    partial = CACHE / f"{version}.part-{os.getpid()}"
    partial.mkdir()
    try:
        (partial / "pom.xml").write_text(POM.format(version), "ascii")
        command = [maven, "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={partial / 'lib'}"]
        done = subprocess.run(
            [*command, "-DincludeScope=runtime"], cwd=partial, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise MissingError(f"Neo4j {version} could not be fetched: {done.stdout[-300:]}")
        try:
            (partial / "lib").replace(target)
        except OSError:
            if not target.is_dir():  # another worker of the tests was first
                raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


class Server:
    """One server process with a home of its own. `start` after `stop` finds the same data."""

    def __init__(
        self,
        home: Path,
        version: str = VERSION,
        auth: bool = False,
        extra: str = "",
        http: bool = False,
        heap: str = "1g",
    ) -> None:
        self.home, self.port = home, free_port()
        self._version, self._heap = version, heap
        self._java = java(21 if version == NEWEST else 17)
        self._lib = libraries(version)
        (home / "conf").mkdir(parents=True, exist_ok=True)
        conf = CONF.format(port=self.port, auth=str(auth).lower(), http=str(http).lower()) + extra
        (home / "conf" / "neo4j.conf").write_text(conf, "ascii")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [self._java, f"-Xmx{self._heap}", *(f"--add-opens={name}=ALL-UNNAMED" for name in OPENED)]
        command += ["-cp", f"{self._lib}/*{os.pathsep}{self.home}/plugins/*", MAIN[self._version]]
        command += [f"--home-dir={self.home}", f"--config-dir={self.home / 'conf'}"]
        with (self.home / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        for _ in range(600):
            try:
                with socket.create_connection(("127.0.0.1", self.port), 0.2):
                    return
            except OSError:
                if self._process.poll() is not None:
                    break
                time.sleep(0.1)
        raise MissingError(f"Neo4j did not start: {(self.home / 'log.txt').read_text()[-500:]}")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(60)
            self._process = None


@contextmanager
def running(home: Path, version: str = VERSION, **options: object) -> Iterator[Server]:
    server = Server(home, version, **options)  # type: ignore[arg-type]
    server.start()
    try:
        yield server
    finally:
        server.kill()  # its data is not read again, and a stop in good order waits for ten seconds
