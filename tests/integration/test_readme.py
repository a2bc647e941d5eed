"""What the README shows is what happens."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"\d\.\d\d")  # probabilities differ a little between kinds of processors


def block_with(text: str, language: str = "") -> str:
    """The README's first block of that language that holds the text."""
    return next(block for found, block in BLOCKS if found == language and text in block)


def masked(text: str) -> list[str]:
    return [NUMBER.sub("0.00", line).rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("name", ["check", "correct"])
def test_the_transcripts_of_one_response(cli, name: str) -> None:
    block = block_with(f"$ graph-eval {name} --response")
    command, shown = block.split("\n", 1)
    done = cli(*shlex.split(command.removeprefix("$ graph-eval")))
    assert masked(done.stdout) == masked(shown)


def test_the_python_example(python) -> None:
    block = block_with("import graph_eval", "python")
    done = python(block.split("ge = ")[0])
    shown = next(line for line in block.splitlines() if line.strip().startswith("# The tower"))
    assert masked(done.stdout)[0].startswith(masked(shown.strip().removeprefix("# "))[0])


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf8")
    for target in re.findall(r"^    make (\w+)", README, re.MULTILINE):
        assert f"\n{target}:" in makefile


def yaml_block(first_line: str) -> object:
    return yaml.safe_load(block_with(first_line, "yaml"))


def answers(path: Path, *responses: str) -> None:
    context = "The tower was opened in 1889."
    path.write_text("".join(json.dumps({"response": r, "context": context}) + "\n" for r in responses), "utf8")


TRUE, FALSE = "The tower was opened in 1889.", "The tower was opened in 1899."


@pytest.mark.parametrize(("responses", "code"), [((TRUE, TRUE), 0), ((TRUE, FALSE), 1)])
def test_the_workflow_passes_and_fails_as_it_should(cli, tmp_path: Path, responses: tuple[str, ...], code: int) -> None:
    (job,) = yaml_block("# .github/workflows")["jobs"].values()
    answers(tmp_path / "answers.jsonl", *responses)
    (command,) = (step["run"] for step in job["steps"] if step.get("run", "").startswith("graph-eval "))
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


def test_every_picture_and_file_that_is_named_exists() -> None:
    named = re.findall(r"\]\(([^)#:]+)\)", README) + re.findall(
        r"`((?:examples|notebooks|training|graph_eval)/[\w./]+)`", README
    )
    assert len(named) >= 5
    for name in named:
        assert (ROOT / name).exists(), name


def test_looking_at_a_run_says_where_the_files_are(cli) -> None:
    block = block_with("$ graph-eval report")
    cli("check", ROOT / "examples" / "responses.jsonl", "-o", "RUN")
    for command, shown in re.findall(r"\$ graph-eval ((?:report|viz) .*)\n(.*)\n", block):
        assert cli(*shlex.split(command)).stdout.strip() == shown


def test_the_table_has_the_columns_of_bench(cli) -> None:
    shown = re.search(r"^set +route.*$", README, re.MULTILINE)[0]
    printed = cli("bench", "table2", ROOT / "examples" / "responses.jsonl", "--route", "triplets").stdout
    assert shown.split() == printed.splitlines()[0].split()


def test_the_graph_transcript(cli) -> None:
    load, query = re.findall(r"\$ graph-eval (.*)\n", block_with("$ graph-eval load RUN"))
    cli("check", ROOT / "examples" / "responses.jsonl", "-o", "RUN")
    assert cli(*shlex.split(load)).returncode == 0
    shown = block_with("$ graph-eval load RUN").split(f"$ graph-eval {query}\n")[1]
    assert [line.split() for line in cli(*shlex.split(query)).stdout.splitlines()] == [
        line.split() for line in shown.splitlines()
    ]


def test_the_example_with_functions_for_models(python) -> None:
    block = block_with("LLMExtractor(lambda", "python")
    shown = re.search(r"# (\w+)$", block.strip())[1]
    done = python(block)
    assert done.stdout.strip() == shown, done.stderr


@pytest.mark.parametrize("provider", ["openai", "anthropic", "bedrock", "azure", "hosted_vllm", "ollama_chat"])
def test_every_provider_that_is_named_is_one_of_litellm(provider: str) -> None:
    from graph_eval.llm.client import litellm
    from graph_eval.llm.faults import variables

    (row,) = re.findall(rf"^\|[^|]+\| `llm:{provider}/[^`]+` \|([^\n]*)\|$", README, re.MULTILINE)[:1]
    assert provider in {str(getattr(item, "value", item)) for item in litellm().provider_list}
    for variable in re.findall(r"[A-Z]+(?:_[A-Z]+)+", row):
        assert variable in variables(f"{provider}/x")
