// TRUSTED: the judge. Python with the grader; it asks the page for learners' workers and exchanges frames with them.
import { startPython, HEAD, PRINTED, FRAME, STATE, LENGTH, KEPT, DROPPED, REQUEST, REPLY } from "./python.js";

const SIGINT = 2, SLICE = 50, PATIENCE = 500; // milliseconds: between two looks at Ctrl-C, and until it ends an exchange
const text = (data) => new TextDecoder().decode(data);
const shared = self.crossOriginIsolated;
const interrupt = shared ? new Uint8Array(new SharedArrayBuffer(1)) : null;
let python, desk, numbers = 0, stopped = null, answered = null;

function bytes(proxy) {
  const buffer = proxy.getBuffer(), data = buffer.data.slice();
  buffer.release();
  return data;
}

// How many times as long as on a quiet desktop computer something takes at the moment, from 1 to 8. Time limits count
// a busy machine's seconds as less, because a browser does not tell how much processor time a worker has got.
const ROUNDS = 8e6, QUIET = 20; // milliseconds for so many rounds
function slowness() {
  const begun = performance.now();
  for (let round = 0, sum = 0; round < ROUNDS; round++) sum = (Math.imul(sum, 31) + round) | 0;
  return Math.min(8, Math.max(1, (performance.now() - begun) / QUIET));
}

// A learner's worker. `exchange` returns the reply's bytes or, in a word, why there is none; or a promise of that.
class SharedMemory {
  constructor(program, depth) {
    const memory = new SharedArrayBuffer(HEAD + PRINTED + FRAME), stop = new SharedArrayBuffer(1);
    Object.assign(this, { number: ++numbers, head: new Int32Array(memory, 0, HEAD / 4), stop: new Uint8Array(stop) });
    this.printed = new Uint8Array(memory, HEAD, PRINTED);
    this.frame = new Uint8Array(memory, HEAD + PRINTED);
    self.postMessage({ spawn: this.number, attach: { memory, interrupt: stop, program, depth } });
  }

  exchange(request, soft, hard, limit) {
    const data = bytes(request), { head, frame } = this;
    if (data.length > frame.length) return "garbled";
    frame.set(data);
    Atomics.store(head, LENGTH, data.length);
    Atomics.store(head, STATE, REQUEST);
    Atomics.notify(head, STATE);
    const begun = performance.now();
    let patience = PATIENCE / SLICE, isPatient = false;
    while (Atomics.load(head, STATE) === REQUEST) {
      const waited = performance.now() - begun;
      if (Atomics.load(interrupt, 0) && !patience--) return takeInterrupt() && "interrupted";
      if (waited > hard) return "late";
      if (waited > soft && !isPatient) {
        const more = (slowness() - 1) * soft;
        [soft, hard, isPatient] = [soft + more, hard + more, true];
      } else if (waited > soft) Atomics.store(this.stop, 0, SIGINT);
      Atomics.wait(head, STATE, REQUEST, SLICE);
    }
    const length = Atomics.load(head, LENGTH);
    if (Atomics.load(head, STATE) !== REPLY) return text(frame.slice(0, length));
    return length > limit ? "garbled" : frame.slice(0, length);
  }

  output() {
    const data = this.printed.slice(0, Atomics.load(this.head, KEPT)), dropped = Atomics.exchange(this.head, DROPPED, 0);
    Atomics.store(this.head, KEPT, 0);
    return [text(data), dropped];
  }

  close() { self.postMessage({ kill: this.number }); }
}

class Messages {
  constructor(program, depth) {
    const { port1, port2 } = new MessageChannel();
    Object.assign(this, { number: ++numbers, port: port1, kept: [], room: PRINTED, dropped: 0 });
    port1.onmessage = ({ data }) => (data.printed ? this.print(data.printed) : this.answer(data));
    self.postMessage({ spawn: this.number, attach: { port: port2, program, depth } }, [port2]);
  }

  print(data) {
    const part = data.subarray(0, this.room);
    this.kept.push(...part);
    this.room -= part.length;
    this.dropped += data.length - part.length;
  }

  exchange(request, soft, hard, limit) {
    this.port.postMessage(bytes(request));
    return new Promise((done) => {
      const end = (reply) => { clearTimeout(timer); stopped = null; this.answer = () => {}; done(reply); };
      const wait = () => { timer = setTimeout(end, (slowness() - 1) * soft, "late"); };
      let timer = setTimeout(wait, hard);
      stopped = () => end("interrupted");
      this.answer = ({ state, data }) => end(state !== REPLY ? text(data) : data.length > limit ? "garbled" : data);
    });
  }

  output() {
    const found = [text(new Uint8Array(this.kept)), this.dropped];
    Object.assign(this, { kept: [], room: PRINTED, dropped: 0 });
    return found;
  }

  close() { this.port.close(); self.postMessage({ kill: this.number }); }
}

// A question to the person at the page: the answer, null at the end of the input; or a promise of it.
function ask(printed, prompt, keys) {
  const question = { printed, prompt, keys };
  if (!shared) {
    self.postMessage({ ask: question });
    return new Promise((done) => { answered = stopped = done; });
  }
  const memory = new SharedArrayBuffer(8 + 4096), head = new Int32Array(memory, 0, 2);
  self.postMessage({ ask: { ...question, memory } });
  while (!Atomics.load(head, 0)) {
    if (takeInterrupt()) return null;
    Atomics.wait(head, 0, 0, SLICE);
  }
  const length = Atomics.load(head, 1);
  return length < 0 ? null : text(new Uint8Array(memory, 8).slice(0, length));
}

const takeInterrupt = () => Atomics.exchange(interrupt, 0, 0);
const seam = { connect: (program, depth) => (shared ? new SharedMemory(program, depth) : new Messages(program, depth)), ask };

async function boot({ make, environment, ...parts }) {
  python = await startPython({ ...parts, _makeSnapshot: make, env: { HOME: "/home", ...environment } });
  python.runPython(`import sys; "/kit" in sys.path or sys.path.insert(0, "/kit"); from grader.web import desk`);
  if (make) python.runPython("desk.import_early()");
  if (make) return self.postMessage({ snapshot: python.makeMemorySnapshot() });
  if (shared) python.setInterruptBuffer(interrupt);
  desk = python.pyimport("grader.web.desk").Desk(seam);
  self.postMessage({ booted: true, interrupt });
}

async function call({ number, name, given }) {
  if (shared) takeInterrupt(); // from before
  try {
    const words = JSON.stringify(given);
    const found = shared ? desk.call(name, words) : await desk.call.callPromising(name, words);
    const result = typeof found === "string" ? JSON.parse(found) : bytes(found);
    self.postMessage({ number, result });
  } catch (error) {
    self.postMessage({ number, error: String(error), fatal: error.name !== "PythonError" });
  }
}

self.onmessage = ({ data }) => {
  if (data.boot) boot(data.boot).catch((error) => self.postMessage({ failed: String(error) }));
  else if (data.call) call(data.call);
  else if ("answer" in data) answered(data.answer);
  else if (data.interrupt) stopped?.(null);
};
