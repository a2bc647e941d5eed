UNWIND $rows AS row
MATCH (r:Response {id: row.response})
MATCH (v:Response {id: row.revision})
MERGE (r)-[x:REVISED_AS {run_id: $run}]->(v)
