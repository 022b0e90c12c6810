/** Unbilled hours: a draft of the customer shows the hours and moves them, once, to one of its lines. */
import { beforeAll, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWork } from "../../../test/support/world/work.ts";
import type { Json } from "../../../test/support/world/world.ts";

const work = useWork({ knows_origin: true });
const { world, at, hours, hourly, lineIn, invoice, registered, showWork, cancel } = work;
let admin: Browser;
let proof: string;
beforeAll(async () => {
  at("2027-02-10");
  admin = await openConsent(world).signedInAdmin();
  proof = await proofOf(admin);
});

const unbilled = async (id: string): Promise<Json> =>
  (await admin.act("/app/drafts/unbilled", { id }, proof)).body;
const take = (id: string, line_id: string, ...ids: string[]) =>
  admin.act("/app/drafts/take-hours", { id, line_id, work: ids, language: "en" }, proof);

/** Work of a cancelled retainer, of a fully credited invoice, and of an issued invoice. */
async function lost(): Promise<{ dropped: string; credited: string; number: number }> {
  const { id: series_id } = await hourly();
  const dropped = (await registered(await lineIn(series_id, "2027-02"), { note: "Retained" })).id;
  await cancel(series_id, { end_date: "2027-01-31" });
  const [first, second] = [await invoice(), await invoice()];
  const credited = (await registered(first.lines[0].id, { hours: 3 })).id;
  await registered(second.lines[0].id, { hours: 1 });
  for (const { id } of [first, second]) await world.done(`POST /invoices/${id}/issue`);
  await world.done("POST /credit-notes", {
    external_id: `credit-${first.id}`,
    invoice: first.id,
    kind: "full",
    credit_date: "2027-02-10",
  });
  const number = (await world.done(`GET /invoices/${first.id}`)).ledger_invoice_number;
  return { dropped, credited, number };
}

it("shows dropped and credited hours and the drafts with unbilled hours, and moves hours to a line", async () => {
  const { dropped, credited, number } = await lost();
  const [own, other] = [await invoice(), await invoice([hours()], { title: "Waits" })];
  await registered(other.lines[0].id, { hours: 4, date: "2027-02-08" });
  await registered(own.lines[0].id, { hours: 0.5 });
  const found = await unbilled(own.id);
  const shown = found.work.map(({ id, hours, note, period, number }: Json) => [
    id,
    hours,
    note,
    period,
    number,
  ]);
  expect(shown).toEqual([
    [dropped, 200, "Retained", "2027-02", null],
    [credited, 300, null, null, String(number)],
  ]);
  expect(found.drafts).toEqual([{ id: other.id, title: "Waits", hours: 400, since: "2027-02-08" }]);

  const line_id = own.lines[0].id;
  const foreign = await take(own.id, other.lines[0].id, dropped);
  expect([foreign.status, (await showWork(dropped)).status]).toEqual([404, "dropped"]);
  const { body } = await take(own.id, line_id, dropped, credited);
  expect(body.facts.worked[line_id].map((one: Json) => one.hours)).toEqual([200, 300, 50]);
  expect(await showWork(credited)).toMatchObject({ invoice_id: own.id, status: "open" });
  // Repeating the request moves nothing and refuses nothing.
  expect((await take(own.id, line_id, dropped, credited)).status).toBe(200);
  expect((await unbilled(own.id)).work).toEqual([]);
});

it("shows no hours in the draft of another customer", async () => {
  await lost();
  const { id: customer_id } = await world.done("POST /customers", { name: "Another" });
  const { id } = await invoice([hours()], { customer_id });
  expect(await unbilled(id)).toEqual({ work: [], drafts: [] });
  const unassigned = "01a20000-0000-7000-8000-000000000000";
  expect((await admin.act("/app/drafts/unbilled", { id: unassigned }, proof)).status).toBe(404);
});
