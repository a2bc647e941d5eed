"""Methods of self-checking with models of transformers: tiny, randomly initialised ones, compared with a direct
transcription of the published code (selfcheckgpt 0.1.7, bert_score 0.3.13)."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_eval.consistency.bertscore import BASELINE, BERTScoreMethod
from graph_eval.consistency.cosine import CosineMethod
from graph_eval.consistency.encoder import Encoder
from graph_eval.consistency.method import Method
from graph_eval.consistency.nli import NLIMethod
from graph_eval.errors import UsageError
from graph_eval.registry import create
from graph_eval.testing.methods import MethodContract, compared, task
from graph_eval.text.sentences import sentences
from tests.integration.test_hf import ENC, bert_tokenizer, classifier, deberta, saved

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = [
    pytest.mark.hf,
    pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:FutureWarning"),
]
RESPONSE = "The tower of Orsa was opened in 1889. It is 38 metres tall. It rained."
SAMPLES = ("The tower was opened in 1899. It is tall.", "Rain fell on the tower of Orsa, which is 38 metres tall.")


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(5)


def own(response: str = RESPONSE) -> list[str]:
    return [sentence.span.of(response) for sentence in sentences(response)]


@torch.no_grad()
def nli_as_published(path: Path, order: tuple[int, int], sentence_first: bool) -> np.ndarray:
    """SelfCheckNLI.predict: one pair at a time. `order`: of the labels entailment and contradiction."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    scores = np.zeros((len(own()), len(SAMPLES)))
    for row, sentence in enumerate(own()):
        for column, sample in enumerate(SAMPLES):
            pair = (sentence, sample) if sentence_first else (sample, sentence)
            logits = model(**tokenizer(*pair, truncation=True, return_tensors="pt")).logits[0]
            scores[row, column] = logits[list(order)].softmax(-1)[1]
    return scores.mean(axis=-1)


def test_the_model_of_selfcheckgpt_reads_the_sentence_first_and_has_two_labels(tmp_path: Path) -> None:
    path = deberta(tmp_path)
    expected = nli_as_published(path, (0, 1), sentence_first=True)
    (found,) = compared(create("method", f"nli:{path}"), task(RESPONSE, SAMPLES))
    scores = np.array([sentence.score for sentence in found.sentences])
    assert np.abs(scores - expected).max() < 1e-4
    assert np.ptp(scores) > 1e-3, "the scores differ, or nothing was compared"


def test_any_nli_model_without_its_neutral_class(tmp_path: Path) -> None:
    path = classifier(tmp_path, ENC)
    expected = nli_as_published(path, (0, 2), sentence_first=False)
    (found,) = compared(create("method", f"nli:{path}"), task(RESPONSE, SAMPLES))
    scores = np.array([sentence.score for sentence in found.sentences])
    assert np.abs(scores - expected).max() < 1e-4
    assert np.ptp(scores) > 5e-4


def test_texts_beyond_the_limit_are_cut_as_the_tokenizer_cuts_them(tmp_path: Path) -> None:
    path = deberta(tmp_path)  # 64 positions
    method = create("method", f"nli:{path}")
    long = "The tower of Orsa is tall and old. " * 20
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    inputs = tokenizer("It rained.", long, truncation=True, max_length=64, return_tensors="pt")
    with torch.no_grad():
        expected = float(model(**inputs).logits[0].softmax(-1)[1])
    (found,) = compared(method, task("It rained.", (long,)))
    assert found.sentences[0].score == pytest.approx(expected, abs=1e-4)


def test_labels_of_unknown_meaning_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown labels"):
        create("method", f"nli:{classifier(tmp_path, {0: 'red', 1: 'green', 2: 'blue'})}")


def encoder(path: Path) -> Path:
    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=48,
    )  # fmt: skip
    return saved(transformers.BertModel(config), bert_tokenizer(), path)


@torch.no_grad()
def states(path: Path, text: str, layer: int) -> Any:
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModel.from_pretrained(path).eval()
    return model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states[layer][0].numpy()


def f1_as_published(one: np.ndarray, other: np.ndarray) -> float:
    """greedy_cos_idf without idf: special tokens have the weight 0, and may be matched."""
    one, other = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (one, other))
    similar = one @ other.T
    precision, recall = similar.max(axis=1)[1:-1].mean(), similar.max(axis=0)[1:-1].mean()
    return float(2 * precision * recall / (precision + recall))


@pytest.mark.parametrize("layer", [1, 2])
def test_bertscore_is_that_of_the_layer_and_rescaled(tmp_path: Path, layer: int) -> None:
    path = encoder(tmp_path)
    rows = {text: states(path, text, layer) for text in [*own(), *(s for sample in SAMPLES for s in own(sample))]}
    expected = []
    for sentence in own():
        best = [max(f1_as_published(rows[other], rows[sentence]) for other in own(sample)) for sample in SAMPLES]
        expected.append(np.mean([min(1.0, max(0.0, 1 - (value - 0.2) / 0.8)) for value in best]))
    method = BERTScoreMethod(Encoder(str(path), layer=layer), baseline=0.2)
    (found,) = compared(method, task(RESPONSE, SAMPLES))
    assert [sentence.score for sentence in found.sentences] == pytest.approx(expected, abs=1e-4)
    assert np.ptp(expected) > 1e-3


def test_a_sentence_encoder_takes_the_mean_of_its_tokens(tmp_path: Path) -> None:
    path = encoder(tmp_path)

    def vector(text: str) -> np.ndarray:
        rows: np.ndarray = states(path, text, 3).mean(axis=0)
        return rows / np.linalg.norm(rows)

    expected = np.mean([1 - vector(RESPONSE) @ vector(sample) for sample in SAMPLES])
    (found,) = compared(create("method", f"cosine:{path}"), task(RESPONSE, SAMPLES))
    assert found.score == pytest.approx(expected, abs=1e-4)


def test_bertscore_by_name_has_the_baseline_of_its_own_model_only(tmp_path: Path) -> None:
    other = create("method", f"bertscore:{encoder(tmp_path)}")
    assert other.baseline == 0.0
    assert pytest.approx(0.8312, abs=1e-4) == BASELINE


def test_bertscore_reads_a_sentence_as_behind_a_blank_where_the_vocabulary_tells(tmp_path: Path) -> None:
    read: list[str] = []

    class RobertaTokenizer:
        """Stands for one of the vocabulary of GPT-2, by its name."""

        def __init__(self, tokenizer: Any) -> None:
            self._tokenizer = tokenizer
            self.cls_token_id, self.sep_token_id = tokenizer.cls_token_id, tokenizer.sep_token_id

        def __call__(self, text: str, **options: Any) -> Any:
            read.append(text)
            return self._tokenizer(text, **options)

    both = Encoder(str(encoder(tmp_path)))
    plain = both.tokenizer
    both.embed_tokens(["One. "])
    both.tokenizer = RobertaTokenizer(plain)
    both.embed_tokens(["Two. "])
    both.embed([" Three."])
    assert read == [" Two.", "Three."]  # as sentence-transformers reads a text: without


def test_an_encoder_can_be_pickled(tmp_path: Path) -> None:
    method = CosineMethod(Encoder(str(encoder(tmp_path)), layer=1))
    again = pickle.loads(pickle.dumps(method))  # noqa: S301
    assert again.fingerprint == method.fingerprint
    assert compared(again, task())[0].score == compared(method, task())[0].score


class TestPublished(MethodContract):
    """The promises of a method, by models of transformers. What random weights say is no matter."""

    @pytest.fixture(params=["nli", "cosine", "bertscore"])
    def method(self, request: pytest.FixtureRequest, tmp_path: Path) -> Method:
        path = classifier(tmp_path, ENC) if request.param == "nli" else encoder(tmp_path)
        found: Method = create("method", f"{request.param}:{path}")
        assert isinstance(found, NLIMethod | CosineMethod | BERTScoreMethod)
        return found

    def test_what_no_sample_says_scores_higher_than_what_every_sample_says(self, method: Method) -> None:
        """Not of random weights."""
