// Only the edges of responses show verdicts: those of revisions and passages are told apart by their origin.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim_id})
MATCH (s:Entity {id: row.subject})
MATCH (o:Entity {id: row.object})
CREATE (c)-[:SUBJECT]->(s)
CREATE (c)-[:OBJECT]->(o)
CREATE (s)-[e:RELATES {claim_id: row.claim_id, response_id: row.response, origin: row.origin, kind: row.kind, predicate: row.predicate}]->(o)
SET e += row.verdict
