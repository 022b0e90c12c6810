/** The REST routes of work registrations. */

import { run } from "../../../platform/commands/command.ts";
import {
  defineRoute,
  defineShown,
  noContent,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { changeWork, removeWork } from "./change.ts";
import { workCsv } from "./csv.ts";
import { listWork, readWork } from "./queries.ts";
import { registerWork } from "./register.ts";
import { WorkCreate, WorkList, WorkQuery, WorkResource, WorkUpdate } from "./schemas.ts";

/** The refusals when the current or the new line of the work takes no work. */
const closedRefusals = [
  "NOT_FOUND",
  "OCCURRENCE_DROPPED",
  "OCCURRENCE_SKIPPED",
  "INVOICE_ALREADY_ISSUED",
  "INVOICE_ISSUE_IN_PROGRESS",
] as const;

const workRefusals = [
  ...closedRefusals,
  "SERIES_NOT_ACTIVE",
  "USER_INACTIVE",
  "WORK_DATE_IN_FUTURE",
  "WORK_DATE_OUTSIDE_PERIOD",
  "DAILY_HOURS_EXCEEDED",
] as const;

export const workRoutes = routesOf("Work registrations", [
  defineRoute("GET /work-registrations", {
    operation: "work_registrations.list",
    summary: "List work registrations",
    access: "read",
    query: WorkQuery,
    csv_item: WorkResource.omit({ line: true }),
    replies: { 200: WorkList },
    handle: (cx, { query }) => listWork(cx, query),
  }),

  defineRoute("POST /work-registrations", {
    operation: "work_registrations.create",
    summary: "Register hours that a user worked on a line",
    description:
      "A repeat with the same `external_id` and content answers 200 with that registration. Late work on a period that is issued, skipped or dropped is registered on a later one.",
    access: "write",
    body: WorkCreate,
    replies: { 200: WorkResource, 201: WorkResource },
    refuses: ["EXTERNAL_ID_CONFLICT", ...workRefusals],
    handle: async (cx, { body }) => savedText(await run(registerWork, cx, body)),
  }),

  defineShown("GET /work-registrations/:ref", {
    operation: "work_registrations.get",
    summary: "Read a work registration",
    params: RefParams,
    replies: { 200: WorkResource },
    refuses: ["NOT_FOUND"],
    show: (cx, { ref }) => readWork(cx, ref),
  }),

  defineRoute("PATCH /work-registrations/:ref", {
    operation: "work_registrations.update",
    summary: "Change the fields sent; another `line_id` moves the work",
    description:
      "Work in a dropped occurrence, or on a fully credited invoice, may be moved to an open line; for the latter nothing else may change.",
    access: "write",
    params: RefParams,
    body: WorkUpdate,
    replies: { 200: WorkResource },
    refuses: workRefusals,
    handle: (cx, { params, body }) => run(changeWork, cx, { ref: params.ref, changes: body }),
  }),

  defineRoute("DELETE /work-registrations/:ref", {
    operation: "work_registrations.delete",
    summary: "Delete a work registration",
    access: "write",
    params: RefParams,
    replies: { 204: null },
    refuses: closedRefusals,
    async handle(cx, { params }) {
      await run(removeWork, cx, params);
      return noContent;
    },
  }),

  workCsv,
]);
