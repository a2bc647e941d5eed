UNWIND $ids AS id
MATCH (r:Response {id: id})-[h:HAS_CONTEXT]->(p:Passage)
RETURN id AS response, h.position AS position, p.id AS id, p.text AS text
ORDER BY response, position
