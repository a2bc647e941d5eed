UNWIND $rows AS row
MERGE (p:Passage {id: row.id})
SET p += row.own
