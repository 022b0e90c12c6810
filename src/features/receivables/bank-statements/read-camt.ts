/** Reads camt.053.001.02 and .08, the statements of ISO 20022 (spec 13.5): their accounts, balances and booked entries. */

import { type CalendarDate, calendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits, isCurrency } from "../../../domain/base/currency.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import {
  minorFrom,
  type StatementDays,
  type StatementLine,
} from "../../../domain/receivables/bank-statement.ts";
import {
  elementAt,
  elementsOf,
  textAt,
  type XmlElement,
} from "../../../platform/runtime/strict-xml.ts";
import { readXml, unreadableFile } from "./read-xml.ts";
import { cutText, MOST_LINES, type ReadStatement, tooManyLines } from "./statement-file.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:";
const FORMATS = ["camt.053.001.02", "camt.053.001.08"] as const;

/** Returns the statements of a file. Throws VALIDATION_FAILED on `file`. */
export async function readCamt(
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<readonly ReadStatement[]> {
  const statements: ReadStatement[] = [];
  let lines: StatementLine[] = [];
  let count = 0;
  await readXml(
    bytes,
    {
      root: "Document",
      namespaces: new Set(FORMATS.map((format) => NAMESPACE + format)),
      take(element, path) {
        const parent = path.at(-1);
        if (element.name === "Ntry" && parent?.name === "Stmt") {
          const read = linesOfEntry(element, currencyOf(parent));
          // An entry that is not booked counts, too.
          count += Math.max(read.length, 1);
          if (count > MOST_LINES) throw tooManyLines();
          lines.push(...read);
          return true;
        }
        if (element.name !== "Stmt" || parent?.name !== "BkToCstmrStmt") return false;
        const format = FORMATS.find((name) => NAMESPACE + name === element.namespace) ?? FORMATS[0];
        statements.push({ ...statementFrom(element, lines), format });
        lines = [];
        return true;
      },
    },
    signal,
  );
  if (statements.length === 0) throw unreadableFile("The file has no statement.");
  return statements;
}

function statementFrom(
  stmt: XmlElement,
  lines: readonly StatementLine[],
): Omit<ReadStatement, "format"> {
  const account = elementAt(stmt, "Acct");
  const currency = currencyOf(stmt);
  const opening = balanceOf(stmt, ["OPBD", "PRCD"], currency);
  const closing = balanceOf(stmt, ["CLBD"], currency);
  return {
    iban: textAt(account, "Id", "IBAN"),
    other_id: textAt(account, "Id", "Othr", "Id"),
    currency,
    opening_balance: opening?.amount ?? null,
    closing_balance: closing?.amount ?? null,
    ...daysOf(stmt, lines, opening?.date, closing?.date),
    lines,
  };
}

/** The currency of the account; of a statement without one, that of its first balance. */
function currencyOf(stmt: XmlElement): string {
  const stated = textAt(stmt, "Acct", "Ccy") ?? elementAt(stmt, "Bal", "Amt")?.attributes.Ccy ?? "";
  if (!isCurrency(stated)) throw unreadableFile("A statement has no currency.");
  return stated;
}

/** The days of a statement, which include those of its lines and end with the day of the closing balance. */
function daysOf(
  stmt: XmlElement,
  lines: readonly StatementLine[],
  opened: CalendarDate | undefined,
  closed: CalendarDate | undefined,
): Pick<StatementDays, "first_day" | "last_day"> {
  const from = dayAt(elementAt(stmt, "FrToDt", "FrDtTm") ?? elementAt(stmt, "FrToDt", "FrDt"));
  const to = dayAt(elementAt(stmt, "FrToDt", "ToDtTm") ?? elementAt(stmt, "FrToDt", "ToDt"));
  const days = lines.map(({ date }) => date).sort();
  const first = from ?? days[0] ?? closed ?? opened;
  const last = closed ?? to ?? days.at(-1) ?? first;
  if (first === undefined || last === undefined) throw unreadableFile("A statement has no days.");
  const all = [first, last, ...days].sort();
  return { first_day: all[0] ?? first, last_day: all.at(-1) ?? last };
}

function balanceOf(stmt: XmlElement, kinds: readonly string[], currency: string) {
  const all = elementsOf(stmt, "Bal");
  for (const kind of kinds) {
    const found = all.find((one) => textAt(one, "Tp", "CdOrPrtry", "Cd") === kind);
    if (found !== undefined) {
      const amount = signed(found, amountAt(elementAt(found, "Amt"), currency));
      return { amount, date: dayAt(elementAt(found, "Dt")) };
    }
  }
  return undefined;
}

/** Returns the lines of an entry: none unless it is booked. */
function linesOfEntry(entry: XmlElement, currency: string): readonly StatementLine[] {
  const status = elementAt(entry, "Sts");
  const state = textAt(status, "Cd") ?? textAt(status);
  if (state === null) throw unreadableFile("An entry has no status.");
  if (state !== "BOOK") return [];
  const amount = signed(entry, amountAt(elementAt(entry, "Amt"), currency));
  const value_date = dayAt(elementAt(entry, "ValDt")) ?? null;
  const date = dayAt(elementAt(entry, "BookgDt")) ?? value_date;
  if (date === null) throw unreadableFile("An entry has no day.");
  if (amount === 0n) return [];
  const is_reversal = textAt(entry, "RvslInd") === "true";
  const fields = { date, value_date, is_reversal };
  const details = elementsOf(entry, "NtryDtls").flatMap((one) => elementsOf(one, "TxDtls"));
  const parts = details.map((one) => ({ one, amount: ownAmount(one, entry, currency) }));
  const sum = parts.reduce((total, part) => total + (part.amount ?? 0n), 0n);
  if (details.length > 0 && sum === amount && parts.every((part) => part.amount)) {
    return parts.map((part) => lineFrom(entry, part.one, { ...fields, amount: part.amount ?? 0n }));
  }
  const [only] = details;
  return [lineFrom(entry, details.length === 1 ? only : undefined, { ...fields, amount })];
}

/** The amount of a transaction in the currency of the account; undefined where it has none. */
function ownAmount(details: XmlElement, entry: XmlElement, currency: string): bigint | undefined {
  const stated = [
    elementAt(details, "Amt"),
    elementAt(details, "AmtDtls", "TxAmt", "Amt"),
    elementAt(details, "AmtDtls", "InstdAmt", "Amt"),
  ].find((one) => one?.attributes.Ccy === currency);
  if (stated === undefined) return undefined;
  const has_sign = elementAt(details, "CdtDbtInd") !== undefined;
  return signed(has_sign ? details : entry, amountAt(stated, currency));
}

type LineFields = Pick<StatementLine, "date" | "value_date" | "amount" | "is_reversal">;

function lineFrom(
  entry: XmlElement,
  details: XmlElement | undefined,
  fields: LineFields,
): StatementLine {
  const end_to_end_id = textAt(details, "Refs", "EndToEndId");
  return {
    ...fields,
    ...instructedOf(details ?? entry, fields),
    ...counterpartyOf(details, fields),
    text: textOf(entry, details),
    reference: cutText(referenceOf(details)),
    end_to_end_id: end_to_end_id === "NOTPROVIDED" ? null : cutText(end_to_end_id),
    bank_reference: cutText(textAt(details, "Refs", "AcctSvcrRef") ?? textAt(entry, "AcctSvcrRef")),
  };
}

/** What was instructed, where that is in another currency than the account. */
function instructedOf(element: XmlElement, { amount }: LineFields) {
  const stated = elementAt(element, "AmtDtls", "InstdAmt", "Amt");
  const currency = stated?.attributes.Ccy ?? "";
  const own = elementAt(element, "AmtDtls", "TxAmt", "Amt")?.attributes.Ccy;
  if (stated === undefined || !isCurrency(currency) || currency === own) return NOT_INSTRUCTED;
  const instructed = amountAt(stated, currency);
  return {
    instructed_amount: amount < 0n ? -instructed : instructed,
    instructed_currency: currency,
  };
}

const NOT_INSTRUCTED = { instructed_amount: null, instructed_currency: null };

/** The other party: who paid money in, or was paid. In a reversal the parties are those of the line that came back. */
function counterpartyOf(details: XmlElement | undefined, { amount, is_reversal }: LineFields) {
  const parties = elementAt(details, "RltdPties");
  const role = amount > 0n !== is_reversal ? "Dbtr" : "Cdtr";
  const nameOf = (name: string): string | null =>
    textAt(parties, name, "Pty", "Nm") ?? textAt(parties, name, "Nm");
  const account = elementAt(parties, `${role}Acct`, "Id");
  return {
    counterparty_name: cutText(nameOf(role) ?? nameOf(`Ultmt${role}`)),
    counterparty_account: cutText(textAt(account, "IBAN") ?? textAt(account, "Othr", "Id")),
  };
}

function referenceOf(details: XmlElement | undefined): string | null {
  const structured = elementsOf(elementAt(details, "RmtInf"), "Strd");
  const references = structured.map((one) => textAt(one, "CdtrRefInf", "Ref"));
  return references.find((one) => one !== null) ?? null;
}

/** The remittance of both kinds; without one what the bank adds. */
function textOf(entry: XmlElement, details: XmlElement | undefined): string {
  const remittance = elementAt(details, "RmtInf");
  const parts = [
    ...elementsOf(remittance, "Ustrd").map((one) => textAt(one)),
    ...elementsOf(remittance, "Strd").flatMap((one) => [
      textAt(one, "RfrdDocInf", "Nb"),
      textAt(one, "AddtlRmtInf"),
    ]),
  ].filter((part) => part !== null);
  if (parts.length > 0) return cutText(parts.join(" ")) ?? "";
  return cutText(textAt(details, "AddtlTxInf") ?? textAt(entry, "AddtlNtryInf")) ?? "";
}

/** Reads an amount, which is in the currency. Throws VALIDATION_FAILED. */
function amountAt(element: XmlElement | undefined, currency: string): bigint {
  const stated = element?.attributes.Ccy;
  if (stated !== undefined && stated !== currency) {
    throw invalidField(
      "file",
      "invalid_value",
      `An amount is in ${stated.slice(0, 3)}, not ${currency}.`,
    );
  }
  const amount = minorFrom(element?.text.trim() ?? "", currencyDigits(currency));
  if (amount === undefined) throw unreadableFile("The file has an amount that cannot be read.");
  return amount;
}

function signed(element: XmlElement, amount: bigint): bigint {
  const sign = textAt(element, "CdtDbtInd");
  if (sign === "CRDT") return amount;
  if (sign === "DBIT") return -amount;
  throw unreadableFile("An amount is neither credit nor debit.");
}

/** Reads `Dt` or `DtTm` in an element, or its own text. Throws VALIDATION_FAILED for another text. */
function dayAt(element: XmlElement | undefined): CalendarDate | undefined {
  if (element === undefined) return undefined;
  const text = textAt(element, "Dt") ?? textAt(element, "DtTm") ?? textAt(element) ?? "";
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)(?:T[\d:.]{5,20})?(?:Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const found = calendarDate(day);
  if (found === undefined) throw unreadableFile("The file has a day that cannot be read.");
  return found;
}
