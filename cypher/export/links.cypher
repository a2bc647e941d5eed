UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)-[x:REFUTED_BY|SUPPORTED_BY {run_id: $run}]->(d:Claim {origin: 'passage'})
RETURN id AS response, c.id AS claim, type(x) AS relation, d.id AS stated, x.position AS position
ORDER BY response, position
