"""Functions on plain text: spans of sentences and windows, words, numbers and dates. They load no model."""
