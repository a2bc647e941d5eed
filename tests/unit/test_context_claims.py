"""What the context says instead of a claim, as claims of the graph."""

from graph_eval import GraphEval
from graph_eval.types import Relation

LIGHTHOUSE = (
    "The Skerra lighthouse was built between 1857 and 1861 by the engineer Marta Lindqvist. It stands 38 metres tall "
    "on a granite islet nine kilometres off the coast. The lamp was automated in 1979."
)


def test_a_pronoun_of_the_deciding_sentence_is_bound_by_the_sentence_in_front_of_it() -> None:
    ge = GraphEval()
    corrected = ge.correct(ge.check("The Skerra lighthouse is 48 metres tall.", LIGHTHOUSE))
    (stated,) = corrected.context_claims
    assert stated.subject is not None
    assert (stated.subject.text, stated.subject.resolved) == ("Skerra lighthouse", True)
    assert [span.of(LIGHTHOUSE) for span in stated.subject.spans] == ["It"]
    assert stated.sentence.of(LIGHTHOUSE).startswith("It stands 38 metres tall")
    assert [link.relation for link in corrected.links] == [Relation.REFUTED_BY]
