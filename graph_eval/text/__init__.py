"""Plain text: sentence and window spans, words, numbers and dates. No model, no state."""
