MATCH (s:Entity {id: $id})-[e:RELATES]->(o:Entity)
RETURN e AS relation, [s, o] AS nodes
