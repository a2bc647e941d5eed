UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)<-[x:COMPARED]-(run:Run {id: $run})
DELETE x
