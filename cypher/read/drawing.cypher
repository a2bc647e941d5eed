// title: edges of the graph drawing, with verdicts
// params: dataset=null, response=null, flagged=false, limit=5000
// returns: response, model, kind, subject, predicate, object, claim, label, p_inconsistent, flagged
MATCH (r:Response)-[:STATES]->(c:Claim)
WHERE r.origin = 'response' AND c.flagged IS NOT NULL AND ($dataset IS NULL OR r.dataset = $dataset) AND ($response IS NULL OR r.name = $response OR r.id = $response) AND (c.flagged OR NOT $flagged)
RETURN r.name AS response, r.model AS model, c.kind AS kind, c.subject AS subject, c.predicate AS predicate, c.object AS object, c.text AS claim, c.label AS label, c.p_inconsistent AS p_inconsistent, c.flagged AS flagged
ORDER BY r.id, c.place, c.id
LIMIT $limit
