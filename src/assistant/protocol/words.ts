/**
 * Text helpers of tools. Text that people have typed (names, notes, titles) is data: it is quoted, on the line of its row,
 * without characters that could end the line or the quotes, so that it cannot pass for text of the service.
 */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText, type Money, scaledFromNumber } from "../../domain/base/money.ts";

const MOST = 120;

/** Returns foreign text in quotes, at most `most` characters of it; `-` where there is none. */
export function quoted(text: string | null | undefined, most = MOST): string {
  if (text === null || text === undefined) return "-";
  if (text.length <= most && PLAIN.test(text)) return `"${text}"`;
  // Invisible characters, such as line ends and changes of direction, become a space.
  const visible = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  const characters = [...visible.replace(QUOTES, "'")];
  const shown =
    characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
  return `"${shown}"`;
}

/** Text that needs no change between quotes. */
const PLAIN = /^[!#-~]+(?: [!#-~]+)*$/;

/** All characters that look like a closing quote, including wide, low, heavy and ornamental ones. */
const QUOTES = /["“”„‟«»〝〞〟＂❝❞❠⹂″‶ʺˮ״🙶🙷🙸]/gu;

/** Formats an amount in minor units: `1,250.00 DKK`. */
export function moneyText(amount: Money, currency: string): string {
  const digits = currencyDigits(currency);
  const text = decimalText(amount, digits);
  const whole = digits === 0 ? text : text.slice(0, -digits - 1);
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return `${grouped}${text.slice(whole.length)} ${currency}`;
}

/** Like `moneyText`, for an amount as the API shows it; a dash for an unknown amount. */
export function amountText(amount: number | null, currency: string): string {
  if (amount === null) return "-";
  const money = scaledFromNumber(amount, currencyDigits(currency));
  return typeof money === "string" ? `${amount} ${currency}` : moneyText(money, currency);
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** Formats a day for people: `15 January 2027`. */
export function dayText(day: CalendarDate): string {
  const [year, month, of_month] = day.split("-").map(Number);
  return `${of_month} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** Formats hours: `7.50 h`. */
export function hoursText(hours: number): string {
  return `${hours.toFixed(2)} h`;
}

/** Formats a count: `3 invoices`, `1 invoice`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

type Cell = string | number | null;

/** Returns aligned columns, one row on each line; the given sentence where there is no row. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  nothing: string,
): string {
  if (rows.length === 0) return nothing;
  const widest = columns.map(() => 0);
  const measured = [columns, ...rows].map((row) => {
    const texts = row.map((cell) => (cell === null ? "-" : `${cell}`));
    const widths = texts.map(widthOf);
    for (let at = 0; at < widths.length; at += 1) {
      widest[at] = Math.max(widest[at] ?? 0, widths[at] ?? 0);
    }
    return { texts, widths };
  });
  return measured.map(({ texts, widths }) => inLine(texts, widths, widest)).join("\n");
}

/** The same, with each column beside what it shows of a row. */
export function tableOf<Row>(
  rows: readonly Row[],
  nothing: string,
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): string {
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
  return table(Object.keys(columns), cells, nothing);
}

function inLine(
  texts: readonly string[],
  widths: readonly number[],
  widest: readonly number[],
): string {
  let line = "";
  for (let at = 0; at < texts.length; at += 1) {
    const missing = (widest[at] ?? 0) - (widths[at] ?? 0);
    line += `${at === 0 ? "" : " | "}${texts[at]}${" ".repeat(missing)}`;
  }
  return line.trimEnd();
}

/** Returns the width in characters; one character may be two code units of the text. */
function widthOf(cell: string): number {
  return SURROGATE.test(cell) ? [...cell].length : cell.length;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Joins paragraphs, without the null ones. */
export function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join("\n\n");
}

/** Returns the sentence about the next page; null after the last one. */
export function moreText(next_cursor: string | null): string | null {
  return next_cursor === null
    ? null
    : `There is more: call again with the same arguments and cursor ${next_cursor}`;
}

/** Returns the state of a document's last delivery as a cell of a list: `none` for an issued one that was never sent. */
export function deliveryCell(document: {
  readonly status: string;
  readonly delivery_state?: string | null | undefined;
}): string | null {
  return document.delivery_state ?? (document.status === "issued" ? "none" : null);
}

/** Returns a sentence that says whether a document was sent to its customer. */
export function deliveryText(delivery: {
  readonly channel: string;
  readonly state: string;
  readonly address: string | null;
  readonly send_error: string | null;
  readonly at: string;
}): string {
  const to = delivery.address === null ? "" : ` to ${quoted(delivery.address)}`;
  const why = delivery.send_error === null ? "" : ` ${delivery.send_error}`;
  const is_einvoice = delivery.channel === "einvoice";
  switch (delivery.state) {
    case "accepted":
      return is_einvoice
        ? `Handed over as an e-invoice${to} at ${delivery.at}; whether it has arrived is not known yet.`
        : `E-mailed${to} at ${delivery.at}.`;
    case "written_to_outbox":
      if (is_einvoice) return `Lies in the folder of e-invoices since ${delivery.at}${to}.`;
      return `Written into the outbox folder at ${delivery.at}, as mail${to}.`;
    case "delivered":
      return `Delivered${to}.`;
    case "rejected":
      return `Refused by the receiver's side${to}:${why}`;
    case "failed_permanent":
      return `Could not be sent${to}:${why || " it was refused."}`;
    case "unknown":
      return `It may have been sent${to} or not:${why || " no answer came."}`;
    default:
      return `Has not been sent${to} yet; it will be.${why}`;
  }
}
