// The drawing's views, its side panel, and its address. A view is an overview of all responses or a scene of claims.

const MOST_LISTED = 200; // rows in the list beside the drawing
const OVERVIEWS = ["graph", "responses", "entities", "matrix", "contradictions"];
const MOST_OPENED = 30; // boxes that the address keeps
const FEW = 60; // responses; more of them open with points instead of the graph

const state = { view: null, claim: null, node: null, response: null, opened: new Set(), extra: new Set(), hidden: new Set(), groupBy: "response", listed: [], pathFrom: null, list: "responses" };
const isScene = (view) => !["responses", "entities", "matrix", "contradictions"].includes(view.kind);

// ---- views ----

function scene() {
  const { view } = state;
  if (view.kind === "graph") return state.groupBy === "response" ? responsesScene(state.opened) : entitiesScene(state.opened);
  if (view.kind === "response") return claimScene(claimsInView(), { hidden: state.hidden });
  const most = Math.max(10, Math.floor(byId("drawing").clientHeight / 48));
  return claimScene(claimsInView(), { hidden: state.hidden, most, same: oneEntity() });
}

/** The entities that the view takes for one: those of its name, or the subjects of claims that contradict each other. */
function oneEntity() {
  const { view } = state, node = view.kind === "entity" ? view.node : commonSubject(view.claims);
  return node ? new Map(namesakes(node).map((other) => [other.id, node.id])) : new Map();
}

/** The subject of claims that all have a subject of one name. undefined: they have not. */
function commonSubject(group = []) {
  const names = new Set(group.map((claim) => claim.kind === "sentence" ? null : nodes[claim.from].name.toLowerCase()));
  return names.size === 1 && !names.has(null) ? nodes[group[0].from] : undefined;
}

function claimsInView() {
  const { view } = state;
  const base = {
    response: () => view.response.claims.filter(inView),
    entity: () => [...new Set(namesakes(view.node).flatMap((node) => node.claims.filter(inView)))],
    path: () => shortestPath(view.start.id, view.end.id) || [],
    claims: () => view.claims.filter(inView),
    graph: () => shown.claims,
  }[view.kind];
  const wanted = base ? base() : shown.claims;
  if (!state.extra.size) return wanted;
  return [...new Set([...wanted, ...[...state.extra].flatMap((node) => node.claims.filter(inView))])];
}

/** Opens a view. `push`: whether the browser's back button returns from it. */
function go(view, push = true) {
  state.view = view;
  Object.assign(state, { claim: null, node: null, response: null, pathFrom: null });
  state.extra.clear();
  state.hidden.clear();
  state.opened = new Set(view.opened || (view.kind === "graph" && shown.claims.length <= 30 ? shown.responses.map((response) => `a${response.at}`) : []));
  if (view.kind === "entity") state.node = view.node;
  state.list = isScene(view) && view.kind !== "graph" ? "claims" : "responses";
  remember(push);
  refresh();
  byId("list").scrollTop = 0;
}

/** Shows the view again: after a filter, a choice of groups, or a change of the window. */
function refresh() {
  const { view } = state;
  tip.hide();
  const focused = document.activeElement;
  for (const button of byId("tabs").children) button.setAttribute("aria-current", view.kind === button.dataset.kind ? "page" : "false");
  byId("crumb").replaceChildren(...crumbs());
  const isDrawing = isScene(view);
  byId("overview").hidden = isDrawing;
  byId("drawing").hidden = byId("key").hidden = !isDrawing;
  byId("group-by").hidden = view.kind !== "graph";
  byId("group-by").value = state.groupBy;
  byId("fit").hidden = !isDrawing;
  byId("close").hidden = !state.opened.size;
  if (isDrawing) {
    const made = scene();
    drawScene(made);
    const left = made.left > 0 ? `${(made.left).toLocaleString("en")} more ${made.noun === "entity" ? "entities" : `${made.noun}s`} are not drawn. ${made.noun === "claim" ? "The list has all of them." : "Filter to see them."}` : "";
    byId("left").textContent = [left, drawn.fits ? "" : "Drag to see the rest."].filter(Boolean).join(" ");
    byId("nothing").hidden = made.items.length > 0;
    byId("png").hidden = made.items.length === 0;
    byId("nothing").textContent = view.kind === "path" ? "No claims in view connect these two entities." : responses.length ? "Nothing matches this filter." : "This run contains no claims.";
  } else {
    byId("left").textContent = "";
    byId("nothing").hidden = byId("png").hidden = true;
    byId("overview").replaceChildren(...overviews[view.kind]());
  }
  const flagged = shown.claims.filter(isFlagged).length;
  byId("count").textContent = `${count(shown.responses.length, "response")}, ${count(shown.claims.length, "claim")}, ${flagged.toLocaleString("en")} flagged`;
  showList();
  showCard();
  if (!focused.isConnected) (byId(focused.id) || byId("list")).focus({ preventScroll: true }); // it was made again
}

function crumbs() {
  const { view } = state;
  const title = {
    response: () => ["Response", responseName(view.response)], entity: () => ["Entity", view.node.name], claims: () => ["Claims", `${commonSubject(view.claims)?.name || ""} (${count(view.claims.length, "claim")})`],
    path: () => ["Path", `${view.start.name} – ${view.end.name}`],
  }[view.kind];
  if (!title) return [];
  const [kind, name] = title();
  const step = (by, text, name) => el("button", { type: "button", "aria-label": name, onclick: () => stepResponse(by) }, text);
  return [
    responses.length > 1 ? el("button", { type: "button", onclick: () => go({ kind: responses.length > FEW ? "responses" : "graph" }) }, "‹ All") : null,
    el("span", { class: "soft small" }, kind), el("b", {}, name),
    ...(view.kind === "response" ? [verdict(view.response)] : []),
    ...(view.kind === "response" && responses.length > 1 ? [step(-1, "↑", "Previous response"), step(1, "↓", "Next response")] : []),
  ].filter(Boolean);
}

function stepResponse(by) {
  const list = shown.responses;
  if (!list.length) return;
  const at = state.view.kind === "response" ? list.indexOf(state.view.response) + by : by > 0 ? 0 : list.length - 1;
  go({ kind: "response", response: list[(at + list.length) % list.length] });
}

// ---- the address ----

function address() {
  const { view } = state, parts = new URLSearchParams();
  if (view.kind === "response") {
    parts.set("response", view.response.n);
    if (namesOf(view.response.n).length > 1) parts.set("at", view.response.at); // several records have this number
  }
  else if (view.kind === "entity") parts.set("entity", view.node.id);
  else if (view.kind === "path") parts.set("path", `${view.start.id}-${view.end.id}`);
  else if (view.kind === "claims") parts.set("claims", view.claims.map((claim) => claim.key.slice(1)).join("-"));
  else parts.set("view", view.kind);
  if (state.claim) parts.set("claim", view.kind === "response" && state.claim.response === view.response.at ? state.claim.place : `${state.claim.response}-${state.claim.place}`);
  for (const name of ["label", "model", "dataset", "topic"]) if (filter[name]) parts.set(name, filter[name]);
  if (filter.least) parts.set("p", filter.least);
  if (state.groupBy !== "response") parts.set("by", state.groupBy);
  if (view.kind === "graph") parts.set("open", [...state.opened].slice(0, MOST_OPENED).join("."));
  if (matrixBy !== "topic") parts.set("columns", matrixBy);
  if (runs.length > 1) parts.set("run", filter.run || "all");
  return `#${parts}`;
}

const namesOf = (n) => responses.filter((response) => String(response.n) === String(n));

function remember(push) {
  const to = address();
  if (to !== location.hash) history[push ? "pushState" : "replaceState"](null, "", to);
}

/** Opens the view that the address names, or the first view of this page. */
function openAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  for (const name of ["label", "model", "dataset", "topic"]) filter[name] = parts.get(name) || "";
  filter.least = Math.min(1, Math.max(0, Number(parts.get("p")) || 0));
  if (runs.length > 1) filter.run = { all: "" }[parts.get("run")] ?? (runs[parts.get("run")] ? parts.get("run") : "0");
  state.groupBy = parts.get("by") === "entity" ? "entity" : "response";
  matrixBy = parts.get("columns") === "dataset" ? "dataset" : "topic";
  showFilter();
  const numbers = (name) => (parts.get(name) || "").split("-").filter((word) => /^\d+$/.test(word)).map(Number);
  const named = parts.has("response") ? namesOf(parts.get("response")) : [];
  const response = named.find((item) => String(item.at) === parts.get("at")) || named.find(ofResponse) || named[0];
  const node = entities.find((item) => item.id === numbers("entity")[0]);
  const [start, end] = numbers("path").map((id) => entities.find((item) => item.id === id));
  const [first, place] = numbers("claim"); // a claim of the response in view, or the response and its claim
  const holder = place === undefined ? response : responses[first];
  const chosen = holder && holder.claims.find((claim) => claim.place === (place ?? first)); // go() makes a new address
  const group = numbers("claims").map((id) => claimOf.get(`c${id}`)).filter(Boolean);
  if (response) reveal(null, response);
  if (response) go({ kind: "response", response }, false);
  else if (node) go({ kind: "entity", node }, false);
  else if (start && end) go({ kind: "path", start, end }, false);
  else if (group.length) go({ kind: "claims", claims: group }, false);
  else if (OVERVIEWS.includes(parts.get("view")) && responses.length > 1) go({ kind: parts.get("view"), opened: parts.has("open") ? parts.get("open").split(".").filter(Boolean) : undefined }, false);
  else if (responses.length === 1) go({ kind: "response", response: responses[0] }, false);
  else go({ kind: responses.length > FEW ? "responses" : "graph" }, false);
  if (chosen && chosen.on) choose({ claim: chosen });
}

/** Widens the filter if it hides this claim, or all claims of this response. */
function reveal(claim, response = responses[claim.response]) {
  if (filter.run && Number(filter.run) !== response.run) filter.run = String(response.run);
  else if (claim ? claim.on : response.shown || !response.claims.length) return;
  if (claim ? !ofClaim(claim) : true) Object.assign(filter, { label: "", topic: "", least: 0 });
  if (!ofResponse(response)) Object.assign(filter, { model: "", dataset: "" });
  showFilter();
}

// ---- choosing ----

/** Selects a claim, an entity or a response in view, or nothing. */
function choose({ claim = null, node = null, response = null }, move = true) {
  if (node && state.pathFrom && state.pathFrom !== node) return go({ kind: "path", start: state.pathFrom, end: node });
  Object.assign(state, { claim, node, response });
  if (isScene(state.view)) {
    if (move) intoView(boxesOf(claim || node || response));
    repaint();
  }
  for (const { item, button } of state.listed) button.setAttribute("aria-pressed", String(item === claim || item === response));
  remember(false);
  showCard();
  if (claim || node || response) openSheet();
}

function boxesOf(item) {
  if (!item) return [];
  return [...drawn.scene.items.filter((box) => box.node === item || box.claim === item || box.response === item).map((box) => box.id),
    ...drawn.scene.links.filter((link) => link.claims && link.claims.includes(item)).map((link) => link.id)];
}

drawn.chosen = (id) => {
  const chosen = state.claim || state.node || state.response;
  return Boolean(chosen) && boxesOf(chosen).includes(id);
};

function stepClaim(by) {
  const listed = state.listed.filter(({ item }) => item.key);
  if (!listed.length) return;
  const at = state.claim ? listed.findIndex(({ item }) => item === state.claim) + by : by > 0 ? 0 : listed.length - 1;
  const next = listed[(at + listed.length) % listed.length];
  choose({ claim: next.item });
  next.button.focus({ preventScroll: true });
  next.button.scrollIntoView({ block: "nearest" });
}

// ---- the side panel ----

function listWorst(kind) {
  state.list = kind;
  showList();
}

function showList() {
  const { view } = state;
  const sceneClaims = isScene(view) && view.kind !== "graph";
  const items = state.list === "claims" ? [...(sceneClaims ? claimsInView() : shown.claims)].sort(byWeight) : shown.responses;
  const listed = items.slice(0, MOST_LISTED);
  state.listed = listed.map((item) => ({ item, button: state.list === "claims" ? claimButton(item, !sceneClaims || view.kind !== "response") : responseButton(item) }));
  byId("list").replaceChildren(...state.listed.map(({ button }) => el("li", { class: "claim" }, button)));
  byId("more").hidden = items.length <= listed.length;
  byId("more").textContent = `${(items.length - listed.length).toLocaleString("en")} more. Filter or search to see them.`;
  byId("list-title").textContent = `${state.list === "claims" ? "Claims" : "Responses"} (${items.length.toLocaleString("en")})`;
  byId("list-kind").hidden = sceneClaims;
  byId("list-kind").textContent = state.list === "claims" ? "List responses" : "List claims";
}

function claimButton(claim, withResponse) {
  const label = labelOf(claim);
  return el("button", { type: "button", "aria-pressed": String(claim === state.claim), onclick: () => pickClaim(claim) },
    el("span", { class: `mark ${label}` }, el("span", { "aria-hidden": "true" }, MARKS[label]), el("span", { class: "unseen" }, NAMES[label] || label)),
    el("span", { class: "words" }, claimWords(claim), withResponse ? el("span", { class: "soft small from" }, responseName(responses[claim.response])) : null),
    el("span", { class: "p number" }, probability(claim.p)));
}

/** A claim of an overview's list opens its response; one of a scene is selected, or let go. */
function pickClaim(claim) {
  if (isScene(state.view) && (state.view.kind !== "graph" || boxesOf(claim).length)) return choose({ claim: claim === state.claim ? null : claim });
  go({ kind: "response", response: responses[claim.response] });
  return choose({ claim });
}

function responseButton(response) {
  const label = labelOf(response);
  return el("button", { type: "button", "aria-pressed": String(response === state.response), onclick: () => go({ kind: "response", response }) },
    el("span", { class: `mark ${label}` }, el("span", { "aria-hidden": "true" }, MARKS[label]), el("span", { class: "unseen" }, NAMES[label] || label)),
    el("span", { class: "words" }, shortId(response.id), el("span", { class: "soft small from" }, shortened([response.model, response.text].filter(Boolean).join(" · "), 90))),
    el("span", { class: "p number", title: "flagged claims / all claims" }, `${response.bad}/${response.shown}`));
}

function showCard() {
  const { claim, node, response, view } = state;
  const parts = state.pathFrom ? [el("p", {}, "Choose the other end of the path: click an entity, or search for one. ", el("button", { type: "button", onclick: () => { state.pathFrom = null; showCard(); } }, "Cancel"))] : [];
  if (claim) parts.push(...claimCard(claim, false));
  else if (node) parts.push(...entityCard(node));
  else if (response) parts.push(...responseCard(response));
  else if (view.kind === "response") parts.push(...responseCard(view.response));
  else if (!parts.length) parts.push(el("p", { class: "soft small" }, view.kind === "graph" ? "Click a box to open it, and again to close it. Click an edge or an entity to see its claims." : "Select a response or a claim."));
  byId("card").replaceChildren(...parts);
  byId("card").scrollTop = 0;
}

function claimCard(claim, short) {
  const response = responses[claim.response];
  const parts = [
    el("p", {}, verdict(claim), claim.p === undefined ? null : el("span", { class: "soft number small" }, ` p(inconsistent) ${probability(claim.p)}`)),
    el("p", { class: "words" }, ...boldIn(claimWords(claim), claim.marked)),
  ];
  if (claim.error) parts.push(el("p", {}, claim.error));
  if (claim.reason === "no_passage") parts.push(el("p", { class: "soft" }, NO_PASSAGE));
  if (claim.samples) parts.push(samplesLine(claim));
  if (claim.searches && !short) parts.push(...searchLines(claim.searches));
  if (claim.stated) parts.push(el("p", { class: "stated" }, "The context states: ", el("q", {}, shortened(claim.stated, short ? 160 : 400))));
  if (claim.evidence) parts.push(quoted(claim, short));
  if (short) return parts;
  if (claim.correction) parts.push(correctionLine(claim.correction));
  const sentence = slicer(response.text || "").slice(...claim.sentence);
  parts.push(el("p", { class: "small soft" }, "In the response: ", el("q", {}, ...boldIn(sentence, claim.marked))));
  parts.push(el("p", { class: "actions" },
    ...claim.ends.map((id) => nodes[id]).filter((node) => node.kind === "entity").map((node) => el("button", { type: "button", onclick: () => choose({ node }) }, shortened(node.name, 28))),
    state.view.kind === "response" ? null : el("button", { type: "button", onclick: () => { go({ kind: "response", response }); choose({ claim }); } }, "Only this response"),
    reportLink(response)));
  return parts;
}

/** The deciding words of the context, with the found words in bold. */
function quoted(claim, short) {
  const [place, spans] = claim.evidence, window = windows[place];
  if (short) { const cut = excerpt(claim); return el("p", { class: "quote" }, cut.text); }
  return el("div", {}, el("p", { class: "small soft" }, quoteTitle(claim)),
    el("blockquote", { class: "quote" }, ...pieces(window.text, spans.map(([start, end]) => ({ start, end })), (words) => el("b", {}, words)),
      window.source ? el("span", { class: "soft small from" }, window.source) : null));
}

/** A neutral claim is not mentioned: what is shown is only the nearest to it. */
function quoteTitle(claim) {
  if (!isFlagged(claim)) return "Supported by the context:";
  return labelOf(claim) === "Neutral" ? "Closest in the context:" : "Deciding words of the context:";
}

function boldIn(text, marked = []) {
  const lower = text.toLowerCase(), spans = [];
  for (const words of marked) {
    const wanted = words.toLowerCase();
    for (let at = lower.indexOf(wanted); wanted && at >= 0; at = lower.indexOf(wanted, at + 1)) spans.push([at, at + wanted.length]);
  }
  const cuts = [...new Set([0, text.length, ...spans.flat()])].sort((a, b) => a - b);
  return cuts.slice(1).map((end, i) => {
    const words = text.slice(cuts[i], end);
    return spans.some(([from, to]) => from <= cuts[i] && to >= end) ? el("b", { class: "differs" }, words) : words;
  });
}

function correctionLine(correction) {
  const edits = correction.edits || [];
  return el("p", { class: "correction" }, `Correction ${correction.status}: `,
    ...edits.flatMap(([before, after], at) => [at ? ", " : "", before ? el("del", {}, before) : null, " ", after ? el("ins", {}, after) : el("span", { class: "soft" }, "(removed)")]),
    !edits.length || correction.status !== "applied" ? `${edits.length ? ": " : ""}${correction.reason || ""}` : null);
}

const reportLink = (response) => byId("report")
  ? el("a", { class: "button", href: `${byId("report").getAttribute("href")}#response=${response.n}` }, "In the report") : null;

function responseCard(response) {
  const corrected = response.claims.filter((claim) => claim.correction && ["applied", "unsupported"].includes(claim.correction.status) && (claim.correction.edits || []).length);
  const marked = response.claims.filter(isFlagged).flatMap((claim) => claim.marked || []);
  return [
    el("p", {}, verdict(response), el("span", { class: "soft small" }, ` ${response.bad} of ${count(response.shown, "claim")} flagged`)),
    el("p", { class: "words" }, responseName(response)),
    response.question ? el("p", { class: "soft" }, response.question) : null,
    el("blockquote", { class: "quote" }, ...boldIn(response.text || "", marked)),
    response.error ? el("p", {}, response.error) : null,
    ...corrected.map((claim) => correctionLine(claim.correction)),
    el("p", { class: "actions" },
      state.view.kind === "graph" ? el("button", { type: "button", onclick: () => toggle(`a${response.at}`, { response }) }, state.opened.has(`a${response.at}`) ? "Close here" : "Open here") : null,
      state.view.kind === "response" ? null : el("button", { type: "button", onclick: () => go({ kind: "response", response }) }, "Only this response"),
      reportLink(response)),
  ].filter(Boolean);
}

function entityCard(node) {
  const mine = [...new Set(namesakes(node).flatMap((other) => other.claims.filter(inView)))], bad = mine.filter(isFlagged), also = joined(relatives(node));
  const isIn = isScene(state.view) && state.view.kind !== "graph";
  const change = (set, text, on) => el("button", { type: "button", onclick: () => { if (on) set.add(node); else set.delete(node); refresh(); choose({ node }); } }, text);
  return [
    el("p", { class: "words" }, node.name),
    el("p", { class: "soft small" }, `${bad.length} of ${count(mine.length, "claim")} flagged, ${count(new Set(mine.map((claim) => claim.response)).size, "response")}`),
    ...bad.slice(0, 4).map((claim) => el("p", { class: "small" }, el("span", { class: `mark ${labelOf(claim)}` }, MARKS[labelOf(claim)]), ` ${claim.text}`)),
    also.length ? el("p", { class: "actions" }, el("span", { class: "soft small" }, "Similar names: "), ...also.slice(0, 5).map(({ node: other, bad: flagged, shown: all }) =>
      el("button", { type: "button", onclick: () => go({ kind: "entity", node: other }) }, `${shortened(other.name, 28)} (${flagged} of ${all} flagged)`))) : null,
    el("p", { class: "actions" },
      state.view.kind === "entity" && state.view.node === node ? null : el("button", { type: "button", onclick: () => go({ kind: "entity", node }) }, "All its claims"),
      isIn && state.view.node !== node ? change(state.extra, state.extra.has(node) ? "Hide its other claims" : "Show its claims here", !state.extra.has(node)) : null,
      isIn && state.view.node !== node ? el("button", { type: "button", onclick: () => { state.hidden.add(node.id); state.node = null; refresh(); } }, "Hide") : null,
      state.hidden.size ? el("button", { type: "button", onclick: () => { state.hidden.clear(); refresh(); } }, "Show hidden") : null,
      state.view.kind === "graph" && state.groupBy === "entity" ? el("button", { type: "button", onclick: () => toggle(`n${node.id}`, { node }) }, state.opened.has(`n${node.id}`) ? "Close here" : "Open here") : null,
      el("button", { type: "button", onclick: () => { state.pathFrom = node; showCard(); byId("search").focus(); } }, "Path from here …")),
  ].filter(Boolean);
}

/** Opens a box in place, or closes it. `chosen`: what the card shows then. */
function toggle(id, chosen = {}) {
  if (state.opened.has(id)) state.opened.delete(id);
  else state.opened.add(id);
  remember(true);
  refresh();
  choose(chosen);
}

/** At 400 pixels the list is a sheet below the picture. */
function openSheet() {
  if (getComputedStyle(byId("sheet")).display !== "none") setSheet(true);
}

function setSheet(open) {
  document.body.dataset.sheet = open ? "open" : "closed";
  byId("sheet").setAttribute("aria-expanded", String(open));
}

// ---- mouse ----

/** The item or the link whose box is at this point of the canvas. */
function boxAt({ x, y }) {
  for (const [id, box] of drawn.boxes) {
    if (Math.abs(box.x - x) * 2 <= box.width && Math.abs(box.y - y) * 2 <= box.height) return boxUnder(id);
  }
  return undefined;
}

const boxUnder = (id) => {
  const item = drawn.scene.items.find((box) => box.id === id);
  return item ? item : drawn.scene.links.find((link) => link.id === id);
};
const linkUnder = (params) => params.edges && params.edges.length ? drawn.scene.links.find((link) => link.id === params.edges[0].slice(0, params.edges[0].lastIndexOf(":"))) : undefined;

let toggled = 0; // when a box was opened: the second half of a double click is meant for the same box

network.on("click", (params) => {
  const box = boxAt(params.pointer.canvas) || linkUnder(params);
  if (!box) return choose({});
  if (box.response || box.stack || box.group) {
    if (Date.now() - toggled < 350) return undefined;
    toggled = Date.now();
    return toggle(box.id, box.response ? { response: box.response } : box.node ? { node: box.node } : {});
  }
  if (box.node) return choose({ node: box.node }, false);
  if (box.claim) return choose({ claim: box.claim }, false);
  if (box.stated) return choose({ claim: box.refuted[0] }, false);
  if (!box.claims) return choose({});
  if (box.claims.length === 1 || state.view.kind === "claims") return choose({ claim: box.claims[0] }, false);
  return go({ kind: "claims", claims: box.claims });
});
network.on("doubleClick", ({ pointer }) => {
  const box = boxAt(pointer.canvas);
  if (box && box.node && !box.group && box.node.kind === "entity") go({ kind: "entity", node: box.node });
});
let touched = false; // a tip would stay where the finger was
window.addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; }, true);

function hover(box, event) {
  if (!box || touched) return;
  if (box.stack) tip.show(event, el("p", { class: "words" }, stackName(box.members)), el("p", { class: "soft" }, box.members.slice(0, 6).map(responseName).join(", ")));
  else if (box.response) tip.show(event, ...responseTip(box.response));
  else if (box.claim) tip.show(event, ...claimCard(box.claim, true));
  else if (box.stated) tip.show(event, el("p", { class: "soft small" }, "The context states:"), el("p", { class: "words" }, box.stated.text));
  else if (box.node) {
    const mine = box.node.claims.filter(inView);
    tip.show(event, el("p", { class: "words" }, box.node.name), el("p", { class: "soft" }, box.node.kind === "blank" ? "This claim has no object." : `${mine.filter(isFlagged).length} of ${count(mine.length, "claim")} flagged`));
  } else if (box.claims && box.claims.length === 1) tip.show(event, ...claimCard(box.claims[0], true));
  else if (box.claims) tip.show(event, ...[...box.claims].sort(byWeight).slice(0, 5).map((claim) => el("p", {}, verdict(claim), ` ${claim.text}`)));
}
network.on("hoverEdge", ({ edge, event }) => hover(linkUnder({ edges: [edge] }), event));
network.on("hoverNode", ({ node, event }) => hover(boxUnder(node), event));
for (const gone of ["blurEdge", "blurNode", "dragStart", "zoom"]) network.on(gone, () => tip.hide());
byId("drawing").addEventListener("mouseleave", () => tip.hide());

// ---- the filter's controls ----

/** Paper is white: the drawing is painted for it before it is printed. */
function paint(theme) {
  document.documentElement.dataset.theme = theme;
  readTones();
  if (isScene(state.view)) repaint();
  else refresh();
}

let screenTheme = "light";
window.addEventListener("beforeprint", () => { screenTheme = document.documentElement.dataset.theme; paint("light"); });
window.addEventListener("afterprint", () => paint(screenTheme));

function fillFilter() {
  const fill = (id, name, values, title) => {
    const kinds = [...new Set(values)].sort();
    for (const value of kinds) byId(id).append(el("option", { value: value || NO_VALUE }, title(value)));
    byId(id).closest("label").hidden = kinds.length < 2;
    byId(id).addEventListener("change", () => { filter[name] = byId(id).value; filterChanged(); });
  };
  fill("model", "model", responses.map((response) => response.model || ""), (value) => value || "no model");
  fill("dataset", "dataset", responses.map((response) => response.dataset || ""), (value) => value || "no dataset");
  fill("topic", "topic", claims.map((claim) => claim.topic), (value) => value);
  runs.forEach((name, place) => byId("run").append(el("option", { value: place }, name)));
  byId("run").closest("label").hidden = runs.length < 2;
  byId("run").addEventListener("change", () => { filter.run = byId("run").value; filterChanged(); });
  const labels = new Set(claims.map(labelOf));
  for (const label of ["flagged", ...WORST]) {
    if (label === "flagged" || labels.has(label)) byId("label").append(el("option", { value: label }, label === "flagged" ? "flagged claims" : `${MARKS[label]} ${NAMES[label] || label}`));
  }
  byId("label").addEventListener("change", () => { filter.label = byId("label").value; filterChanged(); });
  byId("least").addEventListener("input", () => { filter.least = Number(byId("least").value); filterChanged(); });
  byId("reset").addEventListener("click", clearFilter);
  const popup = byId("filters-title").parentElement;
  document.addEventListener("click", (event) => { if (!popup.contains(event.target)) popup.open = false; });
  popup.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    popup.open = false;
    byId("filters-title").focus();
  });
  byId("flagged").addEventListener("click", () => { filter.label = filter.label === "flagged" ? "" : "flagged"; filterChanged(); });
}

function clearFilter() {
  Object.assign(filter, { label: "", model: "", dataset: "", topic: "", least: 0 });
  filterChanged();
}

function filterChanged() {
  showFilter();
  if (state.claim && !inView(state.claim)) state.claim = null;
  remember(false);
  refresh();
}

/** Applies the filter, and sets the controls to it. */
function showFilter() {
  for (const name of ["label", "model", "dataset", "topic", "run"]) {
    byId(name).value = filter[name];
    if (byId(name).selectedIndex < 0) byId(name).value = filter[name] = ""; // an address may name anything
  }
  applyFilter();
  byId("least").value = filter.least;
  byId("least-value").textContent = `p ≥ ${filter.least.toFixed(2)}`;
  byId("flagged").setAttribute("aria-pressed", String(filter.label === "flagged"));
  const set = ["label", "model", "dataset", "topic"].filter((name) => filter[name]).length + (filter.least > 0);
  byId("reset").hidden = !set;
  byId("filters-title").textContent = set ? `Filter (${set})` : "Filter";
}

// ---- start ----

for (const kind of OVERVIEWS) {
  byId("tabs").append(el("button", { type: "button", "data-kind": kind, onclick: () => go({ kind }) }, { graph: "Graph", responses: "Responses", entities: "Entities", matrix: "Models", contradictions: "Contradictions" }[kind]));
}
byId("tabs").hidden = responses.length < 2;
byId("group-by").addEventListener("change", () => { state.groupBy = byId("group-by").value; state.opened.clear(); remember(true); refresh(); });
byId("list-kind").addEventListener("click", () => listWorst(state.list === "claims" ? "responses" : "claims"));
byId("fit").addEventListener("click", () => network.moveTo(drawn.home));
byId("close").addEventListener("click", () => { state.opened.clear(); remember(true); refresh(); });
byId("png").addEventListener("click", () => savePicture(state.view.kind === "response" ? `graph-${state.view.response.n}` : "graph"));
byId("sheet").addEventListener("click", () => setSheet(document.body.dataset.sheet !== "open"));
window.addEventListener("popstate", openAddress);
let resized = 0;
network.on("resize", () => { // vis.js has scaled the drawing with its canvas
  if (drawn.saving) return;
  clearTimeout(resized);
  resized = setTimeout(() => {
    refresh();
    intoView(boxesOf(state.claim || state.node || state.response));
  }, 60);
});
window.addEventListener("resize", () => { if (!isScene(state.view)) refresh(); });
startHelp();
startSearch();
startKeys({
  j: () => stepResponse(1), k: () => stepResponse(-1), n: () => stepClaim(1), p: () => stepClaim(-1), a: () => go({ kind: responses.length > FEW ? "responses" : "graph" }),
  f: () => byId("flagged").click(), "/": () => byId("search").focus(), 0: () => byId("fit").click(), "?": () => byId("help").click(),
  Escape: () => { state.pathFrom = null; choose({}); },
});
let started = false;
startTheme(() => {
  readTones();
  if (!started) return;
  if (isScene(state.view)) repaint();
  else refresh();
});
fillFilter();
readSizes(byId("drawing").clientWidth || 800);
setSheet(false);
started = true;
openAddress();
