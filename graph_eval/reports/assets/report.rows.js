// The rows of the report: what the file leaves out is filled in, and words are searched.

/** The rows of the data block: one JSON value a line. */
function dataRows() {
  return byId("data").textContent.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
}

const PARTS = ["subject", "predicate", "object"];
const MAX_CACHED = 12; // words with their matches

const passages = [];
const responses = [];
let basis = {}; // title, threshold, rule, ... of the run

/** A claim with all its fields. `given`: its verdict in the run, which the threshold may replace. */
function completeClaim(claim, place, row, slice) {
  claim.row = row;
  claim.place = place;
  claim.kind ??= "triplet";
  claim.text ??= "";
  claim.slots ??= [];
  for (const slot of claim.slots) {
    slot.spans ??= [];
    slot.text ??= slot.spans.map((span) => slice(...span)).join(" ");
  }
  claim.label ??= null;
  claim.p_inconsistent ??= null;
  claim.flagged ??= false;
  claim.unsupported ??= [];
  claim.decided_by ??= null;
  claim.evidence ??= [];
  claim.contradicted = false;
  for (const { scores, locations } of claim.evidence) {
    claim.contradicted ||= scores[2] > scores[1];
    locations.forEach((location, at) => {
      location.part ??= PARTS[at];
      location.spans ??= [];
      location.missing ??= [];
    });
  }
  claim.given = { label: claim.label, flagged: claim.flagged };
}

function completeRow(row, place, byPassage) {
  row.place = place;
  for (const name of ["dataset", "model", "question", "response"]) row[name] ??= "";
  for (const name of ["label", "p_inconsistent", "error", "revision"]) row[name] ??= null;
  row.stated ??= {};
  if (row.revision) {
    row.revision.edits ??= [];
    row.revision.corrections ??= [];
    for (const edit of row.revision.edits) {
      edit.new ??= "";
      edit.offered ??= false;
    }
  }
  row.claims ??= [];
  row.passages = (row.context || []).map((id) => byPassage.get(id));
  const { slice } = slicer(row.response);
  row.claims.forEach((claim, at) => completeClaim(claim, at, row, slice));
  row.flagged = row.claims.reduce((sum, claim) => sum + claim.flagged, 0);
  row.given = { label: row.label };
}

function readRows() {
  const byPassage = new Map();
  for (const row of dataRows()) {
    if (row.passage) {
      row.place = passages.length;
      byPassage.set(row.passage, row);
      passages.push(row);
    } else if (row.columns) basis = row;
    else responses.push(row);
  }
  responses.forEach((row, place) => completeRow(row, place, byPassage));
}

/** The spans of the words of a claim in the response, in order; the whole sentence where it has no slots. */
function spansOf(claim) {
  const spans = claim.slots.flatMap((slot) => slot.spans).sort(([a, b], [c, d]) => a - c || b - d);
  return spans.length ? spans.filter(([start, end], at) => !at || start !== spans[at - 1][0] || end !== spans[at - 1][1]) : [claim.sentence];
}

/** The slicer of a long text that is cut again and again. */
const slicers = new Map();
function slicerOf(text) {
  if (!slicers.has(text)) {
    if (slicers.size > 2000) slicers.clear();
    slicers.set(text, slicer(text));
  }
  return slicers.get(text);
}

// ---- search ----

const rowWords = (row) => row.words ??=
  [row.id, row.dataset, row.model, row.question, row.response, row.error || "", ...row.claims.map((claim) => claim.text)].join("\n").toLowerCase();
const passageWords = (passage) => passage.words ??= `${passage.source}\n${passage.text}`.toLowerCase();
const matches = new Map(); // by word: which passages and which responses contain it

/** For each response 1 if it or its context contains the word (in lower case). Each passage is searched once. */
function matching(word) {
  if (matches.has(word)) return matches.get(word).responses;
  const before = [...matches.keys()].filter((other) => word.includes(other)).sort((a, b) => b.length - a.length)[0];
  const known = matches.get(before);
  const found = { passages: new Uint8Array(passages.length), responses: new Uint8Array(responses.length) };
  passages.forEach((passage, place) => {
    found.passages[place] = !known || known.passages[place] ? passageWords(passage).includes(word) : 0;
  });
  responses.forEach((row, place) => {
    if (known && !known.responses[place]) return;
    found.responses[place] = row.passages.some((passage) => found.passages[passage.place]) || rowWords(row).includes(word);
  });
  if (matches.size >= MAX_CACHED) matches.delete(matches.keys().next().value);
  matches.set(word, found);
  return found.responses;
}

/** Prepares the texts for the search while nobody waits, so that the first key is as fast as the next. */
function prepareSearch(row = 0, passage = 0) {
  const end = performance.now() + 8;
  while (performance.now() < end && (row < responses.length || passage < passages.length)) {
    if (passage < passages.length) passageWords(passages[passage++]);
    else rowWords(responses[row++]);
  }
  if (row < responses.length || passage < passages.length) setTimeout(() => prepareSearch(row, passage), 20);
}
