// title: claims that no sample supports, highest score first
// params: dataset=null, limit=100
// returns: response, claim, subject, predicate, object, contradicted, samples, score
MATCH (r:Response)-[:STATES]->(c:Claim)<-[x:COMPARED]-(run:Run)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset)
WITH r, c, x, run ORDER BY run.loaded DESC
WITH r, c, collect({supported: x.supported, contradicted: x.contradicted, samples: x.samples, score: x.score})[0] AS last
WHERE last.supported = 0 AND last.samples > 0
RETURN r.name AS response, c.text AS claim, c.subject AS subject, c.predicate AS predicate, c.object AS object, last.contradicted AS contradicted, last.samples AS samples, last.score AS score
ORDER BY score DESC, c.id
LIMIT $limit
