// title: what samples said on the claims of a response in the last run, by default what they said instead
// params: dataset=null, response=null, relation="REFUTED_BY", limit=100
// returns: response, claim, relation, sample, said, count, samples
MATCH (r:Response)-[:STATES]->(c:Claim)<-[:COMPARED]-(run:Run)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND ($response IS NULL OR r.name = $response OR r.id = $response)
WITH r, c, run ORDER BY run.loaded DESC
WITH r, c, collect(run.id)[0] AS last
MATCH (c)-[x:REFUTED_BY|SUPPORTED_BY {run_id: last}]->(d:Claim {origin: 'sample'})
WHERE $relation IS NULL OR type(x) = $relation
WITH DISTINCT r, c, d, type(x) AS relation, x.sample AS sample, x.count AS count, x.samples AS samples
RETURN r.name AS response, c.text AS claim, relation, sample, d.text AS said, count, samples
ORDER BY response, claim, relation, sample, said, c.id, d.id
LIMIT $limit
