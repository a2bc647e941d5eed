"""Published checkers on transformers and torch (extra `hf`): one engine, one file a family of models."""
