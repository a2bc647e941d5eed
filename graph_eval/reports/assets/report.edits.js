// Edits of the responses that a person accepts or rejects, kept in the storage of the browser. Edits that were made are
// accepted at first, those that are only offered are not.

const choicesOfEdits = new Map(); // by the name of an edit: accepted or not, where that was changed
let editsStored = true;

const editsKey = () => `${storageKey()} edits`;
const editName = (row, at) => {
  const edit = editsOf(row)[at];
  return `${row.place}:${edit.start}-${edit.end}:${edit.new}`;
};
const editsOf = (row) => row.revision ? row.revision.edits : [];
const isAccepted = (row, at) => choicesOfEdits.get(editName(row, at)) ?? !editsOf(row)[at].offered;
const acceptedEdits = (row) => editsOf(row).filter((_, at) => isAccepted(row, at));
const isChanged = (row) => editsOf(row).some((_, at) => choicesOfEdits.has(editName(row, at)));

/** Two edits exclude each other if they share a character or begin at the same place. */
const collide = (one, other) => one !== other && (one.start === other.start || (one.start < other.end && other.start < one.end));

/** The response with the accepted edits. */
function correctedText(row) {
  if (row.revision?.final && !isChanged(row)) return row.revision.final;
  const { length, slice } = slicer(row.response);
  let text = "", place = 0;
  for (const edit of acceptedEdits(row)) {
    text += slice(place, edit.start) + edit.new;
    place = edit.end;
  }
  return text + slice(place, length);
}

function setChoice(row, at, value) {
  if (value === !editsOf(row)[at].offered) choicesOfEdits.delete(editName(row, at));
  else choicesOfEdits.set(editName(row, at), value);
}

/** The places of all edits that belong together with one: nobody checked a text with some of them. */
const groupOf = (row, at) => editsOf(row).flatMap((other, place) => other.group === editsOf(row)[at].group ? [place] : []);

/** Accepts or rejects an edit and those that belong together with it. What excludes an accepted edit is rejected. */
function setEdit(row, at, accepted) {
  const group = groupOf(row, at), all = editsOf(row);
  const excluded = !accepted ? [] : all.flatMap((other, place) =>
    !group.includes(place) && group.some((own) => collide(all[own], other)) ? groupOf(row, place) : []);
  for (const place of group) setChoice(row, place, accepted);
  for (const place of excluded) setChoice(row, place, false);
  keepEdits();
  showEdits();
}

/** Edits that exclude each other are not accepted together, whatever was stored: the offered ones give way. */
function settleEdits(row) {
  const all = editsOf(row);
  all.forEach((one, at) => all.forEach((other, place) => {
    if (at < place && isAccepted(row, at) && isAccepted(row, place) && collide(one, other)) setChoice(row, one.offered ? at : place, false);
  }));
}

function readEdits() {
  choicesOfEdits.clear();
  try {
    const kept = JSON.parse(localStorage.getItem(editsKey()) || "{}");
    const known = new Set(responses.flatMap((row) => editsOf(row).map((_, at) => editName(row, at))));
    for (const [name, value] of Object.entries(kept)) if (typeof value === "boolean" && known.has(name)) choicesOfEdits.set(name, value);
    responses.forEach(settleEdits);
  } catch {
    editsStored = false;
  }
}

function keepEdits() {
  try {
    if (choicesOfEdits.size) localStorage.setItem(editsKey(), JSON.stringify(Object.fromEntries(choicesOfEdits)));
    else localStorage.removeItem(editsKey());
    editsStored = true;
  } catch {
    editsStored = false; // refused or full: the choices stay in memory
  }
}

/** An edit in words: what is replaced, put in or left out. */
function editWords(row, edit) {
  const old = slicer(row.response).slice(edit.start, edit.end).trim();
  const now = edit.new.trim();
  if (!now) return ["Leave out ", el("del", {}, old)];
  if (!old) return ["Add ", el("ins", {}, now)];
  return [el("del", {}, old), " → ", el("ins", {}, now)];
}

/** The edits of a claim, each with the buttons that accept and reject it. */
function editBox(claim) {
  const { row } = claim;
  const own = editsOf(row).flatMap((edit, at) => edit.claims.includes(claim.place) ? [[edit, at]] : []);
  if (!own.length) return null;
  return el("div", { class: "edits", role: "group", "aria-label": "Edits" }, ...own.map(([edit, at]) => {
    const accept = el("button", { type: "button", class: "accept" }, "Accept");
    const reject = el("button", { type: "button", class: "reject" }, "Reject");
    const line = el("p", { class: "edit" }, edit.offered ? "Suggestion: " : "Edit: ", ...editWords(row, edit), " ", accept, " ", reject);
    line.showChoice = () => {
      accept.setAttribute("aria-pressed", String(isAccepted(row, at)));
      reject.setAttribute("aria-pressed", String(!isAccepted(row, at)));
    };
    accept.addEventListener("click", () => setEdit(row, at, true));
    reject.addEventListener("click", () => setEdit(row, at, false));
    line.showChoice();
    return line;
  }));
}

/** The response with its accepted edits: old words struck out, new words after them. A click on an edit selects its claim. */
function revisionNodes(row) {
  const { length, slice } = slicer(row.response);
  const nodes = [];
  let place = 0;
  for (const edit of acceptedEdits(row)) {
    const to = () => chooseClaim(row.claims[edit.claims[0]]);
    nodes.push(slice(place, edit.start));
    if (edit.end > edit.start) nodes.push(el("del", { onclick: to }, slice(edit.start, edit.end)));
    if (edit.new) nodes.push(el("ins", { onclick: to }, edit.new));
    place = edit.end;
  }
  nodes.push(slice(place, length));
  return nodes;
}

/** The title and the text of the corrections of a response, hidden while no edit is accepted. */
function corrected(row) {
  if (!editsOf(row).length) return [];
  return [el("h3", { class: "claims-title", id: "revision-title" }), el("div", { class: "text", id: "revision" })];
}

function showRevision(row) {
  const title = byId("revision-title"), box = byId("revision");
  if (!title) return;
  const made = acceptedEdits(row).length, all = editsOf(row).length;
  const rounds = row.revision.final !== undefined && !isChanged(row); // the text of further rounds, as it is saved
  title.hidden = box.hidden = !made && !rounds;
  title.textContent = rounds ? "Corrected text (after further rounds, which a choice discards)" : `Corrected text (${made} of ${count(all, "edit")})`;
  box.replaceChildren(...(rounds ? [row.revision.final] : revisionNodes(row)));
}

/** Shows all choices anew: those of the open claim, the corrected text, and what can be saved. */
function showEdits() {
  const row = state.response;
  if (row) showRevision(row);
  for (const line of byId("response").querySelectorAll(".edit")) line.showChoice();
  const any = responses.some((other) => editsOf(other).length);
  byId("save-corrected").hidden = byId("save-patch").hidden = !any;
  byId("unstored-edits").hidden = editsStored || !choicesOfEdits.size;
}

/** JSON as Python writes it, with blanks behind commas and colons. Values: texts, lists of texts. */
const pythonJson = (value) => Array.isArray(value) ? `[${value.map(pythonJson).join(", ")}]`
  : value !== null && typeof value === "object" ? `{${Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonJson(item)}`).join(", ")}}`
    : JSON.stringify(value);

/** The record of a response with its corrected text, as `--format records` prints it, without what the report does not
 * hold: samples, and fields of the record that are not read. Of a failed one its error. */
function correctedRecord(row) {
  if (row.response === undefined || row.error && !row.response) return { error: row.error };
  const fields = { id: row.id };
  if (row.dataset) fields.dataset = row.dataset;
  fields.response = correctedText(row);
  fields.context = row.passages.map(({ text, source }) => source ? { text, source } : text);
  if (row.question) fields.question = row.question;
  if (row.model) fields.model = row.model;
  return { ...fields, original: row.response };
}

// Lines end as they do for the programs that read patches: with \n alone.
const linesOf = (text) => text.match(/[^\n]*\n|[^\n]+$/g) || [];

/** The runs of lines that differ: [from, to, from, to] in the lines before and after. */
function changedLines(before, after) {
  if (before.length === after.length) {
    const runs = [];
    before.forEach((line, at) => {
      if (line === after[at]) return;
      const last = runs[runs.length - 1];
      if (last && last[1] === at) last[1] = last[3] = at + 1;
      else runs.push([at, at + 1, at, at + 1]);
    });
    return runs;
  }
  let first = 0, last = 0;
  while (first < Math.min(before.length, after.length) && before[first] === after[first]) first++;
  while (last < Math.min(before.length, after.length) - first && before[before.length - 1 - last] === after[after.length - 1 - last]) last++;
  return [[first, before.length - last, first, after.length - last]];
}

const lineRange = (start, stop) => stop - start === 1 ? `${start + 1}` : `${stop > start ? start + 1 : start},${stop - start}`;

/** A unified diff with one line of context. Empty if the texts are equal. */
function patchOf(row) {
  const text = correctedText(row);
  if (text === row.response) return "";
  const before = linesOf(row.response), after = linesOf(text);
  const groups = [];
  for (const run of changedLines(before, after)) {
    const last = groups[groups.length - 1];
    if (last && run[0] - last[last.length - 1][1] <= 2) last.push(run);
    else groups.push([run]);
  }
  const name = row.id.split(/\s+/).filter(Boolean).join(" ");
  const lines = [`--- a/${name}\n`, `+++ b/${name}\n`];
  for (const runs of groups) {
    const top = runs[0], end = runs[runs.length - 1];
    const lead = Math.min(1, top[0], top[2]), tail = Math.min(1, before.length - end[1], after.length - end[3]);
    lines.push(`@@ -${lineRange(top[0] - lead, end[1] + tail)} +${lineRange(top[2] - lead, end[3] + tail)} @@\n`);
    let place = top[0] - lead;
    for (const [from, to, start, stop] of runs) {
      for (; place < from; place++) lines.push(` ${before[place]}`);
      for (; place < to; place++) lines.push(`-${before[place]}`);
      for (let at = start; at < stop; at++) lines.push(`+${after[at]}`);
    }
    for (; place < end[1] + tail; place++) lines.push(` ${before[place]}`);
  }
  return lines.map((line) => line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`).join("");
}

function startEdits() {
  readEdits();
  byId("save-corrected").addEventListener("click", () =>
    download(fileName("-corrected.jsonl"), responses.map((row) => `${pythonJson(correctedRecord(row))}\n`), "application/x-ndjson"));
  byId("save-patch").addEventListener("click", () =>
    download(fileName("-corrections.patch"), responses.map(patchOf), "text/plain;charset=utf-8"));
  window.addEventListener("storage", (event) => { // another tab shows the same report
    if (event.key !== null && event.key !== editsKey()) return;
    readEdits();
    showEdits();
  });
  showEdits();
}
