// title: entities with claims that some samples support and others contradict
// params: dataset=null, limit=50
// returns: entity, dataset, disputed, supported, contradicted
MATCH (r:Response)-[:STATES]->(c:Claim)<-[x:COMPARED]-(run:Run)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset)
WITH c, x, run ORDER BY run.loaded DESC
WITH c, collect({supported: x.supported, contradicted: x.contradicted})[0] AS last
WHERE last.supported > 0 AND last.contradicted > 0
MATCH (c)-[:SUBJECT|OBJECT]->(e:Entity)
WHERE e.key <> ''
WITH DISTINCT e, c, last
WITH e, count(c) AS disputed, sum(last.supported) AS supported, sum(last.contradicted) AS contradicted
RETURN e.name AS entity, e.dataset AS dataset, disputed, supported, contradicted
ORDER BY disputed DESC, contradicted DESC, entity, e.id
LIMIT $limit
