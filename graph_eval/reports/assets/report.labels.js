// Labels and notes of a person, kept in the storage of the browser. `graph-eval label import` reads the saved file.

const CHOICES = ["Entailment", "Neutral", "Contradiction"];
const person = { labels: new Map(), stored: true, key: null }; // by claim id: { label: a name or null, note }

/** A number for the claims of this page, in their order (FNV-1a, 32 bits, from two starts). */
function digest() {
  let a = 0x811c9dc5, b = 0x9747b28c;
  for (const row of responses) {
    for (const { id } of row.claims) {
      for (let place = 0; place <= id.length; place++) {
        const unit = place < id.length ? id.charCodeAt(place) : 0; // 0 ends an id
        a = Math.imul(a ^ unit, 0x01000193);
        b = Math.imul(b ^ unit, 0x01000193);
      }
    }
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Reports of one title need not be of the same run: their labels are kept apart by the claims. */
const storageKey = () => person.key ??= `graph_eval labels: ${basis.report} ${digest()}`;
const labelledBy = (claim) => person.labels.get(claim.id) || { label: null, note: "" };

/** What the storage holds, as far as it is valid. */
function readLabels() {
  person.labels.clear();
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey()) || "{}");
    for (const [id, value] of Object.entries(kept)) {
      const label = CHOICES.includes(value?.label) ? value.label : null;
      const note = typeof value?.note === "string" ? value.note : "";
      if (label || note) person.labels.set(id, { label, note });
    }
  } catch {
    person.stored = false;
  }
}

function keepLabels() {
  try {
    if (person.labels.size) localStorage.setItem(storageKey(), JSON.stringify(Object.fromEntries(person.labels)));
    else localStorage.removeItem(storageKey());
    person.stored = true;
  } catch {
    person.stored = false; // refused or full: the labels stay in memory
  }
}

/** Sets the label, the note or both. Without either the claim has no entry. */
function setLabel(claim, change) {
  const value = { ...labelledBy(claim), ...change };
  if (value.label || value.note) person.labels.set(claim.id, value);
  else person.labels.delete(claim.id);
  keepLabels();
  showLabelled();
  for (const other of state.response ? state.response.claims : []) if (other.id === claim.id) showYours(other);
}

/** The entries of the claims in this file, in input order, each claim once. */
function labelRows() {
  const rows = new Map();
  if (!person.labels.size) return [];
  for (const row of responses) {
    for (const claim of row.claims) {
      const value = person.labels.get(claim.id);
      if (value) {
        rows.set(claim.id, {
          claim_id: claim.id, label: value.label, note: value.note, claim: claim.text,
          response_id: row.id, model: row.model || null, verdict: claim.label,
        });
      }
    }
  }
  return [...rows.values()];
}

function showLabelled() {
  const rows = labelRows();
  byId("labelled").textContent = `${rows.filter((row) => row.label).length.toLocaleString("en")} labelled`;
  byId("save-labels").disabled = byId("clear-labels").disabled = !rows.length;
  byId("unstored").hidden = person.stored || !rows.length;
}

/** The person's verdict on a claim, in its line of the list. */
function showYours(claim) {
  const { label, note } = labelledBy(claim);
  const said = !label ? "" : label === claim.label ? "right" : claim.label ? `should be ${label}` : label;
  const all = [said, note ? "note" : ""].filter(Boolean).join(", ");
  claim.button.querySelector(".yours").textContent = all ? `you: ${all}` : "";
}

/** Buttons, choice and note with which a person labels the claim. */
function personBox(claim) {
  const others = CHOICES.filter((label) => label !== claim.label);
  const usual = claim.flagged ? "Entailment" : "Neutral";
  const name = `choice-${claim.place}`;
  const choice = el("select", { id: name, "aria-label": "Right label of the claim" },
    ...others.map((label) => el("option", { value: label }, `${MARKS[label]} ${label}`)));
  const note = el("textarea", { rows: 1, placeholder: "Note", "aria-label": "Note on the claim", dir: "auto" });
  const right = el("button", { type: "button", class: "right" }, "Right");
  const wrong = el("button", { type: "button", class: "wrong" }, claim.label ? "Wrong" : "Label");
  const chosen = el("label", { class: "choice", for: name }, el("span", { class: "small soft" }, "right label"), " ", choice);
  const show = () => {
    const { label } = labelledBy(claim);
    right.setAttribute("aria-pressed", String(label !== null && label === claim.label));
    wrong.setAttribute("aria-pressed", String(label !== null && label !== claim.label));
    chosen.hidden = label === null || label === claim.label;
    if (!chosen.hidden) choice.value = label;
  };
  const set = (label) => { setLabel(claim, { label }); show(); };
  right.hidden = !claim.label;
  right.addEventListener("click", () => set(labelledBy(claim).label === claim.label ? null : claim.label));
  wrong.addEventListener("click", () => {
    const { label } = labelledBy(claim);
    set(label !== null && label !== claim.label ? null : usual);
  });
  choice.addEventListener("change", () => set(choice.value));
  note.value = labelledBy(claim).note;
  note.addEventListener("input", () => setLabel(claim, { note: note.value }));
  claim.showLabel = () => {
    show();
    if (document.activeElement !== note) note.value = labelledBy(claim).note; // what is being typed stays
  };
  show();
  return el("div", { class: "person", role: "group", "aria-label": "Your label" },
    el("span", { class: "small soft", "aria-hidden": "true" }, "The verdict is"), right, wrong, chosen, note);
}

/** A name for a file, from the title of the report. */
const fileName = (ending) => `${basis.report.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^[._]+/, "").slice(0, 80) || "report"}${ending}`;

function saveLabels() {
  const lines = labelRows().map((row) => `${JSON.stringify(row)}\n`);
  const name = fileName("-labels.jsonl");
  download(name, lines, "application/x-ndjson");
  byId("labelled").textContent = `Saved ${saying(labelRows())} to ${name}`;
}

/** How many labels, and how many notes without a label. */
function saying(rows) {
  const labels = rows.filter((row) => row.label).length, notes = rows.length - labels;
  return [labels ? count(labels, "label") : "", notes ? count(notes, "note") : ""].filter(Boolean).join(" and ");
}

/** Deletes the labels of the claims of this page. */
function clearLabels() {
  for (const row of responses) for (const claim of row.claims) person.labels.delete(claim.id);
  keepLabels();
  showLabels();
}

/** Shows all labels anew. The selected claim stays open, and its note keeps the cursor. */
function showLabels() {
  showLabelled();
  state.response?.claims.forEach(showYours);
  state.claim?.showLabel();
}

function startLabels() {
  const dialog = byId("clear");
  readLabels();
  showLabelled();
  byId("save-labels").addEventListener("click", saveLabels);
  byId("clear-labels").addEventListener("click", () => {
    byId("clear-count").textContent = count(labelRows().length, "claim");
    dialog.showModal();
  });
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // no shortcuts while it asks
  dialog.addEventListener("close", () => { if (dialog.returnValue === "clear") clearLabels(); });
  window.addEventListener("storage", (event) => { // another tab shows the same report
    if (event.key !== null && event.key !== storageKey()) return;
    readLabels();
    showLabels();
  });
}
