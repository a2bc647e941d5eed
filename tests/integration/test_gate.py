"""The gate in front of a user: a loopback model with scripted samples, behind the real litellm."""

import asyncio
import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from graph_eval import GraphEval
from graph_eval.checkers.checker import CheckTask
from graph_eval.consistency.method import Consistency, Method, SampleTask, by_sample
from graph_eval.errors import GraphEvalWarning, UsageError
from graph_eval.extractors.extractor import as_extractor
from graph_eval.gate import Decision, Gate, GatedSentence, Outcome
from graph_eval.llm.model import Completion, Message, Request
from graph_eval.settings import Settings
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest
from graph_eval.testing.server import Answer
from graph_eval.types import Claim, ItemError, Judgement, Label, Text

pytestmark = pytest.mark.usefixtures("own_cache")
QUESTION = "Who was Curie?"
TRUE, FALSE = "Curie was born in Warsaw.", "Curie was born in Paris."
ANSWER = f"{TRUE} She won prizes."


class Same(Method):
    """A sentence that a sample holds word for word scores 0, any other 1."""

    fingerprint = "same-1"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [
            by_sample(
                task,
                [
                    [float(span.of(task.text.text) not in sample.text) for sample in task.samples]
                    for span in task.sentences
                ],
            )
            for task in tasks
        ]


class AtOnce(Same):
    """As `Same`, but a method that compares with all samples at once."""

    stepwise = False


LONGEST = 30.0  # seconds: what takes longer hangs


def late_after(compared: int, monkeypatch: pytest.MonkeyPatch) -> Method:
    """A method that moves the gate's clock past every deadline once so many samples are compared."""
    ahead = 0.0

    class Late(Same):
        left = compared

        def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
            nonlocal ahead
            self.left -= len(tasks)
            if self.left <= 0:
                ahead = 1e6
            return super().compare(tasks)

    monkeypatch.setattr("graph_eval.gate.monotonic", lambda: time.monotonic() + ahead)
    return Late()


Timed = tuple[float | threading.Event, Answer]  # seconds, or what is waited for, and what is answered then


def timed(answer: Timed | Answer, samples: Sequence[Timed | Answer]) -> Callable[[ReceivedRequest], Answer]:
    """A script: the request at temperature 0 gets the answer, the others the samples in the order of arrival."""
    lock, number = threading.Lock(), iter(range(len(samples)))

    def script(request: ReceivedRequest) -> Answer:
        if request.last == "Hello":
            return "Hello."
        if request.body["temperature"] == 0:
            found = answer
        else:
            with lock:
                found = samples[next(number)]
        wait, text = found if isinstance(found, tuple) else (0.0, found)
        if isinstance(wait, threading.Event):
            return text if wait.wait(LONGEST) else Fault(500, "nothing ended the wait")
        time.sleep(wait)
        return text

    return script


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it holds before `LONGEST` is over."""
    end = time.monotonic() + LONGEST
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def run_alone(task: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine in a thread of its own: a browser of other tests may keep the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, task).result()


def gate_on(server: LoopbackServer, method: Any = None, **options: Any) -> Gate:
    settings = Settings.of(api_base=server.url, cache="off", retries=0)
    return Gate("openai/x", method or Same(), settings=settings, **options)


@pytest.fixture(autouse=True)
def _warm() -> None:
    """The import of litellm and the first request of a client take seconds, which are none of the gate's."""
    with LoopbackServer(["x."]) as server, gate_on(server, samples=1) as gate:
        gate.ask(QUESTION)


HELLO = Request((Message("user", "Hello"),))


def reached(gate: Gate) -> None:
    """As after a first question: until a server has answered, requests are sent one after the other."""
    for model in (gate._model, gate._sampler.model):
        model.complete([HELLO])


def test_what_all_samples_repeat_is_the_answer() -> None:
    with LoopbackServer(timed(ANSWER, [ANSWER] * 3)) as server, gate_on(server, samples=3) as gate:
        outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.text, outcome.score) == (Decision.ANSWER, ANSWER, 0.0)
    assert all(sentence.passed and sentence.checked for sentence in outcome.sentences)
    assert outcome.reason is None


def test_what_the_samples_do_not_repeat_is_marked() -> None:
    answer = f"{TRUE} She won prizes. She sang."
    samples = [f"{TRUE} She won prizes."] * 3
    with LoopbackServer(timed(answer, samples)) as server, gate_on(server, samples=3) as gate:
        outcome = gate.ask(QUESTION)
    assert outcome.decision is Decision.MARKED
    assert outcome.text == f"{TRUE} She won prizes. [[She sang.]]"
    assert outcome.marked("<", ">").endswith("<She sang.>")
    assert outcome.score == pytest.approx(1 / 3, abs=1e-6)


def test_what_samples_deny_is_unknown() -> None:
    with LoopbackServer(timed(FALSE, [TRUE] * 3)) as server, gate_on(server, samples=3, unknown="Not sure.") as gate:
        outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.text, outcome.answer) == (Decision.UNKNOWN, "Not sure.", FALSE)


def test_the_threshold_decides() -> None:
    samples = [TRUE, FALSE, FALSE, FALSE]
    for threshold, decision in ((0.25, Decision.UNKNOWN), (0.75, Decision.ANSWER)):
        with LoopbackServer(timed(TRUE, samples)) as server, gate_on(server, samples=4, threshold=threshold) as gate:
            assert gate.ask(QUESTION).decision is decision


def test_the_answer_and_the_samples_are_asked_for_at_the_same_time() -> None:
    """None is answered before all have arrived. So a question takes as long as the slowest, not as all together."""
    together = threading.Barrier(6)

    def script(request: ReceivedRequest) -> Answer:
        if request.last != "Hello":
            together.wait(LONGEST)
        return TRUE

    with LoopbackServer(script) as server, gate_on(server, threshold=0.0) as gate:
        reached(gate)
        outcome = gate.ask(QUESTION)
    assert outcome.compared == 5


def test_it_stops_once_enough_samples_disagree() -> None:
    over = threading.Event()
    samples = [FALSE, FALSE, FALSE, (over, TRUE), (over, TRUE)]
    with LoopbackServer(timed(TRUE, samples)) as server, gate_on(server) as gate:
        reached(gate)
        outcome = gate.ask(QUESTION)
        over.set()
    assert outcome.decision is Decision.UNKNOWN
    assert (outcome.compared, outcome.saved, outcome.failed) == (3, pytest.approx(0.4), ())


def test_with_few_in_flight_an_early_stop_saves_the_requests() -> None:
    with LoopbackServer(timed(TRUE, [FALSE] * 10)) as server, gate_on(server, samples=10, at_once=2) as gate:
        outcome = gate.ask(QUESTION)
    assert outcome.decision is Decision.UNKNOWN
    assert outcome.compared == 6
    assert outcome.sent <= 8
    assert len(server.requests) == 1 + outcome.sent


@pytest.mark.parametrize("pattern", range(16))
def test_an_early_decision_is_that_of_all_samples(pattern: int) -> None:
    """Every order of agreeing and disagreeing samples: the gate decides as the mean over all of them does."""
    agree = [bool(pattern >> place & 1) for place in range(4)]
    samples = [TRUE if value else FALSE for value in agree]
    with LoopbackServer(timed(TRUE, samples)) as server, gate_on(server, samples=4, at_once=1) as gate:
        outcome = gate.ask(QUESTION)
    expected = Decision.UNKNOWN if 1 - sum(agree) / 4 > 0.5 else Decision.ANSWER
    assert outcome.decision is expected


def test_what_a_deadline_leaves_unchecked_is_said_and_has_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    samples = [TRUE, TRUE, (over, TRUE), (over, TRUE), (over, TRUE)]
    method = late_after(2, monkeypatch)
    with LoopbackServer(timed(TRUE, samples)) as server, gate_on(server, method, deadline=LONGEST) as gate:
        reached(gate)
        outcome = gate.ask(QUESTION)
        over.set()
    assert outcome.reason == "deadline"
    assert outcome.decision is Decision.UNKNOWN
    assert [sentence.checked for sentence in outcome.sentences] == [False]
    assert outcome.unchecked == outcome.sentences
    assert not outcome.sentences[0].passed
    assert outcome.compared == 2


def test_without_an_answer_in_time_there_is_none() -> None:
    over = threading.Event()
    with LoopbackServer(timed((over, TRUE), [TRUE] * 2)) as server, gate_on(server, samples=2, deadline=0.3) as gate:
        outcome = gate.ask(QUESTION)
        over.set()
        assert (outcome.decision, outcome.answer, outcome.reason) == (Decision.UNKNOWN, "", "deadline")


def test_samples_that_fail_or_refuse_are_left_out_and_named() -> None:
    # The sample that says something comes last: before the others it would end the wait as soon as one of them fails.
    samples: list[Any] = [Fault(400, "no"), "I'm sorry, I can't answer that.", (0.7, TRUE)]
    with LoopbackServer(timed(TRUE, samples)) as server, gate_on(server, samples=3) as gate:
        outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.compared) == (Decision.ANSWER, 1)
    assert sorted(re.sub(r".*: ", "", error.message)[:20] for error in outcome.failed) == [
        "no",
        "the sample is a refus"[:20],
    ]


def test_if_every_sample_fails_nothing_was_checked() -> None:
    with LoopbackServer(timed(TRUE, [Fault(400, "no")] * 3)) as server, gate_on(server, samples=3) as gate:
        outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.reason, len(outcome.failed)) == (Decision.UNKNOWN, "no sample", 3)
    assert [(sentence.passed, sentence.checked) for sentence in outcome.sentences] == [(False, False)]


class FailsAtFirst:
    """A checker whose first answers are errors; to the others every claim is wrong."""

    fingerprint = "fails-at-first-1"

    def __init__(self, failing: int) -> None:
        self.failing = failing

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        found: list[list[Judgement] | ItemError] = []
        for task in tasks:
            self.failing -= 1
            error = ItemError("check", "503") if self.failing >= 0 else None
            found.append(error or [Judgement(claim.id, Label.CONTRADICTION, 0.99, True) for claim in task.claims])
        return found


@pytest.mark.parametrize(("failing", "reason"), [(3, "no sample"), (1, None)])
def test_what_a_failing_checker_leaves_unchecked_has_not_passed(failing: int, reason: str | None) -> None:
    samples = [(0.0, f"Ada was born in {place}.") for place in ("Rome", "Oslo", "Bonn")]
    with (
        LoopbackServer(timed((0.0, "Ada was born in London."), samples)) as server,
        gate_on(server, FailsAtFirst(failing), samples=3) as gate,
    ):
        outcome = gate.ask("Where was Ada born?")
    assert outcome.decision is Decision.UNKNOWN
    assert outcome.reason == reason
    assert [error.message for error in outcome.failed] == ["no claim could be compared: 503"] * failing
    assert outcome.compared == 3 - failing


def test_a_slow_comparison_does_not_go_on_after_the_deadline() -> None:
    class Slow(Same):
        def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
            time.sleep(0.3 * len(tasks))
            return super().compare(tasks)

    samples = [(0.2 + number / 20, "Ada was born in London.") for number in range(6)]
    with (
        LoopbackServer(timed((0.0, "Ada was born in London."), samples)) as server,
        gate_on(server, Slow(), samples=6, deadline=0.6) as gate,
    ):
        outcome = gate.ask("Where was Ada born?")
    assert outcome.reason == "deadline"
    assert outcome.compared < 6
    assert outcome.decision is Decision.UNKNOWN


@pytest.mark.parametrize(
    ("compared", "decision", "reason"), [(3, Decision.UNKNOWN, "deadline"), (5, Decision.ANSWER, None)]
)
def test_samples_that_came_before_the_answer_are_not_compared_after_the_deadline(
    compared: int, decision: Decision, reason: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If five of nine samples agree, the others can change nothing: it does not matter that they were too late."""
    method = late_after(compared, monkeypatch)
    with (
        LoopbackServer(timed((0.5, "Ada was born in London."), ["Ada was born in London."] * 9)) as server,
        gate_on(server, method, samples=9, deadline=LONGEST) as gate,
    ):
        reached(gate)
        outcome = gate.ask("Where was Ada born?")
    assert (outcome.compared, outcome.decision, outcome.reason) == (compared, decision, reason)


def test_the_score_of_the_answer_is_that_of_self_checking() -> None:
    samples = ["She was a queen of Spain and won a prize."]
    with (
        LoopbackServer(timed(f"{TRUE} She won a prize.", samples)) as server,
        gate_on(server, "cosine", samples=1) as gate,
    ):
        outcome = gate.ask(QUESTION)
    found = GraphEval(method="cosine").selfcheck(f"{TRUE} She won a prize.", samples).fields["consistency"]
    assert outcome.score == pytest.approx(found["score"], abs=1e-6)
    assert outcome.score != pytest.approx(sum(item["score"] for item in found["sentences"]) / 2, abs=1e-3)


def test_a_sample_whose_claims_cannot_be_extracted_is_left_out_of_a_comparison_of_all() -> None:
    class Some:
        fingerprint = "some-1"

        def extract(self, texts: Sequence[Text]) -> list[list[Claim] | ItemError]:
            return [ItemError("extract", "rate limit") if "queen" in text.text else [] for text in texts]

    samples = iter([TRUE, TRUE, "She was a queen.", TRUE])
    gate = Gate(lambda _: next(samples), "ensemble:ngram+graph", samples=3, at_once=1)
    gate._extractor = as_extractor(Some())
    with gate:
        outcome = gate.ask(QUESTION)
    assert outcome.compared == 2
    assert [error.message for error in outcome.failed] == ["rate limit"]


def test_an_answer_that_fails_is_unknown_with_its_error() -> None:
    with LoopbackServer(timed(Fault(400, "no such thing"), [TRUE] * 2)) as server, gate_on(server, samples=2) as gate:
        outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.reason) == (Decision.UNKNOWN, "no answer")
    assert outcome.error is not None
    assert "no such thing" in outcome.error.message


def test_a_stream_gives_sentences_before_the_last_sample_and_then_the_outcome() -> None:
    shown = threading.Event()
    samples = [ANSWER, ANSWER, TRUE, (shown, TRUE), (shown, TRUE)]
    with LoopbackServer(timed(ANSWER, samples)) as server, gate_on(server) as gate:
        reached(gate)
        stream = gate.stream(QUESTION)
        events: list[Any] = [next(stream)]  # without the samples that wait for it
        shown.set()
        events += stream
    sentences = [event for event in events if isinstance(event, GatedSentence)]
    outcome = events[-1]
    assert isinstance(outcome, Outcome)
    assert [sentence.text for sentence in sentences] == [TRUE, "She won prizes."]
    assert tuple(sentences) == outcome.sentences
    assert [sentence.passed for sentence in sentences] == [True, False]
    assert (outcome.decision, outcome.compared, outcome.failed) == (Decision.MARKED, 5, ())


def test_a_stream_shows_nothing_of_an_answer_that_is_unknown() -> None:
    with LoopbackServer(timed(ANSWER, [FALSE] * 3)) as server, gate_on(server, samples=3) as gate:
        (only,) = gate.stream(QUESTION)
    assert isinstance(only, Outcome)


def test_a_method_of_all_samples_waits_for_them() -> None:
    with (
        LoopbackServer(timed(TRUE, [FALSE, FALSE, FALSE, TRUE])) as server,
        gate_on(server, AtOnce(), samples=4) as gate,
    ):
        outcome = gate.ask(QUESTION)
    assert (outcome.compared, outcome.saved, outcome.decision) == (4, 0.0, Decision.UNKNOWN)


@pytest.mark.parametrize("method", ["nli", "graph", "ngram", "ensemble:nli+graph"])
def test_the_methods_of_the_package_work_in_a_gate(method: str) -> None:
    samples = ["Curie was born in Warsaw in 1867.", "Curie was born in Warsaw.", "Curie, born in Warsaw, won a prize."]
    with LoopbackServer(timed(TRUE, samples)) as server, gate_on(server, method, samples=3) as gate:
        right = gate.ask(QUESTION)
    with (
        LoopbackServer(timed("She was a queen of Spain.", samples)) as server,
        gate_on(server, method, samples=3) as gate,
    ):
        wrong = gate.ask(QUESTION)
    assert right.score is not None
    assert wrong.score is not None
    assert wrong.score > right.score
    assert wrong.decision is Decision.UNKNOWN
    assert right.decision is Decision.ANSWER


def test_async_gives_the_same_and_several_questions_run_side_by_side() -> None:
    async def ask(gate: Gate) -> list[Outcome]:
        return await asyncio.gather(*(gate.ask_async(QUESTION) for _ in range(3)))

    together = threading.Barrier(9)  # three questions send three requests each

    def script(request: ReceivedRequest) -> Answer:
        if request.last != "Hello":
            together.wait(LONGEST)
        return TRUE

    with LoopbackServer(script) as server, gate_on(server, samples=2, threshold=0.0) as gate:
        reached(gate)
        outcomes = run_alone(ask(gate))
    assert [(outcome.decision, outcome.compared) for outcome in outcomes] == [(Decision.ANSWER, 2)] * 3


def test_async_streams() -> None:
    async def read(gate: Gate) -> list[Any]:
        return [event async for event in gate.stream_async(QUESTION)]

    with LoopbackServer(timed(ANSWER, [ANSWER] * 2)) as server, gate_on(server, samples=2) as gate:
        events = run_alone(read(gate))
    assert [type(event) for event in events] == [GatedSentence, GatedSentence, Outcome]


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if thread.name.startswith(("gate", "model", "request"))}


def sockets() -> int:
    """Open connections of this process to a loopback server: sockets among its file descriptors."""
    return sum(os.path.realpath(entry).startswith(("socket:", "/proc/")) and "socket:" in os.path.realpath(entry)
               for entry in Path("/proc/self/fd").iterdir())  # fmt: skip


def test_a_caller_who_cancels_leaves_no_thread_and_no_further_request() -> None:
    over = threading.Event()

    async def cancelled(gate: Gate) -> None:
        task = asyncio.create_task(gate.ask_async(QUESTION))
        await asyncio.to_thread(eventually, lambda: len(server.requests) == 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    waited: list[bool] = []

    def script(request: ReceivedRequest) -> Answer:
        if request.last != "Hello":
            waited.append(over.wait(LONGEST))
        return TRUE

    with LoopbackServer(script) as server, gate_on(server, samples=6, at_once=2) as gate:
        reached(gate)
        run_alone(cancelled(gate))
        assert waited == []  # it did not wait for the requests in flight
        over.set()
        gate.close()
        assert eventually(lambda: threads() == set())
        assert len(server.requests) == 5  # two greetings, the answer and two samples; the others were never sent


def test_closing_a_stream_cancels_it() -> None:
    over = threading.Event()
    samples = [(0.0, ANSWER), (0.0, ANSWER), (0.0, ANSWER), (over, ANSWER), (over, ANSWER), (over, ANSWER)]
    with LoopbackServer(timed(ANSWER, samples)) as server, gate_on(server, samples=6, at_once=2) as gate:
        reached(gate)
        events = gate.stream(QUESTION)
        assert isinstance(next(events), GatedSentence)
        before = len(server.requests)
        events.close()
        over.set()
        gate.close()
        assert eventually(lambda: threads() == set())
        assert len(server.requests) - before <= 2  # those in flight; the others were never sent


@pytest.mark.parametrize("waiting", ["for its turn", "to try again"])
def test_a_request_that_waits_is_not_sent_after_the_end(waiting: str) -> None:
    """The first request of a client goes alone, and one that fails is tried again after a pause. Neither goes on when
    nobody waits for it any more."""
    over = threading.Event()

    def script(_: ReceivedRequest) -> Answer:
        if waiting == "to try again":
            return Fault(503, "busy")
        over.wait(LONGEST)
        return TRUE

    with LoopbackServer(script) as server:
        settings = Settings.of(api_base=server.url, cache="off", retries=50)
        with Gate("openai/x", Same(), settings=settings, samples=6, deadline=0.3) as gate:
            assert gate.ask(QUESTION).reason == "deadline"
            before = len(server.requests)
            over.set()
            gate.close(LONGEST)
            assert eventually(lambda: threads() == set())
        assert len(server.requests) <= before + 2  # one of the answer's client, one of the samples'


def test_many_questions_leak_nothing() -> None:
    with LoopbackServer(lambda _: TRUE) as server, gate_on(server, samples=3) as gate:
        gate.ask(QUESTION)
        gate.close()
        before = sockets()
        for _ in range(20):
            gate.ask(QUESTION)
        gate.close()
        assert eventually(lambda: threads() == set())
        assert sockets() <= before + 8  # connections are kept for the next requests, not one for each


@pytest.mark.parametrize("end", ["deadline", "cancelled", "closed"])
def test_questions_that_end_early_leak_nothing(end: str) -> None:
    """Ten questions whose samples are still on their way when nobody waits for them any more."""
    over, numbers, lock = threading.Event(), itertools.count(), threading.Lock()

    def script(request: ReceivedRequest) -> Answer:
        if request.last != "Hello" and request.body["temperature"] != 0:
            with lock:
                last = next(numbers) % 3 == 2
            if last or end != "closed":  # two agreeing samples of three show the first sentence
                over.wait(LONGEST)
        return ANSWER

    async def cancelled(gate: Gate) -> None:
        asked = len(server.requests)
        task = asyncio.create_task(gate.ask_async(QUESTION))
        await asyncio.to_thread(eventually, lambda: len(server.requests) > asked)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    counts: list[int] = []
    deadline = 0.2 if end == "deadline" else None
    with LoopbackServer(script) as server:
        for _ in range(10):
            over.clear()
            with gate_on(server, samples=3, deadline=deadline) as gate:
                reached(gate)
                if end == "deadline":
                    assert gate.ask(QUESTION).reason == "deadline"
                elif end == "cancelled":
                    run_alone(cancelled(gate))
                else:
                    events = gate.stream(QUESTION)
                    assert isinstance(next(events), GatedSentence)
                    events.close()
                over.set()
            assert eventually(lambda: threads() == set())
            counts.append(sockets())
    assert counts[-1] <= counts[0] + 8, counts


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("samples", (0, "3", 2.5, True, float("nan"))),
        ("at_once", (0, "3", 2.5, [1])),
        ("threshold", (2.0, -0.1, "0.5", True, float("nan"))),
        ("deadline", (0.0, -1, "4", float("nan"))),
        ("unknown", (None, 7)),
    ],
)
def test_values_that_make_no_sense_are_refused(name: str, values: Sequence[Any]) -> None:
    for value in values:
        with pytest.raises(UsageError, match=re.escape(f"invalid {name}: {value!r}\nuse ")):
            Gate(str, Same(), **{name: value})


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(UsageError, match="7 is not a model"):
        Gate(7, Same())  # type: ignore[arg-type]


def test_a_deadline_of_any_length_is_taken() -> None:
    with Gate(lambda _: ANSWER, Same(), samples=2, deadline=float("inf")) as gate:
        assert gate.ask(QUESTION).decision is Decision.ANSWER


class Returning:
    """A model that returns one value for the answer and another one for each sample, whatever they are."""

    fingerprint = "returning-1"

    def __init__(self, answer: Any, sample: Any) -> None:
        self.answer, self.sample = answer, sample

    def complete(self, requests: Sequence[Request]) -> Any:
        return self.sample if requests[0].draw else self.answer


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (None, "the model returned None for 1 request"),
        ([], "the model returned 0 answers for 1 request"),
        ("text", "the model returned an object of type str for 1 request"),
        ([None], "the model returned None as an answer"),
        (["text"], "the model returned an object of type str as an answer"),
    ],
)
def test_a_model_that_returns_no_answers_gives_failed_samples_with_a_named_error(sample: Any, message: str) -> None:
    with Gate(Returning([Completion(ANSWER)], sample), Same(), samples=2) as gate:
        outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.reason) == (Decision.UNKNOWN, "no sample")
    assert [error.message for error in outcome.failed] == [message, message]
    with Gate(Returning(sample, [Completion(ANSWER)]), Same(), samples=2) as gate:
        outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.reason) == (Decision.UNKNOWN, "no answer")
    assert outcome.error is not None
    assert outcome.error.message == message


def test_a_function_that_returns_none_gives_a_failed_sample_with_a_named_error() -> None:
    answers = iter([ANSWER, None, ANSWER])
    with Gate(lambda _: next(answers), Same(), samples=2, at_once=1) as gate:  # type: ignore[arg-type,return-value]
        outcome = gate.ask(QUESTION)
    assert outcome.decision is Decision.ANSWER
    assert [error.message for error in outcome.failed] == ["the function of the model returned None"]


def test_a_model_that_never_answers_holds_up_neither_a_question_with_a_deadline_nor_the_end() -> None:
    never = threading.Event()

    ended: list[bool] = []

    def model(_: str) -> str:
        ended.append(never.wait(LONGEST))
        return ANSWER

    gate = Gate(model, Same(), samples=2, deadline=0.2)
    outcome = gate.ask(QUESTION)
    assert (outcome.decision, outcome.reason) == (Decision.UNKNOWN, "deadline")
    with pytest.warns(GraphEvalWarning, match="the gate is closed while 3 requests still run"):
        gate.close(0.2)
    assert ended == []
    never.set()
    gate.close()
    assert threads() == set()


@pytest.mark.parametrize("answer", ["...", "I'm sorry, I can't answer that.", "Lo siento, no lo sé."])
def test_an_answer_that_says_nothing_passes_as_it_is(answer: str) -> None:
    with Gate(lambda _: answer, Same(), samples=2) as gate:
        *sentences, outcome = gate.stream(QUESTION)
    assert isinstance(outcome, Outcome)
    assert (outcome.decision, outcome.text, outcome.score) == (Decision.ANSWER, answer, None)
    assert tuple(sentences) == outcome.sentences
    assert all(sentence.passed and sentence.checked for sentence in outcome.sentences)


@pytest.mark.parametrize(
    ("method", "question", "answer", "sample"),
    [
        ("nli", "What is the capital of Australia?", "Sydney", "Canberra"),
        ("graph", "In what year was the bridge opened?", "1899", "1889"),
    ],
)
def test_bare_answers_are_compared_as_what_they_state(method: str, question: str, answer: str, sample: str) -> None:
    answers = iter([answer, sample, sample])
    with Gate(lambda _: next(answers), method, samples=2, at_once=1) as gate:
        assert gate.ask(question).decision is Decision.UNKNOWN


def test_a_gate_for_english_says_that_the_answer_is_in_another_language() -> None:
    answer = "Die Hauptstadt von Frankreich ist Paris und sie liegt an der Seine."
    with (
        Gate(lambda _: answer, "nli", samples=1) as gate,
        pytest.warns(GraphEvalWarning, match="prompt:MODEL"),
    ):
        gate.ask("Was ist die Hauptstadt von Frankreich?")
