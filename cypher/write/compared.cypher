// How many samples support and contradict each claim, in this run.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (run:Run {id: $run})
MERGE (c)<-[x:COMPARED]-(run)
SET x += row.own
