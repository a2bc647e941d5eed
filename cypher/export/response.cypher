MATCH (r:Response {id: $id})
RETURN r.id AS id
