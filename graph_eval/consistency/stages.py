"""The stages of sampling: `sample` asks the model again, and `selfcheck` compares a response with its samples.

What `selfcheck` finds is the JSON value `Result.fields["consistency"]`. It stands beside the verdict of a checker on
the context and never changes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graph_eval.consistency.method import STAGE, ClaimScore, Consistency, Method, SampleLink, SampleTask, mean, sound
from graph_eval.consistency.record import SAMPLING, sampling_of
from graph_eval.consistency.sampler import Sampler, Samples
from graph_eval.consistency.samples import LeftOut, Prepared, none_usable, prepare
from graph_eval.extractors.extractor import Extractor
from graph_eval.settings import OF_LLM, Settings
from graph_eval.stage import Stage, example_of, record_name
from graph_eval.text.normalise import ARTICLES, words
from graph_eval.text.notice import LanguageNotice
from graph_eval.types import CONSISTENCY, Claim, ItemError, Result


class SampleStage(Stage):
    """Adds samples to each record that has none. A request that fails is a missing sample, not an error: the field
    `sampling` names it, and a later run with the same sampler draws it again."""

    name = "sample"

    def __init__(self, sampler: Sampler, settings: Settings) -> None:
        self.sampler = sampler
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        # The temperature of the other requests is another setting.
        own = ("sample_with", "sample_count", "sample_temperature")
        return self._settings.affecting_results((*own, *(name for name in OF_LLM if name != "temperature")))

    @property
    def fingerprint(self) -> str:
        return self.sampler.fingerprint

    def takes(self, result: Result) -> bool:
        """Also a result with the error of an earlier attempt, such as that it has no samples."""
        if result.example is None:
            return False
        retried = result.error is None or result.error.stage in (self.name, STAGE)
        return retried and bool(self._draws(result))

    def run(self, results: Sequence[Result]) -> list[Result]:
        draws = [self._draws(result) for result in results]
        drawn = self.sampler.sample([example_of(result) for result in results], draws)
        return [self._sampled(*pair) for pair in zip(results, drawn, strict=True)]

    def _draws(self, result: Result) -> list[int]:
        """The numbers of the samples that are missing."""
        if not example_of(result).samples:
            return list(range(1, self._settings.sampling.sample_count + 1))
        noted = sampling_of(result)
        return list(noted.get("draws", ())) if noted.get("fingerprint") == self.fingerprint else []

    def _sampled(self, result: Result, drawn: Samples | ItemError) -> Result:
        if isinstance(drawn, ItemError):
            return self.failed(result, drawn)
        example, missing = example_of(result), self._draws(result)
        numbers = [n for n in range(1, len(example.samples) + len(missing) + 1) if n not in missing]
        texts = dict(zip(numbers, example.samples, strict=True)) | drawn.texts
        fields = {name: value for name, value in result.fields.items() if name != SAMPLING}
        if drawn.errors:
            failed = [str(error) for error in drawn.errors.values()]
            fields[SAMPLING] = {"failed": failed, "draws": list(drawn.errors), "fingerprint": self.fingerprint}
        ordered = tuple(texts[number] for number in sorted(texts))
        return replace(result, example=replace(example, samples=ordered), fields=fields, error=None)


class SelfCheckStage(Stage):
    """Compares each response with its samples.

    `extractor`: finds the claims of the samples, if the method compares claims. `threshold`: a sentence, a claim or a
    response is flagged if its score is larger; None: that of the method.
    """

    name = STAGE

    def __init__(self, method: Method, extractor: Extractor, settings: Settings) -> None:
        self.method = method
        self.extractor = extractor
        self._settings = settings
        self._notice = LanguageNotice(method.english_only, "--method prompt:MODEL")
        own = settings.sampling.consistency_threshold
        self.threshold = method.threshold if own is None else own

    @property
    def settings(self) -> Mapping[str, Any]:
        reads = (name for name in self.method.reads if name != "threshold")  # that of verdicts on the context
        read = [*reads, *(("extractor", *self.extractor.reads) if self.method.needs_claims else ())]
        found = self._settings.affecting_results(("method", "consistency_threshold", *read))
        return {**found, "consistency_threshold": self.threshold}

    @property
    def fingerprint(self) -> str:
        return f"selfcheck-2:{self.method.fingerprint}"

    @property
    def fingerprints(self) -> Mapping[str, str]:
        parts = {"method": self.fingerprint}
        return parts | ({"extractor": self.extractor.fingerprint} if self.method.needs_claims else {})

    @property
    def roles(self) -> tuple[str, ...]:
        return ("method",)

    def takes(self, result: Result) -> bool:
        """Also a result with the error of an earlier attempt."""
        return result.example is not None and (result.error is None or result.error.stage == self.name)

    def run(self, results: Sequence[Result]) -> list[Result]:
        self._notice.read(results)
        examples = [example_of(result) for result in results]
        prepared = prepare(examples, [result.claims for result in results], self.method, self.extractor)
        compared = iter(self._compare([entry.task for entry in prepared if _comparable(entry)]))
        outputs = []
        for result, entry in zip(results, prepared, strict=True):
            found: Consistency | ItemError
            if _comparable(entry):
                found = next(compared)
            elif entry.silent is not None and example_of(result).samples:
                found = entry.nothing()
            else:
                found = none_usable(example_of(result), entry.left_out)
            outputs.append(self._compared(result, entry, found))
        return outputs

    def _compare(self, tasks: Sequence[SampleTask]) -> Sequence[Consistency | ItemError]:
        return self.method.compare(tasks) if tasks else ()

    def failed(self, result: Result, error: ItemError) -> Result:
        """The verdict of a checker stays as it is."""
        fields = {name: value for name, value in result.fields.items() if name != CONSISTENCY}
        return replace(result, error=replace(error, id=record_name(result)), fields=fields)

    def _compared(self, result: Result, entry: Prepared, consistency: Consistency | ItemError) -> Result:
        consistency = sound(consistency, entry.task)
        if isinstance(consistency, ItemError):
            return self.failed(result, consistency)
        value = to_field(consistency, entry, str(self._settings.method), self.threshold)
        return replace(result, fields={**result.fields, CONSISTENCY: value}, error=None)


def _comparable(entry: Prepared) -> bool:
    return entry.silent is None and bool(entry.places)


# ---- the JSON value of a result ----


def to_field(consistency: Consistency, entry: Prepared, method: str, threshold: float) -> dict[str, Any]:
    """What a result keeps, in JSON values. Spans are [start, end] in the response; samples are places from 0.

    `silent` is only there if the response says nothing that could be compared: the reason, as for a sample.
    """

    def flagged(score: float | None) -> bool:
        return score is not None and score > threshold

    value: dict[str, Any] = {
        "method": method,
        "threshold": threshold,
        "score": consistency.score,
        "flagged": flagged(consistency.score),
        "samples": len(entry.places),
        "left_out": [_left_out(item) for item in entry.left_out],
        "sentences": [
            {
                "span": list(item.span),
                "score": item.score,
                "flagged": flagged(item.score),
                "by_sample": list(item.by_sample),
            }
            for item in consistency.sentences
        ],
        "claims": [_claim(item, flagged(item.score), entry.places) for item in consistency.claims],
        "entities": entities(entry.task.claims, consistency.claims),
    }
    return value | ({"silent": entry.silent} if entry.silent is not None else {})


def _left_out(item: LeftOut) -> dict[str, Any]:
    value = {"sample": item.sample, "reason": item.reason}
    return value | ({"error": str(item.error)} if item.error is not None else {})


def _claim(item: ClaimScore, flagged: bool, places: Sequence[int]) -> dict[str, Any]:
    value: dict[str, Any] = {
        "id": item.claim_id,
        "score": item.score,
        "flagged": flagged,
        "supported": item.supported,
        "contradicted": item.contradicted,
        "samples": item.samples,
        "links": [_link(link, places) for link in item.links],
    }
    return value | ({"error": str(item.error)} if item.error is not None else {})


def _link(link: SampleLink, places: Sequence[int]) -> dict[str, Any]:
    claim = link.claim
    slots = [
        {
            "text": slot.text,
            "spans": [list(span) for span in slot.spans],
            "resolved": slot.resolved,
            "inferred": slot.inferred,
        }
        for slot in claim.slots
    ]
    return {
        "sample": places[link.sample],
        "relation": str(link.relation),
        "text": claim.text,
        "sentence": list(claim.sentence),
        "slots": slots,
    }


def entities(claims: Sequence[Claim], scores: Sequence[ClaimScore]) -> list[dict[str, Any]]:
    """The mean score of the claims about each entity, the highest first.

    Subjects and objects with the same words are one entity here; case and articles do not count.
    """
    found: dict[tuple[str, ...], tuple[str, list[float]]] = {}
    by_id = {claim.id: claim for claim in claims}
    for score in scores:
        claim = by_id[score.claim_id]
        ends = (claim.subject, claim.object) if score.score is not None else ()
        keys = {}
        for slot in filter(None, ends):
            key = tuple(word for word, _ in words(slot.text) if word not in ARTICLES)
            if key:
                keys[key] = slot.text
        for key, name in keys.items():
            found.setdefault(key, (name, []))[1].append(score.score or 0.0)
    rows = [{"name": name, "score": mean(values), "claims": len(values)} for name, values in found.values()]
    return sorted(rows, key=lambda row: (-float(str(row["score"])), str(row["name"])))
