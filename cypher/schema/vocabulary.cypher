// One of everything, made and removed: a server then knows every name that a query may use, and warns of typing
// errors only.
//
// What each name means, in a line of its own: a model that writes Cypher gets these lines (graph_eval.graph.schema).
//
// Run: one check of a set of responses by one checker, or the labels of one person
// Run.id: hash of input and settings
// Run.loaded: order of loading; the current run, whose verdicts claims show, has the largest; 0 for a person
// Run.loaded_at: time in UTC, 2026-01-31T12:00:00+00:00
// Run.created_at: time in UTC, as loaded_at
// Run.manifest: the file run.json, as JSON
// Run.human: whether it holds the labels of a person
// Run.stage: its last stage: extract, check, correct or selfcheck; label for a person
// Run.checker: the name of what judged: builtin, llm:MODEL, human:NAME, ...
// Run.extractor: the name of what extracted the claims
// Run.threshold: a claim with a larger p_inconsistent is flagged
// Run.aggregate: how verdicts on claims make the verdict on a response
// Run.input: hash of the input
// Run.settings: JSON
// Run.fingerprints: JSON
// Run.versions: JSON
// Response: a text of a language model that was checked, or a corrected version or a sample of one
// Response.id: hash
// Response.name: the id of the record, as its user wrote it
// Response.dataset: the dataset or file that the record is from
// Response.model: the language model that wrote it; may be missing
// Response.question: what it answers; may be missing
// Response.text: the whole text
// Response.origin: response (as it was given), revision (corrected), sample (a further answer) or unread (an invalid record)
// Response.meta_NAME: the record's other field NAME, if it has one
// Passage: a piece of the context against which claims are judged
// Passage.id: hash of the text
// Passage.text: the whole text
// Claim: one statement of a text; label, p_inconsistent, flagged and run_id are the current verdict, missing if not judged
// Claim.id: hash
// Claim.kind: triplet (subject, predicate, object) or sentence (a whole sentence, without these)
// Claim.origin: where it was stated: response, revision, sample or passage
// Claim.text: the claim as a sentence
// Claim.place: order in the response, from 0
// Claim.sentence: start and end of its sentence in the text
// Claim.confidence: of the extraction, 0 to 1
// Claim.subject: words of the subject
// Claim.predicate: words of the relation
// Claim.object: words of the object
// Claim.predicate_key: stems of the predicate; equal for spellings of one relation
// Claim.slots: JSON, places of the words
// Claim.run_id: id of the run whose verdict it shows
// Claim.label: Entailment (the context supports it), Neutral (the context does not mention it) or Contradiction
// Claim.p_inconsistent: probability that the context does not support it, 0 to 1
// Claim.flagged: whether it is judged wrong: not supported by the context
// Claim.fresh: only while it is being written
// Search: one search for passages where no context was given; label is the verdict after it, which decides on another hop
// Search.id: hash
// Search.run_id: the run that searched
// Search.hop: 1 for the first search; a further one asks in other words because the claim was still Neutral
// Search.queries: what was asked
// Search.found: number of passages
// Search.label: Entailment, Neutral or Contradiction after this search; missing after the last hop
// Search.error: why it failed; missing otherwise
// Entity: a person, place, thing or phrase that claims are about
// Entity.id: hash
// Entity.name: the phrase, cut short
// Entity.text: the whole phrase
// Entity.key: normalised for comparison: lower case, without article and title; empty if it names nothing
// Entity.named: whether it is a proper name
// Entity.dataset: the dataset of its claims
// PRODUCED: the run has this response, with its verdict on the whole of it
// PRODUCED.n: number of the record in the input, from 0
// PRODUCED.label: the response is consistent if Entailment, inconsistent if Neutral or Contradiction; Abstain if it has no claims
// PRODUCED.p_inconsistent: probability that the response is inconsistent, 0 to 1
// PRODUCED.flagged_rate: share of its claims that are flagged
// PRODUCED.error: JSON, why it could not be judged; missing otherwise
// PRODUCED.fields: JSON
// PRODUCED.meta: JSON, the other fields of the record
// PRODUCED.sources: JSON, sources of its passages
// PRODUCED.claims: ids of its claims in order
// PRODUCED.confidences: of these claims
// PRODUCED.stated: ids of claims of its passages
// PRODUCED.stated_confidences: of those claims
// PRODUCED.samples: ids of its samples
// PRODUCED.revision: id of its corrected version
// STATES: the text states the claim
// HAS_CONTEXT: the response was checked against this passage
// HAS_CONTEXT.position: order of the passage, from 0
// HAS_CONTEXT.source: where the passage is from, as the record says; may be missing
// JUDGED: the verdict of this run, also of earlier runs and persons; compare two runs by it
// JUDGED.label: Entailment, Neutral or Contradiction; missing if it could not be judged
// JUDGED.p_inconsistent: probability that the context does not support the claim, 0 to 1
// JUDGED.flagged: whether it is judged wrong
// JUDGED.reason: why, or a person's note; may be missing
// JUDGED.error: JSON, why it could not be judged; missing otherwise
// JUDGED.unsupported: JSON, places of the wrong words
// JUDGED.unsupported_parts: subject, predicate or object that holds wrong words
// JUDGED.decided_by: which of several checkers decided
// JUDGED_AGAINST: the passage is evidence of a verdict on the claim; for the current one run_id is that of the claim
// JUDGED_AGAINST.run_id: the run of the verdict
// JUDGED_AGAINST.rank: 0 is the deciding evidence
// JUDGED_AGAINST.entailment: probability that the evidence supports the claim
// JUDGED_AGAINST.neutral: probability that it does neither
// JUDGED_AGAINST.contradiction: probability that it contradicts the claim
// JUDGED_AGAINST.text: the words of the passage that count
// JUDGED_AGAINST.start: their place in the passage
// JUDGED_AGAINST.end: their place in the passage
// JUDGED_AGAINST.locations: JSON
// SEARCHED: the search was made for this response, which had no context
// ASKED: the search was made for this claim; a search for the whole response has none
// FOUND: the search found the passage
// FOUND.rank: order of the passage, from 0
// SUBJECT: the claim's subject
// OBJECT: the claim's object
// MENTIONS: the claim names the entity inside a phrase
// RELATES: the claim as an edge from its subject to its object; has the current verdict only if origin is response
// RELATES.claim_id: id of the claim
// RELATES.response_id: id of the response that states it
// RELATES.origin: as that of the claim
// RELATES.kind: triplet or sentence
// RELATES.predicate: words of the relation
// RELATES.run_id: as that of the claim
// RELATES.label: as that of the claim
// RELATES.p_inconsistent: as that of the claim
// RELATES.flagged: as that of the claim
// REFUTED_BY: a claim of the context, or of a sample, that contradicts the claim; its origin tells which
// REFUTED_BY.run_id: the run that found it
// REFUTED_BY.position: order
// REFUTED_BY.sample: number of the sample, from 0
// REFUTED_BY.count: number of samples that contradict the claim
// REFUTED_BY.samples: number of samples
// SUPPORTED_BY: a claim of the context, or of a sample, that supports the claim; its origin tells which
// SUPPORTED_BY.run_id: the run that found it
// SUPPORTED_BY.position: order
// SUPPORTED_BY.sample: number of the sample, from 0
// SUPPORTED_BY.count: number of samples that support the claim
// SUPPORTED_BY.samples: number of samples
// COMPARED: the run compared the claim with samples of the same model
// COMPARED.score: 0 to 1, higher if samples do not support it
// COMPARED.flagged: whether the score is too high
// COMPARED.supported: number of samples that support the claim
// COMPARED.contradicted: number of samples that contradict it
// COMPARED.samples: number of samples
// COMPARED.error: why it could not be compared; missing otherwise
// CORRECTED_TO: an attempt to correct the claim; without an applied one it leads to the claim itself
// CORRECTED_TO.run_id: the run that corrected
// CORRECTED_TO.position: order
// CORRECTED_TO.status: applied, suggested, rejected, unsupported or failed
// CORRECTED_TO.reason: why it was not applied; may be missing
// CORRECTED_TO.p_before: p_inconsistent of the claim
// CORRECTED_TO.p_after: p_inconsistent of the corrected claim
// CORRECTED_TO.probability: that the correction is right
// CORRECTED_TO.edits: JSON, the replaced words
// REVISED_AS: the corrected version of a response
// REVISED_AS.run_id: the run that corrected
// SAMPLED_AS: a further answer of the model to the same question
// SAMPLED_AS.position: order, from 0
CREATE (run:Run {id: '', loaded: 0, loaded_at: '', created_at: '', manifest: '', human: false, stage: '', checker: '', extractor: '', threshold: 0.5, aggregate: '', input: '', settings: '', fingerprints: '', versions: ''})
CREATE (r:Response {id: '', name: '', dataset: '', model: '', question: '', text: '', origin: ''})
CREATE (p:Passage {id: '', text: ''})
CREATE (c:Claim {id: '', kind: '', origin: '', text: '', place: 0, sentence: [0, 0], confidence: 1.0, subject: '', predicate: '', object: '', predicate_key: '', slots: '', run_id: '', label: '', p_inconsistent: 0.5, flagged: false, fresh: true})
CREATE (e:Entity {id: '', name: '', text: '', key: '', named: false, dataset: ''})
CREATE (r)<-[:PRODUCED {n: 0, label: '', p_inconsistent: 0.5, flagged_rate: 0.5, error: '', fields: '', meta: '', sources: '', claims: [''], confidences: [1.0], stated: [''], stated_confidences: [1.0], samples: [''], revision: ''}]-(run)
CREATE (r)-[:STATES]->(c)
CREATE (p)-[:STATES]->(c)
CREATE (r)-[:HAS_CONTEXT {position: 0, source: ''}]->(p)
CREATE (c)<-[:JUDGED {label: '', p_inconsistent: 0.5, flagged: false, reason: '', error: '', unsupported: '', unsupported_parts: [''], decided_by: ''}]-(run)
CREATE (c)-[:JUDGED_AGAINST {run_id: '', rank: 0, entailment: 0.5, neutral: 0.5, contradiction: 0.5, text: '', start: 0, end: 0, locations: ''}]->(p)
CREATE (s:Search {id: '', run_id: '', hop: 1, queries: [''], found: 0, label: '', error: ''})
CREATE (r)-[:SEARCHED]->(s)
CREATE (c)-[:ASKED]->(s)
CREATE (s)-[:FOUND {rank: 0}]->(p)
CREATE (c)-[:SUBJECT]->(e)
CREATE (c)-[:OBJECT]->(e)
CREATE (c)-[:MENTIONS]->(e)
CREATE (e)-[:RELATES {claim_id: '', response_id: '', origin: '', kind: '', predicate: '', run_id: '', label: '', p_inconsistent: 0.5, flagged: false}]->(e)
CREATE (c)-[:REFUTED_BY {run_id: '', position: 0, sample: 0, count: 0, samples: 0}]->(c)
CREATE (c)-[:SUPPORTED_BY {run_id: '', position: 0, sample: 0, count: 0, samples: 0}]->(c)
CREATE (c)<-[:COMPARED {score: 0.5, flagged: false, supported: 0, contradicted: 0, samples: 0, error: ''}]-(run)
CREATE (c)-[:CORRECTED_TO {run_id: '', position: 0, status: '', reason: '', p_before: 0.5, p_after: 0.5, probability: 0.5, edits: ''}]->(c)
CREATE (r)-[:REVISED_AS {run_id: ''}]->(r)
CREATE (r)-[:SAMPLED_AS {position: 0}]->(r)
DETACH DELETE run, r, p, c, e, s;
