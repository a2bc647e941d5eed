// title: number of nodes and relationships by type
// params:
// returns: what, count
MATCH (n)
RETURN labels(n)[0] AS what, count(*) AS count
ORDER BY what
UNION ALL
MATCH ()-[r]->()
RETURN type(r) AS what, count(*) AS count
ORDER BY what
