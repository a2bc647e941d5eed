// Written from the response's side: a run produces many, a response has few runs.
UNWIND $rows AS row
MERGE (r:Response {id: row.id})
SET r += row.own
WITH r, row
MATCH (run:Run {id: $run})
MERGE (r)<-[x:PRODUCED]-(run)
SET x += row.verdict
