UNWIND $rows AS row
MERGE (s:Response {id: row.id})
SET s += row.own
WITH s, row
MATCH (r:Response {id: row.response})
MERGE (s)<-[x:SAMPLED_AS]-(r)
SET x.position = row.position
