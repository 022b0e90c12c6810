/** Choosing who earned a line, from the close of its month, and the way back from the other cures. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, textOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openStudio, type Studio } from "../../../test/support/world/studio.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const MARCH = "/close/2026-03";
const ASSIGN = `${MARCH}/assign`;
let admin: Browser;
let studio: Studio;
let draft: Json;
let retainer: Json;

beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
  studio = await openStudio(world, world.account);
  studio.at("2026-04-10");
  draft = await studio.draft([
    studio.value(900),
    studio.service(3000, "2026-03-01", "2026-03-31"),
    studio.hours(),
  ]);
  const series = {
    customer_id: studio.customer,
    frequency: "monthly",
    start_date: "2026-03-01",
    issue_timing: { mode: "manual" },
    lines: [studio.value(1000, { description_override: "Hosting" })],
  };
  retainer = await studio.done("POST /recurring-series", series);
  await studio.done(`POST /recurring-series/${retainer.id}/activate`);
  await studio.done("POST /recurring-series", series);
});

/** The address with which the page of the month offers to choose the people of the line with this text. */
function offeredFor(page: PageReply, text: string): string | undefined {
  const [, href] =
    new RegExp(`href="(${ASSIGN}[^"]*)"[^>]*aria-label="Choose people: ${text}"`).exec(page.html) ??
    [];
  return href?.replaceAll("&amp;", "&");
}

const month = () => admin.get(`${MARCH}?all=1`);
const unassigned = async (): Promise<number> => {
  const { warnings } = await studio.done("GET /period-closes/2026-03/preview");
  return warnings.find(({ code }: Json) => code === "UNASSIGNED_REVENUE")?.count ?? 0;
};

describe("the line of a draft", () => {
  it("is offered with its people, and refused without any", async () => {
    expect(await unassigned()).toBe(2);
    const href = offeredFor(await month(), "Advice") ?? "";
    expect(href).toContain(`invoice=${draft.id}`);
    const page = await admin.get(href);
    expect(textOf(page)).toContain("Who earned “Advice”?");
    const refused = await admin.submit(page, ASSIGN, {});
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain("Choose at least one person.");
    expect(await statementsOf(() => admin.get(href))).toBeLessThanOrEqual(13);
  });

  it("is not changed where the draft has changed meanwhile", async () => {
    const page = await admin.get(offeredFor(await month(), "Advice") ?? "");
    await studio.done(`PATCH /invoices/${draft.id}`, { title: "Spring" });
    const stale = await admin.submit(page, ASSIGN, { [`who_${studio.bo}`]: "on" });
    expect(stale.status).toBe(409);
    expect(stale.html).toMatch(new RegExp(`name="who_${studio.bo}"[^>]* checked`));
    expect(await unassigned()).toBe(2);
    const again = await admin.submit(stale, ASSIGN, { [`who_${studio.bo}`]: "on" });
    expect(again.location).toBe(MARCH);
  });

  it("has its people, and the draft is otherwise as it was", async () => {
    expect(await unassigned()).toBe(1);
    const { lines } = await studio.done(`GET /invoices/${draft.id}`);
    const assigned = [{ user_id: studio.bo, distribution_percentage: null }];
    expect(lines[1].assignees).toMatchObject(assigned);
    expect([lines[0], lines[2]]).toEqual([draft.lines[0], draft.lines[2]]);
    expect({ ...lines[1], assignees: [] }).toEqual(draft.lines[1]);
  });
});

describe("the line of a retainer's open period", () => {
  it("is assigned in the chosen periods", async () => {
    const page = await admin.get(offeredFor(await month(), "Hosting") ?? "");
    expect(textOf(page)).toContain("Only March 2026");
    const fields = { [`who_${studio.bo}`]: "on", scope: "this_only" };
    expect((await admin.submit(page, ASSIGN, fields)).location).toBe(MARCH);
    const assigneesIn = async (period: string) => {
      const path = `GET /recurring-series/${retainer.id}/occurrences/${period}/lines`;
      return (await studio.done(path)).data[0].assignees;
    };
    expect(await assigneesIn("2026-03")).toMatchObject([{ user_id: studio.bo }]);
    expect(await assigneesIn("2026-04")).toEqual([]);
    expect(await unassigned()).toBe(0);
  });
});

describe("the line of an issued invoice", () => {
  it("stays as it is, and the page says why", async () => {
    const line = studio.service(500, "2026-03-01", "2026-03-31");
    const issued = await studio.issued([line], { issue_date: "2026-03-05" });
    const page = await month();
    expect(offeredFor(page, "Advice")).toBeUndefined();
    expect(textOf(page)).toContain("Issued: cannot change");
    const path = `${ASSIGN}?line=${issued.lines[0].id}&invoice=${issued.id}`;
    const text = textOf(await admin.get(path));
    expect(text).toContain("The invoice is issued, so the people of its lines stay as they are.");
  });
});

it.each([
  ["no line", ""],
  ["an unknown line", "?line=0190a5b2-7c1d-7e3f-8a4b-5c6d7e8f9a0b"],
  ["a text", "?line=x"],
])("is absent for %s", async (_case, query) => {
  expect((await admin.get(`${ASSIGN}${query}`)).status).toBe(404);
});

describe("a cure that is opened from the close", () => {
  it("leads back to the month, also after further pages, until the month is opened", async () => {
    const page = await month();
    const [cure = ""] = /\/retainers\?group=[^"]*close=2026-03/.exec(page.html) ?? [];
    const shown = await admin.get(cure.replaceAll("&amp;", "&"));
    expect(textOf(shown)).toContain("Back to the close of March 2026");
    expect(shown.html).toContain(`href="${MARCH}"`);
    const cookie = shown.headers.get("set-cookie")?.split(";", 1)[0];
    const kept = { cookie: `matchbook=${admin.cookie()}; ${cookie}`, "accept-language": "da" };
    const form = await admin.get("/customers/new", kept);
    expect(textOf(form)).toContain("Tilbage til lukningen af marts 2026");
    const ended = (await admin.get(MARCH, kept)).headers.get("set-cookie");
    expect(ended).toContain("matchbook-close=; Path=/; Max-Age=0");
    expect(textOf(await admin.get("/customers"))).not.toContain("Back to the close");
  });
});
