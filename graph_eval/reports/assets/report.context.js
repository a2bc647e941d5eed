// The context of the response: its passages, which fold, with the evidence of a claim marked.

const MAX_OPEN = 3; // passages that are open without evidence
const MAX_OPEN_WORDS = 250; // words of each of them

const wordCount = (passage) => passage.count ??= (passage.text.match(/\S+/g) || []).length;

/** The passages of a response, closed where there are many. `folds`: passages that the user opened or closed. */
function showContext() {
  const row = state.response, box = byId("context");
  state.passages = [];
  if (!row) return box.replaceChildren();
  const few = row.passages.length === 1 || (row.passages.length <= MAX_OPEN && row.passages.every((passage) => wordCount(passage) <= MAX_OPEN_WORDS));
  const parts = [el("h2", {}, row.passages.length > 1 ? `Context (${count(row.passages.length, "passage")})` : "Context")];
  if (!row.passages.length) parts.push(el("p", { class: "soft" }, "This response has no context."));
  row.passages.forEach((passage, place) => {
    const text = el("div", { class: "text" }, passage.text);
    const name = [row.passages.length > 1 ? `Passage ${place + 1}` : "", passage.source].filter(Boolean).join(" · ") || "Passage";
    const summary = el("summary", {}, el("span", { class: "source" }, name), " ", el("span", { class: "soft number" }, count(wordCount(passage), "word")));
    const fold = el("details", { class: "passage", open: few }, summary, text);
    summary.addEventListener("click", () => state.folds.set(place, !fold.open));
    state.passages.push({ passage, text, fold, open: few, marked: false });
    parts.push(fold);
  });
  box.replaceChildren(...parts);
  markContext(state.claim, true);
}

/** The evidence that decides: the first, and every other that says the same. */
function decides(claim, evidence, place) {
  const column = { Entailment: 0, Neutral: 1, Contradiction: 2 }[claim.label];
  return place === 0 || (column !== undefined && column !== 1 && evidence.scores[column] > 0.5);
}

/** Marks the evidence of a claim. `selected`: also opens its passages and closes those that need not be open. */
function markContext(claim, selected) {
  const all = claim ? evidenceOf(claim) : [];
  const byPlace = new Map(all.map((item) => [item.passage, item]));
  state.passages.forEach((entry, place) => {
    const item = byPlace.get(place);
    if (item || entry.marked) entry.text.replaceChildren(...marked(entry.passage, item));
    entry.marked = Boolean(item);
    if (selected) entry.fold.open = state.folds.get(place) ?? (entry.open || Boolean(item && decides(claim, item, all.indexOf(item))));
  });
  const best = all[0] && state.passages[all[0].passage];
  if (!best || (!selected && !best.fold.open)) return;
  const mark = best.text.querySelector(".evidence");
  if (mark) intoSight(mark, byId("context"), byId("context").clientHeight / 4);
}

function marked(passage, evidence) {
  if (!evidence) return [document.createTextNode(passage.text)];
  const spans = [{ start: evidence.span[0], end: evidence.span[1] }, ...foundSpans(evidence)];
  return pieces(passage.text, spans, (words, items) => {
    const within = items.some((span) => !span.found), found = items.some((span) => span.found);
    return el(within ? "mark" : "span", { class: [within ? "evidence" : "", found ? "found" : ""].join(" ").trim() }, words);
  });
}

/** Scrolls the pane, not the page, no further than needed. `room`: pixels that stay free around the node. */
function intoSight(node, pane, room) {
  if (pane.scrollHeight <= pane.clientHeight + 1) return;
  const inner = node.getBoundingClientRect(), outer = pane.getBoundingClientRect();
  const above = inner.top - room - outer.top, below = inner.bottom + room - outer.bottom;
  if (above < 0) pane.scrollTop += above;
  else if (below > 0) pane.scrollTop += Math.min(below, above);
}
