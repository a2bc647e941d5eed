// Claims of these responses that carry a verdict but are not among those judged now.
UNWIND $responses AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)
WHERE c.run_id IS NOT NULL AND NOT c.id IN $claims
RETURN collect(c.id) AS ids
