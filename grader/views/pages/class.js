"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = {
  p: ["passed", "--map-passed"], f: ["failed", "--map-failed"], b: ["blocked", "--map-blocked"],
  n: ["not started", "--map-open"], e: ["could not be judged", "--map-error"], "-": ["not graded", "--shade"],
};
const body = document.querySelector("#map tbody");
let order = { key: "name", up: true };
let cell = 0; // where the keys are, in the strip that has the focus

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
if (data.learners.some((one) => one.score !== null && !one.complete)) document.getElementById("legend").append(make("span", {}, "… not complete"));
if (data.learners.some((one) => one.changed)) document.getElementById("legend").append(make("span", {}, "* changed by lateness or by hand"));
for (const phase of data.phases) {
  const label = make("span", { textContent: phase.id.replace(/^phase(?=\d)/, ""), title: phase.id });
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
  button.addEventListener("click", (event) => open(learner, event.detail ? place(event, button) : cell));
  button.addEventListener("keydown", (event) => move(event, learner, button));
  button.addEventListener("focus", () => mark(learner, button));
  button.addEventListener("mousemove", (event) => tell(learner, place(event, button)));
  return button;
}

function place(event, button) {
  const box = button.getBoundingClientRect();
  return Math.min(data.checkpoints.length - 1, Math.floor(((event.clientX - box.left) / box.width) * data.checkpoints.length));
}

const cursor = make("span", { className: "cursor" });

function mark(learner, button) {
  if (!button.matches(":focus-visible")) return; // the pointer shows its place by itself
  cursor.style.left = `${(100 * cell) / data.checkpoints.length}%`;
  cursor.style.width = `max(7px, ${100 / data.checkpoints.length}%)`;
  button.append(cursor);
  tell(learner, cell);
}

function move(event, learner, button) {
  const rows = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const to = { ArrowLeft: cell - 1, ArrowRight: cell + 1, Home: 0, End: data.checkpoints.length - 1 }[event.key];
  if (rows !== undefined) {
    const strips = [...document.querySelectorAll(".strip")];
    strips[strips.indexOf(button) + rows]?.focus();
  } else if (to !== undefined) {
    cell = Math.max(0, Math.min(data.checkpoints.length - 1, to));
    mark(learner, button);
  } else return;
  event.preventDefault();
}

function tell(learner, index) {
  const checkpoint = data.checkpoints[index];
  if (checkpoint) {
    document.getElementById("hover").textContent =
      `${learner.name}: ${checkpoint.id}, ${checkpoint.title.replaceAll("`", "")}: ${VERDICTS[learner.marks[index]][0]}`;
  }
}

function points(learner) {
  if (learner.score !== null) return `${learner.score}${!learner.complete ? " …" : learner.changed ? "*" : ""}`;
  return { nothing: "nothing", refused: "unreadable", error: "error" }[learner.outcome];
}

function time(seconds) {
  return seconds ? new Date(1000 * seconds).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" }) : "";
}

const handedIn = (learner) => learner.history.filter((entry) => "score" in entry);

function submissions(learner) {
  const scores = handedIn(learner).map((entry) => entry.score);
  if (scores.length < 2) return learner.late ? "1 late" : String(scores.length || "");
  const text = scores.length > 2 ? `${scores[0]} → ${scores.at(-1)} (${scores.length})` : scores.join(" → ");
  return `${text}${learner.late ? " late" : ""}`;
}

function row(learner) {
  return make(
    "tr", {},
    make("td", { title: `${learner.name} ${learner.id}` }, make("bdi", { textContent: learner.name }), make("span", { className: "soft id", textContent: learner.id === learner.name ? "" : ` ${learner.id}` })),
    make("td", { textContent: points(learner), className: "number", title: learner.notes.join("; ") || learner.message }),
    make("td", { textContent: time(learner.received), className: "time" }),
    make("td", { textContent: submissions(learner), className: "history" }),
    make("td", {}, learner.marks.replaceAll("-", "") ? strip(learner) : make("span", { className: "soft", textContent: learner.message })),
  );
}

const KEYS = { name: (l) => l.name.toLowerCase(), score: (l) => (l.score === null ? -1 : l.score), time: (l) => l.received || 0, history: (l) => handedIn(l).length };
const FILTERS = {
  "": () => true,
  done: (l) => l.outcome === "graded" && !/[^p]/.test(l.marks),
  open: (l) => l.marks.includes("f"),
  nothing: (l) => l.outcome !== "graded",
  late: (l) => l.late,
  missing: (l) => l.missing.length,
};

const only = new Map(); // filters that a click has set: the button, and who is kept

function shownLearners() {
  const words = document.getElementById("search").value.trim().toLowerCase();
  const filter = FILTERS[document.getElementById("filter").value];
  const [from, to] = ["from", "to"].map((id) => document.getElementById(id).valueAsNumber);
  const section = document.getElementById("section").value;
  const named = (l) => l.name.toLowerCase().includes(words) || l.id.toLowerCase().includes(words);
  const scored = (l) => (isNaN(from) || (l.score !== null && l.score >= from)) && (isNaN(to) || (l.score !== null && l.score <= to));
  const found = data.learners.filter((l) => filter(l) && [...only.values()].every((keeps) => keeps(l)) && (!section || l.section === section) && scored(l) && named(l));
  const key = KEYS[order.key];
  found.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id < b.id ? -1 : 1) * (order.up ? 1 : -1));
  return found;
}

function draw() {
  const found = shownLearners();
  body.replaceChildren(...found.map(row));
  document.getElementById("found").textContent = `${found.length} of ${data.learners.length}`;
  for (const button of document.querySelectorAll("[data-sort]")) {
    const mine = button.dataset.sort === order.key;
    button.closest("th").setAttribute("aria-sort", mine ? (order.up ? "ascending" : "descending") : "none");
  }
}

const dialog = document.getElementById("report");
const content = document.getElementById("content");

async function show(title, packed, otherwise = "") {
  document.getElementById("who").textContent = title;
  document.getElementById("notes").replaceChildren();
  document.getElementById("history").replaceChildren();
  content.textContent = packed ? "…" : otherwise;
  dialog.showModal();
  if (!packed) return;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  content.innerHTML = await new Response(stream).text(); // made by the same templates as this page, which escape everything
}

async function open(learner, index) {
  const shown = show(learner.name, learner.report, learner.message || "nothing was handed in");
  history.replaceState(null, "", `#${encodeURIComponent(learner.id)}`);
  const notes = [...learner.notes, learner.section ? `Section: ${learner.section}` : ""].filter(Boolean);
  document.getElementById("notes").append(...notes.map((note) => make("li", { textContent: note })));
  document.getElementById("history").append(...learner.history.map((entry) => make(
    "tr", {},
    make("td", { textContent: time(entry.when) || "time not known", className: entry.when ? "" : "soft" }),
    make("td", { textContent: `${entry.what}${entry.late ? ", late" : ""}` }),
    make("td", { textContent: entry.who ?? "", className: "soft" }),
  )));
  await shown;
  const wanted = index >= 0 ? data.checkpoints[index].id : "";
  for (const details of content.querySelectorAll("details")) {
    if (details.dataset.id === wanted) {
      details.open = true;
      details.scrollIntoView({ block: "center" });
    }
  }
}

function openLinked() {
  const learner = data.learners.find((one) => one.id === decodeURIComponent(location.hash.slice(1)));
  if (learner) open(learner);
}

dialog.addEventListener("close", () => history.replaceState(null, "", location.pathname));
window.addEventListener("hashchange", openLinked);

for (const button of document.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    order = { key: button.dataset.sort, up: order.key === button.dataset.sort ? !order.up : button.dataset.sort === "name" };
    draw();
  });
}
for (const id of ["search", "filter", "section", "from", "to"]) document.getElementById(id).addEventListener("input", draw);
const sections = [...new Set(data.learners.map((l) => l.section))].filter(Boolean).sort();
document.getElementById("sections").hidden = !sections.length;
document.getElementById("section").append(...sections.map((name) => make("option", { textContent: name })));

function keeps(button) {
  const { mistake, failed, bin, phase, item, period, group, unusable } = button.dataset;
  if (mistake) return (l) => l.mistakes.includes(mistake);
  if (bin) return (l) => l.score !== null && Math.min(data.bins - 1, Math.floor((data.bins * l.score) / data.most)) === Number(bin);
  if (phase) return (l) => l.phases[phase] !== undefined && l.phases[phase] !== data.possible[phase];
  if (item) return (l) => l.missing.includes(item);
  if (period) return (l) => l.day && period.split(" ")[0] <= l.day && l.day <= period.split(" ")[1];
  if (group) return (l) => l.groups.includes(Number(group));
  if (unusable) return (l) => l.unusable.length;
  if (!failed) return (l) => l.section === button.dataset.section;
  const place = data.checkpoints.findIndex((checkpoint) => checkpoint.id === failed);
  return (l) => l.marks[place] === "f" && !l.unusable.includes(failed.split(".")[0]);
}

const filters = document.querySelectorAll("main [aria-pressed]");
const kind = (button) => Object.keys(button.dataset)[0];

function toggle(button) {
  const begins = !only.has(button);
  for (const one of filters) {
    if (kind(one) === kind(button)) only.delete(one);
  }
  if (begins) only.set(button, keeps(button));
  for (const one of filters) one.setAttribute("aria-pressed", String(only.has(one)));
  document.getElementById("chips").replaceChildren(...[...only.keys()].map((one) => {
    const chip = make("button", { type: "button", textContent: `${one.dataset.label ?? one.textContent} ✕` });
    chip.addEventListener("click", () => toggle(one));
    return chip;
  }));
  draw();
  if (only.has(button)) document.querySelector(".tools").scrollIntoView();
}

for (const button of filters) button.addEventListener("click", () => toggle(button));
for (const button of document.querySelectorAll("[data-pair]")) {
  button.addEventListener("click", () => show("Code in common", data.pairs[button.dataset.pair]));
}

function csv() {
  const quoted = (value) => {
    const text = String(value ?? "");
    const harmless = typeof value === "string" && /^\s*[=+\-@]/.test(text) ? `'${text}` : text;
    return `"${harmless.replaceAll('"', '""')}"`;
  };
  const head = ["id", "name", "section", "points", "handed in", "late", "notes", ...data.items, ...data.checkpoints.map((checkpoint) => checkpoint.id)];
  const rows = shownLearners().map((l) => [l.id, l.name, l.section, l.score, time(l.received), l.late ? 1 : 0, l.notes.join("; ") || l.message, ...data.items.map((_, place) => l.items[place]), ...[...l.marks].map((mark) => VERDICTS[mark][0])]);
  return [head, ...rows].map((cells) => cells.map(quoted).join(",")).join("\r\n") + "\r\n";
}

document.getElementById("csv").addEventListener("click", () => {
  const link = make("a", { download: "class.csv" });
  link.href = URL.createObjectURL(new Blob(["\ufeff", csv()], { type: "text/csv" }));
  link.click();
  URL.revokeObjectURL(link.href);
});
document.getElementById("print").addEventListener("click", () => window.print());
draw();
openLinked();
