"use strict";
// Shared by the report and the drawing. Texts of the data are inserted as text nodes only, never as markup.

const MARKS = { Entailment: "✓", Neutral: "?", Contradiction: "✗", Abstain: "–", error: "!", open: "·" };
const NAMES = { error: "failed", open: "not checked" }; // what the page calls these two
const WORST = ["Contradiction", "Neutral", "error", "open", "Abstain", "Entailment"];
const NO_PASSAGE = "There is no context that could support this claim.";
const byId = (id) => document.getElementById(id);

/** An element with attributes ("class", "aria-...", on<event>: a function) and children (nodes or texts). */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Offsets count code points, JavaScript strings count UTF-16 units. They differ only in texts with surrogates. */
function slicer(text) {
  if (!/[\ud800-\udfff]/.test(text)) return { length: text.length, slice: (start, end) => text.slice(start, end) };
  const points = Array.from(text);
  return { length: points.length, slice: (start, end) => points.slice(start, end).join("") };
}

/** The text as nodes, cut where a span begins or ends. `make(words, items)` returns the node of a piece inside spans. */
function pieces(text, spans, make) {
  const { length, slice } = slicer(text);
  const cuts = new Set([0, length]);
  for (const { start, end } of spans) { cuts.add(Math.min(start, length)); cuts.add(Math.min(end, length)); }
  const places = [...cuts].sort((a, b) => a - b);
  const opening = new Map(), closing = new Map(), open = new Set();
  for (const item of spans) {
    if (item.start >= item.end) continue;
    (opening.get(item.start) || opening.set(item.start, []).get(item.start)).push(item);
    (closing.get(item.end) || closing.set(item.end, []).get(item.end)).push(item);
  }
  const nodes = [];
  for (let i = 0; i + 1 < places.length; i++) {
    for (const item of closing.get(places[i]) || []) open.delete(item);
    for (const item of opening.get(places[i]) || []) open.add(item);
    const words = slice(places[i], places[i + 1]);
    nodes.push(open.size ? make(words, [...open]) : document.createTextNode(words));
  }
  return nodes;
}

const TITLE = /(?:^|[\s(])(?:\p{Lu}|Dr|Mr|Mrs|Ms|St|Prof|No|vs|Jr|Sr|Inc|Gen|Sgt|Lt)$/u; // "Dr. Osei" ends no sentence

/** The sentences of a text as [start, end] in code points; together they are the whole text. */
function sentenceSpans(text) {
  const spans = [];
  let from = 0, place = 0;
  const add = (to) => {
    const { length } = slicer(text.slice(from, to));
    if (length) spans.push([place, place + length]);
    from = to;
    place += length;
  };
  for (const match of text.matchAll(/[.!?]["'”’)\]]*\s+|\n+/g)) {
    if (match[0].startsWith(".") && !match[0].includes("\n") && TITLE.test(text.slice(Math.max(0, match.index - 8), match.index))) continue;
    add(match.index + match[0].length);
  }
  add(text.length);
  return spans;
}

const labelOf = (item) => item.error ? "error" : item.label || "open";
const percent = (part, whole) => whole ? `${Math.round(100 * part / whole)}%` : "–";
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const probability = (value) => value === null || value === undefined ? "" : value.toFixed(2);

/** How many samples support a claim and contradict it, and what they say instead. */
function samplesLine({ samples, said }) {
  const [supported, contradicted, all] = samples;
  const words = said ? [" They say: ", ...said.slice(0, 3).flatMap((text, place) => [place ? ", " : "", el("q", {}, text)])] : [];
  return el("p", { class: "samples" }, `Supported by ${supported} of ${count(all, "sample")}, contradicted by ${contradicted}.`, ...words);
}

/** What was searched for, hop by hop, how many passages were found, and the verdict where another hop depended on it. */
function searchLines(searches) {
  return searches.map(({ hop, queries, found: passages, label, error }) => {
    const asked = queries.flatMap((text, place) => [place ? ", " : "", el("q", {}, text)]);
    const found = error ? `failed: ${error}` : `${count(passages, "passage")} found`;
    const after = label ? `, then ${NAMES[label] || label}` : "";
    return el("p", { class: "searches soft small" }, hop > 1 ? `Searched again (hop ${hop}): ` : "Searched for: ", ...asked, ` – ${found}${after}.`);
  });
}

function verdict(item) {
  const label = labelOf(item);
  const name = NAMES[label] || label;
  return el("span", { class: `verdict ${label}` },
    el("span", { class: "mark", "aria-hidden": "true" }, MARKS[label]), name);
}

/** Light or dark: the setting of the system, until the button is used. */
function startTheme(changed = () => {}) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const apply = () => {
    const theme = chosen || (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
    changed(theme);
  };
  system.addEventListener("change", apply);
  byId("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    apply();
  });
  apply();
}

function startHelp() {
  byId("help").addEventListener("click", () => byId("keys").showModal());
}

/** A tooltip at the pointer. The page also shows its content elsewhere. */
const tip = {
  show(event, ...nodes) {
    const box = byId("tip");
    box.replaceChildren(...nodes);
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, window.innerWidth - width - 8);
    const below = event.clientY + 18;
    box.style.left = `${Math.max(8, left)}px`;
    box.style.top = `${below + height > window.innerHeight - 8 ? Math.max(8, event.clientY - height - 12) : below}px`;
  },
  hide() { byId("tip").hidden = true; },
};

/** Keyboard shortcuts, which are off in text fields. */
function startKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    const typing = event.target.matches("input, select, textarea");
    if (typing && event.key !== "Escape") return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Saves texts or blobs, one after the other, as one file. */
function download(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
