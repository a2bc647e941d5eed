"""Corrects flagged claims by edits of their words: proposals, splicing, acceptance."""
