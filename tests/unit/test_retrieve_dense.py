"""Dense and hybrid retrieval: exact search, vectors that depend on their text alone, indexes that are used again."""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_eval.errors import GraphEvalWarning, InputError, MissingPartError, UsageError
from graph_eval.registry import create
from graph_eval.resources import folder
from graph_eval.retrieve import encoder as encoders
from graph_eval.retrieve.corpus import Corpus
from graph_eval.retrieve.dense import BLOCK, DenseRetriever
from graph_eval.retrieve.encoder import (
    EMBEDDINGS,
    EVEN,
    PIECES,
    WordEncoder,
    as_encoder,
    cut,
    embeddings,
    rarity,
    whitened,
)
from graph_eval.retrieve.hybrid import DEPTH, HybridRetriever
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.settings import RetrievalSettings, Settings
from graph_eval.testing.checkers import in_threads
from graph_eval.types import ItemError, Passage

TEXTS = [
    "The doctor gave the patient a new medicine for the pain.",
    "The lawyer spoke to the judge about the trial.",
    "Trains to Mora leave at nine in the morning.",
    "A cat slept on the warm roof.",
]


class Letters:
    """Counts the letters of each text, and how many texts it was asked for."""

    fingerprint = "letters-1"

    def __init__(self, broken: Callable[[str], bool] = lambda _: False) -> None:
        self.broken = broken
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        rows = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return np.array([[np.nan] * 26 if self.broken(t) else row for t, row in zip(texts, rows, strict=True)])


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    place = tmp_path / "docs"
    place.mkdir()
    for number, text in enumerate(TEXTS):
        (place / f"{number}.txt").write_text(text)
    return place


def found(retriever: Retriever, *texts: str, k: int = 3) -> list[list[str]]:
    answers = retriever.retrieve([Query(text) for text in texts], k)
    assert not any(isinstance(answer, ItemError) for answer in answers), answers
    return [[passage.text for passage in answer] for answer in answers if not isinstance(answer, ItemError)]


# ---- search ----


def test_the_search_is_exact() -> None:
    rng = np.random.default_rng(1)
    count = 2 * BLOCK + 77
    vectors = rng.normal(size=(count, 16)).astype(np.float32)
    queries = rng.normal(size=(40, 16)).astype(np.float32)  # more than are scored together

    class Numbered:
        fingerprint = "numbered"

        def embed(self, texts: Sequence[str]) -> Any:
            kinds = {"p": vectors, "q": queries}
            return np.array([kinds[text[0]][int(text[1:])] for text in texts])

    retriever = DenseRetriever(Corpus.of(f"p{place}" for place in range(count)), encoder=Numbered())
    cosines = (queries @ vectors.T) / np.linalg.norm(vectors, axis=1)
    expected = [[f"p{place}" for place in np.argsort(-row)[:9]] for row in cosines]
    assert found(retriever, *(f"q{place}" for place in range(40)), k=9) == expected


def test_the_cosine_counts_not_the_length() -> None:
    retriever = DenseRetriever(Corpus.of(["ab" * 50, "a", "b"]), encoder=Letters())
    assert found(retriever, "aaaa") == [["a", "ab" * 50, "b"]]


def test_equal_cosines_keep_the_order_of_the_corpus() -> None:
    retriever = DenseRetriever(Corpus.of(["ba", "ab", "b a"]), encoder=Letters())
    assert found(retriever, "ab") == [["ba", "ab", "b a"]]


@pytest.mark.parametrize("text", ["", " \n", "...", "[CLS]?!"])
def test_a_query_without_a_word_finds_nothing(text: str) -> None:
    assert found(DenseRetriever(Corpus.of(TEXTS)), "the judge", text, "a cat", k=1) == [[TEXTS[1]], [], [TEXTS[3]]]
    assert found(DenseRetriever(Corpus.of(TEXTS), encoder=Letters()), "") == [[]]


def test_no_query_no_answer() -> None:
    assert DenseRetriever(Corpus.of(TEXTS)).retrieve([], 3) == []


def test_only_passages_with_the_values_of_the_query(tmp_path: Path) -> None:
    rows = [f'{{"text": "{text}", "year": {2000 + place % 2}}}' for place, text in enumerate(TEXTS)]
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    retriever = DenseRetriever(tmp_path / "a.jsonl")
    assert set(retriever.fields["year"]) == {"2000", "2001"}
    [answer] = retriever.retrieve([Query("the judge", (("year", "2000"),))], 9)
    assert not isinstance(answer, ItemError)
    assert {passage.text for passage in answer} == {TEXTS[0], TEXTS[2]}
    assert retriever.retrieve([Query("the judge", (("year", "1999"),))], 9) == [[]]


# ---- the offline encoder ----


def test_words_of_like_meaning_find_each_other() -> None:
    retriever = DenseRetriever(Corpus.of(TEXTS))
    assert found(retriever, "attorneys in court", "physicians and drugs", "a railway timetable", "kittens", k=1) == [
        [TEXTS[1]], [TEXTS[0]], [TEXTS[2]], [TEXTS[3]],
    ]  # fmt: skip


def test_a_vector_depends_on_its_text_alone() -> None:
    encoder = WordEncoder()
    texts = [*TEXTS, "Mora " * 300, "x", *(text.upper() for text in TEXTS)]
    learnt = encoder.passages(texts).learnt
    together = encoder.queries(texts, learnt)
    assert np.array_equal(together, encoder.passages(texts).vectors)
    for vector, text in zip(together, texts, strict=True):
        assert np.array_equal(vector, encoder.queries([text], learnt)[0])
    assert np.array_equal(together[::-1], encoder.queries(texts[::-1], learnt))


def test_an_answer_does_not_depend_on_the_other_queries() -> None:
    retriever = DenseRetriever(Corpus.of(f"{text} {number}" for text in TEXTS for number in range(50)))
    queries = [Query(f"{text} {number}") for text in TEXTS for number in range(20)]
    assert retriever.retrieve(queries, 7) == [retriever.retrieve([query], 7)[0] for query in queries]


def test_rare_words_weigh_more() -> None:
    weights = rarity(np.array([90.0, 2.0, 0.0, 5.0]), 100, np.array([0.9, 0.02, 0.02, 1.0]))
    assert 0 < weights[0] < weights[1] < weights[2]
    assert weights[3] == 0  # no word
    share = (90 + 100 * 0.9 + 0.5) / 201
    assert weights[0] == pytest.approx(-np.log(share))


def test_whitened_vectors_have_mean_0_and_nearly_the_same_variance() -> None:
    rng = np.random.default_rng(2)
    variances = np.array([1, 4, 9, 1, 1, 16])
    vectors = (rng.normal(size=(50_000, 6)) * variances**0.5 + 7).astype(np.float32)
    share = rng.random(50_000)
    share /= share.sum()
    white = whitened(vectors, share)
    covariance = (white * share[:, None]).T @ white
    assert np.allclose(share @ white, 0, atol=1e-4)
    assert np.allclose(covariance, np.diag(variances / (variances + EVEN * variances.mean())), atol=0.02)


def test_the_shipped_model_has_the_embeddings() -> None:
    model = folder("weights/nli") / "model.onnx"
    vectors = embeddings(model, EMBEDDINGS, PIECES)
    assert vectors.shape == (PIECES, 384)
    assert vectors.dtype == np.float32
    assert len(np.unique(vectors, axis=0)) > 29_000
    with pytest.raises(ValueError, match="no tensor '/enc/nothing'"):
        embeddings(model, "/enc/nothing", 3)


def test_a_cut_model_gives_what_the_whole_model_computes() -> None:
    import onnxruntime

    content = (folder("weights/corrector") / "model.onnx").read_bytes()  # one that has an inner tensor as an output too
    feed = {name: np.array([[101, 2003, 2158, 102]]) for name in ("input_ids", "attention_mask", "token_type_ids")}
    feed["attention_mask"] = np.ones_like(feed["input_ids"])
    feed["token_type_ids"] = np.zeros_like(feed["input_ids"])
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    [whole] = onnxruntime.InferenceSession(content, options).run(["plain"], feed)
    smaller = onnxruntime.InferenceSession(cut(content, "plain"), options)
    assert [item.name for item in smaller.get_outputs()] == ["plain"]
    [part] = smaller.run(None, feed)
    assert np.array_equal(whole, part)
    with pytest.raises(ValueError, match="a field of kind"):
        cut(b"\x09" + bytes(8), "plain")


# ---- indexes ----


def test_an_index_is_used_again(docs: Path, tmp_path: Path) -> None:
    first, second = Letters(), Letters()
    made = DenseRetriever(docs, tmp_path / "index", first)
    assert sorted(first.texts) == sorted(TEXTS)
    again = DenseRetriever(docs, tmp_path / "index", second)
    assert second.texts == []
    assert again.fingerprint == made.fingerprint
    assert found(again, *TEXTS) == found(made, *TEXTS)
    assert isinstance(again._vectors.unit, np.memmap)


def test_the_offline_index_answers_as_the_one_in_memory(docs: Path, tmp_path: Path) -> None:
    DenseRetriever(docs, tmp_path / "index")
    queries = ["an attorney", "Mora at nine", "pain"]
    assert found(DenseRetriever(docs, tmp_path / "index"), *queries) == found(DenseRetriever(docs), *queries)


def test_another_corpus_or_encoder_makes_the_index_again(docs: Path, tmp_path: Path) -> None:
    old = DenseRetriever(docs, tmp_path / "index", Letters())
    (docs / "new.txt").write_text("Zzz.")
    letters = Letters()
    with pytest.warns(GraphEvalWarning, match="making it again"):
        new = DenseRetriever(docs, tmp_path / "index", letters)
    assert len(letters.texts) == 5
    assert found(new, "zz", k=1) == [["Zzz."]]
    other = Letters()
    other.fingerprint = "letters-2"
    with pytest.warns(GraphEvalWarning, match="making it again"):
        another = DenseRetriever(docs, tmp_path / "index", other)
    assert len(other.texts) == 5
    assert len({old.fingerprint, new.fingerprint, another.fingerprint}) == 3


def test_damaged_vectors_are_made_again(docs: Path, tmp_path: Path) -> None:
    DenseRetriever(docs, tmp_path / "index", Letters())
    [file] = (tmp_path / "index").glob("content-*/vectors.npy")
    file.write_bytes(file.read_bytes()[:200])
    with pytest.warns(GraphEvalWarning):
        assert found(DenseRetriever(docs, tmp_path / "index", Letters()), TEXTS[2], k=1) == [[TEXTS[2]]]


KILLED = """
import os, signal, sys, warnings
import numpy as np
from graph_eval.retrieve import dense
warnings.simplefilter("ignore")

class Letters:
    fingerprint = "letters-2"
    def embed(self, texts):
        if sys.argv[3] == "encoding":
            os.kill(os.getpid(), signal.SIGKILL)
        return np.ones((len(texts), 26))

def half(vectors, folder):
    (folder / "vectors.npy").write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[3] == "saving":
    dense.save = half
dense.DenseRetriever(sys.argv[1], sys.argv[2], Letters())
"""


@pytest.mark.parametrize("when", ["encoding", "saving"])
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL")
def test_a_killed_process_leaves_the_old_index(docs: Path, tmp_path: Path, when: str) -> None:
    expected = found(DenseRetriever(docs, tmp_path / "index", Letters()), *TEXTS)
    arguments = [sys.executable, "-c", KILLED, str(docs), str(tmp_path / "index"), when]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    letters = Letters()
    assert found(DenseRetriever(docs, tmp_path / "index", letters), *TEXTS) == expected
    assert letters.texts == TEXTS  # the queries, no passage


def test_a_pickled_copy_answers_the_same(docs: Path, tmp_path: Path) -> None:
    for retriever in (
        DenseRetriever(docs, tmp_path / "index"),
        DenseRetriever(Corpus.of(TEXTS), encoder=Sized()),
        HybridRetriever([DenseRetriever(docs), Fixed([TEXTS[1]])], 7.0),
    ):
        copy = pickle.loads(pickle.dumps(retriever))  # noqa: S301
        assert copy.fingerprint == retriever.fingerprint
        assert found(copy, *TEXTS) == found(retriever, *TEXTS)


def test_threads_share_a_retriever() -> None:
    retriever = DenseRetriever(Corpus.of(TEXTS))
    answers = in_threads(lambda: found(retriever, *TEXTS))
    assert all(answer == answers[0] for answer in answers)


# ---- what encoders may give ----


class Sized:
    """The length of a text, and one. No fingerprint: it is new in each process and kept in a copy."""

    def embed(self, texts: Sequence[str]) -> Any:
        return [[len(text), 1] for text in texts]


def test_vectors_that_are_no_numbers_are_refused(docs: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="NaN or infinity for 'A cat slept"):
        DenseRetriever(docs, tmp_path / "index", Letters(lambda text: "cat" in text))
    assert not (tmp_path / "index").exists()


def test_a_query_without_a_vector_has_its_own_error() -> None:
    retriever = DenseRetriever(Corpus.of(TEXTS), encoder=Letters(lambda text: text == "bad"))
    one, bad, other = retriever.retrieve([Query("a cat"), Query("bad"), Query("trains")], 1)
    assert isinstance(bad, ItemError)
    assert bad.stage == "ground"
    assert "NaN or infinity for 'bad'" in bad.message
    assert [one, other] == [retriever.retrieve([Query(text)], 1)[0] for text in ("a cat", "trains")]


@pytest.mark.parametrize("array", [[1.0, 2.0, 3.0, 4.0], [[1.0]] * 3, [[]] * 4])
def test_arrays_of_another_shape_are_refused(array: Any) -> None:
    class Wrong:
        def embed(self, _: Sequence[str]) -> Any:
            return array

    with pytest.raises(UsageError, match=r"array \(.*\) for 4 texts"):
        DenseRetriever(Corpus.of(TEXTS), encoder=Wrong())


def test_what_is_no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="not an encoder"):
        as_encoder(7)
    monkeypatch.setattr(encoders, "find_spec", lambda _: None)
    with pytest.raises(MissingPartError, match=r"graph_eval\[dense\]"):
        create("retriever", "dense:docs", Settings(retrieval=RetrievalSettings(ground_encoder="some/model")))


# ---- names ----


def test_by_name(docs: Path, tmp_path: Path) -> None:
    settings = Settings(retrieval=RetrievalSettings(ground_index=str(tmp_path / "index")))
    dense = create("retriever", f"dense:{docs}", settings)
    assert found(dense, "a tomcat", k=1) == [[TEXTS[3]]]
    assert (tmp_path / "index" / "index.json").is_file()
    with pytest.raises(InputError, match="does not exist"):
        create("retriever", f"dense:{tmp_path / 'none'}")


def test_hybrid_by_name_joins_bm25_and_dense(docs: Path, tmp_path: Path) -> None:
    settings = Settings(retrieval=RetrievalSettings(ground_index=str(tmp_path / "index"), fusion_k=9.0))
    kept, made = create("retriever", f"hybrid:{docs}", settings), create("retriever", f"hybrid:{docs}")
    assert sorted(place.name for place in (tmp_path / "index").iterdir()) == ["bm25", "dense"]
    assert (kept.k, made.k) == (9.0, 60.0)
    assert kept.fingerprint != made.fingerprint
    for text, best in (("an attorney in court", TEXTS[1]), ("Mora", TEXTS[2])):  # one word is in no passage
        assert found(kept, text, k=1) == found(made, text, k=1) == [[best]]


# ---- hybrid ----


class Fixed(Retriever):
    """The same passages for each query, and an error for "bad". It remembers how many were asked for."""

    def __init__(self, texts: Sequence[str], fields: Sequence[str] = ()) -> None:
        self.texts = texts
        self.names = fields
        self.depth = 0

    @property
    def fields(self) -> dict[str, list[str]]:
        return {name: ["1"] for name in self.names}

    @property
    def fingerprint(self) -> str:
        return f"fixed:{self.texts}"

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        self.depth = k
        error = ItemError("ground", "it is bad")
        return [error if query.text == "bad" else [Passage.of(text) for text in self.texts] for query in queries]


def test_the_order_is_that_of_reciprocal_rank_fusion() -> None:
    one, other = Fixed(["a", "b", "c", "d"]), Fixed(["c", "e", "b"])
    # k 1: a 1/1; b 1/2 + 1/3; c 1/3 + 1/1; d 1/4; e 1/2
    assert found(HybridRetriever([one, other], 1.0), "x", k=9) == [["c", "a", "b", "e", "d"]]
    # k 60: b 1/61 + 1/62 = .03252; c 1/62 + 1/60 = .03280; then a 1/60, e 1/61, d 1/63
    assert found(HybridRetriever([one, other]), "x", k=4) == [["c", "b", "a", "e"]]


def test_rankings_are_deeper_than_the_answer() -> None:
    parts = [Fixed(["a"]), Fixed(["b"])]
    hybrid = HybridRetriever(parts)
    found(hybrid, "x", k=5)
    assert [part.depth for part in parts] == [DEPTH] * 2
    found(hybrid, "x", k=50)
    assert [part.depth for part in parts] == [200] * 2


def test_the_error_of_a_part_is_the_error_of_its_query() -> None:
    good = DenseRetriever(Corpus.of(TEXTS))
    answers = HybridRetriever([good, Fixed(["a"])]).retrieve([Query("cat"), Query("bad"), Query("court")], 2)
    assert answers[1] == ItemError("ground", "it is bad")
    assert [isinstance(answer, ItemError) for answer in answers] == [False, True, False]


def test_hybrid_takes_what_is_a_retriever_in_python() -> None:
    hybrid = HybridRetriever([lambda text, _: [f"{text}!", "b"], Fixed(["b"])])
    assert found(hybrid, "a") == [["b", "a!"]]
    with pytest.raises(UsageError, match="no retriever"):
        HybridRetriever([])


def test_fields_of_hybrid_are_those_that_all_parts_know() -> None:
    assert list(HybridRetriever([Fixed([], ["year", "place"]), Fixed([], ["place"])]).fields) == ["place"]
    assert HybridRetriever([Fixed([], ["year"]), Fixed([])]).fields == {}


def test_a_fingerprint_names_parts_and_k() -> None:
    one, other = Fixed(["a"]), Fixed(["b"])
    hybrids = [HybridRetriever([one, other]), HybridRetriever([one, other], 30), HybridRetriever([other, one])]
    assert len({hybrid.fingerprint for hybrid in hybrids}) == 3
    assert HybridRetriever([one, other]).models == ()
    assert os.sep not in hybrids[0].fingerprint
