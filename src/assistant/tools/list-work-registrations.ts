/** The tool that lists registered hours: a standard user's own, for admins those of any user. */
import * as z from "zod";
import { scaledToNumber } from "../../domain/base/money.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import { workStates } from "../../domain/work/work.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { requireOwn } from "../../features/overview/views/require-own.ts";
import { listWork, sumOfWork } from "../../features/work/registrations/queries.ts";
import { WorkResource } from "../../features/work/registrations/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Day, Uuid } from "../../platform/http/schemas.ts";
import { pageArguments, pageOutput, reading, reference, refOfUser } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { counted, hoursText, moreText, paragraphs, quoted, tableOf } from "../protocol/words.ts";

const Input = z.object({
  user: reference("user").default("me"),
  customer: reference("customer").optional(),
  line_id: Uuid.optional().describe("The line of an invoice or occurrence."),
  from: Day.optional().describe("First date of work."),
  to: Day.optional().describe("Last date of work."),
  status: z.enum(workStates).optional(),
  ...pageArguments,
});

const ListedWork = WorkResource.extend({ user_name: z.string(), customer_name: z.string() });

export const listWorkTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "list_work_registrations",
  title: "List work registrations",
  description:
    "Use it to see the hours that a user registered, with their lines and total, and to find the registration to change or delete. The latest registered first. Standard users see their own hours only.",
  input: () => Input,
  output: pageOutput(ListedWork).extend({
    total_hours: z.number().describe("Of all registrations under these filters, on all pages."),
  }),

  async call(cx, { user, line_id, limit, cursor, ...named }) {
    const filters = {
      ...named,
      user: await requireOwn(cx, refOfUser(cx, user), "hours"),
      line: line_id,
    };
    const [text_of_list, hours] = await Promise.all([
      listWork(cx, { ...filters, limit, cursor }),
      sumOfWork(cx, filters),
    ]);
    const list = pageFrom<z.output<typeof WorkResource>>(text_of_list);
    const user_ids = list.data.map((work) => work.user_id);
    const customer_ids = list.data.map((work) => work.customer_id);
    const [users, customers] = await Promise.all([
      userNames(cx, user_ids),
      customerNames(cx, customer_ids),
    ]);
    const total_hours = scaledToNumber(hours, HOURS_DECIMALS);
    const data = list.data.map((work) => ({
      ...work,
      user_name: users.get(work.user_id) ?? "",
      customer_name: customers.get(work.customer_id) ?? "",
    }));
    const table = tableOf(data, "No registrations.", {
      date: (work) => work.date,
      user: (work) => quoted(work.user_name),
      hours: (work) => hoursText(work.hours),
      status: (work) => (work.billable ? work.status : `${work.status}, not billable`),
      customer: (work) => quoted(work.customer_name),
      period: (work) => work.period ?? "-",
      note: (work) => quoted(work.note),
      registration: (work) => work.id,
      line_id: (work) => work.line_id,
    });
    const shown = counted(data.length, "registration");
    const text = paragraphs(
      `Hours under these filters: ${hoursText(total_hours)}. Shown: ${shown}.`,
      table,
      moreText(list.next_cursor),
    );
    return { text, structured: { ...list, data, total_hours } };
  },
});
