/** Submissions of small documents, for tests of what carries them; their content is not that of an invoice. */
import { v7 } from "uuid";
import type { Submission } from "../../../src/einvoice/access-point.ts";

const UBL = "urn:oasis:names:specification:ubl:schema:xsd";

/** Returns a submission to an authority under a new id. */
export function submissionOf(fields: Partial<Submission> = {}): Submission {
  const { kind = "invoice" } = fields;
  return {
    delivery_id: v7(),
    at: "2026-03-10T09:00:00.000Z",
    sender: "0184:25313763",
    receiver: "0088:5798009811578",
    format: "peppol-bis-3",
    kind,
    xml: new TextEncoder().encode(smallDocument(kind === "invoice" ? "Invoice" : "CreditNote")),
    ...fields,
  };
}

function smallDocument(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<${name} xmlns="${UBL}:${name}-2" xmlns:cbc="${UBL}:CommonBasicComponents-2">
  <cbc:ID>1001</cbc:ID>
  <cbc:Note>Grøn &amp; æble 🍏</cbc:Note>
</${name}>
`;
}
