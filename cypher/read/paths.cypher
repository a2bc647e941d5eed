// title: flagged claims connected to those of a response through one other claim
// params: response, limit=100
// returns: claim, over, other, other_response
MATCH (r:Response)-[:STATES]->(c:Claim {flagged: true})-[:SUBJECT|OBJECT]->(a:Entity)
WHERE (r.name = $response OR r.id = $response) AND r.origin = 'response' AND a.key <> ''
MATCH (a)-[link:RELATES]-(b:Entity)<-[:SUBJECT|OBJECT]-(d:Claim {flagged: true})<-[:STATES]-(s:Response)
WHERE d.id <> c.id AND link.claim_id <> c.id AND link.claim_id <> d.id AND s.origin = 'response' AND b.key <> '' AND link.response_id IS NOT NULL
WITH DISTINCT c, link, d, s
RETURN c.text AS claim, link.predicate AS over, d.text AS other, s.name AS other_response
ORDER BY claim, other, over, c.id, d.id, link.claim_id
LIMIT $limit
