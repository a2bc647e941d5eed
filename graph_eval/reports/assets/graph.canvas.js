// The drawing itself: a scene on vis.js's canvas. Positions come from graph.layout.js, so vis.js moves nothing.

const drawnNodes = new vis.DataSet(), drawnEdges = new vis.DataSet();
const network = new vis.Network(byId("drawing"), { nodes: drawnNodes, edges: drawnEdges }, {
  autoResize: true,
  layout: { improvedLayout: false, randomSeed: 1 },
  nodes: { shape: "custom", chosen: false },
  edges: { chosen: false, selectionWidth: 0, hoverWidth: 0, arrows: { to: { scaleFactor: 0.6 } } },
  interaction: { hover: true, tooltipDelay: 1e9, keyboard: false, multiselect: false, selectConnectedEdges: false, hoverConnectedEdges: false },
  physics: false,
});

/** The scene in view, and its boxes by id: { x, y, width, height, text } in the units of the canvas. */
const drawn = { scene: { items: [], links: [] }, boxes: new Map(), chosen: () => false };

const LEAST_STUB = 30; // pixels by which a column is wider than a box before lines run straight to its edge

function drawScene(scene) {
  const stage = byId("drawing");
  readSizes(stage.clientWidth);
  drawn.scene = scene;
  drawn.boxes.clear();
  const laidOut = components(
    scene.items.map((item) => ({ id: item.id, width: item.shape.width, height: item.shape.height, order: item.order })),
    scene.links.map((link) => ({ id: link.id, from: link.from, to: link.to, width: link.shape ? link.shape.width : 0, height: link.shape ? link.shape.height : 4, order: link.order, beside: link.beside })),
  ).map((part) => ({ ...layered(part.items, part.links, sizes.gap), part }));
  const scale = arranged(laidOut, stage.clientWidth, stage.clientHeight);
  const vnodes = [], vedges = [], outer = new Set();
  const itemOf = new Map(scene.items.map((item) => [item.id, item])), linkOf = new Map(scene.links.map((link) => [link.id, link]));
  const node = (id, at, shape) => {
    drawn.boxes.set(id, { ...at, width: shape.width, height: shape.height, text: shape.text });
    vnodes.push({ id, ...at, size: Math.max(shape.width, shape.height) / 2, ctxRenderer: ({ ctx, x, y }) => ({ drawNode: () => shape.draw(ctx, x, y, drawn.chosen(id)), nodeDimensions: { width: shape.width, height: shape.height } }) });
  };
  /** Lines meet a box in the middle of its left or its right side, and run straight to the edge of its column. */
  const ports = (id, at, shape, column) => {
    for (const [side, sign] of [["<", -1], [">", 1]]) {
      bend(`${id}${side}`, { x: at.x + sign * shape.width / 2, y: at.y });
      if (column - shape.width > LEAST_STUB) outer.add(`${id}${side}`), bend(`${id}${side}${side}`, { x: at.x + sign * column / 2, y: at.y });
    }
  };
  const bend = (id, at) => vnodes.push({ id, ...at, size: 1, ctxRenderer: () => ({ drawNode: () => {}, nodeDimensions: { width: 1, height: 1 } }) });
  for (const box of laidOut) {
    const at = (point) => ({ x: box.x + point.x, y: box.y + point.y });
    for (const { id } of box.part.items) {
      node(id, at(box.items.get(id)), itemOf.get(id).shape);
      ports(id, at(box.items.get(id)), itemOf.get(id).shape, box.items.get(id).column);
    }
    for (const { id } of box.part.links) {
      const link = linkOf.get(id), backward = box.backward.has(id), path = [];
      if (link.shape) {
        node(id, at(box.labels.get(id)), link.shape);
        ports(id, at(box.labels.get(id)), link.shape, box.labels.get(id).column);
        path.push([`${id}<`, `${id}>`]);
      } else {
        bend(id, at(box.labels.get(id)));
        path.push([id, id]);
      }
      (box.bends.get(id) || []).forEach((point, place) => { bend(`${id}/${place}`, at(point)); path.push([`${id}/${place}`, `${id}/${place}`]); });
      const loop = link.from === link.to;
      if (backward) path.reverse().forEach((stop) => stop.reverse());
      const ends = backward ? [`${link.from}<`, `${link.to}>`] : loop ? [`${link.from}>`, `${link.to}>`] : [`${link.from}>`, `${link.to}<`];
      if (loop) path[0][1] = path[0][0];
      let from = ends[0], place = 0;
      const edgeOf = (port) => outer.has(port) && !loop ? [`${port}${port.slice(-1)}`] : [];
      for (const [to, next] of [...path, [ends[1]]]) {
        const stops = [from, ...edgeOf(from), ...edgeOf(to), to];
        for (let i = 0; i + 1 < stops.length; i++) {
          vedges.push(segment(link, stops[i], stops[i + 1], place++, to === ends[1] && i + 2 === stops.length));
        }
        from = next;
      }
    }
  }
  drawnEdges.clear();
  drawnNodes.clear();
  drawnNodes.add(vnodes);
  for (const { id } of vnodes) { // vis.js takes a custom shape for a square until it has drawn it twice
    const box = drawn.boxes.get(id);
    Object.assign(network.body.nodes[id].shape, { customSizeWidth: box ? box.width : 1, customSizeHeight: box ? box.height : 1 });
  }
  drawnEdges.add(vedges);
  network.redraw();
  document.body.dataset.drawn = drawn.boxes.size;
  return scale;
}

/** One piece of a link's line. Claims have an arrow at the object. */
function segment(link, from, to, place, last) {
  const look = lineOf(link);
  return {
    id: `${link.id}:${place}`, from, to, color: { color: look.tone, opacity: look.opacity }, dashes: look.dash, width: look.width,
    arrows: { to: { enabled: last && look.arrow } },
    smooth: link.from === link.to ? { enabled: true, type: "curvedCW", roundness: 0.4 } : { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 },
  };
}

function lineOf(link) {
  if (link.stated) return { tone: tones.accent, dash: STATED_DASH, width: 1.8, opacity: 0.9, arrow: true };
  if (!link.claims) return { tone: tones.soft, dash: [1, 5], width: 1, opacity: 0.8, arrow: false };
  const worst = [...link.claims].sort(byWeight)[0], label = labelOf(worst);
  const bad = isFlagged(worst);
  const share = supportOf(link.claims); // of samples: the width then shows it
  return { tone: tones[TONE[label]], dash: bad || label !== "Entailment" ? DASHES[label] : false, width: share === null ? bad ? 2.4 : 1.5 : 1 + 5 * share, opacity: bad ? 1 : 0.75, arrow: link.id[0] !== "g" };
}

/** The least share of samples that support one of the claims, null if none was compared with samples. */
function supportOf(claims) {
  const shares = claims.filter((claim) => claim.samples).map(({ samples: [supported, , all] }) => supported / all);
  return shares.length ? Math.min(...shares) : null;
}

/** Packs the components for the stage, at the largest scale at which all of them fit. Moves the view there. */
function arranged(boxes, width, height) {
  const margin = width < 560 ? 8 : 24, gap = width < 560 ? 26 : 46;
  const order = [...boxes];
  let scale = 1.15, size;
  for (scale of width < 560 ? [1] : [1.15, 1.05, 1, 0.95, sizes.least]) {
    size = packed(order, (width - 2 * margin) / scale, gap);
    if (size.width * scale <= width - 2 * margin && size.height * scale <= height - 2 * margin) break;
  }
  const fits = (whole, part) => part * scale <= whole - 2 * margin;
  const centre = {
    x: fits(width, size.width) ? size.width / 2 : (width / 2 - margin) / scale,
    y: fits(height, size.height) ? size.height / 2 : (height / 2 - margin) / scale,
  };
  drawn.home = { position: centre, scale, animation: false };
  drawn.fits = fits(width, size.width) && fits(height, size.height);
  network.moveTo(drawn.home);
  return scale;
}

/** A box that is dragged takes the ends of its lines with it. */
network.on("dragging", ({ nodes: dragged }) => {
  for (const id of dragged) {
    const box = drawn.boxes.get(id);
    if (!box) continue;
    Object.assign(box, network.getPosition(id));
    for (const [side, sign] of [["<", -1], [">", 1]]) {
      for (const port of [`${id}${side}`, `${id}${side}${side}`]) if (drawnNodes.get(port)) network.moveNode(port, box.x + sign * box.width / 2, box.y);
    }
  }
});

/** Draws all again in the colours of the theme, or after a choice. */
function repaint() {
  drawnEdges.update(drawnEdges.get().map((edge) => {
    const link = drawn.scene.links.find((item) => item.id === edge.id.slice(0, edge.id.lastIndexOf(":")));
    const look = lineOf(link), chosen = drawn.chosen(link.id);
    return { id: edge.id, color: { color: chosen ? tones.accent : look.tone, opacity: look.opacity }, width: chosen ? 4 : look.width };
  }));
  network.redraw();
}

/** Moves the view only if one of the boxes is not visible. */
function intoView(ids) {
  const boxes = ids.map((id) => drawn.boxes.get(id)).filter(Boolean);
  if (!boxes.length) return;
  const { clientWidth: width, clientHeight: height } = byId("drawing"), scale = network.getScale();
  const seen = boxes.every((box) => {
    const { x, y } = network.canvasToDOM(box);
    return x - box.width * scale / 2 > 0 && y - box.height * scale / 2 > 0 && x + box.width * scale / 2 < width && y + box.height * scale / 2 < height;
  });
  if (seen && scale > 0.5) return;
  const middle = (axis) => boxes.reduce((sum, box) => sum + box[axis], 0) / boxes.length;
  network.moveTo({ position: { x: middle("x"), y: middle("y") }, scale: Math.max(scale, sizes.least), animation: false });
}

/** Saves the whole drawing as a PNG on the background colour of the page. */
function savePicture(name) {
  const boxes = [...drawn.boxes.values()], margin = 24;
  const reach = (axis, size, sign) => Math.max(...boxes.map((box) => sign * box[axis] + box[size] / 2));
  const [right, left, bottom, top] = [reach("x", "width", 1), reach("x", "width", -1), reach("y", "height", 1), reach("y", "height", -1)];
  const before = { position: network.getViewPosition(), scale: network.getScale(), animation: false };
  drawn.saving = true;
  network.setSize(`${Math.ceil(right + left + 2 * margin)}px`, `${Math.ceil(bottom + top + 2 * margin)}px`);
  network.moveTo({ position: { x: (right - left) / 2, y: (bottom - top) / 2 }, scale: 1, animation: false });
  network.redraw();
  const from = byId("drawing").querySelector("canvas");
  const to = el("canvas", { width: from.width, height: from.height });
  const ctx = to.getContext("2d");
  ctx.fillStyle = tones.panel;
  ctx.fillRect(0, 0, to.width, to.height);
  ctx.drawImage(from, 0, 0);
  network.setSize("100%", "100%");
  network.moveTo(before);
  network.redraw();
  drawn.saving = false;
  to.toBlob((blob) => download(`${name}.png`, [blob], "image/png"));
}
