"""Helpers for your own tests: a local server with OpenAI's API, with scripted answers, faults and latency.

    from graph_eval.testing import Fault, LoopbackServer

    with LoopbackServer(lambda request: '[["Optimus", "weighs", "57 kg"]]', latency=0.3) as server:
        LLMExtractor("openai/any", settings=Settings.of(api_base=server.url))
        server.requests  # every request so far

`graph_eval.testing.models` holds a test suite for implementations of a language model. It needs pytest.
"""

from graph_eval.testing.server import Asked, Fault, LoopbackServer, ReceivedRequest, Reply

__all__ = ["Asked", "Fault", "LoopbackServer", "ReceivedRequest", "Reply"]
