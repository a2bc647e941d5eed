// What a fresh claim gets: who states it, and the run's verdict with its evidence, if there is one.
UNWIND $rows AS row
MATCH (c:Claim {id: row.id})
MATCH (r:Response {id: row.response})
CREATE (r)-[:STATES]->(c)
REMOVE c.fresh
WITH c, row
UNWIND row.judged AS judged
MATCH (run:Run {id: $run})
CREATE (c)<-[j:JUDGED]-(run)
SET j = judged.verdict
WITH c, judged
UNWIND judged.evidence AS evidence
MATCH (p:Passage {id: evidence.passage})
CREATE (c)-[e:JUDGED_AGAINST {run_id: $run, rank: evidence.rank}]->(p)
SET e += evidence.own
