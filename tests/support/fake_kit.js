// Plays kit.js for tests of the page: canned answers, no Python, the same interface.
const later = (ms) => new Promise((done) => setTimeout(done, ms));

export async function start({ onProgress, onOutput, onAsk }) {
  onProgress({ step: "download", loaded: 2 ** 20, total: 2 ** 23 });
  const canned = await (await fetch("canned.json")).json(), files = {};
  const passes = () => Object.values(files).some((text) => text.includes("# passes"));
  const commands = {
    async quiz() {
      onOutput("\x1b[1m1 of 1: phase1\x1b[0m\n  Which one?\n  a) this\n  b) that\n");
      const answer = await onAsk("answer: ", { keys: "nhlqab" });
      return { exit: 0, text: answer === "b" ? "\x1b[32m  right\x1b[0m\n" : `stopped with ${answer}\n` };
    },
    reset: () => { files["engine.py"] = "# reset"; return { exit: 0, text: "reset\n" }; },
    slow: () => later(2500).then(() => ({ exit: 0, text: "done\n" })),
  };
  window.fake = { files, ran: [], interrupted: 0 };
  return {
    course: canned.course,
    isolated: true,
    async write(name, text) { if (text === null) delete files[name]; else files[name] = text; },
    async read() { return { ...files }; },
    async run(words, { format }) {
      window.fake.ran.push(words.join(" "));
      files[".grade/progress.json"] = JSON.stringify({ ran: words });
      await later(20);
      const page = words.includes("--open") && (await (await fetch("trace.html")).text());
      const found = page ? { exit: 1, text: "" } : commands[words[1]] ? await commands[words[1]]() : canned[words[1] ?? "status"];
      const { html, ...answer } = found ?? { exit: 2, text: `error: no answer to ${words.join(" ")}\n` };
      if (page) files[(answer.files = [".grade/trace.html"])[0]] = page;
      return { files: [], ...answer, html: format === "html" ? html : undefined };
    },
    async status() {
      const stages = canned.course.stages.map(({ id }, place) => ({
        id, state: passes() && place === 0 ? "done" : "open", earned: passes() && place === 0 ? 6 : 0, possible: 6 }));
      return { stages, next: { stage: "phase1", checkpoint: "", stub: "Value.__init__", file: "engine.py", line: 2 } };
    },
    interrupt() { window.fake.interrupted++; },
    async zip() { return new TextEncoder().encode(JSON.stringify(files)); },
    async unzip(bytes) { const found = JSON.parse(new TextDecoder().decode(bytes)); Object.assign(files, found); return Object.keys(found); },
  };
}
