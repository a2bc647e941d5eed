"""Collects the responses of language models to questions, in the three settings of RefChecker (arXiv 2405.14486).

`zero`: the question alone. `noisy`: with passages that a search found. `accurate`: with the text that the question or
the task is about. Each setting has a prompt file of its own. Questions are records with `question` and, for the last
two settings, `context`. In the setting `zero` a context is kept for the check and not sent.

The stage `collect` asks, and a run directory keeps the answers, so that an interrupted collection continues. A question
that was not answered is asked again in another run directory beside the first one, whose input is the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graph_eval.bench.benchmark import untracked
from graph_eval.consistency.sampler import text_of
from graph_eval.errors import UsageError
from graph_eval.formats import files
from graph_eval.formats.labelled import Track
from graph_eval.formats.records import LIMITS, RecordError, example, failed
from graph_eval.jobs import Job
from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Request, completed
from graph_eval.llm.prompts import prompt
from graph_eval.plan import Plan
from graph_eval.runs.directory import META, read_meta
from graph_eval.runs.resume import RunDirectory
from graph_eval.settings import OF_LLM, LimitSettings, Settings
from graph_eval.sources import RunFiles, Source
from graph_eval.stage import Stage, example_of
from graph_eval.text.normalise import readable
from graph_eval.types import Example, ItemError, Result, content_hash

SETTINGS = ("zero", "noisy", "accurate")
WITHOUT_PASSAGES = "zero"
OLD = ("label", "setting")  # fields of a record that belong to another response


class QuestionFiles(Source):
    """The questions of files, each once for every model, as records without a response.

    The models of a question follow each other. `limit`: the maximum number of questions. Other arguments: see
    `sources.RecordFiles`. A question that is missing or empty is an error of its record, and so is a missing context
    where the setting has one. Raises InputError if a file cannot be read at all.
    """

    def __init__(
        self,
        names: Sequence[str],
        models: Sequence[str],
        setting: str,
        mapping: Sequence[str] = (),
        limit: int | None = None,
        form: str | None = None,
        limits: LimitSettings = LIMITS,
    ) -> None:
        if not names:
            raise UsageError("missing input", "pass a file of questions")
        self._models, self._setting, self._limit = tuple(models), setting, limit
        self._required = ("question",) if setting == WITHOUT_PASSAGES else ("question", "context")
        self._files = files.sources(names, form, limits, self._required)
        self._renamed = {name: column for name, column in files.field_map(mapping).items() if name != "response"}
        self.digest = content_hash("questions", files.digest(self._files), sorted(self._renamed.items()), limit)
        count = sum(1 for _ in files.values(self._files))
        self.total = len(self._models) * (count if limit is None else min(count, limit))

    def results(self) -> Iterator[Result]:
        n = 0
        for item in self._items():
            asked = [item] if isinstance(item, ItemError) else [replace(item, model=model) for model in self._models]
            for one in asked:
                yield Result(n, None, error=one) if isinstance(one, ItemError) else Result(n, one)
                n += 1

    def _items(self) -> Iterator[Example | ItemError]:
        number = 0
        for source in self._files:
            for place, value in files.values([source]):
                number += 1
                if self._limit is not None and number > self._limit:
                    return
                try:
                    yield self._question(value, number, source)
                except RecordError as problem:
                    yield failed(problem, place, value)

    def _question(self, value: object, number: int, source: files.Source) -> Example:
        if isinstance(value, RecordError):
            raise value
        record = {**value, "response": ""} if isinstance(value, dict) else value
        item = example(record, number, source.dataset, self._renamed, source.limits, self._required)
        if not (item.question or "").strip():
            raise RecordError('"question" is empty', "write a question, or leave out the record")
        if self._setting != WITHOUT_PASSAGES and not item.passages:
            raise RecordError(f'"context" is empty, and the setting {self._setting} needs it', "pass --setting zero")
        meta = {name: value for name, value in item.meta.items() if name not in OLD}
        return replace(item, response="", samples=(), meta={**meta, "setting": self._setting})


class CollectStage(Stage):
    """Asks the model that a record names for its response. `models`: litellm names. `setting`: one of SETTINGS."""

    name = "collect"

    def __init__(self, models: Sequence[str], setting: str, settings: Settings) -> None:
        self.models: dict[str, LLM] = {name: as_model(name, settings) for name in models}
        self._setting, self._settings = setting, settings
        self._prompt = prompt(f"collect_{setting}", settings.llm.prompts)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"models": list(self.models), "setting": self._setting, **self._settings.affecting_results(OF_LLM)}

    @property
    def fingerprint(self) -> str:
        models = content_hash(*(model.fingerprint for model in self.models.values()))
        return f"collect-1:{self._prompt.fingerprint}:{models}"

    def takes(self, result: Result) -> bool:
        """A record without a response, also one that was not answered before."""
        unanswered = result.example is not None and not result.example.response
        return unanswered and (result.error is None or result.error.stage == self.name)

    def run(self, results: Sequence[Result]) -> list[Result]:
        outputs = list(results)
        for name, model in self.models.items():
            places = [place for place, result in enumerate(results) if example_of(result).model == name]
            answers = completed(model, [self._request(example_of(results[place])) for place in places])
            for place, answer in zip(places, map(text_of, answers), strict=True):
                outputs[place] = self._answered(results[place], answer)
        return outputs

    def _request(self, asked: Example) -> Request:
        values: dict[str, Any] = {"question": asked.question}
        if self._setting != WITHOUT_PASSAGES:
            values["passages"] = [readable(passage.text) for passage in asked.passages]
        return Request(self._prompt.messages(**values))

    def _answered(self, result: Result, answer: str | ItemError) -> Result:
        asked = example_of(result)
        if isinstance(answer, ItemError):
            return replace(result, error=replace(answer, stage=self.name, id=asked.id))
        return replace(result, example=replace(asked, response=answer), error=None)


def collect(source: Source, stage: CollectStage, chunk: int, folder: Path, track: Track = untracked) -> RunFiles:
    """Asks every question of the source, and returns the run with the answers.

    `folder`: of the run directories 1, 2, ...: the first attempt, and those that ask again what was not answered. An
    attempt that was interrupted continues, and after one that ended with unanswered questions the next call begins
    another. Raises RunError for a folder with another input or other settings, and ModelError where no request can be
    answered.
    """
    plan = Plan((stage,), chunk)
    attempt = 1
    while True:
        path = folder / str(attempt)
        was_finished = (path / META).exists() and bool(read_meta(path).get("finished"))
        job = Job(source, plan, [RunDirectory(path)])
        unanswered = [stage.takes(result) for result in track(job.results(), source.total or 0, "collecting")]
        source = RunFiles(path)
        if not (was_finished and any(unanswered)):
            return source
        attempt += 1
