// title: claims that name the entity, whatever its case, article, title or short form
// params: entity, dataset=null, limit=200
// returns: claim, subject, predicate, object, label, flagged, response
WITH toLower($entity) AS wanted
MATCH (e:Entity {key: wanted})
WHERE wanted <> '' AND ($dataset IS NULL OR e.dataset = $dataset)
MATCH (e)<-[:SUBJECT|OBJECT|MENTIONS]-(c:Claim)<-[:STATES]-(r:Response)
WHERE r.origin = 'response' AND c.flagged IS NOT NULL
WITH DISTINCT c, r
RETURN c.text AS claim, c.subject AS subject, c.predicate AS predicate, c.object AS object, c.label AS label, c.flagged AS flagged, r.name AS response
ORDER BY flagged DESC, c.p_inconsistent DESC, c.id
LIMIT $limit
