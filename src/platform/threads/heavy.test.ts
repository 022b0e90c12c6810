/** Worker threads of the built program with a shorter time limit for computations than in production. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltProgram, buildProgram } from "../../../test/support/run/program.ts";
import { openWorld, type World } from "../../../test/support/world/world.ts";
import { readConfig } from "../runtime/config.ts";
import { openLog } from "../runtime/log.ts";
import { openHeavyThreads } from "./heavy.ts";

/** Much less than the accrual takes, and much more than the preview takes, on any machine. */
const BUDGET_MS = 200;

let program: BuiltProgram;
let world: World;
beforeAll(async () => {
  program = await buildProgram();
  const heavy = openHeavyThreads({
    filename: join(program.folder, "dist", "thread.js"),
    data: () => ({
      role: "heavy",
      config: readConfig({ LOG_LEVEL: "silent" }),
      database_url: world.serving_url,
      on_terminal: false,
    }),
    computing_threads: 3,
    budget_ms: BUDGET_MS,
    databaseUrl: () => world.serving_url,
    isAway: () => false,
    log: openLog("silent"),
  });
  world = await openWorld({ overrides: { heavy } });
});
afterAll(async () => {
  await world.close();
  await program.end();
});

it("refuses a computation above its time limit as too_many, suggests a smaller request, and serves the next one", async () => {
  const customer = await world.done("POST /customers", { name: "Acme" });
  const product = await world.done("POST /products", { name: "Work" });
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1000 };
  const { id } = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "weekly",
    start_date: "2016-01-04",
    issue_timing: { mode: "manual" },
    lines: Array.from({ length: 250 }, () => line),
  });
  await world.done(`POST /recurring-series/${id}/activate`, {});
  const { status, body } = await world.rest(`GET /accruals?customer=${customer.id}&month=2026-02`);
  expect(status).toBe(422);
  const [fault, ...others] = body.error.field_errors;
  expect(others).toEqual([]);
  expect(fault).toMatchObject({ field: "customer", code: "too_many" });
  expect(fault.message).toMatch(
    /^This takes more than 0\.2 seconds of computing, .* Cancel series/,
  );
  const next = await world.rest(`GET /recurring-series/${id}/preview?until=2016-01-04`);
  expect(next.status).toBe(200);
});

it("answers requests that follow each other with one thread", async () => {
  const started: unknown[] = [];
  const note = (worker: unknown): void => void started.push(worker);
  await world.rest("GET /bank-lines?include=suggestions");
  process.on("worker", note);
  for (let nth = 0; nth < 20; nth += 1) {
    expect((await world.rest("GET /bank-lines?include=suggestions")).status).toBe(200);
  }
  process.off("worker", note);
  expect(started).toEqual([]);
});
