/** Shows an issue's booking and e-mail by a dry run of the command. The confirmation's token allows only this issue. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { decimalText } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import { type EinvoiceFormat, formatToSend } from "../../domain/einvoice/einvoice-format.ts";
import { receiverAddress } from "../../domain/einvoice/receiver-address.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { unreachable } from "../../features/documents/deliveries/find-refusal.ts";
import { previewMessage } from "../../features/documents/deliveries/preview-message.ts";
import { holdRecipient, recipientOf } from "../../features/documents/deliveries/queue.ts";
import { previewEntry } from "../../features/ledger/booking/preview-entry.ts";
import { workedByLine } from "../../features/sales/hours/list-worked.ts";
import { completionsOf } from "../../features/sales/invoices/complete.ts";
import { issueInvoice } from "../../features/sales/invoices/issue.ts";
import type { IssueInputs } from "../../features/sales/invoices/issue-inputs.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { defineCommand, run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../platform/commands/tx.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { RefParams, text } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import { defineLongWork } from "../frame/long-work.ts";
import { isAdmin } from "../frame/seen.ts";
import { cureOfUnsent } from "../parts/cures.ts";
import { seenMonths } from "./draft-seen.ts";
import type { IssueAhead, SentMail, SentMonth } from "./draft-stored.ts";

/** What an issue freezes: the number of lines, and the registered hours in 1/100. */
export interface Frozen {
  readonly lines: number;
  readonly hours: number;
}

/** The effect of an issue, or that an issue has begun already and the command resumes it. */
export type IssueDryRun = (
  | {
      readonly document: DocumentSnapshot;
      readonly warnings: readonly Warning[];
      /** The address to which the invoice would be e-mailed; null where it is not to be, or cannot be. */
      readonly address: string | null;
      /** Where it would be sent as an e-invoice; null where it would not. */
      readonly einvoice: EinvoiceTarget | null;
      /** Why the invoice cannot be sent although it should be. */
      readonly unsent: "no_address" | "einvoice_not_configured" | null;
      /** The revenue by month that the person may see. */
      readonly earns: readonly SentMonth[];
      readonly freezes: Frozen;
    }
  | { readonly resumes: true }
) & {
  /** A digest of all that was shown and of the version of the invoice. */
  readonly agreed: string;
};

/** The receiver of an e-invoice, `0088:5798009811578`, and its format. */
export interface EinvoiceTarget {
  readonly address: string;
  readonly format: EinvoiceFormat;
}

/** Returns where a document goes as an e-invoice of this service; null where it goes by mail, or a connected ledger sends it. */
function einvoiceTarget({
  makes_einvoices,
  customer,
}: Pick<IssueInputs, "makes_einvoices" | "customer">): EinvoiceTarget | null {
  const address = receiverAddress(customer);
  if (!makes_einvoices || customer.send_method !== "einvoice" || address === null) return null;
  return { address, format: formatToSend(customer) };
}

type IssuePlan = Awaited<ReturnType<typeof issueInvoice.plan>>;

/** Runs the issue and rolls it back. Throws what `issueInvoice` throws. */
function dryRunIssue(cx: PersonContext, id: string): Promise<IssueDryRun> {
  return dryRun(cx, async (tx) => {
    const plan = await issueInvoice.plan(tx, { ref: id });
    const shown = await dryRunOf(tx, id, plan);
    if (!("decided" in plan) || "resumes" in shown) return { resumes: true, agreed: shown.agreed };
    return { ...shown, ...(await frozenAhead(cx, tx, plan.decided)) };
  });
}

/** Returns what the issue that was decided freezes, and its revenue by month as far as the person may see it. */
export async function frozenAhead(
  cx: PersonContext,
  tx: Tx,
  {
    facts,
    snapshot,
  }: {
    readonly facts: { readonly invoice: Pick<Invoice, "lines" | "currency"> };
    readonly snapshot: Pick<DocumentSnapshot, "issue_date">;
  },
): Promise<{ readonly earns: readonly SentMonth[]; readonly freezes: Frozen }> {
  const { lines, currency } = facts.invoice;
  const ids = lines.map(({ id }) => id);
  const [worked, completed, configuration] = await Promise.all([
    workedByLine(tx, ids),
    completionsOf(tx, ids),
    getConfiguration(tx),
  ]);
  const issue_date = snapshot.issue_date as CalendarDate;
  const earns = seenMonths(cx, { lines, issue_date }, worked, {
    currency,
    today: todayIn(tx.clock, configuration.time_zone),
    convention: configuration.recognition_convention,
    completed: Object.fromEntries<CalendarDate>(completed),
  });
  const hours = [...worked.values()].flat().reduce((sum, entry) => sum + entry.hours, 0);
  return { earns, freezes: { lines: lines.length, hours } };
}

/** The dry run as work that may be long. */
export const issueDryRun = defineLongWork({
  name: "pages.rehearse_issue",
  is_read: true,
  work: dryRunIssue,
});

/** Returns the e-mail and the journal entry that an issue would make now. Throws what `issueInvoice` throws. */
function dryRunIssueEffects(cx: PersonContext, id: string): Promise<IssueAhead> {
  return dryRun(cx, async (tx) => {
    const plan = await issueInvoice.plan(tx, { ref: id });
    if (!("decided" in plan)) return { resumes: true };
    const { facts, snapshot: document } = plan.decided;
    const { customer_id, auto_send } = facts.invoice;
    const [entry, recipient] = await Promise.all([
      previewEntry(tx, document),
      recipientOf(tx, id, customer_id),
    ]);
    const { mail_texts } = facts.inputs?.configuration ?? (await getConfiguration(tx));
    const refusal = await unreachable(tx, recipient);
    const unsent = refusal === null ? null : codeOf(refusal.error_code);
    const mail: SentMail = {
      ...previewMessage(tx, document, entry?.number ?? null, mail_texts),
      to: refusal === null ? recipient.address : null,
      unsent,
      cure: unsent && cureOfUnsent(unsent, { customer_id, is_admin: isAdmin(cx) }),
      is_sent: auto_send,
    };
    return { mail, entry: entry && sentEntry(document, entry) };
  });
}

/** The dry run as work that may be long. */
export const issueEffectsDryRun = defineLongWork({
  name: "pages.rehearse_beside",
  is_read: true,
  work: dryRunIssueEffects,
});

function sentEntry(
  { issue_date, currency, functional_currency, customer }: DocumentSnapshot,
  { number, postings }: NonNullable<Awaited<ReturnType<typeof previewEntry>>>,
) {
  return {
    number: String(number),
    date: issue_date,
    currency,
    functional_currency,
    postings: postings.map(({ customer_id, ...posting }) => ({
      ...posting,
      amount: decimalText(posting.amount, 0),
      currency_amount: decimalText(posting.currency_amount, 0),
      customer: customer_id === null ? null : customer.name,
    })),
  };
}

/** Issues an invoice as shown. Throws what `issueInvoice` throws, and PLAN_STALE if the effect would now differ. */
const issueAsShown = defineCommand({
  ...issueInvoice,
  input: RefParams.extend({ agreed: text(100) }),

  async plan(tx: Tx, { ref, agreed }: { readonly ref: string; readonly agreed: string }) {
    const plan = await issueInvoice.plan(tx, { ref });
    const now = await dryRunOf(tx, ref, plan);
    if (now.agreed !== agreed) throw new Problem("PLAN_STALE");
    return plan;
  },
});

/** The issue as work that may be long. */
export const issuingAsShown = defineLongWork({
  name: "pages.issue_as_shown",
  is_read: false,
  work: (cx, shown: { readonly ref: string; readonly agreed: string }) =>
    run(issueAsShown, cx, shown),
});

async function dryRunOf(tx: Tx, id: string, plan: IssuePlan) {
  if (!("decided" in plan)) return { resumes: true, agreed: "resumes" } as const;
  const { facts, snapshot: document, kept } = plan.decided;
  const sending = await sendingAhead(tx, { ...facts.invoice, id }, facts.inputs);
  const shown = { document, warnings: kept ?? [], ...sending };
  const version = await versionOf(tx, "invoices", id);
  return { ...shown, agreed: sha256(freeze([shown, version])).toString("base64url") };
}

/** Returns where an issue would send the invoice, or why nowhere. Holds the recipient until the transaction ends. */
export async function sendingAhead(
  tx: Tx,
  { id, customer_id, auto_send }: Pick<Invoice, "customer_id" | "auto_send"> & { id: string },
  inputs: IssueInputs | null,
) {
  const recipient = await holdRecipient(tx, id, customer_id);
  const refusal = auto_send ? await unreachable(tx, recipient) : null;
  const is_sent = auto_send && refusal === null;
  return {
    address: is_sent ? recipient.address : null,
    einvoice: is_sent && inputs !== null ? einvoiceTarget(inputs) : null,
    unsent: refusal === null ? null : codeOf(refusal.error_code),
  };
}

function codeOf(code: string): "no_address" | "einvoice_not_configured" {
  return code === "no_address" ? code : "einvoice_not_configured";
}
