UNWIND $ids AS id
MATCH (r:Response {id: id})
OPTIONAL MATCH (r)-[:STATES]->(c:Claim)
WITH r, collect(DISTINCT c.id) AS claims
OPTIONAL MATCH (r)-[:HAS_CONTEXT]->(p:Passage)
RETURN claims, collect(DISTINCT p.id) AS passages
