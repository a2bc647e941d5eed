UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)-[x:CORRECTED_TO {run_id: $run}]->(d:Claim)
RETURN id AS response, c.id AS claim, x.position AS position, x.status AS status, x.reason AS reason, x.p_before AS p_before, x.p_after AS p_after, x.probability AS probability, x.edits AS edits
ORDER BY response, position
