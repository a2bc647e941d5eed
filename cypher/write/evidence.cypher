UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (p:Passage {id: row.passage})
MERGE (c)-[e:JUDGED_AGAINST {run_id: $run, rank: row.rank}]->(p)
SET e += row.own
