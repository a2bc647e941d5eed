// A person's run never becomes the current one.
MERGE (run:Run {id: $run.id})
SET run += $run, run.loaded = 0, run.loaded_at = $now, run.created_at = coalesce(run.created_at, $now)
