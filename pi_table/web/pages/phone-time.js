// The time that is left, as the phones show it.

import { seconds } from "./live.js";

/** The time that a turn, a visit or the discussion has left, as `0:45`; "" where none is counted. `at`:
 * when the table said so. */
export function timeLeft({ view }, at) {
  if (view.timer === null) return "";
  const { left, running } = view.timer;
  const rest = Math.max(0, Math.ceil(left - (running ? seconds() - at : 0)));
  return `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
}
