// A search of this run for a response, or for one of its claims.
UNWIND $rows AS row
MERGE (s:Search {id: row.id})
SET s += row.own, s.run_id = $run
WITH s, row
MATCH (r:Response {id: row.response})
MERGE (r)-[:SEARCHED]->(s)
