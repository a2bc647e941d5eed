"""A run on disk: run.json and results.jsonl, written in chunks, resumed after any interruption."""
