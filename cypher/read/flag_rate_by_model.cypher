// title: share of flagged claims of each model
// params: dataset=null
// returns: dataset, model, responses, claims, flagged, rate
MATCH (r:Response)-[:STATES]->(c:Claim)
WHERE r.origin = 'response' AND c.flagged IS NOT NULL AND ($dataset IS NULL OR r.dataset = $dataset)
WITH r.dataset AS dataset, r.model AS model, count(DISTINCT r) AS responses, count(c) AS claims, sum(CASE WHEN c.flagged THEN 1 ELSE 0 END) AS flagged
RETURN dataset, model, responses, claims, flagged, toFloat(flagged) / claims AS rate
ORDER BY rate DESC, dataset, model
