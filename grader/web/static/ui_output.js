// What a command answers: coloured text, reports in a shadow root, traces and pictures in a sandbox.

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** Turn a terminal's text into nodes. `style` is the set of classes that goes on from the text before. */
export function coloured(text, style) {
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

const LINE = /([\w./-]+\.py)(?::|,\s+line\s+)(\d+)/g;

/** Make links of all places such as "engine.py:30" or "engine.py, line 30", in the files of the course. */
export function link(root, isFile) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const found = [...text.data.matchAll(LINE)].filter((match) => isFile(match[1]));
    for (const match of found.reverse()) {
      const place = text.splitText(match.index);
      place.splitText(match[0].length);
      const jump = document.createElement("a");
      Object.assign(jump, { href: `#${match[1]}:${match[2]}`, className: "jump", textContent: match[0] });
      Object.assign(jump.dataset, { file: match[1], line: match[2] });
      place.replaceWith(jump);
    }
  }
}

const ORDER = ["failed", "error", "not_started", "blocked", "passed"];
const COMPACT = new CSSStyleSheet();
COMPACT.replaceSync(`
  h1 { display: none } h2 { font-size: 1rem; margin: .9rem 0 .25rem } p { margin: .4rem 0 }
  summary { overflow-wrap: anywhere } table { display: block; overflow-x: auto; white-space: nowrap }
  pre { white-space: pre-wrap } .told { margin-left: .35rem }
  a.jump { color: var(--focus); text-underline-offset: .15em } :focus-visible { outline: 2px solid var(--focus) }
`);

/** Return a report's page as an element of this page, its failures first. If nothing failed, say what the rest waits for. */
export function report(html) {
  const host = document.createElement("div"), root = host.attachShadow({ mode: "open" }), sheet = new CSSStyleSheet();
  const [before, css, after] = html.split(/<\/?style>/);
  const page = new DOMParser().parseFromString(before + after, "text/html");
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet, COMPACT];
  for (const section of page.querySelectorAll("section")) {
    const rank = (result) => ORDER.indexOf(result.className);
    section.append(...[...section.querySelectorAll(":scope > details")].sort((a, b) => rank(a) - rank(b)));
  }
  root.append(...document.adoptNode(page.body).childNodes);
  if (!root.querySelector("details[open]")) root.querySelector("details.blocked")?.setAttribute("open", "");
  host.className = "report";
  return host;
}

/** Return a page with scripts of its own, such as a trace, or a picture, where it can reach nothing else. */
export function exhibit(name, text) {
  if (name.endsWith(".svg")) {
    const picture = document.createElement("img");
    return Object.assign(picture, { src: `data:image/svg+xml,${encodeURIComponent(text)}`, alt: name });
  }
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  return Object.assign(frame, { srcdoc: text, title: name });
}

/** The answers so far, the newest last. */
export class Log {
  constructor(pane, isFile) { Object.assign(this, { pane, isFile }); }

  /** Begin the answer to a line. It replaces the last one if that was the same line and neither was typed. */
  begin(line, byItself) {
    const last = this.pane.lastElementChild, entry = document.createElement("article");
    const heading = Object.assign(document.createElement("h3"), { textContent: line });
    entry.append(heading);
    entry.dataset.line = byItself ? line : "";
    this.style = new Set();
    this.entry = entry;
    if (byItself && last?.dataset.line === line) this.stale = last;
    else this.show();
    while (this.pane.children.length > 40) this.pane.firstElementChild.remove();
  }

  show() {
    if (this.stale) this.stale.replaceWith(this.entry);
    else if (!this.entry.isConnected) this.pane.append(this.entry);
    this.stale = undefined;
  }

  /** Print text as a terminal does. */
  print(text) {
    this.show();
    let pre = this.entry.lastElementChild;
    if (pre.tagName !== "PRE") this.entry.append(pre = document.createElement("pre"));
    pre.append(coloured(text, this.style));
  }

  add(element) {
    this.show();
    this.entry.append(element);
  }

  say(text, kind = "") { this.add(Object.assign(document.createElement("p"), { textContent: text, className: kind })); }

  /** Make links of the places and commands in the answer, and show its beginning, or what the last question led to. */
  end() {
    this.show();
    for (const part of this.entry.children) link(part.shadowRoot ?? part, this.isFile);
    for (const command of this.entry.querySelectorAll("span.bold")) {
      if (!/^grade [\w-][^"]*("[^"]*"[^"]*)*$/.test(command.textContent)) continue;
      const anchor = Object.assign(document.createElement("a"), { href: "#", className: "command", textContent: command.textContent });
      command.replaceWith(anchor);
    }
    if (this.entry.querySelector(".asked")) this.entry.lastElementChild.scrollIntoView({ block: "end" });
    else this.entry.scrollIntoView({ block: "start" });
  }

  /** How many characters fit into a line. */
  get columns() {
    const ruler = Object.assign(document.createElement("pre"), { textContent: "0".repeat(50), className: "ruler" });
    this.pane.append(ruler);
    const width = ruler.getBoundingClientRect().width / 50;
    ruler.remove();
    const style = getComputedStyle(this.pane);
    const room = this.pane.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return Math.max(32, Math.min(100, Math.floor(room / width)));
  }
}
