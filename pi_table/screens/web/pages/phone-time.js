// The time that is left, as the phones show it.

import { seconds } from "./live.js";
import { t } from "./texts.js";
import { clock, timeLeft } from "./time.js";

/** The time that a turn, a visit or the discussion has left, as `0:45`, or that it is up; "" where none
 * is counted. `at`: when the table said so. */
export function timeWords({ view }, at) {
  const left = timeLeft(view.timer, seconds() - at);
  if (left === null) return "";
  return left.isUp ? t("time-up") : clock(left.seconds);
}
