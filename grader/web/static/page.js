// The page of the course: it shows the lesson and the stubs at once, starts the kit, saves every change, grades, and shows
// what comes back.
import { packed, unpacked } from "./files.js";
import { start } from "./kit.js";
import { html, nothing, render, repeat } from "./lib.min.js";
import { Console, columnsOf, split } from "./ui_console.js";
import { lesson, namesOf } from "./ui_lesson.js";
import { divide } from "./ui_panes.js";
import { checklist, hints, quiz, refusal, solution } from "./ui_practice.js";
import { report } from "./ui_report.js";
import { standing } from "./ui_standing.js";
import { Store, persist } from "./ui_store.js";
import { inline, placesOf, starting } from "./ui_text.js";

const PAUSE = 1500; // ms without a key until the phase is graded
const TRACE = ".grade/trace.html"; // where commands write it
const WIDE = 1000; // columns, where lines are wrapped by the page
const SIZES = [11, 12, 13, 14, 16, 18, 20]; // of code, in pixels
const PRIVATE = "This browser does not keep your work, perhaps because the window is private. Export it before you close the page.";
const INSECURE = "This address is not secure (https), so the page does not work offline, and two tabs can overwrite each other's changes.";
const find = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 800px)");

const course = JSON.parse(find("course").textContent);
const stageOf = (id) => course.stages.find((stage) => stage.id === id);
const shown = { stage: course.stages.find(({ extra }) => !extra) ?? course.stages[0], lesson: 0, pane: "cards" };

let kit, store, editor, terminal, prompt, status, settings = {};
let known = {};           // the files as the kit has them
const unsent = new Set(); // files edited since
const cards = [], notices = [];
let saving = 0, lost = false, owner = true, asked = false;
let queue = Promise.resolve(), waiting = 0, pause = 0;
let current = null;       // what the judge does: { text, isGrading, outdated, at, total, title }

// --- starting

async function begin() {
  find("not-served").remove();
  const started = start({
    onProgress: showProgress,
    onOutput: (text) => terminal.print(text),
    onAsk: (question) => { pane("console"); return terminal.ask(question); },
    onTell: (title) => { if (current) Object.assign(current, { at: current.at + 1, title }); draw(); },
    onUpdate: (install) => notice("There is a new version of this page. Your work is kept.", { action: "Use it" }).then(install),
  });
  started.catch(() => {}); // until it is awaited
  draw();
  await open();
  kit = await started;
  await hand(editor.texts());
  await exclusively(place);
  find("loading").remove();
  const { next } = status ?? {};
  if (next?.line && !unsent.size && [document.body, null].includes(document.activeElement)) jump(next.file, next.line, !narrow.matches);
}

/** Show the stubs with what is saved of them. */
async function open() {
  store = await Store.open(course.title).catch(() => null);
  if (!store) notice(PRIVATE, { kind: "bad" });
  if (!isSecureContext) notice(INSECURE);
  settings = (await store?.all("page")) ?? {};
  const { Editor } = await import("./ui_editor.js");
  editor = new Editor(find("editor"), { changed, save: () => grade(true), course: namesOf(course) });
  terminal = new Console(find("console"), {
    history: JSON.parse(settings.history ?? "[]"), words: () => [...(kit?.words ?? []), "all", "extras", "try"].sort(),
    isFile: (name) => name in course.files, run: typed, interrupt: stop, jump,
  });
  divide(document.querySelector("main"), JSON.parse(settings.sizes ?? "{}"), (sizes) => save({ sizes: JSON.stringify(sizes) }, "page"));
  resize(0);
  if (store && !(await store.own(disowned))) {
    await notice("This course is open in another tab. Only one tab can save.", { action: "Continue here" });
    await store.own(disowned, true);
  }
  for (const [name, text] of Object.entries({ ...course.files, ...(await store?.all()) })) editor.write(name, text);
  editor.open(shown.stage.file);
  draw();
}

/** Give these files to the kit. */
async function hand(texts) {
  for (const [name, text] of Object.entries(texts)) await kit.write(name, text);
  known = await kit.read();
}

/** Show why the page cannot start. You can still edit and export your saved work. */
function failed(error) {
  find("progress").remove();
  const why = /wasm-unsafe-eval|WebAssembly/.test(`${error?.message}`)
    ? "its server forbids WebAssembly: its Content-Security-Policy needs script-src 'wasm-unsafe-eval'" : error?.message ?? error;
  find("progress-text").textContent = `The grader could not start: ${why}. Your work is still saved here: Export gives it to you.`;
  console.error(error);
}

function showProgress(how) {
  if (!find("progress")) return; // the prompt may be ready after the page
  find("progress-text").textContent = `${starting(how)}. You can already read and write.`;
  find("progress").value = how.part;
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
  if (kind) Object.assign(settings, texts);
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
    notice(`The browser could not save your work (${error?.name ?? error}). Export it now.`, { kind: "bad" });
  }
  if (!--saving) find("saved").textContent = lost ? "Not saved" : "Saved in this browser";
}

async function keep() {
  asked = true;
  if (!store || (await persist()) || settings.warned) return;
  await notice("The browser may delete saved work when it runs out of space. Export a copy from time to time.", { action: "Got it" });
  save({ warned: "yes" }, "page");
}

async function disowned() {
  owner = false;
  editor.lock(true);
  find("saved").textContent = "";
  await notice("You continued in another tab, so this one is read-only.", { action: "Continue here" });
  await store.own(disowned, true);
  owner = true;
  editor.lock(false);
  const saved = await store.all();
  for (const [name, text] of Object.entries(saved)) editor.write(name, text);
  if (kit) await hand(saved);
  await exclusively(place);
}

/** Take over what a command changed in the files: show it and save it. */
async function absorb() {
  const now = await kit.read(), changes = {};
  for (const name of Object.keys(known)) if (!(name in now)) changes[name] = null;
  for (const [name, text] of Object.entries(now)) if (text !== known[name]) changes[name] = text;
  known = now;
  for (const [name, text] of Object.entries(changes)) if (text !== null && !unsent.has(name)) editor.write(name, text);
  if (Object.keys(changes).length) await save(changes);
}

async function send() {
  for (const name of [...unsent]) {
    unsent.delete(name);
    known[name] = editor.text(name);
    await kit.write(name, known[name]);
  }
}

async function bring(chosen) {
  try {
    const { files, skipped } = await unpacked(chosen, Object.keys(course.files));
    for (const [name, text] of Object.entries(files)) {
      editor.write(name, text);
      unsent.add(name);
    }
    await save(files);
    const names = Object.keys(files).filter((name) => !name.startsWith("."));
    const rest = skipped.length ? ` Skipped ${skipped.length} other files, such as ${skipped[0]}.` : "";
    say("Import", `Imported ${names.join(", ")}. Ctrl-Z in a file brings the old text back.${rest}`);
    grade(false);
  } catch (error) {
    say("Import", `Nothing was imported: ${error.message}.`, "bad");
  }
}

// --- running

/** Do something after what the judge does now. */
function exclusively(job) {
  waiting++;
  return (queue = queue.then(job).catch((error) => console.error(error)).finally(() => { waiting--; }));
}

/** Run a command, and show its answer. */
function run(text, byItself = false) {
  const words = split(text.replace(/^\$\s*/, ""));
  terminal?.answer(null);
  if (words[0] === "grade") words.shift();
  if (!byItself) pane(isGrading(words) || words.includes("--open") ? "cards" : shown.pane);
  return exclusively(() => execute(text, words, byItself));
}

const isGrading = ([first = ""]) => /^(all|extras|\d)/.test(first)
  || course.stages.some(({ id }) => first === id || first.startsWith(`${id}.`));

async function execute(text, words, byItself) {
  if (!owner) return say(text, "This tab is read-only.");
  if (!kit) return say(text, "The grader has not started yet.");
  const chosen = course.stages.filter(({ id }) => words.some((word) => word === id || `phase${word}` === id));
  const total = chosen.reduce((sum, { checkpoints }) => sum + checkpoints.length, 0);
  const job = (current = { text, isGrading: isGrading(words), outdated: false, at: 0, total, title: text });
  draw();
  try {
    await send();
    const columns = shown.pane === "console" ? columnsOf(find("console")) : WIDE;
    const result = await kit.run(["grade", ...words], { columns });
    await absorb();
    if (!job.outdated) show(text, result, byItself);
  } catch (error) {
    if (!job.outdated) say(text, `The grader stopped: ${error?.message ?? error}. Your files are saved.`, "bad");
  }
  if (job.outdated) current = null; // the judge has the old code, which may hang
  else await place();
}

function show(text, { exit, report: found, text: printed, files }, byItself) {
  if (found) {
    const last = cards.find(({ kind }) => kind === "report");
    const before = last?.ids === idsOf(found) ? last.passed : null;
    const hadHints = last?.ids === idsOf(found) ? last.hints : {};
    const isNews = String([...(before ?? [])]) !== String([...passedOf(found)]);
    if (last && isNews && !["Quiz", "Predict"].includes(cards[0].id)) cards.splice(cards.indexOf(last), 1); // the others are about older code
    put({ id: "report", kind: "report", title: text, found, before, passed: passedOf(found), ids: idsOf(found), hints: hadHints }, !byItself);
    editor.mark(marksOf(found));
  } else if (printed.trim() && shown.pane === "console") terminal.print(printed.endsWith("\n") ? printed : `${printed}\n`);
  const made = files.filter((name) => /\.(svg|html)$/.test(name)), isTrace = made.includes(TRACE);
  if (printed.trim() && !isTrace && (found || shown.pane !== "console")) say(text, printed.replace(/\x1b\[[0-9;]*m/g, ""), exit ? "bad" : "");
  for (const name of made) {
    put({ id: name, kind: "exhibit", title: name === TRACE ? text : name, name, text: known[name] }, true);
    pane("cards");
  }
  const library = files.filter((name) => name.startsWith("dist/"));
  if (library.length) put({ id: "library", kind: "files", title: "your library", names: library }, true);
  find("announced").textContent = found ? `${text}: ${found.score} of ${found.max_score} points` : `${text}: ${exit ? "see the answer" : "done"}`;
  draw();
}

const resultsOf = (found) => found.phases.flatMap(({ results }) => results);
const idsOf = (found) => found.phases.map(({ id }) => id).join(" ");
const passedOf = (found) => new Set(resultsOf(found).filter(({ verdict }) => verdict === "passed").map(({ id }) => id));
const marksOf = (found) => resultsOf(found).filter(({ verdict, place }) => verdict === "failed" && place).map(({ place, title, answer }) => (
  { ...place, message: [title, answer.numbers.map(({ text }) => text).join(""), answer.reason].filter(Boolean).join("\n") }))
  .concat(found.notes.flatMap((note) => placesOf(note).slice(0, 1).map((place) => ({ ...place, message: note }))));

/** Grade the phase at hand. A grading of older code is interrupted; other requests of the learner are not. */
function grade(asked) {
  clearTimeout(pause);
  if (terminal?.asked) return;
  const isOld = current && (current.isGrading || current.isStatus) && unsent.size;
  if (isOld && !current.outdated) {
    current.outdated = true;
    kit.interrupt();
  }
  if (kit && status && (isOld || !waiting)) run(`grade ${atHand()}`, !asked || !narrow.matches);
  else if (asked || unsent.size) pause = setTimeout(() => grade(asked), PAUSE / 3);
}

/** The next phase, or in a file that it is not about, the first phase of that file that does not pass. */
function atHand() {
  const here = course.stages.filter(({ file }) => file === editor?.name).map(({ id }) => id);
  const next = status?.next?.stage ?? (status ? undefined : shown.stage.id);
  if (here.includes(next)) return next;
  return here.find((id) => stateOf(id) !== "done") ?? next ?? "all";
}

const stateOf = (id) => status?.stages.find((stage) => stage.id === id)?.state;

/** Find out where the learner is, and let the lesson follow. */
async function place() {
  const before = status?.next;
  const job = (current = { text: "", isStatus: true, outdated: false, at: 0, total: 0, title: "Looking at your code …" });
  draw();
  try {
    status = await kit.status();
    const { next } = status;
    if (next && (next.stage !== before?.stage || next.function !== before?.function)) teach(next.stage, next.function);
  } catch (error) {
    if (!job.outdated) console.error(error);
  }
  if (current === job) current = null;
  draw();
}

function stop() {
  if (current) kit.interrupt();
  prompt?.interrupt();
}

// --- the console

function typed(line) {
  save({ history: JSON.stringify(terminal.history.slice(-200)) }, "page");
  terminal.echo(line);
  const [program, command, checkpoint] = split(line);
  if (program === "grade" && command === "watch") return terminal.print("This page watches already: it grades the phase whenever you pause or press Ctrl-S.\n");
  if (program === "grade" && command === "try") return tryIt(checkpoint);
  if (program === "grade") return run(line);
  const file = split(line).at(-1);
  if (program !== "python" || !(file in course.files)) return python([line]);
  editor.open(file);
  loaded = ""; // so that it runs again
  return python([]);
}

/** Run the lines that show a failure: that of a checkpoint, or the first one. */
function tryIt(checkpoint) {
  const results = cards.filter(({ kind }) => kind === "report").flatMap(({ found }) => resultsOf(found));
  const failing = results.find(({ id, reproduce }) => reproduce && (!checkpoint || id === checkpoint));
  return failing ? python(failing.reproduce.split("\n")) : terminal.print("The last report has no lines to try.\n");
}

let loaded = ""; // what the prompt has read
let typing = Promise.resolve(), isTyping = false;
const ran = new Set(); // the examples that it has run

/** Type lines into Python, after those before them. */
function python(lines) {
  pane("console");
  if (!kit) return terminal.print("Python has not started yet.\n");
  return (typing = typing.then(async () => {
    isTyping = true;
    draw();
    await type(lines);
  }).catch((error) => console.error(error)).finally(() => { isTyping = false; draw(); }));
}

/** Type lines into Python, which reads the files again if they have changed. */
async function type(lines) {
  const files = editor.texts(), now = JSON.stringify([editor.name, files]);
  if (!prompt || loaded !== now) {
    prompt?.close();
    ran.clear();
    const again = Boolean(prompt);
    loaded = now;
    const python = Object.fromEntries(Object.entries(files).filter(([name]) => /\.py$/.test(name)));
    prompt = await kit.prompt({ files: python, run: editor.name, onPrint: (text) => terminal.print(text) });
    if (again) terminal.print(`${editor.name} has changed, so this is a new prompt.\n`, "soft");
  }
  for (const line of [...lines, ...(lines.length > 1 ? [""] : [])]) {
    if (lines.length > 1 && line) terminal.echo(line);
    const { more, failed, ended } = await prompt.push(line);
    terminal.prompt(more ? "..." : ">>>");
    if (failed) return; // what follows would only fail, too
    if (ended) {
      prompt = undefined;
      return terminal.print("The prompt has ended. The next line begins a new one.\n", "soft");
    }
  }
}

/** Run an example of a lesson after those before it, unless they have run. */
async function example(texts, number) {
  const key = (at) => texts[at].join("\n");
  await python([]);
  const before = texts.slice(0, number).filter((_, at) => !ran.has(key(at)));
  for (const lines of [...before, texts[number]]) {
    ran.add(lines.join("\n"));
    await python(lines.length > 1 ? lines : [...lines, ""]);
  }
}

// --- hints, questions and the rest

/** Ask the judge for a card's content, after sending it the code. */
function ask(name, ...given) {
  terminal.answer(null);
  return exclusively(async () => {
    current = { text: name, outdated: false, at: 0, total: 0, title: "One moment …" };
    draw();
    try {
      await send();
      const result = await kit.practice(name, ...given);
      await absorb();
      return result;
    } catch (error) {
      return { error: `the grader stopped: ${error?.message ?? error}`, hint: "try it again" };
    } finally {
      current = null;
      draw();
    }
  });
}

async function showHint(about, step = 1) {
  const found = await ask("hint", about, step);
  const content = () => hints(found, { more: () => showHint(about), about: (name) => showHint(name) });
  const failing = cards.find(({ kind, found }) => kind === "report" && resultsOf(found).some(({ id }) => id === about));
  if (failing) failing.hints = { ...failing.hints, [about]: content() };
  else put({ id: "hint", kind: "template", title: "Hint", content }, true);
  drawNow();
  [...find("cards").querySelectorAll(failing ? `[data-id="${CSS.escape(about)}"] .level` : "[data-id=hint] .level")].at(-1)?.scrollIntoView({ block: "nearest" });
}

async function showQuiz(predict, about = "") {
  const found = await ask("quiz", about, predict), title = predict ? "Predict" : "Quiz";
  if (found.error) return put({ id: title, kind: "template", title, content: () => refusal(found) }, true);
  const state = { ...found, at: 0, answers: [] };
  const acts = {
    async answer(text, chosen) {
      const answer = await ask("answer", state.at, text);
      if (answer.error) state.wrong = `${answer.error}; ${answer.hint}`;
      else Object.assign(state, { wrong: "" }).answers[state.at] = { ...answer, chosen };
      draw();
    },
    async nudge() { state.nudge = (await ask("nudge", state.at)).lines; draw(); },
    next() { Object.assign(state, { at: state.at + 1, nudge: [], wrong: "" }); draw(); },
    again: (graphs) => showQuiz(graphs, about),
  };
  put({ id: title, kind: "template", title, content: () => quiz(state, acts) }, true);
}

async function showChecklist(...tick) {
  const found = await ask("checklist", ...tick);
  const acts = { tick: (id, isDone) => showChecklist(id, isDone), ask: (id) => showQuiz(false, id) };
  put({ id: "checklist", kind: "template", title: "Checklist", content: () => checklist(found, acts) }, true);
}

async function showSolution(phase, spoil = false) {
  const found = await ask("solution", phase, spoil);
  const acts = { hint: () => showHint(phase), spoil: () => showSolution(phase, true) };
  put({ id: "solution", kind: "template", title: `Solution of ${phase}`, content: () => solution(found, acts) }, true);
}

/** A card with something to type in: `command(text)` is what to run. */
function showForm(title, label, value, button, command) {
  const submit = (event) => { event.preventDefault(); run(command(event.target.elements.text.value.replaceAll('"', ""))); };
  put({ id: title, kind: "template", title, content: () => html`<form class="ask" @submit=${submit}>
    <label>${label} <input name="text" autocomplete="off" value=${value}></label> <button class="main">${button}</button></form>` }, true);
}

const showTrace = () => showForm("Trace", "An expression", "(a*b + c) * (a + d)", "Trace it", (text) => `grade trace "${text}"`);
const showFinish = () => showForm("Certificate", "Your name", "", "Make it", (text) => `grade finish${text.trim() ? ` --name "${text.trim()}"` : ""}`);

// --- the lesson

function teach(id, name) {
  const stage = stageOf(id);
  if (!stage) return;
  const at = stage.lessons.findIndex((lesson) => lesson.name === name);
  const isNew = stage.lessons[0]?.name === "" && stateOf(id) === "open" && !stage.lessons.slice(0, at).some(({ head }) => head.startsWith("def"));
  Object.assign(shown, { stage, lesson: isNew ? 0 : Math.max(0, at) });
  find("lesson").scrollTop = 0;
  draw();
}

function browse(stage, number) {
  Object.assign(shown, { stage, lesson: number });
  find("lesson").scrollTop = 0;
  draw();
}

function openStage(id) {
  const stage = stageOf(id);
  browse(stage, 0);
  const name = stage.lessons.find(({ name }) => name)?.name;
  if (editor && name) editor.jump(stage.file, editor.find(stage.file, name));
  if (narrow.matches) view("lesson");
}

// --- drawing

/** Put a card above the others, or in the place of its predecessor. */
function put(card, above) {
  const at = cards.findIndex(({ id }) => id === card.id);
  if (at >= 0 && !above) cards[at] = card;
  else {
    if (at >= 0) cards.splice(at, 1);
    cards.unshift(card);
    find("cards").scrollTop = 0;
  }
  cards.length = Math.min(cards.length, 12);
  if (above) pane("cards");
  draw();
}

const say = (title, text, kind = "") => put({ id: "said", kind: "template", title, content: () => html`<p class="said ${kind}">${inline(text.trim())}</p>` }, true);

let drawing = false;

/** Draw everything at the end of this turn. */
function draw() {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    drawNow();
  });
}

function drawNow() {
  const focused = document.activeElement?.closest("article")?.dataset.id;
  const acts = { jump, run: (lines) => python(lines), hint: showHint, command: (text) => run(text) };
  render(standing(course, status, blamed(), shown.stage.id, { open: openStage, jump }), find("standing"));
  render(lesson(shown.stage, shown.lesson, {
    show: (number) => browse(shown.stage, number), run: example, type: typed,
    code: (file, name) => jump(file, editor.find(file, name)),
  }), find("lesson"));
  render(actions(), find("actions"));
  render(progress(), find("running"));
  find("running").hidden = !current && !isTyping;
  render(repeat(cards, ({ id }) => id, (card) => html`<article class=${card.kind} data-id=${card.id} tabindex="-1">
    <h2>${card.title}<button type="button" class="close" aria-label="Close ${card.title}" @click=${() => close(card)}>×</button></h2>
    ${content(card, acts)}</article>`), find("cards"));
  if (focused && document.activeElement === document.body) find("cards").querySelector(`[data-id="${focused}"]`)?.focus();
  render(notices.map(({ text, kind, action, done }) => html`<p class=${kind}>${text} ${action ? html`<button type="button" @click=${done}>${action}</button>` : nothing}</p>`), find("notices"));
  if (editor) render(tabs(), find("tabs"));
  document.body.classList.toggle("busy", Boolean(current));
  const last = cards.find(({ kind }) => kind === "report")?.found;
  find("views").lastElementChild.textContent = last ? `Results ${last.score}/${last.max_score}` : "Results";
  find("cards").hidden = shown.pane !== "cards";
  find("welcome").hidden = cards.length > 0 || shown.pane !== "cards";
  find("console").hidden = shown.pane !== "console";
}

function content(card, acts) {
  if (card.kind === "template") return card.content();
  if (card.kind === "report") return html`${card.found.phases.every(isDone) ? passed(card.found) : nothing}${report(card.found, card.before, card.hints, acts)}`;
  if (card.kind === "files") return html`<p><a href=${blob(packed(Object.fromEntries(card.names.map((name) => [name.slice(5), known[name]]))))} download="library.zip">Download it as a zip</a></p>`;
  const file = card.name.split("/").pop(), enlarge = ({ target }) => target.closest("article").querySelector("iframe").requestFullscreen();
  return html`<p class="acts">${file.endsWith(".html") ? html`<button type="button" @click=${enlarge}>Full screen</button>` : nothing}
      <a class="button" href=${blob(card.text)} download=${file}>Download ${file}</a></p>
    ${file.endsWith(".svg") ? html`<img src="data:image/svg+xml,${encodeURIComponent(card.text)}" alt=${card.name}>`
    : html`<iframe sandbox="allow-scripts" title=${card.name} srcdoc=${card.text}></iframe>`}`;
}

/** The place that the report blames for the checkpoint to look at. */
function blamed() {
  const results = cards.filter(({ kind }) => kind === "report").flatMap(({ found }) => resultsOf(found));
  return results.find(({ id, verdict, place }) => id === status?.next?.checkpoint && verdict === "failed" && place)?.place;
}

const isDone = ({ results }) => results.every(({ verdict, points }) => verdict === "passed" || points === "bonus");

/** What to do after a phase has passed. */
function passed({ phases }) {
  const stage = stageOf(phases.at(-1).id), next = status?.next && stageOf(status.next.stage);
  if (!stage) return nothing;
  return html`<p class="passed-all"><strong>✓ ${phases.map(({ id }) => id).join(", ")} ${phases.length > 1 ? "pass" : "passes"}.</strong></p>
    <p class="acts">${next && next !== stage ? html`<button type="button" class="main" @click=${() => openStage(next.id)}>Next: ${next.id}, ${next.title}</button>` : nothing}
      ${!course.stages.every(({ id, extra }) => extra || stateOf(id) === "done") ? nothing
        : course.finish ? html`<a class="button main" href="finish.html">See it learn, and get your certificate</a>`
        : html`<button type="button" class="main" @click=${showFinish}>Certificate</button>`}
      ${stage.see ? html`<button type="button" @click=${() => run(stage.see)}>See it: ${stage.see}</button>` : nothing}
      ${stage.asks ? html`<button type="button" @click=${() => showQuiz(stage.asks === "predict", stage.id)}>Questions about it</button>` : nothing}
      <button type="button" @click=${() => showSolution(stage.id)}>Compare with the solution</button></p>`;
}

const urls = new Map();

/** Return an address for these bytes or this text, the same one for the same text. */
function blob(data) {
  const key = typeof data === "string" ? data : data.length;
  if (!urls.has(key)) urls.set(key, URL.createObjectURL(new Blob([data])));
  return urls.get(key);
}

function actions() {
  const phase = atHand(), picture = course.stages.some(({ id, shows }) => shows && ["begun", "done", "changed"].includes(stateOf(id)));
  const button = (label, act, kind = "") => html`<button type="button" class=${kind} ?disabled=${!kit} @click=${act}>${label}</button>`;
  const tab = (name, label) => html`<button type="button" aria-pressed=${String(shown.pane === name)} data-pane=${name} @click=${() => pane(name)}>${label}</button>`;
  return html`<span class="tabs">${tab("cards", "Answers")}${tab("console", "Console")}</span>
    <button type="button" class="main" id="grade" ?disabled=${!kit} @click=${() => run(`grade ${atHand()}`)}>Grade ${phase}</button>
    ${button("Hint", () => showHint(null))}${button("Quiz", () => showQuiz(false))}${button("Predict", () => showQuiz(true))}
    <details class="more"><summary>more</summary><div>
      ${button("Checklist", () => showChecklist())}${button("Trace an expression", showTrace)}
      ${button(`Solution of ${phase}`, () => showSolution(phase))}${button(`Reset ${phase} to its stubs`, () => run(`grade reset ${phase}`))}
      ${picture ? button("Training picture", () => run("grade show")) : nothing}
      ${picture && course.finish ? html`<a class="button" href="finish.html">See it learn</a>` : nothing}${button("Certificate", showFinish)}</div></details>`;
}

function progress() {
  if (!current && !isTyping) return nothing;
  const { at, total, title } = current ?? { title: "Python is running in the console …" }, isCounted = total > 0 && at > 0;
  return html`<progress max=${total || 1} value=${isCounted ? Math.min(at, total) - 0.5 : nothing} aria-label="Progress"></progress>
    <span>${isCounted ? `checking ${Math.min(at, total)} of ${total}: ${title}` : title}</span>
    <button type="button" id="stop" @click=${stop}>Stop</button>`;
}

function tabs() {
  const names = Object.keys(editor.texts()).filter((name) => /^[^.].*\.py$/.test(name));
  const isExtra = (name) => name.includes("/") || course.stages.every(({ file, extra }) => extra || file !== name);
  const main = names.filter((name) => name === editor.name || !isExtra(name)), others = names.filter((name) => !main.includes(name));
  return html`${main.map((name) => html`<button type="button" aria-pressed=${String(name === editor.name)} @click=${() => openFile(name)}>${name}</button>`)}
    ${others.length ? html`<select aria-label="Other files" @change=${({ target }) => { openFile(target.value); target.value = ""; }}>
      <option value="">more files</option>${others.map((name) => html`<option>${name}</option>`)}</select>` : nothing}`;
}

function close(card) {
  cards.splice(cards.indexOf(card), 1);
  find("cards").focus();
  draw();
}

// --- what can be clicked

function openFile(name) {
  if (!name || !editor) return;
  editor.open(name);
  if (!narrow.matches) editor.view.focus();
  draw();
}

function jump(file, number, focus = true) {
  if (focus) view("code");
  editor.jump(file, number);
  if (focus) editor.view.focus();
  draw();
}

function view(name) {
  document.body.dataset.view = name;
  for (const button of find("views").children) button.ariaPressed = String(button.dataset.view === name);
}

/** Show the answers or the console. */
function pane(name) {
  shown.pane = name;
  if (narrow.matches) view("results");
  drawNow();
  terminal?.scroll();
  if (document.activeElement.checkVisibility()) return;
  (name === "cards" ? find("cards") : narrow.matches ? terminal.log : terminal.input).focus(); // the button or line that asked is hidden
}

/** Say something above the page. With an action, wait until it is clicked. */
function notice(text, { kind = "", action = "" } = {}) {
  return new Promise((resolve) => {
    const entry = { text, kind, action, done() { notices.splice(notices.indexOf(entry), 1); draw(); resolve(); } };
    notices.push(entry);
    draw();
  });
}

function resize(step) {
  const at = Math.max(0, Math.min(SIZES.length - 1, SIZES.indexOf(Number(settings.code ?? 13)) + step));
  document.documentElement.style.setProperty("--code", `${SIZES[at]}px`);
  if (step) save({ code: String(SIZES[at]) }, "page");
  editor?.view.requestMeasure();
}

/** Close the open menus, except that of this summary. */
function closeMenus(target) {
  for (const menu of document.querySelectorAll("details:is(.more, .extras)[open]")) {
    const [summary] = menu.children;
    if (summary.contains(target)) continue;
    if (menu.contains(document.activeElement)) summary.focus();
    menu.open = false;
  }
}

find("export").addEventListener("click", () => {
  if (!editor) return;
  const name = `${course.title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.zip`;
  const url = URL.createObjectURL(new Blob([packed({ ...known, ...editor.texts() })]));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
});
find("import").addEventListener("click", () => find("chosen").click());
find("chosen").addEventListener("change", async ({ target }) => { await bring(target.files); target.value = ""; });
addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
addEventListener("drop", (event) => {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  bring(event.dataTransfer.files);
}, { capture: true });
addEventListener("beforeunload", (event) => { if (saving || lost) event.preventDefault(); });
find("smaller").addEventListener("click", () => resize(-1));
find("larger").addEventListener("click", () => resize(1));
find("about").addEventListener("click", () => find("about-page").showModal());
find("views").addEventListener("click", ({ target }) => target.dataset.view && view(target.dataset.view));
document.addEventListener("click", ({ target }) => closeMenus(target));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenus();
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  grade(true);
});
view("lesson");
begin().catch(failed);
