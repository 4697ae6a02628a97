// The learner's progress: a button for each phase with its tick, and the next step, which is always in view.
import { html, nothing } from "./lib.min.js";
import { inline, link } from "./ui_text.js";

const SIGNS = { done: "✓", changed: "~", begun: "▸", open: "·" };
const WORDS = { done: "passed", changed: "edited since it passed", begun: "begun", open: "not begun" };
const short = (id) => id.replace(/^phase(?=\d)/, "");

/** `blamed` is the line to look at, if a report knows it. `open(id)` shows a stage's lessons, `jump(file, line)` a place. */
export function standing(course, status, blamed, shown, { open, jump }) {
  const chip = ({ id, title }) => {
    const { state, earned, possible } = status?.stages.find((stage) => stage.id === id) ?? { state: "open" };
    const points = possible === undefined ? "" : `, ${earned} of ${possible} points`;
    return html`<li><button type="button" class=${state} data-stage=${id} title=${`${id}: ${title}${points}, ${WORDS[state]}`}
      aria-current=${id === shown ? "true" : nothing} @click=${() => open(id)}
      ><span aria-hidden="true">${SIGNS[state]}</span>${short(id)}</button></li>`;
  };
  const [phases, extras] = [false, true].map((extra) => course.stages.filter((stage) => stage.extra === extra));
  return html`
    <ol aria-label="Phases">${phases.map(chip)}</ol>
    ${extras.length ? html`<details class="extras"><summary>extras</summary><ol aria-label="Extras">${extras.map(chip)}</ol></details>` : nothing}
    <p id="next">${nextStep(course, status, blamed, jump)}</p>`;
}

function nextStep(course, status, blamed, jump) {
  if (!status) return nothing;
  const { next, trouble } = status, stage = next && course.stages.find(({ id }) => id === next.stage);
  if (!stage) return html`<strong>Every phase passes.</strong> ${trouble ?? ""}`;
  const at = blamed ?? next, place = at.line ? link(at, `${at.file}:${at.line}`, jump) : nothing;
  const step = trouble ? html`: ${trouble}` : next.stub ? html`: write <code>${next.stub}</code> in ${place}`
    : next.checkpoint ? html`${at.line ? html`, look at ${place}` : nothing}: “${inline(title(stage, next.checkpoint))}” does not pass yet` : html`: grade it, everything is written`;
  const isFinished = course.stages.every(({ id, extra }) => extra || status.stages.find((one) => one.id === id)?.state === "done");
  return html`${isFinished ? html`<strong>Every phase passes.</strong> ` : nothing}<span class="soft">Next:</span> <strong>${stage.id}</strong>${step}`;
}

const title = (stage, id) => stage.checkpoints.find((one) => one.id === id)?.title ?? id;
