UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE NOT EXISTS { (e)<-[:SUBJECT|OBJECT]-(:Claim) }
DETACH DELETE e
