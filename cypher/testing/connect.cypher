MATCH (s:Entity {id: $subject})
MATCH (o:Entity {id: $object})
CREATE (s)-[:RELATES {predicate: $predicate}]->(o)
