/** A product and a typed line, as the tests of the draft editor's state begin with. */
import type { ProductFacts } from "../../../src/web/draft/draft-sums.ts";
import type { TypedLine } from "../../../src/web/draft/draft-typed.ts";

/** A product by number at 1,000.00 in the account's currency, without a proposal of how it is earned. */
export const WORKSHOP: ProductFacts = {
  id: "workshop",
  name: "Workshop",
  product_number: null,
  account_number: 1000,
  names_account: false,
  unit: "parts",
  quantity: "100",
  default_price: "10000000",
  prices: [],
  vat_code: "DK25",
  vat_rate: 2500,
  default_recognition_method: null,
  default_months: null,
};

/** A stored line with the product at 100.00, earned when it is issued. */
export const TYPED_LINE: TypedLine = {
  key: "a",
  id: "line-a",
  product_id: WORKSHOP.id,
  text: "",
  method: "on_issue",
  price: "100",
  other_price: null,
  discount: "",
  service_from: "",
  service_to: "",
  budget: "",
  assignees: [],
};
