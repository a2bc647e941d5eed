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
    if (item || entry.marked) entry.text.replaceChildren(...marked(entry.passage, item, claim));
    entry.marked = Boolean(item);
    if (selected) entry.fold.open = state.folds.get(place) ?? (entry.open || Boolean(item && decides(claim, item, all.indexOf(item))));
  });
  const best = all[0] && state.passages[all[0].passage];
  if (!best || (!selected && !best.fold.open)) return;
  const mark = best.text.querySelector(".evidence") || best.text.querySelector(".window");
  if (mark) intoSight(mark, byId("context"), byId("context").clientHeight / 4);
}

/** The text with the window of the evidence, in it the sentences that the claim is about, and words of these. */
function marked(passage, evidence, claim) {
  if (!evidence) return [document.createTextNode(passage.text)];
  const sentences = decisive(passage, evidence, claim);
  const other = claim.flagged ? sentences.flatMap((sentence) => differing(passage, sentence, claim)) : [];
  const all = { window: [evidence.span], evidence: sentences, found: foundSpans(evidence).map((span) => [span.start, span.end]), differs: other };
  const spans = Object.entries(all).flatMap(([name, items]) => items.map(([start, end]) => ({ start, end, name })));
  return pieces(passage.text, spans, (words, items) => {
    const names = Object.keys(all).filter((name) => items.some((item) => item.name === name));
    return el(names.includes("evidence") ? "mark" : "span", { class: names.join(" ") }, words);
  });
}

/** The sentences that state something else than the claim. Else those of the window with most of the found words. */
function decisive(passage, evidence, claim) {
  const stated = (claim.row.stated[claim.place] || []).filter((item) => claim.row.passages[item.passage] === passage);
  if (stated.length) return stated.map((item) => item.sentence);
  const [from, to] = evidence.span;
  const sentences = sentenceSpans(slicerOf(passage.text).slice(from, to)).map(([start, end]) => [start + from, end + from]);
  if (sentences.length < 2) return sentences;
  const spans = foundSpans(evidence);
  const found = sentences.map(([start, end]) => spans.reduce((sum, span) => sum + Math.max(0, Math.min(end, span.end) - Math.max(start, span.start)), 0));
  const most = Math.max(...found);
  return most ? sentences.filter((_, at) => found[at] === most) : [];
}

const MAX_DIFFERING = 3; // words of a sentence; more say that it is about something else

/** The words of a sentence that the claim does not have, as spans. Short words in lower case say too little. */
function differing(passage, [from, to], claim) {
  const text = slicerOf(passage.text).slice(from, to);
  const known = new Set([claim.text, ...claim.slots.map((slot) => slot.text)].flatMap((words) => wordsOf(words).map(([word]) => word)));
  const opening = text.search(/[\p{L}\p{N}]/u); // where a capital says nothing
  const found = wordsOf(text).filter(([word, , at, raw]) => !known.has(word) && (slicer(word).length > 3 || /\p{N}/u.test(raw) || (at !== opening && /\p{Lu}/u.test(raw))));
  const telling = new Set(found.map(([word]) => word)).size > MAX_DIFFERING ? found.filter(([, , , raw]) => /\p{N}/u.test(raw)) : found;
  if (new Set(telling.map(([word]) => word)).size > MAX_DIFFERING) return [];
  return telling.map(([, length, at]) => {
    const start = from + slicer(text.slice(0, at)).length;
    return [start, start + length];
  });
}

/** The words of a text as [word in lower case, its code points, its place in UTF-16 units, word]. "1,240" is one word. */
const wordsOf = (text) => [...text.matchAll(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu)]
  .map((match) => [match[0].toLowerCase().replace(/['’]s$/, ""), slicer(match[0]).length, match.index, match[0]]);

/** Scrolls the pane, not the page, no further than needed. `room`: pixels that stay free around the node. */
function intoSight(node, pane, room) {
  if (pane.scrollHeight <= pane.clientHeight + 1) return;
  const inner = node.getBoundingClientRect(), outer = pane.getBoundingClientRect();
  const above = inner.top - room - outer.top, below = inner.bottom + room - outer.bottom;
  if (above < 0) pane.scrollTop += above;
  else if (below > 0) pane.scrollTop += Math.min(below, above);
}
