// title: flagged claims with their evidence, highest p(inconsistent) first
// params: dataset=null, model=null, response=null, limit=100
// returns: response, model, claim, label, p_inconsistent, evidence, source
MATCH (r:Response)-[:STATES]->(c:Claim {flagged: true})
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND ($model IS NULL OR r.model = $model) AND ($response IS NULL OR r.name = $response)
WITH r, c ORDER BY c.p_inconsistent DESC, c.id LIMIT $limit
OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 0}]->(p:Passage)
WHERE e.run_id = c.run_id
OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(p)
RETURN r.name AS response, r.model AS model, c.text AS claim, c.label AS label, c.p_inconsistent AS p_inconsistent, e.text AS evidence, h.source AS source
ORDER BY p_inconsistent DESC, c.id
