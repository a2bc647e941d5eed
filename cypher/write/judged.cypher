UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (run:Run {id: $run})
MERGE (c)<-[j:JUDGED]-(run)
SET j += row.verdict
