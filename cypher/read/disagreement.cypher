// title: claims on which two runs (two checkers, or a checker and a person) disagree
// params: one, other, limit=100
// returns: response, claim, one_label, one_p, other_label, other_p
MATCH (:Run {id: $one})-[x:JUDGED]->(c:Claim)<-[y:JUDGED]-(:Run {id: $other})
WHERE x.flagged <> y.flagged
MATCH (r:Response)-[:STATES]->(c)
RETURN r.name AS response, c.text AS claim, x.label AS one_label, x.p_inconsistent AS one_p, y.label AS other_label, y.p_inconsistent AS other_p
ORDER BY abs(x.p_inconsistent - y.p_inconsistent) DESC, c.id
LIMIT $limit
