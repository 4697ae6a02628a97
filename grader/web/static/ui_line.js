// The line that takes `grade ...`, with completion and history, and the questions that a command asks.

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

export class Line {
  constructor(form, choices, { words, history, run, interrupt }) {
    Object.assign(this, { input: form.elements.words, choices, words, history, at: history.length, draft: "" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const line = this.input.value.trim();
      this.put("");
      if (!line) return;
      if (this.history.at(-1) !== line) this.history.push(line);
      this.at = this.history.length;
      run(line);
    });
    this.input.addEventListener("input", () => this.offer([]));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && this.input.value.trim()) this.tab(event);
      else if (event.key === "ArrowUp") this.go(event, -1);
      else if (event.key === "ArrowDown") this.go(event, 1);
      else if (event.key === "Escape") this.offer([]);
      else if (event.key === "c" && event.ctrlKey && this.input.selectionStart === this.input.selectionEnd) interrupt();
    });
  }

  put(line) {
    this.input.value = line;
    this.offer([]);
  }

  tab(event) {
    const { line, found } = complete(this.input.value, this.words());
    if (!found.length) return; // Tab leaves the line
    event.preventDefault();
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

const KEYS = { n: "Next", h: "Hint", l: "List", q: "Quit" };

/** Ask for an answer in the log. `atOnce` are the keys that need no Enter. `stop(null)` ends the questions. */
export function ask(log, prompt, atOnce) {
  let stop;
  const answer = new Promise((resolve) => {
    const form = document.createElement("form"), input = document.createElement("input"), label = document.createElement("label");
    form.className = "ask";
    Object.assign(input, { autocomplete: "off", autocapitalize: "off", spellcheck: false, enterKeyHint: "send" });
    label.append(prompt, input);
    form.append(label);
    stop = (text) => {
      form.replaceWith(Object.assign(document.createElement("p"), { className: "asked", textContent: `${prompt}${text ?? ""}` }));
      resolve(text);
    };
    const letters = [...atOnce].filter((key) => !(key in KEYS));
    for (const key of [...letters, ...Object.keys(KEYS).filter((one) => atOnce.includes(one))]) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: KEYS[key] ?? key });
      button.addEventListener("click", () => stop(key));
      form.append(button);
    }
    input.addEventListener("input", () => {
      if (input.value.length === 1 && atOnce.includes(input.value.toLowerCase())) stop(input.value);
    });
    form.addEventListener("submit", (event) => { event.preventDefault(); stop(input.value); });
    log.add(form);
    form.scrollIntoView({ block: "nearest" });
    input.focus({ preventScroll: true });
  });
  return { answer, stop };
}
