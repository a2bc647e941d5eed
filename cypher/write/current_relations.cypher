MATCH ()-[e:RELATES {origin: 'response'}]->() WHERE e.claim_id IN $ids
SET e += $verdicts[e.claim_id]
