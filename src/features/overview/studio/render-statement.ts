/** Writes the statement of the studio's bank as camt.053, which the example imports as every firm does. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { decimalText, type Money } from "../../../domain/base/money.ts";
import type { StudioBankLine } from "./find-bank-lines.ts";
import { BANK_ACCOUNT, CUSTOMERS, PAYERS } from "./firm.ts";

interface StudioStatement {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** The balance before the first line, in øre. */
  readonly opening: Money;
  readonly lines: readonly StudioBankLine[];
}

/** Returns the file of a statement. The same statement gives the same bytes. */
export function bankFileOf({ from, to, opening, lines }: StudioStatement): Uint8Array {
  const closing = lines.reduce((sum, { amount }) => sum + amount, opening);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>${from}</MsgId><CreDtTm>${to}T23:00:00</CreDtTm></GrpHdr>
<Stmt><Id>${from}</Id><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:00:00</ToDtTm></FrToDt>
<Acct><Id><IBAN>${BANK_ACCOUNT.iban}</IBAN></Id><Ccy>DKK</Ccy></Acct>
${balance("OPBD", opening, from)}
${balance("CLBD", closing, to)}
${lines.map(entry).join("\n")}
</Stmt></BkToCstmrStmt></Document>
`;
  return Buffer.from(text);
}

function balance(kind: "OPBD" | "CLBD", amount: Money, day: CalendarDate): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>${signed(amount)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function entry({ date, amount, instructed, text, reference, customer }: StudioBankLine): string {
  const role = amount > 0n ? "Dbtr" : "Cdtr";
  const name = CUSTOMERS.find(({ external_id }) => external_id === customer)?.name;
  const party =
    customer === null || name === undefined
      ? ""
      : `<RltdPties><${role}><Pty><Nm>${escaped(name)}</Nm></Pty></${role}><${role}Acct><Id><IBAN>${PAYERS[customer]}</IBAN></Id></${role}Acct></RltdPties>`;
  const amounts = instructed
    ? `<AmtDtls><InstdAmt>${money(instructed.amount, instructed.currency)}</InstdAmt><TxAmt>${money(amount, "DKK")}</TxAmt></AmtDtls>`
    : "";
  const structured = reference
    ? `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${reference}</Ref></CdtrRefInf></Strd>`
    : "";
  return `<Ntry>${signed(amount)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt><NtryDtls><TxDtls>${amounts}${party}<RmtInf><Ustrd>${escaped(text)}</Ustrd>${structured}</RmtInf></TxDtls></NtryDtls></Ntry>`;
}

/** An amount with its sign as a code. */
function signed(amount: Money): string {
  return `${money(amount, "DKK")}<CdtDbtInd>${amount < 0n ? "DBIT" : "CRDT"}</CdtDbtInd>`;
}

function money(amount: Money, currency: string): string {
  return `<Amt Ccy="${currency}">${decimalText(amount < 0n ? -amount : amount, 2)}</Amt>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
