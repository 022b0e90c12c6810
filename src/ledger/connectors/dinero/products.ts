/** Stores products in Dinero. Our id is the external reference, for which the connector searches before it creates. */
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { LedgerProduct, PutOutcome } from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { badResponse, type DineroAnswer, type DineroApi, readable } from "./api.ts";
import { unitOf } from "./draft-document.ts";
import { isAbsent, rejectedFor } from "./refusals.ts";
import { listOf, objectOf, requiredTextOf } from "./values.ts";

export async function putProduct(
  api: DineroApi,
  product: LedgerProduct,
  options: CallOptions,
): Promise<PutOutcome> {
  if (product.active && product.ledger_account === null) {
    return { state: "rejected", code: "UNKNOWN_ACCOUNT", fields: { account_number: "not mapped" } };
  }
  const found: Found =
    product.ledger_id === null
      ? await findProduct(api, product.guid, options)
      : { state: "found", ledger_id: product.ledger_id };
  if (found.state !== "found") return found;
  if (found.ledger_id === null) {
    return product.active ? create(api, product, options) : { state: "stored", ledger_id: "" };
  }
  const path = `products/${found.ledger_id}`;
  const answer = await api(
    product.active
      ? { verb: "products/{guid}", method: "PUT", version: "v1", path, body: bodyOf(product) }
      : { verb: "products/{guid}", method: "DELETE", version: "v1", path },
    options,
  );
  if (answer.state === "refused" && isAbsent(answer.refusal)) {
    return product.active
      ? create(api, product, options)
      : { state: "stored", ledger_id: found.ledger_id };
  }
  return stored(answer, () => found.ledger_id ?? "");
}

type Found = { readonly state: "found"; readonly ledger_id: string | null } | Failure;

/** Finds a product by its external reference. When a lost response has left several, always the same one is returned. */
async function findProduct(api: DineroApi, guid: string, options: CallOptions): Promise<Found> {
  const query = new URLSearchParams({
    fields: "ProductGuid",
    queryFilter: `ExternalReference eq '${guid}'`,
  });
  const answer = await api(
    { verb: "products", method: "GET", version: "v1", path: `products?${query}` },
    options,
  );
  if (answer.state === "refused") return badResponse(answer.refusal);
  if (answer.state !== "done") return answer;
  return readable(() => {
    const guids = listOf(answer.value).map((one) => requiredTextOf(one, "ProductGuid"));
    return { state: "found", ledger_id: guids.sort()[0] ?? null };
  });
}

async function create(
  api: DineroApi,
  product: LedgerProduct,
  options: CallOptions,
): Promise<PutOutcome> {
  const answer = await api(
    {
      verb: "products",
      method: "POST",
      version: "v1",
      path: "products",
      body: bodyOf(product),
    },
    options,
  );
  return stored(answer, (value) => requiredTextOf(objectOf(value), "ProductGuid"));
}

function stored(answer: DineroAnswer, ledgerId: (value: unknown) => string): PutOutcome {
  if (answer.state === "refused") return rejectedFor(answer.refusal);
  if (answer.state !== "done") return answer;
  return readable(() => ({ state: "stored", ledger_id: ledgerId(answer.value) }));
}

function bodyOf(product: LedgerProduct) {
  return {
    ProductNumber: product.product_number,
    Name: product.name,
    BaseAmountValue: scaledToNumber(product.price_scaled, 4),
    Quantity: scaledToNumber(BigInt(product.quantity), 2),
    AccountNumber: Number(product.ledger_account),
    Unit: unitOf(product.unit),
    ExternalReference: product.guid,
    Comment: product.comments?.slice(0, 128) ?? null,
  };
}
