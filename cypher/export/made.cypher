// All responses that a run holds, revisions too.
MATCH (run:Run {id: $run})-[:PRODUCED]->(r:Response)
RETURN collect(r.id) AS ids
