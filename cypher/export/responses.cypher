UNWIND $ids AS id
MATCH (r:Response {id: id})<-[x:PRODUCED]-(run:Run {id: $run})
RETURN id, r.name AS name, r.dataset AS dataset, r.model AS model, r.question AS question, r.text AS text, x.meta AS meta, x.sources AS sources, x.samples AS samples, x.confidences AS confidences, x.stated_confidences AS stated_confidences, r.origin AS origin, x.n AS n, x.label AS label, x.p_inconsistent AS p_inconsistent, x.flagged_rate AS flagged_rate, x.error AS error, x.fields AS fields, x.claims AS claims, x.stated AS stated, x.revision AS revision
