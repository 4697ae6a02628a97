// Zip files and single files that a learner brings, and the zip that they take away.
import { strToU8, unzipSync, zipSync } from "./lib.min.js";

const MOST = 1 << 20; // bytes of one file
const FOREIGN = /(^|\/)(__pycache__|__MACOSX|\.(?!grade\/)[^/]*|\.\.)(\/|$)/; // what other programs leave

/** Return a zip of {name: text}. */
export const packed = (files) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

/**
 * Return { files: {name: text}, skipped: [name] } of the files that were chosen or dropped, and of what is in zip files.
 * With the names of a course's files, it is what is in the folder that has one of them. Raise an Error if there is nothing
 * to take.
 */
export async function unpacked(chosen, names) {
  const given = await Promise.all([...chosen].map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]));
  const files = {}, skipped = [];
  for (const [name, data] of given) {
    const inside = isZip(data) ? below(contents(data), names ?? []) : { [name]: data };
    for (const [path, bytes] of Object.entries(inside)) {
      const text = FOREIGN.test(path) || bytes.length > MOST ? null : decoded(bytes);
      if (text === null) skipped.push(path);
      else files[path] = text;
    }
  }
  if (names && !Object.keys(files).length) throw new Error(`it has none of the course's files, such as ${names[0]}`);
  return { files, skipped };
}

const isZip = (data) => data[0] === 0x50 && data[1] === 0x4b;

function contents(data) {
  let found;
  try { found = unzipSync(data, { filter: ({ originalSize }) => originalSize <= MOST }); } catch { /* below */ }
  if (!found) throw new Error("this zip file cannot be read");
  return Object.fromEntries(Object.entries(found).filter(([name]) => !name.endsWith("/")));
}

/** Return the files in the highest folder that has one of these names, or all if there are no names. */
function below(found, names) {
  if (!names.length) return found;
  const depth = (name) => name.split("/").length;
  const inside = Object.keys(found).filter((name) => names.includes(name.split("/").pop()) && !FOREIGN.test(name));
  const first = inside.sort((a, b) => depth(a) - depth(b))[0];
  if (!first) return {};
  const folder = first.slice(0, first.lastIndexOf("/") + 1);
  return Object.fromEntries(
    Object.entries(found).filter(([name]) => name.startsWith(folder)).map(([name, data]) => [name.slice(folder.length), data]));
}

/** Return the text, or null if the bytes are not text. */
function decoded(bytes) {
  try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return null; }
}
