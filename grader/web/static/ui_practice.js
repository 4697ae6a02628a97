// Hints, questions, the checklist and the reference solution as cards. `acts` has the functions that they call.
import { html, nothing } from "./lib.min.js";
import { inline } from "./ui_text.js";

const LETTERS = "abcd";
const code = (text) => html`<pre tabindex="0" role="group" aria-label="Code">${text}</pre>`;

/** Hints that unfold one by one. `more()` opens the next one, `about(function)` the hints of another function. */
export function hints({ error, hint, levels, count, function: name, checkpoint, others, changed, more }, acts) {
  if (error) return refusal({ error, hint });
  return html`<h3><code>${name}</code>${checkpoint ? html` <span>${inline(checkpoint)}</span>` : nothing}</h3>
    ${changed ? html`<p class="soft">Your code has changed since it was graded. Grade it for a hint about your line.</p>` : nothing}
    ${levels.map(({ name, text }, place) => html`<div class="level"><strong>${place + 1} of ${count}: ${name}</strong>
      ${["code", "change"].includes(name) ? code(text) : html`<p>${inline(text.replace(/\s+/g, " "))}</p>`}</div>`)}
    <p class="acts">${more ? html`<button type="button" @click=${acts.more}>Next hint</button>` : nothing}
    ${others.map((other) => html`<button type="button" @click=${() => acts.about(other)}>About <code>${other}</code></button>`)}</p>`;
}

export const refusal = ({ error, hint }) => html`<p class="bad">${inline(error)}</p>${hint ? html`<p class="soft">${inline(hint)}</p>` : nothing}`;

/** A session of questions. `state` is { questions, predict, at, answers, nudges, wrong }. */
export function quiz(state, acts) {
  const { questions, predict, at, answers } = state;
  if (at >= questions.length) {
    const right = answers.filter((answer) => answer?.correct).length;
    return html`<p><strong>${right} of ${questions.length} right.</strong></p>
      <p class="acts"><button type="button" class="main" @click=${() => acts.again(predict)}>More questions</button></p>`;
  }
  const question = questions[at], answer = answers[at];
  return html`<p class="soft">${at + 1} of ${questions.length}: ${question.phase}</p>
    <p class="question">${inline(question.text)}</p>${question.code ? code(question.code) : nothing}
    ${question.options.length ? html`<ol class="options">${question.options.map((option, place) => html`<li>
        <button type="button" aria-disabled=${String(Boolean(answer))} class=${!answer ? "" : place === answer.right ? "right" : place === answer.chosen ? "wrong" : ""}
          @click=${() => answer || acts.answer(LETTERS[place], place)}>${inline(option)}</button></li>`)}</ol>`
      : html`<form class="number" @submit=${(event) => { event.preventDefault(); answer ? acts.next() : acts.answer(event.target.elements.number.value); }}>
        <label>Your number <input name="number" autocomplete="off" inputmode="text" ?readonly=${Boolean(answer)}></label>
        <button>${answer ? "Next" : "Answer"}</button> <span class="soft">Four digits will do, and so will 1/3.</span></form>`}
    ${state.wrong ? html`<p class="bad">${state.wrong}</p>` : nothing}
    ${(state.nudge ?? []).map((line) => html`<p class="soft">${inline(line)}</p>`)}
    ${answer ? explained(question, answer, predict) : nothing}
    <p class="acts">${answer ? nothing : html`<button type="button" @click=${acts.nudge}>Hint</button>`}
      <button type="button" class=${answer ? "main" : ""} @click=${acts.next}>${answer ? "Next" : "Skip"}</button></p>`;
}

function explained(question, { correct, right, steps, explanation, engine, computed }, predict) {
  const shown = question.options.length ? question.options[right] : right;
  return html`<div role="status"><p class=${correct ? "good" : "bad"}><strong>${correct ? "✓ Right." : html`✗ Not quite: ${inline(shown)}`}</strong></p></div>
    ${steps.length ? code(steps.join("\n")) : nothing}
    ${predict ? html`<p>${computed ? html`Your engine computes <code>${engine}</code>.` : html`Your engine cannot compute this yet: ${inline(engine)}`}</p>` : nothing}
    <p>${inline(explanation)}</p>`;
}

const BY = { code: "Your code ticks these", quiz: "The quiz ticks these", word: "Tick these yourself" };

export function checklist({ items, error, hint }, acts) {
  if (error) return refusal({ error, hint });
  const groups = Object.keys(BY).map((by) => [by, items.filter((item) => (item.by === "word" && item.total ? "quiz" : item.by) === by)]);
  return html`<p><strong>${items.filter(({ state }) => state === "done").length} of ${items.length}</strong></p>
    ${groups.filter(([, found]) => found.length).map(([by, found]) => html`<h3>${BY[by]}</h3><ul class="ticks">${found.map((item) => html`<li>
      ${item.by === "code" ? html`<span class=${item.state}>${{ done: "✓", changed: "~", open: "▫" }[item.state]} ${item.text}</span>`
        : html`<label><input type="checkbox" .checked=${item.state === "done"} ?disabled=${item.by === "quiz" && item.state === "done"}
            @change=${({ target }) => acts.tick(item.id, target.checked)}> ${item.text}</label>`}
      ${item.total && item.passed < item.total ? html`<span class="soft">${item.passed}/${item.total}</span>` : nothing}
      ${item.total && item.by !== "code" && item.state === "open" ? html`<button type="button" @click=${() => acts.ask(item.id)}>Ask me</button>` : nothing}
    </li>`)}</ul>`)}`;
}

export function solution({ phase, locked, functions, error, hint }, acts) {
  if (error) return refusal({ error, hint });
  if (locked) return html`<p>${phase} does not pass yet. A hint costs nothing and teaches more.</p>
    <p class="acts"><button type="button" @click=${acts.hint}>Hint</button><button type="button" @click=${acts.spoil}>Show it anyway</button></p>`;
  const kinds = { "-": "gone", "+": "come", " ": "" };
  return html`<p class="soft"><span class="gone">- yours</span> <span class="come">+ the reference</span></p>
    ${functions.map(({ name, lines }) => html`<h3><code>${name}</code></h3>
      ${lines.length ? html`<pre class="diff" tabindex="0" role="group" aria-label=${name}>${lines.map((line) => html`<span class=${kinds[line[0]]}>${line}${"\n"}</span>`)}</pre>`
        : html`<p class="good">identical to yours</p>`}`)}`;
}
