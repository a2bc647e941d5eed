// The report: the list of responses (only visible rows exist in the page), one response, and its context.

const ROW_HEIGHT = 62; // as in report.css
const BINS = 20;
const REASONS = {
  verbatim: "The passage contains the claim word for word.",
  no_passage: "There is no context that could support this claim.",
  given: "Somebody else than the checker flagged the claim.",
};

const passages = new Map();
const responses = [];
for (const row of dataRows()) {
  if (row.passage) passages.set(row.passage, row);
  else responses.push(row);
}

const state = { shown: responses, response: null, claim: null, bin: null };
const flaggedOf = (row) => row.claims.filter((claim) => claim.flagged).length;
const flaggedCounts = new Map(responses.map((row) => [row, flaggedOf(row)]));
const haystacks = new Map();

/** The searchable texts of a response, in lower case. */
function haystack(row) {
  if (!haystacks.has(row)) {
    const claims = row.claims.map((claim) => claim.text);
    const context = row.context.map((id) => passages.get(id).text);
    haystacks.set(row, [row.id, row.model, row.question, row.response, ...claims, ...context].join("\n").toLowerCase());
  }
  return haystacks.get(row);
}

// ---- totals, histogram, filters ----

function showTotals() {
  const judged = responses.filter((row) => row.label);
  const bad = judged.filter((row) => ["Neutral", "Contradiction"].includes(row.label)).length;
  const claims = responses.reduce((sum, row) => sum + row.claims.length, 0);
  const flagged = [...flaggedCounts.values()].reduce((sum, count) => sum + count, 0);
  const errors = responses.filter((row) => row.error).length;
  const abstained = judged.filter((row) => row.label === "Abstain").length;
  const tiles = [
    [responses.length === 1 ? "response" : "responses", responses.length],
    ["inconsistent", bad, percent(bad, judged.length), "Contradiction"],
    [claims === 1 ? "claim" : "claims", claims],
    ["flagged", flagged, percent(flagged, claims), "Contradiction"],
  ];
  if (abstained) tiles.push(["without claims", abstained]);
  if (errors) tiles.push(["failed", errors, percent(errors, responses.length), "error"]);
  byId("totals").replaceChildren(...tiles.map(([name, value, share, tone]) =>
    el("div", {}, el("dt", {}, name),
      el("dd", { class: tone }, value.toLocaleString("en"), share ? el("small", {}, ` ${share}`) : null))));
}

const binOf = (p) => Math.min(BINS - 1, Math.floor(p * BINS));

function showHistogram() {
  const counts = new Array(BINS).fill(0), inconsistent = new Array(BINS).fill(0);
  for (const row of responses) {
    if (row.p_inconsistent === null) continue;
    counts[binOf(row.p_inconsistent)] += 1;
    inconsistent[binOf(row.p_inconsistent)] += row.label !== "Entailment";
  }
  const highest = Math.max(...counts);
  byId("histogram").hidden = highest === 0;
  byId("bars").replaceChildren(...counts.map((responsesInBin, bin) => {
    const bar = el("span", {});
    bar.style.height = responsesInBin ? `${Math.max(4, 100 * responsesInBin / highest)}%` : "0";
    const range = `${(bin / BINS).toFixed(2)} to ${((bin + 1) / BINS).toFixed(2)}`;
    const name = `p(inconsistent) ${range}: ${count(responsesInBin, "response")}`;
    return el("button", {
      type: "button", title: name, "aria-label": name, "aria-pressed": "false", disabled: responsesInBin === 0,
      class: inconsistent[bin] * 2 > responsesInBin ? "over" : "",
      onclick: () => { state.bin = state.bin === bin ? null : bin; filter(); },
    }, bar);
  }));
}

function fillSelects() {
  const frequencies = (values) => values.reduce((counts, value) => counts.set(value, (counts.get(value) || 0) + 1), new Map());
  const labels = frequencies(responses.map(labelOf));
  for (const label of ["Contradiction", "Neutral", "Entailment", "Abstain", "error", "open"]) {
    if (labels.has(label)) {
      byId("label").append(el("option", { value: label }, `${MARKS[label]} ${NAMES[label] || label} (${labels.get(label)})`));
    }
  }
  const models = [...frequencies(responses.map((row) => row.model))].sort(([a], [b]) => a.localeCompare(b));
  models.forEach(([model, n], place) => byId("model").append(el("option", { value: place + 1 }, `${model || "no model"} (${n})`)));
  byId("model").hidden = models.length < 2;
  return models.map(([model]) => model);
}

const models = fillSelects();

function filter() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const label = byId("label").value, chosen = Number(byId("model").value);
  const only = byId("flagged").getAttribute("aria-pressed") === "true";
  state.shown = responses.filter((row) =>
    (!label || labelOf(row) === label)
    && (!chosen || row.model === models[chosen - 1])
    && (!only || flaggedCounts.get(row) > 0)
    && (state.bin === null || (row.p_inconsistent !== null && binOf(row.p_inconsistent) === state.bin))
    && words.every((word) => haystack(row).includes(word)));
  const p = (row, missing) => row.p_inconsistent === null ? missing : row.p_inconsistent;
  const orders = {
    input: (a, b) => a.n - b.n,
    high: (a, b) => p(b, -1) - p(a, -1) || a.n - b.n,
    low: (a, b) => p(a, 2) - p(b, 2) || a.n - b.n,
    flags: (a, b) => flaggedCounts.get(b) - flaggedCounts.get(a) || p(b, -1) - p(a, -1) || a.n - b.n,
    id: (a, b) => a.id.localeCompare(b.id, "en", { numeric: true }) || a.n - b.n,
  };
  state.shown.sort(orders[byId("sort").value]);
  [...byId("bars").children].forEach((bar, bin) => bar.setAttribute("aria-pressed", String(bin === state.bin)));
  byId("count").textContent = state.shown.length === responses.length
    ? count(responses.length, "response")
    : `${state.shown.length.toLocaleString("en")} of ${count(responses.length, "response")}`;
  byId("reset").hidden = state.shown.length === responses.length;
  byId("list").scrollTop = 0;
  if (!state.shown.includes(state.response)) choose(state.shown[0] || null);
  else showList(true);
}

function reset() {
  byId("search").value = byId("label").value = byId("model").value = "";
  byId("flagged").setAttribute("aria-pressed", "false");
  state.bin = null;
  filter();
}

// ---- the list ----

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
  if (at >= first && at < last) list.setAttribute("aria-activedescendant", `row-${state.response.n}`);
  else list.removeAttribute("aria-activedescendant");
}

function listRow(row, place) {
  const label = labelOf(row);
  const share = row.claims.length ? `${flaggedCounts.get(row)}/${row.claims.length}` : "";
  const node = el("div", {
    class: "row", role: "option", id: `row-${row.n}`, "aria-selected": String(row === state.response),
    "aria-setsize": state.shown.length, "aria-posinset": place + 1, onclick: () => choose(row),
    "aria-label": `${row.id}${row.model ? `, ${row.model}` : ""}, ${NAMES[label] || label}, ${flaggedCounts.get(row)} of ${count(row.claims.length, "claim")} flagged`,
  },
    el("span", { class: `mark ${label}` }, MARKS[label]),
    el("span", { class: "name" }, row.id),
    el("span", { class: "share", title: "flagged claims / all claims" }, share),
    el("span", { class: "words" }, row.model ? el("span", { class: "model" }, row.model) : null, row.model ? " · " : null, (row.response || row.error || "").slice(0, 160)));
  node.style.top = `${place * ROW_HEIGHT}px`;
  return node;
}

// ---- one response ----

function choose(row) {
  state.response = row;
  state.claim = null;
  showList(true);
  showResponse();
  showContext();
  byId("response").scrollTop = byId("context").scrollTop = 0;
  if (row) history.replaceState(null, "", `#${row.n}`);
}

function step(by) {
  const at = state.shown.indexOf(state.response);
  const next = state.shown[Math.min(state.shown.length - 1, Math.max(0, at + by))];
  if (next && next !== state.response) choose(next);
}

/** The spans of one claim, merged where only white space separates them. */
function joined(claim, slice) {
  const spans = [];
  for (const [start, end] of claim.spans) {
    const last = spans[spans.length - 1];
    if (last && !slice(last.end, start).trim()) last.end = Math.max(last.end, end);
    else spans.push({ start, end, claim });
  }
  return spans;
}

/** The text of the response as nodes; each node belongs to one or more claims, worst label first. */
function annotated(row, onPiece) {
  const { slice } = slicer(row.response);
  const doubted = row.claims.flatMap((claim) => (claim.unsupported || []).map(([start, end]) => ({ start, end, doubted: true })));
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
  if (!row) return box.replaceChildren(el("p", { class: "empty" }, responses.length ? "No response matches this filter." : "This run contains no responses."));
  const parts = [heading(row)];
  if (row.question) parts.push(el("p", { class: "question" }, row.question));
  if (row.error) parts.push(el("p", { class: "failure" }, row.error));
  state.pieces = new Map(row.claims.map((claim) => [claim, []]));
  parts.push(el("div", { class: "text", id: "text" }, ...annotated(row, (node, claims) => {
    claims.forEach((claim) => state.pieces.get(claim).push(node));
    node.addEventListener("click", () => chooseClaim(afterChosen(claims)));
    node.addEventListener("mousemove", (event) => tip.show(event, ...claims.slice(0, 4).map(tipLine)));
    node.addEventListener("mouseenter", () => preview(claims[0]));
    node.addEventListener("mouseleave", () => { tip.hide(); preview(null); });
  })));
  if (row.revision) parts.push(...corrected(row));
  const flagged = row.claims.filter((claim) => claim.flagged), rest = row.claims.filter((claim) => !claim.flagged);
  state.order = [...flagged, ...rest];
  if (flagged.length) parts.push(el("h3", { class: "claims-title" }, `Flagged claims (${flagged.length})`), claimList(flagged));
  if (rest.length) parts.push(el("h3", { class: "claims-title" }, `${row.label ? "Supported claims" : "Claims"} (${rest.length})`), claimList(rest));
  box.replaceChildren(...parts);
}

/** The response with its edits: old words struck out, new words after them. A click on an edit selects its claim. */
function corrected(row) {
  const { edits, corrections } = row.revision;
  const applied = corrections.filter((item) => item.status === "applied").length;
  const title = el("h3", { class: "claims-title" }, `Corrections (${applied} of ${corrections.length} applied)`);
  if (!edits.length) return [title];
  const { length, slice } = slicer(row.response);
  const nodes = [];
  let place = 0;
  for (const edit of edits) {
    const to = () => chooseClaim(row.claims[edit.claims[0]]);
    nodes.push(slice(place, edit.start));
    if (edit.end > edit.start) nodes.push(el("del", { onclick: to }, slice(edit.start, edit.end)));
    if (edit.new) nodes.push(el("ins", { onclick: to }, edit.new));
    place = edit.end;
  }
  nodes.push(slice(place, length));
  return [title, el("div", { class: "text", id: "revision" }, ...nodes)];
}

/** The outcome of the correction of a claim. */
function outcome(claim) {
  const row = state.response;
  const correction = row.revision && row.revision.corrections.find((item) => row.claims[item.claim] === claim);
  if (!correction) return null;
  const after = correction.p_after === null ? "" : `, p(inconsistent) afterwards ${probability(correction.p_after)}`;
  return el("p", { class: "outcome" }, `Correction ${correction.status}${after}${correction.reason ? `: ${correction.reason}` : ""}`);
}

/** Repeated clicks on words of several claims select these claims in turn. */
const afterChosen = (claims) => claims[(claims.indexOf(state.claim) + 1) % claims.length];

function heading(row, level = "h2") {
  return el("div", { class: "heading" },
    el(level, {}, row.id), row.model ? el("span", { class: "soft" }, row.model) : null, verdict(row),
    row.p_inconsistent === null ? null : el("span", { class: "soft number small" }, `p(inconsistent) ${probability(row.p_inconsistent)}`));
}

function claimWords(claim) {
  if (!claim.slots.length) return [claim.text];
  return claim.slots.filter((slot) => slot.text).flatMap((slot, place) =>
    place ? [el("span", { class: "to", "aria-hidden": "true" }, "→"), " ", slot.text] : [slot.text, " "])
    .flatMap((node) => typeof node === "string" ? [node] : [" ", node]);
}

const tipLine = (claim) => el("p", {}, verdict(claim), ` ${probability(claim.p_inconsistent)} `, claim.text);

function claimList(claims) {
  return el("ol", { class: "claims" }, ...claims.map((claim) => {
    const label = labelOf(claim);
    const button = el("button", {
      type: "button", "aria-expanded": "false", onclick: () => chooseClaim(state.claim === claim ? null : claim),
      onmouseenter: () => preview(claim), onmouseleave: () => preview(null),
      onfocus: () => preview(claim), onblur: () => preview(null),
    },
      el("span", { class: `mark ${label}` }, el("span", { "aria-hidden": "true" }, MARKS[label]), el("span", { class: "unseen" }, NAMES[label] || label)),
      el("span", { class: "words" }, ...claimWords(claim)),
      el("span", { class: "p number" }, probability(claim.p_inconsistent)));
    claim.button = button;
    return el("li", { class: `claim${claim.flagged ? " flagged" : ""}` }, button);
  }));
}

function chooseClaim(claim) {
  if (state.claim && state.claim.button) {
    state.claim.button.setAttribute("aria-expanded", "false");
    const item = state.claim.button.parentElement;
    item.classList.remove("chosen");
    item.querySelector(".detail")?.remove();
  }
  state.claim = claim;
  if (claim) {
    claim.button.setAttribute("aria-expanded", "true");
    claim.button.parentElement.classList.add("chosen");
    claim.button.parentElement.append(detail(claim));
    intoSight(claim.button.parentElement, byId("response"), 0);
  }
  preview(null);
  showContext(claim);
}

function stepClaim(by) {
  if (!state.response || !state.order.length) return;
  const at = state.claim ? state.order.indexOf(state.claim) + by : by > 0 ? 0 : state.order.length - 1;
  const next = state.order[(at + state.order.length) % state.order.length];
  chooseClaim(next);
  next.button.focus({ preventScroll: true });
}

/** Highlights the words of the claim under the pointer, or of the selected one. */
function preview(claim) {
  for (const node of byId("response").querySelectorAll(".hot")) node.classList.remove("hot");
  const shown = claim || state.claim;
  if (shown) for (const node of state.pieces.get(shown) || []) node.classList.add("hot");
  if (claim && claim !== state.claim) showContext(claim);
  else if (!claim) showContext(state.claim);
}

function detail(claim) {
  const best = (claim.evidence || [])[0];
  const parts = [];
  if (claim.error) parts.push(el("p", { class: "failure" }, claim.error));
  if (claim.reason) parts.push(el("p", { class: "soft" }, REASONS[claim.reason] || claim.reason));
  if (claim.decided_by) parts.push(el("p", { class: "soft" }, `Decided by ${claim.decided_by}.`));
  const row = state.response;
  const stated = row.stated && row.stated[row.claims.indexOf(claim)];
  if (stated) parts.push(el("p", { class: "stated" }, "The context states: ", stated.join(" ")));
  const correction = outcome(claim);
  if (correction) parts.push(correction);
  if (best) parts.push(slotTable(claim, best), scoreBar(best.scores));
  for (const evidence of claim.evidence || []) {
    const passage = passages.get(evidence.passage);
    if (passage) parts.push(quote(evidence, passage));
  }
  return el("div", { class: "detail" }, ...parts);
}

/** Each part of the claim, how well it matches the passage, and which of its words are missing there. */
function slotTable(claim, evidence) {
  const rows = evidence.locations.flatMap((location, place) => {
    const slot = claim.slots[place];
    const text = slot ? slot.text : claim.text;
    const origin = slot && (slot.resolved ? " (resolved)" : slot.inferred ? " (inferred)" : "");
    const how = location.match === "empty" ? "" : location.match; // e.g. "is": there is nothing to find in the passage
    return [
      el("dt", {}, location.part),
      el("dd", {}, ...slotText(text, location.missing, slot && !origin ? unsupportedIn(slot, claim.unsupported || []) : []), origin ? el("span", { class: "soft small" }, origin) : null),
      el("dd", { class: `how how-${location.match}` }, how),
    ];
  });
  return el("dl", { class: "slots" }, ...rows);
}

/** The unsupported words of a slot, as spans of its text: the words at its spans, joined by blanks. */
function unsupportedIn(slot, unsupported) {
  const found = [];
  let place = 0;
  for (const [first, last] of slot.spans) {
    for (const [start, end] of unsupported) {
      if (start < last && first < end) {
        found.push({ start: place + Math.max(start - first, 0), end: place + Math.min(end, last) - first, unsupported: true });
      }
    }
    place += last - first + 1;
  }
  return found;
}

/** The text of a slot: missing words are struck out, unsupported ones are bold. */
function slotText(text, missing, unsupported) {
  const spans = [...unsupported];
  const { length, slice } = slicer(text);
  for (const word of missing) {
    const size = slicer(word).length;
    for (let start = 0; start + size <= length; start++) {
      const before = start ? slice(start - 1, start) : " ", after = start + size < length ? slice(start + size, start + size + 1) : " ";
      if (slice(start, start + size) === word && !/[\p{L}\p{N}]/u.test(before + after)) spans.push({ start, end: start + size });
    }
  }
  return pieces(text, spans, (words, items) => {
    const node = items.every((item) => item.unsupported) ? words : el("del", { title: "not in the passage" }, words);
    return items.some((item) => item.unsupported) ? el("strong", { title: "not supported by the context" }, node) : node;
  });
}

function scoreBar([entailment, neutral, contradiction]) {
  const values = [["Entailment", entailment], ["Neutral", neutral], ["Contradiction", contradiction]];
  const bar = el("div", { class: "scores", "aria-hidden": "true" }, ...values.map(([label, value]) => {
    const part = el("span", { class: label });
    part.style.width = `${100 * value}%`;
    return part;
  }));
  const legend = el("p", { class: "legend" }, ...values.map(([label, value]) => el("span", {}, `${label} ${value.toFixed(2)}`)));
  return el("div", {}, bar, legend);
}

function quote(evidence, passage) {
  const [start, end] = evidence.span;
  const inside = foundSpans(evidence)
    .filter((span) => span.start < end && span.end > start)
    .map((span) => ({ start: Math.max(0, span.start - start), end: Math.min(end, span.end) - start }));
  const words = slicer(passage.text).slice(start, end);
  return el("blockquote", { class: "quote" },
    ...pieces(words, inside, (text) => el("span", { class: "found" }, text)),
    passage.source ? el("div", { class: "quote-source" }, passage.source) : null);
}

const foundSpans = (evidence) =>
  evidence.locations.flatMap((location) => location.spans.map(([start, end]) => ({ start, end, found: true })));

// ---- the context ----

function showContext(claim = state.claim) {
  const row = state.response, box = byId("context");
  if (!row) return box.replaceChildren();
  const evidence = new Map(((claim && claim.evidence) || []).map((item) => [item.passage, item]));
  const parts = [el("h2", {}, row.context.length > 1 ? `Context (${count(row.context.length, "passage")})` : "Context")];
  if (!row.context.length) parts.push(el("p", { class: "soft" }, "This response has no context."));
  row.context.forEach((id, place) => {
    const passage = passages.get(id), item = evidence.get(id);
    const name = passage.source || (row.context.length > 1 ? `Passage ${place + 1}` : "");
    const spans = item ? [{ start: item.span[0], end: item.span[1] }, ...foundSpans(item)] : [];
    const text = pieces(passage.text, spans, (words, items) => {
      const within = items.some((span) => !span.found);
      const found = items.some((span) => span.found);
      return el(within ? "mark" : "span", { class: [within ? "evidence" : "", found ? "found" : ""].join(" ").trim() }, words);
    });
    parts.push(el("section", { class: "passage" }, name ? el("h3", {}, name) : null, el("div", { class: "text" }, ...text)));
  });
  box.replaceChildren(...parts);
  const mark = claim && box.querySelector(".evidence");
  if (mark) intoSight(mark, box, box.clientHeight / 4);
}

/** Scrolls the pane, not the page, no further than needed. `room`: pixels that stay free around the node. */
function intoSight(node, pane, room) {
  if (pane.scrollHeight <= pane.clientHeight + 1) return;
  const inner = node.getBoundingClientRect(), outer = pane.getBoundingClientRect();
  const above = inner.top - room - outer.top, below = inner.bottom + room - outer.bottom;
  if (above < 0) pane.scrollTop += above;
  else if (below > 0) pane.scrollTop += Math.min(below, above);
}

// ---- paper ----

let screenTheme = "light";

function clearPaper() {
  document.documentElement.dataset.theme = screenTheme;
  byId("paper").replaceChildren();
}

/** Fills the print version: every response that matches the filter, with its flagged claims and their evidence. */
function layOut() {
  screenTheme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light"; // paper is white
  byId("paper").replaceChildren(...state.shown.map((row) => el("section", { class: "sheet" },
    heading(row, "h3"),
    row.question ? el("p", { class: "question" }, row.question) : null,
    row.error ? el("p", { class: "failure" }, row.error) : null,
    el("div", { class: "text" }, ...annotated(row, () => {})),
    ...row.claims.filter((claim) => claim.flagged).map((claim) => {
      const best = (claim.evidence || [])[0];
      return el("div", { class: "finding" },
        el("p", {}, verdict(claim), ` ${probability(claim.p_inconsistent)} `, ...claimWords(claim)),
        best && passages.has(best.passage) ? quote(best, passages.get(best.passage)) : null);
    }))));
}

// ---- start ----

const later = (work, wait) => {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(work, wait); };
};

startTheme();
startHelp();
showTotals();
showHistogram();
byId("search").addEventListener("input", later(filter, 120));
for (const id of ["label", "model", "sort"]) byId(id).addEventListener("change", filter);
byId("flagged").addEventListener("click", () => {
  const button = byId("flagged");
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  filter();
});
byId("reset").addEventListener("click", reset);
byId("print").addEventListener("click", () => window.print());
window.addEventListener("beforeprint", layOut);
window.addEventListener("afterprint", clearPaper);
byId("list").addEventListener("scroll", () => showList(false), { passive: true });
byId("list").addEventListener("keydown", (event) => {
  const page = Math.floor(byId("list").clientHeight / ROW_HEIGHT);
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  step(by);
});
window.addEventListener("resize", later(() => showList(false), 80));
startKeys({
  j: () => step(1), k: () => step(-1), n: () => stepClaim(1), p: () => stepClaim(-1),
  "/": () => byId("search").focus(), f: () => byId("flagged").click(), "?": () => byId("help").click(),
  Escape: () => { if (document.activeElement.matches("input, select")) document.activeElement.blur(); else chooseClaim(null); },
});
const linked = responses.find((row) => `#${row.n}` === location.hash);
filter();
if (linked) choose(linked);
