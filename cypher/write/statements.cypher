UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
MATCH (r:Response {id: row.response})
CREATE (r)-[:STATES]->(c)
REMOVE c.fresh
