// Claims of passages that no run holds any more.
UNWIND $ids AS id
MATCH (p:Passage {id: id})-[:STATES]->(c:Claim)
WHERE NOT EXISTS { MATCH (p)<-[:HAS_CONTEXT]-(r:Response)<-[x:PRODUCED]-(run:Run) WHERE c.id IN x.stated }
RETURN c.id AS id
