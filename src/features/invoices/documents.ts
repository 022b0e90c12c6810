/** The documents of an invoice: totals, PDF, sending again (decisions.md 18, 19). Drafts are previewed, issued ones are frozen. */
import * as z from "zod";
import type { DocumentSnapshot } from "../../domain/document.ts";
import { Problem } from "../../domain/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import { getCustomer } from "../customers/queries.ts";
import {
  attemptDelivery,
  type DeliveryRow,
  presentDelivery,
  queueDelivery,
} from "../documents/deliveries.ts";
import { draftPdf, findIssued, pdfOf, pdfReply } from "../documents/issued.ts";
import { SendBody } from "../documents/schemas.ts";
import { presentTotals } from "../documents/totals.ts";
import { factsOf } from "./facts.ts";
import { getInvoice } from "./queries.ts";

/** Totals as issued, or as they would be if the draft were issued now. Throws NOT_FOUND. */
export async function totalsOfInvoice(cx: Context, ref: string): Promise<JsonText> {
  const { snapshot } = await documentFor(cx, ref);
  return jsonText(presentTotals(snapshot));
}

/** The stored PDF of an issued invoice, or a marked preview of a draft. Throws NOT_FOUND. */
export async function pdfOfInvoice(cx: Context, ref: string): Promise<ReplyFile> {
  const { id, snapshot, number } = await documentFor(cx, ref);
  const content =
    number === null ? await draftPdf(snapshot) : await pdfOf(cx, id, { snapshot, number });
  return pdfReply(content, snapshot, number);
}

async function documentFor(
  cx: Context,
  ref: string,
): Promise<{ id: string; snapshot: DocumentSnapshot; number: bigint | null }> {
  const { invoice } = await getInvoice(cx, ref);
  const issued = invoice.status === "issued" ? await findIssued(cx, invoice.id) : undefined;
  if (issued) return { id: invoice.id, ...issued };
  return { id: invoice.id, snapshot: (await factsOf(cx, invoice)).document, number: null };
}

/** Sends an issued invoice again. Throws NOT_FOUND, INVOICE_NOT_ISSUED. */
export const sendInvoice = defineCommand({
  name: "send_invoice",
  access: "issue",
  input: z.object({ ref: Ref, address: SendBody.shape.address }),

  async plan(cx, { ref, address }) {
    const { invoice } = await getInvoice(cx, ref);
    if (invoice.status !== "issued") throw new Problem("INVOICE_NOT_ISSUED");
    const customer = await getCustomer({ ...cx, locks: false }, invoice.customer_id);
    const channel = address === undefined ? customer.send_method : ("email" as const);
    return {
      document_id: invoice.id as string,
      channel,
      address: channel === "email" ? (address ?? customer.email) : null,
    };
  },

  async commit(cx, delivery): Promise<string> {
    const id = await queueDelivery(cx, delivery);
    const row: DeliveryRow = {
      id,
      ...delivery,
      state: "queued",
      send_error: null,
      at: cx.clock.now(),
    };
    await recordAudit(cx, {
      action: "queued",
      resource_type: "delivery",
      resource_id: id,
      before: null,
      after: presentDelivery(row),
    });
    return id;
  },

  async after(cx, id): Promise<JsonText> {
    return presentDelivery(await attemptDelivery(cx, id, true));
  },
});
