/** The pages of the month close: what would be booked, the close and its reopening, for admins in both languages. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openStudio, type Studio } from "../../../test/support/world/studio.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const DANISH = { "accept-language": "da" };
const JANUARY = "/close/2026-01";
const FEBRUARY = "/close/2026-02";
/** The page with its bookings, as a browser without scripts loads it. */
const ALL = "?all=1";
let admin: Browser;
let standard: Browser;
let studio: Studio;
let anna: string;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
const confirmed = async (path = `${JANUARY}/confirm`, fields = {}): Promise<PageReply> =>
  admin.submit(await admin.get(path), path, fields);
const statusOf = async (month: string): Promise<string> =>
  (await world.done(`GET /period-closes/${month}/preview`)).status;

// One account in the order of its months: each test continues where the one before ended.
describe("the close of January", () => {
  it("begins with a page that states what comes first", async () => {
    const page = await admin.get("/close");
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("There is no month to close yet");
    studio = await openStudio(world, world.account);
    ({ Anna: anna } = await studio.customersWith("2026-01", "Anna"));
    const line = studio.service(3000, "2026-01-01", "2026-03-31");
    await studio.issued([line], { customer_id: anna, issue_date: "2026-01-10" });
    const { location } = await admin.get("/close");
    expect(location).toBe(JANUARY);
  });

  it("shows the vouchers with the lines that cause them, as the API previews them", async () => {
    const page = await admin.get(`${JANUARY}${ALL}`);
    const text = textOf(page);
    expect(text).toContain("January 2026");
    expect(text).toContain("1 voucher, dated 31 January");
    const { entries } = await world.done("GET /period-closes/2026-01/preview");
    const sums = entries.map(({ debit, credit }: Json) =>
      (debit || credit).toLocaleString("en-GB", { minimumFractionDigits: 2 }),
    );
    expect(sums.length).toBeGreaterThan(1);
    for (const sum of sums) expect(text).toContain(` ${sum} `);
    expect(text).toMatch(/Advice Over time, \d+(\.\d+)? of \d+ months \u22122,000\.00/);
    expect(text).toContain("One line earns revenue that is assigned to no person");
    expect(page.html).toContain('href="/close/2026-01/confirm"');
  });

  it("is named in the navigation, because the month has ended", async () => {
    expect(textOf(await admin.get("/customers"))).toContain("Month close Jan ready to close");
    const danish = textOf(await admin.get("/customers", DANISH));
    expect(danish).toContain("Månedslukning jan klar til at blive lukket");
    expect(textOf(await standard.get("/customers"))).not.toContain("ready to close");
  });

  it("is shown in Danish with Danish numbers and terms", async () => {
    const text = textOf(await admin.get(`${JANUARY}${ALL}`, DANISH));
    expect(text).toContain("Januar 2026");
    expect(text).toContain("Luk januar med");
    expect(text).toContain("Forudfaktureret");
    expect(text).toContain("2.000,00");
    expect(text).not.toMatch(/Contract|earned|Revenue/);
  });

  it("takes at most 12 statements a page", async () => {
    for (const path of [JANUARY, FEBRUARY]) {
      expect(await statementsOf(() => admin.get(path))).toBeLessThanOrEqual(13);
    }
  });

  it("is refused for February while January is open, with the way to January", async () => {
    const page = await admin.get(`${FEBRUARY}${ALL}`);
    expect(textOf(page)).toContain("The month has ended and is not closed.");
    expect(page.html).toContain('href="/close/2026-01"');
    expect(page.html).not.toContain('href="/close/2026-02/confirm"');
    const shown = await admin.get(`${FEBRUARY}/confirm`);
    expect(textOf(shown)).toContain("An earlier month is not closed yet");
    expect(shown.html).not.toContain('action="/close/2026-02/confirm"');
  });

  it("books nothing when the figures have changed since the confirmation was shown", async () => {
    const path = `${JANUARY}/confirm`;
    const shown = await admin.get(path);
    expect(textOf(shown)).toContain("Close January 2026?");
    await studio.customersWith("2026-01", "Bo");
    const page = await admin.submit(shown, path, {});
    expect(page.status).toBe(409);
    expect(textOf(page)).toContain("The figures have changed since you saw them");
    expect(await statusOf("2026-01")).toBe("open");
  });

  it("is offered to admins alone", async () => {
    const forged = await standard.get(JANUARY);
    expect(forged.status).toBe(404);
    expect(textOf(await standard.get("/today"))).not.toContain("Month close");
    const proof = await proofOf(standard);
    const { status } = await standard.act("/app/close/ahead", { month: "2026-01" }, proof);
    expect(status).toBe(404);
  });

  it("books the vouchers once when it is confirmed twice", async () => {
    const path = `${JANUARY}/confirm`;
    const shown = await admin.get(path);
    const [first, second] = await Promise.all([
      admin.submit(shown, path, {}),
      admin.submit(shown, path, {}),
    ]);
    expect([first.status, second.status].sort()).toContain(303);
    expect(await statusOf("2026-01")).toBe("completed");
    expect((await studio.vouchers()).length).toBe(2);
    const page = await admin.get(JANUARY);
    const text = textOf(page);
    expect(text).toContain("The month is closed: its revenue is booked.");
    expect(text).toMatch(/Anna .*Advice .*Voucher 1 Earned 2,000\.00 Invoiced 3,000\.00/);
    expect(page.html).toContain('href="/close/2026-01/reopen"');
  });

  it("explains each line of a booked voucher", async () => {
    const page = await admin.get(JANUARY);
    const [, explain = ""] = /href="(\?explain=[^"#]+)#panel"/.exec(page.html) ?? [];
    const text = textOf(await admin.get(`${JANUARY}${explain}`));
    expect(text).toContain("Earned in January 2026");
    expect(await statementsOf(() => admin.get(JANUARY))).toBeLessThanOrEqual(13);
  });

  it("leads back to the month when it is confirmed again", async () => {
    expect((await admin.get(`${JANUARY}/confirm`)).location).toBe(JANUARY);
  });
});

describe("the reopening of January", () => {
  const path = `${JANUARY}/reopen`;
  const reopened = async (fields: object) =>
    admin.submit(await admin.get(path), path, fields as never);

  it.each([
    ["another month", { typed: "February", reason: "Wrong hours" }, "Type January."],
    ["no reason", { typed: "January", reason: "" }, "Some fields are not valid"],
  ])("is refused with %s", async (_case, fields, message) => {
    const page = await reopened(fields);
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain(message);
    expect(await statusOf("2026-01")).toBe("completed");
  });

  it("unlocks the month and leaves its vouchers booked", async () => {
    expect(textOf(await admin.get(path))).toContain(
      "Unlocks January. Its 2 vouchers stay; each is reversed on its customer's page.",
    );
    const { location } = await reopened({ typed: "january 2026", reason: "Wrong hours" });
    expect(location).toBe(JANUARY);
    expect(await statusOf("2026-01")).toBe("reopened");
    expect((await studio.vouchers()).length).toBe(2);
    expect(textOf(await admin.get(JANUARY))).toContain("The month was reopened.");
  });

  it("is not offered for a month that is followed by a closed one", async () => {
    expect((await confirmed()).status).toBe(303);
    expect((await confirmed(`${FEBRUARY}/confirm`)).status).toBe(303);
    // A busy machine ends the close in the background.
    await expect.poll(() => statusOf("2026-02")).toBe("completed");
    const page = await admin.get(JANUARY);
    expect(page.html).not.toContain("/reopen");
    expect((await admin.get(path)).location).toBe(JANUARY);
  });
});

describe("a customer without a rate", () => {
  it("is refused with the way to the rate, and booked when it is set", async () => {
    studio.at("2026-04-10");
    const bo = await studio.newCustomer("Bo GmbH");
    const draft = await studio.draft(undefined, { customer_id: bo, currency: "EUR" });
    await studio.work(draft, "2026-03-04", 1);
    const month = await admin.get(`/close/2026-03${ALL}`);
    expect(textOf(month)).toContain("One customer cannot be booked");
    expect(textOf(month)).toContain("EUR has no rate");
    const path = "/close/2026-03/rate";
    const form = await admin.get(`${path}?currency=EUR`);
    const refused = await admin.submit(form, path, { rate: "0" });
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain("Enter a rate above 0");
    const { location } = await admin.submit(form, path, { rate: "7.4609" });
    expect(location).toBe("/close/2026-03");
    const text = textOf(await admin.get(`/close/2026-03${ALL}`));
    expect(text).toContain("EUR: 7.4609 of 31 Mar 2026");
    expect(text).not.toContain("cannot be booked");
    expect((await admin.get(`${path}?currency=DKK`)).status).toBe(404);
    expect((await admin.get(`${path}?currency=x`)).status).toBe(404);
  });
});

describe("an address", () => {
  it.each(["/close/2026-13", "/close/nothing", "/close/2031-01"])(
    "%s is no month",
    async (path) => {
      expect((await admin.get(path)).status).toBe(404);
    },
  );
});

describe("a close that is still running", () => {
  it("is shown with its progress, and reports it to the page", async () => {
    await world.sql(
      `update period_closes set status = 'running', lease_until = clock_timestamp() + interval '1 hour'
       where account_id = $1 and month = '2026-02'`,
      [world.account.account_id],
    );
    expect(textOf(await admin.get(FEBRUARY))).toMatch(/Booked \d+ of \d+ customers/);
    const proof = await proofOf(admin);
    const { body } = await admin.act("/app/close/progress", { month: "2026-02" }, proof);
    expect(body).toMatchObject({ is_running: true, failed: 0 });
    const none = await admin.act("/app/close/progress", { month: "2026-03" }, proof);
    expect(none.status).toBe(404);
  });
});
