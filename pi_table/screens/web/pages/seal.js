// Encryption with a key that both sides have: XChaCha20-Poly1305.
//
// A sealed frame is a nonce of 24 random bytes, the ciphertext, and a tag of 16 bytes. The tag also
// depends on a text that names the purpose of the frame (`pi-table/1 up`). This text is not sent.

import { xchacha20poly1305 } from "./vendor/noble-ciphers/chacha.js";

export const KEY_BYTES = 32;
export const NONCE_BYTES = 24;
export const TAG_BYTES = 16;

/** Random bytes from the system. This source needs no HTTPS. */
export function drawn(count) {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** Seal the plain bytes with the key, for the purpose `use`. */
export function sealed(key, plain, use) {
  const nonce = drawn(NONCE_BYTES);
  const ciphertext = xchacha20poly1305(key, nonce, bytesOf(use)).encrypt(plain);
  const frame = new Uint8Array(NONCE_BYTES + ciphertext.length);
  frame.set(nonce);
  frame.set(ciphertext, NONCE_BYTES);
  return frame;
}

/** Open a frame that was sealed with this key for the purpose `use`. Returns its plain bytes; null if
 * key or purpose are wrong, or if the frame was changed. */
export function opened(key, frame, use) {
  if (frame.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = frame.slice(0, NONCE_BYTES);
  try {
    return xchacha20poly1305(key, nonce, bytesOf(use)).decrypt(frame.slice(NONCE_BYTES));
  } catch {
    return null;
  }
}

export function bytesOf(text) {
  return new TextEncoder().encode(text);
}

/** Join the pieces to one array of bytes. */
export function joined(pieces) {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Decode bytes of UTF-8. Throws a TypeError if they are invalid. */
export function textOf(bytes) {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

export function toBase64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/** Decode base64url. Returns null if the text is invalid, or not the canonical form. */
export function fromBase64url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
    return toBase64url(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
