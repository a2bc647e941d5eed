"""Finds passages for records without a context."""
