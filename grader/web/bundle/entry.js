// The parts of CodeMirror that the page uses. README.md says how cm.min.js is made from this file.
export {
  autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap,
} from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
export { globalCompletion, localCompletionSource, pythonLanguage } from "@codemirror/lang-python";
export {
  HighlightStyle, bracketMatching, codeFolding, ensureSyntaxTree, foldEffect, foldGutter, foldKeymap, indentOnInput, indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { Annotation, Compartment, EditorState, RangeSetBuilder } from "@codemirror/state";
export {
  Decoration, EditorView, ViewPlugin, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  keymap, lineNumbers, tooltips,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
