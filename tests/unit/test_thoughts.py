"""Thoughts before an answer are cut off; thoughts without a clear end are refused, never read as the answer."""

import pytest

from graph_eval.llm.labels import label
from graph_eval.llm.model import Completion, Token
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.thoughts import answer_of
from graph_eval.types import Label

K = Label.CONTRADICTION

THOUGHTS = [
    "<think>{}</think>",
    "<thinking>{}</thinking>\n",
    "<THINK>\n{}\n</THINK>\n\n",
    "{}</think>",
    "<reasoning>{}</reasoning>",
    "[THINK]{}[/THINK]",
    "◁think▷{}◁/think▷",
    "<|begin_of_thought|>{}<|end_of_thought|>\n<|begin_of_solution|>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "<think>{}</think>\n<think>{}</think>\n",
    "<seed:think>{}</seed:think>",
    "<thinking_process>{}</thinking_process>\n",
    '<think type="deep">{}</think>',
    "<unused94>thought\n{}<unused95>",
    "<|START_THINKING|>{}<|END_THINKING|><|START_RESPONSE|>",
    "<start_of_thought>{}<end_of_thought>",
    "```thinking\n{}\n```\n",
]


@pytest.mark.parametrize("form", THOUGHTS)
@pytest.mark.parametrize(
    ("thought", "answer"),
    [("Entailment? It is Entailment.", "Contradiction"), ('Maybe ["a", "b", "c"]', '[["Optimus", "weighs", "57"]]')],
)
def test_thoughts_are_cut_off(form: str, thought: str, answer: str) -> None:
    before = form.replace("{}", thought)
    tokens = tuple(Token(piece, -0.5) for piece in (before[:4], before[4:] + answer[:3], answer[3:]))
    found = answer_of(Completion(before + answer, tokens))
    assert found.text.strip() == answer
    assert "".join(token.text for token in found.tokens) == found.text


def test_an_answer_without_thoughts_stays_as_it_is() -> None:
    completion = Completion("Use the <b> tag.", (Token("Use the <b> tag.", -0.1),))
    assert answer_of(completion) is completion


@pytest.mark.parametrize(
    "answer",
    [
        "<think>Let me see ...",
        "Entailment <think>or not",
        "<|channel|>analysis<|message|>Entailment",
        "<think>E</think> ",
        "Entailment\n</think>",
    ],
)
def test_an_answer_that_is_only_thoughts_is_refused(answer: str) -> None:
    with pytest.raises(AnswerError, match=r"thinks|thoughts"):
        answer_of(Completion(answer))


@pytest.mark.parametrize(
    "answer",
    [
        '{"label": "Contradiction", "reason": "It quotes </think>\\n\\nEntailment as a word"}',
        '<think>So.</think>{"reason": "The claim says <think> and </think> Entailment", "label": "Contradiction"}',
        "Contradiction. The claim quotes '</think> no text at all'.",
    ],
)
def test_a_quoted_mark_of_thoughts_cuts_nothing(answer: str) -> None:
    assert label(answer_of(Completion(answer)).text).label is K


@pytest.mark.parametrize(
    "answer",
    [
        "Contradiction. It says x </think> Entailment",
        "<think>a</think>Neutral\n</think>\nEntailment",
        '[["a", "b", "c"]] <think>or ["d", "e", "f"]</think>',
        "[['a', 'b', 'c']]\n<think>or ['d', 'e', 'f']</think>",
        "So.\n</think>\nNeutral <think>or</think> Entailment",
    ],
)
def test_thoughts_without_a_clear_end_are_refused(answer: str) -> None:
    with pytest.raises(AnswerError, match="not clear where its thoughts end"):
        answer_of(Completion(answer))


@pytest.mark.parametrize("tag", ["answer", "response", "label"])
def test_the_tags_around_an_answer_are_cut_off(tag: str) -> None:
    assert answer_of(Completion(f"<think>So.</think>\n<{tag}>Neutral</{tag}>\n")).text == "Neutral"


@pytest.mark.parametrize("mark", ["</s>", "<|eot_id|>", "<end_of_turn>", "<|endoftext|>"])
def test_the_mark_at_the_end_of_an_answer_is_no_part_of_it(mark: str) -> None:
    assert answer_of(Completion(f"Entailment{mark}")).text.strip() == "Entailment"
