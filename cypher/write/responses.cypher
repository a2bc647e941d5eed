UNWIND $rows AS row
MERGE (r:Response {id: row.id})
SET r += row.own
