UNWIND $ids AS id
MATCH (r:Response {id: id})<-[x:PRODUCED]-(run:Run {id: $run})
DELETE x
