// title: flagged claims that speak of something which their context never names
// params: dataset=null, limit=100
// returns: response, claim, absent, p_inconsistent
MATCH (r:Response)-[:STATES]->(c:Claim {flagged: true})-[:SUBJECT|OBJECT]->(e:Entity)
WHERE r.origin = 'response' AND e.name <> '' AND ($dataset IS NULL OR r.dataset = $dataset)
  AND NOT EXISTS { MATCH (r)-[:HAS_CONTEXT]->(p:Passage) WHERE toLower(p.text) CONTAINS toLower(e.name) }
WITH DISTINCT r, c, e
ORDER BY e.name
WITH r, c, collect(e.name) AS absent
RETURN r.name AS response, c.text AS claim, absent, c.p_inconsistent AS p_inconsistent
ORDER BY p_inconsistent DESC, c.id
LIMIT $limit
