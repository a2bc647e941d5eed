"""What the README and the pages of docs/ show is what happens."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from graph_eval.errors import GraphEvalError
from graph_eval.settings import DECLARED, GROUPS, load

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FILES = (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text("utf8") for path in FILES}
README = PAGES["README.md"]
ALL = "\n".join(PAGES.values())
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"\d\.\d\d")  # probabilities differ a little between kinds of processors
MAX_LINES = 276  # of the README
NOT_RUN = "# not run by the tests:"  # begins a Python block that needs what a test machine may lack
OUTPUT = re.compile(r"^ *# -> (.*)$", re.MULTILINE)  # what a Python block prints
LINKED = (*PAGES, "cypher/README.md", "examples/README.md")
PROGRAMS = {
    page: [code for language, code in BLOCK.findall(text) if language == "python" and not code.startswith(NOT_RUN)]
    for page, text in PAGES.items()
}


def block_with(text: str, language: str = "", page: str = "README.md") -> str:
    """The page's first block of that language that holds the text."""
    return next(code for name, code in BLOCK.findall(PAGES[page]) if name == language and text in code)


def masked(text: str) -> list[str]:
    return [NUMBER.sub("0.00", line).rstrip() for line in text.strip().splitlines()]


# ---- the README ----


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= MAX_LINES


@pytest.mark.parametrize(
    ("name", "page"), [("check", "README.md"), ("correct", "README.md"), ("selfcheck", "docs/consistency.md")]
)
def test_the_transcripts_of_one_response(cli, name: str, page: str) -> None:
    block = block_with(f"$ graph-eval {name} --response", page=page)
    command, shown = block.split("\n", 1)
    done = cli(*shlex.split(command.removeprefix("$ graph-eval")))
    assert masked(done.stdout) == masked(shown)


def test_the_transcripts_of_a_file(cli) -> None:
    printed = masked(cli("check", ROOT / "examples" / "responses.jsonl").stdout)
    for page in ("README.md", "docs/input.md"):
        block = block_with("$ graph-eval check examples/responses.jsonl\n...", page=page)
        for part in block.split("...\n")[1:]:
            lines = masked(part)
            places = [n for n in range(len(printed)) if printed[n : n + len(lines)] == lines]
            assert places, f"{page}: {part}"


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf8")
    targets = re.findall(r"^    make (\w+)|`make (\w+)`", ALL, re.MULTILINE)
    assert len(targets) >= 4
    for target in targets:
        assert f"\n{''.join(target)}:" in makefile


def test_looking_at_a_run_says_where_the_files_are(cli) -> None:
    block = block_with("$ graph-eval report")
    cli("check", ROOT / "examples" / "responses.jsonl", "-o", "RUN")
    commands = re.findall(r"^\$ graph-eval ((?:report|open) .*)\n((?:[^$].*\n)+)", block, re.MULTILINE)
    assert [command.split()[0] for command, _ in commands] == ["report", "open"]
    for command, shown in commands:
        assert cli(*shlex.split(command), BROWSER="true").stdout == shown


def test_the_graph_transcript(cli) -> None:
    load_command, query = re.findall(r"\$ graph-eval (.*)\n", block_with("$ graph-eval load RUN"))
    cli("check", ROOT / "examples" / "responses.jsonl", "-o", "RUN")
    assert cli(*shlex.split(load_command)).returncode == 0
    shown = block_with("$ graph-eval load RUN").split(f"$ graph-eval {query}\n")[1]
    assert [line.split() for line in cli(*shlex.split(query)).stdout.splitlines()] == [
        line.split() for line in shown.splitlines()
    ]


def test_the_record_is_one_that_is_read(cli) -> None:
    (record,) = re.findall(r'^    (\{"response".*\})$', README, re.MULTILINE)
    done = cli("check", "-", "--format", "jsonl", stdin=record + "\n")
    assert json.loads(done.stdout)["label"] == "Contradiction", done.stderr


# ---- programs and links of every page ----


@pytest.mark.parametrize("page", [page for page, programs in PROGRAMS.items() if programs])
def test_the_python_programs_of_a_page(page: str, tmp_path: Path) -> None:
    """They run in order in one folder. A block that begins with a file name is kept there by that name."""
    for number, code in enumerate(PROGRAMS[page]):
        named = re.match(r"# (\w+\.py)\n", code)
        name = named[1] if named else f"program_{number}.py"
        (tmp_path / name).write_text(code, "utf8")
        tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if name.startswith("test_") else []
        done = subprocess.run(
            [sys.executable, *tests, name],
            cwd=tmp_path,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{page}: {name}\n{done.stdout}\n{done.stderr}"
        if not tests:
            assert [line.rstrip() for line in done.stdout.splitlines()] == OUTPUT.findall(code), f"{page}: {name}"


def test_few_blocks_are_left_out() -> None:
    blocks = [block for text in PAGES.values() for block in BLOCK.findall(text)]
    assert sum(map(len, PROGRAMS.values())) >= 18
    skipped = [code for language, code in blocks if language == "python" and NOT_RUN in code]
    assert len(skipped) <= 1
    assert all("needs torch" in code for code in skipped)
    assert {language for language, _ in blocks} == {"", "python", "yaml", "toml"}


@pytest.mark.parametrize("page", LINKED)
def test_every_relative_link_points_to_a_file_and_a_heading(page: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", (ROOT / page).read_text("utf8")))
    for link in links:
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / name).resolve() if name else ROOT / page
        assert target.exists(), f"{page}: {link}"
        assert target.is_relative_to(ROOT), f"{page}: {link}"
        if anchor:
            assert anchor in anchors(target.read_text("utf8")), f"{page}: {link}"


def anchors(text: str) -> set[str]:
    """What GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_in_the_index_and_linked_from_the_readme() -> None:
    for path in DOCS.glob("*.md"):
        assert f"(docs/{path.name})" in README
        assert path.name == "README.md" or f"({path.name})" in PAGES["docs/README.md"]


def test_every_picture_and_file_that_is_named_exists() -> None:
    names = re.findall(r"`((?:cypher|docker|examples|notebooks|prompts|training|graph_eval)/[\w./]+)`", ALL)
    assert len(names) >= 5
    for name in names:
        assert (ROOT / name).exists(), name


def test_every_module_that_is_named_can_be_imported() -> None:
    names = set(re.findall(r"`(graph_eval(?:\.\w+)+)", ALL))
    assert len(names) >= 15
    for name in names:
        resolve(name)


def resolve(name: str) -> object:
    """The module, or the attribute of a module, of that dotted name."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return getattr(resolve(module), attribute)


def test_every_contract_that_is_named_is_a_class_of_its_module() -> None:
    rows = re.findall(r"^\| `(\w+Contract)` \| `([\w.]+)` \| `(\w+)` \|$", PAGES["docs/extending.md"], re.MULTILINE)
    assert len(rows) == 9
    for name, module, _ in rows:
        contract = getattr(import_module(module), name)
        assert any(test.startswith("test_") for test in dir(contract))


# ---- commands of every page ----


def commands() -> list[tuple[str, str]]:
    """The command lines of all pages, each with its page: what stands in a block or is indented as one."""
    found = []
    for page, text in PAGES.items():
        shown = [code for language, code in BLOCK.findall(text) if language == ""]
        shown.append("\n".join(re.findall(r"^    (graph-eval .*)$", BLOCK.sub("", text), re.MULTILINE)))
        for line in "\n".join(shown).replace("\\\n", " ").splitlines():
            if re.match(r"(\$ )?graph-eval ", line):
                found.append((page, line.removeprefix("$ ").removeprefix("graph-eval ")))
    return found


def test_every_command_and_option_that_is_shown_exists() -> None:
    from graph_eval.cli.main import graph_eval as command_line

    assert len(commands()) >= 30
    for page, line in commands():
        words = shlex.split(line, comments=True)
        if words and ">" in words:
            words = words[: words.index(">")]
        command, context = command_line, command_line.make_context("graph-eval", [], resilient_parsing=True)
        while words and hasattr(command, "get_command") and (inner := command.get_command(context, words[0])):
            command, words = inner, words[1:]
            context = command.make_context(command.name, [], parent=context, resilient_parsing=True)
        options = {name for parameter in command.get_params(context) for name in parameter.opts}
        for word in words:
            if re.match(r"--?[a-z]", word):
                assert word.partition("=")[0] in options, f"{page}: graph-eval {line}"


# ---- one page ----


def yaml_block(first_line: str) -> object:
    return yaml.safe_load(block_with(first_line, "yaml", "docs/ci.md"))


def answers(path: Path, *responses: str) -> None:
    context = "The tower was opened in 1889."
    path.write_text("".join(json.dumps({"response": r, "context": context}) + "\n" for r in responses), "utf8")


TRUE, FALSE = "The tower was opened in 1889.", "The tower was opened in 1899."


@pytest.mark.parametrize(("responses", "code"), [((TRUE, TRUE), 0), ((TRUE, FALSE), 1)])
def test_the_workflow_passes_and_fails_as_it_should(cli, tmp_path: Path, responses: tuple[str, ...], code: int) -> None:
    (job,) = yaml_block("# .github/workflows")["jobs"].values()
    answers(tmp_path / "answers.jsonl", *responses)
    (command,) = (step["run"] for step in job["steps"] if step.get("run", "").startswith("graph-eval "))
    assert command in README
    done = cli(*shlex.split(command)[1:])
    assert done.returncode == code, done.stderr
    (upload,) = (step["with"] for step in job["steps"] if "upload-artifact" in step.get("uses", ""))
    assert (tmp_path / upload["path"]).is_file()


def test_pre_commit_refuses_a_file_with_an_unsupported_answer(tmp_path: Path) -> None:
    bins = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bins}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
    }

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        folder = tmp_path / "repository"
        folder.mkdir(exist_ok=True)
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    assert run("git", "init", "-q").returncode == 0
    folder = tmp_path / "repository"
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(yaml_block("# .pre-commit-config")), "utf8")
    answers(folder / "answers.jsonl", TRUE)
    run("git", "add", ".")
    assert (done := run("pre-commit", "run")).returncode == 0, done.stdout + done.stderr
    answers(folder / "answers-2.jsonl", FALSE)
    run("git", "add", ".")
    refused = run("pre-commit", "run")
    assert refused.returncode == 1
    assert "opened in 1899" in refused.stdout


def test_the_table_has_the_columns_of_bench(cli) -> None:
    shown = re.search(r"^\| title (\| route .*)\|$", PAGES["docs/benchmarks.md"], re.MULTILINE)[1]
    printed = cli("bench", "table2", ROOT / "examples" / "responses.jsonl", "--route", "triplets").stdout
    assert ["title", *shown.replace("|", " ").split()] == printed.splitlines()[0].split()


@pytest.mark.parametrize("provider", ["openai", "anthropic", "bedrock", "azure", "hosted_vllm", "ollama_chat"])
def test_every_provider_that_is_named_is_one_of_litellm(provider: str) -> None:
    from graph_eval.llm.client import litellm
    from graph_eval.llm.faults import variables

    page = PAGES["docs/language-models.md"]
    (row,) = re.findall(rf"^\|[^|]+\| `llm:{provider}/[^`]+` \|([^\n]*)\|$", page, re.MULTILINE)[:1]
    assert provider in {str(getattr(entry, "value", entry)) for entry in litellm().provider_list}
    for variable in re.findall(r"[A-Z]+(?:_[A-Z]+)+", row):
        assert variable in variables(f"{provider}/x")


def test_every_checker_is_in_its_table() -> None:
    from graph_eval.registry import names

    table = "\n".join(re.findall(r"^\| .*", PAGES["docs/checkers.md"], re.MULTILINE))
    shown = re.findall(r"`([a-z][\w.-]*(?::[\w+>]+)?)`", table)
    assert {name.partition(":")[0] for name in shown} >= set(names("checker"))


def test_the_settings_file_is_read_and_every_setting_is_in_its_table(tmp_path: Path) -> None:
    text = block_with("# graph-eval.toml", "toml", "docs/runs.md")
    (tmp_path / "graph-eval.toml").write_text(text, "utf8")
    settings = load(environment={}, folder=tmp_path)
    for table, values in tomllib.loads(text).items():
        for name, value in values.items() if isinstance(values, dict) else [(table, values)]:
            assert settings.get(name) == value
    rows = re.findall(r"^\| (\(none\)|`\[\w+\]`) \| (.*) \|$", PAGES["docs/runs.md"], re.MULTILINE)
    listed = {
        name: "" if table == "(none)" else table.strip("`[]")
        for table, names in rows
        for name in re.findall(r"\w+", names)
    }
    assert listed == {name: group for name, (group, _) in DECLARED.items()}
    assert {group for group in listed.values() if group} == GROUPS


def test_the_exit_codes_are_those_of_errors() -> None:
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGES["docs/runs.md"], re.MULTILINE)}
    assert codes == {0, 1, 130, 143, *(cls.exit_code for cls in (GraphEvalError, *GraphEvalError.__subclasses__()))}


def test_the_entry_point_makes_a_name_for_the_command_line(cli, tmp_path: Path) -> None:
    page = "docs/extending.md"
    (tmp_path / "overlap.py").write_text(block_with("# overlap.py", "python", page), "utf8")
    points = tomllib.loads(block_with("[project.entry-points", "toml", page))["project"]["entry-points"]
    installed = tmp_path / "overlap-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: overlap\nVersion: 1\n", "utf8")
    lines = [
        line for group, values in points.items() for line in (f"[{group}]", *(f"{n} = {v}" for n, v in values.items()))
    ]
    (installed / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf8")
    (command,) = (line for of_page, line in commands() if of_page == page)
    done = cli(*shlex.split(command))
    assert "Neutral, p(inconsistent) 1.00" in done.stdout, done.stderr
    wrong = cli(*shlex.split(command.replace("overlap:4", "overlap:four")))
    assert wrong.returncode == 2
    assert "checker overlap: LETTERS is 'four'" in wrong.stderr
