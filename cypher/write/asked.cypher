// From a claim to the searches for it.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (s:Search {id: row.id})
MERGE (c)-[:ASKED]->(s)
