UNWIND $ids AS id
MATCH (r:Response {id: id})
DETACH DELETE r
