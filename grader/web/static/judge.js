// TRUSTED: the judge. Python with the grader; it asks the page for learners' workers and exchanges frames with them.
import { DROPPED, FRAME, HEAD, KEPT, LENGTH, PRINTED, REPLY, REQUEST, STATE } from "./protocol.js";
import { startPython } from "./python.js";

const SIGINT = 2, SLICE = 250; // milliseconds after which Python looks at the clock, and whether it is interrupted
const text = (data) => new TextDecoder().decode(data);
const shared = self.crossOriginIsolated;
const interrupt = shared ? new Uint8Array(new SharedArrayBuffer(1)) : null;
let python, desk, numbers = 0, stopped = null, answered = null;

function bytes(proxy) {
  const buffer = proxy.getBuffer(), data = buffer.data.slice();
  buffer.release();
  return data;
}

// A learner's worker. `exchange` sends a request, if there is one, and returns the reply's bytes or, in a word, why
// there is none; nothing if it takes longer; or a promise of that.
class SharedMemory {
  constructor(program, depth) {
    const memory = new SharedArrayBuffer(HEAD + PRINTED + FRAME), signal = new SharedArrayBuffer(1);
    Object.assign(this, { number: ++numbers, head: new Int32Array(memory, 0, HEAD / 4), signal: new Uint8Array(signal) });
    this.printed = new Uint8Array(memory, HEAD, PRINTED);
    this.frame = new Uint8Array(memory, HEAD + PRINTED);
    self.postMessage({ spawn: this.number, attach: { memory, interrupt: signal, program, depth } });
  }

  exchange(request, limit) {
    const { head, frame } = this;
    if (request) {
      const data = bytes(request);
      if (data.length > frame.length) return "garbled";
      frame.set(data);
      Atomics.store(head, LENGTH, data.length);
      Atomics.store(head, STATE, REQUEST);
      Atomics.notify(head, STATE);
    }
    Atomics.wait(head, STATE, REQUEST, SLICE);
    const state = Atomics.load(head, STATE), length = Atomics.load(head, LENGTH);
    if (state === REQUEST) return undefined;
    if (state !== REPLY) return text(frame.slice(0, length));
    return length > limit ? "garbled" : frame.slice(0, length);
  }

  stop() { Atomics.store(this.signal, 0, SIGINT); }

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

  exchange(request, limit) {
    if (request) {
      this.reply = new Promise((done) => {
        stopped = () => done("interrupted");
        this.answer = ({ state, data }) => done(state !== REPLY ? text(data) : data.length > limit ? "garbled" : data);
      });
      this.port.postMessage(bytes(request));
    }
    return Promise.race([this.reply, new Promise((done) => setTimeout(done, SLICE))]);
  }

  stop() {} // it cannot be reached before it answers

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
const tell = (title) => self.postMessage({ tell: title });
const seam = { tell, connect: (program, depth) => (shared ? new SharedMemory(program, depth) : new Messages(program, depth)), ask };

async function boot({ make, environment, ...parts }) {
  const step = () => self.postMessage({ step: true });
  python = await startPython({ ...parts, _makeSnapshot: make, env: { HOME: "/home", ...environment } });
  step();
  python.runPython(`import sys; "/kit" in sys.path or sys.path.insert(0, "/kit")`);
  for (const name of ["grader.learner.status", "grader.views.html", "grader.web.desk"]) { // the last imports the others
    python.runPython(`import ${name}`);
    step();
  }
  if (make) python.runPython("grader.web.desk.import_early()");
  if (make) return self.postMessage({ snapshot: python.makeMemorySnapshot() });
  if (shared) python.setInterruptBuffer(interrupt);
  desk = python.pyimport("grader.web.desk").Desk(seam);
  step();
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
