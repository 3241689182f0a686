// Times, as every page shows them.

/** Seconds as `0:45`. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** What a timer has left, `passed` seconds after the table said how it stands: `{ seconds, isUp }`;
 *  null where there is none. Time that has run out and only urges is up, too. */
export function timeLeft(timer, passed) {
  if (!timer) return null;
  const left = Math.max(0, timer.running ? timer.left - passed : timer.left);
  return { seconds: Math.ceil(left), isUp: timer.urging || left <= 0 };
}
