/** The journal of the built-in ledger is tamper-evident for every form of document. */
import { beforeAll, describe, expect, it } from "vitest";
import { afterTampering } from "../../../../test/support/database/tampering.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { verifyJournal } from "./verify.ts";

const world = useWorld();
beforeAll(async () => {
  await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.460012 });
  const customer = await world.done("POST /customers", { name: 'Bæver "A/S" \\ \u{1F9AB}' });
  const product = await world.done("POST /products", { name: "Consulting", default_price: 100 });
  for (const [currency, agreed_value] of [
    ["DKK", 99.99],
    ["EUR", 1234.56],
    ["DKK", 0.01],
  ]) {
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      currency,
      auto_send: false,
      lines: [{ product_id: product.id, recognition_method: "value", agreed_value }],
    });
    await world.done(`POST /invoices/${id}/issue`);
  }
});

describe("the journal of an account", () => {
  it("verifies, in whatever currency and with whatever names it has", async () => {
    expect(await verifyJournal(world.db, world.account.account_id)).toBeNull();
    expect(await world.sql("select 1 from ledger_entries")).toHaveLength(3);
  });

  it("verifies without entries", async () => {
    const { account_id } = await world.openAnother();
    expect(await verifyJournal(world.db, account_id)).toBeNull();
  });

  it("does not verify for an account without books", async () => {
    const unknown_one = "0190a000-0000-7000-8000-000000000000";
    expect(await verifyJournal(world.db, unknown_one)).toMatchObject({ entry_no: 0n });
  });
});

describe("entries from before the hash covered the reversed entry", () => {
  it("remain valid in the form in which they were hashed, and new ones follow them", async () => {
    const { account_id } = world.account;
    const fault = await afterTampering(world.owner, ["ledger_entries"], "select 1", async (tx) => {
      const rows =
        await tx.rows<Json>(sql`select e.*, (select json_agg(json_build_array(p.account_number, p.amount::text,
             p.currency_amount::text, p.vat_code, p.customer_id) order by p.line_no)
           from ledger_postings p
           where p.account_id = e.account_id and p.entry_no = e.entry_no) as postings
         from ledger_entries e where account_id = ${account_id} order by entry_no`);
      let before: Buffer = Buffer.alloc(0);
      for (const row of rows) {
        const { entry_no, guid, kind, number, entry_date, text, currency, rate_micro } = row;
        const start = [`${entry_no}`, guid, kind, `${number}`, entry_date, text, currency];
        const rest = [`${rate_micro}`, row.payload_hash.toString("hex"), row.registered_at];
        const content = [...start, ...rest, row.registered_by, row.postings];
        // Only the last of the three is new.
        const version = entry_no < 3n ? 1 : 2;
        if (version === 2) content.push(null);
        const hash = sha256(Buffer.concat([before, Buffer.from(JSON.stringify(content))]));
        await tx.rows(sql`update ledger_entries set prev_hash = ${before}, hash = ${hash}, hash_version = ${version}
           where account_id = ${account_id} and entry_no = ${entry_no}`);
        before = hash;
      }
      await tx.rows(
        sql`update ledger_books set head_hash = ${before} where account_id = ${account_id}`,
      );
      return verifyJournal(tx, account_id);
    });
    expect(fault).toBeNull();
  });
});

describe("a manipulation is found", () => {
  it.each([
    [
      "a changed date",
      "update ledger_entries set entry_date = '2026-02-01' where entry_no = 2",
      2n,
    ],
    ["a changed text", "update ledger_entries set text = 'other' where entry_no = 1", 1n],
    ["a changed time", "update ledger_entries set registered_at = now() where entry_no = 1", 1n],
    ["a changed rate", "update ledger_entries set rate_micro = 1 where entry_no = 2", 2n],
    [
      "amounts changed so that they balance",
      "update ledger_postings set amount = amount * 2 where entry_no = 2",
      2n,
    ],
    [
      "another account for a posting",
      "update ledger_postings set account_number = 1010 where entry_no = 1 and account_number = 1000",
      1n,
    ],
    [
      "another entry that it reverses",
      "update ledger_entries set reverses_guid = '0190a000-0000-7000-8000-000000000000' where entry_no = 2",
      2n,
    ],
    [
      "an older form of the hash",
      "update ledger_entries set hash_version = 1 where entry_no = 2",
      2n,
    ],
    ["another customer", "update ledger_postings set customer_id = null where entry_no = 1", 1n],
    [
      "an entry taken out of the middle",
      "delete from ledger_postings where entry_no = 2; delete from ledger_entries where entry_no = 2",
      2n,
    ],
    [
      "the last entry taken out",
      "delete from ledger_postings where entry_no = 3; delete from ledger_entries where entry_no = 3",
      3n,
    ],
    [
      "the last entry taken out and the counter turned back",
      `delete from ledger_postings where entry_no = 3; delete from ledger_entries where entry_no = 3;
       update ledger_books set next_entry_no = 3`,
      2n,
    ],
    ["another head", "update ledger_books set head_hash = sha256(head_hash)", 3n],
  ])("%s", async (_what, statements, entry_no) => {
    const tables = ["ledger_entries", "ledger_postings"];

    const fault = await afterTampering(world.owner, tables, statements, (tx) =>
      verifyJournal(tx, world.account.account_id),
    );

    expect(fault).toMatchObject({ entry_no });
  });
});
