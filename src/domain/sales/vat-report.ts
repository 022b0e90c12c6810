/**
 * The figures of a VAT return and of the list of sales to the EU (spec 9.2), summed from documents. The boxes are those of the
 * Danish return; amounts are in the currency of the books, and those of credit notes are below 0.
 */
import type { Money } from "../base/money.ts";
import type { VatCode } from "./vat-code.ts";

/** Salgsmoms; rubrik B varer; rubrik B ydelser; rubrik C. */
export const vatBoxes = ["sales_vat", "eu_goods", "eu_services", "other_exempt"] as const;
export type VatBox = (typeof vatBoxes)[number];

/**
 * The box for the net amounts of a code; null when only the VAT is reported. Domestic reverse charge, exempt sales and all sales
 * outside of the EU are sales without VAT that belong to no other box.
 */
export const boxOfNet: Readonly<Record<VatCode, Exclude<VatBox, "sales_vat"> | null>> = {
  DK25: null,
  DK0: "other_exempt",
  DK_RC: "other_exempt",
  EU_SERVICES_RC: "eu_services",
  EU_GOODS_RC: "eu_goods",
  EXPORT_SERVICES: "other_exempt",
  EXPORT_GOODS: "other_exempt",
};

/** The amounts of documents under one VAT code, for one customer under one number. */
export interface TaxedSales {
  readonly vat_code: VatCode;
  readonly net: Money;
  readonly vat: Money;
  readonly customer_id: string;
  /** From the frozen documents, with the letters of its country. */
  readonly vat_number: string | null;
}

/** Sales to one customer under one number. */
interface EuSale {
  readonly vat_number: string | null;
  readonly customer_id: string;
  readonly goods: Money;
  readonly services: Money;
}

/** Returns the amounts that one row adds to the boxes. */
export function boxesOf({ vat_code, net, vat }: TaxedSales): [VatBox, Money][] {
  const box = boxOfNet[vat_code];
  const amounts: [VatBox, Money][] = [["sales_vat", vat]];
  if (box !== null) amounts.push([box, net]);
  return amounts.filter(([, amount]) => amount !== 0n);
}

/** Returns the boxes, each with the sum of sales and credits. */
export function boxSums(rows: readonly TaxedSales[]): Record<VatBox, Money> {
  const sums = { sales_vat: 0n, eu_goods: 0n, eu_services: 0n, other_exempt: 0n };
  for (const row of rows) for (const [box, amount] of boxesOf(row)) sums[box] += amount;
  return sums;
}

/** Returns one row for each number and customer with something to report, by number, then customer. */
export function euSales(rows: readonly TaxedSales[]): EuSale[] {
  const sales = new Map<string, EuSale>();
  for (const { vat_code, net, vat_number, customer_id } of rows) {
    const box = boxOfNet[vat_code];
    if (box !== "eu_goods" && box !== "eu_services") continue;
    const key = euSaleKey({ vat_number, customer_id });
    const sale = sales.get(key) ?? { vat_number, customer_id, goods: 0n, services: 0n };
    sales.set(key, {
      ...sale,
      goods: sale.goods + (box === "eu_goods" ? net : 0n),
      services: sale.services + (box === "eu_services" ? net : 0n),
    });
  }
  return [...sales]
    .filter(([, { goods, services }]) => goods !== 0n || services !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sale]) => sale);
}

/** Returns the key that rows of one sale share. */
export function euSaleKey(sale: Pick<EuSale, "vat_number" | "customer_id">): string {
  return `${sale.vat_number ?? ""} ${sale.customer_id}`;
}
