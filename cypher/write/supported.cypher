// From a corrected claim to what the context states.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (d:Claim {id: row.stated})
MERGE (c)-[x:SUPPORTED_BY {run_id: $run}]->(d)
SET x.position = row.position
