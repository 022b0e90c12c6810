/**
 * Makes a PDF a file of Factur-X: the data of the document is attached under a fixed name, and the metadata says so. The metadata
 * also has to declare its four properties, because PDF/A knows none of them.
 */
import type { Sheet } from "./pdf-sheet.ts";

const NAME = "factur-x.xml";
const NAMESPACE = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

/** Each property with its value and its meaning. A credit note is an `INVOICE` here, too: its type is in the data. */
const PROPERTIES = [
  ["DocumentType", "INVOICE", "The type of the hybrid document"],
  ["DocumentFileName", NAME, "The name of the embedded XML document"],
  ["Version", "1.0", "The version of the standard of the embedded XML document"],
  ["ConformanceLevel", "EN 16931", "The conformance level of the embedded XML document"],
] as const;

const METADATA = `
<rdf:Description xmlns:fx="${NAMESPACE}" rdf:about="">
${PROPERTIES.map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`).join("\n")}
</rdf:Description>
<rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${PROPERTIES.map(
  ([name, , description]) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`,
).join("\n")}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
`;

/**
 * Attaches the data to the pages.
 *
 * @param sheet a sheet that is archived and not finished.
 * @param xml the document as CII in UTF-8.
 */
export function attachFacturX({ doc, view }: Sheet, xml: Uint8Array): void {
  const dated = new Date(`${view.dated}T00:00:00Z`);
  // The types of the library lack `relationship`. Without the dates it takes those of the clock.
  const options = {
    name: NAME,
    type: "text/xml",
    relationship: "Alternative",
    creationDate: dated,
    modifiedDate: dated,
  };
  doc.file(Buffer.from(xml), options);
  doc.appendXML(METADATA);
  escapeMetadata(doc);
}

/** The library puts title and author into the metadata as they are, and a PDF/A whose metadata is not well-formed is none. */
function escapeMetadata(doc: PDFKit.PDFDocument): void {
  const end = doc.endMetadata.bind(doc);
  doc.endMetadata = () => {
    // The document's other copy of them is written before, so that only the metadata has them escaped.
    for (const key of ["Title", "Author"] as const) doc.info[key] = escaped(doc.info[key] ?? "");
    end();
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
