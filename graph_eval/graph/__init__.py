"""Claims as a graph: entities, the claims between them, and where to draw them."""
