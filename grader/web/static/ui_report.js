// A report as a card: the first failure in full, the others folded, and what passes in a line.
import { html, nothing, repeat, svg } from "./lib.min.js";
import { inline, link, placesOf } from "./ui_text.js";

const WAITING = ["blocked", "not_started"];

/**
 * `before` has the ids of the checkpoints that passed in the last report. `acts` are functions: jump(file, line), run(lines),
 * hint(checkpoint), command(words).
 */
export function report(found, before, hints, acts) {
  const fresh = found.phases.flatMap(({ results }) => results.filter(({ id, verdict }) => verdict === "passed" && before && !before.has(id)));
  return html`
    ${found.causes.map((cause) => html`<p class="why">Look here first: ${inline(cause)}</p>`)}
    ${found.notes.map((note) => html`<p class="why">${noted(note, acts.jump)}</p>`)}
    ${found.phases.map((phase) => card(phase, fresh, hints, acts))}`;
}

function noted(note, jump) {
  const [place] = placesOf(note);
  return place ? html`${link(place, place.said, jump)}${inline(note.slice(place.index + place.said.length))}` : inline(note);
}

function card({ id, title, score, max_score, regression, results }, fresh, hints, acts) {
  const passed = results.filter(({ verdict }) => verdict === "passed"), waiting = results.filter(({ verdict }) => WAITING.includes(verdict));
  const others = results.filter((result) => !passed.includes(result) && !waiting.includes(result));
  const done = passed.length === results.length;
  return html`<section class=${done ? "phase all" : "phase"}>
    <h3>${id} <span>${title}</span>
      <span class="signs" role="img" aria-label=${`${passed.length} of ${results.length} checkpoints pass`}>${results.map(
        ({ verdict, sign, title }) => html`<span class=${verdict} title=${title}>${sign}</span>`)}</span>
      <span class="points">${score}/${max_score}</span></h3>
    ${regression ? html`<p class="why">${inline(regression)}</p>` : nothing}
    ${repeat(others, ({ id }) => id, (result) => checkpoint(result, hints, acts))}
    ${fresh.filter((result) => passed.includes(result)).map(({ title }) => html`<p class="fresh">✓ ${inline(title)} <span>passes now</span></p>`)}
    ${waiting.length ? html`<details ?open=${!others.length}><summary>▫ ${waiting.length} waiting</summary><ul>${waiting.map(line)}</ul></details>` : nothing}
    ${passed.length && !done ? html`<details><summary>✓ ${passed.length} passed</summary><ul>${passed.map(line)}</ul></details>` : nothing}
  </section>`;
}

const line = ({ title, answer }) =>
  html`<li>${inline(title)}${answer.numbers.length ? html` <span class="soft">${numbers(answer.numbers)}</span>` : nothing}</li>`;

function checkpoint(result, hints, { jump, run, hint, command }) {
  const { id, title, verdict, sign, points, open, place, answer, picture, tree, frames, reproduce, output } = result;
  return html`<details class="checkpoint ${verdict}" data-id=${id} ?open=${open}>
    <summary><span aria-hidden="true">${sign}</span> ${inline(title)} <span class="points">${points}</span></summary>
    ${place ? html`<p class="where">${place.file.endsWith(".py") ? link(place, place.at, jump) : place.at}</p>
      <pre class="excerpt">${place.lines.map(([number, text, isIt]) => html`<span class=${isIt ? "marked" : ""}>${number}  ${text}${"\n"}</span>`)}</pre>` : nothing}
    ${answer.numbers.length ? html`<p class="numbers">${numbers(answer.numbers)}</p>` : nothing}
    ${answer.reason ? html`<p class="why">${inline(answer.reason)}</p>` : nothing}
    ${answer.proof ? html`<p><strong>Tried:</strong> ${inline(answer.proof)}</p>` : nothing}
    ${verdict === "failed" ? html`<p class="acts">
      <button type="button" @click=${() => hint(id)}>${hints[id] ? "Next hint" : "Hint"}</button>
      ${reproduce ? html`<button type="button" @click=${() => run(reproduce.split("\n"))}>▶ Try it</button>` : nothing}
      ${picture ? html`<button type="button" @click=${() => command(`grade ${id} --open`)}>Step through it</button>` : nothing}</p>` : nothing}
    ${hints[id] ? html`<div class="unfolded">${hints[id]}</div>` : nothing}
    ${answer.story.map((text) => html`<p class="soft">${inline(text)}</p>`)}
    ${picture ? graph(picture) : nothing}
    ${tree && !picture ? html`<pre tabindex="0" role="group" aria-label="The graph of the failure">${tree}</pre>` : nothing}
    ${reproduce ? html`<details><summary>the lines that show it</summary><pre tabindex="0" role="group" aria-label="Python">${reproduce}</pre></details>` : nothing}
    ${frames.length ? html`<details><summary>${frames.length} more lines were running</summary><ul>${frames.map((frame) => html`<li class="soft">${frame}</li>`)}</ul></details>` : nothing}
    ${output ? html`<p class="soft">Your code printed:</p><pre tabindex="0" role="group" aria-label="Output">${output}</pre>` : nothing}
  </details>`;
}

const numbers = (parts) => parts.map(({ text, mark }) => (mark ? html`<code class=${mark}>${text}</code>` : inline(text)));

function graph({ width, height, box, edges, nodes }) {
  return html`<div class="picture" tabindex="0" role="group" aria-label="The graph of the failure">
    <svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label="Each node with its value and gradient">
    ${edges.map((path) => svg`<path class="edge" d=${path} />`)}
    ${nodes.map(({ x, y, title, marked, lines }) => svg`<g><title>${title}</title>
      <rect class=${marked ? "node first" : "node"} x=${x} y=${y} width=${box[0]} height=${box[1]} rx="6" />
      ${lines.map(([text, kind], number) => svg`<text class=${kind} x=${x + 8} y=${y + 17 * (number + 1)}>${text}</text>`)}</g>`)}
    </svg></div>`;
}
