/** While one account's heavy work runs, light requests of another account are answered before it ends, not after. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Account, askBeside, times, useAccounts } from "./two-accounts.ts";

/** If requests were served only between two steps of the heavy work, fewer would be answered. */
const ENOUGH = 5;
/** The same during one long request. */
const MANY = 15;

const accounts = useAccounts();
let light: Account;
beforeAll(async () => {
  light = await accounts.open();
  for (let n = 0; n < 30; n += 1) await light.draft(1);
  // Work of the first request, such as compilation, is done before the test.
  await light.ask("GET /invoices?limit=25");
});

describe("another account is answered while one", () => {
  it("reads the accrual of a customer with a long series", async () => {
    const heavy = await accounts.open();
    await heavy.series("2022-01-03", 50);
    const asked = heavy.ask(`GET /accruals?customer=${heavy.customer_id}&month=2026-02`);
    const { before_first } = await askBeside([asked], light);
    expect((await asked).status).toBe(200);
    expect(before_first).toBeGreaterThanOrEqual(MANY);
  });

  it("closes its first month", async () => {
    const heavy = await accounts.open();
    await heavy.series("2022-01-03", 50);
    const asked = heavy.ask("POST /period-closes", { month: "2022-01" });
    const { before_first } = await askBeside([asked], light);
    expect([200, 201]).toContain((await asked).status);
    expect(before_first).toBeGreaterThanOrEqual(MANY);
  });

  it("previews ten years of a series", async () => {
    const heavy = await accounts.open();
    const id = await heavy.series("2026-01-05", 60);
    const asked = heavy.ask(`GET /recurring-series/${id}/preview?until=2035-06-30`);
    const { before_first } = await askBeside([asked], light);
    expect((await asked).status).toBe(200);
    expect(before_first).toBeGreaterThanOrEqual(ENOUGH);
  });

  it("requests the PDFs of six long drafts in parallel", async () => {
    const heavy = await accounts.open();
    const drafts: string[] = [];
    for (let n = 0; n < 6; n += 1) drafts.push(await heavy.draft(200));
    const asked = times(6, (n) => heavy.obey(`GET /invoices/${drafts[n]}/pdf`));
    const { before_first } = await askBeside(asked, light);
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    expect(before_first).toBeGreaterThanOrEqual(ENOUGH);
  });

  it("exports its invoices six times in parallel", async () => {
    const heavy = await accounts.open();
    for (let n = 0; n < 6; n += 1) await heavy.draft(300);
    const asked = times(6, () => heavy.obey("GET /invoices.csv"));
    const { before_first } = await askBeside(asked, light);
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    expect(before_first).toBeGreaterThanOrEqual(ENOUGH);
  });

  it("reads two years of revenue six times in parallel", async () => {
    const heavy = await accounts.open();
    await heavy.series("2024-01-01", 40);
    const asked = times(6, () => heavy.obey("GET /recognition?from=2024-01&to=2025-12"));
    const { before_first } = await askBeside(asked, light);
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    expect(before_first).toBeGreaterThanOrEqual(ENOUGH);
  });

  it("changes one long draft thirty times in parallel", async () => {
    const heavy = await accounts.open();
    const id = await heavy.draft(150);
    const asked = times(30, (n) => heavy.obey(`PATCH /invoices/${id}`, { title: `Title ${n}` }));
    const { before_last } = await askBeside(asked, light);
    for (const { status } of await Promise.all(asked)) expect([200, 409]).toContain(status);
    expect(before_last).toBeGreaterThanOrEqual(ENOUGH);
  });

  it("sends large bodies that are invalid in each field", async () => {
    const heavy = await accounts.open();
    const fields = Array.from({ length: 78_000 }, (_, n) => [`k${n}`, 1]);
    const body = JSON.stringify(Object.fromEntries(fields));
    const lanes = Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 5; n += 1) {
        expect((await heavy.obey("POST /invoices", body)).status).toBe(422);
      }
    });
    const { before_last } = await askBeside(lanes, light);
    expect(before_last).toBeGreaterThanOrEqual(ENOUGH);
  });

  it("causes long invoices to be rendered in the background", async () => {
    const heavy = await accounts.open();
    for (let n = 0; n < 6; n += 1) await heavy.issued(300);
    // Documents are rendered when they are a minute old.
    const { sql } = accounts.world;
    await sql("update waiting_documents set not_before = not_before - interval '1 hour'");
    const rendered = async (): Promise<number> => {
      const rows = await sql("select count(*)::int as count from document_files");
      return rows[0].count;
    };
    const until = async (count: number): Promise<void> => {
      while ((await rendered()) < count) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await until(1);
    const { before_first } = await askBeside([until(3)], light);
    expect(before_first).toBeGreaterThanOrEqual(ENOUGH);
  });
});
