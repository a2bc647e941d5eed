// The searches of a run, or of all runs.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:SEARCHED]->(s:Search)
WHERE $run IS NULL OR s.run_id = $run
DETACH DELETE s
