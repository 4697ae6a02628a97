// The page of the course: it starts the kit, saves every change, runs what is typed, and shows the answers.
import { start } from "./kit.js";
import { Editor } from "./ui_editor.js";
import { Line, ask, split } from "./ui_line.js";
import { Log, exhibit, report } from "./ui_output.js";
import { showStanding } from "./ui_standing.js";
import { Store, persist, remember, remembered } from "./ui_store.js";

const PAUSE = 1500; // ms without a key until the phase is graded
const PRIVATE = "This browser does not keep your work, perhaps because the window is private. Export it before you close the page.";
const find = (id) => document.getElementById(id);
const INSECURE = "This address is not secure (https), so the page does not work offline, and two tabs can overwrite each other's changes.";
const narrow = matchMedia("(max-width: 800px)");

let course, kit, store, editor, log, line, question, standing;
let known = {};           // the files as the kit has them
const unsent = new Set(); // files that were edited since
let saving = 0, lost = false, working = 0, queue = Promise.resolve(), pause = 0, owner = true, asked = false;

// --- starting

async function begin() {
  const starting = start({
    onProgress: showProgress,
    onOutput: (text) => log.print(text),
    onAsk: (prompt, { keys }) => (question = ask(log, prompt, keys)).answer,
  });
  starting.catch(() => {}); // until it is awaited
  const before = remembered();
  if (before) await open(JSON.parse(before)); // while Python starts
  kit = await starting;
  const now = JSON.stringify(kit.course);
  if (before !== now) remember(now);
  if (before && before !== now) return location.reload();
  if (!before) await open(kit.course);
  await hand(editor.texts());
  const history = JSON.parse((await settings()).history ?? "[]");
  line = new Line(find("line"), find("choices"), { words, history, run: typed, interrupt: () => kit.interrupt() });
  find("loading").remove();
  for (const id of ["words", "export", "import"]) find(id).disabled = false;
  const { next } = await place();
  if (next?.line && !unsent.size && document.activeElement === document.body) {
    jump(next.file, next.line);
    if (!narrow.matches) editor.view.focus(); // on a phone it would open the keyboard
  }
  await run("grade", true);
  find("log").scrollTop = 0;
}

/** Show a course with what is saved of it. */
async function open(found) {
  course = found;
  document.title = find("title").textContent = course.title;
  store = await Store.open(course.title).catch(() => null);
  if (!store) notice(PRIVATE, "bad");
  if (!isSecureContext) notice(INSECURE);
  log = new Log(find("log"), (name) => name in course.files);
  editor = new Editor(find("editor"), { changed, save: () => grade(true) });
  if (store && !(await store.own(disowned))) {
    await notice("This course is open in another tab. Only one tab can save.", "", "Continue here");
    await store.own(disowned, true);
  }
  for (const [name, text] of Object.entries({ ...course.files, ...(await store?.all()) })) editor.write(name, text);
  editor.open(Object.keys(course.files)[0]);
  tabs();
}

/** Give these files to the kit. */
async function hand(texts) {
  for (const [name, text] of Object.entries(texts)) await kit.write(name, text);
  known = await kit.read();
}

/** Show why the page cannot start, and the work that is saved here all the same. */
async function failed(error) {
  find("progress").remove();
  find("progress-text").textContent = `The course could not start: ${error?.message ?? error}`;
  const texts = await Store.open("").then((found) => found.everything()).catch(() => ({}));
  const saved = Object.entries(texts).filter(([name]) => !name.includes("/."));
  if (saved.length) find("loading").append("Your work is still saved here: ");
  for (const [name, text] of saved) find("loading").append(download(name, [text]), " ");
}

function showProgress({ step, loaded, total }) {
  const size = (bytes) => (bytes / 2 ** 20).toFixed(1);
  const loading = step === "download";
  find("progress-text").textContent = loading ? `Loading Python and the course: ${size(loaded)} of ${size(total)} MB` : "Starting Python …";
  if (loading) Object.assign(find("progress"), { max: total, value: loaded });
  else find("progress").removeAttribute("value");
}

// --- saving

function changed(name, text) {
  unsent.add(name);
  save({ [name]: text });
  clearTimeout(pause);
  pause = setTimeout(() => grade(false), PAUSE);
  if (!asked) keep();
}

async function save(texts, kind) {
  if (!owner) return;
  if (!store) {
    lost ||= !kind;
    return;
  }
  find("saved").textContent = "Saving …";
  saving++;
  try {
    await store.save(texts, kind);
    lost = false;
  } catch (error) {
    lost = true;
    notice(`The browser could not save your work (${error?.name ?? error}). Export it now.`, "bad");
  }
  if (!--saving) find("saved").textContent = lost ? "Not saved" : "Saved in this browser";
}

async function keep() {
  asked = true;
  if (!store || (await persist()) || (await settings()).warned) return;
  await notice("The browser may delete saved work when it runs out of space. Export a copy from time to time.", "", "Got it");
  save({ warned: "yes" }, "page");
}

const settings = async () => (await store?.all("page")) ?? {};

async function disowned() {
  owner = false;
  editor.lock(true);
  find("saved").textContent = "";
  await notice("You continued in another tab, so this one is read-only.", "", "Continue here");
  await store.own(disowned, true);
  owner = true;
  editor.lock(false);
  const saved = await store.all();
  for (const [name, text] of Object.entries(saved)) editor.write(name, text);
  await hand(saved);
  tabs();
  place();
}

/** Take over what a command changed in the files: show it and save it. */
async function absorb() {
  const now = await kit.read(), changes = {};
  for (const name of Object.keys(known)) if (!(name in now)) changes[name] = null;
  for (const [name, text] of Object.entries(now)) if (text !== known[name]) changes[name] = text;
  known = now;
  for (const [name, text] of Object.entries(changes)) if (text !== null) editor.write(name, text);
  if (Object.keys(changes).length) await save(changes);
  tabs();
}

async function send() {
  for (const name of [...unsent]) {
    unsent.delete(name);
    known[name] = editor.text(name);
    await kit.write(name, known[name]);
  }
}

// --- running

function typed(text) {
  save({ history: JSON.stringify(line.history.slice(-200)) }, "page");
  run(text);
}

/** Run a line after those that still run. A question that waits for an answer is given up. */
function run(text, byItself = false) {
  const [program, ...rest] = split(text.replace(/^\$\s*/, ""));
  question?.stop(null);
  if (narrow.matches && !byItself) view("results");
  return afterOthers(() => execute(text, program === "grade" ? rest : [program, ...rest], byItself));
}

const afterOthers = (job) => (queue = queue.then(job).catch(console.error));

async function execute(text, words, byItself) {
  log.begin(text, byItself);
  if (!owner) return log.say("This tab is read-only.");
  if (/^python/.test(words[0])) return log.say('There is no Python prompt in this page. grade trace "a + b" shows what your engine computes.');
  if (words[0] === "watch") return log.say("This page watches already: it grades the phase whenever you pause or press Ctrl-S.");
  busy(1);
  try {
    await send();
    const result = await kit.run(["grade", ...words], { format: isGrading(words) ? "html" : "text", columns: log.columns });
    await absorb();
    show(result, words);
    announce(text, result);
  } catch (error) {
    log.say(`The grader stopped: ${error?.message ?? error}. Your files are saved.`, "bad");
  } finally {
    question = undefined;
    busy(-1);
    await place();
  }
}

const END = /\x1b\[2misolation \d.*\n(?:\x1b\[2m[^\x1b]*\x1b\[0m\n)*/; // of what the HTML report says as well

function show({ text, html, files }, words) {
  const made = files.filter((name) => /\.(svg|html)$/.test(name));
  const pictures = made.filter((name) => name.endsWith(".svg") || name.startsWith(".grade/"));
  if (html && !(pictures.length && words.includes("--open"))) log.add(report(html));
  const rest = html ? text.split(END)[1] : text;
  if (rest?.trim()) log.print(rest);
  for (const name of pictures) log.add(exhibit(name, known[name]));
  for (const name of made.filter((one) => !one.startsWith("."))) log.add(download(name, [known[name]]));
  log.end();
}

const isGrading = ([first = ""]) => /^(all|extras|\d)/.test(first)
  || course.stages.some(({ id }) => first === id || first.startsWith(`${id}.`));

/** Grade the phase at hand. By itself only if nothing else is going on, or else after that. */
function grade(asked) {
  clearTimeout(pause);
  if (question) return;
  if (standing && (asked || !working)) run(`grade ${atHand()}`, true);
  else if (asked || unsent.size) pause = setTimeout(() => grade(asked), PAUSE);
}

/** The next phase, or in a file that it is not about, the first phase of that file that does not pass. */
function atHand() {
  const here = course.stages.filter(({ file }) => file === editor.name).map(({ id }) => id);
  const next = standing.next?.stage;
  if (!here.length || here.includes(next)) return next ?? "all";
  return here.find((id) => standing.stages.find((stage) => stage.id === id).state !== "done") ?? here.at(-1);
}

async function place() {
  standing = await kit.status();
  showStanding(find("standing"), course, standing, (id) => run(`grade ${id}`, true));
  buttons();
  return standing;
}

function busy(step) {
  working += step;
  find("stop").hidden = !working;
  document.body.classList.toggle("busy", working > 0);
}

function announce(text, { exit, html }) {
  const score = html && log.entry.querySelector(".report")?.shadowRoot.querySelector("strong")?.textContent;
  find("announced").textContent = `${text}: ${score || (exit ? "see the answer" : "done")}`;
}

// --- what can be clicked

function buttons() {
  const phase = atHand();
  const made = [[`Grade ${phase}`, `grade ${phase}`], ["Show me", `grade ${phase} --open`], ["Hint", "grade hint"],
    ["Predict", "grade predict"], ["Quiz", "grade quiz"], ["Checklist", "grade checklist"]];
  find("common").replaceChildren(...made.map(([label, text], place) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label, title: text });
    button.addEventListener("click", () => run(text, place === 0));
    return button;
  }));
}

function tabs() {
  const extra = (name) => course.stages.some((stage) => stage.file === name) && course.stages.every((stage) => stage.extra || stage.file !== name);
  const names = Object.keys(editor.texts()).filter((name) => /^[^.].*\.py$/.test(name));
  const main = names.filter((name) => name === editor.name || !(name.includes("/") || extra(name)));
  find("tabs").replaceChildren(...main.map((name) => {
    const tab = Object.assign(document.createElement("button"), { type: "button", textContent: name, role: "tab", ariaSelected: String(name === editor.name) });
    tab.addEventListener("click", () => openFile(name));
    return tab;
  }));
  const choice = (shown, list) => list.map((name) => new Option(name, name, false, shown && name === editor.name));
  const others = names.filter((name) => !main.includes(name));
  find("files").replaceChildren(...(narrow.matches ? choice(true, names) : [new Option("more …", ""), ...choice(false, others)]));
  find("files").hidden = !narrow.matches && !others.length;
}

function openFile(name) {
  if (!name) return;
  editor.open(name);
  editor.view.focus();
  tabs();
  buttons();
}

function view(name) {
  document.body.dataset.view = name;
  for (const button of find("views").children) button.ariaPressed = String(button.dataset.view === name);
}

function follow(event) {
  const place = event.composedPath().find((node) => ["jump", "command"].includes(node.className));
  if (!place) return;
  event.preventDefault();
  const text = place.textContent;
  if (place.className === "jump") {
    view("code");
    jump(place.dataset.file, Number(place.dataset.line));
    editor.view.focus();
  } else if (text.includes('"')) { // something to fill in
    line.put(text);
    find("words").focus();
  } else run(text);
}

function jump(file, number) {
  editor.jump(file, number);
  tabs();
  buttons();
}

/** Say something above the page. With an action, wait until it is clicked. */
function notice(text, kind = "", action = "") {
  const box = Object.assign(document.createElement("p"), { textContent: text, className: kind });
  find("notices").append(box);
  return action && new Promise((resolve) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: action });
    button.addEventListener("click", () => { box.remove(); resolve(); });
    box.append(" ", button);
  });
}

function download(name, parts) {
  const url = URL.createObjectURL(new Blob(parts));
  return Object.assign(document.createElement("a"), { href: url, download: name.split("/").at(-1), textContent: name });
}

const words = () => [...new Set([...course.commands, "all", "extras"])].sort();

find("export").addEventListener("click", () => afterOthers(async () => {
  await send();
  download(`${course.title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.zip`, [await kit.zip()]).click();
}));
find("import").addEventListener("change", ({ target }) => afterOthers(async () => {
  const bytes = new Uint8Array(await target.files[0].arrayBuffer());
  target.value = "";
  log.begin("", false);
  try {
    await send();
    const names = (await kit.unzip(bytes)).filter((name) => !name.startsWith("."));
    await absorb();
    log.say(`Imported ${names.join(", ")}. Ctrl-Z in a file brings the old text back.`);
  } catch (error) {
    log.say(`Nothing was imported: ${error.message}.`, "bad");
  }
  await place();
}));
addEventListener("beforeunload", (event) => { if (saving || lost) event.preventDefault(); });
find("files").addEventListener("change", ({ target }) => openFile(target.value));
find("stop").addEventListener("click", () => { question?.stop(null); kit.interrupt(); });
find("about").addEventListener("click", () => find("about-page").showModal());
find("views").addEventListener("click", ({ target }) => target.dataset.view && view(target.dataset.view));
narrow.addEventListener("change", () => kit && tabs());
document.addEventListener("click", follow);
document.addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  grade(true);
});
view("results");
begin().catch(failed);
