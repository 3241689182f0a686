// The time left, as the phones show it.

import { seconds } from "./live.js";
import { t } from "./texts.js";
import { clock, timeLeft } from "./time.js";

/** The time left of a turn, a visit or the discussion, as `0:45`, or that it is up; "" without a
 * timer. `at`: when the table reported it. */
export function timeWords({ view }, at) {
  const left = timeLeft(view.timer, seconds() - at);
  if (left === null) return "";
  return left.isUp ? t("time-up") : clock(left.seconds);
}
