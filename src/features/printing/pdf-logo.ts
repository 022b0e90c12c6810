/** The seller's logo on the first page. */
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
  // A turn that a camera noted would not be in the size that was measured. The library's types do not know it.
  const options = { width, height, ignoreOrientation: true };
  sheet.describedElement(sheet.root, "Figure", { alt: seller.name }, () => {
    sheet.doc.image(bytes, left, top, options);
  });
  return top + height + SPACE_BELOW;
}
