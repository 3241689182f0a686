// The upload of data in pieces, because it is too long for one question.

import { PIECE, base64Of } from "./desk-line.js";

/** Uploads bytes under the name `what`. Returns null, or the answer by which the table refused a piece. */
export async function putUp(desk, what, bytes, tell = () => {}) {
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
    const piece = base64Of(bytes.subarray(at, at + PIECE));
    const answer = await desk.ask("put", { what, at, piece });
    if (answer === null) return { lost: true };
    if (!answer.ok) return answer;
    tell(Math.min(at + PIECE, bytes.length), bytes.length);
  }
  return null;
}
