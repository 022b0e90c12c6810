/** The line below the title of a draft: who made it, by hand, through an assistant or with a key. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { agentOf } from "../../../test/support/mcp/mcp.ts";
import { useWork } from "../../../test/support/world/work.ts";
import type { Timestamp } from "../../domain/base/brand.ts";
import { wordsOf } from "../words/words.ts";
import { makerInWords } from "./made-by.ts";

const { world, customer, line, invoice } = useWork({ knows_origin: true });
const DANISH = { "accept-language": "da" };
const DAY = String.raw`\d{1,2} \w{3,4} \d{4}`;

let admin: Browser;
beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
});

/** Returns the text below the title. */
async function leadOf(id: string, browser = admin, headers = {}): Promise<string> {
  const { html } = await browser.get(`/invoices/${id}`, headers);
  return /<p class="lead">([^<]*)<\/p>/.exec(html)?.[1] ?? "";
}

describe("a draft", () => {
  it("names the person who made it on a page, with the day", async () => {
    const page = await admin.get("/invoices/new");
    const made = await admin.submit(page, "/invoices/new", { customer: customer.id });
    const id = made.location?.split("/").at(-1) ?? "";
    expect(await leadOf(id)).toMatch(new RegExp(`^Made by Admin, ${DAY}$`));
    expect(await leadOf(id, admin, DANISH)).toMatch(/^Oprettet af Admin, \d{1,2}\. /);
  });

  it("names the assistant through which it was made, and the key only for admins", async () => {
    const agent = await agentOf(world, { name: "Standa", client_name: "Robot" });
    const lines = [line({ assignees: [{ user_id: agent.user_id }] })];
    const by_key = await invoice(lines);
    expect(await leadOf(by_key.id)).toMatch(
      new RegExp(`^Made by API key First read_write key, ${DAY}$`),
    );
    const by_robot = await agent.carried("plan_create_invoice", { customer: customer.id, lines });
    expect(await leadOf(by_robot.id)).toMatch(new RegExp(`^Made by Standa through Robot, ${DAY}$`));
  });
});

it.each([
  ["user", "Anna", null, true, "Made by Anna, 1 Jan 2027"],
  ["api_key", "Shop", null, true, "Made by API key Shop, 1 Jan 2027"],
  ["api_key", "Shop", null, false, "Made by a program, 1 Jan 2027"],
  ["scheduler", null, null, true, "Made by the scheduler, 1 Jan 2027"],
] as const)("says of %s %j, through %j", (kind, name, assistant, sees_all, said) => {
  // It is the next day in Denmark.
  const at = "2026-12-31T23:30:00.000Z" as Timestamp;
  const reader = { language: "en", words: wordsOf("en"), time_zone: "Europe/Copenhagen" } as const;
  expect(makerInWords({ at, kind, name, assistant }, reader, sees_all)).toBe(said);
});
