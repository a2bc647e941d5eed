MATCH (run:Run {id: $run})-[:PRODUCED]->(r:Response)
RETURN DISTINCT r.id AS id
LIMIT $limit
