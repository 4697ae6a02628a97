// The landing page: an expression, its graph, and the steps of its backward pass. With ?embed, only the last two.
import { Trouble, backward, evaluate, parse, short, whyWrong } from "./expression.js";
import { draw, place, standalone } from "./picture.js";

const EXAMPLE = "(a*b + a) * b", USUAL = [2, -3, 4, -0.5, 1, 3, -2, 0.5], MAX_LINK = 2000;
const find = (id) => document.getElementById(id), embedded = new URLSearchParams(location.search).has("embed");
const state = { text: EXAMPLE, numbers: new Map(), assign: false, step: 0 };
let trace, placed, isRead; // isRead: the expression itself is right

/** Return a sentence's nodes: what is between backticks is code. */
const codes = (text) => text.split("`").map((part, place) => (place % 2 ? element("code", part) : part));

function element(name, ...inside) {
  const made = document.createElement(name);
  made.append(...inside);
  return made;
}

// --- the link: #expr=a*b&a=2&b=-3&assign&step=3; only the first `expr` is the expression

function readLink() {
  const link = location.hash.slice(1);
  if (!link) return;
  if (link.length > MAX_LINK) throw new Trouble("This link is too long to be one of ours.");
  const given = { text: EXAMPLE, numbers: new Map(), assign: false, step: 0 };
  link.split("&").forEach((part, index) => {
    const [name, value] = [part.split("=")[0], part.split("=").slice(1).join("=")].map(decoded);
    if (!index && name === "expr") given.text = value;
    else if (name === "assign" && !part.includes("=")) given.assign = true;
    else if (name === "@") given.step = Math.max(0, Math.trunc(Number(value)) || 0);
    else given.numbers.set(name, value);
  });
  Object.assign(state, given);
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Trouble("Part of this link is missing or damaged.");
  }
}

function link(query = "") {
  const parts = [["expr", state.text], ...trace.names.map((name) => [name, state.numbers.get(name)]), ...(state.step ? [["@", state.step]] : [])];
  const hash = parts.map((pair) => pair.map(encodeURIComponent).join("=")).join("&") + (state.assign ? "&assign" : "");
  return `${location.origin}${location.pathname}${query}#${hash.replaceAll("%40", "@")}`;
}

// --- from what is typed to what is drawn

function compute() {
  isRead = false;
  const graph = parse(state.text);
  isRead = true;
  graph.names.forEach((name, index) => {
    if (!state.numbers.has(name)) state.numbers.set(name, String(USUAL[index]));
  });
  const numbers = new Map(graph.names.map((name) => [name, numberOf(name)]));
  const values = evaluate(graph, numbers);
  trace = { ...graph, values, right: backward(graph, values, false), wrong: backward(graph, values, true) };
}

function numberOf(name) {
  const text = state.numbers.get(name).trim();
  if (!/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) throw new Trouble(`\`${name}\` needs a number, such as 2 or -0.5.`);
  return Number(text);
}

/** Compute and draw, or say what is wrong and keep the last picture. */
function update(read = () => {}) {
  let trouble = "";
  try {
    read();
    compute();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    trouble = error.message;
  }
  find("trouble").replaceChildren(...codes(trouble));
  if (embedded && trouble) return find("say").replaceChildren(...codes(trouble));
  for (const id of ["frame", "panel", "share"]) find(id).inert = Boolean(trouble);
  find("numbers").inert = !isRead;
  if (trace && !trouble) {
    fields();
    arrange();
    show();
  }
}

/** Show a field for each number. Existing ones stay, so you can go on typing. */
function fields() {
  const known = new Map([...find("numbers").children].map((label) => [label.dataset.name, label]));
  const labels = trace.names.map((name) => known.get(name) ?? field(name));
  if (labels.some((label, place) => label !== find("numbers").children[place]) || labels.length !== known.size) find("numbers").replaceChildren(...labels);
  for (const label of labels) {
    const [input] = label.querySelectorAll("input"), text = state.numbers.get(label.dataset.name);
    if (input.value !== text) input.value = text;
  }
}

function field(name) {
  const input = Object.assign(document.createElement("input"), { inputMode: "text", autocomplete: "off" });
  const label = element("label", element("code", name), "=", input);
  label.dataset.name = name;
  input.addEventListener("input", () => { state.numbers.set(name, input.value); update(); });
  return label;
}

function arrange() {
  const frame = find("frame"), roomy = Math.max(frame.clientWidth - 16, 200);
  placed = place(trace, roomy, embedded ? Math.max(frame.clientHeight, 150) : 560);
}

function show() {
  const steps = state.assign ? trace.wrong : trace.right, last = steps.length - 1;
  state.step = Math.min(state.step, last);
  find("frame").replaceChildren(draw(trace, placed, state.step, state.assign));
  follow();
  find("say").replaceChildren(...said(steps[state.step]));
  find("count").textContent = `step ${state.step} of ${last}`;
  for (const [id, off] of [["back", !state.step], ["next", state.step === last], ["end", state.step === last]]) find(id).ariaDisabled = String(off);
  find("assign").ariaPressed = String(state.assign);
  find("assign").replaceChildren(...codes(state.assign ? "Change `=` back to `+=`" : "Change `+=` to `=`"));
  find("full").href = link();
}

/** Scroll a large graph to what the step is about. */
function follow() {
  const frame = find("frame"), view = frame.getBoundingClientRect();
  const boxes = [...frame.querySelectorAll(".active, .receiving")].map((node) => node.getBoundingClientRect());
  if (!boxes.length) return;
  const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...boxes.map((box) => box[side])));
  if (left < view.left || right > view.right) frame.scrollLeft += (left + right - view.left - view.right) / 2;
  if (top < view.top || bottom > view.bottom) frame.scrollTop += (top + bottom - view.top - view.bottom) / 2;
}

/** Return what a step is about: a sentence, and a line for each gradient that grows. */
function said({ kind, node, rule, shares }) {
  const { nodes, right, wrong, values } = trace, result = nodes.at(-1), why = element("p", ...codes(whyWrong(trace, right, wrong)));
  why.className = right.at(-1).gradients.some((one, place) => one !== wrong.at(-1).gradients[place]) ? "bad" : "";
  if (kind === "forward") return [element("p", ...codes("Every value is computed, and every `grad` is still 0. Press Next: the backward pass begins at the result."))];
  if (kind === "seed") return [element("p", ...codes(`The result \`${result.text}\` gets the first \`grad\`: 1, because it changes exactly as much as itself.`))];
  if (kind === "run") return [element("p", ...codes(`Now \`${nodes[node].text}\` runs. ${rule}`)), element("ul", ...shares.map(grown))];
  if (state.assign) return [why];
  const [name] = trace.names, { index } = nodes.find(({ text }) => text === name), change = right.at(-1).gradients[index] / 100;
  return [element("p", ...codes(`Done. If \`${name}\` grows from ${short(values[index])} to ${short(values[index] + 0.01)}, the result changes by about ${short(change)}: its \`grad\` times 0.01.`))];
}

function grown({ to, rate, own, before, after }) {
  const text = `${trace.nodes[to].text}`, target = /^\w+$/.test(text) ? text : `(${text})`, lost = state.assign && before !== 0;
  const line = element("li", element("code", `${target}.grad ${state.assign ? "=" : "+="} ${short(rate)} * ${short(own)}`));
  const effect = lost ? `now ${short(after)}; the ${short(before)} from before is lost` : before ? `was ${short(before)}, now ${short(after)}` : `now ${short(after)}`;
  line.append(element("span", effect));
  line.className = lost ? "bad" : "";
  return line;
}

// --- what can be clicked

function go(step) {
  state.step = Math.max(0, step);
  show();
  if (!embedded) find("frame").querySelector(".active")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Offer a text to copy. It is shown as well, because a browser may refuse. */
async function offer(what, text) {
  find("copied").hidden = false;
  find("copy").value = text;
  find("copy").select();
  const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  find("copied-text").textContent = done ? `Copied the ${what}:` : `Copy the ${what}:`;
}

function frameText() {
  const title = `Backward pass of ${state.text}`.replace(/[&"<>]/g, "");
  return `<iframe src="${link("?embed").replaceAll("&", "&amp;")}" title="${title}" width="100%" height="480" loading="lazy"></iframe>`;
}

function save() {
  const url = URL.createObjectURL(new Blob([standalone(find("frame").querySelector("svg"))], { type: "image/svg+xml" }));
  Object.assign(document.createElement("a"), { href: url, download: "trace.svg" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const actions = {
  back: () => go(state.step - 1), next: () => go(state.step + 1), end: () => go(trace.right.length - 1),
  assign() { state.assign = !state.assign; go(state.assign ? trace.right.length - 1 : state.step); },
  link: () => offer("link", link()), iframe: () => offer("iframe", frameText()), svg: save,
};
for (const [id, act] of Object.entries(actions)) find(id).addEventListener("click", () => trace && act());
find("expression").addEventListener("input", ({ target }) => { Object.assign(state, { text: target.value, step: 0 }); update(); });
find("given").addEventListener("submit", (event) => event.preventDefault());
find("given").addEventListener("change", () => find("share").inert || history.replaceState(null, "", link(location.search)));
find("bench").addEventListener("keydown", (event) => {
  const act = { ArrowLeft: actions.back, ArrowRight: actions.next }[event.key];
  if (!act || event.target.matches("input, #frame")) return;
  event.preventDefault();
  act();
});

function open() {
  update(readLink);
  find("expression").value = state.text;
}

document.body.classList.toggle("embed", embedded);
find("full").hidden = !embedded;
addEventListener("hashchange", open);
if (!embedded) update(); // so that there is a picture even if the link is wrong
new ResizeObserver(() => { if (trace) { arrange(); show(); } }).observe(find("frame"));
open();
