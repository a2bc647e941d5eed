// Overviews of many responses: responses as points by their share of flagged claims, entities by flags, a matrix of models
// against topics or datasets, and claims of two responses that contradict each other. Everything leads to a drawing.

const COLUMNS = ["0%", "1–10%", "11–20%", "21–30%", "31–40%", "41–50%", "51–60%", "61–70%", "71–80%", "81–90%", "91–100%"];
const MOST_ROWS = 40;

const columnOf = (response) => response.bad ? Math.max(1, Math.min(10, Math.ceil(10 * response.bad / response.shown - 1e-9))) : 0;

const overviews = {
  responses: () => [el("h2", {}, "Responses by the share of their claims that is flagged"), ...responsePoints()],
  entities: () => [el("h2", {}, "Entities by the number of flagged claims about them"), entityBars()],
  matrix: () => [el("h2", {}, "Share of flagged claims, by model"), ...matrix()],
  contradictions: () => [el("h2", {}, "Responses that contradict each other"), ...contradictionList()],
};

// ---- responses ----

function responsePoints() {
  const columns = COLUMNS.map(() => []);
  const judged = shown.responses.filter((response) => response.shown && labelOf(response) !== "open");
  for (const response of judged) columns[columnOf(response)].push(response);
  const without = shown.responses.filter((response) => !response.shown).length;
  const unjudged = shown.responses.length - judged.length - without;
  const width = Math.max(280, byId("overview").clientWidth - 40), most = Math.max(200, byId("overview").clientHeight - 210);
  const share = (at) => at === 0 ? 3 : 1; // most responses have no flags
  const each = (at) => Math.floor(share(at) * width / (COLUMNS.length + 2)) - 6;
  let point = 22;
  while (point > 3 && columns.some((column, at) => Math.ceil(column.length / Math.max(1, Math.floor(each(at) / point))) * point > most)) point -= 1;
  const chart = el("div", { class: "points" }, ...columns.map((column, at) => {
    const across = Math.max(1, Math.min(column.length, Math.floor(each(at) / point))), rows = Math.ceil(column.length / across);
    const canvas = el("canvas", { width: across * point * 2, height: Math.max(1, rows * point * 2), role: "img", "aria-label": `${COLUMNS[at]} of the claims flagged: ${count(column.length, "response")}` });
    canvas.style.width = `${across * point}px`;
    canvas.style.height = `${rows * point}px`;
    const ctx = canvas.getContext("2d");
    ctx.scale(2, 2);
    column.forEach((response, i) => drawPoint(ctx, (i % across) * point, (rows - 1 - Math.floor(i / across)) * point, point, labelOf(response)));
    const under = (event) => {
      const { left, top } = canvas.getBoundingClientRect();
      const x = Math.floor((event.clientX - left) / point), y = rows - 1 - Math.floor((event.clientY - top) / point);
      return column[y * across + x];
    };
    canvas.addEventListener("click", (event) => { const response = under(event); if (response) go({ kind: "response", response }); });
    canvas.addEventListener("mousemove", (event) => {
      const response = under(event);
      if (response) tip.show(event, ...responseTip(response));
      else tip.hide();
    });
    canvas.addEventListener("mouseleave", () => tip.hide());
    return el("div", { class: `column${at ? "" : " wide"}` },
      el("div", { class: "stack" }, el("span", { class: "number small" }, column.length ? column.length.toLocaleString("en") : ""), canvas),
      el("span", { class: "soft tick" }, COLUMNS[at]));
  }));
  return [
    el("p", { class: "soft small" }, "One square is one response. Click it to see its claims. The list has the same responses, the worst first."),
    chart,
    el("ul", { class: "key inline" },
      ...["Contradiction", "Neutral", "Entailment"].map((label) => {
        const canvas = el("canvas", { width: 24, height: 24, "aria-hidden": "true" });
        canvas.style.width = canvas.style.height = "12px";
        const ctx = canvas.getContext("2d");
        ctx.scale(2, 2);
        drawPoint(ctx, 0, 0, 12, label);
        return el("li", {}, canvas, { Contradiction: "contradicted", Neutral: "not in the context", Entailment: "supported" }[label]);
      })),
    without ? el("p", { class: "soft small" }, `${count(without, "response")} without claims.`) : null,
    unjudged ? el("p", { class: "soft small" }, `${count(unjudged, "response")} without verdicts.`) : null,
  ].filter(Boolean);
}

function drawPoint(ctx, x, y, size, label) {
  const inner = Math.max(2, size - Math.max(1, size / 8)), tone = tones[TONE[label]];
  ctx.fillStyle = ctx.strokeStyle = tone;
  if (label === "Contradiction") ctx.fillRect(x, y, inner, inner);
  else if (label === "Neutral") { ctx.lineWidth = Math.max(1, size / 7); ctx.strokeRect(x + 1, y + 1, inner - 2, inner - 2); if (size > 8) ctx.fillRect(x + inner / 2 - 2, y + inner / 2 - 2, 4, 4); }
  else { ctx.lineWidth = 1; ctx.strokeRect(x + 0.5, y + 0.5, inner - 1, inner - 1); }
}

const responseTip = (response) => [
  el("p", { class: "words" }, responseName(response)),
  el("p", {}, verdict(response), ` ${response.bad} of ${count(response.shown, "claim")} flagged`),
  el("p", { class: "soft" }, shortened(response.text || "", 160)),
];

const shortened = (text, most) => text.length > most ? `${text.slice(0, most).trimEnd()}…` : text;

// ---- entities ----

function entityBars() {
  const listed = joined(shown.entities.slice(0, 3 * MOST_ROWS)).slice(0, MOST_ROWS), longest = Math.max(1, ...listed.map((group) => group.shown));
  if (!listed.length) return el("p", { class: "empty" }, "No entity matches this filter.");
  return el("div", {}, el("ol", { class: "bars" }, ...listed.map((group) => {
    const { node } = group;
    const all = el("span", { class: "bar" }), bad = el("span", { class: "bad" });
    all.style.width = `${100 * group.shown / longest}%`;
    bad.style.width = `${100 * group.bad / group.shown}%`;
    all.append(bad);
    return el("li", {}, el("button", { type: "button", onclick: () => go({ kind: "entity", node }) },
      el("span", { class: "name" }, node.name),
      el("span", { class: "track", "aria-hidden": "true" }, all),
      el("span", { class: "number figures" }, `${group.bad} of ${group.shown} flagged${group.spread > 1 ? `, ${count(group.spread, "response")}` : ""}`)));
  })), shown.entities.length > listed.length ? el("p", { class: "soft small" }, `${(shown.entities.length - listed.length).toLocaleString("en")} more. Search for an entity by its name.`) : null);
}

/** Entities of one name over one context as one row. */
function joined(listed) {
  const rows = new Map();
  for (const node of listed) {
    const key = `${responses[node.claims[0].response].subject}\n${node.name.toLowerCase()}`;
    const row = rows.get(key) || rows.set(key, { node, shown: 0, bad: 0, spread: 0 }).get(key);
    row.shown += node.shown;
    row.bad += node.bad;
    row.spread += node.spread;
  }
  return [...rows.values()].sort((a, b) => b.bad - a.bad || b.shown - a.shown);
}

// ---- models against topics or datasets ----

let matrixBy = "topic";

function matrix() {
  const cells = new Map(), rows = new Map(), columns = new Map();
  const at = (map, key, make) => map.get(key) || map.set(key, make()).get(key), none = () => ({ all: 0, bad: 0 });
  for (const claim of shown.claims) {
    const response = responses[claim.response], model = response.model || NO_VALUE;
    const column = matrixBy === "topic" ? claim.topic : response.dataset || NO_VALUE;
    for (const cell of [at(at(cells, model, () => new Map()), column, none), at(rows, model, none), at(columns, column, none)]) {
      cell.all += 1;
      cell.bad += isFlagged(claim);
    }
  }
  const cellAt = (model, column) => cells.get(model).get(column);
  const share = (cell) => cell ? cell.bad / cell.all : -1;
  const models = [...rows.keys()].sort((a, b) => share(rows.get(b)) - share(rows.get(a))).slice(0, MOST_ROWS);
  const heads = matrixBy === "topic" ? TOPICS.filter((name) => columns.has(name)) : [...columns.keys()].sort().slice(0, 12);
  const by = el("select", { id: "matrix-by", "aria-label": "Columns", onchange: (event) => { matrixBy = event.target.value; refresh(); } },
    el("option", { value: "topic", selected: matrixBy === "topic" }, "by topic of the claim"),
    el("option", { value: "dataset", selected: matrixBy === "dataset" }, "by dataset"));
  const worstOf = new Map(heads.map((head) => [head, models.filter((model) => cellAt(model, head)).sort((a, b) => {
    const one = cellAt(a, head), other = cellAt(b, head);
    return share(other) - share(one) || other.bad - one.bad;
  })[0]]));
  const cellOf = (cell, wanted, name, worst) => {
    if (!cell) return el("td", { class: "soft" }, "–");
    const button = el("button", { type: "button", class: worst ? "worst" : "", "aria-label": `${name}: ${cell.bad} of ${cell.all} claims flagged${worst ? ", the highest share in this column" : ""}`, onclick: () => showOnly(wanted) },
      el("b", {}, percent(cell.bad, cell.all)), el("span", { class: "soft small" }, `${cell.bad.toLocaleString("en")} of ${cell.all.toLocaleString("en")}`));
    button.style.setProperty("--share", `${Math.round(100 * share(cell))}%`);
    return el("td", {}, button);
  };
  const titleOf = (value) => value === NO_VALUE ? "none" : value;
  if (!models.length) return [el("p", { class: "empty" }, "No claim matches this filter.")];
  return [
    el("p", { class: "soft small" }, "Each cell has the share of flagged claims. The worst cell of a column has a frame. Click a cell to list its claims."),
    el("p", {}, by),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Share of flagged claims" }, el("table", { class: "matrix" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "model"), ...heads.map((head) => el("th", { scope: "col" }, titleOf(head))), el("th", { scope: "col" }, "all"))),
      el("tbody", {}, ...models.map((model) => el("tr", {},
        el("th", { scope: "row" }, titleOf(model)),
        ...heads.map((head) => cellOf(cellAt(model, head), { model, [matrixBy]: head }, `${titleOf(model)}, ${titleOf(head)}`, models.length > 1 && worstOf.get(head) === model && share(cellAt(model, head)) > 0)),
        cellOf(rows.get(model), { model }, titleOf(model), false)))))),
  ];
}

/** Narrows the filter to a cell of the matrix, and lists the flagged claims that it leaves. */
function showOnly(wanted) {
  Object.assign(filter, wanted);
  filter.label = "flagged";
  showFilter();
  go({ kind: "responses" });
  listWorst("claims");
}

// ---- contradictions ----

/** The models that say so, or the ids of the responses if they have no model. */
function saidBy(side) {
  const names = [...new Set(side.map(({ response }) => responses[response].model || shortId(responses[response].id)))];
  return names.length > 4 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
}

function contradictionList() {
  const groups = contradictions();
  if (!groups.length) return [el("p", { class: "empty" }, "No two responses to one question state different objects for the same subject and predicate.")];
  return [
    el("p", { class: "soft small" }, "Claims of responses to the same question, or over the same context, with the same subject and predicate and different objects. Those of which only some are flagged come first."),
    el("ol", { class: "pairs" }, ...groups.slice(0, MOST_ROWS).map((group) => el("li", {}, el("button", { type: "button", onclick: () => go({ kind: "claims", claims: group.claims }) },
      el("span", { class: "words" }, `${nodes[group.claims[0].from].name} → ${group.claims[0].predicate} → …`),
      ...[...group.objects].sort((a, b) => byWeight(a[0], b[0])).slice(0, 5).map((side) => el("span", { class: "side-of" },
        el("span", { class: `mark ${labelOf(side[0])}`, "aria-hidden": "true" }, MARKS[labelOf(side[0])]),
        el("b", {}, shortened(nodes[side[0].to].name, 90)), el("span", { class: "unseen" }, labelOf(side[0])),
        el("span", { class: "soft small" }, saidBy(side))))))),
    ),
    groups.length > MOST_ROWS ? el("p", { class: "soft small" }, `${groups.length - MOST_ROWS} more. Narrow the filter to see them.`) : null,
  ].filter(Boolean);
}
