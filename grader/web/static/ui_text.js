// Text as the course writes it: paragraphs, lists, `code`, *stress*, and examples that can be run.
import { html } from "./lib.min.js";

/** Return a sentence with its `code` and *stress* marked. */
export const inline = (text) => text.split(/(`[^`]*`|(?<![\w*"])\*[A-Za-z][^*`"]*\*(?![\w*"]))/).map((part, place) =>
  place % 2 === 0 ? part : part[0] === "`" ? html`<code>${part.slice(1, -1)}</code>` : html`<em>${part.slice(1, -1)}</em>`);

/** Say how far the kit's start is. */
export const starting = ({ step, loaded, total, part }) => {
  const [got, all] = [loaded, total].map((bytes) => (bytes / 2 ** 20).toFixed(1));
  return `${step === "download" ? `Loading Python, once: ${got} of ${all} MB` : "Starting Python"} (${Math.round(100 * part)} %)`;
};

const LINE = /([\w.-]+\.py)"?(?::|,\s+line\s+)(\d+)/g;

/** Return the places of a text, such as "engine.py:30" or "engine.py, line 30". */
export const placesOf = (text) => [...text.matchAll(LINE)].map(({ 0: said, 1: file, 2: line, index }) => ({ said, file, line: Number(line), index }));

/** Return a place in a file as a link. */
export const link = ({ file, line }, text, jump) => html`<a href="#${file}:${line}" class="jump" @click=${(event) => {
  event.preventDefault();
  jump(file, line);
}}>${text}</a>`;

/** Return the examples of a text as lists of lines to type into Python. */
export const examples = (text) => blocks(text).filter(isExample).map(typed);

/** Return a docstring as elements. ▶ calls `run(number)` for an example, counted from 0, and `type(command)` for a command. */
export function prose(text, run, type) {
  let number = 0;
  return blocks(text).map((lines) => {
    if (isExample(lines)) {
      const at = number++;
      return played(lines.join("\n"), "example", () => run(at));
    }
    if (/^\s+(grade|python) /.test(lines[0])) return lines.map((line) => played(line.trim(), "command", () => type(line.split("#")[0].trim())));
    if (lines.every((line) => /^\s/.test(line))) return html`<pre tabindex="0" role="group" aria-label="Code">${lines.map((line) => line.replace(/^ {4}/, "")).join("\n")}</pre>`;
    if (/^- /.test(lines[0])) return html`<ul>${items(lines).map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
    return html`<p>${inline(lines.join(" "))}</p>`;
  });
}

const played = (text, what, act) => html`<div class="example"><pre tabindex="0" role="group" aria-label=${what}>${text}</pre>
  <button type="button" class="play" aria-label="Run this ${what}" title="Run it in the console" @click=${act}>▶</button></div>`;

const isExample = (lines) => lines[0].startsWith(">>> ");
const typed = (lines) => lines.filter((line) => /^(>>>|\.\.\.)( |$)/.test(line)).map((line) => line.slice(4));

function blocks(text) {
  const found = [];
  for (const block of text.split(/\n\s*\n/)) {
    const lines = block.split("\n").filter((line) => line.trim()), example = lines.findIndex((line) => line.startsWith(">>> "));
    if (example > 0) found.push(lines.splice(0, example)); // the sentence above an example
    if (lines.length) found.push(lines);
  }
  return found;
}

const items = (lines) => lines.join("\n").split(/^- /m).slice(1).map((item) => item.replace(/\s+/g, " "));
