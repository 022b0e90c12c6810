/** The year that `npm run dev` puts into an empty installation: its books balance, and its months are closed. */
import { expect, it } from "vitest";
// @ts-expect-error The programs of bin are not TypeScript.
import { makeDemoYear } from "../../bin/demo-year.mjs";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld();

it("contains twelve months, ten of them closed, with retainers, projects, hours and a credit", async () => {
  const { keys } = await world.openAnother({ sandbox: true });
  const api = (method: string, path: string, body?: Json): Promise<Json> =>
    world.done(`${method} ${path}`, body, keys.read_write);
  await makeDemoYear(api, "2026-11-19");

  const list = async (path: string): Promise<Json[]> => (await api("GET", path)).data;
  const closes = await list("/period-closes?limit=100");
  expect(closes).toHaveLength(10);
  expect(closes.every(({ status }) => status === "completed")).toBe(true);
  expect(closes.map(({ month }) => month).sort()).toContain("2026-09");
  expect(await list("/recurring-series?limit=100")).toHaveLength(3);
  expect(await list("/credit-notes?limit=100")).toHaveLength(1);
  const drafts = await list("/invoices?status=draft&limit=100");
  expect(drafts.map(({ title }) => title)).toContain("Project 2026-11");
  const { ok } = await api("GET", "/ledger/verification?fresh=true");
  expect(ok).toBe(true);
});
