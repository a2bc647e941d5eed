// Claims that no run found or judges any more.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)
WHERE NOT EXISTS { (c)<-[:JUDGED]-(:Run) } AND NOT EXISTS { MATCH (r)<-[x:PRODUCED]-(:Run) WHERE c.id IN x.claims }
RETURN c.id AS id
