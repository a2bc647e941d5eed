UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)<-[j:JUDGED]-(run:Run {id: $run})
RETURN id AS response, c.id AS id, c.kind AS kind, c.text AS text, c.sentence AS sentence, c.confidence AS confidence, c.slots AS slots, c.place AS place, j.label AS label, j.p_inconsistent AS p_inconsistent, j.flagged AS flagged, j.reason AS reason, j.error AS error
ORDER BY response, place
