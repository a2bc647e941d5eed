// Responses whose claims a person judged. Returns the claims that the graph knows.
UNWIND $rows AS row
MATCH (r:Response)-[:STATES]->(c:Claim {id: row.claim})
MATCH (run:Run {id: $run})
MERGE (r)<-[:PRODUCED]-(run)
RETURN collect(DISTINCT c.id) AS known
