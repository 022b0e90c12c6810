/** Choosing a product: its price replaces that of the earlier product, and never a typed one. */
import { expect, it } from "vitest";
import { WORKSHOP as SAMPLE, TYPED_LINE } from "../../../test/support/documents/typed-line.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { productChosen } from "./draft-product.ts";
import { type ProductFacts, productPrice } from "./draft-sums.ts";
import type { TypedLine } from "./draft-typed.ts";

const WORKSHOP: ProductFacts = { ...SAMPLE, default_price: "185000000" };
const POSTER: ProductFacts = { ...WORKSHOP, id: "poster", default_price: "5000000" };
const DESIGN: ProductFacts = { ...WORKSHOP, id: "design", unit: "hours", default_price: "9500000" };
const UNPRICED: ProductFacts = { ...WORKSHOP, id: "unpriced", default_price: "0" };

const LICENCE: ProductFacts = {
  ...WORKSHOP,
  id: "licence",
  default_recognition_method: "value",
  default_months: 12,
};

const LINE: TypedLine = { ...TYPED_LINE, id: null, product_id: "", price: "" };
const DANISH = {
  currency: "DKK",
  functional_currency: "DKK",
  language: "da",
  from: "2026-03-15" as CalendarDate,
} as const;

const SOLD = { ...LINE, product_id: "workshop" };
const WORKED = { ...LINE, product_id: "design", method: "hours" } as const;

it.each<[given: string, line: TypedLine, chosen: ProductFacts, change: Partial<TypedLine>]>([
  ["the first product", LINE, WORKSHOP, { product_id: "workshop" }],
  [
    "the first over a year",
    LINE,
    LICENCE,
    {
      product_id: "licence",
      method: "value",
      service_from: "2026-03-15",
      service_to: "2027-03-14",
    },
  ],
  ["a later product over a year", SOLD, LICENCE, { product_id: "licence" }],
  ["the first by hours", LINE, DESIGN, { product_id: "design", method: "hours" }],
  [
    "the first by hours, after a typed price",
    { ...LINE, price: "100" },
    DESIGN,
    { product_id: "design", method: "hours" },
  ],
  [
    "another product, with the price of the earlier",
    { ...SOLD, price: "18.500,00" },
    POSTER,
    { product_id: "poster", price: "" },
  ],
  [
    "another product, with a typed price",
    { ...SOLD, price: "18.000" },
    POSTER,
    { product_id: "poster" },
  ],
  ["another product, with a text", { ...SOLD, price: "18 kr" }, POSTER, { product_id: "poster" }],
  ["a product without a price", { ...SOLD, price: "18500" }, UNPRICED, { product_id: "unpriced" }],
  [
    "another product by hours",
    { ...WORKED, price: "950" },
    { ...DESIGN, id: "advice" },
    { product_id: "advice", price: "" },
  ],
  ["a product that has no rate", { ...WORKED, price: "950" }, WORKSHOP, { product_id: "workshop" }],
])("%s", (_given, line, chosen, change) => {
  const earlier = [WORKSHOP, POSTER, DESIGN].find(({ id }) => id === line.product_id);
  expect(productChosen(line, chosen, earlier, DANISH)).toEqual(change);
});

it("gives the price in the currency of the draft", () => {
  const product = { ...WORKSHOP, prices: [{ currency: "EUR", amount: "25000000" }] };
  expect(productPrice(product, "on_issue", DANISH)).toBe(1_850_000n);
  expect(productPrice(product, "on_issue", { ...DANISH, currency: "EUR" })).toBe(250_000n);
  expect(productPrice(WORKSHOP, "on_issue", { ...DANISH, currency: "EUR" })).toBeNull();
  expect(productPrice(product, "hours", DANISH)).toBeNull();
  expect(productPrice(DESIGN, "hours", DANISH)).toBe(9_500_000n);
});
