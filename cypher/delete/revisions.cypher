UNWIND $ids AS id
MATCH (r:Response {id: id})-[x:REVISED_AS {run_id: $run}]->(v:Response)
DELETE x
