UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)-[a:ASKED {run_id: $run}]->(p:Passage)
DELETE a
