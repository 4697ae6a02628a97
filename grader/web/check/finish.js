// The end of the course: the learner's own engine learns two moons live; a certificate as a picture; the engine as a library.
import { packed } from "./files.js";
import { start } from "./kit.js";
import { html, render } from "./lib.min.js";
import { Store } from "./ui_store.js";
import { starting } from "./ui_text.js";

const COLUMNS = 28, ROWS = 20, EPOCHS = 25, STEPS = 12; // of the grid of answers; an epoch has ten points in each step
const LEFT = -1.6, RIGHT = 2.6, BOTTOM = -1.3, TOP = 1.7, FAR = 3; // what is shown, and the score with the deepest colour
const LIVE = `
import json, math, random
from nn import MLP
from train import learning_rate, max_margin_loss, train
random.seed(0)
xs, ys = [], []
for number in range(120):
    angle, label = random.uniform(0, math.pi), 1 if number % 2 else -1
    x, y = (math.cos(angle), math.sin(angle)) if label > 0 else (1 - math.cos(angle), 0.5 - math.sin(angle))
    xs.append([x + random.gauss(0, 0.1), y + random.gauss(0, 0.1)])
    ys.append(label)
model = MLP(2, [16, 1], "relu", "linear")
def tell(**what): print("\\x1e" + json.dumps(what) + "\\x1e")
def epoch(number, count=${STEPS}, epochs=${EPOCHS}):
    rate = lambda step: learning_rate(number * count + step, epochs * count, 1.0, 0.1)
    losses = train(model, xs, ys, count, rate, max_margin_loss, 10)
    scores = [model(x).data for x in xs]
    at = lambda down, across: [${LEFT} + (across + 0.5) * ${(RIGHT - LEFT) / COLUMNS}, ${TOP} - (down + 0.5) * ${(TOP - BOTTOM) / ROWS}]
    grid = [round(model(at(down, across)).data, 2) for down in range(${ROWS}) for across in range(${COLUMNS})]
    tell(loss=sum(losses) / count, right=sum((score > 0) == (y > 0) for score, y in zip(scores, ys)), grid=grid)
tell(points=[[*x, y] for x, y in zip(xs, ys)])
`;
const find = (id) => document.getElementById(id), say = (text, id = "state") => { find(id).textContent = text; };
const plain = (text) => text.replace(/\x1b\[[\d;]*m/g, "").trim();
let kit, files, prompt, points = [];

// --- the two moons

async function train() {
  if (prompt) return stop();
  find("train").textContent = "Stop";
  let printed = "";
  const heard = () => { // the output of the program above, among other output
    const [, text] = [...printed.matchAll(/\x1e([^\x1e]*)\x1e/g)].at(-1) ?? [];
    if (text) printed = "";
    return text && JSON.parse(text);
  };
  const mine = (prompt = await kit.prompt({ files: { ...files, "live.py": LIVE }, run: "live.py", onPrint: (text) => { printed += text; } }));
  let told = heard();
  points = told?.points ?? [];
  dots(find("moons"));
  for (let epoch = 0; told && epoch < EPOCHS; epoch++) {
    await mine.push(`epoch(${epoch})`);
    if (prompt !== mine) return;
    told = heard();
    if (told) paint(told, (epoch + 1) * STEPS);
  }
  if (!told) say(`Your engine does not train yet: ${plain(printed).split("\n").at(-1)}`, "told");
  stop();
}

function stop() {
  prompt?.close();
  prompt = null;
  find("train").textContent = "Train again";
}

/** Draw the answers as colours that run into each other, with the points above them. */
function paint({ loss, right, grid }, steps) {
  const canvas = find("moons"), context = canvas.getContext("2d"), small = new OffscreenCanvas(COLUMNS, ROWS);
  const image = new ImageData(COLUMNS, ROWS);
  grid.forEach((score, place) => {
    const part = Math.min(1, Math.abs(score) / FAR), [pale, deep] = score > 0 ? [[253, 236, 214], [240, 158, 84]] : [[220, 238, 247], [94, 166, 204]];
    image.data.set([...pale.map((from, channel) => from + part * (deep[channel] - from)), 255], 4 * place);
  });
  small.getContext("2d").putImageData(image, 0, 0);
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  dots(canvas, context);
  say(`step ${steps} of ${EPOCHS * STEPS}: loss ${loss.toPrecision(3)}, ${right} of ${points.length} points on the right side`, "told");
}

function dots(canvas, context = canvas.getContext("2d")) {
  for (const [x, y, label] of points) {
    context.beginPath();
    context.arc((x - LEFT) / (RIGHT - LEFT) * canvas.width, (TOP - y) / (TOP - BOTTOM) * canvas.height, 6, 0, 2 * Math.PI);
    Object.assign(context, { fillStyle: label > 0 ? "#862904" : "#062e54", strokeStyle: "#ffffff", lineWidth: 1.5 });
    context.fill();
    context.stroke();
  }
}

// --- the certificate and the library

async function make(author) {
  find("make").disabled = true;
  say("Grading everything …", "doing");
  const result = await kit.run(["grade", "finish", ...(author ? ["--name", author] : [])]).catch((error) => ({ exit: 1, text: String(error) }));
  find("make").disabled = false;
  if (result.exit) return say(plain(result.text).split("\n")[0], "doing");
  say("Everything passes.", "doing");
  const made = await kit.read(), picture = made["dist/certificate.svg"], folder = "dist/my_engine/";
  const library = Object.fromEntries(Object.entries(made).filter(([name]) => name.startsWith(folder)).map(([name, text]) => [name.slice("dist/".length), text]));
  const svg = address(picture, "image/svg+xml");
  render(html`<img src=${svg} alt="The certificate" width="1200" height="630">
    <p class="acts"><a class="button" href=${svg} download="certificate.svg">Certificate as SVG</a>
      <a class="button" href=${await toPng(svg)} download="certificate.png">Certificate as PNG</a>
      <a class="button" href=${address(packed(library), "application/zip")} download="my_engine.zip">Your library</a></p>
    <p>To install your library, unpack it and run <code>python -m pip install ./my_engine</code>.</p>`, find("made"));
}

const address = (data, type) => URL.createObjectURL(new Blob([data], { type }));

async function toPng(svg) {
  const image = new Image();
  image.src = svg;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 1200, height: 630 });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return URL.createObjectURL(await new Promise((done) => canvas.toBlob(done)));
}

// --- starting

async function begin() {
  find("not-served").remove();
  const store = await Store.open("").catch(() => null), saved = (await store?.everything()) ?? {};
  files = Object.fromEntries(Object.entries(saved).map(([name, text]) => [name.slice(name.indexOf("/") + 1), text]));
  kit = await start({ onProgress: (how) => { say(`${starting(how)}.`); find("progress").value = how.part; }, onTell: (title) => say(`Checking: ${title.replaceAll("`", "")}`, "doing") });
  for (const [name, text] of Object.entries(files)) await kit.write(name, text);
  find("progress").remove();
  say(files["nn.py"] ? "Ready." : "You have no network in this browser yet. Write one in the course, then come back.");
  find("rest").hidden = !files["nn.py"];
}

find("train").addEventListener("click", train);
find("finish").addEventListener("submit", (event) => { event.preventDefault(); make(event.target.elements.author.value.trim()); });
begin().catch((error) => { find("progress").remove(); say(`This page could not start: ${error?.message ?? error}`); });
