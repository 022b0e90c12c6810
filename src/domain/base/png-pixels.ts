/**
 * Decodes the pixels of a PNG from its unpacked data: every colour type, depth and filter of the standard. It trusts no input: a
 * picture that passes here can be printed, whatever program wrote it.
 */
import type { Png } from "./image.ts";
import { passesOf, rowBytes } from "./png-header.ts";

/** Returns RGBA bytes, row by row; undefined for a wrong size, an unknown filter or a colour missing in the palette. */
export function pixelsOf(png: Png, data: Uint8Array): Uint8Array | undefined {
  const { header } = png;
  if (data.length !== png.unpacked_bytes) return undefined;
  const pixels = new Uint8Array(header.width * header.height * 4);
  const step = Math.max(1, (header.depth * header.samples) / 8);
  const paint = painterOf(png);
  let at = 0;
  for (const { left, top, across, down, columns, rows } of passesOf(header)) {
    const size = rowBytes(header, columns);
    let above: Uint8Array = new Uint8Array(size);
    for (let row = 0; row < rows; row += 1) {
      const line = data.slice(at + 1, at + 1 + size);
      const filter = data[at] ?? 0;
      const predict = FILTERS[filter];
      if (predict === undefined) return undefined;
      if (filter > 0) unfilter(predict, line, above, step);
      for (let column = 0; column < columns; column += 1) {
        const pixel = (top + row * down) * header.width + left + column * across;
        if (!paint(line, column, pixels, pixel * 4)) return undefined;
      }
      at += 1 + size;
      above = line;
    }
  }
  return pixels;
}

/** Reverses the filter of a row, in place. */
function unfilter(predict: Predict, line: Uint8Array, above: Uint8Array, step: number): void {
  for (let at = 0; at < line.length; at += 1) {
    const is_first = at < step;
    const left = is_first ? 0 : (line[at - step] ?? 0);
    const corner = is_first ? 0 : (above[at - step] ?? 0);
    line[at] = (line[at] ?? 0) + predict(left, above[at] ?? 0, corner);
  }
}

export type Predict = (left: number, above: number, corner: number) => number;

/** The prediction of each filter for a byte, from its neighbours to the left, above, and above left. */
export const FILTERS = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  nearest,
] as const satisfies readonly Predict[];

/** The Paeth predictor: the neighbour that is nearest to left + above - corner. */
function nearest(left: number, above: number, corner: number): number {
  const to_left = Math.abs(above - corner);
  const to_above = Math.abs(left - corner);
  const to_corner = Math.abs(left + above - 2 * corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

/** Writes one pixel of a row; returns false when the palette lacks its colour. */
type Painter = (line: Uint8Array, column: number, pixels: Uint8Array, at: number) => boolean;

function painterOf({ header, palette, transparency }: Png): Painter {
  const { color, depth, samples, has_alpha } = header;
  const raw = (line: Uint8Array, index: number): number => {
    if (depth === 8) return line[index] ?? 0;
    if (depth === 16) return raw16(line, index);
    const bit = index * depth;
    return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  };
  if (color === "palette" && palette !== undefined) {
    return (line, column, pixels, at) => {
      const entry = raw(line, column);
      if (3 * entry >= palette.length) return false;
      for (const channel of [0, 1, 2]) pixels[at + channel] = palette[3 * entry + channel] ?? 0;
      pixels[at + 3] = transparency?.[entry] ?? 255;
      return true;
    };
  }
  const most = 2 ** depth - 1;
  const byte = (value: number) => (depth === 8 ? value : Math.round((value * 255) / most));
  const channels = color === "rgb" ? [0, 1, 2] : [0, 0, 0];
  const unseen =
    has_alpha || transparency?.length !== (color === "rgb" ? 6 : 2)
      ? undefined
      : channels.map((channel) => raw16(transparency, channel));
  return (line, column, pixels, at) => {
    const from = column * samples;
    let is_seen = unseen === undefined;
    for (let index = 0; index < 3; index += 1) {
      const value = raw(line, from + (channels[index] ?? 0));
      pixels[at + index] = byte(value);
      if (unseen !== undefined && value !== unseen[index]) is_seen = true;
    }
    if (has_alpha) pixels[at + 3] = byte(raw(line, from + samples - 1));
    else pixels[at + 3] = is_seen ? 255 : 0;
    return true;
  };
}

/** A sample of two bytes; the transparent colour has two bytes per sample whatever the depth. */
function raw16(bytes: Uint8Array, index: number): number {
  return ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0);
}
