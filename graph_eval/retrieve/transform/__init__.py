"""Transforms of queries, applied before retrieval."""
