// Samples and revisions of these responses that belong to no other one.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:SAMPLED_AS|REVISED_AS]->(s:Response)
WHERE s.origin <> 'response' AND NOT EXISTS { MATCH (s)<-[:SAMPLED_AS|REVISED_AS]-(other:Response) WHERE NOT other.id IN $ids }
RETURN DISTINCT s.id AS id
