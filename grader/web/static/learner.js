// UNTRUSTED: the learner's worker. It starts Python, is attached to the judge, and answers one request after another.
import { DROPPED, GONE, HEAD, KEPT, LENGTH, PRINTED, REPLY, REQUEST, STATE } from "./protocol.js";
import { startPython } from "./python.js";

const MEMORY = 512 << 20; // as natively
let python, worker, channel;

// Two ways to the judge: memory that both share, or messages where the browser does not allow that.
function sharedMemory({ memory }) {
  const head = new Int32Array(memory, 0, HEAD / 4), frame = new Uint8Array(memory, HEAD + PRINTED);
  const printed = new Uint8Array(memory, HEAD, PRINTED);
  return {
    print(data) {
      const kept = Atomics.load(head, KEPT), part = data.subarray(0, Math.max(0, PRINTED - kept));
      printed.set(part, kept);
      Atomics.store(head, KEPT, kept + part.length);
      Atomics.add(head, DROPPED, data.length - part.length);
    },
    send(state, data) {
      if (data.length > frame.length) [state, data] = [GONE, words("garbled")];
      frame.set(data);
      Atomics.store(head, LENGTH, data.length);
      Atomics.store(head, STATE, state);
      Atomics.notify(head, STATE);
    },
    serve(answer) {
      for (;;) {
        for (let state; (state = Atomics.load(head, STATE)) !== REQUEST; ) Atomics.wait(head, STATE, state);
        if (!answer(frame.slice(0, Atomics.load(head, LENGTH)))) return;
      }
    },
    stop() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); },
  };
}

// `most`: how many bytes a request may print, so that an endless loop does not drown the page.
function messages({ port, most = Infinity }) {
  let room = most;
  return {
    print(data) {
      const part = data.slice(0, room);
      room -= part.length;
      if (part.length) port.postMessage({ printed: part, cut: !room });
    },
    send(state, data) { port.postMessage({ state, data }); },
    serve(answer) { port.onmessage = ({ data }) => { room = most; answer(data); }; },
    stop() { for (;;); },
  };
}

const words = (text) => new TextEncoder().encode(text);

function bytes(proxy) {
  const buffer = proxy.getBuffer(), data = buffer.data.slice();
  buffer.release();
  proxy.destroy();
  return data;
}

// "deep": the browser's stack overflowed before Python's own limit was reached.
function ending(error) {
  const exit = /exit\((\d+)\)/.exec(String(error));
  return exit ? `exited ${exit[1]}` : /call stack|too much recursion/i.test(String(error)) ? "deep" : "crashed";
}

function answer(request) {
  try {
    channel.send(REPLY, bytes(worker.reply(request)));
    return true;
  } catch (error) {
    if (ending(error) === "crashed") console.log(String(error.stack || error));
    channel.send(GONE, words(ending(error)));
    return false;
  }
}

const BEGIN = `import sys; sys.path.insert(0, "/learner"); from worker import browser; del sys.path[0]`;

async function boot({ make, ...parts }) {
  const world = { _makeSnapshot: make, jsglobals: {}, env: { PYTHONHASHSEED: "0", HOME: "/" } };
  python = await startPython({ ...parts, ...world, most: MEMORY });
  python.runPython(BEGIN);
  if (make) return self.postMessage({ snapshot: python.makeMemorySnapshot() });
  const print = { write(data) { channel?.print(data); return data.length; } };
  python.setStdout(print);
  python.setStderr(print);
  python.setStdin({ stdin: () => undefined }); // its end, as natively
  worker = python.pyimport("worker.browser");
  self.postMessage({ booted: true });
}

// What Python itself needs of a browser; everything else is taken away before the learner's code arrives.
const KEPT_NAMES = new Set(`Object Array Number Boolean String Symbol Date Promise RegExp JSON Math Intl Map Set WeakMap WeakSet
  WeakRef Proxy Reflect BigInt FinalizationRegistry ArrayBuffer SharedArrayBuffer DataView Atomics WebAssembly Iterator
  Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array
  Float32Array Float64Array Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  parseFloat parseInt isNaN isFinite undefined NaN Infinity globalThis self performance crypto TextDecoder TextEncoder
  console setTimeout clearTimeout queueMicrotask constructor Function`.split(/\s+/));

function shutIn() {
  for (const kind of [() => {}, async () => {}, function* () {}, async function* () {}])
    Object.defineProperty(Object.getPrototypeOf(kind), "constructor", { value: undefined }); // they make code of text
  const noCode = Object.assign(() => {}, { prototype: Function.prototype }); // for instanceof
  Reflect.defineProperty(self, "Function", { value: noCode });
  for (let scope = self; scope !== Object.prototype; scope = Object.getPrototypeOf(scope))
    for (const name of Object.getOwnPropertyNames(scope))
      if (!KEPT_NAMES.has(name)) Reflect.defineProperty(scope, name, { value: undefined });
}

function attach(message) {
  channel = message.memory ? sharedMemory(message) : messages(message);
  if (message.interrupt) python.setInterruptBuffer(new Uint8Array(message.interrupt));
  worker = worker.start(message.program, message.depth, (reply) => {
    channel.send(REPLY, bytes(reply));
    channel.stop();
  });
  shutIn();
  channel.serve(answer);
}

self.onmessage = ({ data }) => {
  if (data.attach) attach(data.attach);
  else boot(data.boot).catch((error) => self.postMessage({ failed: String(error) }));
};
