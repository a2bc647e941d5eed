// What the drawing's boxes look like: text in lines, measured before it is placed.

const TONES = ["ink", "soft", "line", "panel", "faint", "accent", "accent-soft", "entailment", "entailment-soft", "neutral", "neutral-soft", "contradiction", "contradiction-soft", "abstain", "abstain-soft"];
const tones = {};
const FAMILY = getComputedStyle(document.body).fontFamily;
const pen = document.createElement("canvas").getContext("2d");

/** Sizes in pixels at scale 1. A narrow stage has narrower columns. */
let sizes = {};

function readSizes(width) {
  sizes = width < 560
    ? { name: 13, words: 12, note: 12, entity: 100, predicate: 92, quote: 130, sentence: 220, response: 140, gap: { x: 12, y: 9 }, least: 1 }
    : { name: 14, words: 13, note: 12.5, entity: 190, predicate: 190, quote: 220, sentence: 330, response: 200, gap: { x: 34, y: 12 }, least: 0.9 };
}

function readTones() {
  const style = getComputedStyle(document.documentElement);
  for (const name of TONES) tones[name] = style.getPropertyValue(`--${name}`).trim();
}

const font = (size, bold, italic) => `${italic ? "italic " : ""}${bold ? "700 " : ""}${size}px ${FAMILY}`;

function widthOf(text, look) {
  pen.font = font(look.size, look.bold, look.italic);
  return pen.measureText(text).width;
}

/** A text as lines of words { text, bold, width, blank } that are no wider than `most` pixels. */
function wrapped(text, look, most, lines, marked = []) {
  const bold = new Set();
  const lower = text.toLowerCase();
  for (const words of marked) {
    const wanted = words.toLowerCase();
    for (let at = lower.indexOf(wanted); wanted && at >= 0; at = lower.indexOf(wanted, at + 1)) {
      if (/[\p{L}\p{N}]/u.test((text[at - 1] || "") + (text[at + wanted.length] || ""))) continue;
      for (let i = at; i < at + wanted.length; i++) bold.add(i);
    }
  }
  const words = [];
  for (const match of text.matchAll(/\S+/g)) {
    const style = { ...look, bold: look.bold || [...match[0]].some((_, i) => bold.has(match.index + i)) };
    let rest = Array.from(match[0]);
    while (rest.length) { // a word that is wider than a line is cut
      let size = rest.length;
      while (size > 1 && widthOf(rest.slice(0, size).join(""), style) > most) size = Math.max(1, Math.floor(size * 0.8));
      const piece = rest.slice(0, size).join("");
      words.push({ text: piece, bold: style.bold, width: widthOf(piece, style), glued: rest.length !== Array.from(match[0]).length });
      rest = rest.slice(size);
    }
  }
  const blank = widthOf(" ", look), found = [[]];
  let width = 0;
  for (const word of words) {
    const before = width && !word.glued ? blank : 0;
    if (width && width + before + word.width > most) { found.push([]); width = 0; }
    const line = found[found.length - 1];
    line.push({ ...word, blank: width && !word.glued ? blank : 0 });
    width += (line.length > 1 && !word.glued ? blank : 0) + word.width;
  }
  if (found.length > lines) {
    const last = found[lines - 1];
    found.length = lines;
    while (last.length > 1 && lineWidth(last) + widthOf("…", look) > most) last.pop();
    last.push({ text: "…", bold: false, width: widthOf("…", look), blank: 0 });
  }
  return found;
}

const lineWidth = (line) => line.reduce((sum, word) => sum + word.blank + word.width, 0);

/**
 * A box of paragraphs { text, look: { size, tone, bold, italic }, most, lines, marked, align }. `look`: background,
 * border (tones), dash, radius, thick, least (width), squares (labels). Returns { width, height, draw, text }, where
 * `text` is the size of its smallest letters.
 */
function box(paragraphs, look, pad = { x: 9, y: 5 }) {
  const blocks = paragraphs.map((item) => ({ ...item, rows: wrapped(item.text, item.look, item.most, item.lines, item.marked) }));
  const width = Math.ceil(Math.max(10, ...blocks.flatMap((block) => block.rows.map(lineWidth))) + 2 * pad.x);
  const inner = blocks.reduce((sum, block, at) => sum + block.rows.length * block.look.size * 1.3 + (at ? 4 : 0), 0);
  const extra = look.squares ? 17 : 0;
  const full = Math.max(width, look.least || 0, look.squares ? Math.min(look.squares.length, MOST_SQUARES) * squareStep(look.squares) + 2 * pad.x : 0);
  const height = Math.ceil(inner + extra + 2 * pad.y);
  const sizeOf = Math.min(...blocks.map((block) => block.look.size));
  function draw(ctx, x, y, chosen) {
    const left = x - full / 2, top = y - height / 2;
    ctx.save();
    ctx.beginPath();
    ctx.roundRect(left, top, full, height, look.radius ?? 5);
    ctx.fillStyle = tones[look.background || "panel"];
    ctx.fill();
    if (look.border || chosen) {
      ctx.setLineDash(look.dash || []);
      ctx.lineWidth = chosen ? 3 : look.thick || 1.5;
      ctx.strokeStyle = tones[chosen ? "accent" : look.border];
      ctx.stroke();
      ctx.setLineDash([]);
    }
    ctx.textBaseline = "middle";
    let line = top + pad.y;
    for (const [at, block] of blocks.entries()) {
      if (at) line += 4;
      for (const row of block.rows) {
        let at = block.align === "left" ? left + pad.x : x - lineWidth(row) / 2;
        if (RIGHT_TO_LEFT.test(row[0].text)) { // the canvas orders the words of one text, so the line is one
          drawRightToLeft(ctx, block, row, at, line);
          line += block.look.size * 1.3;
          continue;
        }
        for (const word of row) {
          at += word.blank;
          ctx.font = font(block.look.size, word.bold, block.look.italic);
          ctx.fillStyle = tones[block.look.tone || "ink"];
          ctx.fillText(word.text, at, line + block.look.size * 0.65);
          if (word.bold && block.marked) { // words that differ are underlined too: bold alone is hard to see
            ctx.fillRect(at, line + block.look.size * 1.22, word.width, 1.5);
          }
          at += word.width;
        }
        line += block.look.size * 1.3;
      }
    }
    if (look.squares) drawSquares(ctx, left + pad.x, top + height - pad.y - 11, look.squares);
    ctx.restore();
  }
  return { width: full, height, draw, text: sizeOf };
}

const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

function drawRightToLeft(ctx, block, row, at, line) {
  ctx.save();
  ctx.direction = "rtl";
  ctx.textAlign = "right";
  ctx.font = font(block.look.size, row.some((word) => word.bold), block.look.italic);
  ctx.fillStyle = tones[block.look.tone || "ink"];
  ctx.fillText(row.map((word) => word.text).join(" "), at + lineWidth(row), line + block.look.size * 0.65);
  ctx.restore();
}

const MOST_SQUARES = 24; // of more claims, the flagged ones and the first of the others
const squareStep = (labels) => labels.length > 12 ? 9 : 13;

/** One square a claim, in the order of the text. Each label has a colour and a form of its own. */
function drawSquares(ctx, left, top, labels) {
  const step = squareStep(labels), size = step - 3, isBad = (label) => label === "Contradiction" || label === "Neutral";
  let room = Math.max(0, MOST_SQUARES - labels.filter(isBad).length);
  const kept = labels.length > MOST_SQUARES ? labels.filter((label) => isBad(label) || room-- > 0).slice(0, MOST_SQUARES) : labels;
  kept.forEach((label, at) => {
    const x = left + at * step, y = top + (10 - size) / 2;
    ctx.strokeStyle = ctx.fillStyle = tones[TONE[label]];
    ctx.lineWidth = size > 8 ? 1.5 : 1;
    if (label === "Contradiction") ctx.fillRect(x, y, size, size);
    else if (label === "Neutral") { ctx.strokeRect(x + 0.75, y + 0.75, size - 1.5, size - 1.5); ctx.fillRect(x + size * 0.3, y + size * 0.3, size * 0.4, size * 0.4); }
    else if (label === "Entailment") ctx.strokeRect(x + 0.75, y + 0.75, size - 1.5, size - 1.5);
    else ctx.fillRect(x, y + size / 2 - 1, size, 2);
  });
}

const TONE = { Contradiction: "contradiction", Neutral: "neutral", Entailment: "entailment", Abstain: "abstain", error: "abstain", open: "abstain" };
const DASHES = { Contradiction: [9, 5], Neutral: [2, 4], Entailment: false, error: [1, 5], open: [1, 5] };
const STATED_DASH = [12, 4, 2, 4];

function entityShape(node, marked = []) {
  const blank = node.kind === "blank";
  const look = blank ? { background: "panel", border: "line", dash: [2, 3], radius: 12 }
    : node.named ? { background: "accent-soft", border: "accent", radius: 14 } : { background: "faint", border: "soft", radius: 14, thick: 1 };
  return box([{ text: node.name, look: { size: sizes.name, tone: blank ? "soft" : "ink", italic: blank }, most: sizes.entity, lines: 4, marked }], look, { x: 11, y: 6 });
}

/** The words on a claim's edge: its predicate, its mark, and what the context says where `note` is given. */
function claimShape(claim, note) {
  const label = labelOf(claim), flagged = isFlagged(claim), tone = TONE[label];
  const mark = flagged || label === "error" ? `${MARKS[label]} ` : "";
  const paragraphs = [{ text: `${mark}${claim.predicate || "–"}`, look: { size: sizes.words, tone: flagged ? tone : "soft", bold: false }, most: sizes.predicate, lines: 3, marked: flagged ? claim.marked || [] : undefined }];
  if (note) paragraphs.push(noteParagraph(note));
  const look = flagged
    ? { background: `${tone}-soft`, border: tone, dash: label === "Neutral" ? [2, 3] : [], radius: 4, thick: 1 }
    : { background: "panel", radius: 4 };
  return box(paragraphs, look, { x: 6, y: 3 });
}

const noteParagraph = (note) => ({ text: `context: “${note.text}”`, look: { size: sizes.note, tone: "accent", italic: true }, most: sizes.quote, lines: 5, marked: note.marked, align: "left" });

function mergedShape(group) {
  const bad = group.filter(isFlagged).length, worst = [...group].sort(byWeight)[0], tone = TONE[labelOf(worst)];
  const figures = bad ? `${bad} of ${group.length} flagged` : `${group.length} claims`;
  const words = group.every((claim) => claim.predicate === group[0].predicate) ? [group[0].predicate] : [];
  return box([...words.map((text) => ({ text, look: { size: sizes.words, tone: bad ? tone : "soft" }, most: sizes.predicate, lines: 3 })),
    { text: `${bad ? `${MARKS[labelOf(worst)]} ` : ""}${figures}`, look: { size: sizes.words, tone: bad ? tone : "soft", bold: bad > 0 }, most: sizes.predicate, lines: 2 }],
  bad ? { background: `${tone}-soft`, border: tone, dash: labelOf(worst) === "Neutral" ? [2, 3] : [], radius: 4, thick: 1 } : { background: "panel", radius: 4 }, { x: 6, y: 3 });
}

function statedShape(edge) {
  return box([{ text: `context: ${edge.predicate}`, look: { size: sizes.words, tone: "accent", italic: true }, most: sizes.predicate, lines: 3 }], { background: "panel", border: "accent", dash: [6, 2, 1, 2], radius: 4, thick: 1 }, { x: 6, y: 3 });
}

function sentenceShape(claim, note) {
  const label = labelOf(claim), flagged = isFlagged(claim), tone = TONE[label];
  const paragraphs = [{ text: `${MARKS[label]} ${claim.text}`, look: { size: sizes.words, tone: "ink" }, most: sizes.sentence, lines: 6, marked: flagged ? claim.marked : undefined, align: "left" }];
  if (note) paragraphs.push({ ...noteParagraph(note), most: sizes.sentence });
  return box(paragraphs, { background: flagged ? `${tone}-soft` : "panel", border: tone, dash: label === "Contradiction" ? [7, 4] : label === "Neutral" ? [2, 3] : [], radius: 0 }, { x: 9, y: 6 });
}

function responseShape(response) {
  const label = labelOf(response), tone = TONE[label];
  const figures = response.bad ? `${MARKS[label]} ${response.bad} of ${response.shown} flagged` : response.shown ? `${MARKS[label]} ${count(response.shown, "claim")}` : "no claims";
  const most = sizes.response;
  return box([
    { text: shortId(response.id), look: { size: sizes.name, tone: "ink", bold: true }, most, lines: 2, align: "left" },
    ...(response.model ? [{ text: response.model, look: { size: sizes.note, tone: "soft" }, most, lines: 1, align: "left" }] : []),
    { text: figures, look: { size: sizes.words, tone }, most, lines: 1, align: "left" },
  ], { background: "panel", border: tone, dash: response.bad && label === "Neutral" ? [3, 3] : [], thick: response.bad ? 2 : 1, radius: 8, least: most + 20, squares: response.claims.filter(inView).map(labelOf) }, { x: 10, y: 7 });
}

/** Responses to one question, or over one context, with one square for each response. */
function stackShape(members) {
  const bad = members.filter((response) => response.bad).length, first = members[0], label = worst(members.map(labelOf));
  const tone = TONE[label], most = sizes.response;
  const state = label === "open" ? "· not checked" : "✓ no flags";
  return box([
    { text: stackName(members), look: { size: sizes.name, tone: "ink", bold: true }, most, lines: 3, align: "left" },
    { text: first.question ? count(members.length, "response") : `${count(members.length, "response")} over one context`, look: { size: sizes.note, tone: "soft" }, most, lines: 2, align: "left" },
    { text: bad ? `${MARKS[label]} ${bad} of ${members.length} with flags` : state, look: { size: sizes.words, tone }, most, lines: 1, align: "left" },
  ], { background: "faint", border: tone, dash: bad && label === "Neutral" ? [3, 3] : [], thick: bad ? 2 : 1, radius: 8, least: most + 20, squares: members.map(labelOf) }, { x: 10, y: 7 });
}

/** The question, or the entity that most of the claims name. */
function stackName(members) {
  if (members[0].question) return members[0].question;
  const times = new Map();
  for (const end of members.flatMap((response) => response.claims.flatMap((claim) => claim.ends))) if (nodes[end].named) times.set(end, (times.get(end) || 0) + 1);
  const [best] = [...times].sort((a, b) => b[1] - a[1])[0] || [];
  return best === undefined ? shortId(members[0].id) : `About ${nodes[best].name}`;
}

function groupShape(node) {
  const bad = node.bad, label = worst(node.claims.filter((claim) => inView(claim) && isFlagged(claim)).map(labelOf)), tone = TONE[label];
  return box([
    { text: node.name, look: { size: sizes.name, tone: "ink", bold: true }, most: sizes.response, lines: 2 },
    { text: bad ? `${MARKS[label]} ${bad} of ${node.shown} flagged` : count(node.shown, "claim"), look: { size: sizes.words, tone: bad ? tone : "soft" }, most: sizes.response, lines: 1 },
  ], { background: node.named ? "accent-soft" : "faint", border: bad ? tone : "soft", dash: bad && label === "Neutral" ? [3, 3] : [], thick: bad ? 2 : 1, radius: 14 }, { x: 12, y: 7 });
}

// ---- what the context says, in few words ----

/** The words of a text that the other one does not have, if they are few. Short words in lower case say too little. */
function differing(text, known) {
  const words = text.split(/[^\p{L}\p{N}'’.,%-]+/u).map((word) => word.replace(/^[.,'’-]+|[.,'’-]+$/g, ""))
    .filter((word) => word && (word.length > 3 || /[\p{Lu}\p{N}]/u.test(word)) && !known.has(word.toLowerCase()));
  const found = [...new Set(words)];
  return found.length <= 3 ? found : [];
}

/** The excerpt, if it has most of the claim's words: else it does not show what is wrong. */
function telling(claim) {
  const found = excerpt(claim), words = [...wordsOf(claim.text)].filter((word) => word.length > 3 || /\d/.test(word));
  const known = found && wordsOf(found.text);
  return found && 2 * words.filter((word) => known.has(word)).length > words.length ? found : null;
}

const MOST_QUOTED = 130; // characters

/** The sentence of the evidence with most found words, cut around them, and its words that the claim does not have. */
function excerpt(claim) {
  if (!claim.evidence) return null;
  const [place, spans] = claim.evidence;
  const text = windows[place].text, chars = Array.from(text);
  const sentences = sentenceSpans(text);
  const overlap = ([start, end]) => spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0);
  const best = sentences.reduce((a, b) => overlap(b) > overlap(a) ? b : a, sentences[0] || [0, 0]);
  let [start, end] = best;
  if (end - start > MOST_QUOTED) {
    const inside = spans.filter(([from, to]) => from < end && to > start);
    const middle = inside.length ? (inside[0][0] + inside[inside.length - 1][1]) / 2 : start;
    const from = Math.max(start, Math.min(Math.round(middle - MOST_QUOTED / 2), end - MOST_QUOTED));
    start = from === start ? start : chars.indexOf(" ", from) + 1 || from;
    end = Math.min(end, start + MOST_QUOTED);
    if (end < best[1]) end = Math.max(start + 20, chars.lastIndexOf(" ", end));
  }
  const words = chars.slice(start, end).join("").replace(/\s+/g, " ").trim();
  return { text: `${start > best[0] ? "… " : ""}${words}${end < best[1] ? " …" : ""}`, marked: differing(words, wordsOf(claim.text)) };
}
