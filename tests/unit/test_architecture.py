"""The package keeps its order: imports point to lower levels only and never in a circle, heavy libraries stay in their
rooms, and no prompt or query text hides in Python."""

import ast
import configparser
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "graph_eval"
LEVELS: dict[str, int] = {
    **dict.fromkeys(
        (
            "__init__",
            "version",
            "types",
            "errors",
            "settings",
            "resources",
            "assets",
            "registry",
            "stage",
            "chunks",
            "fingerprints",
            "foreign",
            "part",
            "isolation",
            "onnx_model",
            "output",
            "progress",
            "machine",
            "metrics",
        ),
        0,
    ),
    **dict.fromkeys(("formats", "text", "llm", "parsing", "nli"), 1),
    **dict.fromkeys(("extractors", "checkers"), 2),
    **dict.fromkeys(("aggregate", "correctors", "consistency", "graph"), 3),
    "retrieve": 4,  # one of its corpora is an index of a graph database
    **dict.fromkeys(
        ("mappers", "sinks", "runs", "sources", "results", "stages", "plan", "jobs", "pipeline", "gate", "scale"), 5
    ),
    **dict.fromkeys(("reports", "bench", "fitting", "refchecker"), 6),
    **dict.fromkeys(("cli", "server", "ui", "testing", "pytest_plugin"), 7),
    "__main__": 8,
}
# Library -> the rooms that may import it at module level; every other use is inside a function.
HEAVY: dict[str, tuple[str, ...]] = dict.fromkeys(
    (
        "torch transformers litellm neo4j arcadedb_embedded jpype spacy onnxruntime tokenizers pyvis streamlit fastapi "
        "ray pydantic rich pandas"
    ).split(),
    (),
)
FILES = sorted(ROOT.rglob("*.py"))


def module(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(name: str) -> str:
    """The first part below the package; the single files of level 0 are one room, and so are those of level 5."""
    parts = name.split(".")
    own = parts[1] if len(parts) > 1 else "__init__"
    return {0: "ground", 5: "work"}.get(LEVELS.get(own, -1), own)


def level(own: str) -> int:
    return {"ground": 0, "work": 5}.get(own, LEVELS.get(own, -1))


def imports(tree: ast.Module, everywhere: bool) -> Iterator[str]:
    """Names of imported modules: of the whole file, or of what runs when the file is imported."""

    def visit(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (alias.name for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, "relative imports hide the level"
                assert child.module
                yield child.module
                yield from (f"{child.module}.{alias.name}" for alias in child.names)
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            if everywhere or not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield from visit(child)

    yield from visit(tree)


def own_imports(path: Path, everywhere: bool = True) -> set[str]:
    modules = {module(other) for other in FILES}
    found = set()
    for name in imports(ast.parse(path.read_text("utf8")), everywhere):
        if name in modules:
            found.add(name)
    return found - {module(path)}


@pytest.mark.parametrize("path", FILES, ids=module)
def test_a_file_imports_only_from_its_own_room_or_from_a_lower_level(path: Path) -> None:
    name = module(path)
    if name == "graph_eval":
        return  # the public API reaches into every room, lazily
    own = room(name)
    for imported in own_imports(path):
        assert imported != "graph_eval", f"{name} imports the package, which stands above every room"
        other = room(imported)
        assert other == own or level(other) < level(own), f"{name} imports {imported}"


def test_every_room_has_a_level() -> None:
    assert {room(module(path)) for path in FILES} <= {"ground", "work", *LEVELS}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A circle of the graph, if there is one."""
    finished: set[str] = set()

    def walk(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name in finished:
            return []
        for other in sorted(graph[name]):
            if found := walk(other, [*trail, name]):
                return found
        finished.add(name)
        return []

    return next((found for name in graph if (found := walk(name, []))), [])


def test_no_circle_of_files_also_by_imports_inside_functions() -> None:
    graph = {module(path): own_imports(path) - {"graph_eval"} for path in FILES}
    del graph["graph_eval"]
    assert circle(graph) == []


def test_no_circle_of_rooms_also_by_imports_inside_functions() -> None:
    """A room here is a folder, or a file directly below the package."""
    graph: dict[str, set[str]] = {}
    for path in FILES:
        own = module(path).split(".")[1:2]
        if own:
            others = {name.split(".")[1] for name in own_imports(path) if "." in name}
            graph.setdefault(own[0], set()).update(others - set(own))
    assert circle(graph) == []


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


@pytest.mark.parametrize("path", FILES, ids=module)
def test_heavy_libraries_are_imported_only_where_they_are_used(path: Path) -> None:
    for name in imports(ast.parse(path.read_text("utf8")), everywhere=False):
        library = name.split(".")[0]
        assert room(module(path)) in HEAVY.get(library, (room(module(path)),)), f"{module(path)} imports {library}"


def test_setup_names_every_package() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT.parent / "setup.cfg", "utf8")
    named = set(setup["options"]["packages"].split())
    assert named == {module(path).removesuffix(".__init__") for path in ROOT.rglob("__init__.py")} | {
        "graph_eval.cypher",
        "graph_eval.prompts",
    }


CYPHER = re.compile(r"\b(?:MATCH\s*\(|MERGE\s*\(|UNWIND\s+\$|DETACH\s+DELETE|CREATE\s+(?:INDEX|CONSTRAINT)\b)")
PROMPT = re.compile(r"\byou are an? (?:helpful|expert)|\byour task is\b|\banswer (?:only )?with\b", re.IGNORECASE)


@pytest.mark.parametrize("path", FILES, ids=module)
def test_no_cypher_and_no_prompt_in_python_strings(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not CYPHER.search(node.value), f"line {node.lineno}: a query belongs into cypher/"
            assert not PROMPT.search(node.value), f"line {node.lineno}: a prompt belongs into prompts/"


@pytest.mark.parametrize("text", ["MATCH (n) RETURN n", "UNWIND $rows AS row", "Your task is to extract claims"])
def test_the_patterns_find_what_they_should(text: str) -> None:
    assert CYPHER.search(text) or PROMPT.search(text)
