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
const SPARE = 2; // learners' workers that wait, booted, for the next request

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
    const build = await (await fetch(new URL("build.json", this.folder))).json();
    const [wasm, library, judge, learner] = await download(this.folder, PARTS, build.files, onProgress);
    onProgress({ step: "start", loaded: 0, total: 1 });
    const module = await WebAssembly.compile(wasm), { lock, environment } = build;
    this.judgeParts = { module, library, lock, environment, archive: judge };
    this.learners = new Learners(this.folder, { module, library, lock, archive: learner });
    this.cache = await caches?.open(`python-${build.build}`);
    await Promise.all([this.learners.begin(this.cache), this.startJudge()]);
    this.course = await this.ask("course");
    onProgress({ step: "start", loaded: 1, total: 1 });
    onState("ready");
    this.keepJudge();
  }

  async startJudge() {
    const snapshot = await kept(this.cache, "judge");
    this.judge = new Worker(new URL("judge.js", this.folder), { type: "module" });
    const ready = new Promise((done, fail) => {
      this.judge.onerror = (event) => fail(new Error(event.message || "the judge did not start"));
      this.judge.onmessage = ({ data }) => this.heard(data, done, fail);
    });
    this.judge.postMessage({ boot: { ...this.judgeParts, snapshot } });
    return ready;
  }

  // For the next visit.
  async keepJudge() {
    if (this.cache && !(await kept(this.cache, "judge")))
      await keep(this.cache, "judge", await snapshotOf(new URL("judge.js", this.folder), this.judgeParts));
  }

  async heard(data, done, fail) {
    if (data.booted) done(this.stop = data.interrupt);
    else if (data.failed) fail(new Error(data.failed));
    else if (data.spawn) this.learners.attach(data.spawn, data.attach);
    else if (data.kill) this.learners.kill(data.kill);
    else if (data.ask) this.answer(data.ask);
    else {
      const { resolve, reject } = this.calls.get(data.number);
      this.calls.delete(data.number);
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.result);
    }
  }

  async answer({ prompt, keys, output, memory }) {
    if (output) this.options.onOutput(output);
    const text = await this.options.onAsk(prompt, { keys });
    if (!memory) return this.judge.postMessage({ answer: text });
    const head = new Int32Array(memory, 0, 1), data = new TextEncoder().encode(text ?? "\x04").slice(0, 4096);
    new Uint8Array(memory, 4).set(data);
    Atomics.store(head, 0, data.length + 1);
    Atomics.notify(head, 0);
  }

  // Call one of the judge's methods, after those before it.
  ask(name, ...given) {
    const call = () => new Promise((resolve, reject) => {
      this.calls.set(++this.number, { resolve, reject });
      this.judge.postMessage({ call: { number: this.number, name, given } });
    });
    const answer = this.turn.then(call);
    this.turn = answer.catch(() => {});
    return answer;
  }

  write(name, text) { return this.ask("write", name, text); }
  read() { return this.ask("read"); }
  status() { return this.ask("status"); }
  zip() { return this.ask("zip"); }

  async run(words, { format = "text", columns = 80 } = {}) {
    this.options.onState("running");
    try {
      return await this.ask("run", words, format, columns);
    } finally {
      this.options.onState("ready");
    }
  }

  interrupt() {
    if (this.stop) Atomics.store(this.stop, 0, 2);
    else this.judge.postMessage({ interrupt: true });
  }
}

// The learners' workers: each serves one session, and the next ones are always booted ahead.
class Learners {
  constructor(folder, parts) {
    Object.assign(this, { script: new URL("learner.js", folder), parts, booted: [], waiting: [], attached: new Map() });
  }

  async begin(cache) {
    const name = "learner";
    this.parts.snapshot = (await kept(cache, name)) ?? (await snapshotOf(this.script, this.parts).catch(() => undefined));
    for (let spare = 0; spare < SPARE; spare++) this.boot();
    keep(cache, name, this.parts.snapshot);
  }

  boot() {
    const worker = new Worker(this.script, { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.failed) throw new Error(data.failed);
      this.booted.push(worker);
      this.pair();
    };
    worker.postMessage({ boot: this.parts });
  }

  attach(number, message) { this.waiting.push([number, message]); this.boot(); this.pair(); }

  pair() {
    while (this.booted.length && this.waiting.length) {
      const worker = this.booted.shift(), [number, attach] = this.waiting.shift();
      this.attached.set(number, worker);
      worker.postMessage({ attach }, attach.port ? [attach.port] : []);
    }
  }

  kill(number) {
    this.waiting = this.waiting.filter(([other]) => other !== number);
    this.attached.get(number)?.terminate();
    this.attached.delete(number);
  }
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

const keep = (cache, name, snapshot) => cache && snapshot && cache.put(`/${name}.snapshot`, new Response(snapshot)).catch(() => {});

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
