/**
 * Writes the Standard Business Document that carries an e-invoice of Peppol: who sends which document to whom, and then the
 * document itself. It is a function of its arguments alone: the moment is that of the delivery, and the id is the delivery's.
 */
import {
  BILLING_PROCESS,
  DOCUMENT_TYPE_SCHEME,
  documentTypeOf,
  PARTICIPANT_SCHEME,
  PROCESS_SCHEME,
  rootOf,
  type SentKind,
} from "./peppol-identifiers.ts";

interface EnvelopeFacts {
  /** The id of the delivery, which the other side keeps as the instance id. */
  readonly instance_id: string;
  /** RFC 3339 with seconds. */
  readonly at: string;
  /** Electronic addresses, `0088:5798009811578`. */
  readonly sender: string;
  readonly receiver: string;
  readonly kind: SentKind;
}

const NAMESPACE = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
/** The network wants the country of the sender; only Danish sellers send. */
const COUNTRY = "DK";
/** What may stand before the root element of the document and must not stand inside of another one. */
const PROLOG = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?/;

/** Returns the envelope as XML, to be encoded as UTF-8. `xml` is a whole document of BIS Billing 3 without a DTD. */
export function writeEnvelope(facts: EnvelopeFacts, xml: string): string {
  const { name, namespace } = rootOf(facts.kind);
  const header = [
    element("HeaderVersion", "1.0"),
    partyOf("Sender", facts.sender),
    partyOf("Receiver", facts.receiver),
    `<DocumentIdentification>${[
      element("Standard", namespace),
      element("TypeVersion", "2.1"),
      element("InstanceIdentifier", facts.instance_id),
      element("Type", name),
      element("CreationDateAndTime", facts.at),
    ].join("")}</DocumentIdentification>`,
    `<BusinessScope>${[
      scopeOf("DOCUMENTID", documentTypeOf(facts.kind), DOCUMENT_TYPE_SCHEME),
      scopeOf("PROCESSID", BILLING_PROCESS, PROCESS_SCHEME),
      scopeOf("COUNTRY_C1", COUNTRY),
    ].join("")}</BusinessScope>`,
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<StandardBusinessDocument xmlns="${NAMESPACE}">`,
    `<StandardBusinessDocumentHeader>${header.join("")}</StandardBusinessDocumentHeader>\n`,
    xml.replace(PROLOG, "").trimEnd(),
    "</StandardBusinessDocument>\n",
  ].join("");
}

function partyOf(name: "Sender" | "Receiver", address: string): string {
  return `<${name}><Identifier Authority="${PARTICIPANT_SCHEME}">${escaped(address)}</Identifier></${name}>`;
}

function scopeOf(type: string, value: string, scheme?: string): string {
  const parts = [element("Type", type), element("InstanceIdentifier", value)];
  if (scheme !== undefined) parts.push(element("Identifier", scheme));
  return `<Scope>${parts.join("")}</Scope>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (one) => ENTITIES[one] ?? one);
}
