// title: answers to one question that give different objects for the same subject and predicate
// params: dataset=null, limit=50
// returns: dataset, question, subject, predicate, objects, responses
MATCH (q:Response)
WHERE q.origin = 'response' AND q.question IS NOT NULL AND ($dataset IS NULL OR q.dataset = $dataset)
WITH DISTINCT q.dataset AS dataset, q.question AS question
ORDER BY dataset, question
CALL (dataset, question) {
  MATCH (r:Response {question: question})-[:STATES]->(c:Claim {kind: 'triplet'})-[:SUBJECT]->(e:Entity)
  WHERE r.origin = 'response' AND r.dataset = dataset AND c.object <> '' AND c.run_id IS NOT NULL
  WITH e.key AS subject, c.predicate_key AS predicate, toLower(c.object) AS object, r.name AS response
  ORDER BY response
  WITH subject, predicate, collect(DISTINCT object) AS objects, collect(DISTINCT response) AS responses
  WHERE size(objects) > 1 AND size(responses) > 1
  UNWIND objects AS object
  WITH subject, predicate, responses, object
  ORDER BY object
  RETURN subject, predicate, responses, collect(object) AS sorted
}
RETURN dataset, question, subject, predicate, sorted AS objects, responses
ORDER BY dataset, question, subject, predicate
LIMIT $limit
