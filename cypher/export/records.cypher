// What a run has of these responses, and which other fields of the record they show. A person's run has nothing.
UNWIND $ids AS id
MATCH (r:Response {id: id})<-[x:PRODUCED]-(run:Run {id: $run})
WHERE x.n IS NOT NULL
RETURN id, x.meta AS meta, x.sources AS sources, x.claims AS claims, x.confidences AS confidences, [name IN keys(r) WHERE name STARTS WITH 'meta_'] AS fields
