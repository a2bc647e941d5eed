"""From a text to its claims. Every extractor returns one list of claims, or one ItemError, a text."""
