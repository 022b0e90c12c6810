/**
 * The two requests of phoss-ap that are used: submit, and the status of a submission. Identifiers are parts of the path, so they
 * are encoded whole. Nothing is repeated here: a second submit is a second sending.
 */
import {
  BILLING_PROCESS,
  DOCUMENT_TYPE_SCHEME,
  documentTypeOf,
  PARTICIPANT_SCHEME,
  PROCESS_SCHEME,
} from "../../../domain/einvoice/peppol-identifiers.ts";
import type { LedgerAnswer } from "../../../ledger/connector.ts";
import type { Call, Submission } from "../../access-point.ts";
import type { EinvoiceOpening } from "../../connector.ts";

/** The country of the sender (C1); only Danish sellers send. */
const COUNTRY = "DK";

interface PhossApi {
  submit(submission: Submission, call: Call): Promise<LedgerAnswer>;
  /** The status under an instance id, of archived submissions as well. */
  status(instance_id: string, call: Call): Promise<LedgerAnswer>;
  /** The same request without the token: only the engine itself answers it with 401. */
  statusWithoutToken(instance_id: string, call: Call): Promise<LedgerAnswer>;
}

export function phossApi(
  url: string,
  token: string,
  request: EinvoiceOpening["request"],
): PhossApi {
  const base = `${url.replace(/\/+$/, "")}/api/outbound`;
  const status = (
    instance_id: string,
    headers: Readonly<Record<string, string>>,
    { signal }: Call,
  ): Promise<LedgerAnswer> =>
    request({
      method: "GET",
      // Without the parameter, a submission that was archived after a day would seem absent.
      url: `${base}/status/${encodeURIComponent(instance_id)}?includeArchive=true`,
      headers: { accept: "application/json", ...headers },
      signal,
    });
  return {
    submit({ sender, receiver, kind, delivery_id, xml }, { signal }) {
      const path = [
        `${PARTICIPANT_SCHEME}::${sender}`,
        `${PARTICIPANT_SCHEME}::${receiver}`,
        `${DOCUMENT_TYPE_SCHEME}::${documentTypeOf(kind)}`,
        `${PROCESS_SCHEME}::${BILLING_PROCESS}`,
        COUNTRY,
      ].map(encodeURIComponent);
      const query = new URLSearchParams({ sbdhInstanceID: delivery_id });
      return request({
        method: "POST",
        url: `${base}/submit/${path.join("/")}?${query}`,
        headers: {
          accept: "application/json",
          "content-type": "application/xml",
          "x-token": token,
        },
        body: new TextDecoder().decode(xml),
        signal,
      });
    },
    status: (instance_id, call) => status(instance_id, { "x-token": token }, call),
    statusWithoutToken: (instance_id, call) => status(instance_id, {}, call),
  };
}
