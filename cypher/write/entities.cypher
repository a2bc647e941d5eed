UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
ON CREATE SET e += row.own
