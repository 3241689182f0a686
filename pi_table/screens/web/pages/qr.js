// A QR code as a matrix of modules: bytes, error correction level M, versions 1 to 13 (ISO/IEC 18004).
// The desk draws the codes of seats itself, because no server may know their keys.

/** For each version: error correction codewords in a block, and number of blocks, at level M. */
const BLOCKS = [
  [10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5],
  [30, 5], [22, 8], [22, 9],
]; // prettier-ignore
const LEVEL_M = 0;
const MASKS = [
  (x, y) => (x + y) % 2,
  (x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
]; // a module is inverted where the result is 0

/** Returns the rows of the QR code of a text, each a list of true (dark) and false (light). */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const codewords = withCorrection(dataOf(bytes, version), version);
  const codes = MASKS.map((_, mask) => drawnCode(codewords, version, mask));
  const penalties = codes.map(penaltyOf);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

// The data

function versionFor(length) {
  for (let version = 1; version <= BLOCKS.length; version += 1)
    if (length + (version < 10 ? 2 : 3) <= dataBytes(version)) return version;
  throw new RangeError("This text is too long for a QR code.");
}

/** The number of codewords for data and error correction. */
function allBytes(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const lines = Math.floor(version / 7) + 2;
    modules -= (25 * lines - 10) * lines - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

function dataBytes(version) {
  const [each, blocks] = BLOCKS[version - 1];
  return allBytes(version) - each * blocks;
}

function dataOf(bytes, version) {
  const bits = [];
  const put = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(4, 4); // bytes
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  const capacity = 8 * dataBytes(version);
  put(0, Math.min(4, capacity - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data = [];
  for (let at = 0; at < bits.length; at += 8)
    data.push(bits.slice(at, at + 8).reduce((value, bit) => 2 * value + bit, 0));
  return data;
}

/** Splits the data into blocks, and returns the codewords of all blocks, interleaved. */
function withCorrection(data, version) {
  const [each, count] = BLOCKS[version - 1];
  const short = Math.floor(data.length / count);
  const firstLong = count - (data.length % count);
  const blocks = [];
  let at = 0;
  for (let block = 0; block < count; block += 1) {
    const length = short + (block >= firstLong ? 1 : 0);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const divisor = divisorOf(each);
  return [...interleaved(blocks), ...interleaved(blocks.map((block) => remainder(block, divisor)))];
}

function interleaved(blocks) {
  const all = [];
  const longest = Math.max(...blocks.map((block) => block.length));
  for (let at = 0; at < longest; at += 1)
    for (const block of blocks) if (at < block.length) all.push(block[at]);
  return all;
}

/** The product in the field GF(2^8) with the polynomial 0x11d. */
function product(one, other) {
  let value = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    value = (value << 1) ^ ((value >> 7) * 0x11d);
    value ^= ((other >> bit) & 1) * one;
  }
  return value;
}

function divisorOf(degree) {
  const terms = new Array(degree).fill(0);
  terms[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let at = 0; at < degree; at += 1)
      terms[at] = product(terms[at], root) ^ (at + 1 < degree ? terms[at + 1] : 0);
    root = product(root, 2);
  }
  return terms;
}

function remainder(data, divisor) {
  const left = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ left.shift();
    left.push(0);
    divisor.forEach((term, at) => {
      left[at] ^= product(term, factor);
    });
  }
  return left;
}

// The drawing

function drawnCode(codewords, version, mask) {
  const side = 4 * version + 17;
  const rows = Array.from({ length: side }, () => new Array(side).fill(null));
  const set = (x, y, dark) => {
    if (x >= 0 && y >= 0 && x < side && y < side) rows[y][x] = Boolean(dark);
  };
  // The patterns that never change: timing, finders with their light border, alignment.
  for (let at = 0; at < side; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [left, top] of [[3, 3], [side - 4, 3], [3, side - 4]]) // prettier-ignore
    square(4, (x, y, ring) => set(left + x, top + y, ring !== 2 && ring !== 4));
  const centres = centresOf(version, side);
  const last = centres.length - 1;
  centres.forEach((left, column) =>
    centres.forEach((top, row) => {
      const isFinder = (column === 0 && (row === 0 || row === last)) || (column === last && row === 0);
      if (!isFinder) square(2, (x, y, ring) => set(left + x, top + y, ring !== 1));
    }),
  );
  drawFormat(set, side, mask);
  drawVersion(set, side, version);
  // The codewords, in a zigzag from the lower right; then the mask.
  let bit = 0;
  for (let right = side - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < side; step += 1)
      for (const x of [right, right - 1]) {
        const y = isUpward ? side - 1 - step : step;
        if (rows[y][x] !== null) continue;
        const byte = codewords[bit >> 3] || 0;
        const isDark = (byte >> (7 - (bit & 7))) & 1;
        rows[y][x] = Boolean(isDark) !== (MASKS[mask](x, y) === 0);
        bit += 1;
      }
  }
  return rows;
}

/** Calls `draw(x, y, ring)` for all modules at most `size` from the middle. */
function square(size, draw) {
  for (let y = -size; y <= size; y += 1)
    for (let x = -size; x <= size; x += 1) draw(x, y, Math.max(Math.abs(x), Math.abs(y)));
}

function centresOf(version, side) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.ceil((side - 13) / (2 * count - 2));
  const centres = [6];
  for (let at = count - 2; at >= 0; at -= 1) centres.push(side - 7 - at * step);
  return centres;
}

/** The bits of `value`, followed by the remainder of a division by `generator`. */
function withRemainder(value, generator, degree) {
  let left = value;
  for (let step = 0; step < degree; step += 1) left = (left << 1) ^ ((left >> (degree - 1)) * generator);
  return (value << degree) | left;
}

function drawFormat(set, side, mask) {
  const bits = withRemainder((LEVEL_M << 3) | mask, 0x537, 10) ^ 0x5412;
  const bit = (at) => (bits >> at) & 1;
  for (let at = 0; at < 15; at += 1) {
    // Around the upper left finder, and once more beside the other two.
    if (at < 8) set(8, at < 6 ? at : at + 1, bit(at));
    else set(at === 8 ? 7 : 14 - at, 8, bit(at));
    if (at < 8) set(side - 1 - at, 8, bit(at));
    else set(8, side - 15 + at, bit(at));
  }
  set(8, side - 8, true);
}

function drawVersion(set, side, version) {
  if (version < 7) return;
  const bits = withRemainder(version, 0x1f25, 12);
  for (let at = 0; at < 18; at += 1) {
    const [far, near] = [side - 11 + (at % 3), Math.floor(at / 3)];
    set(far, near, (bits >> at) & 1);
    set(near, far, (bits >> at) & 1);
  }
}

/** How badly cameras read the code: long runs, blocks, false finders, more dark than light. */
function penaltyOf(rows) {
  const side = rows.length;
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  let penalty = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) || []) penalty += run.length - 2;
    for (const finder of ["10111010000", "00001011101"])
      for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) penalty += 40;
  }
  for (let y = 1; y < side; y += 1)
    for (let x = 1; x < side; x += 1)
      if (new Set([rows[y][x], rows[y - 1][x], rows[y][x - 1], rows[y - 1][x - 1]]).size === 1)
        penalty += 3;
  const dark = rows.reduce((sum, row) => sum + row.filter(Boolean).length, 0);
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / (side * side) - 10));
}
