/**
 * Reads what arrives from the network of e-invoices: an Invoice Response or a Message Level Status of Peppol, or an answer of
 * OIOUBL, bare or in the envelope of the network. Everything in it is what a stranger says.
 */
import { cut } from "../../../domain/base/field-errors.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { type AnswerCode, answerCodes } from "../../../domain/einvoice/buyer-answer.ts";
import { oioublSchemes } from "../../../domain/einvoice/oioubl-parties.ts";
import {
  elementAt,
  elementsOf,
  readStrictXml,
  textAt,
  type XmlElement,
} from "../../../platform/runtime/strict-xml.ts";

/** What the buyer says about a document. */
interface BuyerResponse {
  readonly code: AnswerCode;
  readonly reasons: readonly { readonly code: string; readonly text: string | null }[];
  readonly wants: readonly string[];
  readonly conditions: readonly { readonly term: string; readonly value: string | null }[];
  readonly note: string | null;
}

/** A document that arrived. */
export type Arrived =
  | {
      readonly kind: "response";
      /** The addresses of the parties, `scheme:value`; null where one is missing, or the envelope names another sender. */
      readonly sender: string | null;
      readonly receiver: string | null;
      readonly document: { readonly number: string; readonly kind: "invoice" | "credit_note" };
      readonly response: BuyerResponse;
    }
  | {
      readonly kind: "status";
      /** The instance id of the envelope that was sent: the id of a delivery. */
      readonly instance_id: string;
      readonly code: "AP" | "AB" | "RE";
      readonly text: string | null;
    }
  | {
      readonly kind: "other";
      /** Why it is not taken. */
      readonly message: string;
    };

const UBL = "urn:oasis:names:specification:ubl:schema:xsd:";
const ANSWER = `${UBL}ApplicationResponse-2`;
const INVOICES = ["Invoice-2", "CreditNote-2", "SelfBilledInvoice-2", "SelfBilledCreditNote-2"].map(
  (name) => UBL + name,
);
const PARTS = [
  "CommonAggregateComponents-2",
  "CommonBasicComponents-2",
  "CommonExtensionComponents-2",
];
const ENVELOPE = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
const KNOWN: ReadonlySet<string> = new Set([
  ANSWER,
  ENVELOPE,
  ...INVOICES,
  ...PARTS.map((name) => UBL + name),
]);

const LONGEST_TEXT = 1_000_000;
const MOST_ELEMENTS = 50_000;
const MOST_SHOWN = 20;
const LONGEST_SHOWN = 500;

/** Returns what arrived. Throws MALFORMED_REQUEST for what is not XML of a known namespace, and the signal's reason. */
export async function readArrived(bytes: Uint8Array, signal: AbortSignal): Promise<Arrived> {
  let elements = 0;
  const open = (_name: string, namespace: string): void => {
    if (!KNOWN.has(namespace)) throw unreadable("The file has elements of another namespace.");
    elements += 1;
    if (elements > MOST_ELEMENTS) throw unreadable("The file has too many elements.");
  };
  const limits = { takes_latin1: false, longest_text: LONGEST_TEXT };
  const root = await readStrictXml(bytes, { ...limits, refusal: unreadable, open }, signal);
  if (root === undefined) throw unreadable("The file is empty.");
  if (root.namespace !== ENVELOPE) return arrivedFrom(root, null);
  const content = root.children.find(({ namespace }) => namespace !== ENVELOPE);
  if (root.name !== "StandardBusinessDocument" || content === undefined) {
    throw unreadable("The envelope has no document.");
  }
  const sender = textAt(root, "StandardBusinessDocumentHeader", "Sender", "Identifier");
  return arrivedFrom(content, sender);
}

function unreadable(message: string): Problem {
  return new Problem("MALFORMED_REQUEST", { message });
}

/** `sent_by` is the sender of the envelope, which the network has checked; null without an envelope. */
function arrivedFrom(root: XmlElement, sent_by: string | null): Arrived {
  if (INVOICES.includes(root.namespace)) {
    return { kind: "other", message: "Matchbook does not receive invoices." };
  }
  if (root.namespace !== ANSWER || root.name !== "ApplicationResponse") {
    return { kind: "other", message: "The document is no answer to an e-invoice." };
  }
  const answered = elementAt(root, "DocumentResponse");
  const code = textAt(answered, "Response", "ResponseCode") ?? "";
  const id = textAt(answered, "DocumentReference", "ID") ?? "";
  const customization = textAt(root, "CustomizationID") ?? "";
  if (/:(mls|mlr):/.test(customization)) return statusFrom(answered, id, code);
  const known = isAnswerCode(code) ? code : OIOUBL_CODES[code];
  if (known === undefined) {
    return { kind: "other", message: `The answer ${JSON.stringify(cut(code, 40))} is not known.` };
  }
  const sender = addressOf(elementAt(root, "SenderParty"));
  const is_sender = sent_by === null || sent_by.toLowerCase() === sender?.toLowerCase();
  return {
    kind: "response",
    sender: is_sender ? sender : null,
    receiver: addressOf(elementAt(root, "ReceiverParty")),
    document: {
      number: id,
      kind: isCreditNote(textAt(answered, "DocumentReference", "DocumentTypeCode"))
        ? "credit_note"
        : "invoice",
    },
    response: responseFrom(root, elementAt(answered, "Response"), known),
  };
}

const OIOUBL_CODES: Readonly<Record<string, AnswerCode>> = {
  BusinessAccept: "AP",
  BusinessReject: "RE",
};

function isAnswerCode(code: string): code is AnswerCode {
  return answerCodes.some((known) => known === code);
}

/** 381, and the names of OIOUBL. */
function isCreditNote(type: string | null): boolean {
  return type === "381" || type === "CreditNote";
}

const STATUS_CODES = ["AP", "AB", "RE"] as const;

function statusFrom(answered: XmlElement | undefined, instance_id: string, code: string): Arrived {
  const known = STATUS_CODES.find((one) => one === code);
  if (known === undefined) return { kind: "other", message: "The status is not known." };
  const lines = elementsOf(answered, "LineResponse").map((line) =>
    textAt(line, "Response", "Description"),
  );
  const texts = [textAt(answered, "Response", "Description"), ...lines].filter(
    (one) => one !== null,
  );
  const text = texts.length === 0 ? null : cut(texts.join("; "), LONGEST_SHOWN);
  return { kind: "status", instance_id, code: known, text };
}

function responseFrom(
  root: XmlElement,
  response: XmlElement | undefined,
  code: AnswerCode,
): BuyerResponse {
  const statuses = elementsOf(response, "Status").slice(0, MOST_SHOWN);
  const read = statuses.map((status) => ({
    list: elementAt(status, "StatusReasonCode")?.attributes.listID ?? "OPStatusReason",
    code: shown(textAt(status, "StatusReasonCode")),
    text: shown(textAt(status, "StatusReason")),
    conditions: elementsOf(status, "Condition").slice(0, MOST_SHOWN),
  }));
  const actions = read.filter(({ list }) => list === "OPStatusAction");
  // A text beside an action is the buyer's own, and so is a description, where OIOUBL has its reason.
  const notes = [
    ...elementsOf(root, "Note").map(({ text }) => shown(text.trim() || null)),
    ...elementsOf(response, "Description").map(({ text }) => shown(text.trim() || null)),
    ...actions.map(({ text }) => text),
  ].filter((one) => one !== null);
  return {
    code,
    reasons: read
      .filter(({ list, code, text }) => list !== "OPStatusAction" && (code ?? text) !== null)
      .map((one) => ({ code: one.code ?? "OTH", text: one.text })),
    wants: actions.map((one) => one.code).filter((one) => one !== null),
    conditions: read
      .flatMap(({ conditions }) => conditions)
      .slice(0, MOST_SHOWN)
      .map((one) => ({
        term: shown(textAt(one, "AttributeID")) ?? "",
        value: shown(textAt(one, "Description")),
      })),
    note: notes.length === 0 ? null : cut(notes.join("; "), LONGEST_SHOWN),
  };
}

function shown(text: string | null): string | null {
  return text === null ? null : cut(text, LONGEST_SHOWN);
}

/** The schemes of Peppol by their names in OIOUBL; EAN is an older name of GLN. */
const PEPPOL_SCHEMES: Readonly<Record<string, string>> = {
  EAN: "0088",
  ...Object.fromEntries(Object.entries(oioublSchemes).map(([scheme, name]) => [name, scheme])),
};

function addressOf(party: XmlElement | undefined): string | null {
  const endpoint = elementAt(party, "EndpointID");
  const value = textAt(endpoint);
  const { schemeID = "" } = endpoint?.attributes ?? {};
  if (value === null || schemeID === "") return null;
  return `${PEPPOL_SCHEMES[schemeID] ?? schemeID}:${value}`;
}
