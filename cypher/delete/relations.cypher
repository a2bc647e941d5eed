MATCH ()-[e:RELATES]->() WHERE e.claim_id IN $ids
DELETE e
