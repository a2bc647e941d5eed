MATCH (run:Run) WHERE NOT run.human
RETURN run.id AS id, run.settings AS settings
ORDER BY run.loaded DESC
LIMIT 1
