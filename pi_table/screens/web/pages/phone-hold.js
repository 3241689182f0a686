// The button that shows what is hidden, for exactly as long as a finger, or the space bar, holds it.

/** Watches the button. `changed` is told true when it is held, and false at once when it is not:
 * lifted, slid off, called away, or the page out of sight. */
export function watchHold(button, changed) {
  let finger = null;
  let key = false;

  function tell(held) {
    button.classList.toggle("held", held);
    button.setAttribute("aria-pressed", String(held));
    changed(held);
  }

  function letGo() {
    if (finger === null && !key) return;
    finger = null;
    key = false;
    tell(false);
  }

  button.addEventListener("pointerdown", (event) => {
    if (finger !== null || key || event.button !== 0) return;
    // A finger that slides off has let go; touch would keep it on the button otherwise.
    if (button.hasPointerCapture(event.pointerId)) button.releasePointerCapture(event.pointerId);
    finger = event.pointerId;
    tell(true);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    button.addEventListener(name, (event) => event.pointerId === finger && letGo());
  }
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(name, (event) => event.pointerId === finger && letGo());
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    if (event.repeat || finger !== null || key) return;
    key = true;
    tell(true);
  });
  addEventListener("keyup", (event) => event.key === " " && key && letGo());
  button.addEventListener("blur", () => key && letGo());
  addEventListener("blur", letGo);
  addEventListener("pagehide", letGo);
  document.addEventListener("visibilitychange", () => document.hidden && letGo());
  return letGo;
}
