"""Extractors turn a text into claims. Each returns one list of claims, or one ItemError, for each text."""
