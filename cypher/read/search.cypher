// title: claims whose text has all these words, flagged claims first
// params: text, dataset=null, limit=50
// returns: response, claim, subject, object, label, p_inconsistent, flagged
WITH [word IN split(toLower($text), ' ') WHERE word <> ''] AS words
MATCH (r:Response)-[:STATES]->(c:Claim)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND all(word IN words WHERE toLower(c.text) CONTAINS word)
RETURN r.name AS response, c.text AS claim, c.subject AS subject, c.object AS object, c.label AS label, c.p_inconsistent AS p_inconsistent, c.flagged AS flagged
ORDER BY coalesce(flagged, false) DESC, coalesce(p_inconsistent, 0) DESC, c.id
LIMIT $limit
