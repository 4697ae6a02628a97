// UNTRUSTED: the learner's worker. It starts Python, is attached to the judge, and answers one request after another.
import { startPython, HEAD, PRINTED, STATE, LENGTH, KEPT, DROPPED, IDLE, REQUEST, REPLY, GONE } from "./python.js";

const MEMORY = 512 << 20; // as natively
const FOLDER = "/learner";
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

function messages({ port }) {
  return {
    print(data) { port.postMessage({ printed: data.slice() }); },
    send(state, data) { port.postMessage({ state, data }); },
    serve(answer) { port.onmessage = ({ data }) => answer(data); },
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
    channel.send(GONE, words(ending(error)));
    return false;
  }
}

async function boot({ module, snapshot, archive, make }) {
  python = await startPython({ module, snapshot, make, most: MEMORY, env: { PYTHONHASHSEED: "0", HOME: "/" } });
  python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  if (make) {
    python.runPython(`import sys; sys.path.insert(0, "${FOLDER}"); from worker import browser; del sys.path[0]`);
    return self.postMessage({ snapshot: python.makeMemorySnapshot() });
  }
  const print = { write(data) { channel?.print(data); return data.length; } };
  python.setStdout(print);
  python.setStderr(print);
  python.runPython(`import sys; sys.path.insert(0, "${FOLDER}"); from worker import browser; del sys.path[0]`);
  worker = python.pyimport("worker.browser");
  self.postMessage({ booted: true });
}

function attach(message) {
  channel = message.memory ? sharedMemory(message) : messages(message);
  if (message.interrupt) python.setInterruptBuffer(new Uint8Array(message.interrupt));
  worker = worker.start(message.program, message.depth, (reply) => {
    channel.send(REPLY, bytes(reply));
    channel.stop();
  });
  channel.serve(answer);
}

self.onmessage = ({ data }) => {
  if (data.attach) attach(data.attach);
  else boot(data.boot).catch((error) => self.postMessage({ failed: String(error) }));
};
