/**
 * The caches across documents change no byte of any document: neither the parsed fonts nor the shaped words nor
 * the order of the documents. And documents look as they did without caches.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { jpeg } from "../../../../test/support/documents/pictures.ts";
import {
  contentDigest,
  type Printed,
  printedDocuments,
} from "../../../../test/support/documents/printed.ts";
import { plainOf } from "../../settings/configuration/read-picture.ts";
import { renderPdf } from "./pdf.ts";
import { Fonts } from "./pdf-fonts.ts";
import { viewOf } from "./view.ts";

function rendered({ snapshot, number, logo }: Printed, fonts: Fonts): Promise<Buffer> {
  const picture = logo === null || logo === jpeg ? logo : plainOf(logo);
  return renderPdf(viewOf(snapshot, { number }), picture, fonts);
}

/** The content of each document when every font was parsed for it alone. */
const LOOKS: Record<string, string> = {
  "an invoice": "a955a1541dc59215",
  "one in English without VAT": "ab25ea13306f4eda",
  "a credit note": "fe2a02d3d3d3db8a",
  "a draft": "1beef8c8a6de7dbc",
  "a draft of a credit note in English": "6d2b4d877013dc1a",
  "amounts of eighteen digits": "e5d04e2f0755ebec",
  "a currency without decimals": "ef8bce107772b2f3",
  "two rates of VAT": "5749b326d7d52884",
  "no seller": "8ffc456daa8bafff",
  "sixty lines": "53d08f170d622ae1",
  "many lines of a draft": "9d59087458175779",
  "a quotation mark": "aef378087a7b1c4d",
  "a letter that looks the same": "8a931323abe8f968",
  "arrows that are typed": "29f4582888c8a6f0",
  arrows: "a0b2aee885638166",
  "other alphabets": "b05da8a4e2814ab1",
  "alphabets that the font has not": "e32c1700147892cd",
  marks: "c8232a77741b474c",
  sizes: "ffe3285aac497109",
  spaces: "025c932b32efcb1f",
  "words that are too wide": "e70990d8543d31d9",
  "a text of pages": "5cbab5f92fe15875",
  "no text": "515d99a90f554528",
  "a transparent logo": "2d1e0912f9ff30d9",
  "a logo without transparency": "e035ccaa02a39c71",
  "a logo of two colours": "5e872d8f279fdf19",
  "a photograph": "7a32ff313632f347",
  hours: "c87fc0a4a6472bdb",
  "sums of hours": "69fd8551657c0f5a",
  "hours of a draft": "8aeac56fdebc96da",
  "texts, number 1": "73ea4fd71ccbda51",
  "texts, number 2": "f841084b0736287c",
  "texts, number 3": "78cc1ea7a9f134ea",
  "texts, number 4": "1e35ff7e53ad6b0d",
  "texts, number 5": "dc3b6cc58c757107",
  "texts, number 6": "f53e3305979a39e1",
  "texts, number 7": "6d07791b9f874c37",
  "texts, number 8": "b8f215172aa4de71",
  "texts, number 9": "aa9fa43661c89799",
  "texts, number 10": "92ca1e85d53703f0",
  "texts, number 11": "332ed4e2663976f5",
  "texts, number 12": "63058a116d399522",
};

describe("cached fonts", () => {
  const documents = printedDocuments();
  const fonts = new Fonts();
  const warm = new Map<string, Buffer>();
  beforeAll(async () => {
    for (const one of documents) warm.set(one.what, await rendered(one, fonts));
  });

  it("are tested with documents of every kind", () => {
    expect(documents.map(({ what }) => what)).toEqual(Object.keys(LOOKS));
  });

  it.each(documents)(
    "give the same content as fonts parsed for one document: $what",
    ({ what }) => {
      expect(contentDigest(warm.get(what) ?? Buffer.alloc(0))).toBe(LOOKS[what]);
    },
  );

  it("give the same bytes in any order", async () => {
    for (const one of documents.toReversed()) {
      expect((await rendered(one, fonts)).equals(warm.get(one.what) ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it.each(documents)("give the same bytes as new fonts: $what", async (one) => {
    const cold = await rendered(one, new Fonts());
    expect(cold.equals(warm.get(one.what) ?? Buffer.alloc(0))).toBe(true);
  });

  it("give the same bytes for documents that are rendered at the same time", async () => {
    const together = await Promise.all(documents.map((one) => rendered(one, fonts)));
    expect(
      together.map((bytes, index) =>
        bytes.equals(warm.get(documents[index]?.what ?? "") as Buffer),
      ),
    ).not.toContain(false);
  });
});
