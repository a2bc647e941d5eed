MATCH (run:Run {id: $run})
RETURN run.id AS id, run.stage AS stage, run.settings AS settings, run.fingerprints AS fingerprints, run.versions AS versions, run.input AS input, run.manifest AS manifest
