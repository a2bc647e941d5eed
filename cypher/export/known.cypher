// Which of these claims the graph has.
UNWIND $ids AS id
MATCH (c:Claim {id: id})
RETURN collect(c.id) AS known
