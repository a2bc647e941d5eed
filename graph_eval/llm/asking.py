"""The base class of parts that ask one language model with one prompt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM
from graph_eval.llm.prompts import prompt
from graph_eval.part import Part
from graph_eval.settings import Settings


class AskingPart(Part):
    """`model`: a litellm name, a function from a prompt to an answer, or an `LLM`. `task`: the name of the prompt file.
    `arguments`: of the class, between the model and the settings.

    A pickled copy holds its arguments and is made anew from them: it makes its client again from the model's name.
    """

    def __init__(
        self, model: str | Callable[[str], str] | LLM, settings: Settings, task: str, arguments: tuple[Any, ...] = ()
    ) -> None:
        self.model = as_model(model, settings)
        self._arguments = (model if isinstance(model, str) else self.model, *arguments, settings)
        self._prompt = prompt(task, settings.llm.prompts)
        self._repair = prompt("repair", settings.llm.prompts)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    @property
    def models(self) -> tuple[LLM, ...]:
        return (self.model,)
