// Ids are unique; the rest is what reads start from. Every statement can be run again.
CREATE CONSTRAINT run_id IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT response_id IF NOT EXISTS FOR (n:Response) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT passage_id IF NOT EXISTS FOR (n:Passage) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT claim_id IF NOT EXISTS FOR (n:Claim) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT search_id IF NOT EXISTS FOR (n:Search) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
CREATE INDEX claim_flagged IF NOT EXISTS FOR (n:Claim) ON (n.flagged);
CREATE INDEX response_name IF NOT EXISTS FOR (n:Response) ON (n.name);
CREATE INDEX response_question IF NOT EXISTS FOR (n:Response) ON (n.question);
CREATE INDEX response_model IF NOT EXISTS FOR (n:Response) ON (n.dataset, n.model);
CREATE INDEX entity_key IF NOT EXISTS FOR (n:Entity) ON (n.key);
CREATE INDEX relates_claim IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.claim_id);
CREATE INDEX relates_flagged IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.flagged);
