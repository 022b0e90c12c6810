/** What the dispatcher's statements read, where one endpoint has very many deliveries that wait: as much as with few. */
import { beforeAll, expect, it } from "vitest";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import type { EndpointRow } from "../webhooks/queries.ts";
import { listPending, lookForWork, skipExpired, waitingWebhooks } from "./list-due.ts";
import { HeldEndpoint } from "./open-endpoint.ts";
import { OutcomeStore } from "./store-outcomes.ts";

const world = useWorld();
const WAITING = 20_000;
/** So many of the oldest are read at once. */
const READ = 1_000;
const HOLDER = "this test";
let full: EndpointRow;
let empty: EndpointRow;
beforeAll(async () => {
  const rows: EndpointRow[] = [];
  for (let n = 0; n < 2; n += 1) {
    const body = { url: "https://hooks.example/", event_types: ["product.*"] };
    const { id } = await world.done("POST /webhook-endpoints", body);
    const [row] = await world.sql(
      `update webhook_endpoints set holder = $2, read_through = (select seq from audit_heads where account_id = $3) + 9
       where id = $1 returning *`,
      [id, HOLDER, world.account.account_id],
    );
    rows.push(row);
  }
  [full, empty] = rows as [EndpointRow, EndpointRow];
  await world.sql(
    `insert into webhook_deliveries (account_id, endpoint_id, id, event_id, sequence, event_type, root, status, attempts, created_at, body)
     select $1, $2, gen_random_uuid(), 'e', n, 'product.created', 'r' || n, 'pending', '[]', now(), repeat('x', 1000)
     from generate_series(1, ${WAITING}) as n`,
    [world.account.account_id, full.id],
  );
});

/** The connections of the service, which keep the statements that they are sent. */
function recording(): { db: Database; sent: Sql[] } {
  const { db } = world.services;
  const sent: Sql[] = [];
  const rows = <Row>(statement: Sql): Promise<Row[]> => {
    sent.push(statement);
    return db.rows<Row>(statement);
  };
  return { db: { ...db, rows }, sent };
}

/** How many rows of deliveries a statement examines. */
async function examined({ text, sent }: Sql): Promise<number> {
  const [row] = await world.sql(`explain (analyze, format json) ${text}`, sent);
  const count = (node: Json): number => {
    const of_node =
      node["Relation Name"] === "webhook_deliveries" && node["Node Type"] !== "ModifyTable"
        ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
        : 0;
    return (node.Plans ?? []).reduce((sum: number, one: Json) => sum + count(one), of_node);
  };
  return count(row["QUERY PLAN"][0].Plan);
}

it.each(["without", "with"])("%s statistics of the table", async (statistics) => {
  if (statistics === "with") await world.sql("analyze webhook_deliveries");
  const { db, sent } = recording();
  const { found } = await lookForWork(db, [], true);
  expect(found.map(({ id }) => id)).toEqual([full.id]);
  await db.rows(sql`select 1 as one ${waitingWebhooks} limit 1`);
  const { pending } = await listPending(db, full, "2020-01-01T00:00:00.000Z", READ);
  expect(pending).toHaveLength(READ);
  await skipExpired(db, full.account_id, []);

  const late = pending.at(-1);
  if (late === undefined) throw new Error("nothing waits");
  const outcomes = new OutcomeStore({ ...world.services, db }, HOLDER, () => {});
  const endpoint = new HeldEndpoint(full, "", world.services.sealing);
  const at = timestampOf(Date.now());
  outcomes.add({
    endpoint,
    outcome: {
      ...{ account_id: full.account_id, endpoint_id: full.id, id: late.id, status: "pending" },
      ...{ attempt_count: 1, next_attempt_at: at, settled_at: null, request_headers: {} },
      attempt: {
        ...{ at, duration_ms: 1, status: 503, error: null },
        ...{ response_headers: {}, response_body: null },
      },
    },
  });
  await outcomes.storeAll();
  const [stored] = await world.sql("select attempts from webhook_deliveries where id = $1", [
    late.id,
  ]);
  expect(stored.attempts.at(-1)).toMatchObject({ status: 503 });
  expect(empty.id).not.toBe(full.id);

  const [look, waiting, list, skip, outcome] = sent;
  const rows = await Promise.all(
    [look, waiting, list, skip, outcome].map((one) => examined(one as Sql)),
  );
  expect(rows[2]).toBe(READ);
  for (const few of [rows[0], rows[1], rows[3], rows[4]]) expect(few).toBeLessThan(10);
});
