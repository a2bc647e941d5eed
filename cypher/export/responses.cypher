MATCH (run:Run {id: $run})-[x:PRODUCED]->(r:Response)
WHERE x.n > $after AND r.origin IN ['response', 'unread']
RETURN r.id AS id, r.name AS name, r.dataset AS dataset, r.model AS model, r.question AS question, r.text AS text, r.meta AS meta, r.origin AS origin, x.n AS n, x.label AS label, x.p_inconsistent AS p_inconsistent, x.error AS error
ORDER BY n, id
LIMIT $limit
