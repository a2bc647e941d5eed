"""What the model believes of wordings, and how it binds pronouns."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.extractors.rules.belief import LIMIT, MOST_WORDS, Belief, replaced, text_before
from graph_eval.extractors.rules.binding import BINDING, LEVEL, Binder, Choice
from graph_eval.extractors.rules.confidence import BELIEVED, FORM
from graph_eval.extractors.rules.extractor import RulesExtractor, TextReader, prepare
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.parsing.parser import Parser
from graph_eval.resources import folder
from graph_eval.types import Span, Text

TEXT = "Ada has a dog. It barks. The neighbours, who own a cat, complain about it. Nobody listens."
THIRD = Span(25, 74)


@pytest.fixture(scope="module")
def belief() -> Belief:
    return Belief.builtin()


def test_a_true_wording_is_believed_more_than_a_false_one(belief: Belief) -> None:
    text = "The kettle stands on the stove. It whistles when the water boils."
    true, false, again = belief.log_odds(
        [(text, f"The {thing} whistles when the water boils.") for thing in ("kettle", "stove", "kettle")]
    )
    assert true > false
    assert true == again
    assert -LIMIT <= false < true <= LIMIT


def test_no_pairs_have_no_beliefs(belief: Belief) -> None:
    assert belief.log_odds([]) == []


def test_the_context_is_the_question_and_the_text_from_its_start() -> None:
    assert text_before("", TEXT, 0, THIRD) == TEXT[:74]
    assert text_before("", TEXT, 15, THIRD) == TEXT[15:74]
    assert text_before("Who?", TEXT, 0, Span(75, 90)) == f"Who? {TEXT}"
    long = "word " * 1000
    assert len(text_before(long, TEXT, 0, Span(0, 14)).split()) == MOST_WORDS + 4


def test_an_item_is_read_with_the_line_that_opens_its_list() -> None:
    lead = Span(0, 14)
    assert text_before("", TEXT, 25, Span(75, 90), lead) == f"{TEXT[:14]} {TEXT[25:]}"
    assert text_before("", TEXT, 0, Span(15, 24), lead) == TEXT[:24]


def contexts(text: str) -> dict[str, str]:
    """What each triplet and each pronoun is read with, by sentence."""
    prepared = prepare(Text("t", text))
    docs = Parser.builtin().parse(prepared.surfaces())
    kept: list[Choice] = []

    class Keeper(Binder):
        def accepts(self, choice: Choice) -> bool:
            kept.append(choice)
            return True

    drafts = TextReader(prepared, docs, Keeper(Belief.builtin())).read()
    found = {draft.unit.sentence.span.of(text): draft.context for draft in drafts}
    return found | {f"pronoun {choice.pronoun.of(text)}": choice.context for choice in kept}


def test_the_line_of_a_list_ends_with_it_and_the_nearest_line_counts() -> None:
    lists = "Overview:\n- Fruits:\n  - The fig is sweet.\n- Tools:\n  - The saw is old."
    read = contexts(f"{lists}\n\nIt rained.\n\n- The dog is brown.")
    assert read["The fig is sweet."].startswith("Fruits:")
    assert read["The saw is old."].startswith("Tools:")
    assert read["The dog is brown."] == "The dog is brown."


def test_a_triplet_in_its_own_words_is_read_with_its_sentence_alone() -> None:
    text = "The kettle stands on the stove. The stove is old. It whistles."
    read = contexts(text)
    assert read["The stove is old."] == "The stove is old."
    assert read["It whistles."] == text


def test_what_is_said_of_the_topic_is_read_with_the_text_that_names_it() -> None:
    read = contexts("Ada Holm was a chemist. Born in 1945 in Oslo.")
    assert read["Born in 1945 in Oslo."].startswith("Ada Holm was")


def test_the_context_of_a_pronoun_begins_where_its_phrases_stand() -> None:
    table = "| Day | Opens |\n|---|---|\n| Monday | 9 |\n| Tuesday | 10 |"
    assert "museum" in contexts(f"The museum was renovated in 1990.\n\n{table}\n\nIt has a large garden.")["pronoun It"]
    text = "Bo sings. Ada has a car. The kettle is on the stove. It whistles."
    assert contexts(text)["pronoun It"].startswith(("Ada", "The kettle"))


def test_of_a_text_that_is_too_long_the_end_is_read(belief: Belief) -> None:
    before = "The museum opened in 1934. It shows maps and ships. Visitors pay five euros. " * 50
    sentence = "The kettle whistles when the water boils."
    text, longer, other = before + sentence, f"Ada lives in Rome. {before}{sentence}", before + "Ada lives in Rome."
    own, own_longer, changed = belief.log_odds([(text, sentence), (longer, sentence), (other, sentence)])
    assert own == own_longer
    assert own != changed


def test_a_phrase_takes_the_place_of_the_pronoun() -> None:
    assert replaced(TEXT, Span(15, 24), Span(15, 17), "the dog") == "The dog barks."
    assert replaced(TEXT, THIRD, Span(71, 73), "the dog") == "The neighbours, who own a cat, complain about the dog."


def choice(text: str, *wordings: str) -> Choice:
    known = {"one_back": 1.0, "neuter": 1.0, "near": 0.69, "rivals": 1.1, "words": 0.2}  # "it", of the sentence before
    features = {name: known.get(name, 0.0) for name in BINDING.weights if name not in ("belief", "ahead", "alone")}
    return Choice(text, Span(0, 2), {wording: wording for wording in wordings}, features)


def test_a_choice_is_accepted_if_the_text_entails_its_wording(belief: Belief) -> None:
    binder = Binder(belief)
    text = "Tom put the letter into the box. It was addressed to his aunt."
    right, wrong = "The letter was addressed to his aunt.", "The box was addressed to his aunt."
    assert BINDING.probability(binder.features(choice(text, right, wrong))) >= LEVEL
    assert binder.accepts(choice(text, right, wrong))
    assert not binder.accepts(choice(text, wrong, right))


class Told(Belief):
    """Believes wordings as it is told, and keeps which were asked for."""

    def __init__(self, odds: dict[str, float]) -> None:
        self.odds, self.asked = odds, []

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += [wording for _, wording in pairs]
        return [self.odds[wording] for _, wording in pairs]


@pytest.mark.parametrize(("odds", "read"), [(LIMIT, ["a"]), (-LIMIT, ["a"]), (0.0, ["a", "b", "c"])])
def test_other_phrases_are_read_only_if_they_can_change_the_answer(odds: float, read: list[str]) -> None:
    told = Told({"a": odds, "b": 0.0, "c": 0.0})
    Binder(told).accepts(choice(TEXT, "a", "b", "c"))
    assert told.asked == read


@given(st.lists(st.floats(-LIMIT, LIMIT), min_size=1, max_size=3))
def test_what_is_not_read_changes_no_answer(odds: list[float]) -> None:
    binder = Binder(Told({str(number): value for number, value in enumerate(odds)}))
    own = choice(TEXT, *map(str, range(len(odds))))
    assert binder.accepts(own) == (BINDING.probability(binder.features(own)) >= LEVEL)


def test_the_features_of_a_belief(belief: Belief) -> None:
    binder = Binder(belief)
    alone = binder.features(choice(TEXT, "The dog barks."))
    assert (alone["alone"], alone["ahead"]) == (1.0, 0.0)
    first = binder.features(choice(TEXT, "The dog barks.", "The cat barks."))
    second = binder.features(choice(TEXT, "The cat barks.", "The dog barks."))
    assert first["ahead"] == -second["ahead"] == first["belief"] - second["belief"]
    assert list(first) == list(BINDING.weights)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The kettle stands on the stove. It whistles when the water boils.", "kettle"),
        ("Take the tablets after meals. They should be swallowed whole.", "tablets"),
    ],
)
def test_a_pronoun_is_bound_to_what_makes_sense(text: str, subject: str) -> None:
    claims = RulesExtractor().extract([Text("t", text)])[0]
    subjects = [claim.subject.text for claim in claims if claim.subject and claim.subject.resolved]
    assert subjects
    assert all(subject in found for found in subjects)


def test_a_pronoun_is_not_bound_to_what_makes_no_sense() -> None:
    text = "Dry the beans on newspaper for a fortnight. It should be changed every day, since it gets wet."
    claims = RulesExtractor().extract([Text("t", text)])[0]
    subjects = [claim.subject.text for claim in claims if claim.subject]
    assert "You" in subjects
    assert not [subject for subject in subjects if "fortnight" in subject]


def test_the_model_reads_only_triplets_that_are_not_sure_and_keeps_their_order() -> None:
    extractor = RulesExtractor()
    texts = [
        Text("a", "The library opens at nine. Guests who book late pay the higher fee, unless the manager waives it."),
        Text("b", "The museum was founded in 1984. Staff may, if asked, open the vault for members."),
    ]
    apart = [extractor.extract([text])[0] for text in texts]
    read: list[str] = []

    class Counting(Belief):
        def log_odds(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
            read.extend(wording for _, wording in pairs)
            return super().log_odds(pairs)

    extractor._belief = Counting(OnnxScorer(folder("weights/nli"), keep_end=True))
    assert extractor.extract(texts) == apart
    sure = {"The library opens at nine.", "The museum was founded in 1984."}
    assert sure <= {claim.text for claims in apart for claim in claims if claim.slots} - set(read)
    assert "Staff may open the vault for members if asked." in read


def test_the_number_of_threads_changes_no_claim() -> None:
    texts = [Text(str(number), TEXT + f" It cost {number} euros.") for number in range(4)]
    assert RulesExtractor(threads=1).extract(texts) == RulesExtractor(threads=3).extract(texts)


def test_weights_are_named_as_the_features() -> None:
    prepared = prepare(Text("t", TEXT))
    (draft, *_) = TextReader(prepared, Parser.builtin().parse(prepared.surfaces()), Binder(Belief.builtin())).read()
    assert list(draft.features) == list(FORM.weights)
    assert [*draft.features, "belief"] == list(BELIEVED.weights)


def test_what_words_of_the_question_complete_is_no_triplet_that_is_sure_by_its_form() -> None:
    prepared = prepare(Text("t", "Anna Berg.", question="Who founded the museum?"))
    docs = Parser.builtin().parse(prepared.surfaces())
    (draft,) = TextReader(prepared, docs, Binder(Belief.builtin())).read()
    assert draft.draft.rule == "question"
    assert not draft.is_sure
