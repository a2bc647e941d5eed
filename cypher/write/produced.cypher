// Written from the response's side: a run produces many, a response has few runs. It locks the run, so it comes late.
UNWIND $rows AS row
MATCH (r:Response {id: row.id})
MATCH (run:Run {id: $run})
MERGE (r)<-[x:PRODUCED]-(run)
SET x += row.verdict
