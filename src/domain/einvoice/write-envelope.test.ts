/** The envelope of an e-invoice: its bytes, and that the document in it is the one that was given. */
import { describe, expect, it } from "vitest";
import { writeEnvelope } from "./write-envelope.ts";

const UBL = "urn:oasis:names:specification:ubl:schema:xsd";
const facts = {
  instance_id: "01990000-0000-7000-8000-000000000001",
  at: "2026-03-10T09:00:00.000Z",
  sender: "0184:25313763",
  receiver: "0088:5798009811578",
  kind: "invoice",
} as const;
const document = `<Invoice xmlns="${UBL}:Invoice-2"><ID>1001</ID></Invoice>`;

describe("an envelope", () => {
  it("names the parties, the document, the process and the country", () => {
    const header = [
      "<HeaderVersion>1.0</HeaderVersion>",
      '<Sender><Identifier Authority="iso6523-actorid-upis">0184:25313763</Identifier></Sender>',
      '<Receiver><Identifier Authority="iso6523-actorid-upis">0088:5798009811578</Identifier></Receiver>',
      "<DocumentIdentification>",
      `<Standard>${UBL}:Invoice-2</Standard><TypeVersion>2.1</TypeVersion>`,
      "<InstanceIdentifier>01990000-0000-7000-8000-000000000001</InstanceIdentifier>",
      "<Type>Invoice</Type><CreationDateAndTime>2026-03-10T09:00:00.000Z</CreationDateAndTime>",
      "</DocumentIdentification><BusinessScope>",
      `<Scope><Type>DOCUMENTID</Type><InstanceIdentifier>${UBL}:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1</InstanceIdentifier><Identifier>busdox-docid-qns</Identifier></Scope>`,
      "<Scope><Type>PROCESSID</Type><InstanceIdentifier>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</InstanceIdentifier><Identifier>cenbii-procid-ubl</Identifier></Scope>",
      "<Scope><Type>COUNTRY_C1</Type><InstanceIdentifier>DK</InstanceIdentifier></Scope>",
      "</BusinessScope>",
    ].join("");
    expect(writeEnvelope(facts, document)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"><StandardBusinessDocumentHeader>${header}</StandardBusinessDocumentHeader>
${document}</StandardBusinessDocument>
`,
    );
  });

  it("of a credit note names its type", () => {
    const written = writeEnvelope({ ...facts, kind: "credit_note" }, "<CreditNote/>");
    expect(written).toContain(`<Standard>${UBL}:CreditNote-2</Standard>`);
    expect(written).toContain("<Type>CreditNote</Type>");
    expect(written).toContain(`${UBL}:CreditNote-2::CreditNote##urn:cen.eu`);
  });

  it.each([
    ['<?xml version="1.0" encoding="UTF-8"?>\n', "\n"],
    ["\uFEFF<?xml version='1.0'?>", ""],
    ["\n  ", "\n\n"],
  ])("contains the root element alone of %j", (before, after) => {
    expect(writeEnvelope(facts, `${before}${document}${after}`)).toBe(
      writeEnvelope(facts, document),
    );
  });

  it("escapes what stands in an address", () => {
    const written = writeEnvelope({ ...facts, receiver: "0088:<&>" }, document);
    expect(written).toContain(">0088:&lt;&amp;&gt;</Identifier></Receiver>");
  });
});
