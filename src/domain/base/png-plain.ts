/**
 * Prepares a picture for print: no larger than its printed size needs, with rows filtered so that they compress well. It uses
 * integer arithmetic only, so the same picture always gives the same bytes.
 */
import { FILTERS, type Predict } from "./png-pixels.ts";

/** Red, green, blue and opacity of each pixel, row by row, a byte each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The printed size of a logo, 199 by 56 points, at 300 pixels per inch. */
const MOST_WIDTH = 830;
const MOST_HEIGHT = 235;

/**
 * The picture reduced to its largest printed size, in its proportions; the picture itself when it is no larger. Each new pixel is
 * the mean of the pixels that it covers, with colours weighted by their opacity.
 */
export function scaledDown(picture: Pixels): Pixels {
  const { width, height } = picture;
  if (width <= MOST_WIDTH && height <= MOST_HEIGHT) return picture;
  const is_wide = width * MOST_HEIGHT > height * MOST_WIDTH;
  const [most, of] = is_wide ? [MOST_WIDTH, width] : [MOST_HEIGHT, height];
  const scaled = (side: number) => Math.max(1, Math.floor((2 * side * most + of) / (2 * of)));
  const to = { width: scaled(width), height: scaled(height) };
  return { ...to, pixels: averaged(picture, to.width, to.height) };
}

/** Each side has as many units as its old and new numbers of pixels multiplied, so that all overlaps are integers. */
function averaged({ width, height, pixels }: Pixels, columns: number, rows: number): Uint8Array {
  const result = new Uint8Array(columns * rows * 4);
  const area = width * height;
  for (let row = 0; row < rows; row += 1) {
    const [top, bottom] = [row * height, (row + 1) * height];
    for (let column = 0; column < columns; column += 1) {
      const [left, right] = [column * width, (column + 1) * width];
      // At most 255 * 255 * 2000 * 2000, which a number holds exactly.
      let [red, green, blue, seen] = [0, 0, 0, 0];
      for (let y = Math.floor(top / rows); y * rows < bottom; y += 1) {
        const high = Math.min(bottom, (y + 1) * rows) - Math.max(top, y * rows);
        for (let x = Math.floor(left / columns); x * columns < right; x += 1) {
          const wide = Math.min(right, (x + 1) * columns) - Math.max(left, x * columns);
          const at = 4 * (y * width + x);
          const weight = high * wide * (pixels[at + 3] ?? 0);
          red += weight * (pixels[at] ?? 0);
          green += weight * (pixels[at + 1] ?? 0);
          blue += weight * (pixels[at + 2] ?? 0);
          seen += weight;
        }
      }
      if (seen === 0) continue;
      const to = 4 * (row * columns + column);
      result[to] = rounded(red, seen);
      result[to + 1] = rounded(green, seen);
      result[to + 2] = rounded(blue, seen);
      result[to + 3] = rounded(seen, area);
    }
  }
  return result;
}

const rounded = (sum: number, parts: number): number => Math.floor((2 * sum + parts) / (2 * parts));

/** Encodes an 8-bit PNG, RGB if opaque, else RGBA. Each row's filter has the smallest sum of absolute differences. */
export function filteredRows({ width, height, pixels }: Pixels): {
  readonly samples: 3 | 4;
  readonly rows: Uint8Array;
} {
  const samples = isOpaque(pixels) ? 3 : 4;
  const size = width * samples;
  const rows = new Uint8Array(height * (1 + size));
  let above = new Uint8Array(size);
  let line = new Uint8Array(size);
  let [best, tried] = [new Uint8Array(size), new Uint8Array(size)];
  for (let row = 0; row < height; row += 1) {
    let to = 0;
    for (let from = 4 * row * width; from < 4 * (row + 1) * width; from += 4) {
      for (let sample = 0; sample < samples; sample += 1) line[to++] = pixels[from + sample] ?? 0;
    }
    let [filter, least] = [0, Number.POSITIVE_INFINITY];
    for (const number of TRIED) {
      const left_over = filtered(line, above, samples, FILTERS[number], tried);
      if (left_over >= least) continue;
      [filter, least] = [number, left_over];
      [best, tried] = [tried, best];
    }
    rows[row * (1 + size)] = filter;
    rows.set(best, row * (1 + size) + 1);
    [above, line] = [line, above];
  }
  return { samples, rows };
}

/** The filters None, Sub, Up and Paeth. */
const TRIED = [0, 1, 2, 4] as const;

/** Writes the filtered row; returns the sum of its absolute differences. */
function filtered(
  line: Uint8Array,
  above: Uint8Array,
  step: number,
  predict: Predict,
  result: Uint8Array,
): number {
  let sum = 0;
  for (let index = 0; index < line.length; index += 1) {
    const is_first = index < step;
    const left = is_first ? 0 : (line[index - step] ?? 0);
    const corner = is_first ? 0 : (above[index - step] ?? 0);
    const rest = ((line[index] ?? 0) - predict(left, above[index] ?? 0, corner)) & 255;
    result[index] = rest;
    sum += rest < 128 ? rest : 256 - rest;
  }
  return sum;
}

function isOpaque(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}
