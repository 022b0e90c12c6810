/**
 * Records a payment or a refund, for admins. The page shows the entries of what is typed, made by the command and rolled back, and
 * records exactly what was shown. It begins from a document or a customer; without either, the customer is chosen first.
 */
import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { listBankAccounts } from "../../features/receivables/bank-accounts/queries.ts";
import {
  PaymentPreviewBody,
  type PaymentResource,
} from "../../features/receivables/payments/schemas.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { findStored } from "../../platform/database/resources.ts";
import type { Fields } from "../../platform/http/form.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { newId } from "../../platform/runtime/id.ts";
import { todayFor } from "../frame/day-asked.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, refusedBy, submitted } from "../frame/submitted.ts";
import { customerAsked } from "../invoices/find-customer.ts";
import { amountOf } from "../parts/format.ts";
import { refusalOf } from "../words/refusal.ts";
import { ChooseCustomer } from "./choose-customer.tsx";
import { accountNames } from "./entry-table.tsx";
import { totalOf } from "./payment-draft.ts";
import { ConfirmedPayment, dryRunPayment, paymentAsShown } from "./payment-dry-run.ts";
import type { DifferenceShown } from "./payment-effect.tsx";
import { NEW_PAYMENT, PAYMENTS, PaymentForm } from "./payment-form.tsx";
import { choosing } from "./payment-items.tsx";
import {
  documentNamed,
  type PaymentSource,
  requireRecording,
  sourceOfCustomer,
  sourceOfDocument,
} from "./payment-source.ts";
import { askedBy, withProposal } from "./read-typed.ts";

/** The fields that show their own faults. */
const FIELDS = ["date", "bank_account", "amount", "bank_amount", "fee", "reference"];
const BLAMES = {
  PAYMENT_DATE_IN_FUTURE: "date",
  PERIOD_LOCKED: "date",
  PAYMENT_EXCEEDS_OPEN: "amount",
  CREDIT_EXCEEDS_OPEN: "amount",
} as const;

export const newPaymentPages: readonly WebPage[] = [
  definePage(`GET ${NEW_PAYMENT}`, "hidden", open),
  definePage(`POST ${NEW_PAYMENT}`, "hidden", submit),
];

/** The pages of the documents from which a payment begins. */
const FOLDERS = {
  customer: "/customers",
  invoice: "/invoices",
  credit_note: "/credit-notes",
  payment: PAYMENTS,
  reminder: "/reminders",
  opening: null,
} as const;

async function open(request: PageRequest): Promise<PageAnswer> {
  const { query, reader } = request;
  await requireRecording(request.cx);
  const configuration = await getConfiguration(request.cx);
  const source = await sourceFor(request, query, configuration);
  if ("choice" in source) return source.choice;
  const is_named = !source.is_of_all || source.items.length > 0;
  // Without a document, the present ledger decides.
  if (!is_named && !request.cx.ledger?.transactional) throw new Problem("PAYMENTS_IN_LEDGER");
  const chosen = source.items.filter(({ id }) => source.is_of_all || id === source.id);
  if (!source.is_of_all && totalOf(chosen) === 0n) return { redirect: backOf(source) };
  const total = totalOf(chosen);
  const proposed = total === 0n ? "" : amountOf(reader.language, total, source.currency);
  const typed = {
    date: todayFor(request),
    amount: proposed,
    proposed,
    external_id: `page:${newId<string>()}`,
    ...choosing(chosen),
  };
  return show(request, configuration, source, typed, "first");
}

async function submit(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  await requireRecording(cx);
  const configuration = await getConfiguration(cx);
  const source = await sourceFor(request, form, configuration);
  if ("choice" in source) return source.choice;
  const typed = withProposal(request, source, form);
  if (form.step !== "record") return show(request, configuration, source, typed, null);
  const sent = askedBy(request, configuration, source, form);
  const earlier = await recordedEarlier(request, sent.bodyOf(sent.chosen));
  if (earlier !== null) return earlier;
  const asked = askedBy(request, configuration, source, typed);
  const confirmed = ConfirmedPayment.safeParse({
    sent: { ...asked.bodyOf(asked.chosen), external_id: form.external_id },
    token: form[`token.${asked.chosen}`],
  });
  // What cannot be read has its faults on the page.
  if (!confirmed.success) return show(request, configuration, source, typed, null);
  try {
    const { document } = await run(paymentAsShown, cx, confirmed.data);
    return recorded(JSON.parse(document));
  } catch (thrown) {
    return show(request, configuration, source, typed, refusedBy(thrown));
  }
}

/**
 * Returns the answer to a repeated form: what it paid is no longer open, so that it cannot be compared with what was shown. Null
 * where the form has recorded nothing, or another payment is typed.
 */
async function recordedEarlier(
  { cx, form }: PageRequest,
  { date, amount }: { readonly date: string; readonly amount: number | undefined },
): Promise<PageAnswer | null> {
  const stored = await findStored(cx, "payments", `ext:${form.external_id}`);
  if (stored === undefined) return null;
  const known: RecordedPayment = JSON.parse(stored.document);
  // Of a payment with a fee, what the bank credited was typed.
  const is_same = known.date === date && [known.amount, known.bank_amount].includes(amount ?? 0);
  return is_same ? recorded(known) : null;
}

type RecordedPayment = Pick<
  z.output<typeof PaymentResource>,
  "id" | "kind" | "number" | "date" | "amount" | "bank_amount"
>;

function recorded({ id, kind, number }: RecordedPayment): PageAnswer {
  const done = kind === "refund" ? "refund_recorded" : "payment_recorded";
  return { redirect: `${PAYMENTS}/${id}`, notice: { done, of: String(number) } };
}

/** Returns the source that fields name; without one, the page that asks for the customer. Throws NOT_FOUND. */
async function sourceFor(
  request: PageRequest,
  fields: Fields,
  configuration: Configuration,
): Promise<PaymentSource | { readonly choice: PageAnswer }> {
  const { cx, reader } = request;
  const document = documentNamed(fields);
  if (document !== null) return sourceOfDocument(cx, document);
  const customer = await customerAsked({ ...request, query: fields });
  const { id, name } = customer;
  if (id !== undefined) return sourceOfCustomer(cx, { id, name }, fields.currency, configuration);
  const content = <ChooseCustomer asked={customer} />;
  return { choice: { title: reader.words.payments.record, content } };
}

function backOf({ field, id, customer }: PaymentSource): string {
  const folder = FOLDERS[field];
  return folder === null ? `/customers/${customer.id}` : `${folder}/${id}`;
}

/** Shows the form with the effect of what is typed; `refused` is why it was not recorded. An empty field is no fault at first. */
async function show(
  request: PageRequest,
  configuration: Configuration,
  source: PaymentSource,
  typed: Fields,
  refused: Problem | "first" | null,
): Promise<PageAnswer> {
  const { cx, reader, csrf } = request;
  const words = reader.words.payments;
  const asked = askedBy(request, configuration, source, typed);
  let faults: Faults = NO_FAULTS;
  let status = 200;
  const effects: DifferenceShown[] = [];
  for (const difference of asked.differences) {
    const outcome = await submitted(
      PaymentPreviewBody,
      asked.bodyOf(difference),
      FIELDS,
      BLAMES,
      (body) => dryRunPayment(cx, body),
    );
    if ("done" in outcome) effects.push({ difference, ahead: outcome.done });
    else if (difference === asked.chosen) ({ faults, status } = outcome);
  }
  // Where credit notes cover everything, no amount is missing: the page says so.
  const is_needless = asked.is_credited && !typed.amount;
  if (refused === "first" || is_needless) {
    faults = new Map([...faults].filter(([field]) => field === "" || typed[field]));
    status = 200;
  }
  if (refused instanceof Problem) {
    faults = faults.size > 0 ? faults : new Map([["", refusalOf(refused)]]);
    status = statusOfKind[refused.kind];
  }
  const [banks, accounts] = await Promise.all([listBankAccounts(cx), accountNames(cx)]);
  const content = (
    <PaymentForm
      source={source}
      banks={banks.filter(({ active }) => active)}
      functional={configuration.functional_currency}
      typed={typed}
      faults={faults}
      is_stale={refused instanceof Problem && refused.code === "PLAN_STALE"}
      effects={effects}
      chosen={asked.chosen}
      today={todayFor(request)}
      csrf={csrf(NEW_PAYMENT)}
      back={backOf(source)}
      accounts={accounts}
      is_credited={asked.is_credited}
    />
  );
  const title = words[source.kind === "refund" ? "refund_to" : "payment_from"](
    source.customer.name,
  );
  return { title, content, status };
}
