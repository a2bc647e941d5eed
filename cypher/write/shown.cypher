// The claims of these responses that show a verdict, and those that show a place.
UNWIND $ids AS id
MATCH (r:Response {id: id})-[:STATES]->(c:Claim)
WITH collect(c) AS claims
RETURN [c IN claims WHERE c.run_id IS NOT NULL | c.id] AS judged, [c IN claims WHERE c.place IS NOT NULL | c.id] AS placed
