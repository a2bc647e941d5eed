// The other fields of the record, as a run has them. A field with the value null goes.
UNWIND $rows AS row
MATCH (r:Response {id: row.id})
SET r += row.fields
