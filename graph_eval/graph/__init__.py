"""Claims as a graph: in a graph database, as a networkx graph, and its layout for a drawing."""
