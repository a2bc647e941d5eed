"""Measures how long a question takes at the gate, beside the slowest request that it sends.

    python examples/measure_gate.py

A server on this machine stands for the model. It waits as long as the script says before it answers: the answer 0.3
seconds, the samples 0.2 to 1 seconds. Each line: the method, whether samples agree, the median of the seconds that the
slowest request took on the server and of those of the question, the median difference, and the share of samples saved.
After an early stop the slowest request is that of those which were answered by then.
"""

from __future__ import annotations

import statistics
import threading
import time

from graph_eval.gate import Gate
from graph_eval.settings import Settings
from graph_eval.testing import LoopbackServer, ReceivedRequest

QUESTION = "Who was Marie Curie?"
ANSWER = "Marie Curie was born in Warsaw in 1867. She won two Nobel Prizes, in physics and in chemistry."
AGREEING = "Marie Curie, born in Warsaw in 1867, won the Nobel Prizes for physics and for chemistry."
OTHER = "Marie Curie was born in Paris in 1901. She was a painter and never won a prize."
WAITS = (0.2, 0.4, 0.6, 0.8, 1.0)  # seconds, of the samples
OF_ANSWER = 0.3
QUESTIONS = 15


class Model:
    """What the server does, and the longest time of a request that it has answered."""

    def __init__(self, sample: str) -> None:
        self.sample = sample
        self.slowest = 0.0
        self._lock = threading.Lock()
        self._number = 0

    def reset(self) -> None:
        self.slowest, self._number = 0.0, 0

    def __call__(self, request: ReceivedRequest) -> str:
        began = time.monotonic()
        if request.body["temperature"] == 0:
            time.sleep(OF_ANSWER)
            text = ANSWER
        else:
            with self._lock:
                wait = WAITS[self._number % len(WAITS)]
                self._number += 1
            time.sleep(wait)
            text = self.sample
        with self._lock:
            self.slowest = max(self.slowest, time.monotonic() - began)
        return text


def measure(method: str, sample: str) -> str:
    model = Model(sample)
    slowest, whole, saved = [], [], []
    with LoopbackServer(model) as server:
        settings = Settings.of(api_base=server.url, cache="off", retries=0)
        with Gate("openai/x", method, samples=len(WAITS), settings=settings) as gate:
            gate.ask(QUESTION)  # loads the parts
            for _ in range(QUESTIONS):
                time.sleep(1.2)  # the last requests of the question before end
                model.reset()
                began = time.monotonic()
                outcome = gate.ask(QUESTION)
                whole.append(time.monotonic() - began)
                slowest.append(model.slowest)
                saved.append(outcome.saved)
    more = [one - other for one, other in zip(whole, slowest, strict=True)]
    agrees = "agree" if sample == AGREEING else "disagree"
    figures = " ".join(f"{statistics.median(values):.3f}" for values in (slowest, whole, more))
    return f"{method} {agrees} {figures} saved {statistics.mean(saved):.2f}, {outcome.decision}"


def main() -> None:
    for method in ("nli", "graph", "ngram", "cosine"):
        for sample in (AGREEING, OTHER):
            print(measure(method, sample), flush=True)


if __name__ == "__main__":
    main()
