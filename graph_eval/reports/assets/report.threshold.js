// The threshold: labels of claims as in graph_eval/checkers/merge.py, of responses as in graph_eval/aggregate.py.

const STEPS = [0.3, 0.5, 0.7]; // thresholds whose counts the page shows
const SUPPORTED = { label: "Entailment", flagged: false };
const UNSUPPORTED = { label: "Neutral", flagged: true };
const REFUTED = { label: "Contradiction", flagged: true };
const WORST_FIRST = ["Contradiction", "Neutral", "Entailment"];

/** Whether the verdict of the run stays: none can be given, or the flag is the same. */
function staysAt(claim, threshold) {
  if (threshold === null || claim.p_inconsistent === null || claim.reason === "no_passage") return true;
  return claim.given.label !== null && claim.given.flagged === claim.p_inconsistent > threshold;
}

/** Label and flag of a claim. `threshold`: null for the verdict of the run. */
function verdictAt(claim, threshold) {
  if (staysAt(claim, threshold)) return claim.given;
  if (claim.p_inconsistent <= threshold) return SUPPORTED;
  return claim.contradicted ? REFUTED : UNSUPPORTED;
}

/** The evidence of a claim, deciding evidence first. */
function evidenceOf(claim) {
  if (staysAt(claim, state.threshold)) return claim.evidence;
  const column = claim.label === "Contradiction" ? 2 : 0;
  return [...claim.evidence].sort((a, b) => b.scores[column] - a.scores[column]);
}

const moreFrequent = (counts) => counts.Contradiction > counts.Neutral ? "Contradiction" : "Neutral";
const worstOf = (counts) => WORST_FIRST.find((label) => counts[label]) || "Entailment";

/** The label of a response from the number of its claims of each label, by the name of the rule. */
const RULES = {
  any: (counts) => worstOf({ ...counts, Entailment: 1 }),
  strict: worstOf,
  soft: (counts) => counts.Entailment / counts.claims >= 0.5 ? "Entailment" : moreFrequent(counts),
  major: (counts) => WORST_FIRST.reduce((best, label) => counts[label] > counts[best] ? label : best),
  mean: (counts, p, threshold) => p <= threshold ? "Entailment" : moreFrequent(counts),
  rate: (counts, p, threshold, share) => counts.flagged <= share * counts.claims ? "Entailment" : moreFrequent(counts),
};

/** The label of a response at a threshold and the number of its flagged claims. Failed and empty ones keep theirs. */
function responseAt(row, threshold) {
  const counts = { Contradiction: 0, Neutral: 0, Entailment: 0, flagged: 0, claims: row.claims.length };
  const anyOf = { Contradiction: 0, Neutral: 0 }; // of flagged claims only
  for (const claim of row.claims) {
    const { label, flagged } = verdictAt(claim, threshold);
    if (label in counts) counts[label] += 1;
    if (flagged) {
      counts.flagged += 1;
      if (label in anyOf) anyOf[label] += 1;
    }
  }
  const kept = threshold === null || row.given.label === null || !row.claims.length;
  const [name, share] = basis.aggregate.split(":");
  const rule = RULES[name] ? name : "any";
  const label = kept ? row.given.label
    : RULES[rule](rule === "any" ? anyOf : counts, row.p_inconsistent, threshold, Number(share));
  return { label, flagged: counts.flagged };
}

const isInconsistent = (label) => label === "Neutral" || label === "Contradiction";

/** The number of inconsistent responses and of flagged claims at a threshold. */
function countsAt(threshold) {
  let inconsistent = 0, claims = 0;
  for (const row of responses) {
    const { label, flagged } = responseAt(row, threshold);
    inconsistent += isInconsistent(label);
    claims += flagged;
  }
  return { inconsistent, claims };
}

/** Gives every claim and every response its verdict at the threshold. */
function flagAll(threshold) {
  state.threshold = threshold;
  for (const row of responses) {
    for (const claim of row.claims) {
      const { label, flagged } = verdictAt(claim, threshold);
      claim.label = label;
      claim.flagged = flagged;
    }
    Object.assign(row, responseAt(row, threshold));
  }
}

// ---- the slider ----

function showSteps() {
  byId("steps").replaceChildren(el("span", { class: "small" }, "Flagged at"), ...STEPS.map((step) => {
    const { inconsistent, claims } = countsAt(step);
    return el("button", { type: "button", "data-step": step, "aria-pressed": "false", title: `Set the threshold to ${step}`, onclick: () => moveThreshold(step) },
      el("b", { class: "number" }, `${step}:`), " ", el("span", { class: "small number" }, `${count(inconsistent, "response")}, ${count(claims, "claim")}`));
  }));
}

function showThreshold() {
  const slider = byId("threshold"), own = state.threshold === null;
  const value = own ? basis.threshold : state.threshold;
  slider.value = String(value ?? 0.5);
  byId("threshold-value").textContent = value === null ? "of the run" : value.toFixed(2);
  slider.setAttribute("aria-valuetext", own ? `${value === null ? "" : `${value.toFixed(2)}, `}verdicts of the run` : value.toFixed(2));
  byId("own").setAttribute("aria-pressed", String(own));
  byId("line").style.left = `${100 * (value ?? 0.5)}%`;
  byId("line").hidden = value === null;
  for (const button of byId("steps").querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.step) === state.threshold));
}

/** Flags everything again. `threshold`: null for the verdicts of the run. */
function moveThreshold(threshold) {
  flagAll(threshold);
  showThreshold();
  showTotals();
  showHistogram();
  fillLabels();
  filter({ keep: true });
}
