"""RefChecker's benchmark (arXiv 2405.14486): answers of seven language models, judged by people and by the checker.

With the user's own answers (such as those of `bench collect`) instead, there is no agreement with people: the claims
that the extractor finds give the rates, the ranks and the leaderboard.

Each published answer is judged by two routes. `given`: the checker judges the triplets that people labelled, each
worded as a sentence. `extracted`: it judges the claims that the extractor of the settings finds in the answer. So the
first route measures the checker alone, and the second what a user gets.

The rates of an answer are the shares of its claims that are entailed, neutral and contradicted. An answer without
claims has the rate 1 of Abstain. Those of a model are the means over its answers, and those of `all` settings the means
over all of them. (RefChecker's own `evaluate.py` leaves answers without claims out of the first three means.)

An answer is factual if all of its claims are entailed, which is the rule `strict`. As in RefChecker's `corr.py`, an
answer without extracted claims is factual with the share 0 of claims that are not entailed, and an answer without
triplets of people is left out of the agreement.

Intervals draw sources: the answers of all models to a question, with their claims, are drawn together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graph_eval.aggregate import Rates, rates, rule
from graph_eval.bench.benchmark import Bench, PlanBenchmark, Row, Table, Work, grouped, without_errors
from graph_eval.bench.items import resampled
from graph_eval.bench.sets.refchecker import SETTINGS as NAMES
from graph_eval.bench.sets.refchecker import LabelledAnswer, read_answers
from graph_eval.bench.table2 import judged
from graph_eval.errors import InputError
from graph_eval.extractors.wording import as_sentence
from graph_eval.metrics import (
    Array,
    Sample,
    accuracy,
    f1,
    macro_f1,
    mean,
    pearson,
    rank_correlation,
    spearman,
)
from graph_eval.sources import Records, RunResults
from graph_eval.types import COLUMNS, Claim, Example, Judgement, Label, Result, Run, Slot, Span, Text
from graph_eval.version import versions

GIVEN, EXTRACTED = "given", "extracted"
SUFFIX = "_context"  # of the settings in the files
SETTINGS = tuple(name.removesuffix(SUFFIX) for name in NAMES)
ALL = "all"
OWN, OWN_TITLE = "responses", "your responses"  # the set of the user's own answers
TRIPLETS = "refchecker-triplets-1"  # the fingerprint of the triplets of people, in the place of an extractor's
PEOPLE, CHECKER, PIPELINE = "people", "checker", "extractor and checker"
ROUTES = {PEOPLE: GIVEN, CHECKER: GIVEN, PIPELINE: EXTRACTED}  # what the claims of each judge are
TITLES = {
    PEOPLE: "Rates by people, on the triplets that they checked",
    CHECKER: "Rates by the checker, on the same triplets",
    PIPELINE: "Rates by the checker, on extracted claims",
}
RANKED = {"contradiction": 1, "entailment": -1}  # fields of Rates, with the sign by which the best is the smallest
HEADINGS = {"entailment": "entailed", "neutral": "neutral", "contradiction": "contradicted", "abstain": "abstained"}
RATES_NOTE = "Means over the answers of a model. An answer without claims has abstain 1."
RANKS_NOTE = "By the fewest contradicted claims, and by the most entailed ones."
TRIPLETS_NOTE = (
    "The two classes: Entailment, and anything else. The share `entailed by people` is also the accuracy of saying "
    "Entailment always."
)
ANSWERS_NOTE = (
    "Factual: all claims are entailed. The share `factual by people` is also the accuracy of saying so always. "
    "The correlations are those of the share of claims that are not entailed."
)
LEADERBOARD = "Leaderboard"
LEADERBOARD_NOTE = (
    "Rates by the checker on extracted claims, as means over the answers of a model. The rank is that of the "
    "contradicted claims over all settings, fewest first. A model that abstains contradicts nothing: read that share "
    "too."
)


@dataclass(frozen=True)
class RefChecker(PlanBenchmark):
    """`settings`: those that are measured, of SETTINGS. `models`: the language models whose answers are read.

    Empty: all that the file has. The user's own answers are read whole: each names its `model`, and may name its
    `setting`.
    """

    name = "refchecker"
    title = "Language models by RefChecker's rates, and the agreement with people"
    settings: Sequence[str] = ()
    models: Sequence[str] = ()

    def work(self, bench: Bench) -> Iterator[Work]:
        if bench.responses is not None:
            yield Work(OWN, OWN_TITLE, EXTRACTED, bench.responses, bench.ge.plan_for(bench.responses))
            return
        plans = {GIVEN: bench.ge.plan("check"), EXTRACTED: bench.ge.plan("extract", "check")}
        for setting, answers in self._answers(bench).items():
            name, title = f"{self.name}-{setting}", f"RefChecker, {setting} context"
            yield Work(name, title, GIVEN, _given(answers), plans[GIVEN], setting)
            examples = [_example(answer, answer.response) for answer in answers]
            yield Work(name, title, EXTRACTED, Records(examples), plans[EXTRACTED], setting)

    def _answers(self, bench: Bench) -> dict[str, list[LabelledAnswer]]:
        """The chosen answers by setting. Raises InputError if the file has none of them."""
        found: dict[str, list[LabelledAnswer]] = {}
        answers = read_answers(bench.folder(), bench.limit)
        for answer in answers:
            setting = answer.setting.removesuffix(SUFFIX)
            if (not self.settings or setting in self.settings) and (not self.models or answer.model in self.models):
                found.setdefault(setting, []).append(answer)
        missing = [name for name in self.settings if name not in found]
        known = {answer.model for chosen in found.values() for answer in chosen}
        missing += [name for name in self.models if name not in known]
        if missing:
            settings = dict.fromkeys(answer.setting.removesuffix(SUFFIX) for answer in answers)
            models = sorted({answer.model for answer in answers})
            raise InputError(
                f"no answers of {missing[0]}",
                f"the data has the settings {', '.join(settings)} and the models {', '.join(models)}",
            )
        return found

    def item(self, work: Work, result: Result) -> Row:
        """`label` 1: people found a claim of the answer that is not entailed. `human`: their labels of its triplets, in
        order. `verdicts`: those of the checker, on the same triplets (`given`) or on the extracted claims."""
        if failed := [one.error for one in result.judgements if one.error is not None]:
            return {"error": str(failed[0])}
        item = judged(result)
        if not item["model"]:
            return {"error": f'{item["id"]}: "model" is missing: name the language model of the answer'}
        meta: Mapping[str, Any] = result.example.meta if result.example else {}
        setting, human = (str(meta.get("setting") or ALL), []) if work.set == OWN else (work.context, meta["human"])
        verdicts = [{"label": str(one.label), "p_inconsistent": one.p_inconsistent} for one in result.judgements]
        return item | {"setting": setting, "human": list(human), "verdicts": verdicts}

    def about(self, bench: Bench) -> Mapping[str, Any]:
        """Of a run, the settings and the parts that made its claims and verdicts."""
        if bench.responses is None or bench.responses.run is None:
            return {}
        run = bench.ge.plan_for(bench.responses).describe(bench.responses.digest, bench.responses.run)
        return {"settings": {**run.settings, "threads": bench.settings.threads}, "fingerprints": run.fingerprints}

    def tables(self, items: Sequence[Row]) -> list[Table]:
        kept = without_errors(items)
        found = {
            judge: [Answer.of(item, judge) for item in kept if item["route"] == route]
            for judge, route in ROUTES.items()
        }
        answers = {judge: own for judge, own in found.items() if own}
        correlations = list(_correlations(answers))
        tables = [
            Table("leaderboard", LEADERBOARD, leaderboard(found[PIPELINE]), note=LEADERBOARD_NOTE),
            *(Table(f"rates, {judge}", TITLES[judge], _rates(own), note=RATES_NOTE) for judge, own in answers.items()),
            Table("strict", "Shares of the answers by the rule strict", list(_strict(answers))),
            Table("ranking", "Ranks of the models", list(_ranking(answers)), note=RANKS_NOTE),
            Table("rank_correlation", "Correlation of the ranks with those by people (Spearman)", correlations),
            Table("triplets", "Agreement with people on their triplets", list(_triplets(items)), note=TRIPLETS_NOTE),
            Table("answers", "Agreement with people on answers", list(_whole_answers(items)), note=ANSWERS_NOTE),
        ]
        return [table for table in tables if table.rows or table.name == "leaderboard"]


# ---- work ----


def _given(answers: Sequence[LabelledAnswer]) -> RunResults:
    """The triplets of people as results that have claims."""
    results = []
    for n, answer in enumerate(answers):
        wordings = [as_sentence(" ".join(item.triplet)) for item in answer.triplets]
        example = _example(answer, "\n".join(wordings), triplets=[list(item.triplet) for item in answer.triplets])
        results.append(Result(n, example, tuple(_claims(answer, wordings, Text.of(example).id))))
    records = Records([result.example for result in results if result.example])
    return run_of_triplets(results, records.digest)


def run_of_triplets(results: Sequence[Result], digest: str) -> RunResults:
    """Results whose claims are the triplets of people, as those of a run. `digest`: of their content."""
    run = Run("extract", {}, {"extractor": TRIPLETS}, versions(), digest)
    return RunResults(results, run, digest, len(results))


def _claims(answer: LabelledAnswer, wordings: Sequence[str], text_id: str) -> Iterator[Claim]:
    """The triplets as claims of a text in which each is a sentence: a checker reads the sentence of a claim."""
    start = 0
    for item, wording in zip(answer.triplets, wordings, strict=True):
        subject, predicate, object_ = (Slot(part, inferred=True) for part in item.triplet)
        sentence = Span(start, start + len(wording))
        yield Claim.triplet(text_id, (subject, predicate, object_), wording, sentence)
        start = sentence.end + 1


def _example(answer: LabelledAnswer, text: str, **more: Any) -> Example:
    human = [str(item.label) for item in answer.triplets]
    label = int(any(one != Label.ENTAILMENT for one in human)) if human else None
    meta = {"label": label, "human": human, **more}
    return Example(answer.id, "refchecker", text, answer.passages, answer.question, answer.model, meta=meta)


# ---- tables ----


@dataclass(frozen=True)
class Answer:
    """The labels that a judge gave the claims of an answer. `key`: its setting and its number there. `source`: what it
    is about."""

    key: tuple[str, int]
    source: str | None
    model: str
    labels: tuple[Label, ...]

    @staticmethod
    def of(item: Row, judge: str) -> Answer:
        labels = item["human"] if judge == PEOPLE else [verdict["label"] for verdict in item["verdicts"]]
        key = (item["setting"], item["n"])
        return Answer(key, item.get("source"), item["model"], tuple(map(Label, labels)))

    @property
    def setting(self) -> str:
        return self.key[0]

    @property
    def rates(self) -> Rates:
        return rates(self._judgements)

    @property
    def label(self) -> Label:
        """By the rule strict."""
        return rule("strict")(self._judgements, 0.5).label

    @property
    def is_factual(self) -> bool:
        return all(label is Label.ENTAILMENT for label in self.labels)

    @property
    def share_not_entailed(self) -> float:
        return sum(label is not Label.ENTAILMENT for label in self.labels) / max(1, len(self.labels))

    @property
    def _judgements(self) -> list[Judgement]:
        return [Judgement("", label, None, label is not Label.ENTAILMENT) for label in self.labels]


def _by_setting(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    """The answers of each setting, and of several settings all of them."""
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(answer.setting, []).append(answer)
    return groups | ({ALL: list(answers)} if len(groups) > 1 else {})


def _by_model(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    groups: dict[str, list[Answer]] = {model: [] for model in sorted({answer.model for answer in answers})}
    for answer in answers:
        groups[answer.model].append(answer)
    return groups


def _mean_rates(answers: Sequence[Answer]) -> dict[str, float]:
    means = np.mean([answer.rates for answer in answers], axis=0)
    return {name: round(float(value), 4) for name, value in zip(Rates._fields, means, strict=True)}


def _rates(answers: Sequence[Answer]) -> list[Row]:
    return [
        {"model": model, "setting": setting, "n": len(own), **_mean_rates(own)}
        for setting, some in _by_setting(answers).items()
        for model, own in _by_model(some).items()
    ]


def leaderboard(answers: Sequence[Answer]) -> list[Row]:
    """A row for each model, the best first: its rank, and its rates over all settings and in each."""
    settings = _by_setting(answers)
    by_setting = {name: _by_model(settings[name]) for name in sorted(settings, key=lambda name: name != ALL)}
    overall = next(iter(by_setting), ALL)
    rows = []
    for model, own in by_setting.get(overall, {}).items():
        row: Row = {"rank": 0, "model": model, "n": len(own)}
        for setting, models in by_setting.items():
            means = _mean_rates(models[model]) if model in models else {}
            row |= {f"{setting}: {heading}": means.get(name) for name, heading in HEADINGS.items()}
        rows.append(row)
    ranks = _ranks([row[f"{overall}: {HEADINGS['contradiction']}"] for row in rows])
    return sorted((row | {"rank": rank} for row, rank in zip(rows, ranks, strict=True)), key=lambda row: row["rank"])


def _ranks(values: Sequence[float]) -> list[int]:
    """The rank of each value, from 1 for the smallest. Equal values share the best of their ranks."""
    return [1 + sum(other < value for other in values) for value in values]


def _strict(answers: Mapping[str, Sequence[Answer]]) -> Iterator[Row]:
    for judge, all_answers in answers.items():
        for setting, some in _by_setting(all_answers).items():
            for model, own in _by_model(some).items():
                labels = [answer.label for answer in own]
                shares = {str(label).lower(): round(labels.count(label) / len(labels), 4) for label in Label}
                yield {"model": model, "setting": setting, "judged by": judge, "n": len(own), **shares}


def _ranking(answers: Mapping[str, Sequence[Answer]]) -> Iterator[Row]:
    """The ranks of each model by each judge, in each setting."""
    ranks: dict[tuple[str, str], Row] = {}
    for judge, all_answers in answers.items():
        for setting, some in _by_setting(all_answers).items():
            means = {model: _mean_rates(own) for model, own in _by_model(some).items()}
            for rate, sign in RANKED.items():
                found = _ranks([sign * mean[rate] for mean in means.values()])
                for model, rank in zip(means, found, strict=True):
                    row = ranks.setdefault((setting, model), {"model": model, "setting": setting})
                    row[f"{HEADINGS[rate]}: {judge}"] = rank
    columns = [f"{HEADINGS[rate]}: {judge}" for rate in RANKED for judge in answers]
    for row in ranks.values():
        yield {name: row.get(name) for name in ("model", "setting", *columns)}


def _correlations(answers: Mapping[str, Sequence[Answer]]) -> Iterator[Row]:
    """Spearman's correlation of the models' rates by each judge with those by people, over the answers of both."""
    people = {answer.key: answer for answer in answers.get(PEOPLE, ())}
    for judge in (judge for judge in answers if people and judge != PEOPLE):
        for setting, some in _by_setting([one for one in answers[judge] if one.key in people]).items():
            models = sorted({answer.model for answer in some})
            drawn = resampled([{"source": one.source, "set": one.setting, "n": one.key[1]} for one in some])
            row: Row = {"setting": setting, "judged by": judge, "models": len(models), "n": len(some)}
            for rate in RANKED:
                own = _rates_of_models(some, models, rate, drawn)
                theirs = _rates_of_models([people[answer.key] for answer in some], models, rate, drawn)
                row[HEADINGS[rate]] = rank_correlation(own, theirs).figure()._asdict()
            yield row


def _rates_of_models(answers: Sequence[Answer], models: Sequence[str], rate: str, drawn: Array) -> Array:
    """The mean rate of each model in each resample: (1 + resamples, models). Not a number where none is drawn."""
    values = np.array([getattr(answer.rates, rate) for answer in answers], dtype=np.float64)
    columns = [mean(values, drawn * np.array([answer.model == model for answer in answers])).values for model in models]
    table: Array = np.stack(columns, axis=1)
    return table.round(9)  # equal rates are equal whatever the order of their sums


def _triplets(items: Sequence[Row]) -> Iterator[Row]:
    for setting, some, errors in _agreeing(items, GIVEN):
        labels = np.array([_class(label) for item in some for label in item["human"]])
        verdicts = np.array([_class(verdict["label"]) for item in some for verdict in item["verdicts"]])
        places = [place for place, item in enumerate(some) for _ in item["human"]]
        drawn = resampled([some[place] for place in places])
        two = accuracy((labels == 0).astype(np.float64), (verdicts == 0).astype(np.float64), drawn)
        figures = {
            "accuracy": accuracy(labels, verdicts, drawn),
            "macro_f1": macro_f1(labels, verdicts, drawn),
            "accuracy, two classes": two,
        }
        row: Row = {"setting": setting, "triplets": len(labels), "answers": len(some), "errors": errors}
        yield row | {"entailed by people": round(float((labels == 0).mean()), 4)} | _shown(figures)


def _class(label: str) -> float:
    return float(COLUMNS.index(Label(label)))


def _whole_answers(items: Sequence[Row]) -> Iterator[Row]:
    for judge, route in ((CHECKER, GIVEN), (PIPELINE, EXTRACTED)):
        for setting, some, errors in _agreeing(items, route):
            factual = sum(Answer.of(item, PEOPLE).is_factual for item in some)
            row: Row = {"judged by": judge, "setting": setting, "n": len(some), "errors": errors}
            yield row | {"factual by people": round(factual / len(some), 4)} | _shown(agreement(some, judge))


def agreement(items: Sequence[Row], judge: str) -> dict[str, Sample]:
    """The agreement of people and `judge` on whole answers, for all items and for each resample."""
    people, own = ([Answer.of(item, by) for item in items] for by in (PEOPLE, judge))
    drawn = resampled(items)
    labels, verdicts = (np.array([float(one.is_factual) for one in by]) for by in (people, own))
    shares, own_shares = (np.array([one.share_not_entailed for one in by]) for by in (people, own))
    return {
        "accuracy": accuracy(labels, verdicts, drawn),
        "fact_f1": f1(labels, verdicts, drawn),
        "nonfact_f1": f1(1 - labels, 1 - verdicts, drawn),
        "pearson": pearson(shares, own_shares, drawn),
        "spearman": spearman(shares, own_shares, drawn),
    }


def _agreeing(items: Sequence[Row], route: str) -> Iterator[tuple[str, list[Row], int]]:
    """For each setting and for all: its name, the answers of a route that have triplets of people, and the number of
    those that failed."""
    by_set = grouped([item for item in items if item["route"] == route], "set")
    groups = {name.removeprefix(f"{RefChecker.name}-"): own for name, own in by_set.items()}
    if len(groups) > 1:
        groups[ALL] = [item for own in by_set.values() for item in own]
    for setting, own in groups.items():
        kept = without_errors(own)
        if agreeing := [item for item in kept if item["human"]]:
            yield setting, agreeing, len(own) - len(kept)


def _shown(figures: Mapping[str, Sample]) -> Row:
    return {name: sample.figure()._asdict() for name, sample in figures.items()}
