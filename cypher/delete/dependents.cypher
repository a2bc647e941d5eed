// Samples and revisions of these responses that no run produced by itself.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:SAMPLED_AS|REVISED_AS]->(s:Response)
WHERE NOT EXISTS { (s)<-[:PRODUCED]-(:Run) }
RETURN DISTINCT s.id AS id
