// A claim that stays as it was, rejected or failed, points to itself.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (d:Claim {id: row.corrected})
MERGE (c)-[x:CORRECTED_TO {run_id: $run}]->(d)
SET x += row.own
