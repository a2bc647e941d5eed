// title: what was searched for and found where no context was given, hop by hop; without a claim for a whole response
// params: dataset=null, response=null, label=null, limit=100
// returns: response, claim, label, hop, queries, after, error, rank, source, passage
MATCH (r:Response)-[:SEARCHED]->(s:Search)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND ($response IS NULL OR r.name = $response OR r.id = $response) AND NOT EXISTS { MATCH (r)-[:STATES]->(d:Claim) WHERE d.run_id <> s.run_id }
OPTIONAL MATCH (c:Claim)-[:ASKED]->(s)
OPTIONAL MATCH (s)-[f:FOUND]->(p:Passage)
OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(p)
WITH DISTINCT r, c, s, f.rank AS rank, h.source AS source, p
WHERE $label IS NULL OR c.label = $label
RETURN r.name AS response, c.text AS claim, c.label AS label, s.hop AS hop, s.queries AS queries, s.label AS after, s.error AS error, rank, source, p.text AS passage
ORDER BY response, coalesce(c.place, -1), claim, hop, rank, s.id
LIMIT $limit
