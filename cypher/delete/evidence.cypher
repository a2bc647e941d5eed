UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)-[e:JUDGED_AGAINST {run_id: $run}]->(p:Passage)
DELETE e
