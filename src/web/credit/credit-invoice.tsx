/** The page that credits an issued invoice or a part of it, with its effect. Exactly the shown credit is made. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { notFound } from "../../domain/base/problem.ts";
import { findIssued } from "../../features/documents/issued/issued-documents.ts";
import { creditableLines } from "../../features/sales/credit-notes/queries.ts";
import { CreditNotePreviewBody } from "../../features/sales/credit-notes/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { getStored } from "../../platform/database/resources.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { newId } from "../../platform/runtime/id.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, ofSeen, requireSeen } from "../frame/seen.ts";
import { wordsOf } from "../words/words.ts";
import { ConfirmedCredit, creditDryRun, creditingAsShown } from "./credit-dry-run.ts";
import { island } from "./credit-form.tsx";
import type { CreditShown } from "./credit-state.ts";

export const creditPages: readonly WebPage[] = [
  definePage("GET /invoices/:id/credit", "person", ofSeen("invoice", page)),
];

export const creditActions: readonly Action[] = [
  defineAction(
    "/app/credits/rehearse",
    "person",
    z.object({ ...CreditNotePreviewBody.shape, language: z.enum(["en", "da"]) }),
    async (cx, { language, ...sent }, { runLong }): Promise<CreditShown> => {
      await requireInvoiceSeen(cx, sent.invoice);
      const { preview, address, agreed } = await runLong(creditDryRun, sent);
      const { net, vat, gross, months, warnings } = preview;
      const words = wordsOf(language).invoice;
      return {
        net,
        vat,
        gross,
        // The months include the revenue of other people.
        months: isAdmin(cx) ? months : null,
        warnings: warnings.map(({ code, message }) => words.warning(code, message)),
        address,
        agreed,
      };
    },
  ),
  defineAction("/app/credits/make", "person", ConfirmedCredit, async (cx, sent, { runLong }) => {
    await requireInvoiceSeen(cx, sent.invoice);
    const { document } = await runLong(creditingAsShown, sent);
    const { id } = JSON.parse(document) as { readonly id: string };
    return { id };
  }),
];

async function requireInvoiceSeen(cx: PersonContext, ref: string): Promise<void> {
  const { id } = await getStored(cx, "invoices", ref);
  await requireSeen(cx, "invoice", id);
}

async function page({ cx, id, reader }: PageRequest): Promise<PageAnswer> {
  const [issued, lines, { time_zone }] = await Promise.all([
    findIssued(cx, id),
    creditableLines(cx, id),
    getConfiguration(cx),
  ]);
  if (issued === undefined) throw notFound("invoice", id);
  const { snapshot, number } = issued;
  const texts = new Map(snapshot.lines.map((line) => [line.line_id as string, line.text]));
  const digits = currencyDigits(snapshot.currency);
  const props = {
    invoice: id,
    currency: snapshot.currency,
    today: todayIn(cx.clock, time_zone),
    lines: lines.map(({ line_id, amount, credited }) => ({
      id: line_id,
      text: texts.get(line_id) ?? "–",
      amount: scaledToNumber(amount, digits),
      rest: scaledToNumber(amount - credited, digits),
    })),
    external_id: `page:${newId<string>()}`,
  };
  return {
    title: reader.words.credit.title(String(number), snapshot.customer.name),
    content: <Island of={island} with={props} />,
  };
}
