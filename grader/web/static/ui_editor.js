// The learner's files in one CodeMirror. It is in a shadow root, where its styles need no inline <style>.
import {
  Annotation, Compartment, Decoration, EditorState, EditorView, HighlightStyle, RangeSetBuilder, ViewPlugin,
  autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, codeFolding, completionKeymap, defaultKeymap,
  drawSelection, ensureSyntaxTree, foldEffect, foldGutter, foldKeymap, globalCompletion, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, history, historyKeymap, indentOnInput, indentUnit, indentWithTab,
  isolateHistory, keymap, lineNumbers, lintKeymap, localCompletionSource, pythonLanguage, search, searchKeymap,
  setDiagnostics, syntaxHighlighting, tags, tooltips,
} from "./cm.min.js";

const ours = Annotation.define(); // a change that a command made, not the learner
const editable = new Compartment();

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: "var(--keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--name)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--code)", color: "var(--ink)", backgroundColor: "var(--paper)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 2px 0 6px" },
  ".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--paper)", border: "none" },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer", padding: "0 3px" },
  ".cm-foldPlaceholder": { color: "var(--soft)", backgroundColor: "var(--shade)", borderColor: "var(--line)", padding: "0 6px" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--paper)", borderColor: "var(--line)" },
  ".cm-completionInfo": { maxWidth: "24rem", padding: ".3rem .6rem", fontFamily: "system-ui, sans-serif" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--ink)", backgroundColor: "var(--chosen)" },
  ".cm-diagnostic": { maxWidth: "40rem", borderLeftColor: "var(--failed)", fontFamily: "system-ui, sans-serif" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 10px", minWidth: "32px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--shade)" },
  ".ruler": { whiteSpace: "pre", overflow: "hidden", contain: "inline-size" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--chosen)" },
  ".cm-matchingBracket": { backgroundColor: "var(--chosen)", outline: "none" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--shade)", borderColor: "var(--line) !important" },
  ".cm-textfield, .cm-button": { color: "var(--ink)", background: "var(--paper)", border: "1px solid var(--line)" },
  ".cm-searchMatch": { backgroundColor: "var(--chosen)" },
  ...Object.fromEntries([4, 8, 12, 16, 20].map((width) => [
    `.indent${width}`, { paddingLeft: `calc(6px + ${width}ch)`, textIndent: `-${width}ch` }])),
});

/** Long lines wrap below the beginning of their text, not below the line number. */
const hanging = ViewPlugin.fromClass(class {
  constructor(view) { this.decorations = hangingIndents(view); }
  update(update) { if (update.docChanged || update.viewportChanged) this.decorations = hangingIndents(update.view); }
}, { decorations: (plugin) => plugin.decorations });

/** Offer attributes after a dot: those of the course, which explain themselves, and the names that this file uses so. */
const attributes = (course) => (context) => {
  const begun = context.matchBefore(/\.\w*/);
  if (!begun) return null;
  const used = [...context.state.doc.toString().matchAll(/(?:\.|\bdef\s+)([A-Za-z_]\w*)/g)].map(([, label]) => ({ label, type: "property" }));
  const others = used.filter(({ label }) => label !== begun.text.slice(1)); // which is just being typed
  const options = new Map([...others, ...course.toReversed()].map((one) => [one.label, one]));
  return { from: begun.from + 1, options: [...options.values()], validFor: /^\w*$/ };
};

/** Offer other names: those of the course, and what `source` offers besides. */
const names = (course, source) => (context) => {
  const begun = context.matchBefore(/\.?\w+/), known = new Set(course.map(({ label }) => label));
  if (!begun || begun.text.startsWith(".")) return null;
  const found = source(context), others = found?.options.filter(({ label }) => !known.has(label)) ?? [];
  return { from: begun.from, options: [...course, ...others], validFor: /^\w*$/ };
};

/** Return an effect that folds each docstring, because the page shows it next to the code. */
function foldedDocstrings(state) {
  const effects = [];
  ensureSyntaxTree(state, state.doc.length, 500)?.iterate({
    enter({ node }) {
      if (node.name !== "ExpressionStatement" || node.firstChild?.name !== "String") return;
      const before = node.prevSibling;
      if (before && before.name !== ":") return; // not the first of its body
      const { to } = state.doc.lineAt(node.from);
      if (to < node.to) effects.push(foldEffect.of({ from: to, to: node.to }));
    },
  });
  return effects;
}

function hangingIndents(view) {
  const builder = new RangeSetBuilder();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      const width = Math.min(20, line.text.search(/\S|$/)) & ~3;
      if (/^\s*# -.*-{9}$/.test(line.text)) builder.add(line.from, line.from, Decoration.line({ class: "ruler" }));
      else if (width) builder.add(line.from, line.from, Decoration.line({ class: `indent${width}` }));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** Replace a selection here, because the browser would do it with inline styles, which the policy forbids. */
function replaceSelection(event, view) {
  const { main } = view.state.selection, typed = event.data;
  if (event.inputType !== "insertText" || main.empty || view.composing) return false;
  const change = () => view.state.update(view.state.replaceSelection(typed), { userEvent: "input.type" });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, main.from, main.to, typed, change))) view.dispatch(change());
  event.preventDefault();
  return true;
}

export class Editor {
  /**
   * `changed(name, text)` is called for every change of the learner, `save()` for Ctrl-S. `course` has the names to complete:
   * [{ label, type, detail, info, isMember }].
   */
  constructor(parent, { changed, save, course }) {
    this.states = new Map();
    this.name = "";
    this.locked = false;
    const run = () => { save(); return true; };
    this.extensions = [
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), highlightSpecialChars(), history(),
      drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), search({ top: true }),
      indentUnit.of("    "), EditorState.tabSize.of(4), EditorView.lineWrapping, hanging, pythonLanguage,
      syntaxHighlighting(colours), theme, editable.of([]), codeFolding(), foldGutter(), tooltips({ position: "absolute" }),
      autocompletion({ override: [
        attributes(course.filter(({ isMember }) => isMember)), names(course.filter(({ isMember }) => !isMember), localCompletionSource),
        names([], globalCompletion)] }),
      EditorView.domEventHandlers({ beforeinput: replaceSelection }),
      keymap.of([{ key: "Mod-s", run, preventDefault: true }, { key: "Mod-Enter", run }, ...closeBracketsKeymap,
        ...completionKeymap, ...foldKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.states.set(this.name, update.state);
        if (!update.transactions.every((one) => one.annotation(ours))) changed(this.name, update.state.doc.toString());
      }),
    ];
    const root = parent.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root });
  }

  text(name) { return this.states.get(name)?.doc.toString(); }

  texts() { return Object.fromEntries([...this.states.keys()].map((name) => [name, this.text(name)])); }

  /** Put a text into a file. Ctrl-Z brings the old one back. */
  write(name, text) {
    const state = this.states.get(name);
    if (state?.doc.toString() === text) return;
    if (!state) {
      const label = EditorView.contentAttributes.of({
        tabindex: "0", "aria-label": `${name}. Tab indents; press Escape, then Tab, to leave the editor.` });
      const fresh = EditorState.create({ doc: text, extensions: [this.extensions, label] });
      this.states.set(name, fresh.update({ effects: foldedDocstrings(fresh) }).state);
      return;
    }
    if (name === this.name) this.states.set(name, this.view.state);
    const spec = { changes: smallest(this.text(name), text), annotations: [ours.of(true), isolateHistory.of("full")] };
    if (name === this.name) this.view.dispatch(spec);
    else this.states.set(name, state.update(spec).state);
  }

  open(name) {
    if (name === this.name || !this.states.has(name)) return;
    if (this.name) this.states.set(this.name, this.view.state);
    this.name = name;
    this.view.setState(this.states.get(name));
    this.lock(this.locked);
  }

  /** Open a file with the cursor at the end of the indentation of a line (from 1). */
  jump(name, number) {
    this.open(name);
    const line = this.view.state.doc.line(Math.max(1, Math.min(number, this.view.state.doc.lines)));
    this.view.dispatch({
      selection: { anchor: line.from + line.text.search(/\S|$/) },
      effects: EditorView.scrollIntoView(line.from, { y: "center" }),
    });
  }

  /** Mark lines of files: [{ file, line, message }]. */
  mark(marks) {
    for (const name of this.states.keys()) {
      const state = name === this.name ? this.view.state : this.states.get(name);
      const found = marks.filter(({ file, line }) => file === name && line <= state.doc.lines).map(({ line, message }) => {
        const { from, to, text } = state.doc.line(line);
        return { from: from + text.search(/\S|$/), to, severity: "error", message };
      });
      const spec = setDiagnostics(state, found);
      if (name === this.name) this.view.dispatch(spec);
      else this.states.set(name, state.update(spec).state);
    }
  }

  /** Return the line (from 1) where a function such as Value.__add__ begins, or 0. */
  find(file, name) {
    const lines = (this.text(file) ?? "").split("\n"), [method, owner] = name.split(".").reverse();
    const start = owner ? lines.findIndex((line) => new RegExp(`^class\\s+${owner}\\b`).test(line)) : 0;
    const at = lines.findIndex((line, place) => place >= start && new RegExp(`^\\s*(def|class)\\s+${method}\\b`).test(line));
    return name && start >= 0 ? at + 1 : 1;
  }

  lock(locked) {
    this.locked = locked;
    this.view.dispatch({ effects: editable.reconfigure(locked ? [EditorState.readOnly.of(true)] : []) });
  }
}

/** Return the one change between two texts that leaves their common beginning and end alone. */
function smallest(old, text) {
  let from = 0, end = 0;
  const most = Math.min(old.length, text.length);
  while (from < most && old[from] === text[from]) from++;
  while (end < most - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}
