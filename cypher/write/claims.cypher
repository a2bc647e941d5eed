// A claim never changes, so only a fresh one gets its edges. Returns those that were there before.
UNWIND $rows AS row
MERGE (c:Claim {id: row.id})
ON CREATE SET c += row.own, c.fresh = true
WITH c, row
WHERE c.fresh IS NULL
RETURN collect(row.id) AS known
