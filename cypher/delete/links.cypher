UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)-[x:REFUTED_BY|SUPPORTED_BY {run_id: $run}]->(d:Claim)
DELETE x
