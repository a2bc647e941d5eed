// title: what was searched for and found for claims without a given context, hop by hop
// params: dataset=null, response=null, label=null, limit=100
// returns: response, claim, label, hop, queries, rank, source, passage
MATCH (r:Response)-[:STATES]->(c:Claim)-[a:ASKED]->(p:Passage)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND ($response IS NULL OR r.name = $response OR r.id = $response) AND ($label IS NULL OR c.label = $label)
OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(p)
WITH DISTINCT r, c, a.hop AS hop, a.rank AS rank, a.queries AS queries, h.source AS source, p
RETURN r.name AS response, c.text AS claim, c.label AS label, hop, queries, rank, source, p.text AS passage
ORDER BY response, c.place, claim, hop, rank, c.id
LIMIT $limit
