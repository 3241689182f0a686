// The button that shows secrets exactly as long as a finger is held on it, or the space bar is held
// down.

/** Watches the button. `changed(true)` is called when a hold begins. `changed(false)` is called at once
 * when it ends: the finger is lifted or slides off the button, the system interrupts the touch, or the
 * page is not visible any more. */
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
    // A finger that slides off ends the hold. Otherwise the browser sends the events of a touch to this
    // button until it ends.
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
