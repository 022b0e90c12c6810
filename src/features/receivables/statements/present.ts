/** A statement of account as the API shows it. Texts of lines are in the language of the customer's documents. */
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { StatementSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import { statementText } from "../../documents/letters/statement-view.ts";
import { StatementResource } from "./schemas.ts";

/** What a statement has when it is made, besides its frozen content; `id` is null for one that is only read. */
interface Made {
  readonly id: string | null;
  readonly created_at: string | null;
}

/** Presents a statement with its lines. */
export function presentStatement(snapshot: StatementSnapshot, made: Made): StatementResource {
  const { customer, currency, currency_digits, from, to, lines, aging, unapplied } = snapshot;
  const shown = (amount: bigint) => scaledToNumber(amount, currency_digits);
  return StatementResource.parse({
    object: "statement",
    ...made,
    customer_id: customer.id,
    currency,
    from,
    to,
    opening_balance: shown(snapshot.opening_balance),
    closing_balance: shown(snapshot.closing_balance),
    aging: {
      not_due: shown(aging.not_due),
      days_1_30: shown(aging.days_1_30),
      days_31_60: shown(aging.days_31_60),
      days_61_90: shown(aging.days_61_90),
      over_90: shown(aging.over_90),
      total: shown(aging.total),
      unapplied: shown(unapplied),
    },
    lines: lines.map((line) => ({
      date: line.date,
      kind: line.kind,
      number: line.number === "" ? null : line.number,
      text: statementText(line, snapshot),
      due_date: line.due_date,
      debit: shown(line.debit),
      credit: shown(line.credit),
      balance: shown(line.balance),
    })),
  });
}
