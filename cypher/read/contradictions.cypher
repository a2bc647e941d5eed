// title: candidates for contradictions: answers to one question that say different things of the same
// params: dataset=null, limit=50
// returns: dataset, question, subject, predicate, objects, responses
MATCH (r:Response)-[:STATES]->(c:Claim {kind: 'triplet'})
WHERE r.origin = 'response' AND r.question IS NOT NULL AND c.object <> '' AND c.run_id IS NOT NULL AND ($dataset IS NULL OR r.dataset = $dataset)
WITH r.dataset AS dataset, r.question AS question, c.subject_key AS subject, c.predicate_key AS predicate, toLower(c.object) AS object, r.name AS response
ORDER BY response
WITH dataset, question, subject, predicate, collect(DISTINCT object) AS objects, collect(DISTINCT response) AS responses
WHERE size(objects) > 1 AND size(responses) > 1
UNWIND objects AS object
WITH dataset, question, subject, predicate, responses, object
ORDER BY object
WITH dataset, question, subject, predicate, responses, collect(object) AS objects
RETURN dataset, question, subject, predicate, objects, responses
ORDER BY dataset, question, subject, predicate
LIMIT $limit
