// The parts of lit-html and fflate that the page uses. README.md says how lib.min.js is made from this file.
export { html, nothing, render, svg } from "lit-html";
export { repeat } from "lit-html/directives/repeat.js";
export { strToU8, unzipSync, zipSync } from "fflate";
