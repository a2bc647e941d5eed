// title: every claim of one response, by its name or id, with its verdict and evidence
// params: response, dataset=null
// returns: response_id, place, kind, claim, subject, predicate, object, label, p_inconsistent, flagged, evidence, source, entailment, neutral, contradiction
MATCH (r:Response)-[:STATES]->(c:Claim)
WHERE (r.name = $response OR r.id = $response) AND r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND (c.run_id IS NOT NULL OR c.place IS NOT NULL)
OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 0}]->(:Passage)<-[h:HAS_CONTEXT]-(r)
WHERE e.run_id = c.run_id
RETURN r.id AS response_id, c.place AS place, c.kind AS kind, c.text AS claim, c.subject AS subject, c.predicate AS predicate, c.object AS object, c.label AS label, c.p_inconsistent AS p_inconsistent, c.flagged AS flagged, e.text AS evidence, h.source AS source, e.entailment AS entailment, e.neutral AS neutral, e.contradiction AS contradiction
ORDER BY response_id, place, c.id
