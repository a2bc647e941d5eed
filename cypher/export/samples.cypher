UNWIND $ids AS id
MATCH (r:Response {id: id})-[x:SAMPLED_AS]->(s:Response)
RETURN id AS response, x.position AS position, s.id AS id, s.text AS text
ORDER BY response, position
