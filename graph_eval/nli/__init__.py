"""Pairs of a premise and a hypothesis to scores: exported NLI models, and what models' outputs say."""
