// The claims of a response, by sentence, and what is known of the selected one.

const MAX_QUOTE = 320; // characters of a quote that is not cut
const MAX_SENTENCE = 160; // characters of a sentence over its claims
const REASONS = {
  verbatim: "The passage contains the claim word for word.",
  no_passage: NO_PASSAGE,
  given: "Somebody else than the checker flagged the claim.",
};

/** The claims of one sentence, flagged ones first. Sentences with flagged claims come first, worst first. */
function sentenceGroups(row) {
  const groups = new Map();
  for (const claim of row.claims) {
    const key = claim.sentence.join();
    if (!groups.has(key)) groups.set(key, { sentence: claim.sentence, claims: [], flagged: 0, p: -1 });
    const group = groups.get(key);
    group.claims.push(claim);
    if (claim.flagged) {
      group.flagged += 1;
      group.p = Math.max(group.p, claim.p_inconsistent ?? 0);
    }
  }
  const all = [...groups.values()];
  for (const group of all) group.claims.sort((a, b) => b.flagged - a.flagged || (a.flagged ? (b.p_inconsistent ?? 0) - (a.p_inconsistent ?? 0) : 0) || a.place - b.place);
  return {
    flagged: all.filter((group) => group.flagged).sort((a, b) => b.p - a.p),
    others: all.filter((group) => !group.flagged),
  };
}

const cut = (text, most) => text.length <= most ? text : `${text.slice(0, most - 1).replace(/\s+\S*$/, "")}…`;
const letters = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/** The groups as nodes, under a title that counts their sentences. */
function groupNodes(groups, title) {
  if (!groups.length) return [];
  const { slice } = slicerOf(state.response.response);
  return [
    el("h3", { class: "claims-title" }, `${title} (${groups.length.toLocaleString("en")})`),
    el("div", { class: "claims" }, ...groups.map(({ sentence, claims }) => {
      const words = slice(...sentence).trim();
      const [only] = claims;
      const same = claims.length === 1 && [only.text, only.slots.map((slot) => slot.text).join(" ")].map(letters).includes(letters(words));
      return el("section", { class: "group" },
        same ? null : el("h4", { class: "sentence", title: words.length > MAX_SENTENCE ? words : null }, cut(words, MAX_SENTENCE)),
        el("ol", {}, ...claims.map((claim) => claimItem(claim, !same && letters(claim.text) === letters(words)))));
    })),
  ];
}

/** The words of a claim: its parts, or its text. `whole`: the sentence stands above and need not be repeated. */
function claimWords(claim, whole = false) {
  if (!claim.slots.length) return whole ? [el("i", {}, "the whole sentence")] : [claim.text];
  return claim.slots.filter((slot) => slot.text).flatMap((slot, place) =>
    place ? [" ", el("span", { class: "to", "aria-hidden": "true" }, "→"), " ", slot.text] : [slot.text]);
}

function claimItem(claim, whole) {
  const label = labelOf(claim);
  claim.button = el("button", {
    type: "button", "aria-expanded": "false", onclick: () => chooseClaim(state.claim === claim ? null : claim),
    onmouseenter: () => preview(claim), onmouseleave: () => preview(null),
    onfocus: () => preview(claim), onblur: () => preview(null),
  },
    el("span", { class: `mark ${label}` }, el("span", { "aria-hidden": "true" }, MARKS[label]), el("span", { class: "unseen" }, NAMES[label] || label)),
    el("span", { class: "words" }, ...claimWords(claim, whole)),
    el("span", { class: "p number" }, probability(claim.p_inconsistent)),
    el("span", { class: "yours" }));
  showYours(claim);
  return el("li", { class: `claim${claim.flagged ? " flagged" : ""}` }, claim.button);
}

function detail(claim) {
  const [best, ...others] = evidenceOf(claim);
  const passage = best && state.response.passages[best.passage];
  const stated = claim.row.stated[claim.place];
  const parts = [];
  if (claim.error) parts.push(el("p", { class: "failure" }, claim.error));
  if (claim.reason) parts.push(el("p", { class: "soft" }, REASONS[claim.reason] || claim.reason));
  if (claim.decided_by) parts.push(el("p", { class: "soft" }, `Decided by ${claim.decided_by}.`));
  if (claim.samples) parts.push(samplesLine(claim));
  if (claim.searches) parts.push(...searchLines(claim.searches));
  if (stated) parts.push(statement(claim));
  if (passage && !(stated && stated.some((item) => isWithin(item, best)))) {
    parts.push(closest(claim), quote(best, passage));
  }
  const correction = outcome(claim);
  if (correction) parts.push(correction);
  parts.push(personBox(claim));
  if (best) parts.push(slotTable(claim, best), scoreBar(best.scores));
  const further = others.filter((evidence) => state.response.passages[evidence.passage]);
  if (further.length) {
    parts.push(el("details", { class: "further" }, el("summary", {}, `Nearest words in ${count(further.length, "other passage")}`),
      ...further.map((evidence) => quote(evidence, state.response.passages[evidence.passage]))));
  }
  return el("div", { class: "detail" }, ...parts);
}

/** The score of the response over its samples, and the sentences that they do not support. */
function consistencyLine(row) {
  const { score, samples, flagged, not_drawn: missing } = row.consistency, { slice } = slicerOf(row.response);
  const shown = score === null ? "no score" : `score ${probability(score)}`;
  const words = flagged.length ? [" Probably made up: ", ...flagged.flatMap((span, place) => [place ? ", " : "", el("q", {}, cut(slice(...span), MAX_SENTENCE))])] : [];
  return el("p", { class: "consistency" }, `Consistency over ${count(samples, "sample")}${missing ? ` (${missing} not drawn)` : ""}: ${shown}.`, ...words);
}

/** Whether the sentence is in the evidence, which the context then shows around it. */
const isWithin = ({ passage, sentence }, { passage: other, span }) => passage === other && sentence[0] >= span[0] && sentence[1] <= span[1];

/** What the context states instead: the sentences, with the words of the claims that refute this one. */
function statement(claim) {
  const sentences = claim.row.stated[claim.place].flatMap((item) => {
    if (item.text !== undefined) return [" ", el("span", { class: "words" }, "“", item.text, "”")];
    const [start, end] = item.sentence;
    const spans = item.spans.map(([first, last]) => ({ start: Math.max(first, start) - start, end: Math.min(last, end) - start }));
    const words = slicerOf(claim.row.passages[item.passage].text).slice(start, end);
    return [" ", el("span", { class: "words" }, "“", ...pieces(words, spans, (text) => el("span", { class: "found" }, text)), "”")];
  });
  return el("p", { class: "stated" }, "The context states:", ...sentences);
}

/** The outcome of the correction of a claim. */
function outcome(claim) {
  const correction = claim.row.revision && claim.row.revision.corrections.find((item) => item.claim === claim.place);
  if (!correction) return null;
  const chance = correction.probability === undefined ? "" : `, probability ${probability(correction.probability)}`;
  const after = correction.p_after === undefined ? "" : `, p(inconsistent) afterwards ${probability(correction.p_after)}`;
  return el("div", { class: "outcome" }, `Correction ${correction.status}${chance}${after}${correction.reason ? `: ${correction.reason}` : ""}`, editBox(claim));
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
      el("dd", {}, ...slotText(text, location.missing, slot && !origin ? unsupportedIn(slot, claim.unsupported) : []), origin ? el("span", { class: "soft small" }, origin) : null),
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

// ---- quotes ----

/** The parts of a quote to show, as [start, end]: the sentences with most of the found words, or a part of one. */
function excerpt(text, found) {
  const { length, slice } = slicer(text);
  if (length <= MAX_QUOTE) return [[0, length]];
  const weight = ([start, end]) => found.reduce((sum, span) => sum + Math.max(0, Math.min(end, span.end) - Math.max(start, span.start)), 0);
  const best = sentenceSpans(text).map((span) => ({ span, weight: weight(span) })).sort((a, b) => b.weight - a.weight || a.span[0] - b.span[0]);
  const kept = [];
  let room = MAX_QUOTE;
  for (const { span, weight: words } of best) {
    const size = span[1] - span[0];
    if (size > room || (kept.length && !words)) continue;
    kept.push(span);
    room -= size;
  }
  if (!kept.includes(best[0].span)) { // a long sentence: the part that begins shortly before its first found word
    const [start, end] = best[0].span;
    const first = Math.min(...found.map((span) => span.start).filter((at) => at >= start && at < end), end);
    const from = first === end ? start : Math.max(start, first - 60);
    const blanks = /^\S*\s/.exec(from > start ? slice(from, end) : "");
    return [[from + (blanks && blanks[0].length < 60 ? slicer(blanks[0]).length : 0), Math.min(end, from + MAX_QUOTE)]];
  }
  kept.sort(([a], [b]) => a - b);
  return kept.reduce((joined, [start, end]) => {
    const last = joined[joined.length - 1];
    if (last && last[1] === start) last[1] = end;
    else joined.push([start, end]);
    return joined;
  }, []);
}

/** What stands above evidence that does not decide. */
const closest = (claim) =>
  claim.label === "Neutral" ? el("p", { class: "small soft" }, "Closest in the context:") : null;

/** The words of the evidence; a long quote is cut around the words that were found. `whole`: without a button. */
function quote(evidence, passage, whole = false) {
  const [start, end] = evidence.span;
  const inside = foundSpans(evidence)
    .filter((span) => span.start < end && span.end > start)
    .map((span) => ({ start: Math.max(0, span.start - start), end: Math.min(end, span.end) - start }));
  const words = slicerOf(passage.text).slice(start, end);
  const { length, slice } = slicer(words);
  const nodes = (first, last) => pieces(slice(first, last),
    inside.filter((span) => span.start < last && span.end > first).map((span) => ({ start: Math.max(0, span.start - first), end: Math.min(last, span.end) - first })),
    (text) => el("span", { class: "found" }, text));
  const parts = excerpt(words, inside);
  const short = parts.flatMap(([first, last], place) => [place || first > 0 ? "… " : null, ...nodes(first, last)]);
  const isCut = parts.length > 1 || parts[0][0] > 0 || parts[0][1] < length;
  if (isCut && parts[parts.length - 1][1] < length) short.push("…");
  const text = el("span", {}, ...short.filter((node) => node !== null));
  const more = isCut && !whole ? el("button", { type: "button", class: "more", "aria-expanded": "false" }, "more") : null;
  more?.addEventListener("click", () => {
    const open = more.getAttribute("aria-expanded") !== "true";
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "less" : "more";
    text.replaceChildren(...(open ? nodes(0, length) : short.filter((node) => node !== null)));
  });
  return el("blockquote", { class: "quote" }, text, more ? " " : null, more,
    passage.source ? el("div", { class: "quote-source" }, passage.source) : null);
}

const foundSpans = (evidence) =>
  evidence.locations.flatMap((location) => location.spans.map(([start, end]) => ({ start, end, found: true })));
