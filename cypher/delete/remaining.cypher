// Responses that another run still holds, with the run that they show: the last loaded one of a checker, if any.
UNWIND $ids AS id
MATCH (r:Response {id: id})<-[:PRODUCED]-(run:Run)
WITH id, run ORDER BY run.loaded DESC
RETURN id, [x IN collect({id: run.id, human: run.human}) WHERE NOT x.human | x.id][0] AS run
