// Returns the fields of records that an earlier run had and this one has not.
UNWIND $rows AS row
MERGE (r:Response {id: row.id})
WITH r, row, [name IN keys(r) WHERE name STARTS WITH 'meta_' AND NOT name IN keys(row.own)] AS stale
SET r += row.own
WITH row, stale
WHERE size(stale) > 0
RETURN row.id AS id, stale
