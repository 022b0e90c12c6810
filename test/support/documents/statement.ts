/** A statement of account with a line of each kind, as it would be frozen. */
import type { CalendarDate } from "../../../src/domain/base/calendar.ts";
import type { BalanceChange } from "../../../src/domain/receivables/account-statement.ts";
import type { StatementSnapshot } from "../../../src/domain/receivables/statement-snapshot.ts";
import { danish } from "./documents.ts";

const day = (text: string) => `2026-${text}` as CalendarDate;

function line(
  date: string,
  of: BalanceChange["of"],
  number: string,
  change: bigint,
  given: Partial<BalanceChange> = {},
): BalanceChange {
  const [debit, credit] = change > 0n ? [change, 0n] : [0n, -change];
  const due_date = of === "invoice" ? day("12-20") : null;
  const common = { kind: of, of, number, is_reversal: false, due_date, applied: [] };
  return { ...common, date: day(date), debit, credit, balance: 0n, ...given };
}

/** In kroner and Danish, with the customer and the seller of the Danish invoice. */
export function accountStatementOf(given: Partial<StatementSnapshot> = {}): StatementSnapshot {
  const { document_id, account_name, seller, customer, language, currency, currency_digits } =
    danish();
  const applied = (kind: BalanceChange["of"], number: string, amount: bigint) => ({
    kind,
    number,
    amount,
  });
  const changes = [
    line("11-02", "invoice", "47", 625_000n, { due_date: day("11-16") }),
    line("11-03", "invoice", "48", 125_000n),
    line("11-10", "payment", "12", -700_000n, {
      applied: [applied("invoice", "47", 625_000n), applied("invoice", "48", 75_000n)],
    }),
    line("11-12", "payment", "12", 700_000n, { is_reversal: true }),
    line("11-13", "credit_note", "5", -25_000n, { applied: [applied("invoice", "48", 25_000n)] }),
    line("11-14", "invoice", "47", -50n, { kind: "rounding", due_date: null }),
    line("11-15", "invoice", "47", -99_950n, {
      kind: "transfer",
      due_date: null,
      applied: [applied("payment", "14", 99_950n)],
    }),
    line("11-16", "payment", "15", 40_000n, {
      kind: "transfer",
      applied: [applied("invoice", "9", 40_000n)],
    }),
  ];
  const opening_balance = 200_000n;
  let balance = opening_balance;
  const lines = changes.map((one) => {
    balance += one.debit - one.credit;
    return { ...one, balance };
  });
  return {
    kind: "statement",
    document_id,
    account_name,
    seller,
    customer,
    language,
    currency,
    currency_digits,
    issue_date: day("12-01"),
    from: day("11-01"),
    to: day("11-30"),
    opening_balance,
    closing_balance: balance,
    lines,
    aging: {
      not_due: 100_000n,
      days_1_30: 525_000n,
      days_31_60: 0n,
      days_61_90: 0n,
      over_90: 240_000n,
      total: 865_000n,
    },
    unapplied: 0n,
    ...given,
  };
}
