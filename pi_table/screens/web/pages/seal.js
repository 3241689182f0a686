// Encryption with a key that both ends have: XChaCha20-Poly1305.
//
// What is sealed is a nonce of 24 random bytes, the ciphertext, and a tag of 16 bytes. The tag also
// vouches for a text that names what the bytes are for (`pi-table/1 up`); that text is not sent.

import { xchacha20poly1305 } from "./vendor/noble-ciphers/chacha.js";

export const KEY_BYTES = 32;
export const NONCE_BYTES = 24;
export const TAG_BYTES = 16;

/** Bytes from the system's random generator, which is available without HTTPS, too. */
export function drawn(count) {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** The plain bytes, sealed with the key for the named purpose. */
export function sealed(key, plain, use) {
  const nonce = drawn(NONCE_BYTES);
  const ciphertext = xchacha20poly1305(key, nonce, bytesOf(use)).encrypt(plain);
  const frame = new Uint8Array(NONCE_BYTES + ciphertext.length);
  frame.set(nonce);
  frame.set(ciphertext, NONCE_BYTES);
  return frame;
}

/** The plain bytes of what was sealed with the key for that purpose; null if it was not, or if a
 * bit has changed. */
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

/** These pieces, joined. */
export function joined(pieces) {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The text of these bytes in UTF-8. Throws a TypeError if they are invalid. */
export function textOf(bytes) {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

export function toBase64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/** The bytes of this text; null if it is invalid, or not spelt in the canonical way. */
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
