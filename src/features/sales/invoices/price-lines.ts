/** Reads the amounts of invoice lines: as booked, or for drafts computed from the hours that are registered now. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import type { Money } from "../../../domain/base/money.ts";
import { type Line, netOf } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { hoursByLine } from "../hours/queries.ts";
import { type LineOfInvoice, linesOfInvoices } from "./queries.ts";

/** A line with its net amount, in minor units. */
interface PricedLine extends LineOfInvoice {
  readonly net: Money;
}

/** Returns the lines of invoices with their net amounts, by invoice. An invoice without lines has no entry. */
export async function pricedLines(
  cx: Reader,
  invoice_ids: readonly string[],
): Promise<Map<string, PricedLine[]>> {
  const lines = await linesOfInvoices(cx, invoice_ids);
  const waiting = lines.filter(({ booked }) => booked === null);
  const hours = await hoursByLine(cx, idsOfHours(waiting.map(({ line }) => line)));
  const priced = lines.map((one) => ({
    ...one,
    net: one.booked ?? netOf(one.line, currencyDigits(one.currency), hours.get(one.line.id)),
  }));
  return groupedBy(priced, (line) => line.invoice_id);
}

/** Adds up the net amounts of lines, in minor units. */
export function sumOf(lines: readonly { readonly net: Money }[] = []): Money {
  return lines.reduce((sum, line) => sum + line.net, 0n);
}

/** Returns the current net total of each draft, in minor units, in the order of the drafts. */
export async function netsOfDrafts(
  cx: Reader,
  drafts: readonly { readonly currency: string; readonly lines: readonly Line[] }[],
): Promise<Money[]> {
  const hours = await hoursByLine(cx, idsOfHours(drafts.flatMap(({ lines }) => lines)));
  return drafts.map(({ currency, lines }) =>
    lines.reduce(
      (sum, line) => sum + netOf(line, currencyDigits(currency), hours.get(line.id)),
      0n,
    ),
  );
}

/** Returns the ids of the lines whose amount follows from hours; hours of other lines are not read. */
function idsOfHours(lines: readonly Line[]): string[] {
  return lines
    .filter(({ recognition_method }) => recognition_method === "hours")
    .map(({ id }) => id);
}
