// What the judge and the learner's worker share: how they start Python, and the layout of the memory between them.
import { loadPyodide } from "./pyodide/pyodide.mjs";

// One exchange: a head of 32-bit words, the printed text, then one frame in either direction.
export const HEAD = 64, PRINTED = 8192, FRAME = 7 << 20;
export const STATE = 0, LENGTH = 1, KEPT = 2, DROPPED = 3; // words of the head
export const IDLE = 0, REQUEST = 1, REPLY = 2, GONE = 3; // values of STATE

// Start Python from a compiled `module`, with at most `most` bytes of memory, from a `snapshot` if there is one.
export function startPython({ module, snapshot, most = 2 ** 32, make = false, ...options }) {
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const instance = await WebAssembly.instantiate(module, imports);
    const { memory } = instance.exports, grow = memory.grow.bind(memory);
    const missing = (snapshot?.length ?? 0) - memory.buffer.byteLength;
    if (missing > 0) grow(Math.ceil(missing / 65536));
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * 65536 > most) throw new RangeError("no more memory");
      return grow(pages);
    };
    return { module, instance };
  };
  return loadPyodide({
    indexURL: new URL("./pyodide/", import.meta.url).href, packages: [], enableRunUntilComplete: false,
    ...(snapshot ? { _loadSnapshot: snapshot } : {}), ...(make ? { _makeSnapshot: true } : {}), ...options,
  });
}
