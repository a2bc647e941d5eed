// title: what samples say on the claims of a response, by default what they say instead
// params: dataset=null, response=null, relation="REFUTED_BY", limit=100
// returns: response, claim, relation, sample, said, count, samples
MATCH (r:Response)-[:STATES]->(c:Claim)-[x:REFUTED_BY|SUPPORTED_BY]->(d:Claim {origin: 'sample'})
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND ($response IS NULL OR r.name = $response OR r.id = $response) AND ($relation IS NULL OR type(x) = $relation)
WITH DISTINCT r, c, d, type(x) AS relation, x.sample AS sample, x.count AS count, x.samples AS samples
RETURN r.name AS response, c.text AS claim, relation, sample, d.text AS said, count, samples
ORDER BY response, claim, relation, sample, said, c.id, d.id
LIMIT $limit
