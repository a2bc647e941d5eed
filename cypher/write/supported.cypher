// From a corrected claim to what the context states, or from any claim to a sample that states it: one of `count` of
// `samples`.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (d:Claim {id: row.stated})
MERGE (c)-[x:SUPPORTED_BY {run_id: $run}]->(d)
SET x.position = row.position, x.sample = row.sample, x.count = row.count, x.samples = row.samples
