// The report: totals and filters, the list of responses (only visible rows exist in the page), and one response.

const ROW_HEIGHT = 62; // as in report.css
const BINS = 20;
const ADDRESS_DELAY = 160; // ms between changes of the address, which browsers limit
const LABEL_ORDER = ["Contradiction", "Neutral", "Entailment", "Abstain", "error", "open"];

const state = {
  shown: [], response: null, claim: null, bin: null, threshold: null,
  order: [], pieces: new Map(), passages: [], folds: new Map(), // of the response: claims to step through, nodes, passages
};
readRows();

// ---- totals, histogram, filters ----

/** [name, number, share, label whose colour it has] of the rows. */
function totalsOf(rows) {
  const judged = rows.filter((row) => row.label);
  const bad = judged.filter((row) => isInconsistent(row.label)).length;
  const claims = rows.reduce((sum, row) => sum + row.claims.length, 0);
  const flagged = rows.reduce((sum, row) => sum + row.flagged, 0);
  const errors = rows.filter((row) => row.error).length;
  const abstained = judged.filter((row) => row.label === "Abstain").length;
  const totals = [
    [rows.length === 1 ? "response" : "responses", rows.length],
    ["inconsistent", bad, percent(bad, judged.length), "Contradiction"],
    [claims === 1 ? "claim" : "claims", claims],
    ["flagged", flagged, percent(flagged, claims), "Contradiction"],
  ];
  if (abstained) totals.push(["without claims", abstained]);
  if (errors) totals.push(["failed", errors, percent(errors, rows.length), "error"]);
  return totals;
}

function showTotals() {
  byId("totals").replaceChildren(...totalsOf(responses).map(([name, value, share, tone]) =>
    el("div", { "data-total": name }, el("dt", {}, name),
      el("dd", { class: tone }, value.toLocaleString("en"), share ? el("small", {}, ` ${share}`) : null))));
}

const binOf = (p) => Math.min(BINS - 1, Math.floor(p * BINS));

function showHistogram() {
  const counts = new Array(BINS).fill(0), inconsistent = new Array(BINS).fill(0);
  for (const row of responses) {
    if (row.p_inconsistent === null) continue;
    counts[binOf(row.p_inconsistent)] += 1;
    inconsistent[binOf(row.p_inconsistent)] += isInconsistent(row.label);
  }
  const highest = Math.max(...counts);
  byId("measure").classList.toggle("unjudged", highest === 0);
  byId("bars").replaceChildren(...counts.map((responsesInBin, bin) => {
    const bar = el("span", {});
    bar.style.height = responsesInBin ? `${Math.max(4, 100 * responsesInBin / highest)}%` : "0";
    const range = `${(bin / BINS).toFixed(2)} to ${((bin + 1) / BINS).toFixed(2)}`;
    const name = `p(inconsistent) ${range}: ${count(responsesInBin, "response")}`;
    const button = el("button", {
      type: "button", "aria-label": name, "aria-pressed": String(state.bin === bin), disabled: responsesInBin === 0,
      class: inconsistent[bin] * 2 > responsesInBin ? "over" : "",
      onclick: () => { state.bin = state.bin === bin ? null : bin; filter(); },
    }, bar);
    withTip(button, () => [el("p", {}, `p(inconsistent) ${range}`), el("p", {}, count(responsesInBin, "response"))]);
    return button;
  }));
}

const frequencies = (values) => values.reduce((counts, value) => counts.set(value, (counts.get(value) || 0) + 1), new Map());

/** The options of the label filter, with the number of responses of each label. */
function fillLabels() {
  const select = byId("label"), chosen = select.value, labels = frequencies(responses.map(labelOf));
  const options = LABEL_ORDER.filter((label) => labels.has(label) || label === chosen)
    .map((label) => el("option", { value: label }, `${MARKS[label]} ${NAMES[label] || label} (${(labels.get(label) || 0).toLocaleString("en")})`));
  select.replaceChildren(el("option", { value: "" }, "all labels"), ...options);
  select.value = chosen;
}

/** Fills a filter with the values of a field. Returns them, each at its option's place. */
function fillSelect(name) {
  const values = [...frequencies(responses.map((row) => row[name]))].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  values.forEach(([value, n], place) => byId(name).append(el("option", { value: place + 1 }, `${value || `no ${name}`} (${n.toLocaleString("en")})`)));
  byId(name).hidden = values.length < 2;
  return values.map(([value]) => value);
}

const choices = { model: fillSelect("model"), dataset: fillSelect("dataset") };
const isPressed = (id) => byId(id).getAttribute("aria-pressed") === "true";

const scoreOf = (row, missing) => row.p_inconsistent ?? missing;
const collator = new Intl.Collator("en", { numeric: true });
/** The share of flagged claims; without claims there is none. */
const flaggedShare = (row) => row.claims.length ? row.flagged / row.claims.length : -1;
const USUAL_ORDER = "worst"; // the order of the drawing, too
const ORDERS = {
  worst: (a, b) => flaggedShare(b) - flaggedShare(a) || b.flagged - a.flagged || scoreOf(b, -1) - scoreOf(a, -1) || a.place - b.place,
  high: (a, b) => scoreOf(b, -1) - scoreOf(a, -1) || b.flagged - a.flagged || a.place - b.place,
  low: (a, b) => scoreOf(a, 2) - scoreOf(b, 2) || a.flagged - b.flagged || a.place - b.place,
  flags: (a, b) => b.flagged - a.flagged || scoreOf(b, -1) - scoreOf(a, -1) || a.place - b.place,
  id: (a, b) => collator.compare(a.id, b.id) || a.place - b.place,
  input: (a, b) => a.place - b.place,
};
let ordered = { by: "", rows: [] }; // all responses in the chosen order, which every filter keeps

function inOrder() {
  const order = byId("sort").value, by = `${order} ${state.threshold}`;
  if (ordered.by !== by) ordered = { by, rows: [...responses].sort(ORDERS[order]) };
  return ordered.rows;
}

/** Shows what matches. `keep`: the selected response stays, also where it does not match. */
function filter({ keep = false } = {}) {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean).map(matching);
  const label = byId("label").value, model = Number(byId("model").value), dataset = Number(byId("dataset").value);
  const only = isPressed("flagged");
  state.shown = inOrder().filter((row) =>
    (!label || labelOf(row) === label)
    && (!model || row.model === choices.model[model - 1])
    && (!dataset || row.dataset === choices.dataset[dataset - 1])
    && (!only || row.flagged > 0)
    && (state.bin === null || (row.p_inconsistent !== null && binOf(row.p_inconsistent) === state.bin))
    && words.every((found) => found[row.place]));
  [...byId("bars").children].forEach((bar, bin) => bar.setAttribute("aria-pressed", String(bin === state.bin)));
  byId("count").textContent = state.shown.length === responses.length
    ? count(responses.length, "response")
    : `${state.shown.length.toLocaleString("en")} of ${count(responses.length, "response")}`;
  byId("reset").hidden = state.shown.length === responses.length;
  byId("save-table").disabled = state.shown.length === 0;
  if (!keep) byId("list").scrollTop = 0;
  if (!state.response || (!keep && !state.shown.includes(state.response))) show(state.shown[0] || null);
  else if (keep) refresh();
  else showList(true);
  writeAddress(false);
}

function reset() {
  byId("search").value = byId("label").value = byId("model").value = byId("dataset").value = "";
  byId("flagged").setAttribute("aria-pressed", "false");
  state.bin = null;
  filter();
}

// ---- the list ----

const shareOf = (row) => row.claims.length ? `${row.flagged}/${row.claims.length}` : "";

function showList(follow) {
  const list = byId("list"), spacer = byId("spacer");
  spacer.style.height = `${state.shown.length * ROW_HEIGHT}px`;
  const at = state.shown.indexOf(state.response);
  if (follow && at >= 0) {
    const top = at * ROW_HEIGHT;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW_HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_HEIGHT - list.clientHeight;
  }
  const first = Math.max(0, Math.floor(list.scrollTop / ROW_HEIGHT) - 4);
  const last = Math.min(state.shown.length, first + Math.ceil(list.clientHeight / ROW_HEIGHT) + 9);
  const rows = [];
  for (let place = first; place < last; place++) rows.push(listRow(state.shown[place], place));
  if (!rows.length) rows.push(el("div", { class: "empty", role: "option", "aria-selected": "false", "aria-disabled": "true" }, "No response matches this filter."));
  spacer.replaceChildren(...rows);
  if (at >= first && at < last) list.setAttribute("aria-activedescendant", `row-${state.response.place}`);
  else list.removeAttribute("aria-activedescendant");
  const where = at >= 0 ? (at + 1).toLocaleString("en") : "–";
  byId("position").textContent = `${where} of ${state.shown.length.toLocaleString("en")}`;
  byId("previous").disabled = at <= 0;
  byId("next").disabled = at + 1 >= state.shown.length;
}

/** A long id loses its middle where there is no room: ids of one dataset begin with the same letters. */
function nameParts(id) {
  const end = (id.length > 18 ? id.slice(-9) : "").replace(/^[\udc00-\udfff]/, "");
  return [id.slice(0, id.length - end.length), end].filter(Boolean).map((part) => el("span", {}, part));
}

function listRow(row, place) {
  const label = labelOf(row);
  const node = el("div", {
    class: "row", role: "option", id: `row-${row.place}`, "aria-selected": String(row === state.response),
    "aria-setsize": state.shown.length, "aria-posinset": place + 1, onclick: () => choose(row),
    "aria-label": `${row.id}${row.model ? `, ${row.model}` : ""}, ${NAMES[label] || label}, ${row.flagged} of ${count(row.claims.length, "claim")} flagged`,
  },
    el("span", { class: `mark ${label}` }, MARKS[label]),
    el("span", { class: "name", title: row.id }, ...nameParts(row.id)),
    el("span", { class: "share score", title: "p(inconsistent)" }, probability(row.p_inconsistent)),
    el("span", { class: "words" }, row.model ? el("span", { class: "model" }, row.model) : null, row.model ? " · " : null, (row.response || row.error || "").slice(0, 160)),
    el("span", { class: "share", title: "flagged claims / all claims" }, shareOf(row)));
  node.style.top = `${place * ROW_HEIGHT}px`;
  return node;
}

// ---- one response ----

/** Whether the page scrolls as a whole, not its panes. */
const isNarrow = () => getComputedStyle(byId("response")).overflowY === "visible";

/** Shows a response from its beginning. */
function show(row) {
  state.response = row;
  state.claim = null;
  state.folds = new Map();
  tip.hide();
  showList(true);
  showResponse();
  showContext();
  byId("response").scrollTop = byId("context").scrollTop = 0;
}

/** Selects a response: a new entry of the history. */
function choose(row) {
  const other = row !== state.response;
  show(row);
  unfold("listing", false);
  if (isNarrow()) byId("response").scrollIntoView();
  writeAddress(other);
}

/** Shows the selected response again, with new verdicts, at the same place. */
function refresh() {
  const claim = state.claim, places = ["response", "context"].map((id) => byId(id).scrollTop);
  showList(false);
  showResponse();
  state.claim = null;
  if (claim) openClaim(claim);
  showContext();
  ["response", "context"].forEach((id, at) => { byId(id).scrollTop = places[at]; });
}

function step(by) {
  const at = state.shown.indexOf(state.response);
  const next = state.shown[Math.min(state.shown.length - 1, Math.max(0, at + by))];
  if (next && next !== state.response) choose(next);
}

/** The spans of one claim, merged where only white space separates them. */
function joined(claim, slice) {
  const spans = [];
  for (const [start, end] of spansOf(claim)) {
    const last = spans[spans.length - 1];
    if (last && !slice(last.end, start).trim()) last.end = Math.max(last.end, end);
    else spans.push({ start, end, claim });
  }
  return spans;
}

/** The text of the response as nodes; each node belongs to one or more claims, worst label first. */
function annotated(row, onPiece) {
  const { slice } = slicer(row.response);
  const doubted = row.claims.filter((claim) => claim.flagged).flatMap((claim) => claim.unsupported.map(([start, end]) => ({ start, end, doubted: true })));
  const spans = [...row.claims.flatMap((claim) => joined(claim, slice)), ...doubted];
  const nodes = pieces(row.response, spans, (words, items) => {
    const claims = [...new Set(items.filter((item) => !item.doubted).map((item) => item.claim))]
      .sort((a, b) => WORST.indexOf(labelOf(a)) - WORST.indexOf(labelOf(b)));
    if (!claims.length) return document.createTextNode(words);
    const label = labelOf(claims[0]);
    const unsupported = claims.length < items.length ? " unsupported" : "";
    const node = el("span", { class: `claimed ${label}${unsupported}`, "data-label": label, "data-mark": MARKS[label] }, words);
    onPiece(node, claims);
    return node;
  });
  markEnds(nodes);
  return nodes;
}

/** Adjacent flagged words show their mark once, at the end. */
function markEnds(nodes) {
  nodes.forEach((node, place) => {
    if (!node.classList || !/Neutral|Contradiction/.test(node.className)) return;
    let next = place + 1;
    while (next < nodes.length && !nodes[next].classList && !nodes[next].textContent.trim()) next++;
    if (next >= nodes.length || !nodes[next].dataset || nodes[next].dataset.label !== node.dataset.label) node.classList.add("last");
  });
}

function showResponse() {
  const row = state.response, box = byId("response");
  state.order = [];
  if (!row) return box.replaceChildren(el("p", { class: "empty" }, responses.length ? "No response matches this filter." : "This run contains no responses."));
  const parts = [heading(row)];
  if (row.question) parts.push(el("p", { class: "question" }, row.question));
  if (row.consistency) parts.push(consistencyLine(row));
  if (row.searches) parts.push(...searchLines(row.searches));
  if (row.error) parts.push(el("p", { class: "failure" }, row.error));
  state.pieces = new Map(row.claims.map((claim) => [claim, []]));
  parts.push(el("div", { class: "text", id: "text" }, ...annotated(row, (node, claims) => {
    claims.forEach((claim) => state.pieces.get(claim).push(node));
    node.addEventListener("click", () => chooseClaim(afterChosen(claims)));
    withTip(node, () => claims.slice(0, 4).map(tipLine));
    node.addEventListener("mouseenter", () => preview(claims[0]));
    node.addEventListener("mouseleave", () => preview(null));
  })));
  if (row.revision) parts.push(...corrected(row));
  const { flagged, others } = sentenceGroups(row);
  const inSight = [...flagged, ...others].flatMap((group) => group.claims);
  state.order = [...inSight.filter((claim) => claim.flagged), ...inSight.filter((claim) => !claim.flagged)];
  parts.push(...groupNodes(flagged, "Sentences with flagged claims"));
  parts.push(...groupNodes(others, row.label ? "Sentences without flagged claims" : "Sentences"));
  box.replaceChildren(...parts);
  showRevision(row);
}

/** Repeated clicks on words of several claims select these claims in turn. */
const afterChosen = (claims) => claims[(claims.indexOf(state.claim) + 1) % claims.length];

/** A name that would fill the page, without its middle: the ends are where names differ. */
function short(name) {
  const { length, slice } = slicer(name);
  return length > 64 ? `${slice(0, 40)}…${slice(length - 20, length)}` : name;
}

/** On paper (`h3`) the id is whole. */
function heading(row, level = "h2") {
  const about = [short(row.model), choices.dataset.length > 1 ? row.dataset : "", row.p_inconsistent === null ? "" : `p(inconsistent) ${probability(row.p_inconsistent)}`,
    row.claims.length && row.label ? `${row.flagged} of ${count(row.claims.length, "claim")} flagged` : ""].filter(Boolean);
  return el("div", { class: "heading" },
    level === "h2" ? el(level, { title: short(row.id) === row.id ? null : row.id }, short(row.id)) : el(level, {}, row.id), verdict(row), el("span", { class: "soft number small" }, about.join(" · ")),
    basis.drawing && level === "h2" ? el("a", { class: "small", href: `${basis.drawing}#response=${row.n}` }, "Draw this response") : null);
}

/** A tooltip while a mouse or a pen is over the node. A finger does not leave what it touched, so it gets none. */
function withTip(node, lines) {
  node.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") tip.show(event, ...lines()); });
  node.addEventListener("pointerleave", () => tip.hide());
}

const tipLine = (claim) => el("p", {}, verdict(claim), ` ${probability(claim.p_inconsistent)} `, claim.text);

/** Opens the claim in its list and closes the one that was open. */
function openClaim(claim) {
  if (state.claim && state.claim.button) {
    state.claim.button.setAttribute("aria-expanded", "false");
    const item = state.claim.button.parentElement;
    item.classList.remove("chosen");
    item.querySelector(".detail")?.remove();
  }
  state.claim = claim;
  if (!claim) return;
  claim.button.setAttribute("aria-expanded", "true");
  claim.button.parentElement.classList.add("chosen");
  claim.button.parentElement.append(detail(claim));
}

/** Scrolls no further than needed, and on narrow pages only if nothing of the detail is in sight. */
function detailIntoSight(claim) {
  const item = claim.button.parentElement;
  if (!isNarrow()) return intoSight(item, byId("response"), 0);
  const { top, bottom } = item.querySelector(".detail").getBoundingClientRect();
  if (bottom < 0 || top > window.innerHeight) item.scrollIntoView({ block: "nearest" });
}

function chooseClaim(claim) {
  openClaim(claim);
  if (claim) detailIntoSight(claim);
  state.folds.clear();
  preview(null);
  markContext(claim, true);
  writeAddress(false);
}

function stepClaim(by) {
  if (!state.response || !state.order.length) return;
  const at = state.claim ? state.order.indexOf(state.claim) + by : by > 0 ? 0 : state.order.length - 1;
  const next = state.order[(at + state.order.length) % state.order.length];
  chooseClaim(next);
  next.button.focus({ preventScroll: true });
  if (isNarrow()) next.button.scrollIntoView({ block: "nearest" });
}

/** Highlights the words of the claim under the pointer, or of the selected one. */
function preview(claim) {
  for (const node of byId("response").querySelectorAll(".hot")) node.classList.remove("hot");
  const shown = claim || state.claim;
  if (shown) for (const node of state.pieces.get(shown) || []) node.classList.add("hot");
  markContext(shown, false);
}

/** "Right" or "Wrong" for the selected claim, by a key. */
function press(name) {
  state.claim?.button.parentElement.querySelector(`.person .${name}:not([hidden])`)?.click();
}

// ---- the address: the response, the claim, the filters and the threshold ----

const FIELDS = { label: "label", q: "search", sort: "sort" }; // name in the address: element
let addressTimer = 0, pushed = false;
let held = { address: "", place: undefined }; // what the history holds: numbers of responses need not be unique

function fragment() {
  const parts = new URLSearchParams();
  if (state.response) parts.set("response", state.response.n);
  if (state.claim) parts.set("claim", state.claim.place);
  for (const [name, id] of Object.entries(FIELDS)) if (byId(id).value && byId(id).value !== USUAL_ORDER) parts.set(name, byId(id).value);
  for (const name of ["model", "dataset"]) if (Number(byId(name).value)) parts.set(name, choices[name][Number(byId(name).value) - 1]);
  if (isPressed("flagged")) parts.set("flagged", 1);
  if (state.bin !== null) parts.set("bin", state.bin);
  if (state.threshold !== null) parts.set("threshold", state.threshold);
  return `#${parts}`;
}

/** Writes the view into the address, soon. `push`: as a new entry of the history. */
function writeAddress(push) {
  pushed ||= push;
  if (addressTimer) return;
  addressTimer = setTimeout(() => {
    const address = fragment();
    const place = state.response?.place;
    if (address !== held.address || place !== held.place) history[pushed ? "pushState" : "replaceState"]({ place }, "", address);
    held = { address, place };
    addressTimer = 0;
    pushed = false;
  }, ADDRESS_DELAY);
}

/** The place that a field of the address names. NaN: none. */
const placeIn = (parts, name) => /^\d{1,9}$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : NaN;

/** The view that the address names. Numbers of responses need not be unique: the history also keeps the place. */
function readAddress() {
  clearTimeout(addressTimer);
  addressTimer = 0;
  pushed = false;
  const bare = /^#(\d+)$/.exec(location.hash);
  const parts = new URLSearchParams(bare ? `response=${bare[1]}` : location.hash.slice(1));
  held = { address: location.hash, place: history.state?.place };
  const threshold = Number(parts.get("threshold"));
  const wanted = threshold >= 0.05 && threshold <= 0.95 ? threshold : null;
  if (wanted !== state.threshold) {
    flagAll(wanted);
    showThreshold();
    showTotals();
    showHistogram();
    fillLabels(); // the labels that the address may name
  }
  for (const [name, id] of Object.entries(FIELDS)) {
    const element = byId(id), usual = id === "sort" ? USUAL_ORDER : "";
    element.value = parts.get(name) || usual;
    if (element.selectedIndex === -1) element.value = usual; // no such option
  }
  for (const name of ["model", "dataset"]) byId(name).value = parts.has(name) && choices[name].indexOf(parts.get(name)) + 1 || "";
  byId("flagged").setAttribute("aria-pressed", String(parts.get("flagged") === "1"));
  const bin = placeIn(parts, "bin");
  state.bin = bin < BINS ? bin : null;
  const number = parts.get("response"), kept = responses[history.state?.place];
  const row = kept && String(kept.n) === number ? kept : responses.find((other) => String(other.n) === number);
  state.response = null;
  filter();
  if (row) show(row);
  const claim = row?.claims[placeIn(parts, "claim")];
  if (claim) chooseClaim(claim);
}

// ---- start ----

const later = (work, wait) => {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(work, wait); };
};

/** Opens or closes a part that narrow pages hide: "listing" or "filtering". */
function unfold(name, open = !document.body.classList.contains(name)) {
  const button = { listing: "show-list", filtering: "show-filter" }[name];
  document.body.classList.toggle(name, open);
  byId(button).setAttribute("aria-expanded", String(open));
  if (open && name === "listing") showList(true);
}

function startControls() {
  byId("keys").tabIndex = -1;
  byId("help").addEventListener("click", () => { // its last button has the focus, so a low page shows the end of the help
    byId("keys").focus({ preventScroll: true });
    byId("keys").scrollTop = 0;
  });
  byId("search").addEventListener("input", later(filter, 80));
  for (const id of ["label", "model", "dataset", "sort"]) byId(id).addEventListener("change", () => filter());
  byId("flagged").addEventListener("click", () => {
    byId("flagged").setAttribute("aria-pressed", String(!isPressed("flagged")));
    filter();
  });
  byId("reset").addEventListener("click", reset);
  byId("save-table").addEventListener("click", saveTable);
  byId("threshold").addEventListener("input", () => moveThreshold(Number(byId("threshold").value)));
  byId("own").addEventListener("click", () => moveThreshold(null));
  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("show-list").addEventListener("click", () => unfold("listing"));
  byId("show-filter").addEventListener("click", () => unfold("filtering"));
  byId("print").addEventListener("click", () => window.print());
  window.addEventListener("beforeprint", layOut);
  window.addEventListener("afterprint", clearPaper);
  window.addEventListener("popstate", readAddress);
  window.addEventListener("resize", later(() => showList(false), 80));
  byId("list").addEventListener("scroll", () => showList(false), { passive: true });
  byId("list").addEventListener("keydown", (event) => {
    const page = Math.floor(byId("list").clientHeight / ROW_HEIGHT);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });
  startKeys({
    j: () => step(1), k: () => step(-1), n: () => stepClaim(1), p: () => stepClaim(-1), r: () => press("right"), w: () => press("wrong"),
    "/": () => { unfold("filtering", true); byId("search").focus(); }, f: () => byId("flagged").click(), "?": () => byId("help").click(),
    Escape: () => { if (document.activeElement.matches("input, select, textarea")) document.activeElement.blur(); else chooseClaim(null); },
  });
}

startTheme();
startHelp();
startLabels();
startEdits();
showTotals();
showHistogram();
fillLabels();
showSteps();
showThreshold();
startControls();
readAddress();
setTimeout(prepareSearch, 50);
