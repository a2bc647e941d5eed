// The drawing of the claim graph: one response or all of them, drawn by vis.js.

const MAX_SIMULATED = 400; // nodes; a larger view keeps the layout that the page contains
const MAX_LISTED = 300; // claims in the list beside the drawing

const nodes = JSON.parse(byId("nodes").textContent);
const edges = JSON.parse(byId("edges").textContent).map((edge, place) => ({ ...edge, id: `e${place}` }));
const nodeOf = new Map(nodes.map((node) => [node.id, node]));
const claims = [...edges.filter((edge) => edge.kind === "claim"), ...nodes.filter((node) => node.kind === "sentence")];
const claimOf = new Map(claims.map((claim) => [claim.id, claim]));

/** Responses in order of the input, with their claims and edges. */
const responses = new Map();
for (const claim of claims) {
  if (!responses.has(claim.response)) {
    responses.set(claim.response, { key: claim.response, id: claim.response_id, model: claim.model || "", n: claim.n, claims: [], edges: [], flagged: 0 });
  }
  const response = responses.get(claim.response);
  response.claims.push(claim);
  response.flagged += claim.flagged === true;
}
for (const edge of edges) responses.get(edge.response).edges.push(edge);
const ordered = [...responses.values()].sort((a, b) => a.n - b.n);

/** Views of several responses: the claims of one entity, and responses that named entities connect. */
const groups = new Map();
{
  const { hubs, parts } = JSON.parse(byId("groups").textContent);
  for (const { node, flagged, claims: all } of hubs) {
    groups.set(`hub-${node}`, { list: "hubs", title: `${nodeOf.get(node).name} (${flagged}/${all})`, holds: (claim) => claim.from === node || claim.to === node });
  }
  parts.forEach((part, place) => {
    const inside = new Set(part.nodes);
    const holds = (claim) => inside.has(claim.kind === "sentence" ? claim.id : claim.from);
    const members = claims.filter(holds);
    const title = `${count(part.responses, "response")} (${members.filter((claim) => claim.flagged).length}/${members.length})`;
    groups.set(`part-${place}`, { list: "parts", title, holds });
  });
}

const state = { response: null, group: "", claim: null, shown: [] };
const label = (claim) => claim.error ? "error" : claim.verdict || "open";
const byWeight = (a, b) => WORST.indexOf(label(a)) - WORST.indexOf(label(b)) || (b.p_inconsistent || 0) - (a.p_inconsistent || 0);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// ---- looks ----

let looks = {};

function readLooks() {
  for (const name of ["ink", "soft", "line", "panel", "faint", "accent", "accent-soft", "entailment", "contradiction", "contradiction-soft", "entailment-soft"]) looks[name] = colour(name);
}

function drawnEdge(edge) {
  const chosen = state.claim && state.claim.id === edge.id;
  if (edge.kind === "stated") return statedEdge(edge);
  if (edge.kind === "mentions") return { id: edge.id, from: edge.from, to: edge.to, color: looks.line, dashes: [2, 4], width: 1, arrows: "" };
  const judged = edge.verdict !== undefined && edge.verdict !== null;
  const tone = edge.flagged ? looks.contradiction : judged ? looks.entailment : looks.soft;
  return {
    id: edge.id, from: edge.from, to: edge.to, arrows: "to", label: edge.label + (edge.flagged ? ` ${MARKS[label(edge)]}` : ""),
    color: { color: tone, highlight: tone, hover: tone, opacity: edge.flagged || chosen ? 1 : 0.65 },
    dashes: edge.flagged ? [9, 6] : judged ? false : [2, 4], width: chosen ? 4 : edge.flagged ? 2.2 : 1.4,
    font: { color: edge.flagged ? looks.contradiction : looks.soft, background: looks.panel, strokeWidth: 0, size: 13, align: "horizontal" },
  };
}

/** The edge of a statement of the context, beside the claim that it refutes or supports. */
function statedEdge(edge) {
  const chosen = state.claim && edge.refutes.split(" ").includes(state.claim.key);
  return {
    id: edge.id, from: edge.from, to: edge.to, arrows: "to", label: edge.label,
    color: { color: looks.accent, highlight: looks.accent, hover: looks.accent, opacity: chosen ? 1 : 0.75 },
    dashes: [2, 3], width: chosen ? 4 : 1.8,
    font: { color: looks.accent, background: looks.panel, strokeWidth: 0, size: 13, align: "horizontal" },
  };
}

function drawnNode(node, place) {
  const chosen = state.claim && state.claim.id === node.id;
  const base = { id: node.id, label: node.label, ...place, shape: "box", margin: 7, widthConstraint: { maximum: 210 } };
  if (node.kind === "blank") return { ...base, shape: "dot", size: 4, color: looks.soft, label: undefined };
  const paint = (background, border) => ({ background, border, highlight: { background, border }, hover: { background, border } });
  if (node.kind === "sentence") {
    const tone = node.flagged ? looks.contradiction : node.verdict ? looks.entailment : looks.soft;
    const tint = node.flagged ? looks["contradiction-soft"] : node.verdict ? looks["entailment-soft"] : looks.faint;
    return {
      ...base, label: `${MARKS[label(node)]} ${node.label}`, borderWidth: chosen ? 4 : 1.5, color: paint(tint, tone),
      shapeProperties: { borderRadius: 0, borderDashes: node.flagged ? [6, 4] : false }, font: { color: looks.ink, size: 13 },
    };
  }
  return {
    ...base, borderWidth: 1.5, font: { color: looks.ink, size: 15 }, shapeProperties: { borderRadius: 14 },
    color: node.named ? paint(looks["accent-soft"], looks.accent) : paint(looks.faint, looks.line),
  };
}

/** Positions of nodes: responses in rows, each with its own layout. Only visible nodes take space. */
function packed(shown) {
  const homes = new Map();
  for (const node of shown) (homes.get(node.home) || homes.set(node.home, []).get(node.home)).push(node);
  const boxes = [...homes.values()].map((group) => {
    const xs = group.map((node) => node.x), ys = group.map((node) => node.y);
    const left = Math.min(...xs), top = Math.min(...ys);
    return { group, left, top, width: Math.max(...xs) - left + 330, height: Math.max(...ys) - top + 150 };
  });
  const full = 1.6 * Math.sqrt(boxes.reduce((sum, box) => sum + box.width * box.height, 0));
  const places = new Map();
  let x = 0, y = 0, tallest = 0;
  for (const box of boxes) {
    if (x && x + box.width > full) { x = 0; y += tallest; tallest = 0; }
    for (const node of box.group) places.set(node.id, { x: x + node.x - box.left, y: y + node.y - box.top });
    x += box.width;
    tallest = Math.max(tallest, box.height);
  }
  return places;
}

// ---- what is in view ----

const drawnNodes = new vis.DataSet(), drawnEdges = new vis.DataSet();
const network = new vis.Network(byId("drawing"), { nodes: drawnNodes, edges: drawnEdges }, {
  autoResize: true,
  layout: { improvedLayout: false, randomSeed: 1 },
  edges: { smooth: { enabled: true, type: "dynamic" }, arrows: { to: { scaleFactor: 0.7 } }, selfReference: { size: 24 } },
  interaction: { hover: true, tooltipDelay: 1e9, hideEdgesOnDrag: claims.length > 3000, hideEdgesOnZoom: claims.length > 3000, keyboard: false, multiselect: false },
  physics: false,
});

function visible() {
  const only = byId("flagged").getAttribute("aria-pressed") === "true";
  const group = groups.get(state.group);
  const keep = (item) => (!only || item.flagged === true) && (!group || group.holds(item));
  const parts = state.response ? [state.response] : ordered;
  const shownClaims = parts.flatMap((part) => part.claims.filter(keep));
  const kept = new Set(shownClaims.map((claim) => claim.id));
  const keys = new Set(shownClaims.map((claim) => claim.key));
  const shownEdges = parts.flatMap((part) => part.edges.filter((edge) => {
    if (edge.kind === "stated") return edge.refutes.split(" ").some((key) => keys.has(key));
    return kept.has(edge.kind === "claim" ? edge.id : edge.from);
  }));
  const ids = new Set(shownEdges.flatMap((edge) => [edge.from, edge.to]));
  for (const claim of shownClaims) if (claim.kind === "sentence") ids.add(claim.id);
  return { shownClaims, shownEdges, shownNodes: [...ids].map((id) => nodeOf.get(id)) };
}

function draw() {
  const { shownClaims, shownEdges, shownNodes } = visible();
  state.shown = [...shownClaims].sort(byWeight);
  if (state.claim && !shownClaims.includes(state.claim)) state.claim = null;
  const simulated = shownNodes.length <= MAX_SIMULATED;
  network.setOptions({ physics: false, edges: { smooth: simulated ? { enabled: true, type: "dynamic" } : false } });
  drawnEdges.clear();
  drawnNodes.clear();
  const places = packed(shownNodes);
  drawnNodes.add(shownNodes.map((node) => drawnNode(node, places.get(node.id))));
  drawnEdges.add(shownEdges.map(drawnEdge));
  if (simulated && shownNodes.length > 1) settle();
  else network.fit({ animation: false });
  const flagged = shownClaims.filter((claim) => claim.flagged).length;
  byId("count").textContent = `${count(shownClaims.length, "claim")}, ${flagged.toLocaleString("en")} flagged · ${count(shownNodes.length, "node")}`;
  document.body.dataset.drawn = shownNodes.length;
  listClaims();
  showCard();
}

/** Runs the physics simulation until the layout is stable, then switches it off, so that nodes stay in place. */
function settle() {
  byId("busy").hidden = false;
  document.body.dataset.still = "no";
  network.setOptions({
    physics: {
      enabled: true, solver: "forceAtlas2Based",
      forceAtlas2Based: { gravitationalConstant: -150, centralGravity: 0.035, springLength: 190, springConstant: 0.08, avoidOverlap: 0.9, damping: 0.6 },
      stabilization: { enabled: true, iterations: 250, fit: true },
    },
  });
  network.once("stabilizationIterationsDone", still);
  network.stabilize(250);
}

function still() {
  network.setOptions({ physics: false });
  network.fit({ animation: false });
  byId("busy").hidden = true;
  document.body.dataset.still = "yes";
}

/** Draws one response, or the claims of a group. */
function show(response, group = "") {
  state.response = response;
  state.group = group;
  state.claim = null;
  byId("view").value = response ? response.key : group;
  history.replaceState(null, "", response ? `#${response.n}` : `#${group || "all"}`);
  draw();
}

function stepResponse(by) {
  const at = state.response ? ordered.indexOf(state.response) + by : by > 0 ? 0 : ordered.length - 1;
  if (ordered.length) show(ordered[(at + ordered.length) % ordered.length]);
}

// ---- claims ----

function words(claim) {
  if (claim.kind === "sentence") return claim.claim;
  return [nodeOf.get(claim.from).name, claim.predicate, nodeOf.get(claim.to).name].filter(Boolean).join(" → ");
}

function listClaims() {
  const listed = state.shown.slice(0, MAX_LISTED);
  byId("claims").replaceChildren(...listed.map((claim) => {
    const button = el("button", { type: "button", "aria-pressed": String(claim === state.claim), onclick: () => choose(claim === state.claim ? null : claim) },
      el("span", { class: `mark ${label(claim)}` }, el("span", { "aria-hidden": "true" }, MARKS[label(claim)]), el("span", { class: "unseen" }, NAMES[label(claim)] || label(claim))),
      el("span", { class: "words" }, words(claim)),
      el("span", { class: "p number" }, probability(claim.p_inconsistent)));
    claim.button = button;
    return el("li", { class: "claim" }, button);
  }));
  const rest = state.shown.length - listed.length;
  byId("more").hidden = rest <= 0;
  byId("more").textContent = `${count(rest, "more claim")}. Select a response to list its claims.`;
  byId("claims-title").textContent = state.shown.length ? `Claims (${state.shown.length.toLocaleString("en")})` : "No claims";
}

function choose(claim, focus = true) {
  const before = state.claim;
  state.claim = claim;
  for (const changed of [before, claim]) {
    if (!changed) continue;
    for (const edge of edges) if (edge.kind === "stated" && edge.refutes.split(" ").includes(changed.key) && drawnEdges.get(edge.id)) drawnEdges.update(statedEdge(edge));
    if (changed.kind === "sentence") { if (drawnNodes.get(changed.id)) drawnNodes.update(drawnNode(changed)); }
    else if (drawnEdges.get(changed.id)) drawnEdges.update(drawnEdge(changed));
    if (changed.button) changed.button.setAttribute("aria-pressed", String(changed === claim));
  }
  if (claim && focus) intoSight(claim.kind === "sentence" ? [claim.id] : [claim.from, claim.to]);
  showCard();
}

/** Moves the drawing only if one of the nodes is not visible or too small to read. */
function intoSight(ids) {
  const places = Object.values(network.getPositions(ids));
  const { clientWidth: width, clientHeight: height } = byId("drawing");
  const seen = places.every((place) => {
    const { x, y } = network.canvasToDOM(place);
    return x > 40 && y > 30 && x < width - 40 && y < height - 30;
  });
  if (seen && network.getScale() > 0.25) return;
  const middle = (axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
  network.moveTo({ position: { x: middle("x"), y: middle("y") }, scale: Math.max(network.getScale(), 0.6), animation: false });
}

function stepClaim(by) {
  if (!state.shown.length) return;
  const listed = state.shown.slice(0, MAX_LISTED);
  const at = state.claim ? listed.indexOf(state.claim) + by : by > 0 ? 0 : listed.length - 1;
  const next = listed[(at + listed.length) % listed.length];
  choose(next);
  next.button.focus();
}

function card(claim, short) {
  const verdictOf = { label: claim.verdict, error: claim.error };
  const parts = [
    el("p", {}, verdict(verdictOf), claim.p_inconsistent === undefined ? null : el("span", { class: "soft number small" }, ` p(inconsistent) ${probability(claim.p_inconsistent)}`)),
    el("p", { class: "words" }, words(claim)),
  ];
  if (claim.error) parts.push(el("p", {}, claim.error));
  if (claim.reason === "no_passage") parts.push(el("p", { class: "soft" }, "There is no context that could support this claim."));
  if (claim.evidence) {
    const text = short && claim.evidence.length > 260 ? `${claim.evidence.slice(0, 260)}…` : claim.evidence;
    parts.push(el(short ? "p" : "blockquote", { class: "quote" }, text));
    if (claim.evidence_source) parts.push(el("p", { class: "soft small" }, claim.evidence_source));
  }
  if (claim.refuted_by) parts.push(el("p", { class: "stated" }, "The context states: ", claim.refuted_by));
  return parts;
}

function showCard() {
  const claim = state.claim;
  if (!claim) return byId("card").replaceChildren();
  const response = responses.get(claim.response);
  byId("card").replaceChildren(...card(claim, false),
    el("p", { class: "soft small" }, `${response.id}${response.model ? ` · ${response.model}` : ""} `,
      state.response ? null : el("button", { type: "button", onclick: () => { show(response); choose(claim); } }, "Only this response")));
}

// ---- mouse ----

const under = (params) => claimOf.get(params.edges && !params.nodes.length ? params.edges[0] : params.nodes[0]);

network.on("click", (params) => {
  const claim = under(params);
  if (claim) choose(claim, false);
  else if (!params.nodes.length) choose(null);
});
network.on("doubleClick", (params) => {
  const claim = under(params) || claims.find((item) => item.from === params.nodes[0] || item.to === params.nodes[0]);
  if (claim && !state.response) show(responses.get(claim.response));
});
network.on("hoverEdge", ({ edge, event }) => {
  const stated = edges.find((item) => item.id === edge && item.kind === "stated");
  if (stated) tip.show(event, el("p", { class: "words" }, stated.claim), el("p", { class: "soft" }, stated.evidence_source || "the context"));
  else if (claimOf.has(edge)) tip.show(event, ...card(claimOf.get(edge), true));
});
network.on("hoverNode", ({ node, event }) => {
  const entity = nodeOf.get(node);
  if (entity.kind === "sentence") return tip.show(event, ...card(entity, true));
  const connected = claims.filter((claim) => claim.from === node || claim.to === node);
  const flagged = connected.filter((claim) => claim.flagged).length;
  return tip.show(event, el("p", { class: "words" }, entity.name || "no object"), el("p", { class: "soft" }, `${count(connected.length, "claim")}, ${flagged} flagged`));
});
for (const gone of ["blurEdge", "blurNode", "dragStart", "zoom"]) network.on(gone, () => tip.hide());
byId("drawing").addEventListener("mouseleave", () => tip.hide());

// ---- picture ----

/** Saves the visible part of the drawing as a PNG, on the background colour of the page. */
function savePicture() {
  const from = byId("drawing").querySelector("canvas");
  const to = document.createElement("canvas");
  to.width = from.width;
  to.height = from.height;
  const pen = to.getContext("2d");
  pen.fillStyle = looks.panel;
  pen.fillRect(0, 0, to.width, to.height);
  pen.drawImage(from, 0, 0);
  to.toBlob((blob) => {
    const link = el("a", { download: `graph-${state.response ? state.response.n : "all"}.png`, href: URL.createObjectURL(blob) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
}

// ---- start ----

for (const response of ordered) {
  const name = `${response.id}${response.model ? ` · ${response.model}` : ""} (${response.flagged}/${response.claims.length})`;
  byId("responses").append(el("option", { value: response.key }, name));
}
for (const [value, { list, title }] of groups) {
  byId(list).append(el("option", { value }, title));
  byId(list).hidden = false;
}
byId("view").options[0].textContent = ordered.length === 1 ? "all (1 response)" : `all ${count(ordered.length, "response")}`;
byId("view").addEventListener("change", () => {
  const chosen = byId("view").value;
  show(responses.get(chosen) || null, groups.has(chosen) ? chosen : "");
});
byId("previous").addEventListener("click", () => stepResponse(-1));
byId("next").addEventListener("click", () => stepResponse(1));
byId("fit").addEventListener("click", () => network.fit({ animation: false }));
byId("png").addEventListener("click", savePicture);
byId("flagged").addEventListener("click", () => {
  const button = byId("flagged");
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  draw();
});
startHelp();
startKeys({
  j: () => stepResponse(1), k: () => stepResponse(-1), n: () => stepClaim(1), p: () => stepClaim(-1),
  f: () => byId("flagged").click(), a: () => show(null), 0: () => byId("fit").click(), "?": () => byId("help").click(),
  Escape: () => choose(null),
});
const linked = ordered.find((response) => `#${response.n}` === location.hash);
const mostFlagged = ordered.reduce((best, response) => !best || response.flagged > best.flagged ? response : best, null);
let started = false;
startTheme(() => {
  readLooks();
  if (!started) return;
  drawnNodes.update(drawnNodes.getIds().map((id) => drawnNode(nodeOf.get(id))));
  drawnEdges.update(drawnEdges.getIds().map((id) => drawnEdge(edges[Number(id.slice(1))])));
});
started = true;
const group = location.hash.slice(1);
if (groups.has(group)) show(null, group);
else show(location.hash === "#all" ? null : linked || mostFlagged);
