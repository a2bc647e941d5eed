// Claims of samples that no claim of a response refers to any more.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:SAMPLED_AS]->(s:Response)-[:STATES]->(c:Claim)
WHERE NOT EXISTS { (c)<-[:SUPPORTED_BY|REFUTED_BY]-(:Claim) }
RETURN c.id AS id
