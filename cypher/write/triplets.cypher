UNWIND $rows AS row
MATCH (c:Claim {id: row.claim_id})
MATCH (s:Entity {id: row.subject})
MATCH (o:Entity {id: row.object})
CREATE (c)-[:SUBJECT]->(s)
CREATE (c)-[:OBJECT]->(o)
CREATE (s)-[e:RELATES {claim_id: row.claim_id, response_id: row.response, predicate: row.predicate}]->(o)
SET e += row.verdict
