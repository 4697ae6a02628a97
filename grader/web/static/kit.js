// The course in a browser, without a page: this module owns the judge and the learners' workers.
//
//   import { start } from "./kit.js";
//   const kit = await start({ onProgress, onAsk, onState });
//
// start options, all optional:
//   onProgress({ step, loaded, total, part })  step: "download" (bytes), then "start" (steps); part: of both, from 0 to 1
//   onAsk(prompt, { keys }) -> Promise<string | null>  a line, or null for the end of the input. The text of the question
//                           was given to onOutput before
//   onOutput(text)          text with ANSI colours, as soon as a command asks something; the rest is in `run`'s result
//   onTell(title)           the check that begins
//   onUpdate(install)       there is a newer build; `install()` reloads the page with it
//   onState(state)          "starting", "ready", "running", "restarting"
//   folder                  where the site's files are (default: next to this module)
//
// kit.words          the words that can be typed after "grade"
// kit.isolated       whether memory is shared: hangs are reported with their line, and Ctrl-C works at once
// kit.write(name, text) -> Promise      one of the learner's files; null removes it
// kit.read() -> Promise<{ name: text }> all files in the learner's folder, with .grade/… and files that commands wrote
// kit.run(words, { columns }) -> Promise<{ exit, text, report?, files }>
//     words: ["grade", "phase1"] or a line; `report` is what grading found, as grader/views/html.py makes it; text has ANSI
//     colours; files: names of files that the command wrote. Commands run one after another.
// kit.status() -> Promise<{ stages: [{ id, state, earned, possible }],
//     next: { stage, checkpoint, stub, function, file, line } | null, trouble }>
//     state: "done", "changed", "begun" or "open"; next.checkpoint or next.stub may be ""; line 0: unknown
// kit.practice(name, ...given) -> Promise<object>  a method of grader/web/practice.py
// kit.prompt({ files, run, onPrint }) -> Promise<prompt>  Python in a separate worker, as `python -i`. prompt.push(line) ->
//     Promise<{ more } | { ended }>; prompt.interrupt(); prompt.close()
// kit.interrupt()    Ctrl-C: ends the running command (exit 130); files stay

import { REPLY } from "./protocol.js";

const PARTS = ["pyodide/pyodide.asm.wasm.gz", "pyodide/python_stdlib.zip", "judge.tar.gz", "learner.tar.gz"];
const PATIENCE = 5000; // milliseconds until a judge that does not end its command is started again
const STOPPED = new Error("stopped");
const BEGUN = "begun with a service worker"; // as the state of this place in the history
const JUDGE = "judge", LEARNER = "learner"; // names of snapshots
// Learners' workers that wait for the next session, booted; an open prompt takes the place of one.
const SPARE = (navigator.deviceMemory ?? 8) < 8 ? 2 : 3;
const STEPS = 7; // of the start: compile, Python, three imports, the desk, a learner's worker
const QUIET = 3000; // milliseconds from the first answer until the next visit is prepared

export async function start(options = {}) {
  const kit = new Kit({
    onProgress() {}, onOutput() {}, onTell() {}, onUpdate() {}, onState() {}, onAsk: async () => null, ...options });
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
    const { onState } = this.options;
    onState("starting");
    await this.serveItself();
    const build = await (await fetch(new URL("build.json", this.folder))).json();
    const [wasm, library, judge, learner] = await download(this.folder, PARTS, build.files, (...given) => this.tell("download", ...given));
    this.steps = 0;
    this.tell("start", 0, STEPS);
    const module = await WebAssembly.compile(wasm), { lock, environment } = build;
    this.advance();
    this.judgeParts = { module, library, lock, environment, archive: judge };
    this.learners = new Learners(this.folder, { module, library, lock, archive: learner });
    this.cache = await ifAllowed(() => self.caches?.open(`python-${build.build}`));
    this.started = this.startJudge();
    this.learning = this.learners.begin(this.cache, this.started);
    this.learning.then(() => this.advance());
    await this.started;
    this.words = await this.ask("words");
    onState("ready");
    setTimeout(() => this.keepForNextVisit(), QUIET);
  }

  tell(step, loaded, total) {
    this.options.onProgress({ step, loaded, total, part: ((step === "start") + loaded / total) / 2 });
  }

  advance() { if (this.steps < STEPS) this.tell("start", ++this.steps, STEPS); }

  // From the second page on, a service worker answers: without a network, and with what shared memory needs. So a
  // first visit begins again, once, before it has loaded anything.
  async serveItself() {
    const workers = navigator.serviceWorker;
    const registration = await workers?.register(new URL("sw.js", this.folder)).catch(() => {});
    if (registration) this.watchBuilds(registration);
    if (this.isolated) {
      if (history.state === BEGUN) history.replaceState(null, ""); // a reload past the service worker may come
      return;
    }
    const ready = workers && (await Promise.race([workers.ready, new Promise((done) => setTimeout(done, PATIENCE))]));
    if (ready && history.state !== BEGUN) {
      history.replaceState(BEGUN, ""); // not the tab's storage: an isolated page has its own
      location.reload();
      await new Promise(() => {});
    }
    if (!("Suspending" in WebAssembly)) throw new Error("this browser is too old, or it forbids service workers here");
  }

  watchBuilds(registration) {
    const offer = () => {
      if (registration.waiting && registration.active)
        this.options.onUpdate(() => registration.waiting.postMessage("install"));
    };
    const { controller } = navigator.serviceWorker;
    registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", offer));
    navigator.serviceWorker.addEventListener("controllerchange", () => controller && location.reload());
    offer();
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
    if (data.step) this.advance();
    else if (data.booted) done(this.stop = data.interrupt);
    else if (data.failed) fail(new Error(data.failed));
    else if (data.spawn) this.learners.attach(data.spawn, data.attach);
    else if (data.kill) this.learners.kill(data.kill);
    else if (data.ask) this.answer(data.ask);
    else if (data.tell) this.options.onTell(data.tell);
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

  async practice(name, ...given) {
    const result = await this.ask("practice", name, ...given);
    for (const [file, text] of Object.entries(result.files)) this.files.set(file, text);
    return result;
  }

  prompt(options) {
    const prompt = new Prompt(this.learners, this.isolated, options);
    return prompt.begin(options).then(() => prompt);
  }

  async run(words, { columns = 80 } = {}) {
    this.options.onState("running");
    try {
      const result = await this.ask("run", words, columns);
      for (const [name, text] of Object.entries(result.files)) this.files.set(name, text);
      return { ...result, files: Object.keys(result.files) };
    } catch (error) {
      if (error !== STOPPED) throw error;
      return { exit: 130, text: "stopped\n", files: [] };
    } finally {
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

  // Have enough ready.
  fill() {
    const spare = SPARE - [...this.attached.keys()].filter((number) => typeof number === "symbol").length;
    if (this.begun && !this.booting && this.booted.length < Math.max(1, spare)) this.boot();
  }

  // A first visit leaves the processor to the judge until that has started.
  async begin(cache, judge) {
    this.cache = cache;
    const known = await kept(cache, LEARNER);
    if (!known) await judge;
    this.parts.snapshot = known ?? (await snapshotOf(this.script, this.parts).catch(() => undefined));
    this.begun = true;
    this.fill();
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
    this.fill();
  }

  // All of the judge's, whose numbers are whole.
  killAll() {
    for (const number of [...this.attached.keys()].filter(Number.isInteger)) this.kill(number);
    this.waiting = this.waiting.filter(([number]) => !Number.isInteger(number));
  }

  kill(number) {
    this.waiting = this.waiting.filter(([other]) => other !== number);
    this.attached.get(number)?.terminate();
    this.attached.delete(number);
  }
}

// A Python prompt in a learner's worker.
class Prompt {
  constructor(learners, isolated, { onPrint }) {
    const { port1, port2 } = new MessageChannel(), decoder = new TextDecoder();
    const interrupt = isolated ? new SharedArrayBuffer(1) : null;
    Object.assign(this, { learners, port: port1, signal: interrupt && new Uint8Array(interrupt), number: Symbol("prompt") });
    port1.onmessage = ({ data }) => {
      if (data.printed) onPrint(decoder.decode(data.printed, { stream: true }) + (data.cut ? "\n… too much to show\n" : ""));
      else this.done(data.state === REPLY ? JSON.parse(decoder.decode(data.data)) : { ended: true });
    };
    learners.attach(this.number, { port: port2, program: "console", depth: 1000, most: 1 << 16, interrupt });
  }

  begin({ files, run }) { return this.ask({ files, run }); }
  push(line) { return this.ask({ line }); }

  ask(request) {
    if (this.signal) Atomics.store(this.signal, 0, 0);
    const answer = new Promise((done) => { this.done = done; });
    this.port.postMessage(new TextEncoder().encode(JSON.stringify(request)));
    return answer;
  }

  // Where memory is not shared, nothing reaches a loop: the prompt ends.
  interrupt() {
    if (this.signal) Atomics.store(this.signal, 0, 2);
    else this.close();
  }

  close() {
    this.learners.kill(this.number);
    this.port.close();
    this.done?.({ ended: true });
  }
}

// Return the result of a function, or nothing if the browser forbids it, as in some private windows.
async function ifAllowed(act) {
  try { return await act(); } catch { return undefined; }
}

// The memory of a worker that has just started, so that the next one starts in a fraction of the time.
function snapshotOf(script, parts) {
  const worker = new Worker(script, { type: "module" });
  return new Promise((done, fail) => {
    worker.onerror = fail;
    worker.onmessage = ({ data }) => {
      if (data.step) return;
      worker.terminate();
      data.snapshot ? done(data.snapshot) : fail(new Error(data.failed));
    };
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
      tell(loaded += part.length, total);
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
