// title: how much of everything there is
// params:
// returns: what, count
MATCH (n)
RETURN labels(n)[0] AS what, count(*) AS count
ORDER BY what
UNION ALL
MATCH ()-[r]->()
RETURN type(r) AS what, count(*) AS count
ORDER BY what
