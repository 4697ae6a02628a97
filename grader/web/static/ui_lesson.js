// The lesson: the text of the stub at hand, next to the code.
import { html, nothing } from "./lib.min.js";
import { examples, inline, prose } from "./ui_text.js";

/** `acts`: show(number), code(file, name), run(texts, number), grade(). */
export function lesson(stage, number, acts) {
  const { lessons } = stage, found = lessons[number], name = found?.name || stage.file;
  if (!found) return html`<h2>${stage.id}: ${stage.title}</h2><p>${inline(stage.summary)}</p>`;
  const whole = found.after ? `${found.text}\n\n${found.after}` : found.text;
  return html`
    <p class="soft">${stage.id}, about ${stage.minutes} minutes</p>
    <h2>${stage.title}</h2>
    <nav class="steps" aria-label="Lessons of ${stage.id}">${lessons.map((one, place) => html`
      <button type="button" aria-current=${place === number ? "true" : nothing} @click=${() => acts.show(place)}>${last(one.name) || "Start"}</button>`)}</nav>
    ${found.head ? html`<h3><code>${found.head}</code></h3>` : nothing}
    ${name === stage.file ? html`<p class="soft">On this page you write in the editor. When you pause, the phase is graded. ▶ runs an example in the console, where you can also type Python yourself.</p>` : nothing}
    ${prose(whole.replace(/^Phase \d+\. /, ""), (at) => acts.run(examples(whole), at))}
    <p class="acts">${found.head ? html`<button type="button" @click=${() => acts.code(stage.file, found.name)}>Go to <code>${last(name)}</code></button>` : nothing}
      ${number + 1 < lessons.length ? html`<button type="button" @click=${() => acts.show(number + 1)}>Next: <code>${last(lessons[number + 1].name)}</code></button>` : nothing}</p>
    ${stage.checkpoints.length ? html`<details><summary>What is checked in ${stage.id}</summary><ul>${stage.checkpoints.map(({ title }) => html`<li>${inline(title)}</li>`)}</ul></details>` : nothing}`;
}

const last = (name) => name.split(".").pop();
