// The table of the claims of the shown responses, as CSV: the columns of `check --format csv`, then label and note.

const BOM = "\ufeff"; // by which spreadsheets know UTF-8

/** A cell of CSV. A spreadsheet does not read it as a formula. */
function csvCell(value) {
  if (typeof value === "number") return String(value);
  if (!value) return "";
  const text = basis.formula_starts.includes(value[0]) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvLine = (cells) => `${cells.map(csvCell).join(",")}\n`;

/** The rows of one response: one for each claim, or one for a response without claims. */
function csvRows(row) {
  const first = [row.n, row.id, row.model, row.label];
  const width = basis.columns.length;
  if (!row.claims.length) return [[...first, ...new Array(width - first.length - 1).fill(""), row.error, "", ""]];
  return row.claims.map((claim) => {
    const spans = spansOf(claim), [best] = evidenceOf(claim), passage = best && row.passages[best.passage];
    const slots = claim.slots.length ? claim.slots.map((slot) => slot.text) : ["", "", ""];
    const { label, note } = labelledBy(claim);
    return [
      ...first, claim.text, claim.kind, ...slots, claim.label, claim.p_inconsistent, Number(claim.flagged),
      spans[0][0], spans[spans.length - 1][1], passage ? slicerOf(passage.text).slice(...best.span) : "", claim.error,
      label, note,
    ];
  });
}

/** Builds the table in slices, so that the page stays responsive. */
async function saveTable() {
  const rows = state.shown, parts = [BOM, csvLine([...basis.columns, "your_label", "your_note"])];
  let pause = performance.now() + 40;
  for (const row of rows) {
    parts.push(...csvRows(row).map(csvLine));
    if (performance.now() > pause) {
      await new Promise((resolve) => setTimeout(resolve));
      pause = performance.now() + 40;
    }
  }
  download(fileName("-claims.csv"), parts, "text/csv;charset=utf-8");
}
