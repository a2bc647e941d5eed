MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged:true}]->(o) MATCH (r:Response {id: e.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged:true}]->(o), (r:Response {id: e.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged:true}]->(o) MATCH (r:Response) WHERE r.id = e.response_id RETURN r.name AS r, count(*) AS n ORDER BY n DESC, r LIMIT 10
MATCH (s)-[e:RELATES]->(o) WHERE e.flagged MATCH (r:Response {id: e.response_id}) RETURN r.model AS model, count(e) AS flags ORDER BY flags DESC, model
MATCH (s)-[e:RELATES]->(o) WHERE e.flagged = true AND e.p_inconsistent > 0.9 RETURN s.name AS s, e.predicate AS p, o.name AS o ORDER BY e.p_inconsistent DESC, e.claim_id LIMIT 20
MATCH (s:Entity {name: 'Ada Quist'})-[e:RELATES]->(o) RETURN e.predicate AS p, o.name AS o, e.label AS l ORDER BY e.claim_id
MATCH (s:Entity)-[e:RELATES]->(o:Entity) WHERE s.name STARTS WITH 'Ada' RETURN DISTINCT o.name AS o ORDER BY o
MATCH (s:Entity) WHERE s.name =~ '(?i)ada.*' RETURN s.name AS s ORDER BY s
MATCH (s:Entity) WHERE toLower(s.name) CONTAINS 'bank' RETURN count(*) AS n
MATCH (c:Claim {flagged: true}) RETURN c.kind AS kind, count(*) AS n ORDER BY kind
MATCH (c:Claim) RETURN c.label AS label, count(*) AS n, avg(c.p_inconsistent) AS mean ORDER BY label
MATCH (c:Claim) WHERE c.label IS NULL RETURN count(*) AS n
MATCH (r:Response)-[:STATES]->(c:Claim) WITH r, count(c) AS claims, sum(CASE WHEN c.flagged THEN 1 ELSE 0 END) AS flags WHERE flags > 2 RETURN r.name AS r, claims, flags ORDER BY flags DESC, r
MATCH (r:Response) OPTIONAL MATCH (r)-[:STATES]->(c:Claim {flagged: true}) RETURN r.name AS r, r.origin AS o, count(c) AS n ORDER BY r, o, n LIMIT 30
MATCH (r:Response {origin: 'response'}) WHERE NOT (r)-[:STATES]->(:Claim) RETURN count(r) AS n
MATCH (r:Response {origin: 'response'}) WHERE NOT EXISTS { (r)-[:STATES]->(:Claim {flagged: true}) } RETURN count(r) AS n
MATCH (r:Response {origin: 'response'}) WHERE EXISTS { MATCH (r)-[:STATES]->(c:Claim) WHERE c.p_inconsistent > 0.95 } RETURN count(r) AS n
MATCH (r:Response {origin: 'response'}) RETURN r.name AS r, COUNT { (r)-[:STATES]->(:Claim {flagged: true}) } AS n ORDER BY n DESC, r LIMIT 10
MATCH (r:Response {origin: 'response'}) RETURN r.name AS r, size([(r)-[:STATES]->(c:Claim) WHERE c.flagged | c.text]) AS n ORDER BY n DESC, r LIMIT 10
MATCH (r:Response {origin: 'response'}) CALL (r) { MATCH (r)-[:STATES]->(c:Claim) RETURN max(c.p_inconsistent) AS worst } RETURN r.name AS r, worst ORDER BY worst DESC, r LIMIT 10
MATCH (e:Entity {named: true})<-[:SUBJECT]-(c:Claim) RETURN e.name AS e, count(DISTINCT c) AS n ORDER BY n DESC, e LIMIT 5
MATCH (e:Entity)<-[:SUBJECT|OBJECT]-(c:Claim {flagged: true}) WHERE e.named RETURN e.name AS e, count(*) AS n ORDER BY n DESC, e
MATCH (e:Entity)-[r]-() WHERE e.named RETURN type(r) AS t, count(*) AS n ORDER BY t
MATCH (n) RETURN labels(n) AS l, count(*) AS n ORDER BY l
MATCH ()-[r]->() RETURN type(r) AS t, count(*) AS n ORDER BY t
MATCH (run:Run)-[j:JUDGED]->(c:Claim) RETURN run.checker AS checker, j.label AS label, count(*) AS n ORDER BY checker, label
MATCH (a:Run {checker: 'one'})-[x:JUDGED]->(c:Claim)<-[y:JUDGED]-(b:Run {checker: 'two'}) WHERE x.flagged <> y.flagged RETURN count(c) AS n
MATCH (a:Run)-[x:JUDGED {flagged: true}]->(c:Claim)<-[y:JUDGED {flagged: false}]-(b:Run) RETURN a.checker AS a, b.checker AS b, count(*) AS n ORDER BY a
MATCH (c:Claim {flagged: true})-[e:JUDGED_AGAINST {rank: 0}]->(p:Passage) RETURN count(*) AS n, avg(e.contradiction) AS c
MATCH (r:Response)-[h:HAS_CONTEXT]->(p:Passage) WHERE h.position = 0 RETURN h.source AS s, count(*) AS n ORDER BY s
MATCH (r:Response)-[:HAS_CONTEXT]->(p:Passage)<-[:HAS_CONTEXT]-(s:Response) WHERE r.id < s.id RETURN count(*) AS n
MATCH (r:Response)-[:HAS_CONTEXT]->(p) RETURN p.id AS p, count(r) AS n ORDER BY n DESC, p LIMIT 3
MATCH (r:Response)-[:REVISED_AS]->(v:Response) RETURN r.name AS r, v.text AS t ORDER BY r LIMIT 3
MATCH (c:Claim)-[x:CORRECTED_TO]->(d:Claim) RETURN x.status AS s, count(*) AS n ORDER BY s
MATCH (c:Claim)-[x:CORRECTED_TO {status: 'applied'}]->(d:Claim) WHERE c <> d RETURN count(*) AS n
MATCH (c:Claim)-[:REFUTED_BY]->(d:Claim)<-[:STATES]-(p:Passage) RETURN count(DISTINCT c) AS n
MATCH path = (c:Claim {flagged: true})-[:SUBJECT]->(e:Entity)<-[:SUBJECT]-(d:Claim {flagged: true}) WHERE c.id < d.id RETURN length(path) AS l, count(*) AS n
MATCH path = (a:Entity {named: true})-[:RELATES*1..2]->(b:Entity {named: true}) RETURN length(path) AS l, count(*) AS n ORDER BY l
MATCH p = shortestPath((a:Entity {name: 'Ada Quist', dataset: 'set0'})-[:RELATES*..4]-(b:Entity {name: 'Bank of Orsa', dataset: 'set0'})) RETURN length(p) AS l
MATCH (a:Entity)-[e1:RELATES]->(b:Entity)-[e2:RELATES]->(c:Entity) WHERE e1.flagged AND e2.flagged AND a.named AND c.named RETURN count(*) AS n
MATCH (a:Entity)-[e:RELATES]->(a) RETURN count(e) AS n
MATCH (s)-[e:RELATES]->(o) WHERE e.predicate IN ['opened', 'closed'] AND e.origin = 'response' RETURN e.predicate AS p, sum(toInteger(e.flagged)) AS f, count(*) AS n ORDER BY p
MATCH (s)-[e:RELATES]->(o) RETURN e.origin AS o, e.kind AS k, count(*) AS n ORDER BY o, k
MATCH (c:Claim) WHERE c.p_inconsistent >= 0.5 AND c.p_inconsistent < 0.6 RETURN count(*) AS n
MATCH (c:Claim) WHERE c.p_inconsistent IS NOT NULL RETURN round(c.p_inconsistent, 1) AS band, count(*) AS n ORDER BY band
MATCH (c:Claim) WHERE c.p_inconsistent IS NOT NULL RETURN percentileCont(c.p_inconsistent, 0.5) AS median, stDev(c.p_inconsistent) AS s, min(c.p_inconsistent) AS lo, max(c.p_inconsistent) AS hi
MATCH (r:Response {origin: 'response'}) RETURN r.model AS model, count(*) AS n ORDER BY n DESC, model
MATCH (r:Response {origin: 'response'}) WHERE r.model IS NULL RETURN count(*) AS n
MATCH (r:Response) WHERE r.meta_label = 1 RETURN count(*) AS n
MATCH (r:Response) WHERE r.name IN $names RETURN r.name AS r, r.origin AS o ORDER BY r, o
MATCH (r:Response {name: $name, origin: 'response'})-[:STATES]->(c) RETURN c.text AS t, c.place AS p ORDER BY p, c.id
MATCH (r:Response {origin: 'response'}) WITH r.model AS model, collect(r.name) AS names RETURN model, size(names) AS n, names[0] IS NOT NULL AS some ORDER BY model
UNWIND ['Ada Quist', 'Bo Lindgren'] AS name MATCH (e:Entity {name: name})<-[:SUBJECT]-(c:Claim) RETURN name, count(c) AS n ORDER BY name
UNWIND range(0, 9) AS band OPTIONAL MATCH (c:Claim) WHERE toInteger(c.p_inconsistent * 10) = band RETURN band, count(c) AS n ORDER BY band
MATCH (c:Claim) WITH c ORDER BY c.p_inconsistent DESC, c.id LIMIT 5 MATCH (r:Response)-[:STATES]->(c) RETURN r.name AS r, c.text AS t ORDER BY c.p_inconsistent DESC, c.id
MATCH (c:Claim) RETURN count(c) AS all, count(c.flagged) AS judged, count(DISTINCT c.text) AS texts
MATCH (c:Claim {flagged: true}) RETURN c.text AS t ORDER BY size(c.text) DESC, t LIMIT 3
MATCH (c:Claim {flagged: true}) RETURN substring(c.text, 0, 10) AS s, toUpper(left(c.text, 3)) AS u, split(c.text, ' ')[0] AS w ORDER BY c.id LIMIT 5
MATCH (c:Claim {flagged: true}) RETURN c {.text, .label} AS c ORDER BY c.text, c.label LIMIT 3
MATCH (c:Claim {flagged: true}) WITH c ORDER BY c.id LIMIT 3 RETURN {text: c.text, p: c.p_inconsistent} AS m
MATCH (c:Claim {flagged: true}) WITH c ORDER BY c.id LIMIT 2 RETURN properties(c).text AS t, keys(c)[0] IS NOT NULL AS k, c['label'] AS l
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH e ORDER BY e.claim_id LIMIT 2 RETURN startNode(e).name AS s, endNode(e).name AS o, type(e) AS t
MATCH (r:Response) WHERE r.origin = 'response' RETURN any(x IN [1, 2] WHERE x = 1) AS a, all(x IN [1, 2] WHERE x > 0) AS b, [x IN range(1, 5) WHERE x % 2 = 0 | x * x] AS c, reduce(t = 0, x IN [1, 2, 3] | t + x) AS d LIMIT 1
MATCH (c:Claim) RETURN CASE c.label WHEN 'Entailment' THEN 'ok' WHEN 'Neutral' THEN 'unsaid' ELSE 'wrong' END AS what, count(*) AS n ORDER BY what
MATCH (c:Claim) RETURN coalesce(c.label, 'none') AS l, count(*) AS n ORDER BY l
MATCH (a:Response {origin: 'response'}), (b:Response {origin: 'response'}) WHERE a.question = b.question AND a.id < b.id RETURN count(*) AS n
MATCH (a:Response {origin: 'response'})-[:STATES]->(c:Claim {kind: 'triplet'}), (b:Response {question: a.question})-[:STATES]->(d:Claim {predicate_key: c.predicate_key}) WHERE a.id < b.id AND b.origin = 'response' RETURN count(*) AS n
MATCH (c:Claim)-[:SUBJECT]->(s), (c)-[:OBJECT]->(o) WHERE c.flagged AND s.named AND o.named RETURN s.name AS s, c.predicate AS p, o.name AS o ORDER BY c.id LIMIT 5
MATCH (c:Claim)-[:SUBJECT]->(s:Entity)-[e:RELATES {claim_id: c.id}]->(o:Entity)<-[:OBJECT]-(c) RETURN count(*) AS n
MATCH (c:Claim {id: $claim}) MATCH (s)-[e:RELATES {claim_id: c.id}]->(o) RETURN s.name AS s, o.name AS o
MATCH (s)-[e:RELATES {claim_id: $claim}]->(o) RETURN s.name AS s, o.name AS o
MATCH (c:Claim {flagged: true}) WITH c MATCH ()-[e:RELATES {claim_id: c.id}]->() RETURN count(e) AS n
MATCH ()-[e:RELATES {flagged: true}]->() MATCH (c:Claim {id: e.claim_id}) RETURN count(c) AS n
MATCH ()-[e:RELATES {flagged: true}]->() WITH e.response_id AS id MATCH (r:Response {id: id}) RETURN count(r) AS n
MATCH ()-[e:RELATES {flagged: true}]->() WITH DISTINCT e.response_id AS id RETURN count(id) AS n
MATCH (r:Response)-[:STATES]->(c:Claim) WHERE r.dataset = 'set0' AND (c.label = 'Contradiction' OR c.label = 'Neutral') RETURN count(*) AS n
MATCH (r:Response)-[:STATES]->(c:Claim) WHERE r.dataset = 'set0' XOR c.flagged RETURN count(*) AS n
MATCH (r:Response {origin: 'response'}) RETURN r.name AS r ORDER BY r SKIP 5 LIMIT 5
MATCH (a:Claim {label: 'Neutral'}) RETURN 'n' AS k, count(*) AS n UNION MATCH (a:Claim {label: 'Contradiction'}) RETURN 'c' AS k, count(*) AS n
MATCH (e:Entity) WHERE e.name CONTAINS "O'Hara" RETURN DISTINCT e.name AS e
MATCH (e:Entity) WHERE size(split(e.name, ' ')) >= 3 RETURN count(*) AS n
MATCH (r:Response)-[:STATES]->(c:Claim)-[:SUBJECT|OBJECT]->(e:Entity {named: true}) WITH e, collect(DISTINCT r) AS rs WHERE size(rs) > 20 RETURN e.name AS e, e.dataset AS d, size(rs) AS n ORDER BY n DESC, e, d
MATCH (r:Response)-[:STATES]->(c:Claim) WITH r, collect(c) AS cs UNWIND cs AS c WITH r, c WHERE c.flagged RETURN count(*) AS n
MATCH (r:Response)-[:STATES]->(c:Claim) WITH r, [x IN collect(c) WHERE x.flagged | x.text] AS texts WHERE size(texts) > 1 RETURN r.name AS r, size(texts) AS n ORDER BY n DESC, r LIMIT 5
MATCH (s)-[e:RELATES]->(o) WHERE e.flagged AND NOT s.name CONTAINS ' ' RETURN count(*) AS n
MATCH (n:Claim|Passage) RETURN count(n) AS n
MATCH (n) WHERE n:Claim OR n:Entity RETURN count(n) AS n
MATCH (c:Claim) WHERE c.label IS NOT NULL WITH c.label AS label, count(*) AS n WITH collect({label: label, n: n}) AS rows RETURN size(rows) AS n
MATCH (c:Claim) RETURN 1.0 * sum(CASE WHEN c.flagged THEN 1 ELSE 0 END) / count(c.flagged) AS share
MATCH (s:Entity)-[e:RELATES]->(o:Entity) WHERE e.flagged WITH s, count(e) AS n ORDER BY n DESC, s.name LIMIT 3 MATCH (s)-[f:RELATES]->(x) RETURN s.name AS s, n, count(f) AS edges ORDER BY n DESC, s
MATCH (a:Entity {name:'Ada Quist'})-[e:RELATES]-(b:Entity) RETURN count(e) AS n
MATCH (a:Entity {name:'Ada Quist'})<-[e:RELATES]-(b) RETURN count(e) AS n
MATCH (:Entity {name:'Ada Quist'})-[e:RELATES {flagged: true}]->(:Entity {named: true}) RETURN e.predicate AS p, count(*) AS n ORDER BY n DESC, p
MATCH (r:Response) WHERE elementId(r) IS NOT NULL RETURN count(r) AS n
MATCH (run:Run) RETURN run.checker AS c, datetime(run.created_at).year >= 2024 AS y ORDER BY c
MATCH (c:Claim) WHERE c.text =~ '.*opened.*' RETURN count(*) AS n
MATCH (r:Response)-->(c:Claim) RETURN count(*) AS n
MATCH (r:Response)--(x) RETURN labels(x)[0] AS l, count(*) AS n ORDER BY l
MATCH (r:Response {origin: 'response'})-[:STATES]->(c:Claim {flagged: false})-[:OBJECT]->(e:Entity)<-[:OBJECT]-(d:Claim {flagged: true}) RETURN count(*) AS n
MATCH (r:Response) WITH r ORDER BY r.id RETURN collect(r.id)[..3] AS ids, head(collect(r.id)) AS first, last(collect(r.id)) AS last
RETURN 1 + 2 AS n, 7 / 2 AS i, 7 % 3 AS m, 2 ^ 3 AS p, 'a' + 'b' AS s, null IS NULL AS x, toString(3) AS t, toInteger('4') AS u
MATCH (c:Claim {flagged: true}) WHERE c.p_inconsistent > $low RETURN count(*) AS n
MATCH (c:Claim) WHERE c.flagged = $flag AND c.label = $label RETURN count(*) AS n
MATCH (c:Claim) WHERE NOT c.flagged RETURN count(*) AS n
MATCH (c:Claim) WHERE c.flagged <> true RETURN count(*) AS n
MATCH (p:Passage) WHERE NOT EXISTS { (p)<-[:JUDGED_AGAINST]-() } RETURN count(p) AS n
MATCH (r:Response {origin: 'response'})-[:STATES]->(c:Claim) WHERE r.question = 'question 3' RETURN r.name AS r, c.label AS l, count(*) AS n ORDER BY r, l
MATCH (s)-[e:RELATES {flagged: true}]->(o)<-[:OBJECT]-(c:Claim {id: e.claim_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH ()-[f:RELATES {claim_id: e.claim_id}]->() RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) OPTIONAL MATCH (r:Response {id: e.response_id, origin: 'response'}) RETURN count(r) AS n, count(*) AS m
MATCH (s)-[e:RELATES]->(o) WHERE e.flagged OPTIONAL MATCH (r:Response {id: e.response_id}) WHERE r.model = 'model-1' RETURN count(r) AS n, count(*) AS m
MATCH (s)-[e:RELATES]->(o) WHERE EXISTS { MATCH (r:Response {id: e.response_id}) WHERE r.model = 'model-1' } RETURN count(*) AS m
MATCH (s)-[e:RELATES]->(o) WHERE EXISTS { (r:Response {id: e.response_id}) } RETURN count(*) AS m
MATCH (s)-[e:RELATES]->(o) RETURN sum(COUNT { (r:Response {id: e.response_id}) }) AS m
MATCH (s)-[e:RELATES {flagged: true}]->(o) CALL (e) { MATCH (r:Response {id: e.response_id}) RETURN r.name AS name } RETURN count(name) AS n
MATCH (run:Run)-[j:JUDGED]->(c:Claim)-[a:JUDGED_AGAINST {run_id: run.id, rank: 0}]->(p) RETURN count(*) AS n
MATCH (c:Claim)-[a:JUDGED_AGAINST {rank: 0}]->(p) MATCH (run:Run {id: a.run_id}) RETURN run.checker AS c, count(*) AS n ORDER BY c
MATCH (a)-[e:RELATES {flagged: true}]->(b)-[f:RELATES {response_id: e.response_id}]->(c) RETURN count(*) AS n
MATCH (a)-[e:RELATES {flagged: true}]->(b), (b)-[f:RELATES {response_id: e.response_id}]->(c) RETURN count(*) AS n
MATCH (a)-[e:RELATES]->(b) WHERE (a)-[:RELATES {flagged: true}]->() RETURN count(*) AS n
MATCH (a:Entity) WHERE (a)-[:RELATES {flagged: true}]->() AND a.named RETURN count(*) AS n
MATCH path = (a:Entity {named: true})-[:RELATES*2]->(b:Entity {named: true}) WHERE all(r IN relationships(path) WHERE r.flagged) RETURN count(*) AS n
MATCH path = (a:Entity {named: true})-[es:RELATES*1..2]->(b:Entity {named: true}) WHERE all(e IN es WHERE e.flagged) RETURN count(*) AS n
MATCH path = (a:Entity {named: true})-[:RELATES]->(b:Entity) RETURN [n IN nodes(path) | n.named] AS ns, count(*) AS n ORDER BY n DESC
MATCH (c:Claim {flagged: true}) RETURN c.label AS l, COLLECT { MATCH (c)-[:SUBJECT]->(e) RETURN e.name } AS es ORDER BY c.id LIMIT 3
MATCH (a:Entity {name: 'Ada Quist'}) ((x)-[e:RELATES]->(y)){1,2} (b:Entity {named: true}) RETURN count(*) AS n
MATCH (n:!Claim) RETURN count(*) AS n
MATCH (n:Claim&!Entity) RETURN count(*) AS n
MATCH ()-[e:SUBJECT|OBJECT]->() RETURN type(e) AS t, count(*) AS n ORDER BY t
MATCH ()-[e:!RELATES]->() RETURN count(*) AS n
MATCH (s WHERE s.named)-[e:RELATES WHERE e.flagged]->(o) RETURN count(*) AS n
MATCH (s:Entity WHERE s.name = 'Ada Quist') RETURN count(*) AS n
RETURN trim(' a ') AS t, replace('abc', 'b', 'x') AS r, reverse('abc') AS v, size('abc') AS s, toBoolean('true') AS b, isEmpty('') AS e, lTrim(' a') AS l
RETURN date('2024-01-02').year AS y, duration('P1D').days AS d
RETURN abs(-1) AS a, ceil(1.2) AS c, floor(1.8) AS f, round(1.5) AS r, sign(-3) AS s, sqrt(4) AS q, log(1) AS l, exp(0) AS e
RETURN round(2.345, 2) AS r, round(-1.5) AS m, round(2.5) AS k
RETURN [1,2,3] + [4] AS l, 2 IN [1,2] AS i, [1,2,3][-1] AS last, tail([1,2,3]) AS t, range(0, 4, 2) AS r
RETURN null = null AS a, null <> 1 AS b, NOT null AS c, null IN [1] AS d, coalesce(null, 2) AS e
RETURN 'a' < 'b' AS a, 1 = 1.0 AS b, 'x' STARTS WITH 'x' AS c, 'xyz' ENDS WITH 'z' AS d
RETURN {a: 1, b: [1, 2]} AS m, {a: {b: 2}}.a.b AS v
MATCH (c:Claim) RETURN count(*) > 10 AS many
MATCH (r:Response {origin: 'response'}) RETURN DISTINCT r.dataset AS d ORDER BY d
MATCH (c:Claim) WHERE c.flagged WITH c.label AS label, collect(c.text) AS ts RETURN label, size(ts) AS n ORDER BY label
MATCH (c:Claim {flagged: true}) WITH c ORDER BY c.p_inconsistent DESC, c.id LIMIT 10 WITH collect(c) AS cs UNWIND range(0, 2) AS i RETURN cs[i].text AS t
MATCH (r:Response {origin: 'response'}) OPTIONAL MATCH (r)-[:STATES]->(c:Claim) WHERE c.flagged WITH r, count(c) AS n WHERE n = 0 RETURN count(r) AS n
MATCH (r:Response {origin: 'response'}) OPTIONAL MATCH (r)-[:STATES]->(c:Claim)-[:SUBJECT]->(e:Entity {named: true}) RETURN r.name AS r, count(DISTINCT e) AS n ORDER BY n DESC, r LIMIT 5
MATCH (r:Response {origin: 'response'}) WHERE r.question IS NOT NULL WITH r.question AS q, collect(DISTINCT r.model) AS ms WHERE size(ms) > 3 RETURN q, size(ms) AS n ORDER BY q LIMIT 5
MATCH (c:Claim) RETURN c.kind AS k, c.flagged AS f, count(*) AS n ORDER BY k, f
MATCH (c:Claim) RETURN c.kind AS k, c.flagged AS f, count(*) AS n ORDER BY k, f DESC
MATCH (r:Response) RETURN r.model AS m ORDER BY m LIMIT 1
MATCH (r:Response) RETURN r.model AS m ORDER BY m DESC LIMIT 1
MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN * ORDER BY e.claim_id LIMIT 1
MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN s, e, o ORDER BY e.claim_id LIMIT 1
MATCH path = (s)-[e:RELATES {flagged: true}]->(o) RETURN path ORDER BY e.claim_id LIMIT 1
MATCH (c:Claim {flagged: true}) RETURN max(c.p_inconsistent) AS m, min(c.text) AS t
MATCH (c:Claim) WHERE c.p_inconsistent IS NOT NULL RETURN toInteger(c.p_inconsistent * 10) / 10.0 AS b, count(*) AS n ORDER BY b
MATCH (c:Claim) WITH percentileDisc(c.p_inconsistent, 0.9) AS p RETURN p
MATCH (r:Response {origin: 'response'}) WITH count(*) AS n, avg(COUNT { (r)-[:STATES]->() }) AS mean RETURN n, mean
MATCH (r:Response) WHERE r.name STARTS WITH 'r1' AND NOT r.name ENDS WITH '0' RETURN count(*) AS n
MATCH (c:Claim)<-[:STATES]-(r:Response) WHERE c.flagged RETURN r.model AS m, c.label AS l, count(*) AS n ORDER BY n DESC, m, l LIMIT 5
MATCH (s:Entity)<-[:SUBJECT]-(c:Claim {flagged: true})-[:OBJECT]->(o:Entity), (r:Response)-[:STATES]->(c) WHERE s.named AND r.origin = 'response' RETURN s.name AS s, count(DISTINCT r) AS n ORDER BY n DESC, s
MATCH (r:Response)-[:STATES]->(c:Claim)-[:SUBJECT]->(e:Entity)<-[:SUBJECT]-(d:Claim)<-[:STATES]-(q:Response) WHERE r.model = 'model-1' AND q.model = 'model-2' AND c.predicate_key = d.predicate_key AND c.object <> d.object RETURN count(*) AS n
MATCH (a:Run)-[x:JUDGED]->(c)<-[y:JUDGED]-(b:Run) WHERE a.checker < b.checker RETURN x.label AS x, y.label AS y, count(*) AS n ORDER BY x, y
MATCH (c:Claim)-[j:JUDGED_AGAINST]->(p:Passage) WITH c, p, j ORDER BY j.contradiction DESC, j.start, p.id WITH c, collect(p)[0] AS worst RETURN count(worst) AS n
MATCH (c:Claim) WHERE c.flagged RETURN c.text AS text, c.p_inconsistent AS p ORDER BY p DESC, text LIMIT 3
MATCH (c:Claim) WHERE c.flagged RETURN toString(round(c.p_inconsistent * 100)) + '%' AS p ORDER BY c.id LIMIT 3
MATCH (s)-[e:RELATES]->(o) WITH e.predicate AS p, sum(CASE WHEN e.flagged THEN 1 ELSE 0 END) AS f, count(*) AS n WHERE n > 20 RETURN p, f, n, round(100.0 * f / n, 1) AS pct ORDER BY pct DESC, p
MATCH (n:Entity) WHERE n.name IS NULL OR n.name = '' RETURN count(n) AS n
CALL db.labels() YIELD label RETURN count(*) > 3 AS l
MATCH (c:Claim{flagged:TRUE}) RETURN COUNT(c) AS n
MATCH (c:`Claim`) WHERE c.`flagged` RETURN count(c) AS `n`;
MATCH (c:Claim) WHERE c.text CONTAINS 'met' AND c.flagged IN [true] RETURN count(c) AS n
MATCH (r:Response) WHERE r.meta_label IS NOT NULL RETURN r.meta_label AS l, count(*) AS n ORDER BY l
MATCH (r:Response {origin:'response'})-[:STATES]->(c) WITH r, avg(c.p_inconsistent) AS mean ORDER BY mean DESC, r.id LIMIT 3 RETURN r.name AS r, round(mean, 3) AS mean
MATCH (e:Entity {named: true}) OPTIONAL MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim) WITH e, count(c) AS n, sum(CASE c.flagged WHEN true THEN 1 ELSE 0 END) AS f RETURN e.name AS e, e.dataset AS d, n, f ORDER BY f DESC, e, d LIMIT 5
MATCH (a:Entity {named: true})-[e:RELATES]-(b:Entity {named: true}) WHERE a.id < b.id RETURN count(DISTINCT [a.id, b.id]) AS n
MATCH (a:Entity)-[e:RELATES]->(b:Entity) WITH a, b, collect(DISTINCT e.predicate) AS ps WHERE size(ps) > 2 RETURN count(*) AS n
MATCH (c:Claim) WHERE c.sentence[0] > 10 RETURN count(*) AS n
MATCH (c:Claim) RETURN size(c.sentence) AS s, count(*) AS n
MATCH (c:Claim) WHERE 'object' IN [x IN ['subject', 'object'] WHERE x = 'object'] RETURN count(*) AS n
MATCH (run:Run)-[j:JUDGED]->(c:Claim) WHERE size(j.unsupported_parts) > 0 RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) WHERE x.label = 'Contradiction' RETURN run.checker AS c, count(*) AS n ORDER BY c
MATCH (run:Run)-[x:PRODUCED]->(r:Response {origin:'response'}) RETURN run.checker AS c, x.label AS l, count(*) AS n ORDER BY c, l
MATCH (c:Claim {flagged: true})-[e:JUDGED_AGAINST]->(p:Passage) WHERE e.run_id = c.run_id AND e.rank = 0 RETURN c.text AS claim, e.text AS evidence ORDER BY claim, evidence LIMIT 5
MATCH (c:Claim) WITH count(c) AS total MATCH (c:Claim {flagged: true}) WITH total, count(c) AS flagged RETURN toFloat(flagged) / total AS share
MATCH (r:Response)-[:STATES]->(c:Claim) WHERE c.flagged WITH r, c ORDER BY c.id RETURN r.name AS r, collect(c.text)[0..2] AS texts ORDER BY r LIMIT 5
MATCH (s)-[e:RELATES]->(o) WHERE s.name STARTS WITH 'Ada' MATCH (r:Response {id: e.response_id}) WHERE r.model = 'model-1' OR r.model = 'model-2' RETURN r.model AS m, count(*) AS n ORDER BY m
MATCH (r:Response {id: 'none, of: them'}) RETURN count(r) AS n
MATCH ()-[e:RELATES {flagged: true}]->() MATCH (r:Response {id: e['response_id']}) RETURN count(r) AS n
MATCH ()-[e:RELATES {flagged: true}]->() MATCH (r:Response {id: coalesce(e.response_id, 'none, at all'), origin: 'response'}) RETURN count(r) AS n
MATCH ()-[e:RELATES {flagged: true}]->() WITH e AS f MATCH (r:Response {id: f.response_id}) RETURN count(r) AS n
MATCH (c:Claim {flagged: true}) MATCH ()-[e:RELATES {claim_id: toString(c.id)}]->() RETURN count(e) AS n
MATCH ()-[e:RELATES {flagged: true}]->() WITH collect(e) AS es UNWIND es AS x MATCH (r:Response {id: x.response_id}) RETURN count(r) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response) WHERE (r)-[:STATES]->(:Claim {id: e.claim_id})-[:OBJECT]->(o) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response) WHERE EXISTS { (r)-[:STATES]->(:Claim {id: e.claim_id})-[:OBJECT]->(o) } RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response) WHERE EXISTS { MATCH (r)-[:STATES]->(c:Claim)-[:OBJECT]->(o) WHERE c.id = e.claim_id } RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response) WHERE exists((r)-[:STATES]->(:Claim {id: e.claim_id})-[:OBJECT]->(o)) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN sum(COUNT { (r:Response)-[:STATES]->(:Claim {id: e.claim_id})-[:OBJECT]->(o) }) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN sum(size([(r:Response)-[:STATES]->(:Claim {id: e.claim_id})-[:OBJECT]->(o) | r.id])) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN sum(size([(r:Response)-[:STATES]->(:Claim {id: e.claim_id})-[:OBJECT]->(o) WHERE r.origin = 'response' | r.id])) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN sum(size([(r:Response)-[:STATES]->(c:Claim)-[:OBJECT]->(o) WHERE c.id = e.claim_id | r.id])) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WHERE (s)<-[:SUBJECT]-(:Claim {id: e.claim_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WHERE NOT (s)<-[:SUBJECT]-(:Claim {id: e.claim_id, flagged: false}) RETURN count(*) AS n
MATCH ()-[e:RELATES {response_id: r.id}]->(), (r:Response {name: 'r7'}) RETURN count(*) AS n
MATCH (r:Response {name: 'r7'}), ()-[e:RELATES {response_id: r.id}]->() RETURN count(*) AS n
MATCH (s)-[e:RELATES {claim_id: c.id}]->(o)<-[:OBJECT]-(c:Claim) RETURN count(*) AS n
MATCH (c:Claim {id: $claim}), (d:Claim {id: c.id}) RETURN count(*) AS n
MATCH (d:Claim {id: c.id}), (c:Claim {id: $claim}) RETURN count(*) AS n
MATCH (d:Claim {label: c.label})<-[:STATES]-(r:Response)-[:STATES]->(c:Claim {flagged: true}) RETURN count(*) AS n
MATCH (s)-[`my e`:RELATES {flagged: true}]->(o) MATCH (r:Response {id: `my e`.response_id}) RETURN count(*) AS n
MATCH (s)-[é:RELATES {flagged: true}]->(o) MATCH (r:Response {id: é.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {id: {a: e.response_id}.a}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (a)-[fs:RELATES*1..2 {response_id: e.response_id}]->(b) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (a)-[:RELATES*1..2 {response_id: e.response_id}]->(b) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (`r x`:Response {id: e.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {id: e.response_id}) WHERE r.name STARTS  WITH 'r2' RETURN count(*) AS n
MATCH p = (s)-[e:RELATES {flagged: true}]->(o) UNWIND relationships(p) AS f MATCH (r:Response {id: f.response_id}) RETURN count(*) AS n
MATCH p = (s)-[:RELATES {flagged: true}]->(o) WITH relationships(p)[0] AS f MATCH (r:Response {id: f.response_id}) RETURN count(*) AS n
MATCH p = (s)-[:RELATES {flagged: true}]->(o) MATCH (r:Response {id: relationships(p)[0].response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH {id: e.response_id} AS m MATCH (r:Response {id: m.id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH properties(e) AS m MATCH (r:Response {id: m.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH collect(e)[0] AS m MATCH (r:Response {id: m.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {id: properties(e).response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH e AS f WHERE f.flagged MATCH (r:Response)-[:STATES]->(c:Claim {id: f.claim_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH e AS f WHERE (:Response {id: f.response_id})-[:STATES]->(:Claim {id: f.claim_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) CALL (e) { WITH e AS f MATCH (r:Response {id: f.response_id}) RETURN r.name AS name } RETURN count(name) AS n
MATCH (c:Claim {flagged: true}) WHERE EXISTS { ()-[:RELATES {claim_id: c.id}]->() } RETURN count(*) AS n
MATCH (c:Claim {flagged: true}) WHERE ()-[:RELATES {claim_id: c.id}]->() RETURN count(*) AS n
MATCH (c:Claim {flagged: true}) WHERE (:Response {name: 'r7'})-[:STATES]->(c) RETURN count(*) AS n
MATCH (c:Claim {flagged: true}) RETURN sum(size([()-[f:RELATES {claim_id: c.id}]->() | f])) AS n
MATCH p = ()-[e:RELATES {flagged: true}]->() MATCH q = (r:Response {id: e.response_id})-[:STATES]->(c:Claim {id: e.claim_id}) RETURN count(*) AS n, sum(length(q)) AS l
MATCH (r:Response) WHERE (r)-[:STATES]->(:Claim {flagged: true})-[:SUBJECT]->(:Entity {named: true}) RETURN count(*) AS n
MATCH (r:Response) RETURN exists((r)-[:STATES]->(:Claim {flagged: true})) AS x, count(*) AS n
MATCH (r:Response) WITH r WHERE any(x IN [1] WHERE (r)-[:STATES]->(:Claim {flagged: true})) RETURN count(*) AS n
MATCH (o:Entity) WHERE EXISTS { ()-[e:RELATES {claim_id: c.id}]->(o)<-[:OBJECT]-(c:Claim) } RETURN count(*) AS n
MATCH (o:Entity) RETURN sum(COUNT { ()-[e:RELATES {claim_id: c.id}]->(o)<-[:OBJECT]-(c:Claim) }) AS n
MATCH (o:Entity) RETURN sum(size([()-[e:RELATES {claim_id: c.id}]->(o)<-[:OBJECT]-(c:Claim) | e])) AS n
MATCH (o:Entity) RETURN sum(COUNT { MATCH ()-[e:RELATES {claim_id: c.id}]->(o)<-[:OBJECT]-(c:Claim) }) AS n
MATCH (o:Entity) RETURN sum(COUNT { (d:Claim {label: c.label})-[:OBJECT]->(o)<-[:OBJECT]-(c:Claim) }) AS n
MATCH (o:Entity) RETURN sum(COUNT { (o)<-[:OBJECT]-(c:Claim)<-[:STATES]-(r:Response)-[:STATES]->(d:Claim {label: c.label}) }) AS n
MATCH (o:Entity)<-[:OBJECT]-(c:Claim)<-[:STATES]-(r:Response)-[:STATES]->(d:Claim {label: c.label}) RETURN count(*) AS n
MATCH (a)-[e:RELATES]->(b)-[f:RELATES {predicate: e.predicate}]->(c) RETURN count(*) AS n
MATCH (b)-[f:RELATES {predicate: e.predicate}]->(c), (a)-[e:RELATES]->(b) RETURN count(*) AS n
MATCH (o:Entity) RETURN sum(COUNT { (a)-[e:RELATES]->(o)-[f:RELATES {predicate: e.predicate}]->(c) }) AS n
MATCH (o:Entity) RETURN sum(size([(a)-[e:RELATES]->(o)-[f:RELATES {predicate: e.predicate}]->(c) | f])) AS n
MATCH (o:Entity) WHERE EXISTS { (a)-[e:RELATES]->(o)-[f:RELATES {predicate: e.predicate}]->(c) } RETURN count(*) AS n
MATCH (o:Entity) WHERE COUNT { (a)-[e:RELATES]->(o)<-[:OBJECT]-(c:Claim {id: e.claim_id}) } > 2 RETURN count(*) AS n
MATCH (n:Entity WHERE n.named)-[e:RELATES {flagged: true} WHERE e.kind = 'triplet']->(o) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response WHERE r.id = e.response_id) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r WHERE r.id = e.response_id)-[:STATES]->(c WHERE c.id = e.claim_id) RETURN count(*) AS n
MATCH (a)-[e:RELATES WHERE e.claim_id = c.id]->(b)<-[:OBJECT]-(c:Claim) RETURN count(*) AS n
MATCH (a)-[f:RELATES WHERE f.predicate = e.predicate]->(b)-[e:RELATES]->(c) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH e, e.response_id + '' AS id MATCH (r:Response {id: id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {name: 'r' + '7', id: e.response_id}) RETURN count(*) AS n
MATCH (s)-[e]->(o) WHERE type(e) = 'RELATES' AND e.flagged MATCH (r:Response {id: e.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]-(o) MATCH (r:Response {id: e.response_id}) RETURN count(*) AS n
MATCH (s)<-[e:RELATES {flagged: true}]-(o) OPTIONAL MATCH (r:Response {id: e.response_id})-[:HAS_CONTEXT]->(p) RETURN count(*) AS n, count(p) AS m
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (:Response {id: e.response_id})-[:STATES]->(c:Claim {id: e.claim_id}) RETURN count(c) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) MATCH (c:Claim {id: x.claims[0]}) RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response)-[:STATES]->(c:Claim {id: x.claims[0]}) RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) UNWIND x.claims AS id MATCH (c:Claim {id: id}) RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED {label: 'Neutral'}]->(r:Response) WHERE EXISTS { (c:Claim {id: x.claims[0]}) } RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {id: CASE WHEN e.flagged THEN e.response_id ELSE 'x' END}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {id: [e.response_id][0]}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {id: startNode(e).id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (x:Entity {id: startNode(e).id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (x:Entity {id: s.id})-[:RELATES {claim_id: e.claim_id}]->(y {id: o.id}) RETURN count(*) AS n
MATCH (s:Entity) MATCH (s)-[:RELATES {flagged: true}]->(o:Entity {dataset: s.dataset}) RETURN count(*) AS n
MATCH (s:Entity)-[:RELATES {flagged: true}]->(o:Entity {dataset: s.dataset}) RETURN count(*) AS n
MATCH (o:Entity {dataset: s.dataset})<-[:RELATES {flagged: true}]-(s:Entity) RETURN count(*) AS n
MATCH p = (r:Response {name: 'r7'})-[:STATES]->(c)-[e:SUBJECT|OBJECT]->(x) MATCH (y {id: endNode(e).id})<-[f]-(c) RETURN type(f) AS t, count(*) AS n
MATCH (r:Response) WHERE NOT exists((r)-[:STATES]->(:Claim {flagged: true})) AND r.origin = 'response' RETURN count(*) AS n
MATCH (s)-[e:RELATES]->(o) WHERE NOT ((s)<-[:SUBJECT]-(:Claim {id: e.claim_id})-[:OBJECT]->(o)) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o), (r:Response) WHERE ((r)-[:STATES]->(:Claim {id: e.claim_id})-[:OBJECT]->(o) AND r.model = 'model-1') OR false RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response) WHERE (o)<-[:OBJECT]-(:Claim {id: e.claim_id})<--(r) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH s, e, o, [(o)<-[:OBJECT]-(c:Claim {id: e.claim_id})<-[:STATES]-(r) | r.name] AS names RETURN sum(size(names)) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) RETURN sum(CASE WHEN EXISTS { (:Response {id: e.response_id, model: 'model-1'})-[:STATES]->(:Claim {id: e.claim_id}) } THEN 1 ELSE 0 END) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) WITH {r: e.response_id} AS m MATCH (r:Response) WHERE (:Response {id: m.r})-[:STATES]->(:Claim)<-[:STATES]-(r) RETURN count(*) AS n
UNWIND ['r7', 'r8'] AS name MATCH (c:Claim) WHERE (:Response {name: name})-[:STATES]->(c) RETURN count(*) AS n
UNWIND ['r7', 'r8'] AS name MATCH (e:Entity) WHERE (:Response {name: name})-[:STATES]->(:Claim)-[:SUBJECT]->(e) RETURN count(*) AS n
MATCH (a:Response), (e:Entity) WHERE (:Response {name: a.name})-[:STATES]->(:Claim)-[:SUBJECT]->(e) RETURN count(*) AS n
MATCH (a:Response {name: 'r7'}), (e:Entity) WHERE (:Response {name: a.name})-[:STATES]->(:Claim {label: 'Neutral'})-[:SUBJECT]->(e) RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) UNWIND x.claims AS id RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) UNWIND x.claims AS id MATCH (c:Claim {id: id}) RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) UNWIND x.claims AS id MATCH (c:Claim) WHERE c.id = id RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) WITH x.claims AS ids UNWIND ids AS id MATCH (c:Claim {id: id}) RETURN count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) UNWIND x.claims AS id WITH id MATCH (c:Claim {id: id}) RETURN count(*) AS n
MATCH (c:Claim {flagged: true}) UNWIND c.sentence AS i RETURN sum(i) AS n
MATCH (c:Claim {flagged: true}) UNWIND [c.id] AS i MATCH (d:Claim {id: i}) RETURN count(*) AS n
MATCH ()-[e:RELATES {flagged: true}]->() UNWIND [e.claim_id] AS i MATCH (d:Claim {id: i}) RETURN count(*) AS n
MATCH ()-[e:RELATES {flagged: true}]->() UNWIND [e.claim_id] AS i RETURN count(i) AS n
MATCH (a:Claim {flagged: true}) UNWIND keys(a) AS k RETURN k, count(*) AS n
MATCH (a:Claim {flagged: true}) UNWIND [a.label] AS k MATCH (n:Claim {label: k}) RETURN k, count(*) AS n
MATCH (a:Claim {flagged: true}) UNWIND [1, 2] AS k MATCH (n:Run) RETURN k, count(*) AS n
MATCH (r:Response {name: 'r7'}) UNWIND [r.name] AS k MATCH (n:Response {name: k}) RETURN k, count(*) AS n
MATCH (run:Run)-[x:PRODUCED]->(r:Response) MATCH (c:Claim) WHERE c.id IN x.claims RETURN count(*) AS n
MATCH (c:Claim {flagged: true}) UNWIND [c.id] AS i WITH * MATCH (d:Claim {id: i}) RETURN count(*) AS n
MATCH (a:Claim {flagged: true}) UNWIND [a.label] AS k WITH * OPTIONAL MATCH (n:Claim {label: k}) RETURN k, count(*) AS n
MATCH (a:Claim {flagged: true}) UNWIND [a.label] AS k OPTIONAL MATCH (n:Claim {label: k}) RETURN k, count(*) AS n
UNWIND ['r7', 'r8'] AS k MATCH (r:Response {name: k}) UNWIND [r.name] AS j MATCH (n:Response {name: j}) RETURN k, count(*) AS n
UNWIND ['r7', 'r8'] AS k UNWIND [k] AS j MATCH (n:Response {name: j}) RETURN k, count(*) AS n
WITH 'r7' AS m UNWIND [m] AS j MATCH (n:Response {name: j}) RETURN m, count(*) AS n
MATCH (r:Response {name: 'r7'}) WITH r UNWIND [r.name] AS j MATCH (n:Response {name: j}) RETURN j, count(*) AS n
MATCH (r:Response {name: 'r7'}) WITH r MATCH (c:Claim)<-[:STATES]-(r) UNWIND [c.label] AS j MATCH (n:Claim {label: j}) RETURN j, count(*) AS n
MATCH (r:Response {name: 'r7'}) CALL (r) { UNWIND [r.name] AS j MATCH (n:Response {name: j}) RETURN n } RETURN count(*) AS n
MATCH (r:Response {name: 'r7'}) CALL (r) { MATCH (r)-[:STATES]->(c) UNWIND [c.label] AS j MATCH (n:Claim {label: j}) RETURN n } RETURN count(*) AS n
MATCH (r:Response {name: 'r7'}) MATCH (r)-[:STATES]->(c) CALL (c) { RETURN c.label AS l } MATCH (n:Claim {label: l}) RETURN count(*) AS n
MATCH (r:Response {name: 'r7'})-[:STATES]->(c) WITH r, collect(c.id) AS ids UNWIND ids AS i MATCH (c:Claim {id: i})-[:SUBJECT]->(e) RETURN count(*) AS n
MATCH (r:Response {name: 'r7'}) MATCH (r)-[:STATES]->(c) UNWIND [c.id] AS i UNWIND [i] AS j MATCH (c:Claim {id: j})-[:SUBJECT]->(e) RETURN count(*) AS n
MATCH (r:Response {name: 'r7'}) MATCH (r)-[:STATES]->(c) UNWIND [c.id] AS i MATCH (c) WHERE c.id = i MATCH (c)-[:SUBJECT]->(e) RETURN count(*) AS n
MATCH (c:Claim {flagged: true}) LIMIT 3 UNWIND [c.label] AS j MATCH (n:Claim {label: j}) RETURN j, count(*) AS n
MATCH (c:Claim {flagged: true}) UNWIND [c.label] AS j WITH c, j MATCH (n:Claim {label: j}) RETURN j, count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {id: e.response_id}) WHERE r.name STARTS  WITH 'r2' OR r.name ENDS /* of */ WITH '1' RETURN count(*) AS n // WHERE
MATCH (s)-[`e (1`:RELATES {flagged: true}]->(o) MATCH (`r {x`:Response {`id`: `e (1`.`response_id`}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (:(Response|Claim) {id: e.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r:Response {name: "it's (not", id: e.response_id}) RETURN count(*) AS n
MATCH (s)-[e:RELATES {flagged: true}]->(o) MATCH (r {id: e.response_id, origin: CASE WHEN EXISTS { (:Claim {id: e.claim_id}) } THEN 'response' ELSE e.origin END}) RETURN count(*) AS n
MATCH (order:Response {name: 'r7'})-[:STATES]->(set) RETURN order.name AS limit, count(set) AS skip
MATCH (s)-[e:RELATES {flagged: true}]->(o) WHERE exists((:Response {id: e.response_id})-[:STATES]->(:Claim {id: e.claim_id})) AND NOT (o)<-[:OBJECT]-(:Claim {id: e.response_id}) RETURN count(*) AS n
MATCH (r:Response)-[:STATES]->(c:Claim) OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 9}]->(p:Passage) OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(p) RETURN count(*) AS n, count(h) AS m, count(p) AS k
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) OPTIONAL MATCH (d)<-[:STATES]-(p:Passage) RETURN count(*) AS n, count(d) AS d, count(p) AS p
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) MATCH (d)<-[:STATES]-(p:Passage) RETURN count(*) AS n, count(d) AS d, count(p) AS p
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) WITH c, d OPTIONAL MATCH (d)<-[:STATES]-(p:Passage) RETURN count(*) AS n, count(d) AS d, count(p) AS p
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) OPTIONAL MATCH (c)<-[:STATES]-(p)-[:STATES]->(d) RETURN count(*) AS n, count(d) AS d, count(p) AS p
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) WITH c, d OPTIONAL MATCH (c)<-[:STATES]-(p)-[:STATES]->(d) RETURN count(*) AS n, count(d) AS d, count(p) AS p
MATCH (r:Response)-[:STATES]->(c:Claim) OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 9}]->(p:Passage) WITH r, c, p OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(p) RETURN count(*) AS n, count(h) AS m, count(p) AS k
MATCH (r:Response)-[:STATES]->(c:Claim) OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 9}]->(p:Passage) MATCH (r)-[h:HAS_CONTEXT]->(p) RETURN count(*) AS n, count(h) AS m, count(p) AS k
MATCH (r:Response)-[:STATES]->(c:Claim) OPTIONAL MATCH (c)-[e:JUDGED_AGAINST {rank: 9}]->(p:Passage) OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(q) WHERE q = p RETURN count(*) AS n, count(h) AS m, count(p) AS k
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) RETURN sum(COUNT { (d)<-[:STATES]-(:Passage) }) AS n
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) WITH d WHERE (d)<-[:STATES]-(:Passage) RETURN count(*) AS n
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) WITH c, d WHERE NOT (c)-[:REFUTED_BY]->(d) RETURN count(*) AS n, count(d) AS d
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) RETURN sum(COUNT { (:Passage)-[:STATES]->(d) }) AS n
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) WITH d WHERE EXISTS { (:Passage)-[:STATES]->(d) } RETURN count(*) AS n
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim)<-[:STATES]-(p) OPTIONAL MATCH (r:Response)-[:STATES]->(c) OPTIONAL MATCH (r)-[h:HAS_CONTEXT]->(p {id: p.id}) WHERE h.position = 0 RETURN count(*) AS n, count(d) AS d, count(h) AS h
MATCH (c:Claim) OPTIONAL MATCH (c)-[:REFUTED_BY]->(d:Claim) OPTIONAL MATCH (x:Passage)-[:STATES]->(d)-[:SUBJECT]->(e:Entity) RETURN count(*) AS n, count(x) AS x, count(e) AS e
