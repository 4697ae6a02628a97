// Where the learner stands: a button for each phase with its tick, and the next stub.

const SIGNS = { done: "✓", changed: "~", begun: "▸", open: "·" };
const WORDS = { done: "passed", changed: "edited since it passed", begun: "begun", open: "not begun" };
const short = (id) => id.replace(/^phase(?=\d)/, "");

/** Show `status` in `pane`. `grade(id)` is called for a click on a phase. */
export function showStanding(pane, course, status, grade) {
  const next = status.next && course.stages.find((stage) => stage.id === status.next.stage);
  const end = course.stages.findLastIndex((stage) => !stage.extra) + 1;
  const rows = [course.stages.slice(0, end), course.stages.slice(end)].filter((row) => row.length);
  pane.replaceChildren(...rows.map((row) => list(row, status, next, grade)), nextStep(status.next, next, status));
}

function list(stages, status, next, grade) {
  const list = document.createElement("ol");
  for (const { id, title } of stages) {
    const { state, earned, possible } = status.stages.find((stage) => stage.id === id);
    const button = document.createElement("button"), sign = document.createElement("span"), item = document.createElement("li");
    Object.assign(sign, { textContent: SIGNS[state], ariaHidden: "true" });
    Object.assign(button, { className: state, title: `${id}: ${title}, ${earned} of ${possible} points, ${WORDS[state]}` });
    button.setAttribute("aria-label", button.title);
    if (id === next?.id) button.setAttribute("aria-current", "step");
    button.append(sign, short(id));
    button.addEventListener("click", () => grade(id));
    item.append(button);
    list.append(item);
  }
  return list;
}

function nextStep(next, stage, status) {
  const line = document.createElement("p");
  if (!stage) {
    line.textContent = "Every phase passes.";
    return line;
  }
  const { earned, possible } = status.stages.find(({ id }) => id === stage.id);
  const title = Object.assign(document.createElement("strong"), { textContent: `${stage.id}: ${stage.title}` });
  const points = Object.assign(document.createElement("span"), { textContent: `${earned}/${possible}`, className: "points" });
  line.append(points, title);
  if (next.line) {
    const jump = Object.assign(document.createElement("a"), {
      href: `#${next.file}:${next.line}`, className: "jump", textContent: `${next.file}, line ${next.line}` });
    Object.assign(jump.dataset, { file: next.file, line: next.line });
    const code = Object.assign(document.createElement("code"), { textContent: next.stub });
    line.append(document.createElement("br"), ...(next.stub ? ["Write ", code, " in "] : ["Look at "]), jump);
  }
  return line;
}
