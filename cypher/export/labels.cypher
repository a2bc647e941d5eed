// Claims to be labelled by a person, with what that person said of them before.
MATCH (r:Response)-[:STATES]->(c:Claim)
WHERE r.origin = 'response' AND c.run_id IS NOT NULL AND ($dataset IS NULL OR r.dataset = $dataset)
OPTIONAL MATCH (c)<-[j:JUDGED]-(run:Run {id: $run})
OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 0}]->(:Passage)
WHERE e.run_id = c.run_id
RETURN c.id AS claim_id, r.name AS response, c.text AS claim, e.text AS evidence, c.label AS checker_label, c.p_inconsistent AS p_inconsistent, j.label AS label
ORDER BY r.id, c.place, c.id
LIMIT $limit
