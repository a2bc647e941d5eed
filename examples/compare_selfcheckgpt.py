"""Compares `selfcheck --method nli:MODEL` with SelfCheckNLI of the package selfcheckgpt: equal scores, and CPU seconds.

    python examples/compare_selfcheckgpt.py DATA [PASSAGES] [HIDDEN] [LAYERS]

Needs torch, transformers and selfcheckgpt (`pip install selfcheckgpt`). DATA: a folder with
wikibio_gpt3/wikibio_passages.jsonl.gz. The weights are random: a DeBERTa-v2 of this size with two labels, the same for
both. Both read the same passages in one process, on the CPU. CPU seconds do not count what other programs do meanwhile;
with OMP_NUM_THREADS=1 they are the time of one thread. Prints JSON.

"products alone" are the seconds of the products of the pairs' tokens with the weights of all layers but the first and
the last, and nothing else: no attention, no tokenizer. In the first layer a token's state does not depend on its text,
and of the last one only the first token is read, so their products can be saved. The others are needed for equal
scores.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from selfcheckgpt.modeling_selfcheck import SelfCheckNLI

from graph_eval.bench.wikibio import read
from graph_eval.consistency.nli import NLIMethod
from graph_eval.consistency.published import scorer_of
from graph_eval.resources import folder
from graph_eval.settings import Settings


def random_model(path: Path, hidden: int, layers: int) -> Path:
    """A DeBERTa-v2 with the tokens of the builtin model and the attention of DeBERTa-v3."""
    torch.manual_seed(0)
    config = transformers.DebertaV2Config(
        vocab_size=30522,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=max(1, hidden // 64),
        intermediate_size=4 * hidden,
        relative_attention=True,
        position_buckets=256,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        type_vocab_size=0,
        num_labels=2,
    )
    model = transformers.DebertaV2ForSequenceClassification(config)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(3.0)  # so that the scores differ
    model.save_pretrained(path)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder("weights/nli") / "tokenizer.json"),
        model_max_length=512,
        pad_token="[PAD]",  # noqa: S106
        cls_token="[CLS]",  # noqa: S106
        sep_token="[SEP]",  # noqa: S106
        unk_token="[UNK]",  # noqa: S106
    )
    tokenizer.save_pretrained(path)
    return path


class Tokenizer:
    """`batch_encode_plus`, which transformers 5 has only under the name `__call__`. A call gives the ids of pairs."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def batch_encode_plus(self, batch_text_or_text_pairs: list[tuple[str, str]], **options: Any) -> Any:
        ((sentence, sample),) = batch_text_or_text_pairs
        return self._tokenizer([sentence], [sample], **options)

    def __call__(self, sentences: list[str], samples: list[str]) -> list[list[int]]:
        found: list[list[int]] = self._tokenizer(sentences, samples, truncation=True)["input_ids"]
        return found


def published(path: Path) -> SelfCheckNLI:
    """SelfCheckNLI over these weights: its constructor can only read DeBERTa's own tokenizer."""
    found: SelfCheckNLI = SelfCheckNLI.__new__(SelfCheckNLI)
    found.tokenizer = Tokenizer(transformers.AutoTokenizer.from_pretrained(path))
    found.model = transformers.DebertaV2ForSequenceClassification.from_pretrained(path).eval()
    found.device = torch.device("cpu")
    return found


def multiply(model: Any, tokens: list[int]) -> None:
    """The products of a text of each length with all weights of the layers between the first and the last."""
    inner = model.deberta.encoder.layer[1:-1]
    layers = [part for part in inner.modules() if isinstance(part, torch.nn.Linear)]
    with torch.inference_mode():
        for count in tokens:
            states = {width: torch.zeros(count, width) for width in {layer.in_features for layer in layers}}
            for layer in layers:
                layer(states[layer.in_features])


def main(data: Path, count: int = 3, hidden: int = 128, layers: int = 4) -> None:
    passages = list(read(data))[:count]
    with tempfile.TemporaryDirectory() as directory:
        path = random_model(Path(directory), hidden, layers)
        theirs, ours = published(path), NLIMethod(scorer_of(str(path), Settings.of(device="cpu", dtype="float32")))
        tasks = [passage.task({}) for passage in passages]
        ours.compare(tasks[:1])  # both models are loaded and warm
        first = [span.of(passages[0].example.response) for span in passages[0].spans]
        theirs.predict(first[:1], list(passages[0].example.samples[:1]))
        seconds = {"selfcheckgpt": 0.0, "graph_eval": 0.0, "graph_eval, together": 0.0}
        difference = 0.0
        for passage, task in zip(passages, tasks, strict=True):
            sentences = [span.of(passage.example.response) for span in passage.spans]
            began = time.process_time()
            expected = theirs.predict(sentences, list(passage.example.samples))
            seconds["selfcheckgpt"] += time.process_time() - began
            began = time.process_time()
            (found,) = ours.compare([task])
            seconds["graph_eval"] += time.process_time() - began
            scores = np.array([sentence.score for sentence in found.sentences])
            difference = max(difference, float(np.abs(scores - expected).max()))
        began = time.process_time()
        ours.compare(tasks)
        seconds["graph_eval, together"] = time.process_time() - began
        pairs = dict.fromkeys(
            (span.of(passage.example.response), sample)
            for passage in passages
            for span in passage.spans
            for sample in passage.example.samples
        )
        tokens = [len(ids) for ids in theirs.tokenizer(*map(list, zip(*pairs, strict=True)))]
        began = time.process_time()
        multiply(theirs.model, tokens)
        seconds["products alone"] = time.process_time() - began
    most = round(seconds["selfcheckgpt"] / seconds["products alone"], 2) if layers > 2 else None
    print(
        json.dumps(
            {
                "passages": len(passages),
                "pairs": sum(len(passage.spans) * len(passage.example.samples) for passage in passages),
                "hidden": hidden,
                "layers": layers,
                "threads": torch.get_num_threads(),
                "cpu_seconds_a_passage": {name: round(value / len(passages), 3) for name, value in seconds.items()},
                "times_faster": round(seconds["selfcheckgpt"] / seconds["graph_eval"], 2),
                "most_times_faster": most,
                "largest_difference": difference,
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
