/** Answers to e-invoices as buyers and access points send them, and how they are handed over. */
import { callPlainly } from "../http/plain-call.ts";
import type { Json, World } from "../world/world.ts";

export interface AnswerFields {
  readonly code?: string;
  readonly number: string;
  readonly type?: string;
  readonly sender?: string;
  readonly receiver?: string;
  /** XML within the response, after its code. */
  readonly inside?: string;
  readonly note?: string;
}

/** An answer as the body of a call of the example walk. */
export class AnswerFile {
  readonly content: string;

  constructor(content: string) {
    this.content = content;
  }
}

const UBL = "urn:oasis:names:specification:ubl:schema:xsd:";

/** An Invoice Response of Peppol. */
export function invoiceResponse(fields: AnswerFields): string {
  const { code = "AP", number, type = "380", inside = "", note } = fields;
  const { sender = "0088:5798009811578", receiver = "0184:10150817" } = fields;
  return `<?xml version="1.0" encoding="UTF-8"?>
<ApplicationResponse xmlns="${UBL}ApplicationResponse-2" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2">
  <cbc:CustomizationID>urn:fdc:peppol.eu:poacc:trns:invoice_response:3</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:poacc:bis:invoice_response:3</cbc:ProfileID>
  <cbc:ID>answer</cbc:ID><cbc:IssueDate>2026-03-10</cbc:IssueDate>${note === undefined ? "" : `<cbc:Note>${note}</cbc:Note>`}
  <cac:SenderParty>${endpoint(sender)}</cac:SenderParty>
  <cac:ReceiverParty>${endpoint(receiver)}</cac:ReceiverParty>
  <cac:DocumentResponse>
    <cac:Response><cbc:ResponseCode>${code}</cbc:ResponseCode>${inside}</cac:Response>
    <cac:DocumentReference><cbc:ID>${number}</cbc:ID><cbc:DocumentTypeCode>${type}</cbc:DocumentTypeCode></cac:DocumentReference>
  </cac:DocumentResponse>
</ApplicationResponse>`;
}

/** A Message Level Status about an envelope. */
export function messageStatus(instance_id: string, code: string, text = ""): string {
  return invoiceResponse({ code, number: instance_id, inside: text && description(text) }).replace(
    "urn:fdc:peppol.eu:poacc:trns:invoice_response:3",
    "urn:peppol:edec:mls:1.0",
  );
}

/** An answer of OIOUBL. */
export function oioublResponse(fields: AnswerFields & { readonly text?: string }): string {
  const { text = "", sender = "GLN:5798009811578", receiver = "DK:CVR:DK10150817" } = fields;
  return invoiceResponse({
    type: "Invoice",
    ...fields,
    sender,
    receiver,
    inside: description(text),
  })
    .replace("urn:fdc:peppol.eu:poacc:trns:invoice_response:3", "OIOUBL-2.02")
    .replace("urn:fdc:peppol.eu:poacc:bis:invoice_response:3", "Procurement-BilSim-1.0");
}

/** A document in the envelope of the network. */
export function inEnvelope(document: string, sender: string): string {
  const header = `<HeaderVersion>1.0</HeaderVersion><Sender><Identifier Authority="iso6523-actorid-upis">${sender}</Identifier></Sender>`;
  return `<StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"><StandardBusinessDocumentHeader>${header}</StandardBusinessDocumentHeader>${document.replace(/<\?xml.*?\?>\s*/, "")}</StandardBusinessDocument>`;
}

/** A status of the response. */
export function status(list: string, code: string, text = "", condition = ""): string {
  const reason = text === "" ? "" : `<cbc:StatusReason>${text}</cbc:StatusReason>`;
  return `<cac:Status><cbc:StatusReasonCode listID="${list}">${code}</cbc:StatusReasonCode>${reason}${condition}</cac:Status>`;
}

function endpoint(address: string): string {
  const at = address.lastIndexOf(":");
  return `<cbc:EndpointID schemeID="${address.slice(0, at)}">${address.slice(at + 1)}</cbc:EndpointID>`;
}

function description(text: string): string {
  return `<cbc:Description>${text}</cbc:Description>`;
}

interface HandedOver {
  readonly key?: string;
  readonly instance_id?: string;
  readonly type?: string;
}

/** Posts a document as an access point does. */
export async function handOver(
  world: World,
  content: string | Buffer,
  { key, instance_id, type = "application/xml" }: HandedOver = {},
): Promise<{ readonly status: number; readonly body: Json }> {
  const headers = {
    "content-type": type,
    ...(instance_id === undefined ? {} : { "x-sbdh-instance-id": instance_id }),
  };
  const sent = { body: content, headers };
  const own = key ?? world.account.keys.read_write;
  const reply = await callPlainly(world, "POST", "/einvoice/inbound", own, sent);
  return { status: reply.status, body: JSON.parse(reply.text) };
}
