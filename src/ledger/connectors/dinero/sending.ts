/** Prints and sends documents in Dinero, and reads Dinero's record of earlier sendings. */
import type { LedgerSend, SendChannel, SendOutcome } from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { badResponse, type DineroApi, readable } from "./api.ts";
import { PATH_OF, type SalesKind } from "./book-document.ts";
import type { DineroRefusal } from "./refusals.ts";
import { type DineroObject, fieldOf, listOf, objectOf, requiredTextOf, textOf } from "./values.ts";

const EINVOICE: Readonly<Record<SalesKind, string>> = {
  invoice: "e-invoice",
  credit_note: "e-creditNote",
};
const MEANS = ["Domestic", "International", "FIK"];
const PDF = Buffer.from("%PDF-");

export async function readPdf(
  api: DineroApi,
  kind: SalesKind,
  guid: string,
  options: CallOptions,
): Promise<{ readonly state: "pdf"; readonly content: Uint8Array } | Failure> {
  const path = `${PATH_OF[kind]}/${guid}${kind === "credit_note" ? "/pdf" : ""}`;
  const verb = `${PATH_OF[kind]}/pdf`;
  const answer = await api({ verb, method: "GET", version: "v1", path, wants_file: true }, options);
  if (answer.state === "refused") return badResponse(answer.refusal);
  if (answer.state !== "done") return answer;
  const content = answer.value as Uint8Array;
  const is_pdf = Buffer.from(content.subarray(0, PDF.length)).equals(PDF);
  return is_pdf ? { state: "pdf", content } : badResponse(new Error("the answer is no PDF"));
}

export async function sendDocument(
  api: DineroApi,
  kind: SalesKind,
  guid: string,
  channel: SendChannel,
  options: CallOptions,
): Promise<SendOutcome | Failure> {
  const is_mail = channel.type === "email";
  const address = is_mail ? "email" : EINVOICE[kind];
  const answer = await api(
    {
      verb: `${PATH_OF[kind]}/${address}`,
      method: "POST",
      version: is_mail ? "v1" : "v3",
      path: `${PATH_OF[kind]}/${guid}/${address}`,
      body: bodyFor(channel),
    },
    options,
  );
  if (answer.state === "refused") return failedFor(answer.refusal);
  if (answer.state !== "done") return answer;
  if (!is_mail) return { state: "queued", recipients: [] };
  return readable(() => ({
    state: "sent",
    recipients: recipientsIn(answer.value),
  }));
}

function bodyFor(channel: SendChannel) {
  if (channel.type === "email") {
    return {
      ShouldAddTrustPilotEmailAsBcc: false,
      AddVoucherAsPdfAttachment: true,
      ...(channel.receiver !== null && { Receiver: channel.receiver }),
    };
  }
  const { payment_mean, order_reference, att_person } = channel;
  return {
    PaymentMeanEnum:
      MEANS.find((one) => one.toLowerCase() === payment_mean?.toLowerCase()) ?? "Domestic",
    ...(order_reference !== null && { OrderReference: order_reference }),
    ...(att_person !== null && { AttPerson: att_person }),
  };
}

function recipientsIn(value: unknown): string[] {
  if (value === undefined) return [];
  const list = fieldOf(objectOf(value), "Recipients");
  return list === undefined ? [] : listOf(list).map((one) => requiredTextOf(one, "Email"));
}

function failedFor(refusal: DineroRefusal): SendOutcome {
  const reasons = [...Object.keys(refusal.fields), ...refusal.messages].join(" ");
  const is_address = /receiver|e-?mail|ean|recipient/i.test(reasons);
  return { state: "failed", code: is_address ? "no_address" : "rejected", cause: refusal };
}

export async function readSends(
  api: DineroApi,
  kind: SalesKind,
  guid: string,
  options: CallOptions,
): Promise<{ readonly state: "sends"; readonly sends: readonly LedgerSend[] } | Failure> {
  const verb = `${PATH_OF[kind]}/mailouts`;
  const path = `${PATH_OF[kind]}/${guid}/mailouts`;
  const answer = await api({ verb, method: "GET", version: "v1", path }, options);
  if (answer.state === "refused") return badResponse(answer.refusal);
  if (answer.state !== "done") return answer;
  return readable(() => ({
    state: "sends",
    sends: listOf(answer.value)
      .map(sendFrom)
      .sort((a, b) => (a.at < b.at ? -1 : 1)),
  }));
}

const STATE_OF: Readonly<Record<string, LedgerSend["state"]>> = {
  Pending: "queued",
  Sent: "sent",
  ManuallySent: "sent",
  SeenByCustomer: "seen",
  Failed: "failed",
};
/** Events after which the mail does not arrive, whatever the status says. */
const LOST =
  /^(SoftBounce|HardBounce|Rejected|Spam|Invalid|InvalidDocument|IncompleteDocument|EndpointNotFound)$/;

function sendFrom(mailout: DineroObject): LedgerSend {
  const event = textOf(mailout, "LatestEvent");
  const state = STATE_OF[requiredTextOf(mailout, "Status")] ?? "queued";
  const type = textOf(mailout, "Type") ?? "";
  return {
    id: String(fieldOf(mailout, "Id")),
    at: requiredTextOf(mailout, "Date"),
    channel: /e-?mail/i.test(type) ? "email" : "einvoice",
    receiver: textOf(mailout, "Receiver"),
    state: event !== null && LOST.test(event) ? "failed" : state,
    event,
  };
}
