// The borders between the panes, to drag or to move with the arrow keys.

const STEP = 4; // percent

/** Let each separator set a CSS variable of `main`, in percent. `changed(sizes)` is called when a border was moved. */
export function divide(main, sizes, changed) {
  for (const bar of main.querySelectorAll("[role=separator]")) {
    const { size, from = "start" } = bar.dataset, isUpright = bar.ariaOrientation === "vertical";
    const set = (percent) => {
      sizes[size] = Math.round(Math.max(Number(bar.ariaValueMin), Math.min(Number(bar.ariaValueMax), percent)));
      bar.ariaValueNow = String(sizes[size]);
      main.style.setProperty(`--${size}`, `${sizes[size]}%`);
    };
    if (sizes[size]) set(sizes[size]);
    bar.addEventListener("keydown", ({ key }) => {
      const step = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP }[key];
      if (!step) return;
      set(Number(bar.ariaValueNow) + (from === "end" ? -step : step));
      changed(sizes);
    });
    bar.addEventListener("pointerdown", (event) => {
      bar.setPointerCapture(event.pointerId);
      bar.onpointermove = ({ clientX, clientY }) => {
        const { left, top, width, height } = main.getBoundingClientRect();
        const part = isUpright ? (clientX - left) / width : (clientY - top) / height;
        set(100 * (from === "end" ? 1 - part : part));
      };
    });
    bar.addEventListener("pointerup", () => { bar.onpointermove = null; changed(sizes); });
  }
}
