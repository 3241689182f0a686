// The remaining time, as phones show it.

import { seconds } from "./live.js";
import { t } from "./texts.js";
import { clock, timeLeft } from "./time.js";

/** The remaining time of a turn, a visit or the discussion as `0:45`, or a text that time is up; ""
 * without a timer. `at` is the time at which the table reported it. */
export function timeWords({ view }, at) {
  const left = timeLeft(view.timer, seconds() - at);
  if (left === null) return "";
  return left.isUp ? t("time-up") : clock(left.seconds);
}
