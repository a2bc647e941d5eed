// title: corrections and what became of them
// params: status=null, limit=100
// returns: response, claim, corrected, edits, status, probability, reason, p_before, p_after
MATCH (r:Response)-[:STATES]->(c:Claim)-[x:CORRECTED_TO]->(d:Claim)
WHERE $status IS NULL OR x.status = $status
RETURN r.name AS response, c.text AS claim, CASE WHEN d.id = c.id THEN null ELSE d.text END AS corrected, x.edits AS edits, x.status AS status, x.probability AS probability, x.reason AS reason, x.p_before AS p_before, x.p_after AS p_after
ORDER BY status, p_before DESC, c.id
LIMIT $limit
