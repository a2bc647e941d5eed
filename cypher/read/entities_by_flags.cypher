// title: entities with the most flagged claims
// params: dataset=null, named=false, limit=50
// returns: entity, dataset, flagged, claims
MATCH (r:Response)-[:STATES]->(:Claim {flagged: true})-[:SUBJECT|OBJECT|MENTIONS]->(e:Entity)
WHERE r.origin = 'response' AND e.key <> '' AND ($dataset IS NULL OR e.dataset = $dataset) AND (e.named OR NOT $named)
WITH DISTINCT e
MATCH (e)<-[:SUBJECT|OBJECT|MENTIONS]-(c:Claim)<-[:STATES]-(r:Response)
WHERE r.origin = 'response' AND c.flagged IS NOT NULL
WITH e, collect(DISTINCT c) AS claims
WITH e, size(claims) AS claims, size([c IN claims WHERE c.flagged]) AS flagged
RETURN e.name AS entity, e.dataset AS dataset, flagged, claims
ORDER BY flagged DESC, claims, entity, e.id
LIMIT $limit
