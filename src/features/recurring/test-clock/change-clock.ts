/** The command that sets the clock of a sandbox account, and its query. */

import * as z from "zod";
import { dayIn } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { component, input, Moment } from "../../../platform/http/schemas.ts";
import { timestampOf, todayIn } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { lockConfiguration } from "../../settings/configuration/save.ts";
import { requireRoomAt } from "../series/require-room.ts";

export const TestClock = component("TestClock", {
  object: z.literal("test_clock"),
  now: z.string().nullable(),
});

export const TestClockPut = input("TestClockPut", {
  now: Moment.nullable().describe("Null returns to the real clock."),
});

interface ClockRow {
  readonly test_clock: string | null;
  readonly test_clock_floor: string | null;
}

/** Reads the clock of the account. Throws NOT_A_SANDBOX. */
export async function readClock(cx: Reader): Promise<ClockRow> {
  if (!cx.caller.sandbox) throw new Problem("NOT_A_SANDBOX");
  const row = await cx.row<ClockRow>(
    sql`select test_clock, test_clock_floor from accounts where id = ${cx.caller.account_id}`,
  );
  return row ?? { test_clock: null, test_clock_floor: null };
}

/** Presents the time of a clock; null while it runs. */
export function presentClock(now: string | null): JsonText {
  return jsonText(TestClock.parse({ object: "test_clock", now }));
}

/**
 * Sets the clock, which then stays at that time. The clock never goes back behind a time that it has shown. Throws
 * NOT_A_SANDBOX, TEST_CLOCK_BACKWARDS, and VALIDATION_FAILED for a time at which too many lines of series would wait.
 */
export const setTestClock = defineCommand({
  name: "set_test_clock",
  access: "write",
  input: TestClockPut,

  async plan(tx, { now }) {
    const { time_zone } = await lockConfiguration(tx);
    tx.lock(sql`select from accounts where id = ${tx.caller.account_id} for no key update`);
    const before = await readClock(tx);
    const shown = now === null ? timestampOf(Date.now()) : timestampOf(Date.parse(now));
    if (before.test_clock_floor !== null && shown < before.test_clock_floor) {
      throw new Problem("TEST_CLOCK_BACKWARDS", { details: { now: before.test_clock_floor } });
    }
    await requireRoomAt(tx, todayIn(tx.clock, time_zone), dayIn(time_zone, shown));
    return { before, after: now === null ? null : shown, floor: shown };
  },

  async commit(tx, { before, after, floor }): Promise<JsonText> {
    tx.write(
      sql`update accounts set test_clock = ${after}, test_clock_floor = ${floor} where id = ${tx.caller.account_id}`,
    );
    tx.audit("test_clock", tx.caller.account_id, "updated", {
      before: presentClock(before.test_clock),
      after: presentClock(after),
    });
    return presentClock(after);
  },
});
