// How many records' responses a run has in the graph.
MATCH (run:Run {id: $run})-[:PRODUCED]->(r:Response)
WHERE r.origin IN ['response', 'unread']
RETURN count(DISTINCT r) AS responses
