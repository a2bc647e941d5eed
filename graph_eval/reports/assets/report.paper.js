// The report on paper: a summary of the responses that match the filter, then each with its flagged claims.

let screenTheme = "light";

function clearPaper() {
  document.documentElement.dataset.theme = screenTheme;
  byId("paper").replaceChildren();
}

function layOut() {
  screenTheme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light"; // paper is white
  byId("paper").replaceChildren(summary(), ...state.shown.map(sheet));
}

function summary() {
  const totals = totalsOf(state.shown).map(([name, value, share]) => `${value.toLocaleString("en")} ${name}${share ? ` (${share})` : ""}`);
  const threshold = state.threshold ?? basis.threshold;
  const said = [totals.join(", "), threshold === null ? null : `threshold ${threshold.toFixed(2)}`].filter(Boolean).join("; ");
  const head = ["Response", "Model", "Label", "p(inconsistent)", "Flagged claims"];
  return el("section", { class: "summary" },
    el("h2", {}, "Summary"), el("p", {}, `${said}.`),
    state.shown.length < responses.length ? el("p", {}, `Only responses that match the filter are shown: ${byId("count").textContent}.`) : null,
    el("table", {},
      el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, ...state.shown.map((row) => el("tr", {},
        ...[row.id, row.model].map((text) => el("td", {}, text)), el("td", {}, verdict(row)),
        el("td", { class: "number" }, probability(row.p_inconsistent)), el("td", { class: "number" }, shareOf(row)))))));
}

function sheet(row) {
  return el("section", { class: "sheet" },
    heading(row, "h3"),
    row.question ? el("p", { class: "question" }, row.question) : null,
    row.error ? el("p", { class: "failure" }, row.error) : null,
    el("div", { class: "text" }, ...annotated(row, () => {})),
    ...row.claims.filter((claim) => claim.flagged).map((claim) => {
      const [best] = evidenceOf(claim), passage = best && row.passages[best.passage];
      const { label, note } = labelledBy(claim);
      return el("div", { class: "finding" },
        el("p", {}, verdict(claim), ` ${probability(claim.p_inconsistent)} `, ...claimWords(claim)),
        label || note ? el("p", {}, ["Your label: ", label || "none", note ? `. ${note}` : ""].join("")) : null,
        ...(row.stated[claim.place] ? [statement(claim)] : passage ? [closest(claim), quote(best, passage, true)] : []));
    }));
}
