"""Files of records and of results. Only this package knows their field names and uses pydantic."""
