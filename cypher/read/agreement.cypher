// title: how often two runs flag the same claims
// params: one, other
// returns: both_flagged, only_one, only_other, neither
MATCH (:Run {id: $one})-[x:JUDGED]->(c:Claim)<-[y:JUDGED]-(:Run {id: $other})
RETURN sum(CASE WHEN x.flagged AND y.flagged THEN 1 ELSE 0 END) AS both_flagged, sum(CASE WHEN x.flagged AND NOT y.flagged THEN 1 ELSE 0 END) AS only_one, sum(CASE WHEN y.flagged AND NOT x.flagged THEN 1 ELSE 0 END) AS only_other, sum(CASE WHEN NOT x.flagged AND NOT y.flagged THEN 1 ELSE 0 END) AS neither
