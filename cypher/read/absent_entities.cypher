// title: flagged claims about an entity that their context does not mention
// params: dataset=null, limit=100
// returns: response, claim, absent, p_inconsistent
MATCH (r:Response)-[:STATES]->(c:Claim {flagged: true})
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset)
WITH r, c ORDER BY c.p_inconsistent DESC, c.id
CALL (r, c) {
  MATCH (c)-[:SUBJECT|OBJECT]->(e:Entity)
  WHERE e.key <> '' AND NOT EXISTS { MATCH (r)-[:HAS_CONTEXT]->(p:Passage) WHERE toLower(p.text) CONTAINS toLower(e.text) }
  WITH DISTINCT e ORDER BY e.name
  RETURN collect(e.name) AS absent
}
WITH r, c, absent
WHERE size(absent) > 0
RETURN r.name AS response, c.text AS claim, absent, c.p_inconsistent AS p_inconsistent
ORDER BY p_inconsistent DESC, c.id
LIMIT $limit
