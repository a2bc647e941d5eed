"""Claims as a graph: in a graph database and as a networkx graph."""
