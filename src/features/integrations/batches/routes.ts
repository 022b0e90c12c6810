/** The REST routes of batches: many rows in one call, each as the call for one row takes it. */
import type { ManyCommand } from "../../../platform/commands/save-many.ts";
import { sentFile } from "../../../platform/http/body.ts";
import { NDJSON_TYPE, ndjsonBytes } from "../../../platform/http/ndjson.ts";
import { defineRoute, type Route, routesOf } from "../../../platform/http/route.ts";
import { customerRoutes } from "../../catalogue/customers/routes.ts";
import { productRoutes } from "../../catalogue/products/routes.ts";
import { invoiceRoutes } from "../../sales/invoices/routes.ts";
import { workRoutes } from "../../work/registrations/routes.ts";
import { saveCustomers } from "./create-customers.ts";
import { createInvoices } from "./create-invoices.ts";
import { createProducts } from "./create-products.ts";
import { rowReader } from "./read-rows.ts";
import { registerHours } from "./register-hours.ts";
import { runBatch } from "./run-batch.ts";
import { BatchQuery, BatchRow } from "./schemas.ts";

const MOST_BYTES = 10_000_000;

export const batchRoutes = [
  ...routesOf("Customers", [
    defineBatch(customerRoutes, "customers", saveCustomers, "Create or change many customers"),
  ]),
  ...routesOf("Products", [
    defineBatch(productRoutes, "products", createProducts, "Create many products"),
  ]),
  ...routesOf("Work registrations", [
    defineBatch(workRoutes, "work_registrations", registerHours, "Register many hours"),
  ]),
  ...routesOf("Invoices", [
    defineBatch(invoiceRoutes, "invoices", createInvoices, "Create many drafts"),
  ]),
];

/** Defines the route that takes many bodies of the route that creates one. */
function defineBatch<Input extends { readonly external_id: string }>(
  routes: readonly Route[],
  chapter: string,
  many: ManyCommand<Input>,
  summary: string,
) {
  const single = routes.find(({ operation }) => operation === `${chapter}.create`);
  if (single === undefined) throw new Error(`${chapter} has no route that creates one`);
  const readRows = rowReader<Input>(single);
  return defineRoute(`POST ${single.path as `/${string}`}/batch`, {
    operation: `${chapter}.batch`,
    summary,
    description: `Each line is the body of \`POST ${single.path}\`, with an \`external_id\`. At most 10 MB, 10,000 lines and 64 kB a line. The answer has a line for each, in their order, streamed as batches of 200 are committed; a line that is refused stops no other. After 15 seconds nothing more is begun, and the rest is \`remaining\`: the same bytes again continue. An \`Idempotency-Key\` keeps no answer. An account does one such call at a time. A connected accounting system gets the changes afterwards.`,
    access: "write",
    heavy: { field: "body", narrow: "Send fewer rows.", needs_primary: true, one_at_a_time: true },
    file: { content_types: [NDJSON_TYPE], most_bytes: MOST_BYTES },
    keeps_no_answer: true,
    query: BatchQuery,
    replies: { 200: { content_type: NDJSON_TYPE, line: BatchRow } },
    async handle(cx, { query, body }) {
      const rows = readRows(sentFile(body).bytes);
      const options = { is_dry_run: query.dry_run, now: () => performance.now() };
      const batches = runBatch(cx, many, rows, options);
      // What concerns no row is refused before the first byte of the answer.
      const first = await batches.next();
      return {
        status: 200,
        stream: { content_type: NDJSON_TYPE, lines: linesFrom(first, batches) },
      };
    },
  });
}

async function* linesFrom(
  first: IteratorResult<readonly BatchRow[]>,
  batches: AsyncGenerator<readonly BatchRow[]>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let batch = first; !batch.done; batch = await batches.next()) {
      yield ndjsonBytes(batch.value);
    }
  } finally {
    await batches.return(undefined);
  }
}
