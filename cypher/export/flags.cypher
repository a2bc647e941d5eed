// The claims that a run judged.
MATCH (:Run {id: $run})-[j:JUDGED]->(c:Claim)
RETURN c.id AS claim, j.flagged AS flagged
ORDER BY claim
