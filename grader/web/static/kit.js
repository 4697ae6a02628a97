// The course in a browser, without a page: this module owns the judge and the learners' workers.
//
//   import { start } from "./kit.js";
//   const kit = await start({ onProgress, onAsk, onState });
//
// start options, all optional:
//   onProgress({ step, loaded, total })  step: "download" (bytes), "start" (loaded 0 of 1, then 1 of 1)
//   onAsk(prompt, { keys }) -> Promise<string | null>  a line, or at once one of the characters in `keys`; null: the
//                           end of the input, as Ctrl-C. `prompt` is "answer"; the text of the question was given to
//                           onOutput before
//   onOutput(text)          text with ANSI colours, as soon as a command asks something; the rest is in `run`'s result
//   onState(state)          "starting", "ready", "running", "restarting"
//   folder                  where the site's files are (default: beside this module)
//
// kit.course         { title, stages: [{ id, title, file, extra }], files: { name: text of the stub file }, commands: [word] }
// kit.isolated       whether memory is shared: hangs are reported with their line, and Ctrl-C works at once
// kit.write(name, text) -> Promise      one of the learner's files; null removes it
// kit.read() -> Promise<{ name: text }> all files in the learner's folder, with .grade/… and files that commands wrote
// kit.run(words, { format, columns }) -> Promise<{ exit, text, html?, json?, files }>
//     words: ["grade", "phase1"] or a line; format "html" or "json" adds the report, if the command makes one;
//     text has ANSI colours; files: names of files that the command wrote. Commands run one after another.
// kit.status() -> Promise<{ stages: [{ id, state, earned, possible }], next: { stage, checkpoint, stub, file, line } | null,
//     trouble }>   state: "done", "changed", "begun" or "open"; next.checkpoint or next.stub may be ""; line 0: unknown
// kit.interrupt()    Ctrl-C: ends the running command (exit 130); files stay
// kit.zip() -> Promise<Uint8Array>      all files, to be handed in: `grade all --at FILE` reads it
// kit.unzip(bytes) -> Promise<[name]>   writes the files of such a zip; rejects with a message if it is not one

const PARTS = ["pyodide/pyodide.asm.wasm.gz", "pyodide/python_stdlib.zip", "judge.tar.gz", "learner.tar.gz"];
const PATIENCE = 5000; // milliseconds until a judge that does not end its command is started again
const STOPPED = new Error("stopped");
const BEGUN = "begun with a service worker"; // in the tab's storage
const JUDGE = "judge", LEARNER = "learner"; // names of snapshots
const SPARE = (navigator.deviceMemory ?? 8) < 8 ? 2 : 4; // learners' workers that wait for the next command, booted
const NEXT = 2; // and for the next sessions of a command that runs, which needs the processor itself
const QUIET = 3000; // milliseconds from the first answer until the next visit is prepared

export async function start(options = {}) {
  const kit = new Kit({ onProgress() {}, onOutput() {}, onAsk: async () => null, onState() {}, ...options });
  await kit.begin();
  return kit;
}

class Kit {
  constructor(options) {
    this.options = options;
    this.folder = new URL(options.folder ?? "./", options.folder ? location.href : import.meta.url);
    this.isolated = self.crossOriginIsolated;
    this.files = new Map();
    this.calls = new Map();
    this.number = 0;
    this.turn = Promise.resolve();
  }

  async begin() {
    const { onState, onProgress } = this.options;
    onState("starting");
    await this.serveItself();
    const build = await (await fetch(new URL("build.json", this.folder))).json();
    const [wasm, library, judge, learner] = await download(this.folder, PARTS, build.files, onProgress);
    onProgress({ step: "start", loaded: 0, total: 1 });
    const module = await WebAssembly.compile(wasm), { lock, environment } = build;
    this.judgeParts = { module, library, lock, environment, archive: judge };
    this.learners = new Learners(this.folder, { module, library, lock, archive: learner });
    this.cache = await self.caches?.open(`python-${build.build}`);
    this.started = this.startJudge();
    this.learning = this.learners.begin(this.cache, this.started);
    await this.started;
    this.course = await this.ask("course");
    onProgress({ step: "start", loaded: 1, total: 1 });
    onState("ready");
    setTimeout(() => this.keepForNextVisit(), QUIET);
  }

  // From the second page on, a service worker answers: without a network, and with what shared memory needs. So a
  // first visit begins again, once, before it has loaded anything.
  async serveItself() {
    const workers = navigator.serviceWorker;
    await workers?.register(new URL("sw.js", this.folder)).catch(() => {});
    if (this.isolated) {
      sessionStorage.removeItem(BEGUN); // a reload past the service worker may come
      return;
    }
    const ready = workers && (await Promise.race([workers.ready, new Promise((done) => setTimeout(done, PATIENCE))]));
    if (ready && !sessionStorage.getItem(BEGUN)) {
      sessionStorage.setItem(BEGUN, "yes");
      location.reload();
      await new Promise(() => {});
    }
    if (!("Suspending" in WebAssembly)) throw new Error("this browser is too old, or it forbids service workers here");
  }

  async startJudge() {
    const snapshot = await kept(this.cache, JUDGE);
    try {
      await this.startJudgeFrom(snapshot);
    } catch (error) {
      if (!snapshot) throw error;
      await forget(this.cache, JUDGE);
      await this.startJudgeFrom();
    }
  }

  startJudgeFrom(snapshot) {
    this.judge?.terminate();
    this.judge = new Worker(new URL("judge.js", this.folder), { type: "module" });
    const ready = new Promise((done, fail) => {
      this.judge.onerror = (event) => fail(new Error(event.message || "the judge did not start"));
      this.judge.onmessage = ({ data }) => this.heard(data, done, fail);
    });
    this.judge.postMessage({ boot: { ...this.judgeParts, snapshot } });
    return ready;
  }

  async keepForNextVisit() {
    navigator.serviceWorker?.ready.then(({ active }) => active.postMessage("keep"));
    if (!this.cache || (await kept(this.cache, JUDGE))) return;
    await this.learning;
    await this.ask("prepare");
    await keep(this.cache, JUDGE, await snapshotOf(new URL("judge.js", this.folder), this.judgeParts));
  }

  async heard(data, done, fail) {
    if (data.booted) done(this.stop = data.interrupt);
    else if (data.failed) fail(new Error(data.failed));
    else if (data.spawn) this.learners.attach(data.spawn, data.attach);
    else if (data.kill) this.learners.kill(data.kill);
    else if (data.ask) this.answer(data.ask);
    else {
      const call = this.calls.get(data.number);
      this.calls.delete(data.number);
      if (data.fatal) this.restart();
      if ("error" in data) call?.reject(new Error(data.error));
      else call?.resolve(data.result);
    }
  }

  async answer({ printed, prompt, keys, memory }) {
    this.options.onOutput(printed);
    const text = await this.options.onAsk(prompt, { keys });
    if (!memory) return this.judge.postMessage({ answer: text });
    const head = new Int32Array(memory, 0, 2), data = new TextEncoder().encode(text ?? "").slice(0, 4096);
    new Uint8Array(memory, 8).set(data);
    Atomics.store(head, 1, text === null ? -1 : data.length);
    Atomics.store(head, 0, 1);
    Atomics.notify(head, 0);
  }

  // Call one of the judge's methods, after those before it.
  ask(name, ...given) {
    const call = () => new Promise((resolve, reject) => {
      this.calls.set(++this.number, { resolve, reject });
      this.judge.postMessage({ call: { number: this.number, name, given } });
    });
    const answer = this.turn.then(() => this.started).then(call);
    this.turn = answer.catch(() => {});
    return answer;
  }

  async write(name, text) {
    text === null ? this.files.delete(name) : this.files.set(name, text);
    await this.ask("write", name, text);
  }

  async read() { return Object.fromEntries(this.files); }
  status() { return this.ask("status"); }
  zip() { return this.ask("zip"); }

  async unzip(data) {
    const files = await filesOf(data, Object.keys(this.course.files));
    for (const [name, text] of files) await this.write(name, text);
    return files.map(([name]) => name);
  }

  async run(words, { format = "text", columns = 80 } = {}) {
    this.options.onState("running");
    this.learners.keep(NEXT);
    try {
      const result = await this.ask("run", words, format, columns);
      for (const [name, text] of Object.entries(result.files)) this.files.set(name, text);
      return { ...result, files: Object.keys(result.files) };
    } catch (error) {
      if (error !== STOPPED) throw error;
      return { exit: 130, text: "stopped\n", files: [] };
    } finally {
      this.learners.keep(SPARE);
      this.options.onState("ready");
    }
  }

  // The judge ends a command by itself, unless it hangs.
  interrupt() {
    if (this.stop) Atomics.store(this.stop, 0, 2);
    else this.judge.postMessage({ interrupt: true });
    const running = [...this.calls.keys()];
    setTimeout(() => { if (running.some((number) => this.calls.has(number))) this.restart(); }, PATIENCE);
  }

  async restart() {
    this.options.onState("restarting");
    this.judge.terminate();
    this.learners.killAll();
    const calls = [...this.calls.values()];
    this.calls.clear();
    this.started = this.startJudge();
    await this.started;
    for (const [name, text] of this.files) this.judge.postMessage({ call: { name: "write", given: [name, text] } });
    for (const { reject } of calls) reject(STOPPED);
  }
}

// The learners' workers: each serves one session, and the next ones are booted ahead, one at a time.
class Learners {
  constructor(folder, parts) {
    Object.assign(this, { script: new URL("learner.js", folder), parts, booted: [], waiting: [], attached: new Map() });
  }

  // Have at least so many ready.
  keep(spare) {
    this.spare = spare;
    if (this.begun && !this.booting && this.booted.length < spare) this.boot();
  }

  // A first visit leaves the processor to the judge until that has started.
  async begin(cache, judge) {
    this.cache = cache;
    const known = await kept(cache, LEARNER);
    if (!known) await judge;
    this.parts.snapshot = known ?? (await snapshotOf(this.script, this.parts).catch(() => undefined));
    this.begun = true;
    this.keep(SPARE);
    if (!known && this.parts.snapshot) keep(cache, LEARNER, this.parts.snapshot);
  }

  boot() {
    const worker = new Worker(this.script, { type: "module" });
    this.booting = true;
    worker.onmessage = ({ data }) => {
      if (data.failed) return this.bootPlainly(worker, data.failed);
      this.booting = false;
      this.booted.push(worker);
      this.pair();
    };
    worker.postMessage({ boot: this.parts });
  }

  // A browser may refuse a snapshot.
  async bootPlainly(worker, failure) {
    worker.terminate();
    if (!this.parts.snapshot) throw new Error(failure);
    this.parts = { ...this.parts, snapshot: undefined };
    await forget(this.cache, LEARNER);
    this.boot();
  }

  attach(number, message) { this.waiting.push([number, message]); this.pair(); }

  pair() {
    while (this.booted.length && this.waiting.length) {
      const worker = this.booted.shift(), [number, attach] = this.waiting.shift();
      this.attached.set(number, worker);
      worker.postMessage({ attach }, attach.port ? [attach.port] : []);
    }
    this.keep(this.spare);
  }

  killAll() {
    for (const number of this.attached.keys()) this.kill(number);
    this.waiting = [];
  }

  kill(number) {
    this.waiting = this.waiting.filter(([other]) => other !== number);
    this.attached.get(number)?.terminate();
    this.attached.delete(number);
  }
}

// The text files of a zip, below the folder in which it has one of these names.
async function filesOf(data, names) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength), decoder = new TextDecoder("utf-8", { fatal: true });
  let end = data.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("this is not a zip file");
  const found = [];
  for (let at = view.getUint32(end + 16, true), left = view.getUint16(end + 10, true); left--; ) {
    const length = (from) => view.getUint16(at + from, true);
    const name = decoder.decode(data.subarray(at + 46, at + 46 + length(28)));
    const start = view.getUint32(at + 42, true), from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    found.push({ name, packed: length(10), data: data.subarray(from, from + view.getUint32(at + 20, true)) });
    at += 46 + length(28) + length(30) + length(32);
  }
  const inside = found.find(({ name }) => names.includes(name.split("/").pop()));
  if (!inside) throw new Error(`this zip has none of the course's files, such as ${names[0]}`);
  const folder = inside.name.slice(0, inside.name.lastIndexOf("/") + 1);
  const wanted = found.filter(({ name }) => name.startsWith(folder) && !/(^|\/)(\.\.)?(\/|$)/.test(name.slice(folder.length)));
  return Promise.all(wanted.map(async ({ name, packed, data }) => {
    const stream = new Blob([data]).stream();
    const whole = packed ? stream.pipeThrough(new DecompressionStream("deflate-raw")) : stream;
    return [name.slice(folder.length), decoder.decode(await new Response(whole).arrayBuffer())];
  }));
}

// The memory of a worker that has just started, so that the next one starts in a fraction of the time.
function snapshotOf(script, parts) {
  const worker = new Worker(script, { type: "module" });
  return new Promise((done, fail) => {
    worker.onerror = fail;
    worker.onmessage = ({ data }) => { worker.terminate(); data.snapshot ? done(data.snapshot) : fail(new Error(data.failed)); };
    worker.postMessage({ boot: { ...parts, make: true } });
  });
}

async function kept(cache, name) {
  const found = await cache?.match(`/${name}.snapshot`);
  return found && new Uint8Array(await found.arrayBuffer());
}

const forget = (cache, name) => cache?.delete(`/${name}.snapshot`);
const keep = (cache, name, snapshot) => cache?.put(`/${name}.snapshot`, new Response(snapshot)).catch(() => {});

// Fetch these files at once, unpack those that are packed, and tell how many of all their bytes have come.
async function download(folder, names, sizes, tell) {
  const total = names.reduce((sum, name) => sum + sizes[name], 0);
  let loaded = 0;
  const count = () => new TransformStream({
    transform(part, stream) {
      tell({ step: "download", loaded: (loaded += part.length), total });
      stream.enqueue(part);
    },
  });
  return Promise.all(names.map(async (name) => {
    const response = await fetch(new URL(name, folder));
    if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status})`);
    const data = response.body.pipeThrough(count());
    const whole = name.endsWith(".gz") ? data.pipeThrough(new DecompressionStream("gzip")) : data;
    return new Uint8Array(await new Response(whole).arrayBuffer());
  }));
}
