// From a wrong claim to what the context states instead, or to what a sample says against it: one of `count` of `samples`.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (d:Claim {id: row.stated})
MERGE (c)-[x:REFUTED_BY {run_id: $run}]->(d)
SET x.position = row.position, x.sample = row.sample, x.count = row.count, x.samples = row.samples
