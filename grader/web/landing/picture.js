// Draw a graph at one step of its backward pass, as SVG.
import { layOut } from "./layout.js";
import { short } from "./expression.js";

const LETTER = 7.9, LINE = 19, MARGIN = 8, MAX_LABEL = 20; // of a box
const LEAST = 0.6, MOST = 1.3; // how small or large numbers may become
const SVG = "http://www.w3.org/2000/svg";

function make(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

const label = (text) => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);
const grad = (got, right) => (got === right ? short(got) : `${short(got)} ≠ ${short(right)}`);

/** Place the graph of a trace, { nodes, values, right, wrong }, for a frame of this size. A narrow one gets it upright. */
export function place({ nodes, values, right, wrong }, width, height) {
  const lines = nodes.map(({ index, text }) => Math.max(label(text).length, 6 + short(values[index]).length,
    ...wrong.map(({ gradients }, step) => 5 + grad(gradients[index], right[step].gradients[index]).length)));
  const sizes = nodes.map((node, index) => (plain(node) ? [label(node.text).length * LETTER + 20, LINE + 14] : [lines[index] * LETTER + 20, 3 * LINE + 10]));
  const edges = nodes.flatMap(({ index, operands }) => operands.map((one) => [one, index]));
  const across = layOut(sizes, edges), down = upright(layOut(sizes.map(([wide, high]) => [high, wide]), edges));
  const fit = (one) => Math.min(MOST, width / (one.width + 2 * MARGIN), height / (one.height + 2 * MARGIN));
  const best = fit(across) < 0.85 && fit(down) > fit(across) ? down : across;
  return { sizes, pairs: edges, scale: Math.max(LEAST, fit(best)), ...best };
}

const plain = (node) => "constant" in node && node.text === short(node.constant);

const upright = ({ width, height, nodes, edges }) => ({
  width: height, height: width, nodes: nodes.map(([x, y]) => [y, x]),
  edges: edges.map((path) => path.replace(/(-?[\d.]+),(-?[\d.]+)/g, "$2,$1")),
});

/** Return the picture of one step of the right backward pass, or of the wrong one. */
export function draw({ nodes, values, right, wrong }, placed, step, isWrong) {
  const { node: active, shares, gradients } = (isWrong ? wrong : right)[step], receiving = shares.map(({ to }) => to);
  const size = { width: placed.width + 2 * MARGIN, height: placed.height + 2 * MARGIN };
  const shown = { width: size.width * placed.scale, height: size.height * placed.scale };
  const picture = make("svg", { viewBox: `0 0 ${size.width} ${size.height}`, ...shown, role: "img" });
  const said = nodes.map(({ text, index }) => `${text}: value ${short(values[index])}, grad ${grad(gradients[index], right[step].gradients[index])}`);
  picture.setAttribute("aria-label", `The graph of ${nodes.at(-1).text}. ${said.join("; ")}`);
  const inside = make("g", { transform: `translate(${MARGIN} ${MARGIN})` });
  placed.pairs.forEach(([tail, head], index) => {
    const flows = head === active && receiving.includes(tail);
    inside.append(make("path", { class: flows ? "edge flow" : "edge", d: placed.edges[index] }));
  });
  for (const node of nodes) inside.append(box(node, placed));
  picture.append(make("defs", {}, marker("trace-arrow", "tip", 7, 9, "M0,0 L8,4 L0,8 Z"), marker("trace-flow", "flow-tip", 1, 13, "M8,0 L0,4 L8,8 Z")), inside);
  return picture;

  function box(node) {
    const { index, text, sign } = node, [width, height] = placed.sizes[index], [x, y] = placed.nodes[index];
    const wanted = right[step].gradients[index], differs = gradients[index] !== wanted;
    const kind = sign ? "" : "constant" in node ? " constant" : " leaf";
    const classes = `node${kind}${index === active ? " active" : receiving.includes(index) ? " receiving" : ""}${differs ? " wrong" : ""}`;
    const made = make("g", { class: classes, transform: `translate(${x - width / 2} ${y - height / 2})` });
    made.append(make("title", {}, text), make("rect", { class: "box", width, height, rx: 7 }), make("text", { class: "label", x: 10, y: LINE + 2 }, label(text)));
    if (plain(node)) return made;
    made.append(line("value", 2, short(values[index])));
    if (!("constant" in node)) made.append(line("grad", 3, short(gradients[index]), differs ? ` ≠ ${short(wanted)}` : ""));
    return made;
  }
}

function line(word, row, number, ...right) {
  const parts = [make("tspan", { class: "word" }, `${word} `), make("tspan", { class: word }, number), ...right.map((one) => make("tspan", { class: "right" }, one))];
  return make("text", { x: 10, y: row * LINE + 2 }, ...parts);
}

const marker = (id, tip, refX, size, d) => make("marker", {
  id, viewBox: "0 0 8 8", refX, refY: 4, markerWidth: size, markerHeight: size, orient: "auto", markerUnits: "userSpaceOnUse",
}, make("path", { class: tip, d }));

/** Return the picture as a separate file, with the colours and rules of the page's style sheets. */
export function standalone(picture) {
  const sheets = [...document.styleSheets].filter(({ href }) => /(colours|picture)\.css$/.test(href));
  const style = sheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join("\n");
  const ground = make("rect", { width: "100%", height: "100%", fill: "var(--paper)" }), copy = picture.cloneNode(true);
  copy.prepend(ground);
  const text = new XMLSerializer().serializeToString(copy); // a style element in the page would break its policy
  return text.replace(/^<svg[^>]*>/, (start) => `${start}<style>${style}</style>`);
}
