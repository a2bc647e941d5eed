// title: the runs, the last loaded one first; claims and flags are those of responses
// params:
// returns: id, stage, extractor, checker, threshold, created_at, responses, claims, flagged
MATCH (run:Run)
CALL (run) {
  OPTIONAL MATCH (run)-[x:PRODUCED]->(:Response {origin: 'response'})
  RETURN sum(size(x.claims)) AS found
}
RETURN run.id AS id, run.stage AS stage, run.extractor AS extractor, run.checker AS checker, run.threshold AS threshold, run.created_at AS created_at, COUNT { (run)-[:PRODUCED]->(:Response {origin: 'response'}) } AS responses, CASE WHEN run.human THEN COUNT { (run)-[:JUDGED]->(:Claim)<-[:STATES]-(:Response {origin: 'response'}) } ELSE found END AS claims, COUNT { (run)-[:JUDGED {flagged: true}]->(:Claim)<-[:STATES]-(:Response {origin: 'response'}) } AS flagged
ORDER BY run.loaded DESC
