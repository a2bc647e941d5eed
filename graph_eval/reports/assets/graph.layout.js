// A layered layout (Sugiyama, Tagawa and Toda, 1981) from left to right. The label of a link is a cell of its own
// column, so that no label meets another one or a node.

const SWEEPS = 12;

/**
 * Places one connected component. `items`: { id, width, height, order }. `links`: { id, from, to, width, height, order,
 * beside }: the size of its label (0: none), and the link whose label stands right above its own. Returns the centres
 * of items and labels by id, each with the width of its `column`, the bends of links, and the size of the whole. Its
 * top left corner is (0, 0).
 */
function layered(items, links, gap) {
  const cells = new Map(items.map((item) => [item.id, { ...item, kind: "item", before: [], after: [] }]));
  const { forward, rank } = ranked(items, links);
  const bends = new Map(), labels = new Map();
  const join = (one, other) => { one.after.push(other); other.before.push(one); };
  for (const link of forward) {
    const chain = [cells.get(link.start)];
    const last = link.self ? rank.get(link.start) + 2 : rank.get(link.end);
    for (let at = rank.get(link.start) + 1; at < last; at++) {
      const isLabel = at === rank.get(link.start) + 1;
      const cell = { id: link.id, kind: isLabel ? "label" : "bend", width: isLabel ? link.width : 0, height: isLabel ? link.height : 4, order: link.order, beside: isLabel ? link.beside : undefined, before: [], after: [], rank: at };
      if (isLabel) labels.set(link.id, cell);
      else (bends.get(link.id) || bends.set(link.id, []).get(link.id)).push(cell);
      join(chain[chain.length - 1], cell);
      chain.push(cell);
    }
    if (!link.self) join(chain[chain.length - 1], cells.get(link.end));
  }
  const columns = [];
  const put = (cell, at) => (columns[at] || (columns[at] = [])).push(cell);
  for (const item of items) put(cells.get(item.id), rank.get(item.id));
  for (const group of [labels.values(), ...bends.values()]) for (const cell of group) put(cell, cell.rank);
  for (let at = 0; at < columns.length; at++) columns[at] = (columns[at] || []).sort((a, b) => a.order - b.order);
  order(columns);
  const size = place(columns, gap);
  const centre = ({ x, y, column }) => ({ x, y, column });
  return {
    ...size,
    items: new Map([...cells].map(([id, cell]) => [id, centre(cell)])),
    labels: new Map([...labels].map(([id, cell]) => [id, centre(cell)])),
    bends: new Map([...bends].map(([id, path]) => [id, path.map(centre)])),
    backward: new Set(forward.filter((link) => link.backward).map((link) => link.id)),
  };
}

/** Links without circles (`backward`: turned round), and the column of every item: an even number. */
function ranked(items, links) {
  const out = new Map(items.map((item) => [item.id, []])), incoming = new Map(items.map((item) => [item.id, 0]));
  for (const link of links) {
    if (link.from === link.to) continue;
    out.get(link.from).push(link);
    incoming.set(link.to, incoming.get(link.to) + 1);
  }
  const state = new Map(), forward = [], finished = [];
  const sources = [...items].sort((a, b) => (incoming.get(a.id) > 0) - (incoming.get(b.id) > 0) || a.order - b.order);
  for (const { id: root } of sources) {
    if (state.has(root)) continue;
    const stack = [{ id: root, at: 0 }];
    state.set(root, "open");
    while (stack.length) {
      const top = stack[stack.length - 1], mine = out.get(top.id);
      if (top.at === mine.length) { state.set(top.id, "done"); finished.push(top.id); stack.pop(); continue; }
      const link = mine[top.at++];
      const backward = state.get(link.to) === "open";
      forward.push({ ...link, backward, start: backward ? link.to : link.from, end: backward ? link.from : link.to });
      if (!state.has(link.to)) { state.set(link.to, "open"); stack.push({ id: link.to, at: 0 }); }
    }
  }
  const rank = new Map(items.map((item) => [item.id, 0]));
  const starts = new Map(items.map((item) => [item.id, []]));
  for (const link of forward) starts.get(link.start).push(link);
  const topological = topologically(items, forward);
  for (const id of topological) for (const link of starts.get(id)) rank.set(link.end, Math.max(rank.get(link.end), rank.get(id) + 2));
  for (const id of [...topological].reverse()) { // sources stand next to what they lead to
    const mine = starts.get(id);
    if (mine.length && !forward.some((link) => link.end === id)) rank.set(id, Math.min(...mine.map((link) => rank.get(link.end))) - 2);
  }
  align(forward, rank);
  for (const link of links) if (link.from === link.to) forward.push({ ...link, self: true, start: link.from, end: link.to });
  return { forward, rank };
}

/** Moves an item whose only links stand beside others into the column of theirs. */
function align(forward, rank) {
  const linkOf = new Map(forward.map((link) => [link.id, link]));
  for (const link of forward) {
    const other = linkOf.get(link.beside);
    if (!other) continue;
    const wanted = rank.get(other.start);
    const mine = forward.filter((one) => one.start === link.start || one.end === link.start);
    if (mine.every((one) => one.beside !== undefined && one.start === link.start && (one === link || rank.get(one.end) > wanted))) {
      const last = forward.every((one) => one.start !== link.end && (one.end !== link.end || one === link));
      if (last || rank.get(link.end) > wanted) rank.set(link.start, wanted);
      if (last) rank.set(link.end, wanted + 2);
    }
  }
}

function topologically(items, forward) {
  const waiting = new Map(items.map((item) => [item.id, 0])), starts = new Map(items.map((item) => [item.id, []]));
  for (const link of forward) { waiting.set(link.end, waiting.get(link.end) + 1); starts.get(link.start).push(link.end); }
  const ready = items.filter((item) => !waiting.get(item.id)).map((item) => item.id), order = [];
  while (ready.length) {
    const id = ready.shift();
    order.push(id);
    for (const end of starts.get(id)) {
      waiting.set(end, waiting.get(end) - 1);
      if (!waiting.get(end)) ready.push(end);
    }
  }
  return order;
}

/** Sorts the cells of each column by the mean place of their neighbours, and keeps the order with fewest crossings. */
function order(columns) {
  const number = () => columns.forEach((column) => column.forEach((cell, at) => { cell.at = at; }));
  columns.forEach((column, at) => { columns[at] = together(column); });
  number();
  let best = columns.map((column) => [...column]), fewest = crossings(columns);
  for (let sweep = 0; sweep < SWEEPS && fewest; sweep++) {
    const down = sweep % 2 === 0;
    const sequence = down ? columns.map((_, at) => at) : columns.map((_, at) => columns.length - 1 - at);
    for (const at of sequence) {
      for (const cell of columns[at]) {
        const near = down ? cell.before : cell.after;
        cell.mean = near.length ? near.reduce((sum, other) => sum + other.at, 0) / near.length : cell.at;
      }
      columns[at] = together([...columns[at]].sort((a, b) => a.mean - b.mean || a.at - b.at));
      columns[at].forEach((cell, place) => { cell.at = place; });
    }
    const now = crossings(columns);
    if (now < fewest) { fewest = now; best = columns.map((column) => [...column]); }
  }
  best.forEach((column, at) => { columns[at] = column; });
  number();
}

/** The column with each label that stands `beside` another one right below it. */
function together(column) {
  const ids = new Set(column.filter((cell) => cell.kind === "label").map((cell) => cell.id));
  const followers = new Map();
  for (const cell of column) {
    if (cell.beside !== undefined && ids.has(cell.beside)) (followers.get(cell.beside) || followers.set(cell.beside, []).get(cell.beside)).push(cell);
  }
  const led = new Set([...followers.values()].flat());
  return column.filter((cell) => !led.has(cell)).flatMap((cell) => [cell, ...(cell.kind === "label" && followers.get(cell.id) || [])]);
}

function crossings(columns) {
  let sum = 0;
  for (const column of columns) {
    const ends = column.flatMap((cell) => cell.after.map((other) => other.at).sort((a, b) => a - b));
    for (let i = 0; i < ends.length; i++) for (let j = i + 1; j < ends.length; j++) sum += ends[j] < ends[i];
  }
  return sum;
}

/** Sets x and y of every cell: close to its neighbours, in the order of its column, and apart from the others. */
function place(columns, gap) {
  let x = 0;
  for (const column of columns) {
    const width = Math.max(0, ...column.map((cell) => cell.width));
    for (const cell of column) Object.assign(cell, { x: x + width / 2, column: width });
    x += width + gap.x;
  }
  for (const column of columns) {
    let y = 0;
    for (const cell of column) { cell.y = y + cell.height / 2; y += cell.height + gap.y; }
  }
  const mean = (cells, fallback) => cells.length ? cells.reduce((sum, cell) => sum + cell.y, 0) / cells.length : fallback;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const column of down ? columns : [...columns].reverse()) {
      spread(column, column.map((cell) => {
        const near = down ? cell.before : cell.after;
        return mean(near.length ? near : [...cell.before, ...cell.after], cell.y);
      }), gap.y);
    }
  }
  const all = columns.flat();
  const top = Math.min(...all.map((cell) => cell.y - cell.height / 2));
  for (const cell of all) cell.y -= top;
  return { width: x - gap.x, height: Math.max(...all.map((cell) => cell.y + cell.height / 2)) };
}

/** The places nearest to the wanted ones that keep order and distance: isotonic regression (pool adjacent violators). */
function spread(column, wanted, gap) {
  const offsets = [];
  let offset = 0;
  column.forEach((cell, at) => {
    if (at) offset += (column[at - 1].height + cell.height) / 2 + gap;
    offsets.push(offset);
  });
  const blocks = [];
  wanted.forEach((y, at) => {
    blocks.push({ sum: y - offsets[at], size: 1 });
    while (blocks.length > 1) {
      const last = blocks[blocks.length - 1], before = blocks[blocks.length - 2];
      if (before.sum / before.size <= last.sum / last.size) break;
      before.sum += last.sum;
      before.size += last.size;
      blocks.pop();
    }
  });
  let at = 0;
  for (const { sum, size } of blocks) for (let i = 0; i < size; i++, at++) column[at].y = sum / size + offsets[at];
}

/** Connected components as { items, links }, in the order of their first link or item. */
function components(items, links) {
  const parent = new Map(items.map((item) => [item.id, item.id]));
  const root = (id) => {
    while (parent.get(id) !== id) { parent.set(id, parent.get(parent.get(id))); id = parent.get(id); }
    return id;
  };
  const linkOf = new Map(links.map((link) => [link.id, link]));
  for (const link of links) {
    parent.set(root(link.from), root(link.to));
    if (linkOf.has(link.beside)) parent.set(root(link.from), root(linkOf.get(link.beside).from));
  }
  const groups = new Map();
  const groupOf = (id) => groups.get(root(id)) || groups.set(root(id), { items: [], links: [] }).get(root(id));
  for (const item of items) groupOf(item.id).items.push(item);
  for (const link of links) groupOf(link.from).links.push(link);
  return [...groups.values()];
}

/**
 * Places boxes { width, height } one after the other, each as high as it can stand, then as far left, within this width.
 * Sets x and y; returns the size of the whole.
 */
function packed(boxes, width, gap) {
  const placed = [];
  for (const box of boxes) {
    let best = null;
    for (const x of [0, ...placed.map((other) => other.x + other.width + gap)]) {
      if (x && x + box.width > width) continue;
      const above = placed.filter((other) => other.x < x + box.width + gap && x < other.x + other.width + gap).sort((a, b) => a.y - b.y);
      let y = 0; // the first gap between those above that the box fits into
      for (const other of above) {
        if (y + box.height + gap <= other.y) break;
        y = Math.max(y, other.y + other.height + gap);
      }
      if (!best || y < best.y || (y === best.y && x < best.x)) best = { x, y };
    }
    placed.push(Object.assign(box, best));
  }
  return { width: Math.max(0, ...placed.map((box) => box.x + box.width)), height: Math.max(0, ...placed.map((box) => box.y + box.height)) };
}
