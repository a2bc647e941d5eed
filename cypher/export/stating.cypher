// The responses that state these claims, with the runs that read them. Runs of persons are left out.
UNWIND $ids AS id
MATCH (r:Response)-[:STATES]->(:Claim {id: id})
MATCH (run:Run)-[:PRODUCED]->(r)
WHERE NOT run.human
RETURN DISTINCT r.id AS response, run.id AS run, run.loaded AS loaded
ORDER BY response, run
