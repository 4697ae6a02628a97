"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = {
  p: ["passed", "--passed"], f: ["failed", "--failed"], b: ["blocked", "--blocked"],
  n: ["not started", "--line"], e: ["could not be judged", "--error"], "-": ["not graded", "--shade"],
};
const body = document.querySelector("#map tbody");
let order = { key: "name", up: true };

const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

for (const [letter, [word, colour]] of Object.entries(VERDICTS)) {
  if (letter === "-") continue;
  const patch = make("i");
  patch.style.background = `var(${colour})`;
  document.getElementById("legend").append(make("span", {}, patch, word));
}
for (const phase of data.phases) {
  const label = make("span", { textContent: phase.id, title: phase.id });
  label.style.flex = `${phase.count} 1 0`;
  document.getElementById("phases").append(label);
}

function strip(learner) {
  const count = data.checkpoints.length || 1;
  const stops = [];
  for (let begin = 0; begin < learner.marks.length; ) {
    let end = begin;
    while (end < learner.marks.length && learner.marks[end] === learner.marks[begin]) end += 1;
    const colour = `var(${VERDICTS[learner.marks[begin]][1]})`;
    stops.push(`${colour} ${(100 * begin) / count}%`, `${colour} ${(100 * end) / count}%`);
    begin = end;
  }
  const passed = [...learner.marks].filter((mark) => mark === "p").length;
  const button = make("button", { type: "button", className: "strip" });
  button.setAttribute("aria-label", `${learner.name}: ${passed} of ${count} checkpoints pass; open the report`);
  if (stops.length) button.style.background = `linear-gradient(to right, ${stops.join(",")})`;
  button.addEventListener("click", (event) => open(learner, event.detail ? place(event, button) : -1));
  button.addEventListener("mousemove", (event) => tell(learner, place(event, button)));
  return button;
}

function place(event, button) {
  const box = button.getBoundingClientRect();
  return Math.min(data.checkpoints.length - 1, Math.floor(((event.clientX - box.left) / box.width) * data.checkpoints.length));
}

function tell(learner, index) {
  const checkpoint = data.checkpoints[index];
  if (checkpoint) {
    document.getElementById("hover").textContent =
      `${learner.name}: ${checkpoint.id}, ${checkpoint.title.replaceAll("`", "")}: ${VERDICTS[learner.marks[index]][0]}`;
  }
}

function points(learner) {
  if (learner.outcome === "graded") return String(learner.score);
  return { nothing: "nothing", refused: "unreadable", error: "error" }[learner.outcome];
}

function submissions(learner) {
  if (learner.history.length < 2) return learner.late ? "1 late" : String(learner.history.length || "");
  return `${learner.history.map((entry) => entry.score).join(" → ")}${learner.late ? " late" : ""}`;
}

function row(learner) {
  return make(
    "tr", {},
    make("td", { textContent: learner.name, title: learner.id }),
    make("td", { textContent: points(learner), className: "number", title: learner.message }),
    make("td", { textContent: submissions(learner), title: submissions(learner) }),
    make("td", {}, learner.marks.replaceAll("-", "") ? strip(learner) : make("span", { className: "soft", textContent: learner.message })),
  );
}

const KEYS = { name: (l) => l.name.toLowerCase(), score: (l) => (l.score === null ? -1 : l.score), history: (l) => l.history.length };
const FILTERS = {
  "": () => true,
  done: (l) => l.outcome === "graded" && !/[^p]/.test(l.marks),
  open: (l) => l.marks.includes("f"),
  nothing: (l) => l.outcome !== "graded",
  late: (l) => l.late,
};

function draw() {
  const words = document.getElementById("search").value.trim().toLowerCase();
  const filter = FILTERS[document.getElementById("filter").value];
  const found = data.learners.filter((l) => filter(l) && (l.name.toLowerCase().includes(words) || l.id.toLowerCase().includes(words)));
  const key = KEYS[order.key];
  found.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id < b.id ? -1 : 1) * (order.up ? 1 : -1));
  body.replaceChildren(...found.map(row));
  document.getElementById("found").textContent = `${found.length} of ${data.learners.length}`;
  for (const button of document.querySelectorAll("[data-sort]")) {
    const mine = button.dataset.sort === order.key;
    button.closest("th").setAttribute("aria-sort", mine ? (order.up ? "ascending" : "descending") : "none");
  }
}

async function open(learner, index) {
  const dialog = document.getElementById("report");
  const content = document.getElementById("content");
  document.getElementById("who").textContent = learner.name;
  document.getElementById("history").textContent = learner.history.length > 1 ? `submissions: ${submissions(learner)} points` : "";
  content.textContent = learner.report ? "…" : learner.message || "nothing was handed in";
  dialog.showModal();
  if (!learner.report) return;
  const bytes = Uint8Array.from(atob(learner.report), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  content.innerHTML = await new Response(stream).text(); // made by the same templates as this page, which escape everything
  const wanted = index >= 0 ? data.checkpoints[index].id : "";
  for (const details of content.querySelectorAll("details")) {
    if (details.dataset.id === wanted) {
      details.open = true;
      details.scrollIntoView({ block: "center" });
    }
  }
}

for (const button of document.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    order = { key: button.dataset.sort, up: order.key === button.dataset.sort ? !order.up : button.dataset.sort === "name" };
    draw();
  });
}
document.getElementById("search").addEventListener("input", draw);
document.getElementById("filter").addEventListener("change", draw);
document.getElementById("print").addEventListener("click", () => window.print());
draw();
