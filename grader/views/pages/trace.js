"use strict";
(() => {
  // Shapes stay where they are. A step changes only texts and classes that differ from before.
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const svg = byId("picture"), frame = byId("frame"), now = byId("now"), count = byId("count");
  const items = [...byId("steps").children];
  const drawn = [...svg.querySelectorAll(".node")], edges = [...svg.querySelectorAll(".edge")];
  const last = items.length - 1;
  const size = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
  let step = 0, timer = 0, scale = 1;

  const parts = drawn.map((node) => {
    const [, , grown, right] = node.querySelectorAll(".gradient tspan");
    return { node, gradient: node.querySelectorAll(".gradient tspan")[1], grown, right };
  });
  const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };

  function show(index) {
    const [active, receiving, kind] = data.steps[index];
    parts.forEach((part, place) => {
      const [from, , rightValue, history] = data.nodes[place];
      let entry = history[0];
      for (const other of history) { if (other[0] <= index) entry = other; }
      setText(part.gradient, entry[1]);
      setText(part.grown, entry[0] === index && entry[3] ? ` (${entry[3]})` : "");
      setText(part.right, entry[2] ? ` ✗ right ${entry[2]}` : "");
      const classes = part.node.classList;
      classes.toggle("later", from > index);
      classes.toggle("active", place === active);
      classes.toggle("receiving", place !== active && receiving.includes(place));
      classes.toggle("wrong", from <= index && Boolean(rightValue || entry[2]));
    });
    data.edges.forEach(([operand, node], place) => {
      edges[place].classList.toggle("flow", kind === "run" && node === active && receiving.includes(operand));
      edges[place].classList.toggle("made", kind === "forward" && node === active);
    });
  }

  function go(index) {
    step = Math.max(0, Math.min(last, index));
    show(step);
    items.forEach((item, place) => {
      if (place === step) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
    });
    const item = items[step];
    const heading = document.createElement("p");
    heading.append(...[...item.querySelector("button").childNodes].map((node) => node.cloneNode(true)));
    now.replaceChildren(heading, ...[...item.querySelector(".detail").childNodes].map((node) => node.cloneNode(true)));
    now.classList.toggle("bad", Boolean(now.querySelector(".problem")));
    now.scrollTop = 0;
    setText(count, `step ${step + 1} of ${items.length}`);
    disable("first", step === 0); disable("back", step === 0); disable("next", step === last); disable("last", step === last);
    const list = item.parentElement;
    if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = item.offsetTop - list.clientHeight / 3;
    }
    follow();
    if (step === last) stop();
  }

  const button = (name) => document.querySelector(`[data-do="${name}"]`);
  const disable = (name, off) => button(name).setAttribute("aria-disabled", String(off));

  function follow() { // bring what the step is about into view
    const [place, receiving] = data.steps[step];
    if (place < 0 && step > 0) return;
    const view = frame.getBoundingClientRect(), edge = 12;
    const all = [Math.max(place, 0), ...receiving].map((index) => drawn[index].getBoundingClientRect());
    let box = {
      left: Math.min(...all.map((one) => one.left)), right: Math.max(...all.map((one) => one.right)),
      top: Math.min(...all.map((one) => one.top)), bottom: Math.max(...all.map((one) => one.bottom)),
    };
    if (box.right - box.left > view.width || box.bottom - box.top > view.height) [box] = all;
    const inside = box.left >= view.left + edge && box.right <= view.right - edge && box.top >= view.top + edge && box.bottom <= view.bottom - edge;
    if (inside) return;
    frame.scrollLeft += (box.left + box.right) / 2 - (view.left + view.right) / 2;
    frame.scrollTop += (box.top + box.bottom) / 2 - (view.top + view.bottom) / 2;
  }

  function zoom(to) {
    const middle = [(frame.scrollLeft + frame.clientWidth / 2) / scale, (frame.scrollTop + frame.clientHeight / 2) / scale];
    scale = Math.max(0.05, Math.min(3, to));
    svg.setAttribute("width", size.width * scale);
    svg.setAttribute("height", size.height * scale);
    frame.scrollLeft = middle[0] * scale - frame.clientWidth / 2;
    frame.scrollTop = middle[1] * scale - frame.clientHeight / 2;
  }
  // On a narrow screen the frame is as high as the graph, and at most this part of the screen.
  const narrow = matchMedia("(max-width: 52rem)").matches;
  const room = () => narrow ? innerHeight * 0.6 : frame.clientHeight;
  const whole = () => Math.min(2, (frame.clientWidth - 4) / size.width, (room() - 4) / size.height);

  function play() {
    if (timer) { stop(); return; }
    if (step === last) go(0);
    timer = setInterval(() => go(step + 1), 1100);
    button("play").setAttribute("aria-pressed", "true");
    setText(button("play"), "❚❚ pause");
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    button("play").setAttribute("aria-pressed", "false");
    setText(button("play"), "▶ play");
  }

  const wrong = button("wrong");
  const actions = {
    first: () => go(0), back: () => go(step - 1), next: () => go(step + 1), last: () => go(last),
    play, wrong: () => { if (wrong) go(Number(wrong.dataset.step)); },
    smaller: () => zoom(scale / 1.25), larger: () => zoom(scale * 1.25), fit: () => zoom(whole()),
  };
  const keys = {
    ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play", w: "wrong", "+": "larger", "=": "larger", "-": "smaller", 0: "fit",
  };
  const pans = { ArrowRight: [80, 0], ArrowLeft: [-80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] };

  document.addEventListener("click", (event) => {
    const target = event.target.closest("button");
    if (!target) return;
    if (target.dataset.do) {
      if (target.dataset.do !== "play") stop();
      actions[target.dataset.do]();
    } else {
      stop();
      go(items.indexOf(target.closest("li")));
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey && pans[event.key]) {
      frame.scrollBy(...pans[event.key]);
      event.preventDefault();
      return;
    }
    const name = keys[event.key];
    if (!name || (event.key === " " && event.target.closest("button, summary"))) return;
    event.preventDefault();
    if (name !== "play") stop();
    actions[name]();
  });

  let held = null; // dragging moves the picture
  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0 && event.target.closest("svg")) held = [event.clientX + frame.scrollLeft, event.clientY + frame.scrollTop];
  });
  addEventListener("pointermove", (event) => {
    if (held) { frame.scrollLeft = held[0] - event.clientX; frame.scrollTop = held[1] - event.clientY; }
  });
  addEventListener("pointerup", () => { held = null; });

  byId("trace").classList.remove("no-script");
  const readable = narrow ? 0.7 : 0.6; // smaller than that nobody reads the numbers: then the picture follows the steps instead
  zoom(Math.max(whole(), Math.min(readable, 1)));
  frame.scrollTo(0, 0);
  go(data.start);
})();
