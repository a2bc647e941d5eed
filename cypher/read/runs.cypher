// title: the runs, the last loaded one first
// params:
// returns: id, stage, extractor, checker, threshold, responses, claims, flagged
MATCH (run:Run)
RETURN run.id AS id, run.stage AS stage, run.extractor AS extractor, run.checker AS checker, run.threshold AS threshold, COUNT { (run)-[:PRODUCED]->(:Response) } AS responses, COUNT { (run)-[:JUDGED]->(:Claim) } AS claims, COUNT { (run)-[:JUDGED {flagged: true}]->(:Claim) } AS flagged
ORDER BY run.loaded DESC
