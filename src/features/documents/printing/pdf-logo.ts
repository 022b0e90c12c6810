/** The seller's logo on the first page. */
import { deflateSync, inflateSync } from "node:zlib";
import { readPng } from "../../../domain/base/image.ts";
import { pixelsOf } from "../../../domain/base/png-pixels.ts";
import { frame, type Sheet } from "./pdf-sheet.ts";

/** What a logo takes at most, in points. */
const MOST_HEIGHT = 56;
const SPACE_BELOW = 12;

/**
 * The logo as large as its place and the pixels that were sent allow. Returns where what comes under it begins.
 *
 * @param bytes what `printedLogo` gives: the library trusts a PNG, and throws where nothing can catch it.
 */
export function drawLogo(sheet: Sheet, bytes: Buffer, left: number, top: number): number {
  const { logo, seller } = sheet.view;
  if (logo === null) return top;
  const scale = Math.min((frame.right - left) / logo.width, MOST_HEIGHT / logo.height, 1);
  const [width, height] = [logo.width * scale, logo.height * scale];
  // A turn that a camera noted would not be in the size that was measured. The library's types do not know it, nor that
  // it takes a picture that was read before.
  const options = { width, height, ignoreOrientation: true };
  const parted = partedOf(bytes);
  const picture = parted === null ? bytes : (new PartedPicture(parted) as unknown as Buffer);
  sheet.describedElement(sheet.root, "Figure", { alt: seller.name }, () => {
    sheet.doc.image(picture, left, top, options);
  });
  return top + height + SPACE_BELOW;
}

/** A picture with opacity as a PDF has it: colours and opacities apart, each packed. */
interface Parted {
  readonly width: number;
  readonly height: number;
  readonly colors: Buffer;
  readonly opacities: Buffer;
}

/** By the bytes of the PNG, for as long as those are kept: parting and packing costs as much as a page. */
const known = new WeakMap<Buffer, Parted>();

/** Null for a picture without opacity, which stands in a PDF as it is in its file. */
function partedOf(bytes: Buffer): Parted | null {
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
  const parted = { width, height, colors: deflateSync(colors), opacities: deflateSync(opacities) };
  known.set(bytes, parted);
  return parted;
}

/**
 * A picture as pdfkit's own: it has a size and a name on the page, and writes itself into the document when it is placed
 * first. Its bytes follow when all pages are drawn, as those that pdfkit unpacks do, so that a file has its parts in the
 * order that it always had.
 */
class PartedPicture {
  readonly width: number;
  readonly height: number;
  readonly label = "I1";
  obj: PDFKit.PDFKitReference | null = null;
  private readonly parted: Parted;

  constructor(parted: Parted) {
    this.parted = parted;
    this.width = parted.width;
    this.height = parted.height;
  }

  embed(document: PDFKit.PDFDocument): void {
    const { width, height, colors, opacities } = this.parted;
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
