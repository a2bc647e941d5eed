UNWIND $rows AS row
MATCH (r:Response {id: row.response})
MATCH (p:Passage {id: row.passage})
MERGE (r)-[h:HAS_CONTEXT {position: row.position}]->(p)
SET h.source = row.source
