// Claims that no run judges any more, of responses that no mere extraction holds.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)
WHERE NOT EXISTS { (c)<-[:JUDGED]-(:Run) } AND NOT EXISTS { (r)<-[:PRODUCED]-(:Run {stage: 'extract'}) }
RETURN c.id AS id
