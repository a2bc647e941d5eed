MATCH (run:Run {id: $run})
DETACH DELETE run
