/** Statements of a bank as camt.053, in both versions, for tests. */

export interface CamtEntry {
  /** Decimal text; below 0 is money out. */
  readonly amount: string;
  readonly day: string;
  readonly text?: string;
  readonly reference?: string;
  readonly counterparty?: string;
  readonly counterparty_iban?: string;
  /** The bank's own reference. */
  readonly bank_reference?: string;
  readonly end_to_end_id?: string;
  readonly status?: string;
  readonly is_reversal?: boolean;
  /** What was instructed, as `EUR 100.00`. */
  readonly instructed?: string;
  /** The transactions of a batch, each with its amount; one without an amount has none of its own. */
  readonly parts?: readonly { readonly amount?: string; readonly counterparty: string }[];
}

export interface CamtStatement {
  readonly version?: "02" | "08";
  readonly iban?: string;
  readonly other_id?: string;
  readonly currency?: string;
  /** Day and decimal text. */
  readonly opening?: readonly [day: string, amount: string];
  readonly closing?: readonly [day: string, amount: string];
  readonly entries?: readonly CamtEntry[];
}

export const DANISH_IBAN = "DK5000400440116243";

/** A file with the statements, which have one version. */
export function camt(...statements: readonly CamtStatement[]): string {
  const version = statements[0]?.version ?? "08";
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
<BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-31T06:00:00+02:00</CreDtTm></GrpHdr>
${statements.map(stmt).join("\n")}
</BkToCstmrStmt>
</Document>
`;
}

function stmt(statement: CamtStatement): string {
  const {
    iban = DANISH_IBAN,
    other_id,
    currency = "DKK",
    entries = [],
    version = "08",
  } = statement;
  const id = other_id === undefined ? `<IBAN>${iban}</IBAN>` : `<Othr><Id>${other_id}</Id></Othr>`;
  const balances = [
    ...(statement.opening ? [balance("OPBD", statement.opening, currency)] : []),
    ...(statement.closing ? [balance("CLBD", statement.closing, currency)] : []),
  ];
  return `<Stmt><Id>S1</Id><Acct><Id>${id}</Id><Ccy>${currency}</Ccy></Acct>
${balances.join("\n")}
${entries.map((entry) => ntry(entry, currency, version)).join("\n")}</Stmt>`;
}

function balance(kind: string, [day, amount]: readonly [string, string], currency: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>${money(amount, currency)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

/** The amount and its sign. */
function money(amount: string, currency: string): string {
  const sign = amount.startsWith("-") ? "DBIT" : "CRDT";
  return `<Amt Ccy="${currency}">${amount.replace("-", "")}</Amt><CdtDbtInd>${sign}</CdtDbtInd>`;
}

function ntry(entry: CamtEntry, currency: string, version: string): string {
  const { amount, day, status = "BOOK", bank_reference, is_reversal, instructed } = entry;
  const parts = entry.parts ?? [{ counterparty: entry.counterparty ?? "" }];
  const [own, sum] = instructed?.split(" ") ?? [];
  const amounts = instructed
    ? `<AmtDtls><InstdAmt><Amt Ccy="${own}">${sum}</Amt></InstdAmt><TxAmt><Amt Ccy="${currency}">${amount.replace("-", "")}</Amt></TxAmt></AmtDtls>`
    : "";
  return [
    `<Ntry>${money(amount, currency)}`,
    is_reversal ? "<RvslInd>true</RvslInd>" : "",
    version === "02" ? `<Sts>${status}</Sts>` : `<Sts><Cd>${status}</Cd></Sts>`,
    `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>`,
    bank_reference ? `<AcctSvcrRef>${bank_reference}</AcctSvcrRef>` : "",
    "<BkTxCd><Domn><Cd>PMNT</Cd></Domn></BkTxCd><NtryDtls>",
    ...parts.map((part) => txDtls(entry, part, currency, version, amounts)),
    "</NtryDtls></Ntry>",
  ].join("");
}

function txDtls(
  { amount, text, reference, counterparty_iban, end_to_end_id, is_reversal }: CamtEntry,
  part: { readonly amount?: string; readonly counterparty: string },
  currency: string,
  version: string,
  amounts: string,
): string {
  const name = `<Nm>${part.counterparty}</Nm>`;
  const party = version === "02" ? name : `<Pty>${name}</Pty>`;
  const role = amount.startsWith("-") !== (is_reversal ?? false) ? "Cdtr" : "Dbtr";
  const account = counterparty_iban
    ? `<${role}Acct><Id><IBAN>${counterparty_iban}</IBAN></Id></${role}Acct>`
    : "";
  const own =
    part.amount === undefined
      ? amounts
      : version === "02"
        ? `<AmtDtls><TxAmt><Amt Ccy="${currency}">${part.amount}</Amt></TxAmt></AmtDtls>`
        : money(part.amount, currency);
  const structured = reference
    ? `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${reference}</Ref></CdtrRefInf></Strd>`
    : "";
  return [
    `<TxDtls><Refs><EndToEndId>${end_to_end_id ?? "NOTPROVIDED"}</EndToEndId></Refs>${own}`,
    part.counterparty ? `<RltdPties><${role}>${party}</${role}>${account}</RltdPties>` : "",
    text || reference
      ? `<RmtInf>${text ? `<Ustrd>${text}</Ustrd>` : ""}${structured}</RmtInf>`
      : "",
    "</TxDtls>",
  ].join("");
}
