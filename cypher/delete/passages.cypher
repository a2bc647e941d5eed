UNWIND $ids AS id
MATCH (p:Passage {id: id})
WHERE NOT EXISTS { (p)<-[:HAS_CONTEXT]-(:Response) }
DETACH DELETE p
