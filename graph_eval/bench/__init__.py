"""Measurements that anyone can repeat: the published tables, the extractor, the speed. One command each."""
