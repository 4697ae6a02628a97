// How the judge and the learner's worker start Python.
import { loadPyodide } from "./pyodide/pyodide.mjs";

// Start Python from parts that the page has loaded: a compiled `module`, the `library`, and a `snapshot` if there is
// one. It gets at most `most` bytes of memory.
export async function startPython({ module, library, lock, snapshot, archive, most = 2 ** 32, ...options }) {
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
  self.fetch = async (address) => new Response(String(address).endsWith(".wasm") ? null : library);
  const python = await loadPyodide({
    indexURL: new URL("./pyodide/", import.meta.url).href, lockFileContents: lock, packages: [],
    enableRunUntilComplete: false,
    ...(snapshot ? { _loadSnapshot: snapshot } : {}), ...options,
  });
  unpack(python.FS, archive);
  return python;
}

// Write the files of a tar archive, whose names are short.
function unpack(files, archive) {
  const text = (from, length) => new TextDecoder().decode(archive.subarray(from, from + length)).split("\0")[0];
  for (let at = 0, size; at < archive.length && archive[at]; at += 512 + Math.ceil(size / 512) * 512) {
    size = parseInt(text(at + 124, 12), 8);
    const prefix = text(at + 345, 155), name = `/${prefix ? `${prefix}/` : ""}${text(at, 100)}`;
    files.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    files.writeFile(name, archive.subarray(at + 512, at + 512 + size), { canOwn: true });
  }
}
