/**
 * The page that credits an issued invoice or a part of it, with its effect. Exactly the shown credit is made. Without scripts the
 * form is sent twice: the first page shows the effect, the second makes the credit.
 */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { notFound, Problem } from "../../domain/base/problem.ts";
import { findIssued } from "../../features/documents/issued/issued-documents.ts";
import { creditableLines } from "../../features/sales/credit-notes/queries.ts";
import { CreditNotePreviewBody } from "../../features/sales/credit-notes/schemas.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { getStored } from "../../platform/database/resources.ts";
import { fieldErrorsFrom, statusOfKind } from "../../platform/http/problems.ts";
import { newId } from "../../platform/runtime/id.ts";
import { type Action, defineAction, WithNotice } from "../frame/action.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, ofSeen, requireSeen } from "../frame/seen.ts";
import { refusedBy } from "../frame/submitted.ts";
import { cureOfWarning } from "../parts/cures.ts";
import { type Language, wordsOf } from "../words/words.ts";
import { ConfirmedCredit, creditDryRun, creditingAsShown } from "./credit-dry-run.ts";
import { island } from "./credit-form.tsx";
import {
  type CreditedInvoice,
  type CreditFault,
  type CreditShown,
  type CreditState,
  creditFrom,
  creditOf,
  restsOf,
} from "./credit-state.ts";

const PATH = "/invoices/:id/credit";

export const creditPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "person", ofSeen("invoice", page)),
  definePage(`POST ${PATH}`, "person", ofSeen("invoice", submit)),
];

export const creditActions: readonly Action[] = [
  defineAction(
    "/app/credits/rehearse",
    "person",
    z.object({ ...CreditNotePreviewBody.shape, language: z.enum(["en", "da"]) }),
    async (cx, { language, ...sent }, room) => {
      await requireInvoiceSeen(cx, sent.invoice);
      try {
        return await effectOf(cx, room, language, sent);
      } catch (thrown) {
        // An amount that is being typed is often too large: why it has no effect is the answer, and no failed request.
        const refused = refusedBy(thrown);
        if (refused.kind !== "invalid" && refused.kind !== "conflict") throw thrown;
        return { refused: faultFrom(refused) };
      }
    },
  ),
  defineAction("/app/credits/make", "person", ConfirmedCredit, async (cx, sent, { runLong }) => {
    await requireInvoiceSeen(cx, sent.invoice);
    const { document } = await runLong(creditingAsShown, sent);
    const { id, number } = madeOf(document);
    return new WithNotice({ id }, { done: "credited", of: number });
  }),
];

async function requireInvoiceSeen(cx: PersonContext, ref: string): Promise<void> {
  const { id } = await getStored(cx, "invoices", ref);
  await requireSeen(cx, "invoice", id);
}

/** Returns the effect of a credit as far as the person may see it. Throws what `createCreditNote` throws. */
async function effectOf(
  cx: PersonContext,
  { runLong }: Pick<PageRequest, "runLong">,
  language: Language,
  sent: CreditNotePreviewBody,
): Promise<CreditShown> {
  const { preview, customer_id, address, agreed } = await runLong(creditDryRun, sent);
  const { net, vat, gross, months, warnings } = preview;
  const words = wordsOf(language).invoice;
  const is_admin = isAdmin(cx);
  const cured = { page: "", day_id: "credit_date", customer_id, line_ids: null, is_admin };
  return {
    net,
    vat,
    gross,
    // The months include the revenue of other people.
    months: is_admin ? months : null,
    warnings: warnings.map((warning) => ({
      text: words.warning(warning.code, warning.message),
      cure: cureOfWarning(warning, cured),
    })),
    address,
    agreed,
  };
}

/** Returns the id of a credit note that was made, and its number; empty while its booking is in progress. */
function madeOf(document: string): { readonly id: string; readonly number: string } {
  const { id, ledger_credit_note_number: number } = JSON.parse(document) as {
    readonly id: string;
    readonly ledger_credit_note_number: number | null;
  };
  return { id, number: number === null ? "" : String(number) };
}

async function page(request: PageRequest): Promise<PageAnswer> {
  const { of, title } = await creditedInvoice(request, `page:${newId<string>()}`);
  return { title, content: <Island of={island} with={of} /> };
}

/** Returns the invoice as the form takes it. Throws NOT_FOUND for an invoice that is not issued. */
async function creditedInvoice(
  request: PageRequest,
  external_id: string,
): Promise<{ readonly of: CreditedInvoice; readonly title: string }> {
  const { cx, id, reader, csrf } = request;
  const [issued, lines] = await Promise.all([findIssued(cx, id), creditableLines(cx, id)]);
  if (issued === undefined) throw notFound("invoice", id);
  const { snapshot, number } = issued;
  const texts = new Map(snapshot.lines.map((line) => [line.line_id as string, line.text]));
  const digits = currencyDigits(snapshot.currency);
  const of = {
    invoice: id,
    currency: snapshot.currency,
    today: todayFor(request),
    lines: lines.map(({ line_id, amount, credited }) => ({
      id: line_id,
      text: texts.get(line_id) ?? "–",
      amount: scaledToNumber(amount, digits),
      rest: scaledToNumber(amount - credited, digits),
    })),
    external_id,
    csrf: csrf(`/invoices/${id}/credit`),
  };
  return { of, title: reader.words.credit.title(String(number), snapshot.customer.name) };
}

/** Shows the effect of the sent credit, or makes the credit whose effect was shown. */
async function submit(request: PageRequest): Promise<PageAnswer> {
  const { cx, form, reader } = request;
  const { language } = reader;
  const { of, title } = await creditedInvoice(request, form.external_id ?? "");
  const typed =
    form.step === "whole"
      ? restsOf(
          of,
          language,
          of.lines.filter(({ rest }) => rest !== 0),
        )
      : Object.fromEntries(of.lines.map(({ id }) => [id, form[`amount.${id}`] ?? ""]));
  const day = dayAsked(request, form.credit_date);
  const reason = (form.reason ?? "").replaceAll("\r\n", "\n");
  const state = { ...creditFrom(of, language), typed, day, reason };
  const credit = creditOf(state);
  const again = (
    found: Partial<Pick<CreditState, "shown" | "fault">>,
    status: number,
  ): PageAnswer => {
    const sent = { typed, day, reason, shown: null, fault: null, ...found };
    return { title, content: <Island of={island} with={{ ...of, sent }} />, status };
  };
  if (credit === null) return again({}, 422);
  const body = CreditNotePreviewBody.safeParse(credit, { reportInput: true });
  if (!body.success) {
    const field_errors = fieldErrorsFrom(body.error);
    return again({ fault: faultFrom(new Problem("VALIDATION_FAILED", { field_errors })) }, 422);
  }
  let fault: Problem | null = null;
  const confirmed = ConfirmedCredit.safeParse({ ...credit, ...pick(form) });
  if (form.step === "make" && confirmed.success) {
    try {
      const { document } = await request.runLong(creditingAsShown, confirmed.data);
      const { id, number } = madeOf(document);
      return { redirect: `/credit-notes/${id}`, notice: { done: "credited", of: number } };
    } catch (thrown) {
      fault = refusedBy(thrown);
    }
  }
  try {
    const shown = await effectOf(cx, request, language, body.data);
    if (fault === null) return again({ shown }, 200);
    return again({ shown, fault: faultFrom(fault) }, statusOfKind[fault.kind]);
  } catch (thrown) {
    const refused = fault ?? refusedBy(thrown);
    return again({ fault: faultFrom(refused) }, statusOfKind[refused.kind]);
  }
}

/** Returns the fields that confirm a credit. */
function pick({ external_id, agreed }: PageRequest["form"]) {
  return { external_id, agreed };
}

function faultFrom({ code, message, extras }: Problem): CreditFault {
  const { field_errors = [], details = {} } = extras;
  return { code, message, field_errors, details };
}
