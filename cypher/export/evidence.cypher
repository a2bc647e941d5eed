UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)-[e:JUDGED_AGAINST {run_id: $run}]->(p:Passage)
RETURN c.id AS claim, e.rank AS rank, p.id AS passage, e.start AS start, e.end AS end, e.entailment AS entailment, e.neutral AS neutral, e.contradiction AS contradiction, e.locations AS locations
ORDER BY claim, rank
