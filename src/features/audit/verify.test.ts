/** The audit trail is tamper-evident (domain.md 3.12, decisions.md 24). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { afterTampering } from "../../../test/support/tampering.ts";
import { openWorld, type World } from "../../../test/support/world.ts";
import { verifyAuditTrail } from "./verify.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const { id } = await world.done("POST /customers", { name: "Smørrebrød & Søn \u{1F41F}" });
  await world.done(`PATCH /customers/${id}`, { name: 'Quotes " and \\ and \u2028' });
  await world.done("POST /products", { name: "Consulting", default_price: 0.0001 });
});
afterAll(() => world.close());

describe("the audit trail of an account", () => {
  it("verifies after every kind of change", async () => {
    const { account_id } = world.account;
    expect(await verifyAuditTrail(world.db, account_id)).toBeNull();
    const [{ count }] = await world.sql("select count(*) from audit_events where account_id = $1", [
      account_id,
    ]);
    expect(count).toBeGreaterThan(5n);
  });

  it("verifies while others write", async () => {
    const writes = Array.from({ length: 20 }, (_, index) =>
      world.done("POST /customers", { name: `Customer ${index}` }),
    );
    const found = await Promise.all(
      writes.map(() => verifyAuditTrail(world.db, world.account.account_id)),
    );
    await Promise.all(writes);
    expect(found.filter((fault) => fault !== null)).toEqual([]);
  });

  it("does not verify for an account that does not exist", async () => {
    const nobody = "0190a000-0000-7000-8000-000000000000";
    expect(await verifyAuditTrail(world.db, nobody)).toMatchObject({ at: 0n });
  });
});

describe("tampering is found", () => {
  it.each([
    [
      "a changed text",
      `update audit_events set payload = replace(payload, 'Quotes', 'Quoted') where seq = 6`,
      6n,
    ],
    ["a changed column", "update audit_events set actor_id = 'somebody else' where seq = 3", 3n],
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
       update audit_events e set hash = sha256(b.hash || convert_to(e.payload, 'UTF8'))
         from audit_events b where e.seq = 2 and b.seq = 1 and b.account_id = e.account_id`,
      3n,
    ],
    ["another head", "update audit_heads set hash = sha256(hash)", null],
  ])("%s", async (_what, statements, at) => {
    const { account_id } = world.account;
    const [{ seq }] = await world.sql("select seq from audit_heads where account_id = $1", [
      account_id,
    ]);

    const fault = await afterTampering(world.db, ["audit_events"], statements, (tx) =>
      verifyAuditTrail(tx, account_id),
    );

    expect(fault).toMatchObject({ at: at ?? seq });
  });
});
