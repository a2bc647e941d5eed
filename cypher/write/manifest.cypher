// The run.json of a run, and when the run was made.
MATCH (run:Run {id: $run})
SET run.manifest = $manifest, run.created_at = coalesce($created_at, run.created_at)
