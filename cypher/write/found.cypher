// From a search to what it found, the best first.
UNWIND $rows AS row
MATCH (s:Search {id: row.id})
MATCH (p:Passage {id: row.passage})
MERGE (s)-[f:FOUND {rank: row.rank}]->(p)
