/** The PDF with the data of the document. Validators judge it in test/einvoice; here are its bytes. */
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { danish } from "../../../../test/support/documents/documents.ts";
import type { Seller } from "../../../domain/sales/document.ts";
import { renderPdf } from "./pdf.ts";
import { viewOf } from "./view.ts";

const XML = new TextEncoder().encode("<?xml version='1.0'?><data>æøå</data>");
const facturX = (document = danish()) =>
  renderPdf(viewOf(document, { number: 1042n }), null, undefined, XML);

describe("a file of Factur-X", () => {
  it("carries the data under the name that readers look for", async () => {
    const file = (await facturX()).toString("latin1");
    expect(file).toContain("/F (factur-x.xml)");
    expect(file).toContain("/AFRelationship /Alternative");
    expect(file).toContain("/Subtype /text#2Fxml");
    expect(file).toContain("<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>");
    expect(file).toContain("<pdfaid:conformance>A</pdfaid:conformance>");
    expect(attachedTo(file)).toBe("<?xml version='1.0'?><data>æøå</data>");
  });

  it("has the same bytes each time, and leaves the plain PDF as it was", async () => {
    const plain = await renderPdf(viewOf(danish(), { number: 1042n }));
    const first = await facturX();
    expect((await facturX()).equals(first)).toBe(true);
    expect((await renderPdf(viewOf(danish(), { number: 1042n }))).equals(plain)).toBe(true);
    expect(plain.toString("latin1")).not.toContain("factur-x");
  });

  it("has metadata that is well-formed with any name of the seller", async () => {
    const seller: Seller = { ...(danish().seller as Seller), name: `<"Smith"> & Søn` };
    const file = (await facturX({ ...danish(), seller })).toString();
    expect(file).toContain('<rdf:li>&#60;"Smith"&#62; &#38; Søn</rdf:li>');
  });
});

/** The content of the only compressed stream that is embedded. */
function attachedTo(file: string): string {
  const [, length = "0", rest = ""] =
    /\/Type \/EmbeddedFile\n.*?\/Length (\d+)\n.*?stream\n(.*)/s.exec(file) ?? [];
  return inflateSync(Buffer.from(rest.slice(0, Number(length)), "latin1")).toString();
}
