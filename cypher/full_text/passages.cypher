// The nodes of any full-text index that match a query best, as passages.
CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $limit}) YIELD node, score
WITH node, score, node[$property] AS text
WHERE text IS NOT NULL
RETURN text, coalesce(node.source, elementId(node)) AS source
ORDER BY score DESC, source
