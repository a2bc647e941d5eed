// The table of the claims of the shown responses, as CSV: the columns of `check --format csv`, then label and note.

const BOM = "\ufeff"; // by which spreadsheets know UTF-8

/** One line of CSV. A spreadsheet reads no cell of it as a formula. */
function csvLine(cells) {
  return `${cells.map((value) => {
    const text = String(value ?? "");
    const cell = basis.formula_starts.some((start) => text.startsWith(start)) ? `'${text}` : text;
    return /[",\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
  }).join(",")}\n`;
}

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

function saveTable() {
  const lines = [csvLine([...basis.columns, "your_label", "your_note"])];
  for (const row of state.shown) for (const cells of csvRows(row)) lines.push(csvLine(cells));
  download(fileName("-claims.csv"), BOM + lines.join(""), "text/csv;charset=utf-8");
}
