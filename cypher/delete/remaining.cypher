// Responses that another run still holds, with the runs that they show: the last loaded one of a checker that judged
// them, and the last loaded one that has their record, if any.
UNWIND $ids AS id
MATCH (r:Response {id: id})<-[x:PRODUCED]-(run:Run)
WITH id, run, x.n IS NOT NULL AND NOT run.human AS made, COUNT { (r)-[:STATES]->(:Claim)<-[:JUDGED]-(run) } > 0 AND NOT run.human AS judged
ORDER BY run.loaded DESC
WITH id, collect({id: run.id, made: made, judged: judged}) AS runs
RETURN id, [x IN runs WHERE x.judged | x.id][0] AS judge, [x IN runs WHERE x.made | x.id][0] AS maker
