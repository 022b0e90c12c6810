/** The routes of the test clock, which decides the current time for a sandbox account. */
import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { presentClock, readClock, setTestClock, TestClock, TestClockPut } from "./change-clock.ts";

export const testClockRoutes = routesOf("Sandbox", [
  defineRoute("GET /test-clock", {
    operation: "test_clock.get",
    summary: "Read the clock of a sandbox account",
    access: "read",
    replies: { 200: TestClock },
    refuses: ["NOT_A_SANDBOX"],
    handle: async (cx) => presentClock((await readClock(cx)).test_clock),
  }),

  defineRoute("PUT /test-clock", {
    operation: "test_clock.set",
    summary: "Set the clock of a sandbox account",
    description:
      "Business dates and times follow it. Moving it runs nothing automatically: call `POST /scheduler-runs`. A time at which more than 1,000,000 lines would wait in periods that have begun is refused (`too_many`).",
    access: "write",
    body: TestClockPut,
    replies: { 200: TestClock },
    refuses: ["NOT_A_SANDBOX", "TEST_CLOCK_BACKWARDS"],
    handle: (cx, { body }) => run(setTestClock, cx, body),
  }),
]);
