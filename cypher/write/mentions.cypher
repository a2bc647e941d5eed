// A fresh claim names these inside its phrases.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (e:Entity {id: row.entity})
CREATE (c)-[:MENTIONS]->(e)
