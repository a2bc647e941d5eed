// title: flagged claims with their evidence, highest p(inconsistent) first
// params: dataset=null, model=null, response=null, limit=100
// returns: response, model, claim, label, p_inconsistent, evidence, source, response_id
MATCH (r:Response)-[:STATES]->(c:Claim {flagged: true})
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND ($model IS NULL OR r.model = $model) AND ($response IS NULL OR r.name = $response OR r.id = $response)
WITH r, c ORDER BY c.p_inconsistent DESC, c.id LIMIT $limit
OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 0}]->(:Passage)<-[h:HAS_CONTEXT]-(r)
WHERE e.run_id = c.run_id
RETURN r.name AS response, r.model AS model, c.text AS claim, c.label AS label, c.p_inconsistent AS p_inconsistent, e.text AS evidence, h.source AS source, r.id AS response_id
ORDER BY p_inconsistent DESC, c.id
