// The claims of these responses that show a verdict.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)
WHERE c.run_id IS NOT NULL
RETURN collect(c.id) AS ids
