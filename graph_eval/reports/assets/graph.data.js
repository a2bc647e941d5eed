// The drawing's data: responses, entities, claims, and the filter that decides which of them are in view.

const nodes = JSON.parse(byId("nodes").textContent);
const edges = JSON.parse(byId("edges").textContent);
const { responses, windows, runs } = JSON.parse(byId("others").textContent);
const TOPICS = ["dates", "numbers", "names", "other"];

/** Claims are edges, or nodes of whole sentences. `ends`: the entities that a claim names. */
const claims = [];
responses.forEach((response, at) => Object.assign(response, { at, claims: [], flagged: 0, p: response.p ?? null }));
for (const node of nodes) node.claims = [];
for (const edge of edges) {
  if (edge.kind === "claim") claims.push(Object.assign(edge, { key: `c${claims.length}`, ends: edge.from === edge.to ? [edge.from] : [edge.from, edge.to], stating: [] }));
}
for (const node of nodes) {
  if (node.kind === "sentence") claims.push(Object.assign(node, { key: `c${claims.length}`, ends: [], stating: [] }));
}
for (const edge of edges) if (edge.kind === "mentions") nodes[edge.from].ends.push(edge.to);
for (const claim of claims) {
  claim.rank = WORST.indexOf(labelOf(claim));
  const response = responses[claim.response];
  response.claims.push(claim);
  response.flagged += claim.flagged === true;
  for (const end of claim.ends) nodes[end].claims.push(claim);
}
for (const response of responses) response.claims.sort((a, b) => a.place - b.place);
const claimOf = new Map(claims.map((claim) => [claim.key, claim]));
for (const [at, edge] of edges.entries()) {
  if (edge.kind !== "stated") continue;
  edge.at = at;
  const refuted = responses[edge.response].claims.filter((claim) => edge.refutes.includes(claim.place));
  for (const claim of refuted) claim.stating.push(edge);
}
const entities = nodes.filter((node) => node.kind === "entity" && node.claims.length);

const worst = (labels) => WORST.find((label) => labels.includes(label)) || "open";
const isFlagged = (claim) => claim.flagged === true;
const byWeight = (a, b) => a.rank - b.rank || (b.p ?? -1) - (a.p ?? -1) || a.response - b.response || a.place - b.place;
const responseName = (response) => response.model ? `${shortId(response.id)} · ${response.model}` : shortId(response.id);

/** An id with its end: that is where long ids differ. */
function shortId(id) {
  return id.length > 34 ? `${id.slice(0, 18)}…${id.slice(-13)}` : id;
}

function claimWords(claim) {
  if (claim.kind === "sentence") return claim.text;
  return [nodes[claim.from].name, claim.predicate, nodes[claim.to].name].filter(Boolean).join(" → ");
}

// ---- the filter ----

const filter = { label: "", model: "", dataset: "", run: runs.length > 1 ? "0" : "", topic: "", least: 0 };

const NO_VALUE = "\u0000"; // stands for "no model" and "no dataset" in the filter

const ofResponse = (response) =>
  (!filter.model || (response.model || NO_VALUE) === filter.model)
  && (!filter.dataset || (response.dataset || NO_VALUE) === filter.dataset)
  && (!filter.run || response.run === Number(filter.run));

const ofClaim = (claim) =>
  (!filter.label || (filter.label === "flagged" ? isFlagged(claim) : labelOf(claim) === filter.label))
  && (!filter.topic || claim.topic === filter.topic)
  && (!filter.least || (claim.p ?? 0) >= filter.least);

/** Entities of the same name in responses to one question, or over one context: they are not known to be one. */
function namesakes(node) {
  const subjects = new Set(node.claims.map((claim) => responses[claim.response].subject)), name = node.name.toLowerCase();
  return entities.filter((other) => other.name.toLowerCase() === name && (other === node || other.claims.some((claim) => subjects.has(responses[claim.response].subject))));
}

/** Entities there whose name is a part of this one or contains it: "the falls" beside "Orrin Falls". */
function relatives(node) {
  const subjects = new Set(node.claims.map((claim) => responses[claim.response].subject)), mine = wordsOf(node.name), name = node.name.toLowerCase();
  return shown.entities.filter((other) => {
    if (other.name.toLowerCase() === name || !other.claims.some((claim) => subjects.has(responses[claim.response].subject))) return false;
    const [few, many] = [mine, wordsOf(other.name)].sort((a, b) => a.size - b.size);
    return few.size > 0 && many.size - few.size < 3 && [...few].every((word) => many.has(word));
  });
}

/** The claims that the filter leaves, and for each response and entity how many, and how many flagged. */
const shown = { claims: [], responses: [], entities: [] };

function applyFilter() {
  const every = !filter.label && !filter.topic && !filter.least;
  for (const node of entities) Object.assign(node, { shown: 0, bad: 0, spread: 0, last: -1 });
  for (const claim of claims) claim.on = false;
  shown.claims = [];
  shown.responses = responses.filter(ofResponse);
  for (const response of responses) response.shown = response.bad = 0;
  for (const response of shown.responses) {
    for (const claim of response.claims) {
      if (!every && !ofClaim(claim)) continue;
      claim.on = true;
      shown.claims.push(claim);
      response.shown += 1;
      response.bad += isFlagged(claim);
      for (const end of claim.ends) {
        const node = nodes[end];
        node.shown += 1;
        node.bad += isFlagged(claim);
        if (node.last !== claim.response) { node.spread += 1; node.last = claim.response; }
      }
    }
  }
  for (const response of shown.responses) response.share = response.shown ? response.bad / response.shown : -1;
  if (!every) shown.responses = shown.responses.filter((response) => response.shown);
  shown.responses.sort(worstResponseFirst);
  shown.entities = entities.filter((node) => node.shown).sort((a, b) => b.bad - a.bad || b.shown - a.shown || a.id - b.id);
}

const inView = (claim) => claim.on;

/** By share of flagged claims, then by number of flags, then by p(inconsistent). */
function worstResponseFirst(a, b) {
  return b.share - a.share || b.bad - a.bad || (b.p ?? -1) - (a.p ?? -1) || a.n - b.n;
}

// ---- responses that contradict each other ----

/** Claims of responses to one question (or over one context) with equal subject and predicate and different objects. */
function contradictions() {
  const groups = new Map();
  for (const claim of shown.claims) {
    if (claim.kind === "sentence" || nodes[claim.to].kind === "blank" || nodes[claim.from].kind === "blank") continue;
    const key = `${responses[claim.response].subject}\n${nodes[claim.from].name.toLowerCase()}\n${claim.predicate.toLowerCase()}`;
    (groups.get(key) || groups.set(key, []).get(key)).push(claim);
  }
  const found = [];
  for (const group of groups.values()) {
    if (group.length < 2 || new Set(group.map((claim) => claim.response)).size < 2) continue;
    const objects = new Map();
    for (const claim of group) {
      const name = nodes[claim.to].name.toLowerCase();
      (objects.get(name) || objects.set(name, []).get(name)).push(claim);
    }
    // One response may say several things of a subject. Two responses contradict each other if each says what the other does
    // not, and neither only says less ("38 metres", "38 metres on an islet").
    const sides = [...objects.values()];
    const apart = sides.some((one, place) => sides.slice(place + 1).some((other) => {
      const [few, many] = [one, other].map(([claim]) => wordsOf(nodes[claim.to].name)).sort((a, b) => a.size - b.size);
      if ([...few].every((word) => many.has(word))) return false;
      const mine = new Set(one.map((claim) => claim.response)), theirs = new Set(other.map((claim) => claim.response));
      return [...mine].some((response) => !theirs.has(response)) && [...theirs].some((response) => !mine.has(response));
    }));
    if (!apart) continue;
    const bad = group.filter(isFlagged).length;
    found.push({ claims: group.sort(byWeight), objects: sides, bad, split: bad > 0 && bad < group.length });
  }
  return found.sort((a, b) => b.split - a.split || b.bad - a.bad || b.claims.length - a.claims.length);
}

const wordsOf = (text) => new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean));

// ---- paths ----

/** The claims of a shortest path between two entities, over claims in view. null: there is none. */
function shortestPath(start, end) {
  const reached = new Map([[start, null]]);
  let border = [start];
  while (border.length && !reached.has(end)) {
    const next = [];
    for (const id of border) {
      for (const claim of nodes[id].claims) {
        if (!inView(claim)) continue;
        for (const other of claim.ends) {
          if (!reached.has(other)) { reached.set(other, { from: id, claim }); next.push(other); }
        }
      }
    }
    border = next;
  }
  if (!reached.has(end)) return null;
  const path = [];
  for (let id = end; reached.get(id); id = reached.get(id).from) path.unshift(reached.get(id));
  return path.map((step) => step.claim);
}
