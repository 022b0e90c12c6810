/** The fields of the Danish return and the EU sales list (spec 9.2). */
import { describe, expect, it } from "vitest";
import { vatCodes } from "./vat-code.ts";
import { boxesOf, boxOfNet, boxSums, euSales, type TaxedSales } from "./vat-report.ts";

const sale = (fields: Partial<TaxedSales>): TaxedSales => ({
  vat_code: "DK25",
  net: 100_00n,
  vat: 0n,
  customer_id: "c",
  vat_number: null,
  ...fields,
});

describe("the box of a sale", () => {
  it.each<[TaxedSales["vat_code"], string | null]>([
    ["DK25", null],
    ["DK0", "other_exempt"],
    ["DK_RC", "other_exempt"],
    ["EU_SERVICES_RC", "eu_services"],
    ["EU_GOODS_RC", "eu_goods"],
    ["EXPORT_SERVICES", "other_exempt"],
    ["EXPORT_GOODS", "other_exempt"],
  ])("under %s is %s", (code, box) => {
    expect(boxOfNet[code]).toBe(box);
  });

  it("is known for every code", () => {
    expect(Object.keys(boxOfNet).toSorted()).toEqual([...vatCodes].toSorted());
  });

  it("is sales_vat for a taxed sale, and none for a sale of 0", () => {
    expect(boxesOf(sale({ vat: 25_00n }))).toEqual([["sales_vat", 25_00n]]);
    expect(boxesOf(sale({ vat_code: "EU_GOODS_RC" }))).toEqual([["eu_goods", 100_00n]]);
    expect(boxesOf(sale({ vat_code: "EXPORT_GOODS", net: 0n }))).toEqual([]);
  });
});

it("the boxes contain sales less credits", () => {
  const rows = [
    sale({ vat: 25_00n }),
    sale({ vat: -10_00n, net: -40_00n }),
    sale({ vat_code: "EU_SERVICES_RC" }),
    sale({ vat_code: "DK_RC" }),
    sale({ vat_code: "EXPORT_SERVICES", net: -1n }),
  ];
  expect(boxSums(rows)).toEqual({
    sales_vat: 15_00n,
    eu_goods: 0n,
    eu_services: 100_00n,
    other_exempt: 99_99n,
  });
});

it("the EU sales list has a row for each number and customer with a remaining amount", () => {
  const eu = (fields: Partial<TaxedSales>) =>
    sale({ vat_code: "EU_SERVICES_RC", vat_number: "SE1", ...fields });
  expect(
    euSales([
      eu({}),
      eu({ net: -30_00n }),
      eu({ vat_code: "EU_GOODS_RC", net: 5_00n }),
      eu({ vat_number: "DE2", customer_id: "d" }),
      eu({ vat_number: "DE2", customer_id: "e" }),
      eu({ vat_number: "DE3" }),
      eu({ vat_number: "DE3", net: -100_00n }),
      sale({ vat_number: "SE1", vat: 25_00n }),
      sale({ vat_number: "SE1", vat_code: "EXPORT_GOODS" }),
    ]),
  ).toEqual([
    { vat_number: "DE2", customer_id: "d", goods: 0n, services: 100_00n },
    { vat_number: "DE2", customer_id: "e", goods: 0n, services: 100_00n },
    { vat_number: "SE1", customer_id: "c", goods: 5_00n, services: 70_00n },
  ]);
});
