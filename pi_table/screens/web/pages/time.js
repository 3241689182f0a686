// Times, as every page shows them.

/** Seconds as `0:45`. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The time left of a timer, `passed` seconds after the table reported it: `{ seconds, isUp }`;
 * null without a timer. Time that has run out but only urges counts as up, too. */
export function timeLeft(timer, passed) {
  if (!timer) return null;
  const left = Math.max(0, timer.running ? timer.left - passed : timer.left);
  return { seconds: Math.ceil(left), isUp: timer.urging || left <= 0 };
}
