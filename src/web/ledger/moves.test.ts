/** The moves between ledgers on the page of the connection, for an admin in both languages. */
import { beforeAll, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const CONNECTION = "/ledger/connection";
const DANISH = { "accept-language": "da" };
let admin: Browser;
beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
});

const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** Stores a move as the command leaves it. */
async function moved(id: string, fields: Record<string, unknown>): Promise<void> {
  const row = {
    account_id: world.account.account_id,
    id: `0190a000-0000-7000-8000-00000000000${id}`,
    state: "completed",
    from_kind: "builtin",
    to_kind: "builtin",
    begins_on: "2026-04-01",
    contract_asset: 0,
    contract_liability: 0,
    requested_by: "system:operator",
    ended_at: "2026-04-05T09:00:00Z",
    ...fields,
  };
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  await world.sql(
    `insert into ledger_moves (${columns.join(", ")}) values (${places.join(", ")})`,
    Object.values(row),
  );
}

it("are not named where there are none", async () => {
  expect(textOf(await admin.get(CONNECTION))).not.toContain("Moves between ledgers");
});

it("are listed with what opened the new books", async () => {
  const voucher_guid = "0190a000-0000-7000-8000-0000000000aa";
  await moved("1", { contract_liability: 1_100_000, voucher_guid, voucher_number: 7 });
  await moved("2", { state: "refused", reason: "The books are closed.", voucher_guid });
  const page = textOf(await admin.get(CONNECTION));
  expect(page).toContain("Moves between ledgers");
  expect(page).toMatch(/Deferred DKK\s?11,000\.00, accrued DKK\s?0\.00, voucher 7/);
  expect(page).toContain("Refused The books are closed.");
  const danish = textOf(await admin.get(CONNECTION, DANISH));
  expect(danish).toContain("Flytninger mellem regnskaber");
  expect(danish).toMatch(/Forudfaktureret 11\.000,00.*bilag 7/);
});

it("say first that nothing is booked while the books move", async () => {
  await moved("3", { state: "moving", ended_at: null });
  expect(textOf(await admin.get(CONNECTION))).toContain("The books are moving: nothing is booked");
  expect(textOf(await admin.get(CONNECTION, DANISH))).toContain("Bogholderiet er ved at flytte");
});
