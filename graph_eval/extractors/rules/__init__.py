"""Triplets without a language model: a small parser, clause rules and light coreference."""
