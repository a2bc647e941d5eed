"""Pairs of a premise and a hypothesis to scores: the NLI model that ships, which extractors and checkers share."""
