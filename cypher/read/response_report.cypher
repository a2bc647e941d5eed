// title: every claim of one response with its verdict and evidence
// params: response, dataset=null
// returns: place, kind, claim, subject, predicate, object, label, p_inconsistent, flagged, evidence, source, entailment, neutral, contradiction
MATCH (r:Response {name: $response})-[:STATES]->(c:Claim)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND c.run_id IS NOT NULL
OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 0}]->(p:Passage)
WHERE e.run_id = c.run_id
OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(p)
RETURN c.place AS place, c.kind AS kind, c.text AS claim, c.subject AS subject, c.predicate AS predicate, c.object AS object, c.label AS label, c.p_inconsistent AS p_inconsistent, c.flagged AS flagged, e.text AS evidence, h.source AS source, e.entailment AS entailment, e.neutral AS neutral, e.contradiction AS contradiction
ORDER BY place, c.id
