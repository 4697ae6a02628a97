// "Does your autograd pass?": find the names of an engine that somebody pastes, and run the course's checks on it.
import { unpacked } from "./files.js";
import { start } from "./kit.js";
import { html, render } from "./lib.min.js";
import { report } from "./ui_report.js";
import { inline, starting } from "./ui_text.js";

const PASTED = "engine.py", FOLDER = "theirs/", ADAPTER = "adapter.toml";
const find = (id) => document.getElementById(id);
let kit, files = {}, working = false;

/** Return a report without what does not count: a bonus, the reasons for a phase's score, and what adapters are. */
const counted = (found) => ({
  ...found, causes: [], notes: found.notes.filter((note) => !note.startsWith("graded through an adapter")), phases: found.phases.map((phase) => ({ ...phase, results: phase.results.filter(({ points }) => points !== "bonus") })),
});

const applicable = (phase) => ({ ...phase, results: phase.results.filter(({ verdict }) => verdict !== "not_started") });

/** Return the state of a phase, as a class name and in words. Things that an engine lacks do not count against it. */
function standing({ results }) {
  const count = (...verdicts) => results.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const passed = count("passed"), failed = count("failed", "error"), blocked = count("blocked"), lacking = count("not_started");
  if (!passed && !failed) return ["open", blocked ? `– ${blocked} waiting` : "– nothing to check"];
  const others = (blocked ? `, ${blocked} waiting` : "") + (lacking ? `, ${lacking} do not apply` : "");
  return failed ? ["fails", `✗ ${failed} of ${passed + failed} fail${failed > 1 ? "" : "s"}${others}`] : ["passes", `✓ ${passed} pass${others}`];
}

function lead({ phases }) {
  const kinds = phases.map((phase) => standing(phase)[0]), checked = kinds.filter((kind) => kind !== "open").length;
  const failing = kinds.filter((kind) => kind === "fails").length;
  return failing ? `Not yet: your autograd fails in ${failing} of ${checked} phases.` : `Your autograd passes every check that applies to it, in ${checked} of ${phases.length} phases.`;
}

const summary = (found) => [lead(found), ...found.phases.map((phase) => `${phase.id}, ${phase.title}: ${standing(phase)[1]}`),
  `Checked with autograd-kit, in a browser: ${location.href.split("#")[0]}`].join("\n");

function show(found, names) {
  const acts = { jump: (_, line) => select(line), run() {}, hint() {}, command() {} };
  render(html`<h2>${lead(found)}</h2>
    ${names.map((line) => html`<p class="soft">${line}</p>`)}
    <p class="soft">Values and gradients are checked. What only the stubs of the course ask for, such as names and reprs, does not apply. A check is waiting if it uses something that fails.</p>
    <table class="summary"><caption hidden>The phases</caption><tbody>${found.phases.map((phase) => {
      const [kind, words] = standing(phase);
      return html`<tr><th scope="row">${phase.id}</th><td>${phase.title}</td><td class=${kind}>${words}</td></tr>`;
    })}</tbody></table>
    <p class="acts"><button type="button" @click=${copy}>Copy the summary</button> <a class="button" href="./">Build one yourself</a></p>
    <label class="copied" hidden>Summary <textarea readonly rows="11">${summary(found)}</textarea></label>
    <div class="report">${report({ ...found, phases: found.phases.filter((phase) => standing(phase)[0] === "fails").map(applicable) }, null, {}, acts)}</div>`, find("found"));
  find("found").focus({ preventScroll: true });
  find("found").scrollIntoView({ block: "nearest" });

  async function copy({ target }) { // a browser may refuse, so the text is shown as well
    const label = find("found").querySelector(".copied");
    label.hidden = false;
    label.querySelector("textarea").select();
    if (await navigator.clipboard?.writeText(summary(found)).then(() => true, () => false)) target.textContent = "Copied";
  }
}

// --- running

const WIDE = { columns: 5000 }; // so that a sentence stays on its line
const plain = (text) => text.replace(/\x1b\[[\d;]*m/g, "").replace(/^(error|hint): /gm, "").trim();
const sentence = (line) => `${line[0].toUpperCase()}${line.slice(1)}${line.endsWith(":") ? "" : "."}`;
function refuse({ exit, text }) {
  const [first, ...hints] = plain(text).split("\n").filter((line) => line && !line.includes("adapter.toml"));
  say(exit === 130 ? "Stopped." : [`No answer yet: ${first}.`, ...hints.map(sentence)].join(" "));
  select(Number(/\.py:(\d+)/.exec(first)?.[1]));
}

async function check() {
  if (working || !kit) return;
  busy(true, "Finding the names of your engine …");
  render("", find("found"));
  try {
    const [code, names] = [find("code").value, Object.keys(files)];
    await replace(names.length ? files : { [PASTED]: code });
    const path = FOLDER + (names.length > 1 ? "" : names[0] ?? PASTED);
    const adapted = await kit.run(["grade", "adapt", path, "--output", ADAPTER, "--force"], WIDE);
    if (adapted.exit) return refuse(adapted);
    const { exit, report: found, text } = await kit.run(["grade", "all", "--at", path, "--adapter", ADAPTER], WIDE);
    if (!found) return refuse({ exit, text });
    say("");
    show(counted(found), plain(adapted.text.split("\nwrote ")[0]).split("\n").map(sentence));
  } catch (error) {
    say(`The check stopped: ${error?.message ?? error}`);
  } finally {
    busy(false);
  }
}

async function replace(given) {
  for (const name of Object.keys(await kit.read())) await kit.write(name, null);
  for (const [name, text] of Object.entries(given)) await kit.write(FOLDER + name, text);
}

/** Select a line of the engine, if the page shows it. */
function select(number) {
  const code = find("code"), lines = code.value.split("\n");
  if (Object.keys(files).length > 1 || !(number <= lines.length)) return;
  const from = lines.slice(0, number - 1).join("\n").length + (number > 1);
  code.focus();
  code.setSelectionRange(from, from + lines[number - 1].length);
  code.scrollTop = (number - 4) * code.scrollHeight / lines.length;
}

const say = (text) => render(html`${inline(text)}`, find("state"));

function busy(is, text) {
  working = is;
  if (text) say(text);
  find("check").disabled = is;
  find("stop").hidden = find("progress").hidden = !is;
  find("progress").removeAttribute("value");
}

// --- what is pasted, dropped or chosen

async function take(chosen) {
  const found = await unpacked(chosen).catch(() => ({ files: {} })); // a zip file that cannot be read
  const wanted = Object.entries(found.files).filter(([name]) => /\.(py|ipynb)$/.test(name));
  if (!wanted.length) return say("Choose Python files, a notebook or a zip of them, each file smaller than 1 MB.");
  files = Object.fromEntries(wanted);
  const [first, ...others] = Object.keys(files);
  find("code").value = others.length || first.endsWith(".ipynb") ? `# ${[first, ...others].join(", ")}` : files[first];
  check();
}

find("given").addEventListener("submit", (event) => { event.preventDefault(); check(); });
find("code").addEventListener("input", () => { files = {}; });
find("choose").addEventListener("click", () => find("files").click());
find("files").addEventListener("change", ({ target }) => { take(target.files); target.value = ""; });
find("stop").addEventListener("click", () => kit.interrupt());
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  document.body.classList.remove("over");
  take(event.dataTransfer.files);
});

find("not-served").remove();
find("state").replaceChildren();
start({
  onProgress(how) {
    say(`${starting(how)}.`);
    find("progress").value = how.part;
  },
  onTell: (title) => say(`Checking: ${title.replaceAll("`", "")}`),
}).then((started) => {
  kit = started;
  busy(false, "Ready.");
  if (Object.keys(files).length) check();
}).catch((error) => { find("progress").hidden = true; say(`The checks could not start: ${error?.message ?? error}`); });
