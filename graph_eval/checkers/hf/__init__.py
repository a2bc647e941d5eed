"""Published checkers on transformers and torch (extra `hf`): one engine, and one file for each family of models."""
