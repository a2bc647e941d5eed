UNWIND $ids AS id
MATCH (r:Response {id: id})-[a:ASKED {run_id: $run}]->(p:Passage)
DELETE a
