/** The requests of a key as admins see them, over the real service: what is in them, what never is, and for whom. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const DEVELOPER = "/settings/developer";
const world = useWorld({ knows_origin: true });
const oauth = openConsent(world);
let admin: Browser;
let standard: Browser;
const ids: Record<string, string> = {};
beforeAll(async () => {
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  const keys = await world.sql("select id, scope from api_keys where account_id = $1", [
    world.account.account_id,
  ]);
  for (const { id, scope } of keys) ids[scope] = id;
});

const kept = (key_id: string | undefined) =>
  world.sql("select * from api_key_requests where key_id = $1 order by id", [key_id]);
const pageOf = (key_id: string | undefined, query = "") =>
  admin.get(`${DEVELOPER}/keys/${key_id}${query}`);

describe("the requests of a key", () => {
  it("are listed with their end, the newest first, and filtered by it", async () => {
    // The invitation of the standard user was a request, too.
    await expect.poll(async () => (await kept(ids.read_write)).length).toBe(1);
    const made = await world.done("POST /customers", { name: "Acme ApS" });
    await world.rest(`PATCH /customers/${made.id}`, { email: "no address" });
    await world.rest("GET /customers/ext:missing");
    await world.rest("GET /nothing");
    await expect.poll(async () => (await kept(ids.read_write)).length).toBe(5);
    const page = await pageOf(ids.read_write);
    expect(page.status).toBe(200);
    const text = textOf(page);
    const at = [
      "GET /api/v1/nothing",
      "GET /api/v1/customers/ext:missing",
      `PATCH /api/v1/customers/${made.id}`,
      "POST /api/v1/customers",
    ].map((one) => text.indexOf(one));
    expect(at.every((one) => one > 0)).toBe(true);
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(text).toMatch(/404 NOT_FOUND/);
    expect(text).toMatch(/422 VALIDATION_FAILED/);
    const refused = textOf(await pageOf(ids.read_write, "?status=refused"));
    expect(refused).toContain("PATCH /api/v1/customers");
    expect(refused).not.toContain("POST /api/v1/customers");
    const answered = textOf(await pageOf(ids.read_write, "?status=answered"));
    expect(answered).toContain("POST /api/v1/customers");
    expect(answered).not.toContain("NOT_FOUND");
    expect(textOf(await pageOf(ids.read_write, "?status=failed"))).toContain("no such requests");
  });

  it("have the request id of the answer, and the code of a refusal by the scope", async () => {
    const { headers } = await world.rest("POST /customers", { name: "x" }, world.account.keys.read);
    const request_id = headers.get("x-request-id");
    await expect
      .poll(async () => (await kept(ids.read)).at(-1))
      .toMatchObject({ request_id, status: 403, refusal: "INSUFFICIENT_SCOPE" });
    expect((await pageOf(ids.read)).html).toContain(request_id);
  });

  it("contain no key, no token, no body and no search text", async () => {
    const { read_write } = world.account.keys;
    const before = (await kept(ids.read_write)).length;
    await world.done("POST /customers", { name: "Body of a request", vat_number: null });
    await world.rest(`GET /search?q=Hemmelig&key=${read_write}`);
    await world.rest(`GET /customers/${read_write}`);
    await expect.poll(async () => (await kept(ids.read_write)).length).toBe(before + 3);
    const [row] = await world.sql(
      "select string_agg(r::text, chr(10)) as all from api_key_requests r",
    );
    for (const secret of [read_write, read_write.slice(8), "Hemmelig", "Body of a request"]) {
      expect(row.all).not.toContain(secret);
    }
    expect(row.all).toContain("/api/v1/search?q=…&key=…");
  });

  it("are those of keys alone: pages, actions and unknown keys leave none", async () => {
    const count = async () => (await world.sql("select 1 from api_key_requests")).length;
    const before = await count();
    await admin.get("/today");
    await world.rest("GET /customers", undefined, `mbk_${"x".repeat(36)}`);
    await world.rest("GET /customers", undefined, null);
    await world.done("GET /products");
    await expect.poll(count).toBe(before + 1);
  });

  it("are shown in pages of fifty", async () => {
    await world.sql("delete from api_key_requests");
    for (let n = 0; n < 60; n += 1) await world.done(`GET /products?limit=${n + 1}`);
    await expect.poll(async () => (await kept(ids.read_write)).length).toBe(60);
    const first = await pageOf(ids.read_write);
    const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&");
    const second = await admin.get(next ?? "");
    const listed = (html: string) =>
      [...html.matchAll(/title="GET [^"]*products\?limit=(\d+)"/g)].map(([, n]) => n);
    expect([listed(first.html).length, listed(second.html).length]).toEqual([50, 10]);
    expect([listed(first.html)[0], listed(second.html).at(-1)]).toEqual(["60", "1"]);
    expect(second.html).not.toContain('rel="next"');
  });

  it("are found from the list of keys", async () => {
    expect((await admin.get(DEVELOPER)).html).toContain(`href="${DEVELOPER}/keys/${ids.read}"`);
  });
});

describe("who sees them", () => {
  it("is an admin of the account: standard users, other accounts and unknown keys get 404", async () => {
    const other = await world.openAnother();
    const [foreign] = await world.sql("select id from api_keys where account_id = $1 limit 1", [
      other.account_id,
    ]);
    expect((await standard.get(`${DEVELOPER}/keys/${ids.read}`)).status).toBe(404);
    expect((await pageOf(foreign.id)).status).toBe(404);
    expect((await pageOf("0190a000-0000-7000-8000-000000000000")).status).toBe(404);
    expect((await pageOf("nothing")).status).toBe(404);
  });
});
