// The run is the newest of all: it was loaded last.
OPTIONAL MATCH (other:Run) WHERE other.id <> $run.id
WITH coalesce(max(other.loaded), 0) + 1 AS place
MERGE (run:Run {id: $run.id})
SET run += $run, run.loaded = place, run.loaded_at = $now, run.created_at = coalesce(run.created_at, $now)
