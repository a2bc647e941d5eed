"""Self-checking by samples: the published formulas, claims against samples, samples that say nothing, and stages."""

import math
import pickle
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from graph_eval import GraphEval
from graph_eval.consistency.bertscore import BERTScoreMethod, f1
from graph_eval.consistency.cosine import CosineMethod
from graph_eval.consistency.ensemble import EnsembleMethod
from graph_eval.consistency.foreign import as_method
from graph_eval.consistency.graph import GraphMethod, exact_matches, in_sample
from graph_eval.consistency.method import (
    ClaimScore,
    Consistency,
    Method,
    SampleTask,
    SentenceScore,
    by_sample,
    of_sentences,
    sound,
)
from graph_eval.consistency.ngram import NgramMethod
from graph_eval.consistency.nli import Measure, NLIMethod, contradicted, unsupported
from graph_eval.consistency.prompt import PromptMethod, PromptResponseMethod, consistency, score
from graph_eval.consistency.record import record
from graph_eval.consistency.refusals import says_nothing
from graph_eval.consistency.sampler import Sampler
from graph_eval.errors import GraphEvalWarning, UsageError
from graph_eval.llm.model import Completion, Request
from graph_eval.llm.scanner import AnswerError
from graph_eval.plan import Plan
from graph_eval.registry import create
from graph_eval.reports.rows import row
from graph_eval.settings import Settings
from graph_eval.testing.methods import compared, task
from graph_eval.types import (
    CheckTask,
    Claim,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Label,
    Relation,
    Result,
    Scores,
    Slot,
    Span,
    Text,
)

RESPONSE = "Curie was born in Warsaw. She won two prizes."


class Table:
    """A scorer of pairs whose scores are written down. Unknown pairs are neutral."""

    fingerprint = "table-1"
    max_tokens = 100

    def __init__(self, scores: dict[tuple[str, str], tuple[float, float, float]]) -> None:
        self.scores = scores
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Any:
        self.asked += pairs
        return np.array([self.scores.get(pair, (0.0, 1.0, 0.0)) for pair in pairs]).reshape(-1, 3)


def test_nli_drops_the_neutral_class_and_takes_the_mean_over_samples() -> None:
    scorer = Table({("one", "A."): (0.1, 0.6, 0.3), ("two", "A."): (0.5, 0.4, 0.1)})
    (found,) = compared(NLIMethod(scorer), task("A.", ("one", "two", "three")))
    assert found.sentences[0].by_sample == pytest.approx((0.75, 1 / 6, 0.5), abs=1e-6)
    assert found.score == pytest.approx((0.75 + 1 / 6 + 0.5) / 3, abs=1e-6)


def test_nli_counts_what_samples_do_not_say_if_the_model_tells_it_from_what_they_deny() -> None:
    scorer = Table({("one", "A."): (0.1, 0.6, 0.3), ("two", "A."): (0.5, 0.4, 0.1)})
    (found,) = compared(NLIMethod(scorer, measure=unsupported), task("A.", ("one", "two", "three")))
    assert found.sentences[0].by_sample == pytest.approx((0.9, 0.5, 1.0), abs=1e-6)
    assert NLIMethod(scorer, measure=unsupported).fingerprint != NLIMethod(scorer).fingerprint
    own = create("method", "nli", Settings())
    (found,) = compared(own, task("Curie won three medals.", ("Curie was born in Warsaw.", "Curie won three medals.")))
    not_said, said = found.sentences[0].by_sample
    assert not_said > 0.8
    assert said < 0.2


@pytest.mark.parametrize("measure", [contradicted, unsupported])
def test_a_score_that_is_no_number_is_an_error(measure: Measure) -> None:
    scorer = Table({("one", "A."): (math.nan, math.nan, math.nan)})
    with pytest.raises(ValueError, match="not a number"):
        NLIMethod(scorer, measure=measure).compare([task("A.", ("one",))])


def test_equal_pairs_are_scored_once() -> None:
    scorer = Table({})
    NLIMethod(scorer).compare([task("A.", ("one", "one")), task("A. A.", ("one",))])
    assert scorer.asked == [("one", "A.")]


def test_unigram_surprises_are_those_of_counts_without_smoothing() -> None:
    method = NgramMethod()
    surprises, largest = method.surprises(task("red blue green.", ("red red blue.",)))
    assert largest == pytest.approx(math.log(8))  # red blue green . red red blue .
    assert surprises == pytest.approx([-math.log(1 / 8)])
    (found,) = compared(method, task("red blue green.", ("red red blue.",)))
    assert found.sentences[0].score == 1.0  # "green" occurs once: nothing can be more surprising
    means, _ = NgramMethod(1, "mean").surprises(task("red blue green.", ("red red blue.",)))
    assert means == pytest.approx([np.mean([-math.log(count / 8) for count in (3, 2, 1, 2)])])


def test_bigram_surprises_are_given_the_word_before() -> None:
    surprises, _ = NgramMethod(2, "max").surprises(task("red blue.", ("red green.", "red blue.")))
    assert surprises == pytest.approx([-math.log(2 / 3)])  # after "red" twice "blue", once "green"


LONG = (
    "Marie Curie was born in Warsaw in 1867. She moved to Paris and studied physics at the Sorbonne. In 1903 she won "
    "the Nobel Prize in Physics with Pierre Curie and Henri Becquerel. Later she led the radiology units of the army."
)


@pytest.mark.parametrize("method", [NgramMethod(), NgramMethod(1, "mean"), NgramMethod(2), NgramMethod(2, "mean")])
@pytest.mark.parametrize("count", [1, 5])
def test_a_long_text_that_all_samples_repeat_is_at_most_one_quarter(method: NgramMethod, count: int) -> None:
    (found,) = compared(method, task(LONG, (LONG,) * count))
    assert all(sentence.score is not None and sentence.score <= 0.25 for sentence in found.sentences)


@pytest.mark.parametrize("pooling", ["max", "mean"])
def test_what_no_sample_says_is_flagged_beside_what_all_repeat(pooling: Any) -> None:
    response = f"{LONG} Her brother ruled over a distant island kingdom."
    (found,) = compared(NgramMethod(1, pooling), task(response, (LONG,) * 5))
    *repeated, made_up = (sentence.score or 0.0 for sentence in found.sentences)
    assert max(repeated) < 0.5 < made_up


def test_a_word_that_half_of_the_samples_repeat_is_at_the_threshold() -> None:
    (found,) = compared(NgramMethod(), task("One two three", ("One two three", "One two four")))
    assert found.sentences[0].score == pytest.approx(0.5)


@pytest.mark.parametrize("method", [NgramMethod(), NgramMethod(1, "mean")])
def test_the_scale_orders_sentences_as_the_published_score_does(method: NgramMethod) -> None:
    one = task(f"{LONG} She sang. Her brother ruled over a kingdom.", (LONG, LONG[40:], "She sang. She led Paris."))
    (found,) = compared(method, one)
    scores = [sentence.score or 0.0 for sentence in found.sentences]
    surprises = [value or 0.0 for value in method.surprises(one)[0]]
    assert list(np.argsort(scores, kind="stable")) == list(np.argsort(surprises, kind="stable"))


@pytest.mark.parametrize("argument", ["0", "2,median", "mean,max,x", "2,3", "mean,max"])
def test_an_ngram_that_does_not_exist_is_refused(argument: str) -> None:
    with pytest.raises(UsageError, match="ngram"):
        create("method", f"ngram:{argument}")


def test_bertscore_matches_each_token_with_the_most_similar_one() -> None:
    """By hand: precision over the candidate's words, recall over the reference's, special tokens match but do not
    count."""
    special = np.array([False, True, True])
    candidate = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]]), special
    reference = np.array([[0.0, 1.0], [1.0, 0.0]]), special[:2]
    precision = (1.0 + 0.8) / 2
    assert f1(candidate, reference) == pytest.approx(2 * precision * 1.0 / (precision + 1.0))


class Letters:
    """An embedder of tokens: one token, and the vector of a text is (number of "a", number of other letters)."""

    fingerprint = "letters-1"

    def embed_tokens(self, texts: Sequence[str]) -> list[Any]:
        return [(self.embed([text]), np.array([True])) for text in texts]

    def embed(self, texts: Sequence[str]) -> Any:
        counts = [(text.count("a"), sum(map(str.isalpha, text)) - text.count("a")) for text in texts]
        return np.array(counts, dtype=float)


def test_bertscore_takes_the_best_sentence_of_each_sample_and_rescales() -> None:
    (found,) = compared(BERTScoreMethod(Letters(), baseline=0.5), task("aaaa.", ("bbbb. aaab.", "bbbb.")))
    best = 3 / math.sqrt(10)
    assert found.sentences[0].by_sample == pytest.approx((1 - (best - 0.5) / 0.5, 1.0), abs=1e-6)


def test_cosine_compares_whole_texts_for_the_response_and_the_best_sentence_for_a_sentence() -> None:
    (found,) = compared(CosineMethod(Letters()), task("aaaa. bbbb.", ("aaaa.", "aabb.")))
    half = math.sqrt(0.5)
    assert found.score == pytest.approx(((1 - half) + 0.0) / 2, abs=1e-6)
    assert found.sentences[0].score == pytest.approx((0.0 + (1 - half)) / 2, abs=1e-6)


def test_no_vector_has_no_similarity() -> None:
    (found,) = compared(CosineMethod(), task("Of the and.", ("Nothing here.",)))
    assert found.score == 1.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes", 0.0),
        ("no.", 1.0),
        ("**Answer:** No", 1.0),
        ("<think>Hmm, no.</think>Yes, it is.", 0.0),
        ("N/A", 0.5),
        ("I cannot tell, yes or no", 0.5),
        ("Yesterday", 0.5),
        ("<think>never done", 0.5),
    ],
)
def test_yes_scores_0_no_scores_1_anything_else_one_half(answer: str, expected: float) -> None:
    assert score(Completion(answer)) == expected


def test_prompt_asks_for_every_sentence_and_sample_between_fences() -> None:
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return "Yes" if "\nOne.\n" in prompt and "\nRed.\n" in prompt else "No"

    (found,) = compared(PromptMethod(model), task("Red. Blue.", ("One.", "Two.")))
    assert [sentence.by_sample for sentence in found.sentences] == [(0.0, 1.0), (1.0, 1.0)]
    assert len(asked) == 4
    assert all("<<<context " in prompt and "<<<sentence " in prompt for prompt in asked)


def test_a_failing_request_fails_its_response_alone() -> None:
    def model(prompt: str) -> str:
        if "\nBlue.\n" in prompt:
            raise ValueError("no answer")
        return "Yes"

    first, second = PromptMethod(model).compare([task("A.", ("One.",)), task("Red. Blue.", ("One.",))])
    assert isinstance(first, Consistency)
    assert first.score == 0.0
    assert isinstance(second, ItemError)
    assert second.message.startswith("1 of 2 requests failed: ValueError: no answer")


def test_the_single_call_gives_1_minus_the_consistency() -> None:
    method = PromptResponseMethod(lambda _: "Consistency: 0.80")
    (found,) = compared(method, task("Red. Blue.", ("One.",)))
    assert found.score == pytest.approx(0.2)
    assert [sentence.score for sentence in found.sentences] == [None, None]


@pytest.mark.parametrize(
    ("answer", "expected"), [("0.85", 0.85), ("1", 1.0), ("score: 0.00.", 0.0), (".5", 0.5), ("0.85/1.00", 0.85)]
)
def test_a_consistency_is_read(answer: str, expected: float) -> None:
    assert consistency(answer) == expected


@pytest.mark.parametrize("answer", ["", "high", "0.2 or 0.9", "85%", "1.7", "12", "85/100"])
def test_an_answer_without_one_number_is_refused(answer: str) -> None:
    with pytest.raises(AnswerError):
        consistency(answer)


# ---- claims against samples ----


def triplet(text_id: str, *slots: str, sentence: Span | None = None) -> Claim:
    subject, predicate, thing = (Slot(slot) for slot in slots)
    return Claim.triplet(text_id, (subject, predicate, thing), " ".join(slots) + ".", sentence or Span(0, 10))


def test_the_same_words_are_a_match_whatever_case_and_article() -> None:
    own, other = triplet("r", "The tower", "is", "a landmark"), triplet("s", "tower", "is", "The landmark")
    negated = triplet("s", "tower", "is not", "the landmark")
    assert exact_matches([own], [negated, other]) == {own.id: other}


class Scripted:
    """A checker that knows its verdicts by the words of claim and passage."""

    fingerprint = "scripted-1"
    threshold = 0.5

    def __init__(self, verdicts: dict[tuple[str, str], tuple[Label, float]]) -> None:
        self.verdicts = verdicts
        self.asked: list[tuple[str, str]] = []

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        return [[self._judge(claim, task) for claim in task.claims] for task in tasks]

    def _judge(self, claim: Claim, task: CheckTask) -> Judgement:
        (passage,) = task.passages
        self.asked.append((claim.text, passage.text))
        label, p = self.verdicts.get((claim.text, passage.text), (Label.NEUTRAL, 0.9))
        evidence = Evidence(passage.id, Span(0, len(passage.text)), Scores(0.0, 0.0, 1.0))
        return Judgement(claim.id, label, p, label is not Label.ENTAILMENT, (evidence,))


def graph_task() -> SampleTask:
    example = Example(
        "e", "d", RESPONSE, samples=("Curie was born in Warsaw.", "Curie was born in Paris.", "She won prizes.")
    )
    text, samples = Text.of(example), Text.of_samples(example)
    spans = (Span(0, 25), Span(26, 45))
    born = triplet(text.id, "Curie", "was born in", "Warsaw", sentence=spans[0])
    won = triplet(text.id, "She", "won", "two prizes", sentence=spans[1])
    theirs = (
        (triplet(samples[0].id, "curie", "was born in", "Warsaw", sentence=Span(0, 25)),),
        (triplet(samples[1].id, "Curie", "was born in", "Paris", sentence=Span(0, 24)),),
        (),
    )
    return SampleTask(text, spans, samples, (born, won), theirs)


def test_claims_are_supported_by_k_and_contradicted_by_m_of_n_samples() -> None:
    checker = Scripted(
        {
            ("Curie was born in Warsaw.", "Curie was born in Paris."): (Label.CONTRADICTION, 0.8),
            ("She won two prizes.", "She won prizes."): (Label.ENTAILMENT, 0.3),
        }
    )
    (found,) = compared(GraphMethod(checker), graph_task())
    born, won = found.claims
    assert (born.supported, born.contradicted, born.samples) == (1, 1, 3)
    assert born.score == pytest.approx((0.0 + 0.8 + 0.9) / 3, abs=1e-6)
    assert [(link.sample, link.relation, link.claim.text) for link in born.links] == [
        (0, Relation.SUPPORTED_BY, "curie was born in Warsaw."),
        (1, Relation.REFUTED_BY, "Curie was born in Paris."),
    ]
    assert (won.supported, won.contradicted) == (1, 0)
    assert won.links[0].claim.text == "She won prizes."  # the sample has no claim: its sentence stands for it
    assert ("Curie was born in Warsaw.", "Curie was born in Warsaw.") not in checker.asked  # exact match first


def test_a_sentence_is_as_doubtful_as_the_worst_of_its_claims_in_each_sample() -> None:
    base = graph_task()
    third = triplet(base.text.id, "Curie", "was", "a queen", sentence=base.sentences[0])
    checker = Scripted({("Curie was a queen.", "Curie was born in Paris."): (Label.ENTAILMENT, 0.2)})
    one = SampleTask(base.text, base.sentences, base.samples, (*base.claims, third), base.sample_claims)
    (found,) = compared(GraphMethod(checker), one)
    assert found.sentences[0].by_sample == (0.9, 0.9, 0.9)
    assert found.claims[2].by_sample == (0.9, 0.2, 0.9)


def test_a_sentence_without_a_claim_has_no_score() -> None:
    base = graph_task()
    one = SampleTask(base.text, base.sentences, base.samples, base.claims[:1], base.sample_claims)
    (found,) = compared(GraphMethod(Scripted({})), one)
    assert found.sentences[1].score is None
    assert found.score == found.sentences[0].score


def test_a_claim_that_could_not_be_judged_says_so_and_the_others_stay() -> None:
    class Broken(Scripted):
        def _judge(self, claim: Claim, task: CheckTask) -> Judgement:
            if "prizes" in claim.text:
                return Judgement.failed(claim.id, ItemError("check", "too long"))
            return super()._judge(claim, task)

    (found,) = compared(GraphMethod(Broken({})), graph_task())
    assert found.claims[0].score is not None
    assert found.claims[1].score is None
    assert found.claims[1].error == ItemError("selfcheck", "3 of 3 samples could not be compared: too long")


def test_a_comparison_that_fails_is_left_out_of_the_mean_and_named() -> None:
    class Broken(Scripted):
        def _judge(self, claim: Claim, task: CheckTask) -> Judgement:
            if task.passages[0].text == "She won prizes.":
                return Judgement.failed(claim.id, ItemError("check", "too long"))
            return super()._judge(claim, task)

    (found,) = compared(GraphMethod(Broken({})), graph_task())
    born, won = found.claims
    assert (born.score, born.samples, born.by_sample) == (0.45, 2, ())
    assert won.error == ItemError("selfcheck", "1 of 3 samples could not be compared: too long")
    assert found.sentences[0].score == 0.45
    assert found.sentences[0].by_sample == ()  # a mean over fewer samples is not stepwise


def test_a_response_none_of_whose_claims_could_be_compared_is_an_error() -> None:
    class Broken(Scripted):
        def _judge(self, claim: Claim, _: CheckTask) -> Judgement:
            return Judgement.failed(claim.id, ItemError("check", "too long", "shorten it"))

    one = SampleTask(graph_task().text, graph_task().sentences, graph_task().samples, graph_task().claims[1:])
    (found,) = GraphMethod(Broken({})).compare([one])
    assert found == ItemError("selfcheck", "no claim could be compared: too long", "shorten it")


def test_a_verdict_without_evidence_counts_with_what_the_sample_says_on_the_claim() -> None:
    class Bare(Scripted):
        def _judge(self, claim: Claim, _: CheckTask) -> Judgement:
            return Judgement(claim.id, Label.CONTRADICTION, 0.9, True)

    (found,) = compared(GraphMethod(Bare({})), graph_task())
    born = found.claims[0]
    assert (born.supported, born.contradicted) == (1, 1)
    assert [link.claim.text for link in born.links] == ["curie was born in Warsaw.", "Curie was born in Paris."]


@pytest.mark.parametrize(
    ("response", "sample", "said"),
    [
        ("Curie won three Nobel Prizes.", "Curie was born in 1867 in Warsaw. Her husband was Pierre.", None),
        ("John was born in 1949.", "John studied law at Oxford. John died in 2003 in London.", None),
        ("Curie was born in Paris.", "Curie won two prizes. She was born in Warsaw.", "Curie was born in Warsaw."),
        ("Bohr was a chemist.", "He played in goal. Bohr was a footballer.", "Bohr was a footballer."),
        ("Curie discovered radium.", "She sang. Radium was found by Debierne.", "Radium was found by Debierne."),
        ("Curie won three Nobel Prizes.", "She sang. Two prizes went to her.", "Two prizes went to her."),
    ],
)
def test_a_contradiction_names_something_about_the_claim_or_does_not_count(
    response: str, sample: str, said: str | None
) -> None:
    class Denying(Scripted):
        def _judge(self, claim: Claim, task: CheckTask) -> Judgement:
            assert task.passages
            return Judgement(claim.id, Label.CONTRADICTION, 0.9, True)

    (claim,) = checked([sample], Denying({}), response).fields["consistency"]["claims"]
    assert claim["score"] == 0.9
    assert claim["contradicted"] == (said is not None)
    assert [link["text"] for link in claim["links"]] == ([said] if said else [])


def test_equal_samples_are_judged_once_and_count_each() -> None:
    example = Example("e", "d", "A b c.", samples=("One.", "One."))
    text, samples = Text.of(example), Text.of_samples(example)
    claim = triplet(text.id, "A", "b", "c", sentence=Span(0, 6))
    checker = Scripted({})
    (found,) = compared(GraphMethod(checker), SampleTask(text, (Span(0, 6),), samples, (claim,), ((), ())))
    assert len(checker.asked) == 1
    assert found.claims[0].samples == 2


# ---- ensembles and objects ----


class Fixed(Method):
    """Every sentence has the same score."""

    fingerprint = "fixed-1"

    def __init__(self, value: float, threshold: float = 0.5) -> None:
        self.value = value
        self._threshold = threshold

    def __repr__(self) -> str:
        return f"Fixed({self.value})"  # the same in every process: it is the name of a test

    @property
    def threshold(self) -> float:
        return self._threshold

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [by_sample(task, [[self.value] * len(task.samples)] * len(task.sentences)) for task in tasks]


def test_an_ensemble_is_the_mean_with_each_threshold_at_one_half() -> None:
    (found,) = compared(EnsembleMethod([Fixed(0.4), Fixed(0.8, threshold=0.6)]), task("A.", ("One.",)))
    assert found.score == pytest.approx((0.4 + 0.75) / 2)
    assert found.sentences[0].by_sample == ()  # no mean over samples any more


def test_an_ensemble_adds_the_scores_of_sentences_to_the_claims() -> None:
    (found,) = compared(EnsembleMethod([GraphMethod(Scripted({})), Fixed(0.1)]), graph_task())
    assert found.claims[1].score == pytest.approx((0.9 + 0.1) / 2)
    assert (found.claims[0].supported, found.claims[0].samples) == (1, 3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ensemble:nli", "ensemble:nli has one method, and an ensemble needs at least 2\nwrite ensemble:nli+graph"),
        ("ensemble:nli+", "a method is missing in ensemble:nli+\nwrite a method on each side of '+'"),
        ("ensemble", "method 'ensemble': missing A+B\nwrite ensemble:A+B, for example ensemble:nli+graph"),
        (
            "ensemble:nli+ensemble:graph+cosine",
            (
                "ensemble:nli+ensemble:graph+cosine: an ensemble cannot be a member of an ensemble\n"
                "write all methods in one: ensemble:nli+graph+cosine"
            ),
        ),
        (
            "ensemble:ensemble:nli+graph",
            (
                "ensemble:ensemble:nli+graph: an ensemble cannot be a member of an ensemble\n"
                "write all methods in one: ensemble:nli+graph"
            ),
        ),
    ],
)
def test_an_ensemble_needs_two_methods_by_their_names(name: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        create("method", name)
    assert str(error.value) == message


def test_an_ensemble_of_objects_can_hold_another_one() -> None:
    inner = EnsembleMethod([Fixed(0.2), Fixed(0.4)])
    (found,) = compared(EnsembleMethod([inner, Fixed(0.9)]), task("A.", ("One.", "Two.")))
    assert found.score == pytest.approx((0.3 + 0.9) / 2)
    assert len(found.sentences[0].by_sample) == 2


def test_what_is_no_method_is_refused() -> None:
    with pytest.raises(UsageError, match="is not a method"):
        as_method(7)


class Own:
    """A method of any class."""

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [of_sentences(by_sample(task, [[0.25]] * len(task.sentences)).sentences) for task in tasks]


def test_own_objects_are_methods() -> None:
    result = GraphEval(method=Own()).selfcheck(RESPONSE, ["One."])
    assert result.fields["consistency"]["score"] == 0.25


# ---- stages ----


def checked(samples: Sequence[str], method: Any = "nli", response: str = RESPONSE, **fields: Any) -> Result:
    return GraphEval(method=method).selfcheck(response, samples, **fields)


def test_a_response_without_samples_is_a_named_error() -> None:
    error = checked([]).error
    assert error is not None
    assert (error.stage, error.message) == ("selfcheck", "the record has no samples")
    assert "--sample-with" in (error.hint or "")


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([" "], "the only sample is empty"),
        (["", "\n"], "all 2 samples are empty"),
        (["Sorry, I cannot help with that.", ""], "all 2 samples are a refusal or empty"),
        (["Unknown.", "Please consult a doctor. I don't know."], "all 2 samples are a refusal"),
        (["Yes.", "no"], "all 2 samples are only yes or no"),
        (["Curie wurde in Warschau geboren.", "Curie nació en Varsovia."], "all 2 samples are in another language"),
    ],
)
def test_samples_that_say_nothing_are_a_named_error(samples: list[str], message: str) -> None:
    error = checked(samples).error
    assert error is not None
    assert error.message == message


def test_a_short_sample_in_english_is_kept() -> None:
    for sample in ("Charles de Gaulle led France.", "Smith et al. measured 5 mm.", "Warsaw"):
        assert checked([sample]).error is None


def test_a_method_for_english_says_that_the_response_is_in_another_language() -> None:
    with pytest.warns(GraphEvalWarning, match="--method prompt:MODEL"):
        checked([RESPONSE], response="Die Hauptstadt von Frankreich ist Paris und sie liegt an der Seine.")


def test_refusals_empty_samples_and_other_languages_are_left_out() -> None:
    samples = [
        "Curie was born in Warsaw. She won two prizes.",
        "I'm sorry, but I can't answer that.",
        "",
        "Curie wurde in Warschau geboren und ist die erste Frau, die mit dem Preis nicht nur für sich geehrt wurde.",
    ]
    value = checked(samples, "graph").fields["consistency"]
    assert value["samples"] == 1
    assert value["left_out"] == [
        {"sample": 1, "reason": "refusal"},
        {"sample": 2, "reason": "empty"},
        {"sample": 3, "reason": "language"},
    ]
    for method in ("nli", "cosine", "ngram", Fixed(0.3)):
        assert checked(samples, method).fields["consistency"]["left_out"] == value["left_out"]


@pytest.mark.parametrize("method", ["nli", "graph", "cosine", "ngram", Fixed(0.3)], ids=repr)
def test_an_english_sample_of_a_response_in_another_language_is_left_out(method: Any) -> None:
    response = "Curie wurde in Warschau geboren und ist die erste Frau mit zwei Preisen."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphEvalWarning)
        error = checked(["Curie was born in Warsaw."], method, response).error
        other = checked(["Curie wurde in Warschau geboren.", "Warschau"], method, response)
    assert error is not None
    assert error.message == "the only sample is in another language"
    assert other.fields["consistency"]["samples"] == 2


def test_a_response_of_one_name_has_the_language_of_its_question() -> None:
    sample = "Die Hauptstadt ist Wien."
    german = checked([sample], "cosine", "Wien", question="Was ist die Hauptstadt von Österreich?")
    assert german.fields["consistency"]["samples"] == 1
    english = checked([sample], "cosine", "Vienna", question="What is the capital of Austria?").error
    assert english is not None
    assert english.message == "the only sample is in another language"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("As of my last update, I have no data on that.", "refusal"),
        ("None", "refusal"),
        ("Error: rate limit exceeded", "error"),
        ("openai.RateLimitError: slow down", "error"),
        ("429 Too Many Requests", "error"),
        ("The request timed out.", "error"),
        ("Es tut mir leid, aber das weiß ich nicht.", "refusal"),
        ("Leider habe ich dazu keine Informationen.", "refusal"),
        ("Unbekannt.", "refusal"),
        ("Je suis désolé, mais je ne peux pas répondre à cette question.", "refusal"),
        ("Je n’ai aucune information à ce sujet.", "refusal"),
        ("Lo siento, no tengo información sobre eso.", "refusal"),
        ("No lo sé.", "refusal"),
        ("Mi dispiace, non lo so.", "refusal"),
        ("Non ho informazioni su questo.", "refusal"),
        ("Het spijt me, dat weet ik niet.", "refusal"),
        ("Ik heb daar geen gegevens over.", "refusal"),
        ("Desculpe, não sei.", "refusal"),
        ("Não tenho informações sobre isso.", "refusal"),
        ("Ja.", "yes or no"),
        ("Sí", "yes or no"),
        ("Não", "yes or no"),
    ],
)
def test_what_says_nothing(text: str, reason: str) -> None:
    assert says_nothing(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "As of my last update, Curie had won two prizes.",
        "Standard error: 3 mm.",
        "404 people died.",
        "Timeout is a magazine.",
        "Ich weiß es nicht genau, aber es war wohl Warschau.",
        "Es tut mir leid, aber Curie wurde in Warschau geboren.",
        "Curie kann nicht schwimmen.",
        "Ja, sie wurde in Warschau geboren.",
        "Marie Curie n'a pas de frère.",
        "No murió en 1900.",
        "Non è morta a Parigi.",
        "Hij kan niet zwemmen.",
        "Ela não nasceu em Paris.",
    ],
)
def test_what_says_something(text: str) -> None:
    assert says_nothing(text) is None


# ---- bare answers ----

CAPITAL = "What is the capital of Australia?"
WHOLE = "The capital of Australia is {}."
OPENED = "In what year was the bridge opened?"


@pytest.mark.parametrize("method", ["nli", "ngram", "cosine"])
@pytest.mark.parametrize("response", ["{}", WHOLE])
@pytest.mark.parametrize("sample", ["{}", WHOLE])
def test_bare_answers_are_compared_as_the_statements_that_the_question_makes_of_them(
    method: str, response: str, sample: str
) -> None:
    samples = [sample.format("Canberra")] * 2
    same = checked(samples, method, response.format("Canberra"), question=CAPITAL).fields["consistency"]
    assert not same["flagged"]
    if method == "cosine" and WHOLE in (response, sample):
        return  # a name is one word of many, by the words of a text
    other = checked(samples, method, response.format("Sydney"), question=CAPITAL).fields["consistency"]
    assert other["flagged"]


@pytest.mark.parametrize("response", ["{}", "The bridge was opened in {}."])
@pytest.mark.parametrize("sample", ["{}", "The bridge was opened in {}."])
def test_claims_of_bare_answers_are_compared_as_statements(response: str, sample: str) -> None:
    samples = [sample.format("1889")] * 2
    for year, flagged in (("1889", False), ("1899", True)):
        found = checked(samples, "graph", response.format(year), question=OPENED).fields["consistency"]
        assert found["flagged"] is flagged


def test_a_bare_answer_that_is_explained_is_completed_too() -> None:
    asked: list[tuple[str, str]] = []

    def method(sentence: str, sample: str) -> float:
        asked.append((sentence, sample))
        return 0.0

    checked(["Sydney. It is large."], method, "Canberra. It is small.", question=CAPITAL)
    sample = "The capital of Australia is Sydney. It is large."
    assert asked == [("The capital of Australia is Canberra.", sample), ("It is small.", sample)]


def test_a_yes_or_no_that_completes_its_question_is_compared() -> None:
    question = "Is Canberra the capital of Australia?"
    value = checked(["Yes.", "No."], "nli", "Yes", question=question).fields["consistency"]
    assert value["samples"] == 2
    low, high = value["sentences"][0]["by_sample"]
    assert low < 0.5 < high


# ---- responses that say nothing ----


@pytest.mark.parametrize("method", ["nli", "graph", "cosine", "ngram", "ensemble:nli+graph", Fixed(0.9)], ids=repr)
@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        ("...", "refusal"),
        ("I'm sorry, but I can't answer that.", "refusal"),
        ("Lo siento, no lo sé.", "refusal"),
        ("Yes.", "yes or no"),
    ],
)
def test_a_response_that_says_nothing_has_no_score(method: Any, response: str, reason: str) -> None:
    result = checked([RESPONSE, "I don't know."], method, response)
    value = result.fields["consistency"]
    assert (value["score"], value["flagged"], value["silent"]) == (None, False, reason)
    assert all(sentence["score"] is None for sentence in value["sentences"])
    assert value["claims"] == []
    assert record(result)["silent"] == reason
    assert "silent" not in checked([RESPONSE], method).fields["consistency"]


@pytest.mark.parametrize("method", ["ensemble:nli+graph", "cosine", "ngram"])
def test_one_identical_and_fifty_samples(method: str) -> None:
    sample = "Curie was born in Warsaw. She won three prizes."
    one, three, fifty = (checked([sample] * count, method).fields["consistency"] for count in (1, 3, 50))
    assert one["samples"] == 1
    assert fifty["samples"] == 50
    for other in (three, fifty):
        if method != "ngram":  # it counts words over the response and all samples
            assert other["score"] == pytest.approx(one["score"], abs=1e-6)
        for claim, same in zip(other["claims"], one["claims"], strict=True):
            assert claim["supported"] == other["samples"] * same["supported"]
    assert (one["claims"] != []) == (method == "ensemble:nli+graph")


def test_verdict_and_consistency_stand_beside_each_other() -> None:
    ge = GraphEval(method="graph")
    context = "Curie was born in Paris. She won two prizes."
    judged = ge.check(RESPONSE, context, samples=[RESPONSE] * 3)
    plan = ge.selfcheck_plan(extracted=True)
    assert [stage.name for stage in plan.stages] == ["selfcheck"]
    (both,) = plan.run([judged])
    assert both.judgements == judged.judgements
    assert (both.label, both.p_inconsistent) == (judged.label, judged.p_inconsistent)
    assert both.inconsistent
    assert both.fields["consistency"]["score"] == 0.0  # the samples repeat what the context denies
    assert both.fields["consistency"]["claims"][0]["supported"] == 3


def test_an_error_of_self_checking_keeps_the_verdict() -> None:
    ge = GraphEval(method="ngram")
    judged = ge.check(RESPONSE, "Curie was born in Warsaw.")
    (failed,) = ge.selfcheck_plan(extracted=True).run([judged])
    assert failed.error is not None
    assert failed.judgements == judged.judgements
    assert failed.label == judged.label


@pytest.mark.parametrize("score", [float("nan"), -3.0, 7.0])
def test_a_score_that_is_no_number_from_0_to_1_is_an_error(score: float) -> None:
    error = checked(["Curie was born in Warsaw."], lambda *_: score).error
    assert error is not None
    assert error.message == f"the method gave a score of {score}"


def test_vectors_that_are_not_numbers_are_an_error() -> None:
    class Broken:
        fingerprint = "broken-1"

        def embed(self, texts: Sequence[str]) -> Any:
            return np.full((len(texts), 3), np.nan)

    error = checked(["Bananas are yellow."], Broken()).error
    assert error is not None
    assert "not a number" in error.message


def test_entities_have_the_mean_of_their_claims() -> None:
    result = checked(["Curie was born in Paris.", RESPONSE], "graph")
    value = result.fields["consistency"]
    scores = {claim["id"]: claim["score"] for claim in value["claims"]}
    warsaw = next(entity for entity in value["entities"] if entity["name"] == "Warsaw")
    born = next(claim for claim in result.claims if claim.object and claim.object.text == "Warsaw")
    assert warsaw["score"] == scores[born.id]
    assert value["entities"] == sorted(value["entities"], key=lambda row: (-row["score"], row["name"]))


def test_one_failing_record_does_not_stop_the_others() -> None:
    class Picky(Fixed):
        def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
            if any("prizes" in task.text.text for task in tasks):
                raise ValueError("prizes")
            return super().compare(tasks)

    ge = GraphEval(method=Picky(0.1))
    examples = [Example("a", "d", RESPONSE, samples=("One.",)), Example("b", "d", "Fine.", samples=("One.",))]
    first, second = Plan(ge.selfcheck_plan().stages).run([Result(0, examples[0]), Result(1, examples[1])])
    assert first.error is not None
    assert "prizes" in first.error.message
    assert second.fields["consistency"]["score"] == 0.1


class Busy:
    """A model that gives all samples but those of some numbers."""

    fingerprint = "model-1"

    def __init__(self, *failing: int) -> None:
        self.failing = failing
        self.asked: list[int] = []

    def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
        self.asked += [request.draw for request in requests]
        return [
            ItemError("model", "busy") if request.draw in self.failing else Completion(f"Answer {request.draw}.")
            for request in requests
        ]


def sampling(model: Busy) -> GraphEval:
    return GraphEval(method="ngram", sampler=model, settings=Settings.of(sample_count=3))


def sampled(model: Busy) -> Result:
    return sampling(model).selfcheck("Answer 1.", question="Which answer?")


def test_the_sampler_sends_one_request_for_each_sample_and_keeps_those_that_succeed() -> None:
    model = Busy(2)
    result = sampled(model)
    assert model.asked == [1, 2, 3]
    assert result.example is not None
    assert result.example.samples == ("Answer 1.", "Answer 3.")
    assert (result.fields["sampling"]["failed"], result.fields["sampling"]["draws"]) == (["busy"], [2])
    assert result.fields["consistency"]["samples"] == 2
    assert record(result)["not_drawn"] == ["busy"]
    assert row(result)["consistency"]["not_drawn"] == 1


def test_a_later_run_draws_the_missing_samples_again_and_only_these() -> None:
    result, model = sampled(Busy(1, 3)), Busy(3)
    (again,) = sampling(model).selfcheck_plan(extracted=True).run([result])
    assert model.asked == [1, 3]
    assert again.example is not None
    assert again.example.samples == ("Answer 1.", "Answer 2.")
    assert again.fields["sampling"]["draws"] == [3]
    assert again.fields["consistency"]["samples"] == 2
    (whole,) = sampling(Busy()).selfcheck_plan(extracted=True).run([again])
    assert whole.example is not None
    assert whole.example.samples == ("Answer 1.", "Answer 2.", "Answer 3.")
    assert "sampling" not in whole.fields
    assert record(whole)["not_drawn"] == []


def test_another_model_does_not_draw_the_missing_samples_of_a_first_one() -> None:
    result, model = sampled(Busy(2)), Busy()
    model.fingerprint = "other-1"
    (again,) = sampling(model).selfcheck_plan(extracted=True).run([result])
    assert model.asked == []
    assert again.example == result.example


def test_a_record_with_samples_is_not_sampled_again() -> None:
    ge = GraphEval(method="ngram", sampler=lambda _: "never asked")
    result = ge.selfcheck(RESPONSE, ["One."], question="Who?")
    assert result.example is not None
    assert result.example.samples == ("One.",)


def test_a_record_without_a_question_cannot_be_sampled() -> None:
    error = GraphEval(method="ngram", sampler=lambda _: "x").selfcheck(RESPONSE).error
    assert error is not None
    assert (error.stage, error.message) == ("sample", "the record has no question to ask again")


def test_a_record_that_had_no_samples_can_be_sampled_later() -> None:
    without = GraphEval(method="ngram").selfcheck(RESPONSE, question="Who was Curie?")
    assert without.error is not None
    (found,) = GraphEval(method="ngram", sampler=lambda _: RESPONSE).selfcheck_plan(extracted=True).run([without])
    assert found.error is None
    assert found.fields["consistency"]["samples"] == 5


def test_if_every_request_fails_the_record_says_so() -> None:
    def model(_: str) -> str:
        raise ValueError("down")

    error = GraphEval(method="ngram", sampler=model).selfcheck(RESPONSE, question="Who?").error
    assert error is not None
    assert error.message.startswith("none of 5 samples was answered: ValueError: down")


def test_the_prompt_of_a_sample_holds_the_question_and_the_passages_between_fences() -> None:
    request = Sampler(str).request("Who was Curie?", ["Curie was a physicist."], 1)
    text = "\n".join(message.content for message in request.messages)
    assert "<<<question " in text
    assert "<<<passage 1 " in text
    alone = Sampler(str).request("Who was Curie?")
    assert "passage" not in "\n".join(message.content for message in alone.messages)


def test_a_graph_eval_with_a_method_can_be_pickled() -> None:
    ge = pickle.loads(pickle.dumps(GraphEval(method="ngram:mean", settings=Settings.of(sample_count=2))))  # noqa: S301
    assert ge.settings.method == "ngram:mean"
    assert ge.selfcheck(RESPONSE, ["One."]).fields["consistency"]["method"] == "ngram:mean"


def test_a_plan_with_another_method_is_another_run() -> None:
    runs = [GraphEval(method=name).selfcheck_plan().describe("x").id for name in ("ngram", "ngram:mean")]
    assert runs[0] != runs[1]


# ---- what a method may return ----


@pytest.mark.parametrize(
    ("sentences", "claims", "said"),
    [
        (0, (), "the method gave 0 sentences for 2"),
        (3, (), "the method gave 3 sentences for 2"),
        (2, ("other",), "the method gave a score of a claim that the task does not have"),
    ],
)
def test_what_does_not_fit_the_task_is_an_error(sentences: int, claims: tuple[str, ...], said: str) -> None:
    one = task("Curie was born. She sang.", ("Curie was born.",))
    found = Consistency(
        0.5,
        tuple(SentenceScore(Span(0, 1), 0.5) for _ in range(sentences)),
        tuple(ClaimScore(name, 0.5, 0, 0, 1) for name in claims),
    )
    error = sound(found, one)
    assert isinstance(error, ItemError)
    assert error.message == said
    fits = Consistency(0.5, tuple(SentenceScore(span, 0.5) for span in one.sentences))
    assert sound(fits, one) is fits


def test_the_error_of_an_extraction_is_named() -> None:
    class Failing:
        """Extracts the claims of the response alone."""

        fingerprint = "failing-1"

        def extract(self, texts: Sequence[Text]) -> list[list[Claim]]:
            if any("sample" in text.text for text in texts):
                raise ValueError("rate limit")
            return [[Claim.whole(text.id, text.text, Span(0, len(text.text)))] for text in texts]

    ge = GraphEval(extractor=Failing(), method="graph")
    result = ge.selfcheck("Curie was born in Warsaw.", samples=["A sample: she was.", "One more sample says so."])
    assert result.error is not None
    assert "the claims of 2 of 2 samples could not be extracted" in result.error.message
    assert "rate limit" in result.error.message
    some = ge.selfcheck("Curie was born in Warsaw.", samples=["A sample: she was.", "Curie was born in Warsaw."])
    (left_out,) = some.fields["consistency"]["left_out"]
    assert left_out["reason"] == "failed"
    assert "rate limit" in left_out["error"]


# ---- places in a sample whose bare answer was completed ----

STATEMENT, SAMPLE = "The largest city is Sydney. It is large. It is old.", "Sydney. It is large. It is old."


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("The largest city is Sydney.", "Sydney."),
        ("It is large.", "It is large."),
        ("It is old.", "It is old."),
        (STATEMENT, SAMPLE),
        ("The largest", "Sydney."),
    ],
)
def test_a_place_in_a_statement_is_one_in_the_sample(part: str, expected: str) -> None:
    start = STATEMENT.index(part)
    assert in_sample(Span(start, start + len(part)), STATEMENT, SAMPLE).of(SAMPLE) == expected
    start = SAMPLE.index(expected)
    same = Span(start, start + len(expected))
    assert in_sample(same, SAMPLE, SAMPLE) == same


def test_a_completed_sentence_may_be_shorter_than_the_first_one() -> None:
    statement, sample = "The city is Rome. It is old.", "It is certainly Rome, I think. It is old."
    assert in_sample(Span(0, 17), statement, sample).of(sample) == "It is certainly Rome, I think."
    assert in_sample(Span(18, 28), statement, sample).of(sample) == "It is old."
    assert in_sample(Span(0, 28), statement, sample) == Span(0, len(sample))
