// Times, in the form in which every page shows them.

/** Seconds as `0:45`. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The remaining time of a timer: `{ seconds, isUp }`; null without a timer. `passed` is the number of
 * seconds since the table reported it. `isUp` is true when the time has run out, even if that only
 * urges the players. */
export function timeLeft(timer, passed) {
  if (!timer) return null;
  const left = Math.max(0, timer.running ? timer.left - passed : timer.left);
  return { seconds: Math.ceil(left), isUp: timer.urging || left <= 0 };
}
