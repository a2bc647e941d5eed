"""What the README shows is what happens."""

import re
import shlex
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text("utf8")
NUMBER = re.compile(r"\d\.\d\d")  # probabilities differ a little between kinds of processors


def masked(text: str) -> list[str]:
    return [NUMBER.sub("0.00", line).rstrip() for line in text.strip().splitlines()]


def test_the_first_transcript(cli) -> None:
    block = next(
        block for block in re.findall(r"```\n(.*?)```", README, re.DOTALL) if "$ graph-eval check --response" in block
    )
    command, shown = block.split("\n", 1)
    done = cli(*shlex.split(command.removeprefix("$ graph-eval")))
    assert masked(done.stdout) == masked(shown)


def test_the_python_example(python) -> None:
    block = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    done = python(block.split("ge = ")[0])
    shown = next(line for line in block.splitlines() if line.strip().startswith("# The tower"))
    assert masked(done.stdout)[0].startswith(masked(shown.strip().removeprefix("# "))[0])


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text("utf8")
    for target in re.findall(r"^    make (\w+)", README, re.MULTILINE):
        assert f"\n{target}:" in makefile
