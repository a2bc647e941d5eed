UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)<-[j:JUDGED]-(run:Run {id: $run})
RETURN c.id AS claim, j.label AS label, j.p_inconsistent AS p_inconsistent, j.flagged AS flagged, j.reason AS reason, j.error AS error, j.unsupported AS unsupported, j.decided_by AS decided_by
