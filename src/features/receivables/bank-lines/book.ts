/**
 * Books lines of bank statements: as payments and refunds, as the return of a payment, or as nothing (spec 13.5). All lines of a call are
 * one transaction, in which a refusal concerns its line alone. Payments come first, then returns.
 */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import { earliestTakeBack, proposedTakeBack } from "../../../domain/receivables/take-back.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { contentHash, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { commitPayments, type PaymentPlan, planPayments } from "../payments/create.ts";
import { lookUp } from "../payments/find-named.ts";
import { getPayment, getPaymentId } from "../payments/queries.ts";
import type { SentPayment } from "../payments/read-inputs.ts";
import { commitReversal, itemsOfPayments, planReversal } from "../payments/reverse.ts";
import { outgoingSuggestions, presentOutgoing } from "./find-outgoing.ts";
import { openMatches, suggestionsOf } from "./find-suggestions.ts";
import { type LockedLine, lockLines, markLines } from "./queries.ts";
import { BankLineRun, BankLinesBook, type BookedLineInput } from "./schemas.ts";

type Outcome = BankLineRun["outcomes"][number];

/** An outcome with the customer of its payment; null where it has none, or was decided before. */
type OutcomeOfCustomer = Outcome & { readonly customer_id: string | null };

/** What becomes of a line: a payment, the return of one, nothing, or what was decided before. */
type Planned =
  | { readonly as: "payment"; readonly plan: PaymentPlan }
  | { readonly as: "return"; readonly ref: string; readonly line: LockedLine }
  | { readonly as: "ignored"; readonly reason: string }
  | { readonly as: "done"; readonly payment_id: string | null }
  | { readonly as: "refused"; readonly problem: Problem };

interface BookPlan {
  readonly lines: readonly PlannedLine[];
  readonly functional_currency: string;
}

interface PlannedLine {
  readonly id: string;
  readonly planned: Planned;
  readonly request_hash: Buffer;
}

/** Takes the body of POST /bank-lines/book. Throws PAYMENTS_IN_LEDGER; every other refusal is the outcome of a line. */
export const bookBankLines = defineCommand({
  name: "book_bank_lines",
  access: "issue",
  input: BankLinesBook,

  async plan(tx, { lines }): Promise<BookPlan> {
    if (!tx.ledger?.transactional) throw new Problem("PAYMENTS_IN_LEDGER");
    const ids = lines.map(({ bank_line }) => bank_line);
    const known = await lockLines(tx, ids);
    const { functional_currency, period_lock_date } = await getConfiguration(tx);
    const accepted = lines.flatMap((one) =>
      one.accept == null ? [] : (known.get(one.bank_line) ?? []),
    );
    const exact = await exactOnes(tx, accepted);
    const asked = lines.map((one) => ({ ...one, request_hash: contentHash(one) }));
    const decided = asked.map((one) => {
      const line = known.get(one.bank_line);
      const is_locked = line !== undefined && line.date <= (period_lock_date ?? "");
      return plannedFirst(one, line, is_locked, exact);
    });
    const first = await withNames(tx, decided);
    const wanted = first.flatMap((one) => ("sent" in one ? [one] : []));
    const planned = await planPayments(tx, wanted, await itemsOfReturns(tx, first));
    const of_sent = new Map(wanted.map((one, at) => [one, planned[at]]));
    return {
      functional_currency,
      lines: asked.map(({ bank_line: id, request_hash }, at) => {
        const line = { id, request_hash };
        const one = first[at] ?? refused("NOT_FOUND");
        if (!("sent" in one)) return { ...line, planned: one };
        const plan = of_sent.get(one);
        if (plan === undefined) throw new Error("a payment was not planned");
        if (plan instanceof Problem) return { ...line, planned: { as: "refused", problem: plan } };
        return { ...line, planned: { as: "payment", plan } };
      }),
    };
  },

  async commit(tx, plan): Promise<BankLineRun> {
    const payments = plan.lines.flatMap(({ id, planned }) =>
      planned.as === "payment" ? [{ id, plan: planned.plan }] : [],
    );
    if (payments.length > 0) {
      await commitPayments(
        tx,
        payments.map((one) => one.plan),
      );
    }
    const outcomes: OutcomeOfCustomer[] = [];
    for (const { id, planned } of plan.lines) {
      outcomes.push(await outcomeOf(tx, id, planned, plan.functional_currency));
    }
    markLines(
      tx,
      plan.lines.flatMap(({ planned, request_hash }, at) => {
        const outcome = outcomes[at];
        if (outcome === undefined || outcome.state === "refused" || planned.as === "done")
          return [];
        const { bank_line_id: id, state, payment_id } = outcome;
        const ignored_reason = planned.as === "ignored" ? planned.reason : null;
        return [{ id, state, payment_id, ignored_reason, request_hash }];
      }),
    );
    for (const [at, { bank_line_id, state, payment_id, customer_id }] of outcomes.entries()) {
      if (state === "refused" || plan.lines[at]?.planned.as === "done") continue;
      const before = jsonText({ state: "open" });
      const after = jsonText({ state, payment_id });
      tx.audit("bank_line", bank_line_id, state, { before, after, customer_id });
    }
    const count = (state: Outcome["state"]) => outcomes.filter((one) => one.state === state).length;
    return BankLineRun.parse({
      object: "bank_line_run",
      outcomes: outcomes.map(({ entries: _, customer_id: __, ...outcome }) => outcome),
      booked: count("booked"),
      ignored: count("ignored"),
      refused: count("refused"),
      remaining: 0,
    });
  },
});

/** A payment that is still to be planned. */
interface Wanted {
  readonly sent: SentPayment;
  readonly request_hash: Buffer;
}

/** Decides what can be decided from the line alone. */
function plannedFirst(
  asked: BookedLineInput & Pick<Wanted, "request_hash">,
  line: LockedLine | undefined,
  is_locked: boolean,
  exact: ReadonlyMap<string, Accepted>,
): Wanted | Planned {
  if (line === undefined) return refused("NOT_FOUND");
  const { request_hash } = asked;
  if (line.state === "booked") {
    const is_same = line.request_hash?.equals(request_hash) ?? false;
    return is_same ? { as: "done", payment_id: line.payment_id } : refused("BANK_LINE_BOOKED");
  }
  if (line.state === "ignored") {
    const is_same = asked.ignore === line.ignored_reason;
    return is_same ? { as: "done", payment_id: null } : refused("BANK_LINE_IGNORED");
  }
  if (asked.ignore != null) return { as: "ignored", reason: asked.ignore };
  const chosen = asked.accept == null ? asked : exact.get(line.id);
  if (chosen?.reverse != null) return { as: "return", ref: chosen.reverse, line };
  if (chosen?.payment == null) return refused("MATCH_NOT_EXACT");
  const sent = sentOf(line, is_locked, chosen.payment);
  return sent instanceof Problem ? { as: "refused", problem: sent } : { sent, request_hash };
}

type LinePayment = NonNullable<BookedLineInput["payment"]>;

/** What a line is booked as when its exact suggestion is accepted: a payment or refund, or the return of a payment. */
interface Accepted {
  readonly payment: LinePayment | null;
  readonly reverse?: string;
}

/** Returns what the best suggestions of lines are, of those that are exact now, by the lines' ids. */
async function exactOnes(
  tx: Tx,
  lines: readonly LockedLine[],
): Promise<ReadonlyMap<string, Accepted>> {
  if (lines.length === 0) return new Map();
  const matches = await openMatches(tx, lines, { is_for_exact: true });
  const outgoing = await outgoingSuggestions(tx, lines);
  return new Map(
    lines.flatMap((line): [string, Accepted][] => {
      const [best] = [
        ...suggestionsOf(line, matches),
        ...(outgoing.get(line.id) ?? []).map(presentOutgoing),
      ];
      if (best?.confidence !== "exact") return [];
      if (best.payment === null) return [[line.id, best]];
      const { customer, currency, allocations } = best.payment;
      const named = allocations.map((one) => ({ ...one, rounding: 0 }));
      const sent = { customer, currency, remainder: "refuse", allocations: named } as const;
      return [[line.id, { payment: { ...sent, fee: 0 } }]];
    }),
  );
}

/** Returns the payment that a line is; a Problem where the request contradicts the line. */
function sentOf(line: LockedLine, is_locked: boolean, payment: LinePayment): SentPayment | Problem {
  const kind = line.amount > 0n ? "payment" : "refund";
  if (payment.kind != null && payment.kind !== kind) {
    return invalidField(
      "payment.kind",
      "invalid_value",
      "Money in is a payment, money out a refund.",
    );
  }
  const { external_id, date, ...fields } = payment;
  if (date != null && date !== line.date && !is_locked) {
    const message = `The line is of ${line.date}; another day is for lines of a locked day.`;
    return invalidField("payment.date", "not_allowed", message);
  }
  const { instructed_amount: amount, instructed_currency: currency } = line;
  return {
    ...fields,
    kind,
    amount: payment.amount ?? null,
    bank_amount: null,
    bank_account: line.bank_account_id,
    ...(external_id != null && { external_id }),
    date: date ?? line.date,
    line: {
      id: line.id,
      amount: line.amount > 0n ? line.amount : -line.amount,
      currency: line.currency,
      instructed:
        amount === null || currency === null
          ? null
          : { amount: amount < 0n ? -amount : amount, currency },
    },
  };
}

/**
 * Names payments by the external ids that were sent, which must be new, or by their lines. A line whose payment was reversed may be
 * booked again, under another name.
 */
async function withNames(
  tx: Tx,
  decided: readonly (Wanted | Planned)[],
): Promise<(Wanted | Planned)[]> {
  const nameOf = ({ sent }: Wanted): string => sent.external_id ?? `bank-line:${sent.line?.id}`;
  const names = decided.flatMap((one) => ("sent" in one ? [nameOf(one)] : []));
  const rows = await tx.rows<{ external_id: string | null }>(sql`select external_id from payments
    where account_id = ${tx.caller.account_id} and external_id = any(${names})`);
  const taken = new Set(rows.map(({ external_id }) => external_id));
  return decided.map((one) => {
    if (!("sent" in one)) return one;
    const name = nameOf(one);
    const is_taken = taken.has(name);
    if (is_taken && one.sent.external_id !== undefined) return refused("EXTERNAL_ID_CONFLICT");
    taken.add(name);
    return { ...one, sent: { ...one.sent, external_id: is_taken ? `${name}:${newId()}` : name } };
  });
}

/** Returns the items that returns change; they are locked with those of payments, before anything is booked. */
async function itemsOfReturns(tx: Tx, planned: readonly (Wanted | Planned)[]): Promise<string[]> {
  const refs = planned.flatMap((one) =>
    "as" in one && one.as === "return"
      ? [{ kind: "payment" as const, ref: one.ref, field: "reverse" }]
      : [],
  );
  const named = await lookUp(tx, refs);
  return itemsOfPayments(
    tx,
    [...named.values()].map(({ id }) => id),
  );
}

function refused(code: ConstructorParameters<typeof Problem>[0]): Planned {
  return { as: "refused", problem: new Problem(code) };
}

async function outcomeOf(
  tx: Tx,
  bank_line_id: string,
  planned: Planned,
  functional_currency: string,
): Promise<OutcomeOfCustomer> {
  const nothing = { payment_id: null, customer_id: null, code: null, message: null, details: null };
  const none = { bank_line_id, ...nothing };
  switch (planned.as) {
    case "payment": {
      const { id: payment_id, customer_id } = planned.plan.inputs.asked.item;
      return { ...none, state: "booked", payment_id, customer_id };
    }
    case "done":
      return {
        ...none,
        state: planned.payment_id === null ? "ignored" : "booked",
        payment_id: planned.payment_id,
      };
    case "ignored":
      return { ...none, state: "ignored" };
    case "refused":
      return { ...none, ...refusalOf(planned.problem) };
    case "return":
      try {
        const returned = await returnPayment(tx, planned, functional_currency);
        return { ...none, state: "booked", ...returned };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { ...none, ...refusalOf(error) };
      }
  }
}

function refusalOf({ code, message, extras }: Problem) {
  const details = extras.field_errors ?? extras.details ?? null;
  return { state: "refused" as const, code, message, details };
}

/** Reverses the payment that came back by a line: what the line takes beyond what the payment brought is the charge of the bank. */
async function returnPayment(
  tx: Tx,
  { ref, line }: Extract<Planned, { as: "return" }>,
  functional_currency: string,
): Promise<{ readonly payment_id: string; readonly customer_id: string }> {
  const id = await getPaymentId(tx, ref);
  const { row, allocations } = await getPayment(tx, id);
  const moved = line.amount > 0n ? line.amount : -line.amount;
  const is_out = line.amount < 0n;
  const fee = row.kind === "payment" ? moved - row.bank_amount : row.bank_amount - moved;
  // The reversal is posted on the payment's bank account, so it must be the line's.
  const is_of_bank =
    line.bank_account_id === row.bank_account_id && line.currency === functional_currency;
  if (is_out !== (row.kind === "payment") || !is_of_bank || fee < 0n) {
    throw invalidField("reverse", "invalid_value", "The line does not bring back this payment.");
  }
  const digits = currencyDigits(functional_currency);
  const sent = {
    ref,
    date: proposedTakeBack(line.date, earliestTakeBack(row.date, allocations)),
    reason: line.text || "Returned",
    fee: scaledToNumber(fee, digits),
  };
  await commitReversal(tx, await planReversal(tx, sent));
  return { payment_id: id, customer_id: row.customer_id };
}
