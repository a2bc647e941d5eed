UNWIND $ids AS id
MATCH (c:Claim {id: id})-[:SUBJECT|OBJECT|MENTIONS]->(e:Entity)
RETURN DISTINCT e.id AS id
