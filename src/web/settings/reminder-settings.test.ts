/** The settings of reminders in both languages: what is shown, kept and refused. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const PATH = "/settings/reminders";
const DANISH = { "accept-language": "da" };

let admin: Browser;
let standard: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

const level = (row: number, days: string, fee: string) => ({
  [`reminders.levels[${row}].days_after_due`]: days,
  [`reminders.levels[${row}].fee`]: fee,
});
const TERMS = {
  "reminders.interest": "none",
  "reminders.payment_days": "10",
  "reminders.minimum_amount": "0",
  "reminders.is_automatic": "false",
};
const NO_LEVELS = Object.assign({}, ...[0, 1, 2, 3, 4].map((row) => level(row, "", "")));

async function save(fields: Readonly<Record<string, string>>) {
  return admin.submit(await admin.get(PATH), PATH, { ...NO_LEVELS, ...TERMS, ...fields });
}

const stored = async () => (await world.done("GET /configuration")).reminders;

describe("the settings of reminders", () => {
  it("show the reminders of an invoice and what the law allows, in both languages", async () => {
    const page = await admin.get(PATH);
    expect(textOf(page)).toContain("Reminder 1, days after the due date");
    expect(textOf(page)).toContain("The law allows at most 100 kr. for a reminder");
    expect(page.html).toMatch(/name="reminders\.levels\[1\]\.fee"[^>]*value="100"/);
    expect(page.html).toContain('name="reminders.levels[4].days_after_due"');
    const danish = textOf(await admin.get(PATH, DANISH));
    expect(danish).toContain("Rykker 2, gebyr i DKK");
    expect(danish).toContain("Efter renteloven: referencesatsen og 8 %");
  });

  it("are kept, without rows that have no days, and keep what the form does not show", async () => {
    const levels = [
      { days_after_due: 5, fee: 0, compensation: true, text: "Husk os" },
      { days_after_due: 20, fee: 100 },
    ];
    await world.done("PATCH /configuration", { reminders: { levels } });
    const done = await save({
      ...level(0, "7", ""),
      ...level(2, "30", "75"),
      "reminders.interest": "statutory",
      "reminders.minimum_amount": "1,500",
      "reminders.is_automatic": "true",
    });
    expect([done.status, done.location]).toEqual([303, PATH]);
    expect(await stored()).toMatchObject({
      levels: [
        { days_after_due: 7, fee: 0, compensation: true, text: "Husk os" },
        { days_after_due: 30, fee: 75, compensation: false, text: null },
      ],
      interest: "statutory",
      payment_days: 10,
      minimum_amount: 1500,
      is_automatic: true,
    });
  });

  it("keep a rate of the account's own", async () => {
    await world.done("PATCH /configuration", { reminders: { interest: { rate: 12.5 } } });
    expect(textOf(await admin.get(PATH, DANISH))).toContain("12,5 % om året");
    await save({ ...level(0, "5", "0"), "reminders.interest": "own" });
    expect((await stored()).interest).toEqual({ rate: 12.5 });
  });

  it("are refused at the field, with what was typed", async () => {
    const before = await stored();
    const page = await save({ ...level(0, "5", ""), ...level(2, "15", "150") });
    expect(page.status).toBe(422);
    expect(page.html).toMatch(
      /name="reminders\.levels\[2\]\.fee"[^>]*value="150"[^>]*aria-invalid/,
    );
    expect(page.html).not.toMatch(/name="reminders\.levels\[1\]\.fee"[^>]*aria-invalid/);
    expect((await save({})).status).toBe(422);
    expect(await stored()).toEqual(before);
  });

  it("do not exist for a standard user", async () => {
    expect((await standard.get(PATH)).status).toBe(404);
  });
});
