// title: number of claims in each tenth of p(inconsistent)
// params: dataset=null, model=null
// returns: from, claims, flagged
MATCH (r:Response)-[:STATES]->(c:Claim)
WHERE r.origin = 'response' AND c.p_inconsistent IS NOT NULL AND ($dataset IS NULL OR r.dataset = $dataset) AND ($model IS NULL OR r.model = $model)
WITH CASE WHEN c.p_inconsistent >= 1.0 THEN 9 ELSE toInteger(floor(c.p_inconsistent * 10)) END AS band, c.flagged AS flagged
RETURN band / 10.0 AS from, count(*) AS claims, sum(CASE WHEN flagged THEN 1 ELSE 0 END) AS flagged
ORDER BY from
