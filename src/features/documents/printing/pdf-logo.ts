/** Draws the seller's logo on the first page. */
import { deflateSync, inflateSync } from "node:zlib";
import { readPng } from "../../../domain/base/image.ts";
import { pixelsOf } from "../../../domain/base/png-pixels.ts";
import { frame, type Sheet } from "./pdf-sheet.ts";

/** The greatest height of a logo, in points. */
const MOST_HEIGHT = 56;
const SPACE_BELOW = 12;

/**
 * The logo, as large as its place and its pixels allow. Returns the top of the following content.
 *
 * @param bytes the result of `printedLogo`: the library does not check a PNG, and throws where nothing can catch it.
 */
export function drawLogo(sheet: Sheet, bytes: Buffer, left: number, top: number): number {
  const { logo, seller } = sheet.view;
  if (logo === null) return top;
  const scale = Math.min((frame.right - left) / logo.width, MOST_HEIGHT / logo.height, 1);
  const [width, height] = [logo.width * scale, logo.height * scale];
  // A rotation from a camera would not match the measured size. The library's types lack this option, and the fact that it
  // takes a decoded picture.
  const options = { width, height, ignoreOrientation: true };
  const split_pixels = splitPixels(bytes);
  const picture =
    split_pixels === null ? bytes : (new SplitPicture(split_pixels) as unknown as Buffer);
  sheet.describedElement(sheet.root, "Figure", { alt: seller.name }, () => {
    sheet.doc.image(picture, left, top, options);
  });
  return top + height + SPACE_BELOW;
}

/** A picture with opacity in the form of a PDF: colours and opacities separate, each compressed. */
interface SplitPixels {
  readonly width: number;
  readonly height: number;
  readonly colors: Buffer;
  readonly opacities: Buffer;
}

/** The split pixels by the bytes of the PNG, while the bytes are in memory: splitting and compressing costs as much as a page. */
const known = new WeakMap<Buffer, SplitPixels>();

/** Splits colours and opacities; null for a picture without opacity, which a PDF contains as it is in its file. */
function splitPixels(bytes: Buffer): SplitPixels | null {
  const found = known.get(bytes);
  if (found !== undefined) return found;
  const png = readPng(bytes);
  if (png === undefined || png.header.samples !== 4) return null;
  const pixels = pixelsOf(png, inflateSync(Buffer.concat(png.data)));
  if (pixels === undefined) return null;
  const { width, height } = png;
  const colors = new Uint8Array(width * height * 3);
  const opacities = new Uint8Array(width * height);
  for (let pixel = 0; pixel < opacities.length; pixel += 1) {
    colors.set(pixels.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
    opacities[pixel] = pixels[pixel * 4 + 3] ?? 0;
  }
  const split_pixels = {
    width,
    height,
    colors: deflateSync(colors),
    opacities: deflateSync(opacities),
  };
  known.set(bytes, split_pixels);
  return split_pixels;
}

/**
 * A picture in pdfkit's form: it has a size and a name on the page, and writes itself when first placed. Its data
 * follows after all pages, as for pictures that pdfkit decodes, so that the order of parts in a file is stable.
 */
class SplitPicture {
  readonly width: number;
  readonly height: number;
  readonly label = "I1";
  obj: PDFKit.PDFKitReference | null = null;
  private readonly split_pixels: SplitPixels;

  constructor(split_pixels: SplitPixels) {
    this.split_pixels = split_pixels;
    this.width = split_pixels.width;
    this.height = split_pixels.height;
  }

  embed(document: PDFKit.PDFDocument): void {
    const { width, height, colors, opacities } = this.split_pixels;
    const picture = document.ref({
      Type: "XObject",
      Subtype: "Image",
      BitsPerComponent: 8,
      Width: width,
      Height: height,
      Filter: "FlateDecode",
      ColorSpace: "DeviceRGB",
    });
    this.obj = picture;
    queueMicrotask(() => {
      const mask = document.ref({
        Type: "XObject",
        Subtype: "Image",
        Height: height,
        Width: width,
        BitsPerComponent: 8,
        Filter: "FlateDecode",
        ColorSpace: "DeviceGray",
        Decode: [0, 1],
      });
      mask.end(opacities);
      Object.assign(picture.data, { SMask: mask });
      picture.end(colors);
    });
  }
}
