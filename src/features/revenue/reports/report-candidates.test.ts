/** The lines of a report without a database that answers: one error for the caller, and no rejected promise that is never handled. */
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { useWorld } from "../../../../test/support/world/world.ts";
import type { Month } from "../../../domain/base/calendar.ts";
import { sql } from "../../../platform/database/sql.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { candidateLines } from "./report-candidates.ts";

const world = useWorld();
const NO_FILTER = {
  customer_id: null,
  series_id: null,
  invoice_id: null,
  user_id: null,
  product_id: null,
};

it("a failing read leaves no unhandled rejection", async () => {
  const cx = await operatorContext(world.services, world.account.account_id);
  const configuration = await getConfiguration(cx);
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => {
    unhandled.push(reason);
  };
  const broken = { ...cx, rows: <Row>() => cx.rows<Row>(sql`select 1 / 0`) };
  const current = "2026-03" as Month;
  const candidates = candidateLines(broken, configuration, NO_FILTER, "work_month", current);

  process.on("unhandledRejection", note);
  await expect(candidates("2026-06" as Month).from("", 10)).rejects.toThrow("division by zero");
  await setImmediate();
  process.off("unhandledRejection", note);

  expect(unhandled).toEqual([]);
});
