UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)-[x:CORRECTED_TO {run_id: $run}]->(d:Claim)
DELETE x
