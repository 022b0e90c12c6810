/** The tool that lists registered hours, or their sums: a standard user's own, for admins those of any user or of all. */
import * as z from "zod";
import { scaledToNumber } from "../../domain/base/money.ts";
import { requireAdmin } from "../../domain/base/visibility.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import { workStates } from "../../domain/work/work.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { requireOwn } from "../../features/overview/views/require-own.ts";
import {
  pageOfWorkSums,
  type WorkGrouping,
  workGroupings,
} from "../../features/work/registrations/count-hours.ts";
import {
  findWork,
  listWork,
  sumOfWork,
  type WorkFilters,
} from "../../features/work/registrations/queries.ts";
import { WorkResource } from "../../features/work/registrations/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { type PageQuery, pageFrom } from "../../platform/database/page.ts";
import { Day, Uuid } from "../../platform/http/schemas.ts";
import {
  pageArguments,
  pageOutput,
  reading,
  reference,
  refOfUser,
  userOrAll,
} from "../protocol/arguments.ts";
import { defineTool, type ToolResult } from "../protocol/tool.ts";
import { counted, hoursText, moreText, paragraphs, quoted, tableOf } from "../protocol/words.ts";
import { namesOfLines } from "../text/line-name.ts";
import { listedRow } from "../text/listed-row.ts";

const Input = z.object({
  user: userOrAll("For admins also all.").default("me"),
  customer: reference("customer").optional(),
  line_id: Uuid.optional().describe("The line of an invoice or occurrence."),
  from: Day.optional().describe("First date of work."),
  to: Day.optional().describe("Last date of work."),
  status: z.enum(workStates).optional(),
  group_by: z.enum(workGroupings).optional().describe("Sums instead of registrations."),
  ...pageArguments,
});

const ListedWork = WorkResource.extend({
  user_name: z.string(),
  customer_name: z.string(),
  line_name: z.string().nullable(),
});

const Row = listedRow(ListedWork, [
  "date",
  "user_name",
  "hours",
  "status",
  "billable",
  "customer_name",
  "line_name",
  "period",
  "note",
  "id",
  "line_id",
]);

const ListedSum = z.object({
  group: z.string().describe("The id of the user, customer or line, or the day."),
  name: z.string().nullable(),
  hours: z.number(),
  billable_hours: z.number(),
  registrations: z.int(),
});
type ListedSum = z.output<typeof ListedSum>;

export const listWorkTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "list_work_registrations",
  title: "List work registrations",
  description:
    "Use it to see the hours that a user or the whole team registered, with their lines and total, and to find the registration to change or delete; with group_by their sums. The latest registered first. Standard users see their own hours only.",
  input: () => Input,
  output: pageOutput(Row.schema).extend({
    total_hours: z.number().describe("Of all registrations under these filters, on all pages."),
    sums: z.array(ListedSum).optional().describe("With group_by, instead of data."),
  }),

  async call(cx, { user, line_id, limit, cursor, group_by, ...named }) {
    const filters = { ...named, user: await whoseHours(cx, user), line: line_id };
    const total_hours = scaledToNumber(await sumOfWork(cx, filters), HOURS_DECIMALS);
    return group_by === undefined
      ? registrations(cx, filters, { limit, cursor }, total_hours)
      : sums(cx, filters, group_by, { limit, cursor }, total_hours);
  },
});

/** Returns the reference of the user whose hours are shown; undefined for all users. Throws ROLE_FORBIDDEN. */
async function whoseHours(cx: PersonReader, user: string): Promise<string | undefined> {
  if (user !== "all") return requireOwn(cx, refOfUser(cx, user), "hours");
  requireAdmin(cx.caller.person.role, "the hours of all users; omit user, or use me");
  return undefined;
}

async function registrations(
  cx: PersonReader,
  filters: WorkFilters,
  page: PageQuery,
  total_hours: number,
): Promise<ToolResult> {
  const list = pageFrom<z.output<typeof WorkResource>>(await listWork(cx, { ...filters, ...page }));
  const user_ids = list.data.map((work) => work.user_id);
  const customer_ids = list.data.map((work) => work.customer_id);
  const [users, customers, lines] = await Promise.all([
    userNames(cx, user_ids),
    customerNames(cx, customer_ids),
    linesOf(
      cx,
      list.data.map(({ id }) => id),
    ),
  ]);
  const data = list.data.map((work) => ({
    ...work,
    user_name: users.get(work.user_id) ?? "",
    customer_name: customers.get(work.customer_id) ?? "",
    line_name: lines.get(work.line_id) ?? null,
  }));
  const table = tableOf(data, "No registrations.", {
    date: (work) => work.date,
    user: (work) => quoted(work.user_name),
    hours: (work) => hoursText(work.hours),
    status: (work) => (work.billable ? work.status : `${work.status}, not billable`),
    customer: (work) => quoted(work.customer_name),
    line: (work) => quoted(work.line_name),
    period: (work) => work.period ?? "-",
    note: (work) => quoted(work.note),
    registration: (work) => work.id,
    line_id: (work) => work.line_id,
  });
  const text = paragraphs(
    `${totalText(total_hours)} Shown: ${counted(data.length, "registration")}.`,
    table,
    moreText(list.next_cursor),
  );
  return { text, structured: { ...list, data: data.map(Row.of), total_hours } };
}

async function sums(
  cx: PersonReader,
  filters: WorkFilters,
  group_by: WorkGrouping,
  page: PageQuery,
  total_hours: number,
): Promise<ToolResult> {
  const { rows, next_cursor } = await pageOfWorkSums(cx, filters, group_by, page);
  const nameOf = await namesFor(cx, group_by, rows);
  const shown = rows.map(
    (row): ListedSum => ({
      group: row.key,
      name: nameOf(row.key),
      hours: scaledToNumber(row.hours, HOURS_DECIMALS),
      billable_hours: scaledToNumber(row.billable, HOURS_DECIMALS),
      registrations: row.registrations,
    }),
  );
  const has_names = group_by !== "day";
  const table = tableOf(shown, "No registrations.", {
    ...(has_names && { [group_by]: (sum: ListedSum) => quoted(sum.name) }),
    hours: (sum) => hoursText(sum.hours),
    billable: (sum) => hoursText(sum.billable_hours),
    registrations: (sum) => sum.registrations,
    [has_names ? `${group_by}_id` : "day"]: (sum) => sum.group,
  });
  const text = paragraphs(
    `${totalText(total_hours)} By ${group_by}:`,
    table,
    moreText(next_cursor),
  );
  const around = { data: [], has_more: next_cursor !== null, next_cursor };
  return { text, structured: { ...around, total_hours, sums: shown } };
}

/** Returns a function that names the groups by their keys; days have no names. */
async function namesFor(
  cx: PersonReader,
  group_by: WorkGrouping,
  rows: readonly { readonly key: string; readonly some_id: string }[],
): Promise<(key: string) => string | null> {
  const keys = rows.map(({ key }) => key);
  const read = {
    user: () => userNames(cx, keys),
    customer: () => customerNames(cx, keys),
    line: () =>
      linesOf(
        cx,
        rows.map(({ some_id }) => some_id),
      ),
    day: async () => new Map<string, string>(),
  };
  const names: ReadonlyMap<string, string> = await read[group_by]();
  return (key) => names.get(key) ?? null;
}

/** Returns the names of the lines of registrations, by the ids of the lines. */
async function linesOf(
  cx: PersonReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return namesOfLines(cx, await findWork(cx, ids));
}

function totalText(total_hours: number): string {
  return `Hours under these filters: ${hoursText(total_hours)}.`;
}
