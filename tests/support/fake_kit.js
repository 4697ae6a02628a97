// Plays kit.js for tests of the page: canned answers, no Python, the same interface.
const later = (ms) => new Promise((done) => setTimeout(done, ms));
const course = JSON.parse(document.getElementById("course").textContent);

export async function start({ onProgress, onOutput, onAsk, onTell }) {
  onProgress({ step: "download", loaded: 2 ** 20, total: 2 ** 23, part: 1 / 16 });
  const canned = await (await fetch("canned.json")).json(), files = {};
  const has = (word) => Object.values(files).some((text) => text.includes(word));
  const passes = () => has("# passes");
  const fake = (window.fake = { files, ran: [], asked: [], pushed: [], interrupted: 0 });
  let stop = () => {};
  const commands = {
    async quiz() {
      onOutput("\x1b[1m1 of 1: phase1\x1b[0m\n  Which one?\n  a) this\n  b) that\n");
      const answer = await onAsk("answer: ", { keys: "nhlqab" });
      return { exit: 0, text: answer === "b" ? "\x1b[32m  right\x1b[0m\n" : `stopped with ${answer}\n` };
    },
    reset: () => { files["engine.py"] = "# reset"; return { exit: 0, text: "reset\n" }; },
    slow: () => later(2500).then(() => ({ exit: 0, text: "done\n" })),
    where: () => ({ exit: 0, text: "look at engine.py,\nline 3\n" }),
  };
  await (window.held ?? later(0)); // a test may hold the start back
  return {
    words: ["hint", "checklist", "quiz", "slow", "reset", "phase1", "phase3"],
    isolated: true,
    async write(name, text) { if (text === null) delete files[name]; else files[name] = text; },
    async read() { return { ...files }; },
    async run(words) {
      const line = words.join(" ");
      fake.ran.push(line);
      files[".grade/progress.json"] = JSON.stringify({ ran: line });
      onTell("phase1: the first check");
      onTell("phase1: the second check");
      if (has("# hangs")) {
        await new Promise((done) => { stop = done; });
        return { exit: 130, text: "stopped\n", files: [] };
      }
      await later(20);
      if (words.includes("--open")) {
        files[".grade/trace.html"] = await (await fetch("trace.html")).text();
        return { exit: 1, text: "the trace is in .grade/trace.html\n", files: [".grade/trace.html"] };
      }
      if (commands[words[1]]) return { files: [], ...(await commands[words[1]]()) };
      const report = passes() ? canned.passed : words[1] === "phase1" && canned.phase1;
      if (report) return { exit: passes() ? 0 : 1, text: "", files: [], report };
      return { exit: 2, text: `error: no answer to ${line}\n`, files: [] };
    },
    async status() {
      const stages = course.stages.map(({ id }) => {
        const isDone = passes() && (id === "phase1" || has("# everything"));
        return { id, state: isDone ? "done" : "open", earned: isDone ? 6 : 0, possible: 6 };
      });
      const next = has("# a network is next") ? { stage: "phase7", stub: "Neuron.__init__", function: "Neuron.__init__" } : passes() ? { stage: "phase2", stub: "Value.__add__", function: "Value.__add__" } : { stage: "phase1", stub: "Value.__init__", function: "Value.__init__" };
      const checkpoint = has("# wrong") ? course.stages.find(({ id }) => id === "phase1").checkpoints[0].id : "";
      if (checkpoint) next.stub = "";
      return { stages, next: { ...next, checkpoint, file: "engine.py", line: 2 }, trouble: "" };
    },
    async practice(name, ...given) {
      fake.asked.push([name, ...given]);
      if (name === "answer" && given[1] === "?") return { error: "'?' is not one of the answers", hint: "type one letter", files: {} };
      if (name === "answer") return { ...canned.answer, correct: given[1] === "b", files: {} };
      return { ...canned[name], files: {} };
    },
    async prompt({ files, run, onPrint }) {
      fake.prompt = { files, run };
      return {
        async push(line) {
          fake.pushed.push(line);
          if (line === "exit()") return { ended: true };
          if (line === "slow()") await later(600);
          if (line) onPrint(`ran ${line} of engine.py:2\n`);
          return { more: line.endsWith(":"), failed: Boolean(fake.raises) };
        },
        interrupt() { fake.interrupted++; },
        close() {},
      };
    },
    interrupt() { fake.interrupted++; stop(); },
  };
}
