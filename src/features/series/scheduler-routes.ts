/** The REST route that runs the scheduler now (interface 4.1). */
import { defineRoute } from "../../platform/http/route.ts";
import { runScheduler } from "./scheduler.ts";
import { SchedulerRun } from "./schemas.ts";

/** A scheduler run answers within this time; the service goes on with what is left (decisions.md 47). */
const RUN_MS = 15_000;

export const schedulerRoutes = [
  defineRoute({
    method: "POST",
    path: "/scheduler-runs",
    operation: "scheduler_runs.create",
    tag: "Recurring series",
    summary: "Issue now whatever has fallen due",
    description:
      "The service does this by itself every hour. Answers within 20 seconds; `remaining` tells what it goes on with.",
    access: "issue",
    replies: { 201: SchedulerRun },
    refuses: [],
    async handle(cx) {
      // Many commands, each of which is safe to repeat.
      return { status: 201, json: await runScheduler({ ...cx, once: null }, RUN_MS) };
    },
  }),
];
