/** The beginning of receivables on its page: what is still open is chosen, the entry is shown, and exactly that is booked. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, issued, partCredit, credited } = useSales({ knows_origin: true });

const PATH = "/receivables/begin";
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let old: Json;
let newer: Json;
let newest: Json;

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** The address of the choice that a page shows, with the boxes as they are there but for those that are changed. */
function choiceOf({ html }: PageReply, changed: Readonly<Record<string, string | null>>): string {
  const list = /name="list" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const ticked = [...html.matchAll(/<input type="checkbox" name="([^"]+)" value="on" checked/g)];
  const fields = { ...Object.fromEntries(ticked.map(([, id]) => [id, "on"])), list, ...changed };
  const sent = Object.entries(fields).filter(([, value]) => value !== null) as [string, string][];
  return `${PATH}?${new URLSearchParams(sent)}`;
}

/** The address to which the confirmation of a page posts. */
function actionOf({ html }: PageReply): string {
  const action = /<form method="post" action="(\/receivables\/begin[^"]*)"/.exec(html)?.[1] ?? "";
  return action.replaceAll("&amp;", "&");
}

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  old = await issued([1000], { issue_date: "2025-10-01" });
  newer = await issued([400], { issue_date: "2026-01-10" });
  newest = await issued([200], { issue_date: "2026-03-01" });
  await credited(partCredit(newest, [40]));
  await world.sql("delete from receivables_begins");
});

describe("the choice", () => {
  it("lists what is left of documents that are due lately, all of them ticked", async () => {
    const page = await admin.get(PATH);
    const text = textOf(page);
    expect(text).toContain("2 of 2 open");
    expect(text).toMatch(/Invoice \d+ .*Acme A\/S .* Left of it DKK 200\.00/);
    expect(page.html.match(/type="checkbox"/g)).toHaveLength(2);
    expect(page.html).toContain('value="6950" selected');
    expect(page.html).not.toContain('action="/receivables/begin?');
    expect(textOf(await admin.get(`${PATH}?from=2025-09-01`))).toContain("3 of 3 open");
  });

  it("shows what is settled, and the one entry", async () => {
    const first = await admin.get(PATH);
    const shown = await admin.get(choiceOf(first, { [newer.id]: null, account: "6950" }));
    expect(shown.status).toBe(200);
    const text = textOf(shown);
    expect(text).toContain("1 of 2 open");
    expect(text).toContain("2 documents, DKK 1,750.00 in the books.");
    expect(text).toMatch(/Acme A\/S Number 6190 Debit Credit 1,750\.00/);
    expect(text).toMatch(/6950 Overført resultat Number 6950 Debit 1,750\.00/);
    expect(text).toContain("Begin, and settle 2 documents, DKK 1,750.00");
    expect((await world.done("GET /configuration")).receivables_begun_on).toBeNull();
  });

  it("names older documents by their numbers", async () => {
    const [item] = await world.sql("select number from open_items where id = $1", [old.id]);
    const number: string = item?.number;
    const address = choiceOf(await admin.get(PATH), { account: "6950", older: `${number}, 99999` });
    const unknown = await admin.get(address);
    expect(unknown.status).toBe(422);
    expect(unknown.html).toContain('id="older-fault"');
    expect(unknown.html).toContain(`value="${number}, 99999"`);
    const named = choiceOf(await admin.get(PATH), { account: "6950", older: number });
    expect(textOf(await admin.get(named))).toContain("Nothing: all documents stay open.");
  });

  it.each([
    [{ date: "2026-03-11" }, "date-fault", "The date is after today"],
    [{ account: "6190" }, "account-fault", "Account 6190 has another use."],
    [{ from: "soon" }, "from-fault", "This is not a date."],
    [{ older: "99999" }, "older-fault", "No document through that day"],
  ])("is refused at its field: %j", async (changed, fault, said) => {
    const first = await admin.get(PATH);
    const refused = await admin.get(
      choiceOf(first, { account: "6950", ...changed } as Record<string, string>),
    );
    expect([refused.status, refused.html.includes(`id="${fault}"`)]).toEqual([422, true]);
    expect(textOf(refused)).toContain(said);
    expect(refused.html).not.toContain('action="/receivables/begin?');
  });

  it("keeps everything open where the person says so", async () => {
    const address = choiceOf(await admin.get(PATH), { account: "6950", open: "all" });
    expect(textOf(await admin.get(address))).toContain("Nothing: all documents stay open.");
  });

  it("speaks Danish", async () => {
    const first = await admin.get(PATH, DANISH);
    const text = textOf(await admin.get(choiceOf(first, { account: "6950" }), DANISH));
    expect(text).toContain("Begynd, og udlign 1 dokument, 1.250,00 kr.");
  });
});

describe("the confirmation", () => {
  it("is refused where something has changed, and shows what would happen now", async () => {
    const shown = await admin.get(choiceOf(await admin.get(PATH), { account: "6950" }));
    await issued([80], { issue_date: "2025-11-01" });
    await world.sql("delete from receivables_begins");
    const action = actionOf(shown);
    const refused = await admin.submit(shown, action, {});
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("Something has changed since you saw this.");
    expect(textOf(refused)).toContain("2 documents, DKK 1,350.00");
  });

  it("is not for other people", async () => {
    expect((await standard.get(PATH)).status).toBe(404);
  });

  it("books what was shown, once", async () => {
    const first = await admin.get(PATH);
    const shown = await admin.get(choiceOf(first, { account: "6950", [newest.id]: null }));
    const action = actionOf(shown);
    const done = await admin.submit(shown, action, {});
    expect([done.status, done.location]).toEqual([303, "/receivables"]);
    const page = textOf(await admin.get("/receivables"));
    expect(page).toContain("One customer owes DKK 500.00, DKK 500.00 of it late.");
    expect(page).toContain("Agrees with account 6190");
    expect((await world.done(`GET /invoices/${old.id}/payment`)).state).toBe("paid");
    expect(textOf(await admin.get(PATH))).toContain("Receivables began on 10 Mar 2026.");
    const again = await admin.submit(shown, action, {});
    expect([again.status, textOf(again).includes("began on")]).toEqual([200, true]);
  });
});
