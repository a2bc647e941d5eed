// Responses whose claims a person judged.
UNWIND $rows AS row
MATCH (r:Response)-[:STATES]->(c:Claim {id: row.claim})
MATCH (run:Run {id: $run})
MERGE (r)<-[:PRODUCED]-(run)
