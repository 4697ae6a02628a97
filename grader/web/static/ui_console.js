// The console: a Python prompt with the learner's engine, and the commands that begin with "grade".
import { placesOf } from "./ui_text.js";

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const MOST = 400; // entries

/** Turn a terminal's text into nodes. `style` is the set of classes that goes on from the text before. */
function coloured(text, style) {
  const nodes = document.createDocumentFragment();
  for (const part of text.replace(/\x1b\][^\x07\x1b]*(\x07|\x1b\\)/g, "").split(/(\x1b\[[0-9;?]*[A-Za-z])/)) {
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part);
    if (codes) restyle(style, codes[1].split(";").map(Number));
    else if (part && !part.startsWith("\x1b")) {
      const span = document.createElement("span");
      span.className = [...style].join(" ");
      span.textContent = part.replace(/\r\n?/g, "\n");
      nodes.append(style.size ? span : span.firstChild);
    }
  }
  return nodes;
}

function restyle(style, codes) {
  for (let place = 0; place < codes.length; place++) {
    const code = codes[place], colour = NAMES[code % 10];
    const replace = (kind) => { for (const name of NAMES) style.delete(name); if (kind) style.add(kind); };
    if (code === 0) style.clear();
    else if (code === 1) style.add("bold");
    else if (code === 2) style.add("dim");
    else if (code === 3) style.add("italic");
    else if (code === 4) style.add("underlined");
    else if (code === 22) { style.delete("bold"); style.delete("dim"); }
    else if (code === 23) style.delete("italic");
    else if (code === 24) style.delete("underlined");
    else if (code === 38 || code === 48) place += codes[place + 1] === 5 ? 2 : 4; // no command uses these
    else if (code === 39) replace("");
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) replace(colour);
  }
}

/** Make links of the places in a text, such as "engine.py:30" in the files of the course. */
function addLinks(root, isFile) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    for (const { said, file, line, index } of placesOf(text.data).filter(({ file }) => isFile(file)).reverse()) {
      const place = text.splitText(index), jump = document.createElement("a");
      place.splitText(said.length);
      Object.assign(jump, { href: `#${file}:${line}`, className: "jump", textContent: said });
      Object.assign(jump.dataset, { file, line });
      place.replaceWith(jump);
    }
  }
}

/** Split a line into words as a shell does. */
export const split = (line) => [...line.matchAll(/(?:[^\s"']|"[^"]*"?|'[^']*'?)+/g)].map(
  ([word]) => word.replace(/"([^"]*)"?|'([^']*)'?/g, "$1$2"));

/** Return what Tab makes of a line: its new text and the words that it could go on with. */
export function complete(line, words) {
  const [, before, begun] = /^(.*?)(\S*)$/s.exec(line);
  const found = before.trim() ? words.filter((word) => word.startsWith(begun)) : ["grade"].filter((word) => word.startsWith(begun));
  if (!found.length) return { line, found };
  let common = found[0];
  for (const word of found) while (!word.startsWith(common)) common = common.slice(0, -1);
  return { line: before + common + (found.length === 1 ? " " : ""), found };
}

/** What is typed goes to `run(line)`; `interrupt()` is Ctrl-C; `words()` completes; `jump(file, line)` follows links. */
export class Console {
  constructor(pane, { history, words, isFile, run, interrupt, jump }) {
    const form = pane.querySelector("form");
    Object.assign(this, { log: pane.querySelector(".log"), form, input: form.elements.words, label: pane.querySelector("label") });
    Object.assign(this, { choices: pane.querySelector(".choices"), history, at: history.length, words, isFile, style: new Set() });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.input.value;
      this.put("");
      if (this.asked) return this.answer(text);
      if (text.trim() && this.history.at(-1) !== text) this.history.push(text);
      this.at = this.history.length;
      run(text);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && this.input.value.trim()) this.tab(event);
      else if (event.key === "ArrowUp") this.go(event, -1);
      else if (event.key === "ArrowDown") this.go(event, 1);
      else if (event.key === "Escape") this.offer([]);
      else if (event.key === "c" && event.ctrlKey && this.input.selectionStart === this.input.selectionEnd) this.asked ? this.answer(null) : interrupt();
    });
    this.input.addEventListener("input", () => this.offer([]));
    this.log.addEventListener("click", (event) => {
      const { file, line } = event.target.dataset;
      if (file) { event.preventDefault(); jump(file, Number(line)); }
    });
  }

  /** Print text as a terminal does. */
  print(text, kind = "") {
    let last = this.log.lastElementChild;
    if (last?.dataset.kind !== kind) {
      this.log.append(last = Object.assign(document.createElement("pre"), { className: kind }));
      last.dataset.kind = kind;
      while (this.log.children.length > MOST) this.log.firstElementChild.remove();
    }
    const nodes = coloured(text, this.style);
    addLinks(nodes, this.isFile);
    last.append(nodes);
    this.scroll();
  }

  /** Show the end. */
  scroll() { this.log.scrollTop = this.log.scrollHeight; }

  /** Show what was typed, after the prompt that it answered. */
  echo(text) { this.print(`${this.label.textContent} ${text}\n`, "typed"); }

  prompt(text) { this.label.textContent = text; }

  /** Ask for a line. The answer is null if the question is given up. */
  ask(prompt) {
    this.prompt(prompt);
    this.input.focus();
    return new Promise((done) => { this.asked = done; });
  }

  answer(text) {
    const done = this.asked;
    this.asked = undefined;
    if (!done) return;
    this.echo(text ?? "");
    this.prompt(">>>");
    done(text);
  }

  put(line) {
    this.input.value = line;
    this.offer([]);
  }

  tab(event) {
    const { line, found } = complete(this.input.value, this.words());
    const isPython = !/^g/.test(this.input.value);
    if (!found.length && !isPython) return; // Tab leaves the line
    event.preventDefault();
    if (isPython) return this.put(`${this.input.value}    `);
    this.put(line);
    if (found.length > 1) this.offer(found);
  }

  offer(words) {
    this.choices.hidden = !words.length;
    this.choices.replaceChildren(...words.map((word) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: word });
      button.addEventListener("click", () => {
        this.put(this.input.value.replace(/\S*$/, `${word} `));
        this.input.focus();
      });
      return button;
    }));
  }

  go(event, step) {
    const at = this.at + step;
    if (at < 0 || at > this.history.length) return;
    event.preventDefault();
    if (this.at === this.history.length) this.draft = this.input.value;
    this.at = at;
    this.put(this.history[at] ?? this.draft);
  }
}

/** How many characters fit into a line of an element. */
export function columnsOf(pane) {
  const ruler = Object.assign(document.createElement("pre"), { textContent: "0".repeat(50), className: "ruler" });
  pane.append(ruler);
  const width = ruler.getBoundingClientRect().width / 50;
  ruler.remove();
  return Math.max(32, Math.min(100, Math.floor((pane.clientWidth - 48) / (width || 8))));
}
