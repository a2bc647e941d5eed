// The search box: entities, responses and claims as you type. Arrow keys choose, Enter opens.

const MOST_FOUND = 7; // of each kind
const searching = { index: null, found: [], at: -1 };

function searchIndex() {
  return searching.index || (searching.index = [
    { title: "Entities", items: entities.map((node) => [node.name.toLowerCase(), node]), row: entityRow },
    { title: "Responses", items: responses.map((response) => [`${response.id}\n${response.model || ""}\n${response.question || ""}`.toLowerCase(), response]), row: responseRow },
    { title: "Claims", items: claims.map((claim) => [claim.text.toLowerCase(), claim]), row: claimRow },
  ]);
}

const runOf = (response) => runs.length > 1 ? ` (${runs[response.run]})` : "";
const entityRow = (node) => ({ name: node.name, figures: `${node.claims.filter(isFlagged).length}/${node.claims.length}`, open: () => { reveal(node.claims[0]); choosePlace(node); } });
const responseRow = (response) => ({ name: responseName(response) + runOf(response), figures: `${response.flagged}/${response.claims.length}`, mark: labelOf(response), open: () => { reveal(response.claims[0], response); go({ kind: "response", response }); } });
const claimRow = (claim) => ({ name: claim.text, figures: shortId(responses[claim.response].id) + runOf(responses[claim.response]), mark: labelOf(claim), open: () => { reveal(claim); go({ kind: "response", response: responses[claim.response] }); choose({ claim }); } });

/** Opens an entity, or ends a path that waits for its other end. */
function choosePlace(node) {
  if (state.pathFrom && state.pathFrom !== node) go({ kind: "path", start: state.pathFrom, end: node });
  else go({ kind: "entity", node });
}

function search() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = byId("found");
  searching.found = [];
  searching.at = -1;
  if (!words.length) return closeSearch();
  const children = [];
  for (const { title, items, row } of searchIndex()) {
    const hits = [], starts = [];
    let more = 0;
    for (const [text, item] of items) {
      if (!words.every((word) => text.includes(word))) continue;
      if (text.startsWith(words[0]) && starts.length < MOST_FOUND) starts.push(item);
      else if (hits.length < MOST_FOUND) hits.push(item);
      more += 1;
    }
    const chosen = [...starts, ...hits].slice(0, MOST_FOUND);
    if (!chosen.length) continue;
    const options = chosen.map((item) => {
      const { name, figures, mark, open } = row(item), place = searching.found.length;
      const option = el("div", { role: "option", id: `found-${place}`, class: "option", "aria-selected": "false", onmousedown: (event) => { event.preventDefault(); take(place); } },
        mark ? el("span", { class: `mark ${mark}` }, el("span", { "aria-hidden": "true" }, MARKS[mark]), el("span", { class: "unseen" }, mark)) : el("span", {}),
        el("span", { class: "name" }, name), el("span", { class: "soft small number" }, figures));
      searching.found.push({ option, open });
      return option;
    });
    children.push(el("div", { role: "group", "aria-label": title }, el("div", { class: "group", "aria-hidden": "true" }, more > chosen.length ? `${title} (${more.toLocaleString("en")})` : title), ...options));
  }
  if (!children.length) children.push(el("div", { role: "option", class: "option empty", "aria-disabled": "true", "aria-selected": "false" }, "Nothing found."));
  list.replaceChildren(...children);
  list.hidden = false;
  byId("search").setAttribute("aria-expanded", "true");
  if (searching.found.length) mark(0);
}

function mark(place) {
  searching.found.forEach(({ option }, at) => option.setAttribute("aria-selected", String(at === place)));
  searching.at = place;
  byId("search").setAttribute("aria-activedescendant", `found-${place}`);
  searching.found[place].option.scrollIntoView({ block: "nearest" });
}

function take(place) {
  const { open } = searching.found[place];
  byId("search").value = "";
  closeSearch();
  byId("search").blur();
  open();
}

function closeSearch() {
  byId("found").hidden = true;
  byId("search").setAttribute("aria-expanded", "false");
  byId("search").removeAttribute("aria-activedescendant");
}

function startSearch() {
  const box = byId("search");
  box.addEventListener("input", search);
  box.addEventListener("focus", () => { searchIndex(); if (box.value) search(); });
  box.addEventListener("blur", closeSearch);
  box.addEventListener("keydown", (event) => {
    const size = searching.found.length;
    if (event.key === "Escape") { box.value = ""; closeSearch(); box.blur(); }
    else if (event.key === "Enter" && searching.at >= 0) take(searching.at);
    else if (event.key === "ArrowDown" && size) mark((searching.at + 1) % size);
    else if (event.key === "ArrowUp" && size) mark((searching.at + size - 1) % size);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
