// The upload of data in pieces, because it is too long for one question.

import { PIECE, base64Of } from "./desk-line.js";

/** The newest upload under each name. The table has one place for each name. */
const newest = new Map();

/** Uploads bytes under the name `what`. Returns null, or the answer by which the table refused a piece,
 * or `{ lost: true }` if the view was left, or a newer upload under this name has begun. */
export async function putUp(desk, what, bytes, tell = () => {}) {
  const mine = Symbol(what);
  newest.set(what, mine);
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
    const piece = base64Of(bytes.subarray(at, at + PIECE));
    const answer = await desk.ask("put", { what, at, piece });
    if (answer === null || newest.get(what) !== mine) return { lost: true };
    if (!answer.ok) return answer;
    tell(Math.min(at + PIECE, bytes.length), bytes.length);
  }
  return null;
}
