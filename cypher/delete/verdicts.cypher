UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)<-[j:JUDGED]-(run:Run {id: $run})
DELETE j
