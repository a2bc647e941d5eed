// Scenes: which boxes and links a view draws. A scene is { items, links, left }, where `left` counts what is not drawn.
// An item: { id, shape, order, node | claim | response }. A link: { id, from, to, shape, order, claims | stated, beside }.

const MOST_CLAIMS = 60; // in one scene: more of them cannot be read
const MOST_BOXES = 40, MOST_GROUPS = 30; // of the grouped scenes
const MOST_NOTES = 12; // flagged claims that show what the context says

/**
 * The scene of these claims. Equal claims of several responses, word by word, are merged into one link with a count.
 * `hidden`: ids of entities without their claims. `most`: links and sentences that are drawn, the worst first. `same`: the
 * entity that stands for others of its name, by their ids.
 */
function claimScene(wanted, { hidden = new Set(), most = MOST_CLAIMS, same = new Map() } = {}) {
  const kept = wanted.filter((claim) => !claim.ends.some((end) => hidden.has(end)) || claim.kind === "sentence");
  const merged = new Map();
  for (const claim of kept) {
    const key = claim.kind === "sentence" ? claim.key : `${same.get(claim.from) ?? claim.from}\n${claim.predicate}\n${nodes[claim.to].kind === "blank" ? claim.to : nodes[claim.to].name}`.toLowerCase();
    (merged.get(key) || merged.set(key, []).get(key)).push(claim);
  }
  let groups = [...merged.values()].map((group) => group.sort(byWeight));
  if (groups.length > most) groups = groups.sort((a, b) => byWeight(a[0], b[0])).slice(0, most);
  const drawn = new Set(groups.flat()), several = new Set(kept.map((claim) => claim.response)).size > 1;
  const items = new Map(), links = [];
  const order = (claim) => several ? claim.rank + 1 - (claim.p ?? 0) : claim.place; // in the order of the text, or the worst first
  const marks = new Map(); // words that differ from the context, or that the context has instead, by entity
  const entity = (id, at, words = []) => {
    marks.set(id, [...(marks.get(id) || []), ...words]);
    if (!items.has(id)) items.set(id, { id: `n${id}`, node: nodes[id], order: at });
  };
  const notes = [...drawn].filter((claim) => labelOf(claim) === "Contradiction" && isFlagged(claim)).length <= MOST_NOTES;
  const note = (claim) => notes && isFlagged(claim) && labelOf(claim) === "Contradiction" && !claim.stating.length ? telling(claim) : null;
  for (const group of groups) {
    if (group[0].kind === "sentence") continue;
    const [claim] = group, at = order(claim);
    const words = group.filter(isFlagged).flatMap((item) => item.marked || []);
    const from = same.get(claim.from) ?? claim.from, to = same.get(claim.to) ?? claim.to;
    entity(from, at, words);
    entity(to, at + 0.5, words);
    const id = claim.key;
    links.push({ id, from: `n${from}`, to: `n${to}`, claims: group, shape: group.length > 1 ? mergedShape(group) : claimShape(claim, note(claim)), order: at });
    for (const edge of group.length > 1 ? [] : claim.stating) {
      if (links.some((link) => link.stated === edge)) continue;
      const known = wordsOf(claim.text);
      for (const [end, later] of [[edge.from, 0.2], [edge.to, 0.7]]) entity(end, at + later, items.has(end) ? [] : differing(nodes[end].name, known));
      links.push({ id: `s${edge.at}`, from: `n${edge.from}`, to: `n${edge.to}`, stated: edge, refuted: group, shape: statedShape(edge), order: at + 0.1, beside: id });
    }
  }
  for (const item of items.values()) item.shape = entityShape(item.node, marks.get(item.node.id));
  for (const [claim] of groups) {
    if (claim.kind !== "sentence") continue;
    const item = { id: claim.key, claim, shape: sentenceShape(claim, note(claim)), order: order(claim) };
    items.set(claim.key, item);
    const end = claim.ends.find((id) => items.has(id));
    if (end !== undefined) links.push({ id: `m${claim.key}`, from: `n${end}`, to: claim.key, shape: null, order: order(claim) });
  }
  return { items: [...items.values()], links, left: kept.length - drawn.size, noun: "claim" };
}

const LEAST_STACK = 4; // responses to one question, or over one context: more of them are drawn as one box
const MOST_SHARED = 14; // entities between the boxes

/** Responses by their question or context, in order of the worst. Few responses are not grouped. */
function stacks(chosen) {
  const groups = new Map();
  for (const response of chosen) (groups.get(response.subject) || groups.set(response.subject, []).get(response.subject)).push(response);
  return [...groups].map(([subject, members]) => ({ subject, members, stacked: chosen.length > 16 && members.length >= LEAST_STACK }));
}

/** Responses as boxes, joined by the named entities that several boxes share. An opened box shows what is inside it. */
function responsesScene(opened) {
  const found = stacks(shown.responses), boxes = [];
  for (const { subject, members, stacked } of found) {
    if (stacked && !opened.has(`q${subject}`)) boxes.push({ id: `q${subject}`, members, stack: { subject, members } });
    else for (const response of members) boxes.push({ id: `a${response.at}`, members: [response], response });
  }
  const chosen = boxes.slice(0, MOST_BOXES), open = chosen.filter((box) => box.response && opened.has(box.id));
  const scene = claimScene(open.flatMap(({ response }) => response.claims.filter(inView)));
  const items = new Map(scene.items.map((item) => [item.id, item])), links = [...scene.links];
  const holders = new Map();
  chosen.forEach((box, at) => {
    items.set(box.id, { ...box, shape: box.stack ? stackShape(box.members) : responseShape(box.response), order: at });
    if (open.includes(box)) links.push(...rootsOf(box, scene, items));
    for (const id of new Set(box.members.flatMap((response) => response.claims.filter(inView).flatMap((claim) => claim.ends)))) {
      if (nodes[id].named) (holders.get(id) || holders.set(id, []).get(id)).push([box, at]);
    }
  });
  const shared = [...holders].filter(([, inside]) => inside.length > 1)
    .sort(([a], [b]) => nodes[b].bad - nodes[a].bad || nodes[b].shown - nodes[a].shown).slice(0, MOST_SHARED);
  for (const [id, inside] of shared) {
    if (!items.has(`n${id}`)) items.set(`n${id}`, { id: `n${id}`, node: nodes[id], shape: entityShape(nodes[id]), order: inside[0][1] + 0.5 });
    for (const [box, at] of inside) {
      if (open.includes(box)) continue;
      const group = box.members.flatMap((response) => response.claims.filter((claim) => inView(claim) && claim.ends.includes(id)));
      links.push({ id: `g${box.id}-${id}`, from: box.id, to: `n${id}`, claims: group, shape: group.some(isFlagged) ? countShape(group) : null, order: at });
    }
  }
  const left = boxes.slice(MOST_BOXES).reduce((sum, box) => sum + box.members.length, 0);
  return { items: [...items.values()], links, left, noun: "response" };
}

/** Thin lines from the box of an opened response to its claims: to one item of each of their islands. */
function rootsOf(box, scene, items) {
  const mine = new Set(box.response.claims.map((claim) => claim.key));
  const inside = scene.links.filter((link) => (link.claims && link.claims.some((claim) => mine.has(claim.key))));
  const ends = new Set([...inside.map((link) => link.from), ...scene.items.filter((item) => item.claim && mine.has(item.id)).map((item) => item.id)]);
  const targets = new Set(scene.links.filter((link) => link.from !== link.to).map((link) => link.to));
  let roots = [...ends].filter((id) => !targets.has(id) || items.get(id)?.claim);
  if (!roots.length) roots = [...ends].slice(0, 1);
  return roots.map((id, at) => ({ id: `r${box.id}-${id}`, from: box.id, to: id, shape: null, order: at }));
}

/** Entities as boxes, joined by the claims about both. Opened entities show the objects of their flagged claims. */
function entitiesScene(opened) {
  const groups = shown.entities.filter((node) => node.shown > 1 || node.spread > 1).slice(0, MOST_GROUPS);
  const inside = new Set(groups.map((node) => node.id));
  const between = new Map(), single = [];
  for (const node of groups) {
    for (const claim of node.claims) {
      if (!inView(claim) || claim.kind === "sentence") continue;
      if (inside.has(claim.from) && inside.has(claim.to)) {
        if (claim.from !== node.id) continue; // met once, at its subject
        const key = `${claim.from} ${claim.to}`;
        (between.get(key) || between.set(key, []).get(key)).push(claim);
      } else if (opened.has(`n${node.id}`)) single.push(claim);
    }
  }
  const scene = claimScene(single.sort(byWeight));
  const items = new Map(scene.items.map((item) => [item.id, item]));
  groups.forEach((node, at) => items.set(`n${node.id}`, { id: `n${node.id}`, node, group: true, shape: groupShape(node), order: at }));
  const links = [...scene.links];
  for (const [key, group] of between) {
    const [from, to] = key.split(" ");
    links.push({ id: `b${from}-${to}`, from: `n${from}`, to: `n${to}`, claims: group, shape: group.length > 1 ? mergedShape(group) : claimShape(group[0], null), order: Number(from) });
  }
  return { items: [...items.values()], links, left: shown.entities.length - groups.length, noun: "entity" };
}

function countShape(group) {
  const bad = group.filter(isFlagged).length, tone = bad ? TONE[labelOf([...group].sort(byWeight)[0])] : "soft";
  return box([{ text: bad ? `${bad} of ${group.length} flagged` : count(group.length, "claim"), look: { size: sizes.words, tone }, most: sizes.predicate, lines: 1 }], { background: "panel", radius: 4 }, { x: 5, y: 2 });
}
