// What a passage states: claims without a verdict.
UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
MATCH (p:Passage {id: row.passage})
CREATE (p)-[:STATES]->(c)
REMOVE c.fresh
