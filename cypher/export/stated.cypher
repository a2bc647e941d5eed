// What the passages of these responses state.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:HAS_CONTEXT]->(p:Passage)-[:STATES]->(c:Claim)
RETURN DISTINCT p.id AS passage, c.id AS id, c.kind AS kind, c.text AS text, c.sentence AS sentence, c.subject AS subject, c.predicate AS predicate, c.object AS object, c.slots AS slots
