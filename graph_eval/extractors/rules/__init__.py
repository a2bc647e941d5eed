"""Triplets without a language model: a small parser, clause rules and rule-based coreference."""
