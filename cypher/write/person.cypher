// A person's run never becomes the current one.
MERGE (run:Run {id: $run.id})
SET run += $run, run.loaded = 0
