/** The audit trail is tamper-evident (spec 3.12). */
import { beforeAll, describe, expect, it } from "vitest";
import { afterTampering } from "../../../../test/support/database/tampering.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { transact } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { jsonText, sha256 } from "../../../platform/runtime/json.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { verifyAuditTrail } from "./verify.ts";

const world = useWorld();
const UNKNOWN = "0190a000-0000-7000-8000-000000000000";
beforeAll(async () => {
  const { id } = await world.done("POST /customers", { name: "Smørrebrød & Søn \u{1F41F}" });
  await world.done(`PATCH /customers/${id}`, { name: 'Quotes " and \\ and \u2028' });
  await world.done("POST /products", { name: "Consulting", default_price: 0.0001 });
});

describe("the audit trail of an account", () => {
  it("verifies after every kind of change", async () => {
    const { account_id } = world.account;
    expect(await verifyAuditTrail(world.db, account_id)).toBeNull();
    const [{ count }] = await world.sql("select count(*) from audit_events where account_id = $1", [
      account_id,
    ]);
    expect(count).toBeGreaterThan(5n);
  });

  it("verifies in parallel with writes", async () => {
    const writes = Array.from({ length: 20 }, (_, index) =>
      world.done("POST /customers", { name: `Customer ${index}` }),
    );
    const found = await Promise.all(
      writes.map(() => verifyAuditTrail(world.db, world.account.account_id)),
    );
    await Promise.all(writes);
    expect(found.filter((fault) => fault !== null)).toEqual([]);
  });

  it("verifies with a few events in one transaction, in parallel with others", async () => {
    const { account_id } = world.account;
    const cx = await operatorContext(world.services, account_id);
    const change = (name: string) => ({
      before: null,
      after: jsonText({ object: "customer", name, customer_id: UNKNOWN, lines: [name] }),
    });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        transact(cx, async (tx) => {
          for (let event = 0; event <= index % 4; event += 1) {
            tx.audit("reference_rate", `${index}/${event}`, "created", change(`"{[\\ ${index}`));
          }
        }),
      ),
    );
    expect(await verifyAuditTrail(world.db, account_id)).toBeNull();
    const { data } = await world.done("GET /audit-events?limit=100&resource_type=reference_rate");
    expect(data).toHaveLength(100);
    // The events of a transaction stand next to each other, in their order.
    const ids: string[] = data.map(({ resource_id }: Json) => resource_id).reverse();
    for (const [at, id] of ids.entries()) {
      const [index, event = "0"] = id.split("/");
      if (event !== "0") expect(ids[at - 1]).toBe(`${index}/${Number(event) - 1}`);
    }
    const [{ customers }] = await world.sql(
      "select count(*) as customers from audit_events where customer_id = $1",
      [UNKNOWN],
    );
    expect(customers).toBe(100n);
  });

  it("does not verify for an account that does not exist", async () => {
    expect(await verifyAuditTrail(world.db, UNKNOWN)).toMatchObject({ at: 0n });
  });
});

describe("events from before the hash covered the grant", () => {
  it("remain valid in the form in which they were hashed, and new ones follow them", async () => {
    const { account_id } = world.account;
    const old = 4n;
    const fault = await afterTampering(world.owner, ["audit_events"], "select 1", async (tx) => {
      const rows = await tx.rows<{ seq: bigint; payload: string }>(
        sql`select seq, payload from audit_events where account_id = ${account_id} order by seq`,
      );
      let hash: Buffer = Buffer.alloc(0);
      for (const { seq, payload } of rows) {
        const version = seq <= old ? 1 : 2;
        hash = sha256(Buffer.concat([hash, Buffer.from(version === 1 ? payload : `${payload}\n`)]));
        await tx.rows(
          sql`update audit_events set hash = ${hash}, hash_version = ${version} where account_id = ${account_id} and seq = ${seq}`,
        );
      }
      await tx.rows(sql`update audit_heads set hash = ${hash} where account_id = ${account_id}`);
      return verifyAuditTrail(tx, account_id);
    });
    expect(fault).toBeNull();
  });
});

describe("a manipulation is found", () => {
  it.each([
    [
      "a changed text",
      `update audit_events set payload = replace(payload, 'Quotes', 'Quoted') where seq = 6`,
      6n,
    ],
    ["a changed column", "update audit_events set actor_id = 'another person' where seq = 3", 3n],
    [
      "another customer",
      "update audit_events set customer_id = '0190a000-0000-7000-8000-000000000000' where seq = 5",
      5n,
    ],
    ["a changed time", "update audit_events set at = at - interval '1 day' where seq = 2", 2n],
    ["a deleted event", "delete from audit_events where seq = 4", 4n],
    [
      "a deleted last event",
      "delete from audit_events where seq = (select max(seq) from audit_events)",
      null,
    ],
    [
      "a text and its hash, changed together",
      `update audit_events set payload = payload || ' ' where seq = 2;
       update audit_events e set hash = sha256(b.hash || convert_to(e.payload || E'\n', 'UTF8'))
         from audit_events b where e.seq = 2 and b.seq = 1 and b.account_id = e.account_id`,
      3n,
    ],
    [
      "another grant",
      "update audit_events set grant_id = '0190a000-0000-7000-8000-000000000000' where seq = 5",
      5n,
    ],
    ["an older form of the hash", "update audit_events set hash_version = 1 where seq = 3", 3n],
    ["another head", "update audit_heads set hash = sha256(hash)", null],
  ])("%s", async (_what, statements, at) => {
    const { account_id } = world.account;
    const [{ seq }] = await world.sql("select seq from audit_heads where account_id = $1", [
      account_id,
    ]);

    const fault = await afterTampering(world.owner, ["audit_events"], statements, (tx) =>
      verifyAuditTrail(tx, account_id),
    );

    expect(fault).toMatchObject({ at: at ?? seq });
  });
});
