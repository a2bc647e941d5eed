// The rows of read/search: the index finds the claims, and the same condition decides.
CALL db.index.fulltext.queryNodes('claim_text', $lucene) YIELD node AS c
WITH c, [word IN split(toLower($text), ' ') WHERE word <> ''] AS words
MATCH (r:Response)-[:STATES]->(c)
WHERE r.origin = 'response' AND ($dataset IS NULL OR r.dataset = $dataset) AND all(word IN words WHERE toLower(c.text) CONTAINS word)
RETURN r.name AS response, c.text AS claim, c.subject AS subject, c.object AS object, c.label AS label, c.p_inconsistent AS p_inconsistent, c.flagged AS flagged
ORDER BY coalesce(flagged, false) DESC, coalesce(p_inconsistent, 0) DESC, c.id
LIMIT $limit
