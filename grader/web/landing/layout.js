// Place a graph's boxes in columns, operands on the left: `grader/views/layout.py` in JavaScript, which explains more.
// A test compares the two.
const ACROSS = 36, DOWN = 16, LINE = 6; // between columns, boxes, and edges that pass a column
const SWEEPS = 24, SAME = 0.05;

/** Return the size of the picture, the centres of the boxes, and the path of each edge: the `d` of an SVG path. */
export function layOut(sizes, edges) {
  const drawing = pointsOf(sizes, edges);
  for (const layer of drawing.layers) place(drawing, layer, () => 0);
  for (let sweep = 0; sweep < 2 * SWEEPS; sweep++) sweepOver(drawing, sweep % 2 === 1, sweep < SWEEPS);
  let x = 0;
  const spans = drawing.layers.map((layer) => {
    const from = x, wide = Math.max(...layer.map((point) => drawing.sizes[point][0]));
    x += wide + ACROSS;
    return [from, from + wide];
  });
  const half = (point) => drawing.sizes[point][1] / 2;
  const top = Math.min(...drawing.y.map((y, point) => y - half(point)), Infinity);
  drawing.y = drawing.y.map((y) => y - top);
  return {
    width: Math.max(0, x - ACROSS),
    height: Math.max(...drawing.y.map((y, point) => y + half(point)), 0),
    nodes: sizes.map((_, box) => [(spans[drawing.column[box]][0] + spans[drawing.column[box]][1]) / 2, drawing.y[box]]),
    edges: drawing.chains.map((chain, edge) => pathOf(drawing, chain, drawing.ports[edge], spans)),
  };
}

const pairs = (list) => list.slice(1).map((item, index) => [list[index], item]);
const countOf = (list, item) => list.filter((one) => one === item).length;

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
  const heads = edges.map(([, head]) => head);
  const ports = heads.map((head, edge) =>
    sizes[head][1] * ((countOf(heads.slice(0, edge), head) + 1) / (countOf(heads, head) + 1) - 0.5));
  const left = sizes.map(() => []), right = sizes.map(() => []);
  chains.forEach((chain, edge) => {
    for (const [tail, head] of pairs(chain)) {
      const shift = head === chain.at(-1) ? ports[edge] : 0;
      left[head].push([tail, -shift]);
      right[tail].push([head, shift]);
    }
  });
  const layers = Array.from({ length: Math.max(-1, ...column) + 1 }, () => []);
  column.forEach((at, point) => layers[at].push(point));
  return { sizes, column, chains, ports, left, right, layers, y: sizes.map(() => 0) };
}

// Each node is right of its operands, and a leaf close to what uses it.
function columnsOf(count, edges) {
  const column = Array(count).fill(0);
  for (let goesOn = true; goesOn;) {
    goesOn = false;
    for (const [tail, head] of edges)
      if (column[head] <= column[tail]) [column[head], goesOn] = [column[tail] + 1, true];
  }
  const heads = new Set(edges.map(([, head]) => head));
  for (const leaf of new Set(edges.map(([tail]) => tail)))
    if (!heads.has(leaf)) column[leaf] = Math.min(...edges.filter(([tail]) => tail === leaf).map(([, head]) => column[head])) - 1;
  return column;
}

function sweepOver(drawing, fromLeft, sorts) {
  const { layers, left, right, y } = drawing;
  for (const layer of fromLeft ? layers : [...layers].reverse()) {
    const wanted = new Map(layer.map((point) => {
      const near = [...(fromLeft || !sorts ? left[point] : []), ...(fromLeft && sorts ? [] : right[point])];
      return [point, near.length ? near.reduce((sum, [other, shift]) => sum + (y[other] + shift), 0) / near.length : y[point]];
    }));
    if (sorts) layer.sort((one, other) => wanted.get(one) - wanted.get(other));
    place(drawing, layer, (point) => wanted.get(point));
  }
}

// Set the heights of a column closest to the wanted ones: each block of touching points is placed at its mean.
function place({ sizes, y }, layer, wanted) {
  const shifts = [], blocks = []; // a block has its mean, and how many points
  layer.forEach((point, index) => {
    const above = layer[index - 1];
    const gap = index && (sizes[above][1] + sizes[point][1]) / 2 + (sizes[above][0] && sizes[point][0] ? DOWN : DOWN / 2);
    shifts.push(index ? shifts[index - 1] + gap : 0);
    let mean = wanted(point) - shifts[index], count = 1;
    while (blocks.length && blocks.at(-1)[0] >= mean) {
      const [other, more] = blocks.pop();
      mean = (mean * count + other * more) / (count + more);
      count += more;
    }
    blocks.push([mean, count]);
  });
  const means = blocks.flatMap(([mean, count]) => Array(count).fill(mean));
  layer.forEach((point, index) => { y[point] = means[index] + shifts[index]; });
}

// The curve of an edge, which is level wherever it leaves or enters a column.
function pathOf(drawing, chain, port, spans) {
  const stops = [];
  chain.forEach((point, index) => {
    const [left, right] = spans[drawing.column[point]], y = drawing.y[point];
    const centre = (left + right) / 2, half = drawing.sizes[point][0] / 2;
    if (index === chain.length - 1) stops.push([left, y + port], [centre - half, y + port]);
    else stops.push([index ? left : centre + half, y], [right, y]);
  });
  const text = (...numbers) => numbers.map((number) => number.toFixed(1)).join(",");
  return `M${text(...stops[0])}` + pairs(stops).map(([[x, y], [toX, toY]]) => {
    const bend = (x + toX) / 2;
    return toX - x < SAME ? "" : ` C${text(bend, y)} ${text(bend, toY)} ${text(toX, toY)}`;
  }).join("");
}
