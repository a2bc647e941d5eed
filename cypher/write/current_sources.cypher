// The sources of the passages, as a run has them.
UNWIND $rows AS row
MATCH (r:Response {id: row.id})-[h:HAS_CONTEXT]->(:Passage)
SET h.source = row.sources[h.position]
