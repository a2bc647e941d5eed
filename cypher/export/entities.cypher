// The entity of this key, and the names that hold one of the words.
MATCH (e:Entity)
WHERE e.key <> '' AND ($dataset IS NULL OR e.dataset = $dataset) AND (e.key = $key OR (e.named AND any(word IN $words WHERE e.key CONTAINS word)))
RETURN DISTINCT e.key AS key, e.text AS text
ORDER BY key, text
