/** Reports a period's VAT return and EU sales list (spec 9.2) from frozen documents: customers appear as billed. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { vatNumberWithCountry } from "../../../domain/sales/vat-prefix.ts";
import {
  boxesOf,
  boxOfNet,
  boxSums,
  euSaleKey,
  euSales,
  type TaxedSales,
  type VatBox,
  vatBoxes,
} from "../../../domain/sales/vat-report.ts";
import { type Warning, warningsOfListedNumber } from "../../../domain/sales/warning.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { VatReport, type VatReportQuery } from "./schemas.ts";

/** Returns the report of the dates from the first through the last. */
export async function readVatReport(
  cx: Reader,
  { from, to, include }: VatReportQuery,
): Promise<JsonText> {
  const { functional_currency } = await getConfiguration(cx);
  const digits = currencyDigits(functional_currency);
  const money = (amount: Money): number => scaledToNumber(amount, digits);
  const is_detailed = include?.includes("documents") ?? false;
  const rows = await salesIn(cx, from, to, is_detailed);
  const sums = boxSums(rows);
  const warnings = warningsBySale(rows);
  const documents = documentsBySale(is_detailed ? rows : [], money);
  return jsonText(
    VatReport.parse({
      object: "vat_report",
      from,
      to,
      boxes: Object.fromEntries(vatBoxes.map((box) => [box, money(sums[box])])),
      eu_sales: euSales(rows).map((sale) => ({
        ...sale,
        goods: money(sale.goods),
        services: money(sale.services),
        ...warnings.get(euSaleKey(sale)),
        ...(is_detailed && { documents: documents.get(euSaleKey(sale)) }),
      })),
      ...(is_detailed && { documents: documentsByBox(rows, money) }),
    }),
  );
}

/** The sales of one document and code when documents are requested, otherwise of all documents. */
interface SalesRow extends TaxedSales {
  readonly kind?: "invoice" | "credit_note";
  readonly number?: bigint;
  readonly date?: string;
  readonly document_id?: string;
  /** The customer's country, from the frozen documents. */
  readonly country_key: string | null;
}

const EU_BOXES: readonly (VatBox | null)[] = ["eu_goods", "eu_services"];

/** Returns warnings about the VAT numbers of listed sales: some numbers on old documents would no longer pass. */
function warningsBySale(
  rows: readonly SalesRow[],
): Map<string, { readonly warnings: readonly Warning[] }> {
  const listed = rows.filter(({ vat_code }) => EU_BOXES.includes(boxOfNet[vat_code]));
  return new Map(
    listed.flatMap((row) => {
      const { vat_number, country_key } = row;
      const warnings = warningsOfListedNumber({ vat_number, country_key: country_key ?? "" });
      return warnings.length === 0 ? [] : [[euSaleKey(row), { warnings }]];
    }),
  );
}

async function salesIn(
  cx: Reader,
  from: string,
  to: string,
  is_detailed: boolean,
): Promise<SalesRow[]> {
  const document = "e.kind, e.number, e.entry_date, d.document_id";
  const rows =
    await cx.rows<SalesRow>(sql`select ${raw(is_detailed ? "e.kind, e.number, e.entry_date as date, d.document_id," : "")}
       x.vat_code, s.customer ->> 'id' as customer_id, s.customer ->> 'vat_number' as vat_number,
       s.customer ->> 'country_key' as country_key,
       sum(s.sign * x.net)::bigint as net, sum(s.sign * x.vat)::bigint as vat
     from ledger_entries e
     join issued_documents d on d.account_id = ${cx.caller.account_id} and d.document_id = e.guid
     cross join lateral (select d.snapshot::json as snapshot) j
     cross join lateral (select j.snapshot -> 'customer' as customer,
       case e.kind when 'invoice' then 1 else -1 end as sign) s
     cross join lateral (
       select l ->> 'vat_code' as vat_code, rtrim(l ->> 'net_functional', 'n')::bigint as net, 0 as vat
       from json_array_elements(j.snapshot -> 'lines') l
       union all
       select v ->> 'vat_code', 0, rtrim(v ->> 'vat_functional', 'n')::bigint
       from json_array_elements(j.snapshot -> 'vat') v) x
     where e.account_id = ${cx.caller.account_id} and e.entry_date between ${from} and ${to}
     group by ${raw(is_detailed ? `${document},` : "")} 
       x.vat_code, customer_id, s.customer ->> 'vat_number', country_key
     ${raw(is_detailed ? `order by e.entry_date, e.kind desc, e.number` : "")}`);
  return rows.map((row) => ({
    ...row,
    vat_number: vatNumberWithCountry(row.vat_number, row.country_key),
  }));
}

function documentsBySale(
  rows: readonly SalesRow[],
  money: (amount: Money) => number,
): Map<string, unknown[]> {
  const documents = new Map<string, unknown[]>();
  for (const row of rows) {
    if (!EU_BOXES.includes(boxOfNet[row.vat_code])) continue;
    const known = documents.get(euSaleKey(row)) ?? [];
    known.push(documentOf(row, row.net, money));
    documents.set(euSaleKey(row), known);
  }
  return documents;
}

/** Lists documents by box. A document with two codes in one box appears once for each code. */
function documentsByBox(rows: readonly SalesRow[], money: (amount: Money) => number) {
  const documents = new Map<VatBox, unknown[]>(vatBoxes.map((box) => [box, []]));
  for (const row of rows) {
    for (const [box, amount] of boxesOf(row)) {
      documents.get(box)?.push(documentOf(row, amount, money));
    }
  }
  return Object.fromEntries(documents);
}

function documentOf(
  { kind, number, date, document_id, customer_id, vat_code }: SalesRow,
  amount: Money,
  money: (amount: Money) => number,
) {
  const shown = { kind, number: Number(number), date, document_id, customer_id };
  return { ...shown, vat_code, amount: money(amount) };
}
