// title: named entities that occur in several responses
// params: dataset=null, least=2, limit=50
// returns: entity, dataset, responses, claims, flagged
MATCH (e:Entity {named: true})<-[:SUBJECT|OBJECT|MENTIONS]-(c:Claim)<-[:STATES]-(r:Response)
WHERE r.origin = 'response' AND c.flagged IS NOT NULL AND ($dataset IS NULL OR e.dataset = $dataset)
WITH e, count(DISTINCT r) AS responses, collect(DISTINCT c) AS claims
WHERE responses >= $least
RETURN e.name AS entity, e.dataset AS dataset, responses, size(claims) AS claims, size([c IN claims WHERE c.flagged]) AS flagged
ORDER BY responses DESC, claims DESC, entity, e.id
LIMIT $limit
