// Place a graph's boxes in columns, operands on the left: `grader/views/layout.py` in JavaScript, which explains more.
// A test compares the two.
const ACROSS = 36, DOWN = 16, LINE = 6; // between columns, boxes, and edges that pass a column
const SWEEPS = 12, SAME = 0.05;

/** Return the size of the picture, the centres of the boxes, and the path of each edge: the `d` of an SVG path. */
export function layOut(sizes, edges) {
  const drawing = pointsOf(sizes, edges);
  drawing.layers = untangled(drawing, firstOrder(drawing));
  setHeights(drawing);
  const [spans, width] = spansOf(drawing), half = (point) => drawing.sizes[point][1] / 2;
  const top = Math.min(...drawing.y.map((y, point) => y - half(point)), Infinity);
  drawing.y = drawing.y.map((y) => y - top);
  const height = Math.max(...drawing.y.map((y, point) => y + half(point)), 0), arrived = new Map();
  return {
    width, height,
    nodes: sizes.map((_, box) => [(spans[drawing.column[box]][0] + spans[drawing.column[box]][1]) / 2, drawing.y[box]]),
    edges: drawing.chains.map((chain) => pathOf(drawing, chain, spans, arrived)),
  };
}

// The points are the boxes, then a point for each column that an edge passes.
function pointsOf(boxes, edges) {
  const sizes = [...boxes], column = columnsOf(boxes.length, edges), chains = [];
  for (const [tail, head] of edges) {
    const chain = [tail];
    for (let passed = column[tail] + 1; passed < column[head]; passed++) {
      chain.push(sizes.length);
      sizes.push([0, LINE]);
      column.push(passed);
    }
    chains.push([...chain, head]);
  }
  const drawing = { sizes, column, chains, before: sizes.map(() => []), after: sizes.map(() => []), y: sizes.map(() => 0) };
  for (const chain of chains.filter((one) => goesOn(drawing, one)))
    for (const [tail, head] of pairs(chain)) {
      drawing.before[head].push(tail);
      drawing.after[tail].push(head);
    }
  return drawing;
}

const pairs = (list) => list.slice(1).map((item, index) => [list[index], item]);
const goesOn = ({ column }, chain) => column[chain[0]] < column[chain.at(-1)];

// Where the edge with this place arrives, from the middle of the box.
const port = ({ sizes, before }, head, place) => sizes[head][1] * ((place + 1) / (before[head].length + 1) - 0.5);

// Each node is right of its operands, and close to what uses it.
function columnsOf(count, edges) {
  const users = Array.from({ length: count }, () => []), waits = Array(count).fill(0);
  for (const [tail, head] of edges) {
    users[tail].push(head);
    waits[head]++;
  }
  const operands = [...waits], column = Array(count).fill(0), order = [], left = new Set(waits.keys());
  while (left.size) {
    const node = [...left].reduce((best, one) => (waits[one] < waits[best] || (waits[one] === waits[best] && one < best) ? one : best));
    left.delete(node);
    order.push(node);
    for (const user of users[node]) {
      if (left.has(user)) column[user] = Math.max(column[user], column[node] + 1);
      waits[user]--;
    }
  }
  for (const node of order.reverse())
    if (users[node].length > operands[node])
      column[node] = Math.max(column[node], Math.min(...users[node].map((user) => column[user])) - 1);
  return column;
}

// The order of the points on a walk from the results.
function firstOrder({ sizes, column, before, after }) {
  const layers = Array.from({ length: Math.max(-1, ...column) + 1 }, () => []), met = new Set();
  const points = [...sizes.keys()];
  const toDo = [...points.filter((point) => after[point].length), ...points.filter((point) => !after[point].length)];
  while (toDo.length) {
    const point = toDo.pop();
    if (met.has(point)) continue;
    met.add(point);
    layers[column[point]].push(point);
    toDo.push(...[...before[point]].reverse());
  }
  return layers;
}

// The order with the fewest crossings that sorting by neighbours finds.
function untangled(drawing, first) {
  let best = first, fewest = crossings(drawing, first);
  const layers = first.map((layer) => [...layer]);
  for (let sweep = 0, sweeps = fewest ? SWEEPS : 0; sweep < sweeps; sweep++) {
    const place = new Map(layers.flatMap((layer) => layer.map((point, index) => [point, index]))), fromLeft = sweep % 2 === 1;
    for (const layer of fromLeft ? layers : [...layers].reverse()) {
      const key = new Map(layer.map((point) => [point, middle(drawing, point, place, fromLeft)]));
      const free = [...layer.keys()].filter((index) => key.get(layer[index]) >= 0);
      const sorted = free.map((index) => layer[index]).sort((one, other) => key.get(one) - key.get(other));
      free.forEach((index, at) => { layer[index] = sorted[at]; });
      layer.forEach((point, index) => place.set(point, index));
    }
    const found = crossings(drawing, layers);
    if (found < fewest) [best, fewest] = [layers.map((layer) => [...layer]), found];
  }
  return best;
}

// Twice the median place of a point's neighbours on one side; -1 without any.
function middle(drawing, point, place, fromLeft) {
  const { before, after } = drawing;
  const near = fromLeft ? before[point].map((tail) => place.get(tail))
    : after[point].map((head) => place.get(head) + port(drawing, head, before[head].indexOf(point)) / 1e3);
  near.sort((one, other) => one - other);
  return near.length ? near[near.length >> 1] + near[(near.length - 1) >> 1] : -1;
}

// How many pairs of edges cross between neighbouring columns.
function crossings({ before }, layers) {
  let found = 0;
  for (const [left, right] of pairs(layers)) {
    const place = new Map(left.map((point, index) => [point, index])), met = [];
    for (const tail of right.flatMap((head) => before[head])) {
      found += met.filter((other) => other > place.get(tail)).length;
      met.push(place.get(tail));
    }
  }
  return found;
}

// Set each point's y near its neighbours' y, without an overlap.
function setHeights(drawing) {
  const { layers, before, after, y } = drawing;
  for (const layer of layers) place(drawing, layer, () => [0, 1]);
  for (let sweep = 0; sweep < 4 * SWEEPS; sweep++)
    for (const layer of sweep % 2 ? layers : [...layers].reverse()) {
      const wanted = new Map(layer.map((point) => {
        const pulls = [
          ...before[point].map((tail, at) => [y[tail] - port(drawing, point, at), pull(drawing, tail, point)]),
          ...after[point].map((head) => [y[head] + port(drawing, head, before[head].indexOf(point)), pull(drawing, point, head)]),
        ];
        const weight = pulls.reduce((sum, [, strength]) => sum + strength, 0);
        const mean = weight ? pulls.reduce((sum, [to, strength]) => sum + to * strength, 0) / weight : y[point];
        return [point, [mean, weight || 1e-3]];
      }));
      place(drawing, layer, (point) => wanted.get(point));
    }
}

// Long edges pull more, because a bend in them is easier to see.
const pull = ({ sizes }, tail, head) => [1, 2, 8][!sizes[tail][0] + !sizes[head][0]];

// Set the heights of a column closest to the wanted ones: each block of points that touch is where its mean wants to be.
function place({ sizes, y }, layer, wanted) {
  const shifts = [], blocks = []; // a block has its mean, its weight, and how many points
  layer.forEach((point, index) => {
    const above = layer[index - 1];
    const gap = index && (sizes[above][1] + sizes[point][1]) / 2 + (sizes[above][0] && sizes[point][0] ? DOWN : DOWN / 2);
    shifts.push(index ? shifts[index - 1] + gap : 0);
    let [mean, weight] = wanted(point), count = 1;
    mean -= shifts[index];
    while (blocks.length && blocks.at(-1)[0] >= mean) {
      const [other, heavy, more] = blocks.pop();
      mean = (mean * weight + other * heavy) / (weight + heavy);
      weight += heavy;
      count += more;
    }
    blocks.push([mean, weight, count]);
  });
  const means = blocks.flatMap(([mean, , count]) => Array(count).fill(mean));
  layer.forEach((point, index) => { y[point] = means[index] + shifts[index]; });
}

// Where each column begins and ends, and the width of all.
function spansOf({ sizes, layers }) {
  let x = 0;
  const spans = layers.map((layer) => {
    const from = x, wide = Math.max(0, ...layer.map((point) => sizes[point][0]));
    x += wide + ACROSS;
    return [from, from + wide];
  });
  return [spans, Math.max(0, x - ACROSS)];
}

// The curve of an edge, which is level wherever it leaves or enters a column.
function pathOf(drawing, chain, spans, arrived) {
  const head = chain.at(-1), on = goesOn(drawing, chain), stops = [];
  if (on) arrived.set(head, (arrived.get(head) ?? -1) + 1);
  chain.forEach((point, index) => {
    const [left, right] = spans[drawing.column[point]], y = drawing.y[point];
    const centre = (left + right) / 2, half = drawing.sizes[point][0] / 2;
    if (point === head) {
      const at = y + (on ? port(drawing, head, arrived.get(head)) : 0);
      stops.push([left, at], [centre - half, at]);
    } else stops.push([index ? left : centre + half, y], [right, y]);
  });
  const text = (...numbers) => numbers.map((number) => number.toFixed(1)).join(",");
  return `M${text(...stops[0])}` + pairs(stops).map(([[x, y], [toX, toY]]) => {
    const bend = toX > x ? (toX - x) / 2 : ACROSS;
    return Math.abs(toX - x) < SAME && toY === y ? "" : ` C${text(x + bend, y)} ${text(toX - bend, toY)} ${text(toX, toY)}`;
  }).join("");
}
