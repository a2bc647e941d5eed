// The claims of responses that a run judged, with the labels.
MATCH (:Run {id: $run})-[j:JUDGED]->(c:Claim)<-[:STATES]-(r:Response {origin: 'response'})
RETURN c.id AS claim, r.id AS response, j.label AS label, j.flagged AS flagged
ORDER BY claim
