// The lesson: the text of the stub at hand, next to the code.
import { html, nothing } from "./lib.min.js";
import { examples, inline, prose } from "./ui_text.js";

/** `acts`: show(number), code(file, name), run(texts, number), type(command). */
export function lesson(stage, number, acts) {
  const { lessons } = stage, found = lessons[number], name = found?.name || stage.file;
  if (!found) return html`<h2>${stage.id}: ${stage.title}</h2><p>${inline(stage.summary)}</p>`;
  const short = (name) => (lessons.filter((one) => last(one.name) === last(name)).length > 1 ? name : last(name)); // Layer.__init__ or __init__
  const whole = found.after ? `${found.text}\n\n${found.after}` : found.text;
  return html`
    <p class="soft">${stage.id}, about ${stage.minutes} minutes</p>
    <h2>${stage.title}</h2>
    <nav class="steps" aria-label="Lessons of ${stage.id}">${lessons.map((one, place) => html`
      <button type="button" aria-current=${place === number ? "true" : nothing} @click=${() => acts.show(place)}>${short(one.name) || "Start"}</button>`)}</nav>
    ${found.head ? html`<h3><code>${found.head}</code></h3>` : nothing}
    ${name === stage.file ? html`<p class="soft">On this page you write in the editor. When you pause, the phase is graded; the button <b>Grade ${stage.id}</b> and <kbd>Ctrl</kbd> <kbd>S</kbd> do it at once. ▶ runs an example in the console, where you can also type Python yourself.</p>` : nothing}
    ${prose(whole.replace(/^Phase \d+\. /, ""), (at) => acts.run(examples(whole), at), acts.type)}
    <p class="acts">${found.head ? html`<button type="button" @click=${() => acts.code(stage.file, found.name)}>Go to <code>${short(name)}</code></button>` : nothing}
      ${number + 1 < lessons.length ? html`<button type="button" @click=${() => acts.show(number + 1)}>Next: <code>${short(lessons[number + 1].name)}</code></button>` : nothing}</p>
    ${stage.checkpoints.length ? html`<details><summary>What is checked in ${stage.id}</summary><ul>${stage.checkpoints.map(({ title }) => html`<li>${inline(title)}</li>`)}</ul></details>` : nothing}`;
}

/** Return the names that the lessons explain, for the editor to complete: classes, functions, and the attributes that a lesson lists. */
export const namesOf = ({ stages }) => stages.flatMap(({ id, lessons }) => lessons.flatMap(({ name, head, text }) => {
  const listed = [...text.matchAll(/^- `self\.(\w+)`: (.*(?:\n {2}.*)*)/gm)].map(([, label, info]) => ({ label, info, type: "property", isMember: true }));
  const own = { label: last(name), info: text.split("\n\n")[0], type: head.startsWith("class") ? "class" : "function", isMember: name.includes(".") };
  return [...listed, ...(name && !own.label.startsWith("__") ? [own] : [])].map(
    (one) => ({ ...one, detail: id, info: one.info.replace(/^\w+( \d+)?\. /, "").replace(/\s+/g, " ").replace(/`|(?<![\w*"])\*(?=[A-Za-z])|(?<=[A-Za-z])\*(?![\w*"])/g, "") }));
}));

const last = (name) => name.split(".").pop();
