"""Helpers for your own tests: a local server with OpenAI's API, with scripted answers, faults and latency.

    from graph_eval.testing import Fault, LoopbackServer

    with LoopbackServer(lambda request: '[["Optimus", "weighs", "57 kg"]]', latency=0.3) as server:
        LLMExtractor("openai/any", settings=Settings.of(api_base=server.url))
        server.requests  # every request so far

Test suites for your own parts are classes to subclass. They need pytest:

    graph_eval.testing.extractors    ExtractorContract
    graph_eval.testing.checkers      CheckerContract, PairScorerContract
    graph_eval.testing.correctors    CorrectorContract
    graph_eval.testing.methods       MethodContract
    graph_eval.testing.retrievers    RetrieverContract
    graph_eval.testing.transforms    TransformContract
    graph_eval.testing.models        LLMContract
    graph_eval.testing.connections   ConnectionContract
"""

from graph_eval.testing.server import Asked, Fault, LoopbackServer, ReceivedRequest, Reply

__all__ = ["Asked", "Fault", "LoopbackServer", "ReceivedRequest", "Reply"]
