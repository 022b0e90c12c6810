/** The layout of a PNG's pixels: its colour type, its depth, and the passes of an interlaced one. */

export interface PngHeader {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly color: "gray" | "rgb" | "palette";
  readonly has_alpha: boolean;
  /** Bits per sample. */
  readonly depth: number;
  /** Samples per pixel, including alpha. */
  readonly samples: number;
  readonly is_interlaced: boolean;
}

/** A grid of pixels whose rows are stored one after another: its origin and its steps. */
interface PngPass {
  readonly left: number;
  readonly top: number;
  readonly across: number;
  readonly down: number;
  readonly columns: number;
  readonly rows: number;
}

/** The content of the header chunk; undefined when it has values that the standard does not define. */
export function pngHeader(content: Uint8Array): PngHeader | undefined {
  if (content.length !== 13) return undefined;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, kind, compression, filter, interlace] = content.subarray(8);
  const color = COLORS.get(kind ?? -1);
  if (depth === undefined || !color?.depths.includes(depth)) return undefined;
  if (width === 0 || height === 0 || compression !== 0 || filter !== 0) return undefined;
  if (interlace !== 0 && interlace !== 1) return undefined;
  const { depths: _, ...kept } = color;
  return { width, height, depth, ...kept, is_interlaced: interlace === 1 };
}

/** In the order of the file, without passes that have no pixel. */
export function passesOf({ width, height, is_interlaced }: PngHeader): PngPass[] {
  const grids = is_interlaced ? ADAM7 : WHOLE;
  return grids.flatMap(([left, top, across, down]) => {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    return columns <= 0 || rows <= 0 ? [] : [{ left, top, across, down, columns, rows }];
  });
}

/** Bytes of a row of a pass, without its filter byte. */
export function rowBytes({ depth, samples }: PngHeader, columns: number): number {
  return Math.ceil((columns * depth * samples) / 8);
}

/** Bytes of all rows, including their filter bytes. */
export function unpackedBytes(header: PngHeader): number {
  return passesOf(header).reduce(
    (sum, { columns, rows }) => sum + rows * (1 + rowBytes(header, columns)),
    0,
  );
}

const COLORS = new Map<
  number,
  Pick<PngHeader, "color" | "has_alpha" | "samples"> & { readonly depths: readonly number[] }
>([
  [0, { color: "gray", has_alpha: false, samples: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { color: "rgb", has_alpha: false, samples: 3, depths: [8, 16] }],
  [3, { color: "palette", has_alpha: false, samples: 1, depths: [1, 2, 4, 8] }],
  [4, { color: "gray", has_alpha: true, samples: 2, depths: [8, 16] }],
  [6, { color: "rgb", has_alpha: true, samples: 4, depths: [8, 16] }],
]);

const WHOLE = [[0, 0, 1, 1]] as const;
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
