UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)
RETURN id AS response, c.id AS id, c.kind AS kind, c.text AS text, c.sentence AS sentence, c.subject AS subject, c.predicate AS predicate, c.object AS object, c.slots AS slots
