// The verdict that a claim shows: $verdicts maps its id to the properties.
MATCH (c:Claim) WHERE c.id IN $ids
SET c += $verdicts[c.id]
