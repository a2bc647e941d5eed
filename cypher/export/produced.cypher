// The responses of a run, in the order of its input.
MATCH (run:Run {id: $run})-[x:PRODUCED]->(r:Response)
WHERE r.origin IN ['response', 'unread']
WITH r.id AS id, x.n AS n
ORDER BY n, id
RETURN collect(id) AS ids
