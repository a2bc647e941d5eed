// From a claim to what was found when it was searched for: at hop 1, and at further ones in other words.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (p:Passage {id: row.passage})
MERGE (c)-[a:ASKED {run_id: $run, hop: row.hop, rank: row.rank}]->(p)
SET a.queries = row.queries
