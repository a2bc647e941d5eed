// From a response to what was found when it was searched for as a whole.
UNWIND $rows AS row
MATCH (r:Response {id: row.response})
MATCH (p:Passage {id: row.passage})
MERGE (r)-[a:ASKED {run_id: $run, hop: row.hop, rank: row.rank}]->(p)
SET a.queries = row.queries
