/** GET /work-registrations: filters, order, pages and polls (spec 11.3). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID } from "../../../../test/support/world/series.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, hours, at, issued, newUser, invoice, hourly, lineIn, registered, list } =
  useWork();

let user = "";
let beta: Json;
let first: Json;
let retainer: Json;
/** Names of the registrations, by id. */
const names = new Map<string, string>();

beforeAll(async () => {
  at("2027-02-10");
  user = await newUser();
  await world.done(`PATCH /users/${user}`, { name: "Kim" });
  beta = await world.done("POST /customers", { name: "Beta", external_id: "beta" });
  first = await invoice([hours()], { external_id: "first" });
  const other = await invoice([hours()], { customer_id: beta.id });
  retainer = await hourly({ external_id: "retainer" });
  const someone = await newUser();
  const add = async (name: string, line_id: string, fields: Json) => {
    const { id } = await registered(line_id, { user_id: someone, external_id: name, ...fields });
    names.set(id, name);
  };
  await add("a", first.lines[0].id, { date: "2027-01-05" });
  await add("b", other.lines[0].id, { date: "2027-01-06", user_id: user });
  await add("c", await lineIn(retainer.id, "2027-01"), { date: "2027-01-07" });
  await add("d", await lineIn(retainer.id, "2027-02"), { date: "2027-02-08", billable: false });
  await add("e", first.lines[0].id, { date: "2027-02-09", user_id: user });
  await issued(retainer.id, "2027-01");
});

const found = async (query: string): Promise<string> =>
  (await list(query)).map(({ id }) => names.get(id)).join("");

describe("GET /work-registrations", () => {
  it.each<[string, () => string, string]>([
    ["nothing", () => "", "edcba"],
    ["an external id", () => "external_id=c", "c"],
    ["an unknown external id", () => "external_id=z", ""],
    ["a customer", () => `customer=${customer.id}`, "edca"],
    ["a customer by external id", () => "customer=ext:beta", "b"],
    ["an unknown customer", () => `customer=${UNKNOWN_ID}`, ""],
    ["a user", () => `user=${user}`, "eb"],
    ["an unknown user", () => "user=ext:unknown", ""],
    ["an invoice", () => "invoice=ext:first", "ea"],
    ["an unknown invoice", () => `invoice=${UNKNOWN_ID}`, ""],
    ["a series", () => "series=ext:retainer", "dc"],
    ["an unknown series", () => `series=${UNKNOWN_ID}`, ""],
    ["a period", () => "period=2027-02", "d"],
    ["a line", () => `line=${first.lines[0].id}`, "ea"],
    ["a first date", () => "from=2027-01-07", "edc"],
    ["a last date", () => "to=2027-01-06", "ba"],
    ["a range of days", () => "from=2027-01-06&to=2027-02-08", "dcb"],
    ["a status", () => "status=invoiced", "c"],
    ["billable ones", () => "billable=true", "ecba"],
    ["non-billable ones", () => "billable=false", "d"],
    ["several things", () => `customer=${customer.id}&status=open&to=2027-02-08`, "da"],
  ])("filtered by %s", async (_, query, expected) => {
    expect(await found(query())).toBe(expected);
  });

  it("finds the work of an issued occurrence by its invoice", async () => {
    const [work] = await list("external_id=c");
    expect(await found(`invoice=${work?.invoice_id}`)).toBe("c");
  });

  it("lists from the newest to the oldest, in pages", async () => {
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const { data, has_more, next_cursor } = await world.done(
        `GET /work-registrations?limit=2&customer=${customer.id}${cursor}`,
      );
      seen.push(...data.map(({ id }: Json) => names.get(id)));
      if (!has_more) break;
      cursor = `&cursor=${next_cursor}`;
    }
    expect(seen.join("")).toBe("edca");
  });

  it("lists changes since a stamp, including the change by an issue", async () => {
    const [newest] = await list("external_id=e");
    const since = encodeURIComponent(newest?.updated_at);
    // The issue came after all registrations.
    expect(await found(`updated_since=${since}&status=invoiced`)).toBe("c");
  });

  it.each([
    ["limit=0", "limit too_small"],
    ["status=paid", "status invalid_value"],
    ["billable=maybe", "billable invalid_type"],
    ["from=2027-02-30", "from invalid_format"],
    ["line=first", "line invalid_format"],
    ["user=kim", "user invalid_format"],
    ["cursor=x", "cursor invalid_value"],
    ["updated_since=today", "updated_since invalid_format"],
  ])("refuses %s", async (query, fault) => {
    const reply = await world.rest(`GET /work-registrations?${query}`);
    expect(refusal(reply)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });

  it("shows nothing of another account", async () => {
    const other = await world.openAnother();
    const { data } = await world.done("GET /work-registrations", undefined, other.keys.read);
    expect(data).toEqual([]);
  });
});
