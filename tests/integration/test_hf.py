"""Published checkers on tiny, randomly initialised models of their architectures, saved as the hub holds them: the
score of each is compared with a direct transcription of the published formula."""

import json
import math
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from graph_eval import GraphEval, registry
from graph_eval.check.hf.engine import DoesNotFitError, Encoded, Engine, NoNumberError, batches
from graph_eval.errors import MissingPartError, UsageError
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.types import CheckTask, Claim, ItemError, Passage, Span, Text

pytestmark = pytest.mark.hf
try:
    import torch
    import transformers
except ImportError as problem:
    if "hf" in os.environ.get("GRAPH_EVAL_REQUIRE", "").split(","):
        raise
    pytest.skip(f"{problem.name} is not installed (extra hf)", allow_module_level=True)

PREMISES = [
    "The tower of Orsa was opened in 1889.",
    "It is 38 metres tall. The architect was Marta Lindqvist, who lived in Mora for most of her life.",
    "Rain.",
]
CLAIMS = ["The tower was opened in 1899.", "Marta Lindqvist drew the tower of Orsa.", "It rained."]
PAIRS = [(premise, claim) for premise in PREMISES for claim in CLAIMS]


@pytest.fixture(scope="module", autouse=True)
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
        tokenizer_object=inner, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=512
    )


def saved(model: object, tokenizer: object, path: Path) -> Path:
    with torch.no_grad():
        for weight in model.parameters():  # larger weights: scores that differ
            weight.mul_(3.0)
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def classifier(path: Path, labels: dict[int, str]) -> Path:
    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=512, id2label=labels, label2id={name: place for place, name in labels.items()},
    )  # fmt: skip
    return saved(transformers.BertForSequenceClassification(config), bert_tokenizer(), path)


def t5(path: Path, kind: str) -> Path:
    config = transformers.T5Config(
        vocab_size=400, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_decoder_layers=2, num_heads=4, num_labels=2,
        feed_forward_proj="gated-gelu", decoder_start_token_id=0, tie_word_embeddings=False,
    )  # fmt: skip
    return saved(getattr(transformers, kind)(config), t5_tokenizer(), path)


ENC = {0: "entailment", 1: "neutral", 2: "contradiction"}
CNE = {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}


@torch.no_grad()
def by_classifier(path: Path, read: Callable) -> np.ndarray:
    """One pair after the other, as a model card shows it."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    return np.array([read(model(**tokenizer(p, h, return_tensors="pt")).logits[0]) for p, h in PAIRS])


@pytest.mark.parametrize(("labels", "order"), [(ENC, (0, 1, 2)), (CNE, (2, 1, 0))])
def test_any_nli_model_in_the_order_of_its_labels(tmp_path: Path, labels: dict, order: tuple[int, ...]) -> None:
    path = classifier(tmp_path, labels)
    wanted = by_classifier(path, lambda logits: logits.softmax(-1)[list(order)].numpy())
    found = registry.create("checker", f"nli:{path}").score(PAIRS)
    assert np.abs(found - wanted).max() < 1e-5
    assert np.ptp(found[:, 0]) > 1e-3, "the scores differ, or nothing was compared"


def test_a_binary_nli_model(tmp_path: Path) -> None:
    path = classifier(tmp_path, {0: "not_entailment", 1: "entailment"})
    wanted = by_classifier(path, lambda logits: logits.softmax(-1)[1].numpy())
    found = registry.create("checker", f"nli:{path}").score(PAIRS)
    assert np.abs(found[:, 0] - wanted).max() < 1e-5
    assert (found[:, 2] == 0).all()


def test_hhem_1(tmp_path: Path) -> None:
    path = classifier(tmp_path, {0: "LABEL_0"})
    wanted = by_classifier(path, lambda logits: torch.sigmoid(logits[0]).numpy())
    found = registry.create("checker", f"hhem-1.0:{path}").score(PAIRS)
    assert np.abs(found[:, 0] - wanted).max() < 1e-5


@torch.no_grad()
def test_hhem_2_from_weights_with_their_prefix(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    path = t5(tmp_path, "T5ForTokenClassification")
    model = transformers.T5ForTokenClassification.from_pretrained(path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    state = load_file(path / "model.safetensors")
    save_file({f"t5.{name}": value.clone() for name, value in state.items()}, path / "model.safetensors")
    (path / "config.json").write_text(json.dumps({"model_type": "HHEMv2Config"}), "utf-8")
    prompt = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {}\n\nHypothesis: {}"
    wanted = np.array(
        [model(**tokenizer(prompt.format(p, h), return_tensors="pt")).logits[0, 0].softmax(-1)[1] for p, h in PAIRS]
    )
    found = registry.create("checker", f"hhem-2.1:{path}").score(PAIRS)
    assert np.abs(found[:, 0] - wanted).max() < 1e-5
    assert np.ptp(wanted) > 1e-4


@pytest.mark.parametrize("name", ["true", "trueteacher"])
@torch.no_grad()
def test_true_and_trueteacher_by_the_first_token(tmp_path: Path, name: str) -> None:
    path = t5(tmp_path, "T5ForConditionalGeneration")
    model = transformers.T5ForConditionalGeneration.from_pretrained(path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    yes = tokenizer("1")["input_ids"][0]
    wanted = []
    for premise, hypothesis in PAIRS:
        item = tokenizer(f"premise: {premise} hypothesis: {hypothesis}", return_tensors="pt")
        start = torch.tensor([[tokenizer.pad_token_id]])
        logits = model(input_ids=item["input_ids"], decoder_input_ids=start).logits[0]
        wanted.append(float(logits.softmax(-1)[0, yes]))
    found = registry.create("checker", f"{name}:{path}").score(PAIRS)
    assert np.abs(found[:, 0] - np.array(wanted)).max() < 1e-5


@torch.no_grad()
def test_minicheck_by_two_tokens_and_the_best_chunk(tmp_path: Path) -> None:
    path = t5(tmp_path, "T5ForConditionalGeneration")
    model = transformers.T5ForConditionalGeneration.from_pretrained(path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)

    def published(document: str, claim: str) -> float:
        item = tokenizer(f"predict: {document}{tokenizer.eos_token}{claim}", return_tensors="pt")
        logits = model(**item, decoder_input_ids=torch.zeros(1, 1, dtype=torch.long)).logits[0, 0]
        return float(logits[[3, 209]].softmax(-1)[1])

    checker = registry.create("checker", f"minicheck:{path}")
    found = checker.score(PAIRS)
    assert np.abs(found[:, 0] - [published(*pair) for pair in PAIRS]).max() < 1e-5
    long = " ".join(f"Sentence number {n} is here." for n in range(150))  # 750 words
    windows = checker.windows([(Passage.of(long), claim_of("It is here."))])[0]
    assert [len(window.text.split()) for window in windows] == [500, 250]
    judged = checked(checker, ["It is here."], long)[0]
    best = max(published(window.text, "It is here.") for window in windows)
    assert judged.p_inconsistent == pytest.approx(1 - best, abs=1e-5)


def claim_of(text: str) -> Claim:
    return Claim.whole("t", text, Span(0, len(text)))


def checked(checker: object, claims: list[str], *passages: str) -> list:
    text = " ".join(claims)
    task = CheckTask(Text("t", text), tuple(map(claim_of, claims)), tuple(map(Passage.of, passages)))
    (found,) = checker.check([task])
    assert not isinstance(found, ItemError), found
    return found


def test_alone_together_and_in_any_order(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}")
    together = checker.score(PAIRS)
    assert np.abs(checker.score(PAIRS[::-1])[::-1] - together).max() < 1e-5
    alone = np.concatenate([checker.score([pair]) for pair in PAIRS])
    assert np.abs(alone - together).max() < 1e-5


def test_a_long_passage_is_read_in_parts_of_whole_sentences(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}")
    long = " ".join(f"The tower number {n} was opened in {1700 + n}." for n in range(200))
    windows = checker.windows([(Passage.of(long), claim_of(CLAIMS[0]))])[0]
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


def test_int8_weights_keep_close_and_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    path = classifier(tmp_path, ENC)
    exact = registry.create("checker", f"nli:{path}").score(PAIRS)
    small = registry.create("checker", f"nli:{path}", Settings(dtype="int8"))
    found = small.score(PAIRS)
    assert 0 < np.abs(found - exact).max() < 0.2
    assert np.abs(np.concatenate([small.score([pair]) for pair in PAIRS]) - found).max() < 1e-5


# What goes wrong


@pytest.mark.parametrize("labels", [{0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, {0: "entailment"}, {0: "a", 1: "b"}])
def test_labels_that_say_nothing(tmp_path: Path, labels: dict[int, str]) -> None:
    path = classifier(tmp_path, labels)
    with pytest.raises(UsageError, match="id2label"):
        registry.create("checker", f"nli:{path}")


def test_a_folder_without_a_model_and_a_model_that_is_not_there(tmp_path: Path, monkeypatch) -> None:
    with pytest.raises(MissingPartError, match="holds no such model"):
        registry.create("checker", f"nli:{tmp_path}")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(MissingPartError, match="cannot be had") as caught:
        registry.create("checker", "nli:no-such/model-of-ours")
    assert "hf download no-such/model-of-ours" in (caught.value.hint or "")


def test_a_device_that_is_not_there(tmp_path: Path) -> None:
    checker = registry.create("checker", f"nli:{classifier(tmp_path, ENC)}", Settings(device="cuda:77"))
    with pytest.raises(UsageError, match="cuda:77"):
        checker.score(PAIRS[:1])


def engine(forward_limit: int) -> tuple[Engine, Callable]:
    """A model that has memory for so many tokens."""

    def forward(_: object, tensors: dict) -> object:
        ids = tensors["input_ids"]
        if ids.numel() > forward_limit:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        values = (ids * tensors["attention_mask"]).sum(-1, keepdim=True).float()
        return torch.where(values == 13, math.nan, values)

    return Engine(lambda _device, _dtype: torch.nn.Identity(), pad=0, devices="cpu", budget=64), forward


def test_out_of_memory_halves_the_batch_and_goes_on() -> None:
    runner, forward = engine(20)
    inputs = [Encoded([1] * size) for size in (5, 6, 7, 8, 9, 30, 3)]
    found = runner.run(inputs, forward)
    assert isinstance(found[5], DoesNotFitError)
    assert "30 tokens" in str(found[5])
    assert [float(item[0]) for item in found if not isinstance(item, Exception)] == [5, 6, 7, 8, 9, 3]
    assert runner.stats.halved > 0


def test_no_number_is_an_error_of_its_item() -> None:
    runner, forward = engine(10_000)
    found = runner.run([Encoded([6, 6]), Encoded([6, 7]), Encoded([8, 8])], forward)
    assert isinstance(found[1], NoNumberError)
    assert [float(found[place][0]) for place in (0, 2)] == [12, 16]


def test_an_item_that_fails_leaves_the_others(tmp_path: Path) -> None:
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
    assert "no number" in bad.error.message


def test_batches_hold_every_place_once_and_waste_little() -> None:
    chance = np.random.default_rng(2)
    lengths = chance.integers(8, 400, 3000).tolist()
    found = batches(lengths, 2048)
    assert sorted(place for batch in found for place in batch) == list(range(3000))
    slots = sum(max(lengths[place] for place in batch) * len(batch) for batch in found)
    assert 1 - sum(lengths) / slots < 0.05
    assert all(max(lengths[place] for place in batch) * len(batch) <= 2048 for batch in found)


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
    wanted = [0.0111, 0.6474, 0.1290, 0.8969, 0.1846, 0.0050, 0.0543]
    assert registry.create("checker", "hhem-2.1").score(pairs)[:, 0] == pytest.approx(wanted, abs=1e-3)
