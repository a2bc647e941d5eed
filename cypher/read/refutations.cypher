// title: claims with the claims of the context that refute or support them
// params: dataset=null, relation=null, limit=100
// returns: response, claim, relation, stated, source
MATCH (r:Response)-[:STATES]->(c:Claim)-[x:REFUTED_BY|SUPPORTED_BY]->(d:Claim)<-[:STATES]-(p:Passage)<-[h:HAS_CONTEXT]-(r)
WHERE ($dataset IS NULL OR r.dataset = $dataset) AND ($relation IS NULL OR type(x) = $relation)
WITH DISTINCT r, c, type(x) AS relation, d, h.source AS source
RETURN r.name AS response, c.text AS claim, relation, d.text AS stated, source
ORDER BY response, claim, relation, stated, c.id, d.id
LIMIT $limit
