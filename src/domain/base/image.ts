/** Reads the type and size of a PNG or JPEG from its structure. `png-pixels.ts` checks whether the pixels decode. */
import { type PngHeader, pngHeader, unpackedBytes } from "./png-header.ts";

export interface Picture {
  readonly content_type: "image/png" | "image/jpeg";
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Png extends Picture {
  readonly header: PngHeader;
  /** The compressed pixels, in several parts. */
  readonly data: readonly Uint8Array[];
  /** The exact number of bytes of the unpacked data. */
  readonly unpacked_bytes: number;
  /** Red, green and blue of each colour; present when pixels are indexes into a palette. */
  readonly palette?: Uint8Array;
  /** As in the file: opacities of the palette, or the one transparent colour. */
  readonly transparency?: Uint8Array;
}

/** A PNG by the ISO standard; undefined for all other files, including incomplete ones. */
export function readPng(bytes: Uint8Array): Png | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!PNG_SIGNATURE.every((byte, at) => bytes[at] === byte)) return undefined;
  const data: Uint8Array[] = [];
  let header: PngHeader | undefined;
  const beside: { palette?: Uint8Array; transparency?: Uint8Array } = {};
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const from = at + 8;
    if (from + length + 4 > bytes.length) return undefined;
    if ((kind === "IHDR") !== (at === 8)) return undefined;
    const content = bytes.subarray(from, from + length);
    if (kind === "IHDR") {
      header = pngHeader(content);
      if (header === undefined) return undefined;
    }
    if (kind === "PLTE") beside.palette = content;
    if (kind === "tRNS") beside.transparency = content;
    if (kind === "IDAT") data.push(content);
    if (kind === "IEND") {
      if (header === undefined || data.length === 0) return undefined;
      if (header.color === "palette" && !isPalette(beside.palette)) return undefined;
      const { width, height } = header;
      const unpacked_bytes = unpackedBytes(header);
      return { content_type: "image/png", width, height, header, data, unpacked_bytes, ...beside };
    }
    at = from + length + 4;
  }
  return undefined;
}

/** A JPEG of the kinds that a PDF can contain; undefined for all other files. */
export function readJpeg(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== JPEG_START) return undefined;
  if (view.getUint16(bytes.length - 2) !== JPEG_END) return undefined;
  let picture: Picture | undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || !isSegment(marker)) return undefined;
    if (marker === START_OF_SCAN) return picture;
    if (JPEG_FRAMES.has(marker)) {
      const [bits, components] = [bytes[at + 4], bytes[at + 9] ?? 0];
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      const is_printable = bits === 8 && [1, 3, 4].includes(components);
      if (!is_printable || width === 0 || height === 0 || picture !== undefined) return undefined;
      picture = { content_type: "image/jpeg", width, height };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function isPalette(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && bytes.length > 0 && bytes.length % 3 === 0 && bytes.length <= 768;
}

/** The first bytes of every PNG. */
export const PNG_SIGNATURE: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_START = 0xffd8;
const JPEG_END = 0xffd9;
/** Baseline, extended and progressive. */
const JPEG_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** A marker in the range of frames that is not a frame: it has another meaning. */
const JPEG_TABLES = new Set([0xc4]);
const START_OF_SCAN = 0xda;

/** Whether a marker before the scan has a length after it, and is not a kind of frame that PDF lacks. */
function isSegment(marker: number): boolean {
  if (marker >= 0xc0 && marker <= 0xcf) return JPEG_FRAMES.has(marker) || JPEG_TABLES.has(marker);
  return marker >= START_OF_SCAN && marker < 0xff;
}
