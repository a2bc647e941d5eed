"""Records in, results out. The only room that knows field names, files and pydantic."""
