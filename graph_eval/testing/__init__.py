"""What tests of one's own need: a server that speaks as OpenAI's does, with scripted answers, faults and latency.

from graph_eval.testing import Fault, LoopbackServer

with LoopbackServer(lambda asked: '[["Optimus", "weighs", "57 kg"]]', latency=0.3) as server:
    LLMExtractor("openai/any", settings=Settings.of(api_base=server.url))
    server.asked  # every request that came
"""

from graph_eval.testing.server import Asked, Fault, LoopbackServer, Reply

__all__ = ["Asked", "Fault", "LoopbackServer", "Reply"]
