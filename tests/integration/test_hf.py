"""Published checkers on tiny, randomly initialised models of their architectures, saved as the hub holds them.

The scores of each are compared with a direct transcription of the published formula."""

import json
import math
import os
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_eval import GraphEval, registry
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.hf.engine import DoesNotFitError, Encoded, Engine, NoNumberError, batches
from graph_eval.checkers.hf.loading import Source, weights
from graph_eval.cli.main import main
from graph_eval.errors import MissingPartError, UsageError
from graph_eval.progress import listening
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.testing.checkers import CheckerContract, in_threads, probabilities, tasks
from graph_eval.testing.checkers import checked as checked_by_task
from graph_eval.text.sentences import sentences
from graph_eval.types import CheckTask, Claim, ItemError, Passage, Slot, Span, Text

pytestmark = [
    pytest.mark.hf,
    pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:FutureWarning"),  # DeBERTa of transformers 4
]


def required() -> bool:
    """Whether a missing package fails these tests instead of skipping them."""
    return "hf" in os.environ.get("GRAPH_EVAL_REQUIRE", "").split(",")


try:
    import torch
    import transformers
except ImportError as problem:
    if required():
        raise
    pytest.skip(f"{problem.name} is not installed (extra hf)", allow_module_level=True)

EXAMPLES = Path(__file__).parents[2] / "examples" / "responses.jsonl"
PREMISES = [
    "The tower of Orsa was opened in 1889.",
    "It is 38 metres tall. The architect was Marta Lindqvist, who lived in Mora for most of her life.",
    "Rain.",
]
CLAIMS = ["The tower was opened in 1899.", "Marta Lindqvist drew the tower of Orsa.", "It rained."]
PAIRS = [(premise, claim) for premise in PREMISES for claim in CLAIMS]


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(3)


def bert_tokenizer() -> object:
    return transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder("weights/nli") / "tokenizer.json"), model_max_length=512,
        pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]", mask_token="[MASK]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip


def t5_tokenizer() -> object:
    """Characters; "1" is one token, and so is what MiniCheck answers with."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    letters = [chr(code) for code in range(32, 400)]
    vocabulary = {token: place for place, token in enumerate(["<pad>", "</s>", "<unk>", *letters])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    inner.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=512,
        model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip


def saved(model: Any, tokenizer: Any, path: Path, scale: float = 3.0) -> Path:
    """Larger weights, by `scale`, give scores that differ."""
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(scale)
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def classifier(path: Path, labels: dict[int, str]) -> Path:
    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=512, id2label=labels, label2id={name: place for place, name in labels.items()},
    )  # fmt: skip
    return saved(transformers.BertForSequenceClassification(config), bert_tokenizer(), path)


def t5(path: Path, kind: str, scale: float = 3.0) -> Path:
    config = transformers.T5Config(
        vocab_size=400, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_decoder_layers=2, num_heads=4, num_labels=2,
        feed_forward_proj="gated-gelu", decoder_start_token_id=0, tie_word_embeddings=False,
    )  # fmt: skip
    return saved(getattr(transformers, kind)(config), t5_tokenizer(), path, scale)


ENC = {0: "entailment", 1: "neutral", 2: "contradiction"}
CNE = {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}


@torch.no_grad()
def by_classifier(path: Path, read: Callable) -> np.ndarray:
    """The scores of the pairs, one pair after the other, as a model card shows it."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    return np.array([read(model(**tokenizer(p, h, return_tensors="pt")).logits[0]) for p, h in PAIRS])


@pytest.mark.parametrize(("labels", "order"), [(ENC, (0, 1, 2)), (CNE, (2, 1, 0))])
def test_any_nli_model_in_the_order_of_its_labels(tmp_path: Path, labels: dict, order: tuple[int, ...]) -> None:
    path = classifier(tmp_path, labels)
    expected = by_classifier(path, lambda logits: logits.softmax(-1)[list(order)].numpy())
    outputs = registry.create("checker", f"nli:{path}").score(PAIRS)
    assert np.abs(outputs - expected).max() < 1e-5
    assert np.ptp(outputs[:, 0]) > 1e-3, "the scores differ, or nothing was compared"


def test_a_binary_nli_model(tmp_path: Path) -> None:
    path = classifier(tmp_path, {0: "not_entailment", 1: "entailment"})
    expected = by_classifier(path, lambda logits: logits.softmax(-1)[1].numpy())
    outputs = registry.create("checker", f"nli:{path}").score(PAIRS)
    assert np.abs(outputs[:, 0] - expected).max() < 1e-5
    assert (outputs[:, 2] == 0).all()


def test_hhem_1(tmp_path: Path) -> None:
    path = classifier(tmp_path, {0: "LABEL_0"})
    expected = by_classifier(path, lambda logits: torch.sigmoid(logits[0]).numpy())
    outputs = registry.create("checker", f"hhem-1.0:{path}").score(PAIRS)
    assert np.abs(outputs[:, 0] - expected).max() < 1e-5


@torch.no_grad()
def test_hhem_2_from_weights_with_their_prefix(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    path = t5(tmp_path, "T5ForTokenClassification", 0.6)
    model = transformers.T5ForTokenClassification.from_pretrained(path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    state = load_file(path / "model.safetensors")
    save_file({f"t5.{name}": value.clone() for name, value in state.items()}, path / "model.safetensors")
    (path / "config.json").write_text(json.dumps({"model_type": "HHEMv2Config"}), "utf-8")
    prompt = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {}\n\nHypothesis: {}"
    expected = np.array(
        [model(**tokenizer(prompt.format(p, h), return_tensors="pt")).logits[0, 0].softmax(-1)[1] for p, h in PAIRS]
    )
    outputs = registry.create("checker", f"hhem-2.1:{path}").score(PAIRS)
    assert np.abs(outputs[:, 0] - expected).max() < 1e-5
    assert np.ptp(expected) > 1e-4


@pytest.mark.parametrize("name", ["true", "trueteacher"])
@torch.no_grad()
def test_true_and_trueteacher_by_the_first_token(tmp_path: Path, name: str) -> None:
    path = t5(tmp_path, "T5ForConditionalGeneration", 0.3)
    model = transformers.T5ForConditionalGeneration.from_pretrained(path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    yes = tokenizer("1")["input_ids"][0]
    expected = []
    for premise, hypothesis in PAIRS:
        item = tokenizer(f"premise: {premise} hypothesis: {hypothesis}", return_tensors="pt")
        start = torch.tensor([[tokenizer.pad_token_id]])
        logits = model(input_ids=item["input_ids"], decoder_input_ids=start).logits[0]
        expected.append(float(logits.softmax(-1)[0, yes]))
    outputs = registry.create("checker", f"{name}:{path}").score(PAIRS)
    assert np.abs(outputs[:, 0] - np.array(expected)).max() < 1e-5
    assert np.abs(outputs[:, 0] / np.array(expected) - 1).max() < 1e-3
    assert np.ptp(expected) > 0.002 * min(expected)


@torch.no_grad()
def test_minicheck_by_two_tokens_and_the_best_chunk(tmp_path: Path) -> None:
    path = t5(tmp_path, "T5ForConditionalGeneration", 0.3)
    model = transformers.T5ForConditionalGeneration.from_pretrained(path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)

    def published(document: str, claim: str) -> float:
        text = f"predict: {document}{tokenizer.eos_token}{claim}"
        item = tokenizer(text, truncation=True, max_length=2048, return_tensors="pt")
        logits = model(**item, decoder_input_ids=torch.zeros(1, 1, dtype=torch.long)).logits[0, 0]
        return float(logits[[3, 209]].softmax(-1)[1])

    checker = registry.create("checker", f"minicheck:{path}")
    outputs = checker.score(PAIRS)
    assert np.abs(outputs[:, 0] - [published(*pair) for pair in PAIRS]).max() < 1e-5
    assert np.ptp(outputs[:, 0]) > 1e-3
    long = " ".join(f"Sentence number {n} is here." for n in range(150))  # 750 words
    windows = checker.windows([(Passage.of(long), "It is here.")])[0]
    assert [len(window.text.split()) for window in windows] == [500, 250]
    judged = checked(checker, ["It is here."], long)[0]
    best = max(published(window.text, "It is here.") for window in windows)
    assert judged.p_inconsistent == pytest.approx(1 - best, abs=1e-5)


def plain_tokenizer() -> object:
    """Without token types, with an end token of its own: as RoBERTa's."""
    tokenizer: Any = bert_tokenizer()
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    tokenizer.add_special_tokens({"eos_token": "[SEP]"})
    return tokenizer


def deberta(path: Path) -> Path:
    config = transformers.DebertaV2Config(
        vocab_size=30522, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=64, relative_attention=True, position_buckets=16, pos_att_type=["p2c", "c2p"],
        type_vocab_size=0, num_labels=2, pooler_hidden_size=32, position_biased_input=False,
    )  # fmt: skip
    return saved(transformers.DebertaV2ForSequenceClassification(config), plain_tokenizer(), path)


def roberta_config() -> object:
    return transformers.RobertaConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=514, type_vocab_size=1, num_labels=2, pad_token_id=0,
    )  # fmt: skip


@torch.no_grad()
def by_text(path: Path, prompt: Callable[[str, str], str]) -> np.ndarray:
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    return np.array([model(**tokenizer(prompt(*p), return_tensors="pt")).logits[0].softmax(-1)[1] for p in PAIRS])


def test_factcg_by_its_instruction(tmp_path: Path) -> None:
    path = deberta(tmp_path)
    question = "based on the paragraph above can we conclude that"
    expected = by_text(
        path,
        lambda p, h: f'{p}\n\nChoose your answer: {question} "{h}"?\n\nOPTIONS:\n- Yes\n- No\nI think the answer is ',
    )
    outputs = registry.create("checker", f"factcg:{path}").score(PAIRS)[:, 0]
    assert np.abs(outputs - expected).max() < 1e-5
    assert np.ptp(expected) > 1e-4


@pytest.mark.parametrize("name", ["minicheck-roberta", "minicheck-deberta"])
def test_the_encoders_of_minicheck(tmp_path: Path, name: str) -> None:
    if name == "minicheck-deberta":
        path = deberta(tmp_path)
    else:
        path = saved(transformers.RobertaForSequenceClassification(roberta_config()), plain_tokenizer(), tmp_path)
    expected = by_text(path, lambda p, h: f"{p}[SEP]{h}")
    checker = registry.create("checker", f"{name}:{path}")
    assert np.abs(checker.score(PAIRS)[:, 0] - expected).max() < 1e-5
    assert np.ptp(expected) > 1e-4
    long = " ".join(f"Sentence number {n} is here." for n in range(150))  # 6 tokens each
    windows = checker.windows([(Passage.of(long), "It is here.")])[0]
    assert [checker.tokens(window.text) for window in windows] == [396, 396, 108]


@torch.no_grad()
def test_alignscore_by_chunks_and_sentences_from_a_checkpoint(tmp_path: Path) -> None:
    model = transformers.RobertaModel(roberta_config()).eval()
    layer = torch.nn.Linear(32, 3)
    for weight in (*model.parameters(), *layer.parameters()):
        weight.mul_(3.0)
    state = {f"base_model.{name}": value for name, value in model.state_dict().items()}
    state |= {f"tri_layer.{name}": value for name, value in layer.state_dict().items()}
    state |= {"bin_layer.weight": torch.ones(2, 32), "mlm_head.bias": torch.ones(4)}  # there, and not used
    torch.save(
        {"state_dict": state, "hyper_parameters": {"model": "roberta-large"}}, tmp_path / "AlignScore-large.ckpt"
    )
    model.config.save_pretrained(tmp_path)
    tokenizer = plain_tokenizer()
    tokenizer.save_pretrained(tmp_path)

    def published(premise: str, sentence: str) -> np.ndarray:
        item = tokenizer(premise, sentence, truncation="only_first", max_length=512, return_tensors="pt")
        return layer(model(**item).pooler_output)[0].softmax(-1).numpy()

    checker = registry.create("checker", f"alignscore:{tmp_path}")
    expected = np.array([published(*pair) for pair in PAIRS])
    assert np.abs(checker.score(PAIRS) - expected).max() < 1e-5
    assert np.ptp(expected[:, 0]) > 1e-3
    facts = [f"The tower number {n} was opened in {1700 + n}." for n in range(100)]  # 800 words: three chunks
    size = 100 // (800 // 350 + 1)
    chunks = [" ".join(facts[start : start + size]) for start in range(0, 100, size)]
    claim = "The tower was opened. It was closed in 1805."
    best = [
        max(published(chunk, part)[0] for chunk in chunks)
        for part in ("The tower was opened.", "It was closed in 1805.")
    ]
    judged = checked(checker, [claim], " ".join(facts))[0]
    assert judged.p_inconsistent == pytest.approx(1 - sum(best) / 2, abs=1e-5)
    # Two passages that support a sentence each are none that supports both.
    apart = checked(checker, [claim], *PREMISES)[0]
    each = [np.mean([published(premise, part)[0] for part in checker.hypotheses(claim)]) for premise in PREMISES]
    assert apart.p_inconsistent == pytest.approx(1 - max(each), abs=1e-5)


def test_a_checkpoint_that_holds_more_than_tensors_or_another_model(tmp_path: Path) -> None:
    path = tmp_path / "AlignScore-large.ckpt"
    roberta_config().save_pretrained(tmp_path)
    plain_tokenizer().save_pretrained(tmp_path)
    torch.save({"state_dict": {}, "args": Path("odd")}, path)
    with pytest.raises(MissingPartError, match=r"reading .* failed"):
        registry.create("checker", f"alignscore:{tmp_path}").score(PAIRS[:1])
    torch.save({"state_dict": {"tri_layer.weight": torch.ones(3, 32)}}, path)
    with pytest.raises(MissingPartError, match="missing weights base_model"):
        registry.create("checker", f"alignscore:{tmp_path}").score(PAIRS[:1])
    torch.save({"state_dict": {"tri_layer.weight": torch.ones(3, 64)}}, path)
    with pytest.raises(MissingPartError, match="is not the expected model"):
        registry.create("checker", f"alignscore:{tmp_path}").score(PAIRS[:1])


def causal(path: Path) -> Path:
    config = transformers.MistralConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2,
        intermediate_size=48, max_position_embeddings=512, pad_token_id=0,
    )  # fmt: skip
    return saved(transformers.MistralForCausalLM(config), plain_tokenizer(), path)


def labelled_claims(path: Path) -> Path:
    """Claims whose last words tell the label, often enough for a model with random weights."""
    endings = [("Entailment", "yes"), ("Neutral", "perhaps"), ("Contradiction", "never")]
    records = [
        {
            "response": "r",
            "question": f"Is it {n}?",
            "reference": f"The tower number {n} stands in Orsa.",
            "claims": [["Tower", f"{n} is", " ".join([word] * 60)] for _, word in endings],
            "ys": [label for label, _ in endings],
        }
        for n in range(30)
    ]
    path.write_text(json.dumps(records), "utf-8")
    return path


@pytest.mark.parametrize("kind", ["nn", "nn_ensemble", "svm", "svm_ensemble"])
@torch.no_grad()
def test_repc_is_trained_stored_and_read(tmp_path: Path, kind: str) -> None:
    from graph_eval.checkers.hf.repc import with_question
    from graph_eval.fitting import repc
    from graph_eval.formats import files

    if kind.startswith("svm") and not required():
        pytest.importorskip("skl2onnx")
    path = causal(tmp_path / "model")
    records = list(files.read(files.sources([str(labelled_claims(tmp_path / "claims.json"))]), {}))
    with torch.enable_grad():
        trained = repc.train(records, kind, str(path), None, tmp_path / "one", Settings())
        repc.train(records, kind, str(path), None, tmp_path / "two", Settings())
    assert trained["claims"] == 72
    assert trained["held_out"] == 18
    assert trained["held_out_accuracy"] > 0.5
    for name in os.listdir(tmp_path / "one"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
        assert not name.endswith((".pkl", ".pt", ".bin"))
    checker = registry.create("checker", f"repc:{tmp_path / 'one'}")

    # Directly: the last token's states of RefChecker's prompt, one text after the other.
    model = transformers.AutoModelForCausalLM.from_pretrained(path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)

    def states(premise: str, claim: str) -> np.ndarray:
        prompt = (
            "<|im_start|>system\nConsider the NLI label between the user given premise and hypothesis.<|im_end|>\n"
            f"<|im_start|>user\nPremise: {premise}\nHypothesis: {claim}<|im_end|>\n"
            "<|im_start|>assistant\nThe NLI label (Entailment, Neutral, Contradiction) is"
        )
        hidden = model(**tokenizer(prompt, return_tensors="pt"), output_hidden_states=True).hidden_states
        return torch.stack(hidden[1:])[:, 0, -1].numpy()

    direct = np.stack([states(*pair) for pair in PAIRS])
    outputs = np.stack(checker.rows(PAIRS))
    assert np.abs(outputs - direct).max() < 1e-4
    expected = checker.classifier.probabilities(direct)
    scores = checker.score(PAIRS)
    assert np.abs(scores - expected).max() < 1e-4
    assert np.ptp(expected[:, 0]) > 1e-4
    judged = checked(checker, ["Tower 3 is yes"], "The tower number 3 stands in Orsa.", question="Is it 3?")[0]
    alone = checker.score([(with_question("Is it 3?", "The tower number 3 stands in Orsa."), "Tower 3 is yes")])
    assert judged.p_inconsistent == pytest.approx(1 - alone[0, 0], abs=1e-4)


@torch.no_grad()
def test_the_networks_of_repc_as_refchecker_has_them() -> None:
    from graph_eval.checkers.hf.repc import Network, gate_inputs

    first, second = torch.nn.Linear(8, 2), torch.nn.Linear(2, 3)
    states = torch.randn(5, 8)
    expected = second(first(states).relu()).softmax(1)
    network = Network(
        {f"layer{n}.{k}": v.numpy() for n, part in ((1, first), (2, second)) for k, v in part.state_dict().items()}
    )
    outputs = network.probabilities(states.numpy())
    assert np.abs(outputs - expected.numpy()).max() < 1e-6
    other = torch.randn(5, 3).softmax(1)
    stacked = torch.cat([expected.unsqueeze(2), other.unsqueeze(2)], dim=2).view(5, -1)
    assert np.abs(gate_inputs([outputs, other.numpy()], "nn_ensemble") - stacked.numpy()).max() < 1e-6
    again = torch.cat([expected.softmax(1).unsqueeze(2), other.softmax(1).unsqueeze(2)], dim=2).view(5, -1)
    assert np.abs(gate_inputs([outputs, other.numpy()], "svm_ensemble") - again.numpy()).max() < 1e-6


def test_repc_is_trained_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path, claims = causal(tmp_path / "model"), labelled_claims(tmp_path / "claims.json")
    command = ["train", str(claims), "--model", str(path), "-o", str(tmp_path / "out")]
    assert main([*command, "--classifier", "nn", "--layer", "2"]) == 0
    shown = capsys.readouterr().out
    assert "held out accuracy" in shown
    assert "held out recall, Neutral" in shown
    description = json.loads((tmp_path / "out" / "classifier.json").read_text("utf-8"))
    assert (description["kind"], description["layers"], description["model"]) == ("nn", [2], str(path))
    assert main([*command, "--classifier", "forest"]) == 2
    assert "known classifiers: svm, svm_ensemble, nn, nn_ensemble" in capsys.readouterr().err


def byte_tokenizer() -> object:
    """Byte pairs whose tokens hold the blank before a word, without token types: as ModernBERT's."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=500, special_tokens=["[PAD]", "[CLS]", "[SEP]"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    inner.train_from_iterator([*PREMISES, *CLAIMS, question_prompt("")] * 3, trainer)
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", model_max_length=8192,
        model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip


def token_classifier(path: Path, scale: float = 2.0, labels: int = 2) -> Path:
    config = transformers.ModernBertConfig(
        vocab_size=500, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=48,
        local_attention=16, num_labels=labels, pad_token_id=0, bos_token_id=1, cls_token_id=1,
        eos_token_id=2, sep_token_id=2,
    )  # fmt: skip
    return saved(transformers.ModernBertForTokenClassification(config), byte_tokenizer(), path, scale)


@torch.no_grad()
def suspicious_of(path: Path, *tokens: str) -> Path:
    """A classifier that calls these tokens hallucinated wherever they stand, and no others."""
    token_classifier(path)
    model = transformers.ModernBertForTokenClassification.from_pretrained(path)
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    embeddings = model.model.embeddings.tok_embeddings.weight
    for weight in (embeddings, model.head.dense.weight, model.classifier.weight, *model.model.layers.parameters()):
        weight.zero_()
    embeddings[:, 0] = 1.0
    for token in tokens:
        (found,) = tokenizer(token, add_special_tokens=False)["input_ids"]
        embeddings[found] = torch.eye(32)[1]
    model.head.dense.weight.copy_(torch.eye(32))
    model.classifier.weight.copy_(torch.eye(32)[:2])
    model.classifier.bias.zero_()
    model.save_pretrained(path)
    return path


def summary_prompt(*passages: str) -> str:
    numbered = "\n".join(f"passage {number}: {text}" for number, text in enumerate(passages, 1))
    return f"Summarize the following text:\n{numbered}\noutput:"


def question_prompt(question: str, *passages: str) -> str:
    """As lettucedetect 0.2.3 fills prompts/qa_prompt_en.txt."""
    numbered = "\n".join(f"passage {number}: {text}" for number, text in enumerate(passages, 1))
    return (
        f"Briefly answer the following question:\n{question}\n"
        f"Bear in mind that your response should be strictly based on the following {len(passages)} passages:\n"
        f"{numbered}\nIn case the passages do not contain the necessary information to answer the question, "
        'please reply with: "Unable to answer based on given passages."\noutput:'
    )


@torch.no_grad()
def hallucinated(path: Path, prompt: str, answer: str) -> list[tuple[int, int, float]]:
    """(start, end, probability of the second class) of each token of the answer, as lettucedetect reads them: the
    answer's tokens are the last ones before the final special token."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForTokenClassification.from_pretrained(path).eval()
    inputs = tokenizer(prompt, answer, return_offsets_mapping=True, return_tensors="pt")
    offsets = inputs.pop("offset_mapping")[0].tolist()
    first = len(offsets) - len(tokenizer(answer, add_special_tokens=False)["input_ids"]) - 1
    p = model(**inputs).logits[0].softmax(-1)[:, 1].tolist()
    return [(start, end, p[place]) for place, (start, end) in enumerate(offsets) if first <= place < len(offsets) - 1]


def worst(tokens: list[tuple[int, int, float]], spans: tuple[Span, ...]) -> float:
    return max(p for start, end, p in tokens if any(start < span.end and span.start < end for span in spans))


ANSWER = "Marta Lindqvist lived in Mora. The tower of Orsa, 38 metres tall, was opened in 1899. Ärlig — it rained."


def answered(*passages: str, question: str | None = None) -> CheckTask:
    """Sentences of ANSWER, and a triplet with words in several places."""

    def slot(words: str) -> Slot:
        spans = [Span(ANSWER.index(part), ANSWER.index(part) + len(part)) for part in words.split("|")]
        return Slot(words.replace("|", " "), tuple(spans))

    whole = [Claim.whole("t", s.span.of(ANSWER), s.span) for s in sentences(ANSWER)]
    slots = slot("The tower of Orsa"), slot("was|opened in"), slot("1899")
    triplet = Claim.triplet("t", slots, "The tower of Orsa was opened in 1899.", whole[1].sentence)
    return CheckTask(Text("t", ANSWER, question), (*whole, triplet), tuple(map(Passage.of, passages)))


@pytest.mark.parametrize("question", [None, "When was the tower of {Orsa} opened?"])
def test_lettucedetect_reads_the_whole_response_at_once(tmp_path: Path, question: str | None) -> None:
    path = token_classifier(tmp_path)
    checker = registry.create("checker", f"lettucedetect:{path}")
    task = answered(*PREMISES, " ", question=question)
    prompt = question_prompt(question, *PREMISES) if question else summary_prompt(*PREMISES)
    tokens = hallucinated(path, prompt, ANSWER)
    (judgements,) = checker.check([task])
    assert len(judgements) == 4
    for claim, judgement in zip(task.claims, judgements, strict=True):
        assert judgement.p_inconsistent == pytest.approx(worst(tokens, claim.spans), abs=1e-5)
    assert len({judgement.p_inconsistent for judgement in judgements}) > 2, "they differ, or nothing was compared"
    # Evidence: the sentence that is nearest to the claim, with the score of the whole reading.
    (evidence,) = judgements[0].evidence
    assert evidence.passage_id == task.passages[1].id
    assert evidence.span.of(PREMISES[1]).startswith("The architect was Marta Lindqvist")
    assert evidence.scores == pytest.approx((1 - judgements[0].p_inconsistent, judgements[0].p_inconsistent, 0.0))


def test_lettucedetect_flags_only_the_claims_that_hold_the_word(tmp_path: Path) -> None:
    checker = registry.create("checker", f"lettucedetect:{suspicious_of(tmp_path, ' tall')}")
    (judgements,) = checker.check([answered("It is not tall.")])
    # The triplet lies around "38 metres tall" in its sentence, and holds none of its words.
    assert [judgement.label for judgement in judgements] == ["Entailment", "Neutral", "Entailment", "Entailment"]
    assert [judgement.flagged for judgement in judgements] == [False, True, False, False]
    # The blank before "tall" belongs to its token, a claim about the blank before that does not.
    for end, flagged in ((ANSWER.index(" tall"), False), (ANSWER.index(" tall") + 2, True)):
        claim = Claim.whole("t", "x", Span(0, end))
        assert checker.check([CheckTask(Text("t", ANSWER), (claim,), (Passage.of("p"),))])[0][0].flagged is flagged


def test_lettucedetect_reads_long_passages_in_groups_and_loses_nothing(tmp_path: Path) -> None:
    path = token_classifier(tmp_path)
    checker = registry.create("checker", f"lettucedetect:{path}")
    assert checker.limit == 4096
    checker.limit = 400
    long = "\n".join(f"{n}. The tower number {n} was opened in {1700 + n}." for n in range(40))
    unbroken = "Orsa" * 300  # one sentence, without a blank
    passages = (PREMISES[0], long, PREMISES[1], unbroken, PREMISES[2])
    question = "Who lived in Mora?"
    task = answered(*passages, question=question)
    readings = checker.readings(question, task.passages, ANSWER)
    assert len(readings) > 5
    assert {reading.part for reading in readings} == {Span(0, len(ANSWER))}
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    for reading in readings:
        assert reading.pair == (question_prompt(question, *(window.text for window in reading.windows)), ANSWER)
        assert len(tokenizer(*reading.pair)["input_ids"]) <= 400
    for passage in task.passages:
        spans = [w.span for reading in readings for w in reading.windows if w.passage_id == passage.id]
        assert spans == sorted(spans)
        assert "".join("".join(span.of(passage.text).split()) for span in spans) == "".join(passage.text.split())
    for window in (window for reading in readings for window in reading.windows):
        assert window.text == window.span.of(next(p.text for p in task.passages if p.id == window.passage_id))
        assert window.text.endswith(".") or set(window.text) <= set("Orsa"), "whole sentences"
    tables = [hallucinated(path, *reading.pair) for reading in readings]
    assert np.ptp([[p for _, _, p in tokens] for tokens in tables], axis=0).max() > 1e-3, "the groups differ"
    least = [(*tokens[0][:2], min(p for _, _, p in tokens)) for tokens in zip(*tables, strict=True)]
    (judgements,) = checker.check([task])
    for claim, judgement in zip(task.claims, judgements, strict=True):
        assert judgement.p_inconsistent == pytest.approx(worst(least, claim.spans), abs=1e-5)
        by_id = {passage.id: passage.text for passage in task.passages}
        assert all(evidence.span.of(by_id[evidence.passage_id]) for evidence in judgement.evidence)
        best = max(evidence.scores.entailment for evidence in judgement.evidence)
        assert best == pytest.approx(1 - min(worst(tokens, claim.spans) for tokens in tables), abs=1e-5)


def test_lettucedetect_reads_a_long_response_in_parts(tmp_path: Path) -> None:
    path = suspicious_of(tmp_path, "7")
    checker = registry.create("checker", f"lettucedetect:{path}")
    checker.limit = 300
    answer = " ".join(f"The tower number {n} was opened." for n in range(60))
    passages = (Passage.of(" ".join(PREMISES)), Passage.of("It is tall. " * 60))
    readings = checker.readings(None, passages, answer)
    parts = list(dict.fromkeys(reading.part for reading in readings))
    assert len(parts) > 3
    assert " ".join(part.of(answer) for part in parts) == answer
    for part in parts:
        texts = [window.text for reading in readings if reading.part == part for window in reading.windows]
        assert "".join("".join(texts).split()) == "".join("".join(p.text for p in passages).split())
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    assert max(len(tokenizer(*reading.pair)["input_ids"]) for reading in readings) <= 300
    claims = [Claim.whole("t", s.span.of(answer), s.span) for s in sentences(answer)]
    claims.append(Claim.whole("t", answer, Span(0, len(answer))))
    (judgements,) = checker.check([CheckTask(Text("t", answer), tuple(claims), passages)])
    assert [judgement.flagged for judgement in judgements] == [*("7" in str(n) for n in range(60)), True]


def test_lettucedetect_with_a_question_that_is_too_long(tmp_path: Path) -> None:
    checker = registry.create("checker", f"lettucedetect:{token_classifier(tmp_path)}")
    checker.limit = 400
    (bad, good) = checker.check([answered(*PREMISES, question="Why? " * 300), answered(*PREMISES)])
    for judgement in bad:
        assert judgement.error is not None
        assert re.fullmatch(
            r"the question and the prompt have \d+ tokens, and the model reads 400", judgement.error.message
        )
        assert "shorten the question" in (judgement.error.hint or "")
    assert {judgement.error for judgement in good} == {None}


def test_lettucedetect_without_context_or_without_words(tmp_path: Path) -> None:
    checker = registry.create("checker", f"lettucedetect:{suspicious_of(tmp_path, ' tall')}")
    for passages in ((), ("", " \n")):
        (judgements,) = checker.check([answered(*passages)])
        assert {(j.label, j.p_inconsistent, j.flagged, j.reason) for j in judgements} == {
            ("Neutral", 1.0, True, "no_passage")
        }
    # A claim that has no words in the response is read as an answer of its own, and one without any is not supported.
    claims = (claim_of("It is tall."), claim_of("It is low."), claim_of(""))
    (judgements,) = checker.check([CheckTask(Text("t", ""), claims, (Passage.of("It is tall."),))])
    assert [judgement.flagged for judgement in judgements] == [True, False, True]
    assert [judgement.reason for judgement in judgements] == [None] * 3


def test_lettucedetect_does_not_depend_on_the_batch(tmp_path: Path) -> None:
    """Padding is longer than the window of the local layers."""
    path = token_classifier(tmp_path)
    checker = registry.create("checker", f"lettucedetect:{path}", Settings.of(batch_tokens=100_000))
    tasks_of_all_lengths = [answered("It is tall. " * n) for n in range(40, 200, 3)]
    together = probabilities(checked_by_task(checker, tasks_of_all_lengths))
    assert checker.engine.stats.batches < 30
    assert checker.engine.stats.waste > 0
    alone = [p for task in tasks_of_all_lengths for p in probabilities(checked_by_task(checker, [task]))]
    assert together == pytest.approx(alone, abs=2e-6)


def test_what_lettucedetect_cannot_read(tmp_path: Path) -> None:
    path = token_classifier(tmp_path / "three", labels=3)
    with pytest.raises(UsageError, match="3 classes of tokens"):
        registry.create("checker", f"lettucedetect:{path}")
    with pytest.raises(UsageError, match="is no token classifier but BertForSequenceClassification"):
        registry.create("checker", f"lettucedetect:{classifier(tmp_path / 'other', {0: 'a', 1: 'b'})}")
    path = token_classifier(tmp_path / "headless")
    transformers.ModernBertModel.from_pretrained(path).save_pretrained(path)
    config = json.loads((path / "config.json").read_text("utf-8"))
    (path / "config.json").write_text(json.dumps({**config, "architectures": ["ModernBertForTokenClassification"]}))
    with pytest.raises(MissingPartError, match="missing weights classifier"):
        registry.create("checker", f"lettucedetect:{path}").check([answered("p")])
    with pytest.raises(UsageError, match="missing MODEL"):
        registry.create("checker", "lettucedetect")
    one, two = token_classifier(tmp_path / "one"), token_classifier(tmp_path / "two", 1.0)
    fingerprints = {registry.create("checker", f"lettucedetect:{path}").fingerprint for path in (one, two)}
    assert len(fingerprints) == 2


def test_the_limit_of_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from graph_eval.checkers.hf import nli
    from graph_eval.refchecker import NLIChecker

    path = classifier(tmp_path, ENC)
    assert registry.create("checker", f"nli:{path}").limit == 512
    monkeypatch.setitem(nli.LIMITS, str(path), 256)
    assert registry.create("checker", f"nli:{path}").limit == 256
    assert NLIChecker(str(path)).part.limit == 512


def test_what_repc_cannot_be_trained_on_or_read_from(tmp_path: Path) -> None:
    from graph_eval.fitting import repc
    from graph_eval.formats import files

    with pytest.raises(MissingPartError, match="does not hold a RepC classifier"):
        registry.create("checker", f"repc:{tmp_path}")
    path = tmp_path / "claims.json"

    def train(record: dict, layer: int | None = None) -> None:
        path.write_text(json.dumps([{"response": "r", "reference": "p", **record}] * 9), "utf-8")
        records = files.read(files.sources([str(path)]), {})
        repc.train(records, "nn", str(tmp_path / "model"), layer, tmp_path / "out", Settings())

    with pytest.raises(UsageError, match="record 1 needs one label for each claim"):
        train({"claims": ["a"]})
    with pytest.raises(UsageError, match="correct the record, or remove it"):
        train({"claims": ["a"], "ys": ["Neutral"], "response": 3})
    with pytest.raises(UsageError, match="unknown label 'yes'"):
        train({"claims": ["a"], "ys": ["yes"]})
    causal(tmp_path / "model")
    with pytest.raises(UsageError, match="too few"):
        train({"claims": ["a"], "ys": ["Neutral"]})
    with pytest.raises(UsageError, match="unknown layer 9"):
        train({"claims": ["a"], "ys": ["Neutral"]}, layer=9)
    assert not (tmp_path / "out").exists()


def claim_of(text: str) -> Claim:
    return Claim.whole("t", text, Span(0, len(text)))


def checked(checker: Any, claims: list[str], *passages: str, question: str | None = None) -> list:
    text = " ".join(claims)
    task = CheckTask(Text("t", text, question), tuple(map(claim_of, claims)), tuple(map(Passage.of, passages)))
    (outputs,) = checker.check([task])
    assert not isinstance(outputs, ItemError), outputs
    return outputs


def test_alone_together_and_in_any_order(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}")
    together = checker.score(PAIRS)
    assert np.abs(checker.score(PAIRS[::-1])[::-1] - together).max() < 1e-5
    alone = np.concatenate([checker.score([pair]) for pair in PAIRS])
    assert np.abs(alone - together).max() < 1e-5


def test_a_long_passage_is_read_in_parts_of_whole_sentences(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}")
    long = " ".join(f"The tower number {n} was opened in {1700 + n}." for n in range(200))
    windows = checker.windows([(Passage.of(long), CLAIMS[0])])[0]
    assert len(windows) > 3
    assert " ".join(window.text for window in windows) == long
    for window in windows:
        assert window.text.endswith(".")
        assert len(checker.encode([(window.text, CLAIMS[0])])[0].ids) <= checker.limit
    judged = checked(checker, [CLAIMS[0]], long)[0]
    scores = checker.score([(window.text, CLAIMS[0]) for window in windows])
    assert judged.p_inconsistent == pytest.approx(1 - scores[:, 0].max(), abs=1e-5)


def test_the_whole_chain_with_a_published_checker(tmp_path: Path) -> None:
    path = classifier(tmp_path, ENC)
    ge = GraphEval(checker=f"nli:{path}")
    result = ge.check(" ".join(CLAIMS), context=PREMISES)
    assert result.error is None
    assert all(len(finding.judgement.evidence) == 3 for finding in result.findings)
    assert "NLIChecker" in ge.fingerprints["checker"]


def alignscore_folder(path: Path) -> Path:
    model = transformers.RobertaModel(roberta_config())
    state = {f"base_model.{name}": value for name, value in model.state_dict().items()}
    layer = torch.nn.Linear(32, 3)
    state |= {f"tri_layer.{name}": value for name, value in layer.state_dict().items()}
    model.config.save_pretrained(path)
    plain_tokenizer().save_pretrained(path)  # type: ignore[attr-defined]
    torch.save({"state_dict": state}, path / "AlignScore-large.ckpt")
    return path


def repc_folder(path: Path) -> Path:
    from graph_eval.fitting import repc
    from graph_eval.formats import files

    causal(path / "model")
    records = files.read(files.sources([str(labelled_claims(path / "claims.json"))]), {})
    repc.train(records, "nn_ensemble", str(path / "model"), None, path / "classifier", Settings())
    return path / "classifier"


FOLDERS: dict[str, Callable[[Path], Path]] = {
    "nli": lambda path: classifier(path, ENC),
    "hhem-1.0": lambda path: classifier(path, {0: "LABEL_0"}),
    "hhem-2.1": lambda path: t5(path, "T5ForTokenClassification", 0.6),
    "true": lambda path: t5(path, "T5ForConditionalGeneration", 0.3),
    "trueteacher": lambda path: t5(path, "T5ForConditionalGeneration", 0.3),
    "alignscore": alignscore_folder,
    "minicheck": lambda path: t5(path, "T5ForConditionalGeneration", 0.3),
    "minicheck-roberta": lambda path: saved(
        transformers.RobertaForSequenceClassification(roberta_config()), plain_tokenizer(), path
    ),
    "minicheck-deberta": deberta,
    "factcg": deberta,
    "lettucedetect": lambda path: token_classifier(path),
    "repc": repc_folder,
}


def test_every_published_checker_is_tested_here() -> None:
    published = {name for name, part in registry.parts("checker").items() if part.extra == "hf"}
    assert published == set(FOLDERS)


class TestPublishedCheckers(CheckerContract):
    @pytest.fixture(scope="class", params=FOLDERS)
    @classmethod
    def checker(cls, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Checker:
        torch.manual_seed(3)
        path = FOLDERS[request.param](tmp_path_factory.mktemp("weights"))
        checker: Checker = registry.create("checker", f"{request.param}:{path}", Settings.of(device="cpu"))
        return checker

    def test_a_pickled_copy_judges_the_same(self, checker: Checker) -> None:
        expected = probabilities(checked_by_task(checker, tasks()))
        copy = pickle.loads(pickle.dumps(checker))  # noqa: S301
        assert copy.fingerprint == checker.fingerprint
        assert probabilities(checked_by_task(copy, tasks())) == pytest.approx(expected, abs=1e-5)


def test_engines_in_several_threads_leave_torchs_number_of_threads(tmp_path: Path) -> None:
    path = classifier(tmp_path, ENC)
    settings = Settings.of(device="cpu", batch_tokens=64, threads=2)
    checkers = [registry.create("checker", f"nli:{path}", settings) for _ in range(2)]
    expected = checkers[0].score(PAIRS)
    before = torch.get_num_threads()
    for scores in in_threads(lambda: [checker.score(PAIRS) for checker in checkers]):
        assert all(np.abs(outputs - expected).max() < 1e-5 for outputs in scores)
    assert torch.get_num_threads() == before
    assert in_threads(torch.get_num_threads) == [before] * 8


@pytest.mark.parametrize("name", FOLDERS)
def test_a_run_with_each_checker_and_its_resuming(tmp_path: Path, name: str, capsys: pytest.CaptureFixture) -> None:
    tmp_path.joinpath("weights").mkdir()
    path = FOLDERS[name](tmp_path / "weights")
    run = tmp_path / "RUN"
    command = ["check", str(EXAMPLES), "--checker", f"{name}:{path}", "-o", str(run), "--chunk", "4"]
    assert main(command) == 0
    captured = capsys.readouterr()
    assert "padding" in captured.err
    meta = json.loads((run / "run.json").read_text("utf-8"))
    assert type(registry.create("checker", f"{name}:{path}")).__name__ in meta["fingerprints"]["checker"]
    whole = (run / "results.jsonl").read_bytes()
    results = [json.loads(line) for line in whole.splitlines()]
    judged = [judgement["p_inconsistent"] for result in results for judgement in result["judgements"]]
    assert len(judged) > 20
    assert None not in judged
    assert len(set(judged)) > 5, "the scores differ, or nothing was judged"
    # As after a kill: two chunks are there, and a line that was cut off.
    lines = whole.splitlines(keepends=True)
    (run / "results.jsonl").write_bytes(b"".join(lines[:8]) + lines[8][:50])
    (run / "run.json").write_text(json.dumps({**meta, "finished": None}), "utf-8")
    assert main(command) == 0
    assert (run / "results.jsonl").read_bytes() == whole


def test_int8_weights_keep_close_and_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    path = classifier(tmp_path, ENC)
    exact = registry.create("checker", f"nli:{path}").score(PAIRS)
    small = registry.create("checker", f"nli:{path}", Settings.of(dtype="int8"))
    outputs = small.score(PAIRS)
    assert 0 < np.abs(outputs - exact).max() < 0.2
    assert np.abs(np.concatenate([small.score([pair]) for pair in PAIRS]) - outputs).max() < 1e-5


# RefChecker's names. Where refchecker 0.2.17 crashes or mislabels, a test says what was wrong there.


@torch.no_grad()
def balanced(path: Path) -> Path:
    """A classifier whose labels differ from pair to pair."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    logits = torch.cat([model(**tokenizer(p, h, return_tensors="pt")).logits for p, h in PAIRS])
    model.classifier.bias -= logits.mean(0)
    model.save_pretrained(path)
    return path


@torch.no_grad()
def largest(path: Path, premise: str, claim: str) -> str:
    """As checker/nli_checker.py of refchecker 0.2.17 for one pair."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    inputs = tokenizer([premise], [claim], max_length=512, truncation=True, return_tensors="pt", padding=True)
    return ("Entailment", "Neutral", "Contradiction")[int(model(**inputs).logits.softmax(dim=-1).argmax(dim=-1))]


def test_nli_with_triplets_and_passages_which_there_never_runs(tmp_path: Path) -> None:
    from graph_eval.refchecker import NLIChecker
    from graph_eval.refchecker.aggregators import merged

    path = balanced(classifier(tmp_path, ENC))
    checker = NLIChecker(str(path))
    triplets = [["The tower", "was opened in", "1899"], ["Marta Lindqvist", "drew", "the tower of Orsa"]]
    expected = [[largest(path, premise, " ".join(triplet)) for premise in PREMISES] for triplet in triplets]
    assert len({label for row in expected for label in row}) > 1, "the labels differ, or nothing was compared"
    assert checker.check([triplets, []], [PREMISES, PREMISES[0]]) == [expected, []]
    outputs = checker.check([triplets], [PREMISES], merge_psg=True)
    assert outputs == [[merged(row) for row in expected]]
    assert checker.check([[" ".join(triplets[0])]], [PREMISES[0]], is_joint=False) == [[[expected[0][0]]]]


def test_nli_on_refcheckers_command_line(tmp_path: Path) -> None:
    from graph_eval.refchecker.aggregators import merged

    path = classifier(tmp_path / "model", ENC)
    items = [
        {"response": "r", "claims": [["The tower", "was opened in", "1899"]], "reference": PREMISES, "kept": 1}
    ] * 3
    (tmp_path / "in.json").write_text(json.dumps([*items, {"claims": [["a", "b"]], "reference": "x"}]), "utf-8")
    arguments = ["--input_path", str(tmp_path / "in.json"), "--output_path", str(tmp_path / "out.json")]
    for rule in ("soft", "strict", "major"):
        assert (
            main(["refchecker", "check", *arguments, "--checker_name", f"nli:{path}", "--aggregator_name", rule]) == 3
        )
        outputs = json.loads((tmp_path / "out.json").read_text("utf-8"))
        assert [len(item.get("ys", ())) for item in outputs] == [1, 1, 1, 0]
        assert [len(labels) for labels in outputs[0]["ys"]] == [len(PREMISES)]
        label = merged(outputs[0]["ys"][0])
        assert outputs[0]["Y"] == ({**dict.fromkeys(("Neutral", "Contradiction", "Entailment", "Abstain"), 0.0),
                                  label: 1.0} if rule == "soft" else label)  # fmt: skip
        assert outputs[0]["kept"] == 1
        assert "invalid claim" in outputs[3]["error"]


def test_a_reference_longer_than_the_model_reads_which_there_is_cut_off(tmp_path: Path) -> None:
    from graph_eval.refchecker import NLIChecker

    path = classifier(tmp_path, ENC)
    checker = NLIChecker(str(path))
    long = " ".join(f"The tower number {n} was opened in {1700 + n}." for n in range(200))
    windows = checker.part.windows([(Passage.of(long), CLAIMS[0])])[0]
    labels = {largest(path, window.text, CLAIMS[0]) for window in windows}
    expected = next(label for label in ("Entailment", "Contradiction", "Neutral") if label in labels)
    assert checker.check([[CLAIMS[0]]], [long]) == [[[expected]]]


@torch.no_grad()
def test_repc_with_triplets_which_there_never_runs(tmp_path: Path) -> None:
    from graph_eval.checkers.hf.repc import with_question
    from graph_eval.fitting import repc
    from graph_eval.formats import files
    from graph_eval.refchecker import RepCChecker

    path = causal(tmp_path / "model")
    records = files.read(files.sources([str(labelled_claims(tmp_path / "claims.json"))]), {})
    with torch.enable_grad():
        repc.train(records, "nn", str(path), None, tmp_path / "repc" / "nn", Settings())
    checker = RepCChecker("nn", str(tmp_path / "repc"))
    triplet = ["Tower", "3 is", "yes " * 60]
    scores = checker.part.score([(with_question("Is it 3?", "The tower number 3."), " ".join(triplet))])[0]
    expected = ("Entailment", "Neutral", "Contradiction")[int(scores.argmax())]
    assert checker.check([[triplet]], ["The tower number 3."], ["Is it 3?"]) == [[[expected]]]


def test_the_localizer_by_hand(tmp_path: Path) -> None:
    from graph_eval.refchecker import EmbedLocalizer

    path = classifier(tmp_path, ENC)
    localizer = EmbedLocalizer(str(path))
    text = "Marta <b>Lindqvist</b> built the tower of Orsa in 1889, and Marta Lindqvist lived in Mora."
    outputs = localizer.find(text, ["Marta Lindqvist", "built", "tower of Orsa"], (0.99, 0.99, 0.99))
    assert [(item.part, item.span.of(text)) for item in outputs] == [
        (0, "Marta Lindqvist"), (1, "built"), (2, "tower of Orsa"),
    ]  # fmt: skip
    # RefChecker never finds a part of one token, and puts markup of the text into the page.
    html = localizer.locate(text, ["Mora", "", "1889"], (0.99, 0.99, 0.99))
    assert 'color:red;border-radius:2%;">Mora</span>' in html
    assert 'color:green;border-radius:2%;">1889</span>' in html
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    with pytest.raises(UsageError, match="2 parts"):
        localizer.find(text, ["a", "b"])
    # The similarity is the cosine of mean embeddings of the words before the first layer.
    loose = localizer.find(text, ["Marta Lindqvist", "erected", "tower of Mora"], (0.5, 2.0, 0.5))
    best = max(item.similarity for item in loose if item.part == 2)
    model = transformers.AutoModel.from_pretrained(path, add_pooling_layer=False).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    item = next(item for item in loose if item.part == 2 and item.similarity == best)

    def mean(words: str, before: str) -> torch.Tensor:
        ids = tokenizer(f"{before}{words}", return_tensors="pt")
        skipped = len(tokenizer(before)["input_ids"]) - 1
        with torch.no_grad():
            states = model(**ids, output_hidden_states=True).hidden_states[0][0]
        return states[skipped:-1].mean(0)

    before = text[: item.span.start]
    cosine = torch.cosine_similarity(mean(item.span.of(text), before), mean("tower of Mora", ""), dim=0)
    assert best == pytest.approx(float(cosine), abs=1e-4)


def test_the_localizer_with_refcheckers_arguments(tmp_path: Path) -> None:
    from graph_eval.refchecker import EmbedLocalizer, NaiveEmbedLocalizer

    path = str(classifier(tmp_path, ENC))
    text, triplet = "Marta Lindqvist built the tower of Orsa in 1889.", ["Marta Lindqvist", "built", "tower of Orsa"]
    thresholds = [0.99, 0.99, 0.99]
    naive = NaiveEmbedLocalizer("cpu", 256, model=path)
    html = naive.locate(text, triplet, threshold=thresholds)
    assert html == EmbedLocalizer(path).locate(text, triplet, thresholds)
    assert naive.decorate("Marta Lindqvist", "red", "#F1CEF3") in html
    # In parts of two tokens the positions differ, and with them the embeddings.
    assert NaiveEmbedLocalizer("cpu", 2, model=path).find(text, triplet) != naive.find(text, triplet)
    first, second = torch.rand(8), torch.rand(8)
    expected = float(torch.cosine_similarity(first, second, dim=0))
    assert naive.cosine_dist(first, second) == pytest.approx(expected, abs=1e-6)


def test_repc_learns_from_a_label_for_each_reference(tmp_path: Path) -> None:
    from graph_eval.fitting import repc
    from graph_eval.formats import files

    def pairs(labels: list) -> tuple:
        record = {"response": "r", "reference": ["one", "two"], "claims": ["a"], "ys": labels}
        (tmp_path / "claims.json").write_text(json.dumps([record]), "utf-8")
        return repc._labelled(files.read(files.sources([str(tmp_path / "claims.json")]), {}))

    assert pairs([["Entailment", "Neutral"]]) == ([("one", "a"), ("two", "a")], [0, 1], [0, 0])
    assert pairs(["Neutral"]) == ([("one\ntwo", "a")], [1], [0])
    with pytest.raises(UsageError, match="1 labels of a claim for 2 references"):
        pairs([["Neutral"]])


# What goes wrong


@pytest.mark.parametrize("labels", [{0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, {0: "entailment"}, {0: "a", 1: "b"}])
def test_labels_that_say_nothing(tmp_path: Path, labels: dict[int, str]) -> None:
    path = classifier(tmp_path, labels)
    with pytest.raises(UsageError, match="id2label"):
        registry.create("checker", f"nli:{path}")


def test_a_folder_without_a_model_and_a_model_that_is_not_there(tmp_path: Path, monkeypatch) -> None:
    with pytest.raises(MissingPartError, match="is not the expected model: "):
        registry.create("checker", f"nli:{tmp_path}")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # read when it is imported
    with pytest.raises(MissingPartError, match=r"loading .* from the hub failed") as caught:
        registry.create("checker", "nli:no-such/model-of-ours")
    assert "hf download no-such/model-of-ours" in (caught.value.hint or "")
    for name in ("hhem-2.1", "true", "alignscore", "minicheck", "factcg"):
        with pytest.raises(MissingPartError, match=r"loading .* from the hub failed"):
            registry.create("checker", name)
    t5_tokenizer().save_pretrained(tmp_path / "tokenizer")  # type: ignore[attr-defined]
    with pytest.raises(MissingPartError, match="has no weights file"):
        registry.create("checker", f"hhem-2.1:{tmp_path / 'tokenizer'}").score(PAIRS[:1])
    with pytest.raises(MissingPartError, match=r"loading .* from the hub failed") as caught:
        weights(Source("no-such/model-of-ours", None))
    assert "hf download no-such/model-of-ours" in (caught.value.hint or "")


def test_a_model_without_its_head_is_not_given_one_by_chance(tmp_path: Path) -> None:
    classifier(tmp_path / "whole", ENC)
    inner = transformers.BertModel.from_pretrained(tmp_path / "whole")
    inner.save_pretrained(tmp_path / "part")
    bert_tokenizer().save_pretrained(tmp_path / "part")  # type: ignore[attr-defined]
    with pytest.raises(MissingPartError, match=r"missing weights .*classifier\.bias"):
        registry.create("checker", f"nli:{tmp_path / 'part'}").score(PAIRS[:1])


def test_a_device_that_is_not_there(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}", Settings.of(device="cuda:77"))
    with pytest.raises(UsageError, match="cuda:77"):
        checker.score(PAIRS[:1])


def test_several_devices_share_the_work(tmp_path: Path) -> None:
    """Two names of one processor stand for two GPUs."""
    path = classifier(tmp_path, ENC)
    alone = registry.create("checker", f"nli:{path}", Settings.of(device="cpu", batch_tokens=64)).score(PAIRS)
    several = registry.create("checker", f"nli:{path}", Settings.of(device="cpu, cpu:0", batch_tokens=64, threads=2))
    calls: list[tuple[int, int]] = []
    with listening(lambda _, done, of: calls.append((done, of))):
        assert np.abs(several.score(PAIRS) - alone).max() < 1e-5
    assert {worker.device for worker in several.engine._workers(several.engine.names(), 9)} == {"cpu", "cpu:0"}
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1] == (9, 9)


def test_a_model_that_does_not_fit() -> None:
    def load(_device: object, _dtype: object) -> object:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    with pytest.raises(MissingPartError, match="does not fit into the memory of cpu") as caught:
        Engine(load, pad=0, devices="cpu").run([Encoded([1])], lambda *_: None)
    assert "--dtype" in (caught.value.hint or "")


def engine(forward_limit: int) -> tuple[Engine, Callable]:
    """An engine with memory for that many tokens, and its forward function."""

    def forward(_: object, tensors: dict) -> object:
        ids = tensors["input_ids"]
        if ids.numel() > forward_limit:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        values = (ids * tensors["attention_mask"]).sum(-1, keepdim=True).float()
        return torch.where(values == 13, math.nan, values)

    return Engine(lambda _device, _dtype: torch.nn.Identity(), pad=0, devices="cpu", budget=64), forward


def test_an_interruption_leaves_what_was_not_begun() -> None:
    seen: list[int] = []

    def forward(_: object, tensors: dict) -> object:
        seen.append(len(tensors["input_ids"]))
        raise KeyboardInterrupt

    before = torch.get_num_threads()
    runner = Engine(lambda _device, _dtype: torch.nn.Identity(), pad=0, devices="cpu", budget=4, threads=1)
    with pytest.raises(KeyboardInterrupt):
        runner.run([Encoded([1, 2, 3])] * 50, forward)
    assert len(seen) == 1
    assert torch.get_num_threads() == before


def test_out_of_memory_halves_the_batch_and_goes_on() -> None:
    runner, forward = engine(20)
    inputs = [Encoded([1] * size) for size in (5, 6, 7, 8, 9, 30, 3)]
    outputs = runner.run(inputs, forward)
    assert isinstance(outputs[5], DoesNotFitError)
    assert "30 tokens" in str(outputs[5])
    assert [float(item[0]) for item in outputs if not isinstance(item, Exception)] == [5, 6, 7, 8, 9, 3]
    assert runner.stats.halved > 0


def test_nan_is_an_error_of_its_input() -> None:
    runner, forward = engine(10_000)
    outputs = runner.run([Encoded([6, 6]), Encoded([6, 7]), Encoded([8, 8])], forward)
    assert isinstance(outputs[1], NoNumberError)
    assert [float(outputs[place][0]) for place in (0, 2)] == [12, 16]


def test_an_error_of_the_model_that_is_not_about_memory_is_raised() -> None:
    def forward(*_: object) -> object:
        raise RuntimeError("shapes do not match")

    runner = Engine(lambda _device, _dtype: torch.nn.Identity(), pad=0, devices="cpu")
    with pytest.raises(RuntimeError, match="shapes do not match"):
        runner.run([Encoded([1])], forward)

    def load(_device: object, _dtype: object) -> object:
        raise RuntimeError("not a model")

    with pytest.raises(RuntimeError, match="not a model"):
        Engine(load, pad=0, devices="cpu").run([Encoded([1])], forward)


def test_an_unknown_dtype_is_refused() -> None:
    runner = Engine(lambda _device, _dtype: torch.nn.Identity(), pad=0, devices="cpu", dtype="float7")
    with pytest.raises(UsageError, match="unknown dtype 'float7'"):
        runner.run([Encoded([1])], lambda *_: None)


def test_a_pickled_engine_starts_anew() -> None:
    runner, _ = engine(20)
    runner.load = torch.nn.Identity  # the functions of this test cannot be pickled
    runner.stats.inputs = 3
    copy = pickle.loads(pickle.dumps(runner))  # noqa: S301
    assert (copy.budget, copy.devices, copy.stats.inputs) == (64, "cpu", 0)


def test_a_tokenizer_that_does_more_than_add_tokens_gives_the_same_scores(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}")
    assert checker._frame is not None
    expected, lengths = checker.score(PAIRS), checker.lengths(PAIRS)
    checker._frame = None  # as for a tokenizer that is not fast
    assert checker.lengths(PAIRS) == lengths
    assert np.abs(checker.score(PAIRS) - expected).max() < 1e-6
    assert checker.score([]).shape == (0, 3)
    long = ("word " * 700, "a claim")
    assert checker.score([long]).shape == (1, 3)


def test_the_error_of_a_pair_is_raised_by_score(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}")
    checker.forward = lambda _model, tensors: torch.full((len(tensors["input_ids"]), 3), math.nan)
    with pytest.raises(NoNumberError):
        checker.score(PAIRS)


def test_an_input_that_fails_leaves_the_others(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}")
    whole = checker.forward

    def forward(model: object, tensors: dict) -> object:
        logits = whole(model, tensors)
        bad = (tensors["input_ids"] == checker.tokenizer.convert_tokens_to_ids("rain")).any(1)
        return torch.where(bad[:, None], torch.nan, logits)

    checker.forward = forward
    good, bad = checked(checker, ["The tower was opened.", "It was rain."], PREMISES[0])
    assert good.error is None
    assert bad.error is not None
    assert bad.error.message == "the model gave NaN or infinity"
    assert "--dtype" in bad.error.hint
    assert bad.error.traceback is None


def test_batches_hold_every_place_once_and_waste_little() -> None:
    chance = np.random.default_rng(2)
    lengths = chance.integers(8, 400, 3000).tolist()
    outputs = batches(lengths, 2048)
    assert sorted(place for batch in outputs for place in batch) == list(range(3000))
    slots = sum(max(lengths[place] for place in batch) * len(batch) for batch in outputs)
    assert 1 - sum(lengths) / slots < 0.05
    assert all(max(lengths[place] for place in batch) * len(batch) <= 2048 for batch in outputs)


@pytest.mark.hub
def test_the_seven_pairs_of_the_card_of_hhem_2() -> None:
    """For those who are online: pytest -m hub."""
    airplane = "A person on a horse jumps over a broken down airplane."
    bridge = "A boy is jumping on skateboard in the middle of a red bridge."
    fountain = "A man with blond-hair, and a brown shirt drinking out of a public water fountain."
    pairs = [
        ("The capital of France is Berlin.", "The capital of France is Paris."),
        ("I am in California", "I am in United States."),
        ("I am in United States", "I am in California."),
        (airplane, "A person is outdoors, on a horse."),
        (bridge, "The boy skates down the sidewalk on a red bridge"),
        (fountain, "A blond man wearing a brown shirt is reading a book."),
        ("Mark Wahlberg was a fan of Manny.", "Manny was a fan of Mark Wahlberg."),
    ]
    expected = [0.0111, 0.6474, 0.1290, 0.8969, 0.1846, 0.0050, 0.0543]
    assert registry.create("checker", "hhem-2.1").score(pairs)[:, 0] == pytest.approx(expected, abs=1e-3)
