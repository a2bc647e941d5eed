// The run becomes the last one loaded.
MATCH (other:Run) WHERE other.id <> $run
WITH coalesce(max(other.loaded), 0) + 1 AS place
MATCH (run:Run {id: $run})
SET run.loaded = place
