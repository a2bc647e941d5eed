// From a wrong claim to what the context states instead.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (d:Claim {id: row.stated})
MERGE (c)-[x:REFUTED_BY {run_id: $run}]->(d)
SET x.position = row.position
